"""`danmaku record`: games as tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from danmaku_env.agents.seating import split_specs
from danmaku_env.commands.app import FewOption, PlayersOption
from danmaku_env.config import GameConfig
from danmaku_env.console import options
from danmaku_env.console.errors import needed
from danmaku_env.console.options import AddressOption, RayOption, checked_seed, with_table


@with_table()
def record(
    table: dict[str, Any],
    agents: Annotated[str, typer.Option(help="Who plays, with commas between; they take turns in the seats.")] = "heuristic",
    players: PlayersOption = 6,
    games: Annotated[int, typer.Option(help="Games to play.")] = 1000,
    seed: Annotated[int, typer.Option(callback=checked_seed, help="Seed of deals and agents.")] = 0,
    observations: Annotated[bool, typer.Option("--observations", help="Keep what was seen at every decision as well.")] = False,
    processes: FewOption = None,
    ray: RayOption = False,
    address: AddressOption = "",
    out: Annotated[Path | None, typer.Option(parser=options.path, help="Folder for the tables; a new one in runs/ when left out.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with these games where it was stopped.")] = False,
) -> None:
    """Play games and keep them as Parquet tables: one row a game, one a decision, one an event (docs/data.md)."""
    arena = needed("danmaku_env.arena.data.record", "recording", "data")
    dataset = arena.DatasetSpec(
        agents=tuple(split_specs(agents)), table=GameConfig(num_players=players, **table), games=games, seed=seed, observations=observations
    )
    arena.run(dataset, out=out, resume=resume, processes=processes, ray=ray, address=address)
