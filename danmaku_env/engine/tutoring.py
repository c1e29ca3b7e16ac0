"""Tutoring: cards taken out of the middle of a deck that is looked through, of the discard pile, of what an incident has collected."""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.engine import events, piles
from danmaku_env.jit.kernels import kernel
from danmaku_env.machine import lists, rng

SEATLESS = 8
"""Not a seat: its bit is never set in `seen_by`."""


@kernel
def take_from_discard(t, s, card):
    """Take a card out of the Main discard pile, wherever it lies there."""
    size = np.int64(s["discard_size"])
    lists.take_out(s["discard"], size, card)
    s["discard_size"] = size - 1
    s["discard_kinds"][np.int64(t["card_kind"][card])] -= 1


@kernel
def take_collected(t, s, card):
    """Take a card out of the collection of an incident in play."""
    incident = np.int64(s["holder"][card])
    for i in range(s["incident_size"]):
        if s["incidents"][i] == incident + 1:
            s["collected"][i, int(t["card_season"][card])] -= 1
    s["collected_kinds"][np.int64(t["card_kind"][card])] -= 1
    s["holder"][card] = 0


@kernel
def take_from_deck(s, card, deck):
    """Take a card out of the Main deck or the Lunatic deck, wherever it lies there."""
    if deck == v.LUNATIC_DECK:
        lists.take_out(s["lunatic_deck"], int(s["lunatic_deck_size"]), card)
        s["lunatic_deck_size"] -= 1
    else:
        lists.take_out(s["deck"], int(s["deck_size"]), card)
        s["deck_size"] -= 1


@kernel
def _see_cards(s, cards, size, seats):
    for i in range(size):
        card = np.int64(cards[i]) - 1
        s["seen_by"][card] = np.int64(s["seen_by"][card]) | seats


@kernel
def see_deck(s, deck, seat):
    """The seat looks through the Main deck or the Lunatic deck; until it is shuffled it knows what lies where."""
    if deck == v.LUNATIC_DECK:
        _see_cards(s, s["lunatic_deck"], np.int64(s["lunatic_deck_size"]), 1 << seat)
    else:
        _see_cards(s, s["deck"], np.int64(s["deck_size"]), 1 << seat)
        s["deck_seen"] = np.int64(s["deck_seen"]) | (1 << seat)


@kernel
def shuffle_deck(s, deck):
    """Shuffle the Main deck or the Lunatic deck: nobody knows any more where a card of it lies."""
    if deck == v.LUNATIC_DECK:
        size = np.int64(s["lunatic_deck_size"])
        piles.lose_deck(s, s["lunatic_deck"], size, SEATLESS)
        rng.shuffle(s, s["lunatic_deck"], size)
        events.log(s, events.L_SHUFFLE, -1, -1, deck, size, 1)
    else:
        size = np.int64(s["deck_size"])
        piles.lose_deck(s, s["deck"], size, SEATLESS)
        s["deck_seen"] = 0
        rng.shuffle(s, s["deck"], size)
        events.log(s, events.L_SHUFFLE, -1, -1, -1, size, 1)
