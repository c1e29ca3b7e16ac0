"""How games and replays are shown to people, by name: what draws them stands above, and is loaded when somebody looks."""

from __future__ import annotations

import pkgutil

PROSE, TABLE, FILM = "prose", "table", "film"
"""A game in words, the table of a game, and a replay to be stepped through."""
_DRAWN_BY: dict[str, str] = {}


def show_with(drawers: dict[str, str]) -> None:
    """Enter `module:function` for some of the views."""
    _DRAWN_BY.update(drawers)


def drawn(view: str, *what: object) -> str:
    """What the function entered for a view makes of its arguments."""
    return str(pkgutil.resolve_name(_DRAWN_BY[view])(*what))
