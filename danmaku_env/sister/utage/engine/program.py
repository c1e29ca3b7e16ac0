"""What effects do: the rows of a program, one after the other, from a USE frame."""

import numpy as np

from danmaku_env.jit.kernels import kernel, lowest_bit
from danmaku_env.machine import rng
from danmaku_env.machine.answers import has_answer, take_answer
from danmaku_env.machine.frames import SEAT
from danmaku_env.sister.utage.cards import tables as tb
from danmaku_env.sister.utage.cards import words as w
from danmaku_env.sister.utage.engine import actions
from danmaku_env.sister.utage.engine import state as st
from danmaku_env.sister.utage.engine import values as v
from danmaku_env.sister.utage.engine import zones as z

clear_legal, allow, ask = actions.ANSWERS.clear_legal, actions.ANSWERS.allow, actions.ANSWERS.ask


@kernel
def add_lasting(s, whose, scope, filter_number, stat, amount, turn, side, place, card):
    """Another effect that lasts; with no room left (M-2) the machine stops. THIS, HOST and TARGET are kept as the card at a place (V-8)."""
    count = int(s["lasting_count"])
    if count >= st.LASTING:
        s["status"] = st.GAME_OVER
        return
    row = s["lasting"][count]
    row[st.LA_WHOSE] = whose
    row[st.LA_SCOPE] = scope
    row[st.LA_FILTER] = filter_number
    row[st.LA_STAT] = stat
    row[st.LA_AMOUNT] = amount
    row[st.LA_TURN] = turn
    row[st.LA_SIDE] = side
    row[st.LA_PLACE] = place + 1
    row[st.LA_CARD] = card + 1
    s["lasting_count"] = count + 1
    s["stale"] = 1


@kernel
def add_later(s, moment, pc, whose, place, card):
    """An effect that is put off."""
    count = int(s["later_count"])
    if count >= st.LATER:
        s["status"] = st.GAME_OVER
        return
    row = s["later"][count]
    row[st.LT_MOMENT] = moment
    row[st.LT_PC] = pc
    row[st.LT_WHOSE] = whose
    row[st.LT_PLACE] = place + 1
    row[st.LT_CARD] = card + 1
    s["later_count"] = count + 1


@kernel
def expire(s, turn):
    """Effects that last until the end of the phase are over; with `turn` those until the end of the turn too."""
    kept = 0
    for line in range(s["lasting_count"]):
        if s["lasting"][line, st.LA_TURN] and not turn:
            for column in range(s["lasting"].shape[1]):
                s["lasting"][kept, column] = s["lasting"][line, column]
            kept += 1
    for line in range(kept, s["lasting_count"]):
        for column in range(s["lasting"].shape[1]):
            s["lasting"][line, column] = 0
    s["lasting_count"] = kept
    s["stale"] = 1


# ---------------------------------------------------------------- the card or cards that a row is about


@kernel
def _side_of(s, frame, scope):
    return int(frame[st.COL_TARGET_SIDE]) if scope == w.TARGET else int(frame[SEAT])


@kernel
def _place_of(s, frame, scope):
    """The place of THIS, HOST or TARGET while its card is there, or -1."""
    if scope == w.TARGET:
        return int(frame[st.COL_TARGET]) - 1
    place = int(frame[st.COL_PLACE]) - 1
    if scope == w.HOST and place >= 0:
        return np.int64(s["host"][int(frame[SEAT]), place]) - 1
    return place


@kernel
def _until(t, s, frame, row, turn):
    """A change that lasts."""
    me, scope, stat = int(frame[SEAT]), np.int64(row[tb.R_A]), np.int64(row[tb.R_B])
    x, arg, divided = np.int64(row[tb.R_X]), np.int64(row[tb.R_XARG]), np.int64(row[tb.R_XDIV])
    amount = v.amount_of(t, s, me, np.int64(row[tb.R_C]), x, arg, divided)
    card = int(frame[st.COL_CARD]) - 1
    if scope == w.THIS or scope == w.HOST or scope == w.TARGET:
        place = _place_of(s, frame, scope)
        if place >= 0:
            add_lasting(s, me, w.TARGET, 0, stat, amount, turn, _side_of(s, frame, scope), place, card)
    else:
        add_lasting(s, me, scope, np.int64(row[tb.R_FILTER]), stat, amount, turn, 0, -1, card)


@kernel
def _move(s, me, op, side, place):
    """Have a card of the field moved."""
    if op == w.OP_RESERVE:
        z.to_reserve(s, side, place)
    elif op == w.OP_ACTIVATE:
        z.to_active(s, side, place)
    elif op == w.OP_DISCARD:
        z.discard_place(s, side, place, me)
    elif op == w.OP_RETURN:
        owner, slot = np.int64(s["at_owner"][side, place]), np.int64(s["at_slot"][side, place])
        card = np.int64(s["at_card"][side, place])
        z.pick_up(s, side, place)
        z.add_to_hand(s, owner, slot, True)
        z.log(s, st.L_RETURN, me, owner, card, 1, st.EVERYBODY)
    else:
        owner, slot = np.int64(s["at_owner"][side, place]), np.int64(s["at_slot"][side, place])
        z.pick_up(s, side, place)
        z.put_under(s, owner, slot)


