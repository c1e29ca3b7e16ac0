"""Fits, balance, imitation and tasks of the benchmark as tasks of Ray: the same results as in processes of this machine."""

import functools
import os
import sys

import psutil
import pytest

from danmaku_env import GameConfig
from danmaku_env.agents import population
from danmaku_env.arena.jobs.ray_tasks import RayTasks, Workers
from danmaku_env.arena.jobs.workers import Team, Work
from danmaku_env.benchmark.run import Entry, RunSettings, measure, run
from danmaku_env.benchmark.task import read_task
from danmaku_env.console.errors import UserError
from danmaku_env.console.options import run_function
from danmaku_env.console.terminal import Terminal
from danmaku_env.training import balance
from danmaku_env.training.balance import BalanceArgs, page
from danmaku_env.training.fits import style, values
from danmaku_env.training.imitation import imitate
from tests.command import exit_status
from tests.training.test_imitate import QUIET, small

pytestmark = pytest.mark.slow


def test_a_fit_of_several_rounds_is_the_same_to_the_byte(tmp_path, monkeypatch, ray):
    table = [GameConfig(num_players=4, roles="basic", characters="random")]
    monkeypatch.setattr(style, "configurations", lambda _: table)
    monkeypatch.chdir(tmp_path)
    for on_ray in (False, True):
        style.main(games=40, rounds=1, seed=3, expansion="none", out=tmp_path / f"{on_ray}.json", processes=1, ray=on_ray)
    assert (tmp_path / "True.json").read_bytes() == (tmp_path / "False.json").read_bytes()


def test_the_balance_page_is_the_same(tmp_path, monkeypatch, ray):
    monkeypatch.chdir(tmp_path)
    pages = []
    for on_ray in (False, True):
        args = BalanceArgs(agent="heuristic", games=2, processes=1, ray=on_ray)
        pages.append(page(args, balance.measure(args, QUIET)))
    assert pages[0] == pages[1]


def test_imitation_learns_the_same_from_what_tasks_of_ray_have_played(tmp_path, monkeypatch, ray):
    """The second and third rounds play by the student and search with it: its file goes to the workers. Then it is resumed without Ray."""
    monkeypatch.setattr(imitate, "TABLES", ((4, "basic"), (5, "advanced")))
    given = {"teacher": "search:simulations=4,net=student", "rounds": 3}
    here = imitate.train(small(tmp_path / "here", **given), QUIET)
    elsewhere = imitate.train(small(tmp_path / "ray", **given | {"ray": True, "processes": 2}), QUIET)
    names = here.tensors().keys()
    assert names == elsewhere.tensors().keys()
    assert all((here.tensors()[name] == elsewhere.tensors()[name]).all() for name in names)
    resumed = imitate.train(small(tmp_path / "ray", **given | {"rounds": 4, "resume": True}), QUIET)
    assert resumed.rounds == 4


def test_a_task_of_the_benchmark_has_the_same_sums(tmp_path, ray):
    found = []
    for on_ray in (False, True):
        settings = RunSettings(folder=tmp_path / str(len(found)), processes=1, ray=on_ray)
        metrics, _ = measure(read_task("strength-basic4-v1"), Entry(agents=("random",)), 1, True, settings, Terminal(quiet=True))
        found.append({name: (metric.sums, metric.counts) for name, metric in metrics.items()})
    assert found[0] == found[1]


def test_workers_find_the_population_that_was_named(tmp_path, monkeypatch, ray):
    monkeypatch.setenv(population.VARIABLE, str(tmp_path))
    with Workers(1, ray=True).team(os.getenv, {}, ()) as team:
        assert list(team.each([population.VARIABLE])) == [str(tmp_path)]
    monkeypatch.delenv(population.VARIABLE)
    with Workers(1, ray=True).team(os.getenv, {}, ()) as team:
        assert list(team.each([population.VARIABLE])) == [""], "and later jobs do not"


def test_a_process_of_ray_has_one_worker_at_a_time(ray):
    """Work of another kind ends the worker of the one before."""
    for number in range(2):
        with Team(RayTasks(ray, Work(counting_children, (number,)), 1, {})) as team:
            assert list(team.each([0])) == [1]


def counting_children(_):
    """The workers that the process above has."""
    return lambda task, beat: iter([len([one for one in psutil.Process().parent().children() if "spawn_main" in str(one.cmdline())])])


@pytest.mark.parametrize("main", [functools.partial(run_function, values.main), balance.main, imitate.main])
def test_ray_that_is_missing_is_one_sentence_and_nothing_is_written(main, tmp_path, monkeypatch, capfd):
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.chdir(tmp_path)
    assert exit_status(main, "--ray") == 2
    said = capfd.readouterr().err
    assert "needs the package ray: pip install 'danmaku-env[ray]'" in said
    assert not [*tmp_path.rglob("*.json"), *tmp_path.rglob("*.md")]


def test_what_trains_by_itself_is_not_sent_away(tmp_path):
    with pytest.raises(UserError, match=r"exploit-v1 trains its exploiter in this process, .*: leave --ray out"):
        run(read_task("exploit-v1"), Entry(agents=("heuristic",)), settings=RunSettings(ray=True), out=tmp_path / "result.json")
    assert not [*tmp_path.iterdir()]
