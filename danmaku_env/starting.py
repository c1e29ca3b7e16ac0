"""Ctrl-C while a command of the project is still being loaded, or wherever nobody else speaks of it: one line, no traceback.

`danmaku_env` imports this first, and it imports next to nothing itself: until it is there, Ctrl-C meets an interpreter that has not read
a line of ours. In programs of others nothing is changed.
"""

from __future__ import annotations

import os.path
import signal
import sys

TYPE_CHECKING = False  # the one of `typing` takes longer to load than all the rest here
if TYPE_CHECKING:
    from types import FrameType, TracebackType

COMMAND = "danmaku"
_SPOILED = (ImportError, SystemError)
"""What libraries make of a Ctrl-C that meets them while they are loaded: NumPy says that its installation is broken."""
_heard: list[int] = []


def is_our_command(program: str, words: list[str]) -> bool:
    """Whether a process, told by `sys.argv[0]` and `sys.orig_argv`, is `danmaku ...` or `python -m danmaku_env...`."""
    if program == "-m":  # what stands there until the module has been found
        return words[words.index("-m") + 1].partition(".")[0] == "danmaku_env"
    return os.path.splitext(os.path.basename(program))[0] == COMMAND


def _hear(number: int, frame: FrameType | None) -> None:
    _heard.append(number)
    signal.default_int_handler(number, frame)


def _say_stopped(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt) or (_heard and issubclass(kind, _SPOILED)):
        print(f"{COMMAND}: stopped", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


if sys.argv and is_our_command(sys.argv[0], sys.orig_argv):
    sys.excepthook = _say_stopped
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a shell starts what runs in the background deaf to it
        signal.signal(signal.SIGINT, _hear)
