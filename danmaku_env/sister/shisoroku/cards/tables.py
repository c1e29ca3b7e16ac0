"""The cards as arrays that kernels read: one record, made once."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from danmaku_env.machine.records import Array
from danmaku_env.sister.shisoroku.cards import box
from danmaku_env.sister.shisoroku.cards import words as w

NUM_CARDS = len(box.CARDS)
SCORE_WORDS = ("", "cards", "3-VP", "victory")
"""What cards are worth points for (E-4)."""
F_ANY, F_NONE, F_WHICH, F_LOW, F_HIGH, F_RELATIVE = range(6)
R_OP, R_A, R_B, R_C, R_D, R_WHO, R_BY = range(7)
_KEPT_BY_THE_ENGINE = "reached"


@functools.cache
def tables() -> Array:
    """[1] everything that is printed on the cards; `reached` [rows] is set where a program has been."""
    rows: list[w.Row] = [w.Row(w.OP_END)]
    texts: Array = np.zeros((NUM_CARDS, len(w.EVENTS)), np.int16)
    for number, card in enumerate(box.CARDS):
        for event, text in box.TEXTS.get(card.id, {}).items():
            texts[number, event] = len(rows)
            for step in text:
                rows += step.rows
            rows.append(w.Row(w.OP_END))
    filters = np.array(w.filters(), np.int16)
    table = np.zeros(
        1,
        [
            ("program", np.int16, (len(rows), len(w.Row._fields))), ("text", np.int16, texts.shape), ("filter", np.int16, filters.shape),
            ("reached", np.uint8, len(rows)), ("types", np.uint8, NUM_CARDS), ("cost", np.int8, NUM_CARDS), ("coins", np.int8, NUM_CARDS),
            ("points", np.int8, NUM_CARDS), ("less", np.int8, NUM_CARDS), ("less_types", np.uint8, NUM_CARDS),
            ("score", np.int8, (NUM_CARDS, 2)), ("plain", np.uint8, NUM_CARDS), ("shield", np.uint8, NUM_CARDS),
            ("pile", np.uint8, NUM_CARDS), ("set", np.int8, NUM_CARDS), ("on_own_purchase", np.int8, NUM_CARDS),
            ("gives", np.int8, (NUM_CARDS, 2)),
        ],
    )  # fmt: skip
    t = table[0]
    t["program"], t["text"], t["filter"] = rows, texts, filters
    for number, card in enumerate(box.CARDS):
        t["types"][number], t["cost"][number], t["coins"][number], t["points"][number] = card.types, card.cost, card.coins, card.points
        t["less"][number], t["less_types"][number] = box.CHEAPER.get(card.id, (0, 0))
        what, each = box.SCORES.get(card.id, ("", 0))
        t["score"][number] = SCORE_WORDS.index(what), each
        t["plain"][number], t["shield"][number] = card.id in box.PLAIN, card.id == box.SHIELD
        t["pile"][number] = box.BIG_PILES.get(card.id, 0)
        t["set"][number] = box.SETS.index(card.set) if card.kind == "kingdom" else -1
        t["on_own_purchase"][number] = 1 + box.OWN_TURN_BUYING[card.id] if card.id in box.OWN_TURN_BUYING else 0
        t["gives"][number] = [gives(t, number, op) for op in (w.OP_CARDS, w.OP_ACTIONS)]
    return table


def gives(t: Any, card: int, op: int) -> int:
    """Cards or actions that a card gives its player whatever happens: rows before anything is asked or is for others."""
    total, pc = 0, int(t["text"][card, w.ON_PLAY])
    while pc and t["program"][pc, R_OP] not in (w.OP_END, w.OP_EACH, w.OP_UNLESS, w.OP_MODE, w.OP_JUMP):
        row = t["program"][pc]
        if row[R_OP] == op and row[R_WHO] == w.ME and not row[R_B]:
            total += int(row[R_A])
        pc += 1
    return total


def digest_parts() -> list[bytes]:
    """What the fingerprint of the rules is made of."""
    table = tables()
    return [table[name].tobytes() for name in table.dtype.names or () if name != _KEPT_BY_THE_ENGINE]
