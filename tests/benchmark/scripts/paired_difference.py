"""The paired difference of two entries on the same games, as the board prints it: neural against heuristic in belief-v1."""

import json
import math
import re

from scipy import stats

METRIC = "bits above the reference"
first, second = (json.load(open(f"results/belief-v1--{name}.json"))["metrics"][METRIC] for name in ("heuristic", "neural"))
pairs = [(a - b, count) for a, b, count in zip(first["sums"], second["sums"], first["counts"]) if count]
deals, whole = len(pairs), sum(count for _, count in pairs)
mean = sum(total for total, _ in pairs) / whole
error = math.sqrt(deals / (deals - 1) * sum((total - mean * count) ** 2 for total, count in pairs)) / whole
half = stats.t.ppf(0.995, deals - 1) * error
page = open("docs/benchmark.md").read()
row = re.search(r"^\| heuristic \| .*", page[page.index("### belief-v1") :], re.MULTILINE)[0].split(" | ")
print(json.dumps({"found": f"{mean:+.3f} ± {half:.3f}", "result": row[-2].strip()}))
