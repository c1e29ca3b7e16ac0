"""The greedy bot: it looks one answer ahead, and judges a battle by the values as they stand.

It attacks if that wins more than it loses, intercepts likewise, keeps the cost of the border, and spends the rest on spells.
"""

import numpy as np

from danmaku_env.jit.kernels import entry, kernel, lowest_bit
from danmaku_env.machine import rng
from danmaku_env.machine.records import OK, RUNNING
from danmaku_env.sister.utage.cards import tables as tb
from danmaku_env.sister.utage.cards import words as w
from danmaku_env.sister.utage.engine import actions
from danmaku_env.sister.utage.engine import state as st
from danmaku_env.sister.utage.engine import values as v
from danmaku_env.sister.utage.engine import zones as z
from danmaku_env.sister.utage.engine.advance import advance

is_legal, count_legal, legal_answer = actions.ANSWERS.is_legal, actions.ANSWERS.count_legal, actions.ANSWERS.legal_answer
give_answer = actions.ANSWERS.give_answer
AT_RANDOM, GREEDY = range(2)
_FAST, _SLOW = w.KEYWORDS.index(w.FAST), w.KEYWORDS.index(w.SLOW)
_GUIDED, _PENETRATION, _PROTECTION = w.KEYWORDS.index(w.GUIDED), w.KEYWORDS.index(w.PENETRATION), w.KEYWORDS.index(w.PROTECTION)


@kernel
def _evasion(s, side, place, other_side, other):
    """What the own leader's EV is against an enemy spell, with a spell of its own (place -1: none), from values that stand apart."""
    ev = int(s["value_ev"][side])
    if place >= 0 and other >= 0 and s["value_keyword"][other_side, other, _GUIDED] <= 0:
        if s["value_type"][other_side, other] == w.CONCENTRATED:
            ev += max(0, int(s["value_keyword"][side, place, _FAST]))
        elif s["value_type"][other_side, other] == w.SPREAD:
            ev += max(0, int(s["value_keyword"][side, place, _SLOW]))
    return ev


@kernel
def _harm(s, side, place, other, attacks):
    """Twice the damage that a spell may be expected to do to the other leader, which intercepts or attacks with `other` (-1: with none)."""
    hv, ev = int(s["value_hv"][side, place]), _evasion(s, 1 - side, other, side, place)
    if hv < ev:
        return 0
    amount = int(s["value_av"][side, place]) if attacks else int(s["value_iv"][side, place])
    if other >= 0 and s["value_keyword"][side, place, _PENETRATION] <= 0:
        amount -= max(0, int(s["value_keyword"][1 - side, other, _PROTECTION]))
    amount = max(0, amount)
    if hv == ev and s["sp"][1 - side] >= s["value_bv"][1 - side]:
        return amount
    return 2 * amount


@kernel
def _best_interceptor(s, side, place):
    """What the other side's best answer to an attack leaves of it, twice counted: harm done less harm taken."""
    best = _harm(s, side, place, -1, True)
    bits = int(s["used"][1 - side])
    while bits:
        at = lowest_bit(bits)
        bits &= bits - 1
        if s["where"][1 - side, at] == st.IS_ACTIVE and not np.int64(s["value_flags"][1 - side, at]) & st.V_CANNOT_BATTLE:
            best = min(best, _harm(s, side, place, at, True) - _harm(s, 1 - side, at, place, False))
    return best


@kernel
def _attack(s, seat):
    """The spell to attack with, or none where the best answer to each wins more."""
    best, answer = 0, actions.PASS
    for place in range(w.PLACES):
        if is_legal(s, actions.OWN_PLACE_BASE + place):
            worth = _best_interceptor(s, seat, place)
            if worth >= best and (worth > 0 or answer == actions.PASS):
                best, answer = worth, actions.OWN_PLACE_BASE + place
    return answer


