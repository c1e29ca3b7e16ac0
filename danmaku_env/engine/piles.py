"""The decks, the discard piles and what incidents collect: cards that are drawn and discarded. No questions are asked here.

Hands are in `hands.py`, cards on the table in `tabletop.py`, cards taken out of the middle of a pile in `tutoring.py`, the incident deck
in `incident_deck.py`; what a card text asks to be moved is read in `operations/moving.py`.

`seen_by` follows every move (X-5 to X-7): drawing adds the holder, showing adds everybody, shuffling forgets.
"""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.engine import characters, events, hands, queries
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.jit.kernels import kernel, lowest_bit
from danmaku_env.machine import lists, rng

# ---------------------------------------------------------------- the Main deck


@kernel
def _shuffle_into(s, discard, kinds, size, deck, zone):
    """Shuffle a discard pile of `size` into the deck of that zone: nobody knows where a card of it lies."""
    for i in range(size):
        card = np.int64(discard[i]) - 1
        deck[i] = card + 1
        discard[i] = 0
        s["zone"][card] = zone
        s["seen_by"][card] = 0
    for kind in range(kinds.shape[0]):
        kinds[kind] = 0
    rng.shuffle(s, deck, size)


@kernel
def rebuild_deck(t, s):
    """Shuffle the discard pile into a new deck (X-2); incidents that end with that are resolved (I-12)."""
    size = np.int64(s["discard_size"])
    if size == 0:
        return
    _shuffle_into(s, s["discard"], s["discard_kinds"], size, s["deck"], st.IN_DECK)
    s["deck_size"] = size
    s["deck_seen"] = 0
    s["discard_size"] = 0
    events.log(s, events.L_SHUFFLE, -1, -1, -1, size, 0)
    for i in range(int(s["incident_size"]) - 1, -1, -1):
        if i < s["incident_size"] and t["ends_on_reshuffle"][int(s["incidents"][i]) - 1]:
            resolve_incident_at(t, s, i)


@kernel
def take_top(t, s):
    """The top card of the Main deck, taken out of it; -1 when no card is left anywhere (X-1)."""
    if s["deck_size"] == 0:
        rebuild_deck(t, s)
    size = np.int64(s["deck_size"])
    if size == 0:
        return -1
    s["deck_size"] = size - 1
    return lists.take_top(s["deck"], size)


@kernel
def lose_deck(s, deck, size, seat):
    """A card went to an end of a deck that only `seat` knows: nobody else can tell any more what lies where (X-9)."""
    for i in range(size):
        card = np.int64(deck[i]) - 1
        s["seen_by"][card] = np.int64(s["seen_by"][card]) & (1 << seat)


@kernel
def put_on_deck(s, card, bottom):
    """Put a card on the top or bottom of the Main deck; those who know it still do."""
    size = np.int64(s["deck_size"])
    lists.put_on(s["deck"], size, card, bottom)
    s["deck_size"] = size + 1
    s["deck_seen"] = np.int64(s["deck_seen"]) | np.int64(s["seen_by"][card])
    s["zone"][card] = st.IN_DECK
    s["holder"][card] = 0


@kernel
def _take_discard_top(t, s):
    size = np.int64(s["discard_size"])
    card = lists.take_top(s["discard"], size)
    s["discard_size"] = size - 1
    s["discard_kinds"][np.int64(t["card_kind"][card])] -= 1
    return card


@kernel
def draws_from_discard(t, s, seat):
    """Whether the next card of the Main deck that the seat draws is instead the top one of the discard pile (I-9)."""
    first = (np.int64(s["drew"]) >> seat) & 1 == 0
    return first and s["discard_size"] > 0 and queries.has_law(t, s, v.DRAW_FROM_DISCARD)


@kernel
def draw_one(t, s, seat):
    """Take the card a seat draws next: from the deck, or first in a turn from the discard pile under Great Barrier (I-9)."""
    card = _take_discard_top(t, s) if draws_from_discard(t, s, seat) else take_top(t, s)
    if card >= 0:
        s["drew"] = np.int64(s["drew"]) | (1 << seat)
    return card


