"""A pen for pictures of the table: text that wraps, boxes, crests and arrows in the page's colours.

Needs Pillow and a font, which matplotlib brings along (`pip install 'danmaku-env[arena]'`). Every shape is a few calls of Pillow.
"""

from __future__ import annotations

import colorsys
import functools
import hashlib
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from danmaku_env.cards.box import CHARACTER_IDS

INK, SOFT, BORDER, EDGE, PAPER, GROUND, FELT = "#1c1e26", "#525a69", "#cfd4de", "#747d8e", "#ffffff", "#eceff4", "#dfeae5"
ACCENT, WARN, WARN_EDGE, TURN, OUT, RED = "#0b57a4", "#fff3c4", "#7d5c00", "#fff6d6", "#e4e7ed", "#b3261e"
"""The light colours of table.css."""
_FINER = 4
"""A crest is drawn so many times as large, and made smaller."""
_GOLDEN_ANGLE = 137


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
    """The text in at most so many lines of that width in pixels; what does not fit is left out, and an ellipsis says so."""
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
class Box:
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

        self.image = Image.new("RGB", (width, height), ground)
        self.pen = ImageDraw.Draw(self.image)

    def text(self, x: float, y: float, words: str, *, size: int = 13, bold: bool = False, color: str = INK, anchor: str = "la") -> float:
        """One line; returns its width. `anchor` as Pillow's: `la` is left and top."""
        self.pen.text((x, y), words, font=font(size, bold), fill=color, anchor=anchor)
        return length(words, size, bold)

    def lines(
        self, box: Box, words: str, *, lines: int = 1, size: int = 13, bold: bool = False, color: str = INK, centred: bool = False
    ) -> float:  # fmt: skip
        """Text from the top of a box downwards; returns where it ends."""
        y = box.top
        for line in wrapped(words, box.width, lines, size, bold):
            at = box.centre[0] if centred else box.left
            self.text(at, y, line, size=size, bold=bold, color=color, anchor="ma" if centred else "la")
            y += round(size * 1.3)
        return y

    def panel(self, box: Box, fill: str = PAPER, edge: str = BORDER, *, width: int = 2, radius: int = 9) -> None:
        """A box with round corners."""
        self.pen.rounded_rectangle((box.left, box.top, box.left + box.width, box.top + box.height), radius, fill, edge, width)

    def bar(self, box: Box, fill: str) -> None:
        """A filled box."""
        self.pen.rectangle((box.left, box.top, box.left + box.width, box.top + box.height), fill)

    def crest(self, x: float, y: float, character: str, size: int) -> None:
        """The crest of a character, or an empty ring."""
        image, mask = _crest(character, size)
        self.image.paste(image, (round(x), round(y)), mask)

    def arrow(self, start: tuple[float, float], end: tuple[float, float], color: str = RED) -> None:
        """From one point to another."""
        angle = math.atan2(end[1] - start[1], end[0] - start[0])
        neck = (end[0] - 14 * math.cos(angle), end[1] - 14 * math.sin(angle))
        self.pen.line((start, neck), fill=color, width=5)
        sides = [(end[0] - 22 * math.cos(angle + turn), end[1] - 22 * math.sin(angle + turn)) for turn in (-0.45, 0.45)]
        self.pen.polygon([end, *sides], fill=color)

    def pixels(self) -> npt.NDArray[np.uint8]:
        """[height, width, 3] uint8, a new array."""
        return np.array(self.image, np.uint8)


@functools.cache
def _crest(character: str, size: int) -> tuple[Any, Any]:
    """The crest that faces.py draws for the page, and where it is."""
    from PIL import Image, ImageDraw

    whole, scale = size * _FINER, size * _FINER / 20
    image, mask = Image.new("RGB", (whole, whole), PAPER), Image.new("L", (whole, whole), 0)
    ImageDraw.Draw(mask).ellipse((0, 0, whole - 1, whole - 1), 255)
    pen = ImageDraw.Draw(image)
    if character not in CHARACTER_IDS:
        pen.ellipse((0, 0, whole - 1, whole - 1), PAPER, BORDER, _FINER)
    else:
        dice, hue = hashlib.sha256(character.encode()).digest(), CHARACTER_IDS.index(character) * _GOLDEN_ANGLE % 360
        pen.ellipse((0, 0, whole - 1, whole - 1), _hsl(hue, 0.45, 0.32), _hsl(hue, 0.5, 0.62), _FINER)
        points, bullets, inner = 3 + dice[1] % 6, 6 + dice[2] % 7, 2.2 + dice[3] % 3
        for bullet in range(bullets):
            x, y = _at(8, 2 * math.pi * bullet / bullets, scale)
            pen.ellipse((x - 0.75 * scale, y - 0.75 * scale, x + 0.75 * scale, y + 0.75 * scale), _hsl(hue, 0.7, 0.8))
        star = [_at(inner if corner % 2 else 6.2, math.pi * (corner / points - 0.5), scale) for corner in range(2 * points)]
        pen.polygon(star, _hsl(hue + 40, 0.85, 0.78))
    return tuple(part.resize((size, size), Image.Resampling.LANCZOS) for part in (image, mask))  # type: ignore[return-value]


def _at(radius: float, angle: float, scale: float) -> tuple[float, float]:
    return (10 + radius * math.cos(angle)) * scale, (10 + radius * math.sin(angle)) * scale


def _hsl(hue: float, saturation: float, lightness: float) -> tuple[int, ...]:
    return tuple(round(255 * part) for part in colorsys.hls_to_rgb(hue % 360 / 360, lightness, saturation))
