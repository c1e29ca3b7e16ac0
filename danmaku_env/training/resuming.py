"""Checkpoints of training runs: a run is resumed exactly where it was, or refused in a sentence. What a file says is checked before use.

A run that stops says what its last checkpoint is and how to resume it (`report_interruption`).
"""

from __future__ import annotations

import contextlib
import json
import math
import shlex
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, get_args, get_origin

import numpy as np
from rich.console import Console
from torch import Tensor

from danmaku_env import GameConfig
from danmaku_env.agents import registry
from danmaku_env.agents.base import AnswerError
from danmaku_env.agents.seating import split_specs
from danmaku_env.arena.fingerprints import OF_RUNS
from danmaku_env.arena.fingerprints import versions as job_versions
from danmaku_env.arena.jobs.workers import WorkerLostError
from danmaku_env.console.errors import Stopped
from danmaku_env.console.options import flat, from_flat, is_given, parameters
from danmaku_env.console.run_folders import lock, numbered_folders
from danmaku_env.console.terminal import OutputError
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.files import sweep
from danmaku_env.game import RulesWarning, as_today, rules_fingerprint, warn_of_unknown_rules
from danmaku_env.machine.records import Array
from danmaku_env.nets.checkpoints import CHECKPOINT, CheckpointError, rules_of
from danmaku_env.nets.network import NamedNet

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

A = TypeVar("A", bound="DataclassInstance")
N = TypeVar("N", bound=NamedNet)


ADAM = ("step", "exp_avg", "exp_avg_sq")
"""What Adam keeps for each parameter."""
_RESUME = "--resume goes on from it"


class TrainingError(ValueError):
    """Training cannot go on; the message says why, and what is left."""


class ResumeError(ValueError):
    """The run to resume has other options than those asked for."""


@contextlib.contextmanager
def whole_run(path: Path) -> Iterator[None]:
    """Say of whatever goes wrong while a run is made anew from its checkpoint that it does not hold a whole run. Raises CheckpointError."""
    try:
        yield
    except (ResumeError, CheckpointError):
        raise
    except KeyError as error:
        raise CheckpointError(f"{path} does not hold a whole run: {error} is missing") from None
    except (TypeError, ValueError, IndexError, RuntimeError, OverflowError, AttributeError) as error:
        raise CheckpointError(f"{path} does not hold a whole run: {error}") from None


def whole(about: dict[str, Any], name: str) -> int:
    """A count. Raises ValueError or KeyError."""
    value = about[name]
    if type(value) is not int or not 0 <= value < 1 << 62:
        raise ValueError(f"{name} is {value!r}")
    return value


def spent(about: dict[str, Any]) -> float:
    """Seconds of training. Raises ValueError or KeyError."""
    seconds = about["seconds"]
    if not _is_number(seconds) or seconds < 0:
        raise ValueError(f"seconds is {seconds!r}")
    return float(seconds)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def kept_options(options: type, kept: Any, games: int | None = None, free: Sequence[str] = ()) -> dict[str, Any]:
    """The options of a run, each of the type it must have, for this number of records where some were kept. Raises ValueError.

    Of those that are `free` to differ, an older version may lack some; they are taken to be the default.
    """
    if not isinstance(kept, dict):
        raise ValueError("its options are no table")
    listed = parameters(options)
    known: dict[str, Any] = {option.name: option.default for option in listed if option.name in free} | kept
    if "basic_roles" in known:  # of versions before 0.1
        known.setdefault("roles", "basic" if known["basic_roles"] else "advanced")
    known.setdefault("table", "")  # as long as no table had a name
    known.setdefault("cut", "nothing")  # as long as nothing could be
    known.setdefault("first_lambda", known.get("gae_lambda"))  # as long as it stayed the same
    for option in listed:
        if option.name not in known:
            why = "it was begun with another version of danmaku-env; its net can be used (start), but the run not resumed"
            raise ValueError(f"it has no option {option.name}, so {why}")
        kind, value = get_args(option.annotation)[0], known[option.name]
        one_of = get_args(kind) if get_origin(kind) is Literal else ()
        fits = type(value) is kind or (kind is float and type(value) is int) or value in one_of
        fits = fits or not (one_of or isinstance(option.default, (int, float, str)))
        if not fits:
            raise ValueError(f"its option {option.name} is {value!r}")
    if games is not None and known["games"] != games:
        raise ValueError(f"it says that {known['games']} games were played side by side, and holds {games}")
    return known


