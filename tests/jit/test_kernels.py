"""Compiled code: never stale, the same with the compiler off, inside its arrays."""

import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import danmaku_env
from danmaku_env.engine import state as st
from danmaku_env.jit import kernels

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


@pytest.mark.skipif(not kernels.JIT, reason="compares with the compiler on")
def test_compiler_on_and_off_play_the_same_games():
    assert python(PLAY) == python(PLAY, NUMBA_DISABLE_JIT="1")


SMALL_PLAY = """
import hashlib, sys
from danmaku_env.jit.kernels import PLAIN, count_bits, copy_start, entry, load_word, lowest_bit, store_word
import numpy as np

@entry
def mixed(words, rows, other):
    total = 0
    for place in range(len(words)):
        word = words[place]
        total = total * 31 + lowest_bit(word) + 64 * count_bits(word)
        store_word(rows, place, word)
        total ^= load_word(rows, place)
    copy_start(other, 1, rows.reshape(2, -1), 0, 16)
    return total

words = np.random.default_rng(3).integers(-2**63, 2**63 - 1, 200)
rows, other = np.zeros(208, np.uint8), np.zeros((2, 104), np.uint8)
print(mixed(words | 1 << 40, rows, other), hashlib.sha256(rows.tobytes() + other.tobytes()).hexdigest())
print("plain" if PLAIN else "not plain", file=sys.stderr)
"""


@pytest.mark.skipif(not kernels.JIT, reason="compares with the compiler on")
def test_plain_numba_reckons_as_our_toolchain_does(tmp_path):
    """It is what stands in where numba's insides are other ones; its cache lies apart."""
    ours, said = call(tmp_path, SMALL_PLAY)
    plain, said_plain = call(tmp_path, SMALL_PLAY, DANMAKU_JIT="plain")
    assert plain == ours
    assert "not plain" in said
    assert said_plain.strip() == "plain"


@pytest.fixture
def alone(tmp_path):
    """A package that has nothing but jit/ and one kernel, and a script with another that calls it; runs the script with plain numba."""
    package = tmp_path / "code" / "danmaku_env"
    shutil.copytree(ROOT / "danmaku_env" / "jit", package / "jit", ignore=shutil.ignore_patterns("__pycache__"))
    (package / "steps.py").write_text("from danmaku_env.jit.kernels import entry\n@entry\ndef after(number):\n    return number + 7\n")
    (package.parent / "sums.py").write_text("from danmaku_env.jit.kernels import kernel\n@kernel\ndef add(a, b):\n    return a + b\n")
    script = """
from danmaku_env.jit.kernels import entry
from danmaku_env.steps import after
from sums import add
@entry
def both(a, b):
    return add(after(a), b)
print(both(1, 2), after(1), len(after.stats.cache_hits))
"""
    (package.parent / "script.py").write_text(script)

    def run(said=None):
        env = {**os.environ, "PYTHONPATH": str(package.parent), "DANMAKU_CACHE_DIR": str(tmp_path / "cache"), "DANMAKU_JIT": "plain"}
        env |= {"TMPDIR": str(tmp_path), "DANMAKU_CACHE_PRIVATE": ""}
        command = [sys.executable, "-B", str(package.parent / "script.py")]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True, timeout=300)
        if said is not None:
            said.append(done.stderr)
        return done.stdout.split()

    return run


def edit(path, old, new):
    """Another text, of the same length and the same time."""
    about = path.stat()
    path.write_text(path.read_text().replace(old, new))
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))


@pytest.mark.skipif(not kernels.JIT, reason="is about the compiler")
def test_plain_numba_is_never_stale(alone, tmp_path):
    assert [alone(), alone()] == [["10", "8", "0"], ["10", "8", "1"]]
    edit(tmp_path / "code" / "sums.py", "a + b", "a - b")  # code of others, which calls our kernels
    assert alone() == ["6", "8", "1"]
    edit(tmp_path / "code" / "danmaku_env" / "steps.py", "number + 7", "number + 9")
    assert alone() == ["8", "10", "0"]


