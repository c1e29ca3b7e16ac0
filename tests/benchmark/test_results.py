"""What an entry reaches becomes a file, and a file that does not fit becomes a sentence and no row."""

import json
import re
from functools import reduce
from operator import getitem
from pathlib import Path

import numpy as np
import pytest

from danmaku_env.arena.jobs.parts import Parts
from danmaku_env.benchmark import board, board_pictures, rerun
from danmaku_env.benchmark.result import TaskResult, digest, read_result
from danmaku_env.benchmark.run import Entry, RunSettings, run
from danmaku_env.benchmark.task import read_task
from danmaku_env.console.errors import Stopped, UserError
from danmaku_env.console.terminal import Terminal

HANDED_IN = Path(__file__).parents[2] / "results"


def rewritten(path, **changes):
    """The file with other fields and the SHA-256 that fits them."""
    data = {**json.loads(path.read_text("utf-8")), **changes}
    path.write_text(json.dumps({**data, "sha256": digest(data)}), "utf-8")


def test_an_agent_that_is_a_member_is_level_with_itself(small, measured):
    task = small("panel", ["tests.arena.bots:First"])
    result, path = measured(task, "tests.arena.bots:First")
    assert result.metrics["reward"].sums == result.metrics["reward above tests.arena.bots:First"].sums
    assert read_result(path).metrics == result.metrics
    assert path.name == "small-panel-v1--tests.arena.bots_First.json"


def test_a_deal_counts_what_its_two_games_pay(small, measured):
    """Seats 0 and 2, then 1 and 3: the mean of both differences."""
    from danmaku_env.agents.registry import make
    from danmaku_env.arena.matches.match import Job, play

    task = small("panel", ["tests.arena.bots:Last"])
    result, _ = measured(task, "tests.arena.bots:First")
    agents = [make("tests.arena.bots:First", 0), make("tests.arena.bots:Last", 0)]
    for deal in range(4):
        jobs = [Job((half,), task.deal(deal), tuple((seat + half) % 2 for seat in range(4))) for half in range(2)]
        paid = {game.key: np.array(game.rewards, float) for game in play(jobs, agents, task.config)}
        first, second = paid[0,], paid[1,]
        lead = (first[::2].mean() - first[1::2].mean() + second[1::2].mean() - second[::2].mean()) / 2
        assert result.metrics["reward"].sums[deal] == lead


def test_among_strangers_it_gains_nothing_over_itself(small, measured):
    result, _ = measured(small("strangers", ["tests.arena.bots:First"]), "tests.arena.bots:First")
    assert set(result.metrics["gain"].sums) == {0.0}


def test_two_seeds_that_play_alike_lose_nothing_in_cross_play(small, measured):
    result, _ = measured(small("cross", []), "tests.arena.bots:First", "tests.arena.bots:Checking")
    assert set(result.metrics["self-play minus cross-play"].sums) == {0.0}


def test_a_belief_model_of_the_prior_saves_nothing(small, measured):
    result, _ = measured(small("belief", ["random", "heuristic"]), "tests.benchmark.belief_models:Prior")
    assert result.metrics["bits saved"].estimate().mean == pytest.approx(0, abs=1e-6)
    assert result.metrics["bits above the reference"].estimate().mean > 0


# ---------------------------------------------------------------- sentences and no rows


def test_a_folder_that_is_not_there_has_no_board(tmp_path):
    with pytest.raises(UserError, match=r"there is no folder of results at .*nowhere"):
        board.write_board(tmp_path / "nowhere", tmp_path / "page.md")
    assert not list(tmp_path.iterdir()), "no page is written"


