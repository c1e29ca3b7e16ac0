"""The interpreter: it carries out a text row by row, until the text ends, waits for an answer, or has put a frame on top of itself.

A row that asks is entered again when there is an answer (see `machine/answers.py`), so the code before its question may run twice.
"""

import numpy as np

from danmaku_env.jit.kernels import kernel, lowest_bit
from danmaku_env.machine.answers import has_answer, take_answer
from danmaku_env.machine.records import ENDLESS
from danmaku_env.machine.stack import push
from danmaku_env.sister.shisoroku.cards import words as w
from danmaku_env.sister.shisoroku.cards.tables import R_A, R_B, R_BY, R_C, R_D, R_OP, R_WHO
from danmaku_env.sister.shisoroku.cards.words import PLACES
from danmaku_env.sister.shisoroku.engine import actions
from danmaku_env.sister.shisoroku.engine import state as st
from danmaku_env.sister.shisoroku.engine import zones as z

clear_legal, allow, ask = actions.ANSWERS.clear_legal, actions.ANSWERS.allow, actions.ANSWERS.ask
MOST_ROWS = 1 << 16
PASSED_COLUMNS = (st.COL_NUMBER, st.COL_PICKED, st.COL_PICKED_KIND, st.COL_IMMUNE)
"""Columns of a frame in which everybody passes a card: what each seat has picked, from the one that plays on, plus one."""


@kernel
def seat_of(s, frame, who):
    """Whom a row concerns."""
    if who == w.ME:
        return int(frame[2])
    if who == w.THAT:
        return int(frame[st.COL_THAT_SEAT]) - 1
    return z.left_of(s, int(frame[2]))


@kernel
def clear(row):
    """Empty a zone."""
    for kind in range(PLACES):
        row[kind] = 0


@kernel
def empty_piles(s):
    """Piles of the supply that are empty (E-2)."""
    piles = 0
    for kind in range(w.CHIREI):
        if s["kinds"][kind] and not s["supply"][kind]:
            piles += 1
    return piles


@kernel
def kinds_of(row):
    """Bits of the kinds that lie in a zone."""
    bits = 0
    for kind in range(PLACES):
        if row[kind]:
            bits |= 1 << kind
    return bits


@kernel
def ask_kind(s, seat, bits, cause, question):
    """Which of some kinds a seat chooses; -1 while that is asked."""
    if not has_answer(s):
        clear_legal(s)
        for kind in range(PLACES):
            if (bits >> kind) & 1:
                allow(s, actions.CHOOSE_BASE + kind)
        s["cause"] = cause
        if ask(s, seat, question):
            return -1
    return take_answer(s) - actions.CHOOSE_BASE


# ---------------------------------------------------------------- frames that texts open


@kernel
def push_gain(s, seat, kind, to, source):
    """A card is to be gained (G-3): from the supply, or with `source` the trash."""
    clear(s["marked"])  # no text moves afterwards what it has picked before
    f = push(s, st.GAIN_FRAME, seat)
    frame = s["stack"][f]
    frame[st.COL_KIND] = kind
    frame[st.COL_NUMBER] = to
    frame[st.COL_PICKED] = source
    frame[st.COL_IN_PLAY] = 1


@kernel
def push_text(s, seat, kind, event, times, about):
    """A text is to be carried out."""
    frame = s["stack"][push(s, st.TEXT_FRAME, seat)]
    frame[st.COL_KIND] = kind
    frame[st.COL_EVENT] = event
    frame[st.COL_TIMES] = times
    frame[st.COL_PICKED_KIND] = about + 1


@kernel
def push_play(s, seat, kind, times, played_by):
    """Carry out a card that lies in play, this many times."""
    frame = s["stack"][push(s, st.PLAY_FRAME, seat)]
    frame[st.COL_KIND] = kind
    frame[st.COL_TIMES] = times
    frame[st.COL_IN_PLAY] = 1
    frame[st.COL_PLAYED_BY] = played_by


@kernel
def holder_of(t, s, event):
    """The place of the card with a text for an event, or -1: where at most one card of a game has one."""
    for kind in range(PLACES):
        if s["kinds"][kind] and t["text"][z.card(s, kind), event]:
            return kind
    return -1


@kernel
def push_trashed(t, s, seat):
    """Texts of the cards in `gone`, which a seat has lost at once (X-1); those that nothing answers go. Whether none are left."""
    reaction = holder_of(t, s, w.ON_TRASHING)
    answered, due = reaction >= 0 and s["hand"][seat, reaction] > 0, False
    for kind in range(PLACES):
        if s["gone"][kind] and reaction >= 0 and t["text"][z.card(s, kind), w.ON_TRASH]:
            answered = True  # by a reaction that this text may draw
    for kind in range(PLACES):
        if s["gone"][kind]:
            if answered or t["text"][z.card(s, kind), w.ON_TRASH]:
                due = True
            else:
                s["gone"][kind] = 0
    if due:
        push(s, st.TRASHED_FRAME, seat)
    return not due


