"""A process that compiles: reads lines `module unit`, and writes one for every kernel and every unit that is done (`precompile.py`)."""

import contextlib
import functools
import gc
import importlib
import os
import sys
import threading
import time
from typing import Any

from danmaku_env.jit import linking
from danmaku_env.jit.kernel_hash import plain_name
from danmaku_env.jit.linked import compile_for, tell_of_kernels
from danmaku_env.jit.messages import COMPILING
from danmaku_env.jit.precompile import KERNEL, UNIT

_LOOK_UP = 1.0
"""Seconds between two looks whether the process that waits for this one is still there."""


def main() -> None:
    """Compile what is asked for until nothing more is."""
    _end_with_parent()
    linking.quicken()
    gc.disable()  # a tenth of the time goes into looking for garbage; without it some 300 MB stay in use, for less than a minute
    tell_of_kernels(lambda kernel: _tell(KERNEL, kernel))
    for line in sys.stdin:
        module, name = line.split()
        compile_for(*_examples(module)[name])
        _tell(UNIT, name)


@functools.cache
def _examples(module: str) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    return {plain_name(kernel): (kernel, arguments) for kernel, arguments in importlib.import_module(module).examples()}


def _tell(kind: str, name: str) -> None:
    try:
        print(kind, name, flush=True)
    except OSError:  # nobody waits for it any more
        os._exit(1)


def _end_with_parent() -> None:
    """End when the process that waits for this one was killed, also in the middle of work."""
    parent = os.environ.get(COMPILING)
    if not parent or not hasattr(os, "getppid"):
        return

    def watch() -> None:
        while os.getppid() == int(parent):
            time.sleep(_LOOK_UP)
        os._exit(1)

    with contextlib.suppress(RuntimeError):  # no further thread can be had: it ends when it has something to tell
        threading.Thread(target=watch, daemon=True).start()


if __name__ == "__main__":
    main()
