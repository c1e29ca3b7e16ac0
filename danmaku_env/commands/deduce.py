"""`danmaku deduce`: how well agents tell who is who."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from danmaku_env.agents.seating import split_specs
from danmaku_env.commands.app import FewOption, PlayersOption
from danmaku_env.config import GameConfig
from danmaku_env.console import options
from danmaku_env.console.errors import needed
from danmaku_env.console.options import ALL_TABLE_OPTIONS, DEALT_AT_RANDOM, AddressOption, RayOption, checked_seed, with_table


@with_table(ALL_TABLE_OPTIONS, DEALT_AT_RANDOM)
def deduce(
    table: dict[str, Any],
    belief_models: Annotated[list[str] | None, typer.Argument(help="Agents that state beliefs, named as for a tournament.")] = None,
    players: PlayersOption = 6,
    games: Annotated[int, typer.Option(help="Games to play.")] = 400,
    seed: Annotated[int, typer.Option(callback=checked_seed, help="Seed of deals and agents.")] = 0,
    agents: Annotated[str, typer.Option(help="Who plays, with commas between; they take turns in the seats.")] = "deducer",
    processes: FewOption = None,
    ray: RayOption = False,
    address: AddressOption = "",
    out: Annotated[Path | None, typer.Option(parser=options.path, help="Folder for the report; a new one in runs/ when left out.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with this study where it was stopped.")] = False,
    confidence: Annotated[float, typer.Option(help="Of all intervals.")] = 0.99,
    reference: Annotated[
        bool, typer.Option(help="Also what could be known at best: by the players' own policies, all hands open.")
    ] = False,
    statements: Annotated[bool, typer.Option("--statements", help="Also every statement as a row, in statements.parquet.")] = False,
) -> None:
    """Measure how well agents deduce the roles: over the game, by role, and what each kind of event tells them."""
    arena = needed("danmaku_env.arena.deduction.study", "a study", "arena", "scipy.special")
    study = arena.Study(
        belief_models=tuple(belief_models or arena.default_belief_models()), agents=tuple(split_specs(agents)),
        table=GameConfig(num_players=players, **table), games=games, seed=seed, confidence=confidence, reference=reference,
        statements=statements,
    )  # fmt: skip
    arena.run(study, out=out, resume=resume, processes=processes, ray=ray, address=address)
