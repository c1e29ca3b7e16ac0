"""What every command of the project rests on, before anything of it is loaded: its streams, and what Ctrl-C does.

Ctrl-C while a command is still being loaded, or wherever nobody else speaks of it, is one line and no traceback. What an encoding has no
character for is read as a question mark, and written as the plain mark that stands for it, or as a question mark; a stream that was closed
is the null device.

`danmaku_env` imports this first, and it imports next to nothing itself: until it is there, Ctrl-C meets an interpreter that has not read
a line of ours. In programs of others nothing is changed but that they, too, may name the error handler `MARKS`.
"""

from __future__ import annotations

import codecs
import io
import os
import signal
import sys

TYPE_CHECKING = False  # the one of `typing` takes longer to load than all the rest here
if TYPE_CHECKING:
    from types import FrameType, TracebackType

COMMAND = "danmaku"
_SPOILED = (ImportError, SystemError)
"""What libraries make of a Ctrl-C that meets them while they are loaded: NumPy says that its installation is broken."""
_heard: list[int] = []
MARKS = "danmaku.marks"
"""The error handler that writes `_PLAIN` where an encoding lacks what the table is drawn with."""
_PLAIN = {"♥": "*", "♡": "-", "▶": ">", "×": "x", "·": "-", "…": "~"}
"""One character for one, so that columns stay columns."""
_STREAMS = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))
"""In the order of their numbers: what is opened takes the lowest that is free, so nothing else ever stands in the place of a closed one."""


def is_our_command(program: str, words: list[str]) -> bool:
    """Whether a process, told by `sys.argv[0]` and `sys.orig_argv`, is `danmaku ...` or `python -m danmaku_env...`."""
    if program == "-m":  # what stands there until the module has been found
        return words[words.index("-m") + 1].partition(".")[0] == "danmaku_env"
    return os.path.splitext(os.path.basename(program))[0] == COMMAND


def _plain_marks(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_PLAIN.get(letter, "?") for letter in error.object[error.start : error.end]), error.end


def carried(words: str, encoding: str | None) -> str:
    """The words as a stream of this encoding can carry them."""
    return words.encode(encoding, MARKS).decode(encoding) if encoding else words


def _hear(number: int, frame: FrameType | None) -> None:
    _heard.append(number)
    signal.default_int_handler(number, frame)


def _say_stopped(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt) or (_heard and issubclass(kind, _SPOILED)):
        print(f"{COMMAND}: stopped", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


def _open_streams() -> None:
    for name, mode in _STREAMS:
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - as long as the process
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, MARKS)):  # stderr writes whatever it is given in any case
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


codecs.register_error(MARKS, _plain_marks)
if sys.argv and is_our_command(sys.argv[0], sys.orig_argv):
    _open_streams()
    sys.excepthook = _say_stopped
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a shell starts what runs in the background deaf to it
        signal.signal(signal.SIGINT, _hear)
