"""Numbers that were fitted on games, shipped as JSON files beside the agents that play by them."""

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
        raise FittedError(f"these are no fitted numbers of a {kind}: {mark!r} is not there")
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