@pytest.mark.skipif(not kernels.JIT, reason="is about the compiler")
def test_plain_numba_says_what_it_compiles_and_does_it_once(alone, tmp_path):
    package = tmp_path / "code" / "danmaku_env"
    with (package / "steps.py").open("a") as file:
        file.write("TITLE = 'the steps'\ndef examples():\n    return [(after, (1,))]\n")
    (package.parent / "script.py").write_text("""
from danmaku_env.jit.precompile import compile_once
compile_once("danmaku_env.steps")
from danmaku_env.steps import after
print(after(1), len(after.stats.cache_hits))
""")
    said = []
    assert [alone(said), alone(said)] == [["8", "0"], ["8", "1"]]
    assert "plain numba compiles the steps, which takes many minutes, once per version" in said[0]
    assert "compiled in" in said[0]
    assert said[1] == ""


@pytest.mark.skipif(not kernels.JIT, reason="is about the compiler")
def test_plain_numba_keeps_apart_what_was_compiled_otherwise(tmp_path):
    code = "from danmaku_env.jit import plain_numba; print(plain_numba._folder())"
    ways = ({}, {"NUMBA_BOUNDSCHECK": "1"}, {"NUMBA_DEBUGINFO": "1"}, {"NUMBA_CPU_NAME": "generic"})
    folders = [python(code, DANMAKU_JIT="plain", DANMAKU_CACHE_DIR=str(tmp_path), **way) for way in (*ways, {})]
    assert folders[0] == folders[-1]
    assert len(set(folders)) == len(ways)


@pytest.mark.skipif(not kernels.JIT or not hasattr(os, "geteuid"), reason="modes are those of POSIX")
def test_plain_numba_keeps_nothing_where_others_may_write(alone, tmp_path):
    """What it keeps are pickles; and numba left to itself would put them beside the sources, where it does not notice every edit."""
    kernel_folder = tmp_path / "cache" / "kernels"
    kernel_folder.mkdir(parents=True)
    kernel_folder.chmod(0o777)
    spare = tmp_path / f"danmaku-env-{os.geteuid()}"
    assert [alone(), alone()] == [["10", "8", "0"], ["10", "8", "1"]]
    assert not list(kernel_folder.iterdir())
    assert {path.stat().st_mode & 0o777 for path in (spare, *spare.glob("plain-*"))} == {0o700}
    spare.chmod(0o777)
    assert alone() == ["10", "8", "0"]
    assert not list(tmp_path.rglob("__pycache__"))


@pytest.mark.skipif(not kernels.JIT, reason="is about the compiler")
def test_the_numba_of_other_code_is_left_alone(tmp_path):
    """Flags, settings and pipelines of numba are the same after ours was loaded and has compiled; others compile as ever."""
    code = """
import numba
from numba.core.compiler import Compiler, Flags
def state():
    return (Flags.__hash__, Flags.__eq__, Compiler.define_pipelines, numba.config.CACHE_DIR, numba.config.OPT, numba.njit, numba.jit)
before = state()
import danmaku_env.engine.batch, danmaku_env.heuristics.kernels.policy
from danmaku_env.jit import precompile
from tests.jit import tiny
precompile.compile_once("tests.jit.tiny")
tiny.twice_after(1)
assert state() == before
@numba.njit
def evens(n):
    return sum([i for i in range(n) if i % 2 == 0])
assert evens(10) == 20 and len(evens.signatures) == 1
assert evens.targetoptions.get("pipeline_class") is None and type(evens._compiler.pipeline_class) is type
print("untouched")
"""
    for choice in ("", "plain"):
        assert call(tmp_path, code, DANMAKU_JIT=choice)[0] == ["untouched"]


def test_what_play_reads_of_a_record_is_at_most_6_kib():
    assert st.PLAY_BYTES <= 6144 < st.STATE_BYTES <= 13 * 1024


