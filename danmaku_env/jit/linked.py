"""Kernels as this toolchain makes and keeps them: parts and units (linking.py), compiled once for one signature, kept under their hash.

It uses numba's insides, and is imported only where they are those it knows (kernels.py).
"""

from __future__ import annotations

import contextlib
import functools
import pickle
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numba
from numba.core import event, serialize, sigutils
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.registry import CPUDispatcher, cpu_target

from danmaku_env.jit import kernel_hash, linking, machine_words
from danmaku_env.jit.kernel_cache import store
from danmaku_env.jit.kernel_hash import plain_name
from danmaku_env.jit.messages import say_once
from danmaku_env.jit.toolchain import toolchain

_loaded: dict[str, Any] = {}
"""Compilations of shared kernels, by the names under which they are kept: no machine code is loaded twice."""


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
        if found is None and not _is_shared(self._dispatcher):  # those are compiled for the others
            say_once(f"compiling {plain_name(self._dispatcher)}, which the cache does not hold for these arguments ...")
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compilation."""
        name = self._name(sig)
        if _is_shared(self._dispatcher):
            _loaded[name] = data
        if not data.library.has_dynamic_globals:
            store().write(name, serialize.dumps((_is_shared(self._dispatcher), data.library.calls, data._reduce())))

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
    # whole and ours, as `read` has checked; a kernel that still cannot be loaded is compiled anew, like one that is missing
    with contextlib.suppress(Exception):
        shared, calls, reduced = pickle.loads(data)
        if any(_load(called, target_context) is None for called in calls):
            return None
        result = CompileResult._rebuild(target_context, *reduced)
        linking.loaded(result.library, name if shared else "", calls)
        if shared:
            _loaded[name] = result
        return result
    return None


def _full_name(kernel: Any, arguments: Sequence[Any]) -> str:
    """The name under which a kernel is kept that was compiled for such arguments."""
    return file_name(kernel) + kernel_hash.digest(map(_type_words, arguments))[:16]


def _type_words(kind: Any) -> str:
    """A numba type written out, with what its own name leaves out."""
    return f"{kind} {getattr(kind, 'fields', '')}"


@functools.cache
def _base() -> str:
    """Hash of what all kernels depend on: this file, whose machine words become part of them, how they are joined, versions, processor."""
    processor = cpu_target.target_context.codegen().magic_tuple() if not numba.config.DISABLE_JIT else ()
    sources = (Path(file).read_text("utf-8") for file in (__file__, linking.__file__, machine_words.__file__))
    return kernel_hash.digest([*sources, *toolchain(), *map(str, processor)])


@functools.cache
def file_name(kernel: Any) -> str:
    """How the names of a kernel's files begin: with a hash of all it is compiled from."""
    return f"{re.sub(r'[^A-Za-z0-9_.]', '', plain_name(kernel))}-{kernel_hash.digest([_base(), kernel_hash.recipe(kernel)])[:24]}-"


def _is_shared(kernel: Any) -> bool:
    return bool(kernel_hash.options(kernel)["shared"])


class _OfKernels(CPUDispatcher):  # type: ignore[misc]
    """A dispatcher without a wrapper for Python: called from there, numba's would jump to nowhere."""

    def __call__(self, *_: Any) -> None:
        raise TypeError(f"{plain_name(self)} is called by kernels alone: call an entry that calls it, or its py_func")


PIPELINES = {"kernel": linking.pipeline(), "entry": linking.pipeline(_full_name), "shared": linking.pipeline(_full_name, shared=True)}


def compiled(function: Any, kind: str, options: dict[str, bool]) -> Any:
    """The dispatcher of a kernel, an entry or a shared kernel."""
    made: Any = numba.njit(nogil=True, error_model="numpy", _nrt=False, pipeline_class=PIPELINES[kind], **options)(function)
    _one_signature(made)
    if kind != "kernel":
        made._cache = _Kept(made)
    if kind != "entry":
        made.__class__ = _OfKernels
    return made


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
