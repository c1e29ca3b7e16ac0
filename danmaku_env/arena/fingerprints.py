"""What games depend on besides the plan of whoever plays them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

import danmaku_env
from danmaku_env.agents.registry import fingerprint
from danmaku_env.game import rules_fingerprint


def versions(specs: Iterable[str]) -> dict[str, str]:
    """What results depend on besides the plan: the rules and the agents of these specs, by their fingerprints. Raises UserError."""
    found = {"danmaku-env": danmaku_env.__version__, "rules": rules_fingerprint(), "numpy": np.__version__}
    return found | {f"agent {spec}": fingerprint(spec) for spec in dict.fromkeys(specs)}
