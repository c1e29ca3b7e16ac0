"""Uniformly random legal answers: the yardstick."""

from __future__ import annotations

import numpy as np

from danmaku_env.info_states import InfoStates
from danmaku_env.machine.random_answers import random_legal
from danmaku_env.machine.records import Array


class RandomAgent:
    """Takes every legal answer with the same probability."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Seed the random numbers."""
        self._rng = np.random.default_rng(seed)

    def act(self, observations: Array, masks: Array, info_states: InfoStates | None = None) -> Array:
        """[B] random legal answers; looks at the masks only."""
        return random_legal(masks, self._rng)

    def probabilities(self, observations: Array, masks: Array, info_states: InfoStates | None = None) -> Array:
        """[B, N] the same for every legal answer; see `danmaku_env.agents.base.Policy`."""
        legal = (masks != 0).astype(np.float64)
        probabilities: Array = legal / legal.sum(1, keepdims=True)
        return probabilities
