"""What an observation consists of: its fields, in order, and where each begins. They are written by `observe.py`."""

from __future__ import annotations

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import (
    CHARACTER_IDS,
    INCIDENT_IDS,
    ITEM_IDS,
    KIND_IDS,
    NUM_CHARACTERS,
    NUM_INCIDENTS,
    NUM_KINDS,
    NUM_ROLES,
    ROLE_IDS,
)
from danmaku_env.cards.tables import PLAYERS, SLOTS
from danmaku_env.engine import actions, events
from danmaku_env.engine import state as st
from danmaku_env.fields import OF_SEATS, SINGLE, Axis, Field, highest_of, numbered, offsets_of, padded

MOST_ID = max(NUM_KINDS, NUM_CHARACTERS, NUM_INCIDENTS, NUM_ROLES)
"""The largest id of a card kind, character, incident or role."""
EXTRAS_SHOWN = 6
"""Extra Characters of a seat that are shown: no seat has more."""
KNOWN_ENDS = 3
"""Cards at each end of a deck that are shown to those who know them."""

SEAT_AXIS = numbered(OF_SEATS, range(st.SEATS))
KIND_AXIS, SEASON_AXIS = Axis("card kind", KIND_IDS), Axis("season", v.SEASONS)
CHARACTER_AXIS, INCIDENT_AXIS = Axis("character", CHARACTER_IDS), Axis("incident", INCIDENT_IDS)
ROLE_AXIS = Axis("role", ROLE_IDS[1:])
_EACH = (SEAT_AXIS,)
"""The axes of a field with one number for each seat."""
_ONE = (SINGLE,)
_ITEMS = padded(Axis("item", ITEM_IDS), SLOTS)
_CARD = Axis("card", ("kind", "season"))
_SHOWN = ("kind", "season")
_ENDS = (numbered("place", range(KNOWN_ENDS)), _CARD)
_EXTRAS = (SEAT_AXIS, numbered("place", range(EXTRAS_SHOWN)))
_INTERACTIONS = (Axis("phase", ("before the first defeat", "after it")), SEAT_AXIS, SEAT_AXIS)
IDS: dict[str, tuple[str, ...]] = {
    "kind": ("", *KIND_IDS), "character": ("", *CHARACTER_IDS), "incident": ("", *INCIDENT_IDS),
    "role": ROLE_IDS, "text of a role": ("", *ROLE_IDS), "season": ("", *v.SEASONS),
}  # fmt: skip
"""What an id byte may name -> the names by number; 0 is nothing. Roles are numbered from 1, and texts count what
they are printed on from 1 again; nets that were made before that was known keep the name `role` for `source/role`, and read it so."""

