"""The thread in which the agents of all tables think, one after the other. The server does not wait for it when it ends.

A thread of `concurrent.futures` is waited for twice, by its pool and by the interpreter on its way out; an agent may take minutes for an
answer that nobody is there to see.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

_T = TypeVar("_T")
_Work = tuple["Future[Any]", Callable[[], Any]]
_SECONDS_TO_END = 1.0
"""How long the end waits for an agent: most have answered by then, and nothing is broken off in the middle of a library's code."""


class Thinking(Executor):
    """Does one thing after the other, in the order of asking."""

    def __init__(self) -> None:
        self._asked: SimpleQueue[_Work | None] = SimpleQueue()
        self._over = False
        self._thread = threading.Thread(target=self._work, name="agents", daemon=True)
        self._thread.start()

    def submit(self, fn: Callable[..., _T], /, *args: Any, **kwargs: Any) -> Future[_T]:
        """Ask for something to be done. Raises RuntimeError after the end."""
        if self._over:
            raise RuntimeError("nothing is thought about any more")
        future: Future[_T] = Future()
        self._asked.put((future, lambda: fn(*args, **kwargs)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """Begin nothing any more, and wait for what is being done, but not for long."""
        self._over = True
        while cancel_futures:
            try:
                work = self._asked.get_nowait()
            except Empty:
                break
            if work is not None:
                work[0].cancel()
        self._asked.put(None)
        if wait:
            self._thread.join(_SECONDS_TO_END)

    def _work(self) -> None:
        while (work := self._asked.get()) is not None:
            future, what = work
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(what())
            except BaseException as error:  # it is raised where the result is awaited
                future.set_exception(error)
