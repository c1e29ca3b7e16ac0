"""What the face raises, and nothing else: every refusal is one of these, with a sentence for people.

Wrong configurations raise `ConfigError` (config.py), seeds that are none ValueError (seeds.py).
"""

from __future__ import annotations

from typing import Any


class IllegalAction(ValueError):  # noqa: N818 - the design's public name
    """An answer that is not legal now; the message names the seat, the question and the legal answers."""


class ScenarioError(ValueError):
    """A position that cannot be; the message says why."""


class ReplayError(ValueError):
    """A file or byte string that is no replay or saved game of this version; the message says what is wrong."""


def status_error(s: Any) -> RuntimeError:
    """What to raise when the machine stopped: never expected."""
    return RuntimeError(
        f"the machine stopped with status {int(s['status'])} in the game of seed {int(s['seed'])}, decision {s['decisions']}"
    )
