"""Which rules these are: the fingerprint that every file keeps from which a game is played again.

It is made of what the rules are and not of how they are written down: comments, renamed functions and moved files leave it alone. The cards
speak for themselves, by their compiled tables; for the engine speaks a number that is raised by hand. `python -m tests.rules_guard` plays
seeded games and says when it must be (CONTRIBUTING.md, "When a number rises").
"""

from __future__ import annotations

import functools
import hashlib

from danmaku_env.cards import box
from danmaku_env.cards.compile import compile_cards
from danmaku_env.engine.actions import ACTION_IDS

RULES_BEHAVIOUR = 1
"""Rises whenever the engine makes another final record of a seeded game."""
_KEPT_BY_THE_ENGINE = "reached"
"""The one table that is written while games are played."""
_DIGITS = 12


@functools.cache
def rules_fingerprint() -> str:
    """`1-0123456789ab`: the number of the engine's behaviour, and a hash of the compiled cards and of the names that stand for their numbers.

    The first call in a process compiles the cards, if nothing has yet: a tenth of a second.
    """
    return f"{RULES_BEHAVIOUR}-{_cards_digest()[:_DIGITS]}"


def _cards_digest() -> str:
    """64 hexadecimal digits that change with any number in the tables, and with any name of a card or an answer."""
    digest = hashlib.sha256()
    tables = compile_cards().tables
    for field in tables.dtype.names or ():
        if field != _KEPT_BY_THE_ENGINE:
            digest.update(tables[field].tobytes())
    for names in (box.KIND_IDS, box.ITEM_IDS, box.USE_IDS, box.CHARACTER_IDS, box.INCIDENT_IDS, box.ROLE_IDS, box.SOURCE_IDS, ACTION_IDS):
        digest.update(" ".join(names).encode() + b"\0")
    return digest.hexdigest()
