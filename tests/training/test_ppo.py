"""The self-play trainer: credit, what the critic sees, runs that are killed and resumed, and what it says of everything that goes wrong."""

import csv
import io
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
import safetensors.torch
import torch
from rich.console import Console
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from danmaku_env import GameConfig, make_vec
from danmaku_env.agents import make, neural, registry
from danmaku_env.cards.box import KIND_IDS, NUM_KINDS, NUM_ROLES, ROLE_IDS
from danmaku_env.commands import main as cli
from danmaku_env.console.options import field_docs, is_given
from danmaku_env.game import RulesWarning, rules_fingerprint
from danmaku_env.jit.kernels import JIT
from danmaku_env.nets import selfplay_nets
from danmaku_env.nets.checkpoints import CHECKPOINT, CheckpointError, load_checkpoint, load_net, save_checkpoint
from danmaku_env.nets.input_spec import current_layout
from danmaku_env.nets.network import Net
from danmaku_env.training import central_critic, ppo, progress_report, resuming
from danmaku_env.training.central_critic import CentralCritic
from danmaku_env.training.parallel import Threads
from danmaku_env.training.ppo import PPOArgs, PPORun, main, train
from danmaku_env.training.progress_report import CURVE, LOG, PICTURE
from danmaku_env.training.resuming import ResumeError, TrainingError
from danmaku_env.training.rollout_table import RolloutTable
from danmaku_env.training.tensorboard_log import TensorBoardLog
from tests.command import exit_status, told
from tests.full_disk import no_space
from tests.nets.test_checkpoints import parts, signed

ROOT = Path(__file__).parents[2]
QUIET = Console(quiet=True)
SMALL = {
    "seconds": 0, "games": 8, "window": 24, "width": 16, "wide": 16, "critic_width": 8, "batch": 64, "threads": 1, "device": "cpu",
    "teach": 0, "report_every": 0, "final_deals": 0,
}  # fmt: skip
WINDOW = SMALL["games"] * SMALL["window"]
"""Decisions of a window."""


def small(folder, **changes):
    return told(PPOArgs, folder=folder, **{**SMALL, "checkpoint_every": 2, **changes})


def words(folder, **changes):
    """The same on the command line."""
    given = {**SMALL, "folder": folder, **changes}
    return [word for name, value in given.items() for word in ("--" + name.replace("_", "-"), str(value))]


@pytest.fixture(scope="module")
def _few_random_steps():
    """An mlp looks at fewer rows of random play than it does in earnest."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(selfplay_nets, "_RANDOM_STEPS", 40)
        yield


# ---------------------------------------------------------------- credit


@pytest.fixture
def table(tmp_path):
    """A window of 40 decisions in each of 5 games with every number drawn: who is asked, what the critic says, where games end."""
    run = PPORun(small(tmp_path, games=5, window=40, players="4"))
    rng, table = np.random.default_rng(3), run.tables[0]
    table.seats = rng.integers(4, size=(40, 5))
    table.dones = rng.random((40, 5)) < 0.08
    table.rewards = (rng.normal(size=(40, 5, 4)) * table.dones[:, :, None]).astype(np.float32)
    table.values = torch.from_numpy(rng.normal(size=(40, 5)).astype(np.float32))
    table.opening = rng.random((40, 5)) < 0.1
    assert table.dones.sum() > 5
    return table


@pytest.mark.parametrize(("lam", "target_lam"), [(0.9, 0.98), (0.0, 0.0), (1.0, 1.0)])
def test_credit_by_game_is_that_of_the_textbook(table, lam, target_lam):
    """Decision by decision, forwards: all that a seat's value does from its answer to the end of the game, each step weighing less."""
    values = np.random.default_rng(4).normal(size=(41, 5, 4)).astype(np.float32)
    found = table.credit_by_game(values, lam, target_lam)

    def ahead(step, game, seat, weight):
        total, factor = 0.0, 1.0
        for later in range(step, 40):
            over = table.dones[later, game]
            total += factor * ((table.rewards if over else values[1:])[later, game, seat] - values[later, game, seat])
            factor *= weight
            if over:
                break
        return total

    for step in range(40):
        for game in range(5):
            weight = target_lam if table.opening[step, game] else lam
            assert found[step, game] == pytest.approx(ahead(step, game, table.seats[step, game], weight), abs=1e-4)
            for seat in range(4):
                said = values[step, game, seat] + ahead(step, game, seat, target_lam)
                assert float(table.returns[step, game, seat]) == pytest.approx(said, abs=1e-4)


@pytest.mark.parametrize("lam", [0.9, 0.0, 1.0])
def test_credit_by_seat_is_that_of_the_textbook(table, lam):
    """One seat's own decisions, one after the other; what the window cuts off before the next one is not known."""
    credit, known = table.credit_by_seat(lam)
    values = table.values.numpy()

    def following(step, game):
        """The next decision of the same seat, or what the game paid it, or None."""
        seat = table.seats[step, game]
        for later in range(step, 40):
            if later > step and table.seats[later, game] == seat:
                return later, None
            if table.dones[later, game]:
                return None, float(table.rewards[later, game, seat])
        return None, None

    for game in range(5):
        for step in range(40):
            total, factor, at = 0.0, 1.0, step
            while at is not None:
                after, paid = following(at, game)
                if (after, paid) == (None, None):
                    break
                total += factor * ((paid if after is None else values[after, game]) - values[at, game])
                factor, at = factor * lam, after
            assert known[step, game] == (following(step, game) != (None, None))
            if known[step, game]:
                assert credit[step, game] == pytest.approx(total, abs=1e-4)
                assert float(table.returns[step, game, 0]) == pytest.approx(total + values[step, game], abs=1e-4)


def test_with_its_own_value_every_answer_is_learned_from_once(tmp_path):
    """However windows cut the games: what waits for its seat's next decision is learned from in the window in which that comes."""
    rng = np.random.default_rng(3)
    seats, dones = rng.integers(4, size=(40, 5)), rng.random((40, 5)) < 0.08
    rewards = (rng.normal(size=(40, 5, 4)) * dones[:, :, None]).astype(np.float32)
    values = torch.from_numpy(rng.normal(size=(40, 5)).astype(np.float32))
    learned = []
    for window in (40, 10, 2):
        table, found = PPORun(small(tmp_path, games=5, window=window, players="4", critic="own")).tables[0], {}
        for first in range(0, 40, window):
            table.carry()
            now, window_now = slice(table.carried, table.steps), slice(first, first + window)
            table.seats[now], table.dones[now], table.rewards[now] = seats[window_now], dones[window_now], rewards[window_now]
            table.values[now], table.own[now] = values[window_now], True
            table.actions[now] = torch.arange(first * 5, (first + window) * 5).reshape(window, 5)
            credit, _ = table.credit_by_seat(0)
            for step, game in np.argwhere(table.own):
                answer = int(table.actions[step, game])
                assert answer not in found
                found[answer] = float(credit[step, game])
                assert float(table.returns[step, game, 0]) == pytest.approx(float(values.flatten()[answer] + credit[step, game]), abs=1e-5)
        learned.append(found)
        assert len(found) == 200 - table.waiting.sum() > 180
    assert learned[1] == pytest.approx(learned[0], abs=1e-5)
    assert learned[2] == pytest.approx(learned[0], abs=1e-5)


