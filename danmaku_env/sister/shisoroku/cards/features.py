"""What a card is, as numbers read off its print and its programs: for networks that play kingdoms they never saw."""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from danmaku_env.sister.shisoroku.cards import box, tables
from danmaku_env.sister.shisoroku.cards import words as w

_GIVES = {"cards": w.OP_CARDS, "actions": w.OP_ACTIONS, "buys": w.OP_BUYS, "coins": w.OP_COINS}
FEATURES: tuple[str, ...] = (
    *w.TYPES, "cost", "coins", "points", *(f"points per {what}" for what in tables.SCORE_WORDS[1:]), "makes all cheaper",
    "makes actions cheaper",
    *(f"+{name}" for name in _GIVES), *(f"answers: {event}" for event in w.EVENTS), *(f"played: {name}" for name in w.OPERATIONS[1:]),
    *(f"otherwise: {name}" for name in w.OPERATIONS[1:]),
)  # fmt: skip
"""Names of the columns: types, print, what it gives at once, events its texts answer, and how often each operation stands in its texts."""


def _text_rows(card: int, event: int) -> npt.NDArray[np.int16]:
    t = tables.tables()[0]
    start = int(t["text"][card, event])
    end = start + int(np.flatnonzero(t["program"][start:, tables.R_OP] == w.OP_END)[0]) if start else start
    rows: npt.NDArray[np.int16] = t["program"][start:end]
    return rows


@functools.cache
def card_features() -> npt.NDArray[np.float32]:
    """[146, F] float32, a row for each card in box order (`box.NUMBERS`), a column for each of FEATURES; counts as they are, not scaled."""
    t, found = tables.tables()[0], []
    for number, card in enumerate(box.CARDS):
        row = [float(bool(card.types & bit)) for bit in w.TYPES.values()]
        row += [card.cost, card.coins, card.points]
        row += [float(t["score"][number, 0] == what) / max(1, int(t["score"][number, 1])) for what in range(1, len(tables.SCORE_WORDS))]
        row += [float(t["less"][number]) * (not t["less_types"][number]), float(t["less"][number]) * bool(t["less_types"][number])]
        row += [tables.gives(t, number, op) for op in _GIVES.values()]
        row += [float(t["text"][number, event] > 0) for event in range(len(w.EVENTS))]
        played = np.bincount(_text_rows(number, w.ON_PLAY)[:, tables.R_OP], minlength=len(w.OPERATIONS))
        others = [_text_rows(number, event)[:, tables.R_OP] for event in range(1, len(w.EVENTS))]
        otherwise = np.bincount(np.concatenate(others), minlength=len(w.OPERATIONS))
        found.append([*row, *played[1:], *otherwise[1:]])
    features = np.array(found, np.float32)
    features.setflags(write=False)
    return features
