"""The cold start: every unit compiled once, by two processes where there are two cores, one process of all telling the others to wait.

What is compiled, and for which arguments, is said by the modules called `warm`. The work is a graph: a unit can be compiled when the shared
kernels that it calls are kept (`linking.py`). This process hands units out to workers (`precompile_worker.py`), those with the
most work behind them first, and shows how much of all work is done.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import importlib
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from danmaku_env.jit import kernel_hash
from danmaku_env.jit.interpreter import interpreter
from danmaku_env.jit.kernel_cache import Store, open_private, store
from danmaku_env.jit.kernel_hash import plain_name
from danmaku_env.jit.kernels import JIT, KNOWN, PLAIN, UNITS, is_shared
from danmaku_env.jit.messages import COMPILING, compile_silently, say

if KNOWN:
    from danmaku_env.jit.linked import file_name
if PLAIN:
    from danmaku_env.jit import plain_numba

KERNEL, UNIT = "kernel", "unit"
"""How a worker's lines begin: what it has done, by name."""
_HERE = "it is compiled here, where it is needed"
_MOST_WORKERS = 2
"""One unit is more than half of all work, so more workers would wait for it."""
_TRANSLATING = 0.15
"""What LLVM works on a unit for each byte of its kernels, in terms of what numba has worked on that byte before; measured."""
_BAR = 30
"""Characters."""
_LEAST = 1e-6
"""What sums of this many numbers may miss of the whole."""


@dataclass(frozen=True)
class CompileTask:
    """A kernel with machine code of its own."""

    module: str
    """Where `examples` has arguments for it."""
    name: str
    kernels: dict[str, int]
    """Itself and its parts, by name: bytes of Python's code, which is how much work they are."""
    calls: frozenset[str]
    """The shared kernels that it calls."""


def package_of(module: str) -> str:
    """The package whose units are compiled together: the one that the module lies in, which has arguments for them."""
    return module.rpartition(".")[0]


def units(module: str) -> list[Any]:
    """The units of a module's package, and of those that are compiled with it."""
    packages = tuple(f"{package}." for package in (package_of(module), *package_constant(module, "WITH")))
    return [made for made in UNITS if f"{kernel_hash.plain(made).__module__}.".startswith(packages)]


def is_compiled(module: str) -> bool:
    """Whether every unit of the module's package is in the cache, whole."""
    return not JIT or PLAIN or store().has(map(file_name, units(module)))


def plan(modules: Iterable[str]) -> dict[str, CompileTask]:
    """All units of the packages of some modules, by name."""
    return {unit.name: unit for module in modules for unit in map(functools.partial(_unit, module), units(module))}


def _unit(module: str, kernel: Any) -> CompileTask:
    kernels, calls, waiting = dict[str, int](), set[str](), [kernel]
    while waiting:
        here = waiting.pop()
        kernels[plain_name(here)] = len(kernel_hash.plain(here).__code__.co_code)
        for called in kernel_hash.called_by(here):
            name = plain_name(called)
            if is_shared(called) and called is not kernel:
                calls.add(name)
            elif name not in kernels:
                waiting.append(called)
    return CompileTask(module, plain_name(kernel), kernels, frozenset(calls))


def order(plan: dict[str, CompileTask]) -> dict[str, int]:
    """How much work waits for each unit, its own with it: along the longest way through those that call it."""

    @functools.cache
    def behind(name: str) -> int:
        callers = (other.name for other in plan.values() if name in other.calls)
        return sum(plan[name].kernels.values()) + max(map(behind, callers), default=0)

    return {name: behind(name) for name in plan}


# ---------------------------------------------------------------- once