def test_what_is_drawn_makes_the_mean_gradient_right(tmp_path):
    """Rows of a higher score are drawn more often and weigh less: over many draws every row counts as much as if all were taken."""
    run = PPORun(small(tmp_path, games=20, window=20, learn_from=0.4))
    table, rows = run.tables[0], torch.arange(400)
    rng = torch.Generator().manual_seed(1)
    table.advantages = torch.randn(20, 20, generator=rng)
    table.logprobs = -torch.rand(20, 20, generator=rng)
    gradients = torch.randn(400, 3, generator=rng) * table.flat("advantages")[:, None] + 0.5
    counted, sums = torch.zeros(400), []
    for _ in range(600):
        drawn = run._drawn(table, rows)
        counted[drawn] += table.weights[drawn] / 600
        sums.append((gradients[drawn] * table.weights[drawn, None]).sum(0) / 400)
        assert len(drawn) == pytest.approx(0.4 * 400, abs=40)
        assert table.weights.min() >= 1
    np.testing.assert_allclose(torch.stack(sums).mean(0), gradients.mean(0), atol=0.03)
    assert counted.mean() == pytest.approx(1, abs=0.02)
    assert (counted - 1).abs().max() < 0.5
    score = table.flat("advantages").abs() * (1 - table.flat("logprobs").exp())
    weights = table.weights[score.argsort()]
    assert weights[:100].mean() > 2 * weights[-100:].mean()


def test_all_rows_are_learned_from_where_all_are_asked_for(tmp_path):
    run = PPORun(small(tmp_path, learn_from=1.0))
    rows = torch.arange(7)
    assert run._drawn(run.tables[0], rows).tolist() == rows.tolist()
    assert (run.tables[0].weights == 1).all()


def test_what_happened_is_trusted_more_and_more_in_a_run_from_nothing(tmp_path, whole, monkeypatch):
    """Lambda rises linearly along the budget; whoever begins with a net has the last one throughout."""

    def used(**given):
        found, run = [], PPORun(small(tmp_path, first_lambda=0.2, gae_lambda=0.8, **given))
        credit = RolloutTable.credit_by_game
        with monkeypatch.context() as patch:
            patch.setattr(
                RolloutTable, "credit_by_game", lambda table, values, lam, more: found.append(lam) or credit(table, values, lam, more)
            )
            for done in (0.0, 0.5, 0.95):
                run.step(done)
        return found

    assert used() == pytest.approx([0.2, 0.5, 0.77])
    assert used(start=str(whole)) == pytest.approx([0.8, 0.8, 0.8])


def test_a_checkpoint_without_a_first_lambda_goes_on_with_one_lambda(whole, tmp_path):
    shutil.copytree(whole, tmp_path / "run")
    net, tensors, about = load_checkpoint(tmp_path / "run" / CHECKPOINT)
    about["args"] = {name: value for name, value in about["args"].items() if name != "first_lambda"} | {"gae_lambda": 0.7}
    save_checkpoint(tmp_path / "run" / CHECKPOINT, net, tensors, about)
    assert PPORun.load(PPOArgs(folder=tmp_path / "run", resume=True)).args.first_lambda == 0.7


@pytest.mark.parametrize("critic", ["central", "own"])
def test_learning_moves_towards_what_pays(tmp_path, critic):
    """With a reward for one answer alone its probability rises: the sign of every loss is right."""
    run = PPORun(small(tmp_path, learning_rate=5e-3, entropy=0.0, critic=critic, games=16, epochs=2))
    shares, table = [], run.tables[0]
    for _ in range(12):
        run.play()
        passes, able = table.actions.numpy() == 0, table.masks.numpy()[:, :, 0] == 1
        shares.append(passes[able].mean())
        table.dones[:] = True
        table.rewards[:] = passes[:, :, None]
        run.learn()
    assert np.mean(shares[-2:]) > np.mean(shares[:2]) + 0.15


def test_what_is_answered_before_the_first_turn_is_known(tmp_path):
    """All choose their characters first; then turns begin, until the next game."""
    run = PPORun(small(tmp_path, games=4, window=12))
    run.play()
    table = run.tables[0]
    chooses = [action.startswith("choose character:") for action in current_layout().actions]
    chosen = np.array(chooses)[table.actions.numpy()]
    assert (table.opening == chosen).all()
    assert 0 < chosen.sum() < chosen.size


@pytest.mark.parametrize(("exploration", "comes_back"), [(0.02, True), (0.0, False)])
def test_an_answer_that_has_become_impossible_comes_back(tmp_path, exploration, comes_back):
    """The net has come to never pass, and nothing speaks for or against it: with exploration passing becomes possible again."""
    run = PPORun(small(tmp_path, learning_rate=5e-3, entropy=0.05, exploration=exploration, belief_weight=0))
    with torch.no_grad():
        run.net.policy.bias[run.net.input_spec.actions.index("pass")] = -30.0
    run.play()
    table = run.tables[0]
    table.advantages = torch.zeros_like(table.advantages)
    run.credit = lambda: None
    for _ in range(40):
        run.learn()
    with torch.inference_mode():
        logprobs = run.net(table.flat("inputs"), table.flat("masks"))[0]
    able = (table.flat("masks")[:, 0] == 1) & (table.flat("masks").sum(1) > 1)
    assert able.sum() > 10
    assert (logprobs[able, 0].mean() > -15) == comes_back


# ---------------------------------------------------------------- the critic


def in_the_middle(players=6, rows=8, steps=120):
    vec = make_vec(rows, GameConfig(num_players=players))
    vec.reset(2)
    for _ in range(steps):
        vec.step(vec.sample())
    return vec


@pytest.mark.parametrize("players", [4, 6, 8])
def test_what_the_critic_sees_is_true(players):
    """Role, hand and life of every seat, and who is asked, in the places it believes them in."""
    vec, critic = in_the_middle(players), CentralCritic(GameConfig(num_players=players))
    taken = critic.take(vec.states())
    assert taken.shape == (8, critic.reads)
    seats = taken[:, : critic.sizes[0]].reshape(8, 8, -1)
    hands, asked, roles = np.split(seats[:, :, -(NUM_KINDS + NUM_ROLES) :], [NUM_KINDS, NUM_KINDS + 1], 2)
    assert (seats[:, players:] == 0).all()
    for row in range(8):
        game = vec.game(row)
        for place in range(players):
            seat = game.seat(place)
            assert [ROLE_IDS[1 + role] for role in np.flatnonzero(roles[row, place])] == [seat.role] * bool(seat.role)
            cards = [card.split("/")[0] for card in seat.hand]
            assert hands[row, place].tolist() == [cards.count(kind) for kind in KIND_IDS]
            assert seats[row, place, critic.life] == seat.life
            assert asked[row, place, 0] == (game.asking == place)


def exchanged(vec):
    """The same games with the roles of two seats exchanged of whom the asked seat knows nothing; and which rows that is done in."""
    games, changed = vec.clone(), []
    for row in range(vec.num_envs):
        hidden = [seat for seat in range(6) if games["role"][row, seat] and seat != vec.seats[row]]
        hidden = [seat for seat in hidden if not vec.game(row).seat(seat).role_revealed]
        pairs = [(a, b) for a in hidden for b in hidden if games["role"][row, a] < games["role"][row, b]]
        if pairs:
            games["role"][row, list(pairs[0])] = games["role"][row, list(pairs[0][::-1])]
            changed.append(row)
    other = make_vec(vec.num_envs, vec.config)
    other.reset(1)
    other.restore(games)
    return other, changed


