"""What the frames of the stack do, a step at a time.

Set-up and turns; cards that are played, bought, gained and trashed; the windows in which others answer.
"""

import numpy as np

from danmaku_env.jit.kernels import kernel, lowest_bit
from danmaku_env.machine import rng
from danmaku_env.machine.answers import has_answer, take_answer
from danmaku_env.machine.frames import AT, SEAT
from danmaku_env.machine.stack import pop, push
from danmaku_env.sister.shisoroku.cards import box
from danmaku_env.sister.shisoroku.cards import words as w
from danmaku_env.sister.shisoroku.cards.tables import R_OP
from danmaku_env.sister.shisoroku.cards.words import PLACES
from danmaku_env.sister.shisoroku.engine import actions
from danmaku_env.sister.shisoroku.engine import program as p
from danmaku_env.sister.shisoroku.engine import state as st
from danmaku_env.sister.shisoroku.engine import zones as z

clear_legal, allow, ask = actions.ANSWERS.clear_legal, actions.ANSWERS.allow, actions.ANSWERS.ask
STEP_BEGIN, STEP_ACTIONS, STEP_RESOURCES, STEP_PURCHASES, STEP_CLEAN_UP, STEP_END, STEP_SET_UP = range(7)
"""Steps of a turn."""
_LOW_BITS = 14
"""Bits of kinds in the column MODES of a RESPOND frame; the others are in NOTES."""
SHORT_DRAW = 3
"""Cards drawn at the end of a turn after which another follows (T-8)."""
TOURNAMENT, FIRST_PRIZE, FIRST_CHIREI = box.NUMBERS["in-01"], box.NUMBERS[box.PRIZE_IDS[0]], box.NUMBERS[box.CHIREI_IDS[0]]


# ---------------------------------------------------------------- several texts of one seat for one event


@kernel
def push_respond(s, seat, about, event, waiting):
    """Texts of a seat answer an event, in an order of its choice (N-1)."""
    if waiting:
        frame = s["stack"][push(s, st.RESPOND_FRAME, seat)]
        frame[st.COL_KIND] = about + 1
        frame[st.COL_EVENT] = event
        _keep_bits(frame, st.COL_MODES, st.COL_NOTES, waiting)


@kernel
def _bits(frame, low, high):
    """A bit for each kind, out of two columns of a frame."""
    return int(frame[low]) | int(frame[high]) << _LOW_BITS


@kernel
def _keep_bits(frame, low, high, bits):
    frame[low] = bits & (1 << _LOW_BITS) - 1
    frame[high] = bits >> _LOW_BITS


@kernel
def _event_for(t, s, kind, about, event):
    """What an event is to a kind: the same if it is about it and has a text for that, else what happens to another card."""
    if kind == about and t["text"][z.card(s, kind), event]:
        return event
    if event == w.ON_TRASH:
        return w.ON_TRASHING
    if event == w.ON_GAIN:
        return w.ON_GAINING
    return w.ON_BUYING if event == w.ON_BUY else event


@kernel
def _copies(t, s, seat, kind, about, event):
    """How often a text of this kind answers the event now; 0 for never."""
    if not s["kinds"][kind]:
        return 0
    number = z.card(s, kind)
    text = t["text"][number]
    if event == w.ON_NEXT_TURN:
        return np.int64(s["due"][seat, kind])
    if event == w.ON_CLEAN_UP:
        return max(np.int64(s["play"][seat, kind]), np.int64(s["due"][seat, kind])) if text[w.ON_CLEAN_UP] else 0
    answers = _event_for(t, s, kind, about, event)
    if answers == event or not text[answers]:
        return 1 if text[answers] else 0
    if event == w.ON_TRASH:
        return np.int64(s["hand"][seat, kind])
    if event == w.ON_GAIN:
        if z.types(t, s, kind) & w.REACTION:
            return min(np.int64(s["hand"][seat, kind]), 1)
        return 1 if about == w.THREE_VP and s["supply"][kind] else 0
    wanted = int(t["on_own_purchase"][number]) - 1
    if wanted < 0:
        return np.int64(s["tokens"][about])
    if wanted and not z.types(t, s, about) & wanted:
        return 0
    if z.types(t, s, kind) & w.REACTION:
        return np.int64(s["hand"][seat, kind])
    return np.int64(s["play"][seat, kind])


