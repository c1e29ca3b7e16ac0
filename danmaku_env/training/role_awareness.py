"""Role awareness: role separation of agents in games with themselves, as they are and with their role exchanged.

    python -m danmaku_env.training.role_awareness random heuristic deducer neural --games 400

docs/training.md explains the figures; agents/role_separation.py and arena/roles_exchanged.py count them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from danmaku_env.agents import registry
from danmaku_env.agents.role_separation import Share
from danmaku_env.arena.reports.tables import AgentLabel, Column, Row, Table
from danmaku_env.arena.roles_exchanged import Awareness, play_with_itself
from danmaku_env.config import GameConfig
from danmaku_env.console import options
from danmaku_env.console.options import ALL_TABLE_OPTIONS, DEALT_AT_RANDOM, checked_seed, with_table
from danmaku_env.console.terminal import Terminal, games_bar
from danmaku_env.game import check_writable, write_atomically

_TITLE = "Role separation of agents in games with themselves: enemies harmed (chance), the same with the role exchanged, to the Heroine"


def awareness_table(found: Sequence[Awareness]) -> Table:
    """Agents by own faction."""
    columns = (
        Column("agent", number=False), Column("as", number=False), Column("enemies", Share.words), Column("exchanged", "{:.0%}".format),
        Column("distance", "{:.2f}".format), Column("Heroine", Share.words),
    )  # fmt: skip
    return Table.of("role awareness", _TITLE, columns, [row for there in found for row in _rows(there)])


def _rows(there: Awareness) -> list[Row]:
    """Of an agent; None where nothing was measured."""
    rows: list[Row] = []
    for faction, share in there.separation.harm.items():
        other = there.exchanged.get(faction)
        distance = None if other is None or math.isnan(other.distance) else other.distance
        rows.append((AgentLabel(there.spec), faction, share, other and other.exchanged, distance, there.separation.heroine.get(faction)))
    return rows


@with_table(ALL_TABLE_OPTIONS, DEALT_AT_RANDOM)
def measure(
    table: dict[str, Any],
    agents: Annotated[list[str] | None, typer.Argument(help="Agents, named as for a tournament.")] = None,
    games: Annotated[int, typer.Option(min=1, help="Games of each agent with itself.")] = 400,
    players: Annotated[int, typer.Option("--players", "-n", min=4, max=8, help="Seats at the table.")] = 6,
    seed: Annotated[int, typer.Option(callback=checked_seed, help="Seed of deals and agents.")] = 0,
    out: Annotated[Path | None, typer.Option(parser=options.path, help="A file for the figures: JSON, or a table as .csv or .tex.")] = None,
) -> None:
    """Measure who plays by role: agents in games with themselves."""
    config = replace(GameConfig(num_players=players), **table)
    specs = agents or [name for name in ("random", "heuristic", "deducer", "neural") if name in registry.names()]
    for spec in specs:
        registry.make(spec, 0)
    if out:
        check_writable(out)
    with games_bar(Terminal(stderr=True)) as bar:
        task = bar.add_task("", total=games * len(specs))
        found = [play_with_itself(spec, config, games=games, seed=seed, tick=lambda over: bar.advance(task, over)) for spec in specs]
    shown = awareness_table(found)
    Terminal().print(shown.terminal())
    if out:
        data = {"games": games, "seed": seed, "config": config.to_dict(), "agents": [there.to_dict() for there in found]}
        written = {".csv": shown.csv, ".tex": shown.latex}.get(out.suffix, lambda: json.dumps(data, indent=1, allow_nan=False) + "\n")
        write_atomically(out, written().encode())


def main(argv: Sequence[str] | None = None) -> None:
    """Run from the command line. Raises SystemExit with the exit status unless all went well."""
    options.run_function(measure, argv)


if __name__ == "__main__":
    main()
