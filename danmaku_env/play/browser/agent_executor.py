"""The threads in which the agents of all tables think, one for each core. The server does not wait for them when it ends.

Tables have their turn in the order of asking. Those whose agents are one network are answered in one batch, which takes hardly longer
than one answer. An agent that can think for any time gets enough that every table has its answer within `SECONDS`. Compiled code and
torch let other threads run meanwhile, so threads do what processes would.

These are not threads of `concurrent.futures`, for which both the pool and the ending interpreter wait: an agent may take minutes for an
answer that nobody is there to see.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol, TypeVar

import numpy as np

from danmaku_env.agents.base import Agent, AnswerError, answers_of
from danmaku_env.game import Game
from danmaku_env.info_states import InfoStates
from danmaku_env.jit.precompile import cores

_T = TypeVar("_T")
SECONDS = 0.6
"""Seconds within which every waiting table shall have an answer, if its agents can be told how long they may think."""
SLICE = 0.02
"""Seconds for which the agents of one table answer before another table has its turn."""
MOST_TOGETHER = 64
"""Questions that a network is asked at once."""
_SECONDS_TO_END = 1.0
"""How long the end waits for an agent: most have answered by then, and nothing is broken off in the middle of a library's code."""


class NothingMore(RuntimeError):  # noqa: N818 (it reads as what it is)
    """The end has come: nothing is thought about any more."""


class Waiting(Protocol):
    """A table whose agents are to answer."""

    @property
    def game(self) -> Game:
        """The game where it stands."""

    def asked_agent(self) -> Agent | None:
        """The agent that is asked, None where a person is asked or the game is over."""

    def agents_answer(self, seconds: float, each: float) -> bool:
        """Let agents answer for `seconds`, each for `each` at most where it can be told; whether none is asked any more."""

    def agent_answers(self, action: int, seconds: float) -> None:
        """The answer of the agent that is asked, which took `seconds`."""


@dataclass
class _Work:
    """Something to do: a function, or the turn of a table."""

    future: Future[Any]
    what: Callable[[], Any] | None = None
    table: Waiting | None = None
    network: Hashable = None
    """Turns that name the same are answered in one batch."""
    agent: Agent | None = field(default=None, repr=False)


class AgentExecutor(Executor):
    """Runs tasks in the order of asking, one per core at a time."""

    def __init__(self, threads: int | None = None) -> None:
        self._asked: deque[_Work] = deque()
        self._busy = 0
        self._over = False
        self._news = threading.Condition()
        self._networks: dict[Hashable, Agent] = {}  # who speaks for all agents that are one network: it remembers the games of all
        self._networks_lock = threading.Lock()
        numbers = range(threads or cores())
        self._threads = [threading.Thread(target=self._run, name=f"agents {number}", daemon=True) for number in numbers]
        for thread in self._threads:
            thread.start()

    def submit(self, fn: Callable[..., _T], /, *args: Any, **kwargs: Any) -> Future[_T]:
        """Ask for something to be done. Raises NothingMore after the end."""
        future: Future[_T] = Future()
        self._ask(_Work(future, what=lambda: fn(*args, **kwargs)))
        return future

    def answer(self, table: Waiting) -> Future[bool]:
        """Let the agents of a table answer for a while; whether none of them is asked any more. Raises NothingMore after the end."""
        future: Future[bool] = Future()
        agent = table.asked_agent()
        key_of = getattr(agent, "batch_key", None)
        key = key_of(table.game.config) if callable(key_of) else None
        network = None if key is None else (key, table.game.config)
        self._ask(_Work(future, table=table, network=network, agent=agent))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """Begin nothing any more, and wait for what is being done, but not for long."""
        with self._news:
            self._over = True
            left = list(self._asked) if cancel_futures else []
            if cancel_futures:
                self._asked.clear()
            self._news.notify_all()
        for work in left:
            work.future.cancel()
        end = time.monotonic() + _SECONDS_TO_END
        for thread in self._threads if wait else ():
            thread.join(max(0.0, end - time.monotonic()))

    # ---- inside

    def _ask(self, work: _Work) -> None:
        with self._news:
            if self._over:
                raise NothingMore("nothing is thought about any more")
            self._asked.append(work)
            self._news.notify()

    def _run(self) -> None:
        if torch := sys.modules.get("torch"):
            torch.set_num_threads(1)  # as `one_torch_thread`, which has nothing to put back then
        while together := self._next():
            together = [work for work in together if work.future.set_running_or_notify_cancel()]
            try:
                if together and together[0].network is not None:
                    self._answer_together(together)
                elif together:
                    self._do(together[0])
            finally:
                with self._news:
                    self._busy -= 1

    def _next(self) -> list[_Work]:
        """What is to be done next: one thing, or all questions to one network; nothing after the end."""
        with self._news:
            while not self._asked:
                if self._over:
                    return []
                self._news.wait()
            self._busy += 1
            first = self._asked.popleft()
            if first.network is None:
                return [first]
            others = [work for work in self._asked if work.network == first.network][: MOST_TOGETHER - 1]
            for work in others:
                self._asked.remove(work)
            return [first, *others]

    def _do(self, work: _Work) -> None:
        _fulfil(work, lambda: work.what() if work.table is None and work.what else self._answer(work))

    def _answer(self, work: _Work) -> bool:
        assert work.table is not None
        return work.table.agents_answer(SLICE, self._for_an_answer())

    def _for_an_answer(self) -> float:
        """Seconds that an answer may take while this number of tables waits."""
        threads = len(self._threads)
        return SECONDS * threads / max(threads, len(self._asked) + self._busy)

    def _answer_together(self, together: list[_Work]) -> None:
        """One answer for each table; where the network fails, each asks its own agent."""
        tables = [work.table for work in together if work.table is not None]
        try:
            begun = time.monotonic()
            answers = self._answers(together[0], [table.game for table in tables])
            seconds = time.monotonic() - begun
        except AnswerError:
            for work in together:
                self._do(work)
            return
        except BaseException as error:
            for work in together:
                work.future.set_exception(error)
            return
        for work, table, action in zip(together, tables, answers, strict=True):
            _fulfil(work, partial(_give, table, action, seconds))

    def _answers(self, first: _Work, games: list[Game]) -> list[int]:
        seats = [game.asking or 0 for game in games]
        observations = np.stack([game.observe(seat) for game, seat in zip(games, seats, strict=True)])
        masks = np.stack([game.action_mask() for game in games])
        states = InfoStates(np.concatenate([game.records for game in games]), np.array(seats), games[0].config)
        assert first.agent is not None
        with self._networks_lock:  # one agent is not asked by two threads
            answers = answers_of(self._networks.setdefault(first.network, first.agent), observations, masks, states)
        return [int(answer) for answer in answers]


def _give(table: Waiting, action: int, seconds: float) -> bool:
    """Give a table the answer of its agent; whether none is asked any more."""
    table.agent_answers(action, seconds)
    return table.asked_agent() is None


def _fulfil(work: _Work, what: Callable[[], Any]) -> None:
    """Do it; what it raises is raised where the result is awaited."""
    try:
        result = what()
    except BaseException as error:
        work.future.set_exception(error)
    else:
        work.future.set_result(result)
