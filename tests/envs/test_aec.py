"""The PettingZoo environment: PettingZoo's own tests, and what its peers get wrong."""

import copy
import pickle
import random
import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test.save_obs_test import test_save_obs as save_obs_test
from pettingzoo.test.state_test import test_state_space as state_space_test
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

from danmaku_env import ConfigError, Game, GameConfig, IllegalAction, Scenario, danmaku_v0, make_vec
from danmaku_env.engine.actions import NUM_ACTIONS, PASS

COUNTS = range(4, 9)


@pytest.fixture(autouse=True)
def _quiet():
    """PettingZoo's warnings go through a logger and a queue; keep both empty."""
    EnvLogger.suppress_output()
    yield
    EnvLogger.flush()
    EnvLogger.unsuppress_output()


def answer(env: Any, rng: random.Random) -> int | None:
    """A random legal action of the selected seat, None when the game is over."""
    observation, _, terminated, truncated, _ = env.last()
    if terminated or truncated:
        return None
    return int(rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))


def play(env: Any, steps: int, seed: int = 0) -> list[int | None]:
    """Random legal steps, fewer when the game ends; what was answered."""
    rng, answers = random.Random(seed), []
    for _ in range(steps):
        if not env.agents:
            break
        answers.append(answer(env, rng))
        env.step(answers[-1])
    return answers


def play_out(env: Any, seed: int = 0) -> None:
    """Random legal steps until nobody is asked any more."""
    rng = random.Random(seed)
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        env.step(answer(env, rng))


def shootout(*, turn: int = 0) -> Game:
    """Seat 0 can shoot the Heroine, seat 1, who has one life and no hand; seat 2 is a defeated Stage Boss."""
    scene = Scenario(num_players=4).turn(turn)
    scene.seat(0, role="stage_boss", hand=["shoot/spring"]).seat(1, role="heroine", life=1)
    return scene.seat(2, role="stage_boss", defeated=True).seat(3, role="ex_boss").build(seed=1)


def shoot(env: Any) -> None:
    """Seat 0 shoots the Heroine; the Extra Boss, who could reveal, passes, and so makes the last move."""
    for words in ("play shoot", "choose seat:1"):
        game = env.unwrapped.game
        env.step(game.legal_actions()[game.legal().index(words)])
    while not any(env.terminations.values()):
        assert env.agent_selection == "seat_3"
        env.step(PASS)


# ---------------------------------------------------------------- PettingZoo's own tests


@pytest.mark.parametrize("players", COUNTS)
@pytest.mark.parametrize("make", [danmaku_v0.raw_env, danmaku_v0.env])
def test_pettingzoo_api(make, players, capsys):
    with warnings.catch_warnings():
        # it knows dictionaries of observation and mask from its own environments only, and finds a finished game's empty mask odd
        warnings.filterwarnings("ignore", "Observation is not a NumPy array|Observation space for each agent probably|Action mask numpy")
        api_test(make(num_players=players), num_cycles=30)
    assert "Passed API test" in capsys.readouterr().out


def test_pettingzoo_api_over_whole_games(capsys):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Observation is not a NumPy array|Observation space for each agent probably|Action mask numpy")
        api_test(danmaku_v0.env(num_players=4, max_turns=5), num_cycles=1000)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("players", COUNTS)
def test_pettingzoo_seed(players):
    seed_test(lambda: danmaku_v0.env(num_players=players), num_cycles=25)


@pytest.mark.parametrize("players", COUNTS)
def test_pettingzoo_render(players, capsys):
    render_test(lambda render_mode: danmaku_v0.env(num_players=players, render_mode=render_mode))
    assert "Danmaku!!" in capsys.readouterr().out


def test_pettingzoo_save_observation(capsys):
    save_obs_test(danmaku_v0.env(num_players=4))
    assert "Observations must be Box to save observations as image" in capsys.readouterr().out  # a card table is no image


@pytest.mark.parametrize("players", COUNTS)
def test_game_cut_off_by_max_turns_truncates_every_seat_without_reward(players):
    """What PettingZoo's max_cycles_test asks, whose own form is for parallel environments only."""
    env = danmaku_v0.env(num_players=players, max_turns=3, characters="none")
    env.reset(seed=5)
    play_out(env)
    assert env.agents == env.possible_agents
    assert set(env.truncations.values()) == {True}
    assert set(env.terminations.values()) == {False}
    assert set(env.rewards.values()) == {0.0}
    assert env.unwrapped.game.turn_number <= 4
    seen = [agent for agent in env.agent_iter() if env.step(None) is None]
    assert seen == env.possible_agents
    assert env.agents == []


