"""A pen for pictures of the table: text that wraps, boxes, crests and arrows. Colours are named as in table.css.

Needs Pillow and a font, which matplotlib brings along (`pip install 'danmaku-env[arena]'`). Every shape is a few calls of Pillow.
"""

from __future__ import annotations

import colorsys
import functools
import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from danmaku_env.render.faces import crest_of
from danmaku_env.render.html import style

PALETTE = dict(re.findall(r"--([a-z-]+): (?:light-dark\()?(#[0-9a-f]{6})\b", style()))
"""The light colours of the page by the names that table.css gives them."""
_FINER = 4
"""A crest is drawn larger by this factor, and made smaller."""


class NoPictures(ImportError):  # noqa: N818 (it reads as what it is)
    """Pillow or the font is not installed; the message says what to install."""


@functools.cache
def font(size: int, bold: bool = False) -> Any:
    """The font in a size in pixels. Raises NoPictures."""
    try:
        from matplotlib import font_manager
        from PIL import ImageFont
    except ImportError as error:
        raise NoPictures(f"pictures of the table need the package {error.name}: pip install 'danmaku-env[arena]'") from None
    wanted = font_manager.FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")
    return ImageFont.truetype(font_manager.findfont(wanted), size)


@functools.lru_cache(1 << 14)
def length(text: str, size: int, bold: bool = False) -> float:
    """Width of a line of text, in pixels."""
    return float(font(size, bold).getlength(text))


@functools.lru_cache(1 << 12)
def wrapped(text: str, width: float, lines: int, size: int, bold: bool = False) -> tuple[str, ...]:
    """The text in at most this number of lines of that width in pixels; what does not fit is left out, and an ellipsis marks it."""
    found: list[str] = []
    line, words = "", text.split()
    for place, word in enumerate(words):
        longer = f"{line} {word}".strip()
        if not line or length(longer, size, bold) <= width:
            line = longer
        elif len(found) + 1 < lines:
            found.append(line)
            line = word
        else:
            return (*found, _shortened(f"{line} {' '.join(words[place:])}", width, size, bold))
    return (*found, _shortened(line, width, size, bold)) if line else tuple(found)


def _shortened(text: str, width: float, size: int, bold: bool) -> str:
    if length(text, size, bold) <= width:
        return text
    while text and length(f"{text}…", size, bold) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle, in pixels."""

    left: float
    top: float
    width: float
    height: float

    @property
    def centre(self) -> tuple[float, float]:
        """Its middle."""
        return self.left + self.width / 2, self.top + self.height / 2

    def edge_towards(self, point: tuple[float, float]) -> tuple[float, float]:
        """Where a line from its middle to the point leaves it."""
        (x, y), (dx, dy) = self.centre, (point[0] - self.centre[0], point[1] - self.centre[1])
        share = min(self.width / 2 / abs(dx) if dx else math.inf, self.height / 2 / abs(dy) if dy else math.inf)
        return x + dx * share, y + dy * share


class Canvas:
    """A picture that is being drawn."""

    def __init__(self, width: int, height: int, ground: str) -> None:
        """Raises NoPictures."""
        font(12)
        from PIL import Image, ImageDraw

        self.image = Image.new("RGB", (width, height), PALETTE[ground])
        self.pen = ImageDraw.Draw(self.image)

    def text(self, x: float, y: float, words: str, *, size: int = 13, bold: bool = False, color: str = "ink", anchor: str = "la") -> float:
        """One line; returns its width. `anchor` as Pillow's: `la` is left and top."""
        self.pen.text((x, y), words, font=font(size, bold), fill=PALETTE[color], anchor=anchor)
        return length(words, size, bold)

    def lines(
        self, box: Rect, words: str, *, lines: int = 1, size: int = 13, bold: bool = False, color: str = "ink", centred: bool = False
    ) -> float:  # fmt: skip
        """Text from the top of a box downwards; returns where it ends."""
        y = box.top
        for line in wrapped(words, box.width, lines, size, bold):
            at = box.centre[0] if centred else box.left
            self.text(at, y, line, size=size, bold=bold, color=color, anchor="ma" if centred else "la")
            y += round(size * 1.3)
        return y

    def panel(self, box: Rect, fill: str = "paper", edge: str = "line", *, width: int = 2, radius: int = 9) -> None:
        """A box with round corners."""
        self.pen.rounded_rectangle(
            (box.left, box.top, box.left + box.width, box.top + box.height), radius, PALETTE[fill], PALETTE[edge], width
        )

    def bar(self, box: Rect, fill: str) -> None:
        """A filled box."""
        self.pen.rectangle((box.left, box.top, box.left + box.width, box.top + box.height), PALETTE[fill])

    def crest(self, x: float, y: float, character: str, size: int) -> None:
        """The crest of a character, or an empty ring."""
        image, mask = _crest(character, size)
        self.image.paste(image, (round(x), round(y)), mask)

    def arrow(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """From one point to another, in the colour of harm."""
        angle = math.atan2(end[1] - start[1], end[0] - start[0])
        neck = (end[0] - 14 * math.cos(angle), end[1] - 14 * math.sin(angle))
        self.pen.line((start, neck), fill=PALETTE["hurt"], width=5)
        sides = [(end[0] - 22 * math.cos(angle + turn), end[1] - 22 * math.sin(angle + turn)) for turn in (-0.45, 0.45)]
        self.pen.polygon([end, *sides], fill=PALETTE["hurt"])

    def pixels(self) -> npt.NDArray[np.uint8]:
        """[height, width, 3] uint8, a new array."""
        return np.array(self.image, np.uint8)


@functools.cache
def _crest(character: str, size: int) -> tuple[Any, Any]:
    """The crest, and where of its square it is."""
    from PIL import Image, ImageDraw

    whole, scale, shape = size * _FINER, size * _FINER / 20, crest_of(character)
    image, mask = Image.new("RGB", (whole, whole), PALETTE["paper"]), Image.new("L", (whole, whole), 0)
    circle = (0, 0, whole - 1, whole - 1)
    ImageDraw.Draw(mask).ellipse(circle, 255)
    pen = ImageDraw.Draw(image)
    if shape is None:
        pen.ellipse(circle, PALETTE["paper"], PALETTE["line"], _FINER)
    else:
        pen.ellipse(circle, _hsl(shape.hue, 0.45, 0.32), _hsl(shape.hue, 0.5, 0.62), _FINER)
        for x, y in shape.bullets:
            pen.ellipse([(10 + place + side) * scale for side in (-0.75, 0.75) for place in (x, y)], _hsl(shape.hue, 0.7, 0.8))
        pen.polygon([((10 + x) * scale, (10 + y) * scale) for x, y in shape.star], _hsl(shape.hue + 40, 0.85, 0.78))
    small, cut = (part.resize((size, size), Image.Resampling.LANCZOS) for part in (image, mask))
    return small, cut


def _hsl(hue: float, saturation: float, lightness: float) -> tuple[int, ...]:
    return tuple(round(255 * part) for part in colorsys.hls_to_rgb(hue % 360 / 360, lightness, saturation))
