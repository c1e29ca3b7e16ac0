"""The scheduler: chunks of games for workers, any of which may hang or die without ending the tournament.

Workers are processes or tasks of Ray (arena/jobs). When one ends in the middle of a chunk, another plays the chunk again. The agent that
was being asked then is first asked game by game, which shows the game in which it fails, and then not asked there any more. Games that were
finished before are not counted twice.
"""

from __future__ import annotations

import itertools
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from danmaku_env.agents import registry
from danmaku_env.arena.jobs.workers import Beat, Call, Done, Ended, Work, Worker, WorkerPool
from danmaku_env.arena.matches.match import PATIENCE, Fault, RefereeSettings, Result, forfeit, play
from danmaku_env.arena.tournaments.plan import Chunk
from danmaku_env.console.errors import UserError

_ATTEMPTS = 3
"""Times that workers may end in one chunk while no agent is being asked, before the tournament is given up."""
_HOLDING_UP = ("slow", "hung", "crashed", "forfeit")
_HELD_UP = 0.25
"""Share of all games that an agent may hold up, once they are `PATIENCE`, before it is not asked any more in the whole tournament."""


@dataclass
class _Task:
    """A chunk on its way."""

    chunk: Chunk
    settings: RefereeSettings
    finished: set[tuple[int, ...]] = field(default_factory=set)
    deaths: int = 0
    """Workers that ended in it while no agent was being asked."""


@dataclass
class _Slot:
    """A worker, and the chunk it plays."""

    worker: Worker
    task: _Task | None = None


def player(specs: Sequence[str]) -> Work:
    """What workers do: play chunks with the agents of these specs."""
    return Work(_begin, (tuple(specs),))


def _begin(specs: Sequence[str]) -> Callable[[tuple[Chunk, RefereeSettings], Beat], Iterator[Result]]:
    agents = [registry.make(spec, 0) for spec in specs]  # every match seeds them anew

    def do(task: tuple[Chunk, RefereeSettings], beat: Beat) -> Iterator[Result]:
        chunk, settings = task
        beat.take([job.key for job in chunk.jobs])
        return play(chunk.jobs, agents, chunk.config, seed=chunk.seed, settings=replace(settings, watch=beat))

    return do


class Scheduler:
    """Workers that play chunks. Use `play` once; closing the iterator it returns ends the workers."""

    def __init__(self, pool: WorkerPool, *, time_limit: float, before: Iterable[Result] = ()) -> None:
        """`before` are games played earlier, which count when an agent is barred."""
        self.pool = pool
        self._settings = RefereeSettings(time_limit=time_limit)
        self._games = 0
        self._held_up = Counter[int]()
        self._waiting: deque[_Task] = deque()
        self._slots: list[_Slot] = []
        for result in before:
            self._count(result)

    def play(self, chunks: Iterable[Chunk]) -> Generator[Result]:
        """Play all chunks; results come as games end. Raises UserError when that is impossible."""
        coming = iter(chunks)
        self._waiting = deque(_Task(chunk, self._settings) for chunk in itertools.islice(coming, self.pool.most))
        try:
            self._slots += (_Slot(self.pool.start()) for _ in self._waiting)
            while True:
                for slot in self._slots:
                    if slot.task is None and not self._waiting:
                        self._waiting.extend(_Task(chunk, self._settings) for chunk in itertools.islice(coming, 1))
                    if slot.task is None and self._waiting:
                        slot.task = self._barred(self._waiting.popleft())
                        slot.worker.give((slot.task.chunk, slot.task.settings))
                busy = [slot for slot in self._slots if slot.task]
                if not busy:
                    return
                self.pool.wait([slot.worker for slot in busy])
                for slot in busy:
                    yield from self._hear(slot)
        finally:
            for slot in self._slots:
                slot.worker.end()

    def _barred(self, task: _Task) -> _Task:
        """The task, with the agents barred that hold up too many games."""
        most = max(PATIENCE, _HELD_UP * self._games)
        barred = {agent: forfeit() for agent, number in self._held_up.items() if number >= most}
        return replace(task, settings=replace(task.settings, barred={**task.settings.barred, **barred}))

    def _count(self, result: Result) -> None:
        self._games += 1
        self._held_up.update(fault.agent for fault in result.faults if fault.kind in _HOLDING_UP)

    def _hear(self, slot: _Slot) -> Iterator[Result]:
        """Take what a worker has to say."""
        task = slot.task
        assert task is not None
        for message in slot.worker.hear():
            if isinstance(message, Done):
                slot.task = None
            elif isinstance(message, Ended):
                self._restart(slot, task, message)
            elif message.key not in task.finished:
                task.finished.add(message.key)
                self._count(message)
                yield message

    def _restart(self, slot: _Slot, task: _Task, last: Ended) -> None:
        """Put another worker in the place of one that ended, and have its chunk played again knowing what happened."""
        slot.worker.end()
        if last.call is None:
            task.deaths += 1
            if task.deaths >= _ATTEMPTS:
                raise UserError(f"worker processes keep ending by themselves; of the last one we know: {last.words}")
        else:
            task.settings = self._knowing(task, last.call, last.kind, last.words)
        slot.worker, slot.task = self.pool.start(), None
        self._waiting.appendleft(task)

    def _knowing(self, task: _Task, call: Call, kind: str, words: str) -> RefereeSettings:
        """The settings for playing a chunk again after an agent has failed there for good."""
        settings, agent = task.settings, call.agent
        if call.place >= 0:
            key = task.chunk.jobs[call.place].key
            known: Mapping[Any, Fault] = {**settings.known, (key, agent): Fault(agent, -1, call.decision, kind, "", words)}
            barred = {agent: forfeit()} if sum(number == agent for _, number in known) >= PATIENCE else {}
            return replace(settings, known=known, barred={**settings.barred, **barred})
        if agent in settings.one_by_one:  # not even its reset comes to an end
            return replace(settings, barred={**settings.barred, agent: (kind, words)})
        return replace(settings, one_by_one={*settings.one_by_one, agent})
