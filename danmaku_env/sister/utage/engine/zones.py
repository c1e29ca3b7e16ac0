"""Moving cards, and what each seat comes to know of them; life, SP, and the end of the game."""

import numpy as np

from danmaku_env.jit.kernels import kernel, lowest_bit
from danmaku_env.machine import event_ring, rng
from danmaku_env.sister.utage.cards import words as w
from danmaku_env.sister.utage.engine import state as st


@kernel
def log(s, event, actor, owner, card, number, seen):
    """Write an event: who did it (-1: nobody), whose card, which (number plus one; 0: none), how many, bits of those who see it."""
    word = event | (actor + 1) << 8 | (owner + 1) << 16 | card << 24 | max(0, min(255, number)) << 32 | seen << 40
    event_ring.append(s, word)


@kernel
def card_of(s, seat, slot):
    """Number of the card of a slot."""
    return np.int64(s["card"][seat, slot]) - 1


@kernel
def leader_card(s, seat):
    """Number of the leader's card, which are the first ones of the box; -1 while none is named."""
    place = int(s["leader"][seat])
    return np.int64(s["team"][seat, place]) if place >= 0 else -1


# ---------------------------------------------------------------- knowledge


@kernel
def show_slot(s, owner, slot):
    """The other seat sees a card of this slot: from then on it has a number for it (H-4)."""
    if not s["rank"][owner, slot]:
        s["slots_seen"][owner] += 1
        s["rank"][owner, slot] = s["slots_seen"][owner]


@kernel
def seen_of_slot(s, owner, slot):
    """How many cards of a slot the other seat sees now, or knows where they are: on the field, discarded, in hand, in the deck, in use."""
    other = 1 - owner
    found = np.int64(s["discard"][owner, slot]) + np.int64(s["known"][owner, slot])
    for side in range(st.SEATS):
        bits = int(s["used"][side])
        while bits:
            place = lowest_bit(bits)
            bits &= bits - 1
            if s["at_owner"][side, place] == owner and s["at_slot"][side, place] == slot:
                found += 1
    for place in range(s["deck_size"][owner]):
        if (np.int64(s["deck_seen"][owner, place]) >> other) & 1 and np.int64(s["deck"][owner, place]) - 1 == slot:
            found += 1
    for f in range(s["depth"]):
        frame = s["stack"][f]
        if frame[0] == st.USE_FRAME and frame[2] == owner and frame[st.COL_SLOT] == slot + 1:
            found += 1
    return found


@kernel
def note_shown(s, owner):
    """What the other seat sees of a closed list is noted before some of it is hidden again (H-3)."""
    if not s["config"] & st.OPEN_LISTS:
        for slot in range(w.SLOTS):
            if s["rank"][owner, slot]:
                s["shown"][owner, slot] = max(np.int64(s["shown"][owner, slot]), seen_of_slot(s, owner, slot))


@kernel
def show_hand(s, owner):
    """The other seat sees the whole hand, and knows it as long as it stays (K-4)."""
    bits = int(s["in_hand"][owner])
    while bits:
        slot = lowest_bit(bits)
        bits &= bits - 1
        show_slot(s, owner, slot)
        s["known"][owner, slot] = s["hand"][owner, slot]


# ---------------------------------------------------------------- hand, deck, discard


@kernel
def add_to_hand(s, seat, slot, known):
    """A card comes to the hand; `known` if the other seat knows it."""
    s["hand"][seat, slot] += 1
    s["hand_size"][seat] += 1
    s["in_hand"][seat] = int(s["in_hand"][seat]) | (1 << slot)
    if known:
        show_slot(s, seat, slot)
        s["known"][seat, slot] += 1


@kernel
def take_from_hand(s, seat, slot):
    """A card leaves the hand, and everybody sees it."""
    s["hand"][seat, slot] -= 1
    s["hand_size"][seat] -= 1
    if s["known"][seat, slot]:
        s["known"][seat, slot] -= 1
    if not s["hand"][seat, slot]:
        s["in_hand"][seat] = int(s["in_hand"][seat]) & ~(1 << slot)
    show_slot(s, seat, slot)


@kernel
def to_discard(s, owner, slot, actor):
    """A card comes to its owner's discard pile, which lies open."""
    s["discard"][owner, slot] += 1
    show_slot(s, owner, slot)
    log(s, st.L_DISCARD, actor, owner, np.int64(s["card"][owner, slot]), 1, st.EVERYBODY)


@kernel
def take_top(s, seat):
    """The slot of the top card of the deck, which leaves it; there must be one."""
    size = int(s["deck_size"][seat]) - 1
    slot = np.int64(s["deck"][seat, size]) - 1
    s["deck"][seat, size] = 0
    s["deck_seen"][seat, size] = 0
    s["deck_size"][seat] = size
    return slot


