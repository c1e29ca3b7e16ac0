"""Jobs as tasks of Ray: the same results to the byte, resumed or not, whoever is killed meanwhile."""

import io
import sys
import time

import pytest
from rich.console import Console
from typer.testing import CliRunner

from danmaku_env import GameConfig
from danmaku_env.arena.deduction import study as deduction
from danmaku_env.arena.deduction.report import Study
from danmaku_env.arena.jobs.parts import Parts
from danmaku_env.arena.jobs.ray_tasks import RayTasks
from danmaku_env.arena.jobs.workers import Team, Work
from danmaku_env.arena.tournaments import tournament
from danmaku_env.arena.tournaments.plan import Plan
from danmaku_env.arena.tournaments.scheduler import Scheduler, player
from danmaku_env.commands import main as cli
from danmaku_env.console.cli_errors import BAD_USAGE
from danmaku_env.console.errors import UserError
from danmaku_env.jit.kernels import JIT
from tests.arena.bots import sleeping
from tests.arena.test_jobs import files
from tests.arena.test_scheduler import chunks
from tests.on_ray import MISSING, processes

CORES = 2
BOTS = "tests.arena.bots"
PLAN = Plan(agents=("random", f"{BOTS}:Seeded", "heuristic"), players=(4,), deals=12, seed=5, time_limit=60)


def test_without_ray_one_sentence_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    words = ["tournament", "random", "heuristic", "--deals", "2", "--ray", "--out", str(tmp_path)]
    result = CliRunner().invoke(cli.app, words, prog_name="danmaku")
    assert result.exit_code == BAD_USAGE
    assert "needs the package ray: pip install 'danmaku-env[ray]'" in result.stderr.replace("\n", " ")


def test_an_address_without_ray_is_refused(tmp_path):
    with pytest.raises(UserError, match="add --ray to play there"):
        tournament.run(PLAN, out=tmp_path, address="auto")


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("127.0.0.1:1", "there is no Ray cluster to join at 127.0.0.1:1: "),
        ("nowhere", "host:port of its head"),
        (f"127.0.0.1:{'9' * 5000}", "host:port of its head"),
        (f"{'a' * 70}:80", "there is no Ray cluster to join at aaa.*label"),
        ("ray://127.0.0.1:10001", "host:port of its head"),
    ],
)
def test_a_cluster_that_is_not_there_is_one_sentence(address, reason, tmp_path):
    pytest.importorskip("ray", reason=MISSING)
    with pytest.raises(UserError, match=reason):
        tournament.run(PLAN, out=tmp_path, ray=True, address=address, console=Console(file=io.StringIO()))


def run(folder, **options):
    return tournament.run(PLAN, out=folder, replays=1, console=Console(file=io.StringIO()), **options)


def stopped_after(monkeypatch, games):
    """Ctrl-C after this number of games."""
    play = Scheduler.play

    def interrupted(self, chunks):
        for number, result in enumerate(play(self, chunks)):
            if number == games:
                raise KeyboardInterrupt
            yield result

    monkeypatch.setattr(Scheduler, "play", interrupted)


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="whole games of two agents take minutes with the compiler off")
def test_a_report_begun_and_resumed_with_ray_is_the_same_to_the_byte(tmp_path, monkeypatch, ray):
    monkeypatch.setattr("danmaku_env.arena.tournaments.plan._CHUNK", 12)
    run(tmp_path / "processes", processes=2)
    with monkeypatch.context() as patch:
        stopped_after(patch, 14)
        with pytest.raises(KeyboardInterrupt):
            run(tmp_path / "resumed", ray=True)
    kept = (tmp_path / "resumed" / "results.jsonl").read_bytes()
    assert 14 <= kept.count(b"\n") < PLAN.games
    run(tmp_path / "resumed", ray=True, resume=True)
    assert (tmp_path / "resumed" / "results.jsonl").read_bytes().startswith(kept)
    for name in (tournament.REPORT, tournament.PAGE):
        assert (tmp_path / "resumed" / name).read_bytes() == (tmp_path / "processes" / name).read_bytes()


def stopped_after_a_part(monkeypatch):
    """Ctrl-C when the second part is to be kept."""
    keep, kept = Parts.keep, []

    def interrupted(parts, part, blobs):
        if kept:
            raise KeyboardInterrupt
        kept.append(part)
        keep(parts, part, blobs)

    monkeypatch.setattr(Parts, "keep", interrupted)


SHORT = GameConfig(num_players=4, characters="random", max_turns=6)


