"""The `danmaku` command: play, watch, bench, cards, train, tournament. Stands above everything else; nothing imports it."""

from __future__ import annotations

import contextlib
import difflib
import importlib
import importlib.metadata
import os
import platform
import secrets
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from typer.core import TyperGroup

from agents.base import answer
from agents.random import RandomAgent
from danmaku_env import __version__
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.characters import CHARACTERS
from danmaku_env.cards.describe import describe_card, describe_character, describe_incident, describe_role, describe_types
from danmaku_env.cards.incidents import INCIDENTS
from danmaku_env.cards.main_deck import MAIN_CARDS
from danmaku_env.cards.roles import ROLES
from danmaku_env.config import GameConfig
from danmaku_env.engine.compiled import JIT
from danmaku_env.envs.vector import make_vec
from danmaku_env.game import Game, Replay, ReplayError, check_seed
from danmaku_env.render.ansi import table
from danmaku_env.wording import QUESTION_DOC, action_name, seat_name

BAD_USAGE = 2
"""Exit status of anything the person can put right; the reason is one sentence on stderr."""
_CLICK_ERROR: type[Exception] = typer.BadParameter.__mro__[2]  # click's, or that of the copy typer carries


class UserError(Exception):
    """Something the person at the keyboard can put right; the message says what."""