def resumed(given: A, kept: dict[str, Any], free: Sequence[str], agents: Sequence[str]) -> A:
    """The options that a run was begun with, and those of the `free` ones that are given now. Raises ResumeError for other wishes.

    Every option in a command line is a wish; from Python, where nobody can tell what was given, those that differ from the default.
    `agents` are the options that name agents. Those of one's own are taken from no file: a checkpoint would run what it names.
    """
    wishes, defaults = flat(given), {option.name: option.default for option in parameters(type(given))}
    for name, wish in wishes.items():
        there = kept.get(name)
        is_wish = wish != defaults[name] or is_given(name)
        if name not in free and is_wish and wish != there:
            raise ResumeError(f"{name} is {_option_words(there)} in the run to resume; it cannot become {_option_words(wish)}")
        if name in agents and wish != there and any(map(registry.is_own, split_specs(str(there)))):
            again = f"--{name.replace('_', '-')} {shlex.quote(str(there))}"
            raise ResumeError(f"the run to resume names an agent that runs code of its own: if you trust it, say so by adding {again}")
    return from_flat(type(given), wishes | {name: kept[name] for name in wishes if name not in free})


def _option_words(value: Any) -> str:
    return "nothing" if value == "" else str(value)


@contextlib.contextmanager
def run_folder(folder: Path, default: Path, *, resume: bool) -> Iterator[Path]:
    """The folder of a run, in which no other run trains meanwhile; nothing of a killed save stays in it.

    A fresh run gets the one named, or the next free one where the default is taken: it has a checkpoint, or is in use.
    Raises ValueError where another is taken, CheckpointError where there is nothing to resume, OSError where nothing can be written.
    """
    if resume and not folder.is_dir():
        raise CheckpointError(f"there is no run to resume: {folder} is not a folder")
    why = ""
    for place in (folder,) if resume or folder != default else numbered_folders(default):
        why = f"{place} already holds a run: resume it, or name another folder"
        if not resume and (place / CHECKPOINT).exists():
            continue
        with lock(place, fresh=not place.exists()) as mine:
            if mine and (resume or not (place / CHECKPOINT).exists()):
                sweep(place / CHECKPOINT)
                yield place
                return
            why = why if mine else f"{place} is in use by another run at this moment: wait until it has ended, or name another folder"
    raise ValueError(why)


def share_done(run: Any) -> float:
    """How much of a run's nearer budget is used up, 1 at the end; a budget of 0 is unlimited. Runs have it as a method."""
    budgets = run.args
    return max(run.seconds / budgets.seconds if budgets.seconds else 0, run.decisions / budgets.decisions if budgets.decisions else 0)


def check_rules(path: Path, about: dict[str, Any], today: str | None = None, use: str = "can be used (start)") -> None:
    """Raise CheckpointError where a run was trained under other rules than those of `today`; warn (RulesWarning) of one that names none.

    `use` says what its net is still good for.
    """
    made, today = rules_of(path, about), today or rules_fingerprint()
    if made is None:
        warn_of_unknown_rules(f"the run in {path}", stacklevel=4)
    elif made != today:
        rules = f"was trained under the rules {made}, and these are {today}"
        raise CheckpointError(f"the run in {path} {rules}: its net {use}, but the run cannot be resumed")


