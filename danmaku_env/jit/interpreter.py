"""How the project starts another Python: it finds modules where this one does, and nowhere in the working directory before that."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

_SAFE_PATH = "PYTHONSAFEPATH"
_LOOK_UP = 1.0
"""Seconds between two looks whether a process is still there."""
_OURS = "danmaku-env"
"""What we set it to; whatever else stands there is the person's own wish."""


def interpreter(module: str, *words: str) -> list[str]:
    """The command that runs a module with these arguments, and with the flags of this Python: -O takes asserts out of kernels.

    Raises OSError where this Python cannot be started anew.
    """
    if not sys.executable:
        raise OSError(errno.ENOENT, "there is no Python to start")
    paths = [path for path in sys.path if isinstance(path, str)]
    code = f"import runpy, sys; sys.path[:] = {paths!r}; runpy.run_module({module!r}, run_name='__main__', alter_sys=True)"
    flags: list[str] = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]  # as multiprocessing does
    return [sys.executable, *flags, "-P", "-c", code, *words]


@contextmanager
def safe_path() -> Iterator[None]:
    """Processes that multiprocessing starts within load it from where Python is installed, before they take over this one's paths."""
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = before or _OURS
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(_SAFE_PATH, None)
        else:
            os.environ[_SAFE_PATH] = before


def forget_safe_path() -> None:
    """What such a process does first: what it starts, a bot for example, finds the modules beside its script."""
    if os.environ.get(_SAFE_PATH) == _OURS:
        del os.environ[_SAFE_PATH]


def end_after(parent_is_gone: Callable[[], object]) -> None:
    """End this process as soon as the call returns, also in the middle of work: a parent that was killed can end nobody any more."""

    def watch() -> None:
        parent_is_gone()
        os._exit(1)

    with suppress(RuntimeError):  # no further thread can be had: it ends when it has something to tell
        threading.Thread(target=watch, daemon=True).start()


def wait_for_end_of_parent(parent: int) -> None:
    """Wait until the process of this number is no longer the parent of this one; without end where the system does not tell."""
    while not hasattr(os, "getppid") or os.getppid() == parent:
        time.sleep(_LOOK_UP)
