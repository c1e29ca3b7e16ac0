"""The Gymnasium environment with one learning seat."""

import copy
import pickle
import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence

from danmaku_env import ConfigError, Game, GameConfig, IllegalAction, Scenario, make_vec
from danmaku_env.agents.random import RandomAgent
from danmaku_env.cards.box import ROLE_IDS
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.engine.actions import ACTION_IDS, NUM_ACTIONS, PASS
from danmaku_env.envs.one_game import whole_action
from danmaku_env.envs.single import DanmakuSingle

SHOOT = ACTION_IDS.index("play shoot")


def legal(env: Any, rng: random.Random) -> int:
    """A random legal action of the learner."""
    return int(rng.choice(np.flatnonzero(env.unwrapped.action_masks()).tolist()))


def episode(env: Any, rng: random.Random) -> tuple[float, bool, bool, int]:
    """Play a game that was reset to its end: reward, terminated, truncated, steps."""
    steps = 0
    while True:
        _, reward, terminated, truncated, _ = env.step(legal(env, rng))
        steps += 1
        if terminated or truncated:
            return reward, terminated, truncated, steps
        assert reward == 0.0


def shootout(turn: int, *, defeated: bool = False) -> Game:
    """Seat 0 can shoot the Heroine, seat 1, who has one life and no hand; seat 2 may be defeated."""
    scene = Scenario(num_players=4).turn(turn)
    scene.seat(0, role="stage_boss", hand=["shoot/spring"]).seat(1, role="heroine", life=1)
    scene.seat(2, role="stage_boss", hand=[] if defeated else ["power"], defeated=defeated)
    return scene.seat(3, role="ex_boss", hand=["power"]).build(seed=1)


def without_rival() -> Game:
    """The Rival of this game has become the Heroine."""
    vec, rival = make_vec(64, 8), ROLE_IDS.index("rival")
    vec.reset(1)
    while (vec.games["role"] == rival).any(1).all():
        vec.step(vec.sample())
    return vec.game(int(np.argmin((vec.games["role"] == rival).any(1))))


def shooter(observation: dict[str, Any]) -> int:
    """Shoot, at the seat next clockwise, and otherwise pass."""
    mask = observation["action_mask"]
    for action in (SHOOT, ACTION_IDS.index("choose seat:1"), PASS):
        if mask[action]:
            return action
    return int(np.argmax(mask))


# ---------------------------------------------------------------- checkers of others


@pytest.mark.filterwarnings("ignore:.*an illegal answer has lost the game")  # they try any action
@pytest.mark.parametrize("players", range(4, 9))
def test_gymnasium_checker(players):
    check_env(gymnasium.make("danmaku/Danmaku-v0", num_players=players).unwrapped, skip_render_check=players != 4)


@pytest.mark.filterwarnings("ignore:.*an illegal answer has lost the game")  # they try any action
@pytest.mark.parametrize("mode", ["human", "ansi"])
def test_gymnasium_checker_with_render_mode(mode, capsys):
    env = gymnasium.make("danmaku/Danmaku-v0", num_players=4, render_mode=mode)
    check_env(env.unwrapped, skip_render_check=True)
    env.reset(seed=1)
    picture = env.render()
    text = capsys.readouterr().out if mode == "human" else picture
    assert "as seat 0 sees it" in text
    assert (picture is None) == (mode == "human")


def test_human_mode_prints_every_step(capsys):
    env = gymnasium.make("danmaku/Danmaku-v0", num_players=4, render_mode="human")
    _, info = env.reset(seed=1)
    tables = [capsys.readouterr().out]
    env.step(env.action_space.sample(info["action_mask"]))
    tables.append(capsys.readouterr().out)
    assert all("as seat 0 sees it" in text for text in tables)
    assert tables[0] != tables[1]


@pytest.mark.parametrize("table", ["Danmaku", "Utage", "Shisoroku"])
def test_gymnasium_keeps_a_list_of_what_is_drawn(table):
    env = gymnasium.make(f"danmaku/{table}-v0", render_mode="ansi_list")
    _, info = env.reset(seed=1)
    env.step(env.action_space.sample(info["action_mask"]))
    assert [isinstance(text, str) for text in env.render()] == [True, True]


