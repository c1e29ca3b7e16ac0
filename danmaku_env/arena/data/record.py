"""`danmaku record`: play what a recipe says and keep it as Parquet files, part by part.

A part is three files, written whole or not at all, that of the games last; a part that has it is finished. So whatever interrupts the
recording, going on plays the parts that are missing, and the folder is in the end the one that would have been written in one go.
"""

from __future__ import annotations

import contextlib
import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from rich.console import Console
from rich.text import Text

from danmaku_env import GameConfig, Replay
from danmaku_env.agents.base import Agent
from danmaku_env.arena.asking import make
from danmaku_env.arena.data.plan import MOST_RECORDED, Part, Recipe
from danmaku_env.arena.data.playing import play
from danmaku_env.arena.data.tables import NAMES, RULES, tables
from danmaku_env.arena.errors import ArenaError, Stopped
from danmaku_env.arena.fingerprints import versions
from danmaku_env.arena.folders import alone_in
from danmaku_env.arena.progress import games_bar
from danmaku_env.arena.terminal import Terminal
from danmaku_env.arguments import shown, whole_number
from danmaku_env.engine.cold_start import compile_once
from danmaku_env.game import rules_fingerprint, write_atomically
from danmaku_env.game.files import open_file
from danmaku_env.game.rules import warn_of_unknown_rules
from danmaku_env.game.saving import read_json

RECIPE = "recipe.json"
_DEFAULT = Path("runs/games")
_MARK = "danmaku_record"
_VERSION = 1


def run(recipe: Recipe, *, out: Path | None = None, resume: bool = False, console: Console | None = None) -> Path:
    """Record what is missing and return the folder. Raises ArenaError for anything the person can put right."""
    console = console or Terminal()
    agents = [make(spec, recipe.seed) for spec in recipe.agents]
    with _folder(recipe, out, resume=resume) as folder:
        _fill(folder, recipe, agents, console)
    return folder


def _fill(folder: Path, recipe: Recipe, agents: Sequence[Agent], console: Console) -> None:
    """Record what is missing in the folder of the recipe."""
    missing = [part for part in range(recipe.parts) if not all(_file(folder, name, part).exists() for name in NAMES)]
    console.print(Text(f"{recipe.games:,} games of {recipe.players} players, played by {', '.join(recipe.agents)}, in {folder}"))
    compile_once()
    bar = games_bar(console)
    done = recipe.games - sum(len(recipe.games_of(part)) for part in missing)
    decisions = 0
    try:
        with bar:
            task = bar.add_task("", total=recipe.games, completed=done)
            for part in missing:
                decisions += _record(folder, recipe, recipe.part(part), agents)
                done += len(recipe.games_of(part))
                bar.update(task, completed=done)
            spent = bar.tasks[0].elapsed or 0.0
    except KeyboardInterrupt:
        console.print(
            Text(f"Stopped: {done:,} of {recipe.games:,} games are kept. To go on: {how_to_go_on(recipe, folder)}"), soft_wrap=True
        )
        raise Stopped from None
    if decisions:
        console.print(Text(f"{decisions:,} decisions, {decisions / max(spent, 1e-9):,.0f} a second"))


def how_to_go_on(recipe: Recipe, folder: Path) -> str:
    """The command that records the rest."""
    return f"{recipe.command()} --out {shlex.quote(str(folder))} --resume"


def replay(folder: str | Path, game: int) -> Replay:
    """A recorded game, to be watched or played on. Raises ArenaError where there is no such game, or its tables cannot be read.

    It names the rules that its table and the recipe were made under; warns (RulesWarning) where neither says so.
    """
    number = whole_number(game)
    if number is None:
        raise ArenaError(f"a game is named by its number, not by {shown(game)}")
    there = sorted((Path(folder) / "games").glob("*.parquet")) if 0 <= number < MOST_RECORDED else ()
    for path in there:
        file = path
        try:
            table = pq.read_table(file, filters=[("game", "=", number)])
            row = table.to_pylist()
            if row:
                config = GameConfig.from_dict(read_json(row[0]["config"]))
                rules = _rules_of(Path(folder), table.schema.metadata or {})
                begun = Replay(config, row[0]["seed"], agents=row[0]["agents"], answers=(), rules=rules, winners=row[0].get("winners"))
                file = Path(folder) / "decisions" / path.name
                answers = pq.read_table(file, columns=["action"], filters=[("game", "=", number)])
                return replace(begun, answers=answers["action"].to_pylist())
        except (pa.ArrowException, OSError, KeyError, ValueError, TypeError) as error:
            raise ArenaError(f"the table {file} cannot be read: {error}") from None
    raise ArenaError(f"there is no game {shown(number)} in {folder}")


