"""A task so small that a test can do all of it, in a folder of tasks of its own."""

import pytest

from danmaku_env import GameConfig
from danmaku_env.benchmark import task as tasks
from danmaku_env.benchmark.population import fingerprint
from danmaku_env.benchmark.run import Entry, RunSettings, run
from danmaku_env.benchmark.task import read_task
from danmaku_env.console.terminal import Terminal
from danmaku_env.named_tables import NAMED_TABLES

FILE = """\
name = "{name}"
kind = "{kind}"
title = "A task of a test"
table = "{table}"
deals = 4
quick = 2
headline = "{headline}"
lower_is_better = {lower}
budget = "none"
protocol = "as docs/benchmark.md says"
beliefs = {beliefs}

[population]
{population}
"""
HEADLINES = {
    "panel": "reward",
    "strangers": "gain",
    "cross": "self-play minus cross-play",
    "belief": "log loss of the role",
    "partner": "log loss",
}


@pytest.fixture
def small(tmp_path, monkeypatch):
    """Makes a small task of a kind."""
    monkeypatch.setattr(tasks, "FOLDER", tmp_path)
    monkeypatch.chdir(tmp_path)

    def make(kind, population=("random", "heuristic"), beliefs=False):
        name = f"small-{kind}-v1"
        table = "Base6-v0" if kind == "partner" else "Basic4-v0"  # at four nobody is a Partner
        config = GameConfig(**NAMED_TABLES[table])
        members = "\n".join(f'"{spec}" = "{fingerprint(spec, config)}"' for spec in population)
        lower = str(kind in ("belief", "cross", "partner")).lower()
        text = FILE.format(
            name=name, kind=kind, table=table, headline=HEADLINES[kind], lower=lower, population=members, beliefs=str(beliefs).lower()
        )
        (tmp_path / f"{name}.toml").write_text(text, "utf-8")
        return read_task(name)

    return make


@pytest.fixture
def measured(tmp_path):
    """Measures agents in a task, in this process; the result and its file."""

    def measure(task, *agents, **more):
        settings = RunSettings(folder=tmp_path / f"games of {' '.join(agents)}", processes=1)
        return run(task, Entry(agents=agents), settings=settings, console=Terminal(quiet=True), **more)

    return measure
