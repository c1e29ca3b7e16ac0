"""Compile every entry point by calling it once: what `compiled.compile_once` runs in a child process."""

from typing import Any

import numpy as np

from danmaku_env.cards.compile import compile_cards
from danmaku_env.engine import actions, batch, characters, hidden_roles, learners, observe, queries
from danmaku_env.engine import state as st
from danmaku_env.engine.compiled import end_with_parent
from danmaku_env.engine.procedures import setup
from danmaku_env.engine.spare import SPARE


def main() -> None:
    """Call each entry point with the types the Python face uses."""
    tables = compile_cards().tables
    settings = np.zeros(setup.SETTINGS, np.int64)
    settings[: setup.SET_CHARACTERS] = 4, st.CHARACTERS_CHOSEN, 10
    games = np.zeros(1, st.STATE)
    raw, spare, room = st.as_bytes(games), games.copy(), np.zeros(1, SPARE)
    numbers, status, dones = np.zeros(1, np.int64), np.zeros(1, np.int8), np.zeros(1, np.bool_)
    observations = np.zeros((1, observe.OBSERVATION_SIZE), np.uint8)
    masks, seats = np.zeros((1, actions.NUM_ACTIONS), np.uint8), np.zeros(1, np.int8)
    rewards, states = np.zeros((1, st.SEATS), np.float32), np.zeros((1, observe.STATE_SIZE), np.uint8)
    batch.drive(tables, settings, games, raw, numbers, status, batch.START)
    batch.step_rows(tables, settings, games, raw, numbers - 1, status, observations, masks, seats, rewards, dones, 0, 1)
    batch.first_illegal(games, raw, numbers)
    batch.sample_rows(games, raw, numbers, spare)
    batch.rollout(tables, games, 1, spare)
    batch.observe_rows(tables, games, numbers * 0, observations)
    batch.mask_rows(games, masks)
    batch.write_states(tables, games, states)
    batch.measure(tables, games, 0, np.zeros((st.SEATS, batch.STANDINGS), np.int64), np.zeros((st.SEATS, batch.WAYS), np.int64))
    batch.resample_rows(tables, games, numbers * 0, np.full((1, st.SEATS), -1, np.int8), room)
    options = np.zeros((hidden_roles.OPTIONS, 3), np.int64)
    batch.list_roles(tables, games, 0, room, options, np.zeros((1, st.SEATS), np.int8), np.zeros(1, np.int64))
    batch.history_rows(tables, games, numbers * 0, np.zeros((1, st.EVENT_COLUMNS), np.uint8))
    batch.judge(tables, games)
    batch.refresh_characters(tables, games)
    batch.count_deed(games, 0, 0, 1)
    batch.place_cards(tables, games, np.zeros((0, 3), np.int64))
    _ask(tables[0], games[0])
    learners.play_on(
        tables, games, raw, numbers * 0, numbers - 1, numbers, numbers, np.zeros(1, learners.DICE), numbers.copy(), observations, masks
    )  # fmt: skip


def _ask(t: Any, s: Any) -> None:
    """The questions that the Python face asks about one record."""
    for question in (queries.has_expansion, queries.box, queries.candidates, queries.is_revealed):
        question(s)
    queries.characters_in(t, s)
    queries.primaries(s, 0)
    characters.source_of(t, 1)
    characters.has_source(t, s, 0, 1)
    characters.extras_of(s, 0, 0)
    characters.namable(t, s, 0, 1)


if __name__ == "__main__":
    end_with_parent()
    main()
