"""Ctrl-C at random instants: the command ends at once, with one line and without a traceback, and takes its processes along."""

import itertools
import random
import re
import signal
import time

from tests.kill.victims import finish, send, start, survivors, wait_for_library

_TRAIN = ["--seconds", "0", "--games", "32", "--window", "48", "--width", "32", "--threads", "2", "--device", "cpu"]
_PATIENCE = 15.0
"""Seconds in which the command must have ended."""
_PROGRESS = re.compile(r"\d+%|\d+/\d+|^\s*$|^danmaku-env: |games in |^checkpoint, log |^round \d")

_PLAY = ["random", "heuristic", "--deals", "100000", "--players", "4", "--processes", "2"]
_DEAF = (0.0, 0.1)
"""Seconds from the start of a process among which the interpreter meets the first line of ours."""
_LEARN = ["--games", "1", "--watched", "1", "--rows", "1", "--width", "16", "--history", "8", "--threads", "1", "--processes", "2"]
COMMANDS = {
    "loading": (["danmaku_env", "speed", "--seconds", "60"], (0.0, 1.5), False),
    "compiling": (["danmaku_env", "speed", "--seconds", "60"], (2.0, 20.0), True),
    "training": (["danmaku_env", "train", *_TRAIN], (0.0, 12.0), False),
    "imitation": (["danmaku_env.training.imitation", *_LEARN], (0.0, 12.0), False),
    "tournament": (["danmaku_env", "tournament", *_PLAY], (0.0, 10.0), False),
}
"""What is stopped: the command, between which seconds, and whether the cache is empty."""


def experiment(folder, times, seed):
    """Figures and findings."""
    rng, findings, slowest = random.Random(seed), [], 0.0
    told = dict.fromkeys(COMMANDS, 0)
    for number, name in zip(range(times), itertools.cycle(COMMANDS)):
        words, between, cold = COMMANDS[name]
        here = folder / str(number)
        here.mkdir()
        process = start(["-m", *words], here, **({"DANMAKU_CACHE_DIR": str(here / "cache")} if cold else {}))
        after = rng.uniform(*between)
        wait_for_library(process, "numpy")  # the first that the project loads: before, there is only the interpreter
        time.sleep(after)
        if not send(process, signal.SIGINT):
            findings.append(f"{name} had ended by itself after {after:.2f} s: {finish(process)}")
            continue
        begun = time.monotonic()
        ended = finish(process, _PATIENCE)
        slowest = max(slowest, time.monotonic() - begun)
        told[name] += 1
        findings += [f"{name} after {after:.2f} s: {problem}" for problem in problems(ended)]
        if left := survivors(here):
            findings.append(f"{name} after {after:.2f} s: processes survive: {left}")
    instants = ", ".join(f"{count} {name}" for name, count in told.items())
    figures = f"Ctrl-C: {sum(told.values())} times ({instants}), at most {slowest:.1f} s to the end; {len(findings)} findings"
    return f"{figures}\n{deafness(folder, times, rng)}", findings


def deafness(folder, times, rng):
    """A line about the first moments of the interpreter, in which nothing of ours has been read yet and nothing can be said."""
    instants = sorted(rng.uniform(*_DEAF) for _ in range(times))
    deaf = []
    for after in instants:
        process = start(["-m", "danmaku_env", "speed", "--seconds", "60"], folder)
        time.sleep(after)
        send(process, signal.SIGINT)
        if list(problems(finish(process, _PATIENCE))):
            deaf.append(after)
    unheard = f"{len(deaf)} met the interpreter before the first line of the project" + (
        f" (the last after {1e3 * deaf[-1]:.0f} ms)" if deaf else ""
    )
    return f"Ctrl-C in the first {1e3 * _DEAF[1]:.0f} ms of the process: {times} times, {unheard}"


def problems(ended):
    """What is wrong with how a command ended."""
    if ended is None:
        yield f"it had not ended {_PATIENCE:.0f} s later"
        return
    status, out, err = ended
    if status not in (130, -signal.SIGINT):
        yield f"exit status {status}"
    if "Traceback" in out + err or "Exception ignored" in err:
        yield f"a traceback: {err[-2000:]}"
    else:
        lines = [line for line in [*out.splitlines(), *err.splitlines()] if not _PROGRESS.search(line) or "topped" in line]
        if len(lines) != 1 or "topped" not in lines[0]:
            yield f"{len(lines)} lines: {lines}"
