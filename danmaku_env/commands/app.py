"""The command itself, and what its parts share."""

from __future__ import annotations

import secrets
from typing import Annotated

import typer

from danmaku_env import __version__
from danmaku_env.arguments import printable
from danmaku_env.cards.encyclopedia import UnknownCard
from danmaku_env.config import ConfigError
from danmaku_env.console.cli_errors import CliGroup
from danmaku_env.console.errors import UserError
from danmaku_env.console.options import checked_seed
from danmaku_env.game import ReplayError
from danmaku_env.play.watching import NoSuchStep


class _Danmaku(CliGroup):
    """The command."""

    user_errors = (ConfigError, ReplayError, UnknownCard, NoSuchStep)


app = typer.Typer(cls=_Danmaku, rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


PlayersOption = Annotated[int, typer.Option("--players", "-n", min=4, max=8, help="Seats at the table.")]
SeedOption = Annotated[int | None, typer.Option(callback=checked_seed, help="Seed of the game; random when left out.")]
FewOption = Annotated[int | None, typer.Option("--processes", min=1, max=1024, help="Processes; 1, or with --ray one for each core.")]
OtherRulesOption = Annotated[
    bool, typer.Option("--other-rules", help="Try it by the rules of today, though the game was played by others.")
]


def fresh_seed(seed: int | None) -> int:
    """The seed that was given, or a random one."""
    return secrets.randbelow(1 << 32) if seed is None else seed


def say(words: str) -> None:
    """Print a line."""
    typer.echo(printable(words))


@app.callback(invoke_without_command=True)
def _top(context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    """Danmaku!!, a hidden-role card game for 4 to 8 players."""
    if version:
        say(f"danmaku-env {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def check_seat(seat: int | None, players: int) -> None:
    """Raise UserError for an unknown seat."""
    if seat is not None and seat >= players:
        raise UserError(f"there is no seat {seat} at a table of {players}; the seats are 0 to {players - 1}")
