"""Bots against each other: every pair on the same deals from all seats, with intervals; and a menu fitted to a kingdom."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from danmaku_env.machine.records import RNG, RUNNING, as_bytes, payoffs
from danmaku_env.sister.shisoroku import bots
from danmaku_env.sister.shisoroku.cards import box
from danmaku_env.sister.shisoroku.cards import words as w
from danmaku_env.sister.shisoroku.cards.tables import tables
from danmaku_env.sister.shisoroku.config import ShisorokuConfig
from danmaku_env.sister.shisoroku.engine import actions, batch, policy
from danmaku_env.sister.shisoroku.spec import SHISOROKU_SPEC

Array = npt.NDArray[Any]
_LIMIT = 1 << 20
_QUANTILE = 2.576
"""Of the normal distribution, for 99 % two-sided."""
Tell = Callable[[float, str], None]


class Estimate(NamedTuple):
    """A mean with half of its 99 % interval, the deal as the unit."""

    mean: float
    half: float

    def __str__(self) -> str:
        return f"{self.mean:+.3f} ± {self.half:.3f}"


def estimate(by_deal: Array) -> Estimate:
    """The mean of numbers by deal."""
    spread = float(by_deal.std(ddof=1)) / math.sqrt(len(by_deal)) if len(by_deal) > 1 else math.inf
    return Estimate(float(by_deal.mean()), _QUANTILE * spread)


def play(config: ShisorokuConfig, seats: Sequence[Any], seeds: Array) -> Array:
    """[n, seats] what every seat is paid in the games of some seeds, bots in the seats in this order."""
    spec = SHISOROKU_SPEC
    spec.entries.compile_once()
    games = spec.room_for(len(seeds))
    raw, status = as_bytes(games), np.zeros(len(seeds), np.int8)
    batch.drive(tables(), config.settings(), games, raw, seeds.astype(np.int64), status, batch.START)
    if all(hasattr(bot, "plan") and not isinstance(bot, bots.SearchBot) for bot in seats):
        plans: Array = np.zeros((len(seeds), spec.most_seats, 2 * policy.PLAN_ROOM), np.int64)
        plans[:, : len(seats)] = [bot.plan for bot in seats]
        dice: Array = np.zeros(1, RNG)
        dice["rng"][0] = np.random.SeedSequence(int(seeds[0])).generate_state(4, np.uint32)
        policy.play_out(tables(), games, plans, _LIMIT, dice)
    else:
        _by_question(config, seats, games, raw, status)
    if found := np.flatnonzero(games["status"]).tolist():
        raise RuntimeError(f"the machine stopped in the game of seed {int(seeds[found[0]])}")
    return payoffs(games, config.num_players)


def _by_question(config: ShisorokuConfig, seats: Sequence[Any], games: Array, raw: Array, status: Array) -> None:
    masks: Array = np.zeros((len(games), actions.NUM_ACTIONS), np.uint8)
    rows: Array = np.zeros((len(games), config.observation_size), np.uint8)
    while len(running := np.flatnonzero(games["outcome"] == RUNNING)):
        batch.mask_rows(games, masks)
        asked, chosen = games["asking"].astype(np.int64), np.zeros(len(games), np.int64)
        batch.observe_rows(tables(), games, np.maximum(asked, 0), rows)
        for seat, bot in enumerate(seats):
            there = running[asked[running] == seat]
            if len(there):
                chosen[there] = bot.answer(games[there], asked[there], rows[there], masks[there])
        batch.drive(tables(), np.zeros(1, np.int64), games, raw, chosen, status, batch.ANSWER)


def duel(config: ShisorokuConfig, first: Any, second: Any, deals: int, seed: int = 0) -> Array:
    """[deals] what the first bot is paid more than the second, over all ways to seat both by turns, on the same deals."""
    seeds, players = np.arange(seed, seed + deals), config.num_players
    found = []
    for shift in range(2):
        seats = [(first, second)[(seat + shift) % 2] for seat in range(players)]
        paid = play(config, seats, seeds)
        mine = np.array([(seat + shift) % 2 == 0 for seat in range(players)])
        found.append(paid[:, mine].mean(1) - paid[:, ~mine].mean(1))
    difference: Array = np.mean(found, axis=0) / 2
    return difference


def tournament(
    config: ShisorokuConfig, names: Sequence[str], deals: int, seed: int = 0, tell: Tell | None = None
) -> dict[tuple[str, str], Estimate]:
    """Every pair of bots: half of what the one is paid more than the other, from -1 to 1, by pair of names. Raises BotError."""
    made = [bots.make(name, seed) for name in names]
    pairs = [(first, second) for first in range(len(names)) for second in range(first + 1, len(names))]
    found = {}
    for number, (first, second) in enumerate(pairs):
        if tell:
            tell(number / len(pairs), f"{names[first]} against {names[second]}")
        result = estimate(duel(config, made[first], made[second], deals, seed))
        found[names[first], names[second]] = result
        found[names[second], names[first]] = Estimate(-result.mean, result.half)
    return found


def fit_menu(
    config: ShisorokuConfig, deals: int = 400, rounds: int = 3, seed: int = 0, tell: Tell | None = None
) -> tuple[dict[str, int], Estimate]:
    """A menu for a kingdom: from money on, the change of one number that wins most against money is kept, as long as one helps.

    Returns the menu and what it wins against money on other deals. Raises ValueError for kingdoms that each game draws.
    """
    if config.kingdom_ids is None:
        raise ValueError("a menu is fitted to one kingdom; name ten cards, or say first")
    wanted = [name for name in config.kingdom_ids if box.CARDS[box.NUMBERS[name]].types & (w.ACTION | w.RESOURCE)]
    menu: dict[str, int] = {}
    best, money = 0.0, bots.MenuBot()
    for step in range(rounds):
        tried = [{**menu, name: copies} for name in wanted for copies in (1, 2, 4) if menu.get(name) != copies]
        tried = [one for one in tried if len(one) <= policy.PLAN_ROOM]
        scores = []
        for number, one in enumerate(tried):
            if tell:
                tell((step + number / len(tried)) / rounds, f"round {step + 1} of at most {rounds}")
            scores.append(float(duel(config, bots.MenuBot(one), money, deals, seed).mean()))
        if max(scores) <= best:
            break
        best, menu = max(scores), tried[int(np.argmax(scores))]
    return menu, estimate(duel(replace(config), bots.MenuBot(menu), money, 5 * deals, seed + deals))