def _rules_of(folder: Path, said: Mapping[bytes, bytes]) -> str | None:
    """The rules that made a table, by what is said in it and in the recipe beside it: other ones than these, where either names any."""
    recipe = _recipe_in(folder).get("versions")
    named = [said[RULES].decode()] if RULES in said else []
    named += [recipe["rules"]] if isinstance(recipe, dict) and "rules" in recipe else []
    if not named:
        warn_of_unknown_rules(f"the record in {folder}", stacklevel=4)
        return None
    return next((rules for rules in named if rules != rules_fingerprint()), rules_fingerprint())


def _record(folder: Path, recipe: Recipe, part: Part, agents: Sequence[Agent]) -> int:
    """Play a part and write its files, that of the games last; how many decisions were made."""
    made = tables(play(part, agents, recipe.config()), recipe)
    try:
        for name in reversed(NAMES):
            sink = pa.BufferOutputStream()
            pq.write_table(made[name], sink, compression="zstd")
            write_atomically(_file(folder, name, part.number), sink.getvalue())
    except OSError as error:
        raise ArenaError(f"nothing more can be written to {folder}: {error.strerror}. To go on: {how_to_go_on(recipe, folder)}") from None
    return int(made["decisions"].num_rows)


def _file(folder: Path, name: str, part: int) -> Path:
    return folder / name / f"part-{part:05d}.parquet"


# ---------------------------------------------------------------- the folder


@contextlib.contextmanager
def _folder(recipe: Recipe, asked: Path | None, *, resume: bool) -> Iterator[Path]:
    """The folder to use, with its recipe in it: the one asked for, or the next free one in runs/. Raises ArenaError."""
    about = {_MARK: _VERSION, "recipe": recipe.to_dict(), "versions": versions(recipe.agents)}
    if resume and asked is None:
        raise ArenaError("--resume goes on with the games of a folder: name it with --out")
    if resume and asked and not (asked / RECIPE).exists():
        raise ArenaError(f"there are no games in {asked} to go on with; leave --resume out to begin")
    with alone_in(asked, _DEFAULT) as folder:
        if (folder / RECIPE).exists():
            if not resume:
                raise ArenaError(f"{folder} holds games already: add --resume to go on with them, or choose another folder with --out")
            _check_same(folder, about)
        try:
            for name in NAMES:
                (folder / name).mkdir(exist_ok=True)
            if not (folder / RECIPE).exists():
                write_atomically(folder / RECIPE, json.dumps(about, indent=1).encode() + b"\n")
        except OSError as error:
            raise ArenaError(f"the folder {folder} cannot be used: {error.strerror}") from None
        yield folder


def _recipe_in(folder: Path) -> dict[str, Any]:
    """What the recipe of a folder says, nothing where there is none that can be read."""
    there: Any = {}
    with contextlib.suppress(OSError, ValueError), open_file(folder / RECIPE) as file:
        there = read_json(file.read())
    return there if isinstance(there, dict) else {}


def _check_same(folder: Path, about: dict[str, Any]) -> None:
    """Raise ArenaError unless the folder holds games of this recipe and these versions."""
    there = _recipe_in(folder)
    if there.get(_MARK) != _VERSION:
        raise ArenaError(f"{folder / RECIPE} is no recipe that can be read; choose another folder with --out")
    for kind in ("recipe", "versions"):
        before = there.get(kind)
        for name, value in about[kind].items():
            if not isinstance(before, dict) or before.get(name) != value:
                was = before.get(name) if isinstance(before, dict) else None
                other = f"their {name} is {shown(was)}, not {shown(value)}"
                raise ArenaError(f"{folder} holds other games: {other}; choose another folder with --out")
