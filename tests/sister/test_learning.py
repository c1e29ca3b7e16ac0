"""Self-play of the sister games: a short run learns, is resumed, and plays as a bot; files of other games are refused."""

import csv
import dataclasses
import importlib.resources
import shutil
import sys

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from danmaku_env import make_vec
from danmaku_env.commands.main import app
from danmaku_env.game import game_class
from danmaku_env.nets.checkpoints import CHECKPOINT, CheckpointError, load_net, read_tensors, write_tensors
from danmaku_env.sister import shisoroku, utage
from danmaku_env.sister.bots import BotError
from danmaku_env.sister.learning import selfplay
from danmaku_env.sister.learning.selfplay import SelfPlay, SelfPlayArgs, train
from danmaku_env.sister.shisoroku import bots as shisoroku_bots
from danmaku_env.sister.shisoroku import learning as shisoroku_learning
from danmaku_env.sister.utage import bots as utage_bots
from danmaku_env.sister.utage import learning as utage_learning
from danmaku_env.training.progress_report import CURVE, LOG, PICTURE

GAMES = {
    "shisoroku": (shisoroku_learning.LEARNABLE, shisoroku.ShisorokuConfig(), shisoroku_bots, shisoroku.resample),
    "utage": (utage_learning.LEARNABLE, utage.UtageConfig(decks="random"), utage_bots, utage.resample),
}
TITLES = {"shisoroku": "Shisouroku", "utage": "Gensou no Utage"}


def args(name, folder, **options):
    small = {"games": 16, "window": 8, "batch": 64, "seconds": 1.0, "report_deals": 2, "final_deals": 2, "threads": 2, "report_every": 1e9}
    return SelfPlayArgs(folder=folder, **{"config": GAMES[name][1], **small, **options})


@pytest.fixture(scope="module", params=GAMES)
def name(request):
    """The game."""
    return request.param


@pytest.fixture(scope="module")
def run(name, tmp_path_factory):
    """A run of a second."""
    return train(GAMES[name][0], args(name, tmp_path_factory.mktemp("runs") / "first"))


def test_a_run_writes_its_net_its_curve_and_a_picture(run):
    assert run.decisions > 0
    with (run.args.folder / CURVE).open(newline="") as file:
        point = list(csv.DictReader(file))[-1]
    assert {f"{name}{more}" for name in run.game.against for more in ("", " ±")} | {"decisions", "seconds", "processor_seconds"} == set(
        point
    )
    line = (run.args.folder / LOG).read_text().splitlines()[-1]
    assert [line.count(words) for words in (" of processors", "payoff against", *run.game.against)] == [1, 1, 1, 1]
    assert (run.args.folder / PICTURE).read_bytes().startswith(b"\x89PNG")


def test_a_run_goes_on(name, run):
    again = SelfPlay.load(run.game, args(name, run.args.folder, resume=True, seconds=2.0))
    assert (again.decisions, again.curve.points) == (run.decisions, run.curve.points)
    for key, tensor in again.net.state_dict().items():
        assert torch.equal(tensor, run.net.state_dict()[key])
    kept = run.learner.tensors()
    assert again.learner.tensors().keys() == kept.keys()
    assert all(torch.equal(tensor, kept[key]) for key, tensor in again.learner.tensors().items())


def test_a_finished_run_that_is_resumed_has_one_point_at_its_end(name, run, tmp_path):
    folder = shutil.copytree(run.args.folder, tmp_path / "again")
    again = train(run.game, args(name, folder, resume=True))
    assert [point["decisions"] for point in again.curve.points] == [point["decisions"] for point in run.curve.points]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "already holds a run: resume it, or"),
        ({"resume": True, "gae_lambda": 0.5}, "gae_lambda is 0.95 in the run to resume; it cannot become 0.5"),
    ],
)
def test_a_run_is_not_mixed_with_another(name, run, options, words):
    with pytest.raises(ValueError, match=words):
        train(run.game, args(name, run.args.folder, **options))


def test_the_same_seed_learns_the_same_on_any_number_of_threads(name, tmp_path):
    """The threads share the work, not the random numbers: only rounding differs."""
    runs = [SelfPlay(GAMES[name][0], args(name, tmp_path, threads=threads)) for threads in (1, 2)]
    for run in runs:
        run.play()
        run.learn()
    assert (runs[0].actions == runs[1].actions).all()
    first, second = (torch.cat([part.flatten() for part in run.net.state_dict().values()]) for run in runs)
    assert torch.allclose(first, second, atol=2e-3)


def test_credit_goes_to_the_seat_that_is_paid(name, tmp_path):
    """Advantages follow each seat's own decisions: where all values are 0, the last decisions before an end get what their seat is paid."""
    run = SelfPlay(GAMES[name][0], args(name, tmp_path, window=4, games=2))
    run.seats[:] = [[0, 1], [1, 0], [0, 1], [0, 0]]
    run.values[:], run.dones[:], run.paid[:] = 0, False, 0
    run.dones[2, 0], run.paid[2, 0] = True, (1, -1)
    with torch.no_grad():
        run.net.value.weight.zero_()
        run.net.value.bias.zero_()
    advantages, returns = run.credit()
    assert np.allclose(advantages[:, 0], [0.95, -1, 1, 0])
    assert np.allclose(advantages[:, 1], 0)
    assert (returns == advantages).all()


