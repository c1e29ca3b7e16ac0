"""What a kernel freezes is in its hash: shown for everything that every kernel of the project reads outside itself."""

import contextlib
import importlib
import shutil
import subprocess
import sys
from pathlib import Path
from types import BuiltinFunctionType, ModuleType

import numpy as np
import pytest
from numba.core import ir
from numba.core.compiler import run_frontend

import danmaku_env
from danmaku_env.jit import kernel_hash
from tests.edits import edited

ROOT = Path(danmaku_env.__file__).resolve().parent.parent


def kernels():
    """Name -> every kernel of the project."""
    found = {}
    for folder in ("engine", "heuristics/kernels", "agents/kernels", "beliefs/kernels"):
        for path in sorted((ROOT / "danmaku_env" / folder).rglob("*.py")):
            module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
            found |= {f"{module.__name__}.{name}": value for name, value in vars(module).items() if kernel_hash.is_kernel(value)}
    return {name: value for name, value in found.items() if is_made_there(name, kernel_hash.plain(value))}


def is_made_there(name, function):
    """Whether a name is that of the module a kernel is defined in, or of one that a factory made it for."""
    return name.startswith(f"{function.__module__}.") or function.__closure__ is not None


def reads(kernel):
    """Name -> value of all that numba itself finds outside a kernel when it compiles it: globals, and attributes of modules."""
    known, found = {}, {}
    for block in run_frontend(kernel_hash.plain(kernel)).blocks.values():
        for statement in block.body:
            if not isinstance(statement, ir.Assign):
                continue
            what, target = statement.value, statement.target.name
            if isinstance(what, ir.Global | ir.FreeVar):
                known[target] = what.name, what.value
            elif isinstance(what, ir.Expr) and what.op == "getattr" and isinstance(known.get(what.value.name, (0, 0))[1], ModuleType):
                path, module = known[what.value.name]
                known[target] = f"{path}.{what.attr}", getattr(module, what.attr)
            if target in known:
                found[known[target][0]] = known[target][1]
    return found


KERNELS = kernels()


@pytest.fixture(scope="module")
def all_reads():
    """Name -> what each kernel reads; numba needs seconds to find it."""
    return {name: reads(kernel) for name, kernel in KERNELS.items()}


def test_there_is_something_to_check(all_reads):
    assert len(KERNELS) > 300
    named = {name.rpartition(".")[2] for found in all_reads.values() for name in found}
    assert {"NUM_KINDS", "SEATS", "advance"} <= named


def is_builtin(value):
    return isinstance(value, BuiltinFunctionType) or (isinstance(value, type) and value.__module__ == "builtins")


def test_all_that_numba_reads_is_hashed(all_reads):
    for name, found in all_reads.items():
        hashed = dict(kernel_hash.ingredients(KERNELS[name]))
        for place, value in found.items():
            assert place in hashed or is_builtin(value), f"{name} reads {place}, which its hash does not know of"
            assert place not in hashed or hashed[place] is value
            told_apart = not kernel_hash.words(value).startswith(kernel_hash.NOT_FROZEN)
            assert told_apart or callable(value), f"{name} freezes {place}, a {type(value).__name__}, whose value is not hashed"


def other(value):
    """Something like it that compiles to something else."""
    if isinstance(value, tuple):
        return (*value, 1)
    if isinstance(value, np.ndarray):
        return value[:-1].copy()
    return 0.12345 if isinstance(value, float) else value ^ 1


@contextlib.contextmanager
def another(monkeypatch, function, place, value):
    """Have a kernel read another value at a place: a global, an attribute of a module, or what its factory was given."""
    if place in function.__code__.co_freevars:
        cell = function.__closure__[function.__code__.co_freevars.index(place)]
        cell.cell_contents = other(value)
        yield
        cell.cell_contents = value
        return
    where, (*path, last) = function.__globals__, place.split(".")
    for part in path:
        where = vars(where[part])
    monkeypatch.setitem(where, last, other(value))
    yield
    monkeypatch.undo()


def test_another_value_of_any_constant_is_another_hash(all_reads, monkeypatch):
    tried = 0
    for name, found in all_reads.items():
        before = kernel_hash.own(KERNELS[name])
        for place, value in found.items():
            if isinstance(value, ModuleType) or callable(value):
                continue
            with another(monkeypatch, kernel_hash.plain(KERNELS[name]), place, value):
                assert kernel_hash.own(KERNELS[name]) != before, f"{name} freezes {place}"
            tried += 1
        assert kernel_hash.own(KERNELS[name]) == before
    assert tried > 1000


