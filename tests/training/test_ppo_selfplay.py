import json
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

from danmaku_env import cli
from danmaku_env.agents.checkpoints import CHECKPOINT, CheckpointError, load_checkpoint, load_net, save_checkpoint
from danmaku_env.agents.nets import Net
from danmaku_env.agents.reading import reading_of
from danmaku_env.arena.options import field_docs
from danmaku_env.arena.roles import group_names
from danmaku_env.arena.tournaments.plan import Plan
from danmaku_env.cards.box import KIND_IDS, NUM_KINDS, ROLE_IDS
from danmaku_env.game import RulesWarning, rules_fingerprint
from danmaku_env.training import critic, evaluate, ppo_selfplay, reporting, resuming
from danmaku_env.training.decisions import Buffer
from danmaku_env.training.event_log import EventLog
from danmaku_env.training.options import is_given
from danmaku_env.training.ppo_selfplay import Args, Run, main, train
from danmaku_env.training.resuming import ResumeError, TrainingError
from tests.agents.test_checkpoints import parts, signed
from tests.command import exit_status

ROOT = Path(__file__).parents[2]
QUIET = Console(quiet=True)


SMALL = {"seconds": 0, "games": 8, "window": 24, "width": 16, "batch": 64, "threads": 1, "evaluate_every": 0, "device": "cpu"}


def small(folder, **changes):
    return Args(folder=folder, **{**SMALL, "checkpoint_every": 2, **changes})


def words(folder, **changes):
    """The same on the command line."""
    given = {**SMALL, "folder": folder, **changes}
    return [word for name, value in given.items() for word in ("--" + name.replace("_", "-"), str(value))]


class Witness:
    """Keeps what every step of a run's games asks and pays, apart from the buffer."""

    def __init__(self, run):
        self.run, self.seats, self.paid, self.dones = run, [], [], []
        self.step, run.vec.step = run.vec.step, self

    def __call__(self, actions):
        self.seats.append(self.run.vec.seats.copy())
        self.step(actions)
        self.paid.append(self.run.vec.rewards.copy())
        self.dones.append(self.run.vec.dones.copy())


@pytest.fixture(scope="module")
def watched(tmp_path_factory):
    """Windows of play, each as copies of the buffer's columns, and the witness of all of them."""
    run = Run(small(tmp_path_factory.mktemp("watched"), window=96))
    witness = Witness(run)
    windows = []
    for _ in range(12):
        run.play()
        kept = {name: getattr(run.buffer, name).copy() for name in ("following", "finished", "rewards", "values", "used", "pending")}
        kept |= {"complete": run.buffer.complete(), "advantages": run.buffer.advantages(0.99, 0.9)}
        windows.append(kept)
        run.learn()
    return run, witness, windows


def test_the_buffer_holds_exactly_what_the_games_paid(watched):
    _, witness, windows = watched
    per_window = np.array(witness.paid).reshape(len(windows), -1)
    assert np.array(witness.dones).sum() > 12
    for window, paid in zip(windows, per_window, strict=True):
        assert window["rewards"].sum() == paid.sum()
        assert np.abs(window["rewards"]).sum() == np.abs(paid).sum()


def test_a_payoff_reaches_every_seat_whoever_made_the_last_move(watched):
    """Replays the trajectories from the witness alone: each seat's last decision before its game ends gets that seat's payoff."""
    run, witness, windows = watched
    games, steps = run.args.games, run.args.window
    last, expected = {}, {}
    for time_, (seats, paid, dones) in enumerate(zip(witness.seats, witness.paid, witness.dones, strict=True)):
        for game in range(games):
            last[game, int(seats[game])] = time_
            if dones[game]:
                for (who, seat), when in list(last.items()):
                    if who == game:
                        expected[when, game] = float(paid[game, seat])
                        del last[who, seat]
    assert len(expected) > 60
    found = {}
    where = {}  # place of a pending decision in the next buffer -> when it was made
    for number, window in enumerate(windows):
        made = {run.buffer.carried + step * games + game: (number * steps + step, game) for step in range(steps) for game in range(games)}
        made |= where
        found |= {made[row]: float(window["rewards"][row]) for row in np.flatnonzero(window["finished"])}
        waiting = np.argwhere(window["pending"] >= 0)
        where = {game * 8 + seat: made[window["pending"][game, seat]] for game, seat in waiting}
    assert found == expected