@kernel
def _intercept(s, seat):
    """The spell to intercept with, or none."""
    enemy = int(s["battling"][1 - seat]) - 1
    best, answer = -_harm(s, 1 - seat, enemy, -1, True), actions.PASS
    for place in range(w.PLACES):
        if is_legal(s, actions.OWN_PLACE_BASE + place):
            worth = _harm(s, seat, place, enemy, False) - _harm(s, 1 - seat, enemy, place, True)
            if worth > best:
                best, answer = worth, actions.OWN_PLACE_BASE + place
    return answer


@kernel
def _lead(s, me):
    """By how much the battle at hand goes for a seat, twice counted, with the values as they stand (keywords are in them)."""
    total = 0
    for turn in range(st.SEATS):
        side = me if turn == 0 else 1 - me
        place = int(s["battling"][side]) - 1
        if place < 0:
            continue
        hv, ev = int(s["value_hv"][side, place]), int(s["value_ev"][1 - side])
        amount = max(0, int(s["value_av"][side, place]) if side == int(s["attacker"]) else int(s["value_iv"][side, place]))
        harm = 0 if hv < ev else amount if hv == ev and s["sp"][1 - side] >= s["value_bv"][1 - side] else 2 * amount
        total += harm if turn == 0 else -harm
    return total


@kernel
def _gain_of(t, s, me, card, place):
    """What the changes of an event or ability would bring in the battle at hand, for its best target; twice counted."""
    mine, theirs = int(s["battling"][me]) - 1, int(s["battling"][1 - me]) - 1
    hv, av, iv, ev, guarded = 0, 0, 0, 0, 0
    pc = np.int64(t["use"][card, tb.U_PC])
    while t["program"][pc, tb.R_OP] == w.OP_UNTIL_PHASE:
        row = t["program"][pc]
        stat, scope = np.int64(row[tb.R_B]), np.int64(row[tb.R_A])
        amount = v.amount_of(t, s, me, np.int64(row[tb.R_C]), np.int64(row[tb.R_X]), np.int64(row[tb.R_XARG]), np.int64(row[tb.R_XDIV]))
        if stat == w.EV and scope == w.OWN_LEADER:
            ev += amount
        elif stat == w.HV:
            hv += amount
        elif stat == w.AV:
            av += amount
        elif stat == w.IV:
            iv += amount
        elif stat == w.PROTECTION:
            guarded += amount
        elif (theirs >= 0 and stat == w.FAST and s["value_type"][1 - me, theirs] == w.CONCENTRATED) or (
            theirs >= 0 and stat == w.SLOW and s["value_type"][1 - me, theirs] == w.SPREAD
        ):
            ev += amount
        pc += 1
    before = _lead(s, me)
    if mine >= 0:
        s["value_hv"][me, mine] += hv
        s["value_av"][me, mine] += av
        s["value_iv"][me, mine] += iv
    s["value_ev"][me] += ev
    if theirs >= 0:
        s["value_av"][1 - me, theirs] -= guarded
        s["value_iv"][1 - me, theirs] -= guarded
    after = _lead(s, me)
    v.work_out(t, s)
    return after - before


@kernel
def _act_in_battle(t, s, me):
    """The event or ability that turns the battle most for its price, if any is worth it."""
    best, answer = 0, actions.PASS
    for place in range(count_legal(s)):
        one = legal_answer(s, place)
        if one == actions.PASS:
            continue
        card, moment = z.leader_card(s, me), w.ABILITY
        if one >= actions.USE_BASE:
            card = np.int64(s["at_card"][me, one - actions.USE_BASE]) - 1
        elif one >= actions.PLAY_BASE:
            card, moment = z.card_of(s, me, one - actions.PLAY_BASE), w.USE
        gain = 4 * _gain_of(t, s, me, card, one) - int(t["cost"][card, moment, tb.COST_SP]) - 3 * int(t["cost"][card, moment, tb.COST_HAND])
        if gain > best:
            best, answer = gain, one
    return answer


