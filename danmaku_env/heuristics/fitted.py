"""Numbers that were fitted on games, in files beside the agents that use them: one file for each box that was fitted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt


class FittedError(ValueError):
    """A file without the numbers that were expected of it; the message says what is wrong."""


def fitted_numbers(data: Any, kind: str, schema: int, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, npt.NDArray[np.float64]]:
    """The numbers of these names and shapes in the plain data of a file, of that version. Raises FittedError."""
    mark = f"danmaku_{kind}"
    if not isinstance(data, dict) or mark not in data:
        raise FittedError(f"these are not fitted numbers of a {kind}: {mark!r} is missing")
    if data[mark] != schema:
        raise FittedError(f"a {kind} of version {data[mark]!r}; this program reads version {schema}")
    found = {}
    for name, shape in shapes.items():
        try:
            numbers = np.array(data[name], np.float64)
        except (KeyError, TypeError, ValueError):
            raise FittedError(f"{name!r} must be finite numbers of shape {shape}, and is missing or no numbers") from None
        if numbers.shape != shape or not np.isfinite(numbers).all():
            raise FittedError(f"{name!r} must be finite numbers of shape {shape}, not {numbers.shape}")
        found[name] = numbers
    return found


def read_fitted(path: Path) -> Any:
    """The plain data of a file."""
    return json.loads(path.read_text("utf-8"))


def file_for(base: Path, expansion: str) -> Path:
    """Where what belongs to the games of a box stands beside the file of the base game."""
    return base if expansion == "none" else base.with_stem(f"{base.stem}_{expansion}")


def shipped_for(base: Path, expansion: str) -> Path:
    """What is shipped for the games of a box: the file of the base game where the box has none of its own."""
    own = file_for(base, expansion)
    return own if own.exists() else base