def test_state_is_the_full_state_and_in_its_space():
    env = danmaku_v0.env(num_players=5)
    env.reset(seed=1)
    state_space_test(env)
    for _ in range(20):
        state = env.state()
        assert env.state_space.contains(state)
        assert np.array_equal(state, env.unwrapped.game.state())
        asked = env.agent_selection
        play(env, 1)
        assert env.agent_selection == asked or not np.array_equal(state, env.state())


# ---------------------------------------------------------------- the game itself


@pytest.mark.parametrize("players", COUNTS)
def test_plays_the_very_game_of_the_seed(players):
    env = danmaku_v0.raw_env(num_players=players)
    env.reset(seed=11)
    game = Game.new(GameConfig(num_players=players), 11)
    rng = random.Random(1)
    for _ in range(60):
        assert env.agent_selection == f"seat_{game.asking}"
        observation, _, _, _, info = env.last()
        assert np.array_equal(observation["observation"], game.observe(game.asking))
        assert np.array_equal(info["action_mask"], game.action_mask())
        action = answer(env, rng)
        env.step(action)
        game.act(action)
    assert env.game == game


def test_options_are_those_of_the_configuration():
    env = danmaku_v0.env(num_players=4, characters="none", max_turns=7, ask_forced=True)
    assert env.unwrapped.config == GameConfig(num_players=4, characters="none", max_turns=7, ask_forced=True)
    assert env.possible_agents == ["seat_0", "seat_1", "seat_2", "seat_3"]


def test_seed_gives_the_same_game_whatever_the_global_generators_are():
    states = []
    for world in (1, 2):
        random.seed(world)
        np.random.seed(world)  # noqa: NPY002
        env = danmaku_v0.env(num_players=6)
        env.reset(seed=3)
        states.append([env.state().tobytes() for _ in range(40) if play(env, 1, seed=8)])
    assert states[0] == states[1]
    other = danmaku_v0.env(num_players=6)
    other.reset(seed=4)
    assert other.state().tobytes() != states[0][0]


def test_resets_do_not_touch_the_global_generators():
    before = np.random.get_state()[1].tobytes(), random.getstate()  # noqa: NPY002
    env = danmaku_v0.env(num_players=4)
    env.reset()
    play(env, 10)
    assert (np.random.get_state()[1].tobytes(), random.getstate()) == before  # noqa: NPY002


def test_reset_without_seed_plays_the_games_that_follow_as_a_row_of_make_vec_does():
    env = danmaku_v0.raw_env(num_players=4, max_turns=1, characters="none")
    vec = make_vec(1, env.config)
    env.reset(seed=9)
    vec.reset(seed=9)
    for _ in range(3):
        while not vec.dones[0]:
            vec.step(vec.sample())
        env.reset()
        assert env.game.record["seed"] == vec.games[0]["seed"]
        assert np.array_equal(env.state(), vec.states()[0])
        vec.dones[0] = False


def test_two_new_environments_play_different_games():
    one, two = danmaku_v0.env(), danmaku_v0.env()
    one.reset()
    two.reset()
    assert not np.array_equal(one.state(), two.state())


def test_starts_from_a_position():
    env = danmaku_v0.env(num_players=4)
    game = shootout()
    env.reset(seed=5, options={"game": game})
    assert np.array_equal(env.state(), game.state())
    assert env.agent_selection == "seat_0"
    play(env, 3)
    assert game == shootout()  # it was copied
    env.reset()
    assert env.unwrapped.game.record["seed"] == 5


# ---------------------------------------------------------------- what peers get wrong


def test_payoff_of_another_seats_move_reaches_every_seat():
    """The shot of seat 0 ends the game when seat 3 lets it pass: both Stage Bosses win, one of them defeated; the others lose."""
    for env in (danmaku_v0.raw_env(num_players=4), danmaku_v0.env(num_players=4)):
        env.reset(options={"game": shootout()})
        shoot(env)
        expected = {"seat_0": 1.0, "seat_1": -1.0, "seat_2": 1.0, "seat_3": -1.0}
        assert env.rewards == expected
        assert env.terminations == dict.fromkeys(env.agents, True)
        paid = {}
        for agent in env.agent_iter():
            _, paid[agent], terminated, truncated, _ = env.last()
            assert (terminated, truncated) == (True, False)
            env.step(None)
        assert paid == expected
        assert env.rewards == env.infos == {}


