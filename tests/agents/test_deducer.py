"""The deducer: who it takes for what, at tables a player would recognise, and that its belief is the exact posterior."""

import json

import numpy as np
import pytest

from danmaku_env import Game, GameConfig
from danmaku_env.agents.base import BeliefModel, answer
from danmaku_env.agents.deducer import DeducerAgent
from danmaku_env.beliefs.action_likelihood import FITTED, ActionLikelihoodBelief, class_priors, fitted_parameters, parameters_from
from danmaku_env.beliefs.kernels import action_likelihood
from danmaku_env.cards.box import ROLE_IDS
from danmaku_env.game import role_assignments
from danmaku_env.heuristics import role_classes
from danmaku_env.heuristics.fitted import FittedError
from danmaku_env.info_states import InfoStates
from danmaku_env.jit.kernels import JIT
from tests.beliefs.beliefs import ROLE, belief
from tests.random_play import play_randomly


@pytest.fixture(scope="module")
def deducer():
    return DeducerAgent()


def test_it_is_a_belief_model(deducer):
    assert isinstance(deducer, BeliefModel)


def likelihoods(belief_model, config, history):
    """[players, CLASSES] how likely each class of role makes what each seat did, the likeliest 1; of the log that some seat sees."""
    belief_model.examples(config, history, np.zeros((0, action_likelihood.EXAMPLE_COLUMNS)))
    return belief_model._work["guess"][0, : config.num_players].copy()


def test_the_belief_is_the_posterior_over_all_deals():
    """Against Bayes written out: every deal that fits, its prior times how likely everybody's interactions are under it."""
    belief_model = ActionLikelihoodBelief()
    for players in (5, 6, 7):
        game = Game.new(GameConfig(num_players=players, characters="random"), players)
        for decision, position in enumerate(play_randomly(game, players, limit=120)):
            if decision % 40 != 39:
                continue
            seat = position.asking
            info_states = InfoStates(position.records, np.array([seat]), position.config)
            deals = role_assignments(position, seat)
            likely = likelihoods(belief_model, position.config, info_states.histories(1024)[0])
            weights = deals.weights.copy()
            for other in range(players):
                weights *= likely[(other - seat) % players, role_classes.CLASS_OF_ROLE[deals.roles[:, other]]]
            weights /= weights.sum()
            for other in range(players):
                expected = np.bincount(deals.roles[:, other], weights, minlength=len(ROLE_IDS))
                np.testing.assert_allclose(belief_model.posterior(info_states)[0, (other - seat) % players], expected, atol=1e-9)


def test_the_evidence_goes_with_the_role_card_when_roles_are_exchanged():
    """Crisis of Faith: what seat 2 did tells of the role that the former Heroine holds now (I-6)."""
    config = GameConfig(num_players=6, characters="none")
    history = np.zeros((3, 8), np.uint8)
    history[2] = [action_likelihood.events.L_REVEAL, 1, 0, ROLE["heroine"] + 1, 0, 0, 0, 0]
    history[1] = [action_likelihood.events.L_ATTACK, 3, 1, 0, 1, 0, 0, 0]
    belief_model = ActionLikelihoodBelief()
    before = likelihoods(belief_model, config, history)
    history = np.concatenate([[[action_likelihood.events.L_ROLES, 1, 3, 0, 0, 0, 0, 0]], history]).astype(np.uint8)
    after = likelihoods(belief_model, config, history)
    assert np.ptp(before[2, 1:]) > 0.2
    np.testing.assert_allclose(after[0], before[2])
    assert np.ptp(after[2]) == 0


def test_somebody_who_attacks_all_round_is_not_believed_to_be_anything(deducer):
    """A player may be blind: even many interactions that fit no role leave every role its chance."""
    game = Game.new(GameConfig(num_players=6, characters="none"), 2)
    for position in play_randomly(game, 2, limit=250):
        if position.over:
            break
        rows = belief(deducer.belief_model, position, position.turn)
        hidden = [other for other in range(6) if not int(position.record["role_seen"][other]) >> position.turn & 1]
        prior = role_assignments(position, position.turn).marginals()
        assert (rows[hidden] >= 0.002 * prior[hidden]).all()


def test_it_needs_the_log(deducer):
    game = Game.new(GameConfig(num_players=6), 1)
    with pytest.raises(ValueError, match="give it information states"):
        deducer.act(game.observe(game.asking)[np.newaxis], game.action_mask()[np.newaxis])


def test_it_answers_legally_and_the_same_twice(deducer):
    game = Game.new(GameConfig(num_players=8), 6)
    for _ in range(120):
        if game.over:
            break
        deducer.reset(5)
        chosen = answer(deducer, game)
        deducer.reset(5)
        assert answer(deducer, game) == chosen
        game.act(chosen)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"danmaku_deducer": 99}, "version 99"),
        ({"choice": [1, 2]}, "'choice' must be finite numbers"),
        ({"mix": None}, "'mix' must be finite numbers"),
        ({"blind": float("nan")}, "'blind' must be finite"),
    ],
)
def test_damaged_parameters_are_refused(change, message):
    with pytest.raises(FittedError, match=message):
        parameters_from({**json.loads(FITTED.read_text("utf-8")), **change})


def test_the_shipped_parameters_say_who_hates_whom():
    """Fitted, not written: Stage Bosses attack the Heroine, Partners do not."""
    choice = fitted_parameters()["choice"][0]
    heroine_camp = 0
    stage, partner = role_classes.CLASS_OF_ROLE[ROLE["stage_boss"]], role_classes.CLASS_OF_ROLE[ROLE["partner"]]
    assert (
        choice[action_likelihood.INTERACTION_HARM, stage, heroine_camp]
        > choice[action_likelihood.INTERACTION_HARM, partner, heroine_camp] + 1
    )


@pytest.mark.parametrize("options", [{"ex_midboss_from": 7}, {"expansion": "lunatic_extra", "characters": "double_threat"}, {}], ids=str)
@pytest.mark.parametrize("players", [5, 6, 8])
def test_only_roles_that_can_be_dealt_are_expected(players, options):
    """S-7: with fewer than seven players the EX Midboss may be left in the box; the deducer does not look for it then."""
    config = GameConfig(num_players=players, **options)
    priors = class_priors(config)
    assert priors.sum() == pytest.approx(players)
    if players < 7 and "ex_midboss_from" in options:
        assert priors[role_classes.CLASS_OF_ROLE[ROLE_IDS.index("ex_midboss")]] == 1, "the one Extra Boss, with whom it is counted"
    dealt = {int(role) for seed in range(60 if JIT else 3) for role in Game.new(config, seed).records["role"][0, :players]}
    assert all(priors[role_classes.CLASS_OF_ROLE[role]] > 0 for role in dealt)
