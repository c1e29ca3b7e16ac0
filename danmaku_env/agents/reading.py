"""What a network reads and answers, by name: why a checkpoint goes on working when observations and action spaces grow.

A *place* is one byte of an observation: the name of its piece, then its index along every axis, as in `hand/graze/spring` or
`attacks/before/0/3`; the ids that a byte may hold, the roles, the actions and the events of the log have names too. A net keeps the names
(`Reading`); where they stand today, a `Layout` says.
"""

from __future__ import annotations

import functools
import itertools
from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from danmaku_env.arguments import shown
from danmaku_env.cards import box
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.roles import ROLES
from danmaku_env.config import GameConfig
from danmaku_env.engine import actions
from danmaku_env.engine import state as st
from danmaku_env.engine.events import EVENT_WORDS
from danmaku_env.engine.pieces import EXTRAS_SHOWN, HISTORY_COLUMNS, KNOWN_ENDS, OBSERVATION_SIZE, OFFSETS, PIECES

Array = npt.NDArray[Any]
SEAT_NAMES = tuple(map(str, range(st.SEATS)))
_ENDS = tuple(map(str, range(KNOWN_ENDS)))
_EXTRAS = tuple(map(str, range(EXTRAS_SHOWN)))
_PHASE = ("before", "after")
_SHOWN = ("kind", "season")
_ONE = ("is",)
_BYTE = 256
"""Numbers that a byte can hold."""
AXES: dict[str, tuple[tuple[str, ...], ...]] = {
    "question": (actions.QUESTIONS,),
    "source": (("kind", "character", "incident", "role"),),
    "step": (st.STEPS,),
    "players": (("4", "5", "6", "7", "8"),),
    "attack": (("damage", "unavoidable"),),
    "played": (("kind", "character"),),
    "role": (SEAT_NAMES, box.ROLE_IDS[1:]),
    "items": (SEAT_NAMES, box.ITEM_IDS),
    "hand": (box.KIND_IDS, v.SEASONS),
    "known_hands": (SEAT_NAMES, box.KIND_IDS),
    "candidates": (box.CHARACTER_IDS,),
    "aside": (box.KIND_IDS,),
    "aside_incidents": (box.INCIDENT_IDS,),
    "discard": (box.KIND_IDS,),
    "discard_top": (_SHOWN,),
    "collected": (box.KIND_IDS,),
    "collected_seasons": (v.SEASONS,),
    "incidents": (box.INCIDENT_IDS,),
    "deck_size": (("main", "incidents"),),
    "known_top": (_ENDS, _SHOWN),
    "known_bottom": (_ENDS, _SHOWN),
    "known_incidents": (box.INCIDENT_IDS,),
    "incident_order": (box.INCIDENT_IDS,),
    "collected_by": (box.INCIDENT_IDS, v.SEASONS),
    "incidents_kept": (box.INCIDENT_IDS,),
    "discarded_incidents": (box.INCIDENT_IDS,),
    "lasting": (SEAT_NAMES, v.LASTING),
    "banned": (v.TYPES,),
    "hand_lunatic": (box.KIND_IDS,),
    "lunatic_deck_size": (_ONE,),
    "lunatic_discard": (box.KIND_IDS,),
    "lunatic_discard_top": (_SHOWN,),
    "known_lunatic_top": (_ENDS, _SHOWN),
    "known_lunatic_bottom": (_ENDS, _SHOWN),
    "extra_turn": (("follows", "now"),),
    "extras": (SEAT_NAMES, _EXTRAS),
    "extra_sources": (SEAT_NAMES, _EXTRAS),
    "named": (SEAT_NAMES, ("until_next", "for_good")),
    "characters_left": (("pile", "discarded"),),
    "discarded_characters": (box.CHARACTER_IDS,),
    **dict.fromkeys(("attacks", "hits", "heals", "gives", "spells"), (_PHASE, SEAT_NAMES, SEAT_NAMES)),
    **dict.fromkeys(("chosen_number", "chosen_kind", "max_hand", "played_half", "played_spell", "played_number", "played_item"), (_ONE,)),
}
"""Piece -> the names along each of its axes; a piece that is not listed has one number for each seat."""
_IDS = {
    "kind": ("", *box.KIND_IDS), "character": ("", *box.CHARACTER_IDS), "incident": ("", *box.INCIDENT_IDS),
    "role": box.ROLE_IDS, "text of a role": ("", *box.ROLE_IDS), "season": ("", *v.SEASONS),
}  # fmt: skip
"""What an id byte may name -> the names by number; 0 is nothing. Roles are numbered from 1, and texts count what they are printed on from 1
again; nets that were made before that was known keep the name `role` for `source/role`, and read it as they learned to."""
_ID_OF = {
    "source/role": "text of a role", "chosen_kind": "kind", "played_item": "kind",
    "character": "character", "second_character": "character",
    "extras": "character", "named": "character",
}  # fmt: skip
"""Id pieces, and places of one, whose last axis does not say what they name."""
_TEXT_EVENTS = ("play", "spell", "use", "cancel")
"""Events whose number is that of a text."""
_OF_THE_EXPANSION = {
    *box.KIND_IDS[box.NUM_BASE_KINDS :], *box.CHARACTER_IDS[box.NUM_BASE_CHARACTERS :],
    *box.INCIDENT_IDS[box.NUM_BASE_INCIDENTS :], *box.ROLE_IDS[1 + len(ROLES) :],
    "zero", "copy", "turn zero", "exchange", "extra", "recruit", "dismiss", "turned away", "restock", "named", "season called",
    "draft", "ban", "character ban",
    "abilities have no effect",
    "hand_lunatic", "lunatic_in_hand", "lunatic_deck_size", "lunatic_discard", "lunatic_discard_top", "known_lunatic_top",
    "known_lunatic_bottom", "extra_turn", "danmaku_cards", "spared", "item_due",
    "extras", "extra_sources", "abilities_off", "incident_order", "collected_by", "incidents_kept",
    "characters_left", "discarded_characters", "second_character",
}  # fmt: skip
"""Names of the pieces, ids, steps, questions and events that no base game can show: a net that was never shown them has nothing to say of
them."""


