"""Atomic files: whole or absent, whatever happens while they are written. Their content does not matter here."""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import secrets
import stat
from collections.abc import Iterator
from io import BufferedReader, FileIO
from pathlib import Path
from typing import Any

from danmaku_env.arguments import file_path

fcntl: Any = importlib.import_module("fcntl") if os.name == "posix" else None
"""None on Windows, where a file that somebody has open cannot be removed."""
_ENDING = ".tmp"
_NO_FILE = "it is no file"


def write_atomically(path: str | Path, data: bytes, *, private: bool = False) -> None:
    """Write to a temporary file beside the target, then rename. A target such as /dev/null, not a regular file, is written in place.

    One that is `private` nobody but its owner can read.

    Temporary files that killed processes left of the same target are removed. Raises OSError as `open` does.
    """
    target = _target(path)
    if target.exists() and not target.is_file():
        target.write_bytes(data)
        return
    sweep(target)
    temporary = _beside(target)
    try:
        with _new_file(temporary, 0o600 if private else 0o666) as file:
            left = memoryview(data)
            while left:
                left = left[os.write(file, left) :]
            os.fsync(file)
            if fcntl:  # still locked, for nobody may sweep it up before it has its name
                os.replace(temporary, target)
        if not fcntl:
            os.replace(temporary, target)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename is not None:
            error.filename = str(path)  # and not the temporary one, which nobody named
        raise


def open_file(path: str | Path) -> BufferedReader:
    """A file, open to be read to its end. Raises OSError, also for what has none: a device, or a pipe that nobody may write to."""
    there = file_path(path)
    if not stat.S_ISREG(os.stat(there).st_mode):
        raise OSError(errno.EINVAL, _NO_FILE, str(path))
    return open(there, "rb")


def check_writable(path: str | Path, begins: bytes = b"", kind: str = "") -> None:
    """Refuse a file that could not be written, before long work on what is to be in it. It is tried, and nothing is left of that.

    With `begins`, which all files of this `kind` begin with, also one that is there and is something else: it would be lost.
    Raises OSError, whose message is a sentence.
    """
    try:
        target = _target(path)
        if begins and target.is_file():
            with target.open("rb") as file:
                if file.read(len(begins)) not in (b"", begins):
                    raise OSError(errno.EEXIST, f"a file that is no {kind} is there and would be lost")
        if not target.exists() or target.is_file():
            _try(target)
        elif not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise _refusal(path, error) from None


def check_folder(folder: str | Path) -> None:
    """Check that files can be written in a folder, which need not exist yet. Raises OSError, whose message is a sentence."""
    try:
        wanted = file_path(folder).absolute()
        _try(next(place for place in (wanted, *wanted.parents) if os.path.lexists(place)) / "file")
    except OSError as error:
        raise _refusal(folder, error) from None


def check_new_file(path: Path, begins: bytes, kind: str) -> None:
    """As `check_writable`, for a file whose folder is made with it where it is not there. Raises OSError, whose message is a sentence."""
    check_folder(path.parent)
    if os.path.lexists(path.parent):
        check_writable(path, begins, kind)


def _try(target: Path) -> None:
    """Raise the OSError that a file beside the target, or in its place, would meet."""
    temporary = _beside(target)
    with _new_file(temporary):
        pass
    temporary.unlink(missing_ok=True)


def _refusal(path: str | Path, error: OSError) -> OSError:
    """The sentence on what cannot be written, in other words than the system's where these leave open what is meant."""
    known = {errno.EISDIR: "it is a folder", errno.ENOENT: "its folder does not exist"}
    return OSError(f"nothing can be written to {path}: {known.get(error.errno or 0, error.strerror)}")


def _target(path: str | Path) -> Path:
    """The file that is meant, or the device. Raises OSError where that is something else, links in a circle, or no name of a file."""
    target = Path(os.path.realpath(file_path(path)))
    with contextlib.suppress(FileNotFoundError):
        kind = os.stat(target).st_mode
        if stat.S_ISDIR(kind):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not (stat.S_ISREG(kind) or stat.S_ISCHR(kind)):
            raise OSError(errno.EINVAL, _NO_FILE, str(path))
    return target


def _beside(target: Path) -> Path:
    """A name for a temporary file."""
    return target.with_name(f".{target.name}.{secrets.token_hex(8)}{_ENDING}")


def sweep(path: str | Path) -> None:
    """Remove the temporary files of a target that nobody is writing any more."""
    target = Path(os.path.realpath(path))
    with contextlib.suppress(OSError):
        for name in os.listdir(target.parent):
            if name.startswith(f".{target.name}.") and name.endswith(_ENDING):
                _remove_if_left(target.parent / name)


def open_alone(path: str | Path) -> FileIO | None:
    """A file open for appending, locked until it is closed or this process ends in any way; None where somebody else has it.

    Where files cannot be locked, nobody checks. Raises OSError as `open` does.
    """
    target = _target(path)
    while True:
        file = open(target, "ab", buffering=0)  # noqa: SIM115 - closed by the caller
        try:
            if fcntl:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            return None
        except OSError:
            return file
        if fcntl is None or _is_still(file.fileno(), target):
            return file
        file.close()  # it was written anew, or removed, before the lock was ours


@contextlib.contextmanager
def alone_with(path: Path) -> Iterator[bool]:
    """Have a file there, with nothing in it, that says that somebody is at work; False where that is somebody else. Raises OSError."""
    file = open_alone(path)
    if file is None:
        yield False
        return
    try:
        yield True
    finally:
        with contextlib.suppress(OSError):
            if fcntl:  # still locked: whoever opens it at this moment sees that it is gone
                path.unlink(missing_ok=True)
            file.close()
            if not fcntl:
                path.unlink(missing_ok=True)


@contextlib.contextmanager
def _new_file(path: Path, mode: int = 0o666) -> Iterator[int]:
    """A descriptor of a new file that is locked as long as this process writes it, however it ends."""
    while True:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
        try:
            _lock(file, wait=True)
            if fcntl is None or _is_still(file, path):  # else it was swept up before the lock was ours
                yield file
                return
        finally:
            os.close(file)


def _remove_if_left(path: Path) -> None:
    with contextlib.suppress(OSError):
        if fcntl is None:
            path.unlink()
            return
        file = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
        try:
            if _lock(file, wait=False) and _is_still(file, path):
                path.unlink()
        finally:
            os.close(file)


def _lock(file: int, *, wait: bool) -> bool:
    """Lock a file for this process; whether that is done. Where files cannot be locked, none is taken for left behind."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True


def _is_still(file: int, path: Path) -> bool:
    """Whether the name still means the open file."""
    try:
        return os.path.samestat(os.fstat(file), os.stat(path, follow_symlinks=False))
    except FileNotFoundError:
        return False
