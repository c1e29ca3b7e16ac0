"""A process that compiles: reads lines `module unit`, and writes one for every kernel and every unit that is done (`precompile.py`)."""

import functools
import gc
import importlib
import os
import sys
from contextlib import suppress
from typing import Any, TextIO

from danmaku_env.jit import linking
from danmaku_env.jit.interpreter import end_after, wait_for_end_of_parent
from danmaku_env.jit.kernel_hash import plain_name
from danmaku_env.jit.linked import compile_for, tell_of_kernels
from danmaku_env.jit.messages import COMPILING
from danmaku_env.jit.precompile import KERNEL, UNIT


def main() -> None:
    """Compile what is asked for until nothing more is."""
    answers = _answers()
    if parent := os.environ.get(COMPILING):
        end_after(lambda: wait_for_end_of_parent(int(parent)))
    linking.quicken()
    gc.disable()  # a tenth of the time goes into looking for garbage; without it some 300 MB stay in use, for less than a minute
    tell_of_kernels(lambda kernel: _tell(answers, KERNEL, kernel))
    for line in sys.stdin:
        module, name = line.split()
        compile_for(*_examples(module)[name])
        _tell(answers, UNIT, name)


def _answers() -> TextIO:
    """The way to whoever waits, for this module alone: what anybody else prints goes where errors go."""
    answers = os.fdopen(os.dup(1), "w")
    with suppress(OSError):  # there is no such place
        os.dup2(2, 1)
    answers.write("\n")  # what was printed before may have been no whole line
    return answers


@functools.cache
def _examples(module: str) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    return {plain_name(kernel): (kernel, arguments) for kernel, arguments in importlib.import_module(module).examples()}


def _tell(answers: TextIO, kind: str, name: str) -> None:
    try:
        print(kind, name, file=answers, flush=True)
    except OSError:  # nobody waits for it any more
        os._exit(1)


if __name__ == "__main__":
    main()
