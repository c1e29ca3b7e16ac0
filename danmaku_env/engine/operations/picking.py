"""Cards that are picked: of a hand, of the discard pile or of what incidents have collected, of a deck searched, of two that are flipped.

A part of family ASK (`choices.py`), and the flip, which asks where two cards are flipped.
"""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.engine import actions, queries, tabletop, tutoring
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.operations import AGAIN, JUMPED, NEXT, WAIT, moving
from danmaku_env.jit.kernels import kernel, lowest_bit


@kernel
def pick_kind(t, s, f, seat, question, kinds, zone, holder, matters, may_pass):
    """Ask a seat for a card there; the pick of the frame is the card, or 0. WAIT until it is answered."""
    frame = s["stack"][f]
    if not actions.has_answer(s):
        frame[fr.PLAY_PICK] = 0
        if kinds == 0 and not may_pass:
            return NEXT
        if actions.ask_kind(s, seat, question, kinds, may_pass):
            return WAIT
    card = actions.chosen_card(t, s, seat, zone, holder, matters)
    if card == actions.WAITING:
        return WAIT
    frame[fr.PLAY_PICK] = card + 1
    return NEXT


@kernel
def pick_hand_card(t, s, f, seat, question, types, matters, may_pass):
    kinds = queries.hand_kinds_of(t, s, seat, types)
    return pick_kind(t, s, f, seat, question, kinds, st.IN_HAND, seat, matters, may_pass)


@kernel
def choose_discard(t, s, f, cards, may_pass):
    """One of the top cards of the discard pile is picked, which lie open; which copy of it, goes by season."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    size = np.int64(s["discard_size"])
    if not actions.has_answer(s):
        frame[fr.PLAY_PICK] = 0
        kinds = 0
        for i in range(max(0, size - cards), size):
            kinds |= 1 << np.int64(t["card_kind"][np.int64(s["discard"][i]) - 1])
        if kinds == 0:
            return NEXT
        if actions.ask_kind(s, seat, actions.Q_CARD, kinds, may_pass):
            return WAIT
    return _pick_of_pile(t, s, frame, seat, s["discard"], max(0, size - cards), size)


@kernel
def _kind_and_season(s, answer):
    """The kind that an answer names, and the season where that was asked after it; -1: whichever there is."""
    if s["pending_kind"] == 0:
        return answer - actions.KIND_BASE, -1
    kind = int(s["pending_kind"]) - 1
    s["pending_kind"] = 0
    return kind, answer - actions.SEASON_BASE


@kernel
def _settle_season(s, frame, seat, kind, seasons):
    """The card picked stands, or its season is asked where copies in these seasons differ."""
    if queries.has_several(seasons):
        frame[fr.PLAY_PICK] = 0
        s["pending_kind"] = kind + 1
        actions.ask_misc(s, seat, actions.Q_SEASON, seasons << actions.SEASON_BASE)
        return WAIT
    return NEXT


@kernel
def _pick_of_pile(t, s, frame, seat, pile, start, end):
    """The card answered, of those in a stretch of a pile; WAIT for its season where copies of it differ."""
    answer = actions.take_answer(s)
    if answer == actions.PASS:
        return NEXT
    kind, season = _kind_and_season(s, answer)
    seasons = 0
    for i in range(end - 1, start - 1, -1):
        card = np.int64(pile[i]) - 1
        if t["card_kind"][card] == kind and (season < 0 or t["card_season"][card] == season):
            seasons |= 1 << int(t["card_season"][card])
            frame[fr.PLAY_PICK] = card + 1
    return _settle_season(s, frame, seat, kind, seasons)


@kernel
def choose_collected(t, s, f, may_pass):
    """One of the cards that lie with the incidents in play is picked."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    if not actions.has_answer(s):
        frame[fr.PLAY_PICK] = 0
        kinds = 0
        for card in range(t["cards_in"][queries.box(s)]):
            if s["zone"][card] == st.COLLECTED:
                kinds |= 1 << np.int64(t["card_kind"][card])
        if kinds == 0:
            return NEXT
        if actions.ask_kind(s, seat, actions.Q_CARD, kinds, may_pass):
            return WAIT
    return _pick_of_collections(t, s, frame, seat)


