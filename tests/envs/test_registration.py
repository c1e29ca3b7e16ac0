"""`pettingzoo.make`, `gymnasium.make` and `gymnasium.make_vec` find the environments."""

import functools
import subprocess
import sys

import gymnasium
import numpy as np
import pettingzoo
import pytest

import danmaku_env
from danmaku_env import ConfigError, GameConfig, danmaku_v0
from danmaku_env.named_tables import NAMED_TABLES
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


@pytest.mark.parametrize("game", ["Danmaku", "Shisoroku", "Utage"])
@pytest.mark.parametrize("mistyped", ["opponent", "learners", "render"])
def test_a_mistyped_option_is_refused_with_all_that_there_are(game, mistyped):
    for make, own in ((gymnasium.make, ("policy",)), (gymnasium.make_vec, ("num_envs", "autoreset_mode", "copy"))):
        with pytest.raises(ConfigError, match=f"unknown option '{mistyped}'.*; the options are ") as refusal:
            make(f"danmaku/{game}-v0", **{mistyped: 1})
        listed = str(refusal.value).partition("; the options are ")[2].split(", ")
        assert {"history", "illegal", "learner", "opponents", "render_mode", *own} <= set(listed)


@pytest.mark.parametrize("seeds", [[[1], [2, 3]], [[1], [2]], np.ones((2, 2), int)])
def test_lists_are_no_seeds(seeds):
    envs = gymnasium.make_vec("danmaku/Danmaku-v0", num_envs=2, num_players=4)
    with pytest.raises(ValueError, match=r"a seed is a whole number from 0, not (\[1\]|array)"):
        envs.unwrapped.reset(seed=seeds)
    envs.close()


@pytest.mark.parametrize("name", NAMED_TABLES)
def test_a_table_with_a_name_is_the_same_in_both_registries(name):
    table = GameConfig.named(name)
    assert table.table == name
    assert pettingzoo.make("aec", f"danmaku/{name}").unwrapped.config == table
    assert gymnasium.make(f"danmaku/{name}", learner="heroine").unwrapped.config == table
    longer = gymnasium.make_vec(f"danmaku/{name}", num_envs=2, history=8, opponents="heuristic")
    assert longer.unwrapped.config == GameConfig.named(name, history=8)
    longer.close()


def test_a_table_with_a_name_cannot_be_another():
    """What is said of the game itself would make it another; what is said of who learns does not."""
    for make in (
        lambda **options: pettingzoo.make("aec", "danmaku/Tiny-v0", **options),
        lambda **options: gymnasium.make("danmaku/Tiny-v0", **options),
        lambda **options: danmaku_env.make_vec(2, table="Tiny-v0", **options),
    ):
        with pytest.raises(ConfigError, match="life is said beside the table 'Tiny-v0', which has its own: leave one of the two out"):
            make(life=2)
    for make in (functools.partial(pettingzoo.make, "aec"), gymnasium.make, gymnasium.make_vec):
        with pytest.raises(ConfigError, match="danmaku/Tiny-v0 is the table Tiny-v0, not 'Base6-v0': leave table out"):
            make("danmaku/Tiny-v0", table="Base6-v0")
    with pytest.raises(ConfigError, match="there is no table 'Tiny-v7'; the tables are Tiny-v0, Basic4-v0"):
        danmaku_v0.env(table="Tiny-v7")


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
