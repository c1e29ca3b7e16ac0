"""Who compiles what, in which order, and what the bar says."""

import contextlib
import itertools
import os
import re
import subprocess
import sys

import pytest

from danmaku_env.jit import precompile
from danmaku_env.jit.kernel_hash import plain_name
from danmaku_env.jit.kernels import JIT, is_shared
from danmaku_env.jit.precompile import KERNEL, UNIT, CompileTask, Progress
from tests.jit.test_kernels import CALL, ROOT, call

compiler_only = pytest.mark.skipif(not JIT, reason="is about the compiler")
MODULES = ("danmaku_env.engine.warm", "danmaku_env.agents.warm")
PLAN = {
    unit.name: unit
    for unit in (
        CompileTask("warm", "play", {"play": 10, "draw": 5}, frozenset({"machine"})),
        CompileTask("warm", "machine", {"machine": 100, "draw": 5, "discard": 5}, frozenset({"look"})),
        CompileTask("warm", "look", {"look": 20}, frozenset()),
        CompileTask("warm", "count", {"count": 90}, frozenset()),
    )
}


@pytest.mark.parametrize("module", MODULES)
def test_every_unit_has_arguments_to_be_compiled_for(module):
    examples = sys.modules[module].examples() if precompile.units(module) else []
    assert sorted(plain_name(kernel) for kernel, _ in examples) == sorted(map(plain_name, precompile.units(module)))


def test_a_unit_holds_its_parts_and_calls_shared_kernels():
    plan = precompile.plan(MODULES)
    step = plan["engine.batch.step_rows"]
    assert {"engine.advance.advance", "engine.observe.observe"} <= step.calls
    assert "machine.batch._pay" in step.kernels
    assert not step.calls & step.kernels.keys()
    assert "engine.procedures.play.play" in plan["engine.advance.advance"].kernels
    assert {name for unit in plan.values() for name in unit.calls} == {
        plain_name(kernel) for module in MODULES for kernel in precompile.units(module) if is_shared(kernel)
    }


def test_what_most_work_waits_for_comes_first():
    behind = precompile.order(PLAN)
    assert behind == {"play": 15, "machine": 125, "look": 145, "count": 90}


def test_progress_counts_every_kernel_once_and_ends_at_the_whole():
    progress = Progress(PLAN)
    done = [(KERNEL, "look"), (UNIT, "look"), (KERNEL, "draw"), (KERNEL, "draw"), (KERNEL, "not one of ours"), (UNIT, "machine")]
    shares = [progress.share]
    for kind, name in [*done, (UNIT, "play"), (KERNEL, "count"), (UNIT, "count")]:
        progress.add(kind, name)
        shares.append(progress.share)
    assert (shares[0], shares[-1]) == (0.0, pytest.approx(1.0))
    assert all(first <= second for first, second in itertools.pairwise(shares))
    assert shares[4] == shares[3] == shares[5]


@compiler_only
def test_a_terminal_sees_a_bar_that_grows_to_the_end(tmp_path):
    ours, theirs = pytest.importorskip("pty").openpty()
    env = {**os.environ, "PYTHONPATH": str(ROOT), "DANMAKU_CACHE_DIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", CALL], env=env, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=theirs) as process:
        os.close(theirs)
        said = b""
        with contextlib.suppress(OSError):  # so Linux says that nobody writes any more
            while piece := os.read(ours, 4096):
                said += piece
    os.close(ours)
    assert process.returncode == 0
    shares = [int(number) for number in re.findall(rb"(\d+)%", said)]
    assert (shares[0], shares[-1]) == (0, 100)
    assert shares == sorted(shares)
    assert b"3 of 3 kernels" in said
    assert b"compiled in" in said


@compiler_only
def test_where_no_process_can_be_started_it_compiles_itself(tmp_path):
    code = """
from danmaku_env.jit import precompile
def refuse(*_, **__):
    raise OSError("no more processes")
precompile.subprocess.Popen = refuse
"""
    printed, said = call(tmp_path, code + CALL)
    assert printed[0] == "15"
    assert "no process could be started to compile (no more processes)" in said


@compiler_only
def test_a_worker_that_is_killed_takes_nobody_along(tmp_path):
    code = """
from danmaku_env.jit import precompile
give, given = precompile._Worker.give, []
def killed(worker, unit):
    given.append(unit.name)
    if len(given) == 1:
        worker.process.kill()
    else:
        give(worker, unit)
precompile._Worker.give = killed
"""
    printed, said = call(tmp_path, code + CALL)
    assert printed[0] == "15"
    assert "could not be kept" in said
    assert call(tmp_path)[0] == ["15", "1"]


class Pretended:
    """A worker that is done at once; of two, the first dies before it is given anything."""

    def __init__(self, lines):
        self.lines, self.dead = lines, lines.empty()
        lines.put((self, None if self.dead else "somebody else prints this"))

    def give(self, unit):
        assert not self.dead, "nobody would ever answer"
        for line in (f"{UNIT} unheard of", f"{KERNEL} {unit.name}", "", f"{UNIT} {unit.name}"):
            self.lines.put((self, line))

    def end(self):
        pass


def test_nothing_is_given_to_a_worker_that_died_while_it_had_nothing_to_do(monkeypatch):
    done = []
    monkeypatch.setattr(precompile, "_Worker", Pretended)
    monkeypatch.setattr(precompile, "cores", lambda: 2)
    monkeypatch.setattr(Progress, "add", lambda _, kind, name: done.append(name) if kind == UNIT else None)
    look, others = CompileTask("warm", "look", {"look": 20}, frozenset()), ("machine", "count")
    precompile._hand_out({"look": look, **{name: CompileTask("warm", name, {name: 9}, frozenset({"look"})) for name in others}})
    assert sorted(done) == ["count", "look", "machine"]


@compiler_only
def test_what_others_print_while_workers_compile_is_no_answer(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("print('a banner that is no whole line', end='')")
    printed, said = call(tmp_path / "cache", PYTHONPATH=os.pathsep.join(map(str, (tmp_path, ROOT))), NUMBA_DUMP_BYTECODE="1")
    assert printed[-2:] == ["line15", "1"]
    assert "compiled in" in said


def test_workers_are_started_with_the_flags_of_this_python():
    code = "from danmaku_env.jit.interpreter import interpreter; print(*interpreter('warm')[1:-2])"
    done = subprocess.run([sys.executable, "-OO", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout.split() == ["-OO", "-P"]


@compiler_only
def test_where_no_thread_can_be_started_it_compiles_itself(tmp_path):
    code = """
from danmaku_env.jit import precompile
def refuse(*_):
    raise RuntimeError("can't start new thread")
precompile.threading.Thread.start = refuse
"""
    printed, said = call(tmp_path, code + CALL)
    assert printed[0] == "15"
    assert said.count("\n") == 2
    assert said.endswith("no process could be started to compile (can't start new thread): it is compiled here, where it is needed\n")


@compiler_only
def test_workers_read_no_module_of_the_working_directory(tmp_path):
    """Python looks there first for what `-m` and `-c` run."""
    (tmp_path / "secrets.py").write_text("open('read', 'w')")
    (tmp_path / "here.py").write_text(f"import sys\nsys.path = [p for p in sys.path if p not in ('', {str(tmp_path)!r})]" + CALL)
    env = {**os.environ, "PYTHONPATH": str(ROOT), "DANMAKU_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-P", "here.py"], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.stdout.split() == ["15", "1"], done.stderr
    assert "compiled in" in done.stderr
    assert not (tmp_path / "read").exists()
