"""Options of commands: a command line from a dataclass, one list of options for the table, and the checks of what was given.

A command that plays takes `table: dict[str, Any]`, options of a GameConfig, and is decorated by `with_table()`: it has an option for each
of them on the command line. Trainers have a dataclass of options, and `run` makes a command line of it: one option for each field, whose
docstring is the help.

tyro reads dataclasses too. It is not used, because the `danmaku` command uses typer: tyro would be a second parser with other help and
other errors (a box of several lines, where our commands say one sentence).
"""

from __future__ import annotations

import ast
import contextvars
import functools
import inspect
import math
import shlex
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args, get_type_hints

import numpy as np
import typer

from danmaku_env.arguments import shown, truth, whole_number
from danmaku_env.config import CharacterWay, ConfigError, Expansion, GameConfig, RoleSet
from danmaku_env.console.cli_errors import CliCommand
from danmaku_env.console.errors import Sentence, UserError
from danmaku_env.named_tables import NAMED_TABLES
from danmaku_env.seeds import check_seed

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

A = TypeVar("A")


# ---------------------------------------------------------------- single values


def checked_seed(seed: int | None) -> int | None:
    """What an option for a seed calls back: the seed, or none where none was given. Raises BadParameter."""
    if seed is None:
        return None
    try:
        return check_seed(seed)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def file(words: str | Path) -> Path:
    """What reads an argument that names a file or folder that is there. Raises BadParameter for blanks, which Path takes for this one."""
    if not str(words).strip():
        raise typer.BadParameter(f"the name of a file or folder is needed, not {shown(str(words))}")
    return Path(words)


def path(words: str | Path) -> Path:
    """What reads an argument that names a file or folder to be written. Raises BadParameter for blanks, also around the name."""
    found = file(words)
    if str(words) != str(words).strip():
        raise typer.BadParameter(f"{shown(str(words))} begins or ends with a blank: leave that out")
    return found


# ---------------------------------------------------------------- who does the work


ProcessesOption = Annotated[int | None, typer.Option("--processes", min=1, max=1024, help="Processes; one for each core when left out.")]
RayOption = Annotated[bool, typer.Option("--ray", help="Play as tasks of Ray, here or on a cluster, instead of in processes.")]
AddressOption = Annotated[str, typer.Option("--address", help="With --ray: a running cluster (host:port, or auto).")]


# ---------------------------------------------------------------- the table


_OF_TABLE: dict[str, tuple[Any, str]] = {
    "roles": (RoleSet, "All roles, or those of a first game."),
    "expansion": (Expansion, "With the expansion Lunatic Extra, or none."),
    "bonus_character": (bool, "With Player 2, the bonus character."),
    "characters": (CharacterWay, "Chosen, dealt at random, drafted, two each (double_threat), or none."),
    "candidates": (int, "Characters that each seat chooses from, also when it recruits: 2 to 4."),
    "max_turns": (int, "Turns after which a game ends without winners."),
    "ask_seasons": (
        bool, "Ask which copy of a card is meant whenever copies differ, and not only where an incident collects by season.",
    ),
    "num_players": (int, "Seats at the table, 4 to 8."),
    "history": (int, "Events of the log that an observation ends with, and that a network reads: 0 to 1024."),
    "table": (str, f"A table by its name, instead of options of its own: {', '.join(NAMED_TABLES)}."),
}  # fmt: skip
"""Field of GameConfig, or `table` for all of them by a name -> its type on a command line, and the help."""
DEALT_AT_RANDOM = GameConfig(characters="random")
"""The table where games are compared: characters are dealt, the same in all games of a deal, unless something else is asked for."""
TABLE_OPTIONS = ("roles", "expansion", "bonus_character", "characters", "candidates")
"""Options of commands that play or record games."""
ALL_TABLE_OPTIONS = (*TABLE_OPTIONS, "max_turns", "ask_seasons")
"""Options of commands that compare agents."""


