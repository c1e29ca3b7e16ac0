"""The argument types that the units of Gensou no Utage are compiled for.

They are those of the Python face, and for shared kernels those of their callers.
"""

from typing import Any

import numpy as np

from danmaku_env.jit.precompile import compile_once
from danmaku_env.machine.records import RNG, as_bytes
from danmaku_env.sister.utage.cards.tables import tables
from danmaku_env.sister.utage.engine import actions, batch, observe, policy, resample, turn, values
from danmaku_env.sister.utage.engine import state as st
from danmaku_env.sister.utage.engine.advance import advance
from danmaku_env.sister.utage.engine.observation import OBSERVATION_SIZE, STATE_OFFSETS

TITLE = "Gensou no Utage"


def examples() -> list[tuple[Any, tuple[Any, ...]]]:
    """Every unit with arguments of the types that it is called with."""
    t, games = tables(), np.zeros(1, st.STATE)
    settings = np.zeros(turn.FIRST_DECK + 2 * turn.DECK_ROOM, np.int64)
    raw, numbers, status = as_bytes(games), np.zeros(1, np.int64), np.zeros(1, np.int8)
    rows, masks = np.zeros((1, OBSERVATION_SIZE), np.uint8), np.zeros((1, actions.NUM_ACTIONS), np.uint8)
    seats, rewards, dones = np.zeros(1, np.int8), np.zeros((1, st.SEATS), np.float32), np.zeros(1, np.bool_)
    states, own_rng = np.zeros((1, STATE_OFFSETS["end"]), np.uint8), np.zeros(1, RNG)
    return [
        (values.work_out, (t[0], games[0])),
        (advance, (t[0], games[0])),
        (observe.observe, (t[0], games[0], 0, rows[0])),
        (batch.drive, (t, settings, games, raw, numbers, status, batch.START)),
        (batch.step_rows, (t, settings, games, raw, numbers, status, rows, masks, seats, rewards, dones, 0, 1)),
        (batch.play_on, (t, games, raw, numbers, numbers, numbers, numbers, own_rng, numbers, rows, masks)),
        (batch.first_illegal, (games, raw, numbers)),
        (batch.sample_rows, (games, raw, numbers, games)),
        (batch.rollout, (t, games, 1, own_rng)),
        (batch.observe_rows, (t, games, numbers, rows)),
        (batch.mask_rows, (games, masks)),
        (batch.write_states, (t, games, states)),
        (batch.work_out, (t, games)),
        (batch.note_requirements, (t, games)),
        (batch.resample_rows, (t, settings, games, numbers, np.zeros(1, resample.SCRATCH))),
        (policy.answer_rows, (t, games, numbers)),
        (policy.play_out, (t, games, np.zeros((1, st.SEATS), np.int64), 1, own_rng)),
    ]


def compile_engine() -> None:
    """Make sure that the engine is compiled (jit/precompile.py)."""
    compile_once(__name__)
