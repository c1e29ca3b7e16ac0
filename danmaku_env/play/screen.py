"""What a person at a terminal reads and types, whether playing or watching."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterable, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from danmaku_env.cards.encyclopedia import find_page, pages
from danmaku_env.console.terminal import Terminal
from danmaku_env.game import Game
from danmaku_env.render.ansi import NARROW, WIDTH, brief_table, table
from danmaku_env.wording import ROLE_NAMES, seat_name

QUIT = ("q", "quit")
NO_MORE_WORDS = "That takes no more words."
"""After a command that was typed with something behind it."""
NARROWEST = 24
"""Columns below which words of the table would be split; a narrower terminal wraps it."""
_MARGIN = 2
"""Blanks between the columns of a belief."""


class Leave(Exception):  # noqa: N818 (nothing went wrong)
    """The person has had enough."""


class Screen:
    """A terminal, or a pipe that stands for one."""

    def __init__(self, console: Console | None = None) -> None:
        """Write to `console`, or to standard output: as wide as the terminal is, or `WIDTH` columns into a pipe."""
        width = None if sys.stdout.isatty() else WIDTH
        self.console = console or Terminal(width=width)
        self._typed = _prompt_session() if console is None and sys.stdin.isatty() and sys.stdout.isatty() else None
        self._words: list[str] = []

    @property
    def width(self) -> int:
        """Columns of the table."""
        return max(NARROWEST, min(WIDTH, self.console.width))

    @property
    def is_live(self) -> bool:
        """Whether somebody sits before it, so that it can be drawn anew in place."""
        return self.console.is_terminal

    def anew(self) -> None:
        """Begin at the top again, where somebody sits before it."""
        if self.is_live:
            self.console.clear()

    def offer(self, words: Iterable[str]) -> None:
        """What may be typed at the next prompts, for completion."""
        self._words = list(words)

    def belief(self, title: str, rows: Iterable[tuple[str, Sequence[str]]], columns: Sequence[str]) -> None:
        """Print who is believed to be what: a line of cells for each seat."""
        self.say(title, "bold")
        lines = list(rows)
        label = max((len(name) for name, _ in lines), default=0)
        widths = [max(len(column), *(len(cells[place]) for _, cells in lines)) for place, column in enumerate(columns)]
        for shown in _fitting(widths, self.console.width - label):
            grid = Table(box=None, pad_edge=False, padding=(0, _MARGIN, 0, 0), header_style="dim")
            grid.add_column(no_wrap=True, min_width=label)
            for place in shown:
                grid.add_column(columns[place], justify="right", no_wrap=True, min_width=widths[place])
            for name, cells in lines:
                grid.add_row(name, *(cells[place] for place in shown))
            self.console.print(grid)

    def listed(self, rows: Iterable[tuple[str, str]]) -> None:
        """Print what can be typed and what it does, beside each other or, where that is narrow, below."""
        if self.console.width < NARROW:
            for keys, words in rows:
                self.console.print(Padding(Text(keys), (0, 0, 0, 2), expand=False))
                self.console.print(Padding(Text(words), (0, 0, 0, 6), expand=False))
            return
        grid = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 2))
        for keys, words in rows:
            grid.add_row(keys, words)
        self.console.print(grid)

    def say(self, words: str = "", style: str | None = None) -> None:
        """Print a paragraph."""
        self.console.print(words, style=style)

    def sorry(self, error: Exception) -> None:
        """Print an error as a sentence."""
        words = str(error)
        self.say(words[:1].upper() + words[1:] + ("" if words.endswith("?") else "."))

    def events(self, lines: Iterable[str], seat: int | None = None) -> None:
        """Print what happened, what concerns `seat` in bold."""
        for line in lines:
            mine = seat is not None and (f"seat {seat} " in line or line.endswith(f"seat {seat}"))
            style = "dim" if line.startswith("---") else "bold" if mine else None
            self.console.print(Padding(Text(line), (0, 0, 0, 2), expand=False), style=style)

    def drawn(self, game: Game, seat: int | None, *, asked: bool = True) -> str:
        """The table, from above or as the seat sees it; `asked` marks who must answer."""
        return table(game, seat, self._has_color(), width=self.width, below=False, asked=asked)

    def table(self, game: Game, seat: int | None, *, asked: bool = True, brief: bool = False, seats: bool = True) -> None:
        """Print the table; `brief` gives every seat one line, where the terminal is wide enough, and without `seats` none."""
        drawn = self.drawn(game, seat, asked=asked)
        if brief and self.width >= NARROW:
            drawn = brief_table(game, seat, self._has_color(), width=self.width, seats=seats)
        self.console.print(Text.from_ansi(drawn), soft_wrap=True)

    def _has_color(self) -> bool:
        return self.console.is_terminal and not os.environ.get("NO_COLOR")

    def page(self, key: str, *, programs: bool = False) -> None:
        """Print everything about one card; with the programs only for a proof-reader."""
        page = pages()[key]
        self.console.print(f"{page.name} ({key})", style="bold")
        self.console.print(Padding(page.facts, (0, 0, 0, 2), expand=False))
        for part, paraphrase, program in page.rows:
            words = paraphrase if programs else paraphrase or program
            self.console.print(Padding(Text(f"[{part}] {words}"), (0, 0, 0, 2), expand=False))
            if programs:
                self.console.print(Padding(Text(f"program: {program}"), (0, 0, 0, 4), expand=False), style="dim")

    def page_of(self, words: str, *, programs: bool = False) -> None:
        """The same, by id, name or part of a name. Raises UnknownCard."""
        self.page(find_page(" ".join(words.split())), programs=programs)

    def ask(self, prompt: str) -> str:
        """What the person types, without blanks around it. Raises Leave on `QUIT` and when nothing more can come."""
        words = self.read(prompt).strip()
        if words.lower() in QUIT:
            raise Leave
        return words

    def read(self, prompt: str) -> str:
        """A line from the keyboard. Raises Leave at the end of the input and on Ctrl-C."""
        try:
            words = self.console.input(prompt) if self._typed is None else self._typed(prompt, self._words)
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            raise Leave from None
        if not sys.stdin.isatty():
            self.console.print(Text(words))  # nobody typed it where it can be seen
        return words


def _fitting(widths: Sequence[int], room: int) -> list[list[int]]:
    """The columns of these widths in groups, each no wider than the room unless a single column is."""
    groups: list[list[int]] = [[]]
    left = room
    for place, width in enumerate(widths):
        left -= width + _MARGIN
        if left < 0 and groups[-1]:
            groups.append([])
            left = room - width - _MARGIN
        groups[-1].append(place)
    return groups


def _prompt_session() -> Callable[[str, Sequence[str]], str] | None:
    """Reads lines with completion and history, where prompt_toolkit is installed (`pip install 'danmaku-env[terminal]'`)."""
    try:
        toolkit = importlib.import_module("prompt_toolkit")
        completion = importlib.import_module("prompt_toolkit.completion")
    except ModuleNotFoundError:
        return None
    session = toolkit.PromptSession()

    def read(prompt: str, words: Sequence[str]) -> str:
        completer = completion.WordCompleter(words, sentence=True, match_middle=True)
        return str(session.prompt(prompt, completer=completer, complete_while_typing=False))

    return read


def ending(game: Game) -> str:
    """How the game ended, in words; "" while it goes on."""
    if game.outcome == "won":
        winners = ", ".join(f"{seat_name(game.record, seat)}, {ROLE_NAMES.get(game.seat(seat).role, 'no role')}" for seat in game.winners)
        return f"The winners: {winners}."
    return {"draw": "Nobody is left: a draw.", "truncated": "The turn limit is reached: nobody wins."}.get(game.outcome, "")


def events(game: Game) -> int:
    """Events logged since the game began; the same for all seats."""
    return int(game.record["log_count"])


def happened(game: Game, seat: int | None, since: int = 0) -> list[str]:
    """What happened after the first `since` events, as the seat knows it or from above, one line each."""
    log = game.log.above() if seat is None else game.log.of(seat)
    return list(log.since(since))
