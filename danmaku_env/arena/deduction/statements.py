"""Every statement of a study as a row: a belief model, the role probabilities it stated, and the truth (docs/deduction.md)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from danmaku_env.arena.deduction.games import Findings
from danmaku_env.arena.parquet import as_parquet
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.machine.records import Array

ROLE_WORDS = ("none", *DANMAKU_SPEC.labels[1:])
"""Roles by number, as tables name them."""


def table(labels: Sequence[str], findings: Findings) -> pa.Table:
    """A row for each statement and belief model, by game, turn, observer, seat and belief model; of findings that kept the statements."""
    said = findings.statements
    assert said is not None
    models = len(labels)

    def each(values: Array, kind: pa.DataType) -> pa.Array:
        return pa.array(np.repeat(values, models), kind)

    def roles(numbers: Array) -> pa.DictionaryArray:
        return pa.DictionaryArray.from_arrays(each(numbers, pa.int8()), pa.array(ROLE_WORDS, pa.string()))

    columns = {
        "belief_model": pa.DictionaryArray.from_arrays(
            pa.array(np.tile(np.arange(models), len(said.seat)), pa.int16()), pa.array(labels, pa.string())
        ),
        "game": each(findings.game, pa.int32()),
        "turn": each(findings.turn, pa.int16()),
        "observer": each(said.observer, pa.int8()),
        "observer_role": roles(said.observer_role),
        "seat": each(said.seat, pa.int8()),
        "truth": roles(said.truth),
    }
    chances = said.chances.reshape(-1, len(ROLE_WORDS))
    return pa.table(columns | {f"p_{name}": pa.array(chances[:, role]) for role, name in enumerate(ROLE_WORDS)})


def as_file(labels: Sequence[str], findings: Findings) -> bytes:
    """The table as a Parquet file; equal findings make equal bytes."""
    return as_parquet(table(labels, findings))