def test_the_critic_sees_what_the_net_does_not(tmp_path):
    """Roles exchanged among seats that are hidden: the net reads the same bytes, the critic says something else."""
    run, vec = PPORun(small(tmp_path)), in_the_middle(steps=30)
    other, rows = exchanged(vec)
    assert len(rows) > 4
    assert (run.net.inputs(vec.observations)[rows] == run.net.inputs(other.observations)[rows]).all()
    for roles in (True, False):
        critic = CentralCritic(vec.config, 16, roles=roles)
        with torch.inference_mode():
            worths = [critic(torch.from_numpy(critic.take(games.states())), 6)[rows] for games in (vec, other)]
        assert torch.equal(*worths) == (not roles)
        assert worths[0].shape == (len(rows), 6)


def test_a_critic_learns_from_as_much_random_play_as_it_is_given(monkeypatch):
    """Also from little of it, spread over several rounds: each is judged before it is learned from."""
    played, endings = [], central_critic.endings
    monkeypatch.setattr(
        central_critic, "endings",
        lambda critic, vec, answer, steps, stride: (played.append(steps * vec.num_envs), endings(critic, vec, answer, steps, stride))[1],
    )  # fmt: skip
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        critic = CentralCritic(GameConfig(num_players=4), 16)
    explained = central_critic.teach(
        critic, [GameConfig(num_players=4)], 100_000, 1, torch.Generator().manual_seed(1), Threads(1, "teaching")
    )
    assert 0 < explained < 1, "a critic that has learned nothing explains less than nothing"
    assert 100_000 <= sum(played) < 120_000
    assert len(played) > 4


def test_a_critic_that_sums_up_by_role_sees_goals_of_two_roles():
    """Worth of a position to all seats, in this test: +1 where the Partner has more life than the Extra Boss. Whoever sums up over all
    seats alike learns little of it in the same time."""
    vec = make_vec(256, GameConfig(num_players=6, roles="basic"))
    vec.reset(3)
    states, worths = [], []
    for step in range(600):
        if step % 30 == 29:
            role, life = vec.games["role"], vec.games["life"].astype(int)
            partner, extra = ((role == ROLE_IDS.index(name)).argmax(1) for name in ("partner", "ex_boss"))
            ahead = np.take_along_axis(life, partner[:, None], 1) > np.take_along_axis(life, extra[:, None], 1)
            states.append(vec.states())
            worths.append(np.where(ahead, 1.0, -1.0).astype(np.float32).repeat(6, 1))
        vec.step(vec.sample())
    error = {}
    for by_role in (True, False):
        torch.manual_seed(1)
        critic = CentralCritic(vec.config, 32, by_role=by_role)
        adam = torch.optim.Adam(critic.parameters(), lr=3e-3)
        seen, truth = torch.from_numpy(critic.take(np.concatenate(states))), torch.from_numpy(np.concatenate(worths))
        order = torch.randperm(len(seen))
        for batch in torch.split(order[1000:].repeat(12), 256):
            adam.zero_grad()
            (critic(seen[batch], 6) - truth[batch]).square().mean().backward()
            adam.step()
        with torch.inference_mode():
            error[by_role] = float((critic(seen[order[:1000]], 6) - truth[order[:1000]]).square().mean())
    assert error[True] < 0.5 * error[False]


def test_a_seat_is_worth_the_same_wherever_it_sits():
    """Every seat goes through the same weights: seats that look alike are worth the same, and those that are not there change nothing."""
    torch.manual_seed(1)
    critic, vec = CentralCritic(GameConfig()), in_the_middle()
    taken = critic.take(vec.states())
    seats = taken[:, : critic.sizes[0]].reshape(8, 8, -1)
    ids = taken[:, critic.sizes[0] : sum(critic.sizes[:2])].reshape(8, -1, 8)
    turned = taken.copy()
    turned[:, : critic.sizes[0]] = np.concatenate([np.roll(seats[:, :6], 1, 1), seats[:, 6:]], 1).reshape(8, -1)
    turned[:, critic.sizes[0] : sum(critic.sizes[:2])] = np.concatenate([np.roll(ids[:, :, :6], 1, 2), ids[:, :, 6:]], 2).reshape(8, -1)
    with torch.inference_mode():
        before, after = critic(torch.from_numpy(taken), 6), critic(torch.from_numpy(turned), 6)
    torch.testing.assert_close(before.roll(1, 1), after, atol=1e-5, rtol=1e-4)
    assert before.std(1).min() > 1e-5


@pytest.mark.skipif(not JIT, reason="too many games without the compiler")
def test_a_critic_learns_from_the_games_of_a_player():
    """Who wins among heuristics follows other positions than who wins at random play."""
    explained, config = {}, GameConfig(num_players=4)
    vec, agent = make_vec(128, config), make("heuristic", seed=2)
    vec.reset(99)
    judged = central_critic.endings(CentralCritic(config, 32), vec, lambda: agent.act(vec.observations, vec.action_masks), 1200, 40)
    for player in (None, make("heuristic", seed=1)):
        torch.manual_seed(1)
        critic, rng = CentralCritic(config, 32), torch.Generator().manual_seed(1)
        central_critic.teach(critic, [config], 100_000, 1, rng, Threads(1, "teaching"), player=player)
        with torch.inference_mode():
            explained[player is None] = central_critic.share_explained(critic(judged[0], 4), judged[1])
    assert explained[False] > explained[True] + 0.05


@pytest.mark.skipif(not JIT, reason="too many games without the compiler")
def test_random_play_teaches_the_critic_who_wins(monkeypatch):
    monkeypatch.setattr(central_critic, "_GAMES", 128)
    monkeypatch.setattr(central_critic, "_STEPS", 720)
    monkeypatch.setattr(central_critic, "_STRIDE", 6)
    monkeypatch.setattr(central_critic, "_TEACHING_BATCH", 256)
    torch.manual_seed(1)
    critic, rng = CentralCritic(GameConfig(), 32), torch.Generator().manual_seed(1)
    explained = central_critic.teach(
        critic, [GameConfig(num_players=6), GameConfig(num_players=5)], 12 * 128 * 720, 1, rng, Threads(2, "teaching")
    )
    assert explained > 0.04


def test_its_own_value_serves_as_well(tmp_path):
    run = train(small(tmp_path, critic="own", decisions=3 * WINDOW), QUIET)
    assert run.critic is None
    assert not [name for name in _tensors(tmp_path) if "critic" in name]


@pytest.mark.usefixtures("_few_random_steps")
@pytest.mark.parametrize("net", ["seats", "mlp"])
def test_one_net_learns_lunatic_extra_at_four_to_eight(tmp_path, net):
    """Three sizes of table share the games, all of them of both boxes; the net then plays at sizes it never saw, too."""
    run = train(small(tmp_path, net=net, players="4,6,8", expansion="lunatic_extra", games=12, decisions=2 * 12 * 24), QUIET)
    assert [(table.config.num_players, table.games, table.config.expansion) for table in run.tables] == [
        (players, 4, "lunatic_extra") for players in (4, 6, 8)
    ]
    assert [tuple(table.returns.shape) for table in run.tables] == [(24, 4, players) for players in (4, 6, 8)]
    for players in (5, 7):
        vec = make_vec(4, GameConfig(num_players=players, expansion="lunatic_extra"))
        vec.reset(1)
        agent = registry.make(f"neural:{tmp_path}", 1)
        for _ in range(30):
            vec.step(agent.act(vec.observations, vec.action_masks))
            vec.check()


