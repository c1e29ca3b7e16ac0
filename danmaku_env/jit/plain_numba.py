"""Kernels by nothing but numba's public face: slower to compile and to play, and the same answers.

Used where numba is of a version whose insides linked.py does not know, and where DANMAKU_JIT=plain. Numba keeps what it has compiled
itself, in a folder for each state of the sources, as its own check looks only at the file that defines a function.
"""

from __future__ import annotations

import functools
import hashlib
import os
import tempfile
from pathlib import Path
from typing import Any

import numba
import numpy as np

from danmaku_env.jit.kernel_cache import cache_root


@functools.cache
def _folder() -> str:
    """Where numba keeps the kernels of these sources."""
    here = Path(__file__).resolve().parent.parent
    state = hashlib.sha256(f"{numba.__version__} {np.__version__}".encode())
    for path in sorted(here.rglob("*.py")):
        state.update(path.read_bytes())
    root = cache_root() or Path(tempfile.gettempdir()) / f"danmaku-env-{os.getpid()}"
    return str(root / f"plain-{state.hexdigest()[:24]}")


def compiled(function: Any) -> Any:
    """The dispatcher of a kernel. Numba's setting is another only while this one is made."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = _folder()
    kept = os.path.exists(function.__code__.co_filename)  # numba refuses to keep what is in no file
    try:
        return numba.njit(nogil=True, error_model="numpy", cache=kept)(function)
    finally:
        numba.config.CACHE_DIR = before