@kernel
def _move_all(t, s, frame, row):
    """Have all cards moved that are there now (V-9); returns how many."""
    me, found = int(frame[SEAT]), 0
    for turn in range(st.SEATS):
        side = me if turn == 0 else 1 - me
        bits = int(s["used"][side])
        while bits:
            place = lowest_bit(bits)
            bits &= bits - 1
            if (int(s["used"][side]) >> place) & 1 and v.fits(t, s, me, side, place, np.int64(row[tb.R_FILTER])):
                _move(s, me, np.int64(row[tb.R_OP]), side, place)
                found += 1
    return found


# ---------------------------------------------------------------- cards that are chosen


@kernel
def _search(t, s, frame, row):
    """Have a card of the own deck chosen (K-2); whether that is done. It leaves the deck."""
    me = int(frame[SEAT])
    if not has_answer(s):
        clear_legal(s)
        found = False
        for place in range(s["deck_size"][me]):
            slot = np.int64(s["deck"][me, place]) - 1
            if v.card_fits(t, s, me, z.card_of(s, me, slot), np.int64(row[tb.R_FILTER])):
                allow(s, actions.OWN_CARD_BASE + slot)
                found = True
        if not row[tb.R_A]:
            allow(s, actions.PASS)
        elif not found:
            return True
        s["cause"] = int(frame[st.COL_CARD])
        if ask(s, me, w.Q_SEARCH):
            return False
    answer = take_answer(s)
    frame[st.COL_PICKED] = 0
    if answer != actions.PASS:
        slot = answer - actions.OWN_CARD_BASE
        z.take_from_deck(s, me, slot)
        frame[st.COL_PICKED] = slot + 1
        if row[tb.R_B]:
            z.show_slot(s, me, slot)
            z.log(s, st.L_SHOW, me, me, np.int64(s["card"][me, slot]), 1, st.EVERYBODY)
        frame[st.COL_OPEN] = int(row[tb.R_B])
    return True


@kernel
def _from_discard(t, s, frame, row):
    """Have a card of the own discard pile chosen; whether that is done."""
    me = int(frame[SEAT])
    if not has_answer(s):
        clear_legal(s)
        found = False
        for slot in range(w.SLOTS):
            if s["discard"][me, slot] and v.card_fits(t, s, me, z.card_of(s, me, slot), np.int64(row[tb.R_FILTER])):
                allow(s, actions.OWN_CARD_BASE + slot)
                found = True
        if not found:
            return True
        s["cause"] = int(frame[st.COL_CARD])
        if ask(s, me, w.Q_PICK):
            return False
    slot = take_answer(s) - actions.OWN_CARD_BASE
    s["discard"][me, slot] -= 1
    frame[st.COL_PICKED] = slot + 1
    frame[st.COL_OPEN] = 1
    return True


@kernel
def _from_opp_hand(t, s, frame, row):
    """Look at the other hand and discard a card of it; whether that is done."""
    me = int(frame[SEAT])
    other = 1 - me
    if not has_answer(s):
        z.show_hand(s, other)
        z.log(s, st.L_LOOK, me, other, 0, int(s["hand_size"][other]), st.EVERYBODY)
        clear_legal(s)
        found = False
        bits = int(s["in_hand"][other])
        while bits:
            slot = lowest_bit(bits)
            bits &= bits - 1
            if v.card_fits(t, s, me, z.card_of(s, other, slot), np.int64(row[tb.R_FILTER])):
                allow(s, actions.OTHER_CARD_BASE + np.int64(s["rank"][other, slot]) - 1)
                found = True
        if not found:
            return True
        s["cause"] = int(frame[st.COL_CARD])
        if ask(s, me, w.Q_PICK):
            return False
    slot = slot_of_rank(s, other, take_answer(s) - actions.OTHER_CARD_BASE)
    z.take_from_hand(s, other, slot)
    z.to_discard(s, other, slot, me)
    return True


@kernel
def slot_of_rank(s, owner, rank):
    """The slot that the other seat counts so (H-4)."""
    for slot in range(w.SLOTS):
        if np.int64(s["rank"][owner, slot]) == rank + 1:
            return slot
    return 0


@kernel
def _put(s, frame, op):
    """What becomes of the card that was searched for or taken; done openly, everybody knows it."""
    me, slot = int(frame[SEAT]), int(frame[st.COL_PICKED]) - 1
    if slot < 0:
        return
    frame[st.COL_PICKED] = 0
    seen = st.EVERYBODY if frame[st.COL_OPEN] else 1 << me
    card = np.int64(s["card"][me, slot])
    if op == w.OP_TO_TOP:
        z.put_on_top(s, me, slot, seen)
    elif op == w.OP_TO_HAND:
        z.add_to_hand(s, me, slot, frame[st.COL_OPEN] == 1)
        z.log(s, st.L_TAKE, me, me, card, 1, seen)
    else:
        z.put_down(s, me, me, slot, st.IN_RESERVE)
        z.log(s, st.L_INTO_PLAY, me, me, card, 1, st.EVERYBODY)


