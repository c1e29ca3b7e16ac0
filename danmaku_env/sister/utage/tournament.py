"""Bots and decks against each other: every pair of decks from both sides, on the same deals, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from danmaku_env.machine.records import RNG, RUNNING, as_bytes, payoffs
from danmaku_env.sister.utage import bots
from danmaku_env.sister.utage.cards.tables import tables
from danmaku_env.sister.utage.config import Deck, UtageConfig
from danmaku_env.sister.utage.engine import actions, batch, policy
from danmaku_env.sister.utage.spec import UTAGE_SPEC

Array = npt.NDArray[Any]
_LIMIT = 1 << 20
_QUANTILE = 2.576
"""Of the normal distribution, for 99 % two-sided."""
Tell = Callable[[float, str], None]


def interval(by_deal: Array) -> tuple[float, float]:
    """The mean of numbers by deal, and half of its 99 % interval."""
    half = _QUANTILE * float(by_deal.std(ddof=1)) / len(by_deal) ** 0.5 if len(by_deal) > 1 else float("inf")
    return float(by_deal.mean()), half


def started(config: UtageConfig, seeds: Array) -> Array:
    """Games of some seeds at their first question."""
    UTAGE_SPEC.entries.compile_once()
    games: Array = UTAGE_SPEC.room_for(len(seeds))
    status = np.zeros(len(seeds), np.int8)
    batch.drive(tables(), config.settings(), games, as_bytes(games), seeds.astype(np.int64), status, batch.START)
    return games


def played(config: UtageConfig, seats: Sequence[Any], seeds: Array) -> Array:
    """The games of some seeds at their end, with a bot in each seat."""
    games = started(config, seeds)
    if all(hasattr(bot, "plan") for bot in seats):
        dice: Array = np.zeros(1, RNG)
        dice["rng"][0] = np.random.SeedSequence(int(seeds[0])).generate_state(4, np.uint32)
        plans: Array = np.tile(np.array([bot.plan for bot in seats], np.int64), (len(seeds), 1))
        policy.play_out(tables(), games, plans, _LIMIT, dice)
    else:
        _by_question(config, seats, games)
    if found := np.flatnonzero(games["status"]).tolist():
        raise RuntimeError(f"the machine stopped in the game of seed {int(seeds[found[0]])}")
    return games


def _by_question(config: UtageConfig, seats: Sequence[Any], games: Array) -> None:
    masks: Array = np.zeros((len(games), actions.NUM_ACTIONS), np.uint8)
    rows: Array = np.zeros((len(games), config.observation_size), np.uint8)
    status = np.zeros(len(games), np.int8)
    for bot in seats:
        if hasattr(bot, "know"):
            bot.know(config)
    while len(running := np.flatnonzero(games["outcome"] == RUNNING)):
        batch.mask_rows(games, masks)
        asked, chosen = games["asking"].astype(np.int64), np.zeros(len(games), np.int64)
        batch.observe_rows(tables(), games, np.maximum(asked, 0), rows)
        for seat, bot in enumerate(seats):
            there = running[asked[running] == seat]
            if len(there):
                chosen[there] = bot.answer(games[there], asked[there], rows[there], masks[there])
        batch.drive(tables(), np.zeros(1, np.int64), games, as_bytes(games), chosen, status, batch.ANSWER)


def paid(games: Array) -> Array:
    """[n] what seat 0 is paid."""
    found: Array = payoffs(games, 2)[:, 0]
    return found


def by_decks(decks: Sequence[Deck], first: Any, second: Any, deals: int, seed: int = 0, tell: Tell | None = None) -> Array:
    """[decks, decks, deals] what the first bot is paid with the row's deck against the second with the column's, from both sides."""
    found: Array = np.zeros((len(decks), len(decks), deals))
    seeds = np.arange(seed, seed + deals)
    for row, mine in enumerate(decks):
        for column, theirs in enumerate(decks):
            if tell:
                tell((row * len(decks) + column) / len(decks) ** 2, f"{mine.name} against {theirs.name}")
            here = paid(played(UtageConfig(decks=(mine, theirs)), (first, second), seeds))
            there = paid(played(UtageConfig(decks=(theirs, mine)), (second, first), seeds))
            found[row, column] = (here - there) / 2
    return found


def tournament(
    names: Sequence[str], decks: Sequence[Deck], deals: int, seed: int = 0, tell: Tell | None = None
) -> dict[tuple[str, str], tuple[Array, tuple[float, float]]]:
    """By pair of bots: [decks, decks] means, and the mean over all pairings with half of its interval. Raises BotError."""
    made = [bots.make(name, seed) for name in names]
    pairs = [(one, other) for one in range(len(names)) for other in range(one, len(names))]
    found = {}
    for number, (one, other) in enumerate(pairs):
        told = (lambda share, note, number=number: tell((number + share) / len(pairs), note)) if tell else None
        result = by_decks(decks, made[one], made[other], deals, seed, told)
        mean, half = interval(result.mean((0, 1)))
        found[names[one], names[other]] = result.mean(2), (mean, half)
        if one != other:
            found[names[other], names[one]] = -result.mean(2).T, (-mean, half)
    return found
