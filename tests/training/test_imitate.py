"""Learning from a teacher: what is kept of the games, what a student makes of it, and that nothing is lost when it is stopped."""

import io
import shutil
import time
from dataclasses import fields

import numpy as np
import pytest
import torch
from rich.console import Console

from danmaku_env import GameConfig, info_states, make_vec
from danmaku_env.agents import registry
from danmaku_env.agents.base import ActionEvaluator, AnswerError
from danmaku_env.agents.neural import SHIPPED
from danmaku_env.console.options import field_docs
from danmaku_env.engine.actions import NUM_ACTIONS
from danmaku_env.info_states import InfoStates
from danmaku_env.nets.checkpoints import CHECKPOINT, CheckpointError, load_checkpoint, load_net, load_player, save_checkpoint
from danmaku_env.nets.input_spec import base_game
from danmaku_env.nets.network import Net, look
from danmaku_env.training.imitation import imitate
from danmaku_env.training.imitation.example_files import examples_file, read_examples, write_examples
from danmaku_env.training.imitation.examples import OFFERED, TAUGHT, WATCHED, Examples, ExamplesJob, joined, play
from danmaku_env.training.imitation.imitate import ImitationArgs, ImitationRun, main, train
from danmaku_env.training.imitation.replay_buffer import REWARD, Batch, ReplayBuffer
from danmaku_env.training.resuming import ResumeError, TrainingError
from danmaku_env.training.tensorboard_log import TensorBoardLog
from tests.command import exit_status, told
from tests.kill.training import figures_of

QUIET = Console(quiet=True)
SMALL = {
    "width": 8,
    "history": 6,
    "games": 1,
    "watched": 2,
    "rows": 1,
    "batch": 256,
    "share": 0.1,
    "first_rounds": 1,
    "threads": 1,
    "processes": 1,
    "report_deals": 0,
}
SHIPPED_SHAPE = {"prior_policy": "likelihood", "width": 128, "history": 64}


def small(folder, **given):
    return told(
        ImitationArgs, **{"folder": folder, "teacher": "search:simulations=4", "rounds": 3, "prior_policy": "none", **SMALL, **given}
    )


def job(teacher="deducer", **given):
    return ExamplesJob(**{
        "config": GameConfig(num_players=4), "teacher": teacher, "lineups": TAUGHT, "student": None, "width": 8, "history": 6, "games": 3,
        "prior_policy": "none", "input_spec": base_game(), "rows": 2, "share": 0.2, "seed": 5, **given,
    })  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def two_tables():
    """Rounds of two games, to be quick."""
    patch = pytest.MonkeyPatch()
    patch.setattr(imitate, "TABLES", ((4, "basic"), (5, "advanced")))
    yield
    patch.undo()


@pytest.fixture(scope="module")
def whole(two_tables, tmp_path_factory):
    """A run nobody stopped."""
    return train(small(tmp_path_factory.mktemp("whole")), QUIET)


# ---------------------------------------------------------------- examples


def masks_of(examples):
    return np.unpackbits(examples.masks, axis=1, count=NUM_ACTIONS)


def test_the_same_job_gives_the_same_examples():
    first, second, other = play(job()), play(job()), play(job(seed=6))
    for one, same in zip(first, second, strict=True):
        np.testing.assert_array_equal(one, same)
    assert len(first.inputs) != len(other.inputs) or (first.inputs != other.inputs).any()


def test_answers_offered_are_legal_and_the_teachers_own_stands_first():
    examples = play(job("heuristic"))
    masks = masks_of(examples)
    assert (examples.offered[:, 0] >= 0).all()
    for row, mask in zip(examples.offered, masks, strict=True):
        kept = row[row >= 0]
        assert mask[kept].all()
        assert len(set(kept)) == len(kept) == min(OFFERED, mask.sum())
    first, best = examples.values[:, 0], np.nanmax(examples.values, axis=1)
    assert (best - first).max() < 0.02, "noise breaks ties, and nothing else puts another answer first"
    assert np.isnan(examples.advantages).all()