@kernel
def _discard_at_random(s, seat):
    """A card of a hand, by the dice (K-4)."""
    if not s["hand_size"][seat]:
        return
    place = rng.below(s, int(s["hand_size"][seat]))
    bits = int(s["in_hand"][seat])
    slot = 0
    while bits:
        slot = lowest_bit(bits)
        bits &= bits - 1
        place -= np.int64(s["hand"][seat, slot])
        if place < 0:
            break
    z.take_from_hand(s, seat, slot)
    z.to_discard(s, seat, slot, -1)


@kernel
def _shuffle_in(s, seat):
    """The discard pile is shuffled into the deck."""
    z.note_shown(s, seat)
    for slot in range(w.SLOTS):
        while s["discard"][seat, slot]:
            s["discard"][seat, slot] -= 1
            size = int(s["deck_size"][seat])
            s["deck"][seat, size] = slot + 1
            s["deck_size"][seat] = size + 1
    z.shuffle_deck(s, seat)


# ---------------------------------------------------------------- the rows


@kernel
def run(t, s, f):
    """Carry out the program of a USE frame from where it stands; whether it has come to its end."""
    frame = s["stack"][f]
    me = int(frame[SEAT])
    while s["outcome"] == st.RUNNING and s["status"] == st.OK:
        pc = int(frame[st.COL_PC])
        if not t["reached"][pc]:
            t["reached"][pc] = 1
        row = t["program"][pc]
        op = np.int64(row[tb.R_OP])
        whom = me if row[tb.R_A] == w.OWN else 1 - me
        if op == w.OP_END:
            return True
        if op == w.OP_SEARCH:
            if not _search(t, s, frame, row):
                return False
        elif op == w.OP_FROM_DISCARD:
            if not _from_discard(t, s, frame, row):
                return False
        elif op == w.OP_FROM_OPP_HAND:
            if not _from_opp_hand(t, s, frame, row):
                return False
        elif op == w.OP_UNLESS:
            if not v.holds(
                t, s, np.int64(row[tb.R_TEST]), np.int64(row[tb.R_TA]), np.int64(row[tb.R_TB]), me, int(frame[st.COL_PLACE]) - 1
            ):
                pc += np.int64(row[tb.R_A])
        elif op == w.OP_LATER:
            add_later(s, np.int64(row[tb.R_B]), pc + 1, me, int(frame[st.COL_PLACE]) - 1, int(frame[st.COL_CARD]) - 1)
            pc += np.int64(row[tb.R_A])
        elif op == w.OP_UNTIL_PHASE or op == w.OP_UNTIL_TURN:
            _until(t, s, frame, row, 1 if op == w.OP_UNTIL_TURN else 0)
        elif op == w.OP_MILL:
            z.mill(s, whom, np.int64(row[tb.R_B]))
        elif op == w.OP_DRAW:
            for _ in range(row[tb.R_B]):
                z.draw(s, whom)
            z.judge(s)
        elif op == w.OP_GAIN_SP or op == w.OP_HEAL:
            x, arg, divided = np.int64(row[tb.R_X]), np.int64(row[tb.R_XARG]), np.int64(row[tb.R_XDIV])
            number = v.amount_of(t, s, me, np.int64(row[tb.R_B]), x, arg, divided)
            if x == w.X_DISCARDED:
                number *= int(frame[st.COL_DISCARDED])
            if op == w.OP_HEAL:
                z.heal(t, s, whom, number)
            else:
                z.gain_sp(s, whom, number)
        elif op == w.OP_DAMAGE:
            z.damage(s, whom, np.int64(row[tb.R_B]))
        elif op == w.OP_DISCARD_RANDOM:
            _discard_at_random(s, 1 - me)
        elif op == w.OP_SHUFFLE_IN:
            _shuffle_in(s, me)
        elif op == w.OP_SHUFFLE:
            z.shuffle_deck(s, me)
        elif op == w.OP_TO_HAND or op == w.OP_TO_TOP or op == w.OP_INTO_PLAY:
            _put(s, frame, op)
        elif op == w.OP_BAN_EVENTS:
            s["events_banned"] = 1
        elif op == w.OP_BATTLE_AGAIN:
            s["battles"] += 1
        elif op == w.OP_END_TURN:
            s["ends"] = 1
        elif row[tb.R_A] == w.ALL:
            frame[st.COL_DISCARDED] = _move_all(t, s, frame, row)
        else:
            place = _place_of(s, frame, np.int64(row[tb.R_A]))
            if place >= 0:
                _move(s, me, op, _side_of(s, frame, np.int64(row[tb.R_A])), place)
        frame[st.COL_PC] = pc + 1
        v.refresh(t, s)
    return True
