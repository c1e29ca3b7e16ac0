"""What the program of a text will still do from a row on, read off the compiled rows: where it may go, and what it needs.

A record says only at which row a frame is. Whether the rest of the frame can be depends on what the rows to come do with it: a card that
is picked must lie where the next operation takes it from. Nothing here looks at a record.
"""

from __future__ import annotations

import functools

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.tables import R_COUNT, T_ANNOUNCE, T_RESOLVE


@functools.cache
def _rows() -> list[tuple[int, int, int, int]]:
    """Code, a, b and c of every row; the others say only how a count is read."""
    compiled = compile_cards()
    return [tuple(row[:R_COUNT]) for row in compiled.tables[0]["program"][: compiled.rows].tolist()]


@functools.cache
def _starts() -> tuple[int, ...]:
    """First rows of all programs, in order, and behind them the number of rows."""
    rows = compile_cards().tables[0]["text"][:, [T_ANNOUNCE, T_RESOLVE]].ravel()
    return (*sorted({int(row) for row in rows if row}), compile_cards().rows)


@functools.cache
def program_end(start: int) -> int:
    """One past the last row of the program that begins there."""
    return next(row for row in _starts() if row > start)


@functools.cache
def loops() -> np.ndarray:
    """[rows] for every program row the operation that heads the loop around it: NEXT_EACH, COUNT_DOWN, or 0."""
    heads = np.zeros(len(_rows()), np.int64)
    for row, (code, _, _, jump) in enumerate(_rows()):
        if code in (v.NEXT_EACH, v.COUNT_DOWN):
            heads[row:jump] = code
    return heads


def _following(row: int) -> tuple[int, ...]:
    """The rows that may come after one."""
    code, _, _, jump = _rows()[row]
    if code in v.ENDING:
        return ()
    if code == v.JUMP:
        return (jump,)
    return (row + 1, jump) if v.OPERATIONS[code].jumps else (row + 1,)


_PICKS = (
    v.CHOOSE_CARD, v.CHOOSE_ASIDE, v.PAY, v.PAY_ANY, v.REVEAL_UNTIL, v.TAKE_ALL, v.SHOW_CARD, v.TAKE_WORTH, v.GATHER_SEASONS,
    v.CHOOSE_DISCARD, v.CHOOSE_COLLECTED, v.PAY_POINTS,
)  # fmt: skip
"""After these nothing is left of an earlier pick, whatever happens."""
FROM_HAND = (v.HAND_TO_DECK,)
FROM_ASIDE = (v.ASIDE_TO_DECK, v.PUT_IN_PLAY, v.FLIP_AND_PLAY)
FROM_BOTH = (v.TAKE, v.GIVE, v.GIVE_ASIDE)
FROM_PLAY = (v.TAKE_CONTROL, v.DISCARD_ITEM, v.SPEND_ITEM)
"""These look first whether what is picked is still in play."""
_USES_PICK = (*FROM_HAND, *FROM_ASIDE, *FROM_BOTH, *FROM_PLAY)


@functools.cache
def uses_of_pick(start: int) -> frozenset[int]:
    """The operations that may use what is picked now, when the program goes on at this row."""
    found, todo, seen = set(), [start], {start}
    while todo:
        row = todo.pop()
        code = _rows()[row][0]
        if code in _USES_PICK:
            found.add(code)
        if code in _PICKS or code in _USES_PICK:
            continue
        todo += (following := [after for after in _following(row) if after not in seen])
        seen.update(following)
    return frozenset(found)


@functools.cache
def _rows_from(start: int) -> frozenset[int]:
    """The rows that may still be carried out, when the program goes on at this row."""
    todo, seen = [start], {start}
    while todo:
        todo += (following := [after for after in _following(todo.pop()) if after not in seen])
        seen.update(following)
    return frozenset(seen)


def operations_from(start: int) -> frozenset[tuple[int, int]]:
    """The operations (and the first operand of each) that may still be carried out, when the program goes on at this row."""
    return frozenset(_rows()[row][:2] for row in _rows_from(start))


_LAY_ASIDE = (v.REVEAL, v.REVEAL_UNTIL, v.LOOK, v.DRAW_ASIDE)
_ASK_ABOUT_ASIDE = (v.FLIP, v.FLIP_AND_PLAY, v.SWAP_WITH_HEROINE, v.GATHER_SEASONS)
"""These lay cards aside, ask about them, and put them away again, all in one row."""
MOST_FLIPPED = 2
"""Cards flipped of which one counts, at most."""


def counts_flips(row: int) -> bool:
    """Whether the row counts, in REMAINING, the cards flipped of which one counts."""
    return _rows()[row][0] in (v.FLIP_AND_PLAY, v.SWAP_WITH_HEROINE, v.GATHER_SEASONS)


@functools.cache
def lays_aside(row: int) -> frozenset[bool]:
    """Of the operations that may have laid cards aside when a program is at this row: whether from the deck named, or the Main deck."""
    begin = max(start for start in _starts() if start <= row)
    if _rows()[row][0] in _ASK_ABOUT_ASIDE:
        return frozenset((False,))
    before = [place for place in range(begin, program_end(begin)) if any(row in _rows_from(after) for after in _following(place))]
    return frozenset(bool(_rows()[place][0] == v.LOOK and _rows()[place][2]) for place in before if _rows()[place][0] in _LAY_ASIDE)
