"""Validation of records that come from outside: nothing runs on them before it is clear that they are games.

Records that the program issued and gets back unchanged are recognised by a keyed digest and pass at once. All others are checked by the
invariants of their game, about a millisecond each: the records in saved games and in replays that did not begin at their set-up
(`saving.record_from_bytes`), and those given to `Game.from_record` and `VectorEnv.restore`.
"""

from __future__ import annotations

import functools
import secrets

import numpy as np

from danmaku_env.machine.records import Array
from danmaku_env.spec import GameSpec

_REMEMBERED = 1 << 16


@functools.cache
def _key(size: int) -> Array:
    """64 bits that nobody else knows for every 32 bits of a record: two records agree by chance once in 2**33."""
    return np.frombuffer(secrets.token_bytes(8 * sum(divmod(size, 4))), np.uint64)


def _digests(games: Array) -> list[int]:
    """A number for each record that changes with any of its bytes, and differs from run to run."""
    size = games.dtype.itemsize
    key, whole = _key(size), size // 4
    raw = np.ascontiguousarray(games).view(np.uint8).reshape(len(games), size)
    words = raw[:, : 4 * whole].view(np.uint32)
    found: Array = np.einsum("ij,j->i", words, key[:whole]) + np.einsum("ij,j->i", raw[:, 4 * whole :], key[whole:])
    return [int(digest) for digest in found.tolist()]


class _Issued:
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


_issued = _Issued()


def issue(games: Array) -> Array:
    """The records, which will be known again as long as they are not changed."""
    _issued.add(_digests(games))
    return games


def validate(games: Array, spec: GameSpec) -> None:
    """Let records in that were handed out, or that can be games. Raises ValueError, naming the first that cannot."""
    for place, digest in enumerate(_digests(games)):
        if digest not in _issued and (found := spec.problem(games[place])):
            where = f" (record {place})" if len(games) > 1 else ""
            raise ValueError(f"no such game is possible{where}: {found}")
