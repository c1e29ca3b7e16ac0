"""ATTACK: one attack of one player on another, from declaration to hit or avoidance (A-1, A-2)."""

from danmaku_env.cards import vocabulary as v
from danmaku_env.engine import actions, events, piles, queries, stack
from danmaku_env.engine import state as st
from danmaku_env.engine.compiled import kernel
from danmaku_env.engine.procedures import life

DECLARED, ANSWERABLE, LANDS, COSTS_POWERUP, TRIGGERS, OVER = range(6)


@kernel
def _land(t, s, f):
    """The attack is avoided (triggers, A-14), or hits: life is lost and cards are drawn at once (A-2)."""
    frame = s["stack"][f]
    attacker = int(frame[st.SEAT])
    target = int(frame[st.PICKED]) - 1
    if int(frame[st.FLAGS]) & st.AVOIDED:
        events.log(s, events.L_AVOID, target, attacker, -1, 0, 0)
        frame[st.AT] = OVER
        stack.push_triggers(t, s, v.AVOIDED, target, attacker, f)
        return
    frame[st.AT] = COSTS_POWERUP
    loss = life.lose_life(t, s, target, int(frame[st.AMOUNT_IS]), attacker)
    frame[st.AMOUNT_IS] = loss
    if loss:
        events.tally(s, st.HITS, attacker, target)
    events.log(s, events.L_HIT, target, attacker, -1, loss, 0)


@kernel
def _lose_powerup(t, s, f):
    """Who lost life to an attack discards one powerup of their choice (A-3)."""
    frame = s["stack"][f]
    target = int(frame[st.PICKED]) - 1
    if not actions.has_answer(s):
        kinds = queries.item_kinds(t, s, target) & int(t["type_kinds"][7])
        if frame[st.AMOUNT_IS] == 0 or kinds == 0 or queries.stat(t, s, target, v.KEEPS_POWERUPS) > 0:
            frame[st.AT] = TRIGGERS
            return
        actions.ask_kind(s, target, actions.Q_POWERUP, kinds, False)
        if not actions.has_answer(s):
            return
    card = actions.chosen_card(t, s, target, st.IN_PLAY, target, queries.seasons_matter(t, s))
    if card != actions.WAITING:
        piles.discard_item(t, s, card)
        frame[st.AT] = TRIGGERS


@kernel
def attack(t, s, f):
    """One step of ATTACK."""
    frame = s["stack"][f]
    at = frame[st.AT]
    target = int(frame[st.PICKED]) - 1
    if at == DECLARED:
        frame[st.AT] = ANSWERABLE
        stack.push_triggers(t, s, v.ATTACK_DECLARED, target, int(frame[st.SEAT]), f)
    elif at == ANSWERABLE:
        frame[st.AT] = LANDS
        if int(frame[st.FLAGS]) & st.AVOIDED == 0:
            stack.push_window(s, v.ATTACKED, f)
    elif at == LANDS:
        _land(t, s, f)
    elif at == COSTS_POWERUP:
        _lose_powerup(t, s, f)
    elif at == TRIGGERS:
        frame[st.AT] = OVER
        if frame[st.AMOUNT_IS] > 0:
            stack.push_triggers(t, s, v.DAMAGED, target, int(frame[st.SEAT]), f)
    else:
        stack.pop(s)
