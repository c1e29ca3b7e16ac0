"""Scripts written from docs/benchmark.md alone get what the results say, to the last digit.

Each prints JSON with what it has `found` and what the `result` says.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("*.py"))
NAMED = {"reward_of_a_rule": ("random", "heuristic", "deducer")}
"""Scripts that take a name."""
RUNS = [(script, name) for script in SCRIPTS for name in NAMED.get(script.stem, ("",))]


def test_there_are_ten():
    assert len(SCRIPTS) == 10


@pytest.mark.slow
@pytest.mark.parametrize(("script", "name"), RUNS, ids=lambda told: getattr(told, "stem", told))
def test_a_script_gets_the_figures_of_the_results(script, name):
    command, environment = [sys.executable, str(script), *([name] if name else [])], {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout.splitlines()[-1])
    assert said["found"] == said["result"]
    assert said["found"]
