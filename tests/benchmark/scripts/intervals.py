"""Means and 99 % intervals of every metric of a result, from its sums and counts."""

import json
import math

from scipy import stats

metrics = json.load(open("results/belief-v1--heuristic--quick.json"))["metrics"]
found, result = [], []
for metric in metrics.values():
    pairs = [(total, count) for total, count in zip(metric["sums"], metric["counts"]) if count]
    if metric["low"] is None:  # too few games have a count
        continue
    deals, whole = len(pairs), sum(count for _, count in pairs)
    mean = sum(total for total, _ in pairs) / whole
    error = math.sqrt(deals / (deals - 1) * sum((total - mean * count) ** 2 for total, count in pairs)) / whole
    half = stats.t.ppf(0.995, deals - 1) * error
    found.append([round(mean, 12), round(mean - half, 12), round(mean + half, 12)])
    result.append([round(metric[name], 12) for name in ("mean", "low", "high")])
print(json.dumps({"found": found, "result": result}))
