"""The command that shows who plays by role."""

import csv
import json

import pytest

from danmaku_env.training.role_awareness import main
from tests.command import exit_status


def test_random_play_is_deaf_to_its_role_and_the_heuristic_is_not(tmp_path, capfd):
    out = tmp_path / "awareness.csv"
    assert exit_status(main, "random", "heuristic", "--games", "8", "-n", "5", "--out", str(out)) == 0
    assert "Role separation" in capfd.readouterr().out
    rows = {(row["agent"], row["as"]): row for row in csv.DictReader(out.read_text("utf-8").splitlines())}
    assert {faction for agent, faction in rows if agent == "heuristic"} == {"Heroine", "Partner", "Stage Boss", "Extra Boss"}
    random, heuristic = rows["random", "Stage Boss"], rows["heuristic", "Stage Boss"]
    assert float(random["distance"]) == 0 < 0.3 < float(heuristic["distance"])
    assert float(heuristic["enemies named"]) > float(heuristic["exchanged"]) + 0.1


def test_the_figures_are_kept_with_the_table_they_are_of(tmp_path):
    out = tmp_path / "awareness.json"
    assert exit_status(main, "random", "--games", "2", "-n", "4", "--roles", "basic", "--out", str(out)) == 0
    kept = json.loads(out.read_text("utf-8"))
    assert (kept["config"]["num_players"], kept["config"]["roles"], kept["games"]) == (4, "basic", 2)


@pytest.mark.parametrize(("words", "reason"), [(["nobody"], "there is no agent 'nobody'"), (["random", "--games", "0"], "--games")])
def test_bad_input_is_one_sentence(words, reason, capfd):
    assert exit_status(main, *words) == 2
    said = capfd.readouterr().err
    assert reason in said
    assert said.count("\n") == 1
