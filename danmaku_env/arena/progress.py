"""How far long work has come: for how long it has gone on, and how long is left."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

_MOMENT = 30.0


def progress_bar(
    console: Console, what: str, *how_far: ProgressColumn, after: tuple[ProgressColumn, ...] = (), period: float = _MOMENT
) -> Progress:
    """A bar that says what is done and how far it has come; what is left is told from the last `period` seconds."""
    times = TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn()
    return Progress(TextColumn(what), BarColumn(), *how_far, *times, *after, console=console, speed_estimate_period=period)


def games_bar(console: Console) -> Progress:
    """A bar for games that are played."""
    return progress_bar(console, "playing", MofNCompleteColumn(), TextColumn("games"))


def parts_bar(console: Console) -> Progress:
    """A bar for parts of earlier work that are looked at."""
    return progress_bar(console, "checking", MofNCompleteColumn(), TextColumn("parts"))


def training_bar(console: Console) -> Progress:
    """A bar for training, whose tasks go to 1.0 and have a `note`."""
    return progress_bar(console, "training", TextColumn("{task.percentage:3.0f}%"), after=(TextColumn("{task.fields[note]}"),))
