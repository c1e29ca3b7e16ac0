"""The peer of utage.py: learner steps of gym-locm's battle environment (rules 1.5), a learner at random against its default opponent.

    PYTHON benchmarks/locm_peer.py SECONDS

It runs in a Python of its own, for gym-locm wants 3.12 and a newer numpy. It prints steps, processor seconds, and games.
"""

from __future__ import annotations

import argparse
import time
import warnings

import gymnasium
import numpy as np

warnings.filterwarnings("ignore")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seconds", type=float, help="of a processor")
    seconds = parser.parse_args().seconds
    import gym_locm  # noqa: F401 (registers the names)

    env = gymnasium.make("LOCM-battle-v0", version="1.5", return_action_mask=True, disable_env_checker=True)
    rng = np.random.default_rng(0)

    def begun() -> list[bool]:
        env.reset()
        return env.unwrapped.state.action_mask

    mask, steps, games, start = begun(), 0, 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        _, _, terminated, truncated, info = env.step(int(rng.choice(np.flatnonzero(mask))))
        steps += 1
        mask = info["action_mask"]
        if terminated or truncated:
            games += 1
            mask = begun()
    print(steps, spent, games)


if __name__ == "__main__":
    main()
