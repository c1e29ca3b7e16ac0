"""Losing and gaining life."""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.tables import T_INCIDENT
from danmaku_env.engine import events, queries, stack
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.procedures import drawing
from danmaku_env.jit.kernels import kernel


@kernel
def _trigger(t, s, seat, by, f):
    """What triggers on life that the effect in frame `f` has taken; an incident damages nobody (A-20)."""
    stack.push_triggers(t, s, v.LOST_LIFE, seat, -1, -1)
    if by >= 0 and t["text"][int(s["stack"][f, fr.PLAY_TEXT]), T_INCIDENT] == 0:
        stack.push_triggers(t, s, v.DAMAGED, seat, by, f)


@kernel
def lose_life(t, s, seat, amount, by, fewer, f):
    """The seat loses up to its remaining life and draws a card for each life lost, less `fewer` (A-4, L-18). Returns the life really lost.

    `by` -1: nobody did it. What triggers on it is put on the stack below the cards drawn for it, where the effect in frame `f` takes it; of
    a hit, `f` -1, by the caller when a powerup has gone (A-2).
    """
    loss = min(amount, int(s["life"][seat]))
    if loss <= 0 or (np.int64(s["spared"]) >> seat) & 1:
        return 0
    s["life"][seat] -= loss
    events.log(s, events.L_LOSE, seat, by, -1, loss, int(s["life"][seat]))
    if f >= 0:
        _trigger(t, s, seat, by, f)
    if queries.has_expansion(s):
        s["lost_due"] = np.int64(s["lost_due"]) | (1 << seat)
    drawing.draw_for_loss(t, s, seat, max(0, loss - fewer))
    return loss


@kernel
def note_healing(s, event, seat, gain, by):
    """Log life gained; what another seat gave is counted as its interaction."""
    giver = by if by != seat else -1
    events.log(s, event, seat, giver, -1, gain, int(s["life"][seat]))
    if giver >= 0:
        events.tally(s, st.HEALS, giver, seat)


@kernel
def gain_life(t, s, seat, amount, by):
    """The seat regains life up to its maximum; nothing under Voyage to Makai or once defeated. `by` -1: nobody gave it."""
    if not queries.is_active(s, seat) or queries.has_law(t, s, v.NO_HEALING):
        return
    gain = min(amount, queries.max_life(t, s, seat) - int(s["life"][seat]))
    if gain > 0:
        s["life"][seat] += gain
        note_healing(s, events.L_GAIN, seat, gain, by)


@kernel
def revive(t, s, seat, by):
    """A seat at 0 life that is not yet defeated is back at 1."""
    if queries.is_active(s, seat) and s["life"][seat] == 0 and not queries.has_law(t, s, v.NO_HEALING):
        s["life"][seat] = 1
        note_healing(s, events.L_REVIVE, seat, 1, by)
