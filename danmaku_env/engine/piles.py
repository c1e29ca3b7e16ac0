"""Where cards are and how they move: hands, items, the Main deck and its piles, collections. No questions are asked here.

The incident deck is in `incident_deck.py`; what a card text asks to be moved is read in `operations/moving.py`.

`seen_by` follows every move (X-5 to X-7): drawing adds the holder, showing adds everybody, shuffling forgets.
"""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.engine import characters, dice, events, queries, stack
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.compiled import kernel, lowest_bit

EVERYBODY = 255
SEATLESS = 8
"""No seat: its bit is none of those in `seen_by`."""


# ---------------------------------------------------------------- hands


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

    Of a look only looker and holder get the cards in the log, and not who knew one before: the order of the rows would tell that seat
    something about the others.
    """
    size = int(s["hand_size"][seat])
    event = events.L_SHOW if seats == EVERYBODY else events.L_LOOK
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
            if s["zone"][card] == st.IN_HAND and s["holder"][card] == seat:
                s["seen_by"][card] = np.int64(s["seen_by"][card]) | seats
                note_exposed(s, card, seat)
                place += 1
                events.log_card(s, event, looker, seat, -1, size, place, card, known)
            card = int(t["next_copy"][card])


@kernel
def lose_track(t, s, seat, seats):
    """A card left a hand, and only the seats in the mask saw which: nobody else can be sure which known cards are still in it (X-6)."""
    kinds = int(s["hand_kinds"][seat])
    while kinds:
        kind = lowest_bit(kinds)
        kinds &= kinds - 1
        card = int(t["first_copy"][kind])
        while card >= 0:
            if s["zone"][card] == st.IN_HAND and s["holder"][card] == seat:
                s["seen_by"][card] = np.int64(s["seen_by"][card]) & (seats | (1 << seat))
                note_exposed(s, card, seat)
            card = int(t["next_copy"][card])


@kernel
def _looks_alike(t, card, other):
    """Whether two copies of a kind cannot be told apart, front and back."""
    return t["card_season"][card] == t["card_season"][other] and t["card_lunatic"][card] == t["card_lunatic"][other]


@kernel
def lose_twin(t, s, card):
    """A hand card is about to leave in sight: who did not know this one, but one that looks the same, cannot tell them apart (X-6)."""
    exposed = 0
    for word in range(st.HAND_WORDS):
        exposed |= int(s["exposed"][word])
    seat = np.int64(s["holder"][card])
    unsure = EVERYBODY & ~(np.int64(s["seen_by"][card]) | (1 << seat))
    if exposed == 0 or unsure == 0:
        return
    twin = int(t["first_copy"][np.int64(t["card_kind"][card])])
    while twin >= 0:
        if twin != card and _looks_alike(t, twin, card) and s["zone"][twin] == st.IN_HAND and s["holder"][twin] == seat:
            lost = np.int64(s["seen_by"][twin]) & unsure
            s["seen_by"][twin] = np.int64(s["seen_by"][twin]) & ~lost
            unsure &= ~lost
            note_exposed(s, twin, seat)
        twin = int(t["next_copy"][twin])


# ---------------------------------------------------------------- the Main deck


@kernel
def rebuild_deck(t, s):
    """Shuffle the discard pile into a new deck (X-2); incidents that end with that are resolved (I-12)."""
    size = np.int64(s["discard_size"])
    if size == 0:
        return
    for i in range(size):
        card = np.int64(s["discard"][i]) - 1
        s["deck"][i] = card + 1
        s["discard"][i] = 0
        s["zone"][card] = st.IN_DECK
        s["seen_by"][card] = 0
    for kind in range(s["discard_kinds"].shape[0]):
        s["discard_kinds"][kind] = 0
    s["deck_size"] = size
    s["deck_seen"] = 0
    s["discard_size"] = 0
    dice.shuffle(s, s["deck"], size)
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
    card = np.int64(s["deck"][size - 1]) - 1
    s["deck"][size - 1] = 0
    s["deck_size"] = size - 1
    return card


@kernel
def lose_deck(s, deck, size, seat):
    """A card went to an end of a deck that only `seat` knows: nobody else can tell any more what lies where (X-9)."""
    for i in range(size):
        card = np.int64(deck[i]) - 1
        s["seen_by"][card] = np.int64(s["seen_by"][card]) & (1 << seat)


@kernel
def put_on_deck(s, card, bottom):
    """Put a card on the top or bottom of the Main deck; who knows it still does."""
    size = np.int64(s["deck_size"])
    place = size
    if bottom:
        for i in range(size, 0, -1):
            s["deck"][i] = s["deck"][i - 1]
        place = 0
    s["deck"][place] = card + 1
    s["deck_size"] = size + 1
    s["deck_seen"] = np.int64(s["deck_seen"]) | np.int64(s["seen_by"][card])
    s["zone"][card] = st.IN_DECK
    s["holder"][card] = 0


@kernel
def _take_discard_top(t, s):
    size = np.int64(s["discard_size"]) - 1
    card = np.int64(s["discard"][size]) - 1
    s["discard"][size] = 0
    s["discard_size"] = size
    s["discard_kinds"][np.int64(t["card_kind"][card])] -= 1
    return card


@kernel
def take_from_discard(t, s, card):
    """Take a card out of the Main discard pile, wherever it lies there."""
    size = np.int64(s["discard_size"])
    place = 0
    while s["discard"][place] != card + 1:
        place += 1
    for i in range(place, size - 1):
        s["discard"][i] = s["discard"][i + 1]
    s["discard"][size - 1] = 0
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
def _take_out(deck, size, card):
    """Close up a deck above the place where a card lay."""
    place = 0
    while deck[place] != card + 1:
        place += 1
    for i in range(place, size - 1):
        deck[i] = deck[i + 1]
    deck[size - 1] = 0


@kernel
def take_from_deck(s, card, deck):
    """Take a card out of the Main deck or the Lunatic deck, wherever it lies there."""
    if deck == v.LUNATIC_DECK:
        _take_out(s["lunatic_deck"], int(s["lunatic_deck_size"]), card)
        s["lunatic_deck_size"] -= 1
    else:
        _take_out(s["deck"], int(s["deck_size"]), card)
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
        lose_deck(s, s["lunatic_deck"], size, SEATLESS)
        dice.shuffle(s, s["lunatic_deck"], size)
        events.log(s, events.L_SHUFFLE, -1, -1, deck, size, 0)
    else:
        size = np.int64(s["deck_size"])
        lose_deck(s, s["deck"], size, SEATLESS)
        s["deck_seen"] = 0
        dice.shuffle(s, s["deck"], size)
        events.log(s, events.L_SHUFFLE, -1, -1, -1, size, 0)


@kernel
def draw_one(t, s, seat):
    """Take the card a seat draws next: from the deck, or first in a turn from the discard pile under Great Barrier (I-9)."""
    first = (np.int64(s["drew"]) >> seat) & 1 == 0
    s["drew"] = np.int64(s["drew"]) | (1 << seat)
    if first and s["discard_size"] > 0 and queries.has_law(t, s, v.DRAW_FROM_DISCARD):
        return _take_discard_top(t, s)
    return take_top(t, s)


@kernel
def draw(t, s, seat, cards):
    """Draw up to that many cards into the hand (X-1: as many as there are)."""
    for place in range(cards):
        card = draw_one(t, s, seat)
        if card < 0:
            break
        enter_hand(t, s, card, seat)
        events.log_card(s, events.L_DRAW, seat, -1, -1, cards, place + 1, card, np.int64(s["seen_by"][card]))


# ---------------------------------------------------------------- the Lunatic deck


@kernel
def _rebuild_lunatic(s):
    """Shuffle the Lunatic discard pile into a new Lunatic deck (X-3)."""
    size = np.int64(s["lunatic_discard_size"])
    for i in range(size):
        card = np.int64(s["lunatic_discard"][i]) - 1
        s["lunatic_deck"][i] = card + 1
        s["lunatic_discard"][i] = 0
        s["zone"][card] = st.IN_LUNATIC_DECK
        s["seen_by"][card] = 0
    for kind in range(s["lunatic_discard_kinds"].shape[0]):
        s["lunatic_discard_kinds"][kind] = 0
    s["lunatic_deck_size"] = size
    s["lunatic_discard_size"] = 0
    dice.shuffle(s, s["lunatic_deck"], size)
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
    card = np.int64(s["lunatic_deck"][size - 1]) - 1
    s["lunatic_deck"][size - 1] = 0
    s["lunatic_deck_size"] = size - 1
    return card


@kernel
def put_on_lunatic(s, card, bottom):
    """Put a card on the top or bottom of the Lunatic deck; who knows it still does."""
    size = np.int64(s["lunatic_deck_size"])
    place = size
    if bottom:
        for i in range(size, 0, -1):
            s["lunatic_deck"][i] = s["lunatic_deck"][i - 1]
        place = 0
    s["lunatic_deck"][place] = card + 1
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
        enter_hand(t, s, card, seat)
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
    s["seen_by"][card] = EVERYBODY
    s["collected"][i, int(t["card_season"][card])] += 1
    s["collected_kinds"][np.int64(t["card_kind"][card])] += 1
    events.log_card(s, events.L_COLLECT, -1, -1, incident, 0, 0, card, EVERYBODY)
    if queries.has_all(t, s, i) and not (t["ends_itself"][incident] and queries.is_acting(t, s, incident)):
        resolve_incident_at(t, s, i)


@kernel
def _put_on_lunatic_discard(t, s, card):
    size = np.int64(s["lunatic_discard_size"])
    s["lunatic_discard"][size] = card + 1
    s["lunatic_discard_size"] = size + 1
    s["zone"][card] = st.IN_LUNATIC_DISCARD
    s["holder"][card] = 0
    s["seen_by"][card] = EVERYBODY
    s["lunatic_discard_kinds"][np.int64(t["card_kind"][card])] += 1


@kernel
def put_on_discard(t, s, card):
    """Put a card, out of its place, on the discard pile of its deck (X-3), uncollected."""
    if t["card_season"][card] == v.SPRING and queries.has_expansion(s):
        s["spring_due"] = 1
    if t["card_lunatic"][card]:
        _put_on_lunatic_discard(t, s, card)
        return
    size = np.int64(s["discard_size"])
    s["discard"][size] = card + 1
    s["discard_size"] = size + 1
    s["zone"][card] = st.IN_DISCARD
    s["holder"][card] = 0
    s["seen_by"][card] = EVERYBODY
    s["discard_kinds"][np.int64(t["card_kind"][card])] += 1


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
    lose_twin(t, s, card)
    leave_hand(t, s, card)
    events.log_card(s, events.L_DISCARD, seat, -1, -1, 0, 0, card, EVERYBODY)
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
    for card in range(int(t["first_lunatic"]), int(t["cards_in"][queries.box(s)])):
        if s["zone"][card] == st.IN_HAND and s["holder"][card] == seat:
            discard_from_hand(t, s, card)
    return size


@kernel
def random_hand_card(t, s, seat):
    """A hand card chosen at random; -1 for an empty hand."""
    size = int(s["hand_size"][seat])
    if size == 0:
        return -1
    left = dice.roll(s, size)
    kinds = int(s["hand_kinds"][seat])
    while kinds:
        kind = lowest_bit(kinds)
        kinds &= kinds - 1
        card = int(t["first_copy"][kind])
        while card >= 0:
            if s["zone"][card] == st.IN_HAND and s["holder"][card] == seat:
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
        if s["zone"][card] == st.IN_HAND and s["holder"][card] == seat:
            enter_hand(t, s, card, seat)
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
            leave_hand(t, s, card)
            s["holder"][card] = other if seat == one else one
    _take_over_hand(t, s, one, other, sizes[0])
    _take_over_hand(t, s, other, one, sizes[1])


# ---------------------------------------------------------------- items


@kernel
def enter_play(t, s, card, seat):
    """Put an item, already out of its place, under a seat's control."""
    slot = int(t["kind_slot"][np.int64(t["card_kind"][card])])
    s["zone"][card] = st.IN_PLAY
    s["holder"][card] = seat
    s["seen_by"][card] = EVERYBODY
    s["item_counts"][seat, slot] += 1
    for which in range(v.NUM_ITEM_STATS):
        s["item_stats"][seat, which] += t["slot_stats"][slot, which]
    s["item_slots"][seat] = int(s["item_slots"][seat]) | (1 << slot)
    events.log_card(s, events.L_ITEM, seat, -1, -1, 0, 0, card, EVERYBODY)


