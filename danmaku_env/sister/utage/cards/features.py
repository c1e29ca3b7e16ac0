"""What a card is, as numbers read off its print and its programs: for networks that play decks they never saw."""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from danmaku_env.sister.utage.cards import box, tables
from danmaku_env.sister.utage.cards import words as w

FEATURES: tuple[str, ...] = (
    "character", "spell", "support", "event", "sp", "level", *(f"requires {name}" for name in w.CHARACTERS), "av", "iv", "hv",
    *w.TYPE_WORDS[1:], *(f"printed {w.STATS[stat]}" for stat in w.KEYWORDS), *(f"on {name}" for name in w.PLACEMENT_WORDS[1:]),
    *(f"class {name}" for name in w.CLASS_WORDS[1:]), "hp", "ev", "bv", *(f"trait {name}" for name in w.TRAITS),
    *(f"always {name}" for name in w.STATS), *(f"ability in {name}" for name in w.PHASES), "ability sp", "ability limit",
    *(f"text at {name}" for name in w.MOMENTS[1:]), *(f"until {name}" for name in w.STATS), *(f"does {name}" for name in w.OPS[1:]),
)  # fmt: skip
"""Names of the columns."""


def _rows(start: int) -> npt.NDArray[np.int16]:
    """The rows of a program, those that are put off with them."""
    program = tables.tables()[0]["program"]
    end, inside = start, 0
    while start and (program[end, tables.R_OP] != w.OP_END or inside):
        inside += int(program[end, tables.R_OP] == w.OP_LATER) - int(program[end, tables.R_OP] == w.OP_END)
        end += 1
    found: npt.NDArray[np.int16] = program[start:end]
    return found


@functools.cache
def card_features() -> npt.NDArray[np.float32]:
    """[144, F] float32, a row for each card in box order (`box.NUMBERS`), a column for each of FEATURES; not scaled."""
    t, found = tables.tables()[0], []
    for number, card in enumerate(box.CARDS):
        row: list[float] = [float(card.kind == kind) for kind in (w.CHARACTER, w.SPELL, w.SUPPORT, w.EVENT)]
        row += [card.sp, card.level, *t["requirement"][number].tolist(), card.av, card.iv, card.hv]
        row += [float(card.type == kind) for kind in range(1, len(w.TYPE_WORDS))]
        row += [*t["keyword"][number].tolist(), *(float(card.place == place) for place in range(1, len(w.PLACEMENT_WORDS)))]
        row += [*(float(card.cls == one) for one in range(1, len(w.CLASS_WORDS))), card.hp, card.ev, card.bv]
        row += [float(card.traits >> bit & 1) for bit in range(len(w.TRAITS))]
        statics = t["statics"][t["span"][number, 0] : t["span"][number, 1]]
        row += [float(statics[statics[:, tables.S_STAT] == stat, tables.S_AMOUNT].sum()) for stat in range(len(w.STATS))]
        use = t["use"][number]
        row += [float(int(use[tables.U_PHASES]) >> phase & 1) for phase in range(len(w.PHASES))]
        row += [float(t["cost"][number, w.ABILITY, tables.COST_SP]), float(use[tables.U_LIMIT])]
        row += [float(t["trigger"][number, tables.T_MOMENT] == moment) for moment in range(1, len(w.MOMENTS))]
        rows = np.concatenate([_rows(int(use[tables.U_PC])), _rows(int(t["trigger"][number, tables.T_PC]))])
        lasting = rows[np.isin(rows[:, tables.R_OP], (w.OP_UNTIL_PHASE, w.OP_UNTIL_TURN))]
        row += [float(lasting[lasting[:, tables.R_B] == stat, tables.R_C].sum()) for stat in range(len(w.STATS))]
        row += np.bincount(rows[:, tables.R_OP], minlength=len(w.OPS))[1:].tolist()
        found.append(row)
    features = np.array(found, np.float32)
    features.setflags(write=False)
    return features
