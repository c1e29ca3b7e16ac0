"""`danmaku cards`: what is printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.table import Table

from danmaku_env.cards.box import BASE_GAME
from danmaku_env.cards.encyclopedia import pages
from danmaku_env.cards.vocabulary import Card, Character, Incident, Role
from danmaku_env.console.terminal import Terminal
from danmaku_env.play.screen import Screen


def cards(
    name: Annotated[str | None, typer.Argument(help="Id or name of a card, character, incident or role; all when left out.")] = None,
) -> None:
    """List what is printed, or show one card: its paraphrase beside its program in words."""
    console = Terminal()
    if name is not None:
        Screen(console).page_of(name, programs=True)
        return
    box, more = BASE_GAME, BASE_GAME.expansion
    printed: list[tuple[str, Sequence[Card | Incident | Role | Character]]] = [
        ("Main deck", box.cards), ("Incidents", box.incidents), ("Roles", box.roles), ("Characters", box.characters),
        ("Lunatic Extra: Main and Lunatic deck", more.cards), ("Lunatic Extra: incidents", more.incidents),
        ("Lunatic Extra: roles", more.roles), ("Lunatic Extra: characters", more.characters), ("Bonus character", box.bonus),
    ]  # fmt: skip
    for title, things in printed:
        grid = Table("id", "name", "text", title=title, title_justify="left", show_lines=False)
        for thing in things:
            grid.add_row(thing.id, thing.name, pages()[thing.id].summary)
        console.print(grid)
