"""Reading an observation row `o` (docs/observation.md): where the pieces are, and a few plain questions to them.

Seats are relative to the observer, 0 = me.
"""

import numpy as np

from danmaku_env.cards.compile import NUM_ROLES, SLOTS
from danmaku_env.engine import actions
from danmaku_env.engine import state as st
from danmaku_env.engine.compiled import kernel
from danmaku_env.engine.observe import OFFSETS

SEATS = st.SEATS
QUESTION = OFFSETS["question"]
SOURCE = OFFSETS["source"]
CHOSEN = OFFSETS["chosen"]
PICKED = OFFSETS["chosen_kind"]
STEP = OFFSETS["step"]
TURN = OFFSETS["turn"]
ATTACK_BY = OFFSETS["attack_by"]
ATTACK_ON = OFFSETS["attack_on"]
ATTACK = OFFSETS["attack"]
PLAYED_BY = OFFSETS["played_by"]
PLAYED_ON = OFFSETS["played_on"]
PLAYED = OFFSETS["played"]
ACTIVE = OFFSETS["active"]
LIFE = OFFSETS["life"]
MAX_LIFE = OFFSETS["max_life"]
HAND_SIZE = OFFSETS["hand_size"]
MAX_HAND = OFFSETS["max_hand"]
IN_RANGE = OFFSETS["in_range"]
SKIPPED_LAST = OFFSETS["skipped_last"]
CHARACTER = OFFSETS["character"]
ITEMS = OFFSETS["items"]
HAND = OFFSETS["hand"]
KNOWN_HANDS = OFFSETS["known_hands"]
ASIDE = OFFSETS["aside"]
INCIDENTS = OFFSETS["incidents"]
ROLE = OFFSETS["role"]
ATTACKS = OFFSETS["attacks"]
HEALS = OFFSETS["heals"]
GIVES = OFFSETS["gives"]
SPELLS = OFFSETS["spells"]
PLAYERS = OFFSETS["players"]


@kernel
def known_role(o, seat):
    """Number of the role of a seat (0 = me), or 0 where I do not know it."""
    at = ROLE + seat * (NUM_ROLES - 1)
    for role in range(NUM_ROLES - 1):
        if o[at + role]:
            return role + 1
    return 0


@kernel
def number_of_players(o):
    """Seats at the table."""
    for i in range(5):
        if o[PLAYERS + i]:
            return 4 + i
    return SEATS


@kernel
def asked(o):
    for question in range(len(actions.QUESTIONS)):
        if o[QUESTION + question]:
            return question
    return actions.Q_NONE


@kernel
def flagged_seat(o, at):
    """The seat whose flag is set in a piece of eight, or -1."""
    for seat in range(SEATS):
        if o[at + seat]:
            return seat
    return -1


@kernel
def items_of(o, seat):
    items = 0
    for slot in range(SLOTS):
        items += np.int64(o[ITEMS + seat * SLOTS + slot])
    return items


@kernel
def copies_in_hand(o, kind):
    at = HAND + 4 * kind
    return np.int64(o[at]) + np.int64(o[at + 1]) + np.int64(o[at + 2]) + np.int64(o[at + 3])


@kernel
def has_law(t, o, law):
    for incident in range(t["num_incidents"]):
        if o[INCIDENTS + incident] and int(t["laws"][incident]) & law:
            return True
    return False


@kernel
def next_seat(o):
    """The next active seat clockwise."""
    for seat in range(1, SEATS):
        if o[ACTIVE + seat]:
            return seat
    return 0
