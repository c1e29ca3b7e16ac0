"""The interpreter: the loop that runs a card's program row by row, until it ends, waits for an answer or is interrupted.

The code of the rows is in `operations/`, one file per family; this file only finds the family and goes on as it says. Programs are laid out
by `cards/compile.py`; frames that run one are those of `procedures/play.py`.
"""

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.tables import COUNT_ABOUT, COUNT_PLACE, R_A, R_B, R_C, R_CODE, R_COUNT
from danmaku_env.engine import frames as fr
from danmaku_env.engine import groups, natives
from danmaku_env.engine import state as st
from danmaku_env.engine.operations import ENDED, NEXT, WAIT, choices, flow, life_and_attack, moving, picking, recruiting, stack_control
from danmaku_env.jit.kernels import kernel

MOST_ROWS = 1 << 16
"""Rows carried out without a question in between; loops move cards and end long before."""


@kernel
def _native_family(t, s, f, op):
    if op == v.SWAP_WITH_HEROINE:
        return NEXT if natives.swap_with_heroine(t, s, f) else WAIT
    if op == v.FLIP_AND_PLAY:
        return NEXT if natives.flip_and_play(t, s, f) else WAIT
    return natives.hand_on_attack(t, s, f)


@kernel
def _counted(t, s, f, count, a, b, c):
    """The operands of a row that counts something: what its word comes to now is added to what stands in its place, from 0 to MOST."""
    about = count // COUNT_ABOUT
    seat = int(s["stack"][f, fr.SEAT])
    if about:
        seat = groups.who(s, f, a if about == 1 else b)
    number = groups.count(t, s, f, count % COUNT_PLACE - 1, seat)
    place = count // COUNT_PLACE % (COUNT_ABOUT // COUNT_PLACE)
    if place == 0:
        return min(max(a + number, 0), v.MOST), b, c
    if place == 1:
        return a, min(max(b + number, 0), v.MOST), c
    return a, b, min(max(c + number, 0), v.MOST)


@kernel
def _step(t, s, f):
    """Carry out the row the frame stands at."""
    pc = int(s["stack"][f, fr.PLAY_PC])
    if t["reached"][pc] == 0:
        t["reached"][pc] = 1
    row = t["program"][pc]
    op, a, b, c = int(row[R_CODE]), int(row[R_A]), int(row[R_B]), int(row[R_C])
    if row[R_COUNT]:
        a, b, c = _counted(t, s, f, int(row[R_COUNT]), a, b, c)
    family = op & ~(v.FAMILY - 1)
    if family == v.ASK:
        return choices.carry_out(t, s, f, op, a, b, c)
    if op == v.FLIP:
        return picking.flip(t, s, f)
    if op == v.GATHER_SEASONS:
        return picking.gather_seasons(t, s, f)
    if family == v.MOVE:
        moving.carry_out(t, s, f, op, a, b)
        return NEXT
    if family == v.LIFE:
        life_and_attack.carry_out(t, s, f, op, a, b, c)
        return NEXT
    if family == v.STACK:
        return stack_control.carry_out(t, s, f, op, a, b, c)
    if family == v.FLOW:
        return flow.carry_out(t, s, f, op, a, b, c)
    if family == v.EXTRAS:
        return recruiting.carry_out(t, s, f, op, a, c)
    return _native_family(t, s, f, op)


@kernel
def run(t, s, f):
    """Run the frame's program until it ends (True), waits for an answer, or put something on top of itself (False)."""
    for _ in range(MOST_ROWS):
        outcome = _step(t, s, f)
        if outcome == ENDED:
            return True
        if outcome == WAIT:
            return False
        if outcome == NEXT:
            s["stack"][f, fr.PLAY_PC] += 1
        if s["depth"] > f + 1 or s["outcome"] != st.RUNNING:
            return False
    s["status"] = st.ENDLESS
    return False