def test_no_file_of_somebody_elses_is_written_over(small, tmp_path):
    """Neither by a board nor by a result; said before anything is played."""
    (tmp_path / "results").mkdir()
    (note := tmp_path / "notes.md").write_text("my thesis")
    with pytest.raises(UserError, match=r"notes\.md: a file that is no board is there and would be lost"):
        board.write_board(tmp_path / "results", note)
    with pytest.raises(UserError, match=f"nothing can be written to {tmp_path}: it is a folder"):
        board.write_board(tmp_path / "results", tmp_path)
    with pytest.raises(UserError, match=r"notes\.md: a file that is no result of the benchmark is there and would be lost"):
        run(small("panel", ["random"]), Entry(agents=("random",)), out=note)
    assert note.read_text() == "my thesis"
    board.write_board(tmp_path / "results", tmp_path / "docs" / "board.md")
    board.write_board(tmp_path / "results", tmp_path / "docs" / "board.md")


@pytest.mark.parametrize(
    ("kind", "spec", "words"),
    [
        (
            "panel",
            "tests.arena.bots:Failing:seldom=97",
            "failed in game . of deal ., asked for .*raised.*; there is no result",
        ),
        ("belief", "tests.benchmark.belief_models:Late", "belief_models:Late' failed while it was asked for its belief"),
        ("belief", "tests.benchmark.belief_models:Unsure", "states a belief that is no probability"),
        ("belief", "random", "does not say what it believes"),
        ("panel", "nobody", "there is no agent 'nobody'"),
    ],
)
def test_an_entry_that_fails_has_no_result(small, measured, tmp_path, kind, spec, words):
    with pytest.raises(UserError, match=words):
        measured(small(kind), spec)
    assert not list((tmp_path / "results").glob("*"))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"task_digest": "0" * 64}, "is of another small-panel-v1 than there is here"),
        ({"rules": "1-000000000000"}, "was made by other rules"),
        ({"population": {"random": "000000000000"}}, "was played with another random"),
        ({"task": "small-panel-v2"}, "json is of an unknown task: there is no task 'small-panel-v2'"),
        ({"deals": 3}, "is not told of each of 3 deals"),
        ({"metrics": {}}, "does not tell the reward"),
        ({"more than there is": 1}, "its fields are not"),
    ],
)
def test_a_result_that_does_not_fit_has_no_row(small, measured, tmp_path, change, words):
    _, path = measured(small("panel", ["random"]), "tests.arena.bots:First")
    rewritten(path, **change)
    results, (sentence,) = board.read_results(path.parent)
    assert results == []
    assert words in sentence


def test_a_result_whose_numbers_were_improved_has_no_row(small, measured):
    _, path = measured(small("panel", ["random"]), "tests.arena.bots:First")
    data = json.loads(path.read_text("utf-8"))
    data["metrics"]["reward"]["mean"] += 0.1
    path.write_text(json.dumps(data), "utf-8")
    assert "its SHA-256 is not the one it names" in board.read_results(path.parent)[1][0]
    rewritten(path, metrics=data["metrics"])
    assert "says that the mean of reward is" in board.read_results(path.parent)[1][0]


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        ("entry", " ", "a name"),
        ("agents", 5, "a list"),
        ("agents/0", 5, "a text"),
        ("deals", True, "a whole number from 2 to 1e15"),
        ("quick", "no", "true or false"),
        ("metrics", [], "an object with names"),
        ("metrics/reward", 5, "an object with names"),
        ("metrics/reward/sums", "9" * 24, "a list of numbers from -1e15 to 1e15"),
        ("metrics/reward/counts", [-1] * 24, "a list of numbers from 0 to 1e15"),
        ("metrics/reward/mean", "x", "null or a number from -1e15 to 1e15"),
        ("population", 5, "an object with names"),
        ("versions/numpy", 2, "a text"),
        ("more", None, "an object with names"),
        ("more/milliseconds a decision", "x", "a number from 0 to 1e15"),
        ("more/role separation", 5, "an object with names"),
        ("more/role separation/heroine/Extra Boss/named", "x", "null or a number from -1e15 to 1e15"),
        ("more/calibration error", [1, 0, 2], "an object with names"),
        ("more/items in prose", "all", "a whole number from 1 to 1e15"),
        ("decisions", -5, "a whole number from 0 to 1e15"),
        ("decisions", float("inf"), "a whole number from 0 to 1e15"),
        ("curve", [5], "an object with names"),
        ("curve", [{"decisions": 1, "random": "x"}], "a number from -1e15 to 1e15"),
        ("seconds", 10**400, "a number from 0 to 1e15"),
    ],
)
def test_a_field_that_holds_something_else_is_named(tmp_path, place, value, words):
    data = json.loads((HANDED_IN / "strength-basic4-v1--random--quick.json").read_text("utf-8"))
    *around, name = [int(step) if step.isdecimal() else step for step in place.split("/")]
    reduce(getitem, around, data)[name] = value
    (tmp_path / "odd.json").write_text(json.dumps({**data, "sha256": digest(data)}), "utf-8")
    results, (sentence,) = board.read_results(tmp_path)
    assert results == []
    assert re.search(rf"odd\.json is no result: its {place}[a-z0-9/]* must be {words}, not ", sentence)


