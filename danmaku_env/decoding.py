"""`decode`: an observation row taken apart, as named arrays or in words.

Everything here follows from the table of pieces in engine/pieces.py; the layout itself is docs/observation.md.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from danmaku_env.arguments import array_of, shown, whole_number
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import CHARACTER_IDS, INCIDENT_IDS, ITEM_IDS, KIND_IDS, LUNATIC_PREFIX, ROLE_IDS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.engine import actions, events
from danmaku_env.engine import state as st
from danmaku_env.engine.pieces import EXTRAS_SHOWN, OBSERVATION_SIZE, OFFSETS, PIECES, Piece, highest
from danmaku_env.wording import Event

Array = npt.NDArray[Any]
_Leaf = Callable[[Sequence[Any], list[int]], Any]

_SEAT = "seat"
"""The axis whose places are seats."""
_CARDS = tuple(f"{kind}/{season}" for kind in KIND_IDS for season in v.SEASONS)
_PLACES: dict[str, tuple[Sequence[Any] | str, ...]] = {
    "question": (actions.QUESTIONS,),
    "step": (st.STEPS,),
    "players": (range(st.FEWEST_SEATS, st.SEATS + 1),),
    "attack": (("damage", "unavoidable"),),
    "role": (_SEAT, ROLE_IDS[1:]),
    "items": (_SEAT, ITEM_IDS),
    "hand": (_CARDS,),
    "known_hands": (_SEAT, KIND_IDS),
    "candidates": (CHARACTER_IDS,),
    "aside": (KIND_IDS,),
    "aside_incidents": (INCIDENT_IDS,),
    "discard": (KIND_IDS,),
    "collected": (KIND_IDS,),
    "collected_seasons": (v.SEASONS,),
    "incidents": (INCIDENT_IDS,),
    "deck_size": (("main", "incident"),),
    "known_incidents": (INCIDENT_IDS,),
    "incident_order": (INCIDENT_IDS,),
    "collected_by": (INCIDENT_IDS, v.SEASONS),
    "incidents_kept": (INCIDENT_IDS,),
    "discarded_incidents": (INCIDENT_IDS,),
    "lasting": (_SEAT, v.LASTING),
    "banned": (v.TYPES,),
    "hand_lunatic": (KIND_IDS,),
    "lunatic_discard": (KIND_IDS,),
    "extra_turn": (("follows", "now"),),
    "extra_sources": (_SEAT, range(EXTRAS_SHOWN)),
    "characters_left": (("pile", "discarded"),),
    "discarded_characters": (CHARACTER_IDS,),
    **dict.fromkeys(("attacks", "hits", "heals", "gives", "spells"), (("before the first defeat", "after it"), _SEAT, _SEAT)),
}
"""What the places along the axes of a piece stand for; seats where nothing is said."""
_NUMBERS = ("chosen_number", "max_hand", "lunatic_deck_size", "played_half", "played_spell", "played_number")
"""Pieces that are one number."""
_ONE_OF = (
    "question", "step", "players", "turn", "role", "chosen", "chosen_second", "attack_by", "attack_on", "played_by", "played_on",
    "played_second", "played_third",
)  # fmt: skip
"""Flags of which at most one is set along their last axis."""
_OF_THE_LUNATIC_DECK = ("lunatic_discard_top", "known_lunatic_top", "known_lunatic_bottom")
"""Cards that are always of that deck, so that a row need not say so."""
_ALL_NUMBERS = ("life", "max_life", "hand_size", "attack", "deck_size")
"""Counts in which 0 says something."""


@functools.cache
def _in_main_deck() -> Array:
    """[kinds] whether the Main deck has copies of it."""
    tables = compile_cards().tables[0]
    found: Array = tables["card_lunatic"][tables["first_copy"][: len(KIND_IDS)]] == 0
    return found


def _checked(rows: object) -> Array:
    """The rows, if they can be observations. Raises ValueError."""
    array = array_of(rows)
    if array.dtype.kind not in "iuf" or array.ndim == 0:
        raise ValueError(f"decode() takes rows of observations, arrays of numbers, not {shown(rows)}")
    if array.shape[-1] < OBSERVATION_SIZE or (array.shape[-1] - OBSERVATION_SIZE) % st.EVENT_COLUMNS:
        raise ValueError(
            f"a row of an observation has {OBSERVATION_SIZE} numbers, and {st.EVENT_COLUMNS} more for each event of a history, "
            f"not {array.shape[-1]}"
        )
    return array


@overload
def decode(rows: Array, *, words: Literal[False] = False, seat: int = 0) -> dict[str, Array]: ...
@overload
def decode(rows: Array, *, words: Literal[True], seat: int = 0) -> dict[str, Any]: ...
def decode(rows: Array, *, words: bool = False, seat: int = 0) -> dict[str, Any]:
    """An observation taken apart: the name of each piece of docs/observation.md and its array, a view of the row.

    Rows may be stacked: [..., n] gives pieces of shape [..., *their own]. A row that ends with events has the piece `history` [K, 8] too.

    With `words` one row is said in ids and numbers instead, and only what is there: `{"question": "main", "life": {0: 4, 1: 3}, "hand":
    {"shoot/spring": 1}, "role": {0: "heroine"}, ...}`. Seats are relative to the observer; `seat` names who that is, and makes them those
    of the table. `history` is then a list of `Event`, the newest first, as in `game.log.of(seat).events`. A copy in the Lunatic deck of a
    card that the Main deck has too is `lunatic_bomb/spring`, but for the hand: that counts all copies by season, and `hand_lunatic` by
    kind those that are of the Lunatic deck.

    Raises ValueError for what is no row of an observation.
    """
    array = _checked(rows)
    if words:
        if array.ndim != 1:
            raise ValueError(f"decode() says one row at a time in words, not an array of shape {array.shape}")
        return _said(array, seat)
    return _cut(array)


def _said(row: Array, seat: int) -> dict[str, Any]:
    """One row in words. Raises ValueError for numbers that no observation has."""
    with np.errstate(invalid="ignore"):
        numbers = row.astype(np.int64)
    largest = highest((len(row) - OBSERVATION_SIZE) // st.EVENT_COLUMNS)
    if (wrong := (numbers != row) | (numbers < 0) | (numbers > largest)).any():
        place = int(np.argmax(wrong))
        raise ValueError(f"no observation has {row[place]} at place {place}, where the numbers go from 0 to {largest[place]}")
    try:
        return _Said(numbers, seat).pieces()
    except IndexError:
        raise ValueError("no observation has such a row: an id in it names nothing") from None


def _cut(array: Array) -> dict[str, Array]:
    found = {}
    for piece in PIECES:
        at = OFFSETS[piece.name]
        found[piece.name] = array[..., at : at + piece.size].reshape(*array.shape[:-1], *piece.shape)
    if array.shape[-1] > OBSERVATION_SIZE:
        found["history"] = array[..., OBSERVATION_SIZE:].reshape(*array.shape[:-1], -1, st.EVENT_COLUMNS)
    return found


class _Said:
    """One row, in words."""

    def __init__(self, row: Array, seat: int) -> None:
        self.cut = _cut(row)
        if self.cut["players"].sum() != 1:
            raise ValueError("no observation has another number of players than one")
        self.players = int(np.argmax(self.cut["players"])) + st.FEWEST_SEATS
        eyes = whole_number(seat)
        if eyes is None or not 0 <= eyes < self.players:
            raise ValueError(f"seat {shown(seat)}: the seats of this row are 0 to {self.players - 1}")
        self.eyes = eyes

    def pieces(self) -> dict[str, Any]:
        said = {piece.name: self._ids(piece.name) if piece.kind == "id" else self._counted(piece.name) for piece in PIECES}
        if "history" in self.cut:
            said["history"] = [self._event(*event) for event in self.cut["history"].tolist() if event[0]]
        return said

    def _seat(self, relative: int) -> int:
        return (relative + self.eyes) % self.players

    # ---- flags and counts

    def _counted(self, name: str) -> Any:
        array = self.cut[name]
        if name in _NUMBERS:
            return int(array[0])
        seats = [self._seat(place) for place in range(self.players)]
        axes = [seats if axis == _SEAT else axis for axis in _PLACES.get(name, (_SEAT,))]
        return _along(array.reshape(*array.shape[: len(axes) - 1], -1), axes, _LEAVES[name])

    # ---- ids

    def _ids(self, name: str) -> Any:
        array = self.cut[name]
        if name in ("source", "played"):
            ids = (KIND_IDS, CHARACTER_IDS, INCIDENT_IDS, ROLE_IDS)
            return next((ids[place][number - 1] for place, number in enumerate(array.tolist()) if number), None)
        if name in ("character", "second_character"):
            return {self._seat(place): CHARACTER_IDS[number - 1] for place, number in enumerate(array.tolist()) if number}
        if name in ("extras", "named"):
            said = {
                self._seat(place): [CHARACTER_IDS[number - 1] for number in numbers if number]
                for place, numbers in enumerate(array.tolist())
            }
            return {seat: names for seat, names in said.items() if names}
        if name in ("chosen_kind", "played_item"):
            return _id(KIND_IDS, int(array[0]))
        deck = st.NUM_SEASONS if name in _OF_THE_LUNATIC_DECK else 0
        cards = [_card(kind, season + deck) for kind, season in array.reshape(-1, 2).tolist()]
        return cards if array.ndim == 2 else cards[0]

    # ---- events

    def _event(self, *columns: int) -> Event:
        word, actor, target, about, number, extra, card, season = columns
        seats = [None if not seat else self._seat(seat - 1) for seat in (actor, target)]
        if word == events.L_TURN:
            number, extra = number + events.NUMBER_ROOM * extra, 0
        name = _card(card, season) if season else _id(INCIDENT_IDS, card)
        return Event(events.EVENT_WORDS[word], seats[0], seats[1], about - 1, number, extra, name)


def _which(places: Sequence[Any], numbers: list[int]) -> Any:
    return next((place for place, number in zip(places, numbers, strict=False) if number), None)


def _all_set(places: Sequence[Any], numbers: list[int]) -> list[Any]:
    return [place for place, number in zip(places, numbers, strict=False) if number]


def _above_zero(places: Sequence[Any], numbers: list[int]) -> dict[Any, int]:
    return {place: number for place, number in zip(places, numbers, strict=False) if number}


def _every(places: Sequence[Any], numbers: list[int]) -> dict[Any, int]:
    return dict(zip(places, numbers, strict=False))


def _leaf(piece: Piece) -> _Leaf:
    """How the last axis of a piece is said. Rows have eight seats, so there may be more numbers than places."""
    if piece.kind == "flag":
        return _which if piece.name in _ONE_OF else _all_set
    return _every if piece.name in _ALL_NUMBERS else _above_zero


_LEAVES = {piece.name: _leaf(piece) for piece in PIECES}


def _along(array: Array, axes: list[Any], leaf: _Leaf) -> Any:
    """What a piece says, by its places along the axes before the last; where it says nothing, they are left out."""
    if len(axes) == 1:
        return leaf(axes[0], array.tolist())
    said = {place: _along(part, axes[1:], leaf) for place, part in zip(axes[0], array, strict=False)}
    return {place: what for place, what in said.items() if what not in ({}, [], None)}


def _id(ids: Sequence[str], number: int) -> str | None:
    return ids[number - 1] if number else None


def _card(kind: int, season: int) -> str | None:
    """`shoot/spring` of two id bytes, None where there is no card; seasons of the Lunatic deck stand behind those of the Main deck."""
    if not kind:
        return None
    prefix = LUNATIC_PREFIX if season > st.NUM_SEASONS and _in_main_deck()[kind - 1] else ""
    return f"{prefix}{KIND_IDS[kind - 1]}/{v.SEASONS[(season - 1) % st.NUM_SEASONS]}"