def record_of(folder, **options):
    pytest.importorskip("pyarrow", reason="the tables need pyarrow: pip install 'danmaku-env[data]'")
    from danmaku_env.arena.data import record

    games = record.DatasetSpec.PART_SIZE + 1
    recipe = record.DatasetSpec(agents=("random", f"{BOTS}:Seeded"), table=GameConfig(num_players=4), games=games, seed=5)
    record.run(recipe, out=folder, console=Console(quiet=True), **options)


def study_of(folder, **options):
    belief_models, games = ("heuristic", "tests.arena.test_deduction:Oracle"), Study.PART_SIZE + 1
    study = Study(belief_models=belief_models, agents=(f"{BOTS}:Seeded",), table=SHORT, games=games, seed=5)
    deduction.run(study, out=folder, console=Console(quiet=True), **options)


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="whole games take minutes with the compiler off")
@pytest.mark.parametrize("job", [record_of, study_of])
def test_recordings_and_studies_begun_and_resumed_with_ray_are_the_same_to_the_byte(job, tmp_path, monkeypatch, ray):
    job(tmp_path / "processes", processes=2)
    with monkeypatch.context() as patch:
        stopped_after_a_part(patch)
        with pytest.raises(KeyboardInterrupt):
            job(tmp_path / "resumed", ray=True)
    assert len(list((tmp_path / "resumed" / "checksums").iterdir())) == 1
    job(tmp_path / "resumed", ray=True, resume=True)
    assert files(tmp_path / "resumed") == files(tmp_path / "processes")


@pytest.mark.parametrize("command", ["record", "deduce"])
def test_recordings_and_studies_say_what_ray_needs(command, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    for words, reason in ((["--ray"], "needs the package ray"), (["--address", "auto"], "add --ray to play there")):
        words = [command, "--games", "2", *words, "--out", str(tmp_path / command)]
        result = CliRunner().invoke(cli.app, words, prog_name="danmaku")
        assert (result.exit_code, reason in result.stderr.replace("\n", " ")) == (BAD_USAGE, True)
        assert not list((tmp_path / command).glob("*.json")), "nothing was begun that could be gone on with"


@pytest.mark.slow
def test_a_part_whose_task_is_killed_is_done_again(ray):
    """The very process of Ray is killed in the middle of a part; another one does it."""
    with Team(RayTasks(ray, Work(sleeping), 1, {})) as team:
        results = team.as_done([0.0, 5.0, 0.0])
        assert next(results) == (0.0, 0.0)
        process_that_plays().kill()
        assert sorted(results) == [(0.0, 0.0), (5.0, 5.0)]


def scheduler_of(ray, specs, time_limit=5.0, needed=()):
    return Scheduler(RayTasks(ray, player(specs), 1, dict(needed), specs), time_limit=time_limit)


@pytest.mark.slow
def test_games_of_a_killed_task_are_played_again_and_count_once(ray):
    """The very process of Ray is killed in the middle of a chunk, worker process and all."""
    specs, todo = [f"{BOTS}:Seeded", f"{BOTS}:Last"], chunks(1, games=24)
    clean = list(scheduler_of(ray, specs).play(todo))
    results = scheduler_of(ray, specs).play(todo)
    got = [next(results)]
    process_that_plays().kill()
    got += results
    assert sorted(got, key=lambda result: result.key) == sorted(clean, key=lambda result: result.key)


def process_that_plays():
    """The process of Ray that plays, as soon as there is that one alone; one of the test before may still be ending."""
    until = time.monotonic() + 20
    while len(found := processes("ray::_play")) != 1 and time.monotonic() < until:
        time.sleep(0.05)
    (only,) = found
    return only


@pytest.mark.slow
def test_an_agent_that_ends_its_process_loses_that_game_only(ray):
    todo = chunks(1, games=2)
    results = list(scheduler_of(ray, [f"{BOTS}:Dying:seldom=1", f"{BOTS}:Last"]).play(todo))
    assert sorted(result.key for result in results) == [job.key for job in todo[0].jobs]
    faults = [fault for result in results for fault in result.faults]
    assert faults
    assert all((fault.agent, fault.kind) == (0, "crashed") and "exit status was 7" in fault.words for fault in faults)


@pytest.mark.slow
def test_a_machine_with_another_version_does_not_play(ray):
    scheduler = scheduler_of(ray, [f"{BOTS}:First", f"{BOTS}:Last"], needed={"rules": "another"})
    with pytest.raises(UserError, match=r"rules is \d+-[0-9a-f]{12} on the machine .*, and another where the job was begun"):
        list(scheduler.play(chunks(1)))
