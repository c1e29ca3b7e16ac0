"""How the project starts another Python: it finds modules where this one does, and nowhere in the working directory before that."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_SAFE_PATH = "PYTHONSAFEPATH"
_OURS = "danmaku-env"
"""What we set it to; whatever else stands there is the person's own wish."""


def interpreter(module: str, *words: str) -> list[str]:
    """The command that runs a module with these arguments. Raises OSError where this Python cannot be started anew."""
    if not sys.executable:
        raise OSError(errno.ENOENT, "there is no Python to start")
    paths = [path for path in sys.path if isinstance(path, str)]
    code = f"import runpy, sys; sys.path[:] = {paths!r}; runpy.run_module({module!r}, run_name='__main__', alter_sys=True)"
    return [sys.executable, "-P", "-c", code, *words]


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