class _OneSentence(TyperGroup):
    """Says every error as one sentence on stderr, with exit status 2 and without a traceback."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command line and exit; with `standalone_mode` off, return or raise."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)
        try:
            status = super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)
        except (UserError, ReplayError) as error:
            _fail(str(error))
        except typer.Abort:
            sys.exit(130)
        except _CLICK_ERROR as error:
            _fail(error.format_message())  # type: ignore[attr-defined]
        sys.exit(status if isinstance(status, int) else 0)


def _fail(message: str) -> None:
    print(f"danmaku: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(BAD_USAGE)


app = typer.Typer(cls=_OneSentence, rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


class Roles(StrEnum):
    """Which roles are dealt."""

    advanced = "advanced"
    basic = "basic"


def _checked_seed(seed: int | None) -> int | None:
    if seed is None:
        return None
    try:
        return check_seed(seed)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


PlayersOption = Annotated[int, typer.Option("--players", "-n", min=4, max=8, help="Seats at the table.")]
SeedOption = Annotated[int | None, typer.Option(callback=_checked_seed, help="Seed of the game; random when left out.")]
RolesOption = Annotated[Roles, typer.Option(help="All roles, or those of a first game.")]


def _seed(seed: int | None) -> int:
    return secrets.randbelow(1 << 32) if seed is None else seed


def _console() -> Console:
    return Console(highlight=False, markup=False, emoji=False)


def _show(game: Game, seat: int | None) -> None:
    """Print the table, from above or as the seat sees it."""
    color = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    typer.echo(table(game, seat, color, below=False))


@app.callback(invoke_without_command=True)
def _top(context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    """Danmaku!!, a hidden-role card game for 4 to 8 players."""
    if version:
        typer.echo(f"danmaku-env {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


# ---------------------------------------------------------------- cards


Rows = list[tuple[str, str, str]]


def _encyclopedia() -> dict[str, tuple[str, str, Callable[[], Rows]]]:
    """Id -> name, a line of facts, and the rows (part, paraphrase, program) of everything that is printed."""
    pages: dict[str, tuple[str, str, Callable[[], Rows]]] = {}
    for card in MAIN_CARDS:
        facts = f"{describe_types(card.types)}; {card.points} point{'s' * (card.points > 1)}; {card.seasons.replace(' ', ', ')}"
        pages[card.id] = (card.name, facts, lambda card=card: describe_card(card))  # type: ignore[misc]
    for incident in INCIDENTS:
        facts = f"incident; {v.SEASONS[incident.season]}"
        rows = [("incident", incident.text, describe_incident(incident))]
        pages[incident.id] = (incident.name, facts, lambda rows=rows: rows)  # type: ignore[misc]
    for role in ROLES:
        rows = [("role", role.text, describe_role(role))]
        pages[role.id] = (role.name, "role", lambda rows=rows: rows)  # type: ignore[misc]
    for character in CHARACTERS:
        facts = f"character; {v.SEASONS[character.season]}; Spell Card: {character.spell_name}"
        pages[character.id] = (character.name, facts, lambda character=character: describe_character(character))  # type: ignore[misc]
    return pages


def _find_card(words: str) -> str:
    """The id of a card, character, incident or role by id, name or an unmistakable part of it. Raises UserError."""
    pages = _encyclopedia()
    wanted = words.strip().lower()
    if (bare := wanted.replace(" ", "_").replace("-", "_")) in pages:
        return bare
    names = {name.lower(): key for key, (name, _, _) in pages.items()}
    names |= {character.spell_name.lower(): character.id for character in CHARACTERS if character.spell_name.lower() not in names}
    if wanted in names:
        return names[wanted]
    parts = {key for name, key in names.items() if wanted and wanted in name}
    if len(parts) == 1:
        return parts.pop()
    close = parts or difflib.get_close_matches(bare, list(pages), 3)
    raise UserError(f"there is no card {words!r}" + (f"; did you mean {', '.join(sorted(close)[:6])}?" if close else ""))


def _explain(console: Console, key: str) -> None:
    """Print everything about one card."""
    name, facts, rows = _encyclopedia()[key]
    console.print(f"{name} ({key})", style="bold")
    console.print(Padding(facts, (0, 0, 0, 2), expand=False))
    for part, paraphrase, program in rows():
        console.print(Padding(f"[{part}] {paraphrase}", (0, 0, 0, 2), expand=False))
        console.print(Padding(f"program: {program}", (0, 0, 0, 4), expand=False), style="dim")


@app.command()
def cards(
    name: Annotated[str | None, typer.Argument(help="Id or name of a card, character, incident or role; all when left out.")] = None,
) -> None:
    """List what is printed, or show one card: its paraphrase beside its program in words."""
    console = _console()
    if name is not None:
        _explain(console, _find_card(name))
        return
    for title, things in (("Main deck", MAIN_CARDS), ("Incidents", INCIDENTS), ("Roles", ROLES), ("Characters", CHARACTERS)):
        grid = Table("id", "name", "text", title=title, title_justify="left", show_lines=False)
        for thing in things:
            grid.add_row(thing.id, thing.name, _summary(thing))
        console.print(grid)


def _summary(thing: Any) -> str:
    """One cell that says what a thing does."""
    if isinstance(thing, v.Card):
        return " / ".join(mode.text for mode in thing.modes)
    return str(thing.text)


# ---------------------------------------------------------------- play


class _Quit(Exception):  # noqa: N818 (nothing went wrong)
    """The person has had enough."""


_HELP = "number = answer, ? = explain every card named here, ? NUMBER or ? NAME = explain one, q = quit"


class _Person:
    """The person at the keyboard: sees what one seat may see."""

    def __init__(self, console: Console, game: Game, seat: int) -> None:
        self.console = console
        self.game = game
        self.seat = seat
        self._told = 0

    def tell(self) -> None:
        """Print the public events since the last question."""
        lines = self.game.log
        for line in lines[self._told :]:
            self.console.print(f"  {line}")
        self._told = len(lines)

    def answer(self) -> int:
        """Ask until a legal answer is given. Raises _Quit."""
        self.tell()
        _show(self.game, self.seat)
        actions = self.game.legal_actions()
        names = self.game.legal()
        self.console.print(f"You are asked {self.game.question!r}: {QUESTION_DOC[self.game.question]}", style="bold")
        for number, name in enumerate(names, 1):
            self.console.print(f"  {number:2d}  {self._worded(name)}")
        while True:
            words = self._read()
            if words.startswith("?"):
                self._explain(words[1:].strip(), names)
            elif words.isdecimal() and 1 <= int(words) <= len(actions):
                return actions[int(words) - 1]
            elif words in names:
                return actions[names.index(words)]
            else:
                self.console.print(f"That is no answer; {_HELP}.")

    def _read(self) -> str:
        try:
            words = self.console.input("> ").strip()
        except (EOFError, KeyboardInterrupt):
            raise _Quit from None
        if words.lower() in ("q", "quit"):
            raise _Quit
        return words

    def _worded(self, name: str) -> str:
        """An answer with the names a person knows."""
        verb, _, what = name.partition(" ")
        kind, _, key = what.partition(":")
        if verb == "choose" and kind == "seat":
            return f"{name}  - {'you' if int(key) == self.seat else seat_name(self.game.record, int(key))}"
        page = _encyclopedia().get(key or what)
        return f"{name}  - {page[0]}" if page else name

    def _explain(self, words: str, names: Sequence[str]) -> None:
        """Answer a question mark."""
        if words.isdecimal() and 1 <= int(words) <= len(names):
            words = _subject(names[int(words) - 1])
        if words:
            try:
                _explain(self.console, _find_card(words))
            except UserError as error:
                self.console.print(f"{error}")
            return
        pages = _encyclopedia()
        for key in dict.fromkeys(_subject(name) for name in names):
            if key in pages:
                _explain(self.console, key)
        self.console.print(_HELP)


def _subject(name: str) -> str:
    """The id in the name of an action: `bomb` of `play bomb`, `choose card:bomb`."""
    what = name.partition(" ")[2]
    return what.partition(":")[2] or what


def _save(replay: Path | None, game: Game) -> None:
    if replay is None:
        return
    try:
        game.replay().save(replay)
    except OSError as error:
        raise UserError(f"the replay could not be written to {replay}: {error.strerror}") from None
    typer.echo(f"replay saved to {replay}")


def _check_folder(replay: Path | None) -> None:
    """Refuse a replay file that could not be written before anybody has played for an hour."""
    if replay is not None and (replay.is_dir() or not replay.absolute().parent.is_dir()):
        raise UserError(f"a replay cannot be written to {replay}: {'it is a folder' if replay.is_dir() else 'its folder does not exist'}")


def _ending(game: Game) -> str:
    """How the game ended, in words."""
    if game.outcome != "won":
        return {"draw": "Nobody is left: a draw.", "truncated": "The turn limit is reached: nobody wins."}.get(game.outcome, "")
    return f"The winners: {', '.join(f'{seat_name(game.record, seat)}, {game.seat(seat).role}' for seat in game.winners)}."


@app.command()
def play(
    players: PlayersOption = 6,
    seat: Annotated[int, typer.Option(min=0, max=7, help="Your seat.")] = 0,
    seed: SeedOption = None,
    roles: RolesOption = Roles.advanced,
    replay: Annotated[Path | None, typer.Option(help="Save the game to this file at the end.")] = None,
) -> None:
    """Play one game in the terminal against random seats. You see what your seat may see."""
    if seat >= players:
        raise UserError(f"there is no seat {seat} at a table of {players}; the seats are 0 to {players - 1}")
    _check_folder(replay)
    number = _seed(seed)
    console = _console()
    game = Game.new(GameConfig(num_players=players, roles=roles.value), number)
    game.agents = tuple("person" if other == seat else RandomAgent.name for other in range(players))
    person, machine = _Person(console, game, seat), RandomAgent(number)
    console.print(f"You are seat {seat} of {players}. {_HELP}.")
    try:
        while (asking := game.asking) is not None:
            game.act(person.answer() if asking == seat else answer(machine, game))
    except _Quit:
        console.print("You leave the table.")
    else:
        person.tell()
        _show(game, seat)
        console.print(_ending(game), style="bold")
        console.print("You have won." if seat in game.winners else "You have not won.")
        console.print(f"Seed {number}.")
    _save(replay, game)


# ---------------------------------------------------------------- watch


def _random_positions(config: GameConfig, seed: int) -> Iterator[tuple[Game, str]]:
    game, machine = Game.new(config, seed), RandomAgent(seed)
    yield game, ""
    while (asking := game.asking) is not None:
        action = answer(machine, game)
        words = f"{seat_name(game.record, asking)}: {game.question}? {action_name(action, asking, config.num_players)}"
        game.act(action)
        yield game, words


def _replayed_positions(replay: Replay) -> Iterator[tuple[Game, str]]:
    answers = iter(replay.answers)
    words = ""
    for game in replay.positions():
        yield game, words
        action, asking = next(answers, None), game.asking
        if action is not None and asking is not None:
            words = f"{seat_name(game.record, asking)}: {game.question}? {action_name(action, asking, replay.config.num_players)}"


def _load(file: Path) -> Replay:
    try:
        return Replay.load(file)
    except OSError as error:
        raise UserError(f"the replay {file} cannot be read: {error.strerror}") from None
    except ReplayError as error:
        raise UserError(f"{file}: {error}") from None


class _Pace:
    """How a watcher goes from one position to the next: by a delay, or by Enter."""

    def __init__(self, console: Console, delay: float | None) -> None:
        self.console = console
        self.delay = delay

    def wait(self) -> None:
        """Return when the next position is due. Raises _Quit."""
        if self.delay is not None:
            time.sleep(self.delay)
            return
        try:
            words = self.console.input("Enter = next, e = to the end, q = quit > ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            raise _Quit from None
        if words in ("q", "quit"):
            raise _Quit
        if words in ("e", "end"):
            self.delay = 0.0


@app.command()
def watch(
    file: Annotated[Path | None, typer.Argument(help="A replay; a fresh random game when left out.")] = None,
    players: PlayersOption = 6,
    seat: Annotated[int | None, typer.Option(min=0, max=7, help="Watch with the eyes of a seat; from above when left out.")] = None,
    seed: SeedOption = None,
    roles: RolesOption = Roles.advanced,
    delay: Annotated[float | None, typer.Option(min=0.0, max=3600.0, help="Seconds between positions; Enter steps when left out.")] = None,
) -> None:
    """Step through a replay, or through a game of random seats."""
    if file is not None:
        replay = _load(file)
        seats, positions = replay.config.num_players, _replayed_positions(replay)
    else:
        seats, positions = players, _random_positions(GameConfig(num_players=players, roles=roles.value), _seed(seed))
    if seat is not None and seat >= seats:
        raise UserError(f"there is no seat {seat} at a table of {seats}; the seats are 0 to {seats - 1}")
    console = _console()
    with contextlib.suppress(_Quit):
        _walk(console, positions, seat, _Pace(console, delay))


def _walk(console: Console, positions: Iterator[tuple[Game, str]], seat: int | None, pace: _Pace) -> None:
    """Show position after position. A seat sees only those at which something public has happened or it is asked itself."""
    told = -1
    game: Game | None = None
    for game, words in positions:
        lines = game.log
        if seat is not None and len(lines) == told and game.asking != seat:
            continue
        if told >= 0:
            pace.wait()
        if words and seat is None:
            console.print(f"> {words}")
        for line in lines[max(told, 0) :]:
            console.print(f"  {line}")
        told = len(lines)
        _show(game, seat)
    if game is not None and game.over:
        console.print(_ending(game), style="bold")


# ---------------------------------------------------------------- bench


def _machine() -> str:
    """Processor, cores and versions, in a line."""
    processor = platform.processor() or platform.machine()
    with contextlib.suppress(OSError):
        names = [line.partition(":")[2].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
        processor = names[0] if names else processor
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("numpy", "numba"))
    return f"{processor}, {cores} cores; {platform.system()}, Python {platform.python_version()}, {versions}"


@app.command()
def bench(
    players: PlayersOption = 6,
    games: Annotated[int, typer.Option(min=1, max=1 << 20, help="Games in the batch.")] = 1024,
    threads: Annotated[int, typer.Option(min=1, max=1024, help="Threads that advance it.")] = 1,
    seconds: Annotated[float, typer.Option(min=0.01, max=3600.0, help="How long to measure.")] = 3.0,
    seed: SeedOption = 0,
    roles: RolesOption = Roles.advanced,
) -> None:
    """Measure batched random play: every decision writes the observation and the action mask of the seat asked."""
    vec = make_vec(games, GameConfig(num_players=players, roles=roles.value), threads=threads)
    vec.reset(_seed(seed))
    for _ in range(20 if JIT else 1):
        vec.step(vec.sample())
    steps = finished = 0
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        vec.step(vec.sample())
        finished += int(vec.dones.sum())
        steps += 1
    vec.close()
    console = _console()
    console.print(_machine())
    console.print(f"danmaku-env {__version__}, {'compiled' if JIT else 'compiler off (NUMBA_DISABLE_JIT)'}")
    console.print(f"{games} games of {players} players, {threads} thread{'s' * (threads > 1)}, random answers, {spent:.1f} s")
    console.print(f"{steps * games / spent:,.0f} decisions/s, {finished / spent:,.1f} finished games/s", style="bold")


# ---------------------------------------------------------------- train


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []})
def train(context: typer.Context) -> None:
    """Train by self-play; all options go to training.ppo_selfplay (try: danmaku train --help)."""
    try:
        module = importlib.import_module("training.ppo_selfplay")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "training":
            raise UserError("this installation has no training.ppo_selfplay") from None
        raise UserError(f"training needs the package {error.name}: pip install 'danmaku-env[train]'") from None
    raise typer.Exit(module.main(list(context.args)))


# ---------------------------------------------------------------- tournament


@app.command()
def tournament(
    agents: Annotated[list[str] | None, typer.Argument(help="At least two, by name, name:option=value or package.module:Class.")] = None,
    players: Annotated[str, typer.Option("--players", "-n", help="Seats at the table; several numbers with commas between.")] = "6",
    roles: RolesOption = Roles.advanced,
    deals: Annotated[int, typer.Option(help="Deals for each number of players; every agent plays every seat of each.")] = 500,
    seed: Annotated[int, typer.Option(callback=_checked_seed, help="Seed of deals, seats and dice.")] = 0,
    processes: Annotated[int | None, typer.Option(min=1, max=1024, help="Processes; one for each core when left out.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for results and report; a new one in runs/ when left out.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with this tournament where it was stopped.")] = False,
    time_limit: Annotated[float, typer.Option(help="Seconds for a decision; an agent that takes longer loses the game.")] = 5.0,
    confidence: Annotated[float, typer.Option(help="Of all intervals and verdicts.")] = 0.99,
) -> None:
    """Compare agents: the same deals are replayed with the agents rotated through the seats. The quick ones when none are named."""
    try:
        arena = importlib.import_module("arena.tournament")
    except ModuleNotFoundError as error:
        raise UserError(f"a tournament needs the package {error.name}: pip install 'danmaku-env[arena]'") from None
    numbers = players.replace(",", " ").split()
    if not all(number.isdecimal() for number in numbers):
        raise UserError(f"--players takes numbers with commas between, such as 4,6,8, not {players!r}")
    try:
        plan = arena.Plan(
            agents=tuple(agents or arena.usual_agents()), players=tuple(map(int, numbers)), roles=roles.value, deals=deals, seed=seed,
            time_limit=time_limit,
        )  # fmt: skip
        arena.run(plan, out=out, resume=resume, processes=processes, confidence=confidence)
    except arena.ArenaError as error:
        raise UserError(str(error)) from None


def main(arguments: Sequence[str] | None = None) -> None:
    """The command; `arguments` are those of the process when left out. Raises SystemExit with the exit status."""
    app(args=None if arguments is None else list(arguments), prog_name="danmaku")


if __name__ == "__main__":
    main()
