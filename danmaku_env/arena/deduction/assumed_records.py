"""Records in which something hidden is assumed: what a seat would see there and might answer, and how the game goes on."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from danmaku_env import GameConfig
from danmaku_env.cards.compile import compile_cards
from danmaku_env.engine import actions, batch
from danmaku_env.engine import state as st

Array = npt.NDArray[Any]


def observations_of(records: Array, seats: Array, config: GameConfig) -> Array:
    """[n, observation_size] uint8: what these seats [n] observe in records [n]."""
    observations: Array = np.zeros((len(records), config.observation_size), np.uint8)
    batch.observe_rows(compile_cards().tables, records, seats, observations)
    return observations


def legal_answers(records: Array) -> Array:
    """[n, NUM_ACTIONS] uint8: the legal answers to the questions that records [n] wait with."""
    masks: Array = np.zeros((len(records), actions.NUM_ACTIONS), np.uint8)
    batch.mask_rows(records, masks)
    return masks


def drive(records: Array, settings: Array, inputs: Array, mode: int) -> None:
    """Answer `inputs` [n] in records [n], or go on (`mode`: batch.ANSWER or batch.RESUME); they become what they lead to."""
    status: Array = np.zeros(len(records), np.int8)
    batch.drive(compile_cards().tables, settings, records, st.as_bytes(records), inputs, status, mode)
