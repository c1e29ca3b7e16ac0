"""The log of a sister game: events of eight bytes, a line each, as a seat knows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Generic, Self, TypeVar

from danmaku_env.arguments import check_index
from danmaku_env.machine.records import Array

EventT = TypeVar("EventT")
CARD, SEEN_BY = 3, 5
"""Bytes of an event: its card, which is 0 for whoever has not seen it, and a bit for each seat that has."""


class SeenLog(Sequence[str], Generic[EventT]):
    """What happened, a line per event, as everybody knows it; `of(seat)` as a seat knows it, `above()` with everything.

    A game says what its events are called (`_event` and `_line`), and which seats everybody is.
    """

    _everybody: int
    """What byte SEEN_BY of an event is if all seats have seen its card."""

    def __init__(self, record: Any, rows: Array, viewer: int | None = None, *, above: bool = False) -> None:
        """`rows` [n, 8] uint8 are events of the game of `record`, the oldest first."""
        self._record, self._rows, self._viewer, self._above = record, rows, viewer, above

    def _event(self, columns: list[int]) -> EventT:
        """An event of its bytes."""
        raise NotImplementedError

    def _line(self, event: EventT) -> str:
        """An event in words."""
        raise NotImplementedError

    def of(self, seat: int) -> Self:
        """As a seat knows it. Raises IndexError for one that is not at the table."""
        return type(self)(self._record, self._rows, check_index(seat, int(self._record["num_players"]), "seat"))

    def above(self) -> Self:
        """With everything that is hidden."""
        return type(self)(self._record, self._rows, above=True)

    @property
    def events(self) -> list[EventT]:
        """The events for programs, in the order of the lines."""
        return [self._event(self._seen(row.tolist())) for row in self._rows]

    def _seen(self, columns: list[int]) -> list[int]:
        seen_by = columns[SEEN_BY]
        if not (self._above or (seen_by == self._everybody if self._viewer is None else seen_by >> self._viewer & 1)):
            columns[CARD] = 0
        return columns

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return list(type(self)(self._record, self._rows[place], self._viewer, above=self._above))
        return self._line(self._event(self._seen(self._rows[place].tolist())))

    def __iter__(self) -> Iterator[str]:
        return map(self._line, self.events)

    def __str__(self) -> str:
        return "\n".join(self)
