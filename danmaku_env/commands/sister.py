"""`danmaku shisoroku`: the other game on this machine, loaded when it is called."""

from __future__ import annotations

import importlib

import typer


def shisoroku(context: typer.Context) -> None:
    """Shisouroku, a deck-builder for 2 to 4 seats: see docs/sister.md."""
    module = importlib.import_module("danmaku_env.commands.shisoroku")
    module.app(args=list(context.args), prog_name=context.command_path)
