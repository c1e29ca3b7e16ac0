"""Cards on the move, and what each seat may know of them afterwards (H).

Nothing else writes hands, decks, discard piles or the play area.
"""

import numpy as np

from danmaku_env.jit.kernels import kernel
from danmaku_env.machine import event_ring, rng
from danmaku_env.sister.shisoroku.cards import words as w
from danmaku_env.sister.shisoroku.cards.tables import F_ANY, F_HIGH, F_LOW, F_NONE, F_RELATIVE, F_WHICH
from danmaku_env.sister.shisoroku.cards.words import PLACES
from danmaku_env.sister.shisoroku.engine import state as st

_SEEN_SHIFT = 5
NO_CARD = -1


@kernel
def log(s, word, actor, about, kind, number, seen):
    """Write an event: seats and places plus one in its bytes, 0 for none; `seen` has the bits of the seats that see the card."""
    event_ring.append(s, word | (actor + 1) << 8 | (about + 1) << 16 | (kind + 1) << 24 | (number & 255) << 32 | seen << 40)


@kernel
def left_of(s, seat):
    """The next seat clockwise."""
    return (seat + 1) % int(s["num_players"])


@kernel
def right_of(s, seat):
    """The seat before."""
    return (seat + int(s["num_players"]) - 1) % int(s["num_players"])


@kernel
def total(row):
    """Cards in a zone."""
    cards = 0
    for kind in range(PLACES):
        cards += np.int64(row[kind])
    return cards


@kernel
def card(s, kind):
    """The number of the card at a place; the place must be used in this game."""
    return np.int64(s["kinds"][kind]) - 1


@kernel
def types(t, s, kind):
    """Bits of its types."""
    return np.int64(t["types"][card(s, kind)])


@kernel
def cost(t, s, kind):
    """What a card costs now (G-9)."""
    number = card(s, kind)
    less = int(s["less"][0])
    if t["types"][number] & w.ACTION:
        less += int(s["less"][1])
    return max(0, int(t["cost"][number]) - less)


@kernel
def matches(t, s, wanted, kind, picked, own, number):
    """Whether a place that is used is one of those a filter wants; `picked` is a place or -1, `own` the card that asks."""
    f = t["filter"][wanted]
    kind_types = types(t, s, kind)
    if (f[F_ANY] and not kind_types & f[F_ANY]) or kind_types & f[F_NONE]:
        return False
    which = int(f[F_WHICH])
    if which:
        if which == w.KIND or which == w.KIND_WITH_PILE:
            if kind != picked or (which == w.KIND_WITH_PILE and kind >= w.CHIREI):
                return False
        elif which == w.NOT_KIND:
            if kind == picked:
                return False
        elif which == w.NOT_SELF:
            if kind == own:
                return False
        elif which == w.RICE_OR_SAKE:
            if kind != w.RICE and kind != w.SAKE:
                return False
        elif kind != which - 1:
            return False
    if f[F_LOW] > -99 or f[F_HIGH] < 99:
        costs = cost(t, s, kind)
        base = number if f[F_RELATIVE] else 0
        return base + int(f[F_LOW]) <= costs <= base + int(f[F_HIGH])
    return True


# ---------------------------------------------------------------- what others see of passed cards (H-4)


@kernel
def shown_owned(s, seat, kind, viewer):
    """How many of a kind a seat owns as far as a viewer can tell: a card passed unseen still counts for its giver."""
    cards = np.int64(s["owned"][seat, kind])
    if s["num_players"] > 2:
        giver = right_of(s, seat)
        if viewer != seat:
            if viewer != giver:
                cards -= np.int64(s["passed"][giver, kind])
            if viewer != left_of(s, seat):
                cards += np.int64(s["passed"][seat, kind])
    return cards


@kernel
def is_seen(s, seat, kind, elsewhere):
    """Cards of a kind lie open with a seat, `elsewhere` of them outside play: was one of them passed to it, everybody knows it now."""
    giver = right_of(s, seat)
    while s["passed"][giver, kind]:
        open_cards = np.int64(s["play"][seat, kind]) + np.int64(s["lasting"][seat, kind]) + np.int64(s["away"][seat, kind])
        open_cards += np.int64(s["aside"][seat, kind]) + elsewhere
        surely = np.int64(s["owned"][seat, kind]) - np.int64(s["passed"][giver, kind]) + np.int64(s["passed"][seat, kind])
        if open_cards <= surely:
            return
        s["passed"][giver, kind] -= 1


# ---------------------------------------------------------------- hands


@kernel
def enter_hand(s, seat, kind, seen):
    """A card comes to a hand; `seen` are bits of the seats that see which."""
    s["hand"][seat, kind] += 1
    for viewer in range(s["num_players"]):
        if viewer != seat and (seen >> viewer) & 1:
            s["known"][seat, viewer, kind] += 1


