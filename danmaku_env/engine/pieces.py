"""What an observation consists of: its pieces, in order, and where each begins. They are written by `observe.py`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import NUM_CHARACTERS, NUM_INCIDENTS, NUM_KINDS, NUM_ROLES
from danmaku_env.cards.tables import SLOTS
from danmaku_env.engine import actions, events
from danmaku_env.engine import state as st

SEATS = st.SEATS
MOST_ID = max(NUM_KINDS, NUM_CHARACTERS, NUM_INCIDENTS, NUM_ROLES)
"""The largest id of a card kind, character, incident or role."""
EXTRAS_SHOWN = 6
"""Extra Characters of a seat that are shown: no seat has more."""
KNOWN_ENDS = 3
"""Cards at each end of a deck that are shown to who knows them."""


class Piece(NamedTuple):
    """One named part of an observation row."""

    name: str
    shape: tuple[int, ...]
    kind: str
    """flag, count or id, as the head of `observe.py` says; mixed for a piece of the full state that is an observation."""
    high: int
    """Largest value."""
    doc: str

    @property
    def size(self) -> int:
        """Its bytes."""
        return math.prod(self.shape)


PIECES = (
    Piece("question", (len(actions.QUESTIONS),), "flag", 1, "what I am asked (all zero when I am not asked)"),
    Piece("source", (4,), "id", MOST_ID, "what asks me: card kind, character, incident, role"),
    Piece("chosen", (SEATS,), "flag", 1, "players I have chosen so far for what asks me: the first"),
    Piece("chosen_second", (SEATS,), "flag", 1, "the second"),
    Piece("chosen_number", (1,), "count", 64, "the number, type, deck, Extra Character or count of discards so far"),
    Piece("chosen_kind", (1,), "id", MOST_ID, "card kind picked, whose season, place or receiver is being asked"),
    Piece("step", (len(st.STEPS),), "flag", 1, "step of the turn"),
    Piece("turn", (SEATS,), "flag", 1, "whose turn it is"),
    Piece("players", (5,), "flag", 1, "number of players, 4 to 8"),
    Piece("attack_by", (SEATS,), "flag", 1, "attacker of the topmost attack on the stack"),
    Piece("attack_on", (SEATS,), "flag", 1, "its target"),
    Piece("attack", (2,), "count", 40, "its damage; whether it is unavoidable"),
    Piece("played_by", (SEATS,), "flag", 1, "player of the topmost announced card or Spell Card"),
    Piece("played_on", (SEATS,), "flag", 1, "its first target"),
    Piece("played", (2,), "id", MOST_ID, "card kind; character whose Spell Card or ability it is"),
    Piece("active", (SEATS,), "flag", 1, "not defeated"),
    Piece("life", (SEATS,), "count", 5, "life"),
    Piece("max_life", (SEATS,), "count", 5, "max life, as far as the known role tells"),
    Piece("hand_size", (SEATS,), "count", 100, "cards in hand"),
    Piece("max_hand", (1,), "count", 9, "my max hand size"),
    Piece("in_range", (SEATS,), "flag", 1, "in range of me"),
    Piece("danmaku_played", (SEATS,), "count", 80, "danmaku cards counted this round"),
    Piece("spell_used", (SEATS,), "flag", 1, "Spell Card activated this round"),
    Piece("ability_used", (SEATS,), "flag", 1, "a once-per-turn or once-per-round ability is used up"),
    Piece("skipped_last", (SEATS,), "flag", 1, "skipped the last turn"),
    Piece("skip_next", (SEATS,), "flag", 1, "must skip the next turn"),
    Piece("role", (SEATS, NUM_ROLES - 1), "flag", 1, "role, where I know it"),
    Piece("character", (SEATS,), "id", MOST_ID, "primary character (hidden until all have chosen; mine I know)"),
    Piece("items", (SEATS, SLOTS), "count", 8, "items in play by kind of item"),
    Piece("hand", (NUM_KINDS, 4), "count", 24, "my hand by card kind and season"),
    Piece("known_hands", (SEATS, NUM_KINDS), "count", 24, "cards in other hands that I know"),
    Piece(
        "candidates",
        (NUM_CHARACTERS,),
        "flag",
        1,
        "characters I may choose from at set-up, or have drawn to recruit one; those that lie open in a draft",
    ),
    Piece("aside", (NUM_KINDS,), "count", 24, "cards laid aside that I may see"),
    Piece("aside_incidents", (NUM_INCIDENTS,), "flag", 1, "incidents laid aside that I may see"),
    Piece("discard", (NUM_KINDS,), "count", 24, "discard pile by card kind"),
    Piece("discard_top", (2,), "id", MOST_ID, "its top card: kind, season"),
    Piece("collected", (NUM_KINDS,), "count", 24, "collected cards by kind"),
    Piece("collected_seasons", (4,), "count", 20, "collected cards by season"),
    Piece("incidents", (NUM_INCIDENTS,), "flag", 1, "incidents in play"),
    Piece("deck_size", (2,), "count", 140, "cards in the Main deck and in the incident deck"),
    Piece("known_top", (KNOWN_ENDS, 2), "id", MOST_ID, "top cards of the Main deck that I know: kind, season; the top first"),
    Piece("known_bottom", (KNOWN_ENDS, 2), "id", MOST_ID, "bottom cards of the Main deck that I know: kind, season; the bottom first"),
    Piece("known_incidents", (NUM_INCIDENTS,), "count", 20, "incidents I know in their deck: depth, 1 = top"),
    Piece("lasting", (SEATS, len(v.LASTING)), "count", 64, "effects until that player's next turn: their value, 1 where there is none"),
    Piece("items_off", (SEATS,), "flag", 1, "items have no effect"),
    Piece("banned", (len(v.TYPES),), "flag", 1, "card types nobody may play now"),
    Piece("hand_lunatic", (NUM_KINDS,), "count", 24, "Lunatic cards among my hand, by card kind"),
    Piece("lunatic_in_hand", (SEATS,), "count", 40, "Lunatic cards in hand: everybody sees the backs"),
    Piece("lunatic_deck_size", (1,), "count", 40, "cards in the Lunatic deck"),
    Piece("lunatic_discard", (NUM_KINDS,), "count", 24, "Lunatic discard pile by card kind"),
    Piece("lunatic_discard_top", (2,), "id", MOST_ID, "its top card: kind, season"),
    Piece("known_lunatic_top", (KNOWN_ENDS, 2), "id", MOST_ID, "top cards of the Lunatic deck that I know: kind, season; the top first"),
    Piece("known_lunatic_bottom", (KNOWN_ENDS, 2), "id", MOST_ID, "its bottom cards that I know: kind, season; the bottom first"),
    Piece("streak", (SEATS,), "count", 127, "rounds in a row in which the Spell Card that counts them was carried out"),
    Piece("extra_turn", (2,), "flag", 1, "an extra turn follows this one; this is an extra turn"),
    Piece(
        "danmaku_cards",
        (SEATS,),
        "count",
        99,
        "danmaku cards played this round, those too that are not counted against the limit; 0 without Lunatic Extra",
    ),
    Piece("spared", (SEATS,), "flag", 1, "cannot lose life for the rest of the turn"),
    Piece("item_due", (SEATS,), "flag", 1, "gets an item from another when the stack is empty"),
    Piece("extras", (SEATS, EXTRAS_SHOWN), "id", MOST_ID, "Extra Characters, the one had longest first"),
    Piece("extra_sources", (SEATS, EXTRAS_SHOWN), "count", 3, "what granted each: 1 an ability, 2 an item, 3 a role"),
    Piece("named", (SEATS, 2), "id", MOST_ID, "characters whose ability was named: until another is, and once and for all"),
    Piece("abilities_off", (SEATS,), "flag", 1, "abilities have no effect"),
    Piece("characters_left", (2,), "count", NUM_CHARACTERS, "characters in the pile to recruit from, and discarded"),
    Piece("discarded_characters", (NUM_CHARACTERS,), "flag", 1, "characters I know to be discarded"),
    Piece("incident_order", (NUM_INCIDENTS,), "count", 20, "incidents in play by age: 1 = the oldest; 0 without Lunatic Extra"),
    Piece(
        "collected_by",
        (NUM_INCIDENTS, 4),
        "count",
        40,
        "of each incident in play, the cards it has collected by season; 0 without Lunatic Extra",
    ),
    Piece("incidents_kept", (NUM_INCIDENTS,), "flag", 1, "resolved incidents that one in play has collected"),
    Piece("second_character", (SEATS,), "id", MOST_ID, "the other primary character in Double Threat (hidden and known as the first)"),
    Piece("attacks", (2, SEATS, SEATS), "count", 100, "attacks, from row to column: before the first defeat, and after it"),
    Piece("hits", (2, SEATS, SEATS), "count", 100, "of those, attacks that took life"),
    Piece("heals", (2, SEATS, SEATS), "count", 100, "times the row gave life to the column"),
    Piece("gives", (2, SEATS, SEATS), "count", 100, "cards the row gave to the column"),
    Piece("spells", (2, SEATS, SEATS), "count", 100, "Spell Cards of the row aimed at the column"),
    Piece("played_half", (1,), "count", 2, "half of the card that is `played`: 1 or 2"),
    Piece("played_spell", (1,), "flag", 1, "what is `played` is a Spell Card"),
    Piece("played_second", (SEATS,), "flag", 1, "its second target, until its effects begin"),
    Piece("played_third", (SEATS,), "flag", 1, "its third target, until then"),
    Piece("played_number", (1,), "count", 127, "the number, type, deck + 1, options or seasons named for it, until then"),
    Piece("played_item", (1,), "id", MOST_ID, "the item in play picked for it, until then"),
    Piece("drawn", (SEATS,), "flag", 1, "has drawn a card of the Main deck this turn"),
    Piece("discarded_incidents", (NUM_INCIDENTS,), "flag", 1, "incidents in their discard pile"),
)

HISTORY_COLUMNS = ("event", "actor", "target", "about", "number", "extra", "card", "season")
"""Bytes of one event of the `history` piece: ids as in the other pieces, seats relative to me plus one, 0 for none or not known to me.

The season is that of a card of the Main deck from 1 to 4, of the Lunatic deck from 5 to 8."""

_HISTORY_HIGH = (len(events.EVENT_WORDS) - 1, SEATS, SEATS, MOST_ID, 255, 255, MOST_ID, 2 * st.NUM_SEASONS)


def highest(history: int = 0) -> np.ndarray:
    """[n] uint8: the largest value of every byte of an observation that ends with so many events."""
    pieces = [np.full(piece.size, piece.high, np.uint8) for piece in PIECES]
    return np.concatenate([*pieces, np.tile(np.array(_HISTORY_HIGH, np.uint8), history)])


def offsets_of(pieces: Sequence[Piece]) -> dict[str, int]:
    """Where each piece begins in a row of them, by its name, and the `end`."""
    offsets, at = {}, 0
    for piece in pieces:
        offsets[piece.name] = at
        at += piece.size
    offsets["end"] = at
    return offsets


OFFSETS = offsets_of(PIECES)
"""First byte of each piece."""
OBSERVATION_SIZE = OFFSETS["end"]
