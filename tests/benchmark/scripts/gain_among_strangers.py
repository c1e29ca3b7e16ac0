"""The first deal of strangers-v1, played again by `heuristic` in each seat among each of the eight nets."""

import hashlib
import json

import numpy as np

from danmaku_env import GameConfig
from danmaku_env.agents.registry import make
from danmaku_env.arena.matches.match import Job, play

TASK, ENTRY = "strangers-v1", "heuristic"
NETS = [f"population:{number}" for number in range(1, 9)]


def seed(*words):
    return int.from_bytes(hashlib.sha256("/".join(map(str, words)).encode()).digest()[:8], "big") >> 2


jobs = []
for stranger in range(len(NETS)):
    for place in range(7):  # the stranger has all seats, then the entry each in turn
        seats = tuple(0 if seat == place - 1 else 1 + stranger for seat in range(6))
        jobs.append(Job((stranger, place), seed(TASK, "deal", 0), seats))
rewards = {}
for result in play(jobs, [make(name, 0) for name in (ENTRY, *NETS)], GameConfig.named("Base6-v0"), seed=seed(TASK, "part", 0)):
    rewards[result.key] = result.rewards
found = []
for stranger in range(len(NETS)):
    own = rewards[stranger, 0]
    found.append(float(np.mean([rewards[stranger, 1 + seat][seat] - own[seat] for seat in range(6)])))
metrics = json.load(open(f"results/{TASK}--{ENTRY}--quick.json"))["metrics"]
print(json.dumps({"found": found, "result": [metrics[f"gain with {name}"]["sums"][0] for name in NETS]}))
