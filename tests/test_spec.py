"""A game is one object: what a spec refuses, how it is found, and that a second game has every face from the same code."""

import copy
import dataclasses
import pickle

import numpy as np
import pytest

from danmaku_env import Game, GameConfig, Replay, ReplayError, decode, make_vec
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.envs.aec import GameAEC, UsualChecks
from danmaku_env.envs.gymnasium_vector import GameVector
from danmaku_env.envs.single import GameSingle
from danmaku_env.fields import SINGLE, Axis, Field
from danmaku_env.game import AnyGame
from danmaku_env.nets.input_spec import InputSpec, base_game, layout_of, state_layout_of
from danmaku_env.spec import register_spec, spec_named, spec_of
from tests.nim import NIM, NimConfig

register_spec(NIM)


class Nim(AnyGame, spec=NIM):
    """A game of it."""


# ---------------------------------------------------------------- what a spec refuses


@pytest.mark.parametrize(
    ("field", "words"),
    [
        (Field("turn_number", (1,), "count", 250, ""), "the field 'turn_number' has 1 places without names"),
        (Field("moon", (Axis("phase", ("full", "full")),), "flag", 1, ""), "gives two places of its axis 'phase' the same name"),
        (Field("moon", (Axis("phase", ("full/new",)),), "flag", 1, ""), "calls a place 'full/new'"),
        (Field("life", (SINGLE,), "count", 5, ""), "needs a name of its own"),
        (Field("moon", (SINGLE,), "id", 5, ""), "must say what its ids name"),
        (Field("moon", (SINGLE,), "id", 5, "", ids=("moon",)), "must say what its ids name, one of character, incident, kind"),
    ],
)
def test_a_piece_that_no_reader_could_name_is_refused(field, words):
    with pytest.raises(ValueError, match=f"Danmaku!! cannot be observed: .*{words}"):
        dataclasses.replace(DANMAKU_SPEC, fields=(*DANMAKU_SPEC.fields, field))


def test_the_full_state_begins_with_an_observation():
    with pytest.raises(ValueError, match="must begin with an observation of"):
        dataclasses.replace(DANMAKU_SPEC, fields=(*DANMAKU_SPEC.fields, Field("moon", (SINGLE,), "flag", 1, "")))


def test_a_game_has_a_name_and_a_configuration_of_its_own():
    with pytest.raises(ValueError, match="Nim has the name or the configuration of Danmaku"):
        register_spec(dataclasses.replace(NIM, config=GameConfig))
    assert register_spec(NIM) is NIM


def test_a_game_is_found_by_its_configuration_and_by_name():
    assert (spec_of(GameConfig()), spec_of(NimConfig())) == (DANMAKU_SPEC, NIM)
    assert (spec_named("danmaku"), spec_named("nim")) == (DANMAKU_SPEC, NIM)
    with pytest.raises(ValueError, match="there is no game 'danmak'; do you mean 'danmaku'"):
        spec_named("danmak")
    with pytest.raises(TypeError, match=r"a configuration is a GameConfig or .*NimConfig.*, not int"):
        spec_of(4)


# ---------------------------------------------------------------- names


def test_every_byte_of_an_observation_and_of_the_full_state_has_a_name():
    assert sorted(layout_of(DANMAKU_SPEC).columns.values()) == list(range(DANMAKU_SPEC.row_size))
    assert sorted(state_layout_of(DANMAKU_SPEC).columns.values()) == list(range(DANMAKU_SPEC.state_size))


def test_names_that_files_of_before_have_are_understood():
    read = base_game().to_dict()
    read["table"] = [name.replace("deck_size/incident", "deck_size/incidents") for name in read["table"]]
    read["pairs"] = [name.replace("before the first defeat", "before").replace("after it", "after") for name in read["pairs"]]
    assert "attacks/before/*/*" in read["pairs"]
    assert InputSpec.from_dict(read) == base_game()


# ---------------------------------------------------------------- a second game


class NimAEC(GameAEC):
    """The PettingZoo environment."""

    game_spec = NIM


class NimSingle(GameSingle):
    """The Gymnasium environment."""

    game_spec = NIM


class NimVector(GameVector):
    """Many of them."""

    game_spec = NIM


def test_a_second_game_is_played_copied_and_saved():
    game = Nim.new(seed=1)
    assert (game.asking, game.legal(), repr(game)) == (
        1,
        ["take 1", "take 2", "take 3"],
        "<Game: 2 players, seed 1, 7 sticks; seat 1 is asked 'take'>",
    )
    for answer in ("take 3", "take 3"):
        game.act(answer)
    assert (game.legal(), decode(game.observe(0), words=True, spec=NIM)) == (["take 1"], {"sticks": 1, "first": 1, "last": "take 3"})
    with pytest.raises(ValueError, match="'take 2' is not legal: seat 1 is asked 'take' and may answer take 1"):
        game.act("take 2")
    game.act(0)
    assert (game.winners, game.rewards(), list(game.log)[-1]) == ([1], [-1.0, 1.0], "seat 1 takes 1")
    assert copy.deepcopy(game) == pickle.loads(pickle.dumps(game)) == Replay.from_json(game.replay().to_json()).play() == game
    with pytest.raises(ReplayError, match=r"the saved game is one of Nim, not of Danmaku!!"):
        Game.from_bytes(game.to_bytes())
    with pytest.raises(ReplayError, match=r"the saved game is one of Danmaku!!, not of Nim"):
        Nim.from_bytes(Game.new(4, seed=1).to_bytes())


def test_a_batch_of_a_second_game():
    vec = make_vec(5, NimConfig())
    vec.reset(3)
    ended = 0
    for _ in range(20):
        vec.step(vec.sample())
        ended += int(vec.dones.sum())
        assert not vec.rewards[vec.dones].sum()
    assert ended >= 10
    kept = vec.clone()
    vec.step(vec.sample())
    vec.restore(kept)
    assert np.array_equal(vec.games, kept)
    assert isinstance(vec.game(2), Nim)
    spoiled = kept.copy()
    spoiled["sticks"] = 9
    with pytest.raises(ValueError, match=r"no such game is possible .record 0.: 9 sticks"):
        vec.restore(spoiled)
    with pytest.raises(ValueError, match=r"restore.. takes games"):
        make_vec(5, 4).restore(kept)


def test_a_second_game_as_an_environment_of_pettingzoo():
    env = UsualChecks(NimAEC())
    env.reset(seed=4)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, info = env.last()
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(info["action_mask"]))
    assert observation["observation"].shape == (6,)
    assert sorted(env.unwrapped.rewards.values()) in ([], [-1.0, 1.0])


@pytest.mark.parametrize("learner", [0, "any"])
def test_a_second_game_as_environments_of_gymnasium(learner):
    env, envs = NimSingle(learner=learner), NimVector(1, learner=learner)
    one, info = env.reset(seed=7)
    many, infos = envs.reset(seed=7)
    for _ in range(12):
        assert np.array_equal(one["observation"], many["observation"][0])
        assert np.array_equal(info["action_mask"], infos["action_mask"][0])
        action = int(np.flatnonzero(info["action_mask"])[-1])
        one, reward, over, _, info = env.step(action)
        many, rewards, ended, _, infos = envs.step(np.array([action]))
        assert (reward, over) == (rewards[0], ended[0])
        if over:
            one, info = env.reset()
