"""Workers that are tasks of Ray, on any machine of a cluster: each plays its chunk in a worker process beside it, and passes on its words.

So an agent that hangs or dies is found out there, just as it is without Ray. A task whose own process or machine goes is `Ended` too, and
its chunk is played again elsewhere: we do that and not Ray (`max_retries=0`), because the games that were finished count.
"""

from __future__ import annotations

import functools
import os
import socket
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from danmaku_env.agents.blame import words_of
from danmaku_env.arena.fingerprints import versions
from danmaku_env.arena.matches.match import Result, Rules
from danmaku_env.arena.tournaments.plan import Chunk
from danmaku_env.arena.tournaments.workers import Ended, Message, Processes, ProcessWorker
from danmaku_env.console.errors import UserError
from danmaku_env.console.on_ray import first_line

_GLANCE = 0.2
"""Seconds that are waited for news of the tasks."""


class _Orders(NamedTuple):
    """What holds for all tasks of a tournament."""

    specs: tuple[str, ...]
    needed: Mapping[str, str]
    """The versions that results depend on (fingerprints.py): a machine that has others must not play."""
    folder: str
    """Where the tournament was begun: agents of one's own are found from there, on machines that have the folder."""


# ---------------------------------------------------------------- in the task


_kept: dict[tuple[str, ...], ProcessWorker] = {}
"""The worker process of this process of Ray, which plays one task after another."""


def _play(orders: _Orders, chunk: Chunk, rules: Rules) -> Iterator[list[Message]]:
    """A chunk's messages, as they come; the last one is None or `Ended`."""
    if os.path.isdir(orders.folder):
        os.chdir(orders.folder)
    _check_versions(orders)
    processes = Processes(orders.specs, 1)
    worker = _kept.pop(orders.specs, None) or processes.hire()
    ending: Message = Ended(None, "", "")
    try:
        worker.give(chunk, rules)
        while True:
            processes.wait([worker])
            if said := list(worker.hear()):
                ending = said[-1]
                yield said
                if not isinstance(ending, Result):
                    return
    finally:
        if ending is None:
            _kept[orders.specs] = worker
        else:
            worker.end()


def _check_versions(orders: _Orders) -> None:
    here = _versions(orders.specs)
    for name, wanted in orders.needed.items():
        if here.get(name) != wanted:
            there = f"{name} is {here.get(name, 'missing')} on the machine {socket.gethostname()}"
            raise UserError(f"{there}, and {wanted} where the tournament was begun: install the same version everywhere")


@functools.cache
def _versions(specs: tuple[str, ...]) -> Mapping[str, str]:
    return versions(specs)


# ---------------------------------------------------------------- where the tournament is


class RayWorker:
    """One task after another."""

    def __init__(self, ray: Any, task: Any, orders: Any) -> None:
        self._ray, self._task, self._orders = ray, task, orders
        self.messages: Any = None
        """The messages of the task that is under way, as references that come."""

    def give(self, chunk: Chunk, rules: Rules) -> None:
        """See `Worker`."""
        self.messages = self._task.remote(self._orders, chunk, rules)

    def hear(self) -> Iterator[Message]:
        """See `Worker`."""
        while self.messages is not None and self._ray.wait([self.messages], timeout=0)[0]:
            said = self._next()
            if not isinstance(said[-1], Result):
                self.messages = None
            yield from said

    def _next(self) -> list[Message]:
        errors = self._ray.exceptions
        try:
            said: list[Message] = self._ray.get(next(self.messages))
        except errors.RayTaskError as error:
            cause = error.cause
            words = str(cause) if isinstance(cause, UserError) else f"a Ray task had to stop: {words_of(cause)}"
            raise UserError(words) from None
        except errors.RayError as error:
            return [Ended(None, "crashed", f"was a Ray task: {first_line(error)}")]
        return said

    def end(self) -> None:
        """See `Worker`."""
        if self.messages is not None:
            self._ray.cancel(self.messages)
            self.messages = None


class RayTasks:
    """Tasks on the machines of the cluster that `ray` is connected to, each with a core of its own."""

    def __init__(self, ray: Any, specs: Sequence[str], most: int | None, needed: Mapping[str, str]) -> None:
        """So many at a time, or as many as the cluster has cores; `needed` are the versions that each machine must have."""
        self.specs = specs
        self.most = most or max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._ray = ray
        self._task = ray.remote(num_cpus=1, max_retries=0, num_returns="streaming")(_play)
        self._orders = ray.put(_Orders(tuple(specs), dict(needed), os.getcwd()))

    def hire(self) -> RayWorker:
        """See `Workforce`."""
        return RayWorker(self._ray, self._task, self._orders)

    def wait(self, workers: Sequence[RayWorker]) -> None:
        """See `Workforce`."""
        self._ray.wait([worker.messages for worker in workers], timeout=_GLANCE)
