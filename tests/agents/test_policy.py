"""Policies of other trainers as agents: the file says what the layers say, and executes nothing."""

import numpy as np
import pytest
import torch
from torch import nn

from danmaku_env import GameConfig
from danmaku_env.agents.registry import AgentError, make
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.info_states import InfoStates
from danmaku_env.nets.checkpoints import CheckpointError, read_tensors, save_checkpoint, write_tensors
from danmaku_env.nets.layered_policy import load_policy, save_policy
from danmaku_env.nets.selfplay_nets import SeatsNet
from tests.random_play import batch_midway

ROW, ACTIONS = DANMAKU_SPEC.row_size, DANMAKU_SPEC.num_actions


def actor(width=ROW):
    torch.manual_seed(1)
    return nn.Sequential(nn.Flatten(), nn.Linear(width, 12), nn.ReLU(), nn.Linear(12, 12), nn.Tanh(), nn.Linear(12, ACTIONS))


@pytest.fixture
def saved(tmp_path):
    save_policy(tmp_path / "mine.safetensors", actor(), scale=0.25)
    return tmp_path / "mine.safetensors"


def positions(config, steps=20):
    return batch_midway(8, config, seed=3, steps=steps)


def test_the_agent_answers_as_the_layers_do(saved):
    vec = positions(GameConfig(num_players=6))
    logits = actor()(torch.from_numpy(vec.observations).float() / 4).masked_fill(torch.from_numpy(vec.action_masks) == 0, -torch.inf)
    agent = make(f"policy:{saved}", 0)
    assert agent.act(vec.observations, vec.action_masks).tolist() == logits.argmax(1).tolist()
    drawing = make(f"policy:{saved},greedy=no", 0)
    chances = drawing.probabilities(vec.observations, vec.action_masks)
    np.testing.assert_allclose(chances, logits.detach().double().softmax(1).numpy(), atol=1e-6)
    drawn = [drawing.act(vec.observations, vec.action_masks) for _ in range(30)]
    assert (vec.action_masks[np.arange(8), drawn] == 1).all()
    drawing.reset(5)
    first = drawing.act(vec.observations, vec.action_masks)
    drawing.reset(5)
    assert (drawing.act(vec.observations, vec.action_masks) == first).all()


def test_a_policy_that_reads_the_log_gets_it_either_way(tmp_path):
    save_policy(tmp_path / "mine.safetensors", actor(ROW + 3 * 8))
    agent = make(f"policy:{tmp_path / 'mine.safetensors'},greedy=no", 0)
    with_log = positions(GameConfig(num_players=4, history=3))
    without = positions(GameConfig(num_players=4))
    asked = InfoStates.of(without, np.arange(8))
    found = agent.probabilities(without.observations, without.action_masks, asked)
    np.testing.assert_allclose(found, agent.probabilities(with_log.observations, with_log.action_masks), atol=1e-6)
    with pytest.raises(ValueError, match="reads the last 3 events: give it information states"):
        agent.act(without.observations, without.action_masks)


@pytest.mark.parametrize(
    ("layers", "why"),
    [
        ([nn.Linear(ROW, ACTIONS), nn.GELU()], "Linear \\(with bias\\), ReLU, Tanh and Flatten, not GELU"),
        ([nn.Linear(ROW, ACTIONS, bias=False)], "not Linear"),
        ([nn.Linear(ROW, 4), nn.Linear(5, ACTIONS)], "do not follow one another"),
        ([nn.Linear(ROW + 3, ACTIONS)], f"reads {ROW + 3} bytes, and a row has {ROW}, and 8 more for each event"),
        ([nn.Linear(ROW, ACTIONS + 1)], f"ends in {ACTIONS + 1} numbers, and there are {ACTIONS} actions"),
        ([], "do not follow"),
    ],
)  # fmt: skip
def test_what_is_no_policy_is_not_written(layers, why, tmp_path):
    with pytest.raises(ValueError, match=why):
        save_policy(tmp_path / "mine.safetensors", layers)
    assert not [*tmp_path.iterdir()]


def test_files_that_do_not_fit_are_refused_in_a_sentence(saved, tmp_path):
    tensors, about = read_tensors(saved)
    for changed, why in (
        ({"layout": "another"}, "was trained with other observations or actions"),
        ({"layers": []}, "describes no policy that there can be: its layers are"),
        ({"layers": ["1.", "pickle"]}, "there is no layer 'pickle' in it"),
        ({"layers": ["1.", 3]}, "there is no layer 3 in it"),
        ({"layers": ["1.", "3."] * 2}, "its layers do not follow one another"),
        ({"scale": "x"}, "describes no policy that there can be"),
    ):
        write_tensors(tmp_path / "odd.safetensors", tensors, {**about, **changed})
        with pytest.raises(CheckpointError, match=why):
            load_policy(tmp_path / "odd.safetensors")
    write_tensors(tmp_path / "odd.safetensors", {**tensors, "1.bias": torch.full((12,), torch.nan)}, about)
    with pytest.raises(CheckpointError, match="NaN or infinite"):
        load_policy(tmp_path / "odd.safetensors")
    saved.write_bytes(saved.read_bytes()[:-1] + b"x")
    with pytest.raises(AgentError, match="was changed or damaged"):
        make(f"policy:{saved}", 0)


def test_nets_of_the_project_and_policies_are_told_apart(saved, tmp_path):
    with pytest.raises(AgentError, match=f"plays as policy:{saved}"):
        make(f"neural:{saved}", 0)
    save_checkpoint(tmp_path / "net.safetensors", SeatsNet(8, 8), {}, {})
    with pytest.raises(AgentError, match="plays as neural:"):
        make(f"policy:{tmp_path / 'net.safetensors'}", 0)
    with pytest.raises(AgentError, match="needs its path"):
        make("policy", 0)
