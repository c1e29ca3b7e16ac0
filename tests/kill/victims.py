"""Processes that are started to be killed, and nothing of which may survive."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import danmaku_env

PACKAGE = Path(danmaku_env.__file__).resolve().parent
_MARK = "DANMAKU_KILL_TEST"
_PATIENCE = 1800.0
"""Seconds after which a process that should end is taken for one that hangs: a busy machine may take many times as long as a quiet one."""


def freeze(folder):
    """Copy the package, and have all processes run the copy: what is compared is of the same source, whoever edits meanwhile."""
    shutil.copytree(PACKAGE, folder / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__"))
    os.environ["PYTHONPATH"] = str(folder)


def start(words, folder, **environment):
    """A process in a process group of its own, as a terminal starts one; `folder` marks it and all its children."""
    env = {"PYTHONPATH": str(PACKAGE.parent), **os.environ, _MARK: str(folder), **environment}
    return subprocess.Popen(
        [sys.executable, *words], cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def send(process, number):
    """Send a signal to the process alone (SIGKILL) or to its group, as Ctrl-C does; False when it had ended before."""
    if process.poll() is not None:
        return False
    if number == signal.SIGINT:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    return True


def wait_for_library(process, name):
    """Until a process has loaded a library of that name."""
    until = time.monotonic() + _PATIENCE
    while process.poll() is None and time.monotonic() < until:
        with contextlib.suppress(OSError):
            if name in Path(f"/proc/{process.pid}/maps").read_text():
                return
        time.sleep(0.005)


def finish(process, seconds=_PATIENCE):
    """(exit status, stdout, stderr), or None for one that hangs, which is killed."""
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None
    return process.returncode, out, err


def kill_at(words, folder, seconds, **environment):
    """Start, and kill after these seconds; False when it had ended before."""
    process = start(words, folder, **environment)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    return kill(process)


def kill_at_work(words, folder, seconds, **environment):
    """Start, and kill once the process has used these seconds of the processor; False when it had ended before."""
    process = start(words, folder, **environment)
    while process.poll() is None and worked(process) < seconds:
        time.sleep(0.01)
    return kill(process)


def worked(process):
    """Seconds of the processor that a process has used: on a busy machine it gets few of those of the clock."""
    try:
        numbers = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")


def worked_in_all(process):
    """Seconds of the processor that a process itself uses until it ends."""
    seconds = 0.0
    while process.poll() is None:
        seconds = max(seconds, worked(process))
        time.sleep(0.01)
    return seconds


def kill(process):
    """Kill a process, whoever still has its pipes; False when it had ended before."""
    killed = send(process, signal.SIGKILL)
    process.stdout.close()
    process.stderr.close()
    process.wait()
    return killed


def so_far(kills, findings):
    """Say how an experiment that takes long is getting on."""
    print(f"{kills} kills, {len(findings)} findings", file=sys.stderr, flush=True)


def survivors(folder, seconds=100.0):
    """Process ids with the mark of a folder that are still there after a while."""
    mark = f"{_MARK}={folder}".encode()
    until = time.monotonic() + seconds
    while found := [number for number in _processes() if mark in _environment(number)]:
        if time.monotonic() > until:
            break
        time.sleep(0.1)
    for number in found:
        os.kill(number, signal.SIGKILL)
    return found


def _processes():
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit() and int(path.name) != os.getpid()]


def _environment(number):
    try:
        return Path(f"/proc/{number}/environ").read_bytes().split(b"\0")
    except OSError:
        return []
