"""The cards as arrays that kernels read: one record, made once."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from danmaku_env.machine.records import Array
from danmaku_env.sister.utage.cards import box
from danmaku_env.sister.utage.cards import words as w

NUM_CARDS = len(box.CARDS)
R_OP, R_A, R_B, R_C, R_X, R_XARG, R_XDIV, R_FILTER, R_TEST, R_TA, R_TB = range(11)
"""Columns of a program's rows."""
S_PHASES, S_ROLE, S_TEST, S_TA, S_TB, S_SCOPE, S_FILTER, S_STAT, S_AMOUNT, S_X, S_XARG, S_XDIV, S_LAYER = range(13)
"""Columns of the rows of static texts."""
(
    F_KINDS, F_SIDE, F_WHERE, F_TYPE, F_CHARACTER, F_CARD, F_LOW, F_HIGH, F_NOT_LEVEL, F_CLASS, F_LEADER, F_BUT, F_PLAYABLE, F_ON_LEADER,
) = range(14)  # fmt: skip
U_PC, U_PHASES, U_ROLE, U_LIMIT, U_TEST, U_TA, U_TB, U_FILTER, U_ACTIVE, U_LASTING, U_LATER, U_ROOM = range(12)
"""Columns of what is used: the ability of a card in play, or an event; the last three are what it needs of the machine (M-1, M-2): lines of
effects that last and that are put off, a place on the own side."""
T_MOMENT, T_PC, T_ROLE, T_TEST, T_TA, T_TB = range(6)
"""Columns of what happens by itself."""
COST_SP, COST_HP, COST_HAND, COST_RESERVE = range(4)
_KEPT_BY_THE_ENGINE = ("reached", "said", "tested")


class _Rows:
    """Programs and filters as they are gathered."""

    def __init__(self) -> None:
        self.program: list[tuple[int, ...]] = [(w.OP_END, *(0,) * R_TB)]
        self.filters: list[w.Filter] = [w.Filter()]

    def filter(self, one: w.Filter | None) -> int:
        """Number of a filter."""
        one = one or w.Filter()
        if one not in self.filters:
            self.filters.append(one)
        return self.filters.index(one)

    def add(self, rows: Sequence[w.Row]) -> int:
        """Where a program begins."""
        start = len(self.program)
        for row in (*rows, w.Row(w.OP_END)):
            self.program.append((row.op, row.a, row.b, row.c, *row.x, self.filter(row.filter), *row.cond))
        return start


def _needs(rows: Sequence[w.Row]) -> tuple[int, int, int]:
    """Effects that last, effects that are put off, and places on the own side that rows may need."""
    ops = [row.op for row in rows]
    return ops.count(w.OP_UNTIL_PHASE) + ops.count(w.OP_UNTIL_TURN), ops.count(w.OP_LATER), ops.count(w.OP_INTO_PLAY)


def says_bit(layer: int, phase: int) -> int:
    """Which bit of `says` is set where a card has a static text of this layer in this phase."""
    return layer * len(w.PHASES) + phase


def _phases(bits: int) -> list[int]:
    return [phase for phase in range(len(w.PHASES)) if bits >> phase & 1]


