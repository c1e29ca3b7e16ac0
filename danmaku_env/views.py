"""How games and replays are shown to people, by name: what draws them stands above, and is loaded when somebody looks."""

from __future__ import annotations

import pkgutil
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from danmaku_env.spec import GameSpec

PROSE, TABLE, REPLAY, TEXT, PICTURE = "prose", "table", "replay", "text", "picture"
"""A game in words, the table of a game as a page, a replay to be stepped through, the table as text and as pixels."""
_DRAWN_BY: dict[tuple[str, str], str] = {}


def register_views(game: str, drawers: dict[str, str]) -> None:
    """Enter `module:function` for some of the views of the game of that name."""
    _DRAWN_BY.update({(game, view): drawer for view, drawer in drawers.items()})


def drawn(view: str, spec: GameSpec, *what: object, **options: object) -> Any:
    """What the function entered for a view of a game makes of its arguments. Raises NotImplementedError where there is none."""
    if (spec.name, view) not in _DRAWN_BY:
        raise NotImplementedError(f"{spec.title} has no view {view!r}")
    return pkgutil.resolve_name(_DRAWN_BY[spec.name, view])(*what, **options)
