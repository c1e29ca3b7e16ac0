"""Another world that fits what a seat knows: hidden hands, decks and discard piles dealt anew (H-7).

The deal is uniform over the physical cards. Known and open cards stay, and so does what each seat owns. Some cards lay openly in a discard
pile when the deck was last made; they are not dealt into the part of a hand that was drawn before.
"""

import numpy as np

from danmaku_env.jit.kernels import kernel, store_word
from danmaku_env.machine import event_ring, rng
from danmaku_env.machine.records import EVENT_BYTES, RNG_WORDS
from danmaku_env.sister.shisoroku.cards import words as w
from danmaku_env.sister.shisoroku.cards.tables import R_OP
from danmaku_env.sister.shisoroku.cards.words import PLACES
from danmaku_env.sister.shisoroku.engine import program
from danmaku_env.sister.shisoroku.engine import state as st
from danmaku_env.sister.shisoroku.engine import zones as z

SCRATCH = np.dtype([("pool", np.int16, (st.SEATS, PLACES)), ("free", np.int16, PLACES), ("rng", np.uint32, RNG_WORDS)])
"""Room to count cards in, and a generator; not first, or numba would take the record for one that is nothing else."""


@kernel
def _picked(s, seat, kind, zone, picked):
    """Cards of a zone of a seat that were picked for a question that waits; `picked` is the zone they are in."""
    return np.int64(s["marked"][kind]) if zone == picked and s["asking"] == seat else 0


@kernel
def _fixed(s, seat, me, kind, picked):
    """Cards of a hand that stay: those that the observer knows, and those picked."""
    fixed = max(np.int64(s["known"][seat, me, kind]), _picked(s, seat, kind, w.HAND, picked))
    return min(fixed, np.int64(s["hand"][seat, kind]))


@kernel
def _fixed_discards(s, seat, kind, picked):
    """Cards of a discard pile that stay: those that all have seen come there, and those picked."""
    fixed = max(np.int64(s["open_discard"][seat, kind]), _picked(s, seat, kind, w.DISCARD, picked))
    return min(fixed, np.int64(s["discard"][seat, kind]))


@kernel
def _hides_laid(s, seat, me):
    return s["laid_owner"] == seat and not (np.int64(s["laid_seen"]) >> me) & 1


@kernel
def _hidden_cards(s, seat, me, picked, pool):
    """Count what the observer does not know of a seat's cards."""
    for kind in range(PLACES):
        pool[kind] = np.int64(s["hand"][seat, kind]) - _fixed(s, seat, me, kind, picked) + np.int64(s["deck"][seat, kind])
        pool[kind] += np.int64(s["discard"][seat, kind]) - _fixed_discards(s, seat, kind, picked) + np.int64(s["hidden"][seat, kind])
        if _hides_laid(s, seat, me):
            pool[kind] += np.int64(s["laid"][kind]) - _picked(s, seat, kind, w.LAID, picked)
    for place in range(np.int64(s["top_size"][seat])):
        if not (np.int64(s["top_seen"][seat, place]) >> me) & 1:
            pool[np.int64(s["top"][seat, place]) - 1] += 1
    if s["bottom"][seat]:
        pool[np.int64(s["bottom"][seat]) - 1] += 1


@kernel
def _deal(r, row):
    """One of the cards counted in a row, by chance, taken out of it."""
    place = rng.below(r, z.total(row))
    kind = 0
    while place >= row[kind]:
        place -= int(row[kind])
        kind += 1
    row[kind] -= 1
    return kind


@kernel
def _pass_anew(s, r, me):
    """Cards passed unseen may have been any of the giver's (H-4): they go back, and as many are passed again."""
    for giver in range(s["num_players"]):
        getter = z.left_of(s, giver)
        if giver == me or getter == me:
            continue
        cards = 0
        for kind in range(PLACES):
            back = min(np.int64(s["passed"][giver, kind]), np.int64(r["pool"][getter, kind]))
            r["pool"][giver, kind] += back
            _pass(s, r, giver, getter, kind, -back)
            cards += back
        for _ in range(cards):
            _pass(s, r, giver, getter, _deal(r, r["pool"][giver]), 1)


@kernel
def _pass(s, r, giver, getter, kind, number):
    """A number of cards that have left the giver's hidden ones come to those of the getter."""
    r["pool"][getter, kind] += number
    s["owned"][giver, kind] -= number
    s["owned"][getter, kind] += number
    s["passed"][giver, kind] += number


@kernel
def _deal_into(r, pool, zone, number):
    """Deal a number of cards into a zone that counts them."""
    for _ in range(number):
        zone[_deal(r, pool)] += 1


