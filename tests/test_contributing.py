"""The walk-throughs of CONTRIBUTING.md, done: their blocks go into a copy of the package, and their tables are played there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import danmaku_env

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = Path(danmaku_env.__file__).parent
BLOCK = re.compile(r"^```python\n# (?P<place>[^\n]*)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
PLACE = re.compile(r"(?P<file>[\w/]+\.py)(, (?P<how>before|at the end of|instead of) (?P<what>.*))?")
IMPORTS = "from danmaku_env import Game, GameConfig, Scenario\n"


def blocks():
    """(place, code) of every block that says where it belongs, in order."""
    return [(found["place"], found["code"]) for found in BLOCK.finditer((ROOT / "CONTRIBUTING.md").read_text("utf-8"))]


def put(folder, place, code):
    """Do what a block says with a file of the copy."""
    asked = PLACE.fullmatch(place)
    assert asked, f"CONTRIBUTING.md: where does {place!r} belong?"
    path = folder / asked["file"]
    if not asked["how"]:
        path.write_text(code, "utf-8")
        return
    text = path.read_text("utf-8")
    if asked["how"] == "before":
        old, new = f"\n{asked['what']} = ", f"\n{code}{asked['what']} = "
    elif asked["how"] == "instead of":
        old, new = asked["what"].strip(), code.strip()
    else:
        start = text.index(f"\n{asked['what']} = (")
        old = text[start : text.index("\n)", start)]
        new = f"{old}\n{code.rstrip()}"
    assert text.count(old) == 1, f"CONTRIBUTING.md: {place!r} is not clear"
    path.write_text(text.replace(old, new), "utf-8")


@pytest.mark.slow
def test_the_walk_throughs_work(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "danmaku_env", ignore=shutil.ignore_patterns("__pycache__"))
    tables = [code for place, code in blocks() if place == "a table"]
    for place, code in blocks():
        if place != "a table":
            put(tmp_path, place, code)
    assert len(tables) == 7
    script = tmp_path / "tables.py"
    script.write_text(IMPORTS + "\n".join(tables), "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, script.name]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr


def test_a_block_that_belongs_nowhere_is_noticed(tmp_path):
    (tmp_path / "cards.py").write_text("\nMAIN_CARDS = (\n    A,\n)\n", "utf-8")
    put(tmp_path, "cards.py, at the end of MAIN_CARDS", "    B,\n")
    assert (tmp_path / "cards.py").read_text("utf-8") == "\nMAIN_CARDS = (\n    A,\n    B,\n)\n"
    with pytest.raises(AssertionError, match="where does 'somewhere' belong"):
        put(tmp_path, "somewhere", "")
    with pytest.raises(AssertionError, match="is not clear"):
        put(tmp_path, "cards.py, instead of  C,", "    D,\n")