@kernel
def leave_play(t, s, card):
    """Take an item out of play."""
    seat = np.int64(s["holder"][card])
    slot = int(t["kind_slot"][np.int64(t["card_kind"][card])])
    s["item_counts"][seat, slot] -= 1
    for which in range(v.NUM_ITEM_STATS):
        s["item_stats"][seat, which] -= t["slot_stats"][slot, which]
    if s["item_counts"][seat, slot] == 0:
        s["item_slots"][seat] = int(s["item_slots"][seat]) & ~(1 << slot)
    stack.push_own(t, s, v.ITEM_LOST, slot, seat)
    if t["slot_gives"][slot]:
        characters.lose_source(t, s, seat, st.BY_ITEM + slot)


@kernel
def discard_item(t, s, card):
    seat = np.int64(s["holder"][card])
    leave_play(t, s, card)
    events.log_card(s, events.L_DISCARD, seat, -1, -1, 1, 0, card, EVERYBODY)
    discard(t, s, card)


@kernel
def discard_items(t, s, seat):
    """Discard every item a seat controls."""
    while s["item_slots"][seat]:
        kind = int(t["slot_kind"][lowest_bit(int(s["item_slots"][seat]))])
        discard_item(t, s, queries.find_card(t, s, kind, st.IN_PLAY, seat, -1, queries.ANY_COPY))


