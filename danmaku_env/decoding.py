"""`decode`: an observation row taken apart, as named arrays or in words.

Everything here follows from the fields and ids of the game's spec (spec.py); the layout of Danmaku!! is docs/observation.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

import numpy as np

from danmaku_env.arguments import array_of, shown, whole_number
from danmaku_env.fields import OF_SEATS, SINGLE, Axis, Field
from danmaku_env.machine.records import Array
from danmaku_env.spec import GameSpec, default_spec

_Leaf = Callable[[Sequence[Any], list[int]], Any]


def _checked(rows: object, spec: GameSpec) -> Array:
    """The rows, if they can be observations. Raises ValueError."""
    array = array_of(rows)
    if array.dtype.kind not in "iuf" or array.ndim == 0:
        raise ValueError(f"decode() takes rows of observations, arrays of numbers, not {shown(rows)}")
    columns = len(spec.history_columns)
    if array.shape[-1] < spec.row_size or (array.shape[-1] - spec.row_size) % columns:
        raise ValueError(
            f"a row of an observation has {spec.row_size} numbers, and {columns} more for each event of a history, not {array.shape[-1]}"
        )
    return array


@overload
def decode(rows: Array, *, words: Literal[False] = False, seat: int = 0, spec: GameSpec | None = None) -> dict[str, Array]: ...
@overload
def decode(rows: Array, *, words: Literal[True], seat: int = 0, spec: GameSpec | None = None) -> dict[str, Any]: ...
def decode(rows: Array, *, words: bool = False, seat: int = 0, spec: GameSpec | None = None) -> dict[str, Any]:
    """An observation taken apart: the name of each field of docs/observation.md and its array, a view of the row.

    Rows may be stacked: [..., n] gives fields of shape [..., *their own]. A row that ends with events has the field `history` [K, 8] too.

    With `words` one row is said in ids and numbers instead, and only what is there: `{"question": "main", "life": {0: 4, 1: 3}, "hand":
    {"shoot/spring": 1}, "role": {0: "heroine"}, ...}`. Seats are relative to the observer; `seat` names who that is, and makes them those
    of the table. `history` is then a list of `Event`, the newest first, as in `game.log.of(seat).events`. A copy in the Lunatic deck of a
    card that the Main deck has too is `lunatic_bomb/spring`, but for the hand: that counts all copies by season, and `hand_lunatic` by
    kind those that are of the Lunatic deck.

    `spec` is the game the row is of, Danmaku!! by default. Raises ValueError for anything but a row of an observation.
    """
    game = spec or default_spec()
    array = _checked(rows, game)
    if not words:
        return _cut(array, game)
    if array.ndim != 1:
        raise ValueError(f"decode() says one row at a time in words, not an array of shape {array.shape}")
    return _in_words(array, seat, game)


def _in_words(row: Array, seat: int, spec: GameSpec) -> dict[str, Any]:
    """One row in words. Raises ValueError for numbers that no observation has."""
    with np.errstate(invalid="ignore"):
        numbers = row.astype(np.int64)
    largest = spec.highest((len(row) - spec.row_size) // len(spec.history_columns))
    if (wrong := (numbers != row) | (numbers < 0) | (numbers > largest)).any():
        place = int(np.argmax(wrong))
        raise ValueError(f"no observation has {row[place]} at place {place}, where the numbers go from 0 to {largest[place]}")
    try:
        return _Said(numbers, seat, spec).fields()
    except IndexError:
        raise ValueError("no observation has such a row: an id in it names nothing") from None


def _cut(array: Array, spec: GameSpec) -> dict[str, Array]:
    found = {name: array[..., place].reshape(*array.shape[:-1], *shape) for name, (place, shape) in spec.places.items()}
    if array.shape[-1] > spec.row_size:
        found["history"] = array[..., spec.row_size :].reshape(*array.shape[:-1], -1, len(spec.history_columns))
    return found


class _Said:
    """One row, in words."""

    def __init__(self, row: Array, seat: int, spec: GameSpec) -> None:
        self.cut, self.spec = _cut(row, spec), spec
        self.players = spec.most_seats
        if "players" in self.cut:
            if self.cut["players"].sum() != 1:
                raise ValueError("no observation has another number of players than one")
            self.players = int(np.argmax(self.cut["players"])) + spec.fewest_seats
        observer = whole_number(seat)
        if observer is None or not 0 <= observer < self.players:
            raise ValueError(f"seat {shown(seat)}: the seats of this row are 0 to {self.players - 1}")
        self.seats = [(place + observer) % self.players for place in range(self.players)]

    def fields(self) -> dict[str, Any]:
        said = {field.name: self._ids(field) if field.kind == "id" else self._counted(field) for field in self.spec.fields}
        if "history" in self.cut:
            said["history"] = [self._event(event) for event in self.cut["history"].tolist() if event[0]]
        return said

    def _event(self, columns: list[int]) -> Any:
        return self.spec.event(columns, lambda number: self.seats[(number - 1) % self.players] if number else None)

    def _places(self, axis: Axis) -> Sequence[Any]:
        """What the places of an axis are called; there may be room behind them."""
        if axis.what == OF_SEATS:
            return self.seats
        return [int(name) if name.isdigit() else name for name in axis.names]

    # ---- flags and counts

    def _counted(self, field: Field) -> Any:
        array = self.cut[field.name]
        if field.axes == (SINGLE,):
            return int(array[0])
        axes = [self._places(axis) for axis in field.named_axes]
        if field.words == "joined":
            axes[-2:] = [[f"{first}/{second}" for first in axes[-2] for second in axes[-1]]]
        return _along(array.reshape(*array.shape[: len(axes) - 1], -1), axes, _leaf(field))

    # ---- ids

    def _ids(self, field: Field) -> Any:
        return self._named(field, field.named_axes, self.cut[field.name])

    def _named(self, field: Field, axes: tuple[Axis, ...], array: Array) -> Any:
        """What an id field says: by seat, in the order of any other axis."""
        if len(axes) == 1:
            return self._last(field, axes[0], array.tolist())
        parts = [self._named(field, axes[1:], part) for part in array]
        return {seat: part for seat, part in zip(self.seats, parts, strict=False) if part} if axes[0].what == OF_SEATS else parts

    def _last(self, field: Field, axis: Axis, numbers: list[int]) -> Any:
        if field.words in self.spec.say:
            return self.spec.say[field.words](numbers)
        names = [self.spec.ids[field.id_at(place)][number] or None for place, number in enumerate(numbers)]
        if field.words == "first" or axis == SINGLE:
            return next((name for name in names if name), None)
        if axis.what == OF_SEATS:
            return {seat: name for seat, name in zip(self.seats, names, strict=False) if name}
        return [name for name in names if name]


def _which(places: Sequence[Any], numbers: list[int]) -> Any:
    return next((place for place, number in zip(places, numbers, strict=False) if number), None)


def _all_set(places: Sequence[Any], numbers: list[int]) -> list[Any]:
    return [place for place, number in zip(places, numbers, strict=False) if number]


def _above_zero(places: Sequence[Any], numbers: list[int]) -> dict[Any, int]:
    return {place: number for place, number in zip(places, numbers, strict=False) if number}


def _every(places: Sequence[Any], numbers: list[int]) -> dict[Any, int]:
    return dict(zip(places, numbers, strict=False))


def _leaf(field: Field) -> _Leaf:
    """How the last axis of a field is said. Rows have places for the most seats, so there may be more numbers than places."""
    if field.kind == "flag":
        return _which if field.words == "one" else _all_set
    return _every if field.words == "every" else _above_zero


def _along(array: Array, axes: list[Any], leaf: _Leaf) -> Any:
    """What a field says, by its places along the axes before the last; where it says nothing, they are left out."""
    if len(axes) == 1:
        return leaf(axes[0], array.tolist())
    said = {place: _along(part, axes[1:], leaf) for place, part in zip(axes[0], array, strict=False)}
    return {place: what for place, what in said.items() if what not in ({}, [], None)}
