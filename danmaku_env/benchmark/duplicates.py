"""The games of a task that is played for reward: a job in parts (arena/jobs), in which every deal is played by all line-ups.

A part is a number of deals that makes about 64 games; in a part all games run side by side, and agents are seeded by the part alone. So
the first deals of a task are the same games in a quick run and in a whole one.
"""

from __future__ import annotations

import itertools
import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from danmaku_env import Game
from danmaku_env.agents.base import Agent
from danmaku_env.agents.registry import make
from danmaku_env.arena import rollout
from danmaku_env.arena.jobs.parts import CHECKSUMS, PART, PartDone, PartedSpec, Parts
from danmaku_env.arena.jobs.workers import Beat, Work
from danmaku_env.arena.matches.match import Job, RefereeSettings, Result, play
from danmaku_env.arguments import check_count
from danmaku_env.benchmark.lineups import Lineup, lineups_of
from danmaku_env.benchmark.task import Task, read_task
from danmaku_env.console.errors import UserError
from danmaku_env.console.options import ALL_TABLE_OPTIONS, DEALT_AT_RANDOM
from danmaku_env.game import read_json
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array
from danmaku_env.spec import spec_of

RESULTS, TIMES = "results", "times"
"""The files of a part: its games, a line each; and how long the first entry thought."""
_TIME_LIMIT = 30.0
"""Seconds for a decision."""