@kernel
def leave_hand(s, seat, kind, seen):
    """A card leaves a hand. To whoever does not see which, it may have been any of those known there (H-6)."""
    s["hand"][seat, kind] -= 1
    if s["old_hand"][seat, kind]:
        s["old_hand"][seat, kind] -= 1
    for viewer in range(s["num_players"]):
        if viewer == seat:
            continue
        if (seen >> viewer) & 1:
            if s["known"][seat, viewer, kind]:
                s["known"][seat, viewer, kind] -= 1
        else:
            for other in range(PLACES):
                if s["known"][seat, viewer, other]:
                    s["known"][seat, viewer, other] -= 1
    if seen == st.EVERYBODY and s["made_of"][seat, kind]:
        s["made_of"][seat, kind] -= 1


@kernel
def show_hand(s, seat):
    """Everybody sees the whole hand."""
    for kind in range(PLACES):
        for viewer in range(s["num_players"]):
            if viewer != seat:
                s["known"][seat, viewer, kind] = s["hand"][seat, kind]
        if s["hand"][seat, kind]:
            is_seen(s, seat, kind, np.int64(s["hand"][seat, kind]))


@kernel
def show_in_hand(s, seat, kind):
    """Everybody sees one card of the hand."""
    for viewer in range(s["num_players"]):
        if viewer != seat and not s["known"][seat, viewer, kind]:
            s["known"][seat, viewer, kind] = 1
    is_seen(s, seat, kind, 1)


@kernel
def known_to_all(s, seat, kind):
    """Cards of a kind in a hand that every other seat knows there."""
    cards = np.int64(s["hand"][seat, kind])
    for viewer in range(s["num_players"]):
        if viewer != seat:
            cards = min(cards, np.int64(s["known"][seat, viewer, kind]))
    return cards


# ---------------------------------------------------------------- decks


@kernel
def deck_size(s, seat):
    """Cards of a deck."""
    return total(s["deck"][seat]) + np.int64(s["top_size"][seat]) + (1 if s["bottom"][seat] else 0)


@kernel
def put_on_deck(s, seat, kind, seen):
    """Put a card on a deck; more known places than there is room for lose their order from below (M-1)."""
    size = np.int64(s["top_size"][seat])
    top, seen_by = s["top"][seat], s["top_seen"][seat]
    if size == st.TOP_ROOM:
        s["deck"][seat, np.int64(top[0]) - 1] += 1
        for place in range(size - 1):
            top[place] = top[place + 1]
            seen_by[place] = seen_by[place + 1]
        size -= 1
    top[size] = kind + 1
    seen_by[size] = seen
    s["top_size"][seat] = size + 1


@kernel
def make_deck(s, seat):
    """Shuffle the discard pile into a new deck."""
    for kind in range(PLACES):
        s["deck"][seat, kind] = s["discard"][seat, kind]
        s["made_of"][seat, kind] = s["open_discard"][seat, kind]
        s["old_hand"][seat, kind] = s["hand"][seat, kind]
        s["discard"][seat, kind] = 0
        s["open_discard"][seat, kind] = 0
    s["discard_top"][seat] = 0
    log(s, st.L_SHUFFLE, seat, -1, -1, 0, st.EVERYBODY)


@kernel
def shuffle_deck(s, seat):
    """Shuffle a deck: nobody knows a place of it any more, and what lay there openly is not in the hand."""
    for kind in range(PLACES):
        s["made_of"][seat, kind] = 0
        s["old_hand"][seat, kind] = s["hand"][seat, kind]
    _forget_order(s, seat, s["made_of"][seat])


@kernel
def _forget_order(s, seat, opened):
    """Lose every known place of a deck; cards that all others knew there are counted in `opened`."""
    others = (1 << int(s["num_players"])) - 1 & ~(1 << seat)
    for place in range(np.int64(s["top_size"][seat])):
        kind = np.int64(s["top"][seat, place]) - 1
        s["deck"][seat, kind] += 1
        if np.int64(s["top_seen"][seat, place]) & others == others:
            opened[kind] += 1
        s["top"][seat, place] = 0
        s["top_seen"][seat, place] = 0
    s["top_size"][seat] = 0
    if s["bottom"][seat]:
        s["deck"][seat, np.int64(s["bottom"][seat]) - 1] += 1
        s["bottom"][seat] = 0


@kernel
def at_random(s, row, cards):
    """One of the cards of a zone, by chance."""
    left = rng.below(s, cards)
    for kind in range(PLACES):
        left -= np.int64(row[kind])
        if left < 0:
            return kind
    return NO_CARD


