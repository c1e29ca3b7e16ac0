"""The same as machine_words.py in Python that numba compiles too: for a numba of which nothing but its public face is known."""

from __future__ import annotations

from typing import Any

import numpy as np


def lowest_bit(mask: int) -> int:
    """Index of the lowest set bit of a mask that is not 0."""
    place = 0
    while not (mask >> place) & 1:
        place += 1
    return place


def prefetch(rows: Any, row: int, offset: int) -> None:
    """Nothing: the processor fetches memory when it is read."""


def store_word(row: Any, offset: int, word: int) -> None:
    """Write a word of 64 bits into a C-contiguous byte array, from a byte on, the lowest byte first."""
    flat = row.reshape(-1)
    for place in range(8):
        flat[offset + place] = (word >> (8 * place)) & 255


def copy_start(target: Any, to: int, source: Any, place: int, size: int) -> None:
    """Copy the first `size` bytes of source[place] to target[to]."""
    target[to, :size] = source[place, :size]


def load_word(row: Any, offset: int) -> int:
    """The word of 64 bits, as a signed number, that begins at a byte of a C-contiguous byte array, the lowest byte first."""
    flat, word = row.reshape(-1), np.int64(0)
    for place in range(8):
        word |= np.int64(flat[offset + place]) << np.int64(8 * place)
    return word  # type: ignore[return-value]


def count_bits(mask: int) -> int:
    """How many bits are set."""
    count = 0
    for place in range(64):
        count += (mask >> place) & 1
    return count
