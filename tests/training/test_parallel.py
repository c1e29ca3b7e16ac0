"""Work that is shared: it ends with whoever waits for it, in any way."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

from danmaku_env.arena.jobs.ray_tasks import Workers
from danmaku_env.arena.jobs.workers import WorkerLostError
from danmaku_env.console.errors import Stopped
from danmaku_env.training.fits.fitting import report_interrupted_fit

posix = pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
KILLED = """
import os, signal, time
from danmaku_env.arena.jobs.ray_tasks import Workers
if __name__ == "__main__":
    with Workers(2).team(time.sleep, {}, ()) as workers:
        list(workers.each([0, 0, 0]))
        print(*(worker.process.pid for worker in workers.started), flush=True)
        workers.begin([600] * 4)
        time.sleep(600)
"""


def is_there(pid):
    """Whether a process is at work, and not only waited for."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@posix
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes")
def test_processes_end_with_the_one_that_started_them(tmp_path):
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as command:
        pids = [int(word) for word in command.stdout.readline().split()]
        command.send_signal(signal.SIGTERM)
    assert len(pids) == 2
    end = time.monotonic() + 120
    while any(map(is_there, pids)):
        assert time.monotonic() < end, "a process survives"
        time.sleep(0.05)


@posix
def test_a_process_that_is_gone_is_said():
    with Workers(1).team(os._exit, {}, ()) as workers, pytest.raises(WorkerLostError, match="its exit status was 3"):
        list(workers.each([3]))


def test_the_results_come_in_the_order_of_the_jobs():
    with Workers(2).team(abs, {}, ()) as workers:
        assert list(workers.each([-3, 2, -1])) == list(workers.begin([-3, 2, -1]).results()) == [3, 2, 1]


@posix
def test_processes_read_no_module_of_the_working_directory(tmp_path, monkeypatch):
    """They are loaded by a Python that begins there."""
    (tmp_path / "selectors.py").write_text("open('read', 'w')\nfrom _selectors import *")
    monkeypatch.chdir(tmp_path)
    with Workers(1).team(os.getenv, {}, ()) as workers:
        assert list(workers.each(["PYTHONSAFEPATH"])) == [os.environ.get("PYTHONSAFEPATH")]
    assert not (tmp_path / "read").exists()


@pytest.mark.parametrize(("there", "left"), [(True, "is as it was"), (False, "was not written")])
def test_an_interrupted_fit_says_what_is_left(tmp_path, there, left):
    out = tmp_path / "style.json"
    if there:
        out.write_text("old")
    console = Console(record=True, width=300)
    with pytest.raises(Stopped), report_interrupted_fit(out, console):
        raise KeyboardInterrupt
    assert console.export_text() == f"stopped; the games are kept, {out} {left}\n"
