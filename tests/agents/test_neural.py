"""The agent that plays a trained network: legal, repeatable, and clear about what it cannot play."""

import sys
import warnings
from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy.stats import chisquare

from danmaku_env import Game, GameConfig, make_vec
from danmaku_env.agents import registry
from danmaku_env.agents.base import Agent, BeliefModel, Policy, answer, play_out
from danmaku_env.agents.neural import SHIPPED, NeuralAgent
from danmaku_env.agents.random import RandomAgent
from danmaku_env.arena.matches.match import Job, play
from danmaku_env.engine.observation import OBSERVATION_SIZE
from danmaku_env.heuristics.fitted import file_for
from danmaku_env.info_states import InfoStates
from danmaku_env.jit.kernels import JIT
from danmaku_env.nets.checkpoints import CHECKPOINT, CheckpointError, load_checkpoint, save_checkpoint
from danmaku_env.nets.network import Net
from tests.random_play import batch_midway, play_randomly


def checkpoint(folder, history, prior_policy="none"):
    torch.manual_seed(6)
    net = Net(16, history, prior_policy=prior_policy)
    for layer in (net.policy, net.seat_policy, net.belief):
        torch.nn.init.orthogonal_(layer.weight, 2.0)  # a net with opinions
    save_checkpoint(folder / CHECKPOINT, net, {}, {})
    return folder


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory):
    """The folder of a run."""
    return checkpoint(tmp_path_factory.mktemp("run"), 0)


@pytest.fixture(scope="module")
def with_log(tmp_path_factory):
    """The folder of a run whose net reads the log."""
    return checkpoint(tmp_path_factory.mktemp("log"), 20)


@pytest.fixture(scope="module")
def with_prior_policy(tmp_path_factory):
    """The folder of a run whose net reads the log and what the deducer thinks."""
    return checkpoint(tmp_path_factory.mktemp("with_prior"), 20, prior_policy="inverse_planning")


def questions(players, rows=16, steps=150, **config):
    """[B, n] and [B, N] of games in their middle."""
    vec = batch_midway(rows, GameConfig(num_players=players, **config), seed=players, steps=steps)
    return vec.observations.copy(), vec.action_masks.copy()


def test_it_follows_the_protocol(run_folder):
    agent: Agent = registry.make(f"neural:{run_folder}", 3)
    assert isinstance(agent, NeuralAgent)
    assert agent.name == "neural"
    assert isinstance(registry.make(f"neural:{run_folder / CHECKPOINT},greedy=no", 3), NeuralAgent)


@pytest.mark.parametrize("greedy", [False, True])
@pytest.mark.parametrize("players", [4, 6, 8])
def test_answers_are_legal(run_folder, players, greedy):
    agent = NeuralAgent(run_folder, 1, greedy=greedy)
    vec = make_vec(8, GameConfig(num_players=players))
    vec.reset(1)
    for _ in range(200):
        vec.step(agent.act(vec.observations, vec.action_masks))  # raises IllegalAction
    vec.check()


def test_a_whole_game_with_info_states_and_another_agent(run_folder):
    config = GameConfig(num_players=5, max_turns=20)
    agents = [NeuralAgent(run_folder, 1), RandomAgent(2)]
    assert play_out(Game.new(config, 4), [agents[seat % 2] for seat in range(5)]).over


def test_the_same_seed_gives_the_same_answers(run_folder):
    given = questions(6)
    agent, other = (NeuralAgent(run_folder, seed, greedy=False) for seed in (5, 6))
    first = [agent.act(*given) for _ in range(10)]
    agent.reset(5)
    np.testing.assert_array_equal(first, [agent.act(*given) for _ in range(10)])
    assert any((earlier != first[0]).any() for earlier in first)
    assert (np.array(first) != [other.act(*given) for _ in range(10)]).any()


def test_greedy_draws_nothing_at_random(run_folder):
    given = questions(6)
    agents = [NeuralAgent(run_folder, seed, greedy=True) for seed in (1, 2)]
    np.testing.assert_array_equal(agents[0].act(*given), agents[1].act(*given))
    alone = [int(agents[0].act(given[0][row : row + 1], given[1][row : row + 1])[0]) for row in range(len(given[0]))]
    assert alone == agents[0].act(*given).tolist()


