"""Records in which something hidden is assumed: what a seat would see there and might answer, and how the game goes on."""

from __future__ import annotations

import numpy as np

from danmaku_env import GameConfig
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.machine.records import Array

_ENTRIES = DANMAKU_SPEC.entries


def observations_of(records: Array, seats: Array, config: GameConfig) -> Array:
    """[n, observation_size] uint8: what these seats [n] observe in records [n]."""
    observations: Array = np.zeros((len(records), config.observation_size), np.uint8)
    _ENTRIES.observe_rows(_ENTRIES.tables(), records, seats, observations)
    return observations


def legal_answers(records: Array) -> Array:
    """[n, NUM_ACTIONS] uint8: the legal answers to the questions that records [n] wait with."""
    masks: Array = np.zeros((len(records), DANMAKU_SPEC.num_actions), np.uint8)
    _ENTRIES.mask_rows(records, masks)
    return masks


def drive(records: Array, settings: Array, inputs: Array, mode: int) -> None:
    """Answer `inputs` [n] in records [n], or go on (`mode`: batch.ANSWER or batch.RESUME); they become what they lead to."""
    status: Array = np.zeros(len(records), np.int8)
    _ENTRIES.drive(_ENTRIES.tables(), settings, records, DANMAKU_SPEC.as_bytes(records), inputs, status, mode)
