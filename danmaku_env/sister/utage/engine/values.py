"""The values of everything on the field, worked out from what is printed and all that holds now (V-1).

Only `work_out` applies the layers, in the order of `words.ORDER`: what is printed; four layers of static texts; lasting effects, in the
order in which they came; the keywords of the battling spells. No value is kept: whatever changes the field sets `stale`, and before each
question and each hit all values are worked out again.
"""

import numpy as np

from danmaku_env.jit.kernels import kernel, lowest_bit, shared
from danmaku_env.sister.utage.cards import tables as tb
from danmaku_env.sister.utage.cards import words as w
from danmaku_env.sister.utage.engine import state as st
from danmaku_env.sister.utage.engine import zones as z

_MOST = 100
"""Values stay within this, far beyond what play reaches."""
_BATTLE_ONLY = 1 << w.BATTLE
_PROTECTION, _FAST, _SLOW, _FAITH, _GUIDED, _PENETRATION = (w.KEYWORDS.index(stat) for stat in w.KEYWORDS)
_FIRST_KEYWORD = w.PROTECTION


# ---------------------------------------------------------------- what texts ask


@kernel
def count_on_leader(t, s, side, card, cls):
    """Supports on the leader of a side: of a card, or of a class, or with neither all of them."""
    found, bits = 0, int(s["used"][side])
    while bits:
        place = lowest_bit(bits)
        bits &= bits - 1
        if s["where"][side, place] == st.AT_LEADER:
            number = np.int64(s["at_card"][side, place]) - 1
            if (card < 0 or number == card) and (not cls or t["cls"][number] == cls):
                found += 1
    return found


