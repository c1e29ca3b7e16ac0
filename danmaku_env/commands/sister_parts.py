"""What the commands of all sister games do alike: measure speed, tell progress, and train."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import Progress

from danmaku_env.commands.app import needed, say
from danmaku_env.console import options
from danmaku_env.console.errors import UserError
from danmaku_env.envs.vector import make_vec
from danmaku_env.jit.kernels import JIT
from danmaku_env.sister.duels import Tell

GamesOption = Annotated[int, typer.Option(min=1, max=1 << 20, help="Games in the batch.")]
ThreadsOption = Annotated[int, typer.Option(min=1, max=1024, help="Threads that advance it.")]
MeasuredOption = Annotated[float, typer.Option(min=0.01, max=3600.0, help="How long to measure.")]
FolderOption = Annotated[Path, typer.Option(help="Where network, curve and picture go.")]
SecondsOption = Annotated[float, typer.Option(min=1, max=1e7, help="How long to train.")]
ResumeOption = Annotated[bool, typer.Option(help="Go on with the run in the folder.")]
LearnersOption = Annotated[int, typer.Option(min=1, max=64, help="Threads that answer and learn.")]
DeviceOption = Annotated[str, typer.Option(help="Where the network is: cpu or cuda.")]
TrainSeedOption = Annotated[int, typer.Option(callback=options.checked_seed, help="Seed of everything.")]


def say_lines(lines: str) -> None:
    """Print lines."""
    for line in lines.split("\n"):
        say(line)


def telling(bar: Progress) -> Tell:
    """Whom to tell the share that is done and what is being played, so that the bar shows both."""
    task = bar.add_task("", total=1.0, note="")
    return lambda share, note: bar.update(task, completed=share, note=note)


def say_speed(config: Any, games: int, threads: int, seconds: float) -> None:
    """Measure batched random play: every decision writes the observation and the action mask of the seat asked."""
    vec = make_vec(games, config, threads=threads)
    vec.reset(0)
    for _ in range(20 if JIT else 1):
        vec.step(vec.sample())
    steps, begun = 0, time.perf_counter()
    while (taken := time.perf_counter() - begun) < seconds:
        vec.step(vec.sample())
        steps += 1
    say(f"{steps * games / taken:,.0f} decisions a second ({games} games, {threads} thread{'s' * (threads > 1)})")


def learn(module: str, config: Any, **given: Any) -> None:
    """Train the network of a game, `LEARNABLE` of a module that needs torch. Raises UserError."""
    game = needed(module, "training", "train").LEARNABLE
    selfplay = needed("danmaku_env.sister.learning.selfplay", "training", "train")
    if given["device"] not in ("cpu", "cuda") or (
        given["device"] == "cuda" and not needed("torch", "training", "train").cuda.is_available()
    ):
        raise UserError(f"device is cpu, or cuda where there is a GPU that torch can use, not {given['device']}")
    try:
        selfplay.train(game, selfplay.SelfPlayArgs(config=config, **given))
    except ValueError as error:
        raise UserError(str(error)) from None
