"""The hands of the seats: cards that enter and leave them, and who knows which (X-6)."""

import numpy as np

from danmaku_env.engine import events, queries
from danmaku_env.engine import state as st
from danmaku_env.jit.kernels import kernel, lowest_bit


@kernel
def note_exposed(s, card, seat):
    """Note whether a hand card is known to anybody besides its holder; `seat` -1: it is in no hand."""
    word = card // st.HAND_WORD_BITS
    bit = 1 << (card % st.HAND_WORD_BITS)
    if seat >= 0 and np.int64(s["seen_by"][card]) & ~(1 << seat):
        s["exposed"][word] = int(s["exposed"][word]) | bit
    else:
        s["exposed"][word] = int(s["exposed"][word]) & ~bit


@kernel
def flip_hand_bit(s, seat, card):
    """Note that a physical card came into or went out of a hand."""
    word = card // st.HAND_WORD_BITS
    s["hand_cards"][seat, word] = int(s["hand_cards"][seat, word]) ^ (1 << (card % st.HAND_WORD_BITS))


@kernel
def enter_hand(t, s, card, seat):
    """Put a card, already out of its pile, into a hand; the holder sees it."""
    kind = np.int64(t["card_kind"][card])
    s["zone"][card] = st.IN_HAND
    s["holder"][card] = seat
    s["seen_by"][card] = np.int64(s["seen_by"][card]) | (1 << seat)
    s["hand_counts"][seat, kind] += 1
    s["hand_kinds"][seat] = int(s["hand_kinds"][seat]) | (1 << kind)
    flip_hand_bit(s, seat, card)
    s["hand_size"][seat] += 1
    s["lunatic_in_hand"][seat] += t["card_lunatic"][card]
    note_exposed(s, card, seat)


@kernel
def leave_hand(t, s, card):
    """Take a card out of the hand it is in."""
    seat = np.int64(s["holder"][card])
    kind = np.int64(t["card_kind"][card])
    note_exposed(s, card, -1)
    s["hand_counts"][seat, kind] -= 1
    s["hand_size"][seat] -= 1
    s["lunatic_in_hand"][seat] -= t["card_lunatic"][card]
    flip_hand_bit(s, seat, card)
    if s["hand_counts"][seat, kind] == 0:
        s["hand_kinds"][seat] = int(s["hand_kinds"][seat]) & ~(1 << kind)
    s["holder"][card] = 0


@kernel
def see_hand(t, s, seat, seats, looker):
    """The seats in the mask get to know every card of a hand.

    Only looker and holder get the cards of a look in the log. A seat that knew one before does not: the order of the rows would tell it
    something about the others.
    """
    size = int(s["hand_size"][seat])
    event = events.L_SHOW if seats == st.EVERYBODY else events.L_LOOK
    known = seats | (1 << seat)
    if size == 0:
        events.log(s, event, looker, seat, -1, 0, 0)
    place = 0
    kinds = int(s["hand_kinds"][seat])
    while kinds:
        kind = lowest_bit(kinds)
        kinds &= kinds - 1
        card = int(t["first_copy"][kind])
        while card >= 0:
            if queries.is_at(s, card, st.IN_HAND, seat):
                s["seen_by"][card] = np.int64(s["seen_by"][card]) | seats
                note_exposed(s, card, seat)
                place += 1
                events.log_card(s, event, looker, seat, -1, size, place, card, known)
            card = int(t["next_copy"][card])


@kernel
def lose_track(s, seat, seats):
    """A card left a hand, and only the seats in the mask saw which: nobody else can be sure which known cards are still in it (X-6)."""
    card = queries.next_hand_card(s, seat, -1)
    while card >= 0:
        s["seen_by"][card] = np.int64(s["seen_by"][card]) & (seats | (1 << seat))
        note_exposed(s, card, seat)
        card = queries.next_hand_card(s, seat, card)


@kernel
def _looks_alike(t, card, other):
    """Whether two copies of a kind cannot be told apart, front and back."""
    return t["card_season"][card] == t["card_season"][other] and t["card_lunatic"][card] == t["card_lunatic"][other]


@kernel
def lose_track_of_copy(t, s, card):
    """A hand card is about to leave in sight: a seat that knew a copy like it, but not this one, cannot tell which left (X-6)."""
    seat, kind = np.int64(s["holder"][card]), np.int64(t["card_kind"][card])
    unsure = st.EVERYBODY & ~(np.int64(s["seen_by"][card]) | (1 << seat))
    if s["hand_counts"][seat, kind] == 1 or unsure == 0:
        return
    copy = int(t["first_copy"][kind])
    while copy >= 0:
        if copy != card and _looks_alike(t, copy, card) and queries.is_at(s, copy, st.IN_HAND, seat):
            lost = np.int64(s["seen_by"][copy]) & unsure
            s["seen_by"][copy] = np.int64(s["seen_by"][copy]) & ~lost
            unsure &= ~lost
            note_exposed(s, copy, seat)
        copy = int(t["next_copy"][copy])
