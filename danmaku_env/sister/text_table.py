"""What the tables of the sister games as text have in common: 80 columns, at most 24 lines."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

WIDTH, HEIGHT = 80, 24


def cut(line: str) -> str:
    """A line of at most 80 columns; `...` says that there was more."""
    return line if len(line) <= WIDTH else line[: WIDTH - 3] + "..."


def in_cells(cells: list[str], least: int) -> list[str]:
    """Lines of short texts in columns, each at least `least` wide."""
    wide = max([least, *(len(cell) + 2 for cell in cells)])
    across = max(1, WIDTH // wide)
    return ["".join(cell.ljust(wide) for cell in cells[low : low + across]).rstrip() for low in range(0, len(cells), across)]


def headed(head: str, sentence: str) -> str:
    """What a card is, and what it does below, indented."""
    return "\n".join(textwrap.wrap(head, WIDTH) + textwrap.wrap(sentence, WIDTH, initial_indent="  ", subsequent_indent="  "))


def question(game: Any, plain: Mapping[str, str]) -> str:
    """What is asked, in plain words by its name, and by which card."""
    asked: str = game.question
    return plain.get(asked, asked) + (f" ({game.cause})" if game.cause else "")
