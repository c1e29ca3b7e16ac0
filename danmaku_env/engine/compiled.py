"""The policy for compiled code: what is compiled how, when, and that a person is told; the only file that imports numba.

A cached compilation must never be stale, and numba's own cache notices edits only in the file that defines a function. So kernels
are kept under the hash of everything that goes into them (frozen.py), in files that nobody else can have written (store.py).
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import multiprocessing
import os
import pickle
import platform
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import llvmlite  # type: ignore[import-untyped]
import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, serialize, sigutils
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from danmaku_env.engine import frozen
from danmaku_env.engine.store import Store, open_private, store

_PACKAGE = Path(__file__).resolve().parent.parent
JIT = not numba.config.DISABLE_JIT
ENGINE_WARM = "danmaku_env.engine.warm"
_CHILD = "DANMAKU_COMPILING"
"""Names to the child process that compiles, which the person has been told about, the process that waits for it."""
_LOOK_UP = 1.0
"""Seconds between two looks of the child whether that process is still there."""
ENTRIES: list[Any] = []
"""Every kernel that Python calls, in the order of their definition."""

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
        name = self._name(sig)
        if (data := store().read(name)) is not None:
            # whole and ours, as `read` has checked; what still cannot be loaded is compiled anew like what is not there
            with contextlib.suppress(Exception):
                return CompileResult._rebuild(target_context, *pickle.loads(data))
        if self._dispatcher in ENTRIES:  # the others are compiled as parts of these
            _say_once(f"compiling {plain_name(self._dispatcher)}, which the cache does not hold for these arguments ...")
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compilation."""
        if not data.library.has_dynamic_globals:
            store().write(self._name(sig), serialize.dumps(data._reduce()))

    def enable(self) -> None:
        """It always is."""

    def disable(self) -> None:
        """It cannot be."""

    def flush(self) -> None:
        """A compilation that is out of date has another name."""

    def _name(self, sig: Any) -> str:
        arguments, _ = sigutils.normalize_signature(sig)
        return file_name(self._dispatcher) + frozen.digest(map(_type_words, arguments))[:16]


def _type_words(kind: Any) -> str:
    """A numba type written out, with what its own name leaves out."""
    return f"{kind} {getattr(kind, 'fields', '')}"


@functools.cache
def _base() -> str:
    """Hash of what all kernels depend on: this file, whose machine words become part of them, the versions, the processor."""
    versions = (platform.python_version(), np.__version__, numba.__version__, llvmlite.__version__)
    settings = (str(numba.config.BOUNDSCHECK), str(numba.config.DEBUGINFO_DEFAULT))
    processor = cpu_target.target_context.codegen().magic_tuple() if JIT else ()
    return frozen.digest([Path(__file__).read_text("utf-8"), *versions, *settings, *map(str, processor)])


def plain_name(kernel: Any) -> str:
    """Module and name of a kernel, as in `engine.batch.step_rows`."""
    function = frozen.plain(kernel)
    return f"{function.__module__}.{function.__qualname__}".removeprefix("danmaku_env.")


@functools.cache
def file_name(kernel: Any) -> str:
    """How the names of a kernel's files begin: with a hash of all it is compiled from."""
    return f"{re.sub(r'[^A-Za-z0-9_.]', '', plain_name(kernel))}-{frozen.digest([_base(), frozen.recipe(kernel)])[:24]}-"


def _compile(function: F, **options: bool) -> F:
    frozen.mark(function, options)
    if not JIT:
        return function
    dispatcher = numba.njit(nogil=True, error_model="numpy", _nrt=False, **options)(function)
    dispatcher._cache = _Kept(dispatcher)
    return _one_signature(dispatcher)  # type: ignore[no-any-return]


def kernel(function: F) -> F:
    """A function called by other kernels only: compiled on first use, without the interpreter lock, and kept."""
    return _compile(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def entry(function: F) -> F:
    """A kernel that Python calls too."""
    made = _compile(function)
    ENTRIES.append(made)
    return made


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


def _room(module: str) -> str:
    """The package whose entry points are compiled together with those of a module: `danmaku_env.engine`, `danmaku_env.agents` ..."""
    return ".".join(module.split(".")[:2])


def entries(module: str = ENGINE_WARM) -> list[Any]:
    """The entry points of a module's package."""
    importlib.import_module(module)
    return [made for made in ENTRIES if _room(frozen.plain(made).__module__) == _room(module)]


def is_compiled(module: str = ENGINE_WARM) -> bool:
    """Whether every entry point of the module's package is in the cache, whole."""
    return not JIT or store().has(map(file_name, entries(module)))


@functools.cache
def compile_once(module: str = ENGINE_WARM) -> None:
    """Make sure that every entry point of the module's package is compiled and kept; tells the person, on stderr, when that takes a while.

    `module` is run as a program that calls each: the engine's, or that of a package with kernels of its own. The compiling is done by a
    child process, because numba reads its optimisation level when it is imported: level 1 compiles in half the time of the default 3
    and, measured on batched play, runs as fast. Other processes that want the same code meanwhile wait for it.
    """
    if not JIT or os.environ.get(_CHILD):
        return
    if _room(module) == "danmaku_env.agents":
        compile_once()  # their kernels call the engine's
    if is_compiled(module):
        return
    here = store()
    if here.target is None:
        open_private(here)
    what = "rules engine" if module == ENGINE_WARM else _room(module).rpartition(".")[2]
    work = f"compiling-{frozen.digest(map(file_name, entries(module)))[:16]}"
    with here.alone(work, f"danmaku-env: another process compiles the {what}; waiting for it ..."):
        if not is_compiled(module):
            _compile_in_child(module, here, what)


def _compile_in_child(module: str, here: Store, what: str) -> None:
    _say(f"compiling the {what}, once per version (up to a minute or two) ...")
    start = time.perf_counter()
    paths = [str(_PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "NUMBA_OPT": "1", _CHILD: str(os.getpid())}
    # in a session of its own, Ctrl-C reaches only us; `run` ends the child when we leave it
    subprocess.run([sys.executable, "-m", module], env=environment, check=False, start_new_session=True)
    if is_compiled(module):
        _say(f"compiled in {time.perf_counter() - start:.0f} s, cached in {here.target}")
    else:
        _say(f"the compiled code could not be kept in {here.target}: it is compiled again when it is needed, and at the next start")
    here.prune()


def end_with_parent() -> None:
    """In the child process that compiles: end when the one that waits for it was killed."""
    parent = os.environ.get(_CHILD)
    if not parent or not hasattr(os, "getppid"):
        return

    def watch() -> None:
        while os.getppid() == int(parent):
            time.sleep(_LOOK_UP)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _say(words: str) -> None:
    print(f"danmaku-env: {words}", file=sys.stderr, flush=True)


@functools.cache
def _say_once(words: str) -> None:
    """Say what is compiled outside `compile_once`, for it may take long too; workers leave it to the process that started them."""
    if not os.environ.get(_CHILD) and multiprocessing.parent_process() is None:
        _say(words)
