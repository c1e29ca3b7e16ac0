"""The column `worst` of strangers-v1: of the gains with each stranger, the least one with its interval, as the board prints it."""

import json
import math

from scipy import stats

ENTRIES = ["neural", "deducer", "heuristic", "random"]


def told(metric):
    """A mean over deals with its 99 % interval; every deal counts once."""
    sums, deals = metric["sums"], len(metric["sums"])
    mean = sum(sums) / deals
    error = math.sqrt(deals / (deals - 1) * sum((one - mean) ** 2 for one in sums)) / deals
    return mean, stats.t.ppf(0.995, deals - 1) * error


page = open("docs/benchmark.md").read()
section = page[page.index("### strangers-v1") : page.index("### strength-base6-v1")].split("\n")
header = next(row for row in section if row.startswith("| entry |")).split(" | ")
found, said = {}, {}
for entry in ENTRIES:
    metrics = json.load(open(f"results/strangers-v1--{entry}--quick.json"))["metrics"]
    mean, half = min(told(metric) for name, metric in metrics.items() if name.startswith("gain with "))
    found[entry] = f"{mean:.3f} ± {half:.3f}"
    row = next(row for row in section if row.startswith(f"| {entry} |")).split(" | ")
    said[entry] = row[header.index("worst")].replace("+", "")
print(json.dumps({"found": found, "result": said}))
