"""A command line from a dataclass: one option per field, whose docstring is the help; and how commands of training end early.

tyro reads dataclasses too. It is not used: the `danmaku` command is typer's anyway, so tyro would be a second parser, with a second way of
saying what is wrong (a box of several lines, where our commands say one sentence) and a second look of the help. What is ours is `command`,
which shows typer the fields as parameters.
"""

from __future__ import annotations

import contextlib
import contextvars
import functools
import inspect
import math
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from danmaku_env.agents.base import AnswerError
from danmaku_env.arena.errors import Stopped
from danmaku_env.arena.options import parameters

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

A = TypeVar("A")


def command(options: type[A], action: Callable[[A], object], text: str) -> Callable[..., None]:
    """A function typer can read: its parameters are the fields, and typer's context, which knows the words they were read from."""

    def call(context: typer.Context, **given: Any) -> None:
        there = contextvars.copy_context()
        there.run(_GIVEN.set, frozenset(name for name in given if _source(context, name) == "COMMANDLINE"))
        with in_one_sentence():
            there.run(action, options(**given))

    of_typer = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    found = [of_typer, *parameters(options)]
    call.__signature__ = inspect.Signature(found)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in found}
    call.__doc__ = text
    return call


_GIVEN: contextvars.ContextVar[frozenset[str]] = contextvars.ContextVar("given", default=frozenset())
"""Options that stand in the command line whose action goes on. It is no field of them: it would be kept in checkpoints and compared."""


def is_given(name: str) -> bool:
    """Whether the option stands in the command line that is carried out, be it as usual or not; never where Python calls."""
    return name in _GIVEN.get()


def _source(context: typer.Context, name: str) -> str:
    source = context.get_parameter_source(name)
    return source.name if source else ""


@contextlib.contextmanager
def in_one_sentence() -> Iterator[None]:
    """Errors of the program become one sentence and exit status 2; Ctrl-C a word, unless it was spoken of, and 130."""
    try:
        yield
    except (ValueError, OSError, MemoryError, RuntimeError) as error:
        words = str(error)
        if isinstance(error, RuntimeError) and not (isinstance(error, AnswerError) or _is_short_of_memory(error)):
            raise
        if isinstance(error, MemoryError) or _is_short_of_memory(error):
            words = "this takes more memory than there is"
        elif isinstance(error, OSError) and error.strerror:
            words = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
        typer.echo(f"error: {' '.join(words.split())}", err=True)
        raise typer.Exit(2) from None
    except KeyboardInterrupt as stop:
        if not isinstance(stop, Stopped):
            typer.echo("stopped", err=True)
        raise typer.Exit(130) from None


def _is_short_of_memory(error: Exception) -> bool:
    """Whether torch says that there is no more memory, of the machine or the GPU: told by words, since torch may not be loaded here."""
    name = type(error).__name__
    return isinstance(error, RuntimeError) and (name == "OutOfMemoryError" or any(words in str(error) for words in _TORCH_IS_SHORT))


_TORCH_IS_SHORT = (
    "can't allocate memory", "not enough memory", "Storage size calculation overflowed", "CUDA out of memory", "CUDA error: out of memory",
)  # fmt: skip


_MOST_COUNTED, MOST_WEIGHT = 1 << 30, 1e6
"""What is more than this is a slip of the finger, and would be an error from the depths."""


def check_counts(given: DataclassInstance, *names: str, least: int = 1, most: Mapping[str, int] = {}) -> None:
    """Raise ValueError unless these options are at least so many, and at most what is said of them, or _MOST_COUNTED."""
    for name in names:
        value, highest = getattr(given, name), most.get(name, _MOST_COUNTED)
        if not least <= value <= highest:
            raise ValueError(f"{name} must be at least {least} and at most {highest:,}, not {value}")


def check_range(given: DataclassInstance, low: float, high: float, *names: str) -> None:
    """Raise ValueError unless these options are from low to high."""
    for name in names:
        if not low <= getattr(given, name) <= high:
            raise ValueError(f"{name} must be from {low:g} to {high:g}, not {getattr(given, name)}")


def check_above_0(given: DataclassInstance, *names: str) -> None:
    """Raise ValueError unless these options are above 0."""
    for name in names:
        if not getattr(given, name) > 0:
            raise ValueError(f"{name} must be above 0, not {getattr(given, name)}")


def check_finite(given: DataclassInstance, *names: str) -> None:
    """Raise ValueError where one of these options, of which 0 may be said, is negative or infinite."""
    for name in names:
        if not 0 <= getattr(given, name) < math.inf:
            raise ValueError(f"{name} must not be negative or infinite, but it is {getattr(given, name)}")


def said(module: str, *, expansion: str, **given: int) -> str:
    """The command that makes a file anew, to be written into it."""
    words = [f"--{name} {value}" for name, value in given.items()]
    return " ".join([f"python -m danmaku_env.training.{module}", *words, *([f"--expansion {expansion}"] if expansion != "none" else [])])


def command_of(module: str, given: DataclassInstance, always: Sequence[str] = (), never: Sequence[str] = ()) -> str:
    """The command line of a module that has these options: those that are not as usual, or `always` said, but the folder and `never`."""
    words = ["python", "-m", f"danmaku_env.training.{module}"]
    for field in fields(given):
        value = getattr(given, field.name)
        if field.name in ("folder", "resume", *never) or (value == field.default and field.name not in always):
            continue
        number = repr(value).removesuffix(".0") if isinstance(value, float) else str(value)
        words += [f"--{field.name.replace('_', '-')}", *(() if value is True else (number,))]
    return shlex.join(words)


def run_function(action: Callable[..., None], argv: Sequence[str] | None = None) -> None:
    """A command line from a function that typer can read. Raises SystemExit unless all went well."""

    @functools.wraps(action)
    def call(**given: Any) -> None:
        with in_one_sentence():
            action(**given)

    if status := _status(call, argv):
        raise SystemExit(status)


def run(options: type[A], action: Callable[[A], object], argv: Sequence[str] | None, text: str, name: str | None = None) -> int:
    """Read the command line, run the action with the options, and return the exit status. `name` is what its help calls the command."""
    return _status(command(options, action, text), argv, name)


def _status(call: Callable[..., None], argv: Sequence[str] | None, name: str | None = None) -> int:
    words = list(sys.argv[1:] if argv is None else argv)
    if any("\0" in word for word in words):
        typer.echo("error: an argument holds the character NUL, which no name or number can", err=True)
        return 2
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command()(call)
    try:
        app(args=words, prog_name=name, standalone_mode=True)
    except SystemExit as leaving:
        return int(leaving.code or 0)
    return 0
