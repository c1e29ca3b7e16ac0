"""Bots by name: `random`, `greedy`, `search:simulations=40`, `neural:runs/utage`. Each knows what its seat may know, and no more."""

from __future__ import annotations

from typing import Any

import numpy as np

from danmaku_env.arguments import number_said
from danmaku_env.machine.records import RUNNING, Array, as_bytes, payoffs
from danmaku_env.seeds import check_seed
from danmaku_env.sister.bots import BotError, RandomBot, WorldsBot, check_simulations, loaded, split_name
from danmaku_env.sister.utage.cards.tables import tables
from danmaku_env.sister.utage.config import STANDARD, UtageConfig
from danmaku_env.sister.utage.engine import batch, policy, resample
from danmaku_env.sister.utage.engine import state as st

NAMES = ("random", "greedy", "search", "neural")
_LEARNING = "danmaku_env.sister.utage.learning"
_MOST_ANSWERS = 400
"""Answers that a game is played on after one that is tried."""


class GreedyBot:
    """One answer ahead by the values as they stand; see `engine/policy.py`."""

    name, plan = "greedy", policy.GREEDY

    def reset(self, seed: int) -> None:
        """Nothing: it draws no random numbers."""

    def answer(self, games: Array, seats: Array, observations: Array, masks: Array) -> Array:
        """[k] answers in k games."""
        chosen: Array = np.zeros(len(games), np.int64)
        policy.answer_rows(tables(), np.ascontiguousarray(games), chosen)
        return chosen


class SearchBot(WorldsBot):
    """Tries every legal answer in worlds that fit what its seat knows, each played on by greedy bots, and takes the best."""

    scratch = resample.SCRATCH

    def __init__(self, simulations: int = 40, seed: int = 0) -> None:
        """`simulations` games are played on for each question, shared by its answers."""
        self.name, self.simulations = f"search:simulations={simulations}", simulations
        self._settings = UtageConfig(decks=("reimu4", "marisa4"), open_lists=False, possible=tuple(STANDARD)).settings()
        self.reset(seed)

    def know(self, config: UtageConfig) -> None:
        """Which decks the other may have, where lists are closed: those of the configuration."""
        self._settings = config.settings()

    def _one(self, game: Array, seat: int, mask: Array) -> int:
        legal = np.flatnonzero(mask)
        if len(legal) == 1:
            return int(legal[0])
        each = max(1, self.simulations // len(legal))
        worlds: Array = np.repeat(game, each)
        batch.resample_rows(tables(), self._settings, worlds, np.full(each, seat), self._rng)
        tried: Array = np.tile(worlds, len(legal))
        answers, status = np.repeat(legal.astype(np.int64), each), np.zeros(len(tried), np.int8)
        batch.drive(tables(), np.zeros(1, np.int64), tried, as_bytes(tried), answers, status, batch.ANSWER)
        policy.play_out(tables(), tried, np.full((len(tried), st.SEATS), policy.GREEDY), _MOST_ANSWERS, self._play_rng)
        return int(legal[np.argmax(self._values(tried, seat).reshape(len(legal), each).mean(1))])

    @staticmethod
    def _values(games: Array, seat: int) -> Array:
        """[n] what the seat is paid; in games that are not over, and a little otherwise, by how much it is ahead in HP."""
        ahead = np.tanh((games["hp"][:, seat].astype(float) - games["hp"][:, 1 - seat]) / 10)
        paid = payoffs(games, st.SEATS)[:, seat]
        values: Array = paid + np.where(games["outcome"] == RUNNING, 0.5, 0.02) * ahead
        return values


def make(name: str, seed: int = 0) -> Any:
    """A bot by its name. Raises BotError, saying what would be right, for one that there is not, and ValueError for an invalid seed."""
    word, rest = split_name(name, NAMES)
    seed = check_seed(seed)
    if word == "neural":
        return loaded(name, _LEARNING, rest, seed)
    if word != "search" and rest:
        raise BotError(f"{word} has no options, so {rest!r} says nothing")
    if word == "random":
        return RandomBot(policy.AT_RANDOM, seed)
    if word == "greedy":
        return GreedyBot()
    key, _, value = rest.partition("=")
    if not rest:
        return SearchBot(seed=seed)
    return SearchBot(check_simulations(name, number_said(value) if key == "simulations" else None), seed)
