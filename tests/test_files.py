"""Files are there whole or not at all, and what killed processes leave is swept up."""

import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import danmaku_env
from danmaku_env import files
from danmaku_env.files import check_folder, check_writable, open_alone, open_file, sweep, write_atomically

ROOT = Path(danmaku_env.__file__).resolve().parent.parent
posix = pytest.mark.skipif(files.fcntl is None, reason="locks are those of POSIX")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced_as_a_whole(tmp_path):
    path = tmp_path / "game.json"
    for data in (b"first", b"second" * 10_000, b""):
        write_atomically(path, data)
        assert path.read_bytes() == data
    assert names(tmp_path) == ["game.json"]


@posix
def test_modes_follow_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "game.json", b"")
    finally:
        os.umask(before)
    assert (tmp_path / "game.json").stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link").symlink_to("game.json")
    write_atomically(tmp_path / "link", b"data")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "game.json").read_bytes() == b"data"


@posix
def test_a_device_stays_a_device():
    write_atomically("/dev/null", b"data")
    assert Path("/dev/null").is_char_device()


@posix
def test_what_is_neither_a_file_nor_a_device_is_left_as_it_is(tmp_path):
    (tmp_path / "circle").symlink_to("circle")
    os.mkfifo(tmp_path / "pipe")
    for name, reason in (("circle", "symbolic links"), ("pipe", "it is no file")):
        for entry_point in (check_writable, lambda path: write_atomically(path, b"data"), open_file, open_alone):
            with pytest.raises(OSError, match=reason):
                entry_point(tmp_path / name)
        with pytest.raises(OSError, match=f"nothing can be written to {tmp_path / name}: "):
            check_folder(tmp_path / name)
    assert (tmp_path / "circle").is_symlink()
    assert names(tmp_path) == ["circle", "pipe"]


@pytest.mark.parametrize("target", ["", "/", "nowhere/game.json"])
def test_what_cannot_be_written_is_an_os_error_and_leaves_nothing(tmp_path, target):
    with pytest.raises(OSError, match=r"directory|exists|denied"):
        write_atomically(tmp_path / target, b"data")
    assert names(tmp_path) == []
    assert not [name for name in names(tmp_path.parent) if name.startswith(f".{tmp_path.name}")]


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (".", "it is a folder"), ("/", "it is a folder"), ("nowhere/game.json", "its folder does not exist"),
        ("game.json/game.json", "Not a directory"), ("/proc/game.json", ""), ("a\0b", "no file can have this name"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_written_is_refused_beforehand_in_a_sentence(tmp_path, target, reason):
    (tmp_path / "game.json").write_bytes(b"old")
    with pytest.raises(OSError, match=re.escape(f"nothing can be written to {tmp_path / target}: {reason}")) as refused:
        check_writable(tmp_path / target)
    assert refused.value.strerror is None, "the sentence says all"
    assert names(tmp_path) == ["game.json"]


@pytest.mark.parametrize(
    ("target", "reason"),
    [("game.json", "Not a directory"), ("game.json/a/b", "Not a directory"), ("/proc/a/b", ""), ("a\0b", "no file can have this name")],
)
def test_a_folder_that_cannot_be_written_to_is_refused_beforehand_in_a_sentence(tmp_path, target, reason):
    (tmp_path / "game.json").write_bytes(b"old")
    with pytest.raises(OSError, match=re.escape(f"nothing can be written to {tmp_path / target}: {reason}")):
        check_folder(tmp_path / target)
    assert names(tmp_path) == ["game.json"]


def test_only_what_is_of_the_same_kind_is_written_over(tmp_path):
    for there in (b"", b"<page>old", b"my notes"):
        (tmp_path / "there").write_bytes(there)
        if there == b"my notes":
            with pytest.raises(OSError, match=r"nothing can be written to .*: a file that is no page is there and would be lost"):
                check_writable(tmp_path / "there", b"<page>", "page")
        else:
            check_writable(tmp_path / "there", b"<page>", "page")
    check_writable(os.devnull, b"<page>", "page")


def test_looking_whether_something_can_be_written_leaves_nothing(tmp_path):
    (tmp_path / "old.json").write_bytes(b"old")
    for target in ("old.json", "new.json", os.devnull):
        check_writable(tmp_path / target)
    for folder in (".", "new", "new/and/deep"):
        check_folder(tmp_path / folder)
    assert names(tmp_path) == ["old.json"]
    assert (tmp_path / "old.json").read_bytes() == b"old"


@posix
def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path):
    """With a limit on the size of files, which fails in the same place."""
    path = tmp_path / "game.json"
    path.write_bytes(b"old")
    code = f"""
import resource, signal
from danmaku_env.files import write_atomically
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_atomically({str(path)!r}, b"x" * 5000)
except OSError as error:
    print(error.strerror)
"""
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True)
    assert done.stdout == "File too large\n"
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["game.json"]


def environment():
    return {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "1"}


KILLED = """
import os, signal, sys
from danmaku_env.files import write_atomically
os.fsync = lambda *_: os.kill(os.getpid(), signal.{signal})
write_atomically(sys.argv[1], b"half")
"""


@posix
def test_what_a_killed_process_leaves_is_removed_by_the_next_save(tmp_path):
    path = tmp_path / "game.json"
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", KILLED.format(signal="SIGKILL"), str(path)], env=environment())
        assert done.returncode == -signal.SIGKILL
    assert len(names(tmp_path)) == 1, "the second save has removed what the first left"
    write_atomically(tmp_path / "other.json", b"")
    assert len(names(tmp_path)) == 2, "what others left is theirs"
    write_atomically(path, b"whole")
    assert names(tmp_path) == ["game.json", "other.json"]


@posix
def test_what_a_living_process_writes_is_not_removed(tmp_path):
    path = tmp_path / "game.json"
    process = subprocess.Popen([sys.executable, "-c", KILLED.format(signal="SIGSTOP"), str(path)], env=environment())
    try:
        os.waitpid(process.pid, os.WUNTRACED)  # until it has stopped itself in the middle
        sweep(path)
        write_atomically(path, b"from here")
        assert len(names(tmp_path)) == 2
        process.send_signal(signal.SIGCONT)
        os.waitpid(process.pid, 0)
    finally:
        process.returncode = 0
    assert path.read_bytes() == b"half", "it finished what it was writing"
    assert names(tmp_path) == ["game.json"]


def test_many_at_once_leave_one_whole_file(tmp_path):
    path = tmp_path / "game.json"
    contents = [bytes([letter]) * 100_000 for letter in b"abcdef"]
    failed = []

    def write(data):
        try:
            for _ in range(20):
                write_atomically(path, data)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=write, args=(data,)) for data in contents]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        sweep(path)
        assert not path.exists() or path.read_bytes() in contents
    assert not failed
    assert names(tmp_path) == ["game.json"]
