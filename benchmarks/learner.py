"""One learning seat against random play: the Gymnasium vector environment against single environments stepped in a row, same run.

    python benchmarks/learner.py [--games 1024] [--seconds 3]

Prints learner steps a second on one core, with Gymnasium's own calls (observations copied), and their ratio.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import gymnasium
import numpy as np

import danmaku_env  # noqa: F401 (registers the names)
from benchmarks.machine import at_least, print_machine, span

NAME = "danmaku/Danmaku-v0"
BESIDE = 8
"""Single environments stepped in a row."""


def vector_rate(games: int, seconds: float, **options: object) -> float:
    """Learner steps a second of one vector environment, learners answering at random."""
    envs = gymnasium.make_vec(NAME, num_envs=games, **options)
    envs.reset(seed=1)
    for _ in range(100):
        envs.step(envs.unwrapped.sample())
    steps, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        envs.step(envs.unwrapped.sample())
        steps += games
    return steps / (time.perf_counter() - start)


def single_rate(seconds: float, **options: object) -> float:
    """Learner steps a second of a few single environments in a SyncVectorEnv."""
    envs = gymnasium.make_vec(NAME, num_envs=BESIDE, vectorization_mode="sync", **options)
    _, infos = envs.reset(seed=1)
    rng = np.random.default_rng(1)
    steps, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        masks = infos["action_mask"]
        wanted = (rng.random(BESIDE) * masks.sum(1)).astype(np.int64)
        *_, infos = envs.step((masks.cumsum(1) <= wanted[:, None]).sum(1))
        steps += BESIDE
    return steps / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=at_least(1), default=1024, help="games of the vector environment")
    parser.add_argument("--seconds", type=span, default=3.0, help="time for each figure")
    args = parser.parse_args()
    print_machine()
    print("\nlearner steps a second, 6 players, the others at random, one core")
    alone = single_rate(args.seconds)
    print(f"  {BESIDE} single environments in a row: {alone:12,.0f}")
    for learner in (0, "any"):
        rate = vector_rate(args.games, args.seconds, learner=learner)
        print(f"  {args.games} games at once, learner {learner}: {rate:12,.0f}, {rate / alone:.1f} times as many")
    rate = vector_rate(args.games, args.seconds, learner="any", copy=False)
    print(f"  the same, copy=False:              {rate:12,.0f}, {rate / alone:.1f} times as many")
    rate = vector_rate(args.games, args.seconds, learner="any", opponents="heuristic")
    print(f"  {args.games} games at once, against heuristics: {rate:12,.0f}")


if __name__ == "__main__":
    main()
