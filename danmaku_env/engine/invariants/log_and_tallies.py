"""Whether what a record remembers can be: the interactions from seat to seat, and the events of the log.

The rules read none of it, but observations and people do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import NUM_CHARACTERS, NUM_INCIDENTS, NUM_ROLES
from danmaku_env.cards.compile import compile_cards
from danmaku_env.engine import events, queries
from danmaku_env.engine import state as st


def _tally_problem(s: Any, players: int) -> str | None:
    for tallied, words in zip(s["tallied"].tolist(), s["tallies"], strict=True):
        used = tallied.bit_count()
        if tallied >> len(words) or not words[:used].all() or words[used:].any():
            return "counted interactions that do not agree with who did any"
    counts = events.interactions(s)
    if (counts > events.MOST_COUNTED).any():
        return "more interactions than are counted"
    if counts[:, :, players:].any() or counts[..., players:].any():
        return "an interaction of a seat that does not exist"
    if np.diagonal(counts, axis1=2, axis2=3).any():
        return "an interaction of a seat towards itself"
    if counts[1].any() and int(s["active"]) == (1 << players) - 1:
        return "interactions after the first defeat, but nobody is defeated"
    return None


def _highest_about() -> np.ndarray:
    """[events] what an event can be about, at most: the number stored, which is one higher than that of the thing."""
    most = np.zeros(len(events.EVENT_WORDS), np.int64)
    most[[events.L_INCIDENT, events.L_RESOLVED, events.L_COLLECT]] = NUM_INCIDENTS
    most[[events.L_DEFEAT, events.L_REVEAL]] = NUM_ROLES
    most[[events.L_LOOK, events.L_FLIP, events.L_TO_DECK]] = len(v.DECKS)
    most[events.L_LASTING] = len(v.LASTING)
    most[[events.L_PLAY, events.L_SPELL, events.L_USE]] = 1 << (v.OPTION_5 - v.OPTION_1 + 1)
    most[list(_ABOUT_CHARACTERS)] = NUM_CHARACTERS
    most[[events.L_DRAW, events.L_SHUFFLE]] = v.LUNATIC_DECK + 1
    return most


_ABOUT_CHARACTERS = (events.L_DEAL, events.L_RECRUIT, events.L_DISMISS, events.L_TURNED_AWAY, events.L_NAMED, events.L_BANNED)
_MUST_BE_ABOUT = (
    *_ABOUT_CHARACTERS,
    events.L_INCIDENT,
    events.L_RESOLVED,
    events.L_COLLECT,
    events.L_DEFEAT,
    events.L_REVEAL,
    events.L_LASTING,
)
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
    if (about > _highest_about()[event]).any() or (about[np.isin(event, _MUST_BE_ABOUT)] == 0).any():
        return "an event about nothing that exists"
    if (rows[np.isin(event, _TEXT_EVENTS), st.NUMBER] >= texts).any():
        return "an event of a text that does not exist"
    if (rows[event == events.L_CALLED, st.NUMBER] >= st.NUM_SEASONS).any():
        return "a season that does not exist"
    incident = card - st.INCIDENT_CARD
    if ((card > tables["cards_in"][queries.box(s)]) & ((incident < 1) | (incident > NUM_INCIDENTS))).any():
        return "an event with a card that does not exist"
    if (rows[card == 0, st.KNOWN_TO] != 0).any():
        return "somebody knows the card of an event that has none"
    return None


def problem(s: Any, players: int) -> str | None:
    """The first thing that cannot be true of tallies and log, or None."""
    compiled = compile_cards()
    return _tally_problem(s, players) or _log_problem(s, compiled.tables[0], players, len(compiled.titles))
