"""Agents are given whole questions: arrays that do not fit together are one sentence, and never a wrong answer or a crash."""

import numpy as np
import pytest

from danmaku_env import NUM_ACTIONS, GameConfig
from danmaku_env.agents.registry import make
from danmaku_env.agents.role_separation import RoleSeparation
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.info_states import InfoStates
from tests.random_play import batch_midway

ROWS = 6
ALL, TWO = slice(None), slice(2)
"""Of the rows."""


@pytest.fixture(scope="module")
def vec():
    return batch_midway(ROWS, GameConfig(num_players=4), seed=1, steps=60)


def ask(vec, name, rows, masks, states, what="act"):
    """Ask an agent about some of the rows of each kind."""
    given = vec.observations[rows], vec.action_masks[masks], InfoStates.of(vec, np.arange(ROWS))[states]
    return getattr(make(name, 0), what)(*given)


@pytest.mark.parametrize("name", ["heuristic", "deducer", "search:simulations=4", "neural"])
@pytest.mark.parametrize(("rows", "masks"), [(ALL, TWO), (TWO, ALL)])
def test_masks_of_other_rows_are_refused(vec, name, rows, masks):
    with pytest.raises(ValueError, match=r"^masks for \d observations have the shape \[\d, \d+\], not \[\d, "):
        ask(vec, name, rows, masks, rows)


@pytest.mark.parametrize("name", ["heuristic", "deducer", "neural"])
def test_masks_of_other_rows_are_refused_for_probabilities_too(vec, name):
    with pytest.raises(ValueError, match=r"^masks for 6 observations have the shape"):
        ask(vec, name, ALL, TWO, ALL, "probabilities")


@pytest.mark.parametrize("name", ["deducer", "search:simulations=4", "neural"])
@pytest.mark.parametrize(("rows", "states"), [(ALL, TWO), (TWO, ALL)])
def test_information_states_of_other_rows_are_refused(vec, name, rows, states):
    with pytest.raises(ValueError, match=r"^each of the \d observations needs its information state, and there are \d"):
        ask(vec, name, rows, rows, states)


@pytest.mark.parametrize("name", ["deducer", "search:simulations=4", "neural"])
def test_a_belief_about_other_rows_is_refused(vec, name):
    with pytest.raises(ValueError, match="each of the 6 observations needs its information state, and there are 2"):
        make(name, 0).posterior(vec.observations, InfoStates.of(vec, np.arange(2)))


def test_information_states_are_of_the_games_of_their_configuration(vec):
    with pytest.raises(ValueError, match="these are not games of 6 players, as the configuration says"):
        InfoStates(vec.games, vec.seats, GameConfig(num_players=6))
    with pytest.raises(ValueError, match=r"not \(2,\) seats for \(6,\) games"):
        InfoStates(vec.games, vec.seats[:2], vec.config)


@pytest.mark.parametrize("name", ["heuristic", "deducer", "neural"])
def test_one_row_alone_is_told_how_to_be_given(vec, name):
    with pytest.raises(ValueError, match=r"not \[\d+\]; one row alone is given as observation\[np.newaxis\]"):
        make(name, 0).act(vec.observations[0], vec.action_masks[0], InfoStates.of(vec, np.arange(1)))


def test_rows_that_are_cut_are_refused(vec):
    with pytest.raises(ValueError, match=f"with n at least {DANMAKU_SPEC.row_size}, not \\[6, 200\\]"):
        make("heuristic", 0).act(vec.observations[:, :200], vec.action_masks)


@pytest.mark.parametrize(("seats", "masks", "answers"), [(2, ROWS, ROWS), (ROWS, 2, ROWS), (ROWS, ROWS, 2)])
def test_role_separation_wants_an_answer_for_every_game(vec, seats, masks, answers):
    measure = RoleSeparation(vec.config)
    with pytest.raises(ValueError, match=f"of 6 games have the shape \\[6(, {NUM_ACTIONS})?\\], not \\[2"):
        measure.add(vec.games, vec.seats[:seats], vec.action_masks[:masks], vec.sample()[:answers])
