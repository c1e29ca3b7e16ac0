"""How a table keeps time."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pace:
    """What hides how long an answer took; nothing hidden may be told by time."""

    tick: float = 0.1
    """The table is seen to change only at whole multiples of this many seconds after an answer."""
    slow_tick: float = 0.3
    """The same where agents think, one event at a time. It is long enough for what they are asked between two events, so nobody can tell
    whether they were asked at all."""
    event: float = 0.6
    """Seconds for which a page shows an event; a clock runs from when all have been shown."""
    forced: tuple[float, float] = (0.6, 2.4)
    """Seconds after which an answer without a choice is given for a person, where others wait: shortest, and longest at first."""
    longest: float = 5.0
    """The same at most, once people have taken as long."""
