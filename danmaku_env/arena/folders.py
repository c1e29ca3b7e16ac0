"""The folder that a command fills, and that no other one fills meanwhile. A tournament locks its results instead."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from danmaku_env.arena.errors import ArenaError
from danmaku_env.game import check_folder
from danmaku_env.game.files import alone_with

_IN_USE = "in-use.lock"
"""Is in the folder as long as it is filled, locked; what a killed command leaves is locked no more."""


@contextlib.contextmanager
def alone_in(asked: Path | None, usual: Path) -> Iterator[Path]:
    """The folder asked for, made where it is missing, or the next free one of usual, usual-2, usual-3 ...; empty, it goes again.

    Raises ArenaError where somebody else is filling it, or nothing can be written to it.
    """
    with contextlib.ExitStack() as stack:
        try:
            folder, fresh = (_next_free(usual), True) if asked is None else (asked, not asked.exists())
            check_folder(folder)
            folder.mkdir(parents=True, exist_ok=True)
            if fresh:
                stack.callback(_remove_empty, folder)
            mine = stack.enter_context(alone_with(folder / _IN_USE))
        except OSError as error:
            why = str(error) if error.errno is None else f"the folder {asked or usual} cannot be used: {error.strerror}"
            raise ArenaError(why) from None
        if not mine:
            raise ArenaError(f"{folder} is being filled at this moment; choose another folder with --out")
        yield folder


def _next_free(usual: Path) -> Path:
    """Make the first folder of these names that is not there. Raises OSError."""
    for place in (usual, *(usual.with_name(f"{usual.name}-{number}") for number in range(2, 10_000))):
        with contextlib.suppress(FileExistsError):
            place.mkdir(parents=True)
            return place
    raise FileExistsError(f"there are too many folders beside {usual}; name another one with --out")


def _remove_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()
