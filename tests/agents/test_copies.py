"""A copy of an agent, by copy or pickle, answers as the original does."""

import copy
import pickle

import numpy as np
import pytest

from danmaku_env import Game
from danmaku_env.agents.base import answer
from danmaku_env.agents.registry import make
from danmaku_env.info_states import InfoStates
from danmaku_env.jit.kernels import JIT

AGENTS = ("random", "heuristic", "deducer", "deducer:belief=inverse_planning", "search:simulations=6", "neural", "population:1")


@pytest.mark.skipif(not JIT, reason="searches: too slow for plain Python")
@pytest.mark.parametrize("spec", AGENTS)
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda agent: pickle.loads(pickle.dumps(agent))], ids=["deepcopy", "pickle"])
def test_a_copy_answers_as_the_original(spec, copied):
    game, agent = Game.new(6, seed=3), make(spec, 1)
    for _ in range(30):
        game.act(answer(agent, game))
    again = copied(agent)
    for _ in range(50):
        given = answer(agent, game)
        assert answer(again, game) == given
        game.act(given)


@pytest.mark.skipif(not JIT, reason="searches: too slow for plain Python")
def test_a_copy_of_a_search_finds_the_same_advantages():
    game, agent = Game.new(6, seed=3), make("search:simulations=20,questions=all", 1)
    for _ in range(40):
        game.act(answer(agent, game))
    again, found = copy.deepcopy(agent), []
    for _ in range(10):
        asked = game.observe(game.asking)[np.newaxis], game.action_mask()[np.newaxis], InfoStates(game.records, [game.asking], game.config)
        one, other = (each.evaluate_actions(*asked) for each in (agent, again))
        assert np.array_equal(one.advantages, other.advantages, equal_nan=True)
        found.append(float(np.nan_to_num(np.abs(one.advantages)).max()))
        game.act(int(one.answers[0]))
    assert max(found) > 0
