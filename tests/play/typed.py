"""A screen whose keyboard is a list of lines."""

import io

from rich.console import Console

from danmaku_env.play.screen import Leave, Screen


class Typed(Screen):
    """Prints into memory and reads what it was given; leaves when that is used up."""

    def __init__(self, *lines, width=120):
        super().__init__(Console(file=io.StringIO(), width=width, highlight=False, markup=False, emoji=False))
        self.lines = list(lines)

    def read(self, prompt):
        if not self.lines:
            raise Leave
        words = self.lines.pop(0)
        self.console.print(f"{prompt}{words}")
        return words

    @property
    def text(self):
        """Everything printed so far."""
        return self.console.file.getvalue()
