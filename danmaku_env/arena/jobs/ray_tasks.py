"""Workers that are tasks of Ray, on any machine of a cluster: each does its task in a worker process beside it, and passes on its words.

So an agent that hangs or dies is found out there, just as it is without Ray. A task whose own process or machine is lost is `Ended` too.
Whoever gave the task has it done again; Ray does not retry (`max_retries=0`), because finished games count.
"""

from __future__ import annotations

import contextlib
import functools
import os
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self, TypeVar

from danmaku_env.agents import population
from danmaku_env.agents.user_code import words_of
from danmaku_env.arena.fingerprints import versions
from danmaku_env.arena.jobs.workers import (
    Beat,
    Done,
    Ended,
    InProcess,
    Message,
    Processes,
    ProcessWorker,
    Team,
    Work,
    WorkerPool,
)
from danmaku_env.console.errors import Sentence, UserError
from danmaku_env.console.on_ray import cluster, first_line
from danmaku_env.jit.precompile import cores

J = TypeVar("J")
R = TypeVar("R")
_GLANCE = 0.2
"""Seconds that are waited for news of the tasks."""


class _Orders(NamedTuple):
    """What holds for all tasks of a job."""

    work: Work
    needed: Mapping[str, str]
    """The versions that results depend on (arena/fingerprints.py): a machine that has others must not work."""
    specs: tuple[str, ...]
    """The agents whose versions are among them."""
    folder: str
    """Where the job was begun: agents of one's own are found from there, on machines that have the folder."""
    population: str
    """The folder of the population that was named; empty: that of each machine."""


# ---------------------------------------------------------------- in the task


_kept: dict[tuple[Work, str], ProcessWorker] = {}
"""The worker process of this process of Ray, which does one task after another of the same work: one at most."""
_POPULATION_HERE = os.environ.get(population.VARIABLE, "")
"""What the machine itself names."""


def _play(orders: _Orders, task: Any) -> Iterator[list[Message]]:
    """A task's messages, as they come; the last one is `Done` or `Ended`."""
    if os.path.isdir(orders.folder):
        os.chdir(orders.folder)
    os.environ[population.VARIABLE] = orders.population or _POPULATION_HERE
    _check_versions(orders)
    processes, same = Processes(orders.work, 1), (orders.work, orders.population)
    worker = _kept.pop(same, None) or processes.start()
    while _kept:
        _kept.popitem()[1].end()
    ending: Message = Ended(None, "", "")
    try:
        worker.give(task)
        while True:
            processes.wait([worker])
            if said := list(worker.hear()):
                ending = said[-1]
                yield said
                if _is_last(ending):
                    return
    finally:
        if isinstance(ending, Done):
            _kept[same] = worker
        else:
            worker.end()


def _is_last(message: Message) -> bool:
    return isinstance(message, (Done, Ended))


def _check_versions(orders: _Orders) -> None:
    here = _versions(orders.specs)
    for name, wanted in orders.needed.items():
        if here.get(name) != wanted:
            there = f"{name} is {here.get(name, 'missing')} on the machine {socket.gethostname()}"
            raise UserError(f"{there}, and {wanted} where the job was begun: install the same version everywhere")


@functools.cache
def _versions(specs: tuple[str, ...]) -> Mapping[str, str]:
    return versions(specs)


# ---------------------------------------------------------------- where the job is


