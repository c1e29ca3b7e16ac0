"""When an answer without a choice is given for a person, so that it looks like one with a choice; and when a question is seen.

A page shows events one at a time, so a question is seen later than it is put. A person without a choice seems to see it then, too, and to
think for as long as people here have thought lately. In one round of reactions all think at the same time.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable

from danmaku_env.play.browser.pace import Pace

_LONGEST_SHOW = 30.0
"""Seconds of showing that are waited for at most."""
_LATELY = 12


class Waits:
    """The times of one table."""

    def __init__(self, pace: Pace, now: Callable[[], float], happened: int) -> None:
        """`happened` events have been shown before."""
        self._pace, self._now, self._happened = pace, now, happened
        self._shown_at = now()
        self._took: deque[float] = deque(maxlen=_LATELY)
        self._round: tuple[int, ...] = ()
        self._opened = now()
        self._due: dict[int, float] = {}

    def happens(self, events: int) -> None:
        """This number of events has happened by now."""
        now, fresh = self._now(), max(0, events - self._happened)
        self._shown_at = min(now + _LONGEST_SHOW, max(now, self._shown_at) + self._pace.event * fresh)
        self._happened = events

    def shown_at(self) -> float:
        """When everything that has happened will have been shown, or now."""
        return max(self._now(), self._shown_at)

    def opens(self, around: tuple[int, ...]) -> None:
        """A question of this round is asked; those of the same round are seen at the same time."""
        if around != self._round:
            self._round, self._opened, self._due = around, self.shown_at(), {}

    def took(self, seconds: float) -> None:
        """Somebody has thought for this long about a window in which they had a choice."""
        self._took.append(seconds)

    def for_seat(self, seat: int) -> float:
        """Seconds until an answer without a choice is given for a seat in the round that is open."""
        if seat not in self._due:
            self._due[seat] = self._opened + self._draw()
        return max(0.0, self._due[seat] - self._now())

    def _draw(self) -> float:
        low, high = self._pace.forced
        if not self._took:
            return random.uniform(low, high)
        return min(self._pace.longest, max(low, random.choice(self._took) * random.uniform(0.8, 1.2)))