def test_what_was_tried_is_told_from_what_was_not():
    examples = play(job("search:simulations=4"))
    tried = np.isfinite(examples.advantages)
    assert {0, 2} <= set(tried.sum(1))
    assert (tried.sum(1) <= 4).all()
    assert 1 not in tried.sum(1)
    assert (np.where(tried, examples.advantages, 1).min(1)[tried.any(1)] <= 0).all(), "the first one tried did no better than itself"


def test_games_that_are_watched_tell_how_they_ended_and_nothing_about_answers():
    examples = play(job("", lineups=WATCHED, games=6, share=0.2))
    assert set(np.unique(examples.outcomes)) <= {-1.0, 0.0, 1.0}
    net = Net(8, 6)
    heroine = examples.roles[:, 0] == net.input_spec.roles.index("heroine")
    assert heroine.any()
    assert not heroine.all()
    batch = Batch(examples)
    first_sight, tried, value, belief, play_moved = batch.losses(net).tolist()
    assert first_sight == tried == play_moved == 0
    assert value > 0.2
    assert belief > 0.2


def test_games_with_a_teacher_tell_nothing_of_the_roles():
    """Hundreds of questions of one deal would be learned by heart."""
    examples = play(job(share=1.0))
    batch = Batch(examples)
    first_sight, _, value, belief, _ = batch.losses(Net(8, 6)).tolist()
    assert first_sight > 0.2
    assert value == belief == 0


def test_a_teacher_that_only_answers_is_enough():
    examples = play(job("random"))
    assert np.isnan(examples.values).all()
    batch = Batch(examples)
    assert (batch.liking[:, 0] == 1).all()
    assert batch.losses(Net(8, 6)).isfinite().all()


def test_the_student_plays_among_the_others(tmp_path, whole):
    """Its games are other games than those without it."""
    path = whole.args.folder / CHECKPOINT
    alone, with_student = play(job()), play(job(student=path))
    assert len(alone.inputs) != len(with_student.inputs) or (alone.inputs != with_student.inputs).any()


@pytest.mark.parametrize("spec", ["heuristic", "deducer", "search:simulations=4"])
def test_judges_put_their_own_answer_on_top(spec):
    evaluate_actions = registry.make(spec, 1)
    assert isinstance(evaluate_actions, ActionEvaluator)
    vec = make_vec(16, 6)
    vec.reset(1)
    for _ in range(80):
        vec.step(vec.sample())
    action_values = evaluate_actions.evaluate_actions(
        vec.observations, vec.action_masks, InfoStates(vec.games.copy(), vec.seats.copy(), vec.config)
    )
    rows = np.arange(16)
    assert ((action_values.values > -np.inf) == (vec.action_masks != 0)).all()
    searched = np.isfinite(action_values.advantages).any(1)
    assert searched.any() == spec.startswith("search")
    assert (action_values.values[rows, action_values.answers] > action_values.values.max(1) - 0.02)[~searched].all()


SPOILT = {
    "raising": "failed while it judged: KeyError: 'no'",
    "leaving": "failed while it judged: SystemExit: 3",
    "two parts": "failed while it judged: ValueError: not enough values",
    "illegal": "gave an answer that is not legal",
    "not a number": "gave nan among the values of legal answers, which no answer can have",
    "never": "gave -inf among the values of legal answers",
    "endless gain": "gave inf among the advantages of legal answers",
    "narrow": r"gave values that are an array of float64 with shape \(\d+, \d+\) instead of numbers with shape",
    "words": "gave advantages that are an array of <U4 with shape",
}


@pytest.mark.parametrize("spoilt", SPOILT)
def test_a_teacher_that_judges_wrongly_is_named(spoilt):
    with pytest.raises(AnswerError, match=f"^the agent 'first' {SPOILT[spoilt]}"):
        play(job(f"tests.arena.bots:Judging:spoilt={spoilt}"))


