"""Self-play that begins with each net of an ensemble; what comes out plays as one again.

    python experiments/from_shipped.py [--ensemble danmaku_env/agents/neural_1.safetensors] [--decisions 7000000]
        [--folder runs/from_shipped]

This made version 2 of `neural` from version 1 (docs/train_nets.md). The nets have a teacher and the deducer as their prior policy, so
this is not self-play from nothing. Each plays ten kinds of table: 4 to 8 players, with characters dealt and chosen. The critic begins anew
and learns first from games of the net. Each run uses one thread; a run that was interrupted is resumed, one that is finished is kept.
Weights are written in half precision.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from danmaku_env.console.machine import processor
from danmaku_env.nets.checkpoints import CHECKPOINT, load_checkpoint, load_net, peers_of, read_tensors, save_checkpoint
from danmaku_env.nets.network import NamedNet, together
from experiments.training_runs import ROOT, go_on

OPTIONS = (
    "--threads", "1", "--teach-by", "net", "--teach", "1000000", "--players", "4,5,6,7,8", "--characters", "random,choose",
    "--games", "640", "--gae-lambda", "0.95", "--batch", "1024", "--critic-width", "128", "--learning-rate", "3e-4", "--learn-from", "0.5",
    "--exploration", "0.003", "--entropy", "0.002",
)  # fmt: skip
"""Of a new run: more trust in what happened than from nothing, larger batches, hardly any exploration; and half of the decisions, those
that promise most, since most answers of such a net are sure."""
SEEDS = 10
"""The first net has the seed after this one."""


def members(ensemble: Path) -> list[NamedNet]:
    """The nets of a file, one by one."""
    net, tensors, about = load_checkpoint(ensemble)
    return [net, *peers_of(ensemble, net, tensors, about)]


def trained(member: NamedNet, number: int, decisions: int, folder: Path) -> Path:
    """The folder of the run that began with a net, gone on with as far as it is not finished."""
    start, run = folder / f"member-{number}.safetensors", folder / f"run-{number}"
    if not start.exists():
        save_checkpoint(start, member, {}, {})
    first = (*OPTIONS, "--start", os.path.relpath(start, ROOT), "--seed", str(SEEDS + number))
    budget = ("--seconds", "0", "--decisions", str(decisions), "--report-every", "900", "--report-deals", "40", "--final-deals", "100")
    go_on("danmaku_env.training.ppo", run, budget, first)
    return run


def join(runs: list[Path], to: Path, results: dict[str, str]) -> None:
    """Write the nets of some runs as one file, with its run card: how each was made, and what they reach together."""
    nets: list[NamedNet] = [load_net(run).half() for run in runs]
    about = [read_tensors(run / CHECKPOINT)[1] for run in runs]
    card = {
        "command": "python experiments/from_shipped.py", "decisions": [each["decisions"] for each in about],
        "seed": [each["args"]["seed"] for each in about], "seconds": [round(each["seconds"]) for each in about],
        "options": [_options(each["args"]) for each in about], "versions": about[0]["versions"], "machine": processor(), "results": results,
    }  # fmt: skip
    save_checkpoint(to, together(nets), {}, card)


def _options(args: dict[str, Any]) -> dict[str, Any]:
    """The options of a run, with the net it began with by the name of its file alone."""
    return {name: value for name, value in args.items() if name != "folder"} | {"start": Path(args["start"]).name}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ensemble", type=Path, default=ROOT / "danmaku_env" / "agents" / "neural_1.safetensors")
    parser.add_argument("--decisions", type=int, default=7_000_000)
    parser.add_argument("--folder", type=Path, default=Path("runs") / "from_shipped")
    parser.add_argument(
        "--result", nargs=2, action="append", default=[], metavar=("WHERE", "FIGURE"), help="what they reach together, for the run card"
    )
    parser.add_argument("--join-only", action="store_true", help="train no further: join what there is")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    found = members(given.ensemble)
    runs = [given.folder / f"run-{number}" for number in range(1, len(found) + 1)]
    if not given.join_only:
        runs = [trained(net, number, given.decisions, given.folder.resolve()) for number, net in enumerate(found, 1)]
    join(runs, given.folder / "neural.safetensors", dict(given.result))
    print(given.folder / "neural.safetensors")


if __name__ == "__main__":
    main()
