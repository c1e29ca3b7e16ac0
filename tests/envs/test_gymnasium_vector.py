"""Many games with one learning seat each, as a Gymnasium vector environment."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import vector

from danmaku_env import ConfigError, IllegalAction, Scenario
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
@pytest.mark.parametrize("opponents", [None, "heuristic", ["heuristic", "deducer", None]])
def test_a_row_plays_the_games_of_a_single_environment(learner, opponents):
    """Row i of reset(seed=5) and one environment after reset(seed=5 + i): every observation, reward and end, over several games."""
    options = {"num_players": 5, "learner": learner, "max_turns": 6}
    if opponents:  # one row: agents draw their noise from a generator of their own, in the order of the questions
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
            assert infos["opponents"][row].tolist() == info["opponents"].tolist()
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


@pytest.mark.parametrize("opponents", [None, ["heuristic", None]])
def test_games_that_end_before_the_learner_is_asked_are_those_of_a_single_environment(opponents):
    options = {"num_players": 4, "learner": 3, "opponents": opponents, "characters": "none", "max_turns": 1}
    envs, single = make(1, **options), gymnasium.make(NAME, **options)
    observations, _ = envs.reset(seed=1)
    observation, _ = single.reset(seed=1)
    again = 0
    for _ in range(40):
        assert np.array_equal(observations["observation"][0], observation["observation"])
        again += int(single.unwrapped.game.turn_number == 0)
        actions = envs.unwrapped.sample()
        observations, _, terminations, truncations, _ = envs.step(actions)
        observation, _, terminated, truncated, _ = single.step(int(actions[0]))
        assert (terminations[0], truncations[0]) == (terminated, truncated)
        if terminated or truncated:
            observation, _ = single.reset()


@pytest.mark.filterwarnings("ignore:.*an illegal answer has lost the game")
@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("illegal_at", [None, 7])
def test_what_it_returns_has_the_form_of_gymnasiums_own(illegal_at, mode):
    """SyncVectorEnv of single environments returns the same in every mode, infos and their marks included."""
    options = {"num_players": 4, "learner": "any", "max_turns": 4}
    ours = make(3, autoreset_mode=mode, **options)
    theirs = SyncVectorEnv([lambda: gymnasium.make(NAME, **options)] * 3, autoreset_mode=mode)
    observations, infos = ours.reset(seed=5)
    assert_same((observations, infos), theirs.reset(seed=5))
    games = 0
    for step in range(60):
        actions = ours.unwrapped.sample()
        if step == illegal_at:
            actions[1] = int(np.argmin(observations["action_mask"][1]))
        returned = ours.step(actions)
        assert_same(returned, theirs.step(actions))
        observations, _, terminations, truncations, infos = returned
        ended = terminations | truncations
        games += ended.sum()
        if mode == AutoresetMode.DISABLED and ended.any():
            returned = ours.reset(options={"reset_mask": ended})
            assert_same(returned, theirs.reset(options={"reset_mask": ended}))
            observations, infos = returned
    assert games > 6


@pytest.mark.parametrize("word", ["next_step", "NextStep", "NEXT_STEP", AutoresetMode.NEXT_STEP])
def test_autoreset_modes_have_their_words(word):
    envs = make(2, num_players=4, autoreset_mode=word)
    assert envs.metadata["autoreset_mode"] is envs.unwrapped.autoreset_mode is AutoresetMode.NEXT_STEP
    assert DanmakuVector.metadata["autoreset_mode"] is make(2).metadata["autoreset_mode"] is AutoresetMode.SAME_STEP


def one_of_two_ended(mode):
    """Two games, just after one of them has ended: the environments, which one it is, and what the step gave."""
    envs = make(2, num_players=4, learner="any", max_turns=2, autoreset_mode=mode)
    envs.reset(seed=1)
    while True:
        observations, _, terminations, truncations, infos = envs.step(envs.unwrapped.sample())
        ended = terminations | truncations
        if ended.sum() == 1:
            return envs, ended, observations, infos


def test_a_game_that_has_ended_begins_anew_in_the_next_step_whatever_is_answered():
    envs, ended, observations, infos = one_of_two_ended("next_step")
    row = int(np.argmax(ended))
    assert np.flatnonzero(observations["action_mask"][row]).tolist() == [PASS]
    assert "final_obs" not in infos
    actions = envs.unwrapped.sample()
    assert actions[row] == PASS
    actions[row] = NUM_ACTIONS - 1
    _, rewards, terminations, truncations, _ = envs.step(actions)
    assert (rewards[row], terminations[row], truncations[row]) == (0, False, False)
    assert envs.unwrapped.game(row).turn_number <= 1


def test_without_autoreset_a_game_that_has_ended_waits_for_its_reset():
    envs, ended, _, _ = one_of_two_ended("disabled")
    row = int(np.argmax(ended))
    with pytest.raises(RuntimeError, match=rf"game {row} of the batch has ended: call reset\(options="):
        envs.step(envs.unwrapped.sample())
    before = envs.unwrapped.game(1 - row)
    _, infos = envs.reset(seed=[7, 7], options={"reset_mask": ended})
    assert envs.unwrapped.game(1 - row) == before
    assert envs.unwrapped.game(row).record["seed"] == 7
    assert np.array_equal(infos["_seat"], ended)
    envs.step(envs.unwrapped.sample())


def position():
    scene = Scenario(num_players=4)
    scene.seat(0, role="heroine", hand=["shoot", "graze"]).seat(3, role="ex_boss").turn(0, step="main")
    return scene.build(seed=1)


def test_every_row_can_begin_from_a_position():
    game, envs = position(), make(3, num_players=4, learner=0)
    envs.reset(seed=1, options={"game": game})
    assert all((envs.unwrapped.game(row).record == game.record).all() for row in range(3))
    single = gymnasium.make(NAME, num_players=4, learner=0)
    expected, _ = single.reset(seed=1, options={"game": game})
    for _ in range(30):  # and on as in one environment: what follows is dealt
        actions = envs.unwrapped.sample()
        observations, _, terminations, truncations, _ = envs.step(actions)
        expected, _, terminated, truncated, _ = single.step(int(actions[0]))
        if terminated or truncated:
            assert terminations[0] or truncations[0]
            expected, _ = single.reset()
            assert single.unwrapped.game.record["seed"] != game.record["seed"]
        assert np.array_equal(observations["observation"][0], expected["observation"])


def test_single_rows_can_begin_from_positions():
    game, envs = position(), make(3, num_players=4, learner=0)
    envs.reset(seed=1)
    others = [envs.unwrapped.game(row) for row in (0, 2)]
    envs.reset(options={"game": game, "reset_mask": np.array([False, True, False])})
    assert (envs.unwrapped.game(1).record == game.record).all()
    assert [envs.unwrapped.game(row) for row in (0, 2)] == others
    envs.reset(seed=5, options={"game": [None, game, None]})
    assert [int(envs.unwrapped.game(row).record["seed"]) for row in range(3)] == [5, 1, 7]
    assert (envs.unwrapped.game(1).record == game.record).all()


def test_the_infos_say_who_sits_where():
    envs = make(8, num_players=5, learner="any", opponents=["heuristic", None])
    _, infos = envs.reset(seed=1)
    assert envs.unwrapped.opponent_names == ("heuristic", "random")
    assert infos["opponents"].shape == (8, 5)
    assert set(infos["opponents"].ravel().tolist()) == {-1, 0, 1}
    assert np.array_equal(np.argmin(infos["opponents"], axis=1), infos["seat"])


# ---------------------------------------------------------------- wrappers of others


def flat(envs):
    return vector.DtypeObservation(vector.FlattenObservation(envs), np.float32)


WRAPPERS = {
    "flatten": vector.FlattenObservation,
    "normalize": lambda envs: vector.NormalizeObservation(flat(envs)),
    "filter": lambda envs: vector.FilterObservation(envs, ["observation"]),
    "dtype": flat,
    "reshape": lambda envs: vector.ReshapeObservation(flat(envs), (1, flat(envs).single_observation_space.shape[0])),
    "rescale": lambda envs: vector.RescaleObservation(flat(envs), np.float32(0), np.float32(1)),
    "transform": lambda envs: vector.TransformObservation(
        flat(envs), lambda rows: rows / 2, observation_space=flat(envs).observation_space
    ),
    "statistics": vector.RecordEpisodeStatistics,
    "rewards": vector.NormalizeReward,
    "clipped": lambda envs: vector.ClipReward(envs, -0.5, 0.5),
}


@pytest.mark.parametrize("mode", ["next_step", "disabled"])
@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_wrappers_of_gymnasium(wrapper, mode):
    if (wrapper, mode) == ("normalize", "disabled"):
        pytest.skip("Gymnasium takes it with NextStep alone")
    envs = WRAPPERS[wrapper](make(3, num_players=4, learner="any", max_turns=3, autoreset_mode=mode))
    observations, _ = envs.reset(seed=1)
    statistics = 0
    for _ in range(30):
        assert envs.observation_space.contains(observations)
        observations, rewards, terminations, truncations, infos = envs.step(envs.unwrapped.sample())
        ended = terminations | truncations
        assert not rewards[~ended].any()
        statistics += int(infos["episode"]["l"].sum()) if "episode" in infos else 0
        if mode == "disabled" and ended.any():
            observations, _ = envs.reset(options={"reset_mask": ended})
    assert (wrapper == "statistics") == (statistics > 10)


def test_infos_as_a_list():
    envs = vector.DictInfoToList(make(3, num_players=4, autoreset_mode="next_step"))
    _, infos = envs.reset(seed=1)
    assert [info["opponents"].tolist() for info in infos] == [[-1, 0, 0, 0]] * 3


@pytest.mark.filterwarnings("ignore")
def test_the_batch_wrapper_of_torchrl():
    torch = pytest.importorskip("torch")
    envs_of = pytest.importorskip("torchrl.envs")
    envs = envs_of.GymWrapper(
        make(3, num_players=4, learner="any", max_turns=3, autoreset_mode="disabled"), categorical_action_encoding=True
    )
    envs.set_seed(1)

    def policy(td):
        return td.set("action", torch.multinomial(td["action_mask"].float(), 1).squeeze(-1))

    played = envs.rollout(40, policy, break_when_any_done=False)["next"]
    assert played.batch_size == (3, 40)
    assert played["done"].sum() > 3
    assert not played["reward"][~played["done"]].any()


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


def test_illegal_answers_can_raise_and_change_nothing():
    envs = make(2, num_players=4, learner="any", illegal="raise")
    before, _ = envs.reset(seed=1)
    good = envs.unwrapped.sample()
    illegal = int(np.argmin(before["action_mask"][1]))
    for bad in ([good[0], illegal], [good[0], NUM_ACTIONS], [good[0], -1], [good[0]], [0.5, 0.5], "pass", None):
        with pytest.raises(IllegalAction, match="step"):
            envs.step(np.array(bad) if isinstance(bad, list) else bad)
    with pytest.raises(IllegalAction, match="2 whole numbers are needed"):
        envs.step([[1], [2, 3]])
    envs.step(good)


@pytest.mark.parametrize("bad", [[0, 1], 0.5, "pass", None, [0.5, 0.5, 0.5]])
def test_what_is_no_whole_number_for_each_game_raises_always(bad):
    envs = make(3, num_players=4)
    envs.reset(seed=1)
    with pytest.raises(IllegalAction, match=r"step\(\): 3 whole numbers are needed"):
        envs.step(bad)
    envs.step(envs.unwrapped.sample())


def test_illegal_answers_lose_their_game_alone():
    envs = make(3, num_players=4, learner="any")
    before, _ = envs.reset(seed=1)
    actions = envs.unwrapped.sample()
    actions[1] = int(np.argmin(before["action_mask"][1]))
    with pytest.warns(
        UserWarning, match=r'game 1: an illegal answer has lost the game: .* is not legal: seat .* observation\["action_mask"\]'
    ):
        _, rewards, terminations, _, infos = envs.step(actions)
    assert rewards[1] == -1.0
    assert terminations.tolist() == [False, True, False]
    assert infos["final_info"]["illegal"].tolist() == infos["final_info"]["_illegal"].tolist() == [False, True, False]
    assert np.array_equal(infos["final_obs"][1]["observation"], before["observation"][1])
    envs.step(np.full(3, NUM_ACTIONS))  # of the second nothing is said


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
    with pytest.raises(ValueError, match="games were left half way: the next reset"):
        envs.reset(options={"reset_mask": np.array([True, False])})
    envs.reset()
    envs.step(envs.sample())
    envs.reset(options={"reset_mask": np.array([True, False])})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": 0}, "num_envs must be a whole number of at least 1"),
        ({"num_envs": 2.0}, "num_envs must be a whole number of at least 1"),
        ({"learner": "boss"}, "learner must be a seat"),
        ({"illegal": "ignore"}, 'illegal must be "loss" or "raise"'),
        ({"autoreset_mode": "later"}, "autoreset_mode must be NextStep, SameStep, Disabled or an AutoresetMode, not 'later'"),
        ({"autoreset_mode": None}, "autoreset_mode must be"),
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
    none, wrong = np.zeros(2, np.bool_), Scenario(num_players=5).build(seed=1)
    for options, message in (
        ({"game": 1}, "a position to start from is a Game, not 1"),
        ({"game": wrong}, "a game of 5 players does not fit"),
        ({"game": [wrong]}, "got 1 positions for 2 games"),
        ({"games": 1}, "the options of reset.. are game and reset_mask, not 'games'"),
        ("game", "options are a mapping"),
        ({"reset_mask": none}, "marks at least one of 2 games"),
        ({"reset_mask": np.array([True, False])}, "the first reset.. is one without a reset_mask"),
    ):
        with pytest.raises(ValueError, match=message):
            envs.reset(options=options)
    for mask in ([True, False], np.array([1, 0])):
        with pytest.raises(TypeError, match="is an array of truths"):
            envs.reset(options={"reset_mask": mask})


def test_the_games_of_an_unseeded_reset_can_be_played_again():
    envs = make(2, num_players=4)
    first, _ = envs.reset()
    other, _ = envs.reset()
    again, _ = envs.reset(seed=envs.unwrapped.np_random_seed)
    assert np.array_equal(first["observation"], again["observation"])
    assert not np.array_equal(first["observation"], other["observation"])
    envs.reset(seed=[4, 9])
    assert envs.unwrapped.np_random_seed == -1


def test_tables_can_be_looked_at():
    envs = make(2, num_players=4, render_mode="ansi", learner=1)
    envs.reset(seed=1)
    assert all("as seat 1 sees it" in text for text in envs.render())