def test_one_net_learns_where_characters_are_chosen_and_where_they_are_dealt(tmp_path):
    """Half of the games begin with the choice of a character, the others have them dealt; a plain table stays as it is."""
    run = train(small(tmp_path, players="4,5", characters="choose,random", games=8, decisions=8 * 24), QUIET)
    assert [(table.config.num_players, table.config.characters, table.games) for table in run.tables] == [
        (4, "choose", 2), (4, "random", 2), (5, "choose", 2), (5, "random", 2)
    ]  # fmt: skip
    assert [table.opening[0].all() for table in run.tables] == [True, False, True, False]
    assert len({seed for table in run.tables for seed in table.vec.games["seed"].tolist()}) == 8, "no table deals another's games"
    assert [config.characters for config in PPOArgs(table=GameConfig(characters="random")).configs()] == ["random"]
    with pytest.raises(ValueError, match="characters"):
        train(small(tmp_path, resume=True, characters="choose"), QUIET)


def test_the_critic_sees_lunatic_cards_where_they_are_played():
    """Which cards of every hand are Lunatic, as the table would see with all hands open; in the base game there is no room for them."""
    config = GameConfig(num_players=6, expansion="lunatic_extra")
    vec = make_vec(8, config)
    vec.reset(2)
    for _ in range(300):
        vec.step(vec.sample())
    critic = CentralCritic(config)
    seats = critic.take(vec.states())[:, : critic.sizes[0]].reshape(8, 8, -1)
    found = seats[:, :, -NUM_KINDS:].astype(int)
    np.testing.assert_array_equal(found.sum(2), vec.games["lunatic_in_hand"])
    assert found.any()
    assert critic.sizes[0] - CentralCritic(GameConfig()).sizes[0] >= 8 * NUM_KINDS


# ---------------------------------------------------------------- killed and resumed


def _tensors(folder):
    return safetensors.torch.load_file(folder / CHECKPOINT)


def assert_same_run(folder, other):
    first, second = _tensors(folder), _tensors(other)
    assert first.keys() == second.keys()
    for name, tensor in first.items():
        assert torch.equal(tensor, second[name]), name


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run that nobody disturbs: 6 windows."""
    folder = tmp_path_factory.mktemp("whole")
    train(small(folder, decisions=6 * WINDOW), QUIET)
    return folder


class KilledError(Exception):
    pass


def run_killed_and_resumed(args, monkeypatch, steps):
    """Kill a run after this number of steps of the games of its last table, and resume it."""

    class Mortal(PPORun):
        def __init__(self, args, net=None):
            super().__init__(args, net)
            vec, left = self.tables[-1].vec, [steps]
            step = vec.step

            def killing(actions):
                if not left[0]:
                    raise KilledError
                left[0] -= 1
                step(actions)

            vec.step = killing

    with monkeypatch.context() as patch:
        patch.setattr(ppo, "PPORun", Mortal)
        with pytest.raises(KilledError):
            train(args, QUIET)
    return train(replace(args, resume=True), QUIET)


@pytest.mark.parametrize("steps", [3, 24 * 2 + 5, 24 * 4 - 1, 24 * 5 + 12])
def test_a_run_killed_in_any_window_continues_bit_for_bit(whole, tmp_path, monkeypatch, steps):
    run = run_killed_and_resumed(small(tmp_path, decisions=6 * WINDOW), monkeypatch, steps)
    assert run.windows == 6
    assert_same_run(tmp_path, whole)
    assert figures(tmp_path) == figures(whole)
    assert len({step for _, step in figures(tmp_path)}) == 6


@pytest.mark.usefixtures("_few_random_steps")
@pytest.mark.parametrize(
    "given",
    [
        {"net": "mlp", "players": "4,5"}, {"history": 8, "role_blind": True}, {"critic": "own", "epochs": 2},
        {"critic": "roleless", "learn_from": 1.0}, {"critic": "flat"}, {"roles": "basic", "players": "4", "expansion": "lunatic_extra"},
    ],
    ids=str,
)  # fmt: skip
def test_so_does_every_kind_of_run(tmp_path, monkeypatch, given):
    train(small(tmp_path / "whole", decisions=4 * WINDOW, **given), QUIET)
    run_killed_and_resumed(small(tmp_path / "killed", decisions=4 * WINDOW, **given), monkeypatch, 24 * 2 + 5)
    assert_same_run(tmp_path / "killed", tmp_path / "whole")


@pytest.mark.parametrize(
    "league", [{"opponents": "heuristic", "own_seats": 1}, {"opponents": "self,past,random", "remember_every": 3, "critic": "own"}]
)
def test_a_run_with_opponents_continues_bit_for_bit(tmp_path, monkeypatch, league):
    """Their seats, random numbers, results and past selves too; the games are long enough that some end on both sides of the break."""
    given = {"decisions": 9 * 8 * 96, "window": 96, **league}
    run = train(small(tmp_path / "whole", **given), QUIET)
    assert run.games_ended > 8
    run_killed_and_resumed(small(tmp_path / "killed", **given), monkeypatch, 96 * 5 + 5)
    assert_same_run(tmp_path / "killed", tmp_path / "whole")


def curve_of(folder):
    """The points of a run's learning curve, without the time they took."""
    points = load_checkpoint(folder / CHECKPOINT)[2]["curve"]
    return [{name: number for name, number in point.items() if name != "seconds"} for point in points]


def test_a_resumed_run_tells_the_same_role_separation(tmp_path, monkeypatch):
    """What was counted before the break counts, and a run that has nothing left to do tells what it told."""
    given = {"decisions": 6 * WINDOW, "final_deals": 2, "players": "4"}
    train(small(tmp_path / "whole", **given), QUIET)
    assert "Stage Boss to the Heroine" in curve_of(tmp_path / "whole")[-1]
    run_killed_and_resumed(small(tmp_path / "killed", **given), monkeypatch, 24 * 5 + 5)
    assert curve_of(tmp_path / "killed") == curve_of(tmp_path / "whole")
    train(small(tmp_path / "killed", resume=True, **given), QUIET)
    assert curve_of(tmp_path / "killed") == curve_of(tmp_path / "whole")
    train(small(tmp_path / "killed", resume=True, **given | {"decisions": 7 * WINDOW}), QUIET)
    assert curve_of(tmp_path / "killed")[:-1] == curve_of(tmp_path / "whole"), "and the next line tells of what came after it"


@pytest.mark.slow
def test_a_killed_process_continues_bit_for_bit(tmp_path):
    """The real thing: SIGKILL between two checkpoints, somewhere."""
    given = {"decisions": 60 * WINDOW, "checkpoint_every": 1}
    command = [sys.executable, "-m", "danmaku_env.training.ppo", *words(tmp_path / "killed", **given)]
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=subprocess.DEVNULL)
    path, deadline = tmp_path / "killed" / CHECKPOINT, time.monotonic() + 120
    while time.monotonic() < deadline and not (path.exists() and load_checkpoint(path)[2]["windows"] >= 3):
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert load_checkpoint(path)[2]["windows"] < 60
    train(small(tmp_path / "killed", resume=True, **given), QUIET)
    train(small(tmp_path / "whole", **given), QUIET)
    assert_same_run(tmp_path / "killed", tmp_path / "whole")