@kernel
def _act(t, s, me):
    """In the replenish phase: events that take something at no loss."""
    for place in range(count_legal(s)):
        one = legal_answer(s, place)
        if (
            actions.PLAY_BASE <= one < actions.ACTIVATE_BASE
            and not t["cost"][z.card_of(s, me, one - actions.PLAY_BASE), w.USE, tb.COST_HAND]
        ):
            card = z.card_of(s, me, one - actions.PLAY_BASE)
            op = np.int64(t["program"][np.int64(t["use"][card, tb.U_PC]), tb.R_OP])
            keeps = int(s["sp"][me]) - int(t["cost"][card, w.USE, tb.COST_SP]) >= s["value_bv"][me]
            useful = op == w.OP_SEARCH or op == w.OP_FROM_OPP_HAND or op == w.OP_MILL or op == w.OP_LATER or op == w.OP_ACTIVATE
            if keeps and useful:
                return one
    return actions.PASS


@kernel
def _worth(t, card):
    """What a spell or other card is worth to have, roughly."""
    if t["kind"][card] == w.SPELL:
        return 2 * int(t["av"][card]) + int(t["iv"][card]) + 2 * int(t["hv"][card])
    return 4 + int(t["sp"][card])


@kernel
def _prepare(t, s, me):
    """Activate the best spell that can be paid with the border's price left; put the best one down; place supports with what remains."""
    active, bits = 0, int(s["used"][me])
    while bits:
        if s["where"][me, lowest_bit(bits)] == st.IS_ACTIVE:
            active += 1
        bits &= bits - 1
    spare = int(s["sp"][me]) - (int(s["value_bv"][me]) if active else 0)
    best, answer = 0, actions.PASS
    for place in range(count_legal(s)):
        one = legal_answer(s, place)
        worth = 0
        if one >= actions.ACTIVATE_BASE:
            card = np.int64(s["at_card"][me, one - actions.ACTIVATE_BASE]) - 1
            if int(t["sp"][card]) <= spare:
                worth = 100 + _worth(t, card)
        elif one >= actions.PLAY_BASE:
            card = z.card_of(s, me, one - actions.PLAY_BASE)
            if t["kind"][card] == w.SPELL:
                worth = 50 + _worth(t, card)
            elif active >= 1 and int(t["sp"][card]) <= spare - 2:
                worth = 10 + int(t["sp"][card])
        if worth > best:
            best, answer = worth, one
    return answer


@kernel
def _worst_in_hand(t, s, me):
    """The card of the hand that is worth least, among the legal answers."""
    best, answer = 1 << 20, -1
    for slot in range(w.SLOTS):
        if is_legal(s, actions.OWN_CARD_BASE + slot):
            card = z.card_of(s, me, slot)
            worth = _worth(t, card) if (int(s["meets"][me]) >> slot) & 1 else -1
            if worth < best:
                best, answer = worth, actions.OWN_CARD_BASE + slot
    return answer


@kernel
def _target(t, s, me):
    """The own battling spell where an effect helps, the other's where it hurts; a support that helps goes to the own best spell."""
    battling = int(s["battling"][me]) - 1
    if battling >= 0 and is_legal(s, actions.OWN_PLACE_BASE + battling):
        return actions.OWN_PLACE_BASE + battling
    cause = int(s["cause"]) - 1
    hurts = cause >= 0 and _hurts(t, cause)
    best, answer = -1, legal_answer(s, 0)
    for side in range(st.SEATS):
        mine = side == me
        base = actions.OWN_PLACE_BASE if mine else actions.OTHER_PLACE_BASE
        for place in range(w.PLACES):
            if is_legal(s, base + place):
                worth = _worth(t, np.int64(s["at_card"][side, place]) - 1)
                worth += (200 if mine != hurts else 0) + (50 if s["where"][side, place] == st.IS_ACTIVE else 0)
                if worth > best:
                    best, answer = worth, base + place
    for leader in range(st.SEATS):
        if is_legal(s, actions.LEADER_BASE + leader) and (leader == 0) != hurts:
            answer = actions.LEADER_BASE + leader
    return answer