@kernel
def waiting_texts(t, s, seat, about, event):
    """Bits of the kinds whose texts answer an event."""
    bits = 0
    for kind in range(PLACES):
        if _copies(t, s, seat, kind, about, event):
            bits |= 1 << kind
    return bits


@kernel
def _is_shown(t, s, kind, about, event):
    """Whether a text that answers an event is that of a reaction in the hand."""
    return _event_for(t, s, kind, about, event) != event and z.types(t, s, kind) & w.REACTION != 0


@kernel
def respond(t, s, f):
    """Have the next text that answers an event carried out."""
    frame = s["stack"][f]
    seat, about, event = int(frame[SEAT]), int(frame[st.COL_KIND]) - 1, int(frame[st.COL_EVENT])
    bits, done = _bits(frame, st.COL_MODES, st.COL_NOTES), _bits(frame, st.COL_IMMUNE, st.COL_NUMBER)
    for kind in range(PLACES):
        if not _copies(t, s, seat, kind, about, event):
            bits &= ~(1 << kind)
        elif _is_shown(t, s, kind, about, event) and not (done >> kind) & 1:
            bits |= 1 << kind  # it may have been drawn by a text that came first
    if not bits:
        pop(s)
        return
    kind = lowest_bit(bits)
    if bits & (bits - 1) and event != w.ON_NEXT_TURN:
        kind = p.ask_kind(s, seat, bits, about + 1, w.Q_ORDER)
        if kind < 0:
            return
    copies = _copies(t, s, seat, kind, about, event)
    _keep_bits(frame, st.COL_MODES, st.COL_NOTES, bits & ~(1 << kind))
    _keep_bits(frame, st.COL_IMMUNE, st.COL_NUMBER, done | 1 << kind)
    answers = _event_for(t, s, kind, about, event)
    if event == w.ON_NEXT_TURN or event == w.ON_CLEAN_UP:
        s["due"][seat, kind] = 0
    if answers == w.ON_BUY:
        p.clear(s["spoils"])
    p.push_text(s, seat, kind, answers, copies, about)


@kernel
def text(t, s, f):
    """A text, as many times as it answers; one of a card in hand only while it is there."""
    frame = s["stack"][f]
    seat, kind, event = int(frame[SEAT]), int(frame[st.COL_KIND]), int(frame[st.COL_EVENT])
    in_hand = event == w.ON_TRASHING or ((event == w.ON_BUYING or event == w.ON_GAINING) and z.types(t, s, kind) & w.REACTION != 0)
    if frame[AT] == 0 and in_hand and not s["hand"][seat, kind]:
        pop(s)
        return
    if frame[AT] == 0 and s["stack"][f - 1, 0] == st.RESPOND_FRAME:
        frame[st.COL_PICKED_KIND] = s["stack"][f - 1, st.COL_KIND]
    frame[AT] = 1
    if p.run(t, s, f, event):
        frame[st.COL_TIMES] -= 1
        frame[AT] = 0
        if frame[st.COL_TIMES] <= 0:
            p.clear(s["marked"])
            pop(s)


# ---------------------------------------------------------------- playing


@kernel
def play(t, s, f):
    """A card that lies in play: its attack may be answered, then its lines are carried out, as often as it is played (P-1, P-4)."""
    frame = s["stack"][f]
    seat, kind = int(frame[SEAT]), int(frame[st.COL_KIND])
    kinds = z.types(t, s, kind)
    if frame[AT] == 0:
        frame[AT] = 1
        frame[st.COL_IMMUNE] = 0
        frame[st.COL_NOTES] = int(frame[st.COL_NOTES]) & st.N_STAYS  # the rest was noted when it was played before
        p.clear(s["spoils"])
        if kinds & w.ACTION:
            s["played"] = int(s["played"]) + 1
        if kinds & w.ATTACK:
            push(s, st.WINDOW_FRAME, seat)
            return
    if not p.run(t, s, f, w.ON_PLAY):
        return
    p.clear(s["marked"])
    frame[st.COL_TIMES] -= 1
    if frame[st.COL_TIMES] > 0:
        frame[AT] = 0
        return
    _end_play(s, f, seat, kind)