# ---------------------------------------------------------------- cards aside and cards being played


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
    place = 0
    while place < size and s["aside"][place] != card + 1:
        place += 1
    for i in range(place, size - 1):
        s["aside"][i] = s["aside"][i + 1]
    s["aside"][size - 1] = 0
    s["aside_size"] = size - 1


@kernel
def discard_aside(t, s):
    """Discard the cards that lie aside for all to see, in the order they were laid there."""
    while s["aside_size"] > 0:
        card = np.int64(s["aside"][0]) - 1
        take_aside(s, card)
        s["holder"][card] = 0
        discard(t, s, card)


@kernel
def start_playing(t, s, card):
    """A hand card is announced: everybody sees it; it waits for the empty stack (K-7)."""
    lose_twin(t, s, card)
    leave_hand(t, s, card)
    size = np.int64(s["played_size"])
    s["played"][size] = card + 1
    s["played_size"] = size + 1
    s["zone"][card] = st.BEING_PLAYED
    s["seen_by"][card] = EVERYBODY


@kernel
def start_playing_aside(s, card):
    """A card that lies aside for all to see is played from there."""
    take_aside(s, card)
    size = np.int64(s["played_size"])
    s["played"][size] = card + 1
    s["played_size"] = size + 1
    s["zone"][card] = st.BEING_PLAYED
    s["holder"][card] = 0