@functools.cache
def compile_once(module: str) -> None:
    """Make sure that every unit of the module's package is compiled and kept; tells the person, on stderr, when that takes a while.

    `module` has `examples()`, every unit with arguments of the types that it is called with. It may have a TITLE, which people read; WITH,
    other packages whose units are among them; AFTER, such modules of the packages whose kernels these call, which are compiled first; and
    BESIDE, such modules of packages that are compiled in the same time where there are two cores. The compiling is done by child
    processes, because numba reads its optimisation level when it is imported: level 1 takes half the time of the default 3 and, measured
    on batched play, runs as fast. Other processes that want the same code meanwhile wait for it. Plain numba compiles in this process.
    With the compiler off nothing is done.
    """
    if not JIT or os.environ.get(COMPILING):
        return
    for before in package_constant(module, "AFTER"):
        compile_once(before)
    if PLAIN:
        _compile_plainly(module)
        return
    if is_compiled(module):
        return
    here = store()
    if here.target is None:
        try:
            open_private(here)
        except OSError:
            _say(f"compiled code can be kept nowhere, not even in a temporary folder: {_HERE}")
            compile_silently()
            return
    modules = [module, *(package_constant(module, "BESIDE") if cores() > 1 else ())]
    with contextlib.ExitStack() as alone:
        for each in modules:
            work = f"compiling-{kernel_hash.digest(map(file_name, units(each)))[:16]}"
            alone.enter_context(here.alone(work, f"danmaku-env: another process compiles {_what([each])}; waiting for it ..."))
        if missing := [each for each in modules if not is_compiled(each)]:
            _compile(missing, here)


def _compile_plainly(module: str) -> None:
    """Have plain numba compile every unit of the module's package, and keep a note of it beside the kernels, which numba keeps."""
    note = plain_numba.note_of(module)
    if note is not None and note.exists():
        return
    with contextlib.ExitStack() as alone:
        if note is not None:
            words = f"danmaku-env: another process compiles {_what([module])}; waiting for it ..."
            alone.enter_context(store().alone(f"compiling-{note.parent.name}-{module}", words))
            if note.exists():
                return
        often = "once per version" if note else "in every process"
        _say(f"plain numba compiles {_what([module])}, which takes many minutes, {often} ...")
        start, progress = time.perf_counter(), Progress(plan([module]))
        with progress.shown():
            for kernel, arguments in importlib.import_module(module).examples():
                kernel.compile(tuple(map(kernel.typeof_pyval, arguments)))
                progress.add(UNIT, plain_name(kernel))
        if note is None:
            _say(f"compiled in {time.perf_counter() - start:.0f} s, for this process alone")
            return
        with contextlib.suppress(OSError):
            note.touch()
        _say(f"compiled in {time.perf_counter() - start:.0f} s, cached in {note.parent}")
        store().prune()


def package_constant(module: str, name: str) -> Any:
    """A constant of a module that is about its package; () where it has none."""
    return getattr(importlib.import_module(module), name, ())


def _say(words: str) -> None:
    """Tell the person, where that can be done."""
    with contextlib.suppress(OSError):
        say(words)


def _what(modules: list[str]) -> str:
    return " and ".join(package_constant(each, "TITLE") or f"the {package_of(each).rpartition('.')[2]}" for each in modules)


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _compile(modules: list[str], here: Store) -> None:
    _say(f"compiling {_what(modules)}, once per version (up to a minute) ...")
    start = time.perf_counter()
    try:
        _hand_out(plan(modules))
    except OSError as error:
        _say(f"no process could be started to compile ({error.strerror or error}): {_HERE}")
        compile_silently()
        return
    if all(map(is_compiled, modules)):
        _say(f"compiled in {time.perf_counter() - start:.0f} s, cached in {here.target}")
    else:
        _say(f"the compiled code could not be kept in {here.target}: it is compiled again when it is needed, and at the next start")
    here.prune()


# ---------------------------------------------------------------- by workers


