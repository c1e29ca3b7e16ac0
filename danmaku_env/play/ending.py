"""Signals that end a process in the middle of a game: what is to be saved is saved first, and then they have their way."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType

_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""A process that is told to end, and one whose terminal is closed."""


@contextlib.contextmanager
def ended_in_order() -> Iterator[None]:
    """Within it the first of these signals is a KeyboardInterrupt, and the others are ignored; the process ends by it behind.

    A signal that was ignored before stays ignored.
    """
    heard: list[int] = []

    def hear(number: int, frame: FrameType | None) -> None:
        heard.append(number)
        if len(heard) == 1:
            raise KeyboardInterrupt

    is_main = threading.current_thread() is threading.main_thread()
    ours = [number for number in _ENDING if is_main and signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, hear)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)
        if heard:
            with contextlib.suppress(OSError, ValueError):  # the terminal may be gone
                sys.stdout.flush()
            signal.raise_signal(heard[0])