@kernel
def push_trashed_one(t, s, seat, kind):
    """The same for a single card."""
    reaction = holder_of(t, s, w.ON_TRASHING)
    if not t["text"][z.card(s, kind), w.ON_TRASH] and (reaction < 0 or not s["hand"][seat, reaction]):
        return True
    frame = s["stack"][push(s, st.TRASHED_FRAME, seat)]
    frame[st.COL_KIND] = kind + 1
    frame[st.COL_TIMES] = 1
    return False


# ---------------------------------------------------------------- picking


@kernel
def _there(s, zone, seat, kind):
    """Cards of a kind in a zone."""
    if zone == w.HAND:
        return np.int64(s["hand"][seat, kind])
    if zone == w.DISCARD:
        return np.int64(s["discard"][seat, kind])
    if zone == w.LAID:
        return np.int64(s["laid"][kind])
    if zone == w.IN_PLAY:
        return np.int64(s["play"][seat, kind]) - np.int64(s["stays"][seat, kind]) + np.int64(s["lasting"][seat, kind])
    if zone == w.SPOILS:
        return min(np.int64(s["spoils"][kind]), np.int64(s["trash"][kind]))
    if zone == w.TRASHED:
        return min(np.int64(s["trash"][kind]), 1)
    if zone == w.PILE:
        return 1 if kind < w.CHIREI else 0
    left = min(np.int64(s["supply"][kind]), 1)
    if zone == w.REWARDS:
        return left if kind >= w.PRIZES or kind == w.THREE_VP else 0
    if kind >= w.CHIREI:
        return 0
    if zone == w.NEIGHBOUR:
        return left if (np.int64(s["gained"][z.right_of(s, seat)]) >> kind) & 1 else 0
    return left


@kernel
def _is_marked(zone):
    """Whether cards picked of a zone are kept in `marked`: there are several to pick."""
    return zone <= w.IN_PLAY


@kernel
def _keeps_kind(t, wanted):
    which = int(t["filter"][wanted, 2])
    return which == w.KIND or which == w.NOT_KIND or which == w.KIND_WITH_PILE


@kernel
def _left_to_pick(t, s, frame, zone, wanted, seat, kind, picked):
    """Cards of a kind that can still be picked."""
    if not s["kinds"][kind]:
        return 0
    there = _there(s, zone, seat, kind)
    if _is_marked(zone):
        there -= np.int64(s["marked"][kind])
    if there <= 0 or not z.matches(t, s, wanted, kind, picked, int(frame[st.COL_KIND]), int(frame[st.COL_NUMBER])):
        return 0
    return there


@kernel
def _pick(t, s, frame, row):
    """Pick cards, one question each; False while one waits."""
    zone, wanted, seat, by = int(row[R_A]), int(row[R_B]), seat_of(s, frame, int(row[R_WHO])), seat_of(s, frame, int(row[R_BY]))
    shown = int(row[R_D]) >> 5
    base = actions.REVEAL_BASE if shown else actions.CHOOSE_BASE
    if not frame[st.COL_PICKING]:
        clear(s["marked"])
        frame[st.COL_PICKING] = 1
        frame[st.COL_PICKED] = 0
        if not _keeps_kind(t, wanted):
            frame[st.COL_PICKED_KIND] = 0
    fixed = int(frame[st.COL_PICKED_KIND]) - 1 if _keeps_kind(t, wanted) else -1
    while True:
        passed = False
        if has_answer(s):
            answer = take_answer(s)
            passed = answer == actions.PASS
            if not passed:
                kind = answer - base
                s["marked"][kind] += 1
                frame[st.COL_PICKING] += 1
                frame[st.COL_PICKED_KIND] = kind + 1
                if shown and zone == w.HAND:
                    z.show_in_hand(s, seat, kind)
                    z.log(s, st.L_REVEAL, seat, -1, kind, 1, st.EVERYBODY)
        picked = int(frame[st.COL_PICKING]) - 1
        available = 0
        for kind in range(PLACES):
            available += _left_to_pick(t, s, frame, zone, wanted, seat, kind, fixed)
        least, most = int(row[R_C]) % 64, int(row[R_C]) // 64
        if most >= w.DOWN_TO and most != w.ANY_NUMBER:
            least = most = max(0, picked + available - (most - w.DOWN_TO))
        elif most == w.ANY_NUMBER:
            most = picked + available
        if passed or picked >= most or available == 0:
            break
        if _is_marked(zone) and not shown and least - picked >= available and not s["config"] & st.ASK_FORCED:
            for kind in range(PLACES):
                more = _left_to_pick(t, s, frame, zone, wanted, seat, kind, fixed)
                if more:
                    s["marked"][kind] += more
                    frame[st.COL_PICKING] += more
                    frame[st.COL_PICKED_KIND] = kind + 1
            break
        clear_legal(s)
        for kind in range(PLACES):
            if _left_to_pick(t, s, frame, zone, wanted, seat, kind, fixed):
                allow(s, base + kind)
        if picked >= least:
            allow(s, actions.PASS)
        s["cause"] = frame[st.COL_KIND] + 1
        if ask(s, by, int(row[R_D]) & 31):
            return False
    frame[st.COL_PICKED] = frame[st.COL_PICKING] - 1
    frame[st.COL_PICKING] = 0
    if not _is_marked(zone) or (int(row[R_D]) & 31 == w.Q_REVEAL and zone == w.HAND and frame[st.COL_PICKED] == 0):
        clear(s["marked"])
    return True