@kernel
def _end_play(s, f, seat, kind):
    frame = s["stack"][f]
    by, found, stays = int(frame[st.COL_PLAYED_BY]), frame[st.COL_IN_PLAY] == 1, int(frame[st.COL_NOTES]) & st.N_STAYS != 0
    if by:
        below = s["stack"][f - 1]
        if found:
            below[st.COL_NOTES] = int(below[st.COL_NOTES]) | st.N_FOUND
        if stays and found and by != TRASHES_WHAT_IT_PLAYED:
            below[st.COL_NOTES] = int(below[st.COL_NOTES]) | st.N_STAYS
    if stays and found and by != TRASHES_WHAT_IT_PLAYED:
        s["stays"][seat, kind] += 1
    pop(s)


TRASHES_WHAT_IT_PLAYED = 2
"""PLAYED_BY of a card that is played twice: `sa-01` trashes it afterwards, so nothing stays (R-5)."""


@kernel
def _stays_in_hand(t, s, kind):
    """Whether a reaction can be shown again, once for each copy (A-3)."""
    op = int(t["program"][int(t["text"][z.card(s, kind), w.ON_ATTACKED]), R_OP])
    return op != w.OP_UNAFFECTED and op != w.OP_SET_ASIDE_SELF


@kernel
def window(t, s, f):
    """Every other seat in turn may answer an attack with cards of its hand, any number of them (A-1 to A-4)."""
    frame = s["stack"][f]
    attacker, players = int(frame[SEAT]), int(s["num_players"])
    seat = int(frame[st.COL_THAT_SEAT]) - 1
    if seat < 0:
        seat = z.left_of(s, attacker)
        frame[st.COL_THAT_SEAT] = seat + 1
        for kind in range(PLACES):
            if s["kinds"][kind] and t["shield"][z.card(s, kind)]:
                for other in range(players):
                    if other != attacker and s["play"][other, kind] + s["lasting"][other, kind] > 0:
                        frame[st.COL_IMMUNE] = int(frame[st.COL_IMMUNE]) | 1 << other
    while seat != attacker:
        passed = (int(frame[st.COL_IMMUNE]) >> seat) & 1 == 1
        if not passed:
            if not has_answer(s):
                clear_legal(s)
                can_react = False
                for kind in range(PLACES):
                    if s["kinds"][kind] and t["text"][z.card(s, kind), w.ON_ATTACKED]:
                        if np.int64(s["hand"][seat, kind]) > (int(frame[st.COL_TIMES]) if _stays_in_hand(t, s, kind) else 0):
                            allow(s, actions.REVEAL_BASE + kind)
                            can_react = True
                if can_react or s["config"] & st.ASK_EVERYONE:
                    allow(s, actions.PASS)
                    s["cause"] = s["stack"][f - 1, st.COL_KIND] + 1
                    if ask(s, seat, w.Q_REACTION):
                        return
                else:
                    passed = True
            if not passed:
                answer = take_answer(s)
                if answer == actions.PASS:
                    passed = True
                else:
                    kind = answer - actions.REVEAL_BASE
                    z.show_in_hand(s, seat, kind)
                    z.log(s, st.L_REACT, seat, attacker, kind, 1, st.EVERYBODY)
                    if _stays_in_hand(t, s, kind):
                        frame[st.COL_TIMES] += 1
                    p.push_text(s, seat, kind, w.ON_ATTACKED, 1, -1)
                    return
        frame[st.COL_TIMES] = 0
        seat = z.left_of(s, seat)
        frame[st.COL_THAT_SEAT] = seat + 1
    below = s["stack"][f - 1]
    below[st.COL_IMMUNE] = int(frame[st.COL_IMMUNE])
    pop(s)


