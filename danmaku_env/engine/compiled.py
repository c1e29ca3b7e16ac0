"""The policy for compiled code; the only file that imports numba.

A cached compilation must never be stale, and numba notices edits only in the file that defines a function. So the cache
folder is named by a hash of all sources kernels are made of and of the Python, NumPy and numba versions: one edit anywhere is
another folder.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils
from numba.extending import intrinsic

_PACKAGE = Path(__file__).resolve().parent.parent
JIT = not numba.config.DISABLE_JIT
_KEEP_FOLDERS = 4


def sources(package: Path = _PACKAGE) -> list[Path]:
    """The files kernels are made of: the engine, and the card words and table shapes it reads as constants."""
    cards = [package / "cards" / name for name in ("compile.py", "lunatic_extra.py")]
    return sorted([*package.glob("engine/**/*.py"), *package.glob("cards/vocabulary/*.py"), *cards])


def fingerprint(package: Path = _PACKAGE, *more: Path) -> str:
    """Sixteen hexadecimal digits that change with any source of a kernel, with `more` files, and any version it depends on."""
    digest = hashlib.sha256()
    for version in (platform.python_version(), np.__version__, numba.__version__, str(numba.config.BOUNDSCHECK)):
        digest.update(version.encode())
    for path in [*sources(package), *more]:
        digest.update(path.relative_to(package.parent).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_root() -> Path:
    if chosen := os.environ.get("DANMAKU_CACHE_DIR") or os.environ.get("NUMBA_CACHE_DIR"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "danmaku-env"


def _writable(folder: Path) -> Path:
    """The folder, or one in the temporary directory where the home is read-only."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        fallback = Path(tempfile.gettempdir()) / f"danmaku-env-{os.getuid() if hasattr(os, 'getuid') else 'cache'}" / folder.name
        fallback.mkdir(parents=True, exist_ok=True, mode=0o700)
        return fallback


CACHE_FOLDER = _writable(_cache_root() / fingerprint()) if JIT else _cache_root()
ENGINE_WARM = "danmaku_env.engine.warm"


def _room(module: str) -> str:
    """The package whose kernels are cached together with those of a module: `danmaku_env.engine`, `danmaku_env.agents` ..."""
    return ".".join(module.split(".")[:2])


@functools.cache
def cache_folder(room: str) -> Path:
    """Where the kernels of a package are cached: those outside the engine apart, so that editing them leaves the engine's."""
    name = room.rpartition(".")[2]
    folder = _PACKAGE / name
    if name == "engine" or not JIT or not folder.is_dir():
        return CACHE_FOLDER
    return _writable(_cache_root() / f"{name}-{fingerprint(_PACKAGE, *sorted(folder.glob('**/*.py')))}")


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


def _compile(function: F, **options: bool) -> F:
    if not JIT:
        return function
    previous = numba.config.CACHE_DIR
    # read when caching is enabled, that is here; other users of numba keep theirs
    numba.config.CACHE_DIR = str(cache_folder(_room(function.__module__)))
    try:
        return _one_signature(numba.njit(cache=True, nogil=True, error_model="numpy", _nrt=False, **options)(function))  # type: ignore[no-any-return]
    finally:
        numba.config.CACHE_DIR = previous


def kernel(function: F) -> F:
    """A function called by other kernels only: compiled on first use, without the interpreter lock, cached in our own folder."""
    return _compile(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def entry(function: F) -> F:
    """A kernel that Python calls too."""
    return _compile(function)


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
    def copy_row(_typing: Any, target: Any, to: Any, source: Any, place: Any) -> Any:
        """Copy source[place] to target[to]; both are C-contiguous byte arrays [B, n] with rows of the same length."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            ends = []
            for which in (0, 2):
                array = context.make_array(signature.args[which])(context, builder, arguments[which])
                stride = builder.extract_value(array.strides, 0)
                ends.append(builder.gep(array.data, [builder.mul(arguments[which + 1], stride)]))
            cgutils.raw_memcpy(builder, ends[0], ends[1], stride, 1)
            return context.get_dummy_value()

        return numba.void(target, numba.int64, source, numba.int64), build

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

    def copy_row(target: Any, to: int, source: Any, place: int) -> None:
        """Copy source[place] to target[to]."""
        target[to] = source[place]

    def load_word(row: Any, offset: int) -> int:
        """The word of 64 bits, as a signed number, that begins at a byte of a byte array, the lowest byte first."""
        return int.from_bytes(row.reshape(-1)[offset : offset + 8].tobytes(), "little", signed=True)

    def count_bits(mask: int) -> int:
        """How many bits are set."""
        return int(mask).bit_count()


def _prune() -> None:
    """Keep the few youngest cache folders of each package."""
    for pattern in ("?" * 16, "*-" + "?" * 16):
        folders = [folder for folder in CACHE_FOLDER.parent.glob(pattern) if folder.is_dir()]
        folders.sort(key=lambda folder: folder.stat().st_mtime, reverse=True)
        for folder in folders[_KEEP_FOLDERS:]:
            shutil.rmtree(folder, ignore_errors=True)


def _complete(module: str) -> Path:
    return cache_folder(_room(module)) / "complete"


def is_compiled(module: str = ENGINE_WARM) -> bool:
    """Whether every entry point that the module calls lies in the cache."""
    return not JIT or _complete(module).exists()


@functools.cache
def compile_once(module: str = ENGINE_WARM) -> None:
    """Make sure that every entry point the module calls is compiled and cached; tells the person, on stderr, when that takes a while.

    `module` is run as a program: the engine's, or that of a package with kernels of its own. The compiling is done by a child process,
    because numba reads its optimisation level when it is imported: level 1 compiles in half the time of the default 3 and, measured on
    batched play, runs as fast.
    """
    if module != ENGINE_WARM:
        compile_once()
    if is_compiled(module):
        return
    what = "rules engine, once per version (about a minute)" if module == ENGINE_WARM else f"{_room(module).rpartition('.')[2]}, once per version"
    print(f"danmaku-env: compiling the {what} ...", file=sys.stderr, flush=True)
    start = time.perf_counter()
    paths = [str(_PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "NUMBA_OPT": "1", "DANMAKU_CACHE_DIR": str(CACHE_FOLDER.parent)}
    # in a session of its own, Ctrl-C reaches only us; `run` ends the child when we leave it
    done = subprocess.run([sys.executable, "-m", module], env=environment, check=False, start_new_session=True)
    if done.returncode == 0:
        with contextlib.suppress(OSError):
            _complete(module).touch()
        _prune()
        print(
            f"danmaku-env: compiled in {time.perf_counter() - start:.0f} s, cached in {_complete(module).parent}",
            file=sys.stderr,
            flush=True,
        )
