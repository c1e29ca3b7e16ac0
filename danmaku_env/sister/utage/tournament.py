"""Bots and decks against each other: every pair of decks from both sides, on the same deals, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from danmaku_env.estimates import Estimate
from danmaku_env.machine.records import Array, payoffs
from danmaku_env.sister.bots import introduce
from danmaku_env.sister.duels import OnProgress, begun, estimate_of, pairs, play_out
from danmaku_env.sister.utage import bots
from danmaku_env.sister.utage.config import Deck, UtageConfig
from danmaku_env.sister.utage.engine import policy
from danmaku_env.sister.utage.spec import UTAGE_SPEC


def played(config: UtageConfig, seats: Sequence[Any], seeds: Array) -> Array:
    """[n] the games of `seeds` [n] at their end, with a bot in each seat."""
    games = begun(config, seeds)
    _finish(config, games, seats, np.tile(np.arange(2), (len(seeds), 1)))
    return games


def _finish(config: UtageConfig, games: Array, seats: Sequence[Any], whose: Array) -> None:
    introduce(config, seats)
    play_out(UTAGE_SPEC, games, seats, whose, policy.play_out)


def paid(games: Array) -> Array:
    """[n] what seat 0 is paid."""
    found: Array = payoffs(games, 2)[:, 0]
    return found


def by_decks(decks: Sequence[Deck], first: Any, second: Any, deals: int, seed: int = 0, on_progress: OnProgress | None = None) -> Array:
    """[decks, decks, deals] what the first bot is paid with the row's deck against the second with the column's, from both sides."""
    found: Array = np.zeros((len(decks), len(decks), deals))
    seeds = np.arange(seed, seed + deals)
    for row, mine in enumerate(decks):
        for column, theirs in enumerate(decks):
            if on_progress:
                on_progress((row * len(decks) + column) / len(decks) ** 2, f"{mine.name} against {theirs.name}")
            games: Array = np.concatenate([begun(UtageConfig(decks=pair), seeds) for pair in ((mine, theirs), (theirs, mine))])
            _finish(UtageConfig(decks=(mine, theirs)), games, (first, second), np.repeat([[0, 1], [1, 0]], deals, axis=0))
            found[row, column] = (paid(games[:deals]) - paid(games[deals:])) / 2
    return found


def tournament(
    names: Sequence[str], decks: Sequence[Deck], deals: int, seed: int = 0, on_progress: OnProgress | None = None
) -> dict[tuple[str, str], tuple[Array, Estimate]]:
    """By pair of bots: [decks, decks] means, and the mean over all pairings. Raises BotError."""
    made, found = [bots.make(name, seed) for name in names], {}
    for one, other, on_part in pairs(names, on_progress, alike=True):
        result = by_decks(decks, made[one], made[other], deals, seed, on_part)
        over_all = estimate_of(result.mean((0, 1)))
        found[names[one], names[other]] = result.mean(2), over_all
        if one != other:
            found[names[other], names[one]] = -result.mean(2).T, -over_all
    return found
