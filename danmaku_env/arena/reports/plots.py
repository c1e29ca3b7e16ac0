"""The plots of reports: dots with intervals, and lines with bands or bars; as SVG or PNG.

with plot(6, 3) as figure:
    axes = figure.subplots()
    draw_dots(axes, ["deducer", "random"], [Dots("", [estimate, other], ["#0072b2", "#aaaaaa"])])
    blob = svg(figure)
"""

from __future__ import annotations

import base64
import contextlib
import io
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from danmaku_env.arena.reports.style import STYLE
from danmaku_env.estimates import finite

_LONGEST = 28
"""Letters of a name beside an axis."""
_GRID, _AXIS = "#eaecf0", "#888888"


class Interval(Protocol):
    """What is drawn: a mean with an interval, such as an Estimate; an infinite interval is left out."""

    @property
    def mean(self) -> float:
        """The dot."""

    @property
    def low(self) -> float:
        """The lower end of the interval."""

    @property
    def high(self) -> float:
        """The upper end."""


class Span(NamedTuple):
    """An interval by its numbers."""

    mean: float
    low: float
    high: float


class Dots(NamedTuple):
    """A dot in each row."""

    label: str
    """For the legend; one that is empty is left out there."""
    values: Sequence[Interval | None]
    """[rows]; None: nothing in this row."""
    colors: Sequence[str]
    """[rows], or a single one for all."""


class Line(NamedTuple):
    """A line through points."""

    label: str
    x: Sequence[float]
    values: Sequence[Interval]
    """[points]."""
    color: str
    dashed: bool = False


@contextlib.contextmanager
def plot(width: float, height: float, **style: Any) -> Iterator[Figure]:
    """A figure of this many inches in the style of all reports; it is drawn and saved within."""
    settings: dict[Any, Any] = {**STYLE, **style}
    with mpl.rc_context(settings):
        yield Figure(figsize=(width, height), layout="constrained")


def draw_dots(axes: Axes, names: Sequence[str], series: Sequence[Dots], *, spread: float = 0.16, stripes: bool = False) -> None:
    """A row for each name, the first on top, and in it the dots of all series, `spread` apart from each other."""
    for number, dots in enumerate(series):
        shift = spread * ((len(series) - 1) / 2 - number)
        colors = [*dots.colors] * (len(names) if len(dots.colors) == 1 else 1)
        label = dots.label
        for row, (value, color) in enumerate(zip(dots.values, colors, strict=True)):
            if value is not None:
                place, size = len(names) - 1 - row + shift, 7 if len(series) == 1 else 5
                bars = axes.errorbar([value.mean], [place], xerr=_bars([value]), color=color, marker="o", markersize=size, capsize=3, ls="")
                bars.set_label(label)
                label = ""
    if stripes:
        for row in range(len(names)):
            axes.axhline(row, color=_GRID, linewidth=0.8, zorder=0)
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.set_yticks(range(len(names)), [_short(name) for name in reversed(names)])
    axes.tick_params(left=False)
    axes.spines["left"].set_visible(False)


def draw_lines(axes: Axes, lines: Sequence[Line], *, bands: bool = True, spread: float = 0.0) -> None:
    """All lines, each with its intervals as a band, or as bars that stand `spread` apart from those of the others."""
    for number, line in enumerate(lines):
        x = [place + spread * (number - (len(lines) - 1) / 2) for place in line.x]
        means, style = [value.mean for value in line.values], "--" if line.dashed else "-"
        axes.plot(x, means, color=line.color, linestyle=style, marker="" if line.dashed else "o", markersize=4, label=line.label)
        below, above = _bars(line.values)
        if bands:
            low, high = ([m + sign * w for m, w in zip(means, ways, strict=True)] for sign, ways in ((-1, below), (1, above)))
            axes.fill_between(x, low, high, color=line.color, alpha=0.18, linewidth=0)
        else:
            axes.errorbar(x, means, yerr=[below, above], color=line.color, capsize=3, ls="")
    axes.grid(axis="y", color=_GRID, linewidth=0.8)
    axes.set_axisbelow(True)


def mark_zero(axes: Axes, *, across: bool = False) -> None:
    """A thin line where nothing is gained or lost: upright, or across."""
    (axes.axhline if across else axes.axvline)(0, color=_AXIS, linewidth=0.8)


def _bars(values: Sequence[Interval]) -> tuple[list[float], list[float]]:
    """How far the intervals reach below and above the means; not at all where there is none."""
    return [finite(one.mean - one.low) for one in values], [finite(one.high - one.mean) for one in values]


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 2]} …"


def svg(figure: Figure) -> bytes:
    """The figure as a file that scales; the same figure is the same bytes."""
    with io.BytesIO() as file:
        figure.savefig(file, format="svg", metadata={"Date": None})
        return file.getvalue()


def png(figure: Figure, dpi: int = 110) -> bytes:
    """The figure in points."""
    with io.BytesIO() as file:
        figure.savefig(file, format="png", dpi=dpi)
        return file.getvalue()


def as_image(drawn: bytes) -> str:
    """An SVG as the source of an image, in which nothing can run."""
    return "data:image/svg+xml;base64," + base64.b64encode(drawn).decode()
