"""How a question is put and answered.

The action space is cut into groups of at most 63 actions. The record holds the legal answers as one bit mask per group in `legal`, so
checking an answer is a bit test and the mask an expansion.

Kernels have no memory but the record. So the same lines of code put a question and use its answer, and they run twice. The first time there
is no answer: they write the legal ones and `ask`. When the loop comes to them again there is one, and `take_answer` uses it up.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from danmaku_env.jit.kernels import count_bits, kernel, lowest_bit
from danmaku_env.machine.records import NOBODY


@kernel
def has_answer(s):
    """Whether the pending question has been answered."""
    return s["answer"] >= 0


@kernel
def take_answer(s):
    """The answer given, which is then used up."""
    answer = int(s["answer"])
    s["answer"] = -1
    return answer


@kernel
def has_several(mask):
    """Whether more than one bit of a mask is set."""
    return mask & (mask - 1) != 0


class Answers(NamedTuple):
    """What the kernels of a game ask with, and those of a batch answer with."""

    clear_legal: Any
    """(s)"""
    allow: Any
    """(s, action): add an answer to the legal ones."""
    is_legal: Any
    """(s, action): whether it is among the legal answers."""
    ask: Any
    """(s, seat, question): put the question whose legal answers stand in the record; whether the answer has to be waited for. A single
    legal answer is taken at once, unless the record's `config` has the bit that asks all the same."""
    give_answer: Any
    """(s, action): answer the pending question with a legal action; the machine has to be run on."""
    count_legal: Any
    """(s): how many answers are legal."""
    legal_answer: Any
    """(s, place): the legal answer at a place, counting from 0."""
    write_mask: Any
    """(s, mask): set the legal answers in a zeroed byte row."""


def answers_of(group_ends: Sequence[int], *, ask_forced: int = 0) -> Answers:
    """The kernels for an action space whose groups end before these actions; `ask_forced` is a bit of the record's `config`."""
    ends = tuple(group_ends)
    bases = (0, *ends[:-1])
    groups, actions = len(ends), ends[-1]
    assert all(0 < end - base < 64 for base, end in zip(bases, ends, strict=True)), "a group has one to 63 actions, a bit each"

    @kernel
    def clear_legal(s):
        for group in range(groups):
            s["legal"][group] = 0

    @kernel
    def allow(s, action):
        for group in range(groups):
            if action < ends[group]:
                s["legal"][group] = int(s["legal"][group]) | (1 << (action - bases[group]))
                return

    @kernel
    def is_legal(s, action):
        if action < 0 or action >= actions:
            return False
        for group in range(groups):
            if action < ends[group]:
                return (int(s["legal"][group]) >> (action - bases[group])) & 1 == 1
        return False

    @kernel
    def only_answer(s):
        """The single legal answer, or -1 when there are several."""
        found = -1
        for group in range(groups):
            mask = int(s["legal"][group])
            if mask:
                if found >= 0 or has_several(mask):
                    return -1
                found = bases[group] + lowest_bit(mask)
        return found

    @kernel
    def ask(s, seat, question):
        if int(s["config"]) & ask_forced == 0:
            only = only_answer(s)
            if only >= 0:
                s["answer"] = only
                clear_legal(s)
                return False
        s["asking"] = seat
        s["question"] = question
        return True

    @kernel
    def give_answer(s, action):
        s["answer"] = action
        s["asking"] = NOBODY
        s["question"] = 0
        clear_legal(s)
        s["decisions"] = int(s["decisions"]) + 1

    @kernel
    def count_legal(s):
        total = 0
        for group in range(groups):
            total += count_bits(int(s["legal"][group]))
        return total

    @kernel
    def legal_answer(s, place):
        for group in range(groups):
            bits = int(s["legal"][group])
            size = count_bits(bits)
            if place >= size:
                place -= size
                continue
            while place:
                bits &= bits - 1
                place -= 1
            return bases[group] + lowest_bit(bits)
        return 0

    @kernel
    def write_mask(s, mask):
        for group in range(groups):
            bits = int(s["legal"][group])
            base = bases[group]
            while bits:
                mask[base + lowest_bit(bits)] = 1
                bits &= bits - 1

    return Answers(clear_legal, allow, is_legal, ask, give_answer, count_legal, legal_answer, write_mask)
