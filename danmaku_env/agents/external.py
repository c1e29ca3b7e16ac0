"""An agent in any language: a process that is asked in one JSON line and answers in one (`exec:COMMAND`; docs/exec.md).

The process gets what the seat sees, in words and numbers, and the legal answers by name. It is started when it is first asked, again after
every `reset`, and again after a fault. A process that dies, or answers wrongly or not in time, is ended with its process group, and the
call raises `BotError` with a sentence, which the referee of a match counts as the agent's fault. The referee's clock interrupts a call as
it interrupts that of any other agent.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import shlex
import shutil
import signal
import subprocess
import time
import weakref
from typing import IO, Any

import numpy as np

from danmaku_env.agents.registry import AgentError
from danmaku_env.arguments import printable, shown
from danmaku_env.info_states import InfoState, InfoStates
from danmaku_env.machine.records import Array
from danmaku_env.render.message import message
from danmaku_env.wording import action_index, name_meant

PROTOCOL = 1
"""Version of what is said; it rises when a bot must change."""
_PATIENCE = 60.0
"""Seconds for an answer where nobody else has a clock."""
_LONGEST_LINE = 1 << 16
"""Bytes of an answer."""
_KEPT = 400
"""Bytes of what the process last wrote to its standard error, for the sentence about its end."""
_CHUNK = 1 << 16
_LAST_WORDS = 1.0
"""Seconds in which a process that closed its output may end and leave its exit status."""
_WATCHED = '( read -r _ < "/dev/fd/$1"; kill -9 0 ) >/dev/null 2>&1 & shift; exec "$@"'
"""Starts a command in a group of its own that is killed when the pipe closes: by us, or because our process has ended."""


class BotError(AgentError):
    """A process that did not answer as it should; the message says what it did."""


class _Process:
    """The running command: lines to it and from it, each within a time."""

    def __init__(self, command: list[str]) -> None:
        self._left = bytearray()
        self._errors = b""
        theirs, self._lifeline = os.pipe()
        watched = os.name == "posix"
        try:
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", _WATCHED, "bot", str(theirs), *command] if watched else command,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                pass_fds=(theirs,) if watched else (), start_new_session=watched,
            )  # fmt: skip
        except OSError as error:
            os.close(self._lifeline)
            raise BotError(f"cannot be started: {error.strerror}") from None
        finally:
            os.close(theirs)
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._input, self._output, self._diary = (pipe for pipe in pipes if pipe is not None)
        self.owner = os.getpid()
        """The process that started it. Another one, forked from that, must neither talk to it nor end it."""
        self.end = weakref.finalize(self, _end, self.owner, self._process, self._lifeline, [self._input, self._output, self._diary])
        for pipe in (self._input, self._output, self._diary):
            os.set_blocking(pipe.fileno(), False)

    def exchange(self, line: bytes, seconds: float, *, answered: bool) -> bytes:
        """Write a line and, where it is to be `answered`, return the next one. Raises BotError, also for what was written before."""
        self._check_silent()
        deadline = time.monotonic() + seconds
        waiting = memoryview(line)
        with selectors.DefaultSelector() as ready:
            ready.register(self._input, selectors.EVENT_WRITE)
            ready.register(self._output, selectors.EVENT_READ)
            ready.register(self._diary, selectors.EVENT_READ)
            while True:
                if waiting and self._left:
                    raise BotError(f"wrote a line that nobody asked for: {_quoted(self._left)}")
                if len(self._left.partition(b"\n")[0]) > _LONGEST_LINE:
                    raise BotError(f"wrote a line of more than {_LONGEST_LINE} bytes")
                if not waiting and (not answered or b"\n" in self._left):
                    return self._line() if answered else b""
                if time.monotonic() >= deadline:  # it may have written all the time, but no answer
                    raise BotError(f"did not {'answer' if not waiting else 'read its question'} within {seconds:g} s")
                for key, _ in ready.select(deadline - time.monotonic()):
                    if key.fileobj is self._input:
                        waiting = self._write(waiting)
                    else:
                        self._read(key.fileobj, ready)  # type: ignore[arg-type]
                    if key.fileobj is self._input and not waiting:
                        ready.unregister(self._input)

    def _check_silent(self) -> None:
        """Raise BotError where something is there before a question: it would be taken for the answer."""
        with contextlib.suppress(BlockingIOError):
            data = os.read(self._output.fileno(), _CHUNK)
            raise BotError(f"wrote a line that nobody asked for: {_quoted(data)}" if data else self._ending())

    def _write(self, waiting: memoryview) -> memoryview:
        try:
            return waiting[os.write(self._input.fileno(), waiting) :]
        except BlockingIOError:
            return waiting
        except BrokenPipeError:
            raise BotError(self._ending()) from None

    def _read(self, pipe: IO[bytes], ready: selectors.BaseSelector) -> None:
        try:
            data = os.read(pipe.fileno(), _CHUNK)
        except BlockingIOError:
            return
        if pipe is self._diary:
            self._errors = (self._errors + data)[-_KEPT:]
            if not data:
                ready.unregister(pipe)
            return
        if not data:
            raise BotError(self._ending())
        self._left += data

    def _line(self) -> bytes:
        line, _, left = bytes(self._left).partition(b"\n")
        if left:
            raise BotError(f"answered with more than one line: {_quoted(left)} follows")
        self._left.clear()
        return line

    def _ending(self) -> str:
        """How it ended, and the last line it wrote about that."""
        try:
            status = self._process.wait(_LAST_WORDS)
        except subprocess.TimeoutExpired:
            return "closed its output without an answer"
        with contextlib.suppress(OSError):  # nothing is left to read
            self._errors = (self._errors + os.read(self._diary.fileno(), _CHUNK))[-_KEPT:]
        lines = self._errors.decode("utf-8", "replace").strip().splitlines()
        how = f"was ended by signal {-status}" if status < 0 else f"ended with exit status {status}"
        return f"{how}: {printable(lines[-1])}" if lines else how


def _end(owner: int, process: subprocess.Popen[bytes], lifeline: int, pipes: list[IO[bytes]]) -> None:
    """Let go of a process; its owner also ends it, with all that it has started and that has not left its group, and waits for it."""
    owned = owner == os.getpid()
    if owned:
        _kill(process)
    os.close(lifeline)
    for pipe in pipes:
        with contextlib.suppress(OSError):
            pipe.close()
    if owned:
        process.wait()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and its group."""
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(OSError):
        process.kill()


