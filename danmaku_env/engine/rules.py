"""The fingerprint of the rules, which is kept in every file from which a game is played again.

It depends on what the rules are and not on how they are written: comments, renamed functions and moved files do not change it. The cards
contribute their compiled tables; the engine contributes a number that is raised by hand. `python -m tests.rules_guard` plays
seeded games and says when it must be (CONTRIBUTING.md, "When a number rises").
"""

from __future__ import annotations

import functools
import hashlib

import numpy as np

from danmaku_env.cards.box import BASE_GAME, Names, names_of
from danmaku_env.cards.compile import compile_cards
from danmaku_env.engine.actions import ACTION_IDS

RULES_BEHAVIOUR = 5
"""Rises whenever the engine makes another final record of a seeded game."""
SAME_BASE_GAMES = ("2-626759c50db9", "2-f0067b6796bd", "3-f0067b6796bd", "4-f0067b6796bd")
"""Earlier rules under which games without the expansion, and without Double Threat, came out the same: what has changed since needs
Lunatic Extra or two characters. Replays, saved games and results of such games still hold. Rules that change them empty the list."""
_KEPT_BY_THE_ENGINE = "reached"
"""The one table that is written while games are played."""
_DIGITS = 12


@functools.cache
def rules_fingerprint() -> str:
    """`1-0123456789ab`: the number of the engine's behaviour, and a hash of the compiled cards and of the names behind their numbers.

    The first call in a process compiles the cards, if nothing has yet: a tenth of a second.
    """
    return f"{RULES_BEHAVIOUR}-{cards_digest(compile_cards().tables, names_of(BASE_GAME))[:_DIGITS]}"


def cards_digest(tables: np.ndarray, names: Names) -> str:
    """64 hexadecimal digits that change with any number in the tables of a box, and with any name of its cards or of an answer."""
    digest = hashlib.sha256()
    for field in tables.dtype.names or ():
        if field != _KEPT_BY_THE_ENGINE:
            digest.update(tables[field].tobytes())
    for ids in (*names, ACTION_IDS):
        digest.update(" ".join(ids).encode() + b"\0")
    return digest.hexdigest()
