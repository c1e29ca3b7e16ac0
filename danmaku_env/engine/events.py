"""What is remembered: the log of events, and the tallies of who did what to whom. The rules read none of it.

The log is the ring of `machine/event_ring.py` (columns in `state.EVENT_COLUMN_DOC`); a row may hold a card that only some seats know.
`wording.py` has names for what happens here; `observe.py` decides what of it a seat may see.
"""

from typing import Any

import numpy as np

from danmaku_env.engine import state as st
from danmaku_env.jit.kernels import count_bits, kernel
from danmaku_env.machine import event_ring

MOST_COUNTED = 100
"""Interactions from seat to seat are counted up to here, so that no byte of a word touches the sign."""
NUMBER_ROOM = 256
"""Numbers that a byte of the log can tell apart; an event that counts further keeps how many times over in its next byte."""

# events of the log
(L_TURN, L_PLAY, L_SPELL, L_USE, L_ATTACK, L_AVOID, L_HIT, L_LOSE, L_GAIN, L_DRAW, L_DISCARD, L_FLIP, L_ITEM, L_CANCEL, L_DEFEAT, L_REVEAL,
 L_INCIDENT, L_RESOLVED, L_LOOK, L_SHOW, L_SWAP, L_GIVE, L_SKIP, L_ROLES, L_SHUFFLE, L_OVER, L_COLLECT, L_LASTING, L_DEAL,
 L_REVIVE, L_TAKE, L_TO_DECK, L_SEARCH, L_RECRUIT, L_DISMISS, L_TURNED_AWAY, L_RESTOCK, L_NAMED,
 L_BANNED, L_CALLED) = range(1, 41)  # fmt: skip
EVENT_WORDS = (
    "none", "turn", "play", "spell", "use", "attack", "avoid", "hit", "lose", "gain", "draw", "discard", "flip", "item", "cancel",
    "defeat", "reveal", "incident", "resolved", "look", "show", "swap", "give", "skip", "roles", "shuffle", "over", "collect",
    "lasting", "deal", "revive", "take", "to deck", "search", "recruit", "dismiss", "turned away", "restock", "named", "character ban",
    "season called",
)  # fmt: skip
"""Names of the events, by number."""


@kernel
def _append(s, event, actor, target, about, number, extra, card, known):
    """Write one row of the ring, all eight bytes at once (columns of `state.EVENT_COLUMN_DOC`)."""
    word = int(event) | (int(actor) + 1) << 8 | (int(target) + 1) << 16 | (int(about) + 1) << 24
    word |= int(number) << 32 | int(extra) << 40 | (int(card) + 1) << 48 | int(known) << 56
    event_ring.append(s, word)


@kernel
def log(s, event, actor, target, about, number, extra):
    """An event that shows no card; seats are -1 for nobody, `about` is a character, incident, role, lasting effect or deck, or -1."""
    _append(s, event, actor, target, about, number, extra, -1, 0)


@kernel
def log_card(s, event, actor, target, about, number, extra, card, known):
    """An event about a card (-1: none) that the seats of the mask `known` see; `about` may also be the options a text names, as bits."""
    _append(s, event, actor, target, about, number, extra, card, known if card >= 0 else 0)


@kernel
def tally(s, interaction, seat, target):
    """Count an interaction of one seat towards another, before or after the first defeat.

    Most pairs of interaction and seat never come up, so only those that did have a word, and an observation reads no more than these.
    """
    phase = 1 if count_bits(np.int64(s["active"])) < int(s["num_players"]) else 0
    words = s["tallies"][phase]
    tallied = int(s["tallied"][phase])
    bit = 1 << (interaction * st.SEATS + seat)
    place = count_bits(tallied & (bit - 1))
    if tallied & bit == 0:
        for later in range(count_bits(tallied), place, -1):
            words[later] = words[later - 1]
        words[place] = 0
        s["tallied"][phase] = tallied | bit
    if (int(words[place]) >> (8 * target)) & 0xFF < MOST_COUNTED:
        words[place] = int(words[place]) + (1 << (8 * target))


def interactions(s: Any) -> Any:
    """[PHASES, TALLIES, SEATS, SEATS] int64: how often a record has counted each interaction, from seat to seat."""
    words = np.zeros((st.PHASES, st.TALLIES * st.SEATS), np.int64)
    for phase in range(st.PHASES):
        places = np.flatnonzero(int(s["tallied"][phase]) >> np.arange(st.TALLIES * st.SEATS) & 1)
        words[phase, places] = s["tallies"][phase, : len(places)]
    return words.reshape(st.PHASES, st.TALLIES, st.SEATS, 1) >> 8 * np.arange(st.SEATS) & 0xFF
