"""Checks of values from outside: the first look at one, before anything is done with it, and how a refusal quotes it.

Each entry point knows the meaning of a value and the exception that refuses it. Only numbers of seats, rows and worlds are
refused alike everywhere.
"""

from __future__ import annotations

import dataclasses
import errno
import functools
import os
import reprlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_MOST_DIGITS = 9
"""Of a number that is said in words: there is nothing more to count, and Python does not read numbers of any length."""
_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 80
_SHORT.maxlong = 40
_SHORT.maxlevel = 3


class ConfigError(ValueError):
    """A configuration that makes no sense; the message says which field and what would be right."""


class UnknownOptionError(ConfigError):
    """An option that there is not. Its arguments: what is wrong, and the names of the options that there are."""

    def __str__(self) -> str:
        what, known = self.args
        return f"{what}; the options are {', '.join(sorted(known))}"


def shown(value: object) -> str:
    """The value as a sentence quotes it: its repr, cut short; whatever it is, this does not fail."""
    try:
        return " ".join(_SHORT.repr(value).split())
    except Exception:  # a number of too many digits for Python to print, a repr that fails
        return f"a {type(value).__name__} that cannot be printed"


def printable(words: str) -> str:
    """The words in one line, without letters that cannot be printed or written to a file: a terminal does what such letters tell it."""
    return "".join(letter if letter.isprintable() else " " if letter.isspace() else "\N{REPLACEMENT CHARACTER}" for letter in words)


def whole_number(value: object) -> int | None:
    """The value as an int if it is a whole number, of Python or NumPy; None for all else, truth values and 2.0 too."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        return None
    return int(value)


def number_said(words: str) -> int | None:
    """The number that the words are, if they are one that could count anything here."""
    return int(words) if words.isdecimal() and len(words) <= _MOST_DIGITS else None


def check_count(value: object) -> int:
    """The value as an int, if it counts something. Raises ValueError."""
    number = whole_number(value)
    if number is None or number < 0:
        raise ValueError(f"count is a whole number of at least 0, not {shown(value)}")
    return number


def check_index(value: object, size: int, what: str) -> int:
    """The value as an int, if it is the number of one of this many things. Raises IndexError: `seat 9: the seats are 0 to 5`."""
    index = whole_number(value)
    if index is None or not 0 <= index < size:
        raise IndexError(f"{what} {shown(value)}: the {what}s are 0 to {size - 1}")
    return index


def truth(value: object) -> bool | None:
    """The value as a bool if it is one, of Python or NumPy; None for all else, 0 and 1 too."""
    return bool(value) if isinstance(value, (bool, np.bool_)) else None


def sequence(value: object) -> tuple[object, ...] | None:
    """The items of a list, a tuple or another sequence; None for all else, so for a text, bytes, a set and a mapping."""
    if isinstance(value, (str, bytes, bytearray, memoryview)) or not isinstance(value, Sequence):
        return None
    return tuple(value)


def plain(value: Any) -> Any:
    """The value as Python and JSON have it: what is NumPy's as Python's, also within lists and tuples; all else as it is."""
    if isinstance(value, np.generic):
        return value.item()
    return type(value)(map(plain, value)) if type(value) in (list, tuple) else value


def make_plain(options: DataclassInstance) -> None:
    """Make the fields of options plain, at the beginning of their `__post_init__`: they are compared, kept in files and quoted later.

    Lists and arrays in the place of a tuple become one; texts become paths and paths texts where the field is the other.
    """
    for name, kind in _kinds(type(options)).items():
        value = getattr(options, name)
        if kind is tuple and isinstance(value, (list, np.ndarray)):
            value = tuple(value)
        elif kind is Path and isinstance(value, str):
            value = Path(value)
        elif kind is str and isinstance(value, Path):
            value = str(value)
        object.__setattr__(options, name, plain(value))


@functools.cache
def _kinds(options: type[DataclassInstance]) -> dict[str, Any]:
    """The type of each field: the container alone, and a Path also where None may stand."""
    hints = get_type_hints(options)
    kinds = {field.name: hints[field.name] for field in dataclasses.fields(options)}
    return {name: Path if Path in get_args(kind) else get_origin(kind) or kind for name, kind in kinds.items()}


def array_of(value: object) -> npt.NDArray[Any]:
    """The value as an array; as one of objects, for which nobody asks, where its lists are of different lengths or it is none for NumPy."""
    try:
        return np.asarray(value)
    except (ValueError, TypeError, RuntimeError):  # the latter two of tensors on a graphics card, or with a gradient
        return np.array([None])


def array_shown(value: object, array: npt.NDArray[Any]) -> str:
    """The value as a sentence quotes it: type and shape of its array, or what it is where NumPy cannot read it (`array_of`)."""
    return shown(value) if array.dtype.hasobject else f"an array of {array.dtype} with shape {array.shape}"


def for_kernels(array: npt.ArrayLike, kind: npt.DTypeLike | None = None) -> npt.NDArray[Any]:
    """The array as compiled code takes it: in one piece, aligned and writable; a copy where it is not.

    For any other kind of array a kernel would be compiled anew, or not at all.
    """
    if isinstance(array, np.ndarray) and array.flags.carray and (kind is None or array.dtype == kind):
        return array  # np.require says the same, in a microsecond and a half
    return np.require(array, kind, ["C", "A", "W"])


def file_path(path: str | os.PathLike[str]) -> Path:
    """The path. Raises OSError where no file can have that name, TypeError where it is not a path."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"a path is a text or a Path, not {shown(path)}")
    found = Path(path)
    try:
        usable = b"\0" not in os.fsencode(found)
    except UnicodeEncodeError:
        usable = False
    if not usable:
        raise OSError(errno.EINVAL, "no file can have this name", shown(str(path)))
    return found


