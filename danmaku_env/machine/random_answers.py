"""Random answers drawn in Python, for agents and referees; those of the compiled loops are in batch.py."""

from __future__ import annotations

import numpy as np

from danmaku_env.machine.records import Array


def random_legal(masks: Array, rng: np.random.Generator) -> Array:
    """[B] a uniformly random legal answer for each row of `masks` [B, N]; every row must have one."""
    chosen: Array = np.argmax((1 + rng.random(masks.shape, np.float32)) * (masks != 0), axis=1)
    return chosen
