"""Records of games, many at once: what seats see there and may answer, and how games go on from records in which something is assumed."""

from __future__ import annotations

import numpy as np

from danmaku_env import GameConfig
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.machine.records import Array
from danmaku_env.spec import spec_of


def observations_of(records: Array, seats: Array, config: GameConfig) -> Array:
    """[n, observation_size] uint8: what these seats [n] observe in records [n]."""
    entries = spec_of(config).entries
    observations: Array = np.zeros((len(records), config.observation_size), np.uint8)
    entries.observe_rows(entries.tables(), records, seats, observations)
    return observations


def legal_answers(records: Array, config: GameConfig) -> Array:
    """[n, NUM_ACTIONS] uint8: the legal answers to the questions that records [n] wait with."""
    spec = spec_of(config)
    masks: Array = np.zeros((len(records), spec.num_actions), np.uint8)
    spec.entries.mask_rows(records, masks)
    return masks


def drive(records: Array, settings: Array, inputs: Array, mode: int) -> None:
    """Answer `inputs` [n] in records [n] of Danmaku!!, or go on (`mode`: batch.ANSWER or batch.RESUME); they become what they lead to."""
    entries, status = DANMAKU_SPEC.entries, np.zeros(len(records), np.int8)
    entries.drive(entries.tables(), settings, records, DANMAKU_SPEC.as_bytes(records), inputs, status, mode)
