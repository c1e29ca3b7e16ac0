"""The search: it looks ahead, only from what its seat knows, within its budget."""

import json
import time
from types import SimpleNamespace

import numpy as np
import pytest

from danmaku_env import Game, GameConfig, resample
from danmaku_env.agents import registry, search
from danmaku_env.agents.base import answer
from danmaku_env.agents.search import FITTED, TRIED, SearchAgent, fitted_deals, values_from
from danmaku_env.beliefs.models import BELIEFS
from danmaku_env.game.worlds import resample_many
from danmaku_env.heuristics.fitted import FittedError
from danmaku_env.info_states import InfoStates
from danmaku_env.jit.kernels import JIT
from danmaku_env.wording import action_name
from tests.random_play import play_randomly
from tests.table import act, pass_until, scene

slow_without_compiler = pytest.mark.skipif(not JIT, reason="plays thousands of answers")


def says(game, **options):
    """What the search answers, in words."""
    return action_name(answer(SearchAgent(1, **options), game), game.asking, game.config.num_players)


@slow_without_compiler
def test_it_takes_the_win_that_lies_on_the_table():
    """The Heroine has one life and no cards: a Stage Boss ends the game with a shot."""
    game = scene(4).seat(0, hand="shoot power").seat(1, life=1).seat(2, life=1).seat(3, life=1).build()
    seen = [says(game)]
    while game.question != "target" and not game.over:
        game.act(seen[-1])
        seen.append(says(game))
    game.act(seen[-1])
    assert seen[-1] == "choose seat:3"
    while game.question in ("attacked", "rescue"):
        game.act("pass")
    assert game.over
    assert 0 in game.winners


@slow_without_compiler
def test_it_dodges_for_the_last_life():
    game = scene(4).seat(0, hand="shoot").seat(1, hand="graze bomb", life=1).build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 1)
    assert says(game) == "play graze"


@slow_without_compiler
def test_it_answers_the_same_in_every_world_its_seat_cannot_tell_apart():
    """It sees nothing of the true world: deal again what its seat does not know, and it thinks the same thoughts."""
    game = Game.new(GameConfig(num_players=6, characters="random"), 8)
    for decision, position in enumerate(play_randomly(game, 8, limit=160)):
        if decision % 20 == 19 and position.asking is not None:
            agent, asked = SearchAgent(3, simulations=40), position.asking
            expected = answer(agent, position)
            agent.reset(3)
            assert answer(agent, resample(position, asked, decision)) == expected


@slow_without_compiler
def test_it_keeps_to_its_milliseconds():
    game = Game.new(GameConfig(num_players=6, characters="random"), 2)
    agent = SearchAgent(0, milliseconds=20)
    answer(agent, game)
    start = time.perf_counter()
    answer(agent, game)
    assert time.perf_counter() - start < 2, "one more batch of rollouts after the time is up, however slow the machine"


def test_what_is_left_of_one_rollout_does_not_reach_the_next():
    """A rollout begins with a copy of all that is read while it is played; the log, which is not, keeps what others wrote."""
    game = Game.new(GameConfig(num_players=6, characters="random"), 4)
    *_, game = play_randomly(game, 4, limit=150)
    worlds = resample_many(game, game.asking, 3, seed=5)
    answers = np.flatnonzero(game.action_mask())
    fresh, used = SearchAgent(turns=1), SearchAgent(turns=1)
    used._scratch.raw[:] = 255
    assert used._try(game.config, worlds, game.asking, answers).tolist() == fresh._try(game.config, worlds, game.asking, answers).tolist()
    assert (used._scratch.games["log"] == 255).any(), "more is copied than what is read"


def test_its_budget_counts_rollouts():
    tried = []

    class Counting(SearchAgent):
        def _try(self, config, worlds, asked, answers):
            tried.append(len(worlds) * len(answers))
            return np.zeros((len(answers), len(worlds)))

    game = Game.new(GameConfig(num_players=4, characters="random"), 1)
    for simulations in (1, 2, 3, 4, 5, 40, 200):
        tried.clear()
        answer(Counting(0, simulations=simulations), game)
        assert bool(tried) == (simulations > 1), "one rollout compares nothing"
        assert simulations - 4 < sum(tried) <= simulations
    tried.clear()
    answer(Counting(0, simulations=1, milliseconds=1), game)
    assert sum(tried) > 1, "time is the budget, where it is given"