@kernel
def marked_in(t, s):
    """The zone of the cards in `marked`, which the top frame picks or moves; -1 for none."""
    frame = s["stack"][int(s["depth"]) - 1]
    if frame[0] != st.PLAY_FRAME and frame[0] != st.TEXT_FRAME:
        return -1
    event = int(frame[st.COL_EVENT]) if frame[0] == st.TEXT_FRAME else w.ON_PLAY
    row = t["program"][int(t["text"][z.card(s, int(frame[st.COL_KIND])), event]) + int(frame[st.COL_PC])]
    return int(row[R_A]) if row[R_OP] == w.OP_PICK or row[R_OP] == w.OP_MOVE else -1


@kernel
def _mark(t, s, frame, row):
    """Mark all matching cards of a zone."""
    zone, wanted, seat = int(row[R_A]), int(row[R_B]), seat_of(s, frame, int(row[R_WHO]))
    keeps = _keeps_kind(t, wanted)
    fixed = int(frame[st.COL_PICKED_KIND]) - 1 if keeps else -1
    clear(s["marked"])
    if not keeps:
        frame[st.COL_PICKED_KIND] = 0
    cards = 0
    for kind in range(PLACES):
        found = _left_to_pick(t, s, frame, zone, wanted, seat, kind, fixed)
        if found:
            s["marked"][kind] = found
            cards += found
            if not keeps:
                frame[st.COL_PICKED_KIND] = kind + 1
    frame[st.COL_PICKED] = cards


# ---------------------------------------------------------------- moving


@kernel
def ask_top(s, seat, cards, cause):
    """Which card lies on top of a discard pile (T-7, D-5): the lowest slot, or with `ask_order` the seat says. -2 while it is asked."""
    bits = kinds_of(cards)
    if not bits & (bits - 1) or not s["config"] & st.ASK_ORDER:
        return lowest_bit(bits) if bits else -1
    top = ask_kind(s, seat, bits, cause + 1, w.Q_TOP)
    return top if top >= 0 else -2


@kernel
def _seen_when_moved(s, seat, source, to, known):
    """Bits of the seats that see a card on its way."""
    if source == w.LAID:
        return st.EVERYBODY if to == w.TRASHED or to == w.SPOILS or to == w.AWAY else np.int64(s["laid_seen"])
    if source == w.IN_PLAY or to == w.TRASHED or to == w.PILE or to == w.AWAY or to == w.LAID or to == w.SHUFFLED or known:
        return st.EVERYBODY
    if source == w.DISCARD and to == w.HAND:
        return st.EVERYBODY
    return 1 << seat


@kernel
def _leave(t, s, seat, kind, source, seen):
    if source == w.HAND:
        z.leave_hand(s, seat, kind, seen)
    elif source == w.DISCARD:
        z.leave_discard(s, seat, kind, seen)
    elif source == w.LAID:
        s["laid"][kind] -= 1
    elif s["play"][seat, kind] > s["stays"][seat, kind]:
        z.leave_play(t, s, seat, kind)
    else:
        s["lasting"][seat, kind] -= 1


@kernel
def _arrive(s, seat, kind, to, seen):
    """A card of a seat comes to a zone; the top of a discard pile is the caller's to say."""
    if to == w.TRASHED or to == w.SPOILS:
        z.to_trash(s, seat, kind)
        s["gone"][kind] += 1
        if to == w.SPOILS:
            s["spoils"][kind] += 1
    elif to == w.DISCARD:
        z.put_on_discard(s, seat, kind, seen == st.EVERYBODY)
        z.log(s, st.L_DISCARD, seat, -1, kind, 1, seen)
    elif to == w.DECK:
        z.put_on_deck(s, seat, kind, seen)
        z.log(s, st.L_DECK, seat, -1, kind, 1, seen)
    elif to == w.HAND:
        z.enter_hand(s, seat, kind, seen)
        z.log(s, st.L_TAKE, seat, -1, kind, 1, seen)
    elif to == w.AWAY:
        s["away"][seat, kind] += 1
        z.is_seen(s, seat, kind, 0)
        z.log(s, st.L_ASIDE, seat, -1, kind, 1, seen)
    elif to == w.HIDDEN:
        s["hidden"][seat, kind] += 1
        z.log(s, st.L_ASIDE, seat, -1, kind, 1, seen)
    elif to == w.LAID:
        s["laid"][kind] += 1
        s["laid_owner"] = seat
        s["laid_seen"] = st.EVERYBODY
        z.log(s, st.L_ASIDE, seat, -1, kind, 1, seen)
    elif to == w.PILE:
        z.is_seen(s, seat, kind, 1)
        s["owned"][seat, kind] -= 1
        s["supply"][kind] += 1
        z.log(s, st.L_RETURN, seat, -1, kind, 1, seen)
    else:
        s["deck"][seat, kind] += 1
        s["made_of"][seat, kind] += 1
        z.log(s, st.L_REVEAL, seat, -1, kind, 1, seen)


@kernel
def _is_whole_hand(s, seat):
    """Whether the marked cards are all that a hand has."""
    for kind in range(PLACES):
        if s["marked"][kind] != s["hand"][seat, kind]:
            return False
    return True


