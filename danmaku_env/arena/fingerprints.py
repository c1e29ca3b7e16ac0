"""What results depend on besides the spec of the job that made them."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from importlib import metadata

import danmaku_env
from danmaku_env.agents.registry import fingerprint
from danmaku_env.game import rules_fingerprint

OF_RUNS = ("torch", "numpy", "python")
"""Libraries that matter to what is trained."""


def versions(specs: Iterable[str] = (), libraries: Iterable[str] = ("numpy",)) -> dict[str, str]:
    """The versions of the project, its rules, these libraries (`python` among them) and the agents of these specs. Raises UserError."""
    found = {"danmaku-env": danmaku_env.__version__, "rules": rules_fingerprint()}
    found |= {name: platform.python_version() if name == "python" else metadata.version(name) for name in libraries}
    return found | {f"agent {spec}": fingerprint(spec) for spec in dict.fromkeys(specs)}
