"""The terminal as every command writes to it, and bars that show how far long work has come.

Whatever comes from outside, an agent's name or a file's, is printed as letters and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.segment import Segment
from rich.text import Text

from danmaku_env.arguments import printable

_WIDEST = 10_000
"""Columns."""
_MOMENT = 180.0
"""Seconds that a bar looks back on: games come in batches, which a shorter time would show as haste and standstill."""
_QUIET = 60.0
"""Seconds at least between two lines of a bar that has no terminal; in long work a twentieth of the time that it has taken."""


class OutputError(OSError):
    """What was to be printed cannot be: the device is full, or a disk that the output goes to."""


class Terminal(Console):
    """A console that prints text as it is, without reading markup or control characters in it."""

    def __init__(self, **options: Any) -> None:
        """Options are those of the console of rich."""
        super().__init__(highlight=False, markup=False, emoji=False, force_jupyter=False, **{"_environ": _environment(), **options})

    def print(self, *objects: Any, **options: Any) -> None:
        """What rich does. Raises OutputError where nothing can be written."""
        try:
            super().print(*objects, **options)
        except OSError as error:
            raise OutputError(error.errno, error.strerror) from None

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The parts of what is printed, with their styles; colours and movements of the cursor are apart from the text."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else "\n".join(map(printable, text.split("\n"))), style, control)


def _environment() -> dict[str, str]:
    """The environment without a COLUMNS that names no width that there can be, such as 0."""
    said = os.environ.get("COLUMNS", "")
    can_be = said.isdecimal() and len(said) <= len(str(_WIDEST)) and 0 < int(said) <= _WIDEST
    return {name: value for name, value in os.environ.items() if name != "COLUMNS" or can_be}


class ProgressBar(Progress):
    """A bar where there is a terminal; elsewhere, as in a log file, a line from time to time with the same columns."""

    def __init__(self, *columns: ProgressColumn, **options: Any) -> None:
        """Columns and options are those of a progress display of rich."""
        super().__init__(*columns, **options)
        self._began = self._told = self.get_time()

    def update(self, task_id: TaskID, **change: Any) -> None:
        """What rich does, and the line where one is due."""
        super().update(task_id, **change)
        self._tell(task_id)

    def advance(self, task_id: TaskID, advance: float = 1) -> None:
        """What rich does, and the line where one is due."""
        super().advance(task_id, advance)
        self._tell(task_id)

    def _tell(self, task_id: TaskID) -> None:
        now = self.get_time()
        if self.console.is_terminal or now - self._told < max(_QUIET, (now - self._began) / 20):
            return
        self._told = now
        task = next(each for each in self.tasks if each.id == task_id)
        shown = [column(task) for column in self.columns if isinstance(column, ProgressColumn)]
        words = (each.plain.strip() for each in shown if isinstance(each, Text))
        self.console.print(" ".join(word for word in words if word), soft_wrap=True)


def progress_bar(
    console: Console, what: str, *how_far: ProgressColumn, after: tuple[ProgressColumn, ...] = (), period: float = _MOMENT
) -> Progress:
    """A bar that says what is done and how far it has come; the time left is estimated from the last `period` seconds."""
    times = TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn()
    return ProgressBar(TextColumn(what), BarColumn(), *how_far, *times, *after, console=console, speed_estimate_period=period)


def counting_bar(console: Console, what: str, unit: str) -> Progress:
    """A bar for things that are counted."""
    return progress_bar(console, what, MofNCompleteColumn(), TextColumn(unit))


def games_bar(console: Console) -> Progress:
    """A bar for games that are played."""
    return counting_bar(console, "playing", "games")


def training_bar(console: Console, what: str = "training") -> Progress:
    """A bar for training, or `what` else is done, whose tasks go to 1.0 and have a `note`."""
    return progress_bar(console, what, TextColumn("{task.percentage:3.0f}%"), after=(TextColumn("{task.fields[note]}"),))
