"""How kernels become machine code: LLVM works on each of them once.

By itself numba optimises and translates every function together with all it calls, so that what lies deep is worked on again for each of
its callers, and for theirs. Here a kernel that only others call is a *part*: it is put into LLVM's language, and waits. A *unit*, which is
an entry or a shared kernel, gathers its parts and becomes machine code with them. A shared kernel is not part of its callers: their machine
code calls it by its name, which is the same in every process.

It uses numba's insides: the code libraries and the pipeline. What else of `jit/` imports numba is `kernels.py` and `plain_numba.py`, by its
public face, and `linked.py` and `machine_words.py`, by its insides as well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import itanium_mangler
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags

_IDLE = ("InlineClosureLikes", "InlineOverloads", "NopythonRewrites", "AnnotateTypes")
"""Passes of numba that take a while and find nothing to do in kernels, which have no comprehensions and reckon with no whole arrays."""

Naming = Callable[[Any, tuple[Any, ...]], str]
"""What a function is called when it is compiled for such arguments."""


class _NoEnvironment:
    """Replaces numba's code generator for libraries without machine code, which have no address to write to."""

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing reads it."""


class Part(JITCodeLibrary):  # type: ignore[misc]
    """A kernel in LLVM's language, which becomes machine code only as a part of units."""

    codegen = _NoEnvironment()

    def add_linking_library(self, library: Any) -> None:
        """Remember what this one calls."""
        self._linking_libraries.append(library)

    def finalize(self) -> None:
        """Leave everything to the units."""
        self._finalized = True


class Unit(JITCodeLibrary):  # type: ignore[misc]
    """An entry or a shared kernel: machine code made of its parts."""

    shared_as = ""
    """Of a shared kernel: the name under which it is kept, and is called by."""
    calls: tuple[str, ...] = ()
    """The shared kernels that its machine code calls, by these names."""

    def add_linking_library(self, library: Any) -> None:
        """Remember what this one calls."""
        self._linking_libraries.append(library)

    def finalize(self) -> None:
        """Gather the parts, each of them once, and make machine code of the whole."""
        self._raise_if_finalized()
        own = {function.name for function in self._final_module.functions if not function.is_declaration}
        libraries, self.calls = _gather(self._linking_libraries)
        for library in libraries:
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        for function in self._final_module.functions:
            if not function.is_declaration and function.name not in own:
                function.linkage = "internal"  # nobody else calls it: LLVM may do with it as it likes
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()


def loaded(library: Any, shared_as: str, calls: tuple[str, ...]) -> None:
    """Say what a unit is that comes from the cache, as a library of numba's own kind."""
    library.shared_as, library.calls = shared_as, calls


def _gather(libraries: list[Any]) -> tuple[list[Any], tuple[str, ...]]:
    """All that a unit is made of, callers before what they call, and the names of the shared kernels that it calls."""
    found, names = dict.fromkeys(libraries), dict[str, None]()
    waiting = list(found)
    for library in waiting:
        if name := getattr(library, "shared_as", ""):
            names[name] = found.pop(library)
            continue
        names |= dict.fromkeys(getattr(library, "calls", ()))
        if isinstance(library, Part):
            new = [called for called in dict.fromkeys(library._linking_libraries) if called not in found]
            found |= dict.fromkeys(new)
            waiting += new
    return list(found), tuple(names)


def quicken() -> None:
    """Have numba find what it has compiled in fewer steps, in a process that does nothing else.

    It looks up by flags too, millions of times: it hashes them, which gives the same for all, since it reads their names only, and then
    compares them value by value.
    """
    constant, by_value = hash(Flags()), Flags.__eq__

    def same(flags: Any, other: Any) -> bool:
        return flags is other or (type(flags) is type(other) and flags._values == other._values) or by_value(flags, other)

    Flags.__hash__, Flags.__eq__ = lambda flags: constant, same


class _Types(tuple[Any, ...]):
    """Argument types that are not written out at every pass, for events that nobody hears: those of records are long."""

    def __repr__(self) -> str:
        return f"{len(self)} types"


def pipeline(naming: Naming | None = None, *, shared: bool = False) -> type[Compiler]:
    """The compiler of numba for parts, or with a `naming` for units."""

    class Pipeline(Compiler):  # type: ignore[misc]
        def define_pipelines(self) -> Any:
            state, kind = self.state, Part if naming is None else Unit
            state.library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
            if naming is not None:
                state.library.enable_object_caching()
                name = naming(state.func_id.func, state.args)
                state.targetctx.mangler = lambda prefix, *_, **__: itanium_mangler.mangle(f"{prefix}.{name}", ())
                state.library.shared_as = name if shared else ""
            state.args = _Types(state.args)
            managers = super().define_pipelines()
            for manager in managers:
                manager.passes = [each for each in manager.passes if each[0].__name__ not in _IDLE]
                manager.finalize()
            return managers

    return Pipeline
