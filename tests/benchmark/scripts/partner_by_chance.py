"""A player who knows nothing, in the quick items of partner-v1: all hidden seats alike, scored by hand from `truth.parquet`."""

import json
import math
import subprocess
import sys
import tempfile

import pandas as pd

with tempfile.TemporaryDirectory() as folder:
    command = [sys.executable, "-m", "danmaku_env", "bench", "items", "partner-v1", "--quick", "--out", folder]
    subprocess.run(command, check=True, capture_output=True)
    items = pd.read_parquet(f"{folder}/items.parquet")
    truth = pd.read_parquet(f"{folder}/truth.parquet")
rows = [(name, int(seat), 1 / len(hidden)) for name, hidden in zip(items["item"], items["hidden"]) for seat in hidden]
predictions = pd.DataFrame(rows, columns=["item", "seat", "p_partner"])
if len(sys.argv) > 1:  # to be handed in: danmaku bench run partner-v1 --quick --predictions FILE --name "all hidden seats alike"
    predictions.to_parquet(sys.argv[1])
metrics = json.load(open("results/partner-v1--all_hidden_seats_alike--quick.json"))["metrics"]
joined = predictions.merge(truth, on=["item", "seat"])
partners = joined[joined["role"].isin(["partner", "one_true_partner", "ex_midboss"])].groupby("item")["p_partner"].sum()
rounds = items.set_index("item")["rounds"]
found, said = {"items": len(items)}, {"items": int(sum(metrics["log loss"]["counts"]))}
for name, chosen in (("", rounds > 0), (" after 1 round", rounds == 1), (" after 2 rounds", rounds == 2), (" after 3 rounds", rounds == 3)):
    right = partners[chosen[chosen].index]
    found[f"log loss{name}"] = round(sum(-math.log2(one) for one in right) / len(right), 9)
    found[f"accuracy{name}"] = round(sum(right) / len(right), 9)
    said |= {key: round(metrics[key]["mean"], 9) for key in (f"log loss{name}", f"accuracy{name}")}
print(json.dumps({"found": found, "result": said}))
