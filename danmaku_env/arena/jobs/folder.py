"""The folder of a job: it is chosen and locked, and everything in it belongs to one spec and its versions.

`begun` writes the file of the spec when a job begins, and compares it when the job goes on. The results show what is done already:
lines (tournaments/record.py) or parts (parts.py). Reading executes nothing: agents come from the command line, never from files.
"""

from __future__ import annotations

import contextlib
import json
import shlex
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.text import Text

from danmaku_env.arena.jobs.spec import Spec
from danmaku_env.arguments import shown
from danmaku_env.console.errors import Stopped, UserError
from danmaku_env.console.run_folders import locked_folder, numbered_folders
from danmaku_env.files import open_file, sweep
from danmaku_env.game import read_json, write_atomically

S = TypeVar("S", bound=Spec)
_FORMAT = 1
_LONGEST = 300
"""Letters of what a spec says that are quoted as they are."""
_ELSEWHERE = "choose another folder with --out"


def choose_folder(asked: Path | None, spec: Spec, versions: Mapping[str, str], *, resume: bool) -> Path | None:
    """The folder to use: the one asked for, or the latest one with this spec to go on with; None: the next free one.

    Raises UserError where there is nothing to go on with, or something that would be overwritten.
    """
    holds, none, _ = spec.FOLDER_PHRASES
    if asked is not None:
        if not resume and (asked / spec.FILE).exists():
            raise UserError(f"{asked} holds {holds} already: add --resume to go on, or {_ELSEWHERE}")
        if resume and not (asked / spec.FILE).exists():
            _check_no_results(asked, spec)
            raise UserError(f"there {none} in {asked} to go on with; leave --resume out to begin")
        return asked
    if not resume:
        return None
    if (folder := latest(spec, versions)) is not None:
        return folder
    raise UserError(f"there {none} of this {spec.KEY} in {spec.FOLDER} to go on with; leave --resume out, or name the folder with --out")


def latest(spec: Spec, versions: Mapping[str, str]) -> Path | None:
    """The latest of the default folders with this spec and these versions, if there is one."""
    for folder in reversed([folder for folder in numbered_folders(spec.FOLDER) if (folder / spec.FILE).exists()]):
        with contextlib.suppress(UserError):
            _check_same(folder, spec, versions)
            return folder
    return None


class KeptError(UserError):
    """A job was stopped by something else, such as a full disk: its folder stays, and the sentence names the command that goes on."""


def cannot_write(folder: Path, error: OSError, done: int, again: str) -> KeptError:
    """What to raise where nothing more can be written to the folder of a job of which so many games are kept."""
    kept = f"{done:,} games are finished and kept"
    return KeptError(f"nothing more can be written to {folder}: {error.strerror}; {kept}. To go on: {again}")


@contextlib.contextmanager
def all_kept(again: str) -> Iterator[None]:
    """Say of a report or result that cannot be written that all games are kept, and the command that goes on. Raises KeptError."""
    try:
        yield
    except UserError as error:
        raise KeptError(f"{error}; all games are finished and kept. To go on: {again}") from None


@contextlib.contextmanager
def begun(folder: Path | None, spec: Spec, versions: Mapping[str, str]) -> Iterator[Path]:
    """The folder, the next free one where none is named, with the file of the spec in it; nobody else has it meanwhile.

    Raises UserError where it belongs to another spec or other versions, is in use, or cannot be written to.
    """
    with locked_folder(folder, spec.FOLDER) as place:
        path = place / spec.FILE
        try:
            sweep(path)
            if not (fresh := not path.exists()):
                _check_same(place, spec, versions)
            else:
                _check_no_results(place, spec)
                text = json.dumps({spec.MARK: _FORMAT, spec.KEY: spec.to_dict(), "versions": dict(versions)}, indent=1)
                write_atomically(path, text.encode() + b"\n")
        except OSError as error:
            raise UserError(f"the folder {place} cannot be used: {error.strerror}") from None
        try:
            yield place
        except KeptError:
            raise
        except UserError:
            if fresh and not _has_results(place, spec):
                _leave_nothing(place, path)
            raise


def read_spec(kind: type[S], folder: Path) -> tuple[S, dict[str, str]]:
    """The spec of a folder, and the versions of what its results depend on. Raises UserError where there is none."""
    try:
        with open_file(folder / kind.FILE) as file:
            data = read_json(file.read())
        there, versions = (data[kind.KEY], dict(data["versions"])) if data[kind.MARK] == _FORMAT else ({}, {})
        return kind.from_dict(there), versions
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise UserError(f"{folder / kind.FILE} is no {kind.CALLED} that can be read ({error})") from None


def how_to_go_on(command: str, folder: Path) -> str:
    """The command that goes on with a job in its folder."""
    return f"{command} --out {shlex.quote(str(folder))} --resume"


@contextlib.contextmanager
def stoppable(console: Console, kept: Callable[[], tuple[int, int]], again: str) -> Iterator[None]:
    """Say on Ctrl-C how many games of how many are kept, and the command that goes on. Raises Stopped then."""
    try:
        yield
    except KeyboardInterrupt:
        done, total = kept()
        console.print(Text(f"Stopped: {done:,} of {total:,} games are finished and kept. To go on: {again}"), soft_wrap=True)
        raise Stopped from None


def _check_no_results(folder: Path, spec: Spec) -> None:
    """Raise UserError where there are results without a spec: nobody knows any more what they are results of."""
    if _has_results(folder, spec):
        if others := sorted(path.name for path in folder.glob("*.json") if _is_spec(path)):
            raise UserError(f"{folder} holds another kind of job, that of {others[0]}; {_ELSEWHERE}")
        why = f"holds results, but the {spec.KEY} that they belong to is gone"
        raise UserError(f"{folder} {why}; {_ELSEWHERE}, or remove them")


def _is_spec(path: Path) -> bool:
    """Whether a file is that of a spec of any kind: a mark, the spec and its versions."""
    with contextlib.suppress(OSError, ValueError, RecursionError), open_file(path) as file:
        data = read_json(file.read())
        return isinstance(data, dict) and len(data) == 3 and "versions" in data and any(name.startswith("danmaku_") for name in data)
    return False


def _has_results(folder: Path, spec: Spec) -> bool:
    return any(path.stat().st_size for pattern in spec.RESULTS for path in folder.glob(pattern))


def _leave_nothing(folder: Path, path: Path) -> None:
    """Take back the file of a job that failed before it had any results, and the folders that were made for them."""
    path.unlink(missing_ok=True)
    for place in folder.iterdir():
        if place.is_dir():
            with contextlib.suppress(OSError):
                place.rmdir()


def _check_same(folder: Path, spec: Spec, versions: Mapping[str, str]) -> None:
    """Raise UserError unless the folder belongs to this spec and these versions."""
    try:
        there, then = read_spec(type(spec), folder)
    except UserError as error:
        raise UserError(f"{error}; {_ELSEWHERE}") from None
    before = there.to_dict()
    for name, value in spec.to_dict().items():
        if before[name] != value:
            other = f"its {name} is {_words(before[name])}, not {_words(value)}"
            raise UserError(f"{folder} holds {spec.FOLDER_PHRASES[2]}: {other}; {_ELSEWHERE}")
    for name, version in versions.items():
        if then.get(name) != version:
            other = f"another {name} ({_words(then.get(name))}, now {version})"
            raise UserError(f"{folder} was begun with {other}, so its games do not belong with new ones; {_ELSEWHERE}")


def _words(value: Any) -> str:
    words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return words if len(words) <= _LONGEST else shown(words)