@pytest.mark.parametrize("place", ["metrics/reward/mean", "more/role separation/heroine/Extra Boss/named"])
def test_what_a_row_is_made_of_may_not_be_missing(tmp_path, place):
    data = json.loads((HANDED_IN / "strength-basic4-v1--random--quick.json").read_text("utf-8"))
    *around, name = place.split("/")
    del reduce(getitem, around, data)[name]
    (tmp_path / "odd.json").write_text(json.dumps({**data, "sha256": digest(data)}), "utf-8")
    assert f"its {place} must be null or a number from -1e15 to 1e15, not nothing" in board.read_results(tmp_path)[1][0]


@pytest.mark.parametrize(("kind", "metric"), [("panel", "reward above random"), ("strangers", "gain with random")])
def test_a_result_tells_of_every_member_of_the_population(small, measured, kind, metric):
    _, path = measured(small(kind, ["random"]), "tests.arena.bots:First")
    data = json.loads(path.read_text("utf-8"))
    del data["metrics"][metric]
    rewritten(path, metrics=data["metrics"])
    assert f"does not tell the {metric}" in board.read_results(path.parent)[1][0]


def test_all_files_that_were_handed_in_have_a_row():
    results, refused = board.read_results(HANDED_IN)
    assert refused == []
    assert len(results) == len([*HANDED_IN.glob("*.json")])


def test_names_are_shown_letter_by_letter(small, measured, tmp_path):
    """An entry is called as its maker likes, and that is no Markdown, no HTML, and no formula in a picture."""
    task = small("panel", ["random"])
    for bot, changes in (
        ("First", {"entry": r"<b>![x](//y)</b> `a` *b* _c_ $d$ \e | f"}),
        ("Last", {"trainer": r"$\frac{$ and $", "decisions": 1}),
    ):
        rewritten(measured(task, f"tests.arena.bots:{bot}")[1], **changes)
    assert board.write_board(tmp_path / "results", tmp_path / "docs" / "benchmark.md") == []
    page = (tmp_path / "docs" / "benchmark.md").read_text("utf-8")
    assert r"| \<b\>\!\[x\](//y)\</b\> \`a\` \*b\* \_c\_ \$d\$ \\e \| f | 4 |" in page


@pytest.mark.parametrize("text", ["", "[]", "{", '{"danmaku_result": 2}', "9" * 5000, "[" * 100_000])
def test_a_file_that_is_no_result_has_no_row(tmp_path, text):
    (tmp_path / "x.json").write_text(text, "utf-8")
    assert "is no result" in board.read_results(tmp_path)[1][0]


def test_the_first_games_are_the_same_however_many_are_played(small, measured):
    """A quick run and one played once more say of a deal what the whole run says, of beliefs too."""
    task = small("panel", ["random"], beliefs=True)
    whole, _ = measured(task, "deducer")
    again, _ = rerun.measure(
        task, Entry(agents=("deducer",)), 2, True, RunSettings(folder=Path("again"), processes=1), Terminal(quiet=True)
    )
    for name, metric in again.items():
        assert (metric.sums, metric.counts) == (whole.metrics[name].sums[:2], whole.metrics[name].counts[:2]), name
    assert "bits saved" in again


