"""Family MOVE: cards drawn, revealed, taken, given, discarded and put back, as card programs say it.

This module reads a row of a program: which seat, how many, which card was picked. How a card gets from one place to another, and who
sees it, is in `piles.py`; which card is chosen was asked by `choices.py`. No questions are asked here.
"""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.tables import T_KIND
from danmaku_env.engine import events, groups, hands, incident_deck, piles, queries, tabletop, tutoring
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.procedures import drawing
from danmaku_env.jit.kernels import kernel


@kernel
def unpick(frame):
    """Take the picked card, which is then no longer picked; -1 when there is none."""
    card = int(frame[fr.PLAY_PICK]) - 1
    frame[fr.PLAY_PICK] = 0
    return card


@kernel
def discard_pick(t, s, f):
    """Discard the picked hand card; whether there was one."""
    card = unpick(s["stack"][f])
    if card < 0:
        return False
    piles.discard_from_hand(t, s, card)
    return True


@kernel
def discard_picked_item(t, s, f, seat):
    """The picked item is discarded, if the seat still has it (K-13)."""
    card = unpick(s["stack"][f])
    if queries.is_at(s, card, st.IN_PLAY, seat):
        tabletop.discard_item(t, s, card)


@kernel
def _reveal(t, s, f, deck, cards, zone, seats):
    """Lay cards of the Main deck or of the Lunatic deck aside; the last one is the pick."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    frame[fr.PLAY_PICK] = 0
    event = events.L_LOOK if zone == st.ASIDE_PRIVATE else events.L_FLIP
    for place in range(cards):
        card = piles.take_lunatic(s) if deck == v.LUNATIC_DECK else piles.take_top(t, s)
        if card < 0:
            return
        tabletop.lay_aside(s, card, zone, seat, seats)
        events.log_card(s, event, seat, -1, deck, cards, place + 1, card, np.int64(s["seen_by"][card]))
        frame[fr.PLAY_PICK] = card + 1


@kernel
def _look(t, s, f, cards, chosen_deck):
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    deck = int(frame[fr.PLAY_DECK]) - 1 if chosen_deck else v.MAIN_DECK
    if deck != v.INCIDENT_DECK:
        _reveal(t, s, f, deck, cards, st.ASIDE_PRIVATE, 1 << seat)
        return
    for place in range(cards):
        incident = incident_deck.next_incident(s)
        if incident < 0:
            return
        events.log_card(s, events.L_LOOK, seat, -1, deck, cards, place + 1, st.INCIDENT_CARD + incident, 1 << seat)
        size = np.int64(s["aside_size"])
        s["aside"][size] = st.INCIDENT_CARD + incident + 1
        s["aside_size"] = size + 1
        s["incident_seen"][incident] = np.int64(s["incident_seen"][incident]) | (1 << seat)


@kernel
def _reveal_until(t, s, f, types):
    frame = s["stack"][f]
    frame[fr.PLAY_PICK] = 0
    while True:
        card = piles.take_top(t, s)
        if card < 0:
            return
        tabletop.lay_aside(s, card, st.ASIDE_PUBLIC, int(frame[fr.SEAT]), st.EVERYBODY)
        events.log_card(s, events.L_FLIP, int(frame[fr.SEAT]), -1, v.MAIN_DECK, 1, 1, card, st.EVERYBODY)
        if queries.is_of(t, card, types):
            frame[fr.PLAY_PICK] = card + 1
            return


@kernel
def flip(t, s, f):
    frame = s["stack"][f]
    card = piles.take_top(t, s)
    frame[fr.PLAY_FLIPPED] = 0
    if card >= 0:
        frame[fr.PLAY_FLIPPED] = int(t["card_season"][card]) + 1
        events.log_card(s, events.L_FLIP, int(frame[fr.SEAT]), -1, -1, 0, 0, card, st.EVERYBODY)
        piles.discard(t, s, card)


@kernel
def flip_aside(t, s, f, seat, cards):
    """A seat flips this many cards, which lie open until it is settled which counts; how many there were."""
    flipped = 0
    for _ in range(cards):
        card = piles.take_top(t, s)
        if card >= 0:
            events.log_card(s, events.L_FLIP, seat, -1, -1, 0, 0, card, st.EVERYBODY)
            tabletop.lay_aside(s, card, st.ASIDE_PUBLIC, int(s["stack"][f, fr.SEAT]), st.EVERYBODY)
            flipped += 1
    return flipped


@kernel
def _take_open(t, s, card, seat):
    """A card of the discard pile, or one that an incident has collected, goes into the seat's hand."""
    if s["zone"][card] == st.IN_DISCARD:
        tutoring.take_from_discard(t, s, card)
    else:
        tutoring.take_collected(t, s, card)
    hands.enter_hand(t, s, card, seat)
    events.log_card(s, events.L_TAKE, seat, -1, -1, 1, 1, card, st.EVERYBODY)


