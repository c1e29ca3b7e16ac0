"""ATTACK: one attack of one player on another, from declaration to hit or avoidance (A-1, A-2)."""

from danmaku_env.cards import vocabulary as v
from danmaku_env.engine import actions, events, piles, queries, stack
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.compiled import kernel
from danmaku_env.engine.procedures import life


@kernel
def _land(t, s, f):
    """The attack is avoided (triggers, A-14), or hits: life is lost and cards are drawn at once (A-2)."""
    frame = s["stack"][f]
    attacker = int(frame[fr.SEAT])
    target = int(frame[fr.ATTACK_TARGET]) - 1
    if int(frame[fr.ATTACK_FLAGS]) & fr.IS_AVOIDED:
        events.log(s, events.L_AVOID, target, attacker, -1, 0, 0)
        frame[fr.AT] = fr.AT_OVER
        stack.push_triggers(t, s, v.AVOIDED, target, attacker, f)
        return
    frame[fr.AT] = fr.AT_COSTS_POWERUP
    loss = life.lose_life(t, s, target, int(frame[fr.ATTACK_DAMAGE]), attacker)
    frame[fr.ATTACK_DAMAGE] = loss
    if loss:
        events.tally(s, st.HITS, attacker, target)
    events.log(s, events.L_HIT, target, attacker, -1, loss, 0)


@kernel
def _lose_powerup(t, s, f):
    """Who lost life to an attack discards one powerup of their choice (A-3)."""
    frame = s["stack"][f]
    target = int(frame[fr.ATTACK_TARGET]) - 1
    if not actions.has_answer(s):
        kinds = queries.item_kinds(t, s, target) & queries.kinds_of(t, v.POWERUP)
        if frame[fr.ATTACK_DAMAGE] == 0 or kinds == 0 or queries.stat(t, s, target, v.KEEPS_POWERUPS) > 0:
            frame[fr.AT] = fr.AT_TRIGGERS
            return
        actions.ask_kind(s, target, actions.Q_POWERUP, kinds, False)
        if not actions.has_answer(s):
            return
    card = actions.chosen_card(t, s, target, st.IN_PLAY, target, queries.seasons_matter(t, s))
    if card != actions.WAITING:
        piles.discard_item(t, s, card)
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
    elif at == fr.AT_COSTS_POWERUP:
        _lose_powerup(t, s, f)
    elif at == fr.AT_TRIGGERS:
        frame[fr.AT] = fr.AT_OVER
        if frame[fr.ATTACK_DAMAGE] > 0:
            stack.push_triggers(t, s, v.DAMAGED, target, int(frame[fr.SEAT]), f)
    else:
        stack.pop(s)
