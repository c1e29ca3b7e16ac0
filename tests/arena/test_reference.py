"""The exact posterior: the product over seats against Bayes over whole deals, and what it does in a study."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from danmaku_env import Game, GameConfig, Scenario
from danmaku_env.agents.registry import make
from danmaku_env.arena.deduction import study as deduction
from danmaku_env.arena.deduction.belief_models import BASELINE, make_belief_models
from danmaku_env.arena.deduction.exact_posterior import NAME, ExactPosterior
from danmaku_env.arena.deduction.games import StudyStep, play
from danmaku_env.arena.deduction.intermediate_states import new_events
from danmaku_env.arena.deduction.report import Study, make_report
from danmaku_env.cards.box import NUM_ROLES
from danmaku_env.cards.compile import compile_cards
from danmaku_env.commands import main as cli
from danmaku_env.console.errors import UserError
from danmaku_env.console.options import DEALT_AT_RANDOM
from danmaku_env.engine import actions, events
from danmaku_env.engine import state as st
from danmaku_env.engine.observation import OFFSETS
from danmaku_env.engine.state import EVERYBODY
from danmaku_env.game import role_assignments
from danmaku_env.info_states import InfoStates
from danmaku_env.jit.kernels import JIT
from tests.arena.test_deduction import study_games
from tests.command import exit_status

FOUR, FIVE = (replace(DEALT_AT_RANDOM, num_players=number) for number in (4, 5))
BECOMES = compile_cards().tables[0]["role_becomes"]
REVEAL_ONLY = {actions.PASS, actions.REVEAL_ROLE}
KNOWN_ROLES = slice(OFFSETS["role"], OFFSETS["role"] + st.SEATS * (NUM_ROLES - 1))


class Tabled:
    """Answers with odds that depend on every role it knows, its own and others'; it mostly does not reveal."""

    name = "tabled"
    weights = np.random.default_rng(5).normal(0, 0.7, (st.SEATS * (NUM_ROLES - 1), actions.NUM_ACTIONS))

    def __init__(self, seed=0):
        self.reset(seed)

    def reset(self, seed):
        self.rng = np.random.default_rng(seed)

    def probabilities(self, observations, masks, info_states=None):
        odds = np.where(masks, np.exp(observations[:, KNOWN_ROLES] @ self.weights), 0)
        odds[:, actions.REVEAL_ROLE] *= 0.1
        return odds / odds.sum(1, keepdims=True)

    def act(self, observations, masks, info_states=None):
        return np.array([self.rng.choice(len(odds), p=odds) for odds in Tabled.probabilities(self, observations, masks)])


class Liar(Tabled):
    """Says that it always gives the first legal answer, and does not."""

    def probabilities(self, observations, masks, info_states=None):
        return np.eye(masks.shape[1])[masks.argmax(1)]


# ---------------------------------------------------------------- against whole deals


