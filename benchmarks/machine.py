"""What a benchmark ran on: printed first by each of them."""

from __future__ import annotations

import argparse
import math
import os
import platform
from collections.abc import Callable
from importlib.metadata import version

from danmaku_env import __version__
from danmaku_env.console.machine import processor

_MOST_DIGITS = 16


def at_least(least: int) -> Callable[[str], int]:
    """What argparse takes for a whole number that is no smaller."""

    def read(text: str) -> int:
        if not (text.isdecimal() and len(text) < _MOST_DIGITS and int(text) >= least):
            raise argparse.ArgumentTypeError(f"a whole number of at least {least} is wanted, not {text!r}")
        return int(text)

    return read


def span(text: str) -> float:
    """What argparse takes for a length of time."""
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found < math.inf:
        raise argparse.ArgumentTypeError(f"a number of seconds above 0 is wanted, not {text!r}")
    return found


def table_size(text: str) -> int:
    """What argparse takes for a number of players."""
    if text not in ("4", "5", "6", "7", "8"):
        raise argparse.ArgumentTypeError(f"4 to 8 players are wanted, not {text!r}")
    return int(text)


def print_machine(*packages: str) -> None:
    """One line about the machine, one about the versions."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    print(f"machine: {processor()}, {cores} cores, {platform.system()} {platform.release()}")
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", *packages))
    print(f"versions: danmaku-env {__version__}, python {platform.python_version()}, {versions}")
