"""What each part of the self-play trainer's recipe is worth: the same run with one thing changed, seed by seed.

    python experiments/recipe.py [--only NAME ...] [--seeds 1,2,3] [--decisions 1000000] [--deals 400] [--threads 1]

All variants learn from the same number of decisions (6 players, advanced roles), after 12 million decisions of random play for a critic.
At the end each plays the heuristic in half of the seats, sampled answers, each deal twice with the seats exchanged.

The result is experiments/recipe.json and recipe.md: means over the seeds, each with the seeds' own figures behind it. What is in it is
kept, and a run that was interrupted is resumed from `runs/recipe`. Several such commands with different seeds or variants may run side by
side.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from danmaku_env.agents.role_separation import TOLD_OF_HER
from danmaku_env.arena.reports.tables import Column, Table
from danmaku_env.game import write_atomically
from danmaku_env.nets.checkpoints import CHECKPOINT, read_tensors
from danmaku_env.training.progress_report import Curve
from experiments.training_runs import ROOT, go_on


def constant_lambda(lam: float) -> tuple[str, ...]:
    """Lambda that is the same throughout the run."""
    return "--first-lambda", f"{lam:g}", "--gae-lambda", f"{lam:g}"


VARIANTS = {
    "lambda 0.9": constant_lambda(0.9),
    "lambda from 0.5 to 0.9, the default": (),
    "lambda 0.5": constant_lambda(0.5),
    "lambda 0.8": constant_lambda(0.8),
    "lambda 0.95": constant_lambda(0.95),
    **{
        name: (*constant_lambda(0.9), *words)
        for name, words in {
            "critic that does not sum up by role": ("--critic", "flat"),
            "critic that sees no roles": ("--critic", "roleless"),
            "own value, along the seat's own decisions": ("--critic", "own"),
            "critic taught by no random play": ("--teach", "0"),
            "no belief": ("--belief-weight", "0"),
            "no exploration but the entropy bonus": ("--exploration", "0"),
            "two exchanges of messages": ("--exchanges", "2"),
            "MLP": ("--net", "mlp"),
        }.items()
    },
}
"""What names no lambda has 0.9 throughout, as the default was then, and is to be compared with that."""
RESULT = Path(__file__).with_suffix(".json")
CHANCE = "Stage Boss to the Heroine by chance"


def last_point(folder: Path) -> dict[str, float]:
    """The figures at the end of a run, with its decisions and seconds."""
    return Curve.read(read_tensors(folder / CHECKPOINT)[1]["curve"]).points[-1]


def kept(command: str) -> dict[str, dict[str, dict[str, float]]]:
    """What the file of results has of the same command: variant -> seed -> figures."""
    if not RESULT.exists() or (result := json.loads(RESULT.read_text()))["command"] != command:
        return {}
    found: dict[str, dict[str, dict[str, float]]] = result["found"]
    return found


def table(found: dict[str, dict[str, dict[str, float]]]) -> str:
    """The means over the seeds as a table in Markdown; behind the reward the seeds' own."""
    rows = []
    for name, seeds in found.items():
        points = list(seeds.values())
        mean = {key: float(np.mean([point[key] for point in points])) for key in points[0] if all(key in point for point in points)}
        each = ", ".join(f"{point['heuristic']:+.2f}" for point in points)
        named = ", ".join(f"{100 * mean[f'{faction} to the Heroine']:.0f}" for faction in TOLD_OF_HER)
        rows.append((
            name, ", ".join(seeds), f"{mean['decisions'] / 1e6:.2f} M", f"{mean['seconds']:.0f}", f"{mean['random']:+.2f}",
            f"{mean['heuristic']:+.2f} ({each})", f"{named} %, chance {100 * mean[CHANCE]:.0f} %",
        ))  # fmt: skip
    columns = [
        *(Column(words, number=False) for words in ("what", "seeds")),
        *map(Column, ("decisions", "seconds", "above random play", "above the heuristic", f"{', '.join(TOLD_OF_HER)} to the Heroine")),
    ]
    return Table.of("", "", columns, rows).markdown()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", choices=list(VARIANTS), help="a variant; all when left out")
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--decisions", type=int, default=1_000_000)
    parser.add_argument("--deals", type=int, default=400, help="at the end, each played twice")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    command = f"python experiments/recipe.py --decisions {given.decisions} --deals {given.deals} --threads {given.threads}"
    budget = ("--seconds", "0", "--decisions", str(given.decisions), "--report-every", "0", "--final-deals", str(given.deals))
    for seed in given.seeds.split(","):
        for name in given.only or VARIANTS:
            if seed in kept(command).get(name, {}):
                continue
            folder = ROOT / "runs" / "recipe" / f"{'_'.join(name.split())}-{given.decisions}-{seed}"
            print(f"{name}, seed {seed}", flush=True)
            go_on("danmaku_env.training.ppo", folder, budget, (*VARIANTS[name], "--seed", seed, "--threads", str(given.threads)))
            found = kept(command)
            found.setdefault(name, {})[seed] = last_point(folder)
            write(command, {name: dict(sorted(found[name].items())) for name in VARIANTS if name in found})


def write(command: str, found: dict[str, dict[str, dict[str, float]]]) -> None:
    """Write what is known so far, as data and as a table."""
    write_atomically(RESULT, json.dumps({"command": command, "found": found}, indent=1).encode() + b"\n")
    half = max(point["heuristic ±"] for seeds in found.values() for point in seeds.values())
    text = f"""<!-- generated by experiments/recipe.py -->

# What each part of the recipe is worth

`{command}`: 6 players, advanced roles, sampled answers, from nothing.
Each row is the trainer's default but for what it names. Rows that name no lambda have 0.9 throughout, so compare them with the first.
*Above the heuristic* is the mean over the seeds; the figures in brackets are the seeds' own, each known to ± {half:.2f} (95 %).
*Seconds* include the critic's random play; the machine had other work, so they compare only roughly.

{table(found)}"""
    write_atomically(RESULT.with_suffix(".md"), text.encode())


if __name__ == "__main__":
    main()
