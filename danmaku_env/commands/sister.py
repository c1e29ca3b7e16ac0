"""`danmaku shisoroku` and `danmaku utage`: the other games on this machine, loaded when they are called."""

from __future__ import annotations

import importlib

import typer


def _handed_on(context: typer.Context, module: str) -> None:
    importlib.import_module(f"danmaku_env.commands.{module}").app(args=list(context.args), prog_name=context.command_path)


def shisoroku(context: typer.Context) -> None:
    """Shisouroku, a deck-builder for 2 to 4 seats: see docs/sister.md."""
    _handed_on(context, "shisoroku")


def utage(context: typer.Context) -> None:
    """Gensou no Utage, a trading-card game for 2 seats: see docs/sister.md."""
    _handed_on(context, "utage")