def _quoted(data: bytes | bytearray) -> str:
    return shown(bytes(data).decode("utf-8", "replace"))


class ExternalAgent:
    """A command that answers one JSON line with another. It decides from the line alone: several games may be asked in turns."""

    name = "exec"

    def __init__(self, command: str, seed: int = 0) -> None:
        """`command` is split as a shell does, and run without one. Raises ValueError for an unknown command."""
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise ValueError(f"the command {command!r} cannot be split into words: {error}") from None
        if not self._command:
            raise ValueError("a command is needed, as in 'exec:node my_bot.js'")
        if "\0" in command:
            raise ValueError(f"no command holds a NUL character, as {command!r} does")
        if shutil.which(self._command[0]) is None:
            raise ValueError(f"there is no command {self._command[0]!r}")
        self.name = f"exec:{command}"
        self._process: _Process | None = None
        self._number = 0
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """End the process; the next one is told the seed."""
        self.close()
        self._seed = seed
        self._number = 0

    def close(self) -> None:
        """End the process, if there is one. It ends by itself with the agent or with the program."""
        if self._process is not None:
            self._process.end()
            self._process = None

    def act(self, observations: Array, masks: Array, info_states: InfoStates | None = None) -> Array:
        """[B] answers, one after the other; needs the information states. Raises BotError if the process does not answer properly."""
        if info_states is None:
            raise ValueError("an agent in a process of its own is told more than the observation: it needs the information states")
        chosen: Array = np.array([self._ask(info_state) for info_state in info_states], np.int64)
        return chosen

    def _ask(self, info_state: InfoState) -> int:
        self._number += 1
        told = {**message(info_state.table_view(), info_state.recent()), "text": info_state.describe()}
        question = {"message": "question", "number": self._number, **told}
        try:
            process = self._running()
            line = process.exchange(_as_line(question), _PATIENCE, answered=True)
            return _answer(line, info_state)
        except BotError as error:
            self.close()
            raise BotError(f"the bot {shlex.join(self._command)!r} {error}") from None
        except BaseException:  # the referee's clock; an answer that comes later must not be taken for the next one's
            self.close()
            raise

    def __getstate__(self) -> dict[str, Any]:
        """What pickle and copy keep: a copy starts a process of its own when it is asked."""
        return vars(self) | {"_process": None}

    def _running(self) -> _Process:
        if self._process is not None and self._process.owner != os.getpid():
            self.close()
        if self._process is None:
            self._process = _Process(self._command)
            start = {"message": "start", "protocol": PROTOCOL, "seed": self._seed}
            self._process.exchange(_as_line(start), _PATIENCE, answered=False)
        return self._process


def _as_line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"


def _answer(line: bytes, info_state: InfoState) -> int:
    """The index of the answer in a line. Whether it is legal is for others to judge. Raises BotError."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise BotError(f"answered with a line that is not JSON: {_quoted(line)}") from None
    name = data.get("answer") if isinstance(data, dict) else None
    if not isinstance(name, str):
        raise BotError(f'answered {_quoted(line)}, which is not of the form {{"answer": "pass"}}')
    try:
        return action_index(name_meant(name) or name, info_state.seat, info_state.config.num_players)
    except KeyError:
        raise BotError(f"answered {shown(name)}, which is the name of no answer") from None