@kernel
def _pick_of_collections(t, s, frame, seat):
    """The collected card answered; WAIT for its season where copies of it differ."""
    answer = actions.take_answer(s)
    if answer == actions.PASS:
        return NEXT
    kind, season = _kind_and_season(s, answer)
    seasons = 0
    card = int(t["first_copy"][kind])
    while card >= 0:
        if s["zone"][card] == st.COLLECTED and (season < 0 or t["card_season"][card] == season):
            seasons |= 1 << int(t["card_season"][card])
            frame[fr.PLAY_PICK] = card + 1
        card = int(t["next_copy"][card])
    return _settle_season(s, frame, seat, kind, seasons)


@kernel
def _kinds_in(t, deck, size, types):
    """Bits of the kinds with one of the types in a deck."""
    kinds = 0
    for i in range(size):
        card = np.int64(deck[i]) - 1
        if queries.is_of(t, card, types):
            kinds |= 1 << np.int64(t["card_kind"][card])
    return kinds


@kernel
def _choose_deck_to_search(s, f):
    """One of the decks not yet searched, or none; whether the answer is in."""
    frame = s["stack"][f]
    left = ((1 << v.MAIN_DECK) | (1 << v.LUNATIC_DECK)) & ~int(frame[fr.PLAY_AMOUNT])
    if not queries.has_expansion(s):
        left &= ~(1 << v.LUNATIC_DECK)
    if left == 0:
        return True
    decks = left << actions.DECK_BASE
    if not actions.has_answer(s) and actions.ask_misc(s, int(frame[fr.SEAT]), actions.Q_DECK, decks | actions.PASS_BIT):
        return False
    answer = actions.take_answer(s)
    if answer != actions.PASS:
        frame[fr.PLAY_DECK] = answer - actions.DECK_BASE + 1
        frame[fr.PLAY_AMOUNT] = int(frame[fr.PLAY_AMOUNT]) | (1 << (answer - actions.DECK_BASE))
    return True


@kernel
def choose_search(s, f, jump):
    """The controller names a deck to be searched; without one the program goes on at `jump`."""
    if not _choose_deck_to_search(s, f):
        return WAIT
    if s["stack"][f, fr.PLAY_DECK] > 0:
        return NEXT
    s["stack"][f, fr.PLAY_PC] = jump
    return JUMPED


