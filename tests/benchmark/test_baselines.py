"""The command of the baselines: a run is begun, gone on with, or kept, and measured once, as the agent that its file is."""

import sys

import pytest
from torch import nn

from danmaku_env.agents.registry import make
from danmaku_env.benchmark.task import read_task
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.nets.checkpoints import CHECKPOINT, save_checkpoint
from danmaku_env.nets.layered_policy import save_policy
from danmaku_env.nets.selfplay_nets import SeatsNet
from experiments import baselines, training_runs

TASK = read_task("selfplay-tiny-v1")


def written(name, folder, decisions):
    """The file that the trainer of a recipe leaves behind after this many decisions, random play included, of a budget of 5000."""
    folder.mkdir(parents=True, exist_ok=True)
    taught = baselines.RECIPES[name].taught(5000)
    if baselines.RECIPES[name].agent == "policy":
        actor = nn.Sequential(nn.Linear(DANMAKU_SPEC.row_size, DANMAKU_SPEC.num_actions))
        return save_policy(folder / CHECKPOINT, actor, about={"decisions": decisions})
    point = {"decisions": decisions - taught, "seconds": 1, "random": 0, "heuristic": 0}
    about = {"decisions": decisions - taught, "args": {"teach": taught}, "curve": [point], "seconds": 1}
    return save_checkpoint(folder / CHECKPOINT, SeatsNet(8, 8), {}, about)


@pytest.mark.parametrize("name", baselines.RECIPES)
def test_a_run_is_begun_gone_on_with_and_kept(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    commands = []
    monkeypatch.setattr(training_runs.subprocess, "run", lambda words, check, cwd: commands.append(words))
    folder = baselines.trained(name, TASK, 5000, 3)
    module = baselines.RECIPES[name].words[0]
    assert commands[0][:3] == [sys.executable, "-m", module]
    learned = "3750" if baselines.RECIPES[name].teaches else "5000"
    assert commands[0][commands[0].index("--seconds") :][:6] == ["--seconds", "0", "--decisions", learned, "--table", "Tiny-v0"]
    written(name, folder, 4000)
    baselines.trained(name, TASK, 5000, 3)
    assert commands[1][-5:] == ["--seconds", "0", "--decisions", learned, "--resume"]
    written(name, folder, 5000)
    assert baselines.trained(name, TASK, 5000, 3) == folder
    assert len(commands) == 2, "what is finished is kept"
    assert make(f"{baselines.RECIPES[name].agent}:{folder},greedy=no", 0).name == baselines.RECIPES[name].agent


def test_a_net_is_measured_once(tmp_path, monkeypatch):
    measured = []
    monkeypatch.setattr(baselines, "run", lambda task, entry, quick, settings: measured.append(entry))
    monkeypatch.setattr(baselines, "read_results", lambda folder: (told, []))
    written("sb3-maskable-ppo", tmp_path, 1_007_616)
    told = []
    baselines.measured(TASK, tmp_path, "sb3-maskable-ppo", "MaskablePPO, {}, seed 2", quick=True, plays_as="policy")
    (entry,) = measured
    assert entry.agents == (f"policy:{tmp_path},greedy=no",)
    assert (entry.name, entry.decisions) == ("MaskablePPO, 1.01 M, seed 2", 1_007_616)
    told.append(type("Result", (), {"task": TASK.name, "entry": entry.called(), "quick": True}))
    baselines.measured(TASK, tmp_path, "sb3-maskable-ppo", "MaskablePPO, {}, seed 2", quick=True)
    assert len(measured) == 1


def test_measuring_goes_on_where_it_was_stopped(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked = []

    def begin(task, entry, quick, settings):
        asked.append(settings)
        settings.folder.mkdir(parents=True, exist_ok=True)
        (settings.folder / "task.json").write_text("{}", "utf-8")

    monkeypatch.setattr(baselines, "run", begin)
    monkeypatch.setattr(baselines, "read_results", lambda folder: ([], []))
    for task, size in (("strangers-v1", ""), ("strangers-v1", ""), ("strength-base6-v1", ""), ("strangers-v1", "--quick")):
        baselines.main(["--task", task, "--seeds", "1", "--only", "random", *size.split()])
    assert [settings.resume for settings in asked] == [False, True, False, False]
    assert len({settings.folder for settings in asked}) == 3


def test_random_play_that_a_critic_learns_from_counts(tmp_path):
    written("self-play", tmp_path, 5000)
    assert baselines.made(tmp_path) == 5000
    assert [point["decisions"] for point in baselines.whole_curve(tmp_path)] == [5000]


def test_a_net_that_began_with_another_has_learned_from_the_decisions_of_both(tmp_path):
    written("self-play", tmp_path / "first", 5000)
    point = {"decisions": 2000, "seconds": 3, "random": 0, "heuristic": 0}
    about = {"decisions": 3000, "args": {"teach": 100, "start": str(tmp_path / "first")}, "curve": [point]}
    (tmp_path / "second").mkdir()
    save_checkpoint(tmp_path / "second" / CHECKPOINT, SeatsNet(8, 8), {}, about)
    assert baselines.made(tmp_path / "second") == 8100
    curve = baselines.whole_curve(tmp_path / "second")
    assert [(point["decisions"], point["seconds"]) for point in curve] == [(5000, 1), (7100, 4)]


def test_only_what_a_task_takes_is_entered(monkeypatch, capsys):
    """A copy of the deducer is among the strangers, so no such net is entered there; agents that know the game are no self-play."""
    entered = []
    monkeypatch.setattr(baselines, "run", lambda task, entry, quick, settings: entered.append((task.name, entry.name)))
    monkeypatch.setattr(baselines, "read_results", lambda folder: ([], []))
    baselines.main(["--task", "strangers-v1", "--seeds", "1", "--only", "random", "--only", "heuristic"])
    baselines.main(["--task", "belief-v1", "--seeds", "1", "--only", "random", "--only", "heuristic"])
    assert entered == [("strangers-v1", "random"), ("strangers-v1", "heuristic"), ("belief-v1", "heuristic")]
    for task, name in (("selfplay-base6-v1", "random"), ("strangers-v1", "cloning"), ("strength-base6-v1", "ppo-mlp")):
        with pytest.raises(SystemExit):
            baselines.main(["--task", task, "--only", name])
        assert f"{name} is not measured in {task}: there are" in capsys.readouterr().err


def test_a_clone_that_was_measured_is_not_trained_again(monkeypatch):
    result = type("Result", (), {"task": "strength-base6-v1", "entry": "cloning, seed 2", "quick": False})
    monkeypatch.setattr(baselines, "read_results", lambda folder: ([result], []))
    monkeypatch.setattr(baselines, "clones", lambda folder, seed: pytest.fail("it is trained again"))
    baselines.main(["--task", "strength-base6-v1", "--seeds", "2", "--only", "cloning"])
