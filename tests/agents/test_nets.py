import numpy as np
import pytest
import torch

from danmaku_env import GameConfig, make_vec
from danmaku_env.agents.nets import Net, choose_actions, draw_actions
from danmaku_env.engine.actions import NUM_ACTIONS
from danmaku_env.engine.observe import OBSERVATION_SIZE, OFFSETS, PIECES


@pytest.fixture
def net():
    torch.manual_seed(3)
    return Net(6, 16)


@pytest.mark.parametrize("players", [4, 6, 8])
def test_no_column_that_a_base_game_fills_is_dropped(players):
    vec = make_vec(64, GameConfig(num_players=players))
    vec.reset(players)
    filled = np.zeros(OBSERVATION_SIZE, bool)
    for _ in range(1500):
        vec.step(vec.sample())
        filled |= (vec.observations != 0).any(0)
    columns = Net(players, 8).columns
    assert len(set(columns)) == len(columns) < OBSERVATION_SIZE
    assert set(np.flatnonzero(filled)) <= set(columns)


def test_the_net_is_told_its_role(net):
    """My own role's flag is among what the net reads, and moves its answer."""
    column = OFFSETS["role"]
    assert column in net.columns
    observations = np.zeros((2, OBSERVATION_SIZE), np.uint8)
    observations[1, column] = 1
    _, values = net(torch.from_numpy(net.inputs(observations)), torch.ones(2, NUM_ACTIONS, dtype=torch.uint8))
    assert values[0] != values[1]


def test_largest_bytes_are_read_as_small_numbers(net):
    observations = np.zeros((1, OBSERVATION_SIZE), np.uint8)
    for piece in PIECES:
        observations[0, OFFSETS[piece.name] : OFFSETS[piece.name] + int(np.prod(piece.shape))] = piece.high
    inputs = torch.from_numpy(net.inputs(observations))
    numbers = (inputs[:, : net.numbers] * net.scale).sqrt()
    assert numbers.min() >= 1
    assert numbers.max() <= 4
    logprobs, values = net(inputs, torch.ones(1, NUM_ACTIONS, dtype=torch.uint8))
    assert logprobs.isfinite().all()
    assert values.isfinite().all()


def test_only_legal_actions_have_a_probability_and_are_drawn(net):
    dice = torch.Generator().manual_seed(1)
    masks = (torch.rand(500, NUM_ACTIONS, generator=dice) < 0.02).to(torch.uint8)
    masks[:, 7] = 1
    with torch.inference_mode():
        logprobs, _ = net(torch.zeros(500, len(net.columns), dtype=torch.uint8), masks)
    torch.testing.assert_close(logprobs.exp().sum(1), torch.ones(500))
    for draw in (0.0, 0.5, 1 - 2**-53):
        drawn = draw_actions(logprobs, torch.full((500, 1), draw, dtype=torch.float64))
        assert masks[torch.arange(500), drawn].all()


def test_actions_are_drawn_with_their_probabilities():
    logprobs = torch.tensor([0.1, 0.0, 0.6, 0.3]).log().expand(20_000, 4)
    drawn = draw_actions(logprobs, torch.rand(20_000, 1, generator=torch.Generator().manual_seed(2), dtype=torch.float64))
    np.testing.assert_allclose(np.bincount(drawn, minlength=4) / 20_000, [0.1, 0, 0.6, 0.3], atol=0.02)


def test_choose_actions_are_legal_and_repeat_with_the_dice(net):
    vec = make_vec(16, GameConfig(num_players=6))
    vec.reset(1)
    given = vec.observations, vec.action_masks
    drawn = [choose_actions(net, *given, torch.Generator().manual_seed(5)) for _ in range(2)]
    np.testing.assert_array_equal(*drawn)
    for actions in (drawn[0], choose_actions(net, *given)):
        assert vec.action_masks[np.arange(16), actions].all()
