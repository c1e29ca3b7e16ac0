"""What a program consists of: rows, and the blocks that hold programs of their own; and ways to read through one.

Authors write `Each`, `While` and the like by hand where a card loops; the other steps are made by the words of `words.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from danmaku_env.cards.vocabulary import operations as code
from danmaku_env.cards.vocabulary.operands import Condition, Group, Number


class Op(NamedTuple):
    """One row of a program: an operation and three operands, words of the kinds that its description asks for there."""

    code: int
    a: Any = 0
    b: Any = 0
    c: Any = 0


class If(NamedTuple):
    """Carry out `then` when the condition holds, else `otherwise`."""

    condition: Condition
    seasons: int
    """Bits of the seasons that FLIPPED asks for, 0 for other conditions."""
    then: Program
    otherwise: Program


class Branch(NamedTuple):
    """A yes-or-no question: `body` on one answer, `otherwise` on the other."""

    op: Op
    body: Program
    otherwise: Program = ()


class Each(NamedTuple):
    """Carry out `body` for each seat of a group, clockwise from the current player; the seat is EACH."""

    group: Group
    body: Program


class Repeat(NamedTuple):
    """Carry out `body` a number of times, read once at the start."""

    times: Number
    body: Program


class While(NamedTuple):
    """Carry out `body` as long as the condition holds; every body moves a card, so it ends."""

    condition: Condition
    body: Program


Step: TypeAlias = Op | If | Branch | Each | Repeat | While
Program: TypeAlias = Sequence[Step]


def plain_steps(program: Iterable[Any]) -> Iterator[Step]:
    """The steps of a program; words that make several rows leave a list among them."""
    for step in program:
        if isinstance(step, list):
            yield from plain_steps(step)
        else:
            yield step


def bodies(step: Step) -> tuple[Program, ...]:
    """The programs inside a step."""
    if isinstance(step, If):
        return step.then, step.otherwise
    if isinstance(step, Branch):
        return step.body, step.otherwise
    return (step.body,) if isinstance(step, Each | Repeat | While) else ()


def head(step: Step) -> Op | None:
    """The row a step begins with; None for anything that is not a step."""
    if isinstance(step, Op):
        return step
    if isinstance(step, If):
        return Op(code.IF, step.condition, step.seasons)
    if isinstance(step, Branch):
        return step.op
    if isinstance(step, Each):
        return Op(code.START_EACH, step.group)
    if isinstance(step, Repeat):
        return Op(code.SET_COUNT, step.times)
    return Op(code.IF, step.condition) if isinstance(step, While) else None


def every_row(program: Program) -> Iterator[Op]:
    """Every operation of a program with all that it contains, in the order written; jumps are left out."""
    for step in plain_steps(program):
        first = head(step)
        if first is not None:
            yield first
        for body in bodies(step):
            yield from every_row(body)
