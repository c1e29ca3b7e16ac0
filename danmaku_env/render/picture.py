"""The table as a picture: what `rgb_array` returns and the documentation shows. The drawing itself is `ansi.table`, in pixels.

Needs Pillow and a font, which matplotlib brings along (`pip install 'danmaku-env[arena]'`).
"""

from __future__ import annotations

import functools
import io
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.ansi import AnsiDecoder
from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI as THEME

from danmaku_env.game import Game
from danmaku_env.render.ansi import WIDTH, table

_SIZE = 14
_LINE = 18
_MARGIN = 8
FRAME_LINES = {players: 18 + 3 * players for players in range(4, 9)}
"""Lines of a picture in a film by the number of players, as many as random games have needed with both boxes."""


class NoPictures(ImportError):  # noqa: N818 (it reads as what it is)
    """Pillow or the font is not installed; the message says what to install."""


@functools.cache
def _font(bold: bool) -> Any:
    try:
        from matplotlib import font_manager
        from PIL import ImageFont
    except ImportError as error:
        raise NoPictures(f"pictures of the table need the package {error.name}: pip install 'danmaku-env[arena]'") from None
    wanted = font_manager.FontProperties(family="DejaVu Sans Mono", weight="bold" if bold else "normal")
    return ImageFont.truetype(font_manager.findfont(wanted), _SIZE)


def picture(game: Game, seat: int | None = None, *, width: int = WIDTH, lines: int | None = None) -> npt.NDArray[np.uint8]:
    """[height, width, 3] uint8: the table from above, or with the eyes of a seat. Height and width are even, as films want them.

    As high as what there is to see; or always as high as so many `lines`, so that pictures of a game make a film: what does not fit
    is cut off.

    Raises IndexError for a seat beyond the table, NoPictures where Pillow and matplotlib are missing. The same position gives the
    same pixels (on one installation).
    """
    font = _font(False)
    from PIL import Image, ImageDraw

    console = Console(
        file=io.StringIO(), width=width, force_terminal=True, color_system="standard", legacy_windows=False, force_jupyter=False
    )  # fmt: skip
    drawn = list(AnsiDecoder().decode(table(game, seat, width=width)))[:lines]
    cell = font.getlength("M")
    shape = (round(width * cell) + 2 * _MARGIN, (lines or len(drawn)) * _LINE + 2 * _MARGIN)
    even = (shape[0] + shape[0] % 2, shape[1] + shape[1] % 2)
    image = Image.new("RGB", even, tuple(THEME.background_color))
    pen = ImageDraw.Draw(image)
    for row, line in enumerate(drawn):
        column = 0
        for segment in line.render(console):
            style = segment.style
            color = tuple(style.color.get_truecolor(THEME)) if style and style.color else tuple(THEME.foreground_color)
            if style and style.dim:
                color = tuple((part + back) // 2 for part, back in zip(color, THEME.background_color, strict=True))
            place = (_MARGIN + column * cell, _MARGIN + row * _LINE)
            pen.text(place, segment.text.rstrip("\n"), font=_font(bool(style and style.bold)), fill=color)
            column += segment.cell_length
    pixels: npt.NDArray[np.uint8] = np.asarray(image, np.uint8)
    return pixels


def frame(game: Game, seat: int | None = None) -> npt.NDArray[np.uint8]:
    """The picture with the height that all of a game have in a film."""
    return picture(game, seat, lines=FRAME_LINES[game.config.num_players])