# ---------------------------------------------------------------- gaining, buying, trashing


@kernel
def gain(t, s, f):
    """Gain a card: a text may replace it, it moves, and texts answer it (G-3 to G-7)."""
    frame = s["stack"][f]
    seat, kind, source = int(frame[SEAT]), int(frame[st.COL_KIND]), int(frame[st.COL_PICKED])
    if frame[AT] == 0:
        left = s["trash"][kind] if source else s["supply"][kind]
        if not left or (not source and kind >= w.CHIREI and kind < w.PRIZES):
            s["gained_kind"] = 0
            pop(s)
            return
        instead = p.holder_of(t, s, w.ON_WOULD_GAIN)
        if instead >= 0 and s["hand"][seat, instead] and not int(frame[st.COL_NOTES]) & st.N_NO_TRADER:
            if not has_answer(s):
                clear_legal(s)
                allow(s, actions.REVEAL_BASE + instead)
                allow(s, actions.PASS)
                s["cause"] = kind + 1
                if ask(s, seat, w.Q_REACTION):
                    return
            if take_answer(s) != actions.PASS:
                z.show_in_hand(s, seat, instead)
                z.log(s, st.L_REACT, seat, -1, instead, 1, st.EVERYBODY)
                frame[st.COL_KIND] = w.RICE
                frame[st.COL_NUMBER] = w.DISCARD
                frame[st.COL_PICKED] = 0
                frame[st.COL_NOTES] = st.N_NO_TRADER
                return
        frame[AT] = 1
        _move_gain(s, seat, kind, int(frame[st.COL_NUMBER]), source)
        push_respond(s, seat, kind, w.ON_GAIN, waiting_texts(t, s, seat, kind, w.ON_GAIN))
        return
    s["gained_kind"] = kind + 1
    pop(s)


@kernel
def _move_gain(s, seat, kind, to, source):
    if source:
        s["trash"][kind] -= 1
    else:
        s["supply"][kind] -= 1
    s["owned"][seat, kind] += 1
    if seat == s["current"]:
        s["gained"][seat] = np.int64(s["gained"][seat]) | 1 << kind
    if to == w.HAND:
        z.enter_hand(s, seat, kind, st.EVERYBODY)
    elif to == w.DECK:
        z.put_on_deck(s, seat, kind, st.EVERYBODY)
    else:
        z.put_on_discard(s, seat, kind, True)
        z.show_top(s, seat, kind)
    z.log(s, st.L_GAIN, seat, -1, kind, to, st.EVERYBODY)


@kernel
def buy(t, s, f):
    """Buy a card: what happens on buying comes before the gain (G-1, G-2)."""
    frame = s["stack"][f]
    seat, kind = int(frame[SEAT]), int(frame[st.COL_KIND])
    if frame[AT] == 0:
        frame[AT] = 1
        s["coins"] = int(s["coins"]) - z.cost(t, s, kind)
        s["buys"] = int(s["buys"]) - 1
        if z.types(t, s, kind) & w.VICTORY:
            s["victory_bought"] = 1
        z.log(s, st.L_BUY, seat, -1, kind, 1, st.EVERYBODY)
        push_respond(s, seat, kind, w.ON_BUY, waiting_texts(t, s, seat, kind, w.ON_BUY))
    elif frame[AT] == 1:
        frame[AT] = 2
        p.push_gain(s, seat, kind, w.DISCARD, 0)
    else:
        pop(s)