def test_rewards_of_a_whole_game_are_those_of_the_game():
    env = danmaku_v0.env(num_players=5)
    env.reset(seed=2)
    play_out(env)
    assert list(env.rewards.values()) == env.unwrapped.game.rewards()
    for agent in env.agent_iter():
        seat = int(agent[-1])
        assert env.last()[1] == env.unwrapped.game.rewards()[seat]
        env.step(None)


def test_defeated_seats_are_never_selected_and_stay_in_agents():
    env = danmaku_v0.raw_env(num_players=8, max_turns=120)
    env.reset(seed=1)
    rng, defeated = random.Random(0), set()
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        defeated |= {f"seat_{seat.index}" for seat in env.game.seats if seat.defeated}
        assert env.agent_selection not in defeated
        assert env.agents == env.possible_agents
        env.step(answer(env, rng))
    assert defeated


def test_only_the_seat_that_is_asked_has_legal_actions():
    env = danmaku_v0.env(num_players=6)
    env.reset(seed=6)
    for _ in range(50):
        masks = {agent: env.observe(agent)["action_mask"] for agent in env.agents}
        assert [agent for agent, mask in masks.items() if mask.any()] == [env.agent_selection]
        play(env, 1)
    play_out(env)
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.agents)


def test_mask_in_info_is_the_mask_in_the_observation():
    env = danmaku_v0.env(num_players=6, max_turns=15)
    env.reset(seed=6)
    while env.agents:
        for agent in env.agents:
            assert np.array_equal(env.infos[agent]["action_mask"], env.observe(agent)["action_mask"])
        observation, _, _, _, info = env.last()
        assert info["action_mask"] is observation["action_mask"]
        assert info["action_mask"].dtype == np.int8
        play(env, 1)


@pytest.mark.parametrize("make", [danmaku_v0.raw_env, danmaku_v0.env])
def test_what_is_written_into_returned_arrays_changes_nothing(make):
    """A policy may mask in place: what is looked at later, by any seat and after any step, is as if it had not."""
    env, clone = make(num_players=4, max_turns=3, characters="none"), make(num_players=4, max_turns=3, characters="none")
    for one in (env, clone):
        one.reset(seed=3)
    while env.agents:
        for observation in [env.last()[0], env.last(observe=False)[4], *map(env.observe, env.agents)]:
            for array in observation.values():
                array[:] = 1
        for info in env.infos.values():
            info["action_mask"][:] = 1
        assert data_equivalence(env.last(), clone.last(), exact=True)
        for agent in env.agents:
            assert data_equivalence(env.observe(agent), clone.observe(agent), exact=True)
        play(env, 1)
        play(clone, 1)


@pytest.mark.parametrize("make", [danmaku_v0.raw_env, danmaku_v0.env])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_keep_the_running_game(make, copied):
    env = make(num_players=6)
    env.reset(seed=7)
    play(env, 40)
    for agent in env.agents:
        env.action_space(agent).seed(3)
    clone = copied(env)
    assert clone.unwrapped.game == env.unwrapped.game
    assert clone.agent_selection == env.agent_selection
    assert data_equivalence(clone.last(), env.last())
    before = env.state()
    play(clone, 15, seed=4)
    assert np.array_equal(env.state(), before)  # the copy shares nothing
    play(env, 15, seed=4)
    assert np.array_equal(env.state(), clone.state())
    assert env.action_space("seat_0").sample() == clone.action_space("seat_0").sample()
    clone.reset()
    env.reset()
    assert np.array_equal(env.state(), clone.state())


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_before_reset_and_after_the_end(copied):
    env = copied(danmaku_v0.env(num_players=4, max_turns=1, characters="none"))
    env.reset(seed=7)
    play_out(env)
    env.step(None)
    clone = copied(env)
    assert clone.agents == ["seat_1", "seat_2", "seat_3"]
    assert clone.truncations == dict.fromkeys(clone.agents, True)


def test_observation_changes_when_the_position_does_and_old_ones_stay():
    env = danmaku_v0.env(num_players=6)
    env.reset(seed=12)
    kept = []
    for _ in range(40):
        before = {agent: env.observe(agent)["observation"] for agent in env.agents}
        kept.append((env.last()[0], copy.deepcopy(env.last()[0])))
        play(env, 1)
        assert not np.array_equal(before[env.agent_selection], env.observe(env.agent_selection)["observation"])
    assert all(data_equivalence(returned, as_it_was, exact=True) for returned, as_it_was in kept)


