"""WINDOW: priority goes round from the current player until all have passed in a row (K-3)."""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.tables import ACTIVATES_SPELL, T_FLAGS
from danmaku_env.engine import actions, legality, queries, stack, tabletop
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.procedures import life, play
from danmaku_env.jit.kernels import kernel


@kernel
def is_between_effects(t, s):
    """Whether no effect is being carried out, nothing announced and nothing half settled: the time for what is due (K-16, A-2, A-8).

    That is so where somebody has priority in any case, between two steps, and where an attack or a card on top awaits what comes next. A
    triggered text on top has no such time of its own: it is what it lies on, an effect or a hit, that must be over.
    """
    if s["aside_size"] > 0:
        return False
    top = int(s["depth"]) - 1
    for f in range(top, 0, -1):
        frame = s["stack"][f]
        procedure, at = frame[fr.PROCEDURE], frame[fr.AT]
        if procedure == fr.WINDOW_FRAME:
            return True
        if procedure == fr.ATTACK_FRAME:
            return f == top and (at == fr.AT_ANSWERABLE or at == fr.AT_LANDS or at == fr.AT_OVER)
        if procedure == fr.SETTLE_FRAME:
            return at <= fr.AT_CHECK
        if procedure == fr.PLAY_FRAME:
            if at <= fr.AT_DECLARE or at == fr.AT_RUN or _is_being_paid_for(t, frame):
                return False
        elif procedure != fr.TRIM_FRAME or f == top:
            return False
    return top > 0 or s["stack"][0, fr.PROCEDURE] == fr.TURN_FRAME


@kernel
def _is_being_paid_for(t, frame):
    """Whether what has been paid for is a Spell Card that is yet to be announced, with its targets (K-2, H-11)."""
    return int(t["text"][int(frame[fr.PLAY_TEXT]), T_FLAGS]) & ACTIVATES_SPELL != 0 and frame[fr.AT] < fr.AT_DONE


@kernel
def open_due(t, s):
    """What has happened to seats, one by one from the current player on: items too many are discarded, then what can be answered is."""
    seat = int(s["current"])
    limited = np.int64(s["limit_due"])
    due = limited if limited else np.int64(s["lost_due"]) | np.int64(s["drew_due"])
    while (due >> seat) & 1 == 0:
        seat = (seat + 1) % int(s["num_players"])
    bit = 1 << seat
    if limited:
        s["limit_due"] = limited & ~bit
        stack.push(s, fr.LIMIT_FRAME, seat)
        return
    if np.int64(s["lost_due"]) & bit and stack.is_answered(t, s, v.LIFE_GONE):
        stack.push_owned_window(s, v.LIFE_GONE, seat)
    if np.int64(s["drew_due"]) & bit and stack.is_answered(t, s, v.DREW):
        stack.push_owned_window(s, v.DREW, seat)
    s["lost_due"] = np.int64(s["lost_due"]) & ~bit
    s["drew_due"] = np.int64(s["drew_due"]) & ~bit


@kernel
def reveal_role(t, s, seat):
    """The Extra Boss reveals, swaps her card for the other form and gains 1 life; nobody can respond (R-13, R-14)."""
    role = int(s["role"][seat])
    s["role"][seat] = t["role_becomes"][role]
    tabletop.open_role(s, seat)
    life.gain_life(t, s, seat, 1, -1)
    stack.push_triggers(t, s, v.ROLE_GAINED, seat, -1, -1)


@kernel
def act(t, s, seat, answer, event, subject):
    """Carry out what a seat chose from an offer (not passing)."""
    if answer == actions.REVEAL_ROLE:
        reveal_role(t, s, seat)
    elif answer == actions.EXCHANGE:
        stack.push(s, fr.EXCHANGE_FRAME, seat)
    else:
        play.push_play(s, seat, answer, event, subject)


@kernel
def _use_answer(t, s, f):
    frame = s["stack"][f]
    seat = int(frame[fr.WINDOW_PRIORITY]) - 1
    answer = actions.take_answer(s)
    if answer == actions.PASS:
        frame[fr.WINDOW_PASSES] += 1
        frame[fr.WINDOW_PRIORITY] = queries.next_active(s, seat) + 1
        return
    if answer == actions.REVEAL_ROLE or answer == actions.EXCHANGE:  # what is played does so itself, unless it is an instant
        stack.restart_round(frame)
    act(t, s, seat, answer, int(frame[fr.WINDOW_EVENT]), _answered(frame, f))


@kernel
def _answered(frame, f):
    """What is answered in a window: a frame below it, the window itself where it remembers what happened, or nothing (-1)."""
    return f if frame[fr.WINDOW_OWNER] else int(frame[fr.WINDOW_SUBJECT]) - 1


@kernel
def _is_settled(s, frame):
    """Whether there is nothing left to answer: cancelled, avoided, or nobody at 0 any more."""
    subject = int(frame[fr.WINDOW_SUBJECT]) - 1
    if subject >= 0:
        answered = s["stack"][subject]
        if answered[fr.PROCEDURE] == fr.ATTACK_FRAME:
            return (int(answered[fr.ATTACK_FLAGS]) & fr.IS_AVOIDED != 0) == (frame[fr.WINDOW_EVENT] == v.ATTACKED)
        # what keeps a card out of the discard pile takes a cancelled one as well (K-2)
        return int(answered[fr.PLAY_FLAGS]) & fr.IS_CANCELLED != 0 and not queries.has_expansion(s)
    return frame[fr.WINDOW_EVENT] == v.RESCUE and queries.zero_mask(s) == 0


@kernel
def window(t, s, f):
    """One step of WINDOW: use an answer, or go on to the next seat that can answer."""
    frame = s["stack"][f]
    if actions.has_answer(s):
        _use_answer(t, s, f)
        return
    if _is_settled(s, frame):
        stack.pop(s)
        return
    if s["priority_due"]:
        s["priority_due"] = 0
        stack.restart_round(frame)
    event = int(frame[fr.WINDOW_EVENT])
    seat = int(frame[fr.WINDOW_PRIORITY]) - 1
    if seat < 0:
        seat = int(s["current"])
        if not queries.is_active(s, seat):
            seat = queries.next_active(s, seat)
    everybody = int(s["config"]) & st.ASK_EVERYONE
    while frame[fr.WINDOW_PASSES] < queries.count_active(s):
        if legality.offer(t, s, seat, event, _answered(frame, f)) or everybody:
            frame[fr.WINDOW_PRIORITY] = seat + 1
            actions.ask(s, seat, actions.WINDOW_QUESTION[event])
            return
        frame[fr.WINDOW_PASSES] += 1
        seat = queries.next_active(s, seat)
    actions.clear_legal(s)
    stack.pop(s)