@kernel
def draw(t, s, seat, cards):
    """Draw up to that many cards into the hand (X-1: as many as there are left)."""
    for place in range(cards):
        card = draw_one(t, s, seat)
        if card < 0:
            break
        hands.enter_hand(t, s, card, seat)
        events.log_card(s, events.L_DRAW, seat, -1, -1, cards, place + 1, card, np.int64(s["seen_by"][card]))


# ---------------------------------------------------------------- the Lunatic deck


@kernel
def _rebuild_lunatic(s):
    """Shuffle the Lunatic discard pile into a new Lunatic deck (X-3)."""
    size = np.int64(s["lunatic_discard_size"])
    _shuffle_into(s, s["lunatic_discard"], s["lunatic_discard_kinds"], size, s["lunatic_deck"], st.IN_LUNATIC_DECK)
    s["lunatic_deck_size"] = size
    s["lunatic_discard_size"] = 0
    if size:
        events.log(s, events.L_SHUFFLE, -1, -1, v.LUNATIC_DECK, size, 0)


@kernel
def take_lunatic(s):
    """The top card of the Lunatic deck, taken out of it; -1 when no card is left there."""
    if s["lunatic_deck_size"] == 0:
        _rebuild_lunatic(s)
    size = np.int64(s["lunatic_deck_size"])
    if size == 0:
        return -1
    s["lunatic_deck_size"] = size - 1
    return lists.take_top(s["lunatic_deck"], size)


@kernel
def put_on_lunatic(s, card, bottom):
    """Put a card on the top or bottom of the Lunatic deck; those who know it still do."""
    size = np.int64(s["lunatic_deck_size"])
    lists.put_on(s["lunatic_deck"], size, card, bottom)
    s["lunatic_deck_size"] = size + 1
    s["zone"][card] = st.IN_LUNATIC_DECK
    s["holder"][card] = 0


@kernel
def draw_lunatic(t, s, seat, cards):
    """Draw up to that many cards from the Lunatic deck into the hand; none where that is forbidden."""
    for place in range(cards):
        if not queries.can_draw_lunatic(t, s):
            break
        card = take_lunatic(s)
        hands.enter_hand(t, s, card, seat)
        events.log_card(s, events.L_DRAW, seat, -1, v.LUNATIC_DECK, cards, place + 1, card, np.int64(s["seen_by"][card]))


# ---------------------------------------------------------------- discarding and collecting


@kernel
def _wants(t, s, i, card):
    """Whether the incident at place `i` still needs this card (I-18)."""
    incident = int(s["incidents"][i]) - 1
    if t["needs"][incident] == 0 or (t["ends_itself"][incident] and queries.has_all(t, s, i)):
        return False
    season = int(t["card_season"][card])
    if t["collects_each"][incident]:
        return s["collected"][i, season] < t["collects_each"][incident]
    if t["collects_season"][incident] == season:
        return True
    if t["collects_lunatic"][incident]:
        return t["card_lunatic"][card] != 0
    if t["collects_points"][incident]:
        return t["kind_points"][np.int64(t["card_kind"][card])] >= t["collects_points"][incident]
    return int(t["collects_types"][incident]) & int(t["kind_types"][np.int64(t["card_kind"][card])]) != 0


@kernel
def collect(t, s, i, card):
    """Put a card, out of its pile, into the collection of the incident at place `i`; the last needed card resolves it (I-3)."""
    incident = int(s["incidents"][i]) - 1
    s["zone"][card] = st.COLLECTED
    s["holder"][card] = incident
    s["seen_by"][card] = st.EVERYBODY
    s["collected"][i, int(t["card_season"][card])] += 1
    s["collected_kinds"][np.int64(t["card_kind"][card])] += 1
    events.log_card(s, events.L_COLLECT, -1, -1, incident, 0, 0, card, st.EVERYBODY)
    if queries.has_all(t, s, i) and not (t["ends_itself"][incident] and queries.is_acting(t, s, incident)):
        resolve_incident_at(t, s, i)