def test_quick_and_whole_runs_are_not_compared(small, measured, tmp_path):
    task = small("panel", ["random"])
    measured(task, "tests.arena.bots:First")
    for spec in ("tests.arena.bots:First", "tests.arena.bots:Last"):
        entry = Entry(agents=(spec,))
        run(task, entry, quick=True, settings=RunSettings(folder=tmp_path / f"quick {spec}", processes=1), console=Terminal(quiet=True))
    board.write_board(tmp_path / "results", tmp_path / "docs" / "benchmark.md")
    page = (tmp_path / "docs" / "benchmark.md").read_text("utf-8")
    rows = [line.split(" | ")[:2] for line in page.splitlines() if line.startswith("| tests.arena.bots:")]
    assert rows == [["| tests.arena.bots:First", "4"], ["| tests.arena.bots:Last", "2"]]
    assert page.index("bots:First") < page.index("Quick runs, of the first deals only") < page.index("bots:Last")


def test_seeds_of_a_trainer_are_one_point_of_its_curve(small, tmp_path):
    task = small("panel", ["random"])
    for seed, spec in enumerate(("First", "Last")):
        entry = Entry(agents=(f"tests.arena.bots:{spec}",), name=f"seed {seed}", trainer="mine", decisions=1_000_000 + seed)
        run(task, entry, settings=RunSettings(folder=tmp_path / spec, processes=1), console=Terminal(quiet=True))
    results, _ = board.read_results(tmp_path / "results")
    mean = board_pictures.mean_over_seeds(results, "reward above random").estimate().mean
    assert mean == pytest.approx(np.mean([result.metrics["reward above random"].estimate().mean for result in results]))
    assert list(board.pictures(results)) == [f"{task.name}.svg"]


def test_reward_by_time_is_drawn_of_agents_that_were_not_trained(small, measured, tmp_path):
    task = small("panel", ["random"])
    for spec in ("tests.arena.bots:First", "tests.arena.bots:Last"):
        measured(task, spec)
    board.write_board(tmp_path / "results", tmp_path / "docs" / "benchmark.md")
    assert (tmp_path / "docs" / "benchmark" / f"{task.name}-time.svg").read_text("utf-8").startswith("<?xml")


def test_the_board_ranks_and_pairs(small, measured, tmp_path):
    task = small("panel", ["random"])
    for spec in ("tests.arena.bots:First", "tests.arena.bots:Last"):
        measured(task, spec)
    assert board.write_board(tmp_path / "results", tmp_path / "docs" / "benchmark.md") == []
    page = (tmp_path / "docs" / "benchmark.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| tests.arena.bots:")]
    results = {result.entry: result for result in board.read_results(tmp_path / "results")[0]}
    best, other = (results[line.split(" | ")[0].removeprefix("| ")] for line in rows)
    assert best.headline().mean >= other.headline().mean
    assert f"{other.metrics['reward'].minus(best.metrics['reward']).mean:+.3f}" in rows[1]


def test_a_learning_curve_is_drawn_from_the_points_of_a_trainer(small, tmp_path):
    task = small("panel", ["random"])
    (tmp_path / "curve.csv").write_text(
        "decisions,Stage Boss to the Heroine,Stage Boss to the Heroine by chance\n1e6,0.5,0.3\n2e6,0.6,0.3\n", "utf-8"
    )
    for decisions in (1_000_000, 10_000_000):
        entry = Entry(
            agents=("tests.arena.bots:First",), name=f"first {decisions}", trainer="first", decisions=decisions,
            curve=tmp_path / "curve.csv",
        )  # fmt: skip
        settings = RunSettings(folder=tmp_path / str(decisions), processes=1)
        result, _ = run(task, entry, quick=True, settings=settings, console=Terminal(quiet=True))
        assert str(tmp_path) not in result.command, "the curve is in the result, and its file may be gone"
    board.write_board(tmp_path / "results", tmp_path / "docs" / "benchmark.md")
    assert (tmp_path / "docs" / "benchmark" / f"{task.name}.svg").read_text("utf-8").startswith("<?xml")
    assert f"![Learning curves of {task.name}](benchmark/{task.name}.svg)" in (tmp_path / "docs" / "benchmark.md").read_text("utf-8")