@kernel
def _hurts(t, card):
    """Whether a card is put on, or aimed at, what belongs to the other."""
    if t["kind"][card] == w.SUPPORT:
        for line in range(np.int64(t["span"][card, 0]), np.int64(t["span"][card, 1])):
            row = t["statics"][line]
            if row[tb.S_SCOPE] == w.HOST and (row[tb.S_AMOUNT] < 0 or row[tb.S_STAT] == w.CANNOT_BATTLE):
                return True
        trigger = t["trigger"][card]
        return trigger[tb.T_PC] > 0 and t["program"][np.int64(trigger[tb.T_PC]), tb.R_OP] == w.OP_DAMAGE
    op = np.int64(t["program"][np.int64(t["use"][card, tb.U_PC]), tb.R_OP])
    return op == w.OP_DISCARD or op == w.OP_RESERVE or op == w.OP_RETURN or op == w.OP_UNTIL_TURN


@kernel
def _best_card(t, s, me):
    """The best card of a search, of a discard pile, or of the other's hand."""
    best, answer = -1, legal_answer(s, 0)
    for slot in range(w.SLOTS):
        if is_legal(s, actions.OWN_CARD_BASE + slot):
            worth = _worth(t, z.card_of(s, me, slot)) + (100 if (int(s["meets"][me]) >> slot) & 1 else 0)
            if worth > best:
                best, answer = worth, actions.OWN_CARD_BASE + slot
        rank = np.int64(s["rank"][1 - me, slot]) - 1
        if rank >= 0 and is_legal(s, actions.OTHER_CARD_BASE + rank):
            worth = _worth(t, z.card_of(s, 1 - me, slot))
            if worth > best:
                best, answer = worth, actions.OTHER_CARD_BASE + rank
    return answer


@kernel
def _leader(s, me):
    """The character that the team has most often."""
    best, answer = -1, actions.CHARACTER_BASE
    for place in range(w.TEAM):
        level = int(s["level"][me, np.int64(s["team"][me, place])])
        if is_legal(s, actions.CHARACTER_BASE + place) and level > best:
            best, answer = level, actions.CHARACTER_BASE + place
    return answer


@kernel
def answer_of(t, s):
    """The greedy bot's answer to the pending question."""
    me, question = int(s["asking"]), int(s["question"])
    if question == w.Q_LEADER:
        return _leader(s, me)
    if question == w.Q_MULLIGAN or question == w.Q_BORDER:
        return actions.YES
    if question == w.Q_ATTACK:
        return _attack(s, me)
    if question == w.Q_INTERCEPT:
        return _intercept(s, me)
    if question == w.Q_ACT:
        return _act_in_battle(t, s, me) if s["phase"] == w.BATTLE else _act(t, s, me)
    if question == w.Q_PREPARE:
        return _prepare(t, s, me)
    if question == w.Q_DISCARD or (question == w.Q_PAY and _worst_in_hand(t, s, me) >= 0):
        return _worst_in_hand(t, s, me)
    if question == w.Q_TARGET or question == w.Q_PLACE_ON:
        return _target(t, s, me)
    if question == w.Q_SEARCH or question == w.Q_PICK:
        return _best_card(t, s, me)
    return legal_answer(s, 0)


@entry
def answer_rows(tables, games, chosen):
    """The greedy bot's answer in every game: `chosen` [B] is written."""
    for i in range(len(games)):
        chosen[i] = answer_of(tables[0], games[i])


@entry
def play_out(tables, games, bots, limit, rng_record):
    """Play every game on with bots [B, 2], AT_RANDOM or GREEDY, up to `limit` answers each, or to its end."""
    t, r = tables[0], rng_record[0]
    for i in range(len(games)):
        s = games[i]
        for _ in range(limit):
            if s["outcome"] != RUNNING or s["status"] != OK:
                break
            if bots[i, int(s["asking"])] == AT_RANDOM:
                answer = legal_answer(s, rng.below(r, count_legal(s)))
            else:
                answer = answer_of(t, s)
            give_answer(s, answer)
            advance(t, s)