# ---------------------------------------------------------------- illegal moves and bad input

BAD_ACTIONS = [-1, NUM_ACTIONS, 1 << 70, 1.0, "pass", True, None, np.array([1, 2]), np.float32(1), [1]]


@pytest.mark.parametrize("action", BAD_ACTIONS)
def test_raw_env_refuses_what_is_no_action_and_changes_nothing(action):
    env = danmaku_v0.raw_env(num_players=4)
    env.reset(seed=1)
    before, mask = env.game, env.infos[env.agent_selection]["action_mask"]
    with pytest.raises(IllegalAction, match=r"an action is (a|one) whole number from 0 to \d+, not"):
        env.step(action)
    assert env.game == before
    assert env.infos[env.agent_selection]["action_mask"] is mask


def test_raw_env_names_seat_question_and_legal_answers_of_an_illegal_action():
    env = danmaku_v0.raw_env(num_players=4)
    env.reset(seed=1)
    before = env.game
    with pytest.raises(IllegalAction, match=r"'pass' is not legal: seat \d is asked 'character' and may answer choose character"):
        env.step(PASS)
    assert env.game == before
    env.step(np.int16(env.game.legal_actions()[0]))  # any whole number will do, and the game goes on


@pytest.mark.parametrize("action", BAD_ACTIONS)
def test_env_asserts_what_is_no_action(action):
    env = danmaku_v0.env(num_players=4)
    env.reset(seed=1)
    before = env.unwrapped.game
    with pytest.raises(AssertionError, match="action is not in action space"):
        env.step(action)
    assert env.unwrapped.game == before


def test_illegal_action_loses_the_game_in_env():
    env = danmaku_v0.env(num_players=4)
    env.reset(seed=1)
    play(env, 6)
    offender = env.agent_selection
    env.step(int(np.argmin(env.last()[0]["action_mask"])))
    assert env.rewards == {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.agents)
    assert "Illegal move made" in EnvLogger.mqueue[-1]
    paid = {}
    for agent in env.agent_iter():
        paid[agent] = env.last()[1]
        with pytest.raises(ValueError, match="can only step None, not 0"):
            env.step(0)
        env.step(None)
    assert paid == {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}


@pytest.mark.parametrize("illegal_at", [None, 0, 17])
def test_env_behaves_as_the_usual_chain_of_wrappers(illegal_at):
    chain = wrappers.TerminateIllegalWrapper(danmaku_v0.raw_env(num_players=5, max_turns=12), illegal_reward=-1)
    chain = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(chain))
    ours = danmaku_v0.env(num_players=5, max_turns=12)
    assert isinstance(ours, wrappers.OrderEnforcingWrapper)
    for env in (chain, ours):
        env.reset(seed=2)
    rng, step = random.Random(3), 0
    while ours.agents:
        a, b = chain.last(), ours.last()
        illegal = step >= (illegal_at if illegal_at is not None else 1 << 30)
        if illegal and (b[2] or b[3]):
            # the chain goes on showing a mask after it has ended the game
            assert np.array_equal(a[0]["observation"], b[0]["observation"])
            assert not b[0]["action_mask"].any()
            assert a[1:4] == b[1:4]
        else:
            assert data_equivalence(a, b)
        assert chain.agent_selection == ours.agent_selection
        action = answer(ours, rng)
        if step == illegal_at:
            action = int(np.argmin(b[0]["action_mask"]))
        chain.step(action)
        ours.step(action)
        assert (chain.rewards, chain.terminations, chain.truncations) == (ours.rewards, ours.terminations, ours.truncations)
        step += 1
    assert not chain.agents


def test_calls_in_the_wrong_order_are_refused():
    raw, env = danmaku_v0.raw_env(), danmaku_v0.env()
    for call in (lambda: raw.step(0), raw.last, raw.forfeit, lambda: raw.observe("seat_0"), raw.state):
        with pytest.raises(RuntimeError, match=r"call reset\(\) before"):
            call()
    for call in (lambda: env.step(0), env.last, lambda: env.observe("seat_0"), env.state, env.render, env.agent_iter):
        with pytest.raises(AssertionError, match=r"reset\(\) needs to be called before"):
            call()
    with pytest.raises(AttributeError, match="agent_selection cannot be accessed before reset"):
        _ = env.agent_selection


def test_human_mode_prints_every_step(capsys):
    env = danmaku_v0.env(num_players=4, render_mode="human")
    env.reset(seed=1)
    begun = capsys.readouterr().out
    env.step(env.action_space(env.agent_selection).sample(env.last()[0]["action_mask"]))
    assert "from above" in begun
    assert capsys.readouterr().out not in ("", begun)