@kernel
def search_item(t, s, f, types):
    """A deck is searched for an item, which enters play; if there is none the other deck may be searched. Both are shuffled."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    if frame[fr.PLAY_DECK] == 0:
        if not _choose_deck_to_search(s, f):
            return WAIT
        if frame[fr.PLAY_DECK] == 0:
            frame[fr.PLAY_AMOUNT] = 0  # or another search of the same program would find them searched
            return NEXT
    deck = int(frame[fr.PLAY_DECK]) - 1
    zone = st.IN_LUNATIC_DECK if deck == v.LUNATIC_DECK else st.IN_DECK
    if deck == v.LUNATIC_DECK:
        kinds = _kinds_in(t, s["lunatic_deck"], int(s["lunatic_deck_size"]), types)
    else:
        kinds = _kinds_in(t, s["deck"], int(s["deck_size"]), types)
    if kinds == 0:
        tutoring.shuffle_deck(s, deck)
        frame[fr.PLAY_DECK] = 0
        return AGAIN
    if not actions.has_answer(s):
        tutoring.see_deck(s, deck, seat)
        if actions.ask_kind(s, seat, actions.Q_ASIDE, kinds, False):
            return WAIT
    card = actions.chosen_card(t, s, seat, zone, 0, True)
    if card == actions.WAITING:
        return WAIT
    frame[fr.PLAY_DECK] = frame[fr.PLAY_AMOUNT] = 0
    tutoring.take_from_deck(s, card, deck)
    tutoring.shuffle_deck(s, deck)
    tabletop.gain_item(t, s, card, seat)
    return NEXT


@kernel
def _may_flip_two(t, s, seat):
    return queries.has_expansion(s) and queries.stat(t, s, seat, v.FLIPS_TWICE) > 0


@kernel
def cards_to_flip(t, s, seat):
    """1, or 2 for a seat that may flip two and wants to; 0 until it has answered."""
    if not _may_flip_two(t, s, seat):
        return 1
    if not actions.has_answer(s) and actions.ask_misc(s, seat, actions.Q_MAY, actions.YES_BIT | actions.PASS_BIT):
        return 0
    return 2 if actions.take_answer(s) == actions.YES else 1


@kernel
def season_that_counts(t, s, seat, cards):
    """The season of the last card aside, or of the one of the last two that the seat names; -1 until it has."""
    seasons = 0
    for place in range(s["aside_size"] - cards, s["aside_size"]):
        seasons |= 1 << int(t["card_season"][np.int64(s["aside"][place]) - 1])
    if queries.has_several(seasons):
        if not actions.has_answer(s) and actions.ask_misc(s, seat, actions.Q_SEASON, seasons << actions.SEASON_BASE):
            return -1
        return actions.take_answer(s) - actions.SEASON_BASE
    return lowest_bit(seasons)


@kernel
def gather_seasons(t, s, f):
    """Flip until every season named has turned up; the first card of each goes into the hand.

    AMOUNT are the seasons still missing, and REMAINING how many cards have been flipped of which one counts.
    """
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    while frame[fr.PLAY_AMOUNT]:
        if frame[fr.PLAY_REMAINING] == 0:
            cards = cards_to_flip(t, s, seat)
            if cards == 0:
                return WAIT
            frame[fr.PLAY_REMAINING] = moving.flip_aside(t, s, f, seat, cards)
            if frame[fr.PLAY_REMAINING] == 0:
                return NEXT
        season = season_that_counts(t, s, seat, int(frame[fr.PLAY_REMAINING]))
        if season < 0:
            return WAIT
        if (int(frame[fr.PLAY_AMOUNT]) >> season) & 1:
            frame[fr.PLAY_AMOUNT] = int(frame[fr.PLAY_AMOUNT]) & ~(1 << season)
            frame[fr.PLAY_PICK] = _flipped_in(t, s, season, int(frame[fr.PLAY_REMAINING])) + 1
            moving.take_pick(t, s, f, seat)
        frame[fr.PLAY_REMAINING] = 0
    return NEXT


@kernel
def _flipped_in(t, s, season, cards):
    """Of this many cards laid aside last, the first that has the season; -1 for none."""
    for place in range(s["aside_size"] - cards, s["aside_size"]):
        card = np.int64(s["aside"][place]) - 1
        if t["card_season"][card] == season:
            return card
    return -1


@kernel
def flip(t, s, f):
    """The top card is flipped; or two, one of which counts, where the seat may do so and wants to."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    if _may_flip_two(t, s, seat) and s["aside_size"] > 0:  # they lie there already
        return _choose_flip(t, s, f, seat)
    cards = cards_to_flip(t, s, seat)
    if cards == 0:
        return WAIT
    if cards == 2 and moving.flip_aside(t, s, f, seat, cards):
        return _choose_flip(t, s, f, seat)
    moving.flip(t, s, f)
    return NEXT


@kernel
def pick_flipped(t, s, f, seat):
    """Of the cards that lie open, which one counts."""
    kinds = 0
    for i in range(s["aside_size"]):
        kinds |= 1 << np.int64(t["card_kind"][np.int64(s["aside"][i]) - 1])
    return pick_kind(t, s, f, seat, actions.Q_ASIDE, kinds, st.ASIDE_PUBLIC, seat, True, False)


@kernel
def _choose_flip(t, s, f, seat):
    """Which of the cards flipped counts; then all are discarded."""
    frame = s["stack"][f]
    if pick_flipped(t, s, f, seat) == WAIT:
        return WAIT
    frame[fr.PLAY_FLIPPED] = int(t["card_season"][int(frame[fr.PLAY_PICK]) - 1]) + 1
    frame[fr.PLAY_PICK] = 0
    tabletop.discard_aside(t, s)
    return NEXT