def test_the_hash_of_a_kernel_is_also_that_of_all_it_reaches(all_reads):
    """From each kernel to those it calls, as numba resolves them: none is left out, however deep."""
    for name, found in all_reads.items():
        called = {kernel_hash.plain(value) for value in found.values() if kernel_hash.is_kernel(value)}
        assert called <= {kernel_hash.plain(other) for other in kernel_hash._known(KERNELS[name])[1]}, name
    step = KERNELS["danmaku_env.engine.batch.step_rows"]
    reached, waiting = set(), [step]
    while waiting:
        here = waiting.pop()
        if kernel_hash.plain(here) not in reached:
            reached.add(kernel_hash.plain(here))
            waiting += kernel_hash._known(here)[1]
    assert {"step_rows", "advance", "draw"} <= {function.__name__ for function in reached}


NUMBER = 3


def make(step):
    def inner(number, far=2):
        return number + NUMBER + step + far

    kernel_hash.mark(inner, {})
    return inner


def test_closures_and_defaults_and_code_count():
    first = make(1)
    assert kernel_hash.own(first) == kernel_hash.own(make(1)) != kernel_hash.own(make(2))
    changed = make(1)
    changed.__defaults__ = (3,)
    assert kernel_hash.own(changed) != kernel_hash.own(first)
    kernel_hash.mark(changed := make(1), {"no_cpython_wrapper": True})
    assert kernel_hash.own(changed) != kernel_hash.own(first)


def test_docstrings_do_not_count_and_other_texts_do():
    def one(number):
        """Something."""
        return number, "text"

    def two(number):
        """Something else."""
        return number, "text"

    def three(number):
        """Something."""
        return number, "another text"

    for each in (one, two, three):
        kernel_hash.mark(each, {})
    assert kernel_hash.own(one) == kernel_hash.own(two) != kernel_hash.own(three)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (1, True), (1, 1.0), (0.0, -0.0), ((1, 2), (12,)), (("a", "b"), ("a, b",)), (np.int8(1), np.int16(1)),
        (np.zeros(2), np.zeros((2, 1))), (np.zeros(2, "i4"), np.zeros(1, "i8")), (np.dtype("i4"), np.dtype("u4")), (None, ()),
    ],
)  # fmt: skip
def test_values_that_compile_differently_have_different_words(first, second):
    assert kernel_hash.words(first) != kernel_hash.words(second)


# ---------------------------------------------------------------- edits, in a copy of the project

FINGERPRINT = """
from danmaku_env.jit import kernel_hash, linked, precompile
print({room: kernel_hash.digest(map(linked.file_name, precompile.units(f"danmaku_env.{room}.warm"))) for room in ("engine", "agents")})
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "danmaku_env", folder / "danmaku_env", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def fingerprints(folder):
    done = subprocess.run(
        [sys.executable, "-B", "-c", FINGERPRINT], cwd=folder, env={"PYTHONPATH": str(folder), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    return eval(done.stdout)


@pytest.fixture(scope="module")
def untouched(copy):
    return fingerprints(copy)


@pytest.mark.parametrize(
    ("file", "old", "new", "rooms"),
    [
        ("cards/main_deck.py", "draw(3)", "draw(2)", set()),
        ("cards/characters.py", 'text="', 'text="Otherwise: ', set()),
        ("machine/rng.py", "\n\n\n", "\n\n\n# a remark\n", set()),
        ("machine/rng.py", "return value ^ (value >> 16)", "return value", {"engine"}),
        ("jit/machine_words.py", "cttz", "ctlz", {"engine", "agents"}),
        ("cards/lunatic_extra/lunatic_deck.py", "TANUKI_LEAF, UCHIDES_MALLET,",
         'TANUKI_LEAF, UCHIDES_MALLET, __import__("dataclasses").replace(INTERRUPT, id="new", name="New"),', {"engine", "agents"}),
        ("cards/bonus.py", ")  # fmt: skip", '    Character(id="new", name="New", season=SPRING),\n)', {"engine", "agents"}),
        ("heuristics/kernels/policy.py", "_NOISE_STEP = 40503", "_NOISE_STEP = 40507", {"agents"}),
    ],
)  # fmt: skip
def test_an_edit_recompiles_what_depends_on_it_and_nothing_else(copy, untouched, file, old, new, rooms):
    with edited(copy / "danmaku_env" / file, old, new):
        after = fingerprints(copy)
    assert {room for room in after if after[room] != untouched[room]} == rooms