class Naive:
    """Bayes over the deals of all roles at once, each played along from the first question as a game of its own: slow and obvious."""

    def __init__(self, first, config, policy):
        start = first.copy()
        start["role_seen"] = np.where(start["role_seen"] == EVERYBODY, EVERYBODY, 0)
        deals = role_assignments(Game.from_trusted_record(start[np.newaxis].copy(), config), 0).roles
        self.policy, self.config = policy, config
        self.worlds = {}
        for deal in deals:
            record = first[np.newaxis].copy()
            record["role"][0, : config.num_players] = deal
            self.worlds[tuple(deal.tolist())] = [Game.from_trusted_record(record, config), 0.0]
        self.exchanged = []

    def see(self, before, answer, after):
        for world in self.worlds.values():
            if world[1] > -np.inf:
                self.follow(world, before, answer)
            open_roles = after["role_seen"] == EVERYBODY
            if (world[0].record["role"] != after["role"])[open_roles].any():
                world[1] = -np.inf
        self.exchanged += [(row[st.ACTOR] - 1, row[st.TARGET] - 1) for row in new_events(before, after) if row[st.EVENT] == events.L_ROLES]

    def follow(self, world, before, answer):
        """One true answer: silent answers of this world before it, then the same answer, unless here nobody was asked."""
        truth = Game.from_trusted_record(before[np.newaxis].copy(), self.config)
        game = world[0]
        silent = set(np.flatnonzero(truth.action_mask())) == REVEAL_ONLY
        while not game.over and set(game.legal_actions()) == REVEAL_ONLY and not (silent and game.asking == truth.asking):
            self.answer(world, actions.PASS)
        if silent and (game.over or set(game.legal_actions()) != REVEAL_ONLY):
            world[1] += 0 if answer == actions.PASS else -np.inf
            return
        if game.over:
            world[1] = -np.inf
            return
        assert (game.asking, game.question) == (truth.asking, truth.question)
        self.answer(world, answer)

    def answer(self, world, answer):
        game = world[0]
        if answer not in game.legal_actions():
            world[1] = -np.inf
            return
        observation, mask = game.observe(game.asking)[np.newaxis], game.action_mask()[np.newaxis]
        info_states = InfoStates(game.records, np.array([game.asking]), self.config)
        with np.errstate(divide="ignore"):
            world[1] += np.log(self.policy.probabilities(observation, mask, info_states)[0, answer])
        if world[1] > -np.inf:
            game.act(int(answer))

    def settle(self):
        """Silent answers up to a question that everybody is asked."""
        for world in self.worlds.values():
            game = world[0]
            while world[1] > -np.inf and not game.over and set(game.legal_actions()) == REVEAL_ONLY:
                self.answer(world, actions.PASS)

    def belief(self, now, seat):
        """[players, NUM_ROLES] of the observer, by absolute seat."""
        deals = role_assignments(now, seat)
        logs = np.array([np.log(weight) + self.likelihood(roles) for roles, weight in zip(deals.roles, deals.weights, strict=True)])
        chances = np.exp(logs - logs.max())
        chances /= chances.sum()
        return np.stack([np.bincount(deals.roles[:, other], chances, NUM_ROLES) for other in range(self.config.num_players)])

    def likelihood(self, roles):
        dealt = roles.tolist()
        for one, other in reversed(self.exchanged):
            dealt[one], dealt[other] = dealt[other], dealt[one]
        for name in itertools.product(*({role, *np.flatnonzero(role == BECOMES).tolist()} - {0} for role in dealt)):
            if name in self.worlds:
                return self.worlds[name][1]
        raise AssertionError(f"no world was dealt {dealt}")


def compare(config, policy, seed, limit):
    """Follow a game both ways; how far the beliefs of all seats are apart at most, and the words of what happened."""
    return compare_steps(config, policy, play([policy], config, [seed], seed), limit)


def steps_from(game, policy):
    """The steps of a game from a position on, as `play` gives them."""
    only, none, nobody = np.zeros(1, np.int64), game.records[:0], np.arange(0)
    yield StudyStep(nobody, none, nobody, none, only, game.records.copy(), 0)
    while not game.over:
        before = game.records.copy()
        answer = policy.act(game.observe(game.asking)[np.newaxis], game.action_mask()[np.newaxis])
        game.act(int(answer[0]))
        going = slice(0, int(not game.over))
        yield StudyStep(only[going], before[going], answer[going], game.records.copy()[going], nobody, none, int(game.over))


def compare_steps(config, policy, steps, limit):
    reference, naive, seen, worst = ExactPosterior([policy], config, 1), None, set(), 0.0
    for number, step in enumerate(steps):
        if len(step.first):
            reference.begin(step.begun)
            naive = Naive(step.first[0], config, policy)
        if not len(step.games) or number == limit:
            if number:
                break
            continue
        reference.see(step.games, step.before, step.after, step.answers)
        naive.see(step.before[0], step.answers[0], step.after[0])
        seen |= {events.EVENT_WORDS[event[st.EVENT]] for event in new_events(step.before[0], step.after[0])}
        seen |= {"an answer that depends on two roles"} if any(len(seats) > 1 for seats in reference.now(0)) else set()
        now = Game.from_trusted_record(step.after[:1].copy(), config)
        if number % 3 == 0 and set(now.legal_actions()) != REVEAL_ONLY:
            naive.settle()
            for seat in range(config.num_players):
                info_states = InfoStates(now.records, np.array([seat]), config)
                found = reference.posterior(info_states, [reference.now(0)])[0]
                turned = found[(np.arange(config.num_players) - seat) % config.num_players]
                worst = max(worst, np.abs(turned - naive.belief(now, seat)).max())
    return worst, seen


