"""`danmaku record`: play what a dataset says and keep it as Parquet files, part by part (jobs/parts.py)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from rich.console import Console
from rich.text import Text

from danmaku_env import GameConfig, Replay
from danmaku_env.agents.registry import make
from danmaku_env.arena.data.arrays import arrays, arrays_by_part
from danmaku_env.arena.data.observations import OBSERVATIONS, observations_table
from danmaku_env.arena.data.provenance import rules_of
from danmaku_env.arena.data.rollout import play
from danmaku_env.arena.data.spec import MOST_RECORDED, DatasetSpec
from danmaku_env.arena.data.tables import NAMES, ROLES, roles_table, tables
from danmaku_env.arena.jobs.folder import how_to_go_on
from danmaku_env.arena.jobs.parts import PartDone, begun_parts
from danmaku_env.arena.jobs.ray_tasks import Workers
from danmaku_env.arena.jobs.workers import Beat, Work
from danmaku_env.arena.parquet import as_parquet
from danmaku_env.arguments import shown, whole_number
from danmaku_env.console.errors import UserError
from danmaku_env.console.terminal import Terminal
from danmaku_env.game import read_json, write_atomically
from danmaku_env.spec import spec_of

__all__ = ["DatasetSpec", "arrays", "arrays_by_part", "replay", "run"]


def run(
    dataset: DatasetSpec,
    *,
    out: str | Path | None = None,
    resume: bool = False,
    processes: int | None = None,
    ray: bool = False,
    address: str = "",
    console: Console | None = None,
) -> Path:
    """Record what is missing and return the folder. Raises UserError for anything the person can put right.

    Parts are played by this process, by this many processes, or as tasks of Ray.
    """
    console, workers = console or Terminal(), Workers(processes, ray, address)
    for spec in dataset.agents:
        make(spec, dataset.seed)
    kinds = dict.fromkeys([*NAMES, *([OBSERVATIONS] if dataset.observations else [])], "parquet")
    with begun_parts(None if out is None else Path(out), dataset, kinds, dataset.agents, resume=resume) as parts:
        folder = parts.folder
        _write_roles(folder)
        who = f"played by {', '.join(dataset.agents)}"
        console.print(Text(f"{dataset.games:,} games of {dataset.table.num_players} players, {who}, in {folder}"))
        spec_of(dataset.table).entries.compile_once()
        start = time.monotonic()
        again = how_to_go_on(" ".join([dataset.command(), *workers.words()]), folder)
        decisions = parts.do(player(dataset), workers, console, again)
    if decisions:
        console.print(Text(f"{decisions:,} decisions, {decisions / max(time.monotonic() - start, 1e-9):,.0f} a second"))
    return folder


def _write_roles(folder: Path) -> None:
    """Write the table of the roles and their factions."""
    try:
        write_atomically(folder / ROLES, roles_table())
    except OSError as error:
        raise UserError(f"the folder {folder} cannot be used: {error.strerror}") from None


def replay(folder: str | Path, game: int) -> Replay:
    """A recorded game, to be watched or played on. Raises UserError where there is no such game, or its tables cannot be read.

    It names the rules that its table and the dataset were made under; warns (RulesWarning) where neither says so.
    """
    number = whole_number(game)
    if number is None:
        raise UserError(f"a game is named by its number, not by {shown(game)}")
    there = sorted((Path(folder) / "games").glob("*.parquet"))
    if not there:
        raise UserError(f"there are no recorded games in {folder}")
    for path in there if 0 <= number < MOST_RECORDED else ():
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


# ---------------------------------------------------------------- playing


def player(dataset: DatasetSpec) -> Work:
    """What workers do: play parts of the dataset, by their numbers, and make their tables."""
    return Work(_begin, (dataset,))


def _begin(dataset: DatasetSpec) -> Callable[[int, Beat], Iterator[PartDone]]:
    agents = [make(spec, dataset.seed) for spec in dataset.agents]  # every part seeds them anew

    def do(number: int, _: Beat) -> Iterator[PartDone]:
        played = play(dataset.part(number), agents, dataset.config())
        made = tables(played, dataset)
        blobs = {name: as_parquet(made[name]) for name in NAMES}
        blobs |= {OBSERVATIONS: observations_table(played, dataset)} if dataset.observations else {}
        yield PartDone(blobs, made["decisions"].num_rows)

    return do