def test_two_threads_learn_the_same_up_to_rounding(tmp_path):
    runs = [PPORun(small(tmp_path, threads=threads)) for threads in (1, 2)]
    for run in runs:
        run.play()
        run.learn()
    first, second = (run.net.state_dict() for run in runs)
    for name in first:
        torch.testing.assert_close(first[name], second[name], atol=1e-4, rtol=1e-3)


def figures(folder):
    """What TensorBoard shows of a run: (figure, step) -> value, without those of time."""
    found = EventAccumulator(str(folder)).Reload()
    names = [name for name in found.Tags()["scalars"] if not name.startswith("speed/")]
    return {(name, event.step): event.value for name in names for event in found.Scalars(name)}


# ---------------------------------------------------------------- budgets, tables, opponents, beginnings


def test_a_run_ends_with_its_budget(tmp_path):
    assert train(small(tmp_path / "counted", decisions=2 * WINDOW + 1), QUIET).decisions == 3 * WINDOW
    began = time.perf_counter()
    run = train(small(tmp_path / "timed", seconds=0.5), QUIET)
    assert run.windows > 0
    assert 0.5 <= run.seconds < time.perf_counter() - began
    assert train(small(tmp_path / "timed", seconds=0.5, resume=True), QUIET).windows == run.windows


def test_several_numbers_of_players_share_the_games(tmp_path):
    run = PPORun(small(tmp_path, players="4,6,8"))
    assert [(table.config.num_players, table.games) for table in run.tables] == [(4, 2), (6, 3), (8, 3)]
    run.play()
    for table in run.tables:
        assert table.seats.max() == table.config.num_players - 1
        assert ((table.roles != 255).sum(2) == table.config.num_players).all()
    run.learn()
    assert run.decisions == WINDOW


@pytest.mark.parametrize(("opponents", "asked", "own"), [("self", 0, 6), ("heuristic", 0, 3), ("random", 1, 1), ("past,random", 5, 5)])
def test_others_have_their_seats_and_nobody_learns_from_them(tmp_path, monkeypatch, opponents, asked, own):
    run = PPORun(small(tmp_path, window=96, opponents=opponents, own_seats=asked, learn_from=1.0))
    answers, lineups, table = [], set(), run.tables[0]
    act = table.league.act
    monkeypatch.setattr(table.league, "act", lambda vec, games: answers.append(len(games)) or act(vec, games))
    learned = 0
    for _ in range(5):
        assert (table.league.theirs.sum(1) == 6 - own).all()
        assert not table.league.theirs[:, 6:].any()
        lineups |= {tuple(row) for row in table.league.theirs}
        run.play()
        learned += table.own.sum()
        assert (table.flat("inputs")[~torch.from_numpy(table.own.ravel())] == 0).all() or own < 6
        run.learn()
    assert learned + sum(answers) == run.decisions
    assert (sum(answers) == 0) == (own == 6)
    assert (len(lineups) > 1) == (own < 6)


@pytest.mark.usefixtures("_few_random_steps")
@pytest.mark.parametrize("kind", ["seats", "mlp", "tokens"])
def test_a_run_begins_with_a_net_of_any_kind(whole, tmp_path, kind, monkeypatch):
    """Its shape and weights hold, whatever the options say, its games teach the critic, and what comes of it plays."""
    monkeypatch.setattr(central_critic, "_STEPS", 60)
    start = {"seats": whole, "mlp": tmp_path / "mlp", "tokens": neural.SHIPPED}[kind]
    if kind == "mlp":
        train(small(start, net="mlp", decisions=1), QUIET)
    folder = tmp_path / "next"
    run = train(
        small(folder, start=str(start), width=64, games=2, window=6, decisions=1, learning_rate=0.0, teach=1, teach_by="net"), QUIET
    )
    first, now = load_net(start), load_net(folder)
    assert (now.kind, now.history, now.prior_policy) == (kind, first.history, first.prior_policy)
    assert run.args.table.history == first.history
    for name, tensor in first.state_dict().items():
        assert torch.equal(now.state_dict()[name], tensor)
    assert train(PPOArgs(folder=folder, resume=True, seconds=0, decisions=30, report_every=0, final_deals=0), QUIET).windows == 3
    assert registry.make(f"neural:{folder}", 0).name == "neural"


def test_a_start_that_is_not_there_leaves_nothing_behind(tmp_path):
    with pytest.raises(ValueError, match="there is no net to start from"):
        small(tmp_path / "run", teach_by="net")
    with pytest.raises(CheckpointError, match="there is no checkpoint to read"):
        train(small(tmp_path / "run", start=str(tmp_path / "nobody")), QUIET)
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("_few_random_steps")
def test_what_was_trained_plays_in_a_tournament(whole, tmp_path, capfd):
    train(small(tmp_path / "mlp", net="mlp", decisions=1), QUIET)
    agents = ["random", f"neural:{whole}", f"neural:{tmp_path / 'mlp'},greedy=no"]
    given = ["--deals", "2", "--players", "6", "--processes", "1", "--replays", "0", "--out", str(tmp_path / "tournament")]
    assert exit_status(cli.main, "tournament", *agents, *given) == 0
    assert "neural" in capfd.readouterr().out


# ---------------------------------------------------------------- what a run tells


def test_a_run_tells_in_lines_a_table_and_a_picture_how_it_gets_on(tmp_path):
    """Where there is no terminal too: reward against random play and the heuristic, and whom the factions name."""
    room = io.StringIO()
    console = Console(file=room, width=60)
    given = {"report_every": 1e-6, "report_deals": 2, "final_deals": 2, "checkpoint_every": 1, "window": 192}
    run = train(small(tmp_path, decisions=2 * 8 * 192, **given), console)
    lines = (tmp_path / LOG).read_text("utf-8").splitlines()
    assert len(lines) == len(run.curve.points) == 2, "the last line is that of the end"
    for line in lines:
        against = r"random [+-]\d\.\d\d ± \S+, heuristic [+-]\d\.\d\d ± \S+"
        named = r"Stage Boss \d+ %, .*to the Heroine \(chance \d+ %\)"
        assert re.fullmatch(rf"0\.0\d M decisions in \d+ s; reward above {against}; {named}.*", line)
        assert line in room.getvalue(), "in one line, however narrow"
    with open(tmp_path / CURVE, newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["decisions"]) for row in rows] == [8 * 192, 2 * 8 * 192]
    assert {"random", "random ±", "heuristic", "Stage Boss to the Heroine", "Stage Boss enemies by chance"} <= rows[0].keys()
    assert (tmp_path / PICTURE).read_bytes().startswith(b"\x89PNG")
    assert load_checkpoint(tmp_path / CHECKPOINT)[2]["curve"] == run.curve.points
    train(small(tmp_path, decisions=3 * 8 * 192, resume=True, **given), QUIET)
    again = (tmp_path / LOG).read_text("utf-8").splitlines()
    assert again[0] == lines[0]
    assert len(again) == 3, "no line twice"


def test_a_run_that_is_not_to_be_measured_is_not(whole):
    assert not [name for name in (LOG, CURVE, PICTURE) if (whole / name).exists()]


