"""A result: one JSON file with the sums of every deal, so that any two results of a task can be paired later; and its checks.

Metrics are ratios of sums over deals (or games), with the t interval over deals. A file holds both the sums and the
metrics; a reader computes the metrics again.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np

from danmaku_env.arguments import printable, shown
from danmaku_env.benchmark.task import Task, read_task
from danmaku_env.console.errors import UserError
from danmaku_env.estimates import Estimate, plain_data, ratio
from danmaku_env.files import open_file
from danmaku_env.game import as_today, read_json, rules_fingerprint, write_atomically

FOLDER = Path("results")
CONFIDENCE = 0.99
_FORMAT = 1
_MARK = "danmaku_result"
_NUMBERS = re.compile(r"\[\s+((?:[-+.\deE]+,?\s+)+)\]")
"""A list of numbers in an indented JSON text, which is easier to read in one line."""
PROSE_ITEMS = "items in prose"
"""In `more` of a result: how many items it is of, where it is of those in prose alone."""
_LONGEST = 80
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Sums:
    """One metric."""

    sums: tuple[float, ...]
    """Of each deal."""
    counts: tuple[float, ...]
    """Of each deal: how much its sum is the sum of."""

    def estimate(self) -> Estimate:
        """The metric with its interval."""
        return ratio(np.array(self.sums), np.array(self.counts), CONFIDENCE)

    def minus(self, other: Sums) -> Estimate:
        """The paired difference on the deals that both have."""
        deals = min(len(self.sums), len(other.sums))
        mine, theirs, counts = np.array(self.sums[:deals]), np.array(other.sums[:deals]), np.array(self.counts[:deals])
        return ratio(mine - theirs, counts, CONFIDENCE)


@dataclass(frozen=True, kw_only=True)
class TaskResult:
    """What an entry has reached in a task."""

    task: str
    task_digest: str
    entry: str
    """What it is called on the board."""
    agents: tuple[str, ...]
    """Its specs, or nothing where predictions were handed in."""
    deals: int
    """Deals, or games, that were played: the first of the task."""
    quick: bool
    metrics: Mapping[str, Sums]
    more: Mapping[str, Any] = field(default_factory=dict)
    """What else was measured, which is not worked out again."""
    population: Mapping[str, str] = field(default_factory=dict)
    rules: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    trainer: str = ""
    """What trained it, and how; the same words join the points of a learning curve."""
    decisions: int = 0
    """Decisions of environment that it was trained with."""
    curve: Sequence[Mapping[str, float]] = ()
    """Points of its learning curve, as trainers write them (docs/training.md)."""
    seconds: float = 0.0
    command: str = ""

    @classmethod
    def of(cls, task: Task, **more: Any) -> TaskResult:
        """A result of a task, by the rules of today."""
        return cls(task=task.name, task_digest=task.digest, population=dict(task.population), rules=rules_fingerprint(), **more)

    def headline(self) -> Estimate:
        """The metric that the task is ranked by."""
        return self.metrics[read_task(self.task).headline].estimate()

    @property
    def size(self) -> str:
        """How much of the task it is of: `whole`, `quick`, or `prose`; only results of the same size are compared."""
        return "quick" if self.quick else "prose" if PROSE_ITEMS in self.more else "whole"

    def file_name(self) -> str:
        """What its file is called in the folder of results."""
        safe = re.sub(r"[^A-Za-z0-9.=+-]+", "_", self.entry).strip("_.") or "entry"
        return f"{self.task}--{safe}{'' if self.size == 'whole' else f'--{self.size}'}.json"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, with the SHA-256 of all of it."""
        data: dict[str, Any] = {_MARK: _FORMAT, **asdict(self)}
        for name, metric in self.metrics.items():
            found = metric.estimate()
            told = {"mean": found.mean, "low": found.low, "high": found.high, "p": found.p, "deals": found.deals}
            data["metrics"][name] = {**told, "sums": list(metric.sums), "counts": list(metric.counts)}
        plain: dict[str, Any] = plain_data(data)
        return {**plain, "sha256": digest(plain)}

    def save(self, path: Path) -> None:
        """Write the file. Raises UserError where the folder does not take it."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps(self.to_dict(), indent=1, allow_nan=False)
            write_atomically(path, _NUMBERS.sub(lambda found: "[" + " ".join(found[1].split()) + "]", text).encode() + b"\n")
        except OSError as error:
            raise UserError(f"the result cannot be written to {path}: {error.strerror}") from None


def digest(data: Mapping[str, Any]) -> str:
    """The SHA-256 of plain data: of its JSON with sorted keys and no blanks, without the key `sha256`."""
    bare = {name: value for name, value in data.items() if name != "sha256"}
    return hashlib.sha256(json.dumps(bare, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def read_result(path: Path) -> TaskResult:
    """A result that fits its task, the rules and itself. Raises UserError with the first difference."""
    try:
        with open_file(path) as file:
            data = read_json(file.read())
        if not isinstance(data, dict) or data.get(_MARK) != _FORMAT:
            raise ValueError(f"it has no {_MARK!r} of {_FORMAT}")
        wanted, known = data.get("sha256"), {one.name for one in fields(TaskResult)}
        if set(data) - {_MARK, "sha256"} != known:
            raise ValueError(f"its fields are not {', '.join(sorted(known))}")
        result = _result_of(data)
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UserError(f"{path} is no result: {printable(str(error))}") from None
    if digest(data) != wanted:
        raise UserError(f"{path} has been changed since it was written: its SHA-256 is not the one it names")
    _check_fits(path, result, data)
    return result


def _result_of(data: Mapping[str, Any]) -> TaskResult:
    """The result of plain data. Raises ValueError, KeyError or TypeError."""
    values = {one.name: data[one.name] for one in fields(TaskResult)}
    for name in ("task", "task_digest", "entry", "rules", "trainer", "command"):
        if not isinstance(values[name], str):
            raise ValueError(f"its {name} is no text")
    deals = values["deals"]
    if type(deals) is not int or deals < 2:
        raise ValueError("its deals are no whole number from 2 on")
    values["metrics"] = {name: _sums_of(name, told, deals) for name, told in values["metrics"].items()}
    values["agents"] = tuple(values["agents"])
    values["entry"] = printable(values["entry"])[:_LONGEST]
    return TaskResult(**values)


def _sums_of(name: str, told: Mapping[str, Any], deals: int) -> Sums:
    sums, counts = tuple(map(float, told["sums"])), tuple(map(float, told["counts"]))
    if len(sums) != deals or len(counts) != deals:
        raise ValueError(f"{shown(name)} is not told of each of {deals} deals")
    if not (all(map(math.isfinite, (*sums, *counts))) and min(counts) >= 0):
        raise ValueError(f"{shown(name)} holds an invalid sum or count")
    return Sums(sums, counts)


def _check_fits(path: Path, result: TaskResult, data: Mapping[str, Any]) -> None:
    """Raise UserError unless the result is of the task as it is here, and says what its sums say."""
    task = read_task(result.task)
    if result.task_digest != task.digest:
        raise UserError(f"{path} is of another {task.name} than there is here: the SHA-256 of the task differs")
    if as_today(result.rules, task.config) != rules_fingerprint():
        raise UserError(f"{path} was made by other rules ({shown(result.rules)}, here {rules_fingerprint()})")
    for spec, wanted in task.population.items():
        if (there := result.population.get(spec)) != wanted:
            raise UserError(f"{path} was played with another {spec} ({shown(there)}) than the task names ({wanted})")
    if task.headline not in result.metrics:
        raise UserError(f"{path} does not tell the {task.headline}, by which {task.name} is ranked")
    if result.deals > task.deals:
        raise UserError(f"{path} tells of {result.deals} deals, and {task.name} has {task.deals}")
    for name, metric in result.metrics.items():
        found, told = metric.estimate(), data["metrics"][name]
        for part in ("mean", "low", "high"):
            there, value = told[part], plain_data(getattr(found, part))
            if (there is None) != (value is None) or (value is not None and abs(there - value) > _ROUNDING * max(1.0, abs(value))):
                raise UserError(f"{path} says that the {part} of {name} is {shown(there)}, and its sums say {shown(value)}")