@dataclass(frozen=True, kw_only=True)
class TaskGames(PartedSpec):
    """The games of a task for its entries; `games` are all line-ups of all deals."""

    task: str
    entries: tuple[str, ...]

    OPTIONS = ALL_TABLE_OPTIONS
    DEFAULT_TABLE = DEALT_AT_RANDOM
    NEEDED = "task"
    KEY = "job"
    CALLED = "job of a benchmark"
    FOLDER_PHRASES = ("the games of a task", "are no games of a task", "games of another task or entry")
    FILE = "task.json"
    MARK = "danmaku_task_games"
    FOLDER = Path("runs/bench")
    RESULTS = tuple(f"{name}/{PART}*" for name in (RESULTS, TIMES, CHECKSUMS))

    @classmethod
    def of(cls, task: Task, entries: tuple[str, ...], deals: int) -> TaskGames:
        """The first deals of a task."""
        return cls(task=task.name, entries=entries, games=deals * len(lineups_of(task, len(entries))), seed=task.seed("dice"))

    def _check(self) -> None:
        read_task(self.task)

    @cached_property
    def read(self) -> Task:
        """The task."""
        return read_task(self.task)

    @cached_property
    def lineups(self) -> list[Lineup]:
        """The games of a deal."""
        return lineups_of(self.read, len(self.entries))

    @property
    def deals(self) -> int:
        """Deals of all the games."""
        return self.games // len(self.lineups)

    @property
    def specs(self) -> tuple[str, ...]:
        """The agents by their numbers: the entries, then the population."""
        return (*self.entries, *self.read.members)

    @property
    def deals_of_a_part(self) -> int:
        """Deals that are played side by side."""
        return max(1, rollout.ROWS_AT_ONCE // len(self.lineups))

    @property
    def parts(self) -> int:
        """See `PartedSpec`."""
        return -(-self.deals // self.deals_of_a_part)

    def games_of(self, part: int) -> range:
        """See `PartedSpec`."""
        size = self.deals_of_a_part * len(self.lineups)
        return range(part * size, min((part + 1) * size, self.games))

    def jobs(self, part: int) -> list[Job]:
        """The games of a part; their keys are (deal, place in the line-ups)."""
        games = self.games_of(part)
        found = []
        for deal in range(games.start // len(self.lineups), games.stop // len(self.lineups)):
            seed = self.read.deal(deal)
            roles = np.asarray(Game.new(self.read.config, seed).record["role"][: self.read.config.num_players], np.int64)
            found += [Job((deal, place), seed, lineup.seats(roles)) for place, lineup in enumerate(self.lineups)]
        return found

    def command(self) -> str:
        """See `Spec`."""
        return " ".join(["danmaku", "bench", "run", self.task, *itertools.chain(*(("--agent", spec) for spec in self.entries))])


class _Timed:
    """An agent, and how long it has thought."""

    def __init__(self, agent: Agent) -> None:
        self.agent, self.name = agent, agent.name
        self.seconds, self.decisions = 0.0, 0

    def reset(self, seed: int) -> None:
        self.agent.reset(seed)

    def act(self, observations: Array, masks: Array, info_states: InfoStates | None = None) -> Array:
        begun = time.perf_counter()
        answers = self.agent.act(observations, masks, info_states)
        self.seconds += time.perf_counter() - begun
        self.decisions += len(masks)
        return answers


def playing(spec: TaskGames) -> Work:
    """What workers do: play parts of the games, by their numbers."""
    return Work(_begin, (spec,))


def _begin(spec: TaskGames) -> Callable[[int, Beat], Iterator[PartDone]]:
    spec_of(spec.read.config).entries.compile_once()
    agents = [make(name, 0) for name in spec.specs]  # every part seeds them anew

    def do(part: int, beat: Beat) -> Iterator[PartDone]:
        jobs, first = spec.jobs(part), _Timed(agents[0])
        beat.take([job.key for job in jobs])
        settings = RefereeSettings(time_limit=_TIME_LIMIT, watch=beat)
        found = list(play(jobs, [first, *agents[1:]], spec.read.config, seed=spec.read.seed("part", part), settings=settings))
        for result in found:
            _check_no_fault(spec, result)
        lines = [json.dumps(result.to_dict()) for result in sorted(found, key=lambda result: result.key)]
        times = json.dumps({"seconds": first.seconds, "decisions": first.decisions})
        blobs = {RESULTS: "".join(f"{line}\n" for line in lines).encode(), TIMES: times.encode()}
        yield PartDone(blobs, sum(result.decisions for result in found))

    return do


def _check_no_fault(spec: TaskGames, result: Result) -> None:
    """Raise UserError where an agent failed: its game and the result are lost."""
    for fault in result.faults:
        where = f"in game {result.key[1]} of deal {result.key[0]}, asked for {fault.question!r}"
        raise UserError(f"the agent {spec.specs[fault.agent]!r} failed {where} ({fault.kind}): {fault.words}; there is no result")


def played(parts: Parts) -> tuple[list[list[Result]], float]:
    """The results of each deal, in the order of the line-ups, and the milliseconds that the first entry took for a decision.

    Raises UserError where a file is not what it was.
    """
    spec, found, seconds, decisions = parts.spec, list[Result](), 0.0, 0
    assert isinstance(spec, TaskGames)
    part, size, players = 0, len(spec.lineups), spec.read.config.num_players
    try:
        for part in range(spec.parts):
            blobs = parts.read(part)
            results = [Result.from_dict(read_json(line), spec.read.config.max_turns) for line in blobs[RESULTS].splitlines()]
            wanted = [(divmod(game, size), players) for game in spec.games_of(part)]
            if [(result.key, len(result.rewards)) for result in results] != wanted:
                raise ValueError("its games are not those of the part")
            times: dict[str, Any] = read_json(blobs[TIMES])
            seconds, decisions = seconds + float(times["seconds"]), decisions + check_count(times["decisions"])
            found += results
        if not 0 <= seconds < math.inf:
            raise ValueError(f"its seconds are {seconds}")
    except (OSError, ValueError, KeyError, TypeError, OverflowError) as error:
        raise UserError(f"{parts.file(RESULTS, part)} cannot be read ({error}): begin again with --resume") from None
    return [found[first : first + size] for first in range(0, len(found), size)], 1000 * seconds / max(1, decisions)
