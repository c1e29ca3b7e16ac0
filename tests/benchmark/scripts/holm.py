"""Holm's correction of the p-values of strength-basic4-v1: every entry against the best, paired."""

import json
import math

from scipy import stats

names, best = ["deducer", "heuristic", "random"], "neural"
results = {name: json.load(open(f"results/strength-basic4-v1--{name}.json"))["metrics"]["reward"]["sums"] for name in (*names, best)}
raw = {}
for name in names:
    differences = [mine - theirs for mine, theirs in zip(results[name], results[best])]
    mean, deals = sum(differences) / len(differences), len(differences)
    error = math.sqrt(deals / (deals - 1) * sum((one - mean) ** 2 for one in differences)) / deals
    raw[name] = 2 * stats.t.sf(abs(mean / error), deals - 1)
corrected, highest = {}, 0.0
for place, name in enumerate(sorted(raw, key=raw.get)):
    highest = max(highest, min(1.0, (len(raw) - place) * raw[name]))
    corrected[name] = highest
said = {name: "< 0.0001" if p < 1e-4 else f"{p:.4f}" for name, p in corrected.items()}
page = open("docs/benchmark.md").read()
section = page[page.index("### strength-basic4-v1") : page.index("### strength-lunatic6-v1")]
rows = {
    row.split(" | ")[0].removeprefix("| "): row.split(" | ")[-1].removesuffix(" |") for row in section.split("\n") if row.startswith("| ")
}
print(json.dumps({"found": said, "result": {name: rows[name] for name in said}}))
