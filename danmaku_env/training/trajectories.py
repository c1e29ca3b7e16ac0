"""Trajectories when all seats of a game learn: each (game, seat) is one of its own.

The next position of a seat is the next one at which *it* is asked, however many others answer in between. The reward of a game goes to the
last decision of every seat, whoever ended the game. At the end of a window the last decision of each unfinished trajectory is carried over:
its value is the bootstrap of its predecessor, and it is trained on once its own successor is known.

What is stored with a decision (observation, mask, probability ...) is up to the trainer (`sb3.py`).
"""

from __future__ import annotations

import numpy as np

from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.machine.records import Array


class Trajectories:
    """The decisions of one window, in rows: first those carried over, one place for each (game, seat), then a block for each step."""

    def __init__(self, games: int, window: int) -> None:
        self.games, self.window = games, window
        self.carried = games * DANMAKU_SPEC.most_seats
        size = self.carried + games * window
        self.values: Array = np.zeros(size, np.float32)
        """The value estimate of the seat that answered."""
        self.rewards: Array = np.zeros(size, np.float32)
        """The reward of the game after this decision, the last one of the seat."""
        self.following: Array = np.full(size, -1, np.int64)
        """Row of the same seat's next decision in the same game, -1 for none."""
        self.finished: Array = np.zeros(size, np.bool_)
        """Whether the game ended after this decision, the seat's last one."""
        self.pending: Array = np.full((games, DANMAKU_SPEC.most_seats), -1, np.int64)
        """Row of each seat's last decision in its running game, -1 for none."""
        self.used: Array = np.zeros(size, np.bool_)

    def block(self, step: int) -> slice:
        """Rows of a step of the window."""
        first = self.carried + step * self.games
        return slice(first, first + self.games)

    def link(self, step: int, games: Array, seats: Array) -> None:
        """The net has answered in these games [k] at this step, for these seats [k]."""
        rows = games + self.block(step).start
        before = self.pending[games, seats]
        self.following[before[before >= 0]] = rows[before >= 0]
        self.pending[games, seats] = rows
        self.used[rows] = True

    def add_rewards(self, rewards: Array, dones: Array) -> None:
        """Give the rewards [B, 8] of games that ended [B] to the last decision of every seat."""
        for game in np.flatnonzero(dones):
            last = self.pending[game]
            seats = np.flatnonzero(last >= 0)
            self.rewards[last[seats]] = rewards[game, seats]
            self.finished[last[seats]] = True
            last[:] = -1

    def abandon(self, games: Array) -> None:
        """Other games have begun in these places [B] before what was played there had an end: nothing follows its last decisions."""
        self.pending[games] = -1

    def advantages(self, gamma: float, gae_lambda: float) -> Array:
        """[rows] generalised advantage estimates along each trajectory; rows that are still pending have 0."""
        estimates: Array = np.zeros(len(self.values), np.float32)
        for rows in (*(self.block(step) for step in reversed(range(self.window))), slice(0, self.carried)):
            after = self.following[rows]
            ahead = np.where(after >= 0, self.values[after] + gae_lambda * estimates[after], 0)
            known = (after >= 0) | self.finished[rows]
            estimates[rows] = np.where(known, self.rewards[rows] + gamma * ahead - self.values[rows], 0)
        return estimates

    def complete(self) -> Array:
        """[k] numbers of the rows whose successor or payoff is known: those to train on. Each decision is in exactly one window."""
        return np.flatnonzero(self.used & ((self.following >= 0) | self.finished))

    def carry(self) -> None:
        """Begin the next window: decisions still pending move to the places for what is carried over."""
        games, seats = np.nonzero(self.pending >= 0)
        old, new = self.pending[games, seats], games * DANMAKU_SPEC.most_seats + seats
        self.move(old, new)
        self.values[new] = self.values[old]
        self.pending[games, seats] = new
        self.rewards[:] = 0
        self.following[:] = -1
        self.finished[:] = False
        self.used[:] = False
        self.used[new] = True

    def move(self, old: Array, new: Array) -> None:
        """Move whatever else is kept for the decisions in the rows `old` to the rows `new`: for whoever keeps something."""


def seat_credit(
    values: Array, seats: Array, dones: Array, rewards: Array, gae_lambda: float, after: Array | None = None
) -> tuple[Array, Array]:
    """[T, B] credit of the answers in a window, TD(lambda) along each seat's own decisions, and [T, B] whether it is known.

    `values` [T, B] are of the `seats` [T, B] that answered, `dones` [T, B] says where a game ended, and `rewards` [T, B, P] what it paid.
    `after` [B, P] are the values of all seats after the window. Without them the credit of a seat's last answer in a game that goes on is
    not known, and 0.
    """
    every = np.arange(values.shape[1])
    credit, known = np.zeros(values.shape, np.float32), np.zeros(values.shape, np.bool_)
    following: Array = np.zeros(rewards.shape[1:], np.float32) if after is None else after.copy()
    ahead, there = np.zeros(following.shape, np.float32), np.full(following.shape, after is not None)
    for step in reversed(range(len(values))):
        over, seat = dones[step], seats[step]
        following[over], ahead[over], there[over] = rewards[step][over], 0, True
        known[step] = there[every, seat]
        credit[step] = np.where(known[step], following[every, seat] - values[step] + gae_lambda * ahead[every, seat], 0)
        following[every, seat], ahead[every, seat], there[every, seat] = values[step], credit[step], True
    return credit, known