@kernel
def trashed(t, s, f):
    """Texts of the cards that a seat has lost, card by card (X-1): of one kind, or of all those in `gone`."""
    frame = s["stack"][f]
    seat, kind = int(frame[SEAT]), int(frame[st.COL_KIND]) - 1
    if kind >= 0:
        frame[st.COL_TIMES] -= 1
        if frame[st.COL_TIMES] < 0:
            pop(s)
            return
    else:
        kind = _next_gone(t, s, seat)
        if kind < 0:
            if not s["gone"].any():
                pop(s)
            return
        s["gone"][kind] -= 1
    push_respond(s, seat, kind, w.ON_TRASH, waiting_texts(t, s, seat, kind, w.ON_TRASH))


@kernel
def _next_gone(t, s, seat):
    """The kind of those trashed at once that comes next, as their owner says where it matters; -1 for none, or while that is asked."""
    bits, some_text = 0, False
    for kind in range(PLACES):
        if s["gone"][kind]:
            bits |= 1 << kind
            some_text = some_text or t["text"][z.card(s, kind), w.ON_TRASH] > 0
    if some_text and bits & (bits - 1):
        return p.ask_kind(s, seat, bits, 0, w.Q_ORDER)
    return lowest_bit(bits) if bits else -1


# ---------------------------------------------------------------- turns


@kernel
def _begin_turn(t, s, f, seat):
    """Start of a turn: texts due happen (R-2); a turn beyond the last is not begun."""
    if s["turn_number"] >= s["max_turns"]:
        s["outcome"] = st.TRUNCATED
        return
    s["turn_number"] = int(s["turn_number"]) + 1
    if not s["extra_turn"]:
        s["turns"][seat] = int(s["turns"][seat]) + 1
    s["current"] = seat
    s["phase"] = st.ACTION_PHASE
    s["actions"] = 1
    s["buys"] = 1
    s["coins"] = 0
    s["played"] = 0
    s["victory_bought"] = 0
    s["short_draw"] = 0
    s["banned"] = 0
    s["gained"][seat] = 0
    s["stack"][f, AT] = STEP_ACTIONS
    z.log(s, st.L_EXTRA_TURN if s["extra_turn"] else st.L_TURN, seat, -1, -1, int(s["turn_number"]), st.EVERYBODY)
    push_respond(s, seat, -1, w.ON_NEXT_TURN, waiting_texts(t, s, seat, -1, w.ON_NEXT_TURN))


@kernel
def _allow_hand(t, s, seat, wanted):
    """Allow to play cards of a type; whether there are any."""
    some = False
    for kind in range(PLACES):
        if s["hand"][seat, kind] and z.types(t, s, kind) & wanted:
            allow(s, actions.PLAY_BASE + kind)
            some = True
    return some


@kernel
def play_from_hand(t, s, seat, kind):
    """Lay a card of the hand into the play area and carry it out."""
    z.leave_hand(s, seat, kind, st.EVERYBODY)
    z.enter_play(t, s, seat, kind)
    z.log(s, st.L_PLAY, seat, -1, kind, 1, st.EVERYBODY)
    if kind < w.BASIC:
        s["coins"] = int(s["coins"]) + int(t["coins"][z.card(s, kind)])
    else:
        p.push_play(s, seat, kind, 1, 0)


@kernel
def _actions(t, s, f, seat):
    """The action phase (T-2)."""
    if not has_answer(s):
        clear_legal(s)
        if s["actions"] <= 0 or not _allow_hand(t, s, seat, w.ACTION):
            s["stack"][f, AT] = STEP_RESOURCES
            s["phase"] = st.RESOURCE_PHASE
            return
        allow(s, actions.PASS)
        s["cause"] = 0
        if ask(s, seat, w.Q_ACTION):
            return
    answer = take_answer(s)
    if answer == actions.PASS:
        s["stack"][f, AT] = STEP_RESOURCES
        s["phase"] = st.RESOURCE_PHASE
        return
    s["actions"] = int(s["actions"]) - 1
    play_from_hand(t, s, seat, answer - actions.PLAY_BASE)


@kernel
def _plain(t, s, seat):
    """The lowest slot of the hand with a resource that asks nothing and whose order changes nothing (T-4); -1 for none."""
    for kind in range(PLACES):
        if s["hand"][seat, kind] and t["plain"][z.card(s, kind)]:
            return kind
    return -1


