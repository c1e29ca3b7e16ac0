"""What a checkpoint says of a run of training, read with suspicion: a run is resumed exactly where it was, or not at all."""

from __future__ import annotations

import json
import math
import platform
from dataclasses import fields
from typing import Any, NamedTuple, Self, get_type_hints

import numpy as np
import numpy.typing as npt
import torch

from danmaku_env import __version__
from danmaku_env.engine import checks
from danmaku_env.engine import state as st

Array = npt.NDArray[Any]


class Progressed(NamedTuple):
    """How far a run has come."""

    windows: int
    """Windows trained on."""
    seconds: float
    """Training time."""
    games_ended: int
    curve: list[list[float]]
    """Points of the learning curve: decisions, then the win rate of each role group."""

    @classmethod
    def read(cls, about: dict[str, Any]) -> Self:
        """From the plain data of a checkpoint. Raises ValueError or KeyError."""
        for name in ("windows", "games_ended"):
            if type(about[name]) is not int or not 0 <= about[name] < 1 << 62:
                raise ValueError(f"{name} is {about[name]!r}")
        seconds, curve = about["seconds"], about["curve"]
        if not _is_number(seconds) or seconds < 0:
            raise ValueError(f"seconds is {seconds!r}")
        if not isinstance(curve, list) or not all(isinstance(point, list) and all(map(_is_number, point)) for point in curve):
            raise ValueError("the learning curve is no list of points")
        if len({len(point) for point in curve}) > 1:
            raise ValueError("the points of the learning curve have different numbers of role groups")
        return cls(about["windows"], float(seconds), about["games_ended"], curve)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def kept_options(options: type, kept: Any, games: int) -> dict[str, Any]:
    """The options of a run, each of the type it must have, for so many records that were kept. Raises ValueError or KeyError."""
    if not isinstance(kept, dict):
        raise ValueError("its options are no table")
    hints = get_type_hints(options)
    for field in fields(options):
        kind, value = hints[field.name], kept[field.name]
        fits = type(value) is kind or (kind is float and type(value) is int) or not isinstance(field.default, (int, float, str))
        if not fits:
            raise ValueError(f"its option {field.name} is {value!r}")
    if kept["games"] != games:
        raise ValueError(f"it says that {kept['games']} games were played side by side, and holds {games}")
    return kept


def records_from(rows: Array) -> Array:
    """Games from their bytes [B, n]. Raises ValueError when one cannot be."""
    if rows.dtype != np.uint8 or rows.ndim != 2 or rows.shape[1] != st.STATE_BYTES:
        raise ValueError(f"its games are {rows.shape} numbers of {rows.dtype}")
    records: Array = np.ascontiguousarray(rows).view(st.STATE).reshape(-1)
    for number, record in enumerate(records):
        if found := checks.problem(record):
            raise ValueError(f"no such game is possible as its number {number}: {found}")
    return records


def record_layout() -> str:
    """Changes with the record of a game: a run cannot be resumed across such a change."""
    return json.dumps(st.STATE.descr)


def versions() -> dict[str, str]:
    """What a run was made with."""
    return {"danmaku_env": __version__, "torch": torch.__version__, "numpy": np.__version__, "python": platform.python_version()}
