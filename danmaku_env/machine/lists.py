"""Lists in fields of the record: the first `size` places count, those behind them are 0. What is taken out leaves no gap.

A list holds things by their number + 1, from bottom to top. The caller notes the new size.
"""

import numpy as np

from danmaku_env.jit.kernels import kernel


@kernel
def put_on(things, size, thing, bottom):
    """Put a thing on the top or the bottom of a list of `size`."""
    place = size
    if bottom:
        for i in range(size, 0, -1):
            things[i] = things[i - 1]
        place = 0
    things[place] = thing + 1


@kernel
def take_top(things, size):
    """The top thing of a list of `size`, which is not empty, taken off it."""
    thing = np.int64(things[size - 1]) - 1
    things[size - 1] = 0
    return thing


@kernel
def take_out(things, size, thing):
    """Take a thing out of the `size` of a list, keeping their order."""
    place = 0
    while place < size and things[place] != thing + 1:
        place += 1
    for i in range(place, size - 1):
        things[i] = things[i + 1]
    things[size - 1] = 0


@kernel
def take_row(rows, size, place):
    """Take the row at `place` out of the `size` rows of a table, keeping their order."""
    columns = rows.shape[1]
    for i in range(place, size - 1):
        for column in range(columns):
            rows[i, column] = rows[i + 1, column]
    for column in range(columns):
        rows[size - 1, column] = 0
