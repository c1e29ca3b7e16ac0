"""The gate for records that come from outside: nothing runs on them before it is clear that they are games.

What the program itself hands out and gets back unchanged is known again by a keyed digest and passes at once; everything else is looked at
by `engine/checks`, about a millisecond each. Here pass the records in saved games and in replays that did not begin at their set-up
(`saving.record_from_bytes`), and those given to `Game.from_record` and `VectorEnv.restore`.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import numpy.typing as npt

from danmaku_env.config import GameConfig
from danmaku_env.engine import checks
from danmaku_env.engine import state as st

Array = npt.NDArray[Any]

_REMEMBERED = 1 << 16
_WORDS, _REST = divmod(st.STATE_BYTES, 4)
# 32 bits of the record times 64 bits that nobody else knows: two records agree by chance once in 2**33
_KEY: Array = np.frombuffer(secrets.token_bytes(8 * (_WORDS + _REST)), np.uint64)


def _digests(games: Array) -> list[int]:
    """A number for each record that changes with any of its bytes, and differs from run to run."""
    raw = st.as_bytes(np.ascontiguousarray(games))
    words = raw[:, : 4 * _WORDS].view(np.uint32)
    found: Array = np.einsum("ij,j->i", words, _KEY[:_WORDS]) + np.einsum("ij,j->i", raw[:, 4 * _WORDS :], _KEY[_WORDS:])
    return [int(digest) for digest in found.tolist()]


class _HandedOut:
    """Digests of the records handed out last, at least `_REMEMBERED` of them."""

    def __init__(self) -> None:
        self._young: set[int] = set()
        self._old: set[int] = set()

    def add(self, digests: list[int]) -> None:
        self._young.update(digests)
        if len(self._young) >= _REMEMBERED:
            self._young, self._old = set(), self._young

    def __contains__(self, digest: int) -> bool:
        return digest in self._young or digest in self._old


_handed_out = _HandedOut()


def hand_out(games: Array) -> Array:
    """The records, which will be known again as long as they are not changed."""
    _handed_out.add(_digests(games))
    return games


def check_fits(games: Array, config: GameConfig, what: str) -> None:
    """Raise ValueError for a game of another number of players, or of another box, than `what` ("a batch") with this configuration has."""
    for players in set(games["num_players"].tolist()) - {config.num_players}:
        raise ValueError(f"a game of {players} players does not fit {what} of {config.num_players}")
    both, wanted = games["config"] & st.WITH_LUNATIC_EXTRA > 0, config.expansion == "lunatic_extra"
    if (both != wanted).any():
        is_of, fits = ("the base game", "both boxes") if wanted else ("both boxes", "the base game")
        raise ValueError(f"a game of {is_of} does not fit {what} of {fits}: choose another expansion")


def admit(games: Array) -> None:
    """Let records in that were handed out, or that can be games. Raises ValueError, naming the first that cannot."""
    for place, digest in enumerate(_digests(games)):
        if digest not in _handed_out and (found := checks.problem(games[place])):
            where = f" (record {place})" if len(games) > 1 else ""
            raise ValueError(f"no such game is possible{where}: {found}")
