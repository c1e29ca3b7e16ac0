"""`danmaku shisoroku`: Shisouroku, with options of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from danmaku_env.commands.app import SeedOption, check_seat, fresh_seed, say
from danmaku_env.commands.sister_parts import (
    DelayOption,
    DeviceOption,
    FolderOption,
    GamesOption,
    LearnersOption,
    MeasuredOption,
    ResumeOption,
    SecondsOption,
    ThreadsOption,
    TrainSeedOption,
    bots_named,
    command_of,
    learn,
    play_in_terminal,
    say_grid,
    say_lines,
    say_speed,
    shown_on,
    watch_bots,
    with_config,
)  # fmt: skip
from danmaku_env.console import options
from danmaku_env.console.cli_errors import CliGroup
from danmaku_env.console.errors import UserError, needed
from danmaku_env.console.terminal import Terminal, training_bar
from danmaku_env.estimates import signed
from danmaku_env.sister.bots import BotError
from danmaku_env.sister.shisoroku import ConfigError, Game, ShisorokuConfig, text, tournament
from danmaku_env.sister.shisoroku import bots as shisoroku_bots
from danmaku_env.sister.shisoroku.cards import box


class _Shisoroku(CliGroup):
    """The command."""

    user_errors = (ConfigError, BotError)


app = command_of(_Shisoroku, "Shisouroku, a deck-builder for 2 to 4 seats: see docs/sister.md.")
PlayersOption = Annotated[int, typer.Option("--players", "-n", min=2, max=4, help="Seats at the table.")]
KingdomOption = Annotated[str, typer.Option(help='"first", "random", or ten ids with commas between; of more, each game draws ten.')]
SetsOption = Annotated[str, typer.Option(help=f"Sets a random kingdom is drawn from: {', '.join(box.SETS)}, with commas between.")]
StartOption = Annotated[str, typer.Option(help="Starting decks: shrine or chirei.")]
OptionalOption = Annotated[bool, typer.Option("--optional-cards", help="With the Talisman and the 10-VP card.")]


def config_of(
    players: PlayersOption = 2, kingdom: KingdomOption = "first", sets: SetsOption = "eosd", start: StartOption = "shrine",
    optional_cards: OptionalOption = False,
) -> ShisorokuConfig:  # fmt: skip
    """The table that options describe. Raises ConfigError."""
    cards: Any = kingdom if kingdom in ("first", "random") else tuple(name.strip() for name in kingdom.split(","))
    chosen = tuple(name.strip() for name in sets.split(","))
    return ShisorokuConfig(num_players=players, kingdom=cards, sets=chosen, start=start, optional_cards=optional_cards)  # type: ignore[arg-type]


@app.command()
def cards(ids: Annotated[list[str] | None, typer.Argument(help="Ids like eosd-22, or sets like pcb; all when left out.")] = None) -> None:
    """Say what cards do."""
    for name in ids or ():
        if name not in box.NUMBERS and name not in (*box.SETS, "basic"):
            raise UserError(f"there is no card or set {name!r}; cards are called like eosd-22, sets {', '.join(box.SETS)} and basic")
    for card in box.CARDS:
        if not ids or card.id in ids or card.set in ids:
            say_lines(text.card_text(card))


@app.command()
@with_config(config_of)
def play(
    config: ShisorokuConfig, against: Annotated[str, typer.Option(help="The bot in the other seats.")] = "money",
    seat: Annotated[int, typer.Option(min=0, max=3, help="Your seat.")] = 0, seed: SeedOption = None,
) -> None:  # fmt: skip
    """Play in the terminal: a number or a name answers, ?eosd-22 says what a card does, q ends."""
    check_seat(seat, config.num_players)
    game = Game.new(config, fresh_seed(seed))
    bot = shisoroku_bots.make(against, int(game.record["seed"]))
    play_in_terminal(game, seat, bot, text.table, {"?": _card_text})


def _card_text(game: Game, name: str) -> str:
    return text.card_text(box.CARDS[box.NUMBERS[name]]) if name in box.NUMBERS else f"there is no card {name!r} here"


@app.command()
@with_config(config_of)
def watch(
    config: ShisorokuConfig,
    seats: Annotated[str, typer.Argument(help="Bots with + between, in the seats over and over.")] = "money",
    seat: Annotated[int, typer.Option(min=-1, max=3, help="Whose view; -1 sees all.")] = -1,
    delay: DelayOption = 0.0, seed: SeedOption = None,
) -> None:  # fmt: skip
    """Watch bots play: the table at the beginning of every turn."""
    check_seat(seat, config.num_players)
    names = bots_named(seats, config.num_players)
    game = Game.new(config, fresh_seed(seed))
    made = [shisoroku_bots.make(name, place) for place, name in enumerate(names)]
    watch_bots(game, made, text.table, seat if seat >= 0 else None, delay)


@app.command(name="tournament")
@with_config(config_of)
def tournament_command(
    config: ShisorokuConfig,
    names: Annotated[list[str], typer.Argument(help=f"Bots: {', '.join(shisoroku_bots.NAMES)}, menu:eosd-17=2.")],
    deals: Annotated[int, typer.Option(min=2, max=1 << 20, help="Deals of each pair.")] = 1000,
    seed: Annotated[int, typer.Option(callback=options.checked_seed, help="Seed of the first deal.")] = 0,
) -> None:  # fmt: skip
    """Every pair of bots on the same deals from all seats: half of what the row is paid more than the column, with 99 % intervals."""
    if len(set(names)) != len(names) or len(names) < 2:
        raise UserError("a tournament needs at least two bots, each named once")
    needed("scipy.special", "a tournament", "arena")
    with training_bar(Terminal(stderr=True), "playing") as bar:
        found = tournament.tournament(config, names, deals, seed, shown_on(bar))
    say_grid(names, names, lambda row, column: "" if row == column else signed(found[names[row], names[column]]))


@app.command()
@with_config(config_of, ("players", "kingdom", "start", "optional_cards"))
def fit(
    config: ShisorokuConfig,
    deals: Annotated[int, typer.Option(min=20, max=1 << 16, help="Deals for each menu that is tried.")] = 400,
    rounds: Annotated[int, typer.Option(min=1, max=8, help="Most cards of the menu.")] = 3,
    seed: Annotated[int, typer.Option(callback=options.checked_seed, help="Seed of the first deal.")] = 0,
) -> None:  # fmt: skip
    """Fit a menu to a kingdom by playing menus against money."""
    if config.kingdom_ids is None:
        raise UserError("a menu is fitted to one kingdom; name ten cards, or say first")
    needed("scipy.special", "a fit", "arena")
    with training_bar(Terminal(stderr=True), "playing") as bar:
        menu, result = tournament.fit_menu(config, deals, rounds, seed, shown_on(bar))
    name = "menu:" + ",".join(f"{card}={copies}" for card, copies in menu.items()) if menu else "money"
    say(f"{name}  against money {signed(result)} (99 %, {5 * deals} other deals)")


@app.command()
@with_config(config_of)
def speed(config: ShisorokuConfig, games: GamesOption = 1024, threads: ThreadsOption = 1, seconds: MeasuredOption = 3.0) -> None:
    """Measure batched random play: every decision writes the observation and the action mask of the seat asked."""
    say_speed(config, games, threads, seconds)


@app.command()
@with_config(config_of)
def train(
    config: ShisorokuConfig, folder: FolderOption = Path("runs/shisoroku"), seconds: SecondsOption = 1800.0,
    resume: ResumeOption = False, threads: LearnersOption = 2, device: DeviceOption = "cpu",
    seed: TrainSeedOption = 1,
) -> None:  # fmt: skip
    """Train one network for all seats by self-play from nothing."""
    given = {"folder": folder, "seconds": seconds, "resume": resume, "threads": threads, "device": device, "seed": seed}
    learn("danmaku_env.sister.shisoroku.learning", config, **given)