def test_what_a_teacher_says_of_answers_that_are_not_legal_is_nothing():
    whole, marked = (play(job(f"tests.arena.bots:Judging:spoilt={spoilt}")) for spoilt in ("", "marked"))
    for one, same in zip(whole, marked, strict=True):
        np.testing.assert_array_equal(one, same)
    assert np.isin(whole.values[~np.isnan(whole.values)], 0.5).all()


@pytest.mark.parametrize("processes", [1, 2])
def test_a_run_whose_teacher_judges_wrongly_stops_with_a_sentence(tmp_path, processes):
    given = {"first_teacher": "tests.arena.bots:Judging:spoilt=not a number", "processes": processes}
    with pytest.raises(TrainingError, match=r"stopped: the agent 'first' gave nan among the values .*number 0, is sound; --resume goes on"):
        train(small(tmp_path, **given), QUIET)


def test_a_run_whose_teacher_takes_its_process_along_stops_with_a_sentence(tmp_path):
    ended = "stopped: a process that plays was ended, from outside or by an agent: its exit status was 7; .*number 0, is sound; --resume"
    with pytest.raises(TrainingError, match=ended):
        train(small(tmp_path, first_teacher="tests.arena.bots:Dying:seldom=97", processes=2), QUIET)


# ---------------------------------------------------------------- what a student learns


def test_what_was_tried_with_much_noise_is_learned_as_its_mean():
    """The second answer is better by 0.04 on average, in trials that differ by four times as much."""
    examples = play(job(games=2, share=1.0))
    two = np.flatnonzero((examples.offered[:, 1] >= 0) & (examples.offered[:, 2] < 0))[:1]
    chosen = Examples(*(np.repeat(array[two], 20_000, axis=0) for array in examples))
    advantages = np.full(chosen.advantages.shape, np.nan, np.float32)
    advantages[:, 0] = 0
    advantages[:, 1] = np.random.default_rng(3).normal(0.04, 0.16, len(advantages))
    batch = Batch(chosen._replace(advantages=advantages))

    def loss(lead):
        logprobs = torch.zeros(1, OFFERED)
        logprobs[0, 1] = lead
        return batch._tried(logprobs.expand(len(advantages), OFFERED)).mean().item()

    leads = np.linspace(0, 4, 81)
    assert leads[np.argmin([loss(lead) for lead in leads])] == pytest.approx(0.04 * REWARD, abs=0.15)


def test_a_student_comes_to_answer_as_its_teacher(tmp_path):
    run = ImitationRun(small(tmp_path, learning_rate=5e-3, batch=64))
    examples = play(job("heuristic", games=6, share=1.0))
    before = run._figures(examples)["student/agrees"]
    told = []
    first = run.learn(examples, told.append)
    assert told == sorted(told)
    assert told[-1] == 1
    for _ in range(4):
        run.rounds = 0
        last = run.learn(examples, told.append)
    assert last["loss/first sight"] < first["loss/first sight"]
    assert run._figures(examples)["student/agrees"] > before + 0.2


def test_questions_of_a_batch_are_of_tables_of_one_size_and_none_is_left_out():
    net, parts = Net(8, 6), [play(job(games=2, share=0.5)), play(job(config=GameConfig(num_players=6), games=2, share=0.5))]
    players = net.players_in(joined(parts).inputs)
    assert set(players) == {4, 6}
    order = torch.arange(len(players)).repeat(2)
    batches = ReplayBuffer(parts, net).batches(order, 16, torch.Generator().manual_seed(1))
    assert all(len(set(players[rows])) == 1 and len(rows) <= 16 for rows in map(torch.Tensor.numpy, batches))
    assert torch.equal(torch.cat(batches).sort().values, order.sort().values)
    sizes = [players[rows[0]] for rows in batches]
    assert sorted(sizes) != sizes, "tables of one size do not come all before those of another"