def test_what_is_handed_in_is_only_read(run_folder):
    observations, masks = questions(6)
    for array in (observations, masks):
        array.flags.writeable = False
    assert NeuralAgent(run_folder).act(observations, masks).shape == (len(masks),)
    assert NeuralAgent(run_folder).act(observations[:0], masks[:0]).shape == (0,)


def test_the_history_at_the_end_of_an_observation_changes_nothing(run_folder):
    config = GameConfig(num_players=6)
    games = [Game.new(each, 9) for each in (config, replace(config, history=40))]
    agents = [NeuralAgent(run_folder, 2) for _ in games]
    for _ in range(60):
        short, long = (answer(agent, game) for agent, game in zip(agents, games, strict=True))
        assert short == long
        for game in games:
            game.act(short)


def test_torch_is_left_as_it_was(run_folder):
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        NeuralAgent(run_folder).act(*questions(6, steps=10))
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_a_net_that_reads_the_log_asks_for_it_where_observations_lack_it(with_log):
    """Information states and observations tell the same; without either it says what it needs."""
    vec, agent = batch_midway(8, GameConfig(num_players=6, history=20), seed=2, steps=60), NeuralAgent(with_log, 1)
    info_states = InfoStates(vec.games.copy(), vec.seats.copy(), vec.config)
    short = vec.observations[:, :OBSERVATION_SIZE]
    np.testing.assert_array_equal(agent.act(short, vec.action_masks, info_states), agent.act(vec.observations, vec.action_masks))
    needed = r"the last 20 events: give it information states, or observations that end with them, GameConfig\(history=...\)"
    with pytest.raises(ValueError, match=needed):
        agent.act(short, vec.action_masks)


@pytest.mark.parametrize("history", [0, 20, 40])
def test_a_net_with_a_prior_policy_asks_the_deducer_by_information_states(with_prior_policy, history):
    """However much of the log the observations end with, the answers are the same; without information states it says what it needs."""
    vec, agent = batch_midway(8, GameConfig(num_players=6, history=history), seed=2, steps=60), NeuralAgent(with_prior_policy, 1)
    info_states = InfoStates(vec.games.copy(), vec.seats.copy(), vec.config)
    short = vec.observations[:, :OBSERVATION_SIZE]
    answers = agent.act(vec.observations, vec.action_masks, info_states)
    np.testing.assert_array_equal(answers, agent.act(short, vec.action_masks, info_states))
    assert (agent.probabilities(short, vec.action_masks, info_states)[np.arange(8), answers] > 0).all()
    with pytest.raises(ValueError, match="give it information states"):
        agent.act(vec.observations, vec.action_masks)


def test_a_net_with_a_prior_policy_overrules_the_deducer_where_it_is_sure(tmp_path):
    """A net with one opinion of its own, that passing is 0.9 logits better: less than the margin, so it plays as one without opinions."""
    vec = batch_midway(64, GameConfig(num_players=6), seed=3, steps=80)
    info_states, seen = InfoStates(vec.games.copy(), vec.seats.copy(), vec.config), (vec.observations, vec.action_masks)
    answers = {}
    for name, bias in (("without", 0.0), ("unsure", 0.9), ("sure", 60.0)):
        net = Net(8, 0, prior_policy="inverse_planning")
        torch.nn.init.constant_(net.policy.bias[net.input_spec.actions.index("pass")], bias)
        save_checkpoint(tmp_path / f"{name}.safetensors", net, {}, {})
        for margin in (0, 1):
            answers[name, margin] = registry.make(f"neural:{tmp_path / name}.safetensors,margin={margin}", 1).act(*seen, info_states)
    may_pass = vec.action_masks[:, 0] == 1
    assert (answers["without", 1] == answers["without", 0]).all()
    assert (answers["unsure", 1] == answers["without", 0]).all()
    assert (answers["unsure", 0] != answers["without", 0]).any()
    assert (answers["sure", 1][may_pass] == 0).all()
    with pytest.raises(registry.AgentError, match="margin must be 0 or more, not -1"):
        registry.make(f"neural:{tmp_path / 'sure'}.safetensors,margin=-1", 1)


