"""The policy for compiled code: what is compiled how, and kept; with libraries.py, the only file that imports numba.

A cached compilation must never be stale, and numba's own cache notices edits only in the file that defines a function. So kernels
are kept under the hash of everything that goes into them (frozen.py), in files that nobody else can have written (store.py).
When all of them are compiled, and by whom, is cold_start.py.
"""

from __future__ import annotations

import contextlib
import functools
import multiprocessing
import os
import pickle
import platform
import re
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import llvmlite  # type: ignore[import-untyped]
import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, event, serialize, sigutils
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from danmaku_env.engine import frozen, libraries
from danmaku_env.engine.store import store

JIT = not numba.config.DISABLE_JIT
COMPILING = "DANMAKU_COMPILING"
"""Names to a worker, which compiles what the person has been told about, the process that waits for it."""
UNITS: list[Any] = []
"""Every kernel with machine code of its own, in the order of their definition: entries, and those that are shared."""
_loaded: dict[str, Any] = {}
"""Compilations of shared kernels, by the names under which they are kept: no machine code is loaded twice."""

F = TypeVar("F", bound=Callable[..., Any])


def _one_signature(dispatcher: Any) -> Any:
    """Compile a kernel once: whatever integer or flag a caller passes is widened to int64.

    Without this numba compiles a copy per combination of widths and constants, which more than doubles the cold start.
    """
    template = dispatcher.get_call_template

    def widened(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        integers = (numba.types.Integer, numba.types.IntegerLiteral, numba.types.Boolean, numba.types.BooleanLiteral)
        return template(tuple(numba.int64 if isinstance(arg, integers) else arg for arg in args), kws)

    dispatcher.get_call_template = widened
    return dispatcher


class _Kept(_Cache):  # type: ignore[misc]
    """Keeps the compilations of one kernel in our store; what numba asks when a kernel meets arguments of new types."""

    def __init__(self, dispatcher: Any) -> None:
        self._dispatcher = dispatcher

    @property
    def cache_path(self) -> str:
        """Where new compilations go."""
        return str(store().target)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compilation for these arguments, or None."""
        target_context.refresh()
        found = _load(self._name(sig), target_context)
        if found is None and not is_shared(self._dispatcher):  # those are compiled for the others
            _say_once(f"compiling {plain_name(self._dispatcher)}, which the cache does not hold for these arguments ...")
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compilation."""
        name = self._name(sig)
        if is_shared(self._dispatcher):
            _loaded[name] = data
        if not data.library.has_dynamic_globals:
            store().write(name, serialize.dumps((is_shared(self._dispatcher), data.library.calls, data._reduce())))

    def enable(self) -> None:
        """It always is."""

    def disable(self) -> None:
        """It cannot be."""

    def flush(self) -> None:
        """A compilation that is out of date has another name."""

    def _name(self, sig: Any) -> str:
        arguments, _ = sigutils.normalize_signature(sig)
        return _full_name(self._dispatcher, arguments)


def _load(name: str, target_context: Any) -> Any:
    """What is kept under a name, or None; first the shared kernels that it calls."""
    if name in _loaded:
        return _loaded[name]
    if (data := store().read(name)) is None:
        return None
    # whole and ours, as `read` has checked; what still cannot be loaded is compiled anew like what is not there
    with contextlib.suppress(Exception):
        shared, calls, reduced = pickle.loads(data)
        if any(_load(called, target_context) is None for called in calls):
            return None
        result = CompileResult._rebuild(target_context, *reduced)
        libraries.loaded(result.library, name if shared else "", calls)
        if shared:
            _loaded[name] = result
        return result
    return None


def _full_name(kernel: Any, arguments: Sequence[Any]) -> str:
    """The name under which a kernel is kept that was compiled for such arguments."""
    return file_name(kernel) + frozen.digest(map(_type_words, arguments))[:16]


def _type_words(kind: Any) -> str:
    """A numba type written out, with what its own name leaves out."""
    return f"{kind} {getattr(kind, 'fields', '')}"


@functools.cache
def _base() -> str:
    """Hash of what all kernels depend on: this file, whose machine words become part of them, how they are joined, versions, processor."""
    versions = (platform.python_version(), np.__version__, numba.__version__, llvmlite.__version__)
    settings = (str(numba.config.BOUNDSCHECK), str(numba.config.DEBUGINFO_DEFAULT))
    processor = cpu_target.target_context.codegen().magic_tuple() if JIT else ()
    sources = (Path(file).read_text("utf-8") for file in (__file__, libraries.__file__))
    return frozen.digest([*sources, *versions, *settings, *map(str, processor)])


def plain_name(kernel: Any) -> str:
    """Module and name of a kernel, as in `engine.batch.step_rows`."""
    function = frozen.plain(kernel)
    return f"{function.__module__}.{function.__qualname__}".removeprefix("danmaku_env.")


@functools.cache
def file_name(kernel: Any) -> str:
    """How the names of a kernel's files begin: with a hash of all it is compiled from."""
    return f"{re.sub(r'[^A-Za-z0-9_.]', '', plain_name(kernel))}-{frozen.digest([_base(), frozen.recipe(kernel)])[:24]}-"


_PART = libraries.pipeline()
_ENTRY = libraries.pipeline(_full_name)
_SHARED = libraries.pipeline(_full_name, shared=True)
_NO_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def _compile(function: F, pipeline: Any, **options: bool) -> F:
    frozen.mark(function, {**options, "shared": pipeline is _SHARED})
    made: Any = function
    if JIT:
        made = numba.njit(nogil=True, error_model="numpy", _nrt=False, pipeline_class=pipeline, **options)(function)
        _one_signature(made)
    if pipeline is not _PART:
        UNITS.append(made)
        if JIT:
            made._cache = _Kept(made)
    return made  # type: ignore[no-any-return]


def kernel(function: F) -> F:
    """A function called by other kernels only, and compiled as a part of them, without the interpreter lock.

    Integers are 64 bits with a sign, and numba tells LLVM that products and sums never leave them: one that does is undefined.
    """
    return _compile(function, _PART, **_NO_WRAPPERS)


def shared(function: F) -> F:
    """A kernel with much below it that several others call: it is compiled on its own, once for all of them, and kept."""
    return _compile(function, _SHARED, **_NO_WRAPPERS)


def entry(function: F) -> F:
    """A kernel that Python calls too: compiled on its own, and kept."""
    return _compile(function, _ENTRY)


def is_shared(kernel: Any) -> bool:
    """Whether `shared` made this kernel."""
    return bool(frozen.options(kernel)["shared"])


def tell_of_kernels(tell: Callable[[str], None]) -> None:
    """Have the name of every kernel told that is compiled from now on."""

    class Listener(event.Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            """What begins is not told."""

        def on_end(self, event: Any) -> None:
            """A kernel is compiled, or was found to be impossible."""
            tell(plain_name(event.data["dispatcher"]))

    event.register("numba:compile", Listener())


def compile_for(kernel: Any, arguments: Sequence[Any]) -> None:
    """Compile a unit for such arguments, and keep it, unless it is kept already."""
    kernel.compile(tuple(map(kernel.typeof_pyval, arguments)))


if JIT:

    @intrinsic  # type: ignore[untyped-decorator]
    def lowest_bit(_typing: Any, mask: Any) -> Any:
        """Index of the lowest set bit of a mask that is not 0: one machine instruction."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            wide = context.cast(builder, arguments[0], signature.args[0], numba.int64)
            return builder.cttz(wide, context.get_constant(numba.boolean, True))

        return numba.int64(mask), build

    @intrinsic  # type: ignore[untyped-decorator]
    def prefetch(_typing: Any, rows: Any, row: Any, offset: Any) -> Any:
        """Ask the processor to fetch the memory line of rows[row, offset]; `rows` is a C-contiguous byte array [B, n]."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            stride = builder.extract_value(array.strides, 0)
            place = builder.add(builder.mul(arguments[1], stride), arguments[2])
            pointer = builder.gep(array.data, [place])
            word = ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [pointer.type, word, word, word])
            function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            builder.call(function, [pointer, word(0), word(3), word(1)])  # for reading, to keep in all caches, as data
            return context.get_dummy_value()

        return numba.void(rows, numba.int64, numba.int64), build

    @intrinsic  # type: ignore[untyped-decorator]
    def store_word(_typing: Any, row: Any, offset: Any, word: Any) -> Any:
        """Write a word of 64 bits into a C-contiguous byte array, from a byte on, the lowest byte first: one machine instruction."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            wide = ir.IntType(64)
            pointer = builder.bitcast(builder.gep(array.data, [arguments[1]]), wide.as_pointer())
            builder.store(arguments[2], pointer).align = 1
            return context.get_dummy_value()

        return numba.void(row, numba.int64, numba.int64), build

    @intrinsic  # type: ignore[untyped-decorator]
    def copy_start(_typing: Any, target: Any, to: Any, source: Any, place: Any, size: Any) -> Any:
        """Copy the first `size` bytes of source[place] to target[to]; both are C-contiguous byte arrays [B, n]."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            ends = []
            for which in (0, 2):
                array = context.make_array(signature.args[which])(context, builder, arguments[which])
                stride = builder.extract_value(array.strides, 0)
                ends.append(builder.gep(array.data, [builder.mul(arguments[which + 1], stride)]))
            cgutils.raw_memcpy(builder, ends[0], ends[1], arguments[4], 1)
            return context.get_dummy_value()

        return numba.void(target, numba.int64, source, numba.int64, numba.int64), build

    @intrinsic  # type: ignore[untyped-decorator]
    def load_word(_typing: Any, row: Any, offset: Any) -> Any:
        """The word of 64 bits that begins at a byte of a C-contiguous byte array, the lowest byte first: one machine instruction."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            pointer = builder.bitcast(builder.gep(array.data, [arguments[1]]), ir.IntType(64).as_pointer())
            word = builder.load(pointer)
            word.align = 1
            return word

        return numba.int64(row, numba.int64), build

    @intrinsic  # type: ignore[untyped-decorator]
    def count_bits(_typing: Any, mask: Any) -> Any:
        """How many bits are set: one machine instruction."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctpop(context.cast(builder, arguments[0], signature.args[0], numba.int64))

        return numba.int64(mask), build

else:

    def lowest_bit(mask: int) -> int:
        """Index of the lowest set bit of a mask that is not 0."""
        mask = int(mask)
        return (mask & -mask).bit_length() - 1

    def prefetch(rows: Any, row: int, offset: int) -> None:
        """Nothing to do with the compiler off."""

    def store_word(row: Any, offset: int, word: int) -> None:
        """Write a word of 64 bits into a byte array, from a byte on, the lowest byte first."""
        row.reshape(-1)[offset : offset + 8] = np.frombuffer((int(word) & (1 << 64) - 1).to_bytes(8, "little"), np.uint8)

    def copy_start(target: Any, to: int, source: Any, place: int, size: int) -> None:
        """Copy the first `size` bytes of source[place] to target[to]."""
        target[to, :size] = source[place, :size]

    def load_word(row: Any, offset: int) -> int:
        """The word of 64 bits, as a signed number, that begins at a byte of a byte array, the lowest byte first."""
        return int.from_bytes(row.reshape(-1)[offset : offset + 8].tobytes(), "little", signed=True)

    def count_bits(mask: int) -> int:
        """How many bits are set."""
        return int(mask).bit_count()


def say(words: str) -> None:
    """Tell the person something that takes long."""
    print(f"danmaku-env: {words}", file=sys.stderr, flush=True)


_silent = threading.Event()


def compile_silently() -> None:
    """Say no more of what is compiled: the person has been told that all of it is."""
    _silent.set()


@functools.cache
def _say_once(words: str) -> None:
    """Say what is compiled outside `compile_once`, for it may take long too; workers leave it to the process that started them."""
    if not os.environ.get(COMPILING) and multiprocessing.parent_process() is None and not _silent.is_set():
        say(words)
