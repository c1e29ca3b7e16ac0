"""`danmaku utage`: Gensou no Utage, with options of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from danmaku_env.commands.app import SeedOption, fresh_seed, say
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
from danmaku_env.files import check_writable, write_atomically
from danmaku_env.sister.bots import BotError
from danmaku_env.sister.utage import ConfigError, Deck, Game, UtageConfig, balance, text, tournament
from danmaku_env.sister.utage import bots as utage_bots
from danmaku_env.sister.utage.cards import box
from danmaku_env.sister.utage.cards import words as w
from danmaku_env.sister.utage.config import RANDOM, STANDARD


class _Utage(CliGroup):
    """The command."""

    user_errors = (ConfigError, BotError)


app = command_of(_Utage, "Gensou no Utage, a trading-card game for 2 seats: see docs/sister.md.")
DecksOption = Annotated[str, typer.Option(help=f'"random", or two decks with a comma between: {", ".join(STANDARD)}, or TOML files.')]
ClosedOption = Annotated[bool, typer.Option("--closed-lists", help="Neither seat knows the other's deck list.")]


def deck_named(words: str) -> str | Path:
    """What words of a command line name: a deck of ours, or the file of another."""
    name = words.strip()
    return Path(name) if name.endswith(".toml") else name


def config_of(decks: DecksOption = "reimu4,marisa4", closed_lists: ClosedOption = False) -> UtageConfig:
    """The table that options describe. Raises ConfigError."""
    chosen: Any = RANDOM if decks == RANDOM else tuple(map(deck_named, decks.split(",")))
    return UtageConfig(decks=chosen, open_lists=not closed_lists)


@app.command()
def cards(ids: Annotated[list[str] | None, typer.Argument(help="Ids like 0105, or characters; all when left out.")] = None) -> None:
    """Say what cards do."""
    for name in ids or ():
        if name not in box.NUMBERS and name not in w.CHARACTERS:
            raise UserError(f"there is no card or character {name!r}; cards are called like 0105, characters {', '.join(w.CHARACTERS)}")
    for card in box.CARDS:
        if not ids or card.id in ids or set(card.requirement) & set(ids) or card.name.split()[0] in ids:
            say_lines(text.card_text(card))


@app.command()
def deck(file: Annotated[str, typer.Argument(help="A TOML file with [team] and [cards], or the name of a deck.")]) -> None:
    """Check a deck: what is wrong with it, and which cards its team can never play."""
    found = Deck.of(deck_named(file))
    team = ", ".join(f"{name} {number}" for name, number in found.team.items())
    kinds = {word: sum(n for name, n in found.cards.items() if box.CARDS[box.NUMBERS[name]].kind == kind)
             for kind, word in ((w.SPELL, "spells"), (w.SUPPORT, "supports"), (w.EVENT, "events"))}  # fmt: skip
    say(f"a legal deck: {team}; {', '.join(f'{number} {word}' for word, number in kinds.items())}")
    for warning in found.warnings():
        say(f"warning: {warning}")


@app.command()
@with_config(config_of)
def play(
    config: UtageConfig,
    against: Annotated[str, typer.Option(help="The bot in the other seat.")] = "greedy",
    seat: Annotated[int, typer.Option(min=0, max=1, help="Your seat.")] = 0, seed: SeedOption = None,
) -> None:  # fmt: skip
    """Play in the terminal: a number or a name answers, ?0105 says what a card does, =0105 why its values are so, q ends."""
    game = Game.new(config, fresh_seed(seed))
    bot = utage_bots.make(against, int(game.record["seed"]))
    play_in_terminal(game, seat, bot, text.table, {"?": _card_text, "=": _why})


def _card_text(game: Game, name: str) -> str:
    return text.card_text(box.CARDS[box.NUMBERS[name]]) if name in box.NUMBERS else f"there is no card {name!r}"


def _why(game: Game, name: str) -> str:
    """Why the values of a card on the field are what they are."""
    if name not in box.NUMBERS:
        return f"there is no card {name!r}"
    sides = [index for index in range(2) if any(card.id == name for card in game.seat(index).field)]
    return "\n".join(line for index in sides for line in text.why(game, index, name)) or f"{name} is not on the field"


@app.command()
@with_config(config_of)
def watch(
    config: UtageConfig,
    seats: Annotated[str, typer.Argument(help="Two bots with + between, or one for both seats.")] = "greedy",
    seat: Annotated[int, typer.Option(min=-1, max=1, help="Whose view; -1 sees all.")] = -1,
    delay: DelayOption = 0.0, seed: SeedOption = None,
) -> None:  # fmt: skip
    """Watch bots play: the table at the beginning of every turn."""
    names = bots_named(seats, config.num_players)
    game = Game.new(config, fresh_seed(seed))
    made = [utage_bots.make(name, place) for place, name in enumerate(names)]
    watch_bots(game, made, text.table, seat if seat >= 0 else None, delay)


@app.command(name="tournament")
def tournament_command(
    names: Annotated[list[str], typer.Argument(help=f"Bots: {', '.join(utage_bots.NAMES)}.")],
    decks: Annotated[str, typer.Option(help="Decks with commas between: names or TOML files.")] = ",".join(STANDARD),
    deals: Annotated[int, typer.Option(min=2, max=1 << 20, help="Deals of each pair of decks and bots.")] = 500,
    seed: Annotated[int, typer.Option(callback=options.checked_seed, help="Seed of the first deal.")] = 0,
) -> None:  # fmt: skip
    """Every pair of bots and of decks from both sides: what the row is paid, from -1 to 1, with 99 % intervals; then by decks."""
    if len(set(names)) != len(names):
        raise UserError("each bot of a tournament is named once")
    chosen = [Deck.of(deck_named(name)) for name in decks.split(",")]
    needed("scipy.special", "a tournament", "arena")
    with training_bar(Terminal(stderr=True), "playing") as bar:
        found = tournament.tournament(names, chosen, deals, seed, shown_on(bar))
    say_grid(names, names, lambda row, column: "" if row == column else signed(found[names[row], names[column]][1]))
    labels = [each.name or "a deck" for each in chosen]
    for one, other in [(one, other) for place, one in enumerate(names) for other in names[place:]]:
        means = found[one, other][0]
        say_lines(f"\n{one} with the deck of the row against {other} with that of the column")
        say_grid(labels, labels, lambda row, column, means=means: f"{means[row, column]:+.3f}")  # type: ignore[misc]


@app.command(name="balance")
def balance_command(
    decks: Annotated[str, typer.Option(help="Decks with commas between: names or TOML files.")] = ",".join(STANDARD),
    deals: Annotated[int, typer.Option(min=2, max=1 << 20, help="Games of each pairing and seat.")] = 1000,
    seed: Annotated[int, typer.Option(callback=options.checked_seed, help="Seed of the first deal.")] = 0,
    out: Annotated[
        Path | None, typer.Option(parser=options.path, help="A JSON file for everything; docs/utage/balance.md is made of one.")
    ] = None,
) -> None:  # fmt: skip
    """How fair decks are: every pairing under random and greedy play, with the first attacker's share and lengths; 99 % intervals."""
    if out is not None:
        check_writable(out, balance.BEGINS, "measurement of decks")
    chosen = [Deck.of(deck_named(name)) for name in decks.split(",")]
    needed("scipy.special", "a measurement", "arena")
    with training_bar(Terminal(stderr=True), "playing") as bar:
        found = balance.measure(chosen, deals, seed, shown_on(bar))
    if out is not None:
        write_atomically(out, balance.to_json(found))
    for bot, pairings in found["bots"].items():
        for one in pairings:
            won, first = (balance.in_words(one[name]) for name in ("won", "first_attacker"))
            mine, theirs = (name or "a deck" for name in one["decks"])
            say(f"{bot}: {mine} wins {won} against {theirs}; the first attacker {first}; {one['turns'][1]} turns")
    for line in balance.unfair(found):
        say(f"warning: {line}")


@app.command()
@with_config(config_of, ("decks",), decks=RANDOM)
def speed(config: UtageConfig, games: GamesOption = 1024, threads: ThreadsOption = 1, seconds: MeasuredOption = 3.0) -> None:
    """Measure batched random play: every decision writes the observation and the action mask of the seat asked."""
    say_speed(config, games, threads, seconds)


@app.command()
@with_config(config_of, ("decks",), decks=RANDOM)
def train(
    config: UtageConfig, folder: FolderOption = Path("runs/utage"), seconds: SecondsOption = 3600.0,
    resume: ResumeOption = False, threads: LearnersOption = 2, device: DeviceOption = "cpu",
    seed: TrainSeedOption = 1,
) -> None:  # fmt: skip
    """Train one network for both seats by self-play from nothing, each game with other decks."""
    given = {"folder": folder, "seconds": seconds, "resume": resume, "threads": threads, "device": device, "seed": seed}
    learn("danmaku_env.sister.utage.learning", config, **given)
