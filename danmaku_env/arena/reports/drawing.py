"""How pictures of reports look, and how they get into a page."""

from __future__ import annotations

import base64
import io
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from matplotlib.figure import Figure

COLORS = ("#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#a463f2", "#9c6b4e", "#ff8ab7", "#97bbf5", "#9498a0")
STYLE: dict[Any, Any] = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#888888",
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "font.size": 10,
    "legend.frameon": False,
    "text.parse_math": False,  # a dollar sign in an agent's name is a dollar sign
    "svg.hashsalt": "danmaku",  # the same report is the same file
    "svg.fonttype": "path",
}


_SETTLED = {"heuristic": 0, "deducer": 1, "search": 2, "neural": 3, "reference": 5, "random": 9, "frequencies": 9}
"""Places in COLORS of the agents of the project, and of the two that are no agents."""
_FREE = [place for place in range(len(COLORS)) if place not in _SETTLED.values()]


def colors_of(labels: Sequence[str]) -> list[str]:
    """A colour for each label, the same in every report; of two other agents whose names lead to one colour, the later has the next."""
    places = {label: _SETTLED[label] for label in labels if label in _SETTLED}
    for label in labels:
        if label not in places:
            first = zlib.crc32(label.encode()) % len(_FREE)
            ring = [*_FREE[first:], *_FREE[:first], *_SETTLED.values()]
            places[label] = next((place for place in ring if place not in places.values()), ring[0])
    return [COLORS[places[label]] for label in labels]


def picture(figure: Figure) -> str:
    """The figure as the source of an image: SVG, in which nothing can run when it is shown as an image."""
    with io.BytesIO() as file:
        figure.savefig(file, format="svg", metadata={"Date": None})
        return "data:image/svg+xml;base64," + base64.b64encode(file.getvalue()).decode()


def templates() -> Environment:
    """The pages of the rooms, in which whatever comes from outside is escaped."""
    folder = FileSystemLoader(Path(__file__).parent.parent)
    return Environment(loader=folder, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