@kernel
def _move(t, s, frame, row):
    """Move the marked cards at once; False while the top card is asked for, or a text of theirs comes first."""
    source, to, seat = int(row[R_A]), int(row[R_B]), seat_of(s, frame, int(row[R_WHO]))
    top = -1
    if to == w.DISCARD:
        top = ask_top(s, seat, s["marked"], int(frame[st.COL_KIND]))
        if top == -2:
            return False
    if to == w.SHUFFLED:
        z.shuffle_deck(s, seat)
    discarded, reaction = 0, holder_of(t, s, w.ON_DISCARDED) if to == w.DISCARD else -1
    if top >= 0:  # before the others: its place in the log must not tell which slots they are of
        _leave(t, s, seat, top, source, st.EVERYBODY)
        _arrive(s, seat, top, to, st.EVERYBODY)
        s["marked"][top] -= 1
        discarded += top == reaction
    if source == w.HAND and to == w.DISCARD and _is_whole_hand(s, seat):  # which cards these are, everybody knows who knew the hand
        for kind in range(PLACES):
            s["open_discard"][seat, kind] += z.known_to_all(s, seat, kind)
    for kind in range(PLACES):
        for _ in range(np.int64(s["marked"][kind])):
            seen = _seen_when_moved(s, seat, source, to, int(row[R_C]))
            _leave(t, s, seat, kind, source, seen)
            _arrive(s, seat, kind, to, seen)
            discarded += kind == reaction
    clear(s["marked"])
    frame[st.COL_PC] += 1
    if top >= 0:
        z.show_top(s, seat, top)
    if discarded:
        push_text(s, seat, reaction, w.ON_DISCARDED, discarded, reaction)
        return False
    if to == w.TRASHED or to == w.SPOILS:
        return push_trashed(t, s, seat)
    return True


@kernel
def _move_self(t, s, f, to):
    """The card whose text this is goes from play, or as a reaction from the hand, to another place. Whether nothing comes first."""
    frame = s["stack"][f]
    seat, kind, event = int(frame[2]), int(frame[st.COL_KIND]), int(frame[st.COL_EVENT])
    frame[st.COL_PC] += 1
    if event == w.ON_BUYING or event == w.ON_TRASHING:
        z.leave_hand(s, seat, kind, st.EVERYBODY)
    elif event == w.ON_CLEAN_UP:
        if s["play"][seat, kind] <= s["stays"][seat, kind]:
            return True
        z.leave_play(t, s, seat, kind)
    else:
        if not frame[st.COL_IN_PLAY]:
            return True
        frame[st.COL_IN_PLAY] = 0
        z.leave_play(t, s, seat, kind)
    if to == w.TRASHED:
        z.to_trash(s, seat, kind)
        return push_trashed_one(t, s, seat, kind)
    _arrive(s, seat, kind, to, st.EVERYBODY)
    if to == w.DISCARD:
        z.show_top(s, seat, kind)
    return True


@kernel
def _move_gained(t, s, f, to):
    """The card that was just gained goes on, unless it has moved since (G-6); the frame of its gain lies two below."""
    frame, gained = s["stack"][f], s["stack"][f - 2]
    seat, kind, at = int(gained[2]), int(gained[st.COL_KIND]), int(gained[st.COL_NUMBER])
    frame[st.COL_PC] += 1
    z.log(s, st.L_REACT, seat, -1, int(frame[st.COL_KIND]), 1, st.EVERYBODY)
    z.show_in_hand(s, seat, int(frame[st.COL_KIND]))
    if not gained[st.COL_IN_PLAY]:
        return True
    if at == w.DISCARD:
        if not s["discard"][seat, kind]:
            return True
        z.leave_discard(s, seat, kind, st.EVERYBODY)
    elif at == w.HAND:
        if not s["hand"][seat, kind]:
            return True
        z.leave_hand(s, seat, kind, st.EVERYBODY)
    else:
        size = np.int64(s["top_size"][seat])
        if not size or s["top"][seat, size - 1] != kind + 1:
            return True
        z.take(s, seat)
    gained[st.COL_IN_PLAY] = 0
    if to == w.DECK:
        _arrive(s, seat, kind, to, st.EVERYBODY)
        return True
    z.to_trash(s, seat, kind)
    return push_trashed_one(t, s, seat, kind)


# ---------------------------------------------------------------- revealing


@kernel
def _lay(s, seat, found, seen, word):
    """A card taken off a deck is laid aside until the text is done (D-2)."""
    kind = z.kind_of(found)
    s["laid"][kind] += 1
    s["laid_owner"] = seat
    s["laid_seen"] = seen
    z.log(s, word, seat, -1, kind, 1, seen)
    if seen == st.EVERYBODY:
        if s["made_of"][seat, kind]:
            s["made_of"][seat, kind] -= 1
        z.is_seen(s, seat, kind, 1)


@kernel
def _reveal(s, seat, number, open_to_all):
    for _ in range(number):
        found = z.take(s, seat)
        if found == z.NO_CARD:
            return
        _lay(s, seat, found, st.EVERYBODY if open_to_all else 1 << seat, st.L_REVEAL if open_to_all else st.L_LOOK)


