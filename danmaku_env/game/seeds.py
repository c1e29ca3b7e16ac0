"""Seeds: what may be one, and the seeds of the rows of a batch. The dice themselves are in engine/dice.py."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from danmaku_env.arguments import shown, whole_number
from danmaku_env.engine import batch

Array = npt.NDArray[Any]


def check_seed(seed: object) -> int:
    """The seed as an int, whatever whole number of Python or NumPy it is. Raises ValueError unless it is from 0 to 2**62 - 1."""
    number = whole_number(seed)
    if number is None or not 0 <= number < 1 << batch.SEED_BITS:
        raise ValueError(f"a seed is a whole number from 0 to 2**{batch.SEED_BITS} - 1, not {shown(seed)}")
    return number


_ROW_STEP = 0x3C6EF372FE94F82B


def row_seeds(seed: int, rows: int) -> Array:
    """[rows] seeds of a batch: row 0 has the seed itself."""
    places = np.arange(rows, dtype=np.uint64) * np.uint64(_ROW_STEP) + np.uint64(seed)
    seeds: Array = (places & np.uint64((1 << batch.SEED_BITS) - 1)).astype(np.int64)
    return seeds
