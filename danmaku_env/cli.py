"""The `danmaku` command: play, watch, serve, bench, cards, train, tournament, record, deduce. Above all else: nothing imports it."""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import os
import platform
import secrets
import time
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer
from rich.table import Table

from danmaku_env import __version__
from danmaku_env.arena.matches.seating import believer, seat_agents, split_specs, strongest_quick
from danmaku_env.arena.table.ending import ended_in_order
from danmaku_env.arena.table.film import film, film_believers
from danmaku_env.arena.table.party import PERSON
from danmaku_env.arena.table.person import Sitting
from danmaku_env.arena.table.recording import Recording
from danmaku_env.arena.table.screen import Screen
from danmaku_env.arena.table.watching import NoSuchStep, Watcher
from danmaku_env.arena.tournaments.films import replay_by_name
from danmaku_env.arguments import printable
from danmaku_env.cards.box import BASE_GAME
from danmaku_env.cards.encyclopedia import UnknownCard, pages
from danmaku_env.cards.vocabulary import Card, Character, Incident, Role
from danmaku_env.config import ConfigError, GameConfig
from danmaku_env.console import options, startup
from danmaku_env.console.errors import UserError
from danmaku_env.console.one_sentence import OneSentenceGroup
from danmaku_env.console.options import ALL_TABLE_OPTIONS, DEALT_AT_RANDOM, checked_seed, with_table
from danmaku_env.console.terminal import Terminal
from danmaku_env.envs.vector import make_vec
from danmaku_env.game import Game, OtherRules, Replay, ReplayError, check_folder, check_writable, write_atomically
from danmaku_env.jit.kernels import JIT


class _Danmaku(OneSentenceGroup):
    """The command."""

    refusals = (ConfigError, ReplayError, UnknownCard, NoSuchStep)


