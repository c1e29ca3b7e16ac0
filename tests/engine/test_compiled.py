"""Compiled code: never stale, the same with the compiler off, inside its arrays."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import danmaku_env
from danmaku_env.engine import compiled
from danmaku_env.engine import state as st

ROOT = Path(danmaku_env.__file__).resolve().parent.parent

PLAY = """
import hashlib
from danmaku_env import GameConfig, make_vec
for players in (4, 6, 8):
    vec = make_vec(4, GameConfig(num_players=players))
    vec.reset(17)
    for _ in range(400):
        vec.step(vec.sample())
    print(hashlib.sha256(vec.games.tobytes() + vec.observations.tobytes() + vec.action_masks.tobytes()).hexdigest())
"""


def python(code, **environment):
    """Run code in a fresh interpreter; returns what it prints."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True, timeout=1200).stdout


@pytest.mark.skipif(not compiled.JIT, reason="compares with the compiler on")
def test_compiler_on_and_off_play_the_same_games():
    assert python(PLAY) == python(PLAY, NUMBA_DISABLE_JIT="1")


def test_what_play_reads_of_a_record_is_at_most_4_kib():
    assert st.PLAY_BYTES <= 4096 < st.STATE_BYTES <= 3 * 4096 + 512


def test_an_edit_in_any_source_of_a_kernel_changes_the_cache_folder(tmp_path):
    copy = tmp_path / "danmaku_env"
    shutil.copytree(ROOT / "danmaku_env", copy, ignore=shutil.ignore_patterns("__pycache__"))
    before = compiled.fingerprint(copy)
    assert before == compiled.fingerprint()
    for name in ("engine/queries.py", "engine/procedures/attack.py", "cards/vocabulary/operands.py"):
        path = copy / name
        text = path.read_text()
        path.write_text(text + "\n# edited\n")
        assert compiled.fingerprint(copy) != before, name
        path.write_text(text)
    assert compiled.fingerprint(copy) == before


@pytest.mark.skipif(not compiled.JIT, reason="is about the cache")
def test_an_edited_helper_is_seen_by_functions_that_were_cached(tmp_path):
    """numba alone would go on with the old helper: it notices edits only in the file that defines the calling function."""
    copy = tmp_path / "danmaku_env"
    shutil.copytree(ROOT / "danmaku_env", copy, ignore=shutil.ignore_patterns("__pycache__"))
    code = """
from danmaku_env.engine import dice
from danmaku_env.engine.compiled import entry
@entry
def scramble(value):
    return dice._scramble(value)
print(scramble(7))
"""
    (tmp_path / "probe.py").write_text(code)
    environment = {"PYTHONPATH": str(tmp_path), "DANMAKU_CACHE_DIR": str(tmp_path / "cache")}

    def probe():
        env = {**os.environ, **environment}
        command = [sys.executable, "-B", str(tmp_path / "probe.py")]
        return subprocess.run(command, env=env, capture_output=True, text=True, check=True, timeout=600).stdout

    first = probe()
    assert probe() == first
    helper = copy / "engine" / "dice.py"
    helper.write_text(helper.read_text().replace("return value ^ (value >> 16)", "return value"))
    assert probe() != first
    assert len([folder for folder in (tmp_path / "cache").iterdir() if folder.is_dir()]) == 2


@pytest.mark.skipif(not compiled.JIT, reason="bounds checks are compiled in")
@pytest.mark.slow
def test_bounds_checked_play_leaves_no_array():
    """A part of the fuzz with every index checked (a compilation of its own)."""
    code = PLAY.replace("range(400)", "range(1500)").replace("make_vec(4", "make_vec(32")
    assert python(code, NUMBA_BOUNDSCHECK="1") == python(code)