def test_questions_are_picked_across_rounds_in_the_order_that_is_asked_for():
    parts = [play(job(games=2, share=0.5, seed=seed)) for seed in (1, 2, 3)]
    whole, replay = joined(parts), ReplayBuffer(parts, Net(8, 6))
    rows = torch.randint(len(replay), (500,), generator=torch.Generator().manual_seed(1))
    for picked, array in zip(replay.picked(rows), whole, strict=True):
        np.testing.assert_array_equal(picked, array[rows])


# ---------------------------------------------------------------- stopping and going on


def same(first, second):
    one, other = (load_checkpoint(folder / CHECKPOINT) for folder in (first, second))
    for name, tensor in one[0].state_dict().items():
        assert torch.equal(other[0].state_dict()[name], tensor), name
    assert one[1].keys() == other[1].keys()
    for name, tensor in one[1].items():
        assert torch.equal(other[1][name], tensor), name
    plain = [{name: value for name, value in about.items() if name not in ("seconds", "args", "checksum")} for _, _, about in (one, other)]
    assert plain[0] == plain[1]


@pytest.mark.parametrize("at", [1, 2])
def test_a_run_that_was_stopped_is_resumed_bit_for_bit(whole, tmp_path, at):
    train(small(tmp_path, rounds=at), QUIET)
    train(small(tmp_path, resume=True), QUIET)
    same(tmp_path, whole.args.folder)


def test_a_run_killed_while_it_learns_goes_on_from_its_checkpoint(whole, tmp_path, monkeypatch):
    learn = ImitationRun.learn

    def killed(run, *given):
        if run.rounds == 2:
            raise SystemExit
        return learn(run, *given)

    monkeypatch.setattr(ImitationRun, "learn", killed)
    with pytest.raises(SystemExit):
        train(small(tmp_path), QUIET)
    monkeypatch.undo()
    train(small(tmp_path, resume=True), QUIET)
    same(tmp_path, whole.args.folder)


def test_a_student_with_a_prior_policy_is_taught_by_its_own_search_and_resumed_bit_for_bit(tmp_path):
    given = {"prior_policy": "inverse_planning", "teacher": "search:simulations=4,net=student", "rounds": 2}
    train(small(tmp_path / "whole", **given), QUIET)
    train(small(tmp_path / "part", **{**given, "rounds": 1}), QUIET)
    train(small(tmp_path / "part", resume=True, **given), QUIET)
    same(tmp_path / "part", tmp_path / "whole")
    assert load_net(tmp_path / "part").has_prior_policy
    *_, checksum = load_checkpoint(tmp_path / "part" / CHECKPOINT)[2]["lessons"]
    examples = read_examples(examples_file(tmp_path / "part", 2), load_net(tmp_path / "part"), checksum)
    asked = np.isnan(examples.outcomes)
    assert (np.isfinite(examples.advantages).any(1) | ~asked)[asked].mean() > 0.5, "questions not worth a search are mostly left out"


def test_the_last_passes_are_played_but_a_longer_run_goes_on_without_them(tmp_path):
    """What is left of them is the network that is played; with more rounds the run is the one that never had them."""
    run = train(small(tmp_path / "part", rounds=2), QUIET)
    played, mean = load_net(tmp_path / "part"), run.student.mean
    assert not torch.equal(played.pool.weight, mean.pool.weight)
    assert torch.equal(played.pool.weight, train(small(tmp_path / "part", rounds=2, resume=True), QUIET).finished[0].pool.weight)
    train(small(tmp_path / "part", rounds=3, last=0, resume=True), QUIET)
    train(small(tmp_path / "whole", rounds=3, last=0), QUIET)
    same(tmp_path / "part", tmp_path / "whole")