@kernel
def _reveal_until(t, s, frame, wanted, count, seat):
    """Reveal until cards are found; notes how many were."""
    fixed, number = int(frame[st.COL_PICKED_KIND]) - 1, int(frame[st.COL_NUMBER])
    frame[st.COL_PICKED] = 0
    while frame[st.COL_PICKED] < count:
        found = z.take(s, seat)
        if found == z.NO_CARD:
            break
        _lay(s, seat, found, st.EVERYBODY, st.L_REVEAL)
        kind = z.kind_of(found)
        if z.matches(t, s, wanted, kind, fixed, int(frame[st.COL_KIND]), number):
            frame[st.COL_PICKED] += 1
            frame[st.COL_PICKED_KIND] = kind + 1


@kernel
def _look_at_bottom(s, seat):
    """The place of the bottom card of a deck, which its owner knows from then on; -1 without a card."""
    if z.deck_size(s, seat) == 0:
        if z.total(s["discard"][seat]) == 0:
            return -1
        z.make_deck(s, seat)
    if s["bottom"][seat]:
        return np.int64(s["bottom"][seat]) - 1
    cards = z.total(s["deck"][seat])
    if cards:
        kind = z.at_random(s, s["deck"][seat], cards)
        s["deck"][seat, kind] -= 1
        s["bottom"][seat] = kind + 1
        return kind
    s["top_seen"][seat, 0] = np.int64(s["top_seen"][seat, 0]) | 1 << seat
    return np.int64(s["top"][seat, 0]) - 1


@kernel
def _bottom_to_top(s, seat):
    if s["bottom"][seat]:
        kind = np.int64(s["bottom"][seat]) - 1
        s["bottom"][seat] = 0
        z.put_on_deck(s, seat, kind, 1 << seat)
        return
    kind, seen = np.int64(s["top"][seat, 0]) - 1, np.int64(s["top_seen"][seat, 0])
    size = np.int64(s["top_size"][seat])
    for place in range(size - 1):
        s["top"][seat, place] = s["top"][seat, place + 1]
        s["top_seen"][seat, place] = s["top_seen"][seat, place + 1]
    s["top"][seat, size - 1] = kind + 1
    s["top_seen"][seat, size - 1] = seen | 1 << seat


# ---------------------------------------------------------------- conditions and numbers


@kernel
def _kinds_in(t, s, frame, zone, seat, wanted):
    """Kinds of a zone that a filter wants."""
    fixed, own, number, kinds = int(frame[st.COL_PICKED_KIND]) - 1, int(frame[st.COL_KIND]), int(frame[st.COL_NUMBER]), 0
    for kind in range(PLACES):
        if s["kinds"][kind] and _there(s, zone, seat, kind) > 0 and z.matches(t, s, wanted, kind, fixed, own, number):
            kinds += 1
    return kinds


@kernel
def _holds(t, s, frame, condition, operand, seat):
    picked = int(frame[st.COL_PICKED_KIND]) - 1
    if condition == w.C_PICKED:
        return frame[st.COL_PICKED] >= operand
    if condition == w.C_MODE:
        return (int(frame[st.COL_MODES]) >> operand) & 1 == 1
    if condition == w.C_KIND:
        return picked >= 0 and z.matches(t, s, operand, picked, picked, int(frame[st.COL_KIND]), int(frame[st.COL_NUMBER]))
    if condition == w.C_HAND:
        return z.total(s["hand"][seat]) >= operand
    if condition == w.C_UNIQUE:
        for kind in range(PLACES):
            if s["hand"][seat, kind] > 1:
                return False
        return True
    if condition == w.C_HAND_HAS:
        return _kinds_in(t, s, frame, w.HAND, seat, operand) > 0
    if condition == w.C_LAID_HAS:
        return _kinds_in(t, s, frame, w.LAID, seat, operand) > 0
    if condition == w.C_TRASH_HAS:
        return _kinds_in(t, s, frame, w.TRASHED, seat, operand) > 0
    if condition == w.C_PLAYED:
        return s["played"] >= operand
    if condition == w.C_EMPTY_PILES:
        return empty_piles(s) >= operand
    if condition == w.C_COINS:
        return s["coins"] >= operand
    if condition == w.C_NOTED:
        return (int(frame[st.COL_NOTES]) >> operand) & 1 == 1
    if condition == w.C_IN_PLAY:
        return frame[st.COL_IN_PLAY] == 1
    if condition == w.C_GAINED:
        gained = int(s["gained_kind"]) - 1
        return frame[st.COL_PICKED] >= 1 and gained >= 0 and z.matches(t, s, operand, gained, gained, int(frame[st.COL_KIND]), 0)
    if condition == w.C_NO_VICTORY_BOUGHT:
        return s["victory_bought"] == 0
    return frame[st.COL_NUMBER] >= operand


@kernel
def _cards_in(t, s, frame, row, wanted):
    cards = 0
    for kind in range(PLACES):
        if row[kind] and z.matches(t, s, wanted, kind, -1, int(frame[st.COL_KIND]), 0):
            cards += np.int64(row[kind])
    return cards


