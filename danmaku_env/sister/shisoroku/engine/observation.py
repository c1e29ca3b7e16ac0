"""The fields of an observation and of the full state, with the names of their axes; `observe.py` writes them.

Seats are relative to the observer (0 = me, 1 = the next clockwise). Cards are identified by place: basic ones, kingdom 1 to 10, chirei
cards, prizes; `cards` says which card of the box lies at each. What a card does is in `card_features()`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from danmaku_env.fields import OF_SEATS, SINGLE, Axis, Field, highest_of, numbered, offsets_of
from danmaku_env.sister.shisoroku.cards import box
from danmaku_env.sister.shisoroku.cards.words import PLACES, QUESTIONS
from danmaku_env.sister.shisoroku.engine import state as st
from danmaku_env.sister.shisoroku.engine.actions import PLACE_IDS

SEAT_AXIS = numbered(OF_SEATS, range(st.SEATS))
PLACE_AXIS = Axis("place", PLACE_IDS)
SIZE_AXIS = Axis("pile", ("hand", "deck", "discard"))
KNOWN_TOP = 5
"""Cards of the top of a deck that a row shows."""
TOP_AXIS = numbered("place", range(KNOWN_TOP))
IDS: dict[str, tuple[str, ...]] = {"card": ("", *(card.id for card in box.CARDS)), "place": ("", *PLACE_IDS)}
"""What an id byte may name."""

OBSERVATION_FIELDS: tuple[Field, ...] = (
    Field("question", (Axis("question", QUESTIONS),), "flag", 1, "what I am asked; nothing for a seat that is not asked", words="one"),
    Field("cause", (SINGLE,), "id", PLACES, "the card whose text asks me", ("place",)),
    Field("phase", (Axis("phase", st.PHASES),), "flag", 1, "where the turn is", words="one"),
    Field("turn", (SEAT_AXIS,), "flag", 1, "whose turn it is", words="one"),
    Field("extra_turn", (SINGLE,), "flag", 1, "whether it is an extra turn"),
    Field("players", (numbered("players", range(st.FEWEST_SEATS, st.SEATS + 1)),), "flag", 1, "number of seats", words="one"),
    Field("turn_number", (SINGLE,), "count", 255, "turns begun, of all seats together"),
    Field("turns", (SEAT_AXIS,), "count", 255, "turns of each seat, which break ties"),
    Field("actions", (SINGLE,), "count", 255, "actions left"),
    Field("buys", (SINGLE,), "count", 255, "purchases left"),
    Field("coins", (SINGLE,), "count", 255, "coins left"),
    Field("actions_played", (SINGLE,), "count", 255, "actions played this turn"),
    Field("cards", (PLACE_AXIS,), "id", len(box.CARDS), "which card of the box lies at each place", ("card",)),
    Field("supply", (PLACE_AXIS,), "count", 64, "cards left in each pile, prizes among them"),
    Field("cost", (PLACE_AXIS,), "count", 11, "what each costs now"),
    Field("trash", (PLACE_AXIS,), "count", 255, "the trash"),
    Field("tokens", (PLACE_AXIS,), "count", 255, "trauma tokens on each pile"),
    Field("banned", (PLACE_AXIS,), "flag", 1, "cards that cannot be bought this turn"),
    Field("hand", (PLACE_AXIS,), "count", 255, "my hand"),
    Field("aside_hidden", (PLACE_AXIS,), "count", 255, "what I have set aside face down"),
    Field("laid", (PLACE_AXIS,), "count", 255, "cards revealed, or looked at by me, that the text at hand still has to do with"),
    Field("laid_of", (SEAT_AXIS,), "flag", 1, "whose cards these are", words="one"),
    Field("picked", (PLACE_AXIS,), "count", 255, "cards I have picked for the question at hand"),
    Field("owned", (SEAT_AXIS, PLACE_AXIS), "count", 255, "all cards of a seat, as far as I can tell; passed ones count for their giver"),
    Field("passed", (SEAT_AXIS,), "count", 255, "cards a seat has passed to its left that I have not seen"),
    Field("in_play", (SEAT_AXIS, PLACE_AXIS), "count", 255, "cards in play, those of the turn before too"),
    Field("lasting", (SEAT_AXIS, PLACE_AXIS), "count", 255, "those of the turn before"),
    Field("aside", (SEAT_AXIS, PLACE_AXIS), "count", 255, "cards set aside, face up"),
    Field("known_hand", (SEAT_AXIS, PLACE_AXIS), "count", 255, "cards that I know in others' hands"),
    Field("sizes", (SEAT_AXIS, SIZE_AXIS), "count", 255, "cards in hand, deck and discard pile"),
    Field("discard_top", (SEAT_AXIS,), "id", PLACES, "the open top of each discard pile", ("place",)),
    Field("known_top", (SEAT_AXIS, TOP_AXIS), "id", PLACES, "what I know of the top of each deck, from the top", ("place",)),
    Field("known_bottom", (SINGLE,), "id", PLACES, "the bottom card of my deck, if I know it", ("place",)),
    Field("gained", (PLACE_AXIS,), "flag", 1, "what the right neighbour gained in its last turn"),
    Field("attacked_by", (SEAT_AXIS,), "flag", 1, "whoever's attack I may answer", words="one"),
)  # fmt: skip
OFFSETS = offsets_of(OBSERVATION_FIELDS)
OBSERVATION_SIZE = OFFSETS["end"]
_STATE_ONLY: tuple[Field, ...] = (
    Field("hands", (SEAT_AXIS, PLACE_AXIS), "count", 255, "all hands"),
    Field("decks", (SEAT_AXIS, PLACE_AXIS), "count", 255, "all decks"),
    Field("discards", (SEAT_AXIS, PLACE_AXIS), "count", 255, "all discard piles"),
    Field("hidden", (SEAT_AXIS, PLACE_AXIS), "count", 255, "all cards set aside face down"),
    Field("tops", (SEAT_AXIS, TOP_AXIS), "id", PLACES, "the top of each deck where its order is fixed", ("place",)),
    Field("asked", (SEAT_AXIS,), "flag", 1, "which seat is asked", words="one"),
)
STATE_FIELDS: tuple[Field, ...] = (
    Field("observation", (numbered("byte", range(OBSERVATION_SIZE)),), "mixed", 255, "what seat 0 observes"), *_STATE_ONLY,
)  # fmt: skip
STATE_OFFSETS = offsets_of(STATE_FIELDS)
HISTORY_COLUMNS = ("event", "actor", "about", "card", "number")
"""Bytes of one event behind an observation."""
_MOST_IN_EVENT = (len(st.EVENT_WORDS) - 1, st.SEATS, st.SEATS, PLACES, 255)


def highest(history: int) -> npt.NDArray[np.uint8]:
    """[n] the largest value of every byte of an observation that ends with this many events."""
    return highest_of(OBSERVATION_FIELDS, _MOST_IN_EVENT, history)