def test_answers_are_dropped_by_shares_of_the_time(monkeypatch):
    """After half of the time the better half of the answers beside the first is left, and the half of these after three quarters."""
    now, tried = [0.0], []

    class Slow(SearchAgent):
        def _candidates(self, observation, ranks, first, behind):
            return np.array([first, *range(5)])

        def _try(self, config, worlds, asked, answers):
            now[0] += 1 / 8
            tried.append(len(answers))
            return np.zeros((len(answers), len(worlds)))

    monkeypatch.setattr(search, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    game = Game.new(GameConfig(num_players=4, characters="random"), 1)
    answer(Slow(0, simulations=200, milliseconds=1000), game)
    assert tried == [6] * 4 + [3] * 2 + [2] * 2


def test_it_plays_legally_at_every_table():
    for players in (4, 6, 8):
        game = Game.new(GameConfig(num_players=players), players)
        agent = SearchAgent(0, simulations=4)
        for _ in range(60 if JIT else 3):
            if game.over:
                break
            game.act(answer(agent, game))  # act raises on an illegal answer


@slow_without_compiler
@pytest.mark.parametrize("belief", BELIEFS)
def test_its_worlds_are_dealt_by_the_belief_it_is_told(belief):
    class Dealt(SearchAgent):
        def _search(self, info_state, answers, doubts, deals, posterior):
            by.append(posterior)
            return super()._search(info_state, answers, doubts, deals, posterior)

    searched = 0
    for position in play_randomly(Game.new(GameConfig(num_players=6, characters="random"), 5), 5, limit=200):
        if position.asking is not None:
            by = []
            answer(Dealt(3, simulations=4, belief=belief), position)
            info_states = InfoStates(position.records, np.array([position.asking]), position.config)
            expected = BELIEFS[belief]().posteriors(info_states)[1][0][1]
            searched += len(by)
            for posterior in by:
                np.testing.assert_array_equal(posterior, expected)
    assert searched > 20


def discarding():
    """The Heroine has ended her main step with six cards in hand, two more than she may keep."""
    game = scene(4).seat(0, hand="graze bomb one_up shoot power laser_shot", life=2).build()
    act(game, "pass")
    assert game.question == "discard"
    return game


def tried_at(game, seed=1, **options):
    """The answers that the search tries out, in words: those that have a gain."""
    info_states = InfoStates(game.records, np.array([game.asking]), game.config)
    agent = SearchAgent(seed, simulations=4, **options)
    action_values = agent.evaluate_actions(game.observe(game.asking)[np.newaxis], game.action_mask()[np.newaxis], info_states)
    return {
        action_name(int(answer), game.asking, game.config.num_players)
        for answer in np.flatnonzero(np.isfinite(action_values.advantages[0]))
    }


def test_what_to_discard_is_searched_only_on_demand():
    game = discarding()
    assert tried_at(game) == set()
    tried = tried_at(game, questions="all")
    assert 1 < len(tried) <= TRIED
    assert all(name.startswith("choose card:") for name in tried)


def test_a_teacher_draws_what_else_it_tries():
    game = discarding()
    assert len({frozenset(tried_at(game, seed, questions="all")) for seed in range(8)}) == 1
    drawn = [tried_at(game, seed, questions="all", temperature=1.0) for seed in range(8)]
    assert len(set(map(frozenset, drawn))) > 1
    assert set.intersection(*drawn), "the answer that comes first is always tried"


@slow_without_compiler
def test_answers_that_are_as_good_are_tried_in_any_order():
    """The deducer knows nothing of incidents: any four of them may be looked at."""
    for seed in range(50):
        for position in play_randomly(Game.new(GameConfig(num_players=6, characters="random"), seed), seed, limit=300):
            if position.question == "incident" and position.action_mask().sum() > TRIED:
                assert len(set.union(*(tried_at(position, rng, questions="all") for rng in range(8)))) > TRIED
                return
    raise AssertionError("nobody chose an incident")


def test_it_needs_info_states_and_a_budget():
    game = Game.new(GameConfig(num_players=4), 1)
    with pytest.raises(ValueError, match="give it information states"):
        SearchAgent().act(game.observe(game.asking)[np.newaxis], game.action_mask()[np.newaxis])
    for name in ("simulations", "turns"):
        for number in (0, 10**20):
            with pytest.raises(ValueError, match="a search needs from 1 to"):
                SearchAgent(**{name: number})
    for name in ("milliseconds", "prior_strength", "temperature"):
        for number in (-0.5, np.nan, np.inf):
            with pytest.raises(ValueError, match=f"{name} must be 0 or more"):
                SearchAgent(**{name: number})
    with pytest.raises(ValueError, match="critical or all questions, not 'some'"):
        SearchAgent(questions="some")


def test_a_batch_answers_each_row():
    games = [Game.new(GameConfig(num_players=5, characters="random"), seed) for seed in range(3)]
    records = np.concatenate([game.records for game in games])
    seats = np.array([game.asking for game in games])
    observations = np.stack([game.observe(game.asking) for game in games])
    masks = np.stack([game.action_mask() for game in games])
    chosen = SearchAgent(0, simulations=8).act(observations, masks, InfoStates(records, seats, games[0].config))
    assert (masks[np.arange(3), chosen] == 1).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"danmaku_search": 7}, "version 7"),
        ({"hidden": [[1.0]]}, "finite numbers of shape"),
        ({"chance": "x"}, "'chance' must be finite numbers"),
    ],
)
def test_damaged_values_are_refused(change, message):
    with pytest.raises(FittedError, match=message):
        values_from({**json.loads(FITTED.read_text("utf-8")), **change})


