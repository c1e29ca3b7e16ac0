"""A study shared by processes. Each plays all the games, since what agents answer may depend on the games beside, and judges its share.

So the findings are those of one process, but for the rounding of believers whose numbers depend on how many rows they are asked about.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Self

from danmaku_env.agents.base import Believer
from danmaku_env.agents.registry import make
from danmaku_env.arena.deduction.believers import make_believers
from danmaku_env.arena.deduction.games import Findings, Judge, play
from danmaku_env.arena.deduction.reference import Reference
from danmaku_env.arena.deduction.report import Study
from danmaku_env.arena.tournaments.workers import CONTEXT, leave_with_the_parent, workers_way
from danmaku_env.console.errors import UserError
from danmaku_env.interpreter import forget_safe_path


def judged(
    study: Study, labels: Sequence[str], believers: Sequence[Believer], share: int, shares: int, tick: Callable[[int], object] | None = None
) -> Findings:
    """What the believers make of every game whose number leaves `share` when divided by `shares`. Raises UserError when anybody fails.

    `tick` is told after every step how many games have ended.
    """
    players = [make(spec, study.seed) for spec in study.agents]
    reference = Reference(players, study.config(), study.games) if study.reference else None
    judge = Judge(labels, believers, study.config(), study.games, reference, study.statements)
    for step in play(players, study.config(), study.seeds(), study.seed):
        judge.see(step if shares == 1 else step.of(share, shares))
        if tick:
            tick(step.ended)
    return judge.findings()


def _work(connection: Connection, study: Study, labels: Sequence[str], share: int, shares: int) -> None:
    """Send the findings of a share, or the sentence on why there are none."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is told, and ends us
    forget_safe_path()
    threading.Thread(target=leave_with_the_parent, daemon=True).start()
    try:
        believers = make_believers(study.believers, study.seed)
        if torch := sys.modules.get("torch"):
            torch.set_num_threads(1)  # every core has a process already
        connection.send(judged(study, labels, believers, share, shares))
    except UserError as error:
        connection.send(str(error))


class Others:
    """The processes that judge all shares but the first, as a context; none of them outlives it."""

    def __init__(self, study: Study, labels: Sequence[str], shares: int) -> None:
        self._asked = study, tuple(labels)
        self._shares = shares
        self._processes: list[Any] = []
        self._waiting: dict[int, Connection] = {}
        """By share: those that have not been heard of yet."""
        self._findings: dict[int, Findings] = {}

    def __enter__(self) -> Self:
        for share in range(1, self._shares):
            ours, theirs = CONTEXT.Pipe(duplex=False)
            process = CONTEXT.Process(target=_work, args=(theirs, *self._asked, share, self._shares), daemon=True)
            with workers_way():
                process.start()
            theirs.close()
            self._processes.append(process)
            self._waiting[share] = ours
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for process in self._processes:
            process.kill()
            process.join()
        for connection in self._waiting.values():
            connection.close()

    def listen(self) -> None:
        """Hear what has been said since. Raises UserError where one of them failed."""
        for share in [share for share, connection in self._waiting.items() if connection.poll()]:
            self._hear(share)

    def findings(self) -> list[Findings]:
        """Those of all other shares, as soon as they are there. Raises UserError where one of them failed."""
        for share in list(self._waiting):
            self._hear(share)
        return [self._findings[share] for share in range(1, self._shares)]

    def _hear(self, share: int) -> None:
        try:
            said = self._waiting[share].recv()
        except (EOFError, ConnectionResetError):
            raise UserError("a process that asks the believers was ended, from outside or by an agent") from None
        if isinstance(said, str):
            raise UserError(said)
        self._findings[share] = said
        self._waiting.pop(share).close()
