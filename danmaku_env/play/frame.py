"""What stands on a terminal at a question: what happened, the table, the question and its answers, in the words that the browser has too.

On a person's terminal it takes no more lines than there are. When they are few, first the table gets one line for each seat, then the
answers lose their explanations, last the seats are left out. `t` prints everything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rich.table import Table
from rich.text import Text

from danmaku_env.cards.encyclopedia import pages
from danmaku_env.game import Game
from danmaku_env.play.screen import Screen
from danmaku_env.render.asking import Answer, Question, question

_INDENT = 6
"""Columns of an answer's number and what is left free behind it."""
_STRIP = 28
"""Columns in which sentences are not read with pleasure."""
_FEWEST_EVENTS = 3
"""Lines for what happened, for which something else is told more briefly."""


class Detail(NamedTuple):
    """How much is told."""

    brief: bool
    """One line for each seat."""
    notes: bool
    """What the answers mean."""
    seats: bool


FULL = Detail(brief=False, notes=True, seats=True)
_LESS = (FULL, Detail(True, True, True), Detail(True, False, True), Detail(True, False, False))


def draw(screen: Screen, game: Game, seat: int, happened: Sequence[str], head: str, below: Callable[[], None] | None = None) -> None:
    """Print it all, in one line less than the terminal has. `below` prints what stands under a table without a question."""
    room = screen.console.height - 1
    for detail in _LESS:
        rest = _captured(screen, lambda detail=detail: _rest(screen, game, seat, detail, below))  # type: ignore[misc]
        left = room - rest.count("\n")
        told = _captured(screen, lambda: _events(screen, happened, seat, head))
        if left >= min(told.count("\n"), _FEWEST_EVENTS):
            break
    for skipped in range(len(happened) + 1):
        told = _captured(screen, lambda skipped=skipped: _events(screen, happened[skipped:], seat, head))  # type: ignore[misc]
        if told.count("\n") <= left:
            break
    for text in (told, rest):
        if text:
            screen.console.print(Text.from_ansi(text.rstrip("\n")), soft_wrap=True)


def _captured(screen: Screen, show: Callable[[], None]) -> str:
    with screen.console.capture() as captured:
        show()
    return captured.get()


def _events(screen: Screen, happened: Sequence[str], seat: int, head: str) -> None:
    if happened:
        screen.say(head, "dim")
        screen.events(happened, seat)


def _rest(screen: Screen, game: Game, seat: int, detail: Detail, below: Callable[[], None] | None) -> None:
    screen.table(game, seat, brief=detail.brief, seats=detail.seats)
    if game.asking == seat:
        ask(screen, game, detail)
    elif below is not None:
        below()


def ask(screen: Screen, game: Game, detail: Detail = FULL) -> None:
    """The question and its numbered answers."""
    asked = question(game)
    screen.say(f"You are asked: {asked.plain}", "bold")
    if asked.why and detail.notes:
        screen.events([asked.why])
    if asked.characters and not detail.brief:
        for key in asked.characters:
            screen.page(key)
    if detail.notes:
        _list(screen, asked, detail)
    else:
        _columns(screen, asked.answers)


def _list(screen: Screen, asked: Question, detail: Detail) -> None:
    """The answers with their numbers; where the words beside them would be a strip, they stand below."""
    words = [Text(_note(answer, asked, detail), style="dim") for answer in asked.answers]
    widest = max(len(answer.label) for answer in asked.answers)
    is_strip = screen.width - widest - _INDENT - 2 < _STRIP
    grid = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    grid.add_column(width=_INDENT - 2, justify="right")
    grid.add_column(no_wrap=not is_strip)
    for number, (answer, note) in enumerate(zip(asked.answers, words, strict=True), 1):
        if is_strip:
            grid.add_row(str(number), Text(answer.label).append(Text("\n").append(note) if note else ""))
        else:
            grid.add_row(str(number), answer.label, note)
    screen.console.print(grid, width=screen.width)


def _note(answer: Answer, asked: Question, detail: Detail) -> str:
    """What an answer means; a character has been explained above, or is in a sentence."""
    character = answer.name.rpartition(":")[2]
    if character in asked.characters:
        return pages()[character].summary if detail.brief else ""
    return answer.note


def _columns(screen: Screen, answers: Sequence[Answer]) -> None:
    """The answers without explanations, in as many columns as fit."""
    cells = [f"{number:>{_INDENT - 2}}  {answer.label}" for number, answer in enumerate(answers, 1)]
    widest = max(map(len, cells)) + 1
    beside = max(1, screen.width // widest)
    for first in range(0, len(cells), beside):
        screen.console.print(Text("".join(cell.ljust(widest) for cell in cells[first : first + beside]).rstrip()))