def test_a_net_with_a_prior_policy_plays_whole_games(with_prior_policy):
    config = GameConfig(num_players=8, max_turns=16)
    agents = [NeuralAgent(with_prior_policy, 1), RandomAgent(2)]
    assert play_out(Game.new(config, 4), [agents[seat % 2] for seat in range(8)]).over


@pytest.mark.parametrize("players", [4, 8])
@pytest.mark.parametrize("roles", ["basic", "advanced"])
def test_what_it_believes_the_cards_allow(with_log, players, roles):
    vec = batch_midway(8, GameConfig(num_players=players, roles=roles), seed=2, steps=100)
    info_states = InfoStates(vec.games.copy(), vec.seats.copy(), vec.config)
    agent = NeuralAgent(with_log, 1)
    assert isinstance(agent, BeliefModel)
    beliefs = agent.posterior(vec.observations, info_states)
    np.testing.assert_allclose(beliefs[:, :players].sum(2), 1)
    assert not beliefs[:, players:].any()
    for row in range(8):
        possible = info_states.role_assignments(row).marginals()
        assert not beliefs[row, :players][possible == 0].any()
        seat = int(vec.seats[row])
        assert beliefs[row, 0, vec.games["role"][row, seat]] == pytest.approx(1)


@pytest.mark.parametrize("expansion", ["none", "lunatic_extra"])
def test_a_net_with_a_prior_policy_believes_at_every_seat_and_only_the_one_asked_has_answers(expansion):
    """Whoever is not asked has no answers that a prior policy could judge."""
    agent, config = NeuralAgent(), GameConfig(num_players=5, characters="random", expansion=expansion)
    game = Game.new(config, 3)
    seats = np.arange(5)
    for decision, position in enumerate(play_randomly(game, 3, limit=61)):
        if decision % 20 or position.over:
            continue
        info_states = InfoStates(np.repeat(position.records, 5), seats, config)
        masks = info_states.masks()
        np.testing.assert_array_equal(masks[position.asking], position.action_mask())
        assert not masks[seats != position.asking].any()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            rows = agent.posterior(np.stack([position.observe(int(seat)) for seat in seats]), info_states)
        np.testing.assert_allclose(rows[:, :5].sum(2), 1)


def test_what_is_no_checkpoint_is_said_in_a_sentence(tmp_path):
    (tmp_path / "notes.txt").write_text("not a net")
    for path, words in (("nowhere", "there is no checkpoint to read at"), ("notes.txt", "is no checkpoint, or only a part of one")):
        with pytest.raises(CheckpointError, match=words):
            NeuralAgent(tmp_path / path)
        with pytest.raises(registry.AgentError, match=f"cannot be made: CheckpointError: .*{words}"):
            registry.make(f"neural:{tmp_path / path}", 0)


def test_without_torch_the_package_is_named_and_the_others_play(run_folder, monkeypatch):
    for name in [name for name in sys.modules if name in ("danmaku_env.agents.neural", "danmaku_env.nets.network")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)  # importing it fails as if it were not there
    how = r"which is not installed: pip install 'danmaku-env\[neural\]'"
    with pytest.raises(registry.AgentError, match=f"needs the package 'torch', {how}"):
        registry.make(f"neural:{run_folder}", 0)
    assert registry.make("random", 0).name == "random"


def test_a_match_over_duplicate_deals(run_folder):
    """Rotated through the seats as in a tournament; played again it is the same."""
    config = GameConfig(num_players=4, characters="random", max_turns=30)
    jobs = [Job((deal, turn), deal, tuple((seat + turn) % 2 for seat in range(4))) for deal in range(3) for turn in range(2)]

    def results():
        return sorted(play(jobs, [RandomAgent(), NeuralAgent(run_folder)], config, seed=8), key=lambda result: result.key)

    first = results()
    assert not any(result.faults for result in first)
    assert first == results()


