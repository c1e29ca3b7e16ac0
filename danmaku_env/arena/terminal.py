"""The terminal as every command writes to it: whatever comes from outside, an agent's name or a file's, is letters and no more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from danmaku_env.agents.blame import printable


class Terminal(Console):
    """A console that takes no word of what it prints for one to itself, neither as markup nor as a control character."""

    def __init__(self, **options: Any) -> None:
        """Options are those of the console of rich."""
        super().__init__(highlight=False, markup=False, emoji=False, force_jupyter=False, **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The parts of what is printed, with their styles; colours and movements of the cursor are apart from the text."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else "\n".join(map(printable, text.split("\n"))), style, control)
