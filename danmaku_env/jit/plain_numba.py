"""Kernels by nothing but numba's public face: slower to compile and to play, and the same answers.

Used where numba is of a version whose insides linked.py does not know, and where DANMAKU_JIT=plain. Numba keeps the kernels of this
package, in a folder for each state of its sources, because numba's own check looks only at the file that defines a function. Kernels of
other code are compiled anew in every process: their sources are not part of the folder's name, so what was kept could be stale. Kernels
that a factory makes are compiled anew too, since numba would not recognise them; what calls them is kept whole.
"""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import Any

import numba
import numpy as np

from danmaku_env.jit.kernel_cache import is_private, store

_PACKAGE = Path(__file__).resolve().parent.parent


@functools.cache
def _folder() -> str | None:
    """Where numba keeps the kernels of these sources; None where nothing can be kept that nobody else could have written."""
    state = hashlib.sha256(f"{numba.__version__} {np.__version__}".encode())
    for path in sorted(_PACKAGE.rglob("*.py")):
        state.update(path.read_bytes())
    target = store().target
    folder = target / f"plain-{state.hexdigest()[:24]}" if target else None
    return str(folder) if folder and is_private(folder) else None


def note_of(module: str) -> Path | None:
    """The file that stands for everything of a module's package being kept; None where none of it is."""
    ours = module.partition(".")[0] == _PACKAGE.name
    return Path(folder) / f"{module}.compiled" if ours and (folder := _folder()) else None


def compiled(function: Any) -> Any:
    """The dispatcher of a kernel. Numba's setting is another only while this one is made."""
    kept = Path(function.__code__.co_filename).resolve().is_relative_to(_PACKAGE) and not function.__closure__
    if not kept or (folder := _folder()) is None:  # without a folder of ours numba would keep them beside the sources
        return numba.njit(nogil=True, error_model="numpy")(function)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = folder
    try:
        return numba.njit(nogil=True, error_model="numpy", cache=True)(function)
    finally:
        numba.config.CACHE_DIR = before