@dataclasses.dataclass(frozen=True, kw_only=True)
class GameOptions:
    """What the configurations of all games have in common: `num_players` and other options, checked when one is made."""

    _of_game: ClassVar[str] = ""
    """How a refusal goes on after an option that there is not."""

    def _check_number(self, name: str, low: int, high: int) -> None:
        value = whole_number(getattr(self, name))
        if value is None or not low <= value <= high:
            raise ConfigError(f"{name} must be a whole number from {low} to {high}, not {shown(getattr(self, name))}")
        object.__setattr__(self, name, value)

    def _check_truths(self, *names: str) -> None:
        for name in names:
            value = truth(getattr(self, name))
            if value is None:
                raise ConfigError(f"{name} must be True or False, not {shown(getattr(self, name))}")
            object.__setattr__(self, name, value)

    def _check_word(self, name: str, words: Sequence[str]) -> None:
        value = getattr(self, name)
        if not isinstance(value, str) or value not in words:
            raise ConfigError(f"{name} must be {' or '.join(map(repr, words))}, not {shown(value)}")

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in dataclasses.asdict(self).items()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `to_dict`. Raises ConfigError on anything else."""
        if not isinstance(data, Mapping):
            raise ConfigError(f"a configuration is a mapping of options, not {shown(data)}")
        known = {field.name for field in dataclasses.fields(cls)}
        for name in data:
            if not isinstance(name, str) or name not in known:
                raise UnknownOptionError(f"unknown option {shown(name)}{cls._of_game}", known)
        return cls(**data)

    @classmethod
    def of(cls, config: Self | int | None, options: dict[str, Any]) -> Self:
        """The arguments of an entry point that takes a configuration, or a number of players, or neither, and options by name.

        Raises ConfigError on a bad option, and on options beside a configuration, which has them all.
        """
        if isinstance(config, cls):
            if options:
                raise ConfigError(f"{sorted(options)[0]} is said beside a {cls.__name__}; say it in the {cls.__name__}")
            return config
        if config is not None:
            if "num_players" in options:
                raise ConfigError("num_players is said twice")
            if whole_number(config) is None:
                raise ConfigError(f"config must be a {cls.__name__} or a number of players, not {shown(config)}")
            options = {"num_players": config, **options}
        return cls.from_dict(options)