@kernel
def take_pick(t, s, f, seat):
    """The picked card, aside or in a hand, goes into the seat's hand; of several, nobody but giver and taker knows which it is (X-6)."""
    frame = s["stack"][f]
    card = unpick(frame)
    zone = st.NOT_IN_GAME if card < 0 else np.int64(s["zone"][card])
    if zone == st.IN_DISCARD or zone == st.COLLECTED:
        _take_open(t, s, card, seat)
        return
    if seat < 0 or (zone != st.IN_HAND and zone != st.ASIDE_PUBLIC and zone != st.ASIDE_PRIVATE):  # gone meanwhile (K-13)
        return
    me = int(frame[fr.SEAT])
    giver = me
    if zone == st.IN_HAND:
        giver = np.int64(s["holder"][card])
        hands.lose_track_of_copy(t, s, card)
        alone = s["hand_size"][giver] == 1
        hands.leave_hand(t, s, card)
        if not alone:
            s["seen_by"][card] = np.int64(s["seen_by"][card]) & ((1 << giver) | (1 << me))
            hands.lose_track(s, giver, 1 << seat)
    else:
        if zone == st.ASIDE_PRIVATE and s["aside_size"] > 1:
            tabletop.lose_track_aside(s, 1 << me)
        tabletop.take_aside(s, card)
        s["holder"][card] = 0
    hands.enter_hand(t, s, card, seat)
    known = np.int64(s["seen_by"][card])
    if giver == me and seat != me:
        events.tally(s, st.GIVES, me, seat)
        events.log_card(s, events.L_GIVE, me, seat, -1, 1, 1, card, known)
    else:
        events.log_card(s, events.L_TAKE, seat, giver if giver != seat else -1, -1, 1, 1, card, known)


@kernel
def _give(t, s, f, seat):
    """The picked card of one's own hand goes into another, if it is still there (K-13)."""
    frame = s["stack"][f]
    card = int(frame[fr.PLAY_PICK]) - 1
    if not queries.is_at(s, card, st.IN_HAND, int(frame[fr.SEAT])):
        frame[fr.PLAY_PICK] = 0
    take_pick(t, s, f, seat)


@kernel
def _take_all(t, s, f, types):
    i = 0
    while i < s["aside_size"]:
        card = np.int64(s["aside"][i]) - 1
        if queries.is_of(t, card, types):
            s["stack"][f, fr.PLAY_PICK] = card + 1
            take_pick(t, s, f, int(s["stack"][f, fr.SEAT]))
        else:
            i += 1
    s["stack"][f, fr.PLAY_PICK] = 0


@kernel
def _spend_item(t, s, f):
    """The picked item is discarded; the amount is its points, or 1 when there is none."""
    frame = s["stack"][f]
    card = int(frame[fr.PLAY_PICK]) - 1
    frame[fr.PLAY_AMOUNT] = 1
    if queries.is_at(s, card, st.IN_PLAY, int(frame[fr.SEAT])):
        frame[fr.PLAY_AMOUNT] = max(1, int(t["kind_points"][np.int64(t["card_kind"][card])]))
        discard_picked_item(t, s, f, int(frame[fr.SEAT]))
    frame[fr.PLAY_PICK] = 0


@kernel
def _to_deck(t, s, f, card):
    """A card goes on its deck, on top unless an end was named; an end named is the secret of whoever named it (X-9)."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    end = int(frame[fr.PLAY_END])
    deck = v.LUNATIC_DECK if t["card_lunatic"][card] else v.MAIN_DECK
    if end:
        s["seen_by"][card] = np.int64(s["seen_by"][card]) & (1 << seat)
    if deck == v.LUNATIC_DECK:
        if end:
            piles.lose_deck(s, s["lunatic_deck"], np.int64(s["lunatic_deck_size"]), seat)
        piles.put_on_lunatic(s, card, end == fr.BOTTOM_END)
    else:
        if end:
            piles.lose_deck(s, s["deck"], np.int64(s["deck_size"]), seat)
        piles.put_on_deck(s, card, end == fr.BOTTOM_END)
    events.log_card(s, events.L_TO_DECK, seat, -1, deck, 0, 0 if end else 1, card, np.int64(s["seen_by"][card]))


@kernel
def _to_incident_deck(s, f, incident):
    """An incident goes back on its deck, on the end that its looker named in secret."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    s["incident_seen"][incident] = 1 << seat
    for other in range(s["incident_seen"].shape[0]):
        s["incident_seen"][other] = np.int64(s["incident_seen"][other]) & (1 << seat)
    incident_deck.put_on_incident_deck(s, incident, int(frame[fr.PLAY_END]) == fr.BOTTOM_END)
    events.log_card(s, events.L_TO_DECK, seat, -1, v.INCIDENT_DECK, 0, 0, st.INCIDENT_CARD + incident, 1 << seat)