def with_table(
    names: Sequence[str] = TABLE_OPTIONS, defaults: GameConfig | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A decorator for a command: it gets an option for each of these fields of a GameConfig, and is given them as `table`, a mapping.

    While it goes on, `is_given` knows the words that it was read from.
    """

    def wrapped(command: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(command, include_extras=True)
        own = [one for one in inspect.signature(command).parameters.values() if one.name != "table"]
        kept = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[one.name]) for one in own]

        @functools.wraps(command)
        def call(context: typer.Context, **given: Any) -> None:
            there = _with_given(context, given)
            there.run(command, table={name: given.pop(name) for name in names}, **given)

        table = defaults or GameConfig()
        return signed(call, [_OF_TYPER, *kept, *(_parameter(name, *_OF_TABLE[name], getattr(table, name)) for name in names)])

    return wrapped


def table_of(data: dict[str, Any], names: Sequence[str], defaults: GameConfig, players: int) -> GameConfig:
    """Take the options of a table, or its name, out of the plain data of a plan. Raises ConfigError."""
    if _TABLE in data:
        return GameConfig.named(data.pop(_TABLE))
    return GameConfig(num_players=players, **{name: _planned(name, data.pop(name, getattr(defaults, name))) for name in names})


def table_data(table: GameConfig, names: Sequence[str]) -> dict[str, Any]:
    """The inverse: these options, or the name of a table that has others. Raises ConfigError for a table with others and no name."""
    for one in fields(table):
        value = getattr(table, one.name)
        if one.name not in (*names, "num_players") and value != one.default:
            if table.table:
                return {_TABLE: table.table}
            raise ConfigError(f"{one.name} cannot be {shown(value)} in a plan; it may set {', '.join(names)}")
    return {name: _planned(name, getattr(table, name)) for name in names}


def _planned(name: str, value: Any) -> Any:
    """The value, if it is one for all seats."""
    if name in ("roles", "characters") and not isinstance(value, str):
        raise ConfigError(f"{name} must be {', '.join(get_args(_OF_TABLE[name][0]))} in a plan, not {shown(value)}")
    return value


def table_words(table: GameConfig, names: Sequence[str], defaults: GameConfig) -> list[str]:
    """The words on a command line that ask for such games: their roles, and all options that are not the default."""
    said = {name: value for name in names if (value := getattr(table, name)) != getattr(defaults, name) or name == "roles"}
    return [word for name, value in said.items() for word in (f"--{name.replace('_', '-')}", *(() if value is True else (str(value),)))]


# ---------------------------------------------------------------- from a dataclass to a command line


@functools.cache
def field_docs(options: type) -> Mapping[str, str]:
    """The docstring below each field of a dataclass, and of those it comes from. The source of a class is read once."""
    docs = dict(field_docs(options.__base__)) if options.__base__ not in (None, object) else {}
    body = ast.parse(textwrap.dedent(inspect.getsource(options))).body[0]
    assert isinstance(body, ast.ClassDef)
    for line, after in zip(body.body, body.body[1:], strict=False):
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and isinstance(after, ast.Expr):
            docs[line.target.id] = inspect.cleandoc(str(ast.literal_eval(after.value)))
    return {one.name: docs[one.name] for one in fields(options) if one.name in docs}


def flags(*names: str) -> dict[str, Any]:
    """Metadata of a field `table` of a dataclass: which fields of that GameConfig are options of the command line."""
    return {_TABLE: names}


_TABLE = "table"


def _flag(name: str) -> str:
    """What a field of a GameConfig is called on a command line, and in a checkpoint."""
    return "players" if name == "num_players" else name


def parameters(options: type) -> list[inspect.Parameter]:
    """An option for each field, and for each of those that a table has, as typer reads it."""
    hints, docs = get_type_hints(options), field_docs(options)
    found = []
    for one in fields(options):
        assert one.default is not MISSING, f"{one.name} needs a default"
        names = one.metadata.get(_TABLE)
        own = [(one.name, hints[one.name], docs[one.name], one.default)] if names is None else []
        found += own + [(_flag(name), *_OF_TABLE[name], value) for name, value in _options_of(one.default, names or ()).items()]
    return [_parameter(*each) for each in found]


def flat(given: DataclassInstance) -> dict[str, Any]:
    """The options by their names on a command line."""
    found: dict[str, Any] = {}
    for one in fields(given):
        value, names = getattr(given, one.name), one.metadata.get(_TABLE)
        found |= {one.name: value} if names is None else {_flag(name): said for name, said in _options_of(value, names).items()}
    return found


def _options_of(table: Any, names: Sequence[str]) -> dict[str, Any]:
    """What these options say of a table: where its name says all, the others have their defaults."""
    name = table.table if _TABLE in names else ""
    of = replace(GameConfig(), history=table.history) if name else table
    return {one: name if one == _TABLE else getattr(of, one) for one in names}


def from_flat(options: type[A], given: Mapping[str, Any]) -> A:
    """The inverse. Raises ValueError."""
    values = {}
    for one in fields(options):  # type: ignore[arg-type]
        names = one.metadata.get(_TABLE)
        default: Any = one.default
        values[one.name] = given[one.name] if names is None else _table_from(default, {name: given[_flag(name)] for name in names})
    return options(**values)


def _table_from(defaults: GameConfig, said: dict[str, Any]) -> GameConfig:
    """The default table with these options changed. Raises ConfigError where it is named and another option is given, too."""
    name = said.pop(_TABLE, "")
    if not name:
        return replace(defaults, **said)
    for option, value in said.items():
        if option != "history" and (value != getattr(defaults, option) or is_given(_flag(option))):
            raise ConfigError(f"{_flag(option)} is said beside the table {name}, which has its own: leave one of the two out")
    return GameConfig.named(name, said.get("history", 0))


def _parameter(name: str, kind: Any, text: str, default: Any) -> inspect.Parameter:
    option = typer.Option(help=text, parser=path if kind is Path else None)
    annotation = Annotated[kind, option]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def signed(call: Callable[..., None], found: Sequence[inspect.Parameter]) -> Callable[..., None]:
    """The function, with these parameters for typer to read."""
    call.__signature__ = inspect.Signature(found)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in found}
    return call


def command(options: type[A], action: Callable[[A], object], text: str) -> Callable[..., None]:
    """A function typer can read: its parameters are the fields, and typer's context, which knows the words they were read from."""

    def call(context: typer.Context, **given: Any) -> None:
        there = _with_given(context, given)
        there.run(lambda: action(from_flat(options, given)))

    call.__doc__ = text
    return signed(call, [_OF_TYPER, *parameters(options)])


_OF_TYPER = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
_GIVEN: contextvars.ContextVar[frozenset[str]] = contextvars.ContextVar("given", default=frozenset())
"""Options that stand in the command line whose action goes on. Not a field of them: it would be kept in checkpoints and compared."""


def is_given(name: str) -> bool:
    """Whether the option stands in the command line that is carried out, default or not; never where Python calls."""
    return name in _GIVEN.get()


def check_new_game(*names: str) -> None:
    """Raise UserError where one of these options is given, or one of the table's: they are of a new game, and the command has a file."""
    for name in (*names, *TABLE_OPTIONS):
        if is_given(name):
            raise UserError(f"--{name.replace('_', '-')} is of a new game: leave it out, or the file")


def _with_given(context: typer.Context, given: Mapping[str, Any]) -> contextvars.Context:
    """A copy of the context of Python in which `is_given` knows which of these options stand in the command line."""
    there = contextvars.copy_context()
    there.run(_GIVEN.set, frozenset(name for name in given if _source(context, name) == "COMMANDLINE"))
    return there


def _source(context: typer.Context, name: str) -> str:
    source = context.get_parameter_source(name)
    return source.name if source else ""


def module_command(module: str, *, expansion: str, **given: int) -> str:
    """The command that makes a file anew, to be written into it."""
    words = [f"--{name} {value}" for name, value in given.items()]
    return " ".join([f"python -m danmaku_env.training.{module}", *words, *([f"--expansion {expansion}"] if expansion != "none" else [])])


def command_of(module: str, given: DataclassInstance, always: Sequence[str] = (), never: Sequence[str] = ()) -> str:
    """The command line of a module with these options: those that differ from the default and `always`, without folder and `never`."""
    words = ["python", "-m", f"danmaku_env.training.{module}"]
    defaults = {one.name: one.default for one in parameters(type(given))}
    for name, value in flat(given).items():
        if name in ("folder", "resume", *never) or (value == defaults[name] and name not in always):
            continue
        number = repr(value).removesuffix(".0") if isinstance(value, float) else str(value)
        words += [f"--{name.replace('_', '-')}", *(() if value is True else (number,))]
    return shlex.join(words)


def run_function(action: Callable[..., None], argv: Sequence[str] | None = None) -> None:
    """A command line from a function that typer can read. Raises SystemExit unless all went well."""
    _run(action, _file_of(action), argv)


def run(options: type[A], action: Callable[[A], object], argv: Sequence[str] | None, text: str, name: str | None = None) -> None:
    """Read the command line, and run the action with the options. Raises SystemExit with the exit status unless all went well.

    `name` is what its help calls the command, and errors begin with its first word; left out, that is the file of the action.
    """
    program = name.partition(" ")[0] if name else _file_of(action)
    _run(command(options, action, text), program, argv, name)


def _file_of(action: Callable[..., object]) -> str:
    """The short name of the module that an action stands in: `imitate`, also where that is run as a program."""
    return Path(inspect.getfile(inspect.unwrap(action))).stem


def _run(call: Callable[..., None], program: str, argv: Sequence[str] | None, name: str | None = None) -> None:
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(cls=type("_Trainer", (CliCommand,), {"program": program, "user_errors": (ValueError, Sentence)}))(call)
    try:
        app(args=None if argv is None else list(argv), prog_name=name)
    except SystemExit as leaving:
        if leaving.code:
            raise


# ---------------------------------------------------------------- checks


def check_types(given: DataclassInstance) -> None:
    """Have every option be of the type of its field, as the command line would make it: numbers of NumPy, and a text for a path, too.

    Raises ValueError where one is something else, or the name of a folder begins or ends with a blank.
    """
    kinds = get_type_hints(type(given))
    for name in [one.name for one in fields(given)]:
        value, kind = getattr(given, name), kinds[name]
        if (taken := _taken(value, kind)) is None:
            raise ValueError(f"{name} must be {_WANTED.get(kind) or f'one of {get_args(kind)}'}, not {shown(value)}")
        if isinstance(taken, Path) and str(taken) != str(taken).strip():
            raise ValueError(f"{name} must not begin or end with a blank, as in {str(taken)!r}")
        object.__setattr__(given, name, taken)  # it is frozen, and this its beginning
    for one in fields(given):
        if (names := one.metadata.get(_TABLE)) is not None and not (_TABLE in names and getattr(given, one.name).table):
            table_data(getattr(given, one.name), [name for name in names if name != _TABLE])


_WANTED = {
    int: "a whole number", float: "a number", bool: "True or False", str: "a text", Path: "a path", GameConfig: "a GameConfig",
}  # fmt: skip


def _taken(value: object, kind: Any) -> object:
    """The value as an option of a type has it; None where it cannot be one."""
    if kind is int:
        return whole_number(value)
    if kind is float:
        number = value.item() if isinstance(value, (np.integer, np.floating)) else value
        return number if isinstance(number, (int, float)) and not isinstance(number, bool) else None
    if kind is bool:
        return truth(value)
    if kind is Path:
        return Path(value) if isinstance(value, (str, Path)) else None
    if kind is GameConfig:
        return value if isinstance(value, GameConfig) else None
    if kind is str:
        return str(value) if isinstance(value, str) else None
    return str(value) if isinstance(value, str) and value in get_args(kind) else None


MOST_GAMES = 1_000_000
"""Of one configuration: more is a slip of the finger."""
_MOST_COUNTED, MOST_WEIGHT = 1 << 30, 1e6
"""What is more than this is a slip of the finger, and would be an error from the depths."""


def check_counts(given: DataclassInstance, *names: str, least: int = 1, most: Mapping[str, int] = {}) -> None:
    """Raise ValueError unless these options are at least this many, and at most what is said of them, or _MOST_COUNTED."""
    for name in names:
        value, highest = getattr(given, name), most.get(name, _MOST_COUNTED)
        if not least <= value <= highest:
            raise ValueError(f"{name} must be at least {least} and at most {highest:,}, not {shown(value)}")


def check_range(given: DataclassInstance, low: float, high: float, *names: str) -> None:
    """Raise ValueError unless these options are from low to high."""
    for name in names:
        if not low <= getattr(given, name) <= high:
            raise ValueError(f"{name} must be from {low:g} to {high:g}, not {shown(getattr(given, name))}")


def check_above_0(given: DataclassInstance, *names: str) -> None:
    """Raise ValueError unless these options are above 0."""
    for name in names:
        if not getattr(given, name) > 0:
            raise ValueError(f"{name} must be above 0, not {shown(getattr(given, name))}")


def check_finite(given: DataclassInstance, *names: str) -> None:
    """Raise ValueError where one of these options, which may be 0, is negative or infinite."""
    for name in names:
        if not 0 <= getattr(given, name) < math.inf:
            raise ValueError(f"{name} must not be negative or infinite, but it is {shown(getattr(given, name))}")


def player_counts(words: str) -> list[int]:
    """The numbers of players of a list with commas between. Raises ValueError unless they are numbers, each once."""
    counts = [word.strip() for word in words.split(",")]
    numbers = [int(word) for word in counts if word.isascii() and word.isdecimal() and len(word) <= 3]
    if len(set(numbers)) != len(counts):
        raise ValueError(f"players must be different numbers from 4 to 8 with commas between, like 4,5,6, not {shown(words)}")
    return numbers


def check_one_of(given: DataclassInstance, name: str, words: Sequence[str]) -> None:
    """Raise ValueError unless the option is one of these words."""
    if getattr(given, name) not in words:
        raise ValueError(f"{name} must be {', '.join(words[:-1])} or {words[-1]}, not {getattr(given, name)!r}")


def check_deals(given: DataclassInstance, *names: str) -> None:
    """Raise ValueError unless these options are numbers of deals by whose differences chance can be judged, or 0 for none."""
    for name in names:
        if not (value := getattr(given, name)) == 0 and not 2 <= value <= _MOST_COUNTED:
            raise ValueError(f"{name} must be 0 or at least 2, not {shown(value)}")


def plain(given: DataclassInstance) -> dict[str, Any]:
    """The options as data for JSON."""
    return {name: str(value) if isinstance(value, Path) else value for name, value in flat(given).items()}
