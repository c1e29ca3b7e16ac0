"""What all fits share: their options, the tables that they play at, and how what was fitted is written."""

from __future__ import annotations

import contextlib
import functools
import inspect
import itertools
import json
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import typer
from rich.console import Console

from danmaku_env import GameConfig, make_vec
from danmaku_env.agents.base import Agent
from danmaku_env.arena import rollout
from danmaku_env.arena.jobs.parts import PART, PartedSpec
from danmaku_env.arena.jobs.ray_tasks import Workers
from danmaku_env.arena.jobs.temporary import temporary_job
from danmaku_env.config import ROLE_SETS, Expansion
from danmaku_env.console.errors import Stopped
from danmaku_env.console.options import (
    DEALT_AT_RANDOM,
    MOST_GAMES,
    AddressOption,
    ProcessesOption,
    RayOption,
    checked_seed,
    module_command,
    path,
    signed,
)
from danmaku_env.console.terminal import Terminal
from danmaku_env.game import check_writable, write_atomically
from danmaku_env.heuristics.fitted import file_for
from danmaku_env.info_states import InfoStates
from danmaku_env.jit.precompile import compile_once, cores
from danmaku_env.machine.records import Array
from danmaku_env.training.seeds import table_seed

S = TypeVar("S", bound="FitGames")
_OPTIONS: dict[str, Any] = {
    "games": Annotated[
        int, typer.Option(min=20, max=MOST_GAMES, help="Games of each configuration to fit on; the fit says what it is tested on.")
    ],
    "seed": Annotated[int, typer.Option(callback=checked_seed, help="Seed of the games.")],
    "expansion": Annotated[Expansion, typer.Option(help="Of which box the games are.")],
    "out": Annotated[Path | None, typer.Option(parser=path, help="Where to write the fit; left out: where the agents look for it.")],
    "processes": ProcessesOption,
    "ray": RayOption,
    "address": AddressOption,
}  # fmt: skip
"""The options of every fit."""


def configurations(expansion: Expansion) -> list[GameConfig]:
    """Every table of a box that an agent may sit at."""
    tables = itertools.product(range(4, 9), ROLE_SETS)
    return [GameConfig(num_players=n, roles=roles, characters="random", expansion=expansion) for n, roles in tables]


def self_play(config: GameConfig, games: int, rows: int, seed: int, agent: Agent) -> Iterator[tuple[Array, rollout.Step]]:
    """One agent in all seats of this many games, `rows` of them side by side: the records [rows] as they were asked, and what followed.

    Every game that is begun is played to its end. Whoever stops where enough games have ended has more short ones than there are.
    """
    vec = make_vec(min(rows, games), config)
    vec.reset(seed)
    agent.reset(seed)
    before = vec.records()

    def answer(_: Array) -> Array:
        before[:] = vec.records()
        return agent.act(vec.observations, vec.action_masks, InfoStates(before, vec.seats.copy(), config))

    for step in rollout.play(vec, rollout.Episodes(vec, games), answer):
        yield before, step
    vec.close()


# ---------------------------------------------------------------- the games of a fit


