"""`danmaku speed`: how fast batched random play is."""

from __future__ import annotations

import importlib
import importlib.metadata
import platform
import time
from typing import Annotated, Any

import typer

from danmaku_env import __version__
from danmaku_env.commands.app import PlayersOption
from danmaku_env.config import GameConfig
from danmaku_env.console.machine import processor
from danmaku_env.console.options import checked_seed, with_table
from danmaku_env.console.terminal import Terminal
from danmaku_env.envs.vector import VectorEnv, make_vec
from danmaku_env.jit.kernels import JIT
from danmaku_env.jit.precompile import cores


def _machine() -> str:
    """Processor, cores and versions, in a line."""
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("numpy", "numba"))
    return f"{processor()}, {cores()} cores; {platform.system()}, Python {platform.python_version()}, {versions}"


def measured(vec: VectorEnv, seconds: float) -> tuple[int, int, float]:
    """Steps, finished games and seconds of random play in games that have begun, after a few steps that do not count; closes the batch."""
    for _ in range(20 if JIT else 1):
        vec.step(vec.sample())
    steps = finished = 0
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        vec.step(vec.sample())
        finished += int(vec.dones.sum())
        steps += 1
    vec.close()
    return steps, finished, spent


@with_table()
def speed(
    table: dict[str, Any],
    players: PlayersOption = 6,
    games: Annotated[int, typer.Option(min=1, max=1 << 20, help="Games in the batch.")] = 1024,
    threads: Annotated[int, typer.Option(min=1, max=1024, help="Threads that advance it.")] = 1,
    seconds: Annotated[float, typer.Option(min=0.01, max=3600.0, help="How long to measure.")] = 3.0,
    seed: Annotated[int, typer.Option(callback=checked_seed, help="Seed of the games.")] = 0,
) -> None:
    """Measure batched random play: every decision writes the observation and the action mask of the seat asked."""
    vec = make_vec(games, GameConfig(num_players=players, **table), threads=threads)
    vec.reset(seed)
    steps, finished, spent = measured(vec, seconds)
    console = Terminal()
    console.print(_machine())
    console.print(f"danmaku-env {__version__}, {'compiled' if JIT else 'compiler off (NUMBA_DISABLE_JIT)'}")
    console.print(f"{games} games of {players} players, {threads} thread{'s' * (threads > 1)}, random answers, {spent:.1f} s")
    console.print(f"{steps * games / spent:,.0f} decisions/s, {finished / spent:,.1f} finished games/s", style="bold")
