"""The fields of an observation and of the full state, with the names of their axes; `observe.py` writes them.

*Mine* and *theirs* are relative to the observer. My cards are named by the slots of my deck list, theirs by the order in which I saw them,
or by their list if it is open (H-4). Values are current ones plus 100, so that a byte can hold those below 0.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from danmaku_env.fields import OF_SEATS, SINGLE, Axis, Field, highest_of, numbered, offsets_of
from danmaku_env.sister.utage.cards import box
from danmaku_env.sister.utage.cards import words as w
from danmaku_env.sister.utage.engine import state as st

SEAT_AXIS = Axis(OF_SEATS, ("0", "1"))
SLOT_AXIS = numbered("card", range(1, w.SLOTS + 1))
PLACE_AXIS = numbered("place", range(1, w.PLACES + 1))
TEAM_AXIS = numbered("character", range(1, w.TEAM + 1))
KNOWN_TOP = 4
TOP_AXIS = numbered("depth", range(KNOWN_TOP))
VALUE_AXIS = Axis("value", ("AV", "IV", "HV"))
ZERO = 100
"""How a value of 0 is told."""
IDS: dict[str, tuple[str, ...]] = {
    "card": ("", *(card.id for card in box.CARDS)), "where": st.WHERE_WORDS, "type": w.TYPE_WORDS,
}  # fmt: skip
"""What an id byte may name."""
_CARDS = len(box.CARDS)

OBSERVATION_FIELDS: tuple[Field, ...] = (
    Field("question", (Axis("question", w.QUESTIONS),), "flag", 1, "what I am asked; nothing for a seat that is not asked", words="one"),
    Field("cause", (SINGLE,), "id", _CARDS, "the card that asks me", ("card",)),
    Field("phase", (Axis("phase", w.PHASES),), "flag", 1, "where the turn is", words="one"),
    Field("attacker", (SEAT_AXIS,), "flag", 1, "who attacks in this turn", words="one"),
    Field("turn_number", (SINGLE,), "count", 255, "turns begun"),
    Field("battles", (SINGLE,), "count", 255, "battle phases still to come in this turn"),
    Field("half", (SINGLE,), "count", 3, "1 and 2 while the spell of the attacker, of the interceptor, is judged"),
    Field("events_banned", (SINGLE,), "flag", 1, "whether no event can be used in this turn"),
    Field("hp", (SEAT_AXIS,), "count", 255, "HP of each leader"),
    Field("sp", (SEAT_AXIS,), "count", 255, "SP of each seat"),
    Field("ev", (SEAT_AXIS,), "count", 255, "EV of each leader as it stands, and 100"),
    Field("bv", (SEAT_AXIS,), "count", 255, "BV of each leader"),
    Field("team", (SEAT_AXIS, TEAM_AXIS), "id", _CARDS, "the characters of each team", ("card",)),
    Field("leader", (SEAT_AXIS,), "id", _CARDS, "each leader; the other's once both are named", ("card",)),
    Field("leader_used", (SEAT_AXIS,), "flag", 1, "whether its ability was used in this phase"),
    Field("hand_size", (SEAT_AXIS,), "count", 255, "cards in hand"),
    Field("deck_size", (SEAT_AXIS,), "count", 40, "cards of the deck"),
    Field("my_cards", (SLOT_AXIS,), "id", _CARDS, "which card each slot of my deck list is", ("card",)),
    Field("hand", (SLOT_AXIS,), "count", 3, "my hand"),
    Field("deck", (SLOT_AXIS,), "count", 3, "what is left in my deck"),
    Field("their_cards", (SLOT_AXIS,), "id", _CARDS, "which card each number of the other's is", ("card",)),
    Field("their_list", (SLOT_AXIS,), "count", 3, "copies of it in the other's deck list, where that is open"),
    Field("known_hand", (SLOT_AXIS,), "count", 3, "cards that I know in the other's hand"),
    Field("discard", (SEAT_AXIS, SLOT_AXIS), "count", 3, "the discard piles: mine by my slots, the other's by its numbers"),
    Field("known_top", (SEAT_AXIS, TOP_AXIS), "id", _CARDS, "what I know of the top of each deck, from the top", ("card",)),
    Field("battling", (SEAT_AXIS,), "count", w.PLACES, "place of the battling spell of each side; 0 for none"),
    Field("card", (SEAT_AXIS, PLACE_AXIS), "id", _CARDS, "the card at each place of each side", ("card",)),
    Field("where", (SEAT_AXIS, PLACE_AXIS), "id", len(st.WHERE_WORDS) - 1, "what it is there", ("where",)),
    Field("host", (SEAT_AXIS, PLACE_AXIS), "count", w.PLACES, "the place of the spell that it lies on"),
    Field("value", (SEAT_AXIS, PLACE_AXIS, VALUE_AXIS), "count", 255, "AV, IV and HV of a spell as they stand, and 100"),
    Field("type", (SEAT_AXIS, PLACE_AXIS), "id", len(w.TYPE_WORDS) - 1, "type of a spell as it stands", ("type",)),
    Field("protection", (SEAT_AXIS, PLACE_AXIS), "count", 255, "protection of a spell as it stands"),
    Field("evasion", (SEAT_AXIS, PLACE_AXIS, Axis("against", ("concentrated", "spread"))), "count", 255, "fast and slow of a spell"),
    Field("marks", (SEAT_AXIS, PLACE_AXIS), "count", 255, "1: ability used; 2: guided; 4: penetration; 8: it cannot battle; 16, 32: "
          "it is safe from events, abilities of the other side; 64: it belongs to the other side's deck"),
)  # fmt: skip
OFFSETS = offsets_of(OBSERVATION_FIELDS)
OBSERVATION_SIZE = OFFSETS["end"]
_STATE_ONLY: tuple[Field, ...] = (
    Field("hands", (SEAT_AXIS, SLOT_AXIS), "count", 3, "both hands"),
    Field("decks", (SEAT_AXIS, SLOT_AXIS), "count", 3, "both decks"),
    Field("lists", (SEAT_AXIS, SLOT_AXIS), "id", _CARDS, "which card each slot of each deck list is", ("card",)),
    Field("tops", (SEAT_AXIS, TOP_AXIS), "id", _CARDS, "the top of each deck", ("card",)),
    Field("asked", (SEAT_AXIS,), "flag", 1, "which seat is asked", words="one"),
)
STATE_FIELDS: tuple[Field, ...] = (
    Field("observation", (numbered("byte", range(OBSERVATION_SIZE)),), "mixed", 255, "what seat 0 observes"), *_STATE_ONLY,
)  # fmt: skip
STATE_OFFSETS = offsets_of(STATE_FIELDS)
HISTORY_COLUMNS = ("event", "actor", "owner", "card", "number")
"""Bytes of one event behind an observation."""
_MOST_IN_EVENT = (len(st.EVENT_WORDS) - 1, st.SEATS, st.SEATS, _CARDS, 255)


def highest(history: int) -> npt.NDArray[np.uint8]:
    """[n] the largest value of every byte of an observation that ends with this many events."""
    return highest_of(OBSERVATION_FIELDS, _MOST_IN_EVENT, history)
