"""Workers that do the tasks of a job: processes of this machine, which may hang or die, and never outlive the command that started them.

A worker process notes in shared memory when it calls an agent and how long that may take. When that time is long over, or the process is
gone, the worker's last message is `Ended`, with the call. `ray_tasks.py` has workers on other machines.
"""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple, Protocol, Self, TypeAlias

from danmaku_env.agents.user_code import words_of
from danmaku_env.console.errors import Sentence, UserError
from danmaku_env.jit.interpreter import end_after, forget_safe_path, safe_path

_GLANCE = 0.2
"""Seconds between two looks at the workers."""
_GRACE = 2.0
"""Seconds beyond its time after which an agent that did not let itself be interrupted is killed with its process."""
CONTEXT = multiprocessing.get_context("spawn")


class WorkerLostError(UserError):
    """A worker is gone, and its task with it."""


class Call(NamedTuple):
    """An agent being asked."""

    agent: int
    place: int
    """The game's place in its task; -1: it is asked for several."""
    decision: int


class Ended(NamedTuple):
    """The last word of a worker: it has ended."""

    call: Call | None
    """The call that it ended in; None when no agent was being asked."""
    kind: str
    """hung or crashed."""
    words: str


class Done(NamedTuple):
    """The last word on a task."""


Message: TypeAlias = Any
"""What a worker says: whatever its task yields, `Done` after that, or `Ended`."""


class Beat:
    """What a worker is doing, in shared memory: when it called an agent, which one, for which game (-1: for several)."""

    def __init__(self) -> None:
        self._numbers = CONTEXT.RawArray("d", 5)  # since when (0: not asked), seconds allowed, agent, place of the game, decision
        self._places: dict[tuple[int, ...], int] = {}

    def take(self, keys: Sequence[tuple[int, ...]]) -> None:
        """Know the games of a task by their places."""
        self._places = {key: place for place, key in enumerate(keys)}

    def start(self, agent: int, allowed: float, key: tuple[int, ...] | None, decision: int) -> None:
        """See `match.CallWatch`."""
        place = -1 if key is None else self._places[key]
        self._numbers[1:] = [allowed, agent, place, decision]
        self._numbers[0] = time.monotonic()  # last: only now does the rest count

    def stop(self) -> None:
        """See `match.CallWatch`."""
        self._numbers[0] = 0.0

    def call(self) -> Call | None:
        """The call going on."""
        started, _, agent, place, decision = self._numbers[:]
        return Call(int(agent), int(place), int(decision)) if started else None

    def overdue(self) -> float:
        """Seconds by which the call going on is over its time, 0 when it is not."""
        started, allowed = self._numbers[:2]
        return max(0.0, time.monotonic() - started - allowed) if started else 0.0


class Work(NamedTuple):
    """What workers do: `begin(*given)`, called once in each process, makes the function that goes through a task.

    That function is given the task and a `Beat`, and yields what is to be said; the last of it is the result.
    """

    begin: Callable[..., Callable[[Any, Beat], Iterator[Any]]]
    given: tuple[Any, ...] = ()


class Worker(Protocol):
    """Does one task after another."""

    def give(self, task: Any) -> None:
        """Begin a task."""

    def hear(self) -> Iterator[Message]:
        """What it has said since, without waiting for more. Raises UserError when it cannot work at all, or what its task raised."""

    def end(self) -> None:
        """Stop it, whatever it does."""


class WorkerPool(Protocol):
    """Where workers come from."""

    most: int
    """Workers there is room for at a time."""
    attempts: int
    """Times that a task is begun whose worker ends in the middle of it, before the job is given up."""

    def start(self) -> Worker:
        """Another worker."""

    def wait(self, workers: Sequence[Any]) -> None:
        """Until one of them has something to say, or a moment has passed."""


# ---------------------------------------------------------------- in the process


class _Failed(NamedTuple):
    """What a task raised, or in words what cannot be handed over."""

    error: Exception | None
    words: str

    @classmethod
    def of(cls, error: Exception) -> _Failed:
        if isinstance(error, Sentence):
            with contextlib.suppress(Exception):
                pickle.loads(pickle.dumps(error))  # an error of somebody's own class may not survive the way
                return cls(error, "")
        return cls(None, words_of(error))


