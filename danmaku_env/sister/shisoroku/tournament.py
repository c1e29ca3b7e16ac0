"""Bots against each other: every pair on the same deals from all seats, with intervals; and a menu fitted to a kingdom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from danmaku_env.estimates import Estimate
from danmaku_env.machine.records import Array, payoffs
from danmaku_env.sister.bots import introduce
from danmaku_env.sister.duels import OnProgress, begun, estimate_of, pairs, play_out
from danmaku_env.sister.shisoroku import bots
from danmaku_env.sister.shisoroku.cards import box
from danmaku_env.sister.shisoroku.cards import words as w
from danmaku_env.sister.shisoroku.config import ShisorokuConfig
from danmaku_env.sister.shisoroku.engine import policy
from danmaku_env.sister.shisoroku.spec import SHISOROKU_SPEC


def duel(config: ShisorokuConfig, first: Any, second: Any, deals: int, seed: int = 0) -> Array:
    """[deals] what the first bot is paid more than the second, over all ways to seat both by turns, on the same deals."""
    seeds, players, found = np.arange(seed, seed + deals), config.num_players, []
    for shift in range(2):
        paid = play(config, [(first, second)[(seat + shift) % 2] for seat in range(players)], seeds)
        mine = np.array([(seat + shift) % 2 == 0 for seat in range(players)])
        found.append(paid[:, mine].mean(1) - paid[:, ~mine].mean(1))
    difference: Array = np.mean(found, axis=0) / 2
    return difference


def play(config: ShisorokuConfig, seats: Sequence[Any], seeds: Array) -> Array:
    """[n, seats] what every seat is paid in the games of some seeds, bots in the seats in this order."""
    introduce(config, seats)
    games = begun(config, seeds)
    whose = np.tile(np.arange(SHISOROKU_SPEC.most_seats) % len(seats), (len(seeds), 1))
    play_out(SHISOROKU_SPEC, games, seats, whose, policy.play_out)
    return payoffs(games, config.num_players)


def tournament(
    config: ShisorokuConfig, names: Sequence[str], deals: int, seed: int = 0, on_progress: OnProgress | None = None
) -> dict[tuple[str, str], Estimate]:
    """Every pair of bots: half of what the one is paid more than the other, from -1 to 1, by pair of names. Raises BotError."""
    made, found = [bots.make(name, seed) for name in names], {}
    for first, second, _ in pairs(names, on_progress):
        found[names[first], names[second]] = result = estimate_of(duel(config, made[first], made[second], deals, seed))
        found[names[second], names[first]] = -result
    return found


def fit_menu(
    config: ShisorokuConfig, deals: int = 400, rounds: int = 3, seed: int = 0, on_progress: OnProgress | None = None
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
            if on_progress:
                on_progress((step + number / len(tried)) / rounds, f"round {step + 1} of at most {rounds}")
            scores.append(float(duel(config, bots.MenuBot(one), money, deals, seed).mean()))
        if max(scores) <= best:
            break
        best, menu = max(scores), tried[int(np.argmax(scores))]
    return menu, estimate_of(duel(replace(config), bots.MenuBot(menu), money, 5 * deals, seed + deals))