def test_pictures_of_a_game_have_one_shape():
    env = gymnasium.make("danmaku/Danmaku-v0", num_players=5, render_mode="rgb_array", learner="any")
    env.reset(seed=3)
    rng, frames = random.Random(1), [env.render()]
    for _ in range(3):
        env.step(legal(env, rng))
        frames.append(env.render())
    assert {(frame.shape, frame.dtype) for frame in frames} == {(frames[0].shape, np.dtype(np.uint8))}
    assert frames[0].shape[0] % 2 == frames[0].shape[1] % 2 == 0, "videos of other sizes are not played everywhere"
    assert frames[0].shape[2] == 3
    assert any((frame != frames[0]).any() for frame in frames)


def test_stable_baselines_makes_several():
    make_vec_env = pytest.importorskip("stable_baselines3.common.env_util").make_vec_env
    envs = make_vec_env("danmaku/Danmaku-v0", 2, env_kwargs={"num_players": 4})
    observations = envs.reset()
    assert observations["action_mask"].shape == (2, NUM_ACTIONS)
    assert envs.render().ndim == 3
    envs.close()


def test_opponents_by_name_play_the_other_seats():
    """Against heuristics the learner who passes everything loses more often than among others who answer at random."""
    lost = {}
    for opponents in ("heuristic", ["random", "random"]):
        env = gymnasium.make("danmaku/Danmaku-v0", num_players=4, learner="heroine", opponents=opponents)
        lost[str(opponents)] = 0
        for seed in range(12):
            _, info = env.reset(seed=seed)
            over = False
            while not over:
                mask = info["action_mask"]
                _, reward, terminated, truncated, info = env.step(int(np.argmax(mask)))
                over = terminated or truncated
            lost[str(opponents)] += reward < 0
    assert lost["heuristic"] > lost["['random', 'random']"]


@pytest.mark.parametrize(
    ("opponents", "message"),
    [
        ("nobody", "opponents: there is no agent 'nobody'"),
        (["heuristic", "search:depth=2"], "opponents: .*'depth' is not an option"),
        ([], "opponents is an empty list"),
        (3, "an opponent is a name .*, an agent .*, or None, not 3"),
        (RandomAgent, 'not the class RandomAgent: give RandomAgent\\(\\) or "danmaku_env.agents.random:RandomAgent"'),
        ([None, legal], "not a function; gymnasium.make takes a function of an observation as policy="),
    ],
)
@pytest.mark.parametrize("make", [gymnasium.make, gymnasium.make_vec])
def test_opponents_nobody_knows_are_refused(opponents, message, make):
    with pytest.raises(ConfigError, match=message):
        make("danmaku/Danmaku-v0", opponents=opponents)


def test_opponents_by_name_need_gymnasium_make():
    with pytest.raises(ConfigError, match=r"opponents by name \('heuristic'\) are for gymnasium.make"):
        DanmakuSingle(opponents="heuristic")
    with pytest.raises(ConfigError, match="policy and opponents both say who plays"):
        DanmakuSingle(opponents=[None], policy=shooter)


@pytest.mark.filterwarnings("ignore:.*an illegal answer has lost the game")  # they try any action
def test_stable_baselines_checker():
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(DanmakuSingle(num_players=5, learner="any"))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_maskable_ppo_learns_a_little():
    sb3_contrib = pytest.importorskip("sb3_contrib")
    import torch

    torch.set_num_threads(1)
    env = DanmakuSingle(num_players=4, learner="stage_boss", illegal="raise", max_turns=20)  # raises, were a mask ignored
    model = sb3_contrib.MaskablePPO("MultiInputPolicy", env, n_steps=32, batch_size=16, n_epochs=1, seed=1, device="cpu")
    model.learn(64)
    observation, info = env.reset(seed=3)
    action, _ = model.predict(observation, action_masks=env.action_masks())
    assert info["action_mask"][action]


# ---------------------------------------------------------------- the game


def test_plays_the_game_of_the_seed_for_the_learner():
    env = DanmakuSingle(num_players=6, learner=3)
    observation, info = env.reset(seed=5)
    assert env.game.record["seed"] == 5
    assert env.seat == info["seat"] == env.game.asking == 3
    assert np.array_equal(observation["observation"], env.game.observe(3))
    assert np.array_equal(observation["action_mask"], env.game.action_mask())
    assert info["action_mask"] is observation["action_mask"]
    assert env.action_masks().dtype == np.bool_
    assert env.observation_space.contains(observation)
    assert env.config == GameConfig(num_players=6)