def test_after_a_window_a_seat_expects_what_its_net_says_when_it_is_asked(name, tmp_path, monkeypatch):
    """The nets of Utage read the answers that are legal, too."""
    run, found = SelfPlay(GAMES[name][0], args(name, tmp_path)), []
    credit = selfplay.seat_credit
    monkeypatch.setattr(selfplay, "seat_credit", lambda *given: (found.append(given[-1]), credit(*given))[1])
    run.play()
    run.learn()
    run.play()
    run.credit()
    rows, masks = run.vec.observations[:, : run.net.spec.row_size].copy(), run.vec.action_masks
    with torch.no_grad():
        said = run.net(torch.from_numpy(rows), torch.from_numpy(masks))[1]
    assert np.allclose(found[-1][np.arange(len(said)), run.vec.seats], said, atol=1e-5)


WIDE = {
    "shisoroku": shisoroku.ShisorokuConfig(num_players=4, kingdom="random", sets=("sa", "in"), start="chirei", optional_cards=True),
    "utage": utage.UtageConfig(decks=("remilia3-sakuya1", "reimu4"), open_lists=False, possible=("reimu4", "remilia3-sakuya1")),
}


def test_the_net_plays_any_table_and_only_legal_answers(name, run):
    vec = make_vec(32, WIDE[name])
    vec.reset(1)
    bot = GAMES[name][2].make(f"neural:{run.args.folder}")
    for _ in range(200):
        vec.step(bot.answer(vec.games, vec.seats, vec.observations, vec.action_masks))


def test_the_net_knows_what_its_seat_knows(name, run):
    """Its likeliest answer is the same in every world that its seat holds possible."""
    game = game_class(run.args.config).new(run.args.config, 3)
    bot = GAMES[name][2].make(f"neural:{run.args.folder},greedy")
    for seed in range(20):
        worlds = (game, GAMES[name][3](game, game.asking, seed))
        answers = {int(bot.answer(one.records, [one.asking], one.observe(one.asking)[None], one.action_mask()[None])[0]) for one in worlds}
        assert len(answers) == 1
        game.act(answers.pop())


def test_a_net_of_one_game_is_none_of_the_other(name, run, tmp_path):
    bots, title = GAMES[name][2], TITLES[name]
    other = next(game for game in GAMES if game != name)
    with pytest.raises(BotError, match=f"holds no network for {TITLES[other]}"):
        GAMES[other][2].make(f"neural:{run.args.folder}")
    shipped = importlib.resources.files("danmaku_env.agents") / "neural.safetensors"
    with pytest.raises(BotError, match=f"holds no network for {title}"):
        bots.make(f"neural:{shipped}")
    with pytest.raises(CheckpointError):
        load_net(str(run.args.folder / CHECKPOINT))
    (tmp_path / CHECKPOINT).write_bytes(b"nothing")
    with pytest.raises(BotError, match="is no checkpoint, or only a part of one"):
        bots.make(f"neural:{tmp_path}")
    with pytest.raises(BotError, match="there is no checkpoint to read at nowhere"):
        bots.make("neural:nowhere")
    with pytest.raises(BotError) as refused:
        bots.make("neural:nowhere,bogus")
    assert str(refused.value) == "neural:nowhere,bogus: after the comma stands greedy or nothing, not 'bogus'"


def test_without_torch_a_net_says_what_to_install(name, run, monkeypatch):
    for module in [module for module in sys.modules if module.startswith("danmaku_env.sister") and "learning" in module]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(BotError, match=r"needs the package torch: pip install 'danmaku-env\[neural\]'"):
        GAMES[name][2].make(f"neural:{run.args.folder}")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "already holds a run: resume it"),
        (["--device", "tpu"], "device is cpu, or cuda where there is a GPU that torch can use, not 'tpu'"),
    ],
)
def test_the_command_says_what_is_wrong(name, run, options, words):
    done = CliRunner().invoke(app, [name, "train", "--folder", str(run.args.folder), "--seconds", "1", *options])
    assert done.exit_code != 0
    assert words in " ".join(done.output.split())


# ---------------------------------------------------------------- what is refused


def altered(run, folder, change):
    """A folder with the run's checkpoint, whose tensors and plain data `change` has altered."""
    tensors, about = read_tensors(run.args.folder / CHECKPOINT)
    change(tensors, about)
    write_tensors(folder / CHECKPOINT, tensors, about, about["rules"])
    return folder


def says(**entries):
    """A change of the plain data; None takes an entry away."""

    def change(tensors, about):
        about.update(entries)
        for name in [name for name, value in entries.items() if value is None]:
            del about[name]

    return change


def without_adam(tensors, about):
    for name in [name for name in tensors if name.startswith("adam.")]:
        del tensors[name]