@kernel
def draw(s, seat):
    """Draw a card, if there is one (K-1)."""
    size = int(s["deck_size"][seat])
    if size:
        seen = np.int64(s["deck_seen"][seat, size - 1])
        slot = take_top(s, seat)
        other = (seen >> (1 - seat)) & 1 == 1
        add_to_hand(s, seat, slot, other)
        log(s, st.L_DRAW, seat, seat, np.int64(s["card"][seat, slot]), 1, st.EVERYBODY if other else 1 << seat)


@kernel
def mill(s, seat, number):
    """The top cards of a deck go to the discard pile, as many as there are."""
    for _ in range(number):
        if s["deck_size"][seat]:
            slot = take_top(s, seat)
            s["discard"][seat, slot] += 1
            show_slot(s, seat, slot)
            log(s, st.L_MILL, seat, seat, np.int64(s["card"][seat, slot]), 1, st.EVERYBODY)


@kernel
def shuffle_deck(s, seat):
    """Shuffle a deck: knowledge of its order is lost."""
    note_shown(s, seat)
    size = int(s["deck_size"][seat])
    rng.shuffle(s, s["deck"][seat], size)
    for place in range(size):
        s["deck_seen"][seat, place] = 0
    log(s, st.L_SHUFFLE, seat, seat, 0, size, st.EVERYBODY)


@kernel
def put_on_top(s, seat, slot, seen):
    """A card comes on top of its deck; bits of those who know it (K-3)."""
    size = int(s["deck_size"][seat])
    s["deck"][seat, size] = slot + 1
    s["deck_seen"][seat, size] = seen
    s["deck_size"][seat] = size + 1
    log(s, st.L_TOP, seat, seat, np.int64(s["card"][seat, slot]), 1, seen)


@kernel
def put_under(s, seat, slot):
    """A card comes under its deck, openly."""
    size = int(s["deck_size"][seat])
    for place in range(size, 0, -1):
        s["deck"][seat, place] = s["deck"][seat, place - 1]
        s["deck_seen"][seat, place] = s["deck_seen"][seat, place - 1]
    s["deck"][seat, 0] = slot + 1
    s["deck_seen"][seat, 0] = st.EVERYBODY
    s["deck_size"][seat] = size + 1
    log(s, st.L_BOTTOM, seat, seat, np.int64(s["card"][seat, slot]), 1, st.EVERYBODY)


@kernel
def take_from_deck(s, seat, slot):
    """A card of this slot leaves the deck, the one that lies lowest: the deck is shuffled afterwards."""
    size = int(s["deck_size"][seat])
    found = 0
    while np.int64(s["deck"][seat, found]) - 1 != slot:
        found += 1
    for place in range(found, size - 1):
        s["deck"][seat, place] = s["deck"][seat, place + 1]
        s["deck_seen"][seat, place] = s["deck_seen"][seat, place + 1]
    s["deck"][seat, size - 1] = 0
    s["deck_seen"][seat, size - 1] = 0
    s["deck_size"][seat] = size - 1


# ---------------------------------------------------------------- the field


@kernel
def has_room(s, side):
    """Whether a place of a side is free (M-1)."""
    return int(s["used"][side]) != (1 << w.PLACES) - 1


@kernel
def put_down(s, side, owner, slot, where):
    """A card comes to the first free place of a side, which there must be; returns it."""
    place = lowest_bit(~int(s["used"][side]))
    s["used"][side] = int(s["used"][side]) | (1 << place)
    s["at_card"][side, place] = s["card"][owner, slot]
    s["at_owner"][side, place] = owner
    s["at_slot"][side, place] = slot
    s["where"][side, place] = where
    s["marks"][side, place] = 0
    s["stale"] = 1
    show_slot(s, owner, slot)
    return place


@kernel
def _forget(s, side, place):
    """What was put on the card of a place is over (V-8); what was put off goes on without it."""
    kept = 0
    for row in range(s["lasting_count"]):
        at = s["lasting"][row]
        aimed = at[st.LA_SCOPE] == w.TARGET or at[st.LA_SCOPE] == w.THIS
        if aimed and at[st.LA_SIDE] == side and at[st.LA_PLACE] == place + 1:
            continue
        for column in range(s["lasting"].shape[1]):
            s["lasting"][kept, column] = at[column]
        kept += 1
    for row in range(kept, s["lasting_count"]):
        for column in range(s["lasting"].shape[1]):
            s["lasting"][row, column] = 0
    s["lasting_count"] = kept
    for row in range(s["later_count"]):
        if s["later"][row, st.LT_WHOSE] == side and s["later"][row, st.LT_PLACE] == place + 1:
            s["later"][row, st.LT_PLACE] = 0
    for f in range(s["depth"]):
        frame = s["stack"][f]
        if frame[0] == st.USE_FRAME:
            if frame[2] == side and frame[st.COL_PLACE] == place + 1:
                frame[st.COL_PLACE] = 0
            if frame[st.COL_TARGET_SIDE] == side and frame[st.COL_TARGET] == place + 1:
                frame[st.COL_TARGET] = 0


