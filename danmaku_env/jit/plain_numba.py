"""Kernels by nothing but numba's public face: slower to compile and to play, and the same answers.

Used where numba is of a version whose insides linked.py does not know, and where DANMAKU_JIT=plain. Numba keeps the kernels of this
package, in a folder for each state of its sources, because numba's own check looks only at the file that defines a function. Kernels of
other code are compiled anew in every process: their sources are not part of the folder's name, so what was kept could be stale. Kernels
that a factory makes are compiled anew too, since numba would not recognise them; what calls them is kept whole.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from pathlib import Path
from typing import Any

import llvmlite.binding  # type: ignore[import-untyped]
import numba

from danmaku_env.jit.kernel_cache import PLAIN_FOLDER, is_private, note_use, store
from danmaku_env.jit.toolchain import toolchain

_PACKAGE = Path(__file__).resolve().parent.parent


@functools.cache
def _folder() -> str | None:
    """Where numba keeps the kernels of these sources; None where nothing can be kept that nobody else could have written."""
    state = hashlib.sha256(repr((toolchain(), _processor())).encode())
    for path in sorted(_PACKAGE.rglob("*.py")):
        state.update(path.read_bytes())
    target = store().target
    folder = target / f"{PLAIN_FOLDER}{state.hexdigest()[:24]}" if target else None
    if folder is None or not is_private(folder):
        return None
    note_use(folder)
    return str(folder)


def _processor() -> tuple[str, ...]:
    """Whose machine code is written: that of this processor, or of one that the person has named."""
    named = tuple(str(getattr(numba.config, name, None)) for name in ("CPU_NAME", "CPU_FEATURES"))
    features = ""
    with contextlib.suppress(RuntimeError):  # LLVM does not know this system's
        features = llvmlite.binding.get_host_cpu_features().flatten()
    return *named, llvmlite.binding.get_process_triple(), llvmlite.binding.get_host_cpu_name(), features


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
