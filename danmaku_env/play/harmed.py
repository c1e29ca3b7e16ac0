"""Whom the seats of a game harmed, and how often they named the Heroine: role separation of one game, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import numpy.typing as npt

from danmaku_env.agents.role_separation import count
from danmaku_env.engine import naming
from danmaku_env.engine.naming import BY_CHANCE, HARM, HEROINE, MADE, NAMED, PARTS
from danmaku_env.game import Game

_HEAD = ("seat", "chose whom to harm", "enemies", "by chance", "could name the Heroine", "named her", "by chance")

_LEGEND = (
    "Enemies are seats of another faction at that moment, by their true role; by chance: if every seat that could be named had been as "
    "likely. The roles named here are those at the end."
)


class Harmed:
    """What the answers of a game tell, one after the other."""

    def __init__(self) -> None:
        self._counts = naming.room(1)

    def see(self, game: Game, action: int) -> None:
        """Count an answer that is about to be given."""
        if game.asking is not None:
            count(game.records, [game.asking], game.action_mask()[np.newaxis], [action], self._counts)

    def figures(self, players: int) -> npt.NDArray[np.float64]:
        """[players, 2, 3]: choices of whom to harm, enemies among them, and the number expected by chance; and the same of the Heroine."""
        sums: npt.NDArray[np.float64] = self._counts[0, :players].sum(2)[:, (HARM, HEROINE)][..., (MADE, NAMED, BY_CHANCE)] / (1, 1, PARTS)
        return sums

    def table(self, names: Sequence[str]) -> str:
        """The same as HTML, "" where nobody could choose; `names` of the seats."""
        figures = self.figures(len(names))
        if not figures[..., MADE].any():
            return ""
        head = "".join(f"<th>{words}</th>" for words in _HEAD)
        rows = "".join(
            f"<tr><th>{escape(name)}</th>{_cells(one)}{_cells(two)}</tr>" for name, (one, two) in zip(names, figures, strict=True)
        )
        return (
            f'<section class="beliefs"><h2>Whom they harmed</h2><p class="legend">{_LEGEND}</p>'
            f'<div class="scroll" tabindex="0" role="region" aria-label="whom they harmed">'
            f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></section>"
        )


def _cells(figures: npt.NDArray[np.float64]) -> str:
    choices, named, chance = figures
    if not choices:
        return "<td>–</td><td>–</td><td>–</td>"
    return f"<td>{choices:.0f}</td><td>{named:.0f}</td><td>{chance:.1f}</td>"
