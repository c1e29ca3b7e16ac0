"""What all fits share: their options, the tables that they play at, and how what was fitted is written."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from danmaku_env import GameConfig, make_vec
from danmaku_env.agents.base import Agent, Array, InfoStates
from danmaku_env.agents.fitted import file_for
from danmaku_env.arena import rollout
from danmaku_env.config import ROLE_SETS, Expansion
from danmaku_env.console.options import checked_seed, path, said
from danmaku_env.console.terminal import Terminal
from danmaku_env.game import check_writable, write_atomically
from danmaku_env.training.parallel import all_or_nothing

MOST_GAMES = 1_000_000
"""Of each configuration: more is a slip of the finger."""
GamesOption = Annotated[
    int, typer.Option(min=20, max=MOST_GAMES, help="Games of each configuration to fit on; a fifth of them tests the fit.")
]
SeedOption = Annotated[int, typer.Option(callback=checked_seed, help="Seed of the games.")]
ExpansionOption = Annotated[Expansion, typer.Option(help="Of which box the games are.")]
OutOption = Annotated[Path | None, typer.Option(parser=path, help="Where to write the fit; left out: where the agents look for it.")]


def configurations(expansion: Expansion) -> list[GameConfig]:
    """Every table of a box that an agent may sit at."""
    tables = itertools.product(range(4, 9), ROLE_SETS)
    return [GameConfig(num_players=n, roles=roles, characters="random", expansion=expansion) for n, roles in tables]


def self_play(config: GameConfig, rows: int, seed: int, agent: Agent) -> Iterator[tuple[Array, rollout.Step]]:
    """One agent in all seats of this many games side by side, without end: the records [rows] as they were asked, and what followed."""
    vec = make_vec(rows, config)
    vec.reset(seed)
    agent.reset(seed)
    before = vec.records()

    def answer(_: Array) -> Array:
        before[:] = vec.records()
        return agent.act(vec.observations, vec.action_masks, InfoStates(before, vec.seats.copy(), config))

    for step in rollout.play(vec, rollout.Episodes(vec, rollout.WITHOUT_END), answer):
        yield before, step


@contextlib.contextmanager
def fitting(module: str, fitted: Path, out: Path | None, expansion: Expansion, **given: int) -> Iterator[tuple[Console, dict[str, Any]]]:
    """A console, and the data to be filled, which are written at the end with the command that makes them anew. Raises OSError."""
    out = out or file_for(fitted, expansion)
    check_writable(out)
    console, data = Terminal(stderr=True), dict[str, Any]()
    with all_or_nothing(out, console):
        yield console, data
        data["made by"] = said(module, expansion=expansion, **given)
        write_atomically(out, (json.dumps(data, indent=1) + "\n").encode())
        console.print(f"written to {out}", soft_wrap=True)
