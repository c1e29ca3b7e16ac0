"""Copies of environments and games: what is played in one changes nothing in the other."""

import copy

import gymnasium
import pytest

from danmaku_env import Game, danmaku_v0, make_vec
from tests.random_play import play_randomly


def turn_based(make):
    env = make(num_players=4)
    env.reset(seed=1)
    return env, lambda one: one.step(int(one.last()[0]["action_mask"].argmax())), lambda one: one.state().tobytes()


def single():
    env = gymnasium.make("danmaku_env:danmaku/Danmaku-v0", num_players=4, learner=0).unwrapped
    env.reset(seed=1)
    return env, lambda one: one.step(int(one.action_masks().argmax())), lambda one: one.game.to_bytes()


def vector():
    env = gymnasium.make_vec("danmaku_env:danmaku/Danmaku-v0", num_envs=3, num_players=4).unwrapped
    env.reset(seed=1)
    return env, lambda one: one.step(one.sample()), lambda one: one.game(0).to_bytes()


def batch():
    vec = make_vec(3, 4)
    vec.reset(1)
    return vec, lambda one: one.step(one.sample()), lambda one: one.game(0).to_bytes()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
@pytest.mark.parametrize("made", [lambda: turn_based(danmaku_v0.raw_env), lambda: turn_based(danmaku_v0.env), single, vector, batch])
def test_a_copy_plays_on_by_itself(made, copied):
    env, step, position = made()
    other, before = copied(env), position(env)
    assert position(other) == before
    step(other)
    assert (position(env), position(other) == before) == (before, False)
    step(env)
    assert position(env) == position(other)


def test_a_copied_game_keeps_its_whole_log():
    *_, game = play_randomly(Game.new(6, seed=3), 1)
    lines = list(game.log)
    assert list(copy.copy(game).log) == list(copy.deepcopy(game).log) == lines
    assert len(lines) > len(list(Game.from_bytes(game.to_bytes()).log)), "a long game: its record no longer holds all"
