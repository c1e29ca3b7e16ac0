"""Chunks of games on all cores, in worker processes that may hang or die without taking the tournament along.

A worker notes in shared memory when it calls an agent and how long that may take. When the time is long over, or the process is
gone, the parent ends it and has another play the chunk again: first with that agent asked game by game, so that it shows in which
game it fails, then without asking it there. Games that were finished before are not counted twice.
"""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any

from danmaku_env.agents import registry
from danmaku_env.arena.errors import ArenaError
from danmaku_env.arena.matches.match import PATIENCE, Fault, Job, Result, Rules, forfeit, play
from danmaku_env.arena.tournaments.plan import Chunk

_GLANCE = 0.2
"""Seconds between two looks at the workers."""
_GRACE = 2.0
"""Seconds beyond its time after which an agent that did not let itself be interrupted is killed with its process."""
_ATTEMPTS = 3
"""Times a worker may die while no agent was being asked, before the tournament is given up."""
_HOLDING_UP = ("slow", "hung", "crashed", "forfeit")
_HELD_UP = 0.25
"""Share of all games that an agent may hold up, once they are `PATIENCE`, before it is not asked any more in the whole tournament."""
_CONTEXT = multiprocessing.get_context("spawn")


class _Beat:
    """What a worker is doing, in shared memory: when it called an agent, which one, for which game (-1: for several)."""

    def __init__(self) -> None:
        self._numbers = _CONTEXT.RawArray("d", 5)  # since when (0: not asked), seconds allowed, agent, place of the game, decision
        self._places: dict[tuple[int, ...], int] = {}

    def take(self, jobs: Sequence[Job]) -> None:
        """Know the games of a chunk by their places."""
        self._places = {job.key: place for place, job in enumerate(jobs)}

    def start(self, agent: int, allowed: float, key: tuple[int, ...] | None, decision: int) -> None:
        """See `match.Watch`."""
        place = -1 if key is None else self._places[key]
        self._numbers[1:] = [allowed, agent, place, decision]
        self._numbers[0] = time.monotonic()  # last: only now does the rest count

    def stop(self) -> None:
        """See `match.Watch`."""
        self._numbers[0] = 0.0

    def call(self) -> tuple[int, int, int] | None:
        """(agent, place of the game or -1, decision) of the call going on."""
        started, _, agent, place, decision = self._numbers[:]
        return (int(agent), int(place), int(decision)) if started else None

    def overdue(self) -> float:
        """Seconds by which the call going on is over its time, 0 when it is not."""
        started, allowed = self._numbers[:2]
        return max(0.0, time.monotonic() - started - allowed) if started else 0.0


# ---------------------------------------------------------------- in the worker


