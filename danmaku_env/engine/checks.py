"""What must be true of every record: pure reading, in NumPy. Used on anything that comes from outside, and by the fuzz tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import NUM_BASE_CHARACTERS, NUM_CHARACTERS, NUM_INCIDENTS, NUM_ROLES
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.vocabulary import NUM_ITEM_STATS
from danmaku_env.engine import events, frame_checks
from danmaku_env.engine import state as st

_PILES = {"deck": st.IN_DECK, "discard": st.IN_DISCARD, "played": st.BEING_PLAYED}


def _pile_problem(s: Any, name: str, zone: int, total: int) -> str | None:
    size = int(s[f"{name}_size"])
    if size > len(s[name]):
        return f"{name} claims {size} cards"
    cards = s[name][:size].astype(int) - 1
    if s[name][size:].any():
        return f"{name} has cards beyond its size"
    expected = np.flatnonzero(s["zone"][:total] == zone)
    if not np.array_equal(np.sort(cards), expected):
        return f"{name} and the zones disagree about its cards"
    return None


def _hand_problem(s: Any, tables: Any, players: int, total: int) -> str | None:
    kinds = tables["card_kind"][:total].astype(int)
    slots = tables["kind_slot"].astype(int)
    for seat in range(st.SEATS):
        held = (s["zone"][:total] == st.IN_HAND) & (s["holder"][:total] == seat)
        counts = np.bincount(kinds[held], minlength=len(s["hand_counts"][seat]))
        if not np.array_equal(counts, s["hand_counts"][seat]) or held.sum() != s["hand_size"][seat]:
            return f"the hand of seat {seat} and its counts disagree"
        if int(s["hand_kinds"][seat]) != sum(1 << int(kind) for kind in np.flatnonzero(counts)):
            return f"the hand of seat {seat} and its kinds disagree"
        known = held & ((s["seen_by"][:total].astype(int) & ~(1 << seat)) != 0)
        if any(
            int(s["exposed"][card // st.HAND_WORD_BITS]) >> card % st.HAND_WORD_BITS & 1 != known[card] for card in np.flatnonzero(held)
        ):
            return f"the hand of seat {seat} and what others know of it disagree"
        words = [int(word) for word in s["hand_cards"][seat]]
        bits = [place for place in range(total) if words[place // st.HAND_WORD_BITS] >> place % st.HAND_WORD_BITS & 1]
        if bits != np.flatnonzero(held).tolist():
            return f"the hand of seat {seat} and its bits disagree"
        if seat >= players and held.any():
            return f"seat {seat} holds cards but does not exist"
        in_play = (s["zone"][:total] == st.IN_PLAY) & (s["holder"][:total] == seat)
        items = (
            np.bincount(slots[kinds[in_play]], minlength=len(s["item_counts"][seat]))
            if in_play.any()
            else 0 * s["item_counts"][seat].astype(int)
        )
        if not np.array_equal(items, s["item_counts"][seat]):
            return f"the items of seat {seat} and their counts disagree"
        if not np.array_equal(items @ tables["slot_stats"][:, :NUM_ITEM_STATS].astype(int), s["item_stats"][seat]):
            return f"the items of seat {seat} and what they add disagree"
        if int(s["item_slots"][seat]) != sum(1 << int(slot) for slot in np.flatnonzero(items)):
            return f"the items of seat {seat} and their slots disagree"
    return None


def _incident_problem(s: Any) -> str | None:
    size = int(s["incident_size"])
    deck, discard = int(s["incident_deck_size"]), int(s["incident_discard_size"])
    if not (0 <= size <= len(s["incidents"]) and 0 <= deck <= NUM_INCIDENTS and 0 <= discard <= NUM_INCIDENTS):
        return "an incident pile has an impossible size"
    aside = [int(card) - 201 for card in s["aside"][: int(s["aside_size"])] if card > 200]
    everywhere = [*s["incidents"][:size], *s["incident_deck"][:deck], *s["incident_discard"][:discard]]
    incidents = sorted([int(incident) - 1 for incident in everywhere] + aside)
    if s["turn_number"] and incidents != list(range(int(compile_cards().tables[0]["num_incidents"]))):
        return "an incident is missing or doubled"
    return None


def _seat_problem(s: Any, players: int) -> str | None:
    life, roles, characters = s["life"], s["role"], s["character"]
    if (life < 0).any() or (life > 5).any():
        return "a life total outside 0 to 5"
    if (roles < 0).any() or (roles >= NUM_ROLES).any():
        return "a role that does not exist"
    if (characters < 0).any() or (characters > NUM_CHARACTERS).any():
        return "a character that does not exist"
    if int(s["active"]) >> players or not -1 <= int(s["asking"]) < players or not 0 <= int(s["current"]) < players:
        return "a seat that does not exist"
    ruled_out = s["ruled_out"].astype(int)
    if ruled_out[players:].any() or (ruled_out[:players] >> roles[:players] & 1 & int(s["active"]) >> np.arange(players)).any():
        return "a role that is ruled out"
    for field in ("danmaku_played", "spell_used", "skip_next", "skipped_last", "hand_size"):
        if (s[field] < 0).any():
            return f"{field} below 0"
    return None


def _question_problem(s: Any) -> str | None:
    if s["outcome"] == st.RUNNING and s["status"] == st.OK and (s["asking"] == st.NOBODY) == bool(s["legal"].any()):
        return "somebody is asked without a legal answer, or nobody is although answers are legal"
    return None


def _tally_problem(s: Any, players: int) -> str | None:
    words = s["tallies"].astype(np.int64)
    counts = words[..., np.newaxis] >> 8 * np.arange(st.SEATS) & 0xFF  # [phase, deed, from, to]
    if (counts > events.MOST_COUNTED).any():
        return "more deeds than are counted"
    if counts[:, :, players:].any() or counts[..., players:].any():
        return "a deed of a seat that does not exist"
    if np.diagonal(counts, axis1=2, axis2=3).any():
        return "a deed of a seat towards itself"
    if counts[1].any() and int(s["active"]) == (1 << players) - 1:
        return "deeds after the first defeat, but nobody is defeated"
    return None


def _highest_about(tables: Any) -> np.ndarray:
    """[events] what an event can be about, at most: the number stored, which is one higher than that of the thing."""
    most = np.zeros(len(events.EVENT_WORDS), np.int64)
    most[[events.L_INCIDENT, events.L_RESOLVED, events.L_COLLECT]] = tables["num_incidents"]
    most[[events.L_DEFEAT, events.L_REVEAL]] = NUM_ROLES
    most[[events.L_LOOK, events.L_FLIP, events.L_TO_DECK]] = len(v.DECKS)
    most[events.L_LASTING] = len(v.LASTING)
    most[events.L_DEAL] = NUM_BASE_CHARACTERS
    return most


_MUST_BE_ABOUT = (events.L_INCIDENT, events.L_RESOLVED, events.L_COLLECT, events.L_DEFEAT, events.L_REVEAL, events.L_LASTING, events.L_DEAL)
_TEXT_EVENTS = (events.L_PLAY, events.L_SPELL, events.L_USE, events.L_CANCEL)


def _log_problem(s: Any, tables: Any, players: int, texts: int) -> str | None:
    count = int(s["log_count"])
    if count < 0 or s["log"][count:].any():
        return "events beyond their number"
    rows = s["log"][:count].astype(np.int64)
    event, about, card = rows[:, st.EVENT], rows[:, st.ABOUT], rows[:, st.CARD_SHOWN]
    if (event < 1).any() or (event >= len(events.EVENT_WORDS)).any():
        return "an event that does not exist"
    if (rows[:, [st.ACTOR, st.TARGET]] > players).any():
        return "an event of a seat that does not exist"
    if (about > _highest_about(tables)[event]).any() or (about[np.isin(event, _MUST_BE_ABOUT)] == 0).any():
        return "an event about nothing that exists"
    if (rows[np.isin(event, _TEXT_EVENTS), st.NUMBER] >= texts).any():
        return "an event of a text that does not exist"
    incident = card - st.INCIDENT_CARD
    if ((card > tables["num_cards"]) & ((incident < 1) | (incident > tables["num_incidents"]))).any():
        return "an event with a card that does not exist"
    if (rows[card == 0, st.KNOWN_TO] != 0).any():
        return "somebody knows the card of an event that has none"
    return None


def problem(s: Any) -> str | None:
    """The first thing that cannot be true of a record at rest (at a question, or over), or None."""
    compiled = compile_cards()
    tables = compiled.tables[0]
    players, total = int(s["num_players"]), int(tables["num_cards"])
    if not 4 <= players <= st.SEATS:
        return f"{players} players"
    if s["zone"][total:].any():
        return "a card that is not in the game"
    if (s["zone"][:total] == st.NOT_IN_GAME).any() and s["turn_number"]:
        return "a card is missing"
    for name, zone in _PILES.items():
        if found := _pile_problem(s, name, zone, total):
            return found
    if not 0 <= int(s["lasting_size"]) <= st.LASTING_ROWS:
        return "an impossible number of lasting effects"
    return (
        _hand_problem(s, tables, players, total)
        or _incident_problem(s)
        or _seat_problem(s, players)
        or frame_checks.problem(s, players)
        or _question_problem(s)
        or _tally_problem(s, players)
        or _log_problem(s, tables, players, len(compiled.titles))
    )
