"""Agents that say how likely each of their answers is: what they say is what they do."""

import numpy as np
import pytest
from scipy.stats import chisquare

from danmaku_env import Game, GameConfig
from danmaku_env.agents.base import Policy
from danmaku_env.agents.heuristic import heuristic_policy
from danmaku_env.agents.registry import make
from danmaku_env.engine import actions
from danmaku_env.heuristics.kernels import policy
from danmaku_env.info_states import InfoStates
from danmaku_env.jit.kernels import JIT
from tests.random_play import play_randomly
from tests.table import scene

KNOWN = ("random", "heuristic", "deducer", "heuristic:style=fitted")
DRAWS = 1500 if JIT else 60
SIGNIFICANT = 1e-5


def positions(count, config):
    """(observations, masks, information states) of the questions of as many games, each some way in, with several legal answers."""
    games = []
    for seed in range(10 * count):
        game = Game.new(config, seed)
        for _ in play_randomly(game, seed, limit=5 + 7 * (seed % 20)):
            pass
        if not game.over and game.action_mask().sum() > 2:
            games.append(game)
        if len(games) == count:
            break
    return asked(games, config)


def asked(games, config):
    seats = np.array([game.asking for game in games])
    observations = np.stack([game.observe(seat) for game, seat in zip(games, seats, strict=True)])
    records = np.concatenate([game.records for game in games])
    return observations, np.stack([game.action_mask() for game in games]), InfoStates(records, seats, config)


@pytest.fixture(scope="module")
def some():
    return positions(12 if JIT else 3, GameConfig(num_players=6, characters="random"))


@pytest.mark.parametrize("spec", KNOWN)
def test_they_sum_to_one_over_the_legal_answers(spec, some):
    _, masks, _ = some
    agent = make(spec, 0)
    assert isinstance(agent, Policy)
    chances = agent.probabilities(*some)
    assert chances.shape == masks.shape
    assert (chances[masks == 0] == 0).all()
    assert (chances >= 0).all()
    assert chances.sum(1) == pytest.approx(np.ones(len(masks)))


@pytest.mark.parametrize("spec", KNOWN)
def test_they_are_how_often_the_answers_are_given(spec, some):
    observations, masks, info_states = some
    agent = make(spec, 0)
    stated = agent.probabilities(*some)
    for row in range(len(masks)):
        place = np.full(DRAWS, row)
        again = InfoStates(np.concatenate([info_states._games[row : row + 1]] * DRAWS), info_states.seats[place], info_states.config)
        drawn = np.bincount(agent.act(observations[place], masks[place], again), minlength=masks.shape[1])
        can = stated[row] > 0
        assert drawn[~can].sum() == 0
        if can.sum() > 1:
            expected = stated[row, can] / stated[row, can].sum() * DRAWS
            assert chisquare(drawn[can], expected).pvalue > SIGNIFICANT


def test_asking_leaves_the_generator_alone(some):
    for spec in KNOWN:
        agent, other = make(spec, 3), make(spec, 3)
        agent.probabilities(*some)
        assert (agent.act(*some) == other.act(*some)).all()


@pytest.mark.skipif(not JIT, reason="too many words without the compiler")
def test_every_noise_word_is_counted_once():
    """The target of a shot among equals: as often as the words say, word for word."""
    game = scene(6).seat(0, role="stage_boss", hand="shoot").build()
    game.act("play shoot")
    play = heuristic_policy("hand", "none")
    observations, masks, _ = asked([game], game.config)
    every, preferences = np.arange(policy.NOISE_WORDS), np.zeros((policy.NOISE_WORDS, 8))
    chosen = play.choose(np.repeat(observations, len(every), 0), np.repeat(masks, len(every), 0), preferences, every)
    counted = np.bincount(chosen, minlength=actions.NUM_ACTIONS) / len(every)
    assert (play.probabilities(observations, masks, preferences[:1])[0] == counted).all()
    assert (counted > 0).sum() >= 2


def test_a_search_does_not_say():
    """Its answers depend on worlds that it deals."""
    assert not isinstance(make("search:simulations=8", 0), Policy)