@kernel
def put_on_discard(t, s, card):
    """Put a card, out of its place, on the discard pile of its deck (X-3), uncollected."""
    if t["card_season"][card] == v.SPRING and queries.has_expansion(s):
        s["spring_due"] = 1
    kind = np.int64(t["card_kind"][card])
    s["holder"][card] = 0
    s["seen_by"][card] = st.EVERYBODY
    if t["card_lunatic"][card]:
        size = np.int64(s["lunatic_discard_size"])
        lists.put_on(s["lunatic_discard"], size, card, False)
        s["lunatic_discard_size"] = size + 1
        s["lunatic_discard_kinds"][kind] += 1
        s["zone"][card] = st.IN_LUNATIC_DISCARD
    else:
        size = np.int64(s["discard_size"])
        lists.put_on(s["discard"], size, card, False)
        s["discard_size"] = size + 1
        s["discard_kinds"][kind] += 1
        s["zone"][card] = st.IN_DISCARD


@kernel
def discard(t, s, card):
    """Discard a card, already out of its place: the oldest incident that wants it collects it (I-21), else it goes on the pile."""
    for i in range(s["incident_size"]):
        if _wants(t, s, i, card):
            collect(t, s, i, card)
            return
    put_on_discard(t, s, card)


@kernel
def discard_from_hand(t, s, card):
    seat = np.int64(s["holder"][card])
    hands.lose_track_of_copy(t, s, card)
    hands.leave_hand(t, s, card)
    events.log_card(s, events.L_DISCARD, seat, -1, -1, 0, 0, card, st.EVERYBODY)
    discard(t, s, card)


@kernel
def any_hand_card(t, s, seat):
    """Some card of a hand that is not empty."""
    kind = lowest_bit(int(s["hand_kinds"][seat]))
    return queries.find_card(t, s, kind, st.IN_HAND, seat, -1, queries.ANY_COPY)


@kernel
def discard_hand(t, s, seat):
    """Discard a whole hand; returns how many cards."""
    size = int(s["hand_size"][seat])
    while s["hand_size"][seat] > 0:
        discard_from_hand(t, s, any_hand_card(t, s, seat))
    return size


@kernel
def discard_lunatic(t, s, seat):
    """Discard the Lunatic cards of a hand; returns how many."""
    size = int(s["lunatic_in_hand"][seat])
    card = queries.next_hand_card(s, seat, int(t["first_lunatic"]) - 1)
    while card >= 0:
        discard_from_hand(t, s, card)
        card = queries.next_hand_card(s, seat, card)
    return size


@kernel
def random_hand_card(t, s, seat):
    """A hand card chosen at random; -1 for an empty hand."""
    size = int(s["hand_size"][seat])
    if size == 0:
        return -1
    left = rng.below(s, size)
    kinds = int(s["hand_kinds"][seat])
    while kinds:
        kind = lowest_bit(kinds)
        kinds &= kinds - 1
        card = int(t["first_copy"][kind])
        while card >= 0:
            if queries.is_at(s, card, st.IN_HAND, seat):
                if left == 0:
                    return card
                left -= 1
            card = int(t["next_copy"][card])
    return -1


@kernel
def _take_over_hand(t, s, giver, seat, size):
    """The cards that were marked for `seat` enter the hand; in the log only the two know them (as in `see_hand`)."""
    place = 0
    for card in range(t["cards_in"][queries.box(s)]):
        if queries.is_at(s, card, st.IN_HAND, seat):
            hands.enter_hand(t, s, card, seat)
            place += 1
            events.log_card(s, events.L_GIVE, giver, seat, -1, size, place, card, (1 << giver) | (1 << seat))