@kernel
def stop_playing(s, card):
    """Take a card out of those being played."""
    size = np.int64(s["played_size"])
    place = 0
    while place < size and s["played"][place] != card + 1:
        place += 1
    for i in range(place, size - 1):
        s["played"][i] = s["played"][i + 1]
    s["played"][size - 1] = 0
    s["played_size"] = size - 1


@kernel
def discard_played(t, s):
    """The stack is empty: played cards reach the discard pile in the order played, incidents collect; some go to a hand instead (K-7)."""
    while s["played_size"] > 0:
        card = np.int64(s["played"][0]) - 1
        stop_playing(s, card)
        keeper = np.int64(s["holder"][card]) - 1
        if keeper >= 0 and queries.is_active(s, keeper):
            enter_hand(t, s, card, keeper)
            events.log_card(s, events.L_TAKE, keeper, -1, -1, 1, 1, card, EVERYBODY)
        else:
            s["holder"][card] = 0
            discard(t, s, card)


# ---------------------------------------------------------------- incidents


@kernel
def _release_collection(t, s, incident):
    """What an incident has collected is shuffled onto the discard piles, uncollected by others (I-21)."""
    start, lunatic_start = np.int64(s["discard_size"]), np.int64(s["lunatic_discard_size"])
    for card in range(t["cards_in"][queries.box(s)]):
        if s["zone"][card] == st.COLLECTED and s["holder"][card] == incident:
            s["collected_kinds"][np.int64(t["card_kind"][card])] -= 1
            put_on_discard(t, s, card)
    dice.shuffle(s, s["discard"][start:], np.int64(s["discard_size"]) - start)
    if s["lunatic_discard_size"] > lunatic_start:
        dice.shuffle(s, s["lunatic_discard"][lunatic_start:], np.int64(s["lunatic_discard_size"]) - lunatic_start)


@kernel
def _leave_incidents(s, i):
    """The incident at place `i` is no longer among those in play, nor, in the step in which they act, among those that have acted."""
    size = int(s["incident_size"])
    for j in range(i, size - 1):
        s["incidents"][j] = s["incidents"][j + 1]
        for season in range(st.NUM_SEASONS):
            s["collected"][j, season] = s["collected"][j + 1, season]
    s["incidents"][size - 1] = 0
    for season in range(st.NUM_SEASONS):
        s["collected"][size - 1, season] = 0
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
        events.log_card(s, events.L_COLLECT, -1, -1, about, 0, 0, st.INCIDENT_CARD + incident, EVERYBODY)
        if not queries.has_all(t, s, keeper):
            return
        incident = _end_incident(t, s, keeper)
    _discard_incident(s, incident)
    if t["collects_incidents"][incident]:
        _end_all(t, s)
