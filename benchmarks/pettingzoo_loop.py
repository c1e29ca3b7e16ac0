"""Steps a second of PettingZoo's own loop, `last()` with observation and mask and then `step()`, on one core.

    python benchmarks/pettingzoo_loop.py [--players 6] [--seconds 1.0] [--rounds 5]

Every contender plays uniformly random legal actions with the same few lines; rounds alternate between the contenders, and the
median round counts. The peer is PettingZoo's hanabi_v5 with 5 players (`pip install shimmy open_spiel`), or connect_four_v3 (`pip install
pygame`) when Hanabi is not installed; the printed line says which, and with neither there are no ratios to a peer.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import random
import statistics
import time
from typing import Any

import pettingzoo
from pettingzoo.utils import wrappers

import danmaku_env
from danmaku_env import danmaku_v0
from danmaku_env.console.machine import processor


def machine() -> str:
    """Processor, cores and operating system."""
    return f"{processor()}, {os.cpu_count()} cores, {platform.system()}"


def versions() -> str:
    """Python and the packages that matter."""
    packages = ["pettingzoo", "gymnasium", "numpy", "numba", "open_spiel", "shimmy"]
    found = [f"danmaku-env {danmaku_env.__version__}", f"Python {platform.python_version()}"]
    for package in packages:
        try:
            found.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return ", ".join(found)


def play(env: Any, seconds: float, rng: random.Random) -> float:
    """Steps a second of random legal play; last steps of finished seats are not counted, though their time is."""
    steps, start = 0, time.perf_counter()
    end = start + seconds
    while time.perf_counter() < end:
        env.reset(seed=rng.randrange(1 << 31))
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[int(rng.random() * len(legal))]))
            steps += 1
            if not steps & 255 and time.perf_counter() >= end:
                break
    return steps / (time.perf_counter() - start)


def peer() -> tuple[str, dict[str, Any]]:
    """Name of the peer, and its bare and its wrapped environment; none when it is not installed."""
    try:
        from pettingzoo.classic.hanabi import hanabi

        options = {"players": 5, "hand_size": 4}
        return "hanabi_v5, 5 players", {"peer raw_env": hanabi.raw_env(**options), "peer env": hanabi.env(**options)}
    except ImportError:
        pass
    try:
        from pettingzoo.classic.connect_four import connect_four

        name = "connect_four_v3 (Hanabi is not installed here)"
        return name, {"peer raw_env": connect_four.raw_env(), "peer env": connect_four.env()}
    except ImportError:
        return "none is installed (pip install shimmy open_spiel), no ratios", {}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    raw, env = danmaku_v0.raw_env(num_players=options.players), danmaku_v0.env(num_players=options.players)
    peer_name, peers = peer()
    chain = wrappers.TerminateIllegalWrapper(danmaku_v0.raw_env(num_players=options.players), illegal_reward=-1)
    chain = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(chain))
    contenders = {"raw_env": raw, "env": env, "env, as chain": chain, **peers}
    print(f"machine: {machine()}\nversions: {versions()}")
    measured: dict[str, list[float]] = {name: [] for name in contenders}
    for contender in contenders.values():
        play(contender, 0.2, random.Random(0))  # compiles, loads, warms up
    for number in range(options.rounds):
        for name, contender in contenders.items():
            measured[name].append(play(contender, options.seconds, random.Random(number)))
    speed = {name: statistics.median(rounds) for name, rounds in measured.items()}
    print(f"peer: {peer_name}, pettingzoo {pettingzoo.__version__}")
    for name, rounds in measured.items():
        print(f"{name:14} {speed[name]:>9,.0f} steps/s   (rounds {min(rounds):,.0f} to {max(rounds):,.0f})")
    left, chained = speed["env"] / speed["raw_env"], speed["env, as chain"] / speed["raw_env"]
    print(f"the default checks leave {left:.0%} of the speed (PettingZoo's three wrappers, which do the same, {chained:.0%})")
    if peers:
        ratios = [f"{name} / peer {name} {speed[name] / speed[f'peer {name}']:.1f}" for name in ("raw_env", "env")]
        print(", ".join(ratios))


if __name__ == "__main__":
    main()
