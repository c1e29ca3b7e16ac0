"""How the games of a command are set up: its options, one list for all commands.

A command takes `table: TableOptions` (or `DealtOptions`, where games are compared) and is wrapped in `spread`: on the command line it has
an option for each field, with the field's docstring as its help. Plans that are kept have the same fields.
"""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from danmaku_env.arguments import shown
from danmaku_env.config import CHARACTER_WAYS, ROLE_SETS, CharacterWay, ConfigError, Expansion, GameConfig, RoleSet
from danmaku_env.game import check_seed


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
    """The same for what is written: a name that begins or ends with a blank is a slip, which agents named by it would not survive."""
    found = file(words)
    if str(words) != str(words).strip():
        raise typer.BadParameter(f"{shown(str(words))} begins or ends with a blank: leave that out")
    return found


@dataclass(frozen=True, kw_only=True)
class TableOptions:
    """What is in the box, and how the seats come to their characters."""

    roles: RoleSet = "advanced"
    """All roles, or those of a first game."""
    expansion: Expansion = "none"
    """With the expansion Lunatic Extra, or none."""
    bonus_character: bool = False
    """With Player 2, the bonus character."""
    characters: CharacterWay = "choose"
    """Chosen, dealt at random, drafted, two each (double_threat), or none."""
    candidates: int = 2
    """Characters that each seat chooses from, also when it recruits: 2 to 4."""

    def said(self) -> dict[str, Any]:
        """Options of a GameConfig, or of a plan that has them too."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def config(self, players: int) -> GameConfig:
        """The games of a table of so many. Raises ConfigError for options that do not go together."""
        return GameConfig(num_players=players, **self.said())


@dataclass(frozen=True, kw_only=True)
class DealtOptions(TableOptions):
    """The same for games that are compared: characters are dealt where nothing else is said."""

    characters: CharacterWay = "random"
    """Dealt at random, the same in all games of a deal; chosen, drafted or two each (double_threat), by whoever plays; or none."""
    max_turns: int = 400
    """Turns after which a game ends without winners."""
    ask_seasons: bool = False
    """Ask which copy of a card is meant whenever copies differ, and not only where an incident collects by season."""


def config_of(plan: Any, options: type[TableOptions], players: int) -> GameConfig:
    """How the games of a plan are set up that has a field for each of the options. Raises ConfigError."""
    if not isinstance(plan.characters, str):
        raise ConfigError(f"characters must be {', '.join(CHARACTER_WAYS)} in a plan, not {shown(plan.characters)}")
    if not isinstance(plan.roles, str):
        raise ConfigError(f"roles must be {' or '.join(ROLE_SETS)} in a plan, not {shown(plan.roles)}")
    return GameConfig(num_players=players, **{field.name: getattr(plan, field.name) for field in fields(options)})


def table_words(plan: Any, options: type[TableOptions]) -> list[str]:
    """The words on a command line that ask for such games: their roles, and whatever is not as usual."""
    values = {field.name: (getattr(plan, field.name), field.default) for field in fields(options)}
    said = {name: value for name, (value, usual) in values.items() if name == "roles" or value != usual}
    words = ([f"--{name.replace('_', '-')}", *(() if value is True else (str(value),))] for name, value in said.items())
    return [word for pair in words for word in pair]


def field_docs(options: type) -> dict[str, str]:
    """The docstring below each field of a dataclass, and of those it comes from."""
    docs = field_docs(options.__base__) if options.__base__ not in (None, object) else {}
    body = ast.parse(textwrap.dedent(inspect.getsource(options))).body[0]
    assert isinstance(body, ast.ClassDef)
    for line, after in zip(body.body, body.body[1:], strict=False):
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and isinstance(after, ast.Expr):
            docs[line.target.id] = inspect.cleandoc(str(ast.literal_eval(after.value)))
    return docs


def parameters(options: type) -> list[inspect.Parameter]:
    """An option for each field, as typer reads it."""
    hints, docs = get_type_hints(options), field_docs(options)
    found = []
    for field in fields(options):
        assert field.default is not MISSING, f"{field.name} needs a default"
        option = typer.Option(help=docs[field.name], parser=path if hints[field.name] is Path else None)
        kind: Any = Annotated.__class_getitem__((hints[field.name], option))  # type: ignore[attr-defined]
        found.append(inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=kind))
    return found


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """The command with an option for each field of `table`, its parameter that is one of the dataclasses here."""
    hints = get_type_hints(command, include_extras=True)
    options: type[TableOptions] = hints.pop("table")
    own = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[one.name]) for one in _own_parameters(command)]
    names = [field.name for field in fields(options)]

    @functools.wraps(command)
    def call(**given: Any) -> None:
        command(table=options(**{name: given.pop(name) for name in names}), **given)

    call.__signature__ = inspect.Signature([*own, *parameters(options)])  # type: ignore[attr-defined]
    call.__annotations__ = {one.name: one.annotation for one in call.__signature__.parameters.values()}  # type: ignore[attr-defined]
    return call


def _own_parameters(command: Callable[..., None]) -> list[inspect.Parameter]:
    return [one for one in inspect.signature(command).parameters.values() if one.name != "table"]