@kernel
def _hand_to_deck(t, s, f):
    frame = s["stack"][f]
    card = unpick(frame)
    seat = int(frame[fr.SEAT])
    if queries.is_at(s, card, st.IN_HAND, seat):  # else it is gone meanwhile (K-13)
        hands.leave_hand(t, s, card)
        s["seen_by"][card] = np.int64(s["seen_by"][card]) & (1 << seat)
        hands.lose_track(s, seat, 0)
        _to_deck(t, s, f, card)


@kernel
def _aside_to_deck(t, s, f):
    frame = s["stack"][f]
    card = unpick(frame)
    if card < 0:
        return
    tabletop.take_aside(s, card)
    if card >= st.INCIDENT_CARD:
        _to_incident_deck(s, f, card - st.INCIDENT_CARD)
    else:
        _to_deck(t, s, f, card)


@kernel
def _take_control(t, s, f, word, settle):
    """The picked item changes hands; with `settle` the controller of the text settles an exceeded limit (L-8)."""
    card = unpick(s["stack"][f])
    seat = groups.who(s, f, word)
    if card >= 0 and seat >= 0 and s["zone"][card] == st.IN_PLAY and s["holder"][card] != seat:
        limit = tabletop.hand_over(t, s, card, seat)
        if settle:
            s["stack"][limit, fr.LIMIT_BY] = s["stack"][f, fr.SEAT] + 1


@kernel
def _hand_on_card(t, s, f, seat):
    """The card that is being played goes into a hand, seen by all."""
    frame = s["stack"][f]
    card = int(frame[fr.PLAY_CARD]) - 1
    me = int(frame[fr.SEAT])
    if card < 0 or seat < 0 or s["zone"][card] != st.BEING_PLAYED:
        return
    tabletop.stop_playing(s, card)
    hands.enter_hand(t, s, card, seat)
    if seat != me:
        events.tally(s, st.GIVES, me, seat)
    events.log_card(s, events.L_GIVE, me, seat, -1, 1, 1, card, st.EVERYBODY)


@kernel
def _keep_card(s, f, seat):
    """The card answered to will go into a hand; the last one to say so is heard (L-9)."""
    subject = int(s["stack"][f, fr.PLAY_SUBJECT]) - 1
    if subject < 0 or seat < 0 or s["stack"][subject, fr.PROCEDURE] != fr.PLAY_FRAME:
        return
    card = int(s["stack"][subject, fr.PLAY_CARD]) - 1
    if card >= 0 and s["zone"][card] == st.BEING_PLAYED:
        s["holder"][card] = seat + 1


@kernel
def _take_this(t, s, f, seat, later):
    """The item whose text this is goes to another seat, now or when the stack is empty."""
    frame = s["stack"][f]
    owner = int(frame[fr.SEAT])
    kind = int(t["text"][int(frame[fr.PLAY_TEXT]), T_KIND]) - 1
    card = queries.find_card(t, s, kind, st.IN_PLAY, owner, -1, queries.ANY_COPY)
    if card < 0 or seat < 0 or seat == owner:
        return
    if later:
        s["due_item"] = card + 1
        s["due_from"] = owner + 1
        s["due_to"] = seat + 1
    else:
        tabletop.hand_over(t, s, card, seat)


@kernel
def _put_in_play(t, s, f):
    frame = s["stack"][f]
    card = unpick(frame)
    if card < 0:
        return
    tabletop.take_aside(s, card)
    s["holder"][card] = 0
    if queries.has_law(t, s, v.NO_ITEMS):  # S-9
        piles.discard(t, s, card)
    else:
        tabletop.gain_item(t, s, card, int(frame[fr.SEAT]))


@kernel
def _collect_top(t, s, f):
    card = piles.take_top(t, s)
    if card < 0:
        return
    place = queries.own_incident(t, s, f)
    if place >= 0:
        piles.collect(t, s, place, card)
    else:
        piles.discard(t, s, card)