def test_an_interrupted_run_goes_on_to_the_same_result(small, measured, tmp_path):
    task = small("panel", ["random"])
    whole, _ = measured(task, "tests.arena.bots:First")
    folder = tmp_path / "games of tests.arena.bots:First"
    (folder / "results" / "part-00000.jsonl").unlink()
    entry = Entry(agents=("tests.arena.bots:First",))
    again, _ = run(task, entry, settings=RunSettings(folder=folder, resume=True, processes=1), console=Terminal(quiet=True))
    assert again.metrics == whole.metrics


@pytest.mark.parametrize("stopped_at", [0, 1], ids=["in the games", "in the beliefs"])
def test_a_run_that_asks_for_beliefs_too_goes_on_from_either_job(stopped_at, small, measured, tmp_path, monkeypatch):
    task, entry = small("panel", ["random"], beliefs=True), Entry(agents=("tests.benchmark.belief_models:Prior",))
    whole, _ = measured(task, *entry.agents)
    with monkeypatch.context() as patch:
        stopped_in_job(patch, stopped_at)
        with pytest.raises(Stopped):
            run(task, entry, settings=RunSettings(folder=tmp_path / "twice", processes=1), console=Terminal(quiet=True))
    settings = RunSettings(folder=tmp_path / "twice", resume=True, processes=1)
    again, _ = run(task, entry, settings=settings, console=Terminal(quiet=True))
    assert again.metrics == whole.metrics


def stopped_in_job(monkeypatch, number):
    """Ctrl-C in the first part of one of the jobs of a command."""
    keep, jobs = Parts.keep, []

    def interrupted(parts, part, blobs):
        if parts.folder not in jobs:
            jobs.append(parts.folder)
        if len(jobs) > number:
            raise KeyboardInterrupt
        keep(parts, part, blobs)

    monkeypatch.setattr(Parts, "keep", interrupted)


def test_a_result_is_played_once_more(small, measured, tmp_path):
    _, path = measured(small("panel", ["random"]), "random")
    settings = RunSettings(processes=1)
    assert rerun.chosen([path], 3) == path
    assert rerun.rerun(path, settings, Terminal(quiet=True)) == (4, 4)
    data = json.loads(path.read_text("utf-8"))
    metric = data["metrics"]["reward above random"]
    metric["sums"] = [value + 0.5 for value in metric["sums"]]
    metric |= {name: metric[name] + 0.5 for name in ("mean", "low", "high")}
    rewritten(path, metrics=data["metrics"])
    with pytest.raises(UserError, match="only 0 of its first 4 deals came out the same"):
        rerun.rerun(path, settings, Terminal(quiet=True))
    rewritten(path, agents=["neural:runs/elsewhere"])
    with pytest.raises(UserError, match="none of the results can be played again here"):
        rerun.chosen([path], 3)
    assert rerun.rerun(path, settings, Terminal(quiet=True)) == (0, 0), "nothing is found wrong where nothing can be played"


@pytest.mark.parametrize(
    ("name", "deals", "quick", "again"),
    [
        ("strength-base6-v1", 960, False, 48),
        ("strength-base6-v1", 24, True, 8),
        ("belief-v1", 1984, False, 128),
        ("belief-v1", 64, True, 32),
    ],
)
def test_whole_parts_are_played_once_more(name, deals, quick, again):
    task = read_task(name)
    result = TaskResult.of(task, entry="x", agents=("random",), deals=deals, quick=quick, metrics={}, more={}, versions={})
    assert rerun.deals_again(task, result) == again
