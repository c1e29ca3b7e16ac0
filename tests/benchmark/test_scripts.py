"""Scripts written from docs/benchmark.md alone get what the results say, to the last digit.

Each prints JSON with what it has `found` and what the `result` says.
"""

import json
import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("*.py"))
NAMED = {"reward_of_a_rule": ("random", "deducer")}
"""Scripts that take a name."""
RUNS = [(script, name) for script in SCRIPTS for name in NAMED.get(script.stem, ("",))]


def test_there_are_ten():
    assert len(SCRIPTS) == 10


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:unclosed file", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(("script", "name"), RUNS, ids=lambda told: getattr(told, "stem", told))
def test_a_script_gets_the_figures_of_the_results(script, name, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "argv", [str(script), *([name] if name else [])])
    runpy.run_path(str(script), run_name="__main__")
    said = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert said["found"] == said["result"]
    assert said["found"]
