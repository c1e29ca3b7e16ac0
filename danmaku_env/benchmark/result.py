"""A result: one JSON file with the sums of every deal, so that any two results of a task can be paired later; and its checks.

Metrics are ratios of sums over deals (or games), with the t interval over deals. A file holds both the sums and the
metrics; a reader computes the metrics again.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

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
BEGINS = f'{{\n "{_MARK}"'.encode()
"""How every file begins."""
_NUMBERS = re.compile(r"\[\s+((?:[-+.\deE]+,?\s+)+)\]")
"""A list of numbers in an indented JSON text, which is easier to read in one line."""
PROSE_ITEMS = "items in prose"
"""In `more` of a result: how many items it is of, where it is of those in prose alone."""
_OF_EACH = {"panel": "reward above", "strangers": "gain with"}
"""Kind of a task -> how the metrics begin that it has of each member of its population."""
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


def stem_of(task: str, entry: str, size: str) -> str:
    """What the file of a result is called, without .json, by what its fields and `size` say."""
    safe = re.sub(r"[^A-Za-z0-9.=+-]+", "_", entry).strip("_.") or "entry"
    return f"{task}--{safe}{'' if size == 'whole' else f'--{size}'}"


def check_results_folder(folder: Path) -> None:
    """Raise UserError where there is no such folder."""
    if not folder.is_dir():
        raise UserError(f"there is no folder of results at {folder}")


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
        return f"{stem_of(self.task, self.entry, self.size)}.json"

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


# ---------------------------------------------------------------- what the values of a file are


class _Check(NamedTuple):
    """What a value must be."""

    words: str
    fits: Callable[[Any], bool]


class _Nothing:
    """What is there where a value is missing."""

    def __repr__(self) -> str:
        return "nothing"


_LARGEST = 1e15
"""Numbers up to this size can be added up and drawn."""


def _is_number(value: Any) -> bool:
    """Whether it is a number of that size, which NaN is not."""
    return type(value) in (int, float) and abs(value) <= _LARGEST


def _is_from_0(value: Any) -> bool:
    return _is_number(value) and value >= 0


def _list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(fits, value))


def _whole(least: int) -> _Check:
    return _Check(f"a whole number from {least} to 1e15", lambda value: type(value) is int and least <= value <= _LARGEST)


_TEXT = _Check("a text", lambda value: isinstance(value, str))
_OBJECT = _Check("an object with names", lambda value: isinstance(value, dict))
_LIST = _Check("a list", lambda value: isinstance(value, list))
_FROM_0 = _Check("a number from 0 to 1e15", _is_from_0)
_NUMBER = _Check("a number from -1e15 to 1e15", _is_number)
_NUMBER_OR_NULL = _Check("null or a number from -1e15 to 1e15", lambda value: value is None or _is_number(value))

_FIELDS = {
    "task": _TEXT,
    "task_digest": _TEXT,
    "entry": _Check("a name", lambda value: isinstance(value, str) and bool(value.strip())),
    "agents": _LIST,
    "agents/*": _TEXT,
    "deals": _whole(2),
    "quick": _Check("true or false", lambda value: isinstance(value, bool)),
    "metrics": _OBJECT,
    "metrics/*": _OBJECT,
    "metrics/*/sums": _Check("a list of numbers from -1e15 to 1e15", _list_of(_is_number)),
    "metrics/*/counts": _Check("a list of numbers from 0 to 1e15", _list_of(_is_from_0)),
    "metrics/*/mean": _NUMBER_OR_NULL,
    "metrics/*/low": _NUMBER_OR_NULL,
    "metrics/*/high": _NUMBER_OR_NULL,
    "population": _OBJECT,
    "population/*": _TEXT,
    "rules": _TEXT,
    "versions": _OBJECT,
    "versions/*": _TEXT,
    "more": _OBJECT,
    "more/milliseconds a decision?": _FROM_0,
    "more/role separation?": _OBJECT,
    "more/role separation?/heroine?": _OBJECT,
    "more/role separation?/heroine?/*": _OBJECT,
    "more/role separation?/heroine?/*/choices": _FROM_0,
    "more/role separation?/heroine?/*/games": _FROM_0,
    "more/role separation?/heroine?/*/named": _NUMBER_OR_NULL,
    "more/role separation?/heroine?/*/chance": _NUMBER_OR_NULL,
    "more/role separation?/heroine?/*/low": _NUMBER_OR_NULL,
    "more/role separation?/heroine?/*/high": _NUMBER_OR_NULL,
    "more/calibration error?": _OBJECT,
    "more/calibration error?/mean": _NUMBER,
    "more/calibration error?/low": _NUMBER,
    "more/calibration error?/high": _NUMBER,
    f"more/{PROSE_ITEMS}?": _whole(1),
    "trainer": _TEXT,
    "decisions": _whole(0),
    "curve": _LIST,
    "curve/*": _OBJECT,
    "curve/*/*": _NUMBER,
    "curve/*/decisions": _FROM_0,
    "seconds": _FROM_0,
    "command": _TEXT,
}
"""Where values lie in a file (`*`: all that are there; `?`: it may be missing) -> what they must be; outer ones come first."""


def _values_at(value: Any, steps: Sequence[str], where: str = "") -> Iterator[tuple[str, Any]]:
    """The values that a path leads to, each after where it lies."""
    if not steps:
        yield where[1:], value
        return
    step, *others = steps
    wanted = step.removesuffix("?")
    there = dict(enumerate(value)) if isinstance(value, list) else value
    for name in there if step == "*" else [wanted] if step == wanted or wanted in there else []:
        yield from _values_at(there.get(name, _Nothing()), others, f"{where}/{name}")


def _misfits(data: Mapping[str, Any], paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The values at these paths of _FIELDS that are not what they must be: where each lies, and what is wrong with it."""
    for path in paths:
        for where, value in _values_at(data, path.split("/")):
            if not _FIELDS[path].fits(value):
                yield where[:_LONGEST], f"must be {_FIELDS[path].words}, not {shown(value)}"


