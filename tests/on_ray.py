"""What tests of jobs on Ray share; the fixture `ray` is in conftest.py."""

from pathlib import Path

MISSING = "Ray is not installed: pip install 'danmaku-env[ray]'"


def command_line(number):
    """The command line of a process; "" where it has ended."""
    try:
        return Path("/proc", number, "cmdline").read_text()
    except OSError:
        return ""
