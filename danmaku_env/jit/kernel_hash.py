"""What a compiled kernel depends on, as a hash: no stale compilation can be taken for a fresh one.

numba looks at a global name once, when it compiles: the value found there is frozen into the machine code, as is the code of every
kernel that is called. So the recipe of a kernel is its bytecode, the value of everything that it names outside, and the same of all
kernels it reaches. What a factory was given counts as named outside by the kernels that it makes. Card tables are arguments and not part
of it, and comments and Python around the kernels are not either.
Where compiled code is kept is kernel_cache.py; when it is compiled, kernels.py.
"""

from __future__ import annotations

import enum
import functools
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import CodeType, ModuleType
from typing import Any

import numpy as np

NOT_FROZEN = "callable"
"""What stands for a function that is not a kernel: numba refuses those, or they are its own and belong to its version."""


_OPTIONS = "compiled_with"
"""The attribute that functions have which are kernels."""
_HAS_DOCSTRING = 0x4000000
"""What co_flags say from Python 3.13 on, besides what the code does."""
_PLAIN = frozenset({bool, int, float, complex, str, bytes, type(None), type(Ellipsis)})


@functools.cache
def recipe(kernel: Any) -> str:
    """64 hexadecimal digits that change with anything the compiled kernel depends on, besides the types of its arguments."""
    found: dict[str, str] = {}
    waiting = [kernel]
    while waiting:
        here = waiting.pop()
        name = _name(here)
        if name not in found:
            found[name], called = _known(here)
            waiting += called
    return digest(part for name in sorted(found) for part in (name, found[name]))


@functools.cache
def _known(kernel: Any) -> tuple[str, list[Any]]:
    """The hash of a kernel itself, and the kernels it calls: worked out once, as constants do not change while a program runs."""
    return own(kernel), [value for _, value in ingredients(kernel) if is_kernel(value)]


def called_by(kernel: Any) -> list[Any]:
    """The kernels that a kernel may call."""
    return list(_known(kernel)[1])


def digest(words: Iterable[str]) -> str:
    """64 hexadecimal digits of all the words; where one ends is part of it."""
    together = hashlib.sha256()
    for word in words:
        together.update(f"{len(word)}:{word}".encode())
    return together.hexdigest()


def mark(function: Callable[..., Any], options: Mapping[str, bool]) -> None:
    """Make a function known as a kernel that is compiled with these options."""
    vars(function)[_OPTIONS] = dict(options)


def options(kernel: Any) -> dict[str, bool]:
    """The options that a kernel is compiled with."""
    return dict(vars(plain(kernel))[_OPTIONS])


def is_kernel(value: Any) -> bool:
    """Whether this is a function that `kernels.kernel`, `kernels.shared` or `kernels.entry` made, compiled or with the compiler off."""
    return hasattr(plain(value), _OPTIONS)


def plain(kernel: Any) -> Callable[..., Any]:
    """The Python function of a kernel, or of one that the compiler left as it is."""
    function: Callable[..., Any] = getattr(kernel, "py_func", kernel)
    return function


def plain_name(kernel: Any) -> str:
    """Module and name of a kernel, as in `engine.batch.step_rows`."""
    function = plain(kernel)
    return f"{function.__module__}.{function.__qualname__}".removeprefix("danmaku_env.")


def ingredients(kernel: Any) -> tuple[tuple[str, Any], ...]:
    """(name, value) of everything that a kernel may read from outside.

    A module that it names counts with every attribute whose name occurs in the code: a few more than it reads, and none less.
    """
    function = plain(kernel)
    names = set(_names(function.__code__))
    found = {name: function.__globals__[name] for name in names if name in function.__globals__}
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    found |= {name: cell.cell_contents for name, cell in cells}
    modules = [(name, value) for name, value in found.items() if isinstance(value, ModuleType)]
    while modules:
        path, module = modules.pop()
        for name in names:
            whole = f"{path}.{name}"
            if whole not in found and name in vars(module):
                found[whole] = vars(module)[name]
                if isinstance(found[whole], ModuleType) and module.__name__ != found[whole].__name__ and path.count(".") < 2:
                    modules.append((whole, found[whole]))
    return tuple(sorted(found.items(), key=lambda item: item[0]))


def words(value: Any) -> str:
    """A value as numba freezes it, written out: two values with the same words compile to the same code."""
    if type(value) in _PLAIN:
        return f"{type(value).__name__} {value!r}"
    if is_kernel(value):
        return f"kernel {_name(value)}"
    if isinstance(value, ModuleType):
        return f"module {value.__name__}"
    if isinstance(value, enum.Enum):
        return f"{_place(type(value))}.{value.name}={words(value.value)}"
    if isinstance(value, int):  # a word of the cards' vocabulary: a number of a type of its own, which numba compiles as a plain one
        return f"int {int(value)!r}"
    if isinstance(value, np.ndarray):
        return f"array {words(value.dtype)} {value.shape} {value.tobytes().hex()}"
    if isinstance(value, np.generic):
        return f"{value.dtype.str} {value.tobytes().hex()}"
    if isinstance(value, tuple):
        return f"{_place(type(value))}({', '.join(map(words, value))})"
    if isinstance(value, frozenset):
        return f"frozenset({', '.join(sorted(map(words, value)))})"
    if isinstance(value, type):
        return f"class {_place(value)} {getattr(value, '_fields', ())}"
    if isinstance(value, np.dtype):
        return f"dtype {value!r}"
    return f"{NOT_FROZEN} {_place(value) if callable(value) else type(value).__name__}"


def own(kernel: Any) -> str:
    """The hash of a kernel without those it calls."""
    function = plain(kernel)
    parts = [*_code(function.__code__, function.__doc__), words(function.__defaults__), words(tuple(sorted(options(kernel).items())))]
    return digest([*parts, *(word for name, value in ingredients(kernel) for word in (name, words(value)))])


@functools.cache
def _name(kernel: Any) -> str:
    """What a kernel is called in recipes. A factory gives all that it makes one name: there what each is made of belongs to it."""
    function = plain(kernel)
    return _place(function) + (f" of {own(kernel)}" if function.__closure__ else "")


def _place(thing: Any) -> str:
    return f"{getattr(thing, '__module__', '')}.{getattr(thing, '__qualname__', type(thing).__qualname__)}"


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _code(code: CodeType, docstring: str | None = None) -> Iterator[str]:
    """Everything of a code object that decides what it does; neither where it stands nor its docstring."""
    yield code.co_code.hex()
    yield repr((code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars))
    yield repr((code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags & ~_HAS_DOCSTRING))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code(constant)
        else:
            yield words(None if isinstance(constant, str) and constant == docstring else constant)
