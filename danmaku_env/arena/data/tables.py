"""From what was noted to Arrow tables: ids and words instead of numbers. The columns are explained in docs/data.md."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from danmaku_env import ACTION_IDS
from danmaku_env.arena.data.rollout import Played
from danmaku_env.arena.data.spec import DatasetSpec
from danmaku_env.beliefs.factions import FACTIONS, dealt_factions
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import BASE_GAME, CHARACTER_IDS, INCIDENT_IDS, NUM_INCIDENTS, ROLE_IDS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.tables import BOTH_BOXES
from danmaku_env.engine import actions, events
from danmaku_env.engine import state as st
from danmaku_env.game import rules_fingerprint
from danmaku_env.machine.records import Array, payoffs
from danmaku_env.wording import ABOUT_CHARACTERS, card_name

NAMES = ("games", "decisions", "events")
"""The tables."""
ROLES = "roles.csv"
"""The roles and their factions, a file beside the tables."""
_TEAMS = {v.HEROINE_TEAM: "heroine", v.STAGE_TEAM: "stage", v.EXTRA_TEAM: "extra", v.RIVAL_TEAM: "rival"}
RULES = b"danmaku_rules"
"""The entry in what is said of a table that names the rules its games were played by."""
_ABOUT: dict[str, Sequence[str]] = {
    "defeat": ROLE_IDS, "reveal": ROLE_IDS, "incident": INCIDENT_IDS, "resolved": INCIDENT_IDS, "collect": INCIDENT_IDS,
    "lasting": v.LASTING, "shuffle": v.DECKS, **dict.fromkeys(ABOUT_CHARACTERS, CHARACTER_IDS),
}  # fmt: skip
"""What an event is about, by its word; decks from which cards come, or to which they go, are told apart by `card`."""
_WITH_TEXT = ("play", "spell", "use", "cancel")
"""Events whose number is that of a text."""
_NOTHING = -1


def tables(played: Played, dataset: DatasetSpec) -> dict[str, pa.Table]:
    """Table name -> the table of a part."""
    made = {"games": _games(played, dataset), "decisions": _decisions(played, dataset), "events": _events(played)}
    return {name: pa.table(columns).replace_schema_metadata(table_metadata(dataset)) for name, columns in made.items()}


def table_metadata(dataset: DatasetSpec) -> dict[bytes, bytes]:
    """The metadata of a table in its file: the dataset spec and the rules."""
    return {b"danmaku_record": json.dumps(dataset.to_dict()).encode(), RULES: rules_fingerprint().encode()}


def roles_table() -> bytes:
    """What stands in the file of the roles."""
    factions = {bit: faction for faction, bit in FACTIONS.items()}
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("role", "name", "faction", "team", "becomes"))
    dealt = dealt_factions(np.arange(len(ROLE_IDS))).tolist()
    for role in BASE_GAME.all_roles:
        writer.writerow((role.id, role.name, factions[dealt[ROLE_IDS.index(role.id)]], _TEAMS[role.team], role.becomes))
    return text.getvalue().encode()


def _words(numbers: Array, words: Sequence[str]) -> pa.DictionaryArray:
    """Words by number; null for numbers below 0.

    Equal words are one in the dictionary: with two of them Arrow writes another file every time.
    """
    once = list(dict.fromkeys(words))
    places = np.array([once.index(word) for word in words])
    return pa.DictionaryArray.from_arrays(pa.array(places[numbers], pa.int16(), mask=numbers < 0), pa.array(once, pa.string()))


def _seats(plus_one: Array) -> pa.Array:
    """Seats, null for nobody."""
    return pa.array(plus_one.astype(np.int8) - 1, pa.int8(), mask=plus_one == 0)


def _lists(rows: Sequence[Sequence[Any]], kind: pa.DataType) -> pa.Array:
    return pa.array([list(row) for row in rows], pa.list_(kind))


def _role_lists(roles: Array) -> pa.Array:
    """The roles of all seats of each game, null where a seat has none any more."""
    return _lists([[ROLE_IDS[role] if role else None for role in row] for row in roles.tolist()], pa.string())


def _roles_of(roles: Array, seats: Array) -> pa.DictionaryArray:
    """The role of one seat in each row of [n, players] roles, null for nobody (a seat of -1) and where the seat has none any more."""
    held = np.take_along_axis(roles, np.maximum(seats, 0)[:, np.newaxis], 1)[:, 0].astype(np.int64)
    return _words(np.where((seats >= 0) & (held > 0), held - 1, _NOTHING), ROLE_IDS[1:])


def _games(played: Played, dataset: DatasetSpec) -> dict[str, pa.Array]:
    records, players = played.records, dataset.table.num_players
    number = np.arange(played.part.first, played.part.first + len(records))
    won = records["winners"][:, np.newaxis].astype(np.int64) >> np.arange(players) & 1
    specs = [[dataset.agents[(seat + game) % len(dataset.agents)] for seat in range(players)] for game in number.tolist()]
    first, second = (
        [[CHARACTER_IDS[one - 1] if one else None for one in row] for row in records[field][:, :players].tolist()]
        for field in ("character", "second_character")
    )
    config = json.dumps(dataset.config().to_dict())
    return {
        "game": pa.array(number, pa.int64()),
        "seed": pa.array(played.part.seeds, pa.int64()),
        "players": pa.array(np.full(len(records), players), pa.int8()),
        "config": _words(np.zeros(len(records), np.int16), [config]),
        "agents": _lists(specs, pa.string()),
        "roles": _role_lists(played.roles),
        "final_roles": _role_lists(records["role"][:, :players]),
        "characters": _lists(first, pa.string()),
        "second_characters": _lists(second, pa.string()),
        "outcome": _words(records["outcome"], st.OUTCOMES),
        "winners": _lists([np.flatnonzero(row).tolist() for row in won], pa.int8()),
        "rewards": _lists(payoffs(records, players).astype(np.int8).tolist(), pa.int8()),
        "turns": pa.array(records["turn_number"], pa.int16()),
        "decisions": pa.array(np.bincount(played.decisions["row"], minlength=len(records)), pa.int32()),
        "events": pa.array(np.bincount(played.events["row"], minlength=len(records)), pa.int32()),
    }


def _decisions(played: Played, dataset: DatasetSpec) -> dict[str, pa.Array]:
    noted = played.decisions
    game, seat, action = noted["row"] + played.part.first, noted["seat"], noted["action"]
    names_a_seat = (action >= actions.SEAT_BASE) & (action < actions.SEASON_BASE)
    absolute = actions.SEAT_BASE + (action - actions.SEAT_BASE + seat) % dataset.table.num_players
    return {
        "game": pa.array(game, pa.int64()),
        "decision": pa.array(noted["number"], pa.int32()),
        "turn": pa.array(noted["turn"], pa.int16()),
        "step": _words(noted["step"], st.STEPS),
        "seat": pa.array(seat, pa.int8()),
        "role": _words(noted["role"].astype(np.int64) - 1, ROLE_IDS[1:]),
        "agent": _words((seat + game) % len(dataset.agents), dataset.agents),
        "question": _words(noted["question"], actions.QUESTIONS),
        "legal": pa.array(noted["legal"], pa.int16()),
        "action": pa.array(action, pa.int16()),
        "answer": _words(np.where(names_a_seat, absolute, action), _ANSWERS),
    }


_ANSWERS = [
    f"choose seat:{index - actions.SEAT_BASE}" if actions.SEAT_BASE <= index < actions.SEASON_BASE else name
    for index, name in enumerate(ACTION_IDS)
]
"""Names of answers, with the seats of the table in the places of those relative to the seat that answers."""


def _events(played: Played) -> dict[str, pa.Array]:
    noted, log = played.events, played.events["log"].astype(np.int64)
    columns = dict(zip(st.EVENT_COLUMN_DOC, log.T, strict=True))
    event, number, extra = columns["event"], columns["number"].copy(), columns["extra"].copy()
    turned = event == events.L_TURN
    number[turned] += events.NUMBER_ROOM * extra[turned]
    extra[turned] = 0
    texts = np.isin(event, [events.EVENT_WORDS.index(word) for word in _WITH_TEXT])
    card, players = columns["card"], played.roles.shape[1]
    return {
        "game": pa.array(noted["row"] + played.part.first, pa.int64()),
        "number": pa.array(noted["number"], pa.int32()),
        "decision": pa.array(noted["decision"], pa.int32()),
        "turn": pa.array(_turn_of(noted["row"], np.where(turned, number, 0)), pa.int16()),
        "event": _words(event, events.EVENT_WORDS),
        "actor": _seats(columns["actor"]),
        "target": _seats(columns["target"]),
        "actor_role": _roles_of(noted["roles"], columns["actor"] - 1),
        "target_role": _roles_of(noted["roles"], columns["target"] - 1),
        "about": _about(event, columns["about"] - 1),
        "text": _words(np.where(texts, number, _NOTHING), compile_cards().titles),
        "amount": pa.array(number, pa.int16()),
        "extra": pa.array(extra, pa.int16()),
        "card": _words(np.where(card > st.INCIDENT_CARD, _cards() + card - st.INCIDENT_CARD - 1, card - 1), _card_names()),
        "known_to": _lists_of_seats(columns["known to"] * (card > 0) & (1 << players) - 1),
    }


def _turn_of(rows: Array, turns: Array) -> Array:
    """The turn in which each event happened: that of the last event of its game that says so."""
    room = int(turns.max(initial=0)) + 1
    latest: Array = np.maximum.accumulate(rows * room + turns) - rows * room
    return latest


def _about(event: Array, about: Array) -> pa.DictionaryArray:
    """The role, incident, character or effect that an event is about."""
    words: list[str] = []
    first = np.full(len(events.EVENT_WORDS), _NOTHING)
    for word, ids in _ABOUT.items():
        first[events.EVENT_WORDS.index(word)] = len(words)
        words += [subject or "none" for subject in ids]
    there = (first[event] >= 0) & (about >= 0)
    return _words(np.where(there, first[event] + about, _NOTHING), words)


def _cards() -> int:
    """Cards of both boxes."""
    return int(compile_cards().tables[0]["cards_in"][BOTH_BOXES])


def _card_names() -> list[str]:
    """`shoot/spring` by the number of the card, then the ids of the incidents."""
    return [*map(card_name, range(_cards())), *INCIDENT_IDS[:NUM_INCIDENTS]]


def _lists_of_seats(masks: Array) -> pa.Array:
    """The seats of each mask."""
    flags = masks[:, np.newaxis] >> np.arange(st.SEATS) & 1
    ends = np.concatenate([[0], np.cumsum(flags.sum(axis=1))])
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), pa.array(np.nonzero(flags)[1], pa.int8()))