def _check_form(data: Any) -> None:
    """Raise ValueError with the first value that is not what a result holds."""
    if not isinstance(data, dict) or data.get(_MARK) != _FORMAT:
        raise ValueError(f"it has no {_MARK!r} of {_FORMAT}")
    known = {one.name for one in fields(TaskResult)}
    if set(data) - {_MARK, "sha256"} != known:
        raise ValueError(f"its fields are not {', '.join(sorted(known))}")
    for where, wrong in _misfits(data, _FIELDS):
        raise ValueError(f"its {where} {wrong}")
    for name, told in data["metrics"].items():
        if not len(told["sums"]) == len(told["counts"]) == data["deals"]:
            raise ValueError(f"{shown(name)} is not told of each of {data['deals']} deals")


def check_told(**told: Any) -> None:
    """Raise UserError where what is told of an entry, by the names of a result's fields, would be refused when its file is read."""
    for where, wrong in _misfits(told, [path for path in _FIELDS if path.partition("/")[0] in told]):
        raise UserError(f"the {where} of a result {wrong}")


# ---------------------------------------------------------------- reading


def read_result(path: Path) -> TaskResult:
    """A result that fits its task, the rules and itself. Raises UserError with the first difference."""
    try:
        with open_file(path) as file:
            data = read_json(file.read())
        _check_form(data)
        found = digest(data)
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path} is no result: {printable(str(error))}") from None
    if found != data.get("sha256"):
        raise UserError(f"{path} has been changed since it was written: its SHA-256 is not the one it names")
    result = _result_of(data)
    _check_fits(path, result, data)
    return result


def _result_of(data: Mapping[str, Any]) -> TaskResult:
    """The result of plain data that has been checked."""
    values = {one.name: data[one.name] for one in fields(TaskResult)}
    metrics = {name: Sums(*(tuple(map(float, told[part])) for part in ("sums", "counts"))) for name, told in data["metrics"].items()}
    names = {name: printable(data[name])[:_LONGEST] for name in ("entry", "trainer")}
    return TaskResult(**{**values, **names, "metrics": metrics, "agents": tuple(data["agents"])})


def _check_fits(path: Path, result: TaskResult, data: Mapping[str, Any]) -> None:
    """Raise UserError unless the result is of the task as it is here, and says what its sums say."""
    try:
        task = read_task(result.task)
    except UserError as error:
        raise UserError(f"{path} is of an unknown task: {error}") from None
    if result.task_digest != task.digest:
        raise UserError(f"{path} is of another {task.name} than there is here: the SHA-256 of the task differs")
    if as_today(result.rules, task.config) != rules_fingerprint():
        raise UserError(f"{path} was made by other rules ({shown(result.rules)}, here {rules_fingerprint()})")
    for spec, wanted in task.population.items():
        if (there := result.population.get(spec)) != wanted:
            raise UserError(f"{path} was played with another {spec} ({shown(there)}) than the task names ({wanted})")
    told_of_each = [f"{_OF_EACH[task.kind]} {spec}" for spec in task.population] if task.kind in _OF_EACH else []
    for name in (task.headline, *told_of_each):
        if name not in result.metrics or not math.isfinite(result.metrics[name].estimate().mean):
            raise UserError(f"{path} does not tell the {name}, which {task.name} is about")
    if result.deals > task.deals:
        raise UserError(f"{path} tells of {result.deals} deals, and {task.name} has {task.deals}")
    for name, metric in result.metrics.items():
        found, told = metric.estimate(), data["metrics"][name]
        for part in ("mean", "low", "high"):
            there, value = told[part], plain_data(getattr(found, part))
            if (there is None) != (value is None) or (value is not None and abs(there - value) > _ROUNDING * max(1.0, abs(value))):
                raise UserError(
                    f"{path} says that the {part} of {printable(name)[:_LONGEST]} is {shown(there)}, and its sums say {shown(value)}"
                )
