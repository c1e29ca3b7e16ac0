"""The same as machine_words.py with the compiler off."""

from __future__ import annotations

from typing import Any

import numpy as np


def lowest_bit(mask: int) -> int:
    """Index of the lowest set bit of a mask that is not 0."""
    mask = int(mask)
    return (mask & -mask).bit_length() - 1


def prefetch(rows: Any, row: int, offset: int) -> None:
    """Nothing to do with the compiler off."""


def store_word(row: Any, offset: int, word: int) -> None:
    """Write a word of 64 bits into a byte array, from a byte on, the lowest byte first."""
    row.reshape(-1)[offset : offset + 8] = np.frombuffer((int(word) & (1 << 64) - 1).to_bytes(8, "little"), np.uint8)


def copy_start(target: Any, to: int, source: Any, place: int, size: int) -> None:
    """Copy the first `size` bytes of source[place] to target[to]."""
    target[to, :size] = source[place, :size]


def load_word(row: Any, offset: int) -> int:
    """The word of 64 bits, as a signed number, that begins at a byte of a byte array, the lowest byte first."""
    return int.from_bytes(row.reshape(-1)[offset : offset + 8].tobytes(), "little", signed=True)


def count_bits(mask: int) -> int:
    """How many bits are set."""
    return int(mask).bit_count()
