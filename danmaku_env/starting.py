"""Ctrl-C while a command of the project is still being loaded, or wherever nobody else speaks of it: one line, no traceback.

`danmaku_env` imports this first. In programs of others nothing is changed.
"""

from __future__ import annotations

import sys
from pathlib import PurePath
from types import TracebackType

COMMAND = "danmaku"


def is_our_command(program: str, words: list[str]) -> bool:
    """Whether a process, told by `sys.argv[0]` and `sys.orig_argv`, is `danmaku ...` or `python -m danmaku_env...`."""
    if program == "-m":  # what stands there until the module has been found
        return words[words.index("-m") + 1].partition(".")[0] == "danmaku_env"
    return PurePath(program).stem == COMMAND


def _say_stopped(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        print(f"{COMMAND}: stopped", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


if sys.argv and is_our_command(sys.argv[0], sys.orig_argv):
    sys.excepthook = _say_stopped
