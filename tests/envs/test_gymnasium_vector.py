"""Many games with one learning seat each, as a Gymnasium vector environment."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from danmaku_env import ConfigError, IllegalAction
from danmaku_env.engine.actions import NUM_ACTIONS, PASS
from danmaku_env.envs.gymnasium_vector import DanmakuVector

NAME = "danmaku/Danmaku-v0"


def make(num_envs=3, **options):
    return gymnasium.make_vec(NAME, num_envs=num_envs, **options)


def test_gymnasium_finds_it_and_its_spaces_are_true():
    envs = make(5, num_players=7, learner="any", history=3, max_turns=4)
    assert isinstance(envs.unwrapped, DanmakuVector)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert envs.spec.kwargs["vectorization_mode"] == "vector_entry_point"
    observations, infos = envs.reset(seed=2)
    for _ in range(40):
        assert envs.observation_space.contains(observations)
        assert (infos["action_mask"] == observations["action_mask"]).all()
        actions = envs.unwrapped.sample()
        assert envs.action_space.contains(actions)
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        assert rewards.shape == terminations.shape == truncations.shape == (5,)
        assert not (terminations & truncations).any()
        assert not rewards[~(terminations | truncations)].any()
    envs.close()


@pytest.mark.parametrize("learner", [2, "any", ["heroine", "stage_boss"]])
@pytest.mark.parametrize("opponents", [None, "heuristic"])
def test_a_row_plays_the_games_of_a_single_environment(learner, opponents):
    """Row i of reset(seed=5) and one environment after reset(seed=5 + i): every observation, reward and end, over several games."""
    options = {"num_players": 5, "learner": learner, "max_turns": 6}
    if opponents:  # one row: agents draw their noise from dice of their own, in the order of the questions
        options |= {"opponents": opponents}
    rows = 1 if opponents else 3
    envs, singles = make(rows, **options), [gymnasium.make(NAME, **options) for _ in range(rows)]
    observations, infos = envs.reset(seed=5)
    expected = [single.reset(seed=5 + row) for row, single in enumerate(singles)]
    ended = 0
    for _ in range(60):
        for row, (observation, info) in enumerate(expected):
            assert np.array_equal(observations["observation"][row], observation["observation"])
            assert np.array_equal(observations["action_mask"][row], info["action_mask"])
            assert infos["seat"][row] == info["seat"]
        actions = envs.unwrapped.sample()
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        for row, single in enumerate(singles):
            observation, reward, terminated, truncated, info = single.step(int(actions[row]))
            assert (rewards[row], terminations[row], truncations[row]) == (reward, terminated, truncated)
            expected[row] = (observation, info)
            if terminated or truncated:
                assert infos["_final_obs"][row]
                assert np.array_equal(infos["final_obs"][row]["observation"], observation["observation"])
                assert np.array_equal(infos["final_obs"][row]["action_mask"], observation["action_mask"])
                assert infos["final_info"]["seat"][row] == info["seat"]
                expected[row] = single.reset()
                ended += 1
    assert ended >= rows


@pytest.mark.parametrize("illegal_at", [None, 7])
def test_what_it_returns_has_the_form_of_gymnasiums_own(illegal_at):
    """SyncVectorEnv of single environments returns the same, infos and their marks included."""
    options = {"num_players": 4, "learner": "any", "max_turns": 4, "illegal": "loss"}
    ours = make(3, **options)
    theirs = SyncVectorEnv([lambda: gymnasium.make(NAME, **options)] * 3, autoreset_mode=AutoresetMode.SAME_STEP)
    observations, infos = ours.reset(seed=5)
    assert_same((observations, infos), theirs.reset(seed=5))
    ended = 0
    for step in range(60):
        actions = ours.unwrapped.sample()
        if step == illegal_at:
            actions[1] = int(np.argmin(observations["action_mask"][1]))
        returned = ours.step(actions)
        assert_same(returned, theirs.step(actions))
        observations, infos = returned[0], returned[4]
        ended += "final_info" in infos
    assert ended > 2


def assert_same(ours, theirs):
    """Recursively, dtypes included; order of keys aside."""
    assert type(ours) is type(theirs)
    if isinstance(ours, dict):
        assert ours.keys() == theirs.keys()
        ours, theirs = zip(*((ours[key], theirs[key]) for key in ours), strict=True)
    if isinstance(ours, np.ndarray):
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        if ours.dtype != object:
            assert np.array_equal(ours, theirs)
            return
    if isinstance(ours, (tuple, list, np.ndarray)):
        for one, other in zip(ours, theirs, strict=True):
            assert_same(one, other)
        return
    assert ours == theirs


def test_every_learner_is_paid_what_its_side_won():
    """Over whole games the learners' rewards are those of the seats, and somebody wins."""
    envs = make(16, num_players=4, learner="any")
    envs.reset(seed=3)
    paid = []
    while len(paid) < 24:
        _, rewards, terminations, truncations, infos = envs.step(envs.unwrapped.sample())
        for row in np.flatnonzero(terminations | truncations):
            assert rewards[row] in ((1.0, -1.0, 0.0) if terminations[row] else (0.0,))
            assert np.flatnonzero(infos["final_obs"][row]["action_mask"]).tolist() == [PASS]
            paid.append(rewards[row])
    assert 1.0 in paid
    assert -1.0 in paid


