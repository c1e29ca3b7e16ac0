"""What a seat may use, place, activate or battle with: requirement, moment, condition, targets and costs (P-4 to P-9, F-1 to F-4)."""

import numpy as np

from danmaku_env.jit.kernels import kernel, lowest_bit
from danmaku_env.sister.utage.cards import box
from danmaku_env.sister.utage.cards import tables as tb
from danmaku_env.sister.utage.cards import words as w
from danmaku_env.sister.utage.engine import actions
from danmaku_env.sister.utage.engine import state as st
from danmaku_env.sister.utage.engine import values as v
from danmaku_env.sister.utage.engine import zones as z

allow = actions.ANSWERS.allow
_PLACES_IN_REPLENISH, _MANY_DOLLS = box.NUMBERS[box.PLACES_IN_REPLENISH], box.NUMBERS[box.MANY_DOLLS]
_MORE_SPELLS = box.NUMBERS[box.MORE_SPELLS]


# ---------------------------------------------------------------- targets


@kernel
def can_target(t, s, me, is_event, side, place, filter_number):
    """Whether an event or ability of a seat may be aimed at a place (F-7)."""
    if not v.fits(t, s, me, side, place, filter_number):
        return False
    safe = st.V_SAFE_FROM_EVENTS if is_event else st.V_SAFE_FROM_ABILITIES
    return side == me or not np.int64(s["value_flags"][side, place]) & safe


@kernel
def allow_place(s, me, side, place):
    """Offer a place as an answer."""
    allow(s, (actions.OWN_PLACE_BASE if side == me else actions.OTHER_PLACE_BASE) + place)


@kernel
def allow_targets(t, s, me, card, is_event, filter_number, offered):
    """The places that may be targeted so that the cost can still be paid; how many. They are offered as answers if that is asked for."""
    found = 0
    for side in range(st.SEATS):
        bits = int(s["used"][side])
        while bits:
            place = lowest_bit(bits)
            bits &= bits - 1
            if can_target(t, s, me, is_event, side, place, filter_number):
                if t["cost"][card, w.USE, tb.COST_RESERVE] == 0 or _has_reserve(t, s, me, card, side, place):
                    found += 1
                    if offered:
                        allow_place(s, me, side, place)
    return found


# ---------------------------------------------------------------- costs


@kernel
def pays_with(t, s, me, card, place):
    """Whether the spell at an own place may be discarded for a card's cost: a reserve spell that requires the character."""
    character = np.int64(t["cost"][card, w.USE, tb.COST_RESERVE]) - 1
    return s["where"][me, place] == st.IN_RESERVE and v.requires(t, np.int64(s["at_card"][me, place]) - 1, character)


@kernel
def _has_reserve(t, s, me, card, target_side, target):
    """Whether a spell is left to be discarded besides the target (P-4)."""
    bits = int(s["used"][me])
    while bits:
        place = lowest_bit(bits)
        bits &= bits - 1
        if pays_with(t, s, me, card, place) and not (target_side == me and target == place):
            return True
    return False


@kernel
def can_pay(t, s, me, card, moment, from_hand):
    """Whether a cost can be paid (P-8); `from_hand` if the card itself is still in the hand."""
    cost = t["cost"][card, moment]
    hand = int(s["hand_size"][me]) - (1 if from_hand else 0)
    if s["sp"][me] < cost[tb.COST_SP] or s["hp"][me] < cost[tb.COST_HP] or hand < cost[tb.COST_HAND]:
        return False
    return cost[tb.COST_RESERVE] == 0 or _has_reserve(t, s, me, card, -1, -1)


@kernel
def pay(s, me, cost):
    """Pay what needs no choice."""
    if cost[tb.COST_SP] or cost[tb.COST_HP]:
        s["sp"][me] -= cost[tb.COST_SP]
        s["hp"][me] -= cost[tb.COST_HP]
        s["stale"] = 1
        if cost[tb.COST_SP]:
            z.log(s, st.L_PAY, me, me, 0, int(cost[tb.COST_SP]), st.EVERYBODY)
        if cost[tb.COST_HP]:
            z.log(s, st.L_PAY_HP, me, me, 0, int(cost[tb.COST_HP]), st.EVERYBODY)


# ---------------------------------------------------------------- events and abilities


