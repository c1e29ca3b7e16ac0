"""What rows of numbers consist of: named fields, and the names of the places along their axes. No game is known here.

A game's engine lists its fields, and everything above reads names, shapes and ids from that list: `decode`, the networks, the pages.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Axis(NamedTuple):
    """One side of a field: what its places stand for."""

    what: str
    """In a word: "seat", "card kind", "season", "place" ..."""
    names: tuple[str, ...]
    """The name of each place, as networks and `decode` write it. A name that begins with `-` is of a place nothing stands in yet."""

    @property
    def size(self) -> int:
        """Its places."""
        return len(self.names)


def numbered(what: str, numbers: Iterable[int]) -> Axis:
    """An axis whose places are called by numbers."""
    return Axis(what, tuple(map(str, numbers)))


def padded(axis: Axis, size: int) -> Axis:
    """The same with room behind it, up to `size` places."""
    return Axis(axis.what, (*axis.names, *(f"-{place}" for place in range(axis.size, size))))


OF_SEATS = "seat"
"""What an axis of seats stands for; they are counted from the observer, 0 = me."""
SINGLE = Axis("single", ("is",))
"""The axis of a field that is one number."""


class Field(NamedTuple):
    """One named part of a row."""

    name: str
    axes: tuple[Axis | int, ...]
    """One for each dimension. A number instead of an axis gives places without names, which no game may have (`refusal`)."""
    kind: str
    """flag, count or id, as the head of the engine's `observe.py` says; mixed for a field of the full state that is an observation."""
    high: int
    """Largest value."""
    doc: str
    ids: tuple[str, ...] = ()
    """What the bytes of an id field name: a key of the game's ids for every place of its last axis, or one key for all of them."""
    words: str = ""
    """How `decode` says it, where its kind does not tell: "one" flag at most is set; of "every" count 0 says something; the last two axes
    are "joined" as in `shoot/spring`; the "first" id that names something; or a word of the game's own (`GameSpec.say`)."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Its dimensions."""
        return tuple(axis if isinstance(axis, int) else axis.size for axis in self.axes)

    @property
    def size(self) -> int:
        """Its bytes."""
        return math.prod(self.shape)

    @property
    def named_axes(self) -> tuple[Axis, ...]:
        """Its axes, which all have names."""
        return tuple(axis for axis in self.axes if isinstance(axis, Axis))

    def id_at(self, place: int) -> str:
        """What the byte at a place of the last axis of an id field names."""
        return self.ids[place] if len(self.ids) > 1 else self.ids[0]


def offsets_of(fields: Sequence[Field]) -> dict[str, int]:
    """Where each field begins in a row of them, by its name, and the `end`."""
    offsets, at = {}, 0
    for field in fields:
        offsets[field.name] = at
        at += field.size
    offsets["end"] = at
    return offsets


def highest_of(fields: Sequence[Field], event: Sequence[int], history: int) -> npt.NDArray[np.uint8]:
    """[n] the largest value of every byte of a row of these fields that ends with `history` events, at most `event` each."""
    return np.array([*(field.high for field in fields for _ in range(field.size)), *(*event,) * history], np.uint8)


def refusal(fields: Sequence[Field], ids: Iterable[str]) -> str | None:
    """What is wrong with the first field that a reader could not name, in a sentence; None where all is well.

    `ids` are what id bytes may name.
    """
    known, seen = set(ids), set[str]()
    for field in fields:
        for axis in field.axes:
            if not isinstance(axis, Axis):
                return f"the field {field.name!r} has {axis} places without names; its axis is Axis(what, names), or SINGLE for one number"
            if wrong := [name for name in axis.names if not name or "/" in name or "*" in name]:
                return f"the field {field.name!r} calls a place {wrong[0]!r}; a name is a word without / and *"
            if len(set(axis.names)) != axis.size:
                return f"the field {field.name!r} gives two places of its axis {axis.what!r} the same name"
        if not field.axes or field.name in seen or "/" in field.name:
            return f"the field {field.name!r} needs a name of its own, without /, and at least one axis"
        if field.kind == "id" and (len(field.ids) not in (1, field.shape[-1]) or not known.issuperset(field.ids)):
            return f"the field {field.name!r} must say what its ids name, one of {', '.join(sorted(known))} for each place or for all"
        seen.add(field.name)
    return None