@kernel
def pick_up(s, side, place):
    """A card leaves a place; the support that it carries goes to its owner's discard pile (F-2)."""
    carried = np.int64(s["carries"][side, place]) - 1
    if carried >= 0:
        owner, slot = np.int64(s["at_owner"][side, carried]), np.int64(s["at_slot"][side, carried])
        _clear(s, side, carried)
        to_discard(s, owner, slot, -1)
    _clear(s, side, place)


@kernel
def _clear(s, side, place):
    _forget(s, side, place)
    host = np.int64(s["host"][side, place]) - 1
    if host >= 0:
        s["carries"][side, host] = 0
    if s["battling"][side] == place + 1:
        s["battling"][side] = 0
    s["used"][side] = int(s["used"][side]) & ~(1 << place)
    s["at_card"][side, place] = 0
    s["at_owner"][side, place] = 0
    s["at_slot"][side, place] = 0
    s["where"][side, place] = st.EMPTY
    s["host"][side, place] = 0
    s["carries"][side, place] = 0
    s["marks"][side, place] = 0
    s["value_av"][side, place] = 0
    s["value_iv"][side, place] = 0
    s["value_hv"][side, place] = 0
    s["value_type"][side, place] = 0
    s["value_flags"][side, place] = 0
    for keyword in range(len(w.KEYWORDS)):
        s["value_keyword"][side, place, keyword] = 0
    s["stale"] = 1


@kernel
def discard_place(s, side, place, actor):
    """A card of the field goes to its owner's discard pile."""
    owner, slot = np.int64(s["at_owner"][side, place]), np.int64(s["at_slot"][side, place])
    pick_up(s, side, place)
    to_discard(s, owner, slot, actor)


@kernel
def to_reserve(s, side, place):
    """An active spell becomes a reserve spell, its support with it; in battle it no longer battles (B-8)."""
    if s["where"][side, place] == st.IS_ACTIVE:
        s["where"][side, place] = st.IN_RESERVE
        if s["battling"][side] == place + 1:
            s["battling"][side] = 0
        s["stale"] = 1
        log(s, st.L_RESERVE, side, np.int64(s["at_owner"][side, place]), np.int64(s["at_card"][side, place]), 1, st.EVERYBODY)


@kernel
def to_active(s, side, place):
    """A reserve spell becomes active."""
    if s["where"][side, place] == st.IN_RESERVE:
        s["where"][side, place] = st.IS_ACTIVE
        s["stale"] = 1
        log(s, st.L_ACTIVATE, side, np.int64(s["at_owner"][side, place]), np.int64(s["at_card"][side, place]), 1, st.EVERYBODY)


@kernel
def scene_side(s):
    """The side whose scene is in play, or -1; `scene_place` says where it lies there."""
    for side in range(st.SEATS):
        if scene_place(s, side) >= 0:
            return side
    return -1


@kernel
def scene_place(s, side):
    """The place of a scene on this side, or -1."""
    bits = int(s["used"][side])
    while bits:
        place = lowest_bit(bits)
        bits &= bits - 1
        if s["where"][side, place] == st.IS_SCENE:
            return place
    return -1


# ---------------------------------------------------------------- life, SP, the end


@kernel
def damage(s, seat, number):
    """Damage by an effect (B-10)."""
    s["hp"][seat] -= number
    s["stale"] = 1
    log(s, st.L_DAMAGE, seat, seat, 0, number, st.EVERYBODY)


@kernel
def heal(t, s, seat, number):
    """Heal, up to the printed HP (S-7)."""
    most = int(t["hp"][leader_card(s, seat)])
    healed = max(0, min(number, most - int(s["hp"][seat])))
    s["hp"][seat] += healed
    s["stale"] = 1
    log(s, st.L_HEAL, seat, seat, 0, healed, st.EVERYBODY)


@kernel
def gain_sp(s, seat, number):
    """Gain SP, without a limit that play can reach."""
    s["sp"][seat] = min(20000, int(s["sp"][seat]) + number)
    log(s, st.L_GAIN_SP, seat, seat, 0, number, st.EVERYBODY)


@kernel
def judge(s):
    """A leader at 0 HP, or an empty deck, has lost; both at once: a draw (E-1)."""
    if s["outcome"] != st.RUNNING:
        return True
    lost = 0
    for seat in range(st.SEATS):
        if s["hp"][seat] <= 0 or s["deck_size"][seat] == 0:
            lost |= 1 << seat
    if lost:
        s["outcome"] = st.DRAWN if lost == st.EVERYBODY else st.WON
        s["winners"] = st.EVERYBODY if lost == st.EVERYBODY else st.EVERYBODY & ~lost
        log(s, st.L_WIN, -1, -1, 0, 0, st.EVERYBODY)
        return True
    return False
