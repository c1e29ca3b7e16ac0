"""What a benchmark ran on: printed first by each of them."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path

from danmaku_env import __version__


def cpu_name() -> str:
    """Model of the processor."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def print_machine(*packages: str) -> None:
    """One line about the machine, one about the versions."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    print(f"machine: {cpu_name()}, {cores} cores, {platform.system()} {platform.release()}")
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", *packages))
    print(f"versions: danmaku-env {__version__}, python {platform.python_version()}, {versions}")