@kernel
def _deal_hand(s, r, seat, me, picked, pool):
    """Deal the unknown cards of a hand, first those that were drawn before the deck was made."""
    cards, old = 0, 0
    free = r["free"]
    for kind in range(PLACES):
        fixed = _fixed(s, seat, me, kind, picked)
        cards += np.int64(s["hand"][seat, kind]) - fixed
        old += np.int64(s["old_hand"][seat, kind])
        s["hand"][seat, kind] = fixed
        free[kind] = max(0, int(pool[kind]) - np.int64(s["made_of"][seat, kind]))
        s["old_hand"][seat, kind] = 0
    old = min(old, min(cards, z.total(free)))
    for _ in range(old):
        kind = _deal(r, free)
        pool[kind] -= 1
        s["hand"][seat, kind] += 1
        s["old_hand"][seat, kind] += 1
    _deal_into(r, pool, s["hand"][seat], cards - old)


@kernel
def _deal_seat(s, r, seat, me, picked):
    """Deal everything of a seat that the observer does not know."""
    pool = r["pool"][seat]
    _deal_hand(s, r, seat, me, picked, pool)
    cards = z.total(s["hidden"][seat])
    program.clear(s["hidden"][seat])
    _deal_into(r, pool, s["hidden"][seat], cards)
    if _hides_laid(s, seat, me):
        cards = 0
        for kind in range(PLACES):
            stays = _picked(s, seat, kind, w.LAID, picked)
            cards += np.int64(s["laid"][kind]) - stays
            s["laid"][kind] = stays
        _deal_into(r, pool, s["laid"], cards)
    for place in range(np.int64(s["top_size"][seat])):
        if not (np.int64(s["top_seen"][seat, place]) >> me) & 1:
            s["top"][seat, place] = _deal(r, pool) + 1
    if s["bottom"][seat]:
        s["bottom"][seat] = _deal(r, pool) + 1
    cards = 0
    for kind in range(PLACES):
        stays = _fixed_discards(s, seat, kind, picked)
        cards += np.int64(s["discard"][seat, kind]) - stays
        s["discard"][seat, kind] = stays
    _deal_into(r, pool, s["discard"][seat], cards)
    for kind in range(PLACES):
        s["deck"][seat, kind] = pool[kind]


@kernel
def _own_deck_anew(s, r, me):
    """Deal the cards of the observer's own deck that lie in an order it has not seen."""
    pool, unseen, hides_laid = r["pool"][me], 0, _hides_laid(s, me, me)
    for kind in range(PLACES):
        pool[kind] = np.int64(s["deck"][me, kind]) + (np.int64(s["laid"][kind]) if hides_laid else 0)
    for place in range(np.int64(s["top_size"][me])):
        if not (np.int64(s["top_seen"][me, place]) >> me) & 1:
            pool[np.int64(s["top"][me, place]) - 1] += 1
            unseen += 1
    if not unseen and not hides_laid:
        return
    if hides_laid:
        cards = z.total(s["laid"])
        program.clear(s["laid"])
        _deal_into(r, pool, s["laid"], cards)
    for place in range(np.int64(s["top_size"][me])):
        if not (np.int64(s["top_seen"][me, place]) >> me) & 1:
            s["top"][me, place] = _deal(r, pool) + 1
    for kind in range(PLACES):
        s["deck"][me, kind] = pool[kind]


@kernel
def _pick_anew(t, s, r, me):
    """Cards that others have picked to pass are cards of their new hands."""
    for f in range(s["depth"]):
        frame = s["stack"][f]
        if frame[0] != st.PLAY_FRAME or not frame[st.COL_PICKING]:
            continue
        pc = int(t["text"][z.card(s, int(frame[st.COL_KIND])), w.ON_PLAY]) + int(frame[st.COL_PC])
        if t["program"][pc, R_OP] != w.OP_PASS_LEFT:
            continue
        for turn in range(s["num_players"]):
            seat = (int(frame[2]) + turn) % int(s["num_players"])
            kind = int(frame[program.PASSED_COLUMNS[turn]]) - 1
            if kind >= 0 and seat != me and not s["hand"][seat, kind]:
                frame[program.PASSED_COLUMNS[turn]] = z.at_random(r, s["hand"][seat], z.total(s["hand"][seat])) + 1


@kernel
def resample(t, s, me, r):
    """Turn a game into another world that fits what a seat knows."""
    picked = program.marked_in(t, s)
    for seat in range(s["num_players"]):
        if seat != me:
            _hidden_cards(s, seat, me, picked, r["pool"][seat])
    _pass_anew(s, r, me)
    for seat in range(s["num_players"]):
        if seat != me:
            _deal_seat(s, r, seat, me, picked)
            for viewer in range(s["num_players"]):
                for kind in range(PLACES):
                    s["known"][seat, viewer, kind] = min(np.int64(s["known"][seat, viewer, kind]), np.int64(s["hand"][seat, kind]))
    _own_deck_anew(s, r, me)
    _pick_anew(t, s, r, me)
    for place in range(event_ring.kept(s)):
        event = event_ring.seen_by(event_ring.event_at(s, place), me, st.CARD_BYTE, st.SEEN_BYTE)
        store_word(s["log"], EVENT_BYTES * (place & (s["log"].shape[0] - 1)), event)
    for word in range(RNG_WORDS):
        s["rng"][word] = r["rng"][word]
    rng.below(r, 2)