@dataclass(frozen=True, kw_only=True)
class FitGames(PartedSpec):
    """Games that something is fitted on: a table a part, or a table in several parts, those of all tables in turn."""

    fit: str
    """The name of its module."""
    tables: tuple[str, ...]
    """Players and roles of each table: `6 basic`."""
    point: tuple[float, ...] = ()
    """What has been fitted so far, where it plays."""
    table: GameConfig = DEALT_AT_RANDOM

    OPTIONS = ("expansion",)
    DEFAULT_TABLE = DEALT_AT_RANDOM
    PART_SIZE = MOST_GAMES
    KEY, NEEDED, CALLED, FOLDER_PHRASES = "fit", "fit", "job of a fit", ("games", "are no games", "other games")
    FILE, MARK, FOLDER, RESULTS = "fit.json", "danmaku_fit", Path("runs/fit"), (f"*/{PART}*",)

    @property
    def parts(self) -> int:
        """See PartedSpec."""
        return len(self.tables) * -(-self.games // self.PART_SIZE)

    def games_of(self, part: int) -> range:
        """See PartedSpec; the numbers are those among the games of the table."""
        first = part // len(self.tables) * self.PART_SIZE
        return range(first, min(first + self.PART_SIZE, self.games))

    def config_of(self, part: int) -> GameConfig:
        """The table of a part."""
        players, roles = self.tables[part % len(self.tables)].split()
        return GameConfig(num_players=int(players), roles=roles, characters="random", expansion=self.table.expansion)

    def seed_of(self, part: int) -> int:
        """The seed of the games of a part, where a table is one: no two tables have games in common."""
        return table_seed(self.seed, part)


def tables_of(configs: Sequence[GameConfig]) -> dict[str, Any]:
    """The options of `FitGames` for these configurations, all of one box."""
    return {
        "tables": tuple(f"{config.num_players} {config.roles}" for config in configs),
        "table": replace(DEALT_AT_RANDOM, expansion=configs[0].expansion),
    }  # fmt: skip


class Fitting:
    """A fit under way."""

    def __init__(self, command: str, workers: Workers, console: Console, stack: contextlib.ExitStack) -> None:
        self.command, self.console = command, console
        """What makes the fit again, and goes on with one that was interrupted."""
        self.workers = workers
        """Who plays."""
        self.written: dict[str, Any] = {}
        """What the file will hold."""
        self._stack = stack

    def games(self, spec: S, play: Callable[[S, int], Iterator[int | Mapping[str, Array]]], words: str) -> list[dict[str, Array]]:
        """The arrays of each part, played by the workers or by an interrupted fit; they are kept until the fit is written."""
        self.console.print(words)
        workers = self.workers if self.workers.ray else Workers(min(spec.parts, self.workers.processes or cores()))
        return self._stack.enter_context(temporary_job(spec, play, ["heuristic"], workers, self.console, self.command))


@contextlib.contextmanager
def fitting(module: str, fitted: Path, out: Path | None, expansion: Expansion, workers: Workers, **given: int) -> Iterator[Fitting]:
    """A fit, whose data are written at the end with the command that makes them anew. Raises OSError, or UserError where Ray is missing."""
    command = module_command(module, expansion=expansion, **given)
    asked, out = out, out or file_for(fitted, expansion)
    check_writable(out, b"{", "file of a fit")
    console = Terminal(stderr=True)
    with contextlib.ExitStack() as stack:
        again = [command, *([] if asked is None else ["--out", shlex.quote(str(asked))]), *workers.words()]
        fit = Fitting(" ".join(again), stack.enter_context(workers.connected()), console, stack)
        compile_once("danmaku_env.agents.warm")
        with report_interrupted_fit(out, console):
            yield fit
            fit.written["made by"] = command
            write_atomically(out, (json.dumps(fit.written, indent=1) + "\n").encode())
            console.print(f"written to {out}", soft_wrap=True)


def fit_command(module: str, fitted: Path, *, games: int, seed: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A decorator for what fits: it becomes a command with the options of every fit, by default this many games and this seed.

    It is given the `Fitting`, and as keywords games, seed, expansion and the counts that are options of its own.
    """
    defaults = {"games": games, "seed": seed, "expansion": "none", "out": None, "processes": None, "ray": False, "address": ""}

    def wrapped(fit: Callable[..., None]) -> Callable[..., None]:
        hints = {**get_type_hints(fit, include_extras=True), **_OPTIONS}
        own = {one.name: one.default for one in inspect.signature(fit).parameters.values() if one.default is not inspect.Parameter.empty}
        every = {"games": games, **own, **defaults}

        @functools.wraps(fit)
        def call(**given: Any) -> None:
            given = every | given
            workers = Workers(given.pop("processes"), given.pop("ray"), given.pop("address"))
            counts = {name: given[name] for name in ("games", *own, "seed")}
            with fitting(module, fitted, given.pop("out"), given["expansion"], workers, **counts) as job:
                fit(job, **given)

        keyword = inspect.Parameter.KEYWORD_ONLY
        return signed(call, [inspect.Parameter(name, keyword, default=value, annotation=hints[name]) for name, value in every.items()])

    return wrapped


@contextlib.contextmanager
def report_interrupted_fit(out: Path, console: Console) -> Iterator[None]:
    """Say, when what a file is to be made of is interrupted, that the file is as it was and that games are kept."""
    try:
        yield
    except Stopped:
        raise
    except KeyboardInterrupt:
        left = "is as it was" if out.exists() else "was not written"
        console.print(f"stopped; the games are kept, {out} {left}", soft_wrap=True)
        raise Stopped from None