@kernel
def _in_time(t, s, me, card, place):
    """Whether what is used belongs to this phase and role, its condition holds, and the machine has room for it (M-1, M-2)."""
    use = t["use"][card]
    if not use[tb.U_PC] or not (np.int64(use[tb.U_PHASES]) >> int(s["phase"])) & 1:
        return False
    if s["lasting_count"] + use[tb.U_LASTING] > st.LASTING or s["later_count"] + use[tb.U_LATER] > st.LATER:
        return False
    if use[tb.U_ROOM] and not z.has_room(s, me):
        return False
    if use[tb.U_ROLE] and (use[tb.U_ROLE] == w.ATTACK) != (me == int(s["attacker"])):
        return False
    return v.holds(t, s, np.int64(use[tb.U_TEST]), np.int64(use[tb.U_TA]), np.int64(use[tb.U_TB]), me, place)


@kernel
def _has_target(t, s, me, card, is_event):
    wanted = np.int64(t["use"][card, tb.U_FILTER]) - 1
    return wanted < 0 or allow_targets(t, s, me, card, is_event, wanted, False) > 0


@kernel
def _does_something(t, s, me, card):
    """Whether the card of the discard pile that an event takes is there at all."""
    if t["program"][np.int64(t["use"][card, tb.U_PC]), tb.R_OP] != w.OP_FROM_DISCARD:
        return True
    for slot in range(w.SLOTS):
        if s["discard"][me, slot]:
            return True
    return False


@kernel
def may_use_event(t, s, me, slot):
    """Whether an event of the hand may be used now (P-5)."""
    card = z.card_of(s, me, slot)
    if t["kind"][card] != w.EVENT or s["events_banned"] or not (int(s["meets"][me]) >> slot) & 1:
        return False
    if not _in_time(t, s, me, card, -1) or not can_pay(t, s, me, card, w.USE, True):
        return False
    return _does_something(t, s, me, card) and _has_target(t, s, me, card, True)


@kernel
def may_use_ability(t, s, me, place):
    """Whether the ability of a card on the own side may be used now (P-6, P-7)."""
    card = np.int64(s["at_card"][me, place]) - 1
    use = t["use"][card]
    if not use[tb.U_PC] or (use[tb.U_LIMIT] and np.int64(s["marks"][me, place]) & st.P_USED_ABILITY):
        return False
    if t["kind"][card] == w.SPELL and s["phase"] == w.BATTLE and s["battling"][me] != place + 1:
        return False
    if use[tb.U_ACTIVE] and s["where"][me, place] != st.IS_ACTIVE:
        return False
    return _in_time(t, s, me, card, place) and can_pay(t, s, me, card, w.ABILITY, False) and _has_target(t, s, me, card, False)


@kernel
def may_use_leader(t, s, me):
    """Whether the ability of the own leader may be used now."""
    card = z.leader_card(s, me)
    if s["leader_used"][me]:
        return False
    return _in_time(t, s, me, card, -1) and can_pay(t, s, me, card, w.ABILITY, False) and _has_target(t, s, me, card, False)


# ---------------------------------------------------------------- supports


@kernel
def may_lie_on_spell(t, s, card, side, place):
    """Whether a spell support may be placed on the spell at a place (F-2, F-6)."""
    where = np.int64(s["where"][side, place])
    if (where != st.IN_RESERVE and where != st.IS_ACTIVE) or s["carries"][side, place] or not z.has_room(s, side):
        return False
    character = np.int64(t["only_spells"][card]) - 1
    return character < 0 or v.requires(t, np.int64(s["at_card"][side, place]) - 1, character)


@kernel
def may_lie_on_leader(t, s, card, side):
    """Whether a leader support may be placed on the leader of a side (F-3, F-6)."""
    if not z.has_room(s, side):
        return False
    many = t["cls"][card] == w.DOLL and z.leader_card(s, side) == _MANY_DOLLS
    if not many and v.count_on_leader(t, s, side, card, 0):
        return False
    only = t["only"][card]
    return v.holds(t, s, np.int64(only[0]), np.int64(only[1]), np.int64(only[2]), side, -1)