@kernel
def _number(t, s, frame, what, wanted):
    seat = int(frame[2])
    if what == w.N_PICKED:
        return int(frame[st.COL_PICKED])
    if what == w.N_COST:
        return z.cost(t, s, int(frame[st.COL_PICKED_KIND]) - 1) if frame[st.COL_PICKED_KIND] else 0
    if what == w.N_KINDS_LAID:
        return _kinds_in(t, s, frame, w.LAID, seat, wanted)
    if what == w.N_KINDS_TRASHED:
        return _kinds_in(t, s, frame, w.TRASHED, seat, wanted)
    if what == w.N_HAND:
        return _cards_in(t, s, frame, s["hand"][seat], wanted)
    if what == w.N_IN_PLAY:
        return _cards_in(t, s, frame, s["play"][seat], wanted)
    return int(s["actions"])


# ---------------------------------------------------------------- asking for options, names, passed cards


@kernel
def _mode(s, frame, row):
    """Options are chosen; False while that is asked. With `may` passing chooses none."""
    number, count, may, by = int(row[R_A]), int(row[R_C]), int(row[R_D]), seat_of(s, frame, int(row[R_BY]))
    if not frame[st.COL_PICKING]:
        frame[st.COL_PICKING] = 1
        frame[st.COL_MODES] = 0
    while True:
        if has_answer(s):
            answer = take_answer(s)
            if answer == actions.PASS:
                break
            frame[st.COL_MODES] = int(frame[st.COL_MODES]) | 1 << (answer - actions.OPTION_BASE)
            frame[st.COL_PICKING] += 1
            z.log(s, st.L_OPTION, by, -1, int(frame[st.COL_KIND]), answer - actions.OPTION_BASE + 1, st.EVERYBODY)
        if frame[st.COL_PICKING] > count:
            break
        clear_legal(s)
        for option in range(number):
            if not (int(frame[st.COL_MODES]) >> option) & 1:
                allow(s, actions.OPTION_BASE + option)
        if may:
            allow(s, actions.PASS)
        s["cause"] = frame[st.COL_KIND] + 1
        if ask(s, by, w.Q_MAY if may else w.Q_OPTION):
            return False
    frame[st.COL_PICKING] = 0
    return True


@kernel
def _name(s, frame, row):
    """A card of this game is named (C-6); False while that is asked."""
    by = seat_of(s, frame, int(row[R_BY]))
    kind = ask_kind(s, by, kinds_of(s["kinds"]), int(frame[st.COL_KIND]) + 1, w.Q_NAME)
    if kind < 0:
        return False
    frame[st.COL_PICKED_KIND] = kind + 1
    z.log(s, st.L_NAME, by, -1, kind, 1, st.EVERYBODY)
    return True


@kernel
def _pass_left(s, frame):
    """Everybody picks a card for the left neighbour; none goes before all are picked (N-3)."""
    players, first = int(s["num_players"]), int(frame[2])
    if not frame[st.COL_PICKING]:
        frame[st.COL_PICKING] = 1
        frame[st.COL_MODES] = 0
        for turn in range(st.SEATS):
            frame[PASSED_COLUMNS[turn]] = 0
    columns = PASSED_COLUMNS
    while int(frame[st.COL_PICKING]) <= players:
        turn = int(frame[st.COL_PICKING]) - 1
        seat = (first + turn) % players
        if z.total(s["hand"][seat]):
            kind = ask_kind(s, seat, kinds_of(s["hand"][seat]), int(frame[st.COL_KIND]) + 1, w.Q_PASS)
            if kind < 0:
                return False
            frame[columns[turn]] = kind + 1
        frame[st.COL_PICKING] += 1
    frame[st.COL_PICKING] = 0
    for turn in range(players):
        giver = (first + turn) % players
        kind, getter = int(frame[columns[turn]]) - 1, z.left_of(s, (first + turn) % players)
        if kind >= 0:
            z.leave_hand(s, giver, kind, 1 << giver | 1 << getter)
            s["owned"][giver, kind] -= 1
    for turn in range(players):
        giver = (first + turn) % players
        kind, getter = int(frame[columns[turn]]) - 1, z.left_of(s, (first + turn) % players)
        if kind >= 0:
            z.enter_hand(s, getter, kind, 1 << giver | 1 << getter)
            s["owned"][getter, kind] += 1
            if players > 2:
                s["passed"][giver, kind] += 1
            z.log(s, st.L_PASS, giver, getter, kind, 1, 1 << giver | 1 << getter)
    for turn in range(st.SEATS):
        frame[columns[turn]] = 0
    return True


# ---------------------------------------------------------------- the players a text is for


@kernel
def _next_player(s, frame):
    """Go to the next player of an `each`, passing over those unaffected (A-4); False after the last."""
    players, first = int(s["num_players"]), int(frame[2])
    seat = int(frame[st.COL_THAT_SEAT]) - 1
    while True:
        seat = (seat + 1) % players
        if seat == first:
            frame[st.COL_THAT_SEAT] = 0
            return False
        if not (int(frame[st.COL_IMMUNE]) >> seat) & 1:
            frame[st.COL_THAT_SEAT] = seat + 1
            return True


# ---------------------------------------------------------------- the loop


