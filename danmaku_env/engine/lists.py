"""Lists in fields of the record: the first `size` places count, those behind them are 0. What is taken out leaves no gap.

A card, or whatever else a list holds, is kept as its number + 1. A pile is a list from bottom to top. Who calls notes the new size.
"""

import numpy as np

from danmaku_env.jit.kernels import kernel


@kernel
def put_on(pile, size, card, bottom):
    """Put a card on the top or the bottom of a pile of `size`."""
    place = size
    if bottom:
        for i in range(size, 0, -1):
            pile[i] = pile[i - 1]
        place = 0
    pile[place] = card + 1


@kernel
def take_top(pile, size):
    """The top card of a pile of `size`, which is not empty, taken off it."""
    card = np.int64(pile[size - 1]) - 1
    pile[size - 1] = 0
    return card


@kernel
def take_out(cards, size, card):
    """Take a card out of the `size` of a list, keeping their order."""
    place = 0
    while place < size and cards[place] != card + 1:
        place += 1
    for i in range(place, size - 1):
        cards[i] = cards[i + 1]
    cards[size - 1] = 0


@kernel
def take_row(rows, size, place):
    """Take the row at `place` out of the `size` rows of a table, keeping their order."""
    columns = rows.shape[1]
    for i in range(place, size - 1):
        for column in range(columns):
            rows[i, column] = rows[i + 1, column]
    for column in range(columns):
        rows[size - 1, column] = 0
