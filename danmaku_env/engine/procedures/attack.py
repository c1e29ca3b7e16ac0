"""ATTACK: the attacks that one effect has put on the stack, each from declaration to hit or avoidance (A-1, A-2).

They lie in one frame: the attack that is on top, and how many come after it on whom. Each has its own triggers, window, damage, powerup and
draws, clockwise from the attacker's left (K-9).
"""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.engine import actions, events, queries, stack, tabletop
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.procedures import life
from danmaku_env.jit.kernels import kernel


@kernel
def _first_from_left(s, attacker, seats):
    """The first of the seats clockwise from the attacker's left."""
    seat = (attacker + 1) % int(s["num_players"])
    while (seats >> seat) & 1 == 0:
        seat = (seat + 1) % int(s["num_players"])
    return seat


@kernel
def _aim_at_next(s, f):
    """The next target becomes that of the attack on top."""
    frame = s["stack"][f]
    target = _first_from_left(s, int(frame[fr.SEAT]), int(frame[fr.ATTACK_PENDING]))
    frame[fr.ATTACK_TARGET] = target + 1
    frame[fr.ATTACK_PENDING] = int(frame[fr.ATTACK_PENDING]) & ~(1 << target)
    sure = (int(frame[fr.ATTACK_SURE]) >> target) & 1
    frame[fr.ATTACK_FLAGS] = (int(frame[fr.ATTACK_FLAGS]) & ~fr.IS_UNAVOIDABLE) | sure * fr.IS_UNAVOIDABLE


@kernel
def announce(s, f):
    """A frame with attacks to come is on the stack: all those targets are attacked, and everybody hears it (A-1)."""
    frame = s["stack"][f]
    attacker = int(frame[fr.SEAT])
    left = int(frame[fr.ATTACK_PENDING])
    while left:
        target = _first_from_left(s, attacker, left)
        left &= ~(1 << target)
        unavoidable = (int(frame[fr.ATTACK_SURE]) >> target) & 1
        for _ in range(int(frame[fr.ATTACK_AGAIN])):
            events.tally(s, st.ATTACKS, attacker, target)
            events.log(s, events.L_ATTACK, attacker, target, -1, int(frame[fr.ATTACK_DAMAGE]), unavoidable)
    frame[fr.ATTACK_AGAIN] = int(frame[fr.ATTACK_AGAIN]) - 1
    _aim_at_next(s, f)


@kernel
def _go_on(s, f):
    """An attack leaves the stack: the effect's next one is on top now, or the frame is closed. Priority is due again (K-3)."""
    frame = s["stack"][f]
    s["priority_due"] = 1
    if frame[fr.ATTACK_AGAIN] > 0:
        frame[fr.ATTACK_AGAIN] = int(frame[fr.ATTACK_AGAIN]) - 1
    elif frame[fr.ATTACK_PENDING]:
        _aim_at_next(s, f)
    else:
        stack.pop(s)
        return
    frame[fr.AT] = fr.AT_DECLARED
    frame[fr.ATTACK_FLAGS] = int(frame[fr.ATTACK_FLAGS]) & ~(fr.IS_AVOIDED | fr.IS_HARMLESS)
    frame[fr.ATTACK_USED] = 0
    frame[fr.ATTACK_LOST] = 0


@kernel
def _land(t, s, f):
    """The attack was avoided, with all that this brings, or hits."""
    frame = s["stack"][f]
    attacker = int(frame[fr.SEAT])
    target = int(frame[fr.ATTACK_TARGET]) - 1
    if int(frame[fr.ATTACK_FLAGS]) & fr.IS_AVOIDED:
        frame[fr.AT] = fr.AT_OVER
        return
    frame[fr.AT] = fr.AT_STRIKES
    if queries.has_expansion(s):
        stack.push_triggers(t, s, v.HIT, target, attacker, f)


@kernel
def _strike(t, s, f):
    """Life is lost and cards are drawn at once (A-2), unless something has taken the sting out of the hit."""
    frame = s["stack"][f]
    attacker = int(frame[fr.SEAT])
    target = int(frame[fr.ATTACK_TARGET]) - 1
    frame[fr.AT] = fr.AT_COSTS_POWERUP
    damage = 0 if int(frame[fr.ATTACK_FLAGS]) & fr.IS_HARMLESS else int(frame[fr.ATTACK_DAMAGE])
    fewer = queries.stat(t, s, attacker, v.HITS_DRAW_LESS) if queries.has_expansion(s) else 0
    loss = life.lose_life(t, s, target, damage, attacker, fewer, -1)
    frame[fr.ATTACK_LOST] = loss
    if loss:
        events.tally(s, st.HITS, attacker, target)
        if queries.has_expansion(s):
            s["hurt"] = np.int64(s["hurt"]) | (1 << target)
    events.log(s, events.L_HIT, target, attacker, -1, loss, 0)


@kernel
def _keeps_powerups(t, s, attacker, target):
    """Whether the hit costs no powerup, because of its target or its attacker."""
    return queries.stat(t, s, target, v.KEEPS_POWERUPS) > 0 or queries.stat(t, s, attacker, v.SPARES_POWERUPS) > 0


@kernel
def _lose_powerup(t, s, f):
    """A player who lost life to an attack discards one powerup of their choice (A-3)."""
    frame = s["stack"][f]
    target = int(frame[fr.ATTACK_TARGET]) - 1
    if not actions.has_answer(s):
        kinds = queries.item_kinds(t, s, target) & queries.kinds_of(t, v.POWERUP)
        if frame[fr.ATTACK_LOST] == 0 or kinds == 0 or _keeps_powerups(t, s, int(frame[fr.SEAT]), target):
            frame[fr.AT] = fr.AT_TRIGGERS
            return
        if actions.ask_kind(s, target, actions.Q_POWERUP, kinds, False):
            return
    card = actions.chosen_card(t, s, target, st.IN_PLAY, target, queries.seasons_matter(t, s))
    if card != actions.WAITING:
        tabletop.discard_item(t, s, card)
        frame[fr.AT] = fr.AT_TRIGGERS


@kernel
def attack(t, s, f):
    """One step of ATTACK."""
    frame = s["stack"][f]
    at = frame[fr.AT]
    target = int(frame[fr.ATTACK_TARGET]) - 1
    if at == fr.AT_DECLARED:
        frame[fr.AT] = fr.AT_ANSWERABLE
        stack.push_triggers(t, s, v.ATTACK_DECLARED, target, int(frame[fr.SEAT]), f)
    elif at == fr.AT_ANSWERABLE:
        frame[fr.AT] = fr.AT_LANDS
        if int(frame[fr.ATTACK_FLAGS]) & fr.IS_AVOIDED == 0:
            stack.push_window(s, v.ATTACKED, f)
    elif at == fr.AT_LANDS:
        _land(t, s, f)
    elif at == fr.AT_STRIKES:
        _strike(t, s, f)
    elif at == fr.AT_COSTS_POWERUP:
        _lose_powerup(t, s, f)
    elif at == fr.AT_TRIGGERS:
        frame[fr.AT] = fr.AT_OVER
        if queries.has_expansion(s):
            stack.push_triggers(t, s, v.STRUCK, target, int(frame[fr.SEAT]), f)
        if frame[fr.ATTACK_LOST] > 0:
            stack.push_triggers(t, s, v.LOST_LIFE, target, -1, -1)
            stack.push_triggers(t, s, v.DAMAGED, target, int(frame[fr.SEAT]), f)
    else:
        _go_on(s, f)