class RayWorker:
    """One task after another."""

    def __init__(self, ray: Any, task: Any, orders: Any) -> None:
        self._ray, self._task, self._orders = ray, task, orders
        self.messages: Any = None
        """The messages of the task that is under way, as references that come."""

    def give(self, task: Any) -> None:
        """See `Worker`."""
        self.messages = self._task.remote(self._orders, task)

    def hear(self) -> Iterator[Message]:
        """See `Worker`."""
        while self.messages is not None and self._ray.wait([self.messages], timeout=0)[0]:
            said = self._next()
            if _is_last(said[-1]):
                self.messages = None
            yield from said

    def _next(self) -> list[Message]:
        errors = self._ray.exceptions
        try:
            said: list[Message] = self._ray.get(next(self.messages))
        except errors.RayTaskError as error:
            cause = error.cause
            raise (cause if isinstance(cause, Sentence) else UserError(f"a Ray task had to stop: {words_of(cause)}")) from None
        except errors.RayError as error:
            return [Ended(None, "crashed", f"it was a Ray task: {first_line(error)}")]
        return said

    def end(self) -> None:
        """See `Worker`."""
        if self.messages is not None:
            self._ray.cancel(self.messages)
            self.messages = None


class RayTasks:
    """Tasks on the machines of the cluster that `ray` is connected to, each with a core of its own."""

    attempts = 3

    def __init__(self, ray: Any, work: Work, most: int | None, needed: Mapping[str, str], specs: Sequence[str] = ()) -> None:
        """At most this many at a time, by default one per core of the cluster; `needed` are the versions that each machine must have."""
        self.most = most or max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._ray = ray
        self._task = ray.remote(num_cpus=1, max_retries=0, num_returns="streaming")(_play)
        self._orders = ray.put(_Orders(work, dict(needed), tuple(specs), os.getcwd(), os.environ.get(population.VARIABLE, "")))

    def start(self) -> RayWorker:
        """See `WorkerPool`."""
        return RayWorker(self._ray, self._task, self._orders)

    def wait(self, workers: Sequence[RayWorker]) -> None:
        """See `WorkerPool`."""
        self._ray.wait([worker.messages for worker in workers], timeout=_GLANCE)


@dataclass(frozen=True)
class Workers:
    """Who does a job: processes of this machine, or tasks of Ray. Raises UserError for what makes no sense."""

    processes: int | None = None
    """At most this many at a time; None: one for each core."""
    ray: bool = False
    """Whether they are tasks of Ray: of the cluster at the address, or of this machine alone."""
    address: str = ""

    def __post_init__(self) -> None:
        if self.processes is not None and self.processes < 1:
            raise UserError(f"there must be at least 1 process, not {self.processes}")
        if self.address and not self.ray:
            raise UserError(f"{self.address} would be the address of a Ray cluster: add --ray to play there")

    def words(self) -> list[str]:
        """The words on a command line that ask for them."""
        words = ["--processes", str(self.processes)] if self.processes else []
        return words + (["--ray"] if self.ray else []) + (["--address", self.address] if self.address else [])

    @contextlib.contextmanager
    def connected(self) -> Iterator[Self]:
        """The same workers, for several pools one after another: Ray is joined once. Raises UserError."""
        with cluster(self.address, cores=self.processes) if self.ray else contextlib.nullcontext():
            yield replace(self, address="")

    @contextlib.contextmanager
    def team(self, work: Callable[[J], R], needed: Mapping[str, str], specs: Sequence[str], doing: str = "plays") -> Iterator[Team]:
        """Workers that each do this work with one task after another; `doing` as for `Team`, the rest as for `pool`."""
        with self.pool(Work(_begin, (work,)), needed, specs) as pool, Team(pool, doing) as team:
            yield team

    @contextlib.contextmanager
    def pool(self, work: Work, needed: Mapping[str, str], specs: Sequence[str], *, here: bool = False) -> Iterator[WorkerPool]:
        """Workers that do this work, on machines that all have the `needed` versions, among them those of the agents of the `specs`.

        With `here` a single process is this one, as it is where no number is given.
        """
        if self.ray:
            with cluster(self.address, cores=self.processes) as connected:
                yield RayTasks(connected, work, self.processes, needed, specs)
        elif here and self.processes in (None, 1):
            yield InProcess(work)
        else:
            yield Processes(work, self.processes or cores())


def _begin(work: Callable[[J], R]) -> Callable[[J, Beat], Iterator[R]]:
    return lambda task, _: iter([work(task)])