def test_a_seed_for_each_row_and_the_same_again():
    envs = make(2, num_players=4, learner=1)
    first, _ = envs.reset(seed=[9, 4])
    again, _ = envs.reset(seed=[9, 4])
    other, _ = make(2, num_players=4, learner=1).reset(seed=[9, 5])
    assert np.array_equal(first["observation"], again["observation"])
    assert np.array_equal(first["observation"][0], other["observation"][0])
    assert not np.array_equal(first["observation"][1], other["observation"][1])


def test_arrays_are_new_unless_asked_otherwise():
    envs = make(2, num_players=4)
    before, _ = envs.reset(seed=1)
    kept = before["observation"].copy()
    envs.step(envs.unwrapped.sample())
    assert np.array_equal(before["observation"], kept)
    same = make(2, num_players=4, copy=False)
    observations, _ = same.reset(seed=1)
    assert same.step(same.unwrapped.sample())[0]["observation"] is observations["observation"]


def test_illegal_answers_raise_and_change_nothing():
    envs = make(2, num_players=4, learner="any")
    before, _ = envs.reset(seed=1)
    good = envs.unwrapped.sample()
    illegal = int(np.argmin(before["action_mask"][1]))
    for bad in ([good[0], illegal], [good[0], NUM_ACTIONS], [good[0], -1], [good[0]], [0.5, 0.5], "pass", None):
        with pytest.raises(IllegalAction, match="step"):
            envs.step(np.array(bad) if isinstance(bad, list) else bad)
    with pytest.raises(IllegalAction, match="2 whole numbers are needed"):
        envs.step([[1], [2, 3]])
    envs.step(good)


def test_illegal_answers_can_lose_their_game_alone():
    envs = make(3, num_players=4, learner="any", illegal="loss")
    before, _ = envs.reset(seed=1)
    actions = envs.unwrapped.sample()
    actions[1] = int(np.argmin(before["action_mask"][1]))
    _, rewards, terminations, _, infos = envs.step(actions)
    assert rewards[1] == -1.0
    assert terminations.tolist() == [False, True, False]
    assert infos["final_info"]["illegal"].tolist() == infos["final_info"]["_illegal"].tolist() == [False, True, False]
    assert np.array_equal(infos["final_obs"][1]["observation"], before["observation"][1])


def test_opponents_answer_in_batches():
    """One question to the opponents for all games that wait for them."""
    sizes = []

    class First:
        def reset(self, seed):
            pass

        def answer(self, games, seats, observations, masks):
            assert (games["asking"] == seats).all()
            sizes.append(len(seats))
            return masks.argmax(1)

    envs = DanmakuVector(8, num_players=4, opponents=[First(), None], max_turns=3)
    envs.reset(seed=1)
    for _ in range(10):
        envs.step(envs.sample())
    assert max(sizes) > 2


def test_an_illegal_answer_of_an_opponent_is_named():
    class Wrong(type("Base", (), {"reset": lambda self, seed: None})):
        def answer(self, games, seats, observations, masks):
            return masks.argmin(1)

    with pytest.raises(IllegalAction, match=r"the answer of opponent 0, game 0: .* is not legal"):
        DanmakuVector(2, num_players=4, learner=3, opponents=Wrong()).reset(seed=1)


@pytest.mark.parametrize("call", [lambda envs: envs.reset(), lambda envs: envs.step(envs.sample())], ids=["reset", "step"])
def test_games_that_an_opponent_has_left_half_way_cannot_be_continued(call):
    class Tired(type("Base", (), {"reset": lambda self, seed: None})):
        awake = True

        def answer(self, games, seats, observations, masks):
            if not self.awake:
                raise KeyboardInterrupt
            return masks.argmax(1)

    opponent = Tired()
    envs = DanmakuVector(2, num_players=4, learner=3, opponents=opponent)
    envs.reset(seed=1)
    opponent.awake = False
    with pytest.raises(KeyboardInterrupt):
        call(envs)
    for forbidden in (envs.sample, lambda: envs.step(np.zeros(2, np.int64))):
        with pytest.raises(RuntimeError, match=r"call reset\(\)"):
            forbidden()
    opponent.awake = True
    envs.reset()
    envs.step(envs.sample())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": 0}, "num_envs must be a whole number of at least 1"),
        ({"num_envs": 2.0}, "num_envs must be a whole number of at least 1"),
        ({"learner": "boss"}, "learner must be a seat"),
        ({"illegal": "ignore"}, 'illegal must be "loss" or "raise"'),
        ({"players": 4}, "unknown option 'players'"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ConfigError, match=message):
        DanmakuVector(**options)


def test_bad_seeds_and_early_steps_are_refused():
    envs = DanmakuVector(2, num_players=4)
    for call in (envs.sample, lambda: envs.step(np.zeros(2, np.int64))):
        with pytest.raises(RuntimeError, match=r"call reset\(\)"):
            call()
    for bad, message in ((-1, "a seed is a whole number"), ([1], "got 1 seeds for 2 games"), (0.5, "a seed is a whole number")):
        with pytest.raises(ValueError, match=message):
            envs.reset(seed=bad)
    with pytest.raises(ValueError, match="knows no options, such as 'game'"):
        envs.reset(options={"game": 1})


def test_tables_can_be_looked_at():
    envs = make(2, num_players=4, render_mode="ansi", learner=1)
    envs.reset(seed=1)
    assert all("as seat 1 sees it" in text for text in envs.render())
