"""Seeds: what may be one, and the seeds of the rows of a batch. Random numbers themselves are the engine's."""

from __future__ import annotations

import numpy as np

from danmaku_env.arguments import shown, whole_number
from danmaku_env.machine.records import RNG_WORDS, SEED_BITS, Array


def whole_seed(seed: object) -> int:
    """The seed as an int, as it was given. Raises ValueError unless it is a whole number of Python or NumPy from 0."""
    number = whole_number(seed)
    if number is None or number < 0:
        raise ValueError(f"a seed is a whole number from 0, not {shown(seed)}")
    return number


def check_seed(seed: object) -> int:
    """The seed of a game's record: the number given, or, where that has more than `SEED_BITS` bits, `SEED_BITS` bits derived from it.

    Raises ValueError unless it is a whole number of Python or NumPy from 0.
    """
    number = whole_seed(seed)
    if number < 1 << SEED_BITS:
        return number
    return int(np.random.SeedSequence(number).generate_state(1, np.uint64)[0]) >> 64 - SEED_BITS


def seed_generator(records: Array, seed: int) -> None:
    """Write the words that follow from a seed into the generator of the first record, its field `rng`."""
    records["rng"][0] = np.random.SeedSequence(seed).generate_state(RNG_WORDS, np.uint32)


_ROW_STEP = 0x2545F4914F6CDD1D
"""From the seed of a row to that of the next. With fewer than 2^17 rows and games in a row, no number of these steps and of those from game
to game (machine/batch.py) comes to less than 50 million: batches whose seeds are nearer than that have no game in common."""


def row_seeds(seed: int, rows: int) -> Array:
    """[rows] seeds of a batch: row 0 has the seed itself. Batches of neighbouring seeds have no game in common."""
    places = np.arange(rows, dtype=np.uint64) * np.uint64(_ROW_STEP) + np.uint64(seed)
    seeds: Array = (places & np.uint64((1 << SEED_BITS) - 1)).astype(np.int64)
    return seeds
