"""Family LIFE: attacks are put on the stack, life is lost and regained by card effects.

What becomes of an attack that is on the stack is `procedures/attack.py`; what losing and gaining life brings with it is
`procedures/life.py`. Here is only what a program's row adds: who does it, whether the target is in range, and whose deed it is.
"""

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.compile import T_INCIDENT
from danmaku_env.engine import events, queries, stack
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.compiled import kernel
from danmaku_env.engine.procedures import life


@kernel
def push_attack(t, s, f, attacker, target, damage, flags):
    """Put an attack on the stack, if the target is another active player and in range (K-12, K-13, A-16)."""
    frame = s["stack"][f]
    if target < 0 or target == attacker or not queries.is_active(s, target) or not queries.is_active(s, attacker):
        return
    if flags & v.ANY_RANGE == 0:
        bonus = int(frame[fr.PLAY_AMOUNT]) if flags & v.BOOSTED else 0
        if (queries.range_mask(t, s, attacker, bonus, 0) >> target) & 1 == 0:
            return
    source = stack.attack_source(s, t, f)
    if source >= 0 and source != f:
        s["stack"][source, fr.PLAY_FLAGS] = int(s["stack"][source, fr.PLAY_FLAGS]) | fr.HAS_EXTRA_ATTACK
    a = stack.push(s, fr.ATTACK_FRAME, attacker)
    attack = s["stack"][a]
    attack[fr.ATTACK_TEXT] = frame[fr.PLAY_TEXT]
    attack[fr.ATTACK_TARGET] = target + 1
    attack[fr.ATTACK_DAMAGE] = damage
    attack[fr.ATTACK_FLAGS] = fr.IS_UNAVOIDABLE if flags & v.UNAVOIDABLE else 0
    attack[fr.ATTACK_SOURCE] = source + 1
    events.tally(s, st.ATTACKS, attacker, target)
    events.log(s, events.L_ATTACK, attacker, target, -1, damage, 1 if flags & v.UNAVOIDABLE else 0)


@kernel
def _lose_life(t, s, f, victim, amount):
    """Direct life loss; from a card or Spell Card it counts as damage done by its controller (A-20)."""
    if victim < 0 or not queries.is_active(s, victim):
        return
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    loss = life.lose_life(t, s, victim, amount, seat if victim != seat else -1)
    if loss and victim != seat and t["text"][int(frame[fr.PLAY_TEXT]), T_INCIDENT] == 0:
        stack.push_triggers(t, s, v.DAMAGED, victim, seat, f)


@kernel
def _healer(t, s, f):
    """Who heals in this frame: its controller, or nobody when an incident does."""
    frame = s["stack"][f]
    return -1 if t["text"][int(frame[fr.PLAY_TEXT]), T_INCIDENT] else int(frame[fr.SEAT])


@kernel
def carry_out(t, s, f, op, a, b, c):
    seat = queries.who(s, f, a)
    if op == v.ATTACK:
        attacker = queries.who(s, f, v.SECOND if c & v.BY_SECOND else v.ME)
        push_attack(t, s, f, attacker, seat, queries.number(t, s, f, b, max(0, seat)), c)
    elif op == v.LOSE_LIFE:
        _lose_life(t, s, f, seat, b)
    elif seat >= 0 and op == v.GAIN_LIFE:
        life.gain_life(t, s, seat, b, _healer(t, s, f))
    elif seat >= 0:
        life.revive(t, s, seat, _healer(t, s, f))