@kernel
def _allow_purchases(t, s):
    """Allow to buy what there is and can be paid (T-5)."""
    coins, banned = int(s["coins"]), np.int64(s["banned"])
    if s["buys"] <= 0:
        return False
    some = False
    for kind in range(w.CHIREI):
        if s["supply"][kind] and not (banned >> kind) & 1 and s["kinds"][kind] and z.cost(t, s, kind) <= coins:
            allow(s, actions.BUY_BASE + kind)
            some = True
    return some


@kernel
def _resources(t, s, f, seat):
    """Resources are played one by one, before the first purchase (T-3)."""
    frame = s["stack"][f]
    if frame[st.COL_TIMES]:  # `play resources` goes on
        kind = _plain(t, s, seat)
        if kind >= 0:
            play_from_hand(t, s, seat, kind)
            return
        frame[st.COL_TIMES] = 0
    if not has_answer(s):
        clear_legal(s)
        if not _allow_hand(t, s, seat, w.RESOURCE):
            frame[AT] = STEP_PURCHASES
            s["phase"] = st.BUY_PHASE
            return
        if _plain(t, s, seat) >= 0:
            allow(s, actions.PLAY_RESOURCES)
        _allow_purchases(t, s)
        allow(s, actions.PASS)
        s["cause"] = 0
        if ask(s, seat, w.Q_RESOURCES):
            return
    answer = take_answer(s)
    if answer == actions.PLAY_RESOURCES:
        frame[st.COL_TIMES] = 1
    elif actions.PLAY_BASE <= answer < actions.BUY_BASE:
        play_from_hand(t, s, seat, answer - actions.PLAY_BASE)
    else:
        frame[AT] = STEP_PURCHASES
        s["phase"] = st.BUY_PHASE
        if answer != actions.PASS:
            _push_buy(s, seat, answer - actions.BUY_BASE)


@kernel
def _push_buy(s, seat, kind):
    s["stack"][push(s, st.BUY_FRAME, seat), st.COL_KIND] = kind


@kernel
def _purchases(t, s, f, seat):
    """Purchases, until none is left or can be paid (T-5)."""
    if not has_answer(s):
        clear_legal(s)
        if not _allow_purchases(t, s):
            _to_clean_up(t, s, f, seat)
            return
        allow(s, actions.PASS)
        s["cause"] = 0
        if ask(s, seat, w.Q_BUY):
            return
    answer = take_answer(s)
    if answer == actions.PASS:
        _to_clean_up(t, s, f, seat)
    else:
        _push_buy(s, seat, answer - actions.BUY_BASE)


@kernel
def _to_clean_up(t, s, f, seat):
    """Texts of clean-up come before anything is discarded (R-6)."""
    s["stack"][f, AT] = STEP_CLEAN_UP
    s["phase"] = st.CLEAN_UP_PHASE
    push_respond(s, seat, -1, w.ON_CLEAN_UP, waiting_texts(t, s, seat, -1, w.ON_CLEAN_UP))


@kernel
def _clean_up(t, s, f, seat):
    """The hand at once, then what is in play card by card; then the new hand is drawn (T-6, T-7)."""
    in_play = s["marked"]
    leaving = 0
    for kind in range(PLACES):
        left = np.int64(s["play"][seat, kind]) - np.int64(s["stays"][seat, kind]) + np.int64(s["lasting"][seat, kind])
        in_play[kind] = left
        leaving += left
    if leaving:
        top = p.ask_top(s, seat, in_play, -1) if s["config"] & st.ASK_ORDER else _last(in_play)
    else:
        top = p.ask_top(s, seat, s["hand"][seat], -1)
    if top == -2:
        return
    for kind in range(PLACES):
        s["discard"][seat, kind] += s["hand"][seat, kind] + in_play[kind]
        s["open_discard"][seat, kind] += in_play[kind] + z.known_to_all(s, seat, kind)
        s["hand"][seat, kind] = 0
        s["old_hand"][seat, kind] = 0
        s["lasting"][seat, kind] = s["stays"][seat, kind]
        s["stays"][seat, kind] = 0
        s["play"][seat, kind] = 0
        in_play[kind] = 0
        for viewer in range(st.SEATS):
            s["known"][seat, viewer, kind] = 0
    if top >= 0:
        z.show_top(s, seat, top)
    s["less"][0] = 0
    s["less"][1] = 0
    z.log(s, st.L_CLEAN_UP, seat, -1, top, leaving, st.EVERYBODY)
    z.draw_cards(s, seat, SHORT_DRAW if s["short_draw"] else st.HAND_SIZE)
    s["stack"][f, AT] = STEP_END