@kernel
def _get(t, s, frame, op, row):
    """What a player gets or loses at once, and asks nothing."""
    seat = seat_of(s, frame, int(row[R_WHO]))
    amount = int(row[R_A]) + int(row[R_B]) * int(frame[st.COL_NUMBER])
    if op == w.OP_CARDS:
        z.draw_cards(s, seat, amount)
    elif op == w.OP_ACTIONS:
        s["actions"] = int(s["actions"]) + amount
    elif op == w.OP_BUYS:
        s["buys"] = int(s["buys"]) + amount
    elif op == w.OP_COINS:
        s["coins"] = max(0, int(s["coins"]) + amount)
    elif op == w.OP_DRAW_TO:
        z.draw_cards(s, seat, amount - z.total(s["hand"][seat]))
    elif op == w.OP_REVEAL:
        _reveal(s, seat, int(row[R_A]), int(row[R_B]))
    elif op == w.OP_REVEAL_UNTIL:
        _reveal_until(t, s, frame, int(row[R_A]), int(row[R_B]), seat)
    elif op == w.OP_SHOW_HAND:
        z.show_hand(s, seat)
        z.log(s, st.L_REVEAL, seat, -1, -1, z.total(s["hand"][seat]), st.EVERYBODY)
    elif op == w.OP_DECK_TO_DISCARD:
        z.turn_deck_over(s, seat)
    elif op == w.OP_NUMBER:
        frame[st.COL_NUMBER] = _number(t, s, frame, int(row[R_A]), int(row[R_B]))
    elif op == w.OP_MARK:
        _mark(t, s, frame, row)
    elif op == w.OP_NOTE:
        frame[st.COL_NOTES] = int(frame[st.COL_NOTES]) | (st.N_SELF if seat == frame[2] else st.N_OTHER)
    elif op == w.OP_REDUCE:
        s["less"][0] = int(s["less"][0]) + int(row[R_A])
    elif op == w.OP_BAN:
        s["banned"] = np.int64(s["banned"]) | 1 << (int(frame[st.COL_PICKED_KIND]) - 1)
    elif op == w.OP_TOKEN:
        if frame[st.COL_PICKED_KIND]:
            s["tokens"][int(frame[st.COL_PICKED_KIND]) - 1] += 1
            z.log(s, st.L_TOKEN, seat, -1, int(frame[st.COL_PICKED_KIND]) - 1, 1, st.EVERYBODY)
    elif op == w.OP_DRAW_ONE:
        frame[st.COL_PICKED] = 0
        if z.total(s["hand"][seat]) < row[R_A]:
            kind = z.draw(s, seat)
            if kind != z.NO_CARD:
                frame[st.COL_PICKED] = 1
                frame[st.COL_PICKED_KIND] = kind + 1
    elif op == w.OP_LOOK_AT_BOTTOM:
        kind = _look_at_bottom(s, seat)
        frame[st.COL_PICKED] = kind >= 0
        if kind >= 0:
            z.log(s, st.L_LOOK, seat, -1, kind, 1, 1 << seat)
    elif op == w.OP_BOTTOM_TO_TOP:
        _bottom_to_top(s, seat)
    elif op == w.OP_EXTRA_TURN:
        s["short_draw"] = 1
        if not s["extra_turn"] and not s["extra_next"]:
            s["extra_next"] = 1
            frame[st.COL_NOTES] = int(frame[st.COL_NOTES]) | st.N_STAYS
    elif op == w.OP_DUE:
        s["due"][seat, int(frame[st.COL_KIND])] += 1
        if not row[R_A]:  # else it is due in this turn's clean-up
            frame[st.COL_NOTES] = int(frame[st.COL_NOTES]) | st.N_STAYS


@kernel
def _about_itself(t, s, f, op):
    """What happens to the card whose text this is, or that was set aside by it."""
    frame = s["stack"][f]
    seat, kind = int(frame[2]), int(frame[st.COL_KIND])
    if op == w.OP_UNAFFECTED:
        below = s["stack"][f - 1]
        below[st.COL_IMMUNE] = int(below[st.COL_IMMUNE]) | 1 << seat
    elif op == w.OP_SET_ASIDE_SELF:
        z.leave_hand(s, seat, kind, st.EVERYBODY)
        s["aside"][seat, kind] += 1
        s["due"][seat, kind] += 1
        z.is_seen(s, seat, kind, 0)
        z.log(s, st.L_ASIDE, seat, -1, kind, 1, st.EVERYBODY)
    elif op == w.OP_RETURN_TRASHED:
        if s["trash"][kind]:
            s["trash"][kind] -= 1
            s["owned"][seat, kind] += 1
            z.enter_hand(s, seat, kind, st.EVERYBODY)
            z.log(s, st.L_TAKE, seat, -1, kind, 1, st.EVERYBODY)
    elif s["aside"][seat, kind]:
        s["aside"][seat, kind] -= 1
        z.enter_hand(s, seat, kind, st.EVERYBODY)
        z.log(s, st.L_TAKE, seat, -1, kind, 1, st.EVERYBODY)
    else:
        for other in range(PLACES):
            while s["hidden"][seat, other]:
                s["hidden"][seat, other] -= 1
                z.enter_hand(s, seat, other, 1 << seat)
                z.log(s, st.L_TAKE, seat, -1, other, 1, 1 << seat)


