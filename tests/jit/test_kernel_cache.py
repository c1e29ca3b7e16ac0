"""Compiled code is loaded only from whole files that nobody else can have written."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from danmaku_env.jit import kernel_cache as module
from danmaku_env.jit.kernel_cache import Store, distrust, open_private

NAME = "engine.batch.step_rows-0123-4567"
OTHER_USER = 54321

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="owners and modes are those of POSIX")


@pytest.fixture
def here(tmp_path):
    store = Store([tmp_path], tmp_path)
    store.write(NAME, b"machine code")
    return store


@pytest.fixture
def path(here):
    return here.folders[0] / f"{NAME}.kernel"


def give_away(path, monkeypatch):
    """Let a file or folder belong to somebody else."""
    if os.geteuid() == 0:
        os.chown(path, OTHER_USER, OTHER_USER)
    else:
        monkeypatch.setattr(module, "_user", lambda: OTHER_USER)


def test_what_was_written_is_read(here):
    assert here.read(NAME) == b"machine code"
    assert here.read("engine.batch.step_rows-0123-9999") is None
    assert here.has(["engine.batch.step_rows-0123-"])
    assert not here.has(["engine.batch.step_rows-0123-", "engine.batch.step_rows-0124-"])


def test_every_torn_or_noisy_file_counts_as_missing_and_is_removed(here, path):
    whole = path.read_bytes()
    spoiled = [whole[:size] for size in range(len(whole))]
    spoiled += [whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :] for place in range(len(whole))]
    for data in [*spoiled, whole + b"\0", b"\0" * len(whole)]:
        path.write_bytes(data)
        assert not here.has(["engine.batch.step_rows-0123-"])
        assert here.read(NAME) is None
        assert not path.exists()
    here.write(NAME, b"machine code")
    assert here.read(NAME) == b"machine code"


def test_a_file_cannot_stand_in_for_another(here, path):
    path.rename(path.with_name("another-1-2.kernel"))
    assert here.read("another-1-2") is None


@pytest.mark.parametrize("mode", [0o664, 0o646, 0o666, 0o777])
def test_a_file_that_others_could_have_written_is_not_read(here, path, mode):
    path.chmod(mode)
    assert here.read(NAME) is None


def test_a_file_of_another_user_is_not_read(here, path, monkeypatch):
    give_away(path, monkeypatch)
    assert not here.has(["engine.batch.step_rows-0123-"])
    assert here.read(NAME) is None


def test_a_link_is_not_followed(here, path, tmp_path):
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert here.read(NAME) is None


def test_files_are_never_writable_for_others(here, path, tmp_path):
    before = os.umask(0)
    try:
        here.write("second-1-2", b"more")
    finally:
        os.umask(before)
    assert (tmp_path / "second-1-2.kernel").stat().st_mode & 0o777 == 0o644


def test_a_full_disk_is_no_error_and_leaves_nothing(here, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    here.write("second-1-2", b"more")
    assert here.read("second-1-2") is None
    assert [path.name for path in tmp_path.iterdir()] == [f"{NAME}.kernel"]


# ---------------------------------------------------------------- which folder


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """Opens the store anew, with everything in `tmp_path`."""
    monkeypatch.setenv("DANMAKU_CACHE_DIR", str(tmp_path / "chosen"))
    monkeypatch.setenv("DANMAKU_CACHE_PRIVATE", "")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(module.tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    return module.store.__wrapped__


def test_the_chosen_folder_is_used(opened, tmp_path):
    store = opened()
    assert store.folders == [store.target] == [tmp_path / "chosen" / "kernels"]
    assert distrust(store.target) == ""


@pytest.mark.parametrize("umask", [0o002, 0o000])
def test_a_folder_made_by_us_can_be_used_whatever_the_umask(opened, tmp_path, umask):
    before = os.umask(umask)
    try:
        assert opened().target == tmp_path / "chosen" / "kernels"
    finally:
        os.umask(before)
    assert opened().target == tmp_path / "chosen" / "kernels"


@pytest.mark.parametrize("mode", [0o775, 0o757, 0o777, 0o1777])
def test_a_folder_that_others_may_write_to_is_not_used(opened, tmp_path, capsys, mode):
    opened()
    (tmp_path / "chosen" / "kernels").chmod(mode)
    store = opened()
    assert (tmp_path / "chosen" / "kernels") not in store.folders
    assert store.target.parent == tmp_path / "temporary"
    assert f"others may write to it (mode {mode:o})" in capsys.readouterr().err


def test_a_folder_of_another_user_is_not_used(opened, tmp_path, monkeypatch, capsys):
    opened()
    give_away(tmp_path / "chosen" / "kernels", monkeypatch)
    assert (tmp_path / "chosen" / "kernels") not in opened().folders
    assert "it belongs to another user" in capsys.readouterr().err


def no_files_in(monkeypatch, *folders):
    """As in a file system that is mounted read-only."""
    takes = module._takes_files
    monkeypatch.setattr(module, "_takes_files", lambda folder: folder not in folders and takes(folder))


def test_a_folder_that_can_only_be_read_is_read(opened, tmp_path, monkeypatch):
    opened().write(NAME, b"machine code")
    no_files_in(monkeypatch, tmp_path / "chosen" / "kernels")
    store = opened()
    assert store.target.parent == tmp_path / "temporary"
    assert store.read(NAME) == b"machine code"
    store.write("second-1-2", b"more")
    assert opened().read("second-1-2") == b"more"


def test_the_spare_folder_is_used_only_when_it_is_ours(opened, tmp_path, monkeypatch):
    no_files_in(monkeypatch, tmp_path / "chosen" / "kernels")
    spare = opened().target
    assert spare.stat().st_mode & 0o777 == 0o700
    spare.chmod(0o777)
    assert opened().target is None
    spare.chmod(0o700)
    spare.rename(tmp_path / "elsewhere")
    spare.symlink_to(tmp_path / "elsewhere")
    assert opened().target is None
    spare.unlink()
    spare.mkdir()
    give_away(spare, monkeypatch)
    assert opened().target is None


def test_without_any_folder_a_private_one_is_shared_with_children(opened, tmp_path, monkeypatch):
    monkeypatch.setattr(module.tempfile, "tempdir", str(tmp_path))
    store = Store([], None)
    store.write(NAME, b"lost")
    open_private(store)
    store.write(NAME, b"machine code")
    assert store.target.stat().st_mode & 0o777 == 0o700
    no_files_in(monkeypatch, tmp_path / "chosen" / "kernels")
    assert opened().read(NAME) == b"machine code"
    module._remove(store.target, os.getpid() + 1)
    assert store.target.exists()
    module._remove(store.target, os.getpid())
    assert not store.target.exists()


def test_what_was_not_used_for_long_makes_room(here, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_MOST_BYTES", 200)
    long_ago = time.time() - 10 * module._NOTE_USE
    for number in range(5):
        here.write(f"kernel{number}-1-2", b"x" * 40)
        os.utime(tmp_path / f"kernel{number}-1-2.kernel", (long_ago, long_ago + number))
    here.read("kernel0-1-2")  # its use is noted
    (tmp_path / ".torn.tmp").write_bytes(b"half")
    os.utime(tmp_path / ".torn.tmp", (long_ago, long_ago))
    (tmp_path / ".young.tmp").write_bytes(b"half")
    here.prune()
    assert {path.name for path in tmp_path.iterdir()} == {f"{NAME}.kernel", "kernel0-1-2.kernel", ".young.tmp"}


def test_folders_of_plain_numba_make_room_when_nobody_has_used_them_for_a_month(here, tmp_path):
    for name, days in (("plain-old", 31), ("plain-young", 29), ("plain-used", 31), ("another", 31)):
        (tmp_path / name / "of_a_module").mkdir(parents=True)
        then = time.time() - 86400 * days
        os.utime(tmp_path / name, (then, then))
    module.note_use(tmp_path / "plain-used")
    here.prune()
    assert {path.name for path in tmp_path.iterdir()} == {f"{NAME}.kernel", "plain-young", "plain-used", "another"}


# ---------------------------------------------------------------- folders that do not do


def test_a_relative_folder_stays_where_it_is(opened, tmp_path, monkeypatch):
    """Wherever the process goes, and its children begin."""
    monkeypatch.setattr(module, "_BEGUN_IN", tmp_path)
    monkeypatch.setenv("DANMAKU_CACHE_DIR", "relative")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert opened().target == tmp_path / "relative" / "kernels"
    assert os.environ["DANMAKU_CACHE_DIR"] == str(tmp_path / "relative")


@pytest.mark.parametrize("home", [None, "/nowhere/at/all"])
def test_whoever_has_no_home_gets_the_temporary_folder_and_a_line(opened, tmp_path, monkeypatch, capsys, home):
    def unknown(*_, **__):
        raise RuntimeError("could not determine the home directory")

    for name in ("DANMAKU_CACHE_DIR", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    if home is None:
        monkeypatch.setattr(module.platformdirs, "user_cache_path", unknown)
    else:
        monkeypatch.setattr(module.platformdirs, "user_cache_path", lambda *_, **__: tmp_path / "file" / "cache")
        (tmp_path / "file").write_text("no folder")
    store = opened()
    assert store.folders == [store.target]
    assert store.target.parent == tmp_path / "temporary"
    said = capsys.readouterr().err
    assert said.startswith("danmaku-env: compiled code is not looked for")
    assert said.endswith(f"; {store.target} is used instead\n")
    assert said.count("\n") == 1


def test_a_folder_that_is_gone_meanwhile_holds_nothing(opened):
    store = opened()
    store.target.rmdir()
    assert not store.has(["engine.batch.step_rows-0123-"])
    store.prune()
    store.write(NAME, b"lost")
    assert store.read(NAME) is None


def test_the_owner_of_the_package_is_trusted(here, path, monkeypatch):
    """An image may be made by one user and run by another, who runs the first one's code anyway."""
    give_away(path, monkeypatch)
    monkeypatch.setattr(module, "_owner_of_package", lambda: path.stat().st_uid)
    if os.geteuid() != 0:
        monkeypatch.setattr(module, "_user", lambda: OTHER_USER)
    assert here.read(NAME) == b"machine code"


