"""Tasks of beliefs as data: positions in Parquet (of `partner` tasks also in prose), the truth in a file of its own, predictions back.

An item is what one seat could know at the first question of a turn, under a name that tells neither the game nor its seed; items are in the
order of these names. The truth is a row for each seat whose role is hidden from the item's observer.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from danmaku_env import Game
from danmaku_env.arena.deduction.parts import agents_of, part_steps
from danmaku_env.arena.deduction.scores import are_wrong
from danmaku_env.arena.deduction.statements import ROLE_WORDS
from danmaku_env.arena.parquet import as_parquet
from danmaku_env.arguments import printable, shown
from danmaku_env.benchmark.beliefs import ASKED_AFTER, StatedBeliefs, TaskStudy, is_partner, partner_items, study_of
from danmaku_env.benchmark.task import BELIEF_KINDS, Task
from danmaku_env.console.errors import UserError
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.files import check_folder, open_file
from danmaku_env.game import write_atomically
from danmaku_env.info_states import InfoState, InfoStates
from danmaku_env.machine.records import Array

ITEMS, TRUTH, PROSE, MANIFEST = "items.parquet", "truth.parquet", "prose.jsonl", "about.json"
MOST_PROSE = 500
"""Items that are told in prose as well, for language models."""
_PARTNERS = is_partner(np.arange(DANMAKU_SPEC.num_labels))
EVENTS_TOLD = 64
"""Events of the log that come with an item."""


class Item(NamedTuple):
    """What one seat is asked."""

    name: str
    game: int
    """Its number among the games of the task."""
    rounds: int
    """Rounds that have been played."""
    state: InfoState
    """What the seat knows."""
    observation: bytes
    """Its observation row (docs/observation.md)."""
    hidden: list[int]
    """Seats whose role it does not know."""
    roles: list[int]
    """The numbers of their roles."""


def item_name(task: Task, game: int, turn: int, observer: int) -> str:
    """The name of an item, from which nobody reads the game."""
    return f"{task.seed('item', game, turn, observer):016x}"


def write_items(task: Task, games: int, folder: Path) -> int:
    """Write the items of the first games of a task, their truth, and what they are; the number of items. Raises UserError."""
    if task.kind not in BELIEF_KINDS:
        raise UserError(f"{task.name} is played: it has no items; tasks of beliefs have")
    try:
        check_folder(folder)
    except OSError as error:
        raise UserError(str(error)) from None
    items = (item for item in _items(task, study_of(task, (), games)) if item.game < games)
    told = sorted(((item.name, _row(item), _truth(item), _prose(task, item)) for item in items), key=lambda one: one[0])
    rows = {ITEMS: [row for _, row, _, _ in told], TRUTH: [row for _, _, truths, _ in told for row in truths]}
    blobs = {name: as_parquet(pa.Table.from_pylist(each)) for name, each in rows.items()}
    if task.kind == "partner":
        blobs[PROSE] = "".join(f"{json.dumps(prose)}\n" for _, _, _, prose in told[:MOST_PROSE]).encode()
    sums = {name: hashlib.sha256(blob).hexdigest() for name, blob in blobs.items()}
    about = {"danmaku_items": 1, "task": task.name, "task_digest": task.digest, "games": games, "items": len(told), "sha256": sums}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, blob in {**blobs, MANIFEST: json.dumps(about, indent=1).encode() + b"\n"}.items():
            write_atomically(folder / name, blob)
    except OSError as error:
        raise UserError(f"the items cannot be written to {folder}: {error.strerror}") from None
    return len(told)


# ---------------------------------------------------------------- items


def _items(task: Task, study: TaskStudy) -> Iterator[Item]:
    """All items of a task, in the order in which its games are played."""
    for part in range(study.parts):
        start = study.games_of(part).start
        for step in part_steps(study, part, agents_of(study, part)):
            turned = step.after["turn_number"] != step.before["turn_number"]
            for games, records in ((step.begun, step.first), (step.games[turned], step.after[turned])):
                for game, record in zip(games, records, strict=True):
                    yield from _asked(task, start + int(game), record.reshape(1))


def _asked(task: Task, number: int, records: Array) -> Iterator[Item]:
    """The items of a game at the first question of a turn."""
    record, players = records[0], task.config.num_players
    turn = int(record["turn_number"])
    rounds = (turn - 1) // players
    if turn < 1 or (task.kind == "partner" and turn not in [one * players + 1 for one in ASKED_AFTER]):
        return
    for seat in range(players):
        hidden = [other for other in range(players) if not record["role_seen"][other] >> seat & 1]
        roles = [int(record["role"][other]) for other in hidden]
        if not record["active"] >> seat & 1 or not hidden or (task.kind == "partner" and is_partner(np.array(roles)).sum() != 1):
            continue
        states = InfoStates(records, np.array([seat]), task.config)
        if len(states.role_assignments(0).weights):
            observed = Game.from_trusted_record(records, task.config).observe(seat).tobytes()
            yield Item(item_name(task, number, turn, seat), number, rounds, states[0], observed, hidden, roles)


def _row(item: Item) -> dict[str, Any]:
    """An item as a row."""
    return {
        "item": item.name, "players": item.state.config.num_players, "observer": item.state.seat, "rounds": item.rounds,
        "hidden": item.hidden, "observation": item.observation, "history": item.state.history(EVENTS_TOLD).tobytes(),
    }  # fmt: skip


def _truth(item: Item) -> list[dict[str, Any]]:
    return [{"item": item.name, "seat": seat, "role": ROLE_WORDS[role]} for seat, role in zip(item.hidden, item.roles, strict=True)]


def _prose(task: Task, item: Item) -> dict[str, Any]:
    """An item for a language model: what it is told, and the seats, one of which is the Partner's."""
    if task.kind != "partner":
        return {}
    return {"item": item.name, "text": item.state.describe(), "question": "Which of these seats is the Partner?", "seats": item.hidden}


