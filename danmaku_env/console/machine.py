"""What a measurement ran on."""

from __future__ import annotations

import contextlib
import platform
from pathlib import Path


def processor() -> str:
    """The model of the processor, or its kind where the system does not name it."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
