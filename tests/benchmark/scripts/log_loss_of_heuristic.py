"""The log loss of the quick games of belief-v1 by `danmaku deduce`, statement by statement."""

import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

GAMES = 64
seed = int.from_bytes(hashlib.sha256(b"belief-v1/games").digest()[:8], "big") >> 2
with tempfile.TemporaryDirectory() as folder:
    options = [
        "--agents",
        "heuristic,deducer",
        "--players",
        "6",
        "--characters",
        "random",
        "--games",
        str(GAMES),
        "--seed",
        str(seed),
        "--statements",
    ]
    command = [
        sys.executable,
        "-m",
        "danmaku_env",
        "deduce",
        "heuristic",
        "--agents",
        "heuristic,deducer",
        *options,
        "--out",
        f"{folder}/study",
    ]
    subprocess.run(command, check=True, capture_output=True)
    statements = pd.read_parquet(next(Path(folder).rglob("statements.parquet")))
statements = statements[statements["belief_model"] == "heuristic"]
columns = [name for name in statements if name.startswith("p_")]
chances = statements[columns].to_numpy(np.float64).copy()
chances /= chances.sum(1, keepdims=True)
truth = np.array([columns.index(f"p_{role}") for role in statements["truth"]])
loss = -np.log2(np.maximum(chances[np.arange(len(chances)), truth], 1e-6))
found = [float(loss[statements["game"].to_numpy() == game].sum()) for game in range(GAMES)]
metric = json.load(open("results/belief-v1--heuristic--quick.json"))["metrics"]["log loss of the role"]
print(json.dumps({"found": [round(total, 9) for total in found], "result": [round(total, 9) for total in metric["sums"][:GAMES]]}))