def test_several_networks_learn_the_same_in_the_last_passes_and_play_together(tmp_path, monkeypatch):
    """A run that dies after the first of them is resumed bit for bit; longer, it goes on as if there had been no last passes."""
    given = {"rounds": 2, "nets": 3, "last": 2}
    run = train(small(tmp_path / "whole", **given), QUIET)
    (first, *others), played = run.finished, load_player(tmp_path / "whole")
    alone = train(small(tmp_path / "alone", rounds=2, last=2), QUIET).finished[0]
    assert torch.equal(first.pool.weight, alone.pool.weight)
    assert not torch.equal(others[0].pool.weight, others[1].pool.weight)
    vec = make_vec(4, num_players=5, history=6)
    vec.reset(1)
    said = [look(net, vec.observations, vec.action_masks) for net in (*run.finished, played)]
    assert torch.allclose(said[-1].values, sum(one.values for one in said[:-1]) / 3)
    assert registry.make(f"neural:{tmp_path / 'whole'}", 1).act(vec.observations, vec.action_masks).shape == (4,)

    finish = ImitationRun.finish

    def killed(run, *told):
        if run.finished:
            raise SystemExit
        finish(run, *told)

    monkeypatch.setattr(ImitationRun, "finish", killed)
    with pytest.raises(SystemExit):
        train(small(tmp_path / "part", **given), QUIET)
    monkeypatch.undo()
    train(small(tmp_path / "part", resume=True, **given), QUIET)
    same(tmp_path / "part", tmp_path / "whole")
    train(small(tmp_path / "part", rounds=3, last=0, resume=True), QUIET)
    train(small(tmp_path / "longer", rounds=3, last=0), QUIET)
    same(tmp_path / "part", tmp_path / "longer")