def test_every_decision_is_trained_on_exactly_once(watched):
    run, _, windows = watched
    trained = sum(len(window["complete"]) for window in windows)
    assert trained + (run.buffer.pending >= 0).sum() == run.decisions
    for window in windows:
        assert not set(window["pending"][window["pending"] >= 0]) & set(window["complete"])


def test_advantages_are_those_of_each_seats_own_trajectory(watched):
    """Against the textbook: one trajectory at a time, forwards."""
    _, _, windows = watched
    gamma, lam = 0.99, 0.9
    for window in windows[:3]:
        for row in window["complete"]:
            total, weight, at = 0.0, 1.0, row
            while at >= 0:
                after = window["following"][at]
                if after < 0 and not window["finished"][at]:
                    break  # pending: its value was the bootstrap
                ahead = window["values"][after] if after >= 0 else 0.0
                total += weight * (window["rewards"][at] + gamma * ahead - window["values"][at])
                weight *= gamma * lam
                at = after
            assert window["advantages"][row] == pytest.approx(total, abs=1e-5)


def test_a_seat_that_was_never_asked_gets_nothing():
    buffer = Buffer(2, 1, 3, 0)
    buffer.link(0, np.array([0, 1]), np.array([1, 1]))
    buffer.pay(np.ones((2, 8), np.float32), np.array([True, False]))
    assert buffer.rewards.sum() == 1
    assert buffer.complete().tolist() == [16]


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
    train(small(folder, decisions=6 * 8 * 24), QUIET)
    return folder


class KilledError(Exception):
    pass


def run_killed_and_resumed(args, monkeypatch, steps):
    """Kill a run after so many steps of its games, and resume it."""

    class Mortal(Run):
        def __init__(self, args, net=None):
            super().__init__(args, net)
            step, left = self.vec.step, [steps]

            def killing(actions):
                if not left[0]:
                    raise KilledError
                left[0] -= 1
                step(actions)

            self.vec.step = killing

    with monkeypatch.context() as patch:
        patch.setattr(ppo_selfplay, "Run", Mortal)
        with pytest.raises(KilledError):
            train(args, QUIET)
    return train(replace(args, resume=True), QUIET)


@pytest.mark.parametrize("steps", [3, 24 * 2 + 5, 24 * 4 - 1, 24 * 5 + 12])
def test_a_run_killed_in_any_window_continues_bit_for_bit(whole, tmp_path, monkeypatch, steps):
    run = run_killed_and_resumed(small(tmp_path, decisions=6 * 8 * 24), monkeypatch, steps)
    assert run.windows == 6
    assert_same_run(tmp_path, whole)


@pytest.mark.parametrize("league", [{"opponents": "heuristic", "own_seats": 1}, {"opponents": "self,past,random", "remember_every": 3}])
def test_a_run_with_opponents_continues_bit_for_bit(tmp_path, monkeypatch, league):
    """Their seats, dice, results and past selves too; the games are long enough that some end on both sides of the break."""
    given = {"decisions": 12 * 8 * 96, "window": 96, **league}
    run = train(small(tmp_path / "whole", **given), QUIET)
    assert run.games_ended > 10
    run_killed_and_resumed(small(tmp_path / "killed", **given), monkeypatch, 96 * 7 + 5)
    assert_same_run(tmp_path / "killed", tmp_path / "whole")


def test_an_advised_net_plays_itself_and_its_past_bit_for_bit(tmp_path, monkeypatch):
    """Also from its own checkpoint, whose shape holds."""
    given = {"decisions": 4 * 8 * 24, "opponents": "self,past", "remember_every": 1, "adviser": "motives"}
    run = train(small(tmp_path / "whole", **given), QUIET)
    run_killed_and_resumed(small(tmp_path / "killed", **given), monkeypatch, 24 * 2 + 5)
    assert_same_run(tmp_path / "killed", tmp_path / "whole")
    assert ppo_selfplay.begin(small(tmp_path / "next", start=str(run.args.folder))).args.adviser == "motives"


