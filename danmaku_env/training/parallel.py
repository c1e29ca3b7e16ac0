"""Work shared by threads of a command that trains, and what is said of a file when the command that makes it is interrupted."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import torch
from rich.console import Console

from danmaku_env.console.errors import Stopped

R = TypeVar("R")


class Threads:
    """Threads with one of torch each: torch's own wait busily for each other in every operation, these take whole shares of the work."""

    def __init__(self, count: int, name: str) -> None:
        self.count = count
        self._pool = ThreadPoolExecutor(count, name, torch.set_num_threads, (1,))

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


@contextlib.contextmanager
def all_or_nothing(out: Path, console: Console) -> Iterator[None]:
    """Say, when what a file is to be made of is interrupted, that the file is as it was and that games are kept."""
    try:
        yield
    except Stopped:
        raise
    except KeyboardInterrupt:
        left = "is as it was" if out.exists() else "was not written"
        console.print(f"stopped; the games are kept, {out} {left}", soft_wrap=True)
        raise Stopped from None