# ---------------------------------------------------------------- predictions


def in_prose(task: Task, said: StatedBeliefs) -> StatedBeliefs:
    """Of the statements of a whole `partner` task those of the items that are told in prose: the first by their names."""
    items = {_name_of(task, said, mine[0]): mine for _, mine in partner_items(said, task.config.num_players)}
    return said.among(np.sort(np.concatenate([items[name] for name in sorted(items)[:MOST_PROSE]])))


def _name_of(task: Task, said: StatedBeliefs, place: int | np.integer[Any]) -> str:
    """The name of the item that a statement belongs to."""
    return item_name(task, int(said.game[place]), int(said.turn[place]), int(said.observer[place]))


def stated_in(path: Path, task: Task, said: StatedBeliefs) -> Array:
    """[S, NUM_ROLES] what a file of predictions states, in the order of the statements. Raises UserError with the first thing wrong.

    A row for each item and hidden seat: `item`, `seat`, and `p_ROLE` for the roles, which sum to 1 (those that are left out count 0). For a
    `partner` task also `p_partner` alone, the probability that the seat is the Partner's.
    """
    found = _predictions(path, task.kind == "partner")
    wanted: Array = np.full(len(said.game), task.kind != "partner")
    if task.kind == "partner":
        for _, mine in partner_items(said, task.config.num_players):
            wanted[mine] = True
    stated = said.prior.copy()
    for place in np.flatnonzero(wanted):
        name = _name_of(task, said, place)
        if (row := found.get((name, int(said.seat[place])))) is None:
            raise UserError(f"{path} predicts nothing for seat {int(said.seat[place])} of the item {name}")
        stated[place] = row
    return stated


def check_predictions(path: Path, task: Task) -> None:
    """Raise UserError unless the file holds predictions for such a task; missing items are found later."""
    _predictions(path, task.kind == "partner")


def _whole(seat: Any) -> int:
    """A seat's number. Raises ValueError."""
    if int(seat) != seat:
        raise ValueError(f"a seat is a whole number, not {seat}")
    return int(seat)


def _predictions(path: Path, partner: bool) -> dict[tuple[str, int], Array]:
    """(item, seat) -> [NUM_ROLES] probabilities. Raises UserError."""
    try:
        with open_file(path) as file:
            columns = pq.read_table(file, use_threads=False).to_pydict()
        items, seats = list(map(str, columns["item"])), list(map(_whole, columns["seat"]))
        probabilities = np.zeros((len(items), DANMAKU_SPEC.num_labels))
        for number, name in enumerate(ROLE_WORDS):
            if f"p_{name}" in columns:
                probabilities[:, number] = columns[f"p_{name}"]
    except KeyError as error:
        raise UserError(f"{path} is no file of predictions (docs/benchmark.md): it has no column {error}") from None
    except (pa.ArrowException, ValueError, TypeError, OverflowError) as error:  # those of Arrow are OSErrors too, some of them
        raise UserError(f"{path} is no file of predictions (docs/benchmark.md): {printable(str(error))[:200]}") from None
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror or printable(str(error))[:200]}") from None
    named = [name for name in columns if name.startswith("p_")]
    if unknown := [name for name in named if name.removeprefix("p_") not in ROLE_WORDS]:
        raise UserError(f"{path} has a column {shown(unknown[0])}, and no role is called so; roles are {', '.join(ROLE_WORDS[1:])}")
    alone = partner and named == ["p_partner"]
    if (wrong := are_wrong(probabilities, add_up=not alone)).any():
        place = int(wrong.argmax())
        told = f"the probabilities of seat {seats[place]} of the item {items[place]}"
        raise UserError(f"{path}: {told} must be numbers from 0 to 1 that sum to 1, not {probabilities[place].tolist()}")
    if len(found := dict(zip(zip(items, seats, strict=True), probabilities, strict=True))) < len(items):
        raise UserError(f"{path} predicts a seat of an item twice")
    if partner and (hopeless := set(items) - {item for (item, _), row in found.items() if row[_PARTNERS].any()}):
        raise UserError(f"{path}: no seat of the item {min(hopeless)} has a probability above 0 of being the Partner")
    return found