WITHOUT_RIGHTS = """
import os
from danmaku_env.jit import kernel_cache
os.setgroups([]) or os.setgid(65534) or os.setuid(65534)
print(*kernel_cache.store().folders)
"""


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="becomes another user")
@pytest.mark.parametrize(("mode", "used"), [(0o755, True), (0o700, False), (0o711, False), (0o744, False)])
def test_another_user_reads_the_folder_of_root_or_does_without(mode, used):
    """What an image of a container has: it may be read and not written, or not even that."""
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)
        folder = Path(place) / "kernels"
        folder.mkdir()
        folder.chmod(mode)
        (Path(place) / "tmp").mkdir()
        (Path(place) / "tmp").chmod(0o1777)
        env = {**os.environ, "DANMAKU_CACHE_DIR": place, "TMPDIR": f"{place}/tmp", "DANMAKU_CACHE_PRIVATE": ""}
        done = subprocess.run([sys.executable, "-c", WITHOUT_RIGHTS], env=env, capture_output=True, text=True, timeout=300)
        spare = f"{place}/tmp/danmaku-env-65534"
        assert done.stdout.split() == [*([str(folder)] if used else []), spare]
        line = f"danmaku-env: compiled code is not looked for in {folder}: Permission denied; {spare} is used instead\n"
        assert done.stderr == ("" if used else line)