def test_games_that_were_only_watched_are_seen_once(whole):
    """A question that a teacher was asked comes `epochs` times on average; of games only watched, those of this round, and once."""
    known = whole.examples[-1]
    watched = np.isfinite(known.outcomes)
    order = whole._order(known, len(watched) // 2, 4.0).numpy()
    seen = np.bincount(order, minlength=len(watched))
    late = np.arange(len(watched)) >= len(watched) - len(watched) // 2
    assert (seen[watched] == late[watched]).all()
    assert seen[~watched].sum() == 4 * (late & ~watched).sum()


def test_what_was_played_before_changes_no_example(monkeypatch):
    """Deals of the roles are kept from game to game: their order, and so what a search draws from them, is the same whoever asked first."""
    of_search = {"teacher": "search:simulations=8", "games": 2, "share": 1.0, "config": GameConfig(num_players=6, roles="basic")}
    monkeypatch.setattr(info_states, "_DEALS", info_states._DealCache())
    alone = play(job(**of_search, seed=6))
    monkeypatch.setattr(info_states, "_DEALS", info_states._DealCache())
    play(job(**of_search, seed=7))
    for name, first, second in zip(Examples._fields, alone, play(job(**of_search, seed=6)), strict=True):
        np.testing.assert_array_equal(first, second, err_msg=name)


def test_a_run_without_a_teacher_learns_to_deduce_and_plays_on_as_before(tmp_path):
    """What moves away from the play it began with is pulled back; what it begins with is kept for a run that is resumed."""
    decided = Net(8, 6)
    decided.policy.weight.data *= 100
    save_checkpoint(tmp_path / CHECKPOINT, decided, {}, {})
    given = {"start": str(tmp_path), "games": 0, "watched": 20, "rows": 10, "rounds": 2, "batch": 32, "last": 0, "first_rounds": 0}
    moved = {}
    for weight in (0.0, 30.0):
        run = train(small(tmp_path / f"{weight}", **given, play_weight=weight), QUIET)
        batch = Batch(run.examples[-1])
        assert not batch.searched.any()
        moved[weight] = batch.losses(run.student.net, decided)[4].item()
    assert 0 < moved[30.0] < moved[0.0] / 2
    train(small(tmp_path / "part", **{**given, "rounds": 1}, play_weight=30.0), QUIET)
    train(small(tmp_path / "part", resume=True, **given, play_weight=30.0), QUIET)
    same(tmp_path / "part", tmp_path / "30.0")


@pytest.mark.slow
@pytest.mark.parametrize("prior_policy", ["none", "likelihood"])
def test_a_run_that_dies_between_any_two_of_its_files_is_resumed_bit_for_bit(tmp_path, monkeypatch, prior_policy):
    """Of a round the figures, the student and the checkpoint are written: whichever was the last, none is missing and none there twice."""
    given = {"rounds": 2, "prior_policy": prior_policy, "teacher": "search:simulations=4,net=student", "first_rounds": 0}
    whole, copies = tmp_path / "whole", []

    def copying(*file):
        copies.append(shutil.copytree(whole, tmp_path / f"after {len(copies)}"))
        save_checkpoint(*file)

    monkeypatch.setattr(imitate, "save_checkpoint", copying)
    train(small(whole, **given), QUIET)
    monkeypatch.undo()
    assert len(copies) == 2 + 2 * 2 + 1
    for folder in copies[2:]:
        train(small(folder, resume=True, **given), QUIET)
        same(folder, whole)
        assert figures_of(folder) == figures_of(whole), f"{folder.name} files"


def test_examples_are_kept_as_long_as_they_are_learned_from(tmp_path):
    train(small(tmp_path, rounds=4, keep=2), QUIET)
    assert sorted(path.name for path in tmp_path.glob("lessons*")) == ["lessons-000003.npz", "lessons-000004.npz"]


def test_a_run_begins_with_the_network_it_is_told(whole, tmp_path):
    run = imitate.begin(small(tmp_path / "more", start=str(whole.args.folder)))
    assert torch.equal(run.student.net.pool.weight, load_net(whole.args.folder).pool.weight)
    with pytest.raises(ValueError, match="has another shape: width 8"):
        imitate.begin(small(tmp_path / "wide", start=str(whole.args.folder), width=16))
    with pytest.raises(ValueError, match="has another shape: width 8, history 6, prior_policy none"):
        imitate.begin(small(tmp_path / "told", start=str(whole.args.folder), prior_policy="inverse_planning"))


def test_the_net_that_is_shipped_learns_on_and_reads_what_it_read(tmp_path):
    run = train(small(tmp_path, start=str(SHIPPED), **{**SHIPPED_SHAPE, "rounds": 1}), QUIET)
    assert run.student.net.input_spec == load_net(SHIPPED).input_spec
    more = train(small(tmp_path, resume=True, **{**SHIPPED_SHAPE, "rounds": 2, "start": str(SHIPPED)}), QUIET)
    assert more.rounds == 2
    assert load_net(tmp_path).input_spec == load_net(SHIPPED).input_spec
    with pytest.raises(ValueError, match=r"has never met '.*' and [0-9]+ other answers of these games"):
        imitate.begin(small(tmp_path / "both", start=str(SHIPPED), expansion="lunatic_extra", **SHIPPED_SHAPE))


@pytest.mark.parametrize("prior_policy", ["none", "inverse_planning"])
def test_a_step_of_fewer_questions_than_threads_is_learned_from(tmp_path, prior_policy):
    """As the last step of a pass may be: of the threads only those work that have a question."""
    run = train(small(tmp_path, rounds=1, batch=2, threads=3, prior_policy=prior_policy), QUIET)
    assert run.student.steps >= run.questions // 2
    assert all(parameter.isfinite().all() for parameter in run.student.net.parameters())


def test_games_without_an_example_teach_nothing(tmp_path, monkeypatch):
    """With few games, or a small share of their questions, some tables have no example, and a round may have none at all."""
    monkeypatch.setattr(imitate, "_WATCHED_SHARE", 1e-9)
    nothing, something = play(job(share=1e-9)), play(job())
    assert len(nothing.inputs) == 0
    assert [array.dtype for array in nothing] == [array.dtype for array in something]
    assert [array.shape[1:] for array in nothing] == [array.shape[1:] for array in something]
    given = {"share": 1e-9, "first_rounds": 0, "last": 1}
    begun = ImitationRun(small(tmp_path / "begun", **given)).student.net.state_dict()
    train(small(tmp_path / "run", rounds=1, **given), QUIET)
    run = train(small(tmp_path / "run", rounds=2, resume=True, **given), QUIET)
    assert (run.rounds, run.student.steps, run.questions) == (2, 0, 0)
    assert all(torch.equal(tensor, begun[name]) for name, tensor in run.student.net.state_dict().items())


def test_an_option_in_the_command_line_is_a_wish_also_where_it_is_as_usual(whole, capfd):
    assert exit_status(main, "--resume", "--folder", str(whole.args.folder), "--prior-policy", "none", "--games", "40") == 2
    assert "games is 1 in the run to resume; it cannot become 40" in capfd.readouterr().err


def test_runs_are_not_mixed_up(whole, tmp_path):
    with pytest.raises(ValueError, match="already holds a run"):
        train(small(whole.args.folder), QUIET)
    with pytest.raises(ResumeError, match="games is 1 in the run to resume; it cannot become 2"):
        train(small(whole.args.folder, resume=True, games=2), QUIET)
    with pytest.raises(CheckpointError, match="not a folder"):
        train(small(tmp_path / "nowhere", resume=True), QUIET)
    with pytest.raises(ValueError, match="there is no agent 'guru'"):
        small(tmp_path, teacher="guru")


@pytest.mark.parametrize("name", ["first_teacher", "teacher"])
def test_a_teacher_that_runs_code_is_taken_from_no_checkpoint(whole, tmp_path, name):
    net, tensors, about = load_checkpoint(whole.args.folder / CHECKPOINT)
    save_checkpoint(tmp_path / CHECKPOINT, net, tensors, {**about, "args": {**about["args"], name: "exec:touch student"}})
    again = f"--{name.replace('_', '-')} 'exec:touch student'"
    with pytest.raises(ResumeError, match=f"if you trust it, say so by adding {again}"):
        train(ImitationArgs(folder=tmp_path, resume=True), QUIET)


def other_examples(blob):
    """As good as those of the run, but others."""
    with np.load(io.BytesIO(blob)) as file:
        arrays = dict(file)
    np.savez(room := io.BytesIO(), **{**arrays, "offered": np.full_like(arrays["offered"], 30_000)})
    return room.getvalue()


@pytest.mark.parametrize("damage", [lambda blob: blob[: len(blob) // 2], lambda blob: b"PK" + bytes(500), lambda _: None, other_examples])
def test_examples_that_are_damaged_are_refused(whole, tmp_path, damage):
    shutil.copytree(whole.args.folder, tmp_path, dirs_exist_ok=True)
    path = examples_file(tmp_path, 2)
    blob = damage(path.read_bytes())
    path.unlink() if blob is None else path.write_bytes(blob)
    with pytest.raises(CheckpointError, match=r"examples in .* cannot be read|file of examples .* its checksum does not match"):
        train(small(tmp_path, resume=True, rounds=4), QUIET)


def test_examples_come_back_as_they_were_and_not_as_others(tmp_path):
    examples = play(job())
    checksum = write_examples(tmp_path / "a.npz", examples)
    for one, again in zip(examples, read_examples(tmp_path / "a.npz", Net(8, 6), checksum), strict=True):
        np.testing.assert_array_equal(one, again)
    with pytest.raises(CheckpointError, match="of another version: inputs is"):
        read_examples(tmp_path / "a.npz", Net(8, 7), checksum)


@pytest.mark.parametrize("said", [None, "", "abc", [7], ["0" * 64] * 2])
def test_checksums_of_examples_that_cannot_be_are_refused(whole, tmp_path, said):
    shutil.copytree(whole.args.folder, tmp_path, dirs_exist_ok=True)
    net, tensors, about = load_checkpoint(tmp_path / CHECKPOINT)
    save_checkpoint(tmp_path / CHECKPOINT, net, tensors, {**about, "lessons": said})
    with pytest.raises(CheckpointError, match=r"the checksums of its examples are|its checksum does not match"):
        train(small(tmp_path, resume=True), QUIET)


@pytest.mark.parametrize("clock", [1, 10**9, 10**18])
def test_what_a_resumed_run_takes_back_stays_taken_back_where_the_clock_was_set(tmp_path, monkeypatch, clock):
    for first, now in ((0, 2 * 10**18), (5, clock)):
        monkeypatch.setattr(time, "time_ns", lambda now=now: now)
        with TensorBoardLog(tmp_path, since=first or None) as log:
            for step in range(first, 10):
                log.add({"figure": step + first}, step)
    assert figures_of(tmp_path) == {("figure", step): step + (5 if step >= 5 else 0) for step in range(10)}


def test_a_net_that_becomes_nan_stops_and_the_last_checkpoint_stays(tmp_path, monkeypatch):
    learn = ImitationRun.learn

    def spoil(run, *given):
        if run.rounds == 1:
            run.student.net.policy.weight.data[0, 0] = torch.nan
        return learn(run, *given)

    monkeypatch.setattr(ImitationRun, "learn", spoil)
    with pytest.raises(TrainingError, match=r"training stopped: the network has become NaN; the checkpoint in .* is sound; a smaller"):
        train(small(tmp_path), QUIET)
    assert load_checkpoint(tmp_path / CHECKPOINT)[2]["rounds"] == 1


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"rounds": 0}, "rounds must be at least 1"),
        ({"width": 10**9}, "width must be at least 1 and at most 4,096"),
        ({"history": -1}, "history must be a whole number from 0"),
        ({"last": -1}, "last must be at least 0 and at most 1,073,741,824, not -1"),
        ({"share": 0.0}, "share must be above 0"),
        ({"share": 1.5}, "share must be from 0 to 1, not 1.5"),
        ({"nets": 65}, "nets must be at least 1 and at most 64, not 65"),
        ({"nets": 2, "last": 0}, "all but the first of 2 nets learn in the last passes: last must be at least 1"),
        ({"nets": 2, "first_rounds": 3}, "what the later teacher said, who comes after 3 rounds: rounds must be above 3, not 3"),
        ({"epochs": float("inf")}, r"epochs must be from 0 to 1e\+06, not inf"),
        ({"seconds": -1.0}, "seconds must not be negative or infinite, but it is -1.0"),
        ({"learning_rate": float("nan")}, "learning_rate must be from 0"),
        ({"seed": -1}, "a seed is"),
        ({"games": 0}, "a network to begin with is needed: start"),
        ({"games": -1}, "games must be at least 0"),
        ({"play_weight": 1.0}, "a network to begin with is needed: start"),
        ({"first_teacher": "search:simulations=many"}, "first_teacher: .* must be a whole number"),
    ],
)
def test_senseless_options_are_refused(tmp_path, changes, reason):
    with pytest.raises(ValueError, match=reason):
        small(tmp_path, **changes)


def test_every_option_says_what_it_is():
    assert field_docs(ImitationArgs).keys() == {field.name for field in fields(ImitationArgs)}


def test_the_command_line(tmp_path, capfd):
    assert exit_status(main, "--teacher", "guru") == 2
    assert capfd.readouterr().err.startswith("imitate: teacher: there is no agent 'guru'")
    given = ["--width", "8", "--history", "0", "--games", "1", "--watched", "1", "--rows", "1", "--rounds", "1", "--processes", "2"]
    given += ["--share", "0.02", "--report-deals", "0"]
    assert exit_status(main, *given, "--folder", str(tmp_path / "run")) == 0
    assert "round 1," in capfd.readouterr().err
    assert registry.make(f"neural:{tmp_path / 'run'}", 0).name == "neural"
