"""Deals what a seat does not know anew (H-6): the other's hidden hand cards and the order of both decks, uniformly.

If the other's list is closed, one of the possible decks of the configuration is drawn first, among those that have the team and every card
seen. The weight of a deck is the number of ways in which its cards can have been those seen, one after the other.
"""

import numpy as np

from danmaku_env.jit.kernels import kernel
from danmaku_env.machine import rng
from danmaku_env.machine.records import RNG
from danmaku_env.sister.utage.cards import words as w
from danmaku_env.sister.utage.engine import state as st
from danmaku_env.sister.utage.engine import turn
from danmaku_env.sister.utage.engine import zones as z

_MOST_DECKS = 64
SCRATCH = np.dtype([
    *RNG.descr, ("pool", np.uint8, w.DECK_SIZE), ("seen", np.uint8, 160), ("shown", np.uint8, 160),
    ("move", np.int64, w.SLOTS), ("kept", np.uint8, (4, w.SLOTS)), ("ways", np.float64, _MOST_DECKS),
])  # fmt: skip
"""A generator; the cards that are dealt anew; how many of each card of the box are seen now, and were seen at once, now or before; where a
slot of the one deck is in another, and what is kept of it; in how many ways each possible deck shows what was seen."""


@kernel
def _shuffle_pool(r, size):
    """Shuffle cards that were gathered; they are sorted first, so that a world depends on what is known alone, not on what is true."""
    pool = r["pool"]
    for place in range(1, size):
        card, at = pool[place], place
        while at and pool[at - 1] > card:
            pool[at] = pool[at - 1]
            at -= 1
        pool[at] = card
    rng.shuffle(r, pool, size)


@kernel
def _reorder(s, seat, me, r):
    """The cards of a deck at places that a seat does not know change places."""
    size, free = int(s["deck_size"][seat]), 0
    for place in range(size):
        if not (np.int64(s["deck_seen"][seat, place]) >> me) & 1:
            r["pool"][free] = s["deck"][seat, place]
            free += 1
    _shuffle_pool(r, free)
    for place in range(size):
        if not (np.int64(s["deck_seen"][seat, place]) >> me) & 1:
            free -= 1
            s["deck"][seat, place] = r["pool"][free]


@kernel
def _deal(s, other, me, r):
    """The other's hand, but what is known of it, and its deck, but what is known of that, are dealt anew."""
    free = 0
    for slot in range(w.SLOTS):
        for _ in range(np.int64(s["hand"][other, slot]) - np.int64(s["known"][other, slot])):
            r["pool"][free] = slot + 1
            free += 1
    hidden = free
    size = int(s["deck_size"][other])
    for place in range(size):
        if not (np.int64(s["deck_seen"][other, place]) >> me) & 1:
            r["pool"][free] = s["deck"][other, place]
            free += 1
    _shuffle_pool(r, free)
    for slot in range(w.SLOTS):
        s["hand"][other, slot] = s["known"][other, slot]
    for place in range(hidden):
        s["hand"][other, np.int64(r["pool"][place]) - 1] += 1
    for place in range(size):
        if not (np.int64(s["deck_seen"][other, place]) >> me) & 1:
            s["deck"][other, place] = r["pool"][hidden]
            hidden += 1
    bits = 0
    for slot in range(w.SLOTS):
        if s["hand"][other, slot]:
            bits |= 1 << slot
    s["in_hand"][other] = bits


# ---------------------------------------------------------------- closed lists


@kernel
def _count_seen(s, other, r):
    """How many of each card of the box a seat sees that are the other's, and how many it has seen at once, though they be hidden again."""
    r["seen"][:] = 0
    r["shown"][:] = 0
    for slot in range(w.SLOTS):
        card = np.int64(s["card"][other, slot])
        if card and s["rank"][other, slot]:
            r["seen"][card] = z.seen_of_slot(s, other, slot)
            r["shown"][card] = max(1, np.int64(r["seen"][card]), np.int64(s["shown"][other, slot]))


@kernel
def _ways(s, other, deck, r):
    """In how many ways the cards of a deck can be those seen, one after the other; 0 where it has not the team or lacks one."""
    for character in range(len(w.CHARACTERS)):
        there = 0
        for place in range(w.TEAM):
            if deck[place] == character:
                there += 1
        if there != s["level"][other, character]:
            return 0.0
    ways, found, seen = 1.0, 0, 0
    for card in range(len(r["shown"])):
        seen += np.int64(r["shown"][card])
    for slot in range(w.SLOTS):
        card, copies = deck[w.TEAM + 2 * slot], deck[w.TEAM + 2 * slot + 1]
        if not card:
            continue
        for number in range(np.int64(r["shown"][card])):
            ways *= max(0, copies - number)
            found += 1
    return ways if found == seen else 0.0


