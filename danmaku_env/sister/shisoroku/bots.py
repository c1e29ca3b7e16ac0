"""Bots by name: `random`, `money`, `menu:eosd-17=2`, `search:simulations=40`. Each knows what its seat may know, and no more."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

import numpy as np

from danmaku_env.arguments import number_said, shown
from danmaku_env.machine.records import Array, as_bytes, payoffs
from danmaku_env.seeds import check_seed
from danmaku_env.sister.bots import BotError, RandomBot, WorldsBot, check_simulations, loaded, split_name
from danmaku_env.sister.shisoroku.cards import box
from danmaku_env.sister.shisoroku.cards.tables import tables
from danmaku_env.sister.shisoroku.config import ShisorokuConfig
from danmaku_env.sister.shisoroku.engine import actions, batch, policy, resample
from danmaku_env.sister.shisoroku.engine import state as st

NAMES = ("random", "money", "menu", "search", "neural")
_LEARNING = "danmaku_env.sister.shisoroku.learning"
_MOST_ANSWERS = 400
"""Answers that a game is played on after one that is tried."""


def plan_of(menu: Mapping[str, int]) -> Array:
    """[16] what `engine/policy.py` reads: cards and how many to buy. Raises BotError for more cards than there is room for."""
    if len(menu) > policy.PLAN_ROOM:
        raise BotError(f"a menu names {len(menu)} cards; {policy.PLAN_ROOM} fit")
    plan: Array = np.zeros(2 * policy.PLAN_ROOM, np.int64)
    for place, (name, number) in enumerate(menu.items()):
        plan[2 * place : 2 * place + 2] = box.NUMBERS[name] + 1, number
    return plan


def _check_menu(name: str, menu: Mapping[str, int], config: ShisorokuConfig) -> None:
    for card in menu:
        if card not in config.pool:
            raise BotError(f"{name}: no kingdom of this table has {card}")


class MenuBot:
    """Buys money, points and the cards of its menu; plays what it has, actions that give actions first."""

    def __init__(self, menu: Mapping[str, int] | None = None, name: str = "money") -> None:
        """The menu: up to 8 cards, and how many of each to buy."""
        self.name, self.menu = name, dict(menu or {})
        self.plan = plan_of(self.menu)

    def know(self, config: ShisorokuConfig) -> None:
        """The table. Raises BotError for a card of the menu that it can never have."""
        _check_menu(self.name, self.menu, config)

    def reset(self, seed: int) -> None:
        """Nothing: it draws no random numbers."""

    def answer(self, games: Array, seats: Array, observations: Array, masks: Array) -> Array:
        """[k] answers in k games."""
        chosen: Array = np.zeros(len(games), np.int64)
        policy.answer_rows(tables(), games, np.tile(self.plan, (len(games), 1)), chosen)
        return chosen


class SearchBot(WorldsBot):
    """Tries every legal answer in worlds that fit what its seat knows, each played on by bots with one menu, and takes the best."""

    scratch = resample.SCRATCH

    def __init__(self, simulations: int = 40, menu: Mapping[str, int] | None = None, seed: int = 0) -> None:
        """`simulations` games are played on for each question, shared by its answers."""
        self.name, self.simulations, self.menu = f"search:simulations={simulations}", simulations, dict(menu or {})
        self._plan = plan_of(self.menu)
        self.reset(seed)

    def know(self, config: ShisorokuConfig) -> None:
        """The table. Raises BotError for a card of the menu that it can never have."""
        _check_menu(self.name, self.menu, config)

    def _one(self, game: Array, seat: int, mask: Array) -> int:
        legal = np.flatnonzero(mask)
        plays = (legal >= actions.PLAY_BASE) & (legal < actions.BUY_BASE)
        if (legal == actions.PLAY_RESOURCES).any():  # that keeps every purchase open, and asks nothing
            return actions.PLAY_RESOURCES
        if len(legal) == 1 or plays.all():
            return int(legal[0])
        each = max(1, self.simulations // len(legal))
        worlds: Array = np.repeat(game, each)
        batch.resample_rows(tables(), worlds, np.full(each, seat), self._rng)
        tried: Array = np.tile(worlds, len(legal))
        answers, status = np.repeat(legal.astype(np.int64), each), np.zeros(len(tried), np.int8)
        batch.drive(tables(), np.zeros(1, np.int64), tried, as_bytes(tried), answers, status, batch.ANSWER)
        plans: Array = np.broadcast_to(self._plan, (len(tried), st.SEATS, len(self._plan)))
        policy.play_out(tables(), tried, np.ascontiguousarray(plans), _MOST_ANSWERS, self._play_rng)
        return int(legal[np.argmax(self._values(tried, seat).reshape(len(legal), each).mean(1))])

    def _values(self, games: Array, seat: int) -> Array:
        """[n] what the seat is paid; in games that are not over, a little for being ahead."""
        points: Array = np.zeros((len(games), st.SEATS), np.int64)
        batch.scores(tables(), games, np.full(len(games), -1), points)
        players = int(games["num_players"][0])
        others = np.delete(points[:, :players], seat, axis=1).max(1)
        values: Array = payoffs(games, players)[:, seat] + 0.01 * np.tanh((points[:, seat] - others) / 10)
        return values


def make(name: str, seed: int = 0) -> Any:
    """A bot by its name. Raises BotError, saying what would be right, for one that there is not, and ValueError for an invalid seed."""
    word, rest = split_name(name, NAMES)
    seed = check_seed(seed)
    if word == "neural":
        return loaded(name, _LEARNING, rest, seed)
    options = _options(name, rest)
    if word in ("random", "money") and options:
        raise BotError(f"{word} has no options, so {rest!r} says nothing")
    if word == "random":
        return RandomBot([policy.AT_RANDOM] * (2 * policy.PLAN_ROOM), seed)
    if word == "money":
        return MenuBot()
    simulations = options.pop("simulations", 40) if word == "search" else 0
    for card in options:
        if card not in box.KINGDOM_IDS:
            near = difflib.get_close_matches(card, box.KINGDOM_IDS, 1)
            raise BotError(f"{name}: {card!r} is no kingdom card{f'; do you mean {near[0]!r}?' if near else ''}")
    if word == "search":
        return SearchBot(check_simulations(name, simulations), options, seed)
    return MenuBot(options, name)


def _options(name: str, rest: str) -> dict[str, int]:
    """`a=1,b=2` as numbers."""
    found: dict[str, int] = {}
    for part in filter(None, rest.split(",")):
        key, _, value = part.partition("=")
        number = number_said(value)
        if number is None:
            raise BotError(f"{shown(name)}: {shown(part)} says no number; options look like eosd-17=2")
        if key.strip() in found:
            raise BotError(f"{name}: {key.strip()} is named twice")
        found[key.strip()] = number
    return found
