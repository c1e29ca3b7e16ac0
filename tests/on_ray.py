"""What tests of jobs on Ray share; the fixture `ray` is in conftest.py."""

import psutil

MISSING = "Ray is not installed: pip install 'danmaku-env[ray]'"


def processes(title):
    """The processes of this test's own Ray that have this title. Another test may have a Ray of its own meanwhile."""
    return [process for process in psutil.Process().children(recursive=True) if title in command_line(process)]


def command_line(process):
    """The command line of a process; "" where it has ended."""
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""