OBSERVATION_FIELDS = (
    Field("question", (Axis("question", actions.QUESTIONS),), "flag", 1, "what I am asked (all zero when I am not asked)", words="one"),
    Field(
        "source",
        (Axis("what", ("kind", "character", "incident", "role")),),
        "id",
        MOST_ID,
        "what asks me: card kind, character, incident, role",
        ids=("kind", "character", "incident", "text of a role"),
        words="first",
    ),
    Field("chosen", _EACH, "flag", 1, "players I have chosen so far for what asks me: the first", words="one"),
    Field("chosen_second", _EACH, "flag", 1, "the second", words="one"),
    Field("chosen_number", _ONE, "count", 64, "the number, type, deck, Extra Character or count of discards so far"),
    Field("chosen_kind", _ONE, "id", MOST_ID, "card kind picked, whose season, place or receiver is being asked", ids=("kind",)),
    Field("step", (Axis("step", st.STEPS),), "flag", 1, "step of the turn", words="one"),
    Field("turn", _EACH, "flag", 1, "whose turn it is", words="one"),
    Field("players", (numbered("players", PLAYERS),), "flag", 1, "number of players, 4 to 8", words="one"),
    Field("attack_by", _EACH, "flag", 1, "attacker of the topmost attack, or of one that is just being avoided", words="one"),
    Field("attack_on", _EACH, "flag", 1, "its target", words="one"),
    Field("attack", (Axis("attack", ("damage", "unavoidable")),), "count", 40, "its damage; whether it is unavoidable", words="every"),
    Field("played_by", _EACH, "flag", 1, "player of the topmost announced card or Spell Card", words="one"),
    Field("played_on", _EACH, "flag", 1, "its first target", words="one"),
    Field(
        "played",
        (Axis("what", ("kind", "character")),),
        "id",
        MOST_ID,
        "card kind; character whose Spell Card or ability it is",
        ids=("kind", "character"),
        words="first",
    ),
    Field("active", _EACH, "flag", 1, "not defeated"),
    Field("life", _EACH, "count", 5, "life", words="every"),
    Field("max_life", _EACH, "count", 5, "max life, as far as the known role tells", words="every"),
    Field("hand_size", _EACH, "count", 100, "cards in hand", words="every"),
    Field("max_hand", _ONE, "count", 9, "my max hand size"),
    Field("in_range", _EACH, "flag", 1, "in range of me"),
    Field("danmaku_played", _EACH, "count", 80, "danmaku cards counted this round"),
    Field("spell_used", _EACH, "flag", 1, "Spell Card activated this round"),
    Field("ability_used", _EACH, "flag", 1, "a once-per-turn or once-per-round ability is used up"),
    Field("skipped_last", _EACH, "flag", 1, "skipped the last turn"),
    Field("skip_next", _EACH, "flag", 1, "must skip the next turn, unless it skipped the last one (T-5)"),
    Field("role", (SEAT_AXIS, ROLE_AXIS), "flag", 1, "role, where I know it", words="one"),
    Field("character", _EACH, "id", MOST_ID, "primary character (hidden until all have chosen; mine I know)", ids=("character",)),
    Field("items", (SEAT_AXIS, _ITEMS), "count", 8, "items in play by kind of item"),
    Field("hand", (KIND_AXIS, SEASON_AXIS), "count", 24, "my hand by card kind and season", words="joined"),
    Field("known_hands", (SEAT_AXIS, KIND_AXIS), "count", 24, "cards in other hands that I know"),
    Field(
        "candidates",
        (CHARACTER_AXIS,),
        "flag",
        1,
        "characters I may choose from at set-up, or have drawn to recruit one; those that lie open in a draft",
    ),
    Field("aside", (KIND_AXIS,), "count", 24, "cards laid aside that I may see"),
    Field("aside_incidents", (INCIDENT_AXIS,), "flag", 1, "incidents laid aside that I may see"),
    Field("discard", (KIND_AXIS,), "count", 24, "discard pile by card kind"),
    Field("discard_top", (_CARD,), "id", MOST_ID, "its top card: kind, season", ids=_SHOWN, words="card"),
    Field("collected", (KIND_AXIS,), "count", 24, "collected cards by kind"),
    Field("collected_seasons", (SEASON_AXIS,), "count", 20, "collected cards by season"),
    Field("incidents", (INCIDENT_AXIS,), "flag", 1, "incidents in play"),
    Field(
        "deck_size", (Axis("deck", ("main", "incident")),), "count", 140, "cards in the Main deck and in the incident deck", words="every"
    ),
    Field(
        "known_top", _ENDS, "id", MOST_ID, "top cards of the Main deck that I know: kind, season; the top first", ids=_SHOWN, words="card"
    ),
    Field(
        "known_bottom",
        _ENDS,
        "id",
        MOST_ID,
        "bottom cards of the Main deck that I know: kind, season; the bottom first",
        ids=_SHOWN,
        words="card",
    ),
    Field("known_incidents", (INCIDENT_AXIS,), "count", 20, "incidents I know in their deck: depth, 1 = top"),
    Field(
        "lasting",
        (SEAT_AXIS, Axis("lasting effect", v.LASTING)),
        "count",
        64,
        "effects until that player's next turn: their value, 1 where there is none",
    ),
    Field("items_off", _EACH, "flag", 1, "items have no effect"),
    Field("banned", (Axis("card type", v.TYPES),), "flag", 1, "card types nobody may play now"),
    Field("hand_lunatic", (KIND_AXIS,), "count", 24, "Lunatic cards among my hand, by card kind"),
    Field("lunatic_in_hand", _EACH, "count", 40, "Lunatic cards in hand: everybody sees the backs"),
    Field("lunatic_deck_size", _ONE, "count", 40, "cards in the Lunatic deck"),
    Field("lunatic_discard", (KIND_AXIS,), "count", 24, "Lunatic discard pile by card kind"),
    Field("lunatic_discard_top", (_CARD,), "id", MOST_ID, "its top card: kind, season", ids=_SHOWN, words="lunatic"),
    Field(
        "known_lunatic_top",
        _ENDS,
        "id",
        MOST_ID,
        "top cards of the Lunatic deck that I know: kind, season; the top first",
        ids=_SHOWN,
        words="lunatic",
    ),
    Field(
        "known_lunatic_bottom",
        _ENDS,
        "id",
        MOST_ID,
        "its bottom cards that I know: kind, season; the bottom first",
        ids=_SHOWN,
        words="lunatic",
    ),
    Field("streak", _EACH, "count", 127, "rounds in a row in which the Spell Card that counts them was carried out"),
    Field("extra_turn", (Axis("when", ("follows", "now")),), "flag", 1, "an extra turn follows this one; this is an extra turn"),
    Field(
        "danmaku_cards",
        _EACH,
        "count",
        99,
        "danmaku cards played this round, those too that are not counted against the limit; 0 without Lunatic Extra",
    ),
    Field("spared", _EACH, "flag", 1, "cannot lose life for the rest of the turn"),
    Field("item_due", _EACH, "flag", 1, "gets an item from another when the stack is empty"),
    Field("extras", _EXTRAS, "id", MOST_ID, "Extra Characters, the one had longest first", ids=("character",)),
    Field("extra_sources", _EXTRAS, "count", 3, "what granted each: 1 an ability, 2 an item, 3 a role"),
    Field(
        "named",
        (SEAT_AXIS, Axis("how long", ("until_next", "for_good"))),
        "id",
        MOST_ID,
        "characters whose ability was named: until another is, and once and for all",
        ids=("character",),
    ),
    Field("abilities_off", _EACH, "flag", 1, "abilities have no effect"),
    Field(
        "characters_left",
        (Axis("pile", ("pile", "discarded")),),
        "count",
        NUM_CHARACTERS,
        "characters in the pile to recruit from, and discarded",
    ),
    Field("discarded_characters", (CHARACTER_AXIS,), "flag", 1, "characters I know to be discarded"),
    Field("incident_order", (INCIDENT_AXIS,), "count", 20, "incidents in play by age: 1 = the oldest; 0 without Lunatic Extra"),
    Field(
        "collected_by",
        (INCIDENT_AXIS, SEASON_AXIS),
        "count",
        40,
        "of each incident in play, the cards it has collected by season; 0 without Lunatic Extra",
    ),
    Field("incidents_kept", (INCIDENT_AXIS,), "flag", 1, "resolved incidents that one in play has collected"),
    Field(
        "second_character",
        _EACH,
        "id",
        MOST_ID,
        "the other primary character in Double Threat (hidden and known as the first)",
        ids=("character",),
    ),
    Field("attacks", _INTERACTIONS, "count", 100, "attacks, from row to column: before the first defeat, and after it"),
    Field("hits", _INTERACTIONS, "count", 100, "of those, attacks that took life"),
    Field("heals", _INTERACTIONS, "count", 100, "times the row gave life to the column"),
    Field("gives", _INTERACTIONS, "count", 100, "cards the row gave to the column"),
    Field("spells", _INTERACTIONS, "count", 100, "Spell Cards of the row aimed at the column"),
    Field("played_half", _ONE, "count", 2, "half of the card that is `played`: 1 or 2"),
    Field("played_spell", _ONE, "flag", 1, "what is `played` is a Spell Card"),
    Field("played_second", _EACH, "flag", 1, "its second target, until its effects begin", words="one"),
    Field("played_third", _EACH, "flag", 1, "its third target, until then", words="one"),
    Field("played_number", _ONE, "count", 127, "the number, type, deck + 1, options or seasons named for it, until then"),
    Field("played_item", _ONE, "id", MOST_ID, "the item in play picked for it, until then", ids=("kind",)),
    Field("drawn", _EACH, "flag", 1, "has drawn a card of the Main deck this turn"),
    Field("discarded_incidents", (INCIDENT_AXIS,), "flag", 1, "incidents in their discard pile"),
)

HISTORY_COLUMNS = ("event", "actor", "target", "about", "number", "extra", "card", "season")
"""Bytes of one event of the `history` field: ids as in the other fields, seats relative to me plus one, 0 for none or not known to me.

The season is that of a card of the Main deck from 1 to 4, of the Lunatic deck from 5 to 8."""

_HISTORY_HIGH = (len(events.EVENT_WORDS) - 1, st.SEATS, st.SEATS, MOST_ID, 255, 255, MOST_ID, 2 * st.NUM_SEASONS)


def highest(history: int = 0) -> np.ndarray:
    """[n] uint8: the largest value of every byte of an observation that ends with this many events."""
    return highest_of(OBSERVATION_FIELDS, _HISTORY_HIGH, history)


OFFSETS = offsets_of(OBSERVATION_FIELDS)
"""First byte of each field."""
OBSERVATION_SIZE = OFFSETS["end"]
