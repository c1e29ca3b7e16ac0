"""What makes a function a kernel: `kernel` for what only kernels call, `entry` for what Python calls, `shared` for what is called by many.

The same source runs as Python where the compiler is off (NUMBA_DISABLE_JIT=1), by our own toolchain (linked.py), or by plain numba
(plain_numba.py) where numba is not of the versions whose insides the toolchain knows; DANMAKU_JIT=plain has it so with any.

A cached compilation must never be stale, and numba's own cache notices edits only in the file that defines a function. So kernels
are kept under the hash of everything that goes into them (kernel_hash.py), in files that nobody else can have written (kernel_cache.py).
When all of them are compiled, and by whom, is precompile.py.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numba

from danmaku_env.jit import kernel_hash

__all__ = [
    "JIT", "KNOWN", "PLAIN", "UNITS", "copy_start", "count_bits", "entry", "is_shared", "kernel", "load_word", "lowest_bit", "prefetch",
    "shared", "store_word",
]  # fmt: skip
JIT = not numba.config.DISABLE_JIT
FIRST, BEFORE = (0, 61), (0, 69)
"""The insides of numba are known from this version on to before that one."""
KNOWN = FIRST <= numba.version_info[:2] < BEFORE and os.environ.get("DANMAKU_JIT", "") != "plain"
PLAIN = JIT and not KNOWN
"""Whether kernels are compiled by plain numba."""
UNITS: list[Any] = []
"""Every kernel with machine code of its own, in the order of their definition: entries, and those that are shared."""
F = TypeVar("F", bound=Callable[..., Any])
_NO_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

if KNOWN:
    from danmaku_env.jit import linked
if PLAIN:
    from danmaku_env.jit import plain_numba


def _compile(function: F, kind: str, **options: bool) -> F:
    kernel_hash.mark(function, {**options, "shared": kind == "shared"})
    made: Any = function
    if JIT:
        made = plain_numba.compiled(function) if PLAIN else linked.compiled(function, kind, options)
    if kind != "kernel":
        UNITS.append(made)
    return made  # type: ignore[no-any-return]


def kernel(function: F) -> F:
    """A function called by other kernels only, and compiled as a part of them, without the interpreter lock.

    Integers are 64 bits with a sign, and numba tells LLVM that products and sums never leave them: one that does is undefined.
    """
    return _compile(function, "kernel", **_NO_WRAPPERS)


def shared(function: F) -> F:
    """A kernel with much below it that several others call: it is compiled on its own, once for all of them, and kept."""
    return _compile(function, "shared", **_NO_WRAPPERS)


def entry(function: F) -> F:
    """A kernel that Python calls too: compiled on its own, and kept."""
    return _compile(function, "entry")


def is_shared(kernel: Any) -> bool:
    """Whether `shared` made this kernel."""
    return bool(kernel_hash.options(kernel)["shared"])


if TYPE_CHECKING or not JIT:
    from danmaku_env.jit.interpreted_words import copy_start, count_bits, load_word, lowest_bit, prefetch, store_word
elif PLAIN:
    from danmaku_env.jit import plain_words

    copy_start, count_bits, load_word, lowest_bit, prefetch, store_word = map(
        kernel,
        (
            plain_words.copy_start, plain_words.count_bits, plain_words.load_word, plain_words.lowest_bit, plain_words.prefetch,
            plain_words.store_word,
        ),
    )  # fmt: skip
else:
    from danmaku_env.jit.machine_words import copy_start, count_bits, load_word, lowest_bit, prefetch, store_word
