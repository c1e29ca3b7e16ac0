"""What people are told about compiling, on stderr."""

from __future__ import annotations

import functools
import multiprocessing
import os
import sys
import threading

COMPILING = "DANMAKU_COMPILING"
"""Names to a worker, which compiles what the person has been told about, the process that waits for it."""


def say(words: str) -> None:
    """Tell the person something that takes long."""
    print(f"danmaku-env: {words}", file=sys.stderr, flush=True)


_silent = threading.Event()


def compile_silently() -> None:
    """Say no more of what is compiled: the person has been told that all of it is."""
    _silent.set()


@functools.cache
def say_once(words: str) -> None:
    """Say what is compiled outside `compile_once`, for it may take long too; workers leave it to the process that started them."""
    if not os.environ.get(COMPILING) and multiprocessing.parent_process() is None and not _silent.is_set():
        say(words)
