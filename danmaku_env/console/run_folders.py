"""The folder of a run: which one it is, and that no other command fills it meanwhile."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from danmaku_env.console.errors import UserError
from danmaku_env.files import alone_with, check_folder

_IN_USE = "in-use.lock"
"""Is in the folder as long as it is filled, locked; a folder left by a killed command is no longer locked."""
_MOST = 10_000
"""Folders of one name beside each other."""
_TOO_MANY = "there are too many folders beside"


def numbered_folders(default: Path) -> Iterator[Path]:
    """The folders to try for a command that was given none: default, default-2, default-3 ..."""
    yield default
    for number in range(2, _MOST):
        yield default.with_name(f"{default.name}-{number}")


@contextlib.contextmanager
def lock(folder: Path, *, fresh: bool) -> Iterator[bool]:
    """Have a folder for oneself, made where it is missing; False where somebody has it. A fresh one goes again if nothing is in it.

    Raises OSError.
    """
    check_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with alone_with(folder / _IN_USE) as mine:
            yield mine
    finally:
        if fresh:
            with contextlib.suppress(OSError):
                folder.rmdir()


@contextlib.contextmanager
def locked_folder(asked: Path | None, default: Path) -> Iterator[Path]:
    """The folder asked for, made where it is missing, or the next free one of default, default-2, default-3 ...; empty, it goes again.

    Raises UserError where somebody else is filling it, or nothing can be written to it.
    """
    with contextlib.ExitStack() as stack:
        try:
            folder, fresh = (_next_free(default), True) if asked is None else (asked, not asked.exists())
            mine = stack.enter_context(lock(folder, fresh=fresh))
        except OSError as error:
            why = str(error) if error.errno is None else f"the folder {asked or default} cannot be used: {error.strerror}"
            raise UserError(why) from None
        if not mine:
            raise UserError(f"{folder} is being filled at this moment; choose another folder with --out")
        yield folder


def _next_free(default: Path) -> Path:
    """Make the first folder of these names that is not there. Raises OSError."""
    for place in numbered_folders(default):
        with contextlib.suppress(FileExistsError):
            place.mkdir(parents=True)
            return place
    raise FileExistsError(f"{_TOO_MANY} {default}; name another one with --out")
