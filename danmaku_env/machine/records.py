"""How a record is laid out, and what the fields hold that every game has.

A game is one record and a batch is a one-dimensional array of them, so copying a game is copying its bytes. The scratch buffers that
kernels work in, because they allocate nothing, are records as well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

NOBODY = -1
"""`asking` while no seat must answer."""
RUNNING, WON, DRAWN, TRUNCATED = range(4)
OUTCOMES = ("running", "won", "draw", "truncated")
"""What `outcome` may be, and in words."""
OK, STACK_FULL, ILLEGAL_ANSWER, GAME_OVER, ENDLESS = range(5)
"""What `status` may be: kernels raise nothing, the Python face turns these into exceptions."""
SEED_BITS = 62
"""Bits of `seed`."""
GAMES_TRIED = 100
"""Games that may end before anybody is asked, one after the other."""
EVENT_BYTES = 8
"""Bytes of an event in `log`."""
RNG_WORDS = 4
"""Words of 32 bits in `rng`."""
RNG = np.dtype([("rng", np.uint32, RNG_WORDS)])
"""A generator outside a game."""


RecordField = tuple[str, str, "int | tuple[int, ...]", str]
"""Name, type, shape (1 is a single number), and what it holds."""
Array = npt.NDArray[Any]


def payoffs(games: Array, seats: int) -> Array:
    """[B, seats] what each seat is paid: +1 for winners and -1 for the others.

    In a draw those that share it get 0, and the others -1 if any share it.
    """
    outcome, winners = games["outcome"][:, np.newaxis], games["winners"].astype(np.int64)[:, np.newaxis]
    first = winners >> np.arange(seats) & 1
    paid: Array = np.where((winners > 0) & ((outcome == WON) | (outcome == DRAWN)), first * (1.0 + (outcome == WON)) - 1.0, 0.0)
    return paid


LINE = 64
"""Bytes of a line, in which a processor fetches memory."""
_GAP = "room_"
"""How the names of padding columns begin."""


def record_type(fields: Sequence[RecordField], begins_a_line: Collection[str] = ()) -> np.dtype[Any]:
    """The type of records with these fields, of which some begin a memory line."""
    return np.dtype(list(_columns(fields, begins_a_line)))


def _columns(fields: Sequence[RecordField], begins_a_line: Collection[str]) -> Iterator[Any]:
    """The fields, and gaps before those that begin a line. The gaps are columns too, for NumPy copies these and not what lies between."""
    at = 0
    for name, kind, shape, _ in fields:
        if name in begins_a_line and at % LINE:
            yield f"{_GAP}{at}", "u1", (LINE - at % LINE,)
            at += LINE - at % LINE
        yield (name, kind) if shape == 1 else (name, kind, shape)
        at += np.dtype((kind, shape)).itemsize


def gaps(record: np.dtype[Any]) -> tuple[str, ...]:
    """Columns that only pad to fields that begin a line: always zero."""
    return tuple(name for name in record.names or () if name.startswith(_GAP))


def place_of(record: np.dtype[Any], field: str) -> int:
    """Where a field begins in a record, in bytes."""
    assert record.fields is not None
    return record.fields[field][1]


def as_bytes(records: Array) -> Array:
    """[B, bytes] the same memory as bytes: the fast way to copy records."""
    return records.view(np.uint8).reshape(len(records), records.dtype.itemsize)


def room_for(record: np.dtype[Any], count: int) -> Array:
    """[count] records of zeros, the first of which begins a memory line, and with it all whose size is a multiple of one."""
    room = np.zeros(count * record.itemsize + LINE, np.uint8)
    start = -room.ctypes.data % LINE
    return room[start : start + count * record.itemsize].view(record)
