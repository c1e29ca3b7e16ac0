"""DRAW: a seat draws cards, all at once, or card by card where somebody may respond to single cards (L-18).

Whatever is to come after the cards have been drawn is put on the stack before `draw` is called.
"""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.engine import actions, events, hands, legality, piles, queries, stack, tabletop
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.jit.kernels import kernel, lowest_bit


@kernel
def _may_draw_anew(t, s, seat):
    """Whether the seat has a text for cards that it draws, and has not used it up."""
    chars = int(s["abilities"][seat]) & int(t["event_chars"][v.DRAWING])
    while chars:
        if not legality.is_spent(t, s, int(t["char_trigger"][v.DRAWING, lowest_bit(chars)]), seat, -1):
            return True
        chars &= chars - 1
    return int(s["item_slots"][seat]) & int(t["event_slots"][v.DRAWING]) != 0 and queries.items_work(s, seat)


@kernel
def draw(t, s, seat, cards, lunatic):
    """Draw from the Main deck and from the Lunatic deck; a frame is opened only where something can come of it.

    Before the first turn nothing does (L-1). While another effect's cards lie aside there is no place for those that may be drawn anew.
    """
    if not queries.has_expansion(s) or s["turn_step"] == st.STEP_ZERO:
        piles.draw(t, s, seat, cards)
        piles.draw_lunatic(t, s, seat, lunatic)
        return
    anew = s["aside_size"] == 0 and _may_draw_anew(t, s, seat)
    if anew or queries.stat(t, s, seat, v.CALLS_SEASONS) > 0:
        f = stack.push(s, fr.DRAWING_FRAME, seat)
        s["stack"][f, fr.DRAWING_MAIN] = cards
        s["stack"][f, fr.DRAWING_LUNATIC] = lunatic
        s["stack"][f, fr.DRAWING_KEPT] = anew
        return
    before = int(s["hand_size"][seat])
    piles.draw(t, s, seat, cards)
    piles.draw_lunatic(t, s, seat, lunatic)
    if int(s["hand_size"][seat]) > before:
        _tell(s, seat)


@kernel
def draw_for_loss(t, s, seat, cards):
    """Draw for life lost; a seat with something to say about how many is asked before any card is drawn (A-19)."""
    texts = int(s["abilities"][seat]) & int(t["event_chars"][v.LOSS_DRAW])
    texts |= int(s["item_slots"][seat]) & int(t["event_slots"][v.LOSS_DRAW])
    texts |= (1 << int(s["role"][seat])) & int(t["event_roles"][v.LOSS_DRAW])
    if texts == 0:
        draw(t, s, seat, cards, 0)
        return
    f = stack.push(s, fr.DRAWING_FRAME, seat)
    s["stack"][f, fr.DRAWING_MAIN] = cards
    s["stack"][f, fr.AT] = fr.AT_LOSS
    stack.push_triggers(t, s, v.LOSS_DRAW, seat, -1, f)


@kernel
def _tell(s, seat):
    """Cards were drawn: a seat with an answer to that gives it when the effect is over (`window.open_due`)."""
    s["drew_due"] = np.int64(s["drew_due"]) | (1 << seat)


@kernel
def _comes_from_discard(t, s, frame):
    """Whether the next card is the open one on top of the discard pile, and so out of no deck (I-9)."""
    return frame[fr.DRAWING_MAIN] > 0 and piles.draws_from_discard(t, s, int(frame[fr.SEAT]))