@kernel
def allow_hosts(t, s, me, card, offered):
    """Where a support may be placed: how many ways, offered as answers if that is asked for."""
    found = 0
    for turn in range(st.SEATS):
        side = me if turn == 0 else 1 - me
        if t["place"][card] == w.ON_LEADER:
            if may_lie_on_leader(t, s, card, side):
                found += 1
                if offered:
                    allow(s, actions.LEADER_BASE + turn)
            continue
        bits = int(s["used"][side]) if t["place"][card] == w.ON_SPELL else 0
        while bits:
            place = lowest_bit(bits)
            bits &= bits - 1
            if may_lie_on_spell(t, s, card, side, place):
                found += 1
                if offered:
                    allow_place(s, me, side, place)
    return found


@kernel
def may_place(t, s, me, slot):
    """Whether a support of the hand may be placed now."""
    card = z.card_of(s, me, slot)
    if t["kind"][card] != w.SUPPORT or not (int(s["meets"][me]) >> slot) & 1 or not can_pay(t, s, me, card, w.USE, True):
        return False
    if t["place"][card] == w.SCENE:
        return z.has_room(s, me) or z.scene_place(s, me) >= 0
    return allow_hosts(t, s, me, card, False) > 0


# ---------------------------------------------------------------- spells


@kernel
def may_battle(t, s, me, place):
    """Whether a spell may be chosen to attack or intercept (B-1)."""
    if s["where"][me, place] != st.IS_ACTIVE or np.int64(s["value_flags"][me, place]) & st.V_CANNOT_BATTLE:
        return False
    return can_pay(t, s, me, np.int64(s["at_card"][me, place]) - 1, w.TO_BATTLE, False)


@kernel
def may_put_down(t, s, me, slot, placed):
    """Whether a spell of the hand may be put into play (F-1), when `placed` have been in this phase (F-8)."""
    if t["kind"][z.card_of(s, me, slot)] != w.SPELL or not (int(s["meets"][me]) >> slot) & 1 or not z.has_room(s, me):
        return False
    scene = z.scene_place(s, me)
    return placed < (2 if scene >= 0 and s["at_card"][me, scene] == _MORE_SPELLS + 1 else 1)


@kernel
def may_activate(t, s, me, place):
    """Whether a reserve spell may become active (T-4): its SP and extra cost are paid, its requirement met."""
    if s["where"][me, place] != st.IN_RESERVE:
        return False
    meets = (int(s["meets"][me]) >> np.int64(s["at_slot"][me, place])) & 1
    return meets == 1 and can_pay(t, s, me, np.int64(s["at_card"][me, place]) - 1, w.TO_ACTIVE, False)


# ---------------------------------------------------------------- what a seat may do at a moment


@kernel
def allow_uses(t, s, me):
    """Offer events and abilities, and supports to whoever may place them in the own replenish phase (F-8); whether there is any."""
    found = False
    places = s["phase"] == w.REPLENISH and me == int(s["attacker"]) and z.leader_card(s, me) == _PLACES_IN_REPLENISH
    bits = int(s["in_hand"][me])
    while bits:
        slot = lowest_bit(bits)
        bits &= bits - 1
        if may_use_event(t, s, me, slot) or (places and may_place(t, s, me, slot)):
            allow(s, actions.PLAY_BASE + slot)
            found = True
    bits = int(s["used"][me])
    while bits:
        place = lowest_bit(bits)
        bits &= bits - 1
        if may_use_ability(t, s, me, place):
            allow(s, actions.USE_BASE + place)
            found = True
    if may_use_leader(t, s, me):
        allow(s, actions.USE_LEADER)
        found = True
    return found


@kernel
def allow_preparations(t, s, me, placed):
    """Offer spells to put down and to activate, and supports to place."""
    bits = int(s["in_hand"][me])
    while bits:
        slot = lowest_bit(bits)
        bits &= bits - 1
        if may_put_down(t, s, me, slot, placed) or may_place(t, s, me, slot):
            allow(s, actions.PLAY_BASE + slot)
    bits = int(s["used"][me])
    while bits:
        place = lowest_bit(bits)
        bits &= bits - 1
        if may_activate(t, s, me, place):
            allow(s, actions.ACTIVATE_BASE + place)


@kernel
def allow_battlers(t, s, me):
    """Offer the spells that may battle; whether there is any."""
    found = False
    bits = int(s["used"][me])
    while bits:
        place = lowest_bit(bits)
        bits &= bits - 1
        if may_battle(t, s, me, place):
            allow(s, actions.OWN_PLACE_BASE + place)
            found = True
    return found