# ---------------------------------------------------------------- with a network


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    """A network that would rather pass, and knows nothing."""
    import torch

    from danmaku_env.nets.checkpoints import CHECKPOINT, save_checkpoint
    from danmaku_env.nets.network import Net

    torch.manual_seed(2)
    net = Net(8, 4)
    with torch.no_grad():
        net.policy.bias[net.input_spec.actions.index("pass")] = 3
    save_checkpoint(tmp_path_factory.mktemp("net") / CHECKPOINT, net, {}, {})
    return tmp_path_factory.getbasetemp() / "net0"


@slow_without_compiler
def test_a_network_says_what_to_try_and_the_worlds_overrule_it(network):
    """It would pass; in the worlds that are tried it sees that a shot at the Heroine's last life wins."""
    game = scene(4).seat(0, hand="shoot power").seat(1, life=1).seat(2, life=1).seat(3, life=1).build()
    assert action_name(answer(registry.make(f"neural:{network}", 1), game), 0, 4) == "pass"
    assert says(game, net=str(network)) != "pass"
    assert says(game, net=str(network), prior_strength=1e6) == "pass", "a prior stronger than any sample decides"


@slow_without_compiler
def test_a_search_with_a_network_keeps_within_what_its_seat_knows(network):
    game = Game.new(GameConfig(num_players=6, characters="random"), 8)
    for decision, position in enumerate(play_randomly(game, 8, limit=100)):
        if decision % 20 == 19 and position.asking is not None:
            agent, asked = SearchAgent(3, simulations=20, net=str(network)), position.asking
            expected = answer(agent, position)
            agent.reset(3)
            assert answer(agent, resample(position, asked, decision)) == expected


def test_deals_are_fitted_to_beliefs_about_single_seats():
    """Whatever the prior says of deals together, each seat has the probabilities that are believed of it."""
    roles = np.array([[1, 2, 3], [1, 3, 2], [1, 2, 2], [1, 3, 3]])
    weights = np.array([0.4, 0.3, 0.2, 0.1])
    beliefs = np.zeros((8, 20))
    beliefs[0, 1] = 1
    beliefs[1, [2, 3]] = beliefs[2, [2, 3]] = 0.7, 0.3
    found = fitted_deals(roles, weights, beliefs)
    assert found.sum() == pytest.approx(1)
    for seat in range(3):
        np.testing.assert_allclose(np.bincount(roles[:, seat], found, 20), beliefs[seat], atol=0.02)
    impossible = np.zeros((8, 20))
    impossible[:, 19] = 1
    np.testing.assert_allclose(fitted_deals(roles, weights, impossible), weights)


def test_a_network_that_is_not_there_is_said_in_a_sentence(tmp_path):
    with pytest.raises(registry.AgentError, match="there is no checkpoint to read at"):
        registry.make(f"search:net={tmp_path / 'nowhere'}", 0)
