"""Work shared by processes or threads of a command that trains, fits or measures: none of it outlives the command, or its interruption."""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.pool import AsyncResult, Pool
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

import torch
from rich.console import Console

from danmaku_env.arena.tournaments.workers import leave_with_the_parent, workers_way
from danmaku_env.console.errors import Stopped
from danmaku_env.interpreter import forget_safe_path
from danmaku_env.training.resuming import DesertedError

Tick = Callable[[int], object]
"""Told after every step how many games have ended in it."""
J = TypeVar("J")
R = TypeVar("R")

_GLANCE = 0.5
"""Seconds between two looks at the processes."""


# ---------------------------------------------------------------- processes


class Crew(NamedTuple):
    """Processes that work for this one."""

    pool: Pool
    processes: list[BaseProcess]

    def begin(self, work: Callable[[J], R], jobs: Sequence[J]) -> AsyncResult[list[R]]:
        """Have all of it done; `wait` has the results."""
        return self.pool.map_async(work, jobs, chunksize=1)

    def wait(self, results: AsyncResult[list[R]]) -> list[R]:
        """Those of all jobs. Raises what a job raised, or DesertedError."""
        while not results.ready():
            self._check()
            results.wait(_GLANCE)
        return results.get()

    def each(self, work: Callable[[J], R], jobs: Sequence[J]) -> Iterator[R]:
        """The results in the order of the jobs, as they come. Raises what a job raised, or DesertedError."""
        coming = self.pool.imap(work, jobs)
        for _ in jobs:
            while True:
                try:
                    result = coming.next(_GLANCE)
                except multiprocessing.TimeoutError:
                    self._check()
                else:
                    break
            yield result

    def _check(self) -> None:
        """Raise DesertedError where one has ended: what it was doing never comes, though the pool puts another in its place."""
        for process in self.processes:
            if process.exitcode is not None:
                how = f"its exit status was {process.exitcode}"
                raise DesertedError(f"a process that plays was ended, from outside or by an agent: {how}")


@contextlib.contextmanager
def crew(processes: int) -> Iterator[Crew]:
    """So many processes, for as long as the context; they leave Ctrl-C to this one, and end with it, however it ends."""
    others = set(multiprocessing.active_children())
    with contextlib.ExitStack() as stack:
        with workers_way():
            pool = stack.enter_context(multiprocessing.get_context("spawn").Pool(processes, _ready))
        yield Crew(pool, [child for child in multiprocessing.active_children() if child not in others])


def _ready() -> None:
    """What a process of the crew does first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    forget_safe_path()
    threading.Thread(target=leave_with_the_parent, daemon=True).start()


# ---------------------------------------------------------------- threads


class GivenUpError(Exception):
    """Nobody waits any more for what a thread does."""


class Threads:
    """Threads with one of torch each: torch's own wait busily for each other in every operation, these take whole shares of the work.

    As a context they give up work that they are told of when whoever waits for it is interrupted.
    """

    def __init__(self, count: int, name: str) -> None:
        self.count = count
        self._pool = ThreadPoolExecutor(count, name, torch.set_num_threads, (1,))
        self._given_up = threading.Event()

    def submit(self, work: Callable[..., R], *arguments: Any) -> Future[R]:
        """Have something done."""
        return self._pool.submit(work, *arguments)

    def shares(self, size: int) -> list[slice]:
        """Cut rows into one share for each thread."""
        bounds = [size * thread // self.count for thread in range(self.count + 1)]
        return [slice(low, high) for low, high in itertools.pairwise(bounds) if low < high]

    def map(self, work: Callable[..., R], given: Sequence[tuple[Any, ...]]) -> list[R]:
        """Do the work with each of the arguments, the first here and the others in threads; the results, when all are there."""
        others = [self.submit(work, *arguments) for arguments in given[1:]]
        return [*(work(*arguments) for arguments in given[:1]), *(other.result() for other in others)]

    def tick(self, tell: Tick | None = None) -> Tick:
        """What long work is to tell of every step: it passes on to `tell` what has ended. Raises GivenUpError there when nobody waits."""

        def told(ended: int) -> None:
            if self._given_up.is_set():
                raise GivenUpError
            if tell and ended:
                tell(ended)

        return told

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind:
            self._given_up.set()
        self._pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def all_or_nothing(out: Path, console: Console) -> Iterator[None]:
    """Say, when what a file is to be made of is interrupted, that the file is as it was."""
    try:
        yield
    except Stopped:
        raise
    except KeyboardInterrupt:
        left = "is as it was" if out.exists() else "was not written"
        console.print(f"stopped; nothing is kept, {out} {left}", soft_wrap=True)
        raise Stopped from None
