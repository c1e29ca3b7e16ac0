"""The files compiled kernels are kept in: whole ones only, and only those that nobody else can have written.

Compiled code is loaded as machine code and pickles, so whoever can write such a file can run code as us. A folder is used when it
belongs to us, to root or to the owner of this package, whose code we run anyway, and nobody else may write to it. The same holds for
each file in it. On Windows the folder lies within the user's own, and the system is trusted. A file begins with a hash of its name and
content: one that is torn, or spoiled in another way, counts as missing and is written anew.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import multiprocessing
import os
import secrets
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import filelock
import platformdirs

_NAME = "danmaku-env"
_MARK = b"danmaku-kernel-1"
_HASH = 32
_ENDING = ".kernel"
PLAIN_FOLDER = "plain-"
"""How the folders begin in which plain numba keeps kernels (`plain_numba.py`)."""
_UNUSED_AFTER = 30 * 86400.0
"""Seconds after which such a folder is removed that nobody has used."""
_MOST_BYTES = 1 << 29
"""What the folder may grow to: some ten versions of the engine. What was not used for longest goes first."""
_LOCK = ".lock"
_LONGEST_WAIT = 600.0
"""Seconds for which another process is waited for: compiling takes a minute or two, and one that somebody stopped may never go on."""
_TORN_AFTER = 3600.0
"""Seconds after which a file that was not finished, or that held others off, belongs to a process that has ended."""
_NOTE_USE = 86400.0
"""Seconds after which another use of a file is noted."""
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_FOLDER = "DANMAKU_CACHE_DIR"
"""Names the folder for compiled code."""
_PRIVATE = "DANMAKU_CACHE_PRIVATE"
"""Names to child processes the folder that this process keeps for itself and removes at its end."""


def _working_directory() -> Path | None:
    """The working directory; None where it has been deleted."""
    try:
        return Path.cwd()
    except OSError:
        return None


_BEGUN_IN = _working_directory()
"""What a relative path is meant from, wherever the process goes later."""


class Store:
    """Folders to read compiled kernels from, and the one that new ones are written to."""

    def __init__(self, folders: list[Path], target: Path | None) -> None:
        self.folders = folders
        self.target = target

    def has(self, starts: Iterable[str]) -> bool:
        """Whether there are kernels with names that begin so, all of them whole."""
        there: dict[str, list[Path]] = {}
        for folder in self.folders:
            for name in _names_in(folder):
                if name.endswith(_ENDING):
                    there.setdefault(name[: name.rfind("-") + 1], []).append(folder / name)
        return all(any(_sound(path) for path in there.get(start, ())) for start in starts)

    def read(self, name: str) -> bytes | None:
        """What was kept under a name; None when there is nothing, or nothing that can be trusted."""
        for folder in self.folders:
            path = folder / f"{name}{_ENDING}"
            with contextlib.suppress(OSError):
                data = _read_trusted(path)
                start = len(_MARK) + _HASH
                if data is not None and data[:start] == _head(name, data[start:]):
                    note_use(path)
                    return data[start:]
                path.unlink()
        return None

    def write(self, name: str, data: bytes) -> None:
        """Keep something under a name, where that is possible."""
        if self.target is None:
            return
        path = self.target / f"{name}{_ENDING}"
        temporary = self.target / f".{name}.{secrets.token_hex(8)}.tmp"
        try:
            # never writable for others, whatever the umask
            with open(temporary, "xb", opener=lambda file, flags: os.open(file, flags, 0o644)) as file:
                file.write(_head(name, data) + data)
            os.replace(temporary, path)
        except BaseException as error:
            with contextlib.suppress(OSError):
                temporary.unlink()
            if not isinstance(error, OSError):
                raise

    @contextlib.contextmanager
    def alone(self, work: str, waiting: str) -> Iterator[None]:
        """Hold off other processes that would do the same work; says `waiting` when one does already.

        A process that was killed holds off nobody, and one that was stopped nobody for ever.
        """
        assert self.target is not None
        lock = filelock.FileLock(self.target / f"{work}{_LOCK}")
        with contextlib.ExitStack() as held:
            try:
                held.enter_context(lock.acquire(timeout=0))
            except filelock.Timeout:
                print(waiting, file=sys.stderr, flush=True)
                with contextlib.suppress(filelock.Timeout):
                    held.enter_context(lock.acquire(timeout=_LONGEST_WAIT))
            except (OSError, NotImplementedError):
                pass  # a file system without locks: both compile, and both are right
            yield

    def prune(self) -> None:
        """Remove what killed processes left, and what was not used for longest as far as there is too much."""
        if self.target is None:
            return
        kept = []
        for path in map(self.target.joinpath, _names_in(self.target)):
            with contextlib.suppress(OSError):
                about = path.stat()
                if path.suffix in (".tmp", _LOCK) and time.time() - about.st_mtime > _TORN_AFTER:
                    path.unlink()
                elif path.name.startswith(PLAIN_FOLDER):
                    if time.time() - about.st_mtime > _UNUSED_AFTER:
                        shutil.rmtree(path, ignore_errors=True)
                elif path.suffix == _ENDING:
                    kept.append((about.st_mtime, about.st_size, path))
        size = sum(bytes_ for _, bytes_, _ in kept)
        for _, bytes_, path in sorted(kept):
            if size <= _MOST_BYTES:
                break
            with contextlib.suppress(OSError):
                path.unlink()
            size -= bytes_


@functools.cache
def store() -> Store:
    """That of this process: `DANMAKU_CACHE_DIR` or the user's cache folder, and one in the temporary directory where it takes no files."""
    main = _root()
    problem = "no folder for it is known" if main is None else _problem(main)
    if main and not problem and _takes_files(main):
        return Store([main], main)
    spare = _spare()
    if problem and multiprocessing.parent_process() is None:
        instead = f"; {spare} is used instead" if spare else ""
        where = f" in {main}" if main else ""
        with contextlib.suppress(OSError):
            print(f"danmaku-env: compiled code is not looked for{where}: {problem}{instead}", file=sys.stderr, flush=True)
    return Store([folder for folder in (None if problem else main, spare) if folder], spare)