@kernel
def _see_hand(t, s, f, seat, everybody):
    frame = s["stack"][f]
    if seat < 0:
        return
    me = int(frame[fr.SEAT])
    hands.see_hand(t, s, seat, st.EVERYBODY if everybody else 1 << me, me)
    frame[fr.PLAY_FLAGS] = int(frame[fr.PLAY_FLAGS]) | fr.HAS_LOOKED


@kernel
def _draw_aside(t, s, f, cards):
    seat = int(s["stack"][f, fr.SEAT])
    for place in range(cards):
        card = piles.draw_one(t, s, seat)
        if card < 0:
            return
        tabletop.lay_aside(s, card, st.ASIDE_PRIVATE, seat, 1 << seat)
        events.log_card(s, events.L_DRAW, seat, -1, -1, cards, place + 1, card, np.int64(s["seen_by"][card]))


_OF_A_HAND = (v.DRAW, v.DRAW_LUNATIC, v.DISCARD_HAND, v.DISCARD_LUNATIC, v.DISCARD_ITEMS, v.DISCARD_RANDOM)


@kernel
def _move_hand(t, s, f, op, seat, amount):
    """Operations that concern the hand of one seat."""
    if seat < 0 or not queries.is_active(s, seat):
        return
    if op == v.DRAW:
        drawing.draw(t, s, seat, amount, 0)
    elif op == v.DRAW_LUNATIC:
        drawing.draw(t, s, seat, 0, amount)
    elif op == v.DISCARD_HAND:
        s["stack"][f, fr.PLAY_AMOUNT] = piles.discard_hand(t, s, seat)
    elif op == v.DISCARD_LUNATIC:
        s["stack"][f, fr.PLAY_AMOUNT] = piles.discard_lunatic(t, s, seat)
    elif op == v.DISCARD_ITEMS:
        tabletop.discard_items(t, s, seat)
    elif op == v.DISCARD_RANDOM:
        card = piles.random_hand_card(t, s, seat)
        if card >= 0:
            piles.discard_from_hand(t, s, card)


@kernel
def carry_out(t, s, f, op, a, b):
    if op in _OF_A_HAND:
        seat = groups.who(s, f, a)
        _move_hand(t, s, f, op, seat, b)
    elif op == v.REVEAL:
        _reveal(t, s, f, v.MAIN_DECK, a, st.ASIDE_PUBLIC, st.EVERYBODY)
    elif op == v.LOOK:
        _look(t, s, f, a, b)
    elif op == v.REVEAL_UNTIL:
        _reveal_until(t, s, f, a)
    elif op == v.TAKE:
        take_pick(t, s, f, int(s["stack"][f, fr.SEAT]))
    elif op == v.TAKE_ALL:
        _take_all(t, s, f, a)
    elif op == v.DISCARD_ASIDE or op == v.COLLECT_ASIDE:
        tabletop.clear_aside(t, s, f, op == v.COLLECT_ASIDE)
    elif op == v.HAND_TO_DECK:
        _hand_to_deck(t, s, f)
    elif op == v.ASIDE_TO_DECK:
        _aside_to_deck(t, s, f)
    elif op == v.DISCARD_ITEM:
        discard_picked_item(t, s, f, groups.who(s, f, a))
    elif op == v.TAKE_CONTROL:
        _take_control(t, s, f, a, b)
    elif op == v.HAND_ON_CARD:
        _hand_on_card(t, s, f, groups.who(s, f, a))
    elif op == v.KEEP_CARD:
        _keep_card(s, f, groups.who(s, f, a))
    elif op == v.TAKE_THIS:
        _take_this(t, s, f, groups.who(s, f, a), b)
    elif op == v.PUT_IN_PLAY:
        _put_in_play(t, s, f)
    elif op == v.SWAP_HANDS:
        one = groups.who(s, f, a)
        other = groups.who(s, f, b)
        if one >= 0 and other >= 0 and one != other:
            piles.swap_hands(t, s, one, other)
    elif op == v.COLLECT_TOP:
        _collect_top(t, s, f)
    elif op == v.GIVE:
        _give(t, s, f, groups.who(s, f, a))
    elif op == v.GIVE_ASIDE:
        take_pick(t, s, f, groups.who(s, f, a))
    elif op == v.SPEND_ITEM:
        _spend_item(t, s, f)
    elif op == v.LOOK_AT_HAND or op == v.SHOW_HAND:
        _see_hand(t, s, f, groups.who(s, f, a), op == v.SHOW_HAND)
    else:
        _draw_aside(t, s, f, a)