@pytest.mark.parametrize("learner", [0, "any", "heroine"])
def test_seed_gives_the_same_games_whatever_the_global_generators_are(learner):
    seen = []
    for world in (1, 2):
        random.seed(world)
        np.random.seed(world)  # noqa: NPY002
        env = DanmakuSingle(num_players=5, learner=learner, max_turns=6)
        rng, steps = random.Random(4), []
        steps.append(env.reset(seed=8))
        for _ in range(10):
            step = env.step(legal(env, rng))
            steps.append(step)
            if step[2] or step[3]:
                steps.append(env.reset())
        seen.append(steps)
    assert data_equivalence(seen[0], seen[1], exact=True)


def test_payoff_of_another_seats_move_reaches_the_learner():
    """The learner passes its turn; then seat 0 shoots the Heroine, long after the learner's answer."""
    for seat, reward in ((2, 1.0), (3, -1.0)):
        env = DanmakuSingle(num_players=4, learner=seat, policy=shooter)
        env.reset(options={"game": shootout(turn=seat)})
        total, over = 0.0, False
        for _ in range(30):
            _, paid, terminated, truncated, info = env.step(shooter({"action_mask": env.unwrapped.action_masks()}))
            total += paid
            if over := terminated:
                break
        assert over
        assert not truncated
        assert total == reward
        assert env.game.rewards()[seat] == reward
        assert np.flatnonzero(info["action_mask"]).tolist() == [PASS]


def test_defeated_learner_is_paid_when_the_game_ends():
    """Random games until the learner is defeated before the end: its last step lasts to the end, and pays."""
    env = DanmakuSingle(num_players=4, learner="heroine", characters="none")
    rng, defeated = random.Random(1), 0
    env.reset(seed=1)
    for _ in range(6):
        reward, terminated, truncated, _ = episode(env, rng)
        assert env.game.over
        assert terminated != truncated
        assert reward == env.game.rewards()[env.seat]
        defeated += env.game.seat(env.seat).defeated
        env.reset()
    assert defeated


def test_cut_off_game_truncates():
    env = DanmakuSingle(num_players=4, max_turns=1, characters="random", learner="heroine")
    env.reset(seed=2)
    reward, terminated, truncated, _ = episode(env, random.Random(0))
    assert (reward, terminated, truncated) == (0.0, False, True)


@pytest.mark.parametrize("faction", DANMAKU_SPEC.factions)
def test_learner_of_a_faction_is_found_after_the_deal(faction):
    env = DanmakuSingle(num_players=8, learner=faction)
    seats = set()
    for seed in range(6):
        env.reset(seed=seed)
        names = {"extra_boss": ("ex_boss", "phantom_boss", "ex_midboss"), "partner": ("partner", "ex_midboss", "one_true_partner"),
                 "stage_boss": ("stage_boss", "final_boss", "challenger", "anti_heroine")}.get(faction, (faction,))  # fmt: skip
        assert env.game.seat(env.seat).role in names
        seats.add(env.seat)
    assert len(seats) > 1


def test_learners_rotate():
    env = DanmakuSingle(num_players=6, learner=["heroine", "stage_boss", 4])
    env.reset(seed=1)
    assert env.game.seat(env.seat).role == "heroine"
    env.reset()
    assert env.game.seat(env.seat).role not in ("heroine", "partner")
    env.reset()
    assert env.seat == 4
    env.reset(seed=1)  # a seed begins the list anew
    assert env.game.seat(env.seat).role == "heroine"


def test_policy_is_asked_for_every_other_seat_with_its_own_observation():
    calls = []

    def policy(observation: dict[str, Any]) -> int:
        calls.append(observation)
        return int(np.argmax(observation["action_mask"]))

    env = DanmakuSingle(num_players=5, learner=0, policy=policy, max_turns=3)
    env.reset(seed=1)
    episode(env, random.Random(0))
    assert len(calls) > 5
    assert all(env.observation_space.contains(observation) for observation in calls)
    assert all(observation["action_mask"].any() for observation in calls)


def test_illegal_answer_of_the_policy_is_an_error():
    env = DanmakuSingle(num_players=4, learner=3, policy=lambda observation: int(np.argmin(observation["action_mask"])))
    with pytest.raises(IllegalAction, match=r"the policy's answer: .* is not legal: seat 0 is asked"):
        env.reset(seed=1)
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        env.step(0)


@pytest.mark.parametrize("call", [lambda env: env.reset(), lambda env: env.step(legal(env, random.Random(0)))], ids=["reset", "step"])
def test_game_that_a_policy_has_left_half_way_cannot_be_continued(call):
    env = DanmakuSingle(num_players=4, learner=3, policy=lambda observation: int(np.argmax(observation["action_mask"])))
    env.reset(seed=1)

    def interrupted(observation):
        raise KeyboardInterrupt

    env.policy = interrupted
    with pytest.raises(KeyboardInterrupt):
        call(env)
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        env.step(legal(env, random.Random(0)))


