"""`danmaku watch`: look at a game, step by step or as a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from danmaku_env.agents.seating import seat_agents, split_specs, strongest_quick
from danmaku_env.arena.tournaments.replay_pages import replay_by_name
from danmaku_env.commands.app import OtherRulesOption, PlayersOption, SeedOption, check_seat, fresh_seed, say
from danmaku_env.config import GameConfig
from danmaku_env.console import options
from danmaku_env.console.errors import UserError
from danmaku_env.console.options import with_table
from danmaku_env.game import Game, OtherRules, check_writable, write_atomically
from danmaku_env.play.recording import Recording
from danmaku_env.play.replay_page import belief_models_of, replay_html
from danmaku_env.play.screen import Screen
from danmaku_env.play.watching import Watcher


@with_table()
def watch(
    table: dict[str, Any],
    file: Annotated[
        Path | None, typer.Argument(parser=options.file, help="A replay, or a tournament's folder; a fresh game of agents when left out.")
    ] = None,
    name: Annotated[str | None, typer.Option("--game", help="Which game of a tournament: players/deal/game, such as 6/12/0.")] = None,
    players: PlayersOption = 6,
    seat: Annotated[int | None, typer.Option(min=0, max=7, help="Watch as this seat sees it; from above when left out.")] = None,
    against: Annotated[
        str | None,
        typer.Option(help=f"Without a file: the agents of the seats, from seat 0 on and over again; {strongest_quick()} when left out."),
    ] = None,
    seed: SeedOption = None,
    step: Annotated[int | None, typer.Option(min=0, help="Show this one step and nothing else.")] = None,
    other_rules: OtherRulesOption = False,
    delay: Annotated[float | None, typer.Option(min=0.0, max=3600.0, help="Play on with this many seconds between steps.")] = None,
    html: Annotated[
        Path | None, typer.Option(parser=options.path, help="Write the whole game as one page for a browser to this file.")
    ] = None,
    belief_models: Annotated[
        list[str] | None, typer.Option("--belief-model", help="Whose beliefs to draw; the deducer's when left out.")
    ] = None,
) -> None:
    """Step through a replay, or through a game of agents, forwards and backwards; `h` lists the keys."""
    if file is not None:
        options.check_new_game("players", "against", "seed")
    if step is not None and delay is not None:
        raise UserError("--step shows one step and --delay plays on: give one of them")
    if html is not None and (step is not None or delay is not None or seat is not None):
        raise UserError("--html writes every step as everybody sees it: leave out --step, --delay and --seat")
    if html is not None and file is not None and html.exists() and html.samefile(file):
        raise UserError(f"--html would write the page over the replay {file}: give another file")
    if html is not None:
        check_writable(html, b"<!doctype html>", "page")
    if belief_models and html is None:
        raise UserError("--belief-model says whose beliefs --html draws: give --html too")
    if other_rules and file is None:
        raise UserError("--other-rules tries a game that was kept: give its file, or the folder of its tournament, too")
    if name is not None and (file is None or not file.is_dir()):
        raise UserError("--game names a game of a tournament: give the tournament's folder too")
    if file is not None:
        recording = _kept(file, name, other_rules=other_rules)
    else:
        check_seat(seat, players)
        number = fresh_seed(seed)
        game = Game.new(GameConfig(num_players=players, **table), number)
        recording = Recording.of_agents(game, seat_agents(split_specs(against or strongest_quick()), players, number))
    if html is not None:
        _write_page(recording, html, belief_models)
        return
    watcher = Watcher(recording, Screen(), seat, belief_models=belief_models_of(None))
    if recording.problem and (step is None or not watcher.view.find(step)):
        raise recording.problem
    if step is not None:
        watcher.step = step
        watcher.show()
    elif delay is not None:
        watcher.play(delay)
    else:
        watcher.walk()


def _write_page(recording: Recording, file: Path, specs: Sequence[str] | None) -> None:
    """Write a game as a page. A replay that cannot be played to its end is refused like everywhere else."""
    if recording.problem:
        raise recording.problem
    try:
        text = replay_html(recording, belief_models_of(specs))
        write_atomically(file, text.encode())
    except OSError as error:
        raise UserError(f"the page could not be written to {file}: {error.strerror}") from None
    say(f"{file}: {recording.steps} steps, {len(text.encode()) / 1e6:.2f} MB; open it in any browser")


def _kept(file: Path, name: str | None, *, other_rules: bool) -> Recording:
    """The game of a replay file, or of a tournament's folder."""
    try:
        return _load_from_tournament(file, name, other_rules=other_rules) if file.is_dir() else _load(file, other_rules=other_rules)
    except OtherRules as error:
        raise error.for_a_command() from None


def _load(file: Path, *, other_rules: bool) -> Recording:
    try:
        return Recording.load(file, other_rules=other_rules)
    except OSError as error:
        raise UserError(f"the replay {file} cannot be read: {error.strerror}") from None


def _load_from_tournament(folder: Path, name: str | None, *, other_rules: bool) -> Recording:
    if name is None:
        raise UserError(
            f"{folder} is a folder: name one of its tournament's games with --game players/deal/game, such as 6/12/0; of recorded games "
            "save one with danmaku_env.arena.data.record.replay(folder, number).save(file) and watch that file"
        )
    try:
        return Recording.of_replay(replay_by_name(folder, name), other_rules=other_rules)
    except OtherRules as error:
        raise error.of(f"the game {name} in {folder}") from None
