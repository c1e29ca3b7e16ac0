"""Of what the code of all kernels depends on, what is said without numba's insides: versions, and the settings that are compiled in."""

from __future__ import annotations

import platform

import llvmlite  # type: ignore[import-untyped]
import numba
import numpy as np


def toolchain() -> tuple[str, ...]:
    """Versions and settings of what compiles."""
    versions = (platform.python_version(), np.__version__, numba.__version__, llvmlite.__version__)
    return (*versions, str(numba.config.BOUNDSCHECK), str(numba.config.DEBUGINFO_DEFAULT))