@kernel
def _last(cards):
    """The highest slot with a card."""
    last = -1
    for kind in range(PLACES):
        if cards[kind]:
            last = kind
    return last


# ---------------------------------------------------------------- the end


@kernel
def _owns(s, seat, kind, viewer):
    """Cards of a kind of a seat: in truth for viewer -1, else as far as a seat can tell (H-4)."""
    return np.int64(s["owned"][seat, kind]) if viewer < 0 else max(0, z.shown_owned(s, seat, kind, viewer))


@kernel
def score(t, s, seat, viewer):
    """Points of all cards a seat owns (E-3, E-4)."""
    cards, victory, three, points = 0, 0, _owns(s, seat, w.THREE_VP, viewer), 0
    for kind in range(PLACES):
        number = _owns(s, seat, kind, viewer)
        cards += number
        if number and z.types(t, s, kind) & w.VICTORY:
            victory += number
    for kind in range(PLACES):
        number = _owns(s, seat, kind, viewer)
        if number:
            what = z.card(s, kind)
            each, counted, by = int(t["points"][what]), int(t["score"][what, 0]), int(t["score"][what, 1])
            if counted:
                each += (cards if counted == 1 else three if counted == 2 else victory) // by
            points += number * each
    return points


@kernel
def is_over(s):
    """Whether the game ends with this turn (E-1)."""
    if not s["supply"][w.SIX_VP] or (s["kinds"][w.TEN_VP] and not s["supply"][w.TEN_VP]):
        return True
    return p.empty_piles(s) >= 3


@kernel
def judge(t, s):
    """The most points win, then the fewest turns; players equal in both share the first place (E-5)."""
    best, fewest, winners, number = -1 << 20, 0, 0, 0
    for seat in range(s["num_players"]):
        points, turns = score(t, s, seat, -1), int(s["turns"][seat])
        if points > best or (points == best and turns < fewest):
            best, fewest, winners, number = points, turns, 1 << seat, 1
        elif points == best and turns == fewest:
            winners |= 1 << seat
            number += 1
    s["winners"] = winners
    s["outcome"] = st.WON if number == 1 else st.DRAWN
    z.log(s, st.L_WIN, -1, -1, -1, winners, st.EVERYBODY)


# ---------------------------------------------------------------- set-up

SET_PLAYERS, SET_CONFIG, SET_MAX_TURNS, SET_POOL, SET_CARDS = range(5)
SETTINGS = SET_CARDS + len(box.KINGDOM_IDS)
"""The row that `new_game` reads: players, bits, turn cap, how many cards the kingdom is drawn from, and the number of each plus one."""


@kernel
def _pile(s, t, kind, players, optional):
    """Cards of a pile (S-2, S-3, S-4)."""
    few = 8 if players == 2 else 12
    if kind == w.COIN:
        return 60 - 7 * players
    if kind == w.RICE:
        return 40
    if kind == w.SAKE:
        return 30
    if kind == w.TALISMAN:
        return 12 if optional else 0
    if kind == w.TEN_VP:
        return few if optional else 0
    if kind == w.MINUS_CARD:
        return 10 * (players - 1)
    if kind >= w.PRIZES:
        return 1
    if kind >= w.CHIREI:
        return 0
    number = z.card(s, kind)
    if t["types"][number] & w.VICTORY:
        return few
    return np.int64(t["pile"][number]) if t["pile"][number] else 10


