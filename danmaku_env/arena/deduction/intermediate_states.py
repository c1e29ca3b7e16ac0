"""Games as they stood after each event between two questions: what a belief model could have said at every line of the log.

A game can be asked about when it waits for an answer; several events may happen from one question to the next. An *intermediate state* is a
record in between: the board of the first question, with the log, the counted interactions and the open roles as they were after an event. A
belief model that reads those, from the observation or from the information states, says what it would have believed at that moment.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from danmaku_env.beliefs.action_likelihood import signs
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.engine import batch, events
from danmaku_env.engine import state as st
from danmaku_env.machine.records import Array

HEROINE = DANMAKU_SPEC.labels.index("heroine")
_OPENS_ROLES = (events.L_DEFEAT, events.L_REVEAL, events.L_ROLES)
_AIMED = (events.L_PLAY, events.L_SPELL, events.L_USE, events.L_ATTACK, events.L_GIVE, events.L_CANCEL)
"""Events whose target is the one it is done to."""
_TEXTS = (events.L_PLAY, events.L_SPELL, events.L_USE)
_SIGNS = {1: "harmful ", -1: "kind ", 0: ""}


def new_events(before: Any, after: Any) -> Array:
    """[k, 8] the log rows of one game between two of its records, the oldest first; those that the ring has lost are missing."""
    first, end = int(before["log_count"]), int(after["log_count"])
    rows: Array = after["log"][np.arange(max(first, end - st.LOG_ROWS), end) % st.LOG_ROWS]
    return rows


def intermediate_states(before: Any, after: Any) -> Array:
    """[k] records: `before` continued by the first, the first two ... of the k events that lead to `after`.

    What defeats and reveals in between open lies open with the first of them, because each of them alone might fit no deal.
    """
    following = new_events(before, after)
    found: Array = np.zeros(len(following), st.STATE)
    raw = st.as_bytes(found)
    last: Any = before
    opened = swapped = False
    for place, event in enumerate(following):
        raw[place] = np.frombuffer(last.tobytes(), np.uint8)
        record = found[place]
        if int(event[st.EVENT]) in _OPENS_ROLES and not opened:
            opened = True
            for field in ("role", "role_seen", "active", "ruled_out"):
                record[field] = after[field]
        record["log"][int(record["log_count"]) % st.LOG_ROWS] = event
        record["log_count"] += 1
        swapped = event[st.EVENT] == events.L_SWAP or (swapped and event[st.EVENT] == events.L_GIVE)
        if not swapped:  # cards that change hands in an exchange of hands are not gifts
            _count_interaction(found[place : place + 1], event)
        last = record
    return found


def _count_interaction(record: Array, event: Array) -> None:
    """Keep the table of interactions in step with the log, as the engine does (events.tally)."""
    word, actor, target = int(event[st.EVENT]), int(event[st.ACTOR]) - 1, int(event[st.TARGET]) - 1
    if target < 0 or actor < 0:
        return
    if word == events.L_ATTACK:
        batch.count_interaction(record, st.ATTACKS, actor, target)
    elif word == events.L_HIT and event[st.NUMBER]:
        batch.count_interaction(record, st.HITS, target, actor)
    elif word in (events.L_GAIN, events.L_REVIVE):
        batch.count_interaction(record, st.HEALS, target, actor)
    elif word == events.L_GIVE:
        batch.count_interaction(record, st.GIVES, actor, target)
    elif word == events.L_SPELL and actor != target:
        batch.count_interaction(record, st.SPELLS, actor, target)


def event_type(event: Array, heroine: int) -> str:
    """The type of an event [8]: its word; of interactions also whether they are harmful or kind, and done to the Heroine."""
    word, actor, target = int(event[st.EVENT]), int(event[st.ACTOR]) - 1, int(event[st.TARGET]) - 1
    name = events.EVENT_WORDS[word]
    if word not in _AIMED or target < 0 or target == actor:
        return name
    kind = _SIGNS[int(signs()[int(event[st.NUMBER])])] if word in _TEXTS else ""
    return f"{kind}{name} on {'Heroine' if target == heroine else 'another'}"


def heroine_of(record: Any) -> int:
    """The seat that is the Heroine, or -1."""
    seats = np.flatnonzero(record["role"][: int(record["num_players"])] == HEROINE)
    return int(seats[0]) if len(seats) else -1
