"""Training runs of experiments: each in a process and a folder of its own, begun or continued."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from danmaku_env.nets.checkpoints import CHECKPOINT

ROOT = Path(__file__).resolve().parent.parent


def go_on(trainer: str, folder: Path, options: Sequence[str], first: Sequence[str] = ()) -> None:
    """Train in a folder by a trainer (a module) until its budget is used up: resume the run that is there, or begin one.

    `first` are options that only a new run is given. Raises subprocess.CalledProcessError when the trainer fails.
    """
    more = ["--resume"] if (folder / CHECKPOINT).exists() else first
    subprocess.run([sys.executable, "-m", trainer, "--folder", str(folder.resolve()), *options, *more], check=True, cwd=ROOT)
