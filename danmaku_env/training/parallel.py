"""Work shared by threads of a command that trains."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

import torch

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