@kernel
def take(s, seat):
    """The top card of a deck, taken off it: its place and the bits of those who know it (`kind_of`, `seen_of`), or NO_CARD (D-1)."""
    size = np.int64(s["top_size"][seat])
    if size:
        found = np.int64(s["top"][seat, size - 1]) - 1 | np.int64(s["top_seen"][seat, size - 1]) << _SEEN_SHIFT
        s["top"][seat, size - 1] = 0
        s["top_seen"][seat, size - 1] = 0
        s["top_size"][seat] = size - 1
        return found
    cards = total(s["deck"][seat])
    if cards == 0:
        if s["bottom"][seat]:
            found = np.int64(s["bottom"][seat]) - 1
            s["bottom"][seat] = 0
            return found
        cards = total(s["discard"][seat])
        if cards == 0:
            return NO_CARD
        make_deck(s, seat)
    kind = at_random(s, s["deck"][seat], cards)
    s["deck"][seat, kind] -= 1
    return kind


@kernel
def kind_of(found):
    """The place of a card that was taken."""
    return found & (1 << _SEEN_SHIFT) - 1


@kernel
def seen_of(found):
    """Bits of those who knew it."""
    return found >> _SEEN_SHIFT


@kernel
def draw(s, seat):
    """Draw a card; its place, or NO_CARD."""
    found = take(s, seat)
    if found == NO_CARD:
        return NO_CARD
    enter_hand(s, seat, kind_of(found), seen_of(found))
    log(s, st.L_DRAW, seat, -1, kind_of(found), 1, 1 << seat)
    return kind_of(found)


@kernel
def draw_cards(s, seat, number):
    """Draw as many as there are, one by one."""
    for _ in range(number):
        if draw(s, seat) == NO_CARD:
            return


# ---------------------------------------------------------------- discard piles


@kernel
def put_on_discard(s, seat, kind, is_open):
    """Put a card on a discard pile; whether it is the top one is the caller's to say."""
    s["discard"][seat, kind] += 1
    if is_open:
        s["open_discard"][seat, kind] += 1


@kernel
def show_top(s, seat, kind):
    """A card lies on top of a discard pile, open to all (D-6)."""
    s["discard_top"][seat] = kind + 1
    if not s["open_discard"][seat, kind]:
        s["open_discard"][seat, kind] = 1


@kernel
def leave_discard(s, seat, kind, seen):
    """A card is taken out of a discard pile, the dice name a new top (D-6)."""
    s["discard"][seat, kind] -= 1
    for other in range(PLACES):
        if (other == kind or seen != st.EVERYBODY) and s["open_discard"][seat, other]:
            s["open_discard"][seat, other] -= 1
        s["open_discard"][seat, other] = min(np.int64(s["open_discard"][seat, other]), np.int64(s["discard"][seat, other]))
    s["discard_top"][seat] = 0
    cards = total(s["discard"][seat])
    if cards:
        show_top(s, seat, at_random(s, s["discard"][seat], cards))


@kernel
def turn_deck_over(s, seat):
    """Put a whole deck into the discard pile, which does not count as discarding (D-4); one of its cards lies on top (D-6)."""
    _forget_order(s, seat, s["open_discard"][seat])
    cards = total(s["deck"][seat])
    if cards:
        show_top(s, seat, at_random(s, s["deck"][seat], cards))
    for kind in range(PLACES):
        s["discard"][seat, kind] += s["deck"][seat, kind]
        s["deck"][seat, kind] = 0
    log(s, st.L_FLIP, seat, -1, -1, cards, st.EVERYBODY)


# ---------------------------------------------------------------- in play


@kernel
def _is_cheaper(t, s, kind, sign):
    number = card(s, kind)
    if t["less"][number]:
        place = 1 if t["less_types"][number] else 0
        s["less"][place] = int(s["less"][place]) + sign * int(t["less"][number])


@kernel
def enter_play(t, s, seat, kind):
    """A card comes into play."""
    s["play"][seat, kind] += 1
    _is_cheaper(t, s, kind, 1)
    is_seen(s, seat, kind, 0)


@kernel
def leave_play(t, s, seat, kind):
    """A card of this turn leaves play."""
    s["play"][seat, kind] -= 1
    if s["stays"][seat, kind] > s["play"][seat, kind]:
        s["stays"][seat, kind] = s["play"][seat, kind]
    _is_cheaper(t, s, kind, -1)


# ---------------------------------------------------------------- gone from a seat


@kernel
def to_trash(s, seat, kind):
    """A card of a seat is trashed; it has left its zone."""
    is_seen(s, seat, kind, 1)
    s["owned"][seat, kind] -= 1
    s["trash"][kind] += 1
    log(s, st.L_TRASH, seat, -1, kind, 1, st.EVERYBODY)
