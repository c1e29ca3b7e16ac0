"""For what arguments the engine's units are compiled: those of the Python face, and for shared kernels those of their callers."""

from typing import Any

import numpy as np

from danmaku_env.cards.compile import compile_cards
from danmaku_env.engine import actions, batch, characters, naming, observe, queries
from danmaku_env.engine import state as st
from danmaku_env.engine.advance import advance
from danmaku_env.engine.observation import OBSERVATION_SIZE
from danmaku_env.engine.procedures import setup
from danmaku_env.engine.scratch import SCRATCH
from danmaku_env.jit.precompile import compile_once
from danmaku_env.machine.records import RNG

TITLE = "the rules engine"
BESIDE = ("danmaku_env.agents.warm",)
"""With two cores the agents are compiled in the time that the engine takes."""


def examples() -> list[tuple[Any, tuple[Any, ...]]]:
    """Every unit with arguments of the types that it is called with."""
    tables = compile_cards().tables
    settings = np.zeros(setup.SETTINGS, np.int64)
    games = np.zeros(1, st.STATE)
    raw, room = st.as_bytes(games), np.zeros(1, SCRATCH)
    numbers, status, dones = np.zeros(1, np.int64), np.zeros(1, np.int8), np.zeros(1, np.bool_)
    observations = np.zeros((1, OBSERVATION_SIZE), np.uint8)
    masks, seats = np.zeros((1, actions.NUM_ACTIONS), np.uint8), np.zeros(1, np.int8)
    rewards, states = np.zeros((1, st.SEATS), np.float32), np.zeros((1, observe.STATE_SIZE), np.uint8)
    own_rng = np.zeros(1, RNG)
    roles, options, pairs = np.zeros((1, st.SEATS), np.int8), np.zeros((1, 3), np.int64), np.zeros((1, 1), np.int64)
    return [
        (advance, (tables[0], games[0])),
        (observe.observe, (tables[0], games[0], 0, observations[0])),
        (batch.drive, (tables, settings, games, raw, numbers, status, batch.START)),
        (batch.deal_rows, (tables, settings, games, raw, numbers, pairs)),
        (batch.step_rows, (tables, settings, games, raw, numbers, status, observations, masks, seats, rewards, dones, 0, 1)),
        (batch.first_illegal, (games, raw, numbers)),
        (batch.sample_rows, (games, raw, numbers, games)),
        (batch.rollout, (tables, games, 1, games)),
        (batch.observe_rows, (tables, games, numbers, observations)),
        (batch.seats_at_last_check, (games, numbers)),
        (batch.mask_rows, (games, masks)),
        (batch.write_states, (tables, games, states)),
        (batch.measure, (tables, games, 0, pairs, pairs)),
        (batch.resample_rows, (tables, games, numbers, roles, room)),
        (batch.list_roles, (tables, games, 0, room, options, roles, numbers)),
        (batch.history_rows, (tables, games, numbers, np.zeros((1, st.EVENT_COLUMNS), np.uint8))),
        (batch.public_log, (tables, games, 0, np.zeros((st.LOG_ROWS, st.EVENT_COLUMNS), np.uint8))),
        (batch.judge, (tables, games)),
        (batch.refresh_characters, (tables, games)),
        (batch.count_interaction, (games, 0, 0, 1)),
        (batch.place_cards, (tables, games, pairs)),
        (batch.play_on, (tables, games, raw, numbers, numbers, numbers, numbers, own_rng, numbers, observations, masks)),
        (naming.count_named, (np.zeros(1, naming.NAMING), games, seats, masks, numbers, naming.room(1))),
        *_asked_of_one(tables[0], games[0]),
    ]  # fmt: skip


def _asked_of_one(t: Any, s: Any) -> list[tuple[Any, tuple[Any, ...]]]:
    """The questions that the Python face asks about one record."""
    return [
        *((question, (s,)) for question in (queries.has_expansion, queries.box, queries.candidates, queries.is_revealed)),
        (queries.characters_in, (t, s)),
        (queries.max_life_of, (t, s, 0)),
        (queries.primaries, (s, 0)),
        (queries.is_role_in, (t, 0, 0, 0)),
        (characters.source_of, (t, 1)),
        (characters.has_source, (t, s, 0, 1)),
        (characters.extras_of, (s, 0, 0)),
        (characters.namable, (t, s, 0, 1)),
    ]


def compile_engine() -> None:
    """Make sure that the engine is compiled (jit/precompile.py)."""
    compile_once(__name__)
