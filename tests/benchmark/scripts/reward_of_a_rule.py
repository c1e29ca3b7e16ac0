"""The first deals of strength-basic4-v1, played again against each member of the panel by the rule-based entry that is named."""

import hashlib
import json
import sys

from danmaku_env import GameConfig
from danmaku_env.agents.registry import make
from danmaku_env.arena.matches.match import Job, play

TASK, ENTRY = "strength-basic4-v1", sys.argv[1]
PANEL = {"random": "random", "heuristic": "heuristic", "deducer": "deducer", "neural": "neural:version=1"}
DEALS = 8  # a part: eight games a deal, at most 64 side by side


def seed(*words):
    return int.from_bytes(hashlib.sha256("/".join(map(str, words)).encode()).digest()[:8], "big") >> 2


jobs = []
for deal in range(DEALS):
    for member in range(len(PANEL)):
        for half in range(2):  # the entry has seats 0, 2 of the first game and 1, 3 of the second
            seats = tuple(0 if seat % 2 == half else 1 + member for seat in range(4))
            jobs.append(Job((deal, member, half), seed(TASK, "deal", deal), seats))
agents = [make(name, 0) for name in (ENTRY, *PANEL.values())]
lead = {}
for result in play(jobs, agents, GameConfig.named("Basic4-v0"), seed=seed(TASK, "part", 0)):
    deal, member, half = result.key
    mine, theirs = result.rewards[half::2], result.rewards[1 - half :: 2]
    lead[deal, member] = lead.get((deal, member), 0.0) + (sum(mine) - sum(theirs)) / 2 / 2
found = [[lead[deal, member] for deal in range(DEALS)] for member in range(len(PANEL))]
metrics = json.load(open(f"results/{TASK}--{ENTRY}--quick.json"))["metrics"]
print(json.dumps({"found": found, "result": [metrics[f"reward above {name}"]["sums"][:DEALS] for name in PANEL]}))