@kernel
def swap_hands(t, s, one, other):
    """Two seats exchange whole hands; both know what they passed on (X-7)."""
    events.log(s, events.L_SWAP, one, other, -1, 0, 0)
    sizes = int(s["hand_size"][one]), int(s["hand_size"][other])
    for card in range(t["cards_in"][queries.box(s)]):
        if s["zone"][card] == st.IN_HAND and (s["holder"][card] == one or s["holder"][card] == other):
            seat = np.int64(s["holder"][card])
            hands.leave_hand(t, s, card)
            s["holder"][card] = other if seat == one else one
    _take_over_hand(t, s, one, other, sizes[0])
    _take_over_hand(t, s, other, one, sizes[1])


# ---------------------------------------------------------------- incidents


@kernel
def _release_collection(t, s, incident):
    """What an incident has collected is shuffled onto the discard piles, uncollected by others (I-21)."""
    start, lunatic_start = np.int64(s["discard_size"]), np.int64(s["lunatic_discard_size"])
    for card in range(t["cards_in"][queries.box(s)]):
        if queries.is_at(s, card, st.COLLECTED, incident):
            s["collected_kinds"][np.int64(t["card_kind"][card])] -= 1
            put_on_discard(t, s, card)
    rng.shuffle(s, s["discard"][start:], np.int64(s["discard_size"]) - start)
    if s["lunatic_discard_size"] > lunatic_start:
        rng.shuffle(s, s["lunatic_discard"][lunatic_start:], np.int64(s["lunatic_discard_size"]) - lunatic_start)


@kernel
def _leave_incidents(s, i):
    """The incident at place `i` is no longer among those in play, nor, in the step in which they act, among those that have acted."""
    size = int(s["incident_size"])
    lists.take_out(s["incidents"], size, int(s["incidents"][i]) - 1)
    lists.take_row(s["collected"], size, i)
    s["incident_size"] = size - 1
    turn = s["stack"][0]
    if turn[fr.PROCEDURE] == fr.TURN_FRAME and turn[fr.AT] == fr.AT_INCIDENT_ACTS and i < turn[fr.TURN_PLACE]:
        turn[fr.TURN_PLACE] -= 1


@kernel
def _end_incident(t, s, i):
    """The incident at place `i` is over and out of play; returns it."""
    incident = int(s["incidents"][i]) - 1
    _release_collection(t, s, incident)
    _leave_incidents(s, i)
    events.log(s, events.L_RESOLVED, -1, -1, incident, 0, 0)
    if int(t["laws"][incident]) & v.NO_ABILITIES:
        characters.refresh_all(t, s)
    return incident


@kernel
def _discard_incident(s, incident):
    place = int(s["incident_discard_size"])
    s["incident_discard"][place] = incident + 1
    s["incident_discard_size"] = place + 1


@kernel
def _keeper_of_incidents(t, s):
    """Place of the incident in play that collects those resolved, or -1."""
    for i in range(s["incident_size"]):
        if t["collects_incidents"][int(s["incidents"][i]) - 1]:
            return i
    return -1


@kernel
def _end_all(t, s):
    """The incident is over that collected others: these are discarded, and all that are in play are over too."""
    kept = int(s["incidents_kept"])
    s["incidents_kept"] = 0
    while kept:
        _discard_incident(s, lowest_bit(kept))
        kept &= kept - 1
    while s["incident_size"] > 0:
        _discard_incident(s, _end_incident(t, s, 0))


@kernel
def resolve_incident_at(t, s, i):
    """Resolve the incident at place `i`; another may collect it, and be over with it (I-21, I-22)."""
    incident = _end_incident(t, s, i)
    keeper = _keeper_of_incidents(t, s)
    if keeper >= 0:
        s["incidents_kept"] = int(s["incidents_kept"]) | (1 << incident)
        about = int(s["incidents"][keeper]) - 1
        events.log_card(s, events.L_COLLECT, -1, -1, about, 0, 0, st.INCIDENT_CARD + incident, st.EVERYBODY)
        if not queries.has_all(t, s, keeper):
            return
        incident = _end_incident(t, s, keeper)
    _discard_incident(s, incident)
    if t["collects_incidents"][incident]:
        _end_all(t, s)
