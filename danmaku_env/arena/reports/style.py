"""How reports look: the colour of each agent, and the style of plots."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any

COLORS = ("#0072b2", "#e69f00", "#d55e00", "#009e73", "#cc79a7", "#332288", "#882255", "#56b4e9", "#a5752b", "#aaaaaa")
"""The palette of Okabe and Ito, without the yellow that white paper swallows, and three more: most colour-blind people tell them apart."""
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
"""Places in COLORS of the agents of the project, and of two labels that are not agents."""
_FREE = [place for place in range(len(COLORS)) if place not in _SETTLED.values()]


def colors_of(labels: Iterable[str]) -> dict[str, str]:
    """A colour for each label, the same in every report; of two other agents whose names lead to one colour, the later has the next."""
    labels = list(labels)
    places = {label: _SETTLED[label] for label in labels if label in _SETTLED}
    for label in labels:
        if label not in places:
            first = zlib.crc32(label.encode()) % len(_FREE)
            ring = [*_FREE[first:], *_FREE[:first], *_SETTLED.values()]
            places[label] = next((place for place in ring if place not in places.values()), ring[0])
    return {label: COLORS[places[label]] for label in labels}
