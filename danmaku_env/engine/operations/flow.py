"""Family FLOW: jumps, conditions and loops of a program.

A loop over seats and a counted loop keep their remaining rounds in the frame, so a program can be interrupted anywhere and goes on where it
was. Nothing here changes the game; the rows that do are in the other families.
"""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.engine import characters, distances, groups, legality, queries
from danmaku_env.engine import frames as fr
from danmaku_env.engine.operations import ENDED, JUMPED, NEXT
from danmaku_env.jit.kernels import kernel

FLIP_UNIT = 5
"""Seasons and none: three flips are remembered in one number below 127."""
FLIP_UNITS = (1, 5, 25)


@kernel
def _remembered(frame, place):
    """The season + 1 of a flip that was remembered, or 0."""
    return int(frame[fr.PLAY_AMOUNT]) // FLIP_UNITS[place - 1] % FLIP_UNIT


@kernel
def remember_flip(frame, place):
    """The last flip is the first, second or third of the effect."""
    frame[fr.PLAY_AMOUNT] += (int(frame[fr.PLAY_FLIPPED]) - _remembered(frame, place)) * FLIP_UNITS[place - 1]


@kernel
def _holds_of_characters(t, s, frame, condition):
    """Conditions that only texts of characters ask for."""
    seat = int(frame[fr.SEAT])
    if condition == v.AT_MAX_LIFE:
        return queries.is_at_max_life(t, s, seat)
    if condition == v.ABOVE_ONE_LIFE:
        return s["life"][seat] > 1
    if condition == v.EACH_ABOVE_ONE:
        return frame[fr.PLAY_EACH] > 0 and s["life"][int(frame[fr.PLAY_EACH]) - 1] > 1
    if condition == v.IN_ROLE_SEASON:
        if frame[fr.PLAY_PICK] == 0 or frame[fr.PLAY_CHOSEN] == 0:
            return False
        role = int(s["role"][int(frame[fr.PLAY_CHOSEN]) - 1])
        return role > 0 and t["card_season"][int(frame[fr.PLAY_PICK]) - 1] == t["role_season"][role]
    if condition == v.ATTACKER_IN_RANGE:
        subject = int(frame[fr.PLAY_SUBJECT]) - 1
        return subject >= 0 and (distances.range_mask(t, s, seat, 0, 0) >> int(s["stack"][subject, fr.SEAT])) & 1 == 1
    return (int(frame[fr.PLAY_AMOUNT]) >> (condition - v.OPTION_1)) & 1 == 1


@kernel
def _holds(t, s, f, condition, operand):
    frame = s["stack"][f]
    if v.FLIP_1 <= condition <= v.FLIP_3:
        season = _remembered(frame, condition - v.FLIP_1 + 1)
        return season > 0 and (operand >> (season - 1)) & 1 == 1
    if condition == v.FLIPPED:
        return frame[fr.PLAY_FLIPPED] > 0 and (operand >> (int(frame[fr.PLAY_FLIPPED]) - 1)) & 1 == 1
    if condition == v.HAS_CHOSEN:
        return frame[fr.PLAY_CHOSEN] > 0
    if condition == v.HAS_PICK:
        return frame[fr.PLAY_PICK] > 0
    if condition == v.ASIDE_LEFT:
        return s["aside_size"] > 0
    if condition == v.INCIDENT_IN_PLAY:
        return s["incident_size"] > 0
    if condition == v.CAN_COPY:
        if frame[fr.PLAY_SUBJECT] == 0:
            return False
        copied = s["stack"][int(frame[fr.PLAY_SUBJECT]) - 1]
        subject = int(copied[fr.PLAY_SUBJECT]) - 1
        return legality.can_announce(t, s, int(copied[fr.PLAY_TEXT]), int(frame[fr.SEAT]), subject, legality.A_COPY, 0)
    if condition == v.HAS_ITEMS:
        return frame[fr.PLAY_CHOSEN] > 0 and s["item_slots"][int(frame[fr.PLAY_CHOSEN]) - 1] != 0
    if condition == v.HAS_HAND:
        return frame[fr.PLAY_CHOSEN] > 0 and s["hand_size"][int(frame[fr.PLAY_CHOSEN]) - 1] > 0
    if condition == v.HAND_LEFT:
        return s["hand_size"][int(frame[fr.SEAT])] > 0
    if condition == v.TWO_OTHERS:
        return queries.count_active(s) > 2
    if condition == v.WITH_EXPANSION:
        return queries.has_expansion(s)
    if condition == v.COLLECTED_ALL:
        place = queries.own_incident(t, s, f)
        return place >= 0 and queries.has_all(t, s, place)
    if condition == v.EXTRA_MISSING:
        return not characters.has_own(t, s, int(frame[fr.SEAT]), int(frame[fr.PLAY_TEXT]))
    if condition == v.HURT_THIS_TURN:
        return (np.int64(s["hurt"]) >> int(frame[fr.SEAT])) & 1 == 1
    if condition == v.DRAWS_LEFT:
        return queries.draws(t, s, int(frame[fr.SEAT])) > 0
    if condition == v.TRUE:
        return True
    return _holds_of_characters(t, s, frame, condition)


@kernel
def _next_each(s, f, jump):
    """The next seat of the loop, clockwise from the current player (I-11)."""
    frame = s["stack"][f]
    remaining = int(frame[fr.PLAY_REMAINING])
    if remaining == 0:
        frame[fr.PLAY_EACH] = 0
        frame[fr.PLAY_PC] = jump
        return JUMPED
    players = int(s["num_players"])
    seat = int(s["current"])
    while (remaining >> seat) & 1 == 0:
        seat = (seat + 1) % players
    frame[fr.PLAY_EACH] = seat + 1
    frame[fr.PLAY_REMAINING] = remaining & ~(1 << seat)
    return NEXT


@kernel
def carry_out(t, s, f, op, a, b, c):
    frame = s["stack"][f]
    if op == v.END:
        return ENDED
    if op == v.DECLINE:
        frame[fr.PLAY_FLAGS] = int(frame[fr.PLAY_FLAGS]) | fr.IS_CANCELLED
        return ENDED
    if op == v.JUMP:
        frame[fr.PLAY_PC] = c
        return JUMPED
    if op == v.IF:
        if _holds(t, s, f, a, b):
            return NEXT
        frame[fr.PLAY_PC] = c
        return JUMPED
    if op == v.START_EACH:
        frame[fr.PLAY_REMAINING] = groups.group_mask(t, s, a, int(frame[fr.SEAT]), f, 0, 0)
        return NEXT
    if op == v.NEXT_EACH:
        return _next_each(s, f, c)
    if op == v.SET_COUNT:
        frame[fr.PLAY_REMAINING] = a
        return NEXT
    if frame[fr.PLAY_REMAINING] == 0:
        frame[fr.PLAY_PC] = c
        return JUMPED
    frame[fr.PLAY_REMAINING] -= 1
    return NEXT
