"""Games of a list of seeds in the rows of a batch: a row whose game is over takes the next one, until all have been played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from danmaku_env.envs.vector import VectorEnv

Array = npt.NDArray[Any]


class Rows:
    """Which of the games each row plays. Games are numbered as their seeds are, and begun in that order."""

    def __init__(self, vec: VectorEnv, seeds: Sequence[int] | Array) -> None:
        """Begin a game in every row, as far as there are seeds."""
        self._vec, self._seeds, self._begun = vec, seeds, 0
        self.game: Array = np.full(vec.num_envs, -1)
        """[B] the number of the game in each row, -1 where none is left to play."""
        vec.reset(0)
        self.refill(np.arange(vec.num_envs))

    @property
    def playing(self) -> Array:
        """[B] whether the row plays a game."""
        return self.game >= 0

    def ended(self) -> tuple[Array, Array]:
        """[k] rows whose game the last step ended, and [k] the numbers of those games; the rows are free from now on.

        Rewards of an ended game stand in the batch until `refill` begins another one in its row.
        """
        rows = np.flatnonzero(self._vec.dones & self.playing)
        games = self.game[rows]
        self.game[rows] = -1
        return rows, games

    def refill(self, free: Array) -> Array:
        """[m] those of the free rows in which the next games were begun: all of them while there are enough."""
        fresh = free[: len(self._seeds) - self._begun]
        self.game[fresh] = np.arange(self._begun, self._begun + len(fresh))
        if len(fresh):
            self._vec.start(fresh, self._seeds[self._begun : self._begun + len(fresh)])
            self._begun += len(fresh)
        return fresh