@pytest.mark.parametrize("wrong", [[], [0, 0], 0, "pass"])
def test_an_opponent_gives_one_answer_for_one_game(wrong):
    class Wrong:
        def reset(self, seed):
            pass

        def answer(self, games, seats, observations, masks):
            return wrong

    with pytest.raises(IllegalAction, match="opponent 0's answer"):
        DanmakuSingle(num_players=4, learner=3, opponents=Wrong()).reset(seed=1)


def test_game_that_ends_before_the_learner_is_asked_is_played_again():
    env = DanmakuSingle(num_players=4, learner=0, characters="none", max_turns=1)
    again = 0
    for seed in range(8):
        env.reset(seed=seed)
        assert env.game.asking == 0
        again += int(env.game.record["seed"]) != seed
    assert again
    env = DanmakuSingle(num_players=4, learner=1, policy=shooter)
    with pytest.raises(RuntimeError, match="100 games from this position ended before the learner was asked anything"):
        env.reset(seed=1, options={"game": shootout(turn=0)})


def test_an_unseeded_game_can_be_played_again():
    """Gymnasium keeps its seed, of 128 bits."""
    env = DanmakuSingle(num_players=4, learner="any")
    first, info = env.reset()
    other, _ = env.reset()
    again, same = env.reset(seed=env.np_random_seed)
    assert data_equivalence((first, info), (again, same), exact=True)
    assert not np.array_equal(first["observation"], other["observation"])
    env.np_random = np.random.default_rng(1)
    assert env.np_random_seed == -1
    env.reset()


def test_the_info_says_who_sits_where():
    env = gymnasium.make("danmaku/Danmaku-v0", num_players=5, learner=2, opponents=["heuristic", None])
    seen = set()
    for seed in range(8):
        _, info = env.reset(seed=seed)
        assert info["opponents"].shape == (5,)
        assert np.flatnonzero(info["opponents"] == -1).tolist() == [2]
        seen |= set(info["opponents"].tolist())
    assert seen == {-1, 0, 1}
    assert env.unwrapped.opponent_names == ("heuristic", "random")
    assert DanmakuSingle(policy=shooter).opponent_names == ("policy",)


# ---------------------------------------------------------------- copies, illegal moves and bad input


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_keep_the_running_game(copied):
    env = DanmakuSingle(num_players=6, learner="any", max_turns=10)
    env.reset(seed=7)
    for _ in range(3):
        env.step(legal(env, random.Random(1)))
    clone = copied(env)
    assert clone.game == env.game
    rng, mirrored = random.Random(2), random.Random(2)
    for _ in range(30):
        ours, theirs = env.step(legal(env, rng)), clone.step(legal(clone, mirrored))
        assert data_equivalence(ours, theirs, exact=True)
        if ours[2] or ours[3]:
            assert data_equivalence(env.reset(), clone.reset(), exact=True)


@pytest.mark.parametrize("form", [lambda action: [action], lambda action: np.array([action]), lambda action: None])
def test_what_is_no_number_is_an_error_and_no_lost_game(form):
    """A wrong form of a legal answer is a mistake of the caller: nothing happens, and the game goes on."""
    env = DanmakuSingle(num_players=4)
    env.reset(seed=1)
    action = int(np.flatnonzero(env.action_masks())[0])
    with pytest.raises(IllegalAction):
        env.step(form(action))
    assert env.step(np.array(action))[1] == 0.0


def test_illegal_action_loses():
    env = DanmakuSingle(num_players=4)
    env.reset(seed=1)
    with pytest.warns(UserWarning, match=r'an illegal answer has lost the game: .* is not legal: seat 0 is asked .* info\["action_mask"\]'):
        observation, reward, terminated, truncated, info = env.step(PASS)
    assert (reward, terminated, truncated, info["illegal"]) == (-1.0, True, False, True)
    assert np.flatnonzero(observation["action_mask"]).tolist() == [PASS]  # a distribution can be made of it
    assert np.flatnonzero(env.action_masks()).tolist() == [PASS]
    with pytest.raises(RuntimeError, match=r"the game is over, not begun or left half way; call reset\(\)"):
        env.step(PASS)
    env.reset()
    assert env.action_masks().sum() > 1
    assert env.step(PASS)[1] == -1  # of the second nothing is said


