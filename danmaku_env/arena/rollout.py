"""The one loop in which agents play a batch: which seats are asked, their answers, the games that end and those that begin.

    vec = make_vec(64, config)
    episodes = Episodes.of(vec, seeds)
    for step in play(vec, episodes, lambda rows: ask(vec, agents, seated[episodes.game, vec.seats], rows)):
        rewards[step.over] = step.rewards

`seated` [games, seats] has the number of the agent in each seat, and `rewards` [games, 8] gets what each game pays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from danmaku_env.agents.base import Agent, answers_of
from danmaku_env.envs.vector import VectorEnv
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array

Tick = Callable[[int], object]
"""Is told how many games have ended."""
ROWS_AT_ONCE = 64
"""Games side by side, by default."""
WITHOUT_END = 1 << 62
"""Games, for whoever stops when there is enough."""


class Episodes:
    """Which game each row of a batch plays, and how many are left to play. Games are numbered in the order in which they begin."""

    def __init__(
        self, vec: VectorEnv, games: int, start: Callable[[Array, Array], object] | None = None, *, each: int | None = None
    ) -> None:
        """Begin a game in every row, as far as there are games.

        `start(rows, numbers)` deals games; without it each row goes on with what the batch deals there, which was reset before. With `each`
        every row plays that many games, so that short games do not count more than long ones; they are numbered round by round.
        """
        self._vec, self._games, self._start, self._begun, self._each = vec, games, start, 0, each
        self._left: Array = np.full(vec.num_envs, games if each is None else each)
        """[B] games that the row may still begin; without `each` a row may begin all, and only how many there are left in all counts."""
        self.game: Array = np.full(vec.num_envs, -1)
        """[B] the number of the game in each row, -1 where none is left to play."""
        self.refill(np.arange(vec.num_envs))

    @classmethod
    def of(cls, vec: VectorEnv, seeds: Sequence[int] | Array) -> Episodes:
        """A game for each of the seeds: game g is exactly the game that `Game.new(config, seeds[g])` plays."""
        vec.reset(0)
        return cls(vec, len(seeds), lambda rows, numbers: vec.start(rows, [int(seeds[number]) for number in numbers]))

    @property
    def playing(self) -> Array:
        """[B] whether the row plays a game."""
        return self.game >= 0

    def ended(self) -> tuple[Array, Array]:
        """[k] rows whose game the last step ended, and [k] the numbers of those games; the rows are free from now on."""
        rows = np.flatnonzero(self._vec.dones & self.playing)
        games = self.game[rows]
        self.game[rows] = -1
        return rows, games

    def refill(self, free: Array) -> Array:
        """[m] those of the free rows in which the next games were begun: all of them while there are enough."""
        fresh = free[self._left[free] > 0][: self._games - self._begun]
        rounds = 0 if self._each is None else (self._each - self._left[fresh]) * self._vec.num_envs
        self.game[fresh] = np.arange(self._begun, self._begun + len(fresh)) if self._each is None else rounds + fresh
        if len(fresh) and self._start:
            self._start(fresh, self.game[fresh])
        self._left[fresh] -= 1
        self._begun += len(fresh)
        return fresh


class Step(NamedTuple):
    """What one answer in each of several games led to."""

    rows: Array
    """[k] the rows in which an answer was asked for."""
    games: Array
    """[k] the numbers of their games."""
    answers: Array
    """[B] the answers; those of other rows mean nothing."""
    ended: Array
    """[m] those of the rows whose game ended."""
    over: Array
    """[m] the numbers of these games."""
    rewards: Array
    """[m, 8] their rewards."""
    begun: Array
    """[j] the rows in which other games have begun since."""


def play(vec: VectorEnv, episodes: Episodes, answer: Callable[[Array], Array]) -> Iterator[Step]:
    """Play all games; `answer(rows)` gives a legal answer for every row of the batch; only those of `rows` are played.

    When it is called the batch is as it is asked; when a step is handed out, games that ended have made room for others.
    """
    while len(rows := np.flatnonzero(episodes.playing)):
        games = episodes.game[rows]
        answers = answer(rows)
        vec.step(answers)
        ended, over = episodes.ended()
        rewards = vec.rewards[ended]
        yield Step(rows, games, answers, ended, over, rewards, episodes.refill(ended))
    vec.check()


def ask(vec: VectorEnv, agents: Sequence[Agent], numbers: Array, rows: Array) -> Array:
    """[B] answers: in `rows` those of the agents with these numbers [B], each asked once, in other rows random ones. Raises AnswerError."""
    answers = vec.sample()
    for number in np.unique(numbers[rows]):
        mine = rows[numbers[rows] == number]
        answers[mine] = answers_of(agents[number], vec.observations[mine], vec.action_masks[mine], InfoStates.of(vec, mine))
    return answers
