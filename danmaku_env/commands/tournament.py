"""`danmaku tournament`: compare agents."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from danmaku_env.arguments import shown
from danmaku_env.config import GameConfig
from danmaku_env.console import options
from danmaku_env.console.errors import UserError, needed
from danmaku_env.console.options import (
    ALL_TABLE_OPTIONS,
    DEALT_AT_RANDOM,
    AddressOption,
    ProcessesOption,
    RayOption,
    checked_seed,
    with_table,
)


@with_table(ALL_TABLE_OPTIONS, DEALT_AT_RANDOM)
def tournament(
    table: dict[str, Any],
    agents: Annotated[list[str] | None, typer.Argument(help="At least two, by name, name:option=value or package.module:Class.")] = None,
    players: Annotated[str, typer.Option("--players", "-n", help="Seats at the table; several numbers with commas between.")] = "6",
    deals: Annotated[int, typer.Option(help="Deals for each number of players; every agent plays every seat of each.")] = 1000,
    seed: Annotated[int, typer.Option(callback=checked_seed, help="Seed of deals, seats and agents.")] = 0,
    processes: ProcessesOption = None,
    ray: RayOption = False,
    address: AddressOption = "",
    out: Annotated[
        Path | None, typer.Option(parser=options.path, help="Folder for results and report; a new one in runs/ when left out.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with this tournament where it was stopped.")] = False,
    time_limit: Annotated[float, typer.Option(help="Seconds for a decision; an agent that takes longer loses the game.")] = 5.0,
    confidence: Annotated[float, typer.Option(help="Of all intervals and tests.")] = 0.99,
    replays: Annotated[int, typer.Option(min=0, max=100, help="Games of each table size to look at, as pages the report links.")] = 3,
    teams: Annotated[bool, typer.Option("--teams", help="Heroine and Partners against the bosses: every agent as either side.")] = False,
) -> None:
    """Compare agents: the same deals are replayed with the agents rotated through the seats. The quick ones when none are named."""
    arena = needed("danmaku_env.arena.tournaments.tournament", "a tournament", "arena", "scipy.special")
    try:
        numbers = options.player_counts(players)
    except ValueError:
        raise UserError(f"--players takes numbers with commas between, each once, such as 4,6,8, not {shown(players)}") from None
    plan = arena.Plan(
        agents=tuple(agents or arena.default_agents()), players=tuple(numbers), deals=deals, seed=seed, time_limit=time_limit,
        teams=teams, table=GameConfig(num_players=next((number for number in numbers if number in range(4, 9)), 6), **table),
    )  # fmt: skip
    arena.run(plan, out=out, resume=resume, processes=processes, ray=ray, address=address, confidence=confidence, replays=replays)