@kernel
def _choose_kingdom(settings, s):
    """Ten cards of the pool, all equally likely (S-8), in box order; ten are the kingdom as they are."""
    left, wanted = settings[SET_POOL], w.KINGDOM_CARDS
    is_drawn = left > wanted
    for number in settings[SET_CARDS : SET_CARDS + left]:
        if not is_drawn or rng.below(s, left) < wanted:
            s["kinds"][w.CHIREI - wanted] = number
            wanted -= 1
        left -= 1


@kernel
def new_game(settings, s, seed):
    """Begin a game in a zeroed record; `_set_up` is its first step."""
    s["seed"] = seed
    s["answer"] = -1
    s["asking"] = st.NOBODY
    s["num_players"] = settings[SET_PLAYERS]
    s["config"] = settings[SET_CONFIG]
    s["max_turns"] = settings[SET_MAX_TURNS]
    rng.seed_rng(s, seed)
    _choose_kingdom(settings, s)
    s["stack"][push(s, st.TURN_FRAME, 0), AT] = STEP_SET_UP


@kernel
def lay_out(t, s):
    """The places of this game and their piles; the kingdom stands."""
    players, optional, prizes = int(s["num_players"]), s["config"] & st.OPTIONAL_CARDS != 0, False
    for kind in range(w.BASIC):
        if optional or (kind != w.TALISMAN and kind != w.TEN_VP):
            s["kinds"][kind] = kind + 1
    for kind in range(w.KINGDOM, w.CHIREI):
        if z.card(s, kind) == TOURNAMENT:
            prizes = True
    if prizes:
        for place in range(PLACES - w.PRIZES):
            s["kinds"][w.PRIZES + place] = FIRST_PRIZE + place + 1
    if s["config"] & st.CHIREI_START:
        for place in range(w.PRIZES - w.CHIREI):
            s["kinds"][w.CHIREI + place] = FIRST_CHIREI + place + 1
    for kind in range(PLACES):
        if s["kinds"][kind]:
            s["supply"][kind] = _pile(s, t, kind, players, optional)


@kernel
def _set_up(t, s, f):
    """Lay out the piles, deal the decks, draw, and let the dice say who begins (S)."""
    frame, players = s["stack"][f], int(s["num_players"])
    lay_out(t, s)
    for seat in range(players):
        s["deck"][seat, w.COIN] = 7
        if s["config"] & st.CHIREI_START:
            for kind in range(w.CHIREI, w.PRIZES):
                s["deck"][seat, kind] = 1
        else:
            s["deck"][seat, w.ONE_VP] = 3
        for kind in range(PLACES):
            s["owned"][seat, kind] = s["deck"][seat, kind]
        z.draw_cards(s, seat, st.HAND_SIZE)
    frame[SEAT] = rng.below(s, players)
    s["current"] = frame[SEAT]
    frame[AT] = STEP_BEGIN


@kernel
def turn(t, s, f):
    """A turn, step by step (T-1)."""
    frame = s["stack"][f]
    seat, at = int(frame[SEAT]), int(frame[AT])
    if at == STEP_SET_UP:
        _set_up(t, s, f)
    elif at == STEP_BEGIN:
        _begin_turn(t, s, f, seat)
    elif at == STEP_ACTIONS:
        _actions(t, s, f, seat)
    elif at == STEP_RESOURCES:
        _resources(t, s, f, seat)
    elif at == STEP_PURCHASES:
        _purchases(t, s, f, seat)
    elif at == STEP_CLEAN_UP:
        _clean_up(t, s, f, seat)
    elif is_over(s):
        judge(t, s)
    else:
        s["extra_turn"] = s["extra_next"]
        s["extra_next"] = 0
        frame[SEAT] = seat if s["extra_turn"] else z.left_of(s, seat)
        frame[AT] = STEP_BEGIN
