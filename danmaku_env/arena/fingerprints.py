"""What games depend on besides the plan of whoever plays them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import numpy as np

import danmaku_env
from danmaku_env.arena.asking import fingerprint


def versions(specs: Iterable[str]) -> dict[str, str]:
    """What results depend on besides the plan: the rules engine and the agents of these specs, by fingerprints. Raises ArenaError."""
    package = Path(danmaku_env.__file__).parent
    digest = hashlib.sha256()
    for path in sorted([*package.glob("cards/**/*.py"), *package.glob("engine/**/*.py")]):
        digest.update(path.relative_to(package).as_posix().encode() + path.read_bytes())
    found = {"danmaku-env": danmaku_env.__version__, "rules": digest.hexdigest()[:12], "numpy": np.__version__}
    return found | {f"agent {spec}": fingerprint(spec) for spec in dict.fromkeys(specs)}
