"""What a command sets up before anything else is loaded: its streams, and what Ctrl-C does.

Ctrl-C while a command is still being loaded prints one line and no traceback, as does a package that a command needs and that is not
installed. Characters that an encoding lacks are read as question marks, and written as a plain mark that stands for them, or as question
marks; a stream that was closed is replaced by the null device.

Importing `danmaku_env` calls nothing of this: `begin` is called by the commands. The module imports next to nothing itself.
"""

from __future__ import annotations

import io
import os
import signal
import sys

from danmaku_env.console.ascii_fallback import ASCII_FALLBACK

TYPE_CHECKING = False  # the one of `typing` takes longer to load than all the rest here
if TYPE_CHECKING:
    from types import FrameType, TracebackType
    from typing import Any

COMMAND = "danmaku"
_PACKAGE = __name__.partition(".")[0]
_SPOILED = (ImportError, SystemError)
"""What libraries make of a Ctrl-C that meets them while they are loaded: NumPy says that its installation is broken."""
_WITH_VALUE = "cmWX"
"""Options of Python that take what follows, up to the end of the word or else the next one."""
_LONG_WITH_VALUE = "--check-hash-based-pycs"
_heard: list[int] = []
_STREAMS = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))
"""In the order of their numbers: what is opened takes the lowest that is free, so nothing else ever stands in the place of a closed one."""


def is_our_command(program: str, words: list[str]) -> bool:
    """Whether a process, told by `sys.argv[0]` and `sys.orig_argv`, is `danmaku ...` or `python -m danmaku_env...`."""
    if program == "-m":  # what stands there until the module has been found
        return _module_in(words).partition(".")[0] == _PACKAGE
    return os.path.splitext(os.path.basename(program))[0] == COMMAND


def _module_in(words: list[str]) -> str:
    """The module that Python runs, nothing where there is none: `-m M`, `-mM`, or behind other options, `-um M` and `-ImM`."""
    rest = iter(words[1:])
    for word in rest:
        if not word.startswith("-"):
            return ""
        if word.startswith("--"):
            _ = next(rest, "") if word == _LONG_WITH_VALUE else ""
            continue
        place = next((place for place, letter in enumerate(word) if letter in _WITH_VALUE), 0)
        value = (word[place + 1 :] or next(rest, "")) if place else ""
        if word[place] in "cm":
            return value if word[place] == "m" else ""
    return ""


def _hear(number: int, frame: FrameType | None) -> None:
    _heard.append(number)
    signal.default_int_handler(number, frame)


def _say_why(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt) or (_heard and issubclass(kind, _SPOILED)):
        print(f"{COMMAND}: stopped", file=sys.stderr)
    elif isinstance(error, ModuleNotFoundError) and (package := _not_installed(error)):
        print(f"{COMMAND}: this needs the package {package}: pip install {_with_it(sys.orig_argv)}", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


def _not_installed(error: ModuleNotFoundError) -> str:
    """The package of somebody else's that is missing as a whole; nothing where a part of one is, or one of ours."""
    import importlib.util  # rarely needed

    package = (error.name or "").partition(".")[0]
    return "" if not package or package == _PACKAGE or importlib.util.find_spec(package) else package


def _with_it(words: list[str]) -> str:
    """What to install for this command; `danmaku` itself knows better, and asks before it comes to this."""
    return "'danmaku-env[train]'" if any(word.startswith("danmaku_env.training.") for word in words) else "danmaku-env"


def open_closed_streams() -> None:
    """Put the null device in the place of standard streams that are closed, or that a program has not got."""
    for name, mode in _STREAMS:
        stream = getattr(sys, name)
        if stream is None or getattr(stream, "closed", False):
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - as long as the process


def is_full(stream: Any) -> bool:
    """Whether a stream holds something that it cannot write."""
    try:
        stream.flush()
    except OSError:
        return True
    except (AttributeError, ValueError):
        pass  # there is no such stream, or it was closed
    return False


def let_go_of_full_streams() -> None:
    """Have what a stream cannot write go to the null device, where the end of the process would stumble over it and change its status."""
    for stream in filter(is_full, (sys.stdout, sys.stderr)):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def begin() -> None:
    """Set up this process as one of the project's commands: the first thing that it does."""
    open_closed_streams()
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, ASCII_FALLBACK)):  # stderr writes whatever it is given in any case
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)
    sys.excepthook = _say_why
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a shell starts what runs in the background deaf to it
        signal.signal(signal.SIGINT, _hear)
