"""Family FLOW: jumps, conditions and loops of a program.

A loop over seats and a counted loop keep what is left of them in the frame, so that a program can be interrupted anywhere and goes on
where it was. Nothing here changes the game; the rows that do are in the other families.
"""

from danmaku_env.cards import vocabulary as v
from danmaku_env.engine import legality, queries
from danmaku_env.engine import state as st
from danmaku_env.engine.compiled import kernel
from danmaku_env.engine.operations import ENDED, JUMPED, NEXT


@kernel
def _holds(t, s, f, condition, operand):
    frame = s["stack"][f]
    if condition == v.FLIPPED:
        return frame[st.AMOUNT_IS] > 0 and (operand >> (int(frame[st.AMOUNT_IS]) - 1)) & 1 == 1
    if condition == v.HAS_CHOSEN:
        return frame[st.PICKED] > 0
    if condition == v.HAS_SECOND:
        return frame[st.SECOND_SEAT] > 0
    if condition == v.HAS_PICK:
        return frame[st.PICK] > 0
    if condition == v.ASIDE_LEFT:
        return s["aside_size"] > 0
    if condition == v.INCIDENT_IN_PLAY:
        return s["incident_size"] > 0
    if condition == v.CAN_COPY:
        subject = s["stack"][int(frame[st.SUBJECT]) - 1]
        return legality.can_announce(t, s, int(subject[st.TEXT]), int(frame[st.SEAT]), int(subject[st.SUBJECT]) - 1, -1)
    if condition == v.HAS_ITEMS:
        return s["item_slots"][int(frame[st.PICKED]) - 1] != 0
    if condition == v.HAS_HAND:
        return s["hand_size"][int(frame[st.PICKED]) - 1] > 0
    if condition == v.HAND_LEFT:
        return s["hand_size"][int(frame[st.SEAT])] > 0
    if condition == v.TWO_OTHERS:
        return queries.count_active(s) > 2
    if condition == v.COLLECTED_ALL:
        place = queries.own_incident(t, s, f)
        return place >= 0 and queries.has_all(t, s, place)
    return True


@kernel
def _next_each(s, f, jump):
    """The next seat of the loop, clockwise from the controller."""
    frame = s["stack"][f]
    remaining = int(frame[st.REMAINING])
    if remaining == 0:
        frame[st.EACH_SEAT] = 0
        frame[st.PC] = jump
        return JUMPED
    players = int(s["num_players"])
    seat = int(frame[st.SEAT])
    while (remaining >> seat) & 1 == 0:
        seat = (seat + 1) % players
    frame[st.EACH_SEAT] = seat + 1
    frame[st.REMAINING] = remaining & ~(1 << seat)
    return NEXT


@kernel
def carry_out(t, s, f, op, a, b, c):
    frame = s["stack"][f]
    if op == v.END:
        return ENDED
    if op == v.JUMP:
        frame[st.PC] = c
        return JUMPED
    if op == v.IF:
        if _holds(t, s, f, a, b):
            return NEXT
        frame[st.PC] = c
        return JUMPED
    if op == v.START_EACH:
        frame[st.REMAINING] = queries.group_mask(t, s, a, int(frame[st.SEAT]), f, 0, 0)
        return NEXT
    if op == v.NEXT_EACH:
        return _next_each(s, f, c)
    if op == v.SET_COUNT:
        frame[st.REMAINING] = queries.number(t, s, f, a, 0)
        return NEXT
    if frame[st.REMAINING] == 0:
        frame[st.PC] = c
        return JUMPED
    frame[st.REMAINING] -= 1
    return NEXT