def tell_of_rules(path: str, net: N, config: GameConfig) -> N:
    """The net that a run of these games begins with; warns (RulesWarning) where it is known to have been trained under other rules."""
    if as_today(net.rules, config) not in (None, rules_fingerprint()):
        words = f"the net of {path} was trained under the rules {net.rules}, and goes on under {rules_fingerprint()}"
        warnings.warn(words, RulesWarning, stacklevel=3)
    return net


def records_from(rows: Array) -> Array:
    """Games from their bytes [B, n]. Raises ValueError when one cannot be."""
    if rows.dtype != np.uint8 or rows.ndim != 2 or rows.shape[1] != DANMAKU_SPEC.record_bytes:
        raise ValueError(f"its games are {rows.shape} numbers of {rows.dtype}")
    records: Array = np.ascontiguousarray(rows).view(DANMAKU_SPEC.record).reshape(-1)
    for number, record in enumerate(records):
        if found := DANMAKU_SPEC.problem(record):
            raise ValueError(f"no such game is possible as its number {number}: {found}")
    return records


def adam_kept(tensors: dict[str, Tensor], name: str, like: Tensor) -> dict[str, Tensor]:
    """What Adam keeps for the parameter `name`, which is like this one. Raises ValueError or KeyError where it cannot have been kept."""
    kept = {key: tensors[f"adam.{name}.{key}"] for key in ADAM}
    if any(kept[key].shape not in (like.shape, ()) for key in kept):
        raise ValueError(f"what Adam keeps for {name} is of another shape")
    if kept["step"].numel() != 1 or not kept["step"] >= 1 or not (kept["exp_avg_sq"] >= 0).all():
        raise ValueError(f"what Adam keeps for {name} cannot be: fewer than one step, or squares below 0")
    return kept


def record_layout() -> str:
    """Changes with the record of a game: a run cannot be resumed across such a change."""
    return json.dumps(DANMAKU_SPEC.record.descr)


def versions() -> dict[str, str]:
    """What a run was made with."""
    return job_versions(libraries=OF_RUNS)


class _Options(Protocol):
    @property
    def folder(self) -> Path: ...
    @property
    def learning_rate(self) -> float: ...


class Stoppable(Protocol):
    """A run of training, as far as it matters when it stops."""

    @property
    def args(self) -> _Options:
        """The options; messages name their folder and learning rate."""
        ...

    @property
    def saved(self) -> int | None:
        """The window, iteration or round of the last checkpoint."""
        ...


@contextlib.contextmanager
def report_interruption(run: Stoppable, console: Console) -> Iterator[None]:
    """Say, whatever stops the run, what its checkpoint is and how it is resumed.

    Raises Stopped for Ctrl-C, and TrainingError, with that sentence, where the run cannot go on.
    """
    folder = run.args.folder
    try:
        yield
    except Stopped:
        raise
    except KeyboardInterrupt:
        again = f"--resume --folder {shlex.quote(str(folder))} goes on from the last checkpoint"
        kept = again if run.saved is not None else "nothing was kept yet"
        console.print(f"stopped; {kept}", soft_wrap=True)
        raise Stopped from None
    except (TrainingError, WorkerLostError, AnswerError, OSError) as error:
        kept = f"the checkpoint in {folder}, number {run.saved}, is sound" if run.saved is not None else "nothing was kept yet"
        words, hint = str(error), f"a smaller --learning-rate than {run.args.learning_rate:g} may help"
        if isinstance(error, OutputError):
            words, hint = f"nothing can be printed ({error.strerror})", _RESUME
        elif isinstance(error, OSError):
            words, hint = f"nothing more can be written to {folder} ({error.strerror})", _RESUME
        if isinstance(error, WorkerLostError | AnswerError):
            hint = _RESUME
        parts = [words, kept] if hint == _RESUME and run.saved is None else [words, kept, hint]
        raise TrainingError(f"training stopped: {'; '.join(parts)}") from None