def adam_is_nan(tensors, about):
    tensors["adam.value.weight.exp_avg"][:] = float("nan")


def test_a_file_in_which_a_bit_has_changed_is_refused(name, run, tmp_path):
    blob = bytearray((run.args.folder / CHECKPOINT).read_bytes())
    blob[-1000] ^= 0x40
    (tmp_path / CHECKPOINT).write_bytes(blob)
    for read in (lambda: GAMES[name][2].make(f"neural:{tmp_path}"), lambda: train(run.game, args(name, tmp_path, resume=True))):
        with pytest.raises(ValueError, match="was changed or damaged after it was written"):
            read()


def net_is_nan(tensors, about):
    tensors["net.value.weight"][:] = float("nan")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (net_is_nan, "has become NaN or infinite"),
        (says(width="x"), "describes no network that there can be: its sizes are"),
        (says(width=10**9), "describes no network that there can be: its sizes are"),
        (says(rules=5), '"rules" must be the fingerprint of rules, not'),
        (says(wide=64.9), "describes no network that there can be: its sizes are"),
        (says(width=4096), "that fits"),
    ],
)
def test_a_file_whose_net_cannot_be_is_refused(name, run, tmp_path, change, words):
    with pytest.raises(BotError, match=words):
        GAMES[name][2].make(f"neural:{altered(run, tmp_path, change)}")


def test_a_net_of_other_rules_plays_and_its_run_is_not_resumed(name, run, tmp_path):
    folder = altered(run, tmp_path, says(rules="0-other"))
    assert GAMES[name][2].make(f"neural:{folder}").net.rules == "0-other"
    with pytest.raises(CheckpointError, match=r"was trained under the rules 0-other, and these are .* cannot be resumed"):
        train(run.game, args(name, folder, resume=True))


@pytest.mark.parametrize(
    "change",
    [
        without_adam,
        adam_is_nan,
        *(says(**{entry: None}) for entry in ("args", "seconds", "processor_seconds", "decisions", "curve")),
        *(says(seconds=value) for value in ("x", float("nan"), -1)),
        *(says(decisions=value) for value in (-5, 10**30, 2.5)),
        *(says(curve=value) for value in (5, [{}], [{"decisions": "x"}])),
        *(says(args=value) for value in (5, {}, {"games": 0})),
    ],
)
def test_what_is_no_whole_run_is_not_resumed(run, name, tmp_path, change):
    folder = altered(run, tmp_path, change)
    with pytest.raises(CheckpointError, match=r"does not hold a whole run|NaN or infinite"):
        train(run.game, args(name, folder, resume=True, seconds=9.0))


def test_the_command_resumes_nothing_that_is_no_run(name, run, tmp_path):
    folder = altered(run, tmp_path, says(args=None))
    done = CliRunner().invoke(app, [name, "train", "--folder", str(folder), "--resume"])
    assert (done.exit_code, "does not hold a whole run: 'args' is missing" in " ".join(done.output.split())) == (2, True)


def test_a_resumed_run_keeps_its_options_and_its_games(name, run):
    again = SelfPlay.load(run.game, SelfPlayArgs(folder=run.args.folder, config=run.args.config, resume=True, threads=1))
    assert (again.args.games, again.args.window, again.args.threads, again.args.seconds) == (16, 8, 1, 1800.0)
    with pytest.raises(ValueError, match=r"max_turns of the games is .* in the run to resume; it cannot become 7"):
        SelfPlay.load(run.game, args(name, run.args.folder, resume=True, config=dataclasses.replace(run.args.config, max_turns=7)))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seconds": -1}, "seconds must not be negative or infinite"),
        ({"seconds": float("nan")}, "seconds must not be negative or infinite"),
        ({"games": 0}, "games must be at least 1"),
        ({"games": "16"}, "games must be a whole number, not '16'"),
        ({"window": 0}, "window must be at least 1"),
        ({"batch": 0}, "batch must be at least 1"),
        ({"epochs": 0}, "epochs must be at least 1"),
        ({"threads": 0}, "threads must be at least 1"),
        ({"gae_lambda": 5.0}, "gae_lambda must be from 0 to 1, not 5"),
        ({"clip": -1.0}, "clip must be above 0, not -1"),
        ({"entropy": float("inf")}, "entropy must be from 0 to"),
        ({"learning_rate": float("nan")}, "learning_rate must be from 0 to"),
        ({"report_deals": 1}, "report_deals must be 0 or at least 2, not 1"),
        ({"final_deals": 1}, "final_deals must be 0 or at least 2, not 1"),
        ({"report_every": float("nan")}, "report_every must not be negative or infinite"),
        ({"seed": -1}, "a seed is a whole number from 0, not -1"),
    ],
)
def test_options_that_make_no_sense(tmp_path, options, words):
    with pytest.raises(ValueError, match=words):
        args("utage", tmp_path, **options)


def test_a_run_of_another_game_is_refused(tmp_path):
    with pytest.raises(ValueError, match="config must be a ShisorokuConfig, not UtageConfig"):
        train(GAMES["shisoroku"][0], args("utage", tmp_path))
