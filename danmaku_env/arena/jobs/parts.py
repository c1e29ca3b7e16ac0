"""A job in parts: each part is some of the games, depends on the spec alone, and ends as files with checksums.

A part's files are written whole or not at all, and its checksums last; a part whose files fit them is finished. So after any
interruption or damage, a resumed job does the missing parts, and the folder ends up as if it had been filled in one go.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from rich.console import Console

from danmaku_env.arena.fingerprints import versions
from danmaku_env.arena.jobs.folder import begun, cannot_write, choose_folder, stoppable
from danmaku_env.arena.jobs.ray_tasks import Workers
from danmaku_env.arena.jobs.spec import Spec
from danmaku_env.arena.jobs.workers import Team, Work, WorkerPool
from danmaku_env.console.errors import UserError
from danmaku_env.console.terminal import counting_bar, games_bar
from danmaku_env.files import open_file
from danmaku_env.game import read_json, write_atomically

CHECKSUMS = "checksums"
"""The folder that says which parts are finished, and whether their files are still what they were."""
PART = "part-"


@dataclass(frozen=True, kw_only=True)
class PartedSpec(Spec):
    """A job that is done in parts."""

    games: int = 1000

    PART_SIZE: ClassVar[int] = 256
    """Games of a part; what an interruption costs at most for each worker."""

    @property
    def parts(self) -> int:
        """Parts of all the games."""
        return -(-self.games // self.PART_SIZE)

    def games_of(self, part: int) -> range:
        """The numbers of the games of a part; more games add parts and fill the last one."""
        return range(part * self.PART_SIZE, min((part + 1) * self.PART_SIZE, self.games))


class Parts:
    """The files of a job's parts in its folder."""

    def __init__(
        self, folder: Path, spec: PartedSpec, kinds: Mapping[str, str], needed: Mapping[str, str] | None = None, agents: Sequence[str] = ()
    ) -> None:
        """`kinds` are the kinds of files that a part has, each in a folder of that name, with their endings. Raises UserError.

        `needed` are the versions that the parts depend on, among them those of the `agents`.
        """
        self.folder, self.spec, self.kinds = folder, spec, {**kinds, CHECKSUMS: "json"}
        self.needed, self.agents = needed or {}, agents
        try:
            for name in self.kinds:
                (folder / name).mkdir(exist_ok=True)
        except OSError as error:
            raise UserError(f"the folder {folder} cannot be used: {error.strerror}") from None

    def file(self, kind: str, part: int) -> Path:
        """The file of this kind of a part."""
        return self.folder / kind / f"{PART}{part:05d}.{self.kinds[kind]}"

    def keep(self, part: int, blobs: Mapping[str, bytes]) -> None:
        """Write the files of a part, the checksums last. Raises OSError."""
        for kind, blob in blobs.items():
            write_atomically(self.file(kind, part), blob)
        write_atomically(self.file(CHECKSUMS, part), json.dumps(self._checksums(blobs)).encode() + b"\n")

    def read(self, part: int) -> dict[str, bytes]:
        """The files of a part as they were written. Raises OSError or ValueError where they are not all there and whole."""
        blobs = {kind: self._bytes(kind, part) for kind in self.kinds}
        if read_json(blobs.pop(CHECKSUMS)) != self._checksums(blobs):
            raise ValueError("the files of the part have changed since they were written")
        return blobs

    def _bytes(self, kind: str, part: int) -> bytes:
        with open_file(self.file(kind, part)) as file:
            return file.read()

    def is_finished(self, part: int) -> bool:
        """Whether the files of a part are those that were written."""
        try:
            return bool(self.read(part))
        except (OSError, ValueError):
            return False

    def finished(self, console: Console) -> set[int]:
        """The numbers of the finished parts; only those are looked at that somebody has written."""
        names = [path.stem.removeprefix(PART) for path in (self.folder / CHECKSUMS).glob(f"{PART}*.json")]
        there = sorted(int(name) for name in names if name.isdecimal() and int(name) < self.spec.parts)
        if not there:
            return set()
        with counting_bar(console, "checking", "parts") as bar:
            return {part for part in bar.track(there, description="") if self.is_finished(part)}

    def do(self, work: Work, workers: Workers, console: Console, again: str, doing: str = "plays") -> int:
        """Have the workers do the missing parts by this work, as `do_parts`."""
        with workers.pool(work, self.needed, self.agents, here=True) as pool:
            return do_parts(self, pool, console, again, doing)

    def _checksums(self, blobs: Mapping[str, bytes]) -> dict[str, str]:
        """Of the spec, and of the files of a part."""
        whole = {self.spec.KEY: json.dumps(self.spec.to_dict(), sort_keys=True).encode(), **blobs}
        return {name: hashlib.sha256(blob).hexdigest() for name, blob in whole.items()}


@contextlib.contextmanager
def begun_parts(asked: Path | None, spec: PartedSpec, kinds: Mapping[str, str], agents: Sequence[str], *, resume: bool) -> Iterator[Parts]:
    """The parts of a job in the folder asked for, as `choose_folder`, for as long as they are done; the rest as for `Parts`."""
    needed = versions(agents)
    with begun(choose_folder(asked, spec, needed, resume=resume), spec, needed) as folder:
        yield Parts(folder, spec, kinds, needed, agents)


def as_npz(arrays: Mapping[str, Any]) -> bytes:
    """Arrays as the bytes of a NumPy archive."""
    with io.BytesIO() as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)
        return file.getvalue()


def from_npz(blob: bytes) -> dict[str, Any]:
    """The inverse of `as_npz`. Raises ValueError for other bytes."""
    try:
        with np.load(io.BytesIO(blob), allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except MemoryError:
        raise
    except Exception as error:  # of NumPy, zipfile, zlib and the tokenizer: there is no end of kinds
        raise ValueError(f"no NumPy archive that can be read: {error}") from None


class PartDone(NamedTuple):
    """The result of the task of a part."""

    blobs: Mapping[str, bytes]
    """Its files, by kind."""
    decisions: int
    """Answers given in its games."""


def do_parts(parts: Parts, pool: WorkerPool, console: Console, again: str, doing: str = "plays") -> int:
    """Have the missing parts done, with a progress bar, and keep each as soon as it is done; the answers given in them.

    The pool's tasks are numbers of parts, whose result is a `PartDone`; before it a task may say how many games have ended since it last
    did. `again` is the command that goes on, `doing` what the workers do. Raises UserError for what a worker raised or where nothing can
    be written; Ctrl-C becomes Stopped.
    """
    spec, finished, decisions = parts.spec, parts.finished(console), 0
    missing = (part for part in range(spec.parts) if part not in finished)
    done = sum(len(spec.games_of(part)) for part in finished)
    bar, total = games_bar(console), sum(len(spec.games_of(part)) for part in range(spec.parts))
    with stoppable(console, lambda: (done, total), again), Team(pool, doing) as team, bar:
        task = bar.add_task("", total=total, completed=done)
        for part, result in team.as_done(missing, lambda ended: bar.advance(task, ended)):
            try:
                parts.keep(part, result.blobs)
            except OSError as error:
                raise cannot_write(parts.folder, error, done, again) from None
            done += len(spec.games_of(part))
            decisions += result.decisions
            bar.update(task, completed=max(done, bar.tasks[0].completed))
    return decisions
