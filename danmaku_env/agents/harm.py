"""Which choices of a player are choices of whom to harm, read off the programs of printed texts.

A choice of a player harms the chosen one when the text, in either of its programs, attacks that player, or takes its life, cards of its
hand or items it has in play. A text that does the chosen player some good as well (Armillary Sphere: discard the hand, then draw 3) does
not count as harm. A lost turn, an ability switched off and a borrowed Spell Card do not count either. No text is recognised by its name.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.tables import R_C, R_CODE, ROWS, T_ANNOUNCE, T_RESOLVE
from danmaku_env.engine import actions
from danmaku_env.engine import frames as fr
from danmaku_env.heuristics.effects import DOES_CARDS, DOES_HAND, DOES_HEAL, DOES_ITEMS, DOES_LIFE, DOES_REVIVED, GAINS
from danmaku_env.machine.records import Array

_CHOICES = (v.CHOSEN, v.SECOND, v.THIRD)
_CHOSEN_IN_LOOP: dict[int, tuple[int, ...]] = {
    v.THE_CHOSEN: (v.CHOSEN,), v.THE_PAIR: (v.CHOSEN, v.SECOND), v.CHOSEN_AND_NEXT: (v.CHOSEN,),
}  # fmt: skip
"""Loops over players who were chosen; in others EACH is nobody's choice."""
_TAKEN = (DOES_LIFE, DOES_CARDS, DOES_ITEMS)
_GIVEN = (*_TAKEN, DOES_HEAL, DOES_REVIVED)


def _interactions(program: v.Program, each: tuple[int, ...], picked: list[int]) -> Iterator[tuple[int, bool]]:
    """(seat word, whether it is harm) for everything a program does to somebody; `picked` holds whose card or item was picked last."""
    for step in v.plain_steps(program):
        row = v.head(step)
        if row is not None:
            yield from ((seat, harm) for word, harm in _interactions_of(row, picked) for seat in (each if word == v.EACH else (word,)))
        inside = _CHOSEN_IN_LOOP.get(step.group, ()) if isinstance(step, v.Each) else each
        for body in v.bodies(step):
            yield from _interactions(body, inside, picked)


def _interactions_of(row: v.Op, picked: list[int]) -> Iterator[tuple[int, bool]]:
    """(seat word, whether it is harm) for what one operation does."""
    if row.code in (v.CHOOSE_ITEM, v.CHOOSE_FROM_HAND):
        picked[:] = [row.a]
    elif row.code in (v.ATTACK, v.DISCARD_OR, v.DISCARD_ITEM):
        yield row.a, True
    elif row.code == v.TAKE:
        yield from ((owner, True) for owner in picked)
    elif row.code == v.TAKE_CONTROL:
        yield from ((owner, True) for owner in picked)
        yield row.a, False
    elif row.code == v.GIVE:
        yield row.a, False
    elif row.code in GAINS:
        who, column, amount = GAINS[row.code](row.a, row.b)
        if column == DOES_HAND or (column in _TAKEN and amount < 0):
            yield who, True
        elif column in _GIVEN:
            yield who, False


def harmed_choices(text: v.Text) -> frozenset[int]:
    """CHOSEN, SECOND and THIRD, as far as the text harms whoever is chosen there and does that player no good."""
    picked: list[int] = []
    interactions = [interaction for program in (text.announce, text.resolve) for interaction in _interactions(program, (v.EACH,), picked)]
    harmed = {who for who, harm in interactions if harm and who in _CHOICES}
    if any(_chosen_by(op.c) in harmed for op in v.every_row(text.announce) if op.code == v.CHOOSE_PLAYER and op.a == v.THE_CHOSEN):
        harmed.add(v.CHOSEN)  # who is chosen first is the one who may be attacked then
    return frozenset(harmed - {who for who, harm in interactions if not harm})


def _chosen_by(flags: int) -> int:
    """Which of its players a row with these flags chooses."""
    return v.SECOND if flags & v.AS_SECOND else v.THIRD if flags & v.AS_THIRD else v.CHOSEN


@functools.cache
def harming_rows() -> Array:
    """[ROWS] bool: the rows of the compiled programs that ask for a player to be harmed."""
    compiled = compile_cards()
    tables = compiled.tables[0]
    program, starts = tables["program"], tables["text"][:, [T_ANNOUNCE, T_RESOLVE]]
    begins = np.sort(starts[starts > 0])
    found: Array = np.zeros(ROWS, np.bool_)
    for number, text in enumerate(compiled.texts):
        harmed = harmed_choices(text) if text is not None else ()
        for start in starts[number][starts[number] > 0]:
            after = np.searchsorted(begins, start, side="right")
            for place in range(start, begins[after] if after < len(begins) else ROWS):
                code = program[place, R_CODE]
                found[place] |= code == v.HAND_ON_ATTACK or (code == v.CHOOSE_PLAYER and _chosen_by(int(program[place, R_C])) in harmed)
    found.setflags(write=False)
    return found


def asks_whom_to_harm(games: Array) -> Array:
    """[B] bool: the records [B] in which a seat is asked whom to harm."""
    every = np.arange(len(games))
    top = games["stack"][every, np.maximum(games["depth"].astype(np.int64) - 1, 0)]
    asked = np.isin(games["question"], (actions.Q_TARGET, actions.Q_SECOND_TARGET)) & (top[:, fr.PROCEDURE] == fr.PLAY_FRAME)
    found: Array = asked & harming_rows()[np.where(asked, top[:, fr.PLAY_PC], 0)]
    return found
