"""`danmaku record`: play what a recipe says and keep it as Parquet files, part by part.

A part is a file in each table, written whole or not at all, and at last its checksums; a part whose files fit them is finished. So whatever
interrupts the recording or damages a file, going on plays the parts that are missing, and the folder is in the end the one that would have
been written in one go.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shlex
import time
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
from danmaku_env.agents.registry import make
from danmaku_env.arena.data.arrays import arrays, arrays_by_part
from danmaku_env.arena.data.plan import MOST_RECORDED, Part, Recipe
from danmaku_env.arena.data.playing import play
from danmaku_env.arena.data.recipe_file import RECIPE, recipe_in, rules_of
from danmaku_env.arena.data.tables import NAMES, ROLES, roles_table, tables
from danmaku_env.arena.fingerprints import versions
from danmaku_env.arguments import shown, whole_number
from danmaku_env.console.errors import Stopped, UserError
from danmaku_env.console.folders import alone_in
from danmaku_env.console.terminal import Terminal, counting_bar, games_bar
from danmaku_env.engine.warm import compile_engine
from danmaku_env.files import open_file
from danmaku_env.game import write_atomically
from danmaku_env.game.saving import read_json

__all__ = ["Recipe", "arrays", "arrays_by_part", "how_to_go_on", "replay", "run"]
CHECKSUMS = "checksums"
"""The folder that says which parts are finished, and whether their files are still what they were."""
_DEFAULT = Path("runs/games")
_PART = "part-"
_MARK = "danmaku_record"
_VERSION = 1


def run(recipe: Recipe, *, out: str | Path | None = None, resume: bool = False, console: Console | None = None) -> Path:
    """Record what is missing and return the folder. Raises UserError for anything the person can put right."""
    console = console or Terminal()
    agents = [make(spec, recipe.seed) for spec in recipe.agents]
    with _folder(recipe, None if out is None else Path(out), resume=resume) as folder:
        _fill(folder, recipe, agents, console)
    return folder


def _fill(folder: Path, recipe: Recipe, agents: Sequence[Agent], console: Console) -> None:
    """Record what is missing in the folder of the recipe."""
    console.print(Text(f"{recipe.games:,} games of {recipe.table.num_players} players, played by {', '.join(recipe.agents)}, in {folder}"))
    finished = _finished(folder, recipe, console)
    compile_engine()
    bar = games_bar(console)
    done = sum(len(recipe.games_of(part)) for part in finished)
    decisions, began = 0, time.monotonic()
    try:
        with bar:
            task = bar.add_task("", total=recipe.games, completed=done)
            for part in (part for part in range(recipe.parts) if part not in finished):
                decisions += _record(folder, recipe, recipe.part(part), agents)
                done += len(recipe.games_of(part))
                bar.update(task, completed=done)
    except KeyboardInterrupt:
        console.print(
            Text(f"Stopped: {done:,} of {recipe.games:,} games are kept. To go on: {how_to_go_on(recipe, folder)}"), soft_wrap=True
        )
        raise Stopped from None
    if decisions:
        console.print(Text(f"{decisions:,} decisions, {decisions / max(time.monotonic() - began, 1e-9):,.0f} a second"))


def how_to_go_on(recipe: Recipe, folder: Path) -> str:
    """The command that records the rest."""
    return f"{recipe.command()} --out {shlex.quote(str(folder))} --resume"


def replay(folder: str | Path, game: int) -> Replay:
    """A recorded game, to be watched or played on. Raises UserError where there is no such game, or its tables cannot be read.

    It names the rules that its table and the recipe were made under; warns (RulesWarning) where neither says so.
    """
    number = whole_number(game)
    if number is None:
        raise UserError(f"a game is named by its number, not by {shown(game)}")
    there = sorted((Path(folder) / "games").glob("*.parquet")) if 0 <= number < MOST_RECORDED else ()
    for path in there:
        file = path
        try:
            table = pq.read_table(file, filters=[("game", "=", number)])
            row = table.to_pylist()
            if row:
                config = GameConfig.from_dict(read_json(row[0]["config"]))
                rules = rules_of(Path(folder), table.schema.metadata or {})
                begun = Replay(config, row[0]["seed"], agents=row[0]["agents"], answers=(), rules=rules, winners=row[0].get("winners"))
                file = Path(folder) / "decisions" / path.name
                answers = pq.read_table(file, columns=["action"], filters=[("game", "=", number)])
                return replace(begun, answers=answers["action"].to_pylist())
        except (pa.ArrowException, OSError, KeyError, ValueError, TypeError) as error:
            raise UserError(f"the table {file} cannot be read: {error}") from None
    raise UserError(f"there is no game {shown(number)} in {folder}")


# ---------------------------------------------------------------- parts


def _record(folder: Path, recipe: Recipe, part: Part, agents: Sequence[Agent]) -> int:
    """Play a part and write its files, the checksums last; how many decisions were made."""
    made = tables(play(part, agents, recipe.config()), recipe)
    try:
        blobs = {}
        for name in NAMES:
            sink = pa.BufferOutputStream()
            pq.write_table(made[name], sink, compression="zstd")
            blobs[name] = sink.getvalue()
            write_atomically(_file(folder, name, part.number), blobs[name])
        write_atomically(_file(folder, CHECKSUMS, part.number), json.dumps(_checksums(recipe, blobs)).encode() + b"\n")
    except OSError as error:
        raise UserError(f"nothing more can be written to {folder}: {error.strerror}. To go on: {how_to_go_on(recipe, folder)}") from None
    return int(made["decisions"].num_rows)


def _checksums(recipe: Recipe, blobs: Mapping[str, bytes]) -> dict[str, str]:
    """Of the recipe, and of the files of a part."""
    whole = {"recipe": json.dumps(recipe.to_dict(), sort_keys=True).encode(), **blobs}
    return {name: hashlib.sha256(blob).hexdigest() for name, blob in whole.items()}


def _finished(folder: Path, recipe: Recipe, console: Console) -> set[int]:
    """The numbers of the parts that are in the folder as they were written."""
    names = [path.stem.removeprefix(_PART) for path in (folder / CHECKSUMS).glob(f"{_PART}*.json")]
    there = sorted(int(name) for name in names if name.isdecimal() and int(name) < recipe.parts)
    if not there:
        return set()
    with counting_bar(console, "checking", "parts") as bar:
        return {part for part in bar.track(there, description="") if _is_finished(folder, recipe, part)}


def _is_finished(folder: Path, recipe: Recipe, part: int) -> bool:
    """Whether the files of a part are those that were written."""
    try:
        blobs = {name: _file(folder, name, part).read_bytes() for name in NAMES}
        with open_file(_file(folder, CHECKSUMS, part)) as file:
            return bool(read_json(file.read()) == _checksums(recipe, blobs))
    except (OSError, ValueError):
        return False


def _file(folder: Path, name: str, part: int) -> Path:
    return folder / name / f"{_PART}{part:05d}.{'json' if name == CHECKSUMS else 'parquet'}"


# ---------------------------------------------------------------- the folder


@contextlib.contextmanager
def _folder(recipe: Recipe, asked: Path | None, *, resume: bool) -> Iterator[Path]:
    """The folder to use, with its recipe in it: the one asked for, or the next free one in runs/. Raises UserError."""
    about = {_MARK: _VERSION, "recipe": recipe.to_dict(), "versions": versions(recipe.agents)}
    if resume and asked is None:
        raise UserError("--resume goes on with the games of a folder: name it with --out")
    if resume and asked and not (asked / RECIPE).exists():
        _check_empty(asked)
        raise UserError(f"there are no games in {asked} to go on with; leave --resume out to begin")
    with alone_in(asked, _DEFAULT) as folder:
        if (folder / RECIPE).exists():
            if not resume:
                raise UserError(f"{folder} holds games already: add --resume to go on with them, or choose another folder with --out")
            _check_same(folder, about)
        else:
            _check_empty(folder)
        try:
            for name in (*NAMES, CHECKSUMS):
                (folder / name).mkdir(exist_ok=True)
            write_atomically(folder / ROLES, roles_table())
            if not (folder / RECIPE).exists():
                write_atomically(folder / RECIPE, json.dumps(about, indent=1).encode() + b"\n")
        except OSError as error:
            raise UserError(f"the folder {folder} cannot be used: {error.strerror}") from None
        yield folder


def _check_empty(folder: Path) -> None:
    """Raise UserError where there are tables without a recipe: nobody knows any more what games they hold."""
    for name in (*NAMES, CHECKSUMS):
        if next((folder / name).glob(f"{_PART}*"), None):
            raise UserError(f"{folder} holds tables without their {RECIPE}: choose another folder with --out, or remove them")


def _check_same(folder: Path, about: dict[str, Any]) -> None:
    """Raise UserError unless the folder holds games of this recipe and these versions."""
    there = recipe_in(folder)
    if there.get(_MARK) != _VERSION:
        raise UserError(f"{folder / RECIPE} is no recipe that can be read; choose another folder with --out")
    for kind in ("recipe", "versions"):
        before = there.get(kind)
        for name, value in about[kind].items():
            if not isinstance(before, dict) or before.get(name) != value:
                was = before.get(name) if isinstance(before, dict) else None
                other = f"their {name} is {shown(was)}, not {shown(value)}"
                raise UserError(f"{folder} holds other games: {other}; choose another folder with --out")