def test_a_report_that_cannot_be_written_leaves_the_run(tmp_path, capfd, monkeypatch):
    monkeypatch.setattr(progress_report, "write_atomically", no_space)
    assert exit_status(main, *words(tmp_path, decisions=1, checkpoint_every=1, final_deals=2)) == 2
    why = f"nothing more can be written to {tmp_path} (No space left on device); the checkpoint in {tmp_path}, number 1, is sound"
    assert why in capfd.readouterr().err


def test_the_checkpoint_tells_how_it_was_made(whole):
    about = load_checkpoint(whole / CHECKPOINT)[2]
    assert (about["trainer"], about["args"]["seed"], about["windows"], about["decisions"]) == ("ppo", 1, 6, 6 * WINDOW)
    assert {"torch", "numpy", "python", "danmaku-env", "rules"} <= about["versions"].keys()
    assert about["command"].startswith("python -m danmaku_env.training.ppo --seconds 0 --seed 1 ")


# ---------------------------------------------------------------- whose run it is


def test_a_run_is_not_overwritten_nor_resumed_as_another(whole, tmp_path):
    with pytest.raises(ValueError, match="already holds a run"):
        train(small(whole), QUIET)
    with pytest.raises(ResumeError, match="players is 6 in the run to resume; it cannot become 5"):
        train(small(whole, resume=True, players="5"), QUIET)
    with pytest.raises(CheckpointError, match="not a folder"):
        train(small(tmp_path / "nowhere", resume=True), QUIET)
    with pytest.raises(CheckpointError, match="no checkpoint to read"):
        train(small(tmp_path, resume=True), QUIET)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (["--games", "512"], "games is 8 in the run to resume; it cannot become 512"),
        (["--seed", "1", "--width", "64"], "width is 16 in the run to resume; it cannot become 64"),
        (["--belief-weight", "0.1", "--roles", "advanced", "--opponents", "self"], None),
    ],
)
def test_an_option_in_the_command_line_is_a_wish_also_where_it_is_as_usual(whole, tmp_path, capfd, given, reason):
    """What nobody says is that of the run: 512 games would be the usual number."""
    shutil.copytree(whole, tmp_path / "run")
    budgets = ["--seconds", "0", "--decisions", "1", "--final-deals", "0"]
    status = exit_status(main, "--resume", "--folder", str(tmp_path / "run"), *budgets, *given)
    said = capfd.readouterr().err
    assert (status, f"ppo: {reason}\n" in said) == ((2, True) if reason else (0, False))
    assert not is_given("games"), "the command line is over"