def _work(connection: Connection, beat: Beat, work: Work) -> None:
    """Do the tasks that come through the connection until it closes; `Done` is said after each."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is told, and ends us
    forget_safe_path()
    if parent := multiprocessing.parent_process():
        end_after(parent.join)
    try:
        try:
            do = work.begin(*work.given)
        except Exception as error:
            connection.send(_Failed(None, words_of(error)))
            return
        while True:
            task = connection.recv()
            if torch := sys.modules.get("torch"):
                torch.set_num_threads(1)  # every core has a process already
            try:
                for message in do(task, beat):
                    connection.send(message)
                connection.send(Done())
            except (EOFError, BrokenPipeError):
                raise
            except Exception as error:  # the parent says it and stops
                connection.send(_Failed.of(error))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # the parent is gone


# ---------------------------------------------------------------- in the parent


class ProcessWorker:
    """A worker process as its parent sees it."""

    def __init__(self, work: Work) -> None:
        self.beat = Beat()
        self.connection, theirs = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=_work, args=(theirs, self.beat, work), daemon=True)
        with _workers_way():
            self.process.start()
        theirs.close()

    def give(self, task: Any) -> None:
        """See `Worker`."""
        with contextlib.suppress(BrokenPipeError):  # it has died; that shows as the end of its messages
            self.connection.send(task)

    def hear(self) -> Iterator[Message]:
        """See `Worker`."""
        try:
            yield from self._messages()
            if self.beat.overdue() <= _GRACE:
                return
            call = self.beat.call()
            self.process.kill()
            with contextlib.suppress(EOFError, ConnectionResetError):
                yield from self._messages()
            yield Ended(call, "hung", "it did not answer in time and could not be interrupted")
        except (EOFError, ConnectionResetError):
            self.process.join(_GRACE)
            yield Ended(self.beat.call(), "crashed", f"its exit status was {self.process.exitcode}")

    def _messages(self) -> Iterator[Message]:
        """The messages that are there. Raises EOFError or ConnectionResetError after the last one of a process that is gone."""
        while self.connection.poll():
            message: Any = self.connection.recv()
            if isinstance(message, _Failed):
                raise message.error or UserError(f"a worker process had to stop: {message.words}")
            yield message

    def end(self) -> None:
        """See `Worker`."""
        self.process.kill()
        self.process.join()
        self.connection.close()


class Processes:
    """Worker processes of this machine."""

    attempts = 1

    def __init__(self, work: Work, most: int) -> None:
        self.work, self.most = work, most

    def start(self) -> ProcessWorker:
        """See `WorkerPool`."""
        return ProcessWorker(self.work)

    def wait(self, workers: Sequence[ProcessWorker]) -> None:
        """See `WorkerPool`."""
        wait([worker.connection for worker in workers], _GLANCE)


class InProcess:
    """Tasks done one after another in this very process: an agent that hangs or dies takes the command along."""

    most = attempts = 1

    def __init__(self, work: Work) -> None:
        self._do = work.begin(*work.given)
        self._tasks: list[Any] = []

    def start(self) -> InProcess:
        """See `WorkerPool`."""
        return self

    def wait(self, workers: Sequence[Any]) -> None:
        """See `WorkerPool`."""

    def give(self, task: Any) -> None:
        """See `Worker`."""
        self._tasks.append(task)

    def hear(self) -> Iterator[Message]:
        """See `Worker`. Raises what the task raises."""
        while self._tasks:
            yield from self._do(self._tasks.pop(), Beat())
            yield Done()

    def end(self) -> None:
        """See `Worker`."""


class Tasks:
    """Tasks under way: each of the workers of a team does one after another."""

    def __init__(self, team: Team, tasks: Iterable[Any], tell: Callable[[Any], object] | None = None) -> None:
        self._team, self._tell = team, tell
        self._tasks = enumerate(tasks)
        self._waiting: deque[tuple[int, Any]] = deque()
        self._busy: dict[int, tuple[Worker, int]] = {}
        self._heard: dict[int, list[Any]] = {}
        self._task: dict[int, Any] = {}
        self._ended = Counter[int]()
        self._done: deque[int] = deque()
        self.look()

    def look(self) -> None:
        """Take what the workers have said since, and hand out what is left. Raises WorkerLostError, or what a task raised."""
        for name, (worker, place) in list(self._busy.items()):
            for message in worker.hear():
                if isinstance(message, Ended):
                    self._try_again(name, place, message)
                    break
                self._take(name, place, message)
        while self._fill() and (free := self._team.free(self._busy)):
            name, worker = free
            place, task = self._waiting.popleft()
            self._busy[name], self._heard[place], self._task[place] = (worker, place), [], task
            worker.give(task)

    def _fill(self) -> bool:
        """Whether a task is waiting; tasks are taken as they are needed."""
        if not self._waiting:
            self._waiting.extend(itertools.islice(self._tasks, 1))
        return bool(self._waiting)

    def _try_again(self, name: int, place: int, last: Ended) -> None:
        """Have the task of a worker that ended done by another one. Raises WorkerLostError where that happened too often."""
        self._ended[place] += 1
        if self._ended[place] >= self._team.pool.attempts:
            raise WorkerLostError(f"a process that {self._team.doing} was ended, from outside or by an agent: {last.words}")
        self._team.restart(name)
        del self._busy[name]
        self._waiting.appendleft((place, self._task[place]))

    def _take(self, name: int, place: int, message: Message) -> None:
        if isinstance(message, Done):
            del self._busy[name]
            self._done.append(place)
            return
        if self._heard[place] and self._tell:
            self._tell(self._heard[place][-1])
        self._heard[place][:] = [message]

    def as_done(self) -> Iterator[tuple[Any, Any]]:
        """(task, result) of all tasks, as they come. Raises what `look` raises."""
        yield from ((task, result) for _, task, result in self._finished())

    def results(self) -> Iterator[Any]:
        """The results of all tasks, in the order of the tasks, as they come. Raises what `look` raises."""
        early, following = dict[int, Any](), 0
        for place, _, result in self._finished():
            early[place] = result
            while following in early:
                yield early.pop(following)
                following += 1

    def _finished(self) -> Iterator[tuple[int, Any, Any]]:
        while self._done or self._busy:
            while self._done:
                place = self._done.popleft()
                yield place, self._task.pop(place), self._heard.pop(place)[0]
            if self._busy:
                self._team.pool.wait([worker for worker, _ in self._busy.values()])
                self.look()


class Team:
    """Workers for as long as the context; they are started when there is something to do."""

    def __init__(self, pool: WorkerPool, doing: str = "plays") -> None:
        """`doing` is what the workers do, for the sentence on one that is gone."""
        self.pool, self.doing = pool, doing
        self.started: list[Worker] = []

    def free(self, busy: Container[int]) -> tuple[int, Worker] | None:
        """A worker that is not busy, and its number; another one is started while there is room for it."""
        for number, worker in enumerate(self.started):
            if number not in busy:
                return number, worker
        if len(self.started) >= self.pool.most:
            return None
        self.started.append(self.pool.start())
        return len(self.started) - 1, self.started[-1]

    def restart(self, number: int) -> None:
        """Put another worker in the place of one that has ended."""
        self.started[number].end()
        self.started[number] = self.pool.start()

    def begin(self, tasks: Iterable[Any], tell: Callable[[Any], object] | None = None) -> Tasks:
        """Have the tasks done, when those before are done; `tell` hears all that a task says before its result."""
        return Tasks(self, tasks, tell)

    def each(self, tasks: Iterable[Any], tell: Callable[[Any], object] | None = None) -> Iterator[Any]:
        """The results in the order of the tasks, as they come. Raises what a task raised, or WorkerLostError."""
        return self.begin(tasks, tell).results()

    def as_done(self, tasks: Iterable[Any], tell: Callable[[Any], object] | None = None) -> Iterator[tuple[Any, Any]]:
        """(task, result) of each, in the order in which they are done. Raises what a task raised, or WorkerLostError."""
        return self.begin(tasks, tell).as_done()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.started:
            worker.end()


@contextlib.contextmanager
def _ctrl_c_later() -> Iterator[None]:
    """Put off Ctrl-C: processes that are started within never hear it, we do afterwards (where the system cannot do that, not at all)."""
    if hasattr(signal, "pthread_sigmask"):
        resource_tracker.ensure_running()  # when it is started, it lets Ctrl-C through again
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    elif threading.current_thread() is threading.main_thread():
        heeds = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, heeds)
    else:
        yield


_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")


@contextlib.contextmanager
def _workers_way() -> Iterator[None]:
    """Processes started within inherit: one thread for numeric libraries, and to leave Ctrl-C to the parent from the first moment."""
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(_ONE_THREAD)
    try:
        with safe_path(), _ctrl_c_later():
            yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