@pytest.mark.parametrize("greedy", ["yes", "no"])
def test_it_says_how_likely_its_answers_are(run_folder, greedy):
    agent = registry.make(f"neural:{run_folder},greedy={greedy}", 3)
    assert isinstance(agent, Policy)
    observations, masks = (rows[:6] for rows in questions(6))
    stated = agent.probabilities(observations, masks)
    assert (stated[masks == 0] == 0).all()
    assert stated.sum(1) == pytest.approx(np.ones(len(masks)))
    draws = 3000
    for row in range(len(masks)):
        place = np.full(draws, row)
        drawn = np.bincount(agent.act(observations[place], masks[place]), minlength=masks.shape[1])
        if greedy == "yes":
            assert stated[row].max() == 1
            assert drawn[stated[row].argmax()] == draws
        elif (can := stated[row] > 0).sum() > 1:
            assert chisquare(drawn[can], stated[row, can] / stated[row, can].sum() * draws).pvalue > 1e-5


# ---------------------------------------------------------------- the one that is shipped


@pytest.mark.parametrize("expansion", ["none", "lunatic_extra"])
def test_the_net_shipped_for_a_box_is_found_without_a_path_and_small(expansion):
    vec, agent = make_vec(1, expansion=expansion), registry.make("neural", 3)
    vec.reset(1)
    info_states = InfoStates.of(vec, np.arange(1))
    assert isinstance(agent, NeuralAgent)
    path = file_for(SHIPPED, expansion)
    assert path.stat().st_size <= 10_000_000
    net, _, about = load_checkpoint(path)
    assert {"command", "decisions", "seed", "versions", "machine", "results"} <= about.keys(), "its run card"
    assert agent.net_for(info_states).input_spec == net.input_spec


@pytest.mark.parametrize(
    ("players", "roles", "expansion"), [(4, "basic", "none"), (8, "advanced", "none"), (6, "advanced", "lunatic_extra")]
)
def test_the_shipped_net_wins_more_than_random_play(players, roles, expansion):
    config = GameConfig(num_players=players, roles=roles, characters="random", expansion=expansion)
    jobs = [Job((deal, turn), deal, tuple((seat + turn) % 2 for seat in range(players))) for deal in range(6) for turn in range(2)]
    advantages = []
    for result in play(jobs, [RandomAgent(), registry.make("neural", 1)], config, seed=8):
        mine = np.array([(seat + result.key[1]) % 2 == 1 for seat in range(players)])
        advantages.append(np.array(result.rewards)[mine].mean() - np.array(result.rewards)[~mine].mean())
        assert not result.faults
    assert np.mean(advantages) > 0.2


def test_a_net_that_was_shipped_before_plays_by_its_version():
    """It answers as its file does, and otherwise than that of today. With Lunatic Extra both are one: there was no other net."""
    former, today = registry.make("neural:version=1", 0), registry.make("neural", 0)
    vec = make_vec(64, GameConfig(num_players=6))
    vec.reset(2)
    for _ in range(40 if JIT else 5):
        vec.step(vec.sample())
    asked = vec.observations, vec.action_masks, InfoStates(vec.games, vec.seats, vec.config)
    by_file = NeuralAgent(SHIPPED.with_name("neural_1.safetensors")).probabilities(*asked)
    assert (former.probabilities(*asked) == by_file).all()
    assert former.batch_key(vec.config) != today.batch_key(vec.config)
    both = GameConfig(expansion="lunatic_extra")
    assert former.batch_key(both) == today.batch_key(both)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("neural:version=9", "the versions of the shipped net are 1, 2, not 9"),
        (f"neural:{SHIPPED},version=1", "leave the version or the path out"),
    ],
)
def test_a_version_that_is_none_is_a_sentence(spec, words):
    with pytest.raises(registry.AgentError, match=words):
        registry.make(spec, 0)


def test_the_net_of_the_base_game_plays_both_boxes():
    """It answers what it never met as its prior policy does, and what it reads of the roles is a belief."""
    config = GameConfig(num_players=5, expansion="lunatic_extra")
    vec = make_vec(4, config)
    vec.reset(3)
    agent = NeuralAgent(SHIPPED)
    for _ in range(60 if JIT else 5):
        info_states = InfoStates(vec.clone(), vec.seats, config)
        answers = agent.act(vec.observations, vec.action_masks, info_states)
        assert vec.action_masks[np.arange(4), answers].all()
        beliefs = agent.posterior(vec.observations, info_states)
        assert np.allclose(beliefs[:, :5].sum(2), 1)
        vec.step(answers)
