"""Family LIFE: attacks are put on the stack, life is lost and regained by card effects.

What becomes of an attack that is on the stack is `procedures/attack.py`; what losing and gaining life brings with it is
`procedures/life.py`. This module has what a program's row adds: who does it, whether the target is in range, and whose interaction it is.
"""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.tables import R_A, R_C, R_CODE, R_COUNT, T_INCIDENT
from danmaku_env.engine import distances, groups, queries, stack
from danmaku_env.engine import frames as fr
from danmaku_env.engine.procedures import attack, life
from danmaku_env.jit.kernels import kernel


@kernel
def _loop_of(t, pc):
    """The operation that heads the loop whose whole body the program row is, with the same attack in every round; or 0."""
    row = t["program"][pc]
    head = int(t["program"][pc - 1, R_CODE])
    if head != v.COUNT_DOWN and (head != v.NEXT_EACH or row[R_A] != v.EACH or row[R_COUNT]):
        return 0
    after = t["program"][pc + 1]
    return head if after[R_CODE] == v.JUMP and after[R_C] == pc - 1 else 0


@kernel
def _attackable(t, s, f, attacker, seats, flags):
    """Those of the seats that the attacker may attack now: others, active and in range. Nobody looks at range again (K-12, K-13, A-16)."""
    if not queries.is_active(s, attacker):
        return 0
    seats &= distances.near_mask(t, s, attacker, 0)
    if flags & v.ANY_RANGE:
        return seats & np.int64(s["active"]) & ~(1 << attacker)
    bonus = int(s["stack"][f, fr.PLAY_AMOUNT]) if flags & v.BOOSTED else 0
    return seats & distances.range_mask(t, s, attacker, bonus, 0)


@kernel
def _attack(t, s, f, word, damage, flags):
    """Put attacks on the stack: one, or all those of a loop that does nothing but attack (K-9)."""
    frame = s["stack"][f]
    target = groups.who(s, f, word)
    attacker = groups.who(s, f, v.SECOND if flags & v.BY_SECOND else v.ME)
    seats = 1 << target if target >= 0 else 0
    times = 1
    loop = _loop_of(t, int(frame[fr.PLAY_PC]))
    if loop:
        if loop == v.NEXT_EACH:
            seats |= int(frame[fr.PLAY_REMAINING])
        else:
            times += int(frame[fr.PLAY_REMAINING])
        frame[fr.PLAY_REMAINING] = 0
    seats = _attackable(t, s, f, attacker, seats, flags)
    if seats == 0:
        return
    if queries.has_expansion(s):
        damage = min(damage + queries.stat(t, s, attacker, v.DAMAGE), fr.MOST_NUMBER)
        if queries.stat(t, s, attacker, v.SURE_ATTACKS) > 0:
            flags |= v.UNAVOIDABLE
    source = stack.attack_source(t, s, f)
    if source >= 0 and source != f:
        s["stack"][source, fr.PLAY_FLAGS] = int(s["stack"][source, fr.PLAY_FLAGS]) | fr.HAS_EXTRA_ATTACK
    a = stack.push(s, fr.ATTACK_FRAME, attacker)
    attacks = s["stack"][a]
    attacks[fr.ATTACK_TEXT] = frame[fr.PLAY_TEXT]
    attacks[fr.ATTACK_DAMAGE] = damage
    if flags & v.UNAVOIDABLE:
        attacks[fr.ATTACK_SURE] = seats
    elif queries.has_expansion(s) and queries.stat(t, s, attacker, v.PREYS_ON_LAST_LIFE) > 0:  # L-15
        attacks[fr.ATTACK_SURE] = seats & queries.last_life_mask(s)
    attacks[fr.ATTACK_SOURCE] = source + 1
    attacks[fr.ATTACK_AGAIN] = times
    attacks[fr.ATTACK_PENDING] = seats
    attack.announce(s, a)


@kernel
def _lose_life(t, s, f, victim, amount):
    """Direct life loss; from a card or Spell Card it counts as damage done by its controller (A-20)."""
    if victim < 0 or not queries.is_active(s, victim):
        return
    seat = int(s["stack"][f, fr.SEAT])
    life.lose_life(t, s, victim, amount, seat if victim != seat else -1, 0, f)


@kernel
def _healer(t, s, f):
    """Who heals in this frame: its controller, or nobody when an incident does."""
    frame = s["stack"][f]
    return -1 if t["text"][int(frame[fr.PLAY_TEXT]), T_INCIDENT] else int(frame[fr.SEAT])


@kernel
def carry_out(t, s, f, op, a, b, c):
    seat = groups.who(s, f, a)
    if op == v.ATTACK:
        _attack(t, s, f, a, b, c)
    elif op == v.LOSE_LIFE:
        _lose_life(t, s, f, seat, b)
    elif seat >= 0 and op == v.GAIN_LIFE:
        life.gain_life(t, s, seat, b, _healer(t, s, f))
    elif seat >= 0:
        life.revive(t, s, seat, _healer(t, s, f))
