"""`danmaku play`: a game in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from danmaku_env.agents.seating import default_belief_model, seat_agents, split_specs, strongest_quick
from danmaku_env.commands.app import OtherRulesOption, PlayersOption, SeedOption, check_seat, fresh_seed, say
from danmaku_env.config import GameConfig
from danmaku_env.console import options
from danmaku_env.console.errors import UserError
from danmaku_env.console.options import with_table
from danmaku_env.game import REPLAY_BEGINS, Game, OtherRules, Replay, check_writable
from danmaku_env.play.ending import ended_in_order
from danmaku_env.play.game_in_play import PERSON
from danmaku_env.play.person import TerminalGame
from danmaku_env.play.screen import Screen

AgainstOption = Annotated[
    str | None,
    typer.Option(
        help=f"Agents for the other seats, clockwise from you and over again: heuristic,random; {strongest_quick()} when left out."
    ),
]


def _save(replay: Path | None, game: Game) -> None:
    if replay is None:
        return
    try:
        game.replay().save(replay)
    except OSError as error:
        raise UserError(f"the replay could not be written to {replay}: {error.strerror}") from None


def _under_way(file: Path, *, other_rules: bool) -> Game:
    """The game of a replay, or of a table that the server keeps, as far as it got."""
    try:
        game = Replay.load(file).play(other_rules=other_rules)
    except OtherRules as error:
        raise error.for_a_command() from None
    except OSError as error:
        raise UserError(f"the game {file} cannot be read: {error.strerror}") from None
    if game.over:
        raise UserError(f"the game {file} is over: `danmaku watch` shows it")
    return game


@with_table()
def play(
    table: dict[str, Any],
    file: Annotated[
        Path | None,
        typer.Argument(parser=options.file, help="A game to go on with: a replay, or one the server keeps; a new one when left out."),
    ] = None,
    players: PlayersOption = 6,
    seat: Annotated[int | None, typer.Option(min=0, max=7, help="Your seat; 0, or that of a person in the file, when left out.")] = None,
    against: AgainstOption = None,
    practice: Annotated[bool, typer.Option("--practice", help="Answers may be taken back with `undo`.")] = False,
    seed: SeedOption = None,
    other_rules: OtherRulesOption = False,
    replay: Annotated[Path | None, typer.Option(parser=options.path, help="Save the game to this file at the end.")] = None,
) -> None:
    """Play one game in the terminal against agents. You see what your seat may see."""
    if file is not None:
        options.check_new_game("players")  # a seed is that of the others, too, and who they are is in no file
    elif other_rules:
        raise UserError("--other-rules tries a game that was kept: give its file too")
    if replay is not None:
        check_writable(replay, REPLAY_BEGINS, "replay")
    number = fresh_seed(seed)
    game = Game.new(GameConfig(num_players=players, **table), number) if file is None else _under_way(file, other_rules=other_rules)
    players = game.config.num_players
    place = seat if seat is not None else game.agents.index(PERSON) if PERSON in game.agents else 0
    check_seat(place, players)
    agents = seat_agents(split_specs(against or strongest_quick()), players, number, person=place)
    terminal = TerminalGame(game, place, agents, Screen(), practice=practice, belief_model=default_belief_model(number), replay=replay)
    with ended_in_order():
        try:
            terminal.play()
        finally:
            _save(replay, terminal.game)
        if file is None:
            say(f"Seed {number}.")
        if replay is not None:
            say(f"replay saved to {replay}")
