"""A command line from a dataclass: one option per field, whose docstring is the help."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

A = TypeVar("A")


def field_docs(options: type) -> dict[str, str]:
    """The docstring below each field."""
    body = ast.parse(textwrap.dedent(inspect.getsource(options))).body[0]
    assert isinstance(body, ast.ClassDef)
    docs = {}
    for line, after in zip(body.body, body.body[1:], strict=False):
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and isinstance(after, ast.Expr):
            docs[line.target.id] = inspect.cleandoc(str(ast.literal_eval(after.value)))
    return docs


def command(options: type[A], action: Callable[[A], object], text: str) -> Callable[..., None]:
    """A function typer can read: its parameters are the fields. Errors of the program become one sentence and exit status 2."""
    hints, docs = get_type_hints(options), field_docs(options)

    def call(**given: Any) -> None:
        try:
            action(options(**given))
        except (ValueError, OSError) as error:
            typer.echo(f"error: {error}", err=True)
            raise typer.Exit(2) from None

    parameters = []
    for field in fields(options):  # type: ignore[arg-type]
        assert field.default is not MISSING, f"{field.name} needs a default"
        kind: Any = Annotated.__class_getitem__((hints[field.name], typer.Option(help=docs[field.name])))  # type: ignore[attr-defined]
        parameters.append(inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=kind))
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    call.__doc__ = text
    return call


def run(options: type[A], action: Callable[[A], object], argv: Sequence[str] | None, text: str) -> int:
    """Read the command line, run the action with the options, and return the exit status."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command()(command(options, action, text))
    try:
        app(args=list(sys.argv[1:] if argv is None else argv), standalone_mode=True)
    except SystemExit as leaving:
        return int(leaving.code or 0)
    return 0