class Layout(NamedTuple):
    """Where everything stands in observations and action spaces."""

    columns: dict[str, int]
    """Place -> column; the history, where there is one, begins at `size`."""
    size: int
    ids: dict[str, tuple[str, ...]]
    """What an id byte may name -> the names by number."""
    actions: tuple[str, ...]
    events: tuple[str, ...]
    titles: tuple[str, ...]
    """Texts by number, as the log has them."""

    @property
    def roles(self) -> tuple[str, ...]:
        """Role number -> name."""
        return self.ids["role"]


@functools.cache
def today() -> Layout:
    """The layout of this version."""
    columns = {}
    for piece in PIECES:
        axes = [names[:size] for names, size in zip(AXES.get(piece.name, (SEAT_NAMES,)), piece.shape, strict=True)]
        # slots that no item has a name for stay empty
        axes = [(*names, *(f"-{slot}" for slot in range(len(names), size))) for names, size in zip(axes, piece.shape, strict=True)]
        for place, names in enumerate(itertools.product(*axes)):
            columns["/".join((piece.name, *names))] = OFFSETS[piece.name] + place
    return Layout(columns, OBSERVATION_SIZE, _IDS, actions.ACTION_IDS, EVENT_WORDS, compile_cards().titles)


@dataclass(frozen=True)
class Reading:
    """What a net reads and answers. Names with `*` are of every seat, in whose number's place it stands; with two, of pairs of seats."""

    seats: tuple[str, ...]
    """Numbers of each seat."""
    pairs: tuple[str, ...]
    """Numbers of each seat towards each other one."""
    table: tuple[str, ...]
    """Numbers of the table as a whole, and of the hand."""
    seat_ids: tuple[str, ...]
    table_ids: tuple[str, ...]
    """Bytes that name something; `named` says what."""
    named: dict[str, str]
    """Id place -> what it names: a key of `ids`."""
    ids: dict[str, tuple[str, ...]]
    """What an id byte may name -> the names the net has met; the first is nothing."""
    roles: tuple[str, ...]
    """Roles that a seat may have; the first is none."""
    actions: tuple[str, ...]
    """Actions that have a score, without those that name a seat."""
    events: tuple[str, ...]
    """Events of the log by word, and texts by title."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Any) -> Reading:
        """The inverse of `to_dict`. Raises ValueError on anything else."""
        if not isinstance(data, dict) or {field.name for field in fields(cls)} != data.keys():
            raise ValueError("what the network reads and answers is not said")
        lists = {name: tuple(value) for name, value in data.items() if isinstance(value, (list, tuple))}
        ids, named = data["ids"], data["named"]
        if len(lists) != len(fields(cls)) - 2 or not isinstance(ids, dict) or not isinstance(named, dict):
            raise ValueError("what the network reads and answers are no lists of names")
        ids = {name: tuple(value) if isinstance(value, (list, tuple)) else () for name, value in ids.items()}
        every = [*itertools.chain(*lists.values()), *itertools.chain(*ids.values()), *named.values()]
        if not all(isinstance(name, str) for name in every) or not all(map(len, (*lists.values(), *ids.values()))):
            raise ValueError("what the network reads and answers are no lists of names")
        if max(map(len, (lists["events"], *ids.values()))) > _BYTE:
            raise ValueError(f"the network knows more than the {_BYTE} names that a byte can tell apart")
        if not all(named.get(place) in ids for place in (*lists["seat_ids"], *lists["table_ids"])):
            raise ValueError("the network reads ids of which nothing says what they name")
        return cls(**lists, ids=ids, named=named)


def reading_of(config: GameConfig) -> Reading:
    """What the games of a box can show: those of the base box, or of both."""
    return base_game() if config.expansion == "none" else both_boxes()


def base_game() -> Reading:
    """Everything that a game of the base box can show, to whoever sits at the table."""
    return _reading(frozenset(_OF_THE_EXPANSION), _expansion_titles())


def both_boxes() -> Reading:
    """Everything that a game can show."""
    return _reading(frozenset(), frozenset())


@functools.cache
def _reading(unseen: frozenset[str], unseen_titles: frozenset[str]) -> Reading:
    """What can be shown, but for these names and titles."""
    numbers: dict[int, dict[str, None]] = {0: {}, 1: {}, 2: {}}
    ids: dict[int, dict[str, None]] = {0: {}, 1: {}, 2: {}}
    named = {}
    kinds = {piece.name: piece.kind for piece in PIECES}
    for name in today().columns:
        piece, *rest = name.split("/")
        if any(part in unseen or part.startswith("-") for part in (piece, *rest)):
            continue
        axes = AXES.get(piece, (SEAT_NAMES,))
        starred = [part if axis is not SEAT_NAMES else "*" for part, axis in zip(rest, axes, strict=True)]
        place, count = "/".join((piece, *starred)), starred.count("*")
        (ids if kinds[piece] == "id" else numbers)[count][place] = None
        if kinds[piece] == "id":
            named[place] = _ID_OF.get(place) or _ID_OF.get(piece, rest[-1])
    used = {what: tuple(name for name in names if name not in unseen) for what, names in _IDS.items()}
    answers = tuple(name for name in actions.ACTION_IDS if not _names(unseen, name) and not name.startswith("choose seat:"))
    titles = dict.fromkeys(title for title in compile_cards().titles if title and title not in unseen_titles)
    events = ("", *(word for word in EVENT_WORDS[1:] if word not in unseen), *titles)
    return Reading(
        tuple(numbers[1]), tuple(numbers[2]), tuple(numbers[0]), tuple(ids[1]), tuple(ids[0]), named, used, used["role"], answers, events
    )


@functools.cache
def _expansion_titles() -> frozenset[str]:
    """Titles of texts of the expansion's cards, characters, incidents and roles, and the bonus character's, that the base box has not."""
    bonus = box.BASE_GAME._replace(cards=(), characters=box.BASE_GAME.bonus, incidents=(), roles=())
    return (_titles_of(box.LUNATIC_EXTRA) | _titles_of(bonus)) - _titles_of(box.BASE_GAME)


def _titles_of(printed: box.Box | box.Expansion) -> frozenset[str]:
    names = [
        [card.name for card in printed.cards], [who.name for who in printed.characters], [who.spell_name for who in printed.characters],
        [incident.name for incident in printed.incidents], [role.name for role in printed.roles],
    ]  # fmt: skip
    return frozenset(itertools.chain(*names))


def _names(unseen: frozenset[str], action: str) -> bool:
    return action.rpartition(":")[2].rpartition(" ")[2] in unseen


class MissingError(ValueError):
    """Something a net reads is not there in a layout; the message names it."""


def columns_of(layout: Layout, names: tuple[str, ...], stars: int) -> Array:
    """[k], [k, 8] or [k, 8, 8] the columns of places, for names with so many `*`. Raises MissingError."""
    found = []
    for name in names:
        if name.count("*") != stars:
            raise MissingError(f"{shown(name)} stands where {stars} seats should be named")
        places = [name]
        for _ in range(stars):
            places = [place.replace("*", seat, 1) for place in places for seat in SEAT_NAMES]
        if missing := [place for place in places if place not in layout.columns]:
            raise MissingError(f"{shown(missing[0])} is not among what an observation shows")
        found.append(np.array([layout.columns[place] for place in places]).reshape((st.SEATS,) * stars))
    return np.stack(found)


def numbers_of(today_names: tuple[str, ...], known: tuple[str, ...]) -> Array:
    """[_BYTE] uint8: number of today -> number of the net, 0 for what it never met."""
    table: Array = np.zeros(_BYTE, np.uint8)
    for number, name in enumerate(today_names[:_BYTE]):
        table[number] = known.index(name) if name in known else 0
    return table


def event_numbers(layout: Layout, known: tuple[str, ...]) -> tuple[Array, Array, Array]:
    """[_BYTE] each: event -> number of the net; whether its number is that of a text; text -> number of the net."""
    texts: Array = np.zeros(_BYTE, np.bool_)
    texts[[layout.events.index(word) for word in _TEXT_EVENTS]] = True
    return numbers_of(layout.events, known), texts, numbers_of(layout.titles, known)


EVENT, ACTOR, TARGET, NUMBER = (HISTORY_COLUMNS.index(name) for name in ("event", "actor", "target", "number"))
"""Columns of an event that are read."""
