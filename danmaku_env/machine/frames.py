"""What a frame of the stack is: one row of numbers in the record. Frames are opened and closed by `stack.py`.

The first three columns mean the same in every frame. The meaning of the others depends on the procedure that runs the frame: a game has a
`Layout` for each procedure.
"""

from typing import NamedTuple

PROCEDURE, AT, SEAT = range(3)
"""Columns of every frame: which procedure runs it, at which of its steps it stands, and whose it is. Others follow."""


class Column(NamedTuple):
    """One column of the frames of a procedure."""

    slot: int
    name: str
    holds: str
    """Which values it may have, in words of the game's own."""
    doc: str


class Layout(NamedTuple):
    """The frames of one procedure."""

    name: str
    doc: str
    steps: tuple[str, ...]
    """What AT counts; a procedure of a single step has none."""
    columns: tuple[Column, ...]
    """Besides PROCEDURE, AT and SEAT."""
    seat: str
    """Whose seat SEAT is."""