@kernel
def _gain_cards(s, frame, row):
    """Gain cards one by one; True when all are gained. The frame of each lies on top of this one meanwhile."""
    kind = int(row[R_A]) if row[R_A] >= 0 else int(frame[st.COL_KIND])
    number = int(row[R_C]) + int(row[R_D]) * int(frame[st.COL_NUMBER])
    if frame[st.COL_PICKING] >= number or not s["supply"][kind]:
        frame[st.COL_PICKING] = 0
        return True
    frame[st.COL_PICKING] += 1
    push_gain(s, seat_of(s, frame, int(row[R_WHO])), kind, int(row[R_B]), 0)
    return False


@kernel
def _open_play(t, s, f, op, row):
    """Open a frame for a card that this text plays; whether there was one."""
    frame = s["stack"][f]
    seat = int(frame[2])
    if op == w.OP_PLAY_LAID:
        for kind in range(PLACES):
            if s["laid"][kind] and z.types(t, s, kind) & w.ACTION:
                s["laid"][kind] -= 1
                z.enter_play(t, s, seat, kind)
                z.log(s, st.L_PLAY, seat, -1, kind, 1, st.EVERYBODY)
                push_play(s, seat, kind, 1, 0)
                return True
        return False
    frame[st.COL_NOTES] = int(frame[st.COL_NOTES]) & ~st.N_FOUND
    if not frame[st.COL_PICKED]:
        return False
    clear(s["marked"])
    kind = int(frame[st.COL_PICKED_KIND]) - 1
    z.leave_hand(s, seat, kind, st.EVERYBODY)
    z.enter_play(t, s, seat, kind)
    z.log(s, st.L_PLAY, seat, -1, kind, int(row[R_A]), st.EVERYBODY)
    push_play(s, seat, kind, int(row[R_A]), int(row[R_A]))
    return True


@kernel
def _gain_picked(s, frame, row):
    """Open the frame that gains the card picked last; whether there is one."""
    kind, source = int(frame[st.COL_PICKED_KIND]) - 1, int(row[R_B])
    if kind < 0 or (source == w.SUPPLY and ((kind >= w.CHIREI and kind < w.PRIZES) or not s["supply"][kind])):
        return False
    if source == w.TRASHED and s["spoils"][kind]:
        s["spoils"][kind] -= 1
    push_gain(s, seat_of(s, frame, int(row[R_WHO])), kind, int(row[R_A]), 1 if source == w.TRASHED else 0)
    return True


@kernel
def run(t, s, f, event):
    """Carry a text out until it ends (True), waits for an answer, or has opened a frame (False)."""
    frame = s["stack"][f]
    start = int(t["text"][z.card(s, int(frame[st.COL_KIND])), event])
    if start == 0:
        return True
    for _ in range(MOST_ROWS):
        pc = start + int(frame[st.COL_PC])
        row = t["program"][pc]
        if not t["reached"][pc]:
            t["reached"][pc] = 1
        op = int(row[R_OP])
        if op == w.OP_END:
            frame[st.COL_PC] = 0
            return True
        if op == w.OP_PICK:
            if not _pick(t, s, frame, row):
                return False
        elif op == w.OP_MODE:
            if not _mode(s, frame, row):
                return False
        elif op == w.OP_NAME:
            if not _name(s, frame, row):
                return False
        elif op == w.OP_PASS_LEFT:
            if not _pass_left(s, frame):
                return False
        elif op == w.OP_GAIN_CARD:
            if not _gain_cards(s, frame, row):
                return False
        elif op == w.OP_MOVE:
            if not _move(t, s, frame, row):
                return False
            continue
        elif op == w.OP_MOVE_SELF:
            if not _move_self(t, s, f, int(row[R_A])):
                return False
            continue
        elif op == w.OP_MOVE_GAINED:
            if not _move_gained(t, s, f, int(row[R_A])):
                return False
            continue
        elif op == w.OP_GAIN_PICKED:
            if _gain_picked(s, frame, row):
                frame[st.COL_PC] += 1
                return False
        elif op == w.OP_PLAY_PICKED or op == w.OP_PLAY_LAID:
            if _open_play(t, s, f, op, row):
                frame[st.COL_PC] += 1
                return False
        elif op == w.OP_UNLESS:
            if not _holds(t, s, frame, int(row[R_A]), int(row[R_C]), seat_of(s, frame, int(row[R_WHO]))):
                frame[st.COL_PC] += row[R_B]
        elif op == w.OP_JUMP:
            frame[st.COL_PC] += row[R_B]
        elif op == w.OP_EACH:
            frame[st.COL_THAT_SEAT] = frame[2] + 1
            if row[R_A] == w.OTHERS and not _next_player(s, frame):
                frame[st.COL_PC] += row[R_B]
        elif op == w.OP_END_EACH:
            if _next_player(s, frame):
                frame[st.COL_PC] += row[R_B]
        elif op == w.OP_UNAFFECTED or op == w.OP_SET_ASIDE_SELF or op == w.OP_RETURN_ASIDE or op == w.OP_RETURN_TRASHED:
            _about_itself(t, s, f, op)
        else:
            _get(t, s, frame, op, row)
        frame[st.COL_PC] += 1
    s["status"] = ENDLESS
    return False