def test_only_a_game_under_way_is_forfeited():
    env = danmaku_v0.raw_env(num_players=4)
    env.reset(options={"game": shootout()})
    shoot(env)
    paid = env._cumulative_rewards.copy()
    with pytest.raises(RuntimeError, match=r"the game is over; call reset\(\) before forfeit"):
        env.forfeit()
    assert env._cumulative_rewards == paid


def test_steps_after_the_end_are_refused():
    env = danmaku_v0.raw_env(num_players=4)
    env.reset(options={"game": shootout()})
    shoot(env)
    with pytest.raises(IllegalAction, match="the game is over: seat_0 can only step None, not 0"):
        env.step(0)
    play(env, 4)
    assert env.agents == []
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.possible_agents)
    with pytest.raises(IllegalAction, match=r"call reset\(\)"):
        env.step(None)
    for call in (env.last, env.forfeit):
        with pytest.raises(RuntimeError, match=r"every seat has taken its last step; call reset\(\)"):
            call()
    wrapped = danmaku_v0.env(num_players=4)
    wrapped.reset(options={"game": shootout()})
    shoot(wrapped)
    play(wrapped, 4)
    wrapped.step(0)  # PettingZoo only warns
    assert "Should reset() first" in EnvLogger.mqueue[-1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_players": 3}, "num_players must be a whole number from 4 to 8, not 3"),
        ({"num_players": 9}, "num_players must be a whole number from 4 to 8, not 9"),
        ({"num_players": 4.0}, "num_players must be a whole number"),
        ({"max_cycles": 10}, "unknown option 'max_cycles'; the options are .*max_turns, .*render_mode"),
        ({"render_mode": "film"}, "render_mode must be None or one of human, ansi, rgb_array, not 'film'"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        danmaku_v0.env(**options)


@pytest.mark.parametrize("seed", [-1, 1.5, "7", True])
def test_bad_seed_is_refused_and_changes_nothing(seed):
    env = danmaku_v0.env()
    env.reset(seed=1)
    before = env.unwrapped.game
    with pytest.raises(ValueError, match="a seed is a whole number from 0"):
        env.reset(seed=seed)
    assert env.unwrapped.game == before


def test_a_first_reset_that_is_refused_has_reset_nothing():
    env = danmaku_v0.env()
    with pytest.raises(ValueError, match="a seed is a whole number from 0"):
        env.reset(seed=-1)
    for call in (lambda: env.step(0), env.last):
        with pytest.raises(AssertionError, match="reset"):
            call()
    env.reset(seed=1)
    assert env.agents


def test_bad_positions_are_refused_and_change_nothing():
    env = danmaku_v0.env(num_players=5)
    env.reset(seed=1)
    before = env.unwrapped.game
    over = danmaku_v0.raw_env(num_players=4)
    over.reset(options={"game": shootout()})
    shoot(over)
    four = danmaku_v0.env(num_players=4)
    for target, game, message in [
        (env, shootout(), "a game of 4 players does not fit an environment of 5"),
        (env, "a game", "a position to start from is a Game, not 'a game'"),
        (four, over.game, r"the game to start from is over \(won\)"),
    ]:
        with pytest.raises(ValueError, match=message):
            target.reset(options={"game": game})
    assert env.unwrapped.game == before


def test_unknown_agent_is_named():
    env = danmaku_v0.raw_env(num_players=4)
    env.reset(seed=1)
    with pytest.raises(KeyError, match="'seat_4' is no agent; the agents are seat_0"):
        env.observe("seat_4")


def test_pictures_make_a_video():
    env = danmaku_v0.env(num_players=4, render_mode="rgb_array")
    assert env.metadata["render_modes"] == ["human", "ansi", "rgb_array"]
    env.reset(seed=1)
    frames = [env.render()]
    for _ in range(8):
        env.step(int(np.flatnonzero(env.last()[4]["action_mask"])[0]))
        frames.append(env.render())
    assert {(frame.shape, frame.dtype) for frame in frames} == {(frames[0].shape, np.dtype(np.uint8))}
    assert (frames[0] != frames[-1]).any()


def test_render_without_mode_warns():
    env = danmaku_v0.env(num_players=4)
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="made without a render_mode"):
        assert env.render() is None


def test_configuration_errors_are_value_errors():
    with pytest.raises(ConfigError):
        danmaku_v0.raw_env(num_players=2)