@pytest.mark.parametrize(("opponents", "asked", "own"), [("self", 0, 6), ("heuristic", 0, 3), ("random", 1, 1), ("past,random", 5, 5)])
def test_others_have_their_seats_and_nobody_learns_from_them(tmp_path, monkeypatch, opponents, asked, own):
    run = Run(small(tmp_path, window=96, opponents=opponents, own_seats=asked))
    answers, lineups = [], set()
    act = run.league.act
    monkeypatch.setattr(run.league, "act", lambda vec, games: answers.append(len(games)) or act(vec, games))
    learned = 0
    for _ in range(6):
        assert (run.league.theirs.sum(1) == 6 - own).all()
        assert not run.league.theirs[:, 6:].any()
        lineups |= {tuple(row) for row in run.league.theirs}
        carried = run.buffer.used.sum()
        run.play()
        learned += run.buffer.used.sum() - carried
        waiting = np.argwhere(run.buffer.pending >= 0)
        assert not run.league.theirs[waiting[:, 0], waiting[:, 1]].any()
        run.learn()
    assert learned + sum(answers) == run.decisions
    assert (sum(answers) == 0) == (own == 6)
    assert (len(lineups) > 1) == (own < 6)


def test_opponents_leave_self_play_as_it_was(tmp_path):
    """No dice are thrown for opponents that are not there."""
    run = Run(small(tmp_path))
    before = run.dice.get_state()
    run.league.reset()
    run.league.sit(np.arange(8))
    assert torch.equal(run.dice.get_state(), before)


def test_a_run_begins_with_the_net_of_another(whole, tmp_path):
    run = ppo_selfplay.begin(small(tmp_path / "next", start=str(whole), width=64, players=4))
    assert (run.args.width, run.net.width) == (16, 16)
    for name, tensor in load_net(whole).state_dict().items():
        assert torch.equal(run.net.state_dict()[name], tensor)
    train(small(tmp_path / "more", start=str(whole), decisions=1), QUIET)
    again = train(small(tmp_path / "more", start=str(whole), decisions=8 * 24 * 2, resume=True), QUIET)
    assert again.windows == 2


def test_a_start_that_is_not_there_leaves_nothing_behind(tmp_path):
    with pytest.raises(CheckpointError, match="there is no checkpoint to read"):
        train(small(tmp_path / "run", start=str(tmp_path / "nobody")), QUIET)
    assert not (tmp_path / "run").exists()


# ---------------------------------------------------------------- the critic


def test_the_critic_sees_what_the_net_does_not(tmp_path):
    """Other hands and roles change what a position is worth to the critic, and neither the answers of the net nor its inputs."""
    run = Run(small(tmp_path))
    run.play()
    buffer = run.buffer
    rows = torch.from_numpy(np.flatnonzero(buffer.used)[-20:])
    worth = run.critic(buffer.inputs[rows], buffer.seen[rows])
    for places in (slice(1, 6), slice(8, 200)):
        other = buffer.seen[rows].clone()
        other[:, places] = other[:, places].roll(1, 1)
        assert not torch.equal(run.critic(buffer.inputs[rows], other), worth)
    assert buffer.inputs.shape[1] == run.net.taken.width


def test_what_the_critic_sees_is_true(tmp_path):
    run = Run(small(tmp_path, window=60))
    run.play()
    games, seats = run.vec.games, run.vec.seats
    seen = critic.everything(games, seats)
    for row in range(8):
        game = run.vec.game(row)
        for place in range(6):
            seat = game.seat((int(seats[row]) + place) % 6)
            assert ROLE_IDS[seen[row, place]] == seat.role
            hand = seen[row, 8 + place * NUM_KINDS : 8 + (place + 1) * NUM_KINDS]
            cards = [card.split("/")[0] for card in seat.hand]
            assert hand.tolist() == [cards.count(kind) for kind in KIND_IDS]
        top = [KIND_IDS[kind - 1] for kind in seen[row, -critic.DECK :] if kind]
        assert top == [card.split("/")[0] for card in game.deck[: critic.DECK]]


