"""Reading an observation row `o` (docs/observation.md): where its fields are, and a few plain questions to them.

Seats are relative to the observer, 0 = me.
"""

import numpy as np

from danmaku_env.cards.box import NUM_INCIDENTS, NUM_ROLES
from danmaku_env.cards.tables import SLOTS
from danmaku_env.engine import actions
from danmaku_env.engine import state as st
from danmaku_env.engine.observation import OFFSETS
from danmaku_env.jit.kernels import kernel

SEATS = st.SEATS
O_QUESTION = OFFSETS["question"]
O_SOURCE = OFFSETS["source"]
O_CHOSEN = OFFSETS["chosen"]
O_PICKED = OFFSETS["chosen_kind"]
O_STEP = OFFSETS["step"]
O_TURN = OFFSETS["turn"]
O_ATTACK_BY = OFFSETS["attack_by"]
O_ATTACK_ON = OFFSETS["attack_on"]
O_ATTACK = OFFSETS["attack"]
O_PLAYED_BY = OFFSETS["played_by"]
O_PLAYED_ON = OFFSETS["played_on"]
O_PLAYED = OFFSETS["played"]
O_ACTIVE = OFFSETS["active"]
O_LIFE = OFFSETS["life"]
O_MAX_LIFE = OFFSETS["max_life"]
O_HAND_SIZE = OFFSETS["hand_size"]
O_MAX_HAND = OFFSETS["max_hand"]
O_IN_RANGE = OFFSETS["in_range"]
O_SKIPPED_LAST = OFFSETS["skipped_last"]
O_PRIMARIES = (OFFSETS["character"], OFFSETS["second_character"])
"""The character of a seat, and in Double Threat the other one."""
O_ITEMS = OFFSETS["items"]
O_HAND = OFFSETS["hand"]
O_KNOWN_HANDS = OFFSETS["known_hands"]
O_ASIDE = OFFSETS["aside"]
O_INCIDENTS = OFFSETS["incidents"]
O_ROLE = OFFSETS["role"]
O_ATTACKS = OFFSETS["attacks"]
O_HEALS = OFFSETS["heals"]
O_GIVES = OFFSETS["gives"]
O_SPELLS = OFFSETS["spells"]
O_PLAYERS = OFFSETS["players"]


@kernel
def known_role(o, seat):
    """Number of the role of a seat (0 = me), or 0 where I do not know it."""
    at = O_ROLE + seat * (NUM_ROLES - 1)
    for role in range(NUM_ROLES - 1):
        if o[at + role]:
            return role + 1
    return 0


@kernel
def is_primary(o, seat, character):
    """Whether a character, by its number from 1, is the one of a seat, or one of its two."""
    return o[O_PRIMARIES[0] + seat] == character or o[O_PRIMARIES[1] + seat] == character


@kernel
def number_of_players(o):
    """Seats at the table."""
    for i in range(5):
        if o[O_PLAYERS + i]:
            return 4 + i
    return SEATS


@kernel
def asked(o):
    for question in range(len(actions.QUESTIONS)):
        if o[O_QUESTION + question]:
            return question
    return actions.Q_NONE


@kernel
def flagged_seat(o, at):
    """The seat whose flag is set in a field of eight, or -1."""
    for seat in range(SEATS):
        if o[at + seat]:
            return seat
    return -1


@kernel
def items_of(o, seat):
    items = 0
    for slot in range(SLOTS):
        items += np.int64(o[O_ITEMS + seat * SLOTS + slot])
    return items


@kernel
def copies_in_hand(o, kind):
    at = O_HAND + 4 * kind
    return np.int64(o[at]) + np.int64(o[at + 1]) + np.int64(o[at + 2]) + np.int64(o[at + 3])


@kernel
def has_law(t, o, law):
    for incident in range(NUM_INCIDENTS):
        if o[O_INCIDENTS + incident] and int(t["laws"][incident]) & law:
            return True
    return False


@kernel
def next_seat(o):
    """The next active seat clockwise."""
    for seat in range(1, SEATS):
        if o[O_ACTIVE + seat]:
            return seat
    return 0