def _spare() -> Path | None:
    """A folder in the temporary directory, made where it is missing; None where that does not do either."""
    with contextlib.suppress(OSError):
        user = _user()
        spare = Path(os.environ.get(_PRIVATE) or Path(tempfile.gettempdir()) / f"danmaku-env-{'cache' if user is None else user}")
        return spare if is_private(spare) else None
    return None


def is_private(folder: Path) -> bool:
    """Whether a folder, which is made for us alone where it is missing, takes files and nobody else can write to it."""
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        return not folder.is_symlink() and not distrust(folder) and _takes_files(folder)
    return False


def open_private(store: Store) -> None:
    """Give a store that cannot be written to a folder for this process and its children, removed at its end.

    Raises OSError where no file can be written anywhere.
    """
    folder = Path(tempfile.mkdtemp(prefix="danmaku-env-"))
    os.environ[_PRIVATE] = str(folder)
    atexit.register(_remove, folder, os.getpid())
    store.folders.append(folder)
    store.target = folder


def distrust(folder: Path) -> str:
    """Why a folder is not used, in words; empty when it is."""
    about = folder.stat()
    if not stat.S_ISDIR(about.st_mode):
        return "it is not a folder"
    return _distrust(about)


def _problem(folder: Path) -> str:
    """Why nothing is read from a folder, which is made where it is missing, in words; empty when it is."""
    try:
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        if not (words := distrust(folder)):
            os.listdir(os.path.join(folder, "."))  # whoever may not enter it meets that here
        return words
    except OSError as error:
        return error.strerror or str(error)


def _distrust(about: os.stat_result) -> str:
    user = _user()
    if user is None:
        return ""
    if about.st_uid not in (user, 0, _owner_of_package()):
        return "it belongs to another user"
    if about.st_mode & _OTHERS_WRITE:
        return f"others may write to it (mode {stat.S_IMODE(about.st_mode):o})"
    return ""


def _user() -> int | None:
    """The number of the user, None on systems without."""
    return os.geteuid() if hasattr(os, "geteuid") else None


@functools.cache
def _owner_of_package() -> int | None:
    """The number of the user whose code this is: an image may be made by one user and run by another."""
    try:
        return os.stat(__file__).st_uid
    except OSError:  # in an archive
        return None


def _root() -> Path | None:
    """The folder for compiled code, as an absolute path; None where nobody has named one and there is no home directory."""
    if chosen := os.environ.get(_FOLDER):
        root = Path(chosen)
    elif base := os.environ.get("NUMBA_CACHE_DIR"):
        root = Path(base) / _NAME
    else:
        try:
            root = platformdirs.user_cache_path(_NAME, appauthor=False)
        except RuntimeError:
            return None
        if root.parts[:1] == ("~",):
            return None
    if not root.is_absolute():
        if _BEGUN_IN is None:
            return None
        root = _BEGUN_IN / root
        os.environ[_FOLDER] = str(root)  # child processes may begin elsewhere
    return root / "kernels"


def _names_in(folder: Path) -> list[str]:
    """What is in a folder; nothing in one that is gone meanwhile."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _takes_files(folder: Path) -> bool:
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _head(name: str, data: bytes) -> bytes:
    """The name is part of the hash, so that no file can stand in for another."""
    return _MARK + hashlib.sha256(name.encode() + b"\0" + data).digest()


def _read_trusted(path: Path) -> bytes | None:
    """The bytes of a file that is ours alone; what is checked is what is read, whatever happens to the name meanwhile."""
    with open(path, "rb", opener=lambda file, flags: os.open(file, flags | getattr(os, "O_NOFOLLOW", 0))) as file:
        about = os.fstat(file.fileno())
        return file.read() if stat.S_ISREG(about.st_mode) and not _distrust(about) else None


def _sound(path: Path) -> bool:
    """Whether a file can be used."""
    with contextlib.suppress(OSError):
        data = _read_trusted(path)
        start = len(_MARK) + _HASH
        return data is not None and data[:start] == _head(path.name.removesuffix(_ENDING), data[start:])
    return False


def note_use(path: Path) -> None:
    """Let a file or folder be known as used now, unless it is known as used today."""
    with contextlib.suppress(OSError):
        if time.time() - path.stat().st_mtime > _NOTE_USE:
            os.utime(path)


def _remove(folder: Path, process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
