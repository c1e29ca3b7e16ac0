"""What the commands of all sister games do alike: a person plays, bots are watched, speed is measured, a network is trained."""

from __future__ import annotations

import functools
import inspect
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import numpy as np
import typer
from rich.progress import Progress

from danmaku_env.arguments import number_said, shown
from danmaku_env.commands.app import say
from danmaku_env.commands.speed import measured
from danmaku_env.console import options
from danmaku_env.console.cli_errors import CliGroup
from danmaku_env.console.errors import UserError, needed
from danmaku_env.envs.vector import make_vec
from danmaku_env.game import IllegalAction
from danmaku_env.sister.bots import Bot, introduce
from danmaku_env.sister.duels import OnProgress

GamesOption = Annotated[int, typer.Option(min=1, max=1 << 20, help="Games in the batch.")]
ThreadsOption = Annotated[int, typer.Option(min=1, max=1024, help="Threads that advance it.")]
MeasuredOption = Annotated[float, typer.Option(min=0.01, max=3600.0, help="How long to measure.")]
FolderOption = Annotated[Path, typer.Option(parser=options.path, help="Where network, curve and picture go.")]
SecondsOption = Annotated[float, typer.Option(min=1, max=1e7, help="How long to train.")]
ResumeOption = Annotated[bool, typer.Option(help="Go on with the run in the folder.")]
LearnersOption = Annotated[int, typer.Option(min=1, max=64, help="Threads that answer and learn.")]
DeviceOption = Annotated[str, typer.Option(help="Where the network is: cpu or cuda.")]
DelayOption = Annotated[float, typer.Option(min=0, max=60, help="Seconds between turns.")]
TrainSeedOption = Annotated[int, typer.Option(callback=options.checked_seed, help="Seed of everything.")]

Table = Callable[[Any, "int | None"], str]
"""(game, seat): the table as a seat sees it, or from above."""


def command_of(group: type[CliGroup], about: str) -> typer.Typer:
    """The command of a game, which shows its help where nothing follows."""
    app = typer.Typer(cls=group, rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)

    @app.callback(invoke_without_command=True, help=about)
    def top(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            typer.echo(context.get_help())

    return app


def bots_named(seats: str, players: int) -> list[str]:
    """The bots that `money+random` names, at most one for each seat. Raises UserError."""
    if len(names := seats.split("+")) > players:
        raise UserError(f"there are {players} seats, and {len(names)} bots are named: {seats}")
    return names


def with_config(
    config_of: Callable[..., Any], names: Sequence[str] | None = None, **defaults: Any
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A decorator for a command: it gets the options of `config_of`, or those of these names, and is given what that makes as `config`."""
    kinds = get_type_hints(config_of, include_extras=True)
    of_table = {name: one for name, one in inspect.signature(config_of).parameters.items() if names is None or name in names}

    def wrapped(command: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(command, include_extras=True) | kinds
        own = [one for one in inspect.signature(command).parameters.values() if one.name != "config"]
        table = [one.replace(default=defaults.get(name, one.default)) for name, one in of_table.items()]

        @functools.wraps(command)
        def call(**given: Any) -> None:
            command(config=config_of(**{name: given.pop(name) for name in of_table}), **given)

        keyword = inspect.Parameter.KEYWORD_ONLY
        return options.signed(call, [one.replace(kind=keyword, annotation=hints[one.name]) for one in (*own, *table)])

    return wrapped


def say_lines(lines: str) -> None:
    """Print lines."""
    for line in lines.split("\n"):
        say(line)


def play_in_terminal(game: Any, seat: int, bot: Bot, table: Table, about: Mapping[str, Callable[[Any, str], str]]) -> None:
    """Have a person play a seat, by numbers or names, and a bot the others. What follows a sign of `about` is explained instead."""
    introduce(game.config, [bot])
    while not game.over:
        if game.asking != seat:
            answer(game, bot)
            continue
        say_lines(table(game, seat))
        if not _asked(game, about):
            return
    say_lines(table(game, seat))


def _asked(game: Any, about: Mapping[str, Callable[[Any, str], str]]) -> bool:
    """Have the person answer; False where they leave."""
    while True:
        try:
            words = input("> ").strip()
        except EOFError:
            return False
        if words in ("q", "quit"):
            return False
        if words[:1] in about:
            say_lines(about[words[0]](game, words[1:].strip()))
            continue
        legal = game.legal()
        try:
            number = number_said(words)
            game.act(legal[number - 1] if number and number <= len(legal) else words)
        except IllegalAction:
            signs = "".join(f"{sign}card, " for sign in about).removesuffix(", ")
            say(f"{shown(words)} is no answer here: give a number from 1 to {len(legal)}, {signs} or q")
            continue
        return True


def watch_bots(game: Any, bots: Sequence[Bot], table: Table, observer: int | None, delay: float) -> None:
    """Play a game of bots, in the seats over and over, and print the table at the beginning of every turn, and at the end."""
    introduce(game.config, bots)
    turn = -1
    while not game.over:
        if game.turn_number != turn:
            turn = game.turn_number
            say_lines(table(game, observer) + "\n")
            time.sleep(delay)
        answer(game, bots[game.asking % len(bots)])
    say_lines(table(game, None))


def answer(game: Any, bot: Bot) -> None:
    """Have a bot answer for the seat that is asked."""
    rows, masks = game.observe(game.asking)[None], game.action_mask()[None]
    game.act(int(bot.answer(game.records, np.array([game.asking]), rows, masks)[0]))


def say_grid(rows: Sequence[str], columns: Sequence[str], cell: Callable[[int, int], str]) -> None:
    """Print a table: a cell for each row and column, by number."""
    wide = max(18, *(len(name) + 2 for name in (*rows, *columns)))
    say("".ljust(wide) + "".join(name.rjust(wide) for name in columns))
    for row, name in enumerate(rows):
        say(name.ljust(wide) + "".join(cell(row, column).rjust(wide) for column in range(len(columns))))


def shown_on(bar: Progress) -> OnProgress:
    """A callback that shows the share that is done, and what is being played, on the bar."""
    task = bar.add_task("", total=1.0, note="")
    return lambda share, note: bar.update(task, completed=share, note=note)


def say_speed(config: Any, games: int, threads: int, seconds: float) -> None:
    """Measure batched random play: every decision writes the observation and the action mask of the seat asked."""
    vec = make_vec(games, config, threads=threads)
    vec.reset(0)
    steps, _, spent = measured(vec, seconds)
    say(f"{steps * games / spent:,.0f} decisions a second ({games} games, {threads} thread{'s' * (threads > 1)})")


def learn(module: str, config: Any, **given: Any) -> None:
    """Train the network of a game, `LEARNABLE` of a module that needs torch. Raises UserError."""
    game = needed(module, "training", "train").LEARNABLE
    selfplay = needed("danmaku_env.sister.learning.selfplay", "training", "train")
    try:
        selfplay.train(game, selfplay.SelfPlayArgs(config=config, **given))
    except ValueError as error:
        raise UserError(str(error)) from None