@kernel
def _place_in(deck, card):
    """The slot of a card in a deck's row."""
    for slot in range(w.SLOTS):
        if deck[w.TEAM + 2 * slot] == card:
            return slot
    return 0


@kernel
def _exchange(s, other, me, deck, r):
    """Give the other seat another deck: what was seen stays as it is, all else becomes the rest of that deck."""
    move, kept = r["move"], r["kept"]
    kept[:, :] = 0
    hidden = int(s["hand_size"][other])
    for slot in range(w.SLOTS):
        move[slot] = _place_in(deck, np.int64(s["card"][other, slot]))
        hidden -= np.int64(s["known"][other, slot])
        if s["card"][other, slot] and s["rank"][other, slot]:
            kept[0, move[slot]] = s["discard"][other, slot]
            kept[1, move[slot]] = s["known"][other, slot]
            kept[2, move[slot]] = s["rank"][other, slot]
            kept[3, move[slot]] = s["shown"][other, slot]
    for side in range(st.SEATS):
        for place in range(w.PLACES):
            if s["where"][side, place] and s["at_owner"][side, place] == other:
                s["at_slot"][side, place] = move[np.int64(s["at_slot"][side, place])]
    for f in range(s["depth"]):
        frame = s["stack"][f]
        if frame[0] == st.USE_FRAME and frame[2] == other:
            if frame[st.COL_SLOT]:
                frame[st.COL_SLOT] = move[int(frame[st.COL_SLOT]) - 1] + 1
    for place in range(s["deck_size"][other]):
        if (np.int64(s["deck_seen"][other, place]) >> me) & 1:
            s["deck"][other, place] = move[np.int64(s["deck"][other, place]) - 1] + 1
    free = 0
    for slot in range(w.SLOTS):
        card, copies = deck[w.TEAM + 2 * slot], deck[w.TEAM + 2 * slot + 1]
        s["card"][other, slot] = card
        s["copies"][other, slot] = copies
        s["discard"][other, slot] = kept[0, slot]
        s["known"][other, slot] = kept[1, slot]
        s["hand"][other, slot] = kept[1, slot]
        s["rank"][other, slot] = kept[2, slot]
        s["shown"][other, slot] = kept[3, slot]
        for _ in range(copies - np.int64(r["seen"][card])):
            r["pool"][free] = slot + 1
            free += 1
    _shuffle_pool(r, free)
    for _ in range(hidden):
        free -= 1
        s["hand"][other, np.int64(r["pool"][free]) - 1] += 1
    for place in range(s["deck_size"][other]):
        if not (np.int64(s["deck_seen"][other, place]) >> me) & 1:
            free -= 1
            s["deck"][other, place] = r["pool"][free]


@kernel
def _draw_deck(settings, s, other, me, r):
    """Draw one of the possible decks for the other seat, and give it that."""
    _count_seen(s, other, r)
    count = min(_MOST_DECKS, settings[turn.SET_DECKS])
    total, ways = 0.0, r["ways"]
    for number in range(count):
        low = turn.FIRST_DECK + number * turn.DECK_ROOM
        ways[number] = _ways(s, other, settings[low : low + turn.DECK_ROOM], r)
        total += ways[number]
    if total <= 0.0:
        return
    drawn = total * (rng.below(r, 1 << 30) / (1 << 30))
    chosen = 0
    while chosen < count - 1 and drawn >= ways[chosen]:
        drawn -= ways[chosen]
        chosen += 1
    low = turn.FIRST_DECK + chosen * turn.DECK_ROOM
    _exchange(s, other, me, settings[low : low + turn.DECK_ROOM], r)


@kernel
def resample(t, settings, s, me, r):
    """Turn a game into another that fits all that a seat knows."""
    other = 1 - me
    if s["leader"][0] < 0 or s["leader"][1] < 0:
        _hide_leader(s, other, r)
    if not s["config"] & st.OPEN_LISTS:
        _draw_deck(settings, s, other, me, r)
    _reorder(s, me, me, r)
    _deal(s, other, me, r)
    turn.note_requirements(t, s)
    rng.seed_rng(s, rng.below(r, 1 << 30))


@kernel
def _hide_leader(s, other, r):
    """A leader that was named unseen is any of its team (H-5)."""
    if s["leader"][other] >= 0:
        place = rng.below(r, w.TEAM)
        for before in range(place, -1, -1):
            if s["team"][other, before] == s["team"][other, place]:
                s["leader"][other] = before
