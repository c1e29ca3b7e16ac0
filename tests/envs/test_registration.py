"""`pettingzoo.make`, `gymnasium.make` and `gymnasium.make_vec` find the environments."""

import subprocess
import sys

import gymnasium
import numpy as np
import pettingzoo
import pytest

import danmaku_env
from danmaku_env import danmaku_v0
from danmaku_env.registration import register


@pytest.mark.parametrize("name", ["danmaku/danmaku_v0", "danmaku/danmaku-v0", "danmaku/danmaku"])
def test_pettingzoo_make(name):
    env = pettingzoo.make("aec", name, num_players=7)
    assert type(env) is type(danmaku_v0.env())
    env.reset(seed=1)
    assert env.num_agents == 7
    assert str(env) == "danmaku_v0"


def test_gymnasium_make():
    env = gymnasium.make("danmaku/Danmaku-v0", num_players=7, learner="heroine")
    _, info = env.reset(seed=1)
    action = env.action_space.sample(info["action_mask"])
    env.step(action)
    assert env.unwrapped.config.num_players == 7
    assert env.unwrapped.action_masks().shape == (env.action_space.n,)


def test_gymnasium_make_vec():
    envs = gymnasium.make_vec("danmaku/Danmaku-v0", num_envs=3, num_players=4, max_turns=5)
    observations, infos = envs.reset(seed=1)
    rng = np.random.default_rng(0)
    for _ in range(12):
        actions = [rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in infos["action_mask"]]
        observations, rewards, _, _, infos = envs.step(np.array(actions))
        assert np.array_equal(observations["action_mask"], infos["action_mask"])
        assert set(rewards) <= {-1.0, 0.0, 1.0}
    envs.close()


def test_gymnasium_imports_the_package_named_before_the_colon():
    code = "import gymnasium; print(gymnasium.make('danmaku_env:danmaku/Danmaku-v0').unwrapped.config.num_players)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "6"


def test_registering_again_does_nothing():
    before = len(gymnasium.registry), len(pettingzoo.aec_registry)
    register()
    assert (len(gymnasium.registry), len(pettingzoo.aec_registry)) == before


def test_public_module():
    assert danmaku_env.danmaku_v0 is danmaku_v0
    assert "danmaku_v0" in danmaku_env.__all__
    assert danmaku_v0.raw_env().metadata["name"] == "danmaku_v0"
