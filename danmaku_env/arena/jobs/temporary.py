"""A job for the sake of one result: its folder is found by its spec and its versions, and goes when the result is there."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from rich.console import Console

from danmaku_env.arena.fingerprints import versions
from danmaku_env.arena.jobs.folder import begun, latest
from danmaku_env.arena.jobs.parts import PartDone, PartedSpec, Parts, as_npz, from_npz
from danmaku_env.arena.jobs.ray_tasks import Workers
from danmaku_env.arena.jobs.workers import Beat, Work

S = TypeVar("S", bound=PartedSpec)
Played: TypeAlias = Iterator[int | Mapping[str, Any]]
"""How many games of a part have ended, again and again, and at last its arrays by name."""
_KIND = "games"


@contextlib.contextmanager
def temporary_job(
    spec: S, play: Callable[[S, int], Played], agents: Sequence[str], workers: Workers, console: Console, again: str
) -> Iterator[list[dict[str, Any]]]:
    """The arrays of all parts; those of finished parts are read, so the command `again` goes on with what was interrupted.

    The folder goes at the end of the context, unless an error leaves it. What is in it goes while it is locked: the same command, started
    at that moment, finds it in use or finds nothing. Raises UserError, WorkerLostError or Stopped.
    """
    needed = versions(agents)
    with begun(latest(spec, needed), spec, needed) as folder:
        parts = Parts(folder, spec, {_KIND: "npz"}, needed, agents)
        parts.do(Work(_begin, (spec, play)), workers, console, again)
        yield [from_npz(parts.read(part)[_KIND]) for part in range(spec.parts)]
        with contextlib.suppress(OSError):
            _empty(parts)
    with contextlib.suppress(OSError):
        folder.rmdir()


def _empty(parts: Parts) -> None:
    """Remove everything but the lock, the file of the spec last: until then an interrupted command goes on. Raises OSError."""
    for kind in parts.kinds:
        shutil.rmtree(parts.folder / kind)
    (parts.folder / parts.spec.FILE).unlink()


def _begin(spec: S, play: Callable[[S, int], Played]) -> Callable[[int, Beat], Iterator[int | PartDone]]:
    """What workers do: play parts of the games."""

    def do(part: int, _: Beat) -> Iterator[int | PartDone]:
        for told in play(spec, part):
            yield told if isinstance(told, int) else PartDone({_KIND: as_npz(told)}, 0)

    return do
