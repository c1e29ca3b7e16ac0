"""Seconds to the first step in a fresh interpreter: cold (everything compiled) and warm (from the cache), against importing torch.

    python benchmarks/startup.py [--one-core]

A cold start compiles the agents with the engine where there are two cores; on one, when they are first asked for. Beside the seconds of
the clock stand those of the processors, which other work on the machine disturbs less.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.machine import print_machine

ROOT = Path(__file__).resolve().parent.parent
FIRST_ANSWER = (
    "from danmaku_env import Game; from danmaku_env.agents import base, registry; base.answer(registry.make('heuristic', 0), Game.new(6))"
)
FIRST_STEP = "from danmaku_env import make_vec; vec = make_vec(8); vec.reset(0); vec.step(vec.sample())"


def seconds(code: str, cache: str) -> float:
    """Wall-clock seconds of a fresh interpreter."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "DANMAKU_CACHE_DIR": cache}
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], env=env, check=True)
    return time.perf_counter() - start


def processor_seconds() -> float:
    """What all ended children, and theirs, have used so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--one-core", action="store_true", help="use a single core")
    if parser.parse_args().one_core:
        os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
    print_machine()
    with tempfile.TemporaryDirectory() as cache:
        cold = seconds(FIRST_STEP, cache)
        agents = seconds(FIRST_ANSWER, cache)
        used = processor_seconds()
        warm = min(seconds(FIRST_STEP, cache) for _ in range(3))
        peer = min(seconds("import torch", cache) for _ in range(3))
    print(
        f"cold start of the engine and then of the agents: {cold:.1f} + {agents:.1f} = {cold + agents:.1f} s ({used:.1f} s of processors)"
    )
    print(f"cold start to first step: {cold:.1f} s; from the cache: {warm:.2f} s, {warm / peer:.2f} times `import torch` ({peer:.2f} s)")


if __name__ == "__main__":
    main()