@pytest.mark.parametrize("action", [0.5, "pass", None, True])
def test_what_is_no_number_of_an_action_is_an_error_and_no_lost_game(action):
    env = DanmakuSingle(num_players=4)
    env.reset(seed=1)
    before = env.game
    with pytest.raises(IllegalAction):
        env.step(action)
    assert env.game == before


def test_a_mistyped_option_of_reset_deals_no_game():
    with pytest.raises(ValueError, match=r"the option of reset\(\) is game, not 'gmae'"):
        DanmakuSingle(num_players=4).reset(seed=1, options={"gmae": shootout(turn=0)})


@pytest.mark.parametrize("action", [PASS, -1, NUM_ACTIONS, 0.5, "pass", None, True])
def test_illegal_action_can_raise_and_changes_nothing(action):
    env = DanmakuSingle(num_players=4, illegal="raise")
    env.reset(seed=1)
    before = env.game
    with pytest.raises(IllegalAction):
        env.step(action)
    assert env.game == before
    env.step(legal(env, random.Random(0)))


def test_a_tensor_is_an_action_where_it_holds_one_whole_number():
    torch = pytest.importorskip("torch")
    assert whole_action(torch.tensor(2), 3) == whole_action(torch.tensor([2]), 3) == 2
    for tensor in (torch.tensor(True), torch.tensor(1.0, requires_grad=True), torch.tensor([1, 2])):
        with pytest.raises(IllegalAction, match="an action is one whole number from 0 to 2, not tensor"):
            whole_action(tensor, 3)
    env = DanmakuSingle(num_players=4)
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="an illegal answer has lost the game"):
        assert env.step(torch.tensor([PASS]))[1:3] == (-1.0, True)


def test_what_is_written_into_a_mask_changes_nothing():
    env, clone = DanmakuSingle(num_players=4), DanmakuSingle(num_players=4)
    for found in (env.reset(seed=1), env.step(int(clone.reset(seed=1)[1]["action_mask"].argmax()))):
        found[-1]["action_mask"][:] = 0
        assert env.action_masks().any()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_players": 9}, "num_players must be a whole number from 4 to 8"),
        ({"players": 4}, "unknown option 'players'"),
        ({"learner": 6}, r"learner must be a seat from 0 to 5, .any. or a faction \(heroine, partner"),
        ({"learner": "boss"}, "learner must be a seat from 0 to 5"),
        ({"learner": []}, "learner is an empty list"),
        ({"learner": "rival"}, "nobody is dealt that role with 6 players"),
        ({"learner": "partner", "num_players": 4}, "nobody is dealt that role with 4 players"),
        ({"policy": "random"}, "policy must be a function"),
        ({"illegal": "ignore"}, 'illegal must be "loss" or "raise"'),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ConfigError, match=message):
        DanmakuSingle(**options)


def test_bad_render_mode_is_refused():
    with pytest.raises(ValueError, match="render_mode must be None or one of human, ansi, rgb_array"):
        DanmakuSingle(render_mode="film")


def test_bad_seeds_and_positions_change_nothing():
    env = DanmakuSingle(num_players=5)
    env.reset(seed=1)
    before = env.game
    for bad in ({"seed": -1}, {"seed": 0.5}, {"options": {"game": shootout(turn=0)}}, {"options": {"game": 3}}):
        with pytest.raises(ValueError, match=r"a seed is a whole number|does not fit|is a Game, not 3"):
            env.reset(**bad)
        assert env.game == before
    env.step(legal(env, random.Random(0)))


@pytest.mark.parametrize(
    ("learner", "position", "message"),
    [
        (2, lambda: shootout(turn=0, defeated=True), "seat 2, the learner's, is defeated"),
        ("rival", without_rival, "nobody is a rival"),
    ],
)
def test_positions_in_which_nobody_can_learn_change_nothing(learner, position, message):
    game = position()
    env = DanmakuSingle(num_players=game.config.num_players, learner=learner)
    env.reset(seed=5)
    before, rng = env.game, env.np_random.bit_generator.state
    with pytest.raises(ValueError, match=message):
        env.reset(seed=6, options={"game": game})
    assert env.game == before
    assert env.np_random.bit_generator.state == rng
    env.step(legal(env, random.Random(0)))


def test_calls_before_reset_are_refused():
    env = DanmakuSingle(render_mode="ansi")
    for call in (lambda: env.step(0), lambda: env.game, env.render):
        with pytest.raises(RuntimeError, match=r"call reset\(\)"):
            call()


def test_render_without_mode_warns():
    env = DanmakuSingle(num_players=4)
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="made without a render_mode"):
        assert env.render() is None