@pytest.mark.skipif(not kernels.JIT, reason="is about the cache")
def test_an_edited_helper_is_seen_by_functions_that_were_cached(tmp_path):
    """numba alone would go on with the old helper: it notices edits only in the file that defines the calling function."""
    copy = tmp_path / "danmaku_env"
    shutil.copytree(ROOT / "danmaku_env", copy, ignore=shutil.ignore_patterns("__pycache__"))
    code = """
from danmaku_env.jit.kernels import entry
from danmaku_env.machine import rng
@entry
def scramble(value):
    return rng._scramble(value)
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
    helper = copy / "machine" / "rng.py"
    helper.write_text(helper.read_text().replace("return value ^ (value >> 16)", "return value"))
    assert probe() != first


# ---------------------------------------------------------------- the cache, with the small kernels of tiny.py

CALL = """
from danmaku_env.jit import precompile
from tests.jit import tiny
precompile.compile_once("tests.jit.tiny")
print(tiny.twice_after(1), len(tiny.twice_after.stats.cache_hits))
"""
compiler_only = pytest.mark.skipif(not kernels.JIT, reason="is about the cache")


def call(folder, code=CALL, **environment):
    """What a process that calls a kernel prints, and what it says."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "DANMAKU_CACHE_DIR": str(folder), **environment}
    env.pop("DANMAKU_COMPILING", None)
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=300, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout.split(), done.stderr


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    """A folder in which the kernels are cached."""
    folder = tmp_path_factory.mktemp("warm")
    printed, said = call(folder)
    assert printed == ["15", "1"]
    assert re.fullmatch(r"danmaku-env: compiling the small kernels, once .*\ndanmaku-env: compiled in \d+ s, cached in .*\n", said)
    return folder


@pytest.fixture
def cache(warm, tmp_path):
    return Path(shutil.copytree(warm, tmp_path / "cache"))


@compiler_only
def test_a_warm_start_is_silent(cache):
    assert call(cache) == (["15", "1"], "")


