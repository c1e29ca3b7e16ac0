"""What a program consists of: rows, and the blocks that hold programs of their own.

Nobody writes these by hand but `Each`, `While` and the like where a card loops; the words that make rows stand in `words.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias


class Op(NamedTuple):
    """One row of a program: an operation and three small operands."""

    code: int
    a: int = 0
    b: int = 0
    c: int = 0


class If(NamedTuple):
    """Carry out `then` when the condition holds, else `otherwise`."""

    condition: int
    operand: int
    then: Program
    otherwise: Program


class Branch(NamedTuple):
    """A yes-or-no question: `body` on one answer, `otherwise` on the other."""

    op: Op
    body: Program
    otherwise: Program = ()


class Each(NamedTuple):
    """Carry out `body` for each seat of a group, clockwise from the controller; the seat is EACH."""

    group: int
    body: Program


class Repeat(NamedTuple):
    """Carry out `body` a number of times, read once at the start."""

    times: int
    body: Program


class While(NamedTuple):
    """Carry out `body` as long as the condition holds; every body moves a card, so it ends."""

    condition: int
    body: Program


Step: TypeAlias = Op | If | Branch | Each | Repeat | While
Program: TypeAlias = Sequence[Step]