app = typer.Typer(cls=_Danmaku, rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


PlayersOption = Annotated[int, typer.Option("--players", "-n", min=4, max=8, help="Seats at the table.")]
SeedOption = Annotated[int | None, typer.Option(callback=checked_seed, help="Seed of the game; random when left out.")]


def _seed(seed: int | None) -> int:
    return secrets.randbelow(1 << 32) if seed is None else seed


def _needed(module: str, what: str, extra: str) -> ModuleType:
    """A module whose libraries need not be installed. Raises UserError that says what to install."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise UserError(f"{what} needs the package {error.name}: pip install 'danmaku-env[{extra}]'") from None


def _say(words: str) -> None:
    """Print a line."""
    typer.echo(printable(words))


@app.callback(invoke_without_command=True)
def _top(context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    """Danmaku!!, a hidden-role card game for 4 to 8 players."""
    if version:
        _say(f"danmaku-env {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


# ---------------------------------------------------------------- cards


@app.command()
def cards(
    name: Annotated[str | None, typer.Argument(help="Id or name of a card, character, incident or role; all when left out.")] = None,
) -> None:
    """List what is printed, or show one card: its paraphrase beside its program in words."""
    console = Terminal()
    if name is not None:
        Screen(console).page_of(name, programs=True)
        return
    box, more = BASE_GAME, BASE_GAME.expansion
    printed: list[tuple[str, Sequence[Card | Incident | Role | Character]]] = [
        ("Main deck", box.cards), ("Incidents", box.incidents), ("Roles", box.roles), ("Characters", box.characters),
        ("Lunatic Extra: Main and Lunatic deck", more.cards), ("Lunatic Extra: incidents", more.incidents),
        ("Lunatic Extra: roles", more.roles), ("Lunatic Extra: characters", more.characters), ("Bonus character", box.bonus),
    ]  # fmt: skip
    for title, things in printed:
        grid = Table("id", "name", "text", title=title, title_justify="left", show_lines=False)
        for thing in things:
            grid.add_row(thing.id, thing.name, pages()[thing.id].summary)
        console.print(grid)


# ---------------------------------------------------------------- play and watch


AgainstOption = Annotated[
    str | None,
    typer.Option(
        help=f"Agents for the other seats, clockwise from you and over again: heuristic,random; {strongest_quick()} when left out."
    ),
]


OtherRulesOption = Annotated[
    bool, typer.Option("--other-rules", help="Try it by the rules of today, though the game was played by others.")
]


def _check_seat(seat: int | None, players: int) -> None:
    if seat is not None and seat >= players:
        raise UserError(f"there is no seat {seat} at a table of {players}; the seats are 0 to {players - 1}")


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


@app.command()
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
    if replay is not None:
        check_writable(replay)
    number = _seed(seed)
    game = Game.new(GameConfig(num_players=players, **table), number) if file is None else _under_way(file, other_rules=other_rules)
    players = game.config.num_players
    place = seat if seat is not None else game.agents.index(PERSON) if PERSON in game.agents else 0
    _check_seat(place, players)
    agents = seat_agents(split_specs(against or strongest_quick()), players, number, person=place)
    sitting = Sitting(game, place, agents, Screen(), practice=practice, believer=believer(number), replay=replay)
    with ended_in_order():
        try:
            sitting.play()
        finally:
            _save(replay, sitting.game)
        if file is None:
            _say(f"Seed {number}.")
        if replay is not None:
            _say(f"replay saved to {replay}")


@app.command()
@with_table()
def watch(
    table: dict[str, Any],
    file: Annotated[
        Path | None, typer.Argument(parser=options.file, help="A replay, or a tournament's folder; a fresh game of agents when left out.")
    ] = None,
    name: Annotated[str | None, typer.Option("--game", help="Which game of a tournament: players/deal/game, such as 6/12/0.")] = None,
    players: PlayersOption = 6,
    seat: Annotated[int | None, typer.Option(min=0, max=7, help="Watch with the eyes of a seat; from above when left out.")] = None,
    against: Annotated[
        str | None,
        typer.Option(help=f"Without a file: the agents of the seats, from seat 0 on and over again; {strongest_quick()} when left out."),
    ] = None,
    seed: SeedOption = None,
    step: Annotated[int | None, typer.Option(min=0, help="Show this one step and nothing else.")] = None,
    other_rules: OtherRulesOption = False,
    delay: Annotated[float | None, typer.Option(min=0.0, max=3600.0, help="Play on with so many seconds between steps.")] = None,
    html: Annotated[
        Path | None, typer.Option(parser=options.path, help="Write the whole game as one page for a browser to this file.")
    ] = None,
    believers: Annotated[list[str] | None, typer.Option("--believer", help="Whose beliefs to draw; the deducer's when left out.")] = None,
) -> None:
    """Step through a replay, or through a game of agents, forwards and backwards; `h` lists the keys."""
    if step is not None and delay is not None:
        raise UserError("--step shows one step and --delay plays on: give one of them")
    if html is not None and (step is not None or delay is not None or seat is not None):
        raise UserError("--html writes every step with everybody's eyes: leave out --step, --delay and --seat")
    if html is not None and file is not None and html.exists() and html.samefile(file):
        raise UserError(f"--html would write the page over the replay {file}: give another file")
    if html is not None:
        check_writable(html)
    if believers and html is None:
        raise UserError("--believer says whose beliefs --html draws: give --html too")
    if other_rules and file is None:
        raise UserError("--other-rules tries a game that was kept: give its file, or the folder of its tournament, too")
    if name is not None and (file is None or not file.is_dir()):
        raise UserError("--game names a game of a tournament: give the tournament's folder too")
    if file is not None:
        recording = _kept(file, name, other_rules=other_rules)
    else:
        _check_seat(seat, players)
        number = _seed(seed)
        game = Game.new(GameConfig(num_players=players, **table), number)
        recording = Recording.of_agents(game, seat_agents(split_specs(against or strongest_quick()), players, number))
    if html is not None:
        _write_film(recording, html, believers)
        return
    watcher = Watcher(recording, Screen(), seat, believers=film_believers(None))
    if recording.problem and (step is None or not watcher.view.find(step)):
        raise recording.problem
    if step is not None:
        watcher.step = step
        watcher.show()
    elif delay is not None:
        watcher.play(delay)
    else:
        watcher.walk()


def _write_film(recording: Recording, file: Path, specs: Sequence[str] | None) -> None:
    """Write a game as a page. A replay that cannot be played to its end is refused like everywhere else."""
    if recording.problem:
        raise recording.problem
    try:
        text = film(recording, film_believers(specs))
        write_atomically(file, text.encode())
    except OSError as error:
        raise UserError(f"the page could not be written to {file}: {error.strerror}") from None
    _say(f"{file}: {recording.steps} steps, {len(text.encode()) / 1e6:.2f} MB; open it in any browser")


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
        raise UserError(f"{folder} is a folder: name one of its tournament's games with --game players/deal/game, such as 6/12/0")
    try:
        return Recording.of_replay(replay_by_name(folder, name), other_rules=other_rules)
    except OtherRules as error:
        raise error.of(f"the game {name} in {folder}") from None


# ---------------------------------------------------------------- serve


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen at; 0.0.0.0 lets other machines in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; a free one when left out.")] = 0,
    agents: Annotated[list[str] | None, typer.Option("--agent", help="An agent to choose in the lobby besides those installed.")] = None,
    games: Annotated[Path, typer.Option(parser=options.path, help="Folder for games, finished or under way.")] = Path("runs/games"),
    show: Annotated[bool, typer.Option("--show/--no-show", help="Open a browser.")] = True,
    names: Annotated[list[str] | None, typer.Option("--name", help="What browsers call it behind a proxy: danmaku.example.")] = None,
    proxies: Annotated[list[str] | None, typer.Option("--proxy", help="Address of that proxy: its X-Forwarded-For says who asks.")] = None,
) -> None:
    """Tables in the browser: people by secret links, agents in the other seats."""
    server = _needed("danmaku_env.serve.server", "a table in the browser", "serve")
    check_folder(games)
    try:
        server.serve(server.Options(host, port, tuple(agents or ()), games, show, tuple(names or ()), tuple(proxies or ())))
    except server.ServeError as error:
        raise UserError(str(error)) from None


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
@with_table()
def bench(
    table: dict[str, Any],
    players: PlayersOption = 6,
    games: Annotated[int, typer.Option(min=1, max=1 << 20, help="Games in the batch.")] = 1024,
    threads: Annotated[int, typer.Option(min=1, max=1024, help="Threads that advance it.")] = 1,
    seconds: Annotated[float, typer.Option(min=0.01, max=3600.0, help="How long to measure.")] = 3.0,
    seed: Annotated[int, typer.Option(callback=checked_seed, help="Seed of the games.")] = 0,
) -> None:
    """Measure batched random play: every decision writes the observation and the action mask of the seat asked."""
    vec = make_vec(games, GameConfig(num_players=players, **table), threads=threads)
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
    console = Terminal()
    console.print(_machine())
    console.print(f"danmaku-env {__version__}, {'compiled' if JIT else 'compiler off (NUMBA_DISABLE_JIT)'}")
    console.print(f"{games} games of {players} players, {threads} thread{'s' * (threads > 1)}, random answers, {spent:.1f} s")
    console.print(f"{steps * games / spent:,.0f} decisions/s, {finished / spent:,.1f} finished games/s", style="bold")


# ---------------------------------------------------------------- train


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []})
def train(context: typer.Context) -> None:
    """Train by self-play; all options go to danmaku_env.training.ppo (try: danmaku train --help)."""
    module = _needed("danmaku_env.training.ppo", "training", "train")
    raise typer.Exit(module.main(list(context.args), context.command_path))


# ---------------------------------------------------------------- tournament


@app.command()
@with_table(ALL_TABLE_OPTIONS, DEALT_AT_RANDOM)
def tournament(
    table: dict[str, Any],
    agents: Annotated[list[str] | None, typer.Argument(help="At least two, by name, name:option=value or package.module:Class.")] = None,
    players: Annotated[str, typer.Option("--players", "-n", help="Seats at the table; several numbers with commas between.")] = "6",
    deals: Annotated[int, typer.Option(help="Deals for each number of players; every agent plays every seat of each.")] = 1000,
    seed: Annotated[int, typer.Option(callback=checked_seed, help="Seed of deals, seats and dice.")] = 0,
    processes: Annotated[int | None, typer.Option(min=1, max=1024, help="Processes; one for each core when left out.")] = None,
    ray: Annotated[bool, typer.Option("--ray", help="Play as tasks of Ray, here or on a cluster, instead of in processes.")] = False,
    address: Annotated[str, typer.Option(help="With --ray: a running cluster (host:port, or auto).")] = "",
    out: Annotated[
        Path | None, typer.Option(parser=options.path, help="Folder for results and report; a new one in runs/ when left out.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with this tournament where it was stopped.")] = False,
    time_limit: Annotated[float, typer.Option(help="Seconds for a decision; an agent that takes longer loses the game.")] = 5.0,
    confidence: Annotated[float, typer.Option(help="Of all intervals and verdicts.")] = 0.99,
    films: Annotated[int, typer.Option(min=0, max=100, help="Games of each table size to look at, as pages the report links.")] = 3,
    teams: Annotated[bool, typer.Option("--teams", help="Heroine and Partners against the bosses: every agent as either side.")] = False,
) -> None:
    """Compare agents: the same deals are replayed with the agents rotated through the seats. The quick ones when none are named."""
    arena = _needed("danmaku_env.arena.tournaments.tournament", "a tournament", "arena")
    numbers = players.replace(",", " ").split()
    if not all(number.isdecimal() and len(number) == 1 for number in numbers):
        raise UserError(f"--players takes numbers with commas between, such as 4,6,8, not {players[:40]!r}")
    plan = arena.Plan(
        agents=tuple(agents or arena.usual_agents()), players=tuple(map(int, numbers)), deals=deals, seed=seed, time_limit=time_limit,
        teams=teams, table=GameConfig(num_players=next((int(number) for number in numbers if number in "45678"), 6), **table),
    )  # fmt: skip
    arena.run(plan, out=out, resume=resume, processes=processes, ray=ray, address=address, confidence=confidence, filmed=films)


# ---------------------------------------------------------------- record


@app.command()
@with_table()
def record(
    table: dict[str, Any],
    agents: Annotated[str, typer.Option(help="Who plays, with commas between; they take turns in the seats.")] = "heuristic",
    players: PlayersOption = 6,
    games: Annotated[int, typer.Option(help="Games to play.")] = 1000,
    seed: Annotated[int, typer.Option(callback=checked_seed, help="Seed of deals and dice.")] = 0,
    out: Annotated[Path | None, typer.Option(parser=options.path, help="Folder for the tables; a new one in runs/ when left out.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with these games where it was stopped.")] = False,
) -> None:
    """Play games and keep them as Parquet tables: one row a game, one a decision, one an event (docs/data.md)."""
    arena = _needed("danmaku_env.arena.data.record", "recording", "data")
    recipe = arena.Recipe(agents=tuple(split_specs(agents)), table=GameConfig(num_players=players, **table), games=games, seed=seed)
    arena.run(recipe, out=out, resume=resume)


# ---------------------------------------------------------------- deduce


@app.command()
@with_table(ALL_TABLE_OPTIONS, DEALT_AT_RANDOM)
def deduce(
    table: dict[str, Any],
    believers: Annotated[list[str] | None, typer.Argument(help="Agents that state beliefs, named as for a tournament.")] = None,
    players: PlayersOption = 6,
    games: Annotated[int, typer.Option(help="Games to play.")] = 400,
    seed: Annotated[int, typer.Option(callback=checked_seed, help="Seed of deals and dice.")] = 0,
    agents: Annotated[str, typer.Option(help="Who plays, with commas between; they take turns in the seats.")] = "deducer",
    processes: Annotated[int, typer.Option(min=1, max=1024, help="Processes that share the asking; each plays all games.")] = 1,
    out: Annotated[Path | None, typer.Option(parser=options.path, help="Folder for the report; a new one in runs/ when left out.")] = None,
    confidence: Annotated[float, typer.Option(help="Of all intervals.")] = 0.99,
    reference: Annotated[
        bool, typer.Option(help="Also what could be known at best: by the players' own policies, all hands open.")
    ] = False,
    statements: Annotated[bool, typer.Option("--statements", help="Also every statement as a row, in statements.parquet.")] = False,
) -> None:
    """Measure how well agents deduce the roles: over the game, by role, and what each kind of event tells them."""
    arena = _needed("danmaku_env.arena.deduction.study", "a study", "arena")
    study = arena.Study(
        believers=tuple(believers or arena.usual_believers()), agents=tuple(split_specs(agents)),
        table=GameConfig(num_players=players, **table), games=games, seed=seed, confidence=confidence, reference=reference,
        statements=statements,
    )  # fmt: skip
    arena.run(study, out=out, processes=processes)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command; `arguments` are those of the process when left out. Raises SystemExit with the exit status."""
    if arguments is None:
        startup.begin()
    app(args=None if arguments is None else list(arguments), prog_name="danmaku")


if __name__ == "__main__":
    main()