class _Worker:
    """A process that compiles what it is told to; its lines, and at its end None, go into a queue."""

    def __init__(self, lines: queue.SimpleQueue[tuple[_Worker, str | None]]) -> None:
        """Raises OSError where there is room for no further process or thread."""
        settings = {"NUMBA_OPT": "1", "NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING": "1", COMPILING: str(os.getpid())}
        self.process = subprocess.Popen(
            interpreter("danmaku_env.jit.precompile_worker"), env={**os.environ, **settings},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, errors="replace",
            start_new_session=True,  # so that Ctrl-C reaches only us
        )  # fmt: skip
        self._listener = threading.Thread(target=self._listen, args=[lines], daemon=True)
        try:
            self._listener.start()
        except RuntimeError as error:
            self._kill()
            raise OSError(errno.EAGAIN, str(error)) from None

    def _listen(self, lines: queue.SimpleQueue[tuple[_Worker, str | None]]) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            lines.put((self, line.strip()))
        lines.put((self, None))

    def give(self, unit: CompileTask) -> None:
        """Have it compile something; a worker that has ended will have said so."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            self.process.stdin.write(f"{unit.module} {unit.name}\n")
            self.process.stdin.flush()

    def end(self) -> None:
        """Whatever it is at; nothing of it stays open."""
        self._kill()
        self._listener.join()

    def _kill(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):  # a line that it has not read
                pipe.close()


def _hand_out(plan: dict[str, CompileTask]) -> None:
    """Have workers compile everything, callees before callers; kernels that no worker could compile are left out."""
    lines: queue.SimpleQueue[tuple[_Worker, str | None]] = queue.SimpleQueue()
    behind, progress = order(plan), Progress(plan)
    waiting, done, busy, idle = set(plan), set[str](), dict[_Worker, str](), list[_Worker]()
    with contextlib.ExitStack() as ending, progress.shown():
        for _ in range(min(cores(), _MOST_WORKERS, len(plan))):
            try:
                idle.append(worker := _Worker(lines))
            except OSError:
                if not idle:
                    raise
                break  # one will do
            ending.callback(worker.end)
        while True:
            ready = sorted((name for name in waiting if not plan[name].calls & plan.keys() - done), key=behind.__getitem__)
            while ready and idle:
                busy[worker := idle.pop()] = name = ready.pop()
                waiting.remove(name)
                worker.give(plan[name])
            if not busy:
                return
            worker, line = lines.get()
            if line is None:
                busy.pop(worker, None)
                idle = [other for other in idle if other is not worker]
                continue
            kind, _, name = line.partition(" ")
            is_done = kind == UNIT and name == busy.get(worker)
            if kind == KERNEL or is_done:  # anything else was printed by somebody else
                progress.add(kind, name)
            if is_done:
                done.add(busy.pop(worker))
                idle.append(worker)


class Progress:
    """How much of all work is done, and a bar that says so where stderr is a terminal."""

    def __init__(self, plan: dict[str, CompileTask]) -> None:
        self._plan = plan
        self._kernels = {name: size for unit in plan.values() for name, size in unit.kernels.items()}
        self._open = dict(self._kernels)
        self._translated = 0.0
        self._all = sum(self._kernels.values()) + sum(map(self._translation, plan.values()))

    @staticmethod
    def _translation(unit: CompileTask) -> float:
        return _TRANSLATING * sum(unit.kernels.values())

    def add(self, kind: str, name: str) -> None:
        """A worker has done something: with a unit, all kernels of which it is made."""
        if kind == UNIT:
            self._translated += self._translation(self._plan[name])
        for kernel in self._plan[name].kernels if kind == UNIT else [name]:
            self._open.pop(kernel, None)
        self._show()

    @property
    def share(self) -> float:
        """Of all work, what is done."""
        lowered = sum(self._kernels.values()) - sum(self._open.values())
        return (lowered + self._translated) / self._all

    @contextlib.contextmanager
    def shown(self) -> Iterator[None]:
        """Show the bar, and take it away at the end."""
        self._show()
        try:
            yield
        finally:
            self._write("")

    def _show(self) -> None:
        full = round(_BAR * self.share)
        kernels = f"{len(self._kernels) - len(self._open)} of {len(self._kernels)} kernels"
        self._write(f"danmaku-env: [{'#' * full}{'.' * (_BAR - full)}] {int(100 * self.share + _LEAST)}%, {kernels}")

    @staticmethod
    def _write(words: str) -> None:
        if sys.stderr is not None and sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{words}")
            sys.stderr.flush()
