"""What agents are called where strangers read it: commands and paths of this machine are nobody's business."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

_COMMANDS = ("exec",)
"""Agents whose name goes on with a command."""


def public_names(specs: Iterable[str]) -> dict[str, str]:
    """What each agent is called -> what it is made by. One with a command or a path in its name has a number instead: `exec 1`."""
    found: dict[str, str] = {}
    numbers = Counter[str]()
    for spec in dict.fromkeys(specs):
        kind, _, rest = spec.partition(":")
        if kind in _COMMANDS or "/" in rest or "\\" in rest:
            numbers[kind] += 1
            found[f"{kind} {numbers[kind]}"] = spec
        else:
            found[spec] = spec
    return found