@kernel
def amount_of(t, s, me, number, what, arg, divided_by):
    """A number of a text, counted now (V-11)."""
    if what == w.X_CLASS:
        return number * (count_on_leader(t, s, me, -1, arg) // divided_by)
    if what == w.X_CARD:
        return number * (count_on_leader(t, s, me, arg, 0) // divided_by)
    if what == w.X_LEADER_LEVEL:
        return number * (np.int64(s["level"][me, z.leader_card(s, me)]) // divided_by)
    return number


@kernel
def holds(t, s, test, a, b, me, place):
    """Whether a condition of a text holds, for the seat that controls it and the place of its card, or -1."""
    if test == w.C_ALWAYS:
        return True
    found = _test(t, s, test, a, b, me, place)
    outcome = 1 if found else 0
    if not t["tested"][test, outcome]:
        t["tested"][test, outcome] = 1
    return found


@kernel
def _test(t, s, test, a, b, me, place):
    if test == w.C_OWN_TRAIT:
        return np.int64(t["traits"][z.leader_card(s, me)]) & a != 0
    if test == w.C_OPP_TRAIT:
        return np.int64(t["traits"][z.leader_card(s, 1 - me)]) & a != 0
    if test == w.C_LEVEL:
        return s["level"][me, a] >= b
    if test == w.C_HP_AT_MOST:
        return s["hp"][me] <= a
    if test == w.C_CARRIES:
        return count_on_leader(t, s, me, a, 0) + count_on_leader(t, s, me, b, 0) > 0
    if test == w.C_CARRIES_BOTH:
        return count_on_leader(t, s, me, a, 0) > 0 and count_on_leader(t, s, me, b, 0) > 0
    if test == w.C_COPIES:
        return count_on_leader(t, s, me, a, 0) >= b
    if test == w.C_CARRIES_CLASS:
        return count_on_leader(t, s, me, -1, a) >= b
    if test == w.C_LACKS_CLASS:
        return count_on_leader(t, s, me, -1, a) < b
    if test == w.C_OWN_LEADER:
        return z.leader_card(s, me) == a
    if test == w.C_MORE_SUPPORTS:
        return count_on_leader(t, s, me, -1, 0) > count_on_leader(t, s, 1 - me, -1, 0)
    if test == w.C_BATTLING:
        return s["battling"][me] == place + 1
    if test == w.C_USED:
        return place >= 0 and np.int64(s["marks"][me, place]) & st.P_USED_IN_BATTLE != 0
    hits = int(s["half"]) > 0 and (me == int(s["attacker"])) == (int(s["half"]) == 1)
    if test == w.C_HIT:
        return hits and s["battling"][me] == place + 1 and (np.int64(s["hit"]) >> (1 - me)) & 1 == 1
    return hits and (np.int64(s["hurt"]) >> (1 - me)) & 1 == 1


@kernel
def requires(t, number, character):
    """Whether a card's requirement names a character."""
    return t["requirement"][number, character] > 0


@kernel
def card_fits(t, s, me, number, filter_number):
    """Whether a card fits what a filter says of cards, wherever it is."""
    f = t["filter"][filter_number]
    if not np.int64(t["kind"][number]) & np.int64(f[tb.F_KINDS]):
        return False
    if f[tb.F_CHARACTER] and not requires(t, number, np.int64(f[tb.F_CHARACTER]) - 1):
        return False
    if f[tb.F_CARD] and f[tb.F_CARD] != number + 1:
        return False
    if f[tb.F_BUT] == number + 1:
        return False
    level = t["level"][number]
    if level < f[tb.F_LOW] or level > f[tb.F_HIGH] or level == f[tb.F_NOT_LEVEL]:
        return False
    if f[tb.F_CLASS] and t["kind"][number] == w.SUPPORT and t["cls"][number] != f[tb.F_CLASS]:
        return False
    if f[tb.F_LEADER]:
        named = requires(t, number, z.leader_card(s, me))
        if named != (f[tb.F_LEADER] == w.OF_OWN_LEADER):
            return False
    return True


@kernel
def fits(t, s, me, side, place, filter_number):
    """Whether the card at a place fits a filter, seen from the seat that controls the text."""
    f = t["filter"][filter_number]
    if not np.int64(f[tb.F_SIDE]) & (w.OWN if side == me else w.OPP):
        return False
    number = np.int64(s["at_card"][side, place]) - 1
    if not card_fits(t, s, me, number, filter_number):
        return False
    where = np.int64(s["where"][side, place])
    if where == st.IN_RESERVE or where == st.IS_ACTIVE:
        if not np.int64(f[tb.F_WHERE]) & (w.RESERVE if where == st.IN_RESERVE else w.ACTIVE):
            return False
        if f[tb.F_TYPE] and s["value_type"][side, place] != f[tb.F_TYPE]:
            return False
        if f[tb.F_CLASS] and not carries_class(t, s, side, place, np.int64(f[tb.F_CLASS])):
            return False
        if f[tb.F_PLAYABLE] and not (int(s["meets"][s["at_owner"][side, place]]) >> np.int64(s["at_slot"][side, place])) & 1:
            return False
    return not f[tb.F_ON_LEADER] or where == st.AT_LEADER


@kernel
def carries_class(t, s, side, place, cls):
    """Whether a spell carries a support of a class, or counts as carrying one."""
    if cls == w.SHIKIGAMI and np.int64(s["value_flags"][side, place]) & st.V_SHIKIGAMI:
        return True
    support = np.int64(s["carries"][side, place]) - 1
    return support >= 0 and t["cls"][np.int64(s["at_card"][side, support]) - 1] == cls


# ---------------------------------------------------------------- changing a value


@kernel
def _bounded(number):
    return max(-_MOST, min(_MOST, number))


@kernel
def _change(s, side, place, stat, amount):
    """Change a value of the card at a place."""
    if stat == w.AV:
        s["value_av"][side, place] = _bounded(int(s["value_av"][side, place]) + amount)
    elif stat == w.IV:
        s["value_iv"][side, place] = _bounded(int(s["value_iv"][side, place]) + amount)
    elif stat == w.HV:
        s["value_hv"][side, place] = _bounded(int(s["value_hv"][side, place]) + amount)
    elif stat == w.BECOMES:
        s["value_type"][side, place] = amount
    elif stat == w.COUNTS_AS:
        s["value_flags"][side, place] = np.int64(s["value_flags"][side, place]) | st.V_SHIKIGAMI
    elif stat == w.CANNOT_BATTLE:
        s["value_flags"][side, place] = np.int64(s["value_flags"][side, place]) | st.V_CANNOT_BATTLE
    elif stat == w.SAFE_FROM_EVENTS:
        s["value_flags"][side, place] = np.int64(s["value_flags"][side, place]) | st.V_SAFE_FROM_EVENTS
    elif stat == w.SAFE_FROM_ABILITIES:
        s["value_flags"][side, place] = np.int64(s["value_flags"][side, place]) | st.V_SAFE_FROM_ABILITIES
    elif stat >= _FIRST_KEYWORD:
        keyword = stat - _FIRST_KEYWORD
        s["value_keyword"][side, place, keyword] = _bounded(int(s["value_keyword"][side, place, keyword]) + amount)


@kernel
def _change_ev(s, seat, amount):
    s["value_ev"][seat] = _bounded(int(s["value_ev"][seat]) + amount)


@kernel
def _apply(t, s, me, place, scope, filter_number, stat, amount):
    """Carry a change out on all that it is for."""
    if scope == w.OWN_LEADER:
        _change_ev(s, me, amount)
    elif scope == w.OPP_LEADER:
        _change_ev(s, 1 - me, amount)
    elif scope == w.BOTH_LEADERS:
        _change_ev(s, me, amount)
        _change_ev(s, 1 - me, amount)
    elif scope == w.THIS:
        if place >= 0:
            _change(s, me, place, stat, amount)
    elif scope == w.HOST:
        host = np.int64(s["host"][me, place]) - 1
        if host >= 0:
            _change(s, me, host, stat, amount)
    elif scope == w.OPP_BATTLING:
        if s["battling"][1 - me]:
            _change(s, 1 - me, int(s["battling"][1 - me]) - 1, stat, amount)
    elif scope == w.ALL:
        for side in range(st.SEATS):
            bits = int(s["used"][side])
            while bits:
                at = lowest_bit(bits)
                bits &= bits - 1
                if fits(t, s, me, side, at, filter_number):
                    _change(s, side, at, stat, amount)


# ---------------------------------------------------------------- in the order of V-1


@kernel
def _print(t, s):
    """What is printed."""
    for side in range(st.SEATS):
        leader = z.leader_card(s, side)
        s["value_ev"][side] = t["ev"][leader]
        s["value_bv"][side] = t["bv"][leader]
        bits = int(s["used"][side])
        while bits:
            place = lowest_bit(bits)
            bits &= bits - 1
            number = np.int64(s["at_card"][side, place]) - 1
            s["value_av"][side, place] = t["av"][number]
            s["value_iv"][side, place] = t["iv"][number]
            s["value_hv"][side, place] = t["hv"][number]
            s["value_type"][side, place] = t["type"][number]
            s["value_flags"][side, place] = 0
            for keyword in range(len(w.KEYWORDS)):
                s["value_keyword"][side, place, keyword] = t["keyword"][number, keyword]


@kernel
def _texts_of(t, s, layer, me, place, number):
    """The static texts of one card that belong to a layer."""
    low, high = np.int64(t["span"][number, 0]), np.int64(t["span"][number, 1])
    for line in range(low, high):
        row = t["statics"][line]
        if row[tb.S_LAYER] != layer or not (np.int64(row[tb.S_PHASES]) >> int(s["phase"])) & 1:
            continue
        if row[tb.S_ROLE] and (row[tb.S_ROLE] == w.ATTACK) != (me == int(s["attacker"])):
            continue
        if t["kind"][number] == w.SPELL and row[tb.S_PHASES] == _BATTLE_ONLY and s["battling"][me] != place + 1:
            continue
        if holds(t, s, np.int64(row[tb.S_TEST]), np.int64(row[tb.S_TA]), np.int64(row[tb.S_TB]), me, place):
            if not t["said"][line]:
                t["said"][line] = 1
            x, arg, divided = np.int64(row[tb.S_X]), np.int64(row[tb.S_XARG]), np.int64(row[tb.S_XDIV])
            amount = amount_of(t, s, me, np.int64(row[tb.S_AMOUNT]), x, arg, divided)
            _apply(t, s, me, place, np.int64(row[tb.S_SCOPE]), np.int64(row[tb.S_FILTER]), np.int64(row[tb.S_STAT]), amount)


@kernel
def _layers_by_phase(t, s):
    """Which layers have a static text of some card there in each phase (`tables.says_bit`)."""
    found = np.int64(0)
    for side in range(st.SEATS):
        found |= np.int64(t["says"][z.leader_card(s, side)])
        bits = int(s["used"][side])
        while bits:
            found |= np.int64(t["says"][np.int64(s["at_card"][side, lowest_bit(bits)]) - 1])
            bits &= bits - 1
    return found


@kernel
def _statics(t, s, layer, says):
    """All static texts of a layer, which cards have that say something in this phase."""
    for turn in range(st.SEATS):
        me = int(s["attacker"]) if turn == 0 else 1 - int(s["attacker"])
        leader = z.leader_card(s, me)
        if (np.int64(t["says"][leader]) >> says) & 1:
            _texts_of(t, s, layer, me, -1, leader)
        bits = int(s["used"][me])
        while bits:
            place = lowest_bit(bits)
            bits &= bits - 1
            number = np.int64(s["at_card"][me, place]) - 1
            if (np.int64(t["says"][number]) >> says) & 1:
                _texts_of(t, s, layer, me, place, number)


@kernel
def _effects(t, s):
    """Effects that last, in the order they came."""
    for line in range(s["lasting_count"]):
        row = s["lasting"][line]
        me, scope, stat, amount = int(row[st.LA_WHOSE]), int(row[st.LA_SCOPE]), int(row[st.LA_STAT]), int(row[st.LA_AMOUNT])
        if scope == w.TARGET or scope == w.THIS:
            _change(s, int(row[st.LA_SIDE]), int(row[st.LA_PLACE]) - 1, stat, amount)
        else:
            _apply(t, s, me, -1, scope, int(row[st.LA_FILTER]), stat, amount)


@kernel
def keyword(s, side, which):
    """A keyword of the battling spell of a side; 0 without one (V-4), and never below (V-3)."""
    place = int(s["battling"][side]) - 1
    return max(0, int(s["value_keyword"][side, place, which])) if place >= 0 else 0


@kernel
def _keywords(s):
    """What the keywords of the battling spells do (V-3)."""
    for side in range(st.SEATS):
        enemy = int(s["battling"][1 - side]) - 1
        if not s["battling"][side] or enemy < 0:
            continue
        if not keyword(s, 1 - side, _PENETRATION):
            taken = keyword(s, side, _PROTECTION)
            _change(s, 1 - side, enemy, w.AV, -taken)
            _change(s, 1 - side, enemy, w.IV, -taken)
        if not keyword(s, 1 - side, _GUIDED):
            if s["value_type"][1 - side, enemy] == w.CONCENTRATED:
                _change_ev(s, side, keyword(s, side, _FAST))
            elif s["value_type"][1 - side, enemy] == w.SPREAD:
                _change_ev(s, side, keyword(s, side, _SLOW))


@shared
def work_out(t, s):
    """Work all values out anew."""
    s["stale"] = 0
    if s["leader"][0] < 0 or s["leader"][1] < 0:
        return
    layers = _layers_by_phase(t, s)
    for step in range(len(w.LAYERS)):
        layer = np.int64(t["order"][step])
        says = layer * len(w.PHASES) + int(s["phase"])
        if layer == w.L_PRINTED:
            _print(t, s)
        elif layer == w.L_UNTIL:
            _effects(t, s)
        elif layer == w.L_KEYWORDS:
            if s["phase"] == w.BATTLE:
                _keywords(s)
        elif (layers >> says) & 1:
            _statics(t, s, layer, says)


@kernel
def refresh(t, s):
    """Work the values out anew where something has changed."""
    if s["stale"]:
        work_out(t, s)


@kernel
def spell_damage(s, side, place, defender):
    """What the battling spell of a side does to the other leader when it hits: AV or IV, less what faith takes (V-5, V-6)."""
    amount = int(s["value_av"][side, place]) if side == int(s["attacker"]) else int(s["value_iv"][side, place])
    faith = max(0, keyword(s, defender, _FAITH) - keyword(s, side, _FAITH))
    return 0 if amount <= faith else amount
