"""Cards that lie on the table: items in play, cards laid aside, cards being played, and open role cards."""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.engine import characters, events, hands, item_counts, piles, queries, stack
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.jit.kernels import kernel, lowest_bit
from danmaku_env.machine import lists


@kernel
def enter_play(t, s, card, seat):
    """Put an item, already out of its place, under a seat's control."""
    slot = int(t["kind_slot"][np.int64(t["card_kind"][card])])
    s["zone"][card] = st.IN_PLAY
    s["holder"][card] = seat
    s["seen_by"][card] = st.EVERYBODY
    item_counts.count(t, s, seat, slot, 1)
    events.log_card(s, events.L_ITEM, seat, -1, -1, 0, 0, card, st.EVERYBODY)


@kernel
def leave_play(t, s, card):
    """Take an item out of play."""
    seat = np.int64(s["holder"][card])
    slot = int(t["kind_slot"][np.int64(t["card_kind"][card])])
    item_counts.count(t, s, seat, slot, -1)
    stack.push_own(t, s, v.ITEM_LOST, slot, seat)
    if t["slot_gives"][slot]:
        characters.lose_source(t, s, seat, st.BY_ITEM + slot)


@kernel
def discard_item(t, s, card):
    seat = np.int64(s["holder"][card])
    leave_play(t, s, card)
    events.log_card(s, events.L_DISCARD, seat, -1, -1, 1, 0, card, st.EVERYBODY)
    piles.discard(t, s, card)


@kernel
def discard_items(t, s, seat):
    """Discard every item a seat controls."""
    while s["item_slots"][seat]:
        kind = int(t["slot_kind"][lowest_bit(int(s["item_slots"][seat]))])
        discard_item(t, s, queries.find_card(t, s, kind, st.IN_PLAY, seat, -1, queries.ANY_COPY))


@kernel
def gain_item(t, s, card, seat):
    """An item, already out of its place, comes under a seat's control; the frame returned settles an exceeded limit at once (C-8)."""
    enter_play(t, s, card, seat)
    if queries.has_expansion(s):
        first = int(s["depth"])
        stack.lay_triggers(t, s, v.GAINED_ITEM, seat, -1, -1)
        stack.push_own(t, s, v.ITEM_GAINED, int(t["kind_slot"][np.int64(t["card_kind"][card])]), seat)
        stack.gather(s, first)
    return stack.push(s, fr.LIMIT_FRAME, seat)


@kernel
def hand_over(t, s, card, seat):
    """An item in play comes under another seat's control."""
    events.log_card(s, events.L_TAKE, seat, np.int64(s["holder"][card]), -1, 0, 0, card, st.EVERYBODY)
    leave_play(t, s, card)
    return gain_item(t, s, card, seat)


@kernel
def hand_over_due(t, s):
    """The stack is empty: an item that changes hands now does so, if its owner still has it (L-5)."""
    card = np.int64(s["due_item"]) - 1
    owner, seat = int(s["due_from"]) - 1, int(s["due_to"]) - 1
    s["due_item"] = 0
    s["due_from"] = 0
    s["due_to"] = 0
    if queries.is_at(s, card, st.IN_PLAY, owner) and queries.is_active(s, seat):
        hand_over(t, s, card, seat)


@kernel
def lay_aside(s, card, zone, seat, seats):
    """Lay a card, out of its deck, aside for the seats in the mask to see."""
    size = np.int64(s["aside_size"])
    s["aside"][size] = card + 1
    s["aside_size"] = size + 1
    s["zone"][card] = zone
    s["holder"][card] = seat
    s["seen_by"][card] = np.int64(s["seen_by"][card]) | seats


@kernel
def take_aside(s, card):
    """Take a card out of those laid aside, keeping their order."""
    size = np.int64(s["aside_size"])
    lists.take_out(s["aside"], size, card)
    s["aside_size"] = size - 1


@kernel
def lose_track_aside(s, seats):
    """One of several cards aside goes to a hand face down: of those that do not lie open, only the seats in the mask know which (X-6)."""
    for i in range(np.int64(s["aside_size"])):
        card = np.int64(s["aside"][i]) - 1
        if s["seen_by"][card] != st.EVERYBODY:
            s["seen_by"][card] = np.int64(s["seen_by"][card]) & seats


@kernel
def discard_aside(t, s):
    """Discard the cards that lie aside for all to see, in the order they were laid there."""
    while s["aside_size"] > 0:
        card = np.int64(s["aside"][0]) - 1
        take_aside(s, card)
        s["holder"][card] = 0
        piles.discard(t, s, card)


@kernel
def clear_aside(t, s, f, collecting):
    """Discard the cards aside in order; or this incident collects them as long as it is in play."""
    while s["aside_size"] > 0:
        card = np.int64(s["aside"][0]) - 1
        if s["zone"][card] == st.ASIDE_PRIVATE:  # what was turned over has its event already
            events.log_card(s, events.L_DISCARD, int(s["stack"][f, fr.SEAT]), -1, -1, 0, 0, card, st.EVERYBODY)
        take_aside(s, card)
        s["holder"][card] = 0
        place = queries.own_incident(t, s, f) if collecting else -1
        if place >= 0:
            piles.collect(t, s, place, card)
        else:
            piles.discard(t, s, card)


@kernel
def _put_among_played(s, card):
    size = np.int64(s["played_size"])
    s["played"][size] = card + 1
    s["played_size"] = size + 1
    s["zone"][card] = st.BEING_PLAYED


@kernel
def start_playing(t, s, card):
    """A hand card is announced: everybody sees it; it waits for the empty stack (K-7)."""
    hands.lose_track_of_copy(t, s, card)
    hands.leave_hand(t, s, card)
    _put_among_played(s, card)
    s["seen_by"][card] = st.EVERYBODY


@kernel
def start_playing_aside(s, card):
    """A card that lies aside for all to see is played from there."""
    take_aside(s, card)
    _put_among_played(s, card)
    s["holder"][card] = 0


@kernel
def stop_playing(s, card):
    """Take a card out of those being played."""
    size = np.int64(s["played_size"])
    lists.take_out(s["played"], size, card)
    s["played_size"] = size - 1


@kernel
def discard_played(t, s):
    """The stack is empty: played cards reach the discard pile in the order played, incidents collect; some go to a hand instead (K-7)."""
    while s["played_size"] > 0:
        card = np.int64(s["played"][0]) - 1
        stop_playing(s, card)
        keeper = np.int64(s["holder"][card]) - 1
        if keeper >= 0 and queries.is_active(s, keeper):
            hands.enter_hand(t, s, card, keeper)
            events.log_card(s, events.L_TAKE, keeper, -1, -1, 1, 1, card, st.EVERYBODY)
        else:
            s["holder"][card] = 0
            piles.discard(t, s, card)


@kernel
def open_role(s, seat):
    """The role of a seat lies open from now on; what its card allows whoever reveals it is another matter."""
    s["role_seen"][seat] = st.EVERYBODY
    events.log(s, events.L_REVEAL, seat, -1, int(s["role"][seat]), 0, 0)
