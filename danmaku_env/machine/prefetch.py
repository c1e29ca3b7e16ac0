"""Asking for memory ahead of time: what the next games of a large batch will need is on its way while this one is played.

A batch that fits no cache lies in slow memory: one access takes as long as the arithmetic of a whole decision. Nothing here changes a game,
and with the compiler off nothing happens at all.
"""

from danmaku_env.jit.kernels import kernel, prefetch
from danmaku_env.machine.records import LINE

AHEAD = 2
"""Games between asking for a record and playing it."""
_LOOKED_AHEAD = 8
"""The same, for loops that look at nothing but the legal answers."""


@kernel
def lines(rows, row, low, high):
    """The lines of a row from one byte to another."""
    for place in range(low, high, LINE):
        prefetch(rows, row, place)


@kernel
def written_rows(observations, masks, row):
    """The rows that are about to be written."""
    lines(observations, row, 0, observations.shape[1])
    lines(masks, row, 0, masks.shape[1])


@kernel
def legal_answers(raw, row):
    """The line with the legal answers, the first of a record, some games ahead."""
    prefetch(raw, min(row + _LOOKED_AHEAD, raw.shape[0] - 1), 0)