@compiler_only
@pytest.mark.parametrize("spoil", [lambda data: data[: len(data) // 2], lambda data: b"\x80\x04noise" * 99, lambda data: b""])
def test_a_spoiled_cache_is_compiled_anew(cache, spoil):
    for path in (cache / "kernels").glob("*.kernel"):
        path.write_bytes(spoil(path.read_bytes()))
    printed, said = call(cache)
    assert printed == ["15", "1"]
    assert "compiled in" in said
    assert call(cache) == (["15", "1"], "")


@compiler_only
def test_a_pickle_put_in_the_place_of_a_kernel_is_not_run(cache, tmp_path):
    class Planted:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "planted"),)

    for path in (cache / "kernels").glob("*.kernel"):
        path.write_bytes(pickle.dumps(Planted()))
    assert call(cache)[0] == ["15", "1"]
    assert not (tmp_path / "planted").exists()


@compiler_only
@pytest.mark.parametrize("folders", ["cannot be made", "can only be read"])
def test_without_a_folder_that_takes_files_it_works_all_the_same(cache, tmp_path, folders):
    """With the files there, they are used; without, they are compiled for this process and its children alone."""
    (tmp_path / "file").write_text("no folder")
    code = f"""
from danmaku_env.jit import kernel_cache
kernel_cache._takes_files = lambda folder: False
{CALL}
import os, pathlib
print(pathlib.Path(os.environ.get("DANMAKU_CACHE_PRIVATE") or "/nowhere").exists(), os.environ.get("DANMAKU_CACHE_PRIVATE"))
"""
    printed, said = call(cache if folders == "can only be read" else tmp_path / "file", code)
    assert printed[:2] == ["15", "1"]
    assert said.count("compiled in") == (folders == "cannot be made")
    assert printed[2:] == (["False", "None"] if folders == "can only be read" else ["True", printed[3]])
    assert not os.path.exists(printed[3])


@compiler_only
def test_the_same_package_at_another_path_uses_the_cache(tmp_path):
    """A kernel is known by what it is made of, not by where it lies."""
    seen = []
    for name in ("first", "second"):
        shutil.copytree(ROOT / "danmaku_env", tmp_path / name / "danmaku_env", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(ROOT / "tests" / "jit", tmp_path / name / "tests" / "jit", ignore=shutil.ignore_patterns("__pycache__"))
        env = {**os.environ, "PYTHONPATH": str(tmp_path / name), "DANMAKU_CACHE_DIR": str(tmp_path / "cache")}
        done = subprocess.run([sys.executable, "-c", CALL], env=env, cwd=tmp_path / name, capture_output=True, text=True, timeout=300)
        seen.append((done.stdout.split(), "compiling" in done.stderr))
    assert seen == [(["15", "1"], True), (["15", "1"], False)]


@compiler_only
def test_processes_that_start_at_once_compile_once(tmp_path):
    env = {**os.environ, "PYTHONPATH": str(ROOT), "DANMAKU_CACHE_DIR": str(tmp_path)}
    started = [
        subprocess.Popen([sys.executable, "-c", CALL], env=env, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    ended = [process.communicate(timeout=300) for process in started]
    assert [printed.split() for printed, _ in ended] == [["15", "1"]] * 3
    assert sum("compiling the small kernels" in said for _, said in ended) == 1


@compiler_only
def test_one_that_was_killed_while_it_compiled_holds_off_nobody(tmp_path):
    code = """
import os, signal
from danmaku_env.jit import precompile
precompile._compile = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
precompile.compile_once("tests.jit.tiny")
"""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "DANMAKU_CACHE_DIR": str(tmp_path)}
    killed = subprocess.run([sys.executable, "-c", code], env=env, cwd=ROOT, capture_output=True, timeout=300)
    assert killed.returncode == -9
    assert list((tmp_path / "kernels").glob("compiling-*.lock"))
    assert call(tmp_path)[0] == ["15", "1"]


@compiler_only
@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="stops a process as a terminal does")
def test_one_that_was_stopped_while_it_compiled_holds_off_nobody_for_ever(tmp_path):
    """The same code is compiled when the wait has become too long, and another version of it at once."""
    code = """
import os, signal
from danmaku_env.jit import precompile
precompile._compile = lambda *_: (print("stopped", flush=True), os.kill(os.getpid(), signal.SIGSTOP))
precompile.compile_once("tests.jit.tiny")
"""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "DANMAKU_CACHE_DIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", code], env=env, cwd=ROOT, stdout=subprocess.PIPE, text=True) as stopped:
        try:
            assert stopped.stdout.readline() == "stopped\n"
            printed, said = call(tmp_path, "from danmaku_env.jit import kernel_cache; kernel_cache._LONGEST_WAIT = 0.5" + CALL)
            assert printed == ["15", "1"]
            assert "another process compiles" in said
            printed, said = call(tmp_path, "from tests.jit import tiny; tiny.STEP = 5" + CALL)
            assert printed[0] == "11"
            assert "waiting" not in said
        finally:
            stopped.kill()


@compiler_only
def test_what_the_cache_does_not_hold_is_said(cache):
    """Arguments of a type that nobody compiled for: the message stays true."""
    code = CALL + "print(tiny.twice_after(1.5))"
    printed, said = call(cache, code)
    assert printed == ["15", "1", "15.5"]
    assert said == "danmaku-env: compiling tests.jit.tiny.twice_after, which the cache does not hold for these arguments ...\n"


@pytest.mark.skipif(not kernels.JIT, reason="bounds checks are compiled in")
@pytest.mark.slow
def test_bounds_checked_play_leaves_no_array():
    """A part of the fuzz with every index checked (a compilation of its own, on one core: so no agents are compiled beside the engine)."""
    code = PLAY.replace("range(400)", "range(1500)").replace("make_vec(4", "make_vec(32")
    if hasattr(os, "sched_setaffinity"):
        code = f"import os\nos.sched_setaffinity(0, [{min(os.sched_getaffinity(0))}])\n{code}"
    assert python(code, NUMBA_BOUNDSCHECK="1") == python(code)


@pytest.mark.skipif(not kernels.KNOWN or not kernels.JIT, reason="without our toolchain every kernel has a wrapper for Python")
def test_a_kernel_that_only_kernels_call_says_so_to_python():
    from danmaku_env.machine.batch import next_seed

    with pytest.raises(TypeError, match=r"next_seed is called by kernels alone: call an entry"):
        next_seed(5)
    assert next_seed.py_func(0) > 0
