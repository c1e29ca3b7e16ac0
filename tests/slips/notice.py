"""Who notices a slip: each is planted in a forked process, which runs the tests that could notice it until one fails.

Forking makes planting safe (nothing has to be put back) and cheap (nothing is imported or collected again).
"""

import os
import pickle
import select
import signal
import time
from contextlib import suppress
from typing import NamedTuple

import pytest
from _pytest.runner import runtestprotocol

TEST_SECONDS, SLIP_SECONDS = 20, 400
"""What a test, and all that a slip is shown to, may take: several times what they need. Seconds of the processor, not of the clock, so that
no slip counts as noticed because the machine had other work."""
WAIT_SECONDS = 10 * SLIP_SECONDS
"""Seconds of the clock after which a process that does not even use the processor is given up."""
UNNOTICED, STUCK = "unnoticed", "elsewhere"


class Finding(NamedTuple):
    """What became of a slip."""

    owner: str
    words: str
    nearness: str
    """How near the test that noticed it is; or that none did, or that it could not be planted."""
    by: str
    """The test, or the reason."""


def with_tests(paths, use):
    """Collect the tests of the paths as pytest does, and hand them to `use`."""
    collected = []

    class Plugin:
        @pytest.hookimpl(tryfirst=True)
        def pytest_runtestloop(self, session):
            collected.append(not session.testsfailed)
            if collected[0]:
                use(session.items)
            return True

    options = ["-o", "addopts=", "-p", "no:cacheprovider", "-p", "no:terminal", "-p", "no:xdist", "--capture=no"]
    pytest.main([*options, *paths], plugins=[Plugin()])
    if collected != [True]:
        raise SystemExit(f"the tests cannot be collected; see pytest --collect-only {' '.join(paths)}")


def passes(item):
    """Run one test; whether it passes within its time."""
    signal.signal(signal.SIGPROF, _ring)
    signal.setitimer(signal.ITIMER_PROF, TEST_SECONDS)
    try:
        return not any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))
    except TimeoutError:  # it struck between the test and its report
        return False
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _ring(*_):
    raise TimeoutError(f"no end after {TEST_SECONDS} s")


def notice(slip, tests):
    """Plant a slip in a process of its own and run the tests, {nearness: items}, the nearest first; without items it stays at that."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        with suppress(BaseException):
            _in_child(slip, tests, writing)
        os._exit(0)
    os.close(writing)
    told = _read(reading, time.monotonic() + WAIT_SECONDS)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return Finding(slip.owner, slip.words, *(pickle.loads(told) if told else (STUCK, "the process came to no end")))


def _in_child(slip, tests, pipe):
    import resource  # which Windows has as little as fork

    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    resource.setrlimit(resource.RLIMIT_CPU, (SLIP_SECONDS, SLIP_SECONDS))
    with os.fdopen(pipe, "wb") as file:
        pickle.dump(_watch(slip, tests), file)


def _watch(slip, tests):
    """(how near, by which test), or what `plant` says of a slip that cannot be planted."""
    if refused := slip.plant():
        return refused
    for nearness, items in tests.items():
        if items is None:
            return nearness, ""
        for item in items:
            if not passes(item):
                return nearness, item.nodeid
    return UNNOTICED, ""


def _read(reading, deadline):
    """All that the child writes until it closes the pipe, or what there is of it in time."""
    told = b""
    while select.select([reading], [], [], max(0, deadline - time.monotonic()))[0]:
        chunk = os.read(reading, 65536)
        if not chunk:
            break
        told += chunk
    os.close(reading)
    return told