def test_its_own_value_serves_as_well(tmp_path):
    run = train(small(tmp_path, critic="own", decisions=8 * 24 * 3), QUIET)
    assert run.critic is None
    assert not [name for name in _tensors(tmp_path) if "critic" in name]
    assert train(small(tmp_path, critic="own", decisions=8 * 24 * 4, resume=True), QUIET).windows == 4


def test_a_window_without_anything_to_learn_from(tmp_path):
    run = Run(small(tmp_path, games=1, window=1))
    run.play()
    assert run.learn() == {}
    assert run.windows == 1


def test_a_killed_process_continues_bit_for_bit(tmp_path):
    """The real thing: SIGKILL between two checkpoints, somewhere."""
    command = [sys.executable, "-m", "danmaku_env.training.ppo_selfplay", *words(tmp_path / "killed", checkpoint_every=1)]
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=subprocess.DEVNULL)
    path, deadline = tmp_path / "killed" / CHECKPOINT, time.monotonic() + 120
    while time.monotonic() < deadline and not (path.exists() and load_checkpoint(path)[2]["windows"] >= 3):
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    decisions = load_checkpoint(path)[2]["decisions"] + 3 * 8 * 24
    train(small(tmp_path / "killed", resume=True, decisions=decisions), QUIET)
    train(small(tmp_path / "whole", decisions=decisions), QUIET)
    assert_same_run(tmp_path / "killed", tmp_path / "whole")


def test_two_threads_learn_the_same_up_to_rounding(tmp_path):
    runs = [Run(small(tmp_path, threads=threads)) for threads in (1, 2)]
    for run in runs:
        run.play()
        run.learn()
    first, second = (run.net.state_dict() for run in runs)
    for name in first:
        torch.testing.assert_close(first[name], second[name], atol=1e-4, rtol=1e-3)


def test_learning_moves_towards_what_pays(tmp_path):
    """With a reward for one answer alone its probability rises: the sign of every loss is right."""
    run = Run(small(tmp_path, learning_rate=3e-3, entropy=0.0))
    liked = {}
    for _ in range(10):
        run.play()
        buffer = run.buffer
        rows = np.flatnonzero(buffer.used)
        passes = buffer.actions.numpy()[rows] == 0
        able = buffer.masks.numpy()[rows, 0] == 1
        liked.setdefault("share", []).append(passes[able].mean())
        buffer.rewards[:] = 0
        buffer.rewards[rows] = passes
        buffer.finished[:] = buffer.used
        buffer.following[:] = -1
        run.learn()
    assert np.mean(liked["share"][-2:]) > np.mean(liked["share"][:2]) + 0.2


def test_a_run_is_not_overwritten_nor_resumed_as_another(whole, tmp_path):
    with pytest.raises(ValueError, match="already holds a run"):
        train(small(whole), QUIET)
    with pytest.raises(ResumeError, match="players is 6 in the run to resume; it cannot become 5"):
        train(small(whole, resume=True, players=5), QUIET)
    with pytest.raises(CheckpointError, match="not a folder"):
        train(small(tmp_path / "nowhere", resume=True), QUIET)
    with pytest.raises(CheckpointError, match="no checkpoint to read"):
        train(small(tmp_path, resume=True), QUIET)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (["--games", "256"], "games is 8 in the run to resume; it cannot become 256"),
        (["--seed", "1", "--width", "64"], "width is 16 in the run to resume; it cannot become 64"),
        (["--belief-weight", "0.1", "--no-basic-roles", "--opponents", "self"], None),
    ],
)
def test_an_option_in_the_command_line_is_a_wish_also_where_it_is_as_usual(whole, tmp_path, capfd, given, reason):
    """What nobody says is that of the run: 256 games would be the usual number."""
    shutil.copytree(whole, tmp_path / "run")
    budgets = ["--seconds", "0", "--decisions", "1", "--final-games", "1", "--tournament-deals", "0"]
    status = exit_status(main, "--resume", "--folder", str(tmp_path / "run"), *budgets, *given)
    said = capfd.readouterr().err
    assert (status, f"ppo_selfplay: {reason}\n" in said) == ((2, True) if reason else (0, False))
    assert not is_given("games"), "the command line is over"
    assert train(small(whole, resume=True, games=256, decisions=1), QUIET).args.games == 8


