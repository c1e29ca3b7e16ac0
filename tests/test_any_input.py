"""Doors that take what anybody may write, given whatever hypothesis thinks of: a documented refusal or an answer, and nothing else."""

import json

import numpy as np
import pytest

from danmaku_env import NUM_ACTIONS, Game, decode
from danmaku_env.agents import external
from danmaku_env.engine.observation import OBSERVATION_SIZE, OFFSETS
from danmaku_env.info_states import InfoState

pytest.importorskip("hypothesis", reason="hypothesis is not installed: pip install 'danmaku-env[dev]'")

from hypothesis import example, given, settings
from hypothesis import strategies as some

GAME = Game.new(4, seed=1)
VALUES = some.recursive(some.none() | some.booleans() | some.integers() | some.floats() | some.text(), some.lists, max_leaves=5)
LINES = some.binary(max_size=80) | some.dictionaries(some.just("answer") | some.text(), VALUES | some.sampled_from(GAME.legal())).map(
    lambda data: json.dumps(data).encode()
)


@settings(max_examples=300, deadline=None)
@given(LINES)
def test_a_line_of_a_bot_is_an_answer_or_a_fault_in_a_sentence(line):
    try:
        answer = external._answer(line, InfoState(GAME, GAME.asking))
    except external.BotError as fault:
        assert "\n" not in str(fault)  # noqa: PT017 (either way is right)
    else:
        assert 0 <= answer < NUM_ACTIONS


CHANGES = some.dictionaries(some.integers(0, OBSERVATION_SIZE + 15), some.integers(-1, 255) | some.floats(0, 2), max_size=4)


@settings(max_examples=300, deadline=None)
@given(CHANGES)
@example({OFFSETS["players"]: 0})
def test_a_row_is_said_in_words_or_refused(changes):
    row = np.concatenate([GAME.observe(0), np.zeros(16, np.uint8)]).astype(float)
    for place, number in changes.items():
        row[place] = number
    try:
        assert decode(row, words=True)["players"] in range(4, 9)
    except ValueError as refusal:
        assert str(refusal).startswith("no observation has")  # noqa: PT017