@functools.cache
def tables() -> Array:
    """[1] everything that is printed on the cards.

    What play has come to is noted in it: `reached` [rows] of programs, `said` [rows] of static texts, `tested` [tests, 2] conditions that
    did not hold, and that did.
    """
    rows = _Rows()
    use: Array = np.zeros((NUM_CARDS, U_ROOM + 1), np.int16)
    trigger: Array = np.zeros((NUM_CARDS, T_TB + 1), np.int16)
    cost: Array = np.zeros((NUM_CARDS, len(w.COST_MOMENTS), len(w.Cost._fields)), np.int8)
    statics: list[tuple[int, ...]] = []
    spans: Array = np.zeros((NUM_CARDS, 2), np.int16)
    for number, card in enumerate(box.CARDS):
        if event := box.EVENTS.get(card.id):
            wanted = rows.filter(event.target) + 1 if event.target else 0
            use[number] = rows.add(event.rows), 1 << card.phase, event.role, 0, *event.cond, wanted, 0, *_needs(event.rows)
        if own := box.ABILITIES.get(card.id):
            wanted = rows.filter(own.target) + 1 if own.target else 0
            text = rows.add(own.rows), own.phases, own.role, own.limit, *own.cond, wanted, own.active_only
            use[number] = *text, *_needs(own.rows)
            cost[number, w.ABILITY] = own.cost
        if itself := box.TRIGGERS.get(card.id):
            trigger[number] = itself.moment, rows.add(itself.rows), itself.role, *itself.cond
        found = sorted(box.STATICS.get(card.id, []), key=lambda one: w.layer_of(one.stat))
        spans[number] = len(statics), len(statics) + len(found)
        statics += [
            (one.phases, one.role, *one.cond, one.scope, rows.filter(one.filter), one.stat, one.amount, *one.x, w.layer_of(one.stat))
            for one in found
        ]
        cost[number, w.TO_ACTIVE if card.kind == w.SPELL else w.USE, COST_SP] = card.sp
        for moment, more in box.EXTRA_COSTS.get(card.id, {}).items():
            cost[number, moment] += np.array(more, np.int8)
    n = NUM_CARDS
    table = np.zeros(
        1,
        [
            ("program", np.int16, (len(rows.program), R_TB + 1)), ("reached", np.uint8, len(rows.program)),
            ("filter", np.int16, (len(rows.filters), F_ON_LEADER + 1)), ("statics", np.int16, (len(statics), S_LAYER + 1)),
            ("span", np.int16, (n, 2)), ("use", np.int16, use.shape), ("trigger", np.int16, trigger.shape), ("cost", np.int8, cost.shape),
            ("kind", np.uint8, n), ("level", np.int8, n), ("requirement", np.int8, (n, len(w.CHARACTERS))), ("sp", np.int8, n),
            ("av", np.int8, n), ("iv", np.int8, n), ("hv", np.int8, n), ("type", np.int8, n), ("keyword", np.int8, (n, len(w.KEYWORDS))),
            ("place", np.int8, n), ("cls", np.int8, n), ("hp", np.int8, n), ("ev", np.int8, n), ("bv", np.int8, n), ("traits", np.int16, n),
            ("only", np.int16, (n, 3)), ("only_spells", np.int8, n), ("order", np.int8, len(w.ORDER)),
            ("says", np.int64, n), ("said", np.uint8, len(statics)), ("tested", np.uint8, (len(w.TESTS), 2)),
        ],
    )  # fmt: skip
    t = table[0]
    t["program"], t["filter"], t["statics"], t["span"] = rows.program, rows.filters, statics, spans
    t["use"], t["trigger"], t["cost"], t["order"] = use, trigger, cost, w.ORDER
    for number, (low, high) in enumerate(spans):
        t["says"][number] = sum({1 << says_bit(row[S_LAYER], phase) for row in statics[low:high] for phase in _phases(row[S_PHASES])})
    for number, card in enumerate(box.CARDS):
        for name in ("kind", "level", "sp", "av", "iv", "hv", "type", "place", "cls", "hp", "ev", "bv", "traits"):
            t[name][number] = getattr(card, name)
        for character, level in card.requirement.items():
            t["requirement"][number, box.CHARACTERS[character]] = level
        t["keyword"][number] = [(card.keywords or {}).get(w.STATS[stat], 0) for stat in w.KEYWORDS]
        t["only"][number] = box.PLACED_ONLY.get(card.id, w.NO_COND)
        t["only_spells"][number] = box.PLACED_ONLY_ON_SPELLS_OF.get(card.id, 0)
    return table


def digest_parts() -> list[bytes]:
    """What the fingerprint of the rules is made of."""
    table = tables()
    return [table[name].tobytes() for name in table.dtype.names or () if name not in _KEPT_BY_THE_ENGINE]