def kept_open(folder, resume):
    """Another process has a folder for itself, until it is killed."""
    code = "import sys, time, pathlib; from danmaku_env.training.resuming import alone_in; folder = pathlib.Path(sys.argv[1])\n"
    code += f"with alone_in(folder, pathlib.Path('runs/ppo'), resume={resume}): print('in', flush=True); time.sleep(600)"
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
    first, second = (resuming.alone_in(Args.folder, Args.folder, resume=False) for _ in range(2))
    with first as one, second as other:
        assert (one, other) == (Path("runs/ppo"), Path("runs/ppo-2"))
    assert not list(Path("runs").iterdir())


OWN = """
import pathlib
pathlib.Path("ran").touch()
class Own:
    def reset(self, seed): pass
    def act(self, observations, masks, handles=None): return masks.argmax(1) {fault}
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


def test_a_run_that_has_not_learned_yet_is_kept_and_goes_on(tmp_path):
    given = {"games": 1, "window": 1, "checkpoint_every": 1}
    train(small(tmp_path, **given, decisions=1), QUIET)
    assert train(small(tmp_path, resume=True, **given, decisions=30), QUIET).windows == 30


def rewritten(whole, folder, tensors=(), **about):
    """The checkpoint of a run with other tensors (None: without) and other plain data, its checksum as it should be."""
    net, kept, said = load_checkpoint(whole / CHECKPOINT)
    kept = {name: value for name, value in {**kept, **dict(tensors)}.items() if value is not None}
    said = {name: value for name, value in (said | about).items() if value is not ...}
    ppo_selfplay.save_checkpoint(folder / CHECKPOINT, net, kept, said)


def test_a_run_rewritten_as_it_is_can_be_resumed(whole, tmp_path):
    rewritten(whole, tmp_path)
    assert train(small(tmp_path, resume=True, decisions=1), QUIET).windows == 6


def labelled(folder, rules):
    """Give the checkpoint of a folder other rules, or none, its checksum as it should be."""
    tensors, about = parts(folder / CHECKPOINT)
    about = {name: value for name, value in {**about, "rules": rules}.items() if value is not None}
    (folder / CHECKPOINT).write_bytes(signed(tensors, about))


def test_a_run_of_other_rules_is_not_resumed_but_its_net_can_be_begun_with(whole, tmp_path):
    (tmp_path / "run").mkdir()
    rewritten(whole, tmp_path / "run")
    assert load_checkpoint(whole / CHECKPOINT)[2]["versions"]["rules"] == rules_fingerprint()
    labelled(tmp_path / "run", "9b992b469dd8")
    with pytest.raises(CheckpointError, match=f"trained under the rules 9b992b469dd8, and these are {rules_fingerprint()}: its net can"):
        train(small(tmp_path / "run", resume=True, decisions=1), QUIET)
    with pytest.warns(RulesWarning, match=f"was trained under the rules 9b992b469dd8, and goes on under {rules_fingerprint()}"):
        ppo_selfplay.begin(small(tmp_path / "new", start=str(tmp_path / "run")))
    labelled(tmp_path / "run", None)
    with pytest.warns(RulesWarning, match=r"the run in .* does not say which rules made it"):
        assert train(small(tmp_path / "run", resume=True, decisions=1), QUIET).windows == 6


def kept(name):
    return lambda whole: load_checkpoint(whole / CHECKPOINT)[1][name].clone()


@pytest.mark.parametrize(
    ("tensors", "about", "reason"),
    [
        ({}, {"records": "other"}, "games of another version"),
        ({}, {"windows": ...}, "'windows' is missing"),
        ({}, {"windows": -1}, "windows is -1"),
        ({}, {"windows": "six"}, "windows is 'six'"),
        ({}, {"windows": 2**70}, "windows is 11805"),
        ({}, {"seconds": None}, "seconds is None"),
        ({}, {"games_ended": 1.5}, "games_ended is 1.5"),
        ({}, {"curve": {"a": 1}}, "no list of points"),
        ({}, {"curve": [[1.0, 2.0], [1.0]]}, "different numbers of role groups"),
        ({}, {"args": []}, "its options are no table"),
        ({}, {"args": {}}, "it has no option folder, so it was begun with another version"),
        ({}, {"args": {"games": 10**12}}, "it says that 1000000000000 games"),
        ({}, {"args": {"width": "16"}}, "its option width is '16'"),
        ({}, {"args": {"epochs": True}}, "its option epochs is True"),
        ({}, {"args": {"adviser": "a friend"}}, "its option adviser is 'a friend'"),
        ({}, {"args": {"gamma": 7.0}}, "gamma must be from 0 to 1"),
        ({"dice": None}, {}, "'dice' is missing"),
        ({"dice": lambda _: torch.zeros(7, dtype=torch.uint8)}, {}, "RNG state size"),
        ({"league.theirs": lambda _: torch.ones(8, 8, dtype=torch.bool)}, {}, "somebody plays who is not in the league"),
        ({"league.member": lambda _: torch.full((8,), 3)}, {}, "somebody plays who is not in the league"),
        ({"critic.value.bias": None}, {}, "'critic.value.bias' is missing"),
        ({"games": lambda whole: kept("games")(whole)[:, :-1]}, {}, "its games are"),
        ({"games": lambda whole: kept("games")(whole).fill_(255)}, {}, "no such game is possible"),
        ({"carried.rows": lambda whole: kept("carried.rows")(whole) - 10_000}, {}, "carried over that no seat can have made"),
        ({"carried.actions": lambda whole: kept("carried.actions")(whole) + 10_000}, {}, "does not hold a whole run"),
        ({"carried.actions": lambda whole: torch.full_like(kept("carried.actions")(whole), 1)}, {}, "that were not legal"),
        ({"carried.values": lambda whole: kept("carried.values")(whole).fill_(torch.nan)}, {}, "has become NaN"),
        ({"adam.value.weight.exp_avg": lambda _: torch.zeros(2, 16)}, {}, "what Adam keeps for value.weight is of another shape"),
        ({"adam.value.weight.step": lambda _: torch.tensor(-1.0)}, {}, "what Adam keeps for value.weight cannot be"),
        ({"adam.value.bias.exp_avg_sq": lambda _: torch.full((1,), -1.0)}, {}, "what Adam keeps for value.bias cannot be"),
        ({"carried.roles": lambda whole: kept("carried.roles")(whole).fill_(200)}, {}, "of roles that there are not"),
        ({"carried.inputs": lambda whole: kept("carried.inputs")(whole).fill_(255)}, {}, "that no observation shows"),
        ({"carried.seen": lambda whole: kept("carried.seen")(whole).fill_(255)}, {}, "that no observation shows"),
        ({}, {"curve": [[1.0]]}, "not of the role groups"),
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
        train(small(tmp_path, resume=True), QUIET)
    assert (tmp_path / CHECKPOINT).read_bytes() == before


def test_a_net_that_becomes_nan_stops_the_run_and_the_last_checkpoint_stays(tmp_path, monkeypatch):
    learn = Run.learn

    def spoil(run):
        if run.windows == 4:
            run.net.policy.weight.data[0, 0] = torch.nan
        return learn(run)

    monkeypatch.setattr(Run, "learn", spoil)
    words = "training stopped: the network has become NaN; the checkpoint in .*, number 4, is sound; a smaller --learning-rate"
    with pytest.raises(TrainingError, match=words):
        train(small(tmp_path, decisions=10 * 8 * 24), QUIET)
    monkeypatch.undo()
    assert load_checkpoint(tmp_path / CHECKPOINT)[2]["windows"] == 4
    assert train(small(tmp_path, decisions=10 * 8 * 24, resume=True), QUIET).windows == 10


def test_a_learning_rate_that_is_much_too_large_ends_with_a_sentence(tmp_path, capfd):
    assert exit_status(main, *words(tmp_path, decisions=50 * 8 * 24, learning_rate=1e6)) == 2
    said = capfd.readouterr().err
    assert re.search(r"ppo_selfplay: training stopped: the network has become NaN; the checkpoint in .*, number \d+", said)
    assert "Traceback" not in said
    assert load_checkpoint(tmp_path / CHECKPOINT)


@pytest.mark.parametrize("place", ["checkpoint", "log"])
def test_a_full_disk_ends_training_with_a_sentence(tmp_path, capfd, monkeypatch, place):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    def fill(run):
        if run.windows == 3:
            monkeypatch.setattr(*(("os.fsync", full) if place == "checkpoint" else (EventLog, "_write", full)))
        return play(run)

    play = Run.play
    monkeypatch.setattr(Run, "play", fill)
    assert exit_status(main, *words(tmp_path, decisions=10**6, checkpoint_every=2)) == 2
    why, kept = r"nothing more can be written to .* \(No space left on device\)", r"the checkpoint in .*, number 2, is sound"
    assert re.search(rf"ppo_selfplay: training stopped: {why}; {kept}; --resume goes on from it\n", capfd.readouterr().err)
    assert load_checkpoint(tmp_path / CHECKPOINT)[2]["windows"] == 2
    assert not list(tmp_path.glob(".*"))


def test_where_nothing_was_kept_nothing_is_said_to_go_on(tmp_path, capfd, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    assert exit_status(main, *words(tmp_path)) == 2
    assert capfd.readouterr().err.endswith("(No space left on device); nothing was kept yet\n")


@pytest.mark.parametrize(
    "error",
    [RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried"), torch.OutOfMemoryError("no"), MemoryError()],
)
def test_too_much_memory_is_a_sentence(tmp_path, capfd, monkeypatch, error):
    def play(run):
        raise error

    monkeypatch.setattr(Run, "play", play)
    assert exit_status(main, *words(tmp_path, decisions=1)) == 2
    assert capfd.readouterr().err.endswith("ppo_selfplay: this takes more memory than there is\n")


def figures(folder):
    """What TensorBoard shows of a run: (figure, step) -> value, without those of time."""
    found = EventAccumulator(str(folder)).Reload()
    return {
        (name, event.step): event.value
        for name in found.Tags()["scalars"]
        for event in found.Scalars(name)
        if not name.startswith("speed/")
    }


def test_the_log_of_a_run_that_was_killed_is_that_of_the_whole_run(tmp_path, monkeypatch):
    groups = group_names(small(tmp_path).config())
    monkeypatch.setattr(evaluate, "win_rates", lambda net, *_, **__: dict.fromkeys(groups, net.value.bias.item()))
    given = {"decisions": 6 * 8 * 24, "evaluate_every": 2}
    whole = train(small(tmp_path / "whole", **given), QUIET)
    for number, steps in enumerate((3, 24 * 3 + 5)):
        run = run_killed_and_resumed(small(tmp_path / str(number), **given), monkeypatch, steps)
        assert figures(tmp_path / str(number)) == figures(tmp_path / "whole")
        assert run.curve == whole.curve
    assert len({step for _, step in figures(tmp_path / "whole")}) == 6
    assert len(whole.curve) == 4


def test_the_default_folder_is_never_in_the_way(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("ppo", "ppo-2", "ppo-3"):
        run = train(small(Args.folder, decisions=1), QUIET)
        assert run.args.folder == Path("runs") / name


def test_the_checkpoint_tells_how_it_was_made(whole):
    about = load_checkpoint(whole / CHECKPOINT)[2]
    assert about["args"]["seed"] == 1
    assert about["windows"] == 6
    assert {"torch", "numpy", "python", "danmaku_env"} <= about["versions"].keys()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"players": 9}, "num_players must be"),
        ({"seed": -1}, "a seed is"),
        ({"games": 0}, "games must be at least 1"),
        ({"games": 10**12}, "games must be at least 1 and at most 1,048,576, not 1000000000000"),
        ({"width": 10**9}, "width must be"),
        ({"final_games": 10**23}, "final_games must be"),
        ({"learning_rate": float("nan")}, "learning_rate must be from 0"),
        ({"learning_rate": 1e38}, "learning_rate must be from 0 to 1e"),
        ({"gamma": 1.5}, "gamma must be from 0 to 1"),
        ({"clip": 0.0}, "clip must be above 0"),
        ({"device": "abacus"}, "device must be"),
        ({"opponents": "sharks"}, "there is no agent 'sharks'"),
        ({"opponents": "past,past"}, "names somebody twice"),
        ({"own_seats": 6}, "own_seats must be from 0"),
        ({"adviser": "a friend"}, "adviser must be none, deeds or motives, not 'a friend'"),
        ({"critic": "stern"}, "critic must be central or own, not 'stern'"),
        ({"remember_every": 0}, "remember_every must be at least 1"),
        ({"tournament_deals": 1}, "tournament_deals must be 0 or at least 2"),
        ({"folder": Path("a,b")}, "could not be named in a tournament"),
    ],
)
def test_senseless_options_are_refused(changes, reason):
    with pytest.raises(ValueError, match=reason):
        Args(**changes)


def test_every_option_says_what_it_is():
    docs = field_docs(Args)
    assert docs.keys() == {field.name for field in fields(Args)}


def test_the_command_line(tmp_path, capfd):
    assert exit_status(main, "--no-such-option") == 2
    assert re.fullmatch(r"ppo_selfplay: No such option: --no-such-option.*\n", capfd.readouterr().err)
    assert exit_status(main, "--players", "nine") == 2
    assert "--players" in capfd.readouterr().err
    assert exit_status(main, "--resume", "--folder", str(tmp_path / "nowhere")) == 2
    assert capfd.readouterr().err.count("\n") == 1
    assert exit_status(main, "--help") == 0
    assert "--gae-lambda" in capfd.readouterr().out


@pytest.mark.parametrize("words", [["--nope"], ["--players", "99"], ["--players", "nine"], ["--folder", "a\0b"]])
def test_the_command_danmaku_train_speaks_like_all_others(words, capfd):
    assert exit_status(cli.main, "train", *words) == 2
    assert re.fullmatch(r"danmaku: .+\n", capfd.readouterr().err)


def test_stopping_by_hand_says_how_to_go_on(tmp_path, capfd, monkeypatch):
    def interrupted(run):
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "play", interrupted)
    assert exit_status(main, *words(tmp_path)) != 0
    assert f"stopped; --resume --folder {tmp_path} goes on from the last checkpoint" in capfd.readouterr().err
    assert load_checkpoint(tmp_path / CHECKPOINT)[2]["windows"] == 0


def test_a_report_that_cannot_be_written_leaves_the_run(tmp_path, capfd, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(evaluate, "save_plot", full)
    assert exit_status(main, *words(tmp_path, decisions=1, final_games=2, tournament_deals=0)) == 2
    why = f"nothing more can be written to {tmp_path} (No space left on device); the checkpoint in {tmp_path}, number 1, is sound"
    assert why in capfd.readouterr().err


def test_training_and_its_report_end_to_end(tmp_path, capfd):
    from danmaku_env import Replay

    given = {"evaluate_every": 1, "evaluate_games": 8, "final_games": 16, "tournament_deals": 2, "opponents": "heuristic"}
    assert exit_status(main, *words(tmp_path, decisions=300, **given)) == 0
    shown = capfd.readouterr().out
    for name in ("Heroine", "Partner", "Stage Boss", "Extra Boss", "seats random", "heuristic", "6 games on 2 deals", "replay.json"):
        assert name in shown
    assert (tmp_path / "learning.png").read_bytes().startswith(b"\x89PNG")
    assert Replay.load(tmp_path / "replay.json").play().over
    assert list(tmp_path.glob("events.out.tfevents*"))
    assert len(load_checkpoint(tmp_path / CHECKPOINT)[2]["curve"]) == 3
    found = json.loads((tmp_path / "tournament" / "report.json").read_text())
    assert found["plan"]["agents"] == ["random", "heuristic", f"neural:{tmp_path},greedy=yes"]
    assert found["faults"] == []
    assert exit_status(main, *words(tmp_path, decisions=300, **given), "--resume") == 0
    assert (tmp_path / "tournament-2" / "report.json").exists()


def test_the_tournament_is_of_the_games_that_were_trained_in(tmp_path):
    args = small(tmp_path, players=5, basic_roles=True, expansion="lunatic_extra", tournament_deals=2)
    save_checkpoint(tmp_path / CHECKPOINT, Net(8, reading=reading_of(args.config())), {}, {})
    reporting.hold_tournament(args, QUIET)
    plan = Plan.from_dict(json.loads((tmp_path / "tournament" / "report.json").read_text())["plan"])
    assert (plan.players, plan.roles, plan.expansion, plan.bonus_character) == ((5,), "basic", "lunatic_extra", False)
