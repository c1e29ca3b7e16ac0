"""For what arguments the units of Shisouroku are compiled: those of the Python face, and for shared kernels those of their callers."""

from typing import Any

import numpy as np

from danmaku_env.jit.precompile import compile_once
from danmaku_env.machine.records import RNG, as_bytes
from danmaku_env.sister.shisoroku.cards.tables import tables
from danmaku_env.sister.shisoroku.cards.words import PLACES
from danmaku_env.sister.shisoroku.engine import actions, batch, observe, policy, procedures, resample
from danmaku_env.sister.shisoroku.engine import state as st
from danmaku_env.sister.shisoroku.engine.advance import advance
from danmaku_env.sister.shisoroku.engine.observation import OBSERVATION_SIZE, STATE_OFFSETS

TITLE = "Shisouroku"


def examples() -> list[tuple[Any, tuple[Any, ...]]]:
    """Every unit with arguments of the types that it is called with."""
    t, games = tables(), np.zeros(1, st.STATE)
    settings, raw, numbers, status = np.zeros(procedures.SETTINGS, np.int64), as_bytes(games), np.zeros(1, np.int64), np.zeros(1, np.int8)
    rows, masks = np.zeros((1, OBSERVATION_SIZE), np.uint8), np.zeros((1, actions.NUM_ACTIONS), np.uint8)
    seats, rewards, dones = np.zeros(1, np.int8), np.zeros((1, st.SEATS), np.float32), np.zeros(1, np.bool_)
    states, own_rng, pairs = np.zeros((1, STATE_OFFSETS["end"]), np.uint8), np.zeros(1, RNG), np.zeros((1, PLACES), np.int64)
    plans = np.zeros((1, st.SEATS, 2 * policy.PLAN_ROOM), np.int64)
    return [
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
        (batch.scores, (t, games, numbers, pairs)),
        (batch.costs, (t, games, pairs)),
        (batch.lay_out, (t, games)),
        (batch.resample_rows, (t, games, numbers, np.zeros(1, resample.SCRATCH))),
        (policy.answer_rows, (t, games, plans[:, 0], numbers)),
        (policy.play_out, (t, games, plans, 1, own_rng)),
        (policy.turns_to_points, (t, games, plans, 1, numbers)),
    ]


def compile_engine() -> None:
    """Make sure that the engine is compiled (jit/precompile.py)."""
    compile_once(__name__)