@kernel
def _call(t, s, f):
    """Before the next card a season may be named; not for the cards that this earns."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    due = frame[fr.DRAWING_MAIN] > 0 or (frame[fr.DRAWING_LUNATIC] > 0 and queries.can_draw_lunatic(t, s))
    if not actions.has_answer(s):
        if not due and frame[fr.DRAWING_EXTRA] == 0:
            frame[fr.AT] = fr.AT_OFFER
            return
        if frame[fr.DRAWING_EXTRA] > 0 or queries.stat(t, s, seat, v.CALLS_SEASONS) == 0 or _comes_from_discard(t, s, frame):
            frame[fr.AT] = fr.AT_TAKE
            return
        seasons = ((1 << st.NUM_SEASONS) - 1) << actions.SEASON_BASE
        if actions.ask_misc(s, seat, actions.Q_SEASON, seasons | actions.PASS_BIT):
            return
    answer = actions.take_answer(s)
    if answer != actions.PASS:
        frame[fr.DRAWING_CALLED] = answer - actions.SEASON_BASE + 1
        events.log(s, events.L_CALLED, seat, -1, -1, answer - actions.SEASON_BASE, 0)
    frame[fr.AT] = fr.AT_TAKE


@kernel
def _next_card(t, s, frame):
    """The next card, out of its deck: first one that is earned, then of the Main deck, then of the Lunatic deck; -1: that deck has none."""
    if frame[fr.DRAWING_EXTRA] > 0:
        frame[fr.DRAWING_EXTRA] -= 1
        return piles.draw_one(t, s, int(frame[fr.SEAT]))
    if frame[fr.DRAWING_MAIN] > 0:
        frame[fr.DRAWING_MAIN] -= 1
        return piles.draw_one(t, s, int(frame[fr.SEAT]))
    frame[fr.DRAWING_LUNATIC] -= 1
    return piles.take_lunatic(s) if queries.can_draw_lunatic(t, s) else -1


@kernel
def _take(t, s, f):
    """A card is drawn, into the hand or aside; if it has the season named it may be shown."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    frame[fr.AT] = fr.AT_CALL
    called = int(frame[fr.DRAWING_CALLED])
    frame[fr.DRAWING_CALLED] = 0
    card = _next_card(t, s, frame)
    if card < 0:
        return
    frame[fr.DRAWING_COUNT] += 1
    if frame[fr.DRAWING_KEPT]:
        tabletop.lay_aside(s, card, st.ASIDE_PRIVATE, seat, 1 << seat)
    else:
        hands.enter_hand(t, s, card, seat)
    deck = v.LUNATIC_DECK if t["card_lunatic"][card] else -1
    events.log_card(s, events.L_DRAW, seat, -1, deck, 1, 1, card, np.int64(s["seen_by"][card]))
    if called and t["card_season"][card] == called - 1:
        frame[fr.DRAWING_CARD] = card + 1
        frame[fr.AT] = fr.AT_SHOW


@kernel
def _show(s, f):
    """The card has the season named: shown to all, it brings another."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    if not actions.has_answer(s) and actions.ask_misc(s, seat, actions.Q_MAY, actions.YES_BIT | actions.PASS_BIT):
        return
    if actions.take_answer(s) == actions.YES:
        card = int(frame[fr.DRAWING_CARD]) - 1
        s["seen_by"][card] = st.EVERYBODY
        if s["zone"][card] == st.IN_HAND:
            hands.note_exposed(s, card, seat)
        events.log_card(s, events.L_SHOW, seat, seat, -1, 1, 0, card, st.EVERYBODY)
        frame[fr.DRAWING_EXTRA] += 1
    frame[fr.DRAWING_CARD] = 0
    frame[fr.AT] = fr.AT_CALL


@kernel
def _keep(t, s, f):
    """The cards kept aside go into the hand, or are discarded, to be drawn anew from the same decks."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    new = frame[fr.DRAWING_NEW] > 0
    while frame[fr.DRAWING_KEPT] and s["aside_size"] > 0:
        card = np.int64(s["aside"][0]) - 1
        tabletop.take_aside(s, card)
        s["holder"][card] = 0
        if new:
            if t["card_lunatic"][card]:
                frame[fr.DRAWING_LUNATIC] += 1
            else:
                frame[fr.DRAWING_MAIN] += 1
            events.log_card(s, events.L_DISCARD, seat, -1, -1, 0, 0, card, st.EVERYBODY)
            piles.discard(t, s, card)
        else:
            hands.enter_hand(t, s, card, seat)
    frame[fr.DRAWING_KEPT] = 0
    frame[fr.DRAWING_NEW] = 0
    frame[fr.AT] = fr.AT_CALL if new else fr.AT_DREW


@kernel
def drawing(t, s, f):
    """One step of DRAW."""
    frame = s["stack"][f]
    at = frame[fr.AT]
    if at == fr.AT_CALL:
        _call(t, s, f)
    elif at == fr.AT_TAKE:
        _take(t, s, f)
    elif at == fr.AT_SHOW:
        _show(s, f)
    elif at == fr.AT_OFFER:
        frame[fr.AT] = fr.AT_KEEP
        if frame[fr.DRAWING_KEPT] and s["aside_size"] > 0:
            stack.push_triggers(t, s, v.DRAWING, int(frame[fr.SEAT]), -1, f)
    elif at == fr.AT_KEEP:
        _keep(t, s, f)
    elif at == fr.AT_LOSS:  # it is said how many: from here on it is a draw as any other
        seat, cards = int(frame[fr.SEAT]), int(frame[fr.DRAWING_MAIN])
        stack.pop(s)
        draw(t, s, seat, cards, 0)
    else:
        seat = int(frame[fr.SEAT])
        drew = frame[fr.DRAWING_COUNT] > 0
        stack.pop(s)
        if drew:
            _tell(s, seat)