def kept_open(folder, resume):
    """Another process has a folder for itself, until it is killed."""
    code = "import sys, time, pathlib; from danmaku_env.training.resuming import run_folder; folder = pathlib.Path(sys.argv[1])\n"
    code += f"with run_folder(folder, pathlib.Path('runs/ppo'), resume={resume}): print('in', flush=True); time.sleep(600)"
    process = subprocess.Popen([sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "in\n"
    return process


@pytest.mark.skipif(os.name != "posix", reason="locks are those of POSIX")
def test_two_runs_are_never_in_one_folder(whole, tmp_path, monkeypatch):
    shutil.copytree(whole, tmp_path / "run")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    others = [kept_open(tmp_path / "run", True), kept_open(tmp_path / "fresh", False)]
    for args in (small(tmp_path / "run", resume=True), small(tmp_path / "fresh")):
        with pytest.raises(ValueError, match="is in use by another run at this moment"):
            train(args, QUIET)
    for other in others:
        other.kill()
        other.communicate()
    assert train(small(tmp_path / "run", resume=True, decisions=1), QUIET).windows == 6
    assert train(small(tmp_path / "fresh", decisions=1), QUIET).windows == 1
    assert not list(tmp_path.glob("*/*.lock"))


def test_two_runs_without_a_folder_get_one_each_and_leave_nothing_where_nothing_was_done(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first, second = (resuming.run_folder(PPOArgs.folder, PPOArgs.folder, resume=False) for _ in range(2))
    with first as one, second as other:
        assert (one, other) == (Path("runs/ppo"), Path("runs/ppo-2"))
    assert not list(Path("runs").iterdir())


def test_the_default_folder_is_never_in_the_way(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("ppo", "ppo-2"):
        assert train(small(PPOArgs.folder, decisions=1), QUIET).args.folder == Path("runs") / name


OWN = """
import pathlib
pathlib.Path("ran").touch()
class Own:
    def reset(self, seed): pass
    def act(self, observations, masks, info_states=None): return masks.argmax(1) {fault}
"""


def test_code_that_a_checkpoint_names_runs_only_where_it_is_named_again(whole, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "foreign_code.py").write_text(OWN.format(fault=""), "utf-8")
    args = load_checkpoint(whole / CHECKPOINT)[2]["args"]
    for own in ("exec:touch ran", "self,foreign_code:Own"):
        rewritten(whole, tmp_path, args=args | {"opponents": own})
        assert exit_status(main, *words(tmp_path), "--resume") == 2
        assert f"if you trust it, say so by adding --opponents {shlex.quote(own)}" in capfd.readouterr().err
    with pytest.raises(ResumeError, match="it cannot become random"):
        train(small(tmp_path, resume=True, opponents="random"), QUIET)
    assert not (tmp_path / "ran").exists()
    with pytest.raises(CheckpointError, match="could not broadcast"):  # the run was without
        train(small(tmp_path, resume=True, opponents="self,foreign_code:Own"), QUIET)
    assert (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("name", "fault", "words"),
    [
        ("raises", "* {}[3]", "failed while it played: KeyError: 3"),
        ("halves", "+ 0.5", "gave an array of float64"),
        ("minus", "* 0 - 1", "gave an answer that is not legal"),
    ],
)
def test_an_opponent_that_does_not_answer_is_named(tmp_path, monkeypatch, name, fault, words):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"opponent_{name}.py").write_text(OWN.format(fault=fault), "utf-8")
    with pytest.raises(TrainingError, match=f"stopped: the agent 'Own' {words}.*; the checkpoint in .*, number 0, is sound; --resume"):
        train(small(tmp_path / "run", opponents=f"opponent_{name}:Own", decisions=1), QUIET)


def rewritten(whole, folder, tensors=(), **about):
    """The checkpoint of a run with other tensors (None: without) and other plain data, its checksum as it should be."""
    net, kept, said = load_checkpoint(whole / CHECKPOINT)
    kept = {name: value for name, value in {**kept, **dict(tensors)}.items() if value is not None}
    said = {name: value for name, value in (said | about).items() if value is not ...}
    save_checkpoint(folder / CHECKPOINT, net, kept, said)


def test_a_run_rewritten_as_it_is_can_be_resumed(whole, tmp_path):
    rewritten(whole, tmp_path)
    assert train(small(tmp_path, resume=True, decisions=1), QUIET).windows == 6


@pytest.mark.parametrize(("name", "number"), [("actions", 10**9), ("actions", -1), ("masks", 0), ("roles", 200)])
def test_an_answer_that_cannot_wait_is_refused(tmp_path, name, number):
    """With its own value a net's last answers wait in the checkpoint."""
    train(small(tmp_path / "run", critic="own", players="4", decisions=WINDOW), QUIET)
    waiting = f"waiting.0.{name}"
    kept = load_checkpoint(tmp_path / "run" / CHECKPOINT)[1][waiting]
    rewritten(tmp_path / "run", tmp_path / "run", {waiting: torch.full_like(kept, number)})
    with pytest.raises(CheckpointError, match="does not hold a whole run: an answer waits that nobody can have given"):
        train(small(tmp_path / "run", resume=True), QUIET)


def test_a_run_of_the_trainer_before_cannot_be_resumed_but_its_net_plays(tmp_path):
    """Its checkpoint names no trainer."""
    save_checkpoint(tmp_path / CHECKPOINT, Net(8), {}, {"args": {"seed": 1}, "windows": 3, "records": resuming.record_layout()})
    why = "is of another trainer or version of danmaku-env; the net can be used .--start., but the run not resumed"
    with pytest.raises(CheckpointError, match=why):
        train(small(tmp_path, resume=True), QUIET)
    vec = in_the_middle()
    actions = registry.make(f"neural:{tmp_path}", 0).act(vec.observations, vec.action_masks)
    assert vec.action_masks[np.arange(8), actions].all()
    assert train(small(tmp_path / "next", start=str(tmp_path), decisions=1), QUIET).net.kind == "tokens"


def labelled(folder, rules):
    """Give the checkpoint of a folder other rules, or none, its checksum as it should be."""
    tensors, about = parts(folder / CHECKPOINT)
    about = {name: value for name, value in {**about, "rules": rules}.items() if value is not None}
    (folder / CHECKPOINT).write_bytes(signed(tensors, about))


def test_a_run_of_other_rules_is_not_resumed_but_its_net_can_be_begun_with(whole, tmp_path):
    (tmp_path / "run").mkdir()
    rewritten(whole, tmp_path / "run")
    labelled(tmp_path / "run", "9b992b469dd8")
    with pytest.raises(CheckpointError, match=f"trained under the rules 9b992b469dd8, and these are {rules_fingerprint()}: its net can"):
        train(small(tmp_path / "run", resume=True, decisions=1), QUIET)
    with pytest.warns(RulesWarning, match=f"was trained under the rules 9b992b469dd8, and goes on under {rules_fingerprint()}"):
        ppo.begin(small(tmp_path / "new", start=str(tmp_path / "run")), QUIET)
    labelled(tmp_path / "run", None)
    with pytest.warns(RulesWarning, match=r"the run in .* does not say which rules made it"):
        assert train(small(tmp_path / "run", resume=True, decisions=1), QUIET).windows == 6


def kept(name):
    return lambda whole: load_checkpoint(whole / CHECKPOINT)[1][name].clone()


@pytest.mark.parametrize(
    ("tensors", "about", "reason"),
    [
        ({}, {"records": "other"}, "of another trainer or version"),
        ({}, {"trainer": ...}, "of another trainer or version"),
        ({}, {"windows": ...}, "'windows' is missing"),
        ({}, {"windows": -1}, "windows is -1"),
        ({}, {"windows": "six"}, "windows is 'six'"),
        ({}, {"windows": 2**70}, "windows is 11805"),
        ({}, {"seconds": None}, "seconds is None"),
        ({}, {"games_ended": 1.5}, "games_ended is 1.5"),
        ({}, {"curve": {"a": 1}}, "no list of points"),
        ({}, {"curve": [{"decisions": 1}]}, "no list of points"),
        ({}, {"args": []}, "its options are no table"),
        ({}, {"args": {}}, "it has no option folder, so it was begun with another version"),
        ({}, {"args": {"games": 10**6}}, "it says that 1000000 games"),
        ({}, {"args": {"width": "16"}}, "its option width is '16'"),
        ({}, {"args": {"epochs": True}}, "its option epochs is True"),
        ({}, {"args": {"net": "cnn"}}, "its option net is 'cnn'"),
        ({}, {"args": {"gae_lambda": 7.0}}, "gae_lambda must be from 0 to 1"),
        ({}, {"args": {"players": "4,6"}}, "does not hold a whole run"),
        ({"dice": None}, {}, "'dice' is missing"),
        ({"dice": lambda _: torch.zeros(7, dtype=torch.uint8)}, {}, "RNG state size"),
        ({"table.0.league.theirs": lambda _: torch.ones(8, 8, dtype=torch.bool)}, {}, "somebody plays who is not in the league"),
        ({"table.0.league.member": lambda _: torch.full((8,), 3)}, {}, "somebody plays who is not in the league"),
        ({"critic.value.bias": None}, {}, "'critic.value.bias' is missing"),
        ({"games.0": lambda whole: kept("games.0")(whole)[:, :-1]}, {}, "its games are"),
        ({"games.0": lambda whole: kept("games.0")(whole).fill_(255)}, {}, "no such game is possible"),
        ({"adam.value.weight.exp_avg": lambda _: torch.zeros(2, 16)}, {}, "what Adam keeps for value.weight is of another shape"),
        ({"adam.critic.value.weight.step": lambda _: torch.tensor(-1.0)}, {}, "what Adam keeps for critic.value.weight cannot be"),
        ({"adam.value.bias.exp_avg_sq": lambda _: torch.full((1,), -1.0)}, {}, "what Adam keeps for value.bias cannot be"),
        ({"adam.value.weight.exp_avg": None}, {}, "'adam.value.weight.exp_avg' is missing"),
        ({"adam.value.bias.exp_avg_sq": lambda _: torch.full((1,), torch.inf)}, {}, "has become NaN"),
    ],
)  # fmt: skip
def test_a_run_that_cannot_have_been_is_refused(whole, tmp_path, tensors, about, reason):
    if isinstance(about.get("args"), dict) and about["args"]:
        about = {"args": load_checkpoint(whole / CHECKPOINT)[2]["args"] | about["args"]}
    rewritten(whole, tmp_path, {name: change and change(whole) for name, change in tensors.items()}, **about)
    before = (tmp_path / CHECKPOINT).read_bytes()
    with pytest.raises(CheckpointError, match=reason):
        train(PPOArgs(folder=tmp_path, resume=True, seconds=0, decisions=1), QUIET)
    assert (tmp_path / CHECKPOINT).read_bytes() == before


# ---------------------------------------------------------------- what stops a run


def test_a_net_that_becomes_nan_stops_the_run_and_the_last_checkpoint_stays(tmp_path, monkeypatch):
    learn = PPORun.learn

    def spoil(run):
        if run.windows == 4:
            run.net.policy.weight.data[0, 0] = torch.nan
        return learn(run)

    monkeypatch.setattr(PPORun, "learn", spoil)
    words = "training stopped: the network has become NaN; the checkpoint in .*, number 4, is sound; a smaller --learning-rate"
    with pytest.raises(TrainingError, match=words):
        train(small(tmp_path, decisions=6 * WINDOW), QUIET)
    monkeypatch.undo()
    assert load_checkpoint(tmp_path / CHECKPOINT)[2]["windows"] == 4
    assert train(small(tmp_path, decisions=6 * WINDOW, resume=True), QUIET).windows == 6


def test_a_critic_that_becomes_nan_does_so_too(tmp_path, monkeypatch):
    play = PPORun.play

    def spoil(run):
        if run.windows:
            run.critic.value.weight.data.fill_(torch.nan)
        return play(run)

    monkeypatch.setattr(PPORun, "play", spoil)
    with pytest.raises(TrainingError, match=r"training stopped: the critic has become NaN; the checkpoint in .*, number 1, is sound"):
        train(small(tmp_path, decisions=6 * WINDOW, checkpoint_every=1), QUIET)


def test_a_learning_rate_that_is_much_too_large_ends_with_a_sentence(tmp_path, capfd):
    assert exit_status(main, *words(tmp_path, decisions=50 * WINDOW, learning_rate=1e6)) == 2
    said = capfd.readouterr().err
    assert re.search(r"ppo: training stopped: the network has become NaN; the checkpoint in .*, number \d+", said)
    assert "Traceback" not in said
    assert load_checkpoint(tmp_path / CHECKPOINT)


@pytest.mark.parametrize("place", ["checkpoint", "log"])
def test_a_full_disk_ends_training_with_a_sentence(tmp_path, capfd, monkeypatch, place):
    def fill(run):
        if run.windows == 3:
            monkeypatch.setattr(*(("os.fsync", no_space) if place == "checkpoint" else (TensorBoardLog, "_write", no_space)))
        return play(run)

    play = PPORun.play
    monkeypatch.setattr(PPORun, "play", fill)
    assert exit_status(main, *words(tmp_path, decisions=10**6, checkpoint_every=2)) == 2
    why, kept = r"nothing more can be written to .* \(No space left on device\)", r"the checkpoint in .*, number 2, is sound"
    assert re.search(rf"ppo: training stopped: {why}; {kept}; --resume goes on from it\n", capfd.readouterr().err)
    assert load_checkpoint(tmp_path / CHECKPOINT)[2]["windows"] == 2
    assert not list(tmp_path.glob(".*"))


def test_where_nothing_was_kept_nothing_is_said_to_go_on(tmp_path, capfd, monkeypatch):
    monkeypatch.setattr("os.fsync", no_space)
    assert exit_status(main, *words(tmp_path)) == 2
    assert capfd.readouterr().err.endswith("(No space left on device); nothing was kept yet\n")


@pytest.mark.parametrize(
    "error",
    [RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried"), torch.OutOfMemoryError("no"), MemoryError()],
)
def test_too_much_memory_is_a_sentence(tmp_path, capfd, monkeypatch, error):
    def play(run):
        raise error

    monkeypatch.setattr(PPORun, "play", play)
    assert exit_status(main, *words(tmp_path, decisions=1)) == 2
    assert capfd.readouterr().err.endswith("ppo: this takes more memory than there is\n")


@pytest.mark.parametrize("when", ["play", "teach"])
def test_stopping_by_hand_says_how_to_go_on(tmp_path, capfd, monkeypatch, when):
    """Also while the critic is taught, before there is anything to go on from."""

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(PPORun, when, interrupted)
    assert exit_status(main, *words(tmp_path)) == 130
    said = capfd.readouterr().err
    if when == "play":
        assert f"stopped; --resume --folder {tmp_path} goes on from the last checkpoint" in said
        assert load_checkpoint(tmp_path / CHECKPOINT)[2]["windows"] == 0
    else:
        assert "stopped" in said
        assert "Traceback" not in said
        assert not list(tmp_path.iterdir())


# ---------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"players": "9"}, "num_players must be"),
        ({"players": "six"}, "players must be different numbers from 4 to 8 with commas between, like 4,5,6, not 'six'"),
        ({"players": "6,6"}, "players must be different numbers"),
        ({"players": "4,5", "games": 1}, "games must be at least 2, one at each table that is played, not 1"),
        ({"characters": "dealt"}, "characters must be different ones of choose, random, draft, double_threat, none, with commas between"),
        ({"characters": "random,random"}, "characters must be different ones"),
        ({"characters": "choose,random", "games": 1}, "games must be at least 2, one at each table that is played, not 1"),
        (
            {"table": "Base6-v0", "characters": "choose"},
            "characters is choose, and the table Base6-v0 has random: leave one of the two out",
        ),
        ({"seed": -1}, "a seed is"),
        ({"games": 0}, "games must be at least 1"),
        ({"games": 10**12}, "games must be at least 1 and at most 1,048,576, not 1000000000000"),
        ({"width": 10**9}, "width must be"),
        ({"exchanges": 9}, "exchanges must be at least 1 and at most 8"),
        ({"history": -1}, "history must"),
        ({"teach": -1}, "teach must not be negative"),
        ({"final_deals": 1}, "final_deals must be 0 or at least 2, not 1"),
        ({"report_deals": 10**23}, "report_deals must be 0 or at least 2"),
        ({"learning_rate": float("nan")}, "learning_rate must be from 0"),
        ({"learning_rate": 1e38}, "learning_rate must be from 0 to 1e"),
        ({"gae_lambda": 1.5}, "gae_lambda must be from 0 to 1"),
        ({"clip": 0.0}, "clip must be above 0"),
        ({"learn_from": 0.0}, "learn_from must be above 0"),
        ({"learn_from": 1.5}, "learn_from must be from 0 to 1"),
        ({"device": "abacus"}, "device must be"),
        ({"opponents": "sharks"}, "there is no agent 'sharks'"),
        ({"opponents": "past,past"}, "names somebody twice"),
        ({"own_seats": 6}, "own_seats must be from 0"),
        ({"own_seats": 2}, "own_seats is of games with others, and the net plays with itself alone: name opponents too"),
        ({"players": "4,04"}, "players must be different numbers"),
        ({"players": "4,\u0665"}, "players must be different numbers"),
        ({"players": "4,,5"}, "players must be different numbers"),
        ({"critic": "stern"}, "critic must be one of|critic must be central"),
        ({"net": "cnn"}, "net must be one of|net must be seats or mlp"),
        ({"remember_every": 0}, "remember_every must be at least 1"),
    ],
)
def test_senseless_options_are_refused(changes, reason):
    with pytest.raises(ValueError, match=reason):
        told(PPOArgs, **changes)


def test_every_option_says_what_it_is():
    assert field_docs(PPOArgs).keys() == {field.name for field in fields(PPOArgs)}


def test_the_command_line(tmp_path, capfd):
    assert exit_status(main, "--no-such-option") == 2
    assert re.fullmatch(r"ppo: No such option: --no-such-option.*\n", capfd.readouterr().err)
    assert exit_status(main, "--players", "nine") == 2
    assert "players must be different numbers" in capfd.readouterr().err
    assert exit_status(main, "--opponents", "self,heuristic", "--remember-every", "7") == 2
    assert "remember_every is of past selves, and there are none among the opponents: name past too" in capfd.readouterr().err
    assert exit_status(main, "--table", "Tiny-v0", "--players", "6") == 2
    assert "players is 6, and the table Tiny-v0 has 4: leave one of the two out" in capfd.readouterr().err
    assert exit_status(main, "--resume", "--folder", str(tmp_path / "nowhere")) == 2
    assert capfd.readouterr().err.count("\n") == 1
    assert exit_status(main, "--help") == 0
    assert "--gae-lambda" in capfd.readouterr().out


@pytest.mark.parametrize("words", [["--nope"], ["--players", "99"], ["--players", "nine"], ["--folder", "a\0b"]])
def test_the_command_danmaku_train_speaks_like_all_others(words, capfd):
    assert exit_status(cli.main, "train", *words) == 2
    assert re.fullmatch(r"danmaku: .+\n", capfd.readouterr().err)
