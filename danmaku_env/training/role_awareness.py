"""Role awareness: role separation of agents in games with themselves, as they are and with their role exchanged.

    python -m danmaku_env.training.role_awareness --agents random heuristic deducer neural --games 400

docs/training.md explains the figures; agents/role_separation.py and arena/roles_exchanged.py count them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from danmaku_env import GameConfig
from danmaku_env.agents import registry
from danmaku_env.arena.roles_exchanged import Awareness, ExchangeResult, play_with_itself
from danmaku_env.console import options
from danmaku_env.console.options import checked_seed
from danmaku_env.console.terminal import Terminal, games_bar
from danmaku_env.game import check_writable, write_atomically


def table(found: Sequence[Awareness]) -> Table:
    """Agents by own role group, for the terminal."""
    title = "Role separation of agents in games with themselves: enemies harmed (chance), the same with the role exchanged, to the Heroine"
    shown = Table(title=title, title_justify="left")
    for name, justify in (("agent", "left"), ("as", "left"), ("enemies", "right"), ("exchanged", "right"), ("distance", "right")):
        shown.add_column(name, justify=justify, overflow="fold")  # type: ignore[arg-type]
    shown.add_column("Heroine", justify="right")
    for there in found:
        for group, share in there.separation.harm.items():
            heard, hers = there.exchanged.get(group), there.separation.heroine.get(group)
            words = _exchanged_words(heard) if heard else ("–", "–")
            shown.add_row(Text(there.spec), group, share.words(), *words, hers.words() if hers else "–")
    return shown


def _exchanged_words(heard: ExchangeResult) -> tuple[str, str]:
    return f"{heard.exchanged:.0%}", "–" if heard.distance != heard.distance else f"{heard.distance:.2f}"


def measure(
    agents: Annotated[list[str] | None, typer.Argument(help="Agents, named as for a tournament.")] = None,
    games: Annotated[int, typer.Option(min=1, help="Games of each agent with itself.")] = 400,
    players: Annotated[int, typer.Option("--players", "-n", min=4, max=8, help="Seats at the table.")] = 6,
    roles: Annotated[str, typer.Option(help="basic or advanced role cards.")] = "advanced",
    expansion: Annotated[str, typer.Option(help="With the expansion lunatic_extra, or none.")] = "none",
    seed: Annotated[int, typer.Option(callback=checked_seed, help="Seed of deals and agents.")] = 0,
    out: Annotated[Path | None, typer.Option(help="A JSON file for the figures.")] = None,
) -> None:
    """Measure who plays by role: agents in games with themselves."""
    config = GameConfig(num_players=players, roles=roles, expansion=expansion, characters="random")  # type: ignore[arg-type]
    specs = agents or [name for name in ("random", "heuristic", "deducer", "neural") if name in registry.names()]
    for spec in specs:
        registry.make(spec, 0)
    if out:
        check_writable(out)
    with games_bar(Terminal(stderr=True)) as bar:
        task = bar.add_task("", total=games * len(specs))
        found = [play_with_itself(spec, config, games=games, seed=seed, tick=lambda over: bar.advance(task, over)) for spec in specs]
    Terminal().print(table(found))
    if out:
        data = {"games": games, "seed": seed, "config": config.to_dict(), "agents": [there.to_dict() for there in found]}
        write_atomically(out, json.dumps(data, indent=1, allow_nan=False).encode() + b"\n")


def main(argv: Sequence[str] | None = None) -> None:
    """Run from the command line. Raises SystemExit with the exit status unless all went well."""
    options.run_function(measure, argv)


if __name__ == "__main__":
    main()
