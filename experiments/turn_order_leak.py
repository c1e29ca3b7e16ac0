"""What the order of questions reveals about an attacked hand: bits about a Graze, by default and when everybody is asked.

    python experiments/turn_order_leak.py [--games 1000] [--seed 1]

Observations reveal nothing of it; this concerns code that reads `agent_selection`, `vec.seats` or `game.asking` from outside. The leak is
the mutual information between "the attacked seat holds a Graze" and "the attacked seat was asked", over attacks of random games that can be
avoided and that nobody else avoids first; the entropy of the former is its maximum. Characters blur it, since their abilities and Spell
Cards are asked for too.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from benchmarks.machine import at_least, print_machine
from danmaku_env import GameConfig, make_vec
from danmaku_env.arena.deduction.intermediate_states import new_events
from danmaku_env.cards.box import KIND_IDS
from danmaku_env.engine import events
from danmaku_env.engine import state as st
from danmaku_env.engine.actions import QUESTIONS

ROWS = 256
GRAZE = KIND_IDS.index("graze")
ATTACKED = QUESTIONS.index("attacked")
SETTLED = (events.L_AVOID, events.L_HIT)


class Watcher:
    """Follows one game: for every attack that nobody else avoids, whether its target held a Graze, and whether it was asked."""

    def __init__(self) -> None:
        self.open: dict[int, bool] = {}
        """Attacked seat -> whether it held a Graze when it was attacked."""
        self.seen: Counter[tuple[bool, bool]] = Counter()
        """(held, asked) -> attacks."""

    def step(self, before: np.void, after: np.void) -> None:
        """One answer and what followed it."""
        for event in new_events(before, after):
            kind, actor, target = int(event[st.EVENT]), int(event[st.ACTOR]) - 1, int(event[st.TARGET]) - 1
            if kind == events.L_ATTACK and not event[st.EXTRA]:  # one that can be avoided
                self.open[target] = bool(before["hand_counts"][target][GRAZE])
            elif kind in SETTLED and actor in self.open:
                held = self.open.pop(actor)
                if kind == events.L_HIT:  # else somebody avoided it for the target before that could be asked
                    self.seen[held, False] += 1
        asking = int(after["asking"])
        if asking in self.open and after["question"] == ATTACKED:
            self.seen[self.open.pop(asking), True] += 1


def watch(config: GameConfig, games: int, seed: int) -> Counter[tuple[bool, bool]]:
    """(held, asked) -> attacks in this many random games."""
    vec = make_vec(ROWS, config)
    vec.reset(seed)
    watchers = [Watcher() for _ in range(ROWS)]
    ended = 0
    while ended < games:
        before = vec.games.copy()
        vec.step(vec.sample())
        for row, watcher in enumerate(watchers):
            if vec.dones[row]:
                watcher.open.clear()
            else:
                watcher.step(before[row], vec.games[row])
        ended += int(vec.dones.sum())
    return sum((watcher.seen for watcher in watchers), Counter())


def entropy(numbers: list[int]) -> float:
    """Bits of a choice, from how many times it came out each way."""
    total = sum(numbers)
    return -sum(number / total * math.log2(number / total) for number in numbers if number)


def shared_bits(seen: Counter[tuple[bool, bool]]) -> tuple[float, float]:
    """Bits that being asked tells of a Graze, and bits that there are to be told."""
    known = entropy([seen[True, True] + seen[True, False], seen[False, True] + seen[False, False]])
    left = 0.0
    for asked in (True, False):
        row = [seen[True, asked], seen[False, asked]]
        left += sum(row) / sum(seen.values()) * entropy(row)
    return known - left, known


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=at_least(1), default=1000)
    parser.add_argument("--seed", type=at_least(0), default=1)
    options = parser.parse_args()
    print_machine()
    print(f"\nwhether the attacked seat holds a Graze, {options.games:,} random games of 6, seed {options.seed}")
    for words, config in (
        ("by default", GameConfig(num_players=6)),
        ("without characters", GameConfig(num_players=6, characters="none")),
        ("ask_everyone, ask_forced", GameConfig(num_players=6, ask_everyone=True, ask_forced=True)),
    ):
        seen = watch(config, options.games, options.seed)
        bits, known = shared_bits(seen)
        print(f"  {words}: {bits:.2f} of {known:.2f} bits ({sum(seen.values()):,} attacks)")


if __name__ == "__main__":
    main()
