"""Who plays the chunks of a tournament: what a crew asks of its workers, and worker processes of this machine, which may hang or die.

A worker process notes in shared memory when it calls an agent and how long that may take. When the time is long over, or the process is
gone, the worker says so with its last word, `Ended`, and which call it was.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple, Protocol, TypeAlias

from danmaku_env.agents import registry
from danmaku_env.agents.blame import words_of
from danmaku_env.arena.matches.match import Job, Result, Rules, play
from danmaku_env.arena.tournaments.plan import Chunk
from danmaku_env.console.errors import UserError
from danmaku_env.interpreter import forget_safe_path, safe_path

_GLANCE = 0.2
"""Seconds between two looks at the workers."""
_GRACE = 2.0
"""Seconds beyond its time after which an agent that did not let itself be interrupted is killed with its process."""
CONTEXT = multiprocessing.get_context("spawn")


class Call(NamedTuple):
    """An agent being asked."""

    agent: int
    place: int
    """The game's place in its chunk; -1: it is asked for several."""
    decision: int


class Ended(NamedTuple):
    """The last word of a worker: it is no more."""

    call: Call | None
    """The call that it ended in; None when no agent was being asked."""
    kind: str
    """hung or crashed."""
    words: str


Message: TypeAlias = Result | Ended | None
"""What a worker says: each game as it ends, None when its chunk is played."""


class Worker(Protocol):
    """Plays one chunk after another."""

    def give(self, chunk: Chunk, rules: Rules) -> None:
        """Begin a chunk."""

    def hear(self) -> Iterator[Message]:
        """What it has said since, without waiting for more. Raises UserError when it cannot work at all."""

    def end(self) -> None:
        """Stop it, whatever it does."""


class Workforce(Protocol):
    """Where workers come from."""

    specs: Sequence[str]
    """The agents by number."""
    most: int
    """Workers there is room for at a time."""

    def hire(self) -> Worker:
        """Another worker."""

    def wait(self, workers: Sequence[Any]) -> None:
        """Until one of them has something to say, or a moment has passed."""


# ---------------------------------------------------------------- in the process


class _Beat:
    """What a worker is doing, in shared memory: when it called an agent, which one, for which game (-1: for several)."""

    def __init__(self) -> None:
        self._numbers = CONTEXT.RawArray("d", 5)  # since when (0: not asked), seconds allowed, agent, place of the game, decision
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

    def call(self) -> Call | None:
        """The call going on."""
        started, _, agent, place, decision = self._numbers[:]
        return Call(int(agent), int(place), int(decision)) if started else None

    def overdue(self) -> float:
        """Seconds by which the call going on is over its time, 0 when it is not."""
        started, allowed = self._numbers[:2]
        return max(0.0, time.monotonic() - started - allowed) if started else 0.0


def _work(connection: Connection, beat: _Beat, specs: Sequence[str]) -> None:
    """Play the chunks that come through the connection until None comes; a message for every game, None after each chunk."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is told, and tells us
    forget_safe_path()
    threading.Thread(target=leave_with_the_parent, daemon=True).start()
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
        connection.send(words_of(error))


def leave_with_the_parent() -> None:
    """A parent that is killed can end nobody any more, and an agent may be asked that never answers."""
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)


# ---------------------------------------------------------------- in the parent


class ProcessWorker:
    """A worker process as its parent sees it."""

    def __init__(self, specs: Sequence[str]) -> None:
        self.beat = _Beat()
        self.connection, theirs = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=_work, args=(theirs, self.beat, tuple(specs)), daemon=True)
        with workers_way():
            self.process.start()
        theirs.close()

    def give(self, chunk: Chunk, rules: Rules) -> None:
        """See `Worker`."""
        with contextlib.suppress(BrokenPipeError):  # it has died; that shows as the end of its messages
            self.connection.send((chunk, rules))

    def hear(self) -> Iterator[Message]:
        """See `Worker`."""
        try:
            yield from self._said()
            if self.beat.overdue() <= _GRACE:
                return
            call = self.beat.call()
            self.process.kill()
            with contextlib.suppress(EOFError, ConnectionResetError):
                yield from self._said()
            yield Ended(call, "hung", "did not answer in time and could not be interrupted")
        except (EOFError, ConnectionResetError):
            self.process.join(_GRACE)
            yield Ended(self.beat.call(), "crashed", f"ended the process, whose exit status was {self.process.exitcode}")

    def _said(self) -> Iterator[Message]:
        """The messages that are there. Raises EOFError or ConnectionResetError after the last one of a process that is gone."""
        while self.connection.poll():
            message: Any = self.connection.recv()
            if isinstance(message, str):
                raise UserError(f"a worker process had to stop: {message}")
            yield message

    def end(self) -> None:
        """See `Worker`."""
        self.process.kill()
        self.process.join()
        self.connection.close()


class Processes:
    """Worker processes of this machine."""

    def __init__(self, specs: Sequence[str], most: int) -> None:
        """`specs` are those of the agents by number."""
        self.specs, self.most = specs, most

    def hire(self) -> ProcessWorker:
        """See `Workforce`."""
        return ProcessWorker(self.specs)

    def wait(self, workers: Sequence[ProcessWorker]) -> None:
        """See `Workforce`."""
        wait([worker.connection for worker in workers], _GLANCE)


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
def workers_way() -> Iterator[None]:
    """Processes started within inherit: one thread for numeric libraries, and to leave Ctrl-C to the parent from the first moment."""
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(_ONE_THREAD)
    try:
        with safe_path(), ctrl_c_later():
            yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