def _work(connection: Connection, beat: _Beat, specs: Sequence[str]) -> None:
    """Play the chunks that come through the connection until None comes; a message for every game, None after each chunk."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is told, and tells us
    try:
        agents = [registry.make(spec, 0) for spec in specs]  # every match seeds them anew
        if torch := sys.modules.get("torch"):
            torch.set_num_threads(1)  # every core has a process already
        while (task := connection.recv()) is not None:
            chunk, rules = task
            beat.take(chunk.jobs)
            for result in play(chunk.jobs, agents, chunk.config, seed=chunk.seed, rules=replace(rules, watch=beat)):
                connection.send(result)
            connection.send(None)
    except (EOFError, BrokenPipeError):
        return  # the parent is gone
    except Exception as error:  # the parent says it and stops
        connection.send(f"{type(error).__name__}: {error}")


# ---------------------------------------------------------------- in the parent


@dataclass
class _Task:
    """A chunk on its way."""

    chunk: Chunk
    rules: Rules
    finished: set[tuple[int, ...]] = field(default_factory=set)


class _Worker:
    """A worker process as the parent sees it."""

    def __init__(self, specs: Sequence[str]) -> None:
        self.beat = _Beat()
        self.task: _Task | None = None
        self.connection, theirs = _CONTEXT.Pipe()
        self.process = _CONTEXT.Process(target=_work, args=(theirs, self.beat, tuple(specs)), daemon=True)
        with _workers_way():
            self.process.start()
        theirs.close()

    def give(self, task: _Task) -> None:
        self.task = task
        with contextlib.suppress(BrokenPipeError):  # it has died; that shows as the end of its messages
            self.connection.send((task.chunk, task.rules))

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


@contextlib.contextmanager
def ctrl_c_later() -> Iterator[None]:
    """Put off Ctrl-C: processes that are started within never hear it, we do afterwards (where the system cannot do that, not at all)."""
    if hasattr(signal, "pthread_sigmask"):
        resource_tracker.ensure_running()  # when it is started, it lets Ctrl-C through again
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    elif threading.current_thread() is threading.main_thread():
        heeds = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, heeds)
    else:
        yield


_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")


@contextlib.contextmanager
def _workers_way() -> Iterator[None]:
    """Processes started within inherit: one thread for numeric libraries, and to leave Ctrl-C to the parent from the first moment."""
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(_ONE_THREAD)
    try:
        with ctrl_c_later():
            yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


class Crew:
    """Worker processes that play chunks. Use `play` once; closing the iterator it returns ends the processes."""

    def __init__(self, specs: Sequence[str], *, processes: int, time_limit: float, before: Iterable[Result] = ()) -> None:
        """`specs` are those of the agents by number; `before` are games played earlier, which count when an agent is barred."""
        self.specs = specs
        self.processes = processes
        self._rules = Rules(time_limit=time_limit)
        self._games = 0
        self._held_up = Counter[int]()
        self._waiting: deque[_Task] = deque()
        self._workers: list[_Worker] = []
        self._deaths = 0
        for result in before:
            self._count(result)

    def play(self, chunks: Iterable[Chunk]) -> Generator[Result]:
        """Play all chunks; results come as games end. Raises ArenaError when that is impossible."""
        coming = iter(chunks)
        self._waiting = deque(_Task(chunk, self._rules) for chunk in itertools.islice(coming, self.processes))
        try:
            self._workers += (_Worker(self.specs) for _ in self._waiting)
            while True:
                for worker in self._workers:
                    if worker.task is None and not self._waiting:
                        self._waiting.extend(_Task(chunk, self._rules) for chunk in itertools.islice(coming, 1))
                    if worker.task is None and self._waiting:
                        worker.give(self._barred(self._waiting.popleft()))
                busy = {worker.connection: worker for worker in self._workers if worker.task}
                if not busy:
                    return
                for ready in wait(list(busy), _GLANCE):
                    yield from self._hear(busy[ready])  # type: ignore[index]
                for worker in list(self._workers):
                    if worker.task and worker.beat.overdue() > _GRACE:
                        yield from self._bury(worker, "hung", "did not answer in time and could not be interrupted")
        finally:
            for worker in self._workers:
                worker.end()

    def _barred(self, task: _Task) -> _Task:
        """The task, with the agents barred that hold up too many games."""
        most = max(PATIENCE, _HELD_UP * self._games)
        barred = {agent: forfeit() for agent, number in self._held_up.items() if number >= most}
        return replace(task, rules=replace(task.rules, barred={**task.rules.barred, **barred}))

    def _count(self, result: Result) -> None:
        self._games += 1
        self._held_up.update(fault.agent for fault in result.faults if fault.kind in _HOLDING_UP)

    def _hear(self, worker: _Worker) -> Iterator[Result]:
        """Take one message."""
        try:
            message: Any = worker.connection.recv()
        except (EOFError, ConnectionResetError):
            worker.process.join(_GRACE)
            yield from self._bury(worker, "crashed", f"ended the process, whose exit status was {worker.process.exitcode}")
            return
        if isinstance(message, str):
            raise ArenaError(f"a worker process had to stop: {message}")
        task = worker.task
        assert task is not None
        if message is None:
            worker.task = None
        elif message.key not in task.finished:
            task.finished.add(message.key)
            self._count(message)
            yield message

    def _bury(self, worker: _Worker, kind: str, words: str) -> Iterator[Result]:
        """End a worker in which an agent failed, put another in its place, and have its chunk played again knowing what happened."""
        while worker.connection.poll():  # what it has said before counts
            try:
                message = worker.connection.recv()
            except (EOFError, ConnectionResetError):
                break
            if isinstance(message, Result) and worker.task and message.key not in worker.task.finished:
                worker.task.finished.add(message.key)
                self._count(message)
                yield message
        task, call = worker.task, worker.beat.call()
        assert task is not None
        worker.end()
        if call is None:
            self._deaths += 1
            if self._deaths >= _ATTEMPTS:
                raise ArenaError(f"worker processes keep ending by themselves; the last one {words}")
        else:
            task.rules = self._knowing(task, *call, kind, words)
        self._workers[self._workers.index(worker)] = _Worker(self.specs)
        self._waiting.appendleft(task)

    def _knowing(self, task: _Task, agent: int, place: int, decision: int, kind: str, words: str) -> Rules:
        """The rules for playing a chunk again after an agent has failed there for good."""
        rules = task.rules
        if place >= 0:
            key = task.chunk.jobs[place].key
            known: Mapping[Any, Fault] = {**rules.known, (key, agent): Fault(agent, -1, decision, kind, "", words)}
            barred = {agent: forfeit()} if sum(number == agent for _, number in known) >= PATIENCE else {}
            return replace(rules, known=known, barred={**rules.barred, **barred})
        if agent in rules.one_by_one:  # not even its reset comes to an end
            return replace(rules, barred={**rules.barred, agent: (kind, words)})
        return replace(rules, one_by_one={*rules.one_by_one, agent})
