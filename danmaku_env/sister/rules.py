"""The fingerprint of the rules of a sister game, which is kept in every file from which a game is played again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

_DIGITS = 12


def fingerprint(behaviour: int, parts: Iterable[bytes]) -> str:
    """`1-0123456789ab`: the number of the engine's behaviour, and a hash of the compiled cards and of the names of cards and answers."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part + b"\0")
    return f"{behaviour}-{digest.hexdigest()[:_DIGITS]}"