@pytest.mark.skipif(not JIT, reason="too many games without the compiler")
@pytest.mark.parametrize(("players", "seeds", "turns"), [(4, (*range(4), 43), 400), (5, (0,), 25)])
def test_the_product_over_seats_is_bayes_over_whole_deals(players, seeds, turns):
    config = GameConfig(num_players=players, characters="random", max_turns=turns)
    seen = set()
    for seed in seeds:
        worst, words = compare(config, Tabled(seed), seed, 10_000)
        assert worst < 1e-9
        seen |= words
    assert players > 4 or {"defeat", "reveal", "roles"} <= seen


@pytest.mark.skipif(not JIT, reason="too many worlds without the compiler")
def test_the_same_where_an_answer_depends_on_two_roles():
    """Roles were exchanged before and are again: the Heroine in between knows a role besides her own that does not lie open."""
    scene = Scenario(num_players=4)
    for seat, role in enumerate(("stage_boss", "heroine", "stage_boss", "ex_boss")):
        scene = scene.seat(seat, role=role, hand=["shoot", "graze"])
    scene = scene.knows([0, 1], roles=[0, 1]).turn(3).incident_deck(top=["crisis_of_faith"])
    game = scene.deck(top=["power/winter", "shoot/autumn"]).build(seed=3)
    worst, seen = compare_steps(game.config, Tabled(3), steps_from(game, Tabled(3)), 300)
    assert worst < 1e-9
    assert {"roles", "an answer that depends on two roles"} <= seen


def test_the_same_for_the_first_answers_of_one_game():
    worst, _ = compare(GameConfig(num_players=4, characters="random"), Tabled(1), 1, 40)
    assert worst < 1e-9


@pytest.mark.skipif(not JIT, reason="too many games without the compiler")
def test_the_same_for_the_heuristic():
    """It reveals at the first opportunity, so that silence tells a lot."""
    config = GameConfig(num_players=4, characters="random", max_turns=60)
    for seed in range(6):
        worst, _ = compare(config, make("heuristic", seed), seed, 10_000)
        assert worst < 1e-9


# ---------------------------------------------------------------- in a study


@pytest.mark.skipif(not JIT, reason="too many games without the compiler")
def test_nobody_at_the_table_knows_more():
    study = Study(belief_models=("deducer",), agents=("heuristic", "deducer"), table=FIVE, games=30, seed=1, reference=True)
    labels = (BASELINE, "deducer", NAME)
    findings = study_games(study, labels, make_belief_models(study.belief_models, 0))
    report = make_report(study, labels, findings, {})
    for level in ("faction", "role"):
        counting, deducer, exact = report.section().qualities[level]
        assert exact.log_loss.mean < deducer.log_loss.mean - 0.1 < counting.log_loss.mean - 0.1
        assert report.reliability[level][2].error.mean < 0.05
    sums = np.zeros_like(findings.gained)
    np.add.at(sums, findings.event_game, findings.gains)
    assert sums == pytest.approx(findings.gained)


def test_a_study_with_a_reference_says_so(monkeypatch):
    asked = {}
    monkeypatch.setattr(deduction, "run", lambda study, **_: asked.update(study=study))
    assert exit_status(cli.main, "deduce", "deducer", "--reference") == 0
    assert asked["study"] == Study(belief_models=("deducer",), games=400, reference=True)
    assert asked["study"].command().endswith("--reference")


def test_an_agent_that_does_not_say_how_it_plays_has_no_reference():
    with pytest.raises(UserError, match="no reference for games of 'search': it does not say how likely its answers are"):
        ExactPosterior([make("search:simulations=8", 0)], GameConfig(num_players=4), 1)


def test_an_agent_that_does_not_do_what_it_says_is_found_out():
    study = Study(belief_models=(), agents=("tests.arena.test_reference:Liar",), table=FOUR, games=2, reference=True)
    with pytest.raises(UserError, match="an answer that it says it never gives"):
        study_games(study, (BASELINE, NAME), make_belief_models((), 0))
