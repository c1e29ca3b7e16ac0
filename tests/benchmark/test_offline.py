"""Positions as data and predictions back: the truth costs nothing, and what does not fit is a sentence."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from danmaku_env.benchmark import offline
from danmaku_env.benchmark.offline import ITEMS, PROSE, TRUTH, write_items
from danmaku_env.benchmark.run import Entry, RunSettings, run
from danmaku_env.console.errors import UserError
from danmaku_env.console.terminal import Terminal


@pytest.fixture
def handed_in(small, tmp_path):
    """Scores rows of predictions in a small task of beliefs; the truth as such rows with it."""
    task = small("belief", ["random", "heuristic"])
    write_items(task, task.deals, tmp_path / "items")
    truth = [
        {"item": row["item"], "seat": row["seat"], f"p_{row['role']}": 1.0} for row in pq.read_table(tmp_path / "items" / TRUTH).to_pylist()
    ]
    names = sorted({name for row in truth for name in row if name.startswith("p_")})
    truth = [{**dict.fromkeys(names, 0.0), **row} for row in truth]

    def score(rows):
        file = tmp_path / "predictions.parquet"
        pq.write_table(pa.Table.from_pylist(rows), file)
        settings = RunSettings(folder=tmp_path / "games", processes=1)
        return run(task, Entry(predictions=file, name="told"), settings=settings, console=Terminal(quiet=True))[0]

    return score, truth


def test_the_truth_costs_no_bits(handed_in):
    score, truth = handed_in
    metrics = score(truth).metrics
    assert metrics["log loss of the role"].estimate().mean == pytest.approx(0, abs=1e-6)
    assert metrics["bits saved"].estimate().mean > 0.5


def test_the_truth_with_two_seats_exchanged_costs(handed_in):
    score, truth = handed_in
    items = [row["item"] for row in truth]
    first = next(place for place in range(len(items) - 1) if items[place] == items[place + 1] and truth[place] != truth[place + 1])
    one, other = truth[first], truth[first + 1]
    exchanged = [*truth[:first], {**other, "seat": one["seat"]}, {**one, "seat": other["seat"]}, *truth[first + 2 :]]
    assert score(exchanged).metrics["log loss of the role"].estimate().mean > 0


def test_items_tell_no_truth(handed_in, tmp_path):
    columns = pq.read_table(tmp_path / "items" / ITEMS).column_names
    assert not {"role", "roles", "game", "seed"} & set(columns)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda rows: rows[1:], "predicts nothing for seat . of the item"),
        (lambda rows: [{**rows[0], "p_heroine": 0.5}, *rows[1:]], "must be numbers from 0 to 1 that sum to 1"),
        (lambda rows: [{**rows[0], "p_heroine": float("nan")}, *rows[1:]], "must be numbers from 0 to 1 that sum to 1"),
        (lambda rows: [*rows, rows[0]], "predicts a seat of an item twice"),
        (lambda rows: [{**row, "p_boss": 0.0} for row in rows], "has a column 'p_boss', and no role is called so; roles are heroine, "),
        (lambda rows: rows[1:], r"go on with the games that are played: --folder .* --resume"),
        (lambda rows: [{**row, "seat": row["seat"] + 0.7} for row in rows], "a seat is a whole number, not"),
        (lambda rows: [{**row, "seat": float("inf")} for row in rows], "is no file of predictions"),
        (lambda rows: [{name: row[name] for name in row if name != "item"} for row in rows], "is no file of predictions"),
    ],
)
def test_predictions_that_do_not_fit_have_no_result(handed_in, spoil, words):
    score, truth = handed_in
    with pytest.raises(UserError, match=words):
        score(spoil(truth))


def test_a_partner_who_is_nowhere_has_no_result(small, tmp_path):
    task = small("partner", ["random", "heuristic"])
    write_items(task, task.deals, tmp_path / "items")
    rows = [{"item": row["item"], "seat": row["seat"], "p_partner": 0.0} for row in pq.read_table(tmp_path / "items" / TRUTH).to_pylist()]
    assert rows
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "none.parquet")
    settings = RunSettings(folder=tmp_path / "games", processes=1)
    with pytest.raises(UserError, match=r"no seat of the item [0-9a-f]* has a probability above 0 of being the Partner"):
        run(task, Entry(predictions=tmp_path / "none.parquet"), settings=settings, console=Terminal(quiet=True))


def test_items_in_prose_are_handed_in_alone(small, tmp_path, monkeypatch):
    monkeypatch.setattr(offline, "MOST_PROSE", 3)
    task = small("partner", ["random", "heuristic"])
    write_items(task, task.deals, tmp_path / "items")
    told = {json.loads(line)["item"] for line in (tmp_path / "items" / PROSE).read_text("utf-8").splitlines()}
    rows = [
        {"item": row["item"], "seat": row["seat"], "p_partner": float(row["role"] in ("partner", "one_true_partner", "ex_midboss"))}
        for row in pq.read_table(tmp_path / "items" / TRUTH).to_pylist()
        if row["item"] in told
    ]
    assert len(told) == 3
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "told.parquet")
    entry = Entry(predictions=tmp_path / "told.parquet", prose=True, name="reader")
    result, path = run(task, entry, settings=RunSettings(folder=tmp_path / "games", processes=1), console=Terminal(quiet=True))
    assert (result.size, path.name) == ("prose", "small-partner-v1--reader--prose.json")
    assert sum(result.metrics["log loss"].counts) == result.more["items in prose"] == 3
    assert "bits above the reference" not in result.metrics
    assert result.metrics["log loss"].estimate().mean == pytest.approx(0, abs=1e-6)
    with pytest.raises(UserError, match="leave --quick or --prose out"):
        run(task, entry, quick=True, settings=RunSettings(folder=tmp_path / "quick", processes=1), console=Terminal(quiet=True))


def test_a_bad_file_is_refused_before_anything_is_played(small, tmp_path):
    task = small("belief", ["random", "heuristic"])
    (tmp_path / "bad").write_text("x")
    settings, agents = RunSettings(folder=tmp_path / "games", processes=1), ("tests.benchmark.belief_models:Prior",)
    for entry, out in (
        (Entry(predictions=tmp_path / "bad"), None),
        (Entry(agents=agents, curve=tmp_path / "bad"), None),
        (Entry(agents=agents), tmp_path),
        (Entry(agents=agents), tmp_path / "bad" / "result.json"),
    ):
        with pytest.raises(UserError):
            run(task, entry, out=out, settings=settings, console=Terminal(quiet=True))
    assert not (tmp_path / "games").exists()


@pytest.mark.parametrize("row", ["nan,1", "-5,1", "1,inf", "1e300,1", f"{'1' * 140_000},1"])
def test_a_curve_of_numbers_that_cannot_be_is_refused(small, tmp_path, row):
    (tmp_path / "curve.csv").write_text(f"decisions,reward\n{row}\n")
    with pytest.raises(UserError, match="is no learning curve"):
        run(small("belief", ["random"]), Entry(agents=("tests.benchmark.belief_models:Prior",), curve=tmp_path / "curve.csv"))


def test_a_curve_comes_from_a_file(small):
    entry = Entry(agents=("tests.benchmark.belief_models:Prior",), curve=Path("/dev/null"))
    with pytest.raises(UserError, match="the learning curve /dev/null cannot be read: it is no file"):
        run(small("belief", ["random"]), entry)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"name": " "}, "the entry of a result must be a name, not ' '"),
        ({"decisions": 10**20}, "the decisions of a result must be a whole number from 0 to 1e15"),
        ({"decisions": 0.5}, "the decisions of a result must be a whole number from 0 to 1e15, not 0.5"),
    ],
)
def test_what_the_board_would_refuse_is_refused_before_anything_is_played(small, tmp_path, said, words):
    settings = RunSettings(folder=tmp_path / "games", processes=1)
    with pytest.raises(UserError, match=words):
        run(small("belief", ["random"]), Entry(agents=("tests.benchmark.belief_models:Prior",), **said), settings=settings)
    assert not settings.folder.exists()
