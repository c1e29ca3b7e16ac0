"""Baselines of the benchmark: trainers that learn from nothing, each measured in a `selfplay-*` task; the command goes on where it stopped.

    python experiments/baselines.py [--only NAME ...] [--seeds 1,2,3,4,5] [--decisions 1000000] [--task selfplay-base6-v1] [--quick]
    python experiments/baselines.py --task strength-base6-v1 [--only NAME ...] [--seeds 1] [--quick]

Every recipe is trained for every seed on the table of the task, one run after the other and each on one thread, in
`runs/baselines/NAME-TABLE-DECISIONS-SEED`. All decisions of the environment count, also those of the random play that a critic learns from
first: a quarter of the budget, and no more than that trainer takes by itself. Then the net is measured with sampled answers, as by
`danmaku bench run`, in a folder of `runs/baselines/measured`, and the result is written with the learning curve to `results/`. What was
interrupted, be it training or measuring, is resumed, and what is finished is kept. `danmaku bench board` draws table and curves from these
files. `--train-only` leaves the measuring out, `--list` says what there is. `--net experiments/runs/selfplay_seed_2_second_phase --name
"self-play, {}, seed 2"` measures a net that is there.

In the other tasks the agents of the project are measured; in the `strength-*` tasks also nets that copied the deducer
(experiments/clone_then_selfplay.py), which are trained first where they are not there.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from danmaku_env.agents.base import BeliefModel
from danmaku_env.agents.registry import make
from danmaku_env.benchmark.board import read_results
from danmaku_env.benchmark.result import FOLDER as RESULTS
from danmaku_env.benchmark.result import stem_of
from danmaku_env.benchmark.run import Entry, RunSettings, run
from danmaku_env.benchmark.task import BELIEF_KINDS, Task, read_task
from danmaku_env.nets.checkpoints import CHECKPOINT, read_tensors
from danmaku_env.training.ppo import PPOArgs
from danmaku_env.training.progress_report import CURVE, Curve
from experiments.clone_then_selfplay import clones
from experiments.training_runs import go_on

RUNS = Path("runs") / "baselines"
"""Where everything is trained and measured."""
_PPO = ("danmaku_env.training.ppo", "--threads", "1", "--report-every", "40", "--report-deals", "64", "--final-deals", "200")
_CONSTANT_LAMBDA = (*_PPO, "--first-lambda", "0.9")
"""Lambda 0.9 throughout, the default when the first of these were measured."""
_SB3 = ("danmaku_env.training.sb3_maskable", "--self-play", "--report-every", "60", "--final-games", "100")
_RLLIB = ("danmaku_env.training.rllib_selfplay", "--runners", "0", "--games", "64", "--window", "8192", "--report-every", "120")


@dataclass(frozen=True)
class Recipe:
    """A trainer with its options."""

    what: str
    words: tuple[str, ...]
    agent: str = "neural"
    """As which agent its checkpoint plays."""
    teaches: bool = False
    """Whether its critic first learns from random play."""

    def taught(self, decisions: int) -> int:
        """How many of these decisions are random play."""
        return min(PPOArgs.teach, decisions // 4) if self.teaches else 0


RECIPES = {
    "self-play": Recipe("PPO, a critic that sees all, tokens of seats, a belief (training/ppo.py)", _CONSTANT_LAMBDA, teaches=True),
    "self-play-rising-lambda": Recipe("the same with a lambda that rises from 0.5 to 0.9, as by default", _PPO, teaches=True),
    "self-play-role-blind": Recipe("self-play without any role in its rows", (*_CONSTANT_LAMBDA, "--role-blind"), teaches=True),
    "self-play-events": Recipe("self-play that reads the last 64 events", (*_CONSTANT_LAMBDA, "--history", "64"), teaches=True),
    "ppo-mlp": Recipe(
        "PPO with the seat's own value along its own decisions, and an MLP",
        (*_CONSTANT_LAMBDA, "--net", "mlp", "--critic", "own", "--teach", "0", "--belief-weight", "0", "--exploration", "0"),
    ),
    "sb3-maskable-ppo": Recipe("MaskablePPO of Stable-Baselines3 with its MlpPolicy over the bare row", _SB3, "policy"),
    "rllib-ppo": Recipe("PPO of RLlib, the net of `neural` without a prior policy", _RLLIB),
}

AGENTS = ("random", "heuristic", "deducer", "search:simulations=40", "neural")
"""Agents that need no training."""
CLONES = ("cloning", "cloning, then self-play")
"""Nets that copied the deducer, in the order in which they are made."""


def trained(name: str, task: Task, decisions: int, seed: int) -> Path:
    """The folder of a finished run of a recipe, trained as far as it is not."""
    folder = RUNS / f"{name}-{task.table}-{decisions}-{seed}"
    recipe, taught = RECIPES[name], RECIPES[name].taught(decisions)
    if not (folder / CHECKPOINT).exists() or made(folder) < decisions:
        trainer, *words = recipe.words
        first = ["--table", task.table, "--seed", str(seed), *(["--teach", str(taught)] if taught else [])]
        go_on(trainer, folder, [*words, "--seconds", "0", "--decisions", str(decisions - taught)], first)
    return folder


def made(folder: Path) -> int:
    """Decisions of the environment behind the net of a folder: its run, the games its critic learned from, and the run it began with."""
    return int(read_tensors(folder / CHECKPOINT)[1]["decisions"] + before(folder)["decisions"])


def before(folder: Path) -> dict[str, Any]:
    """Decisions of the environment, and seconds of training, that came before the run of a folder."""
    args = read_tensors(folder / CHECKPOINT)[1].get("args", {})
    decisions, seconds = int(args.get("teach", 0)), 0.0
    if start := args.get("start"):
        decisions += made(Path(start))
        seconds = read_tensors(Path(start) / CHECKPOINT)[1]["seconds"] + before(Path(start))["seconds"]
    return {"decisions": decisions, "seconds": seconds}


def whole_curve(folder: Path) -> list[dict[str, float]]:
    """The learning curve of a net, those of the runs that it began with in front, all of it counted."""
    about, more = read_tensors(folder / CHECKPOINT)[1], before(folder)
    start = about.get("args", {}).get("start")
    points = [{name: value + more.get(name, 0) for name, value in point.items()} for point in about.get("curve", [])]
    return [*(whole_curve(Path(start)) if start else []), *points]


def enter(task: Task, name: str, seed: int, quick: bool) -> None:
    """Measure one of AGENTS or CLONES, unless its result is there or the task asks for what it cannot do."""
    called = f"{name}, seed {seed}" if name in CLONES else name
    if is_there(task, called, quick):
        return
    agent = name
    if name in CLONES:
        agent = f"neural:{clones(RUNS / f'clone-{seed}', seed=seed)[CLONES.index(name)]},greedy=no"
    if task.kind not in BELIEF_KINDS or isinstance(make(agent, 0), BeliefModel):
        measure(task, Entry(agents=(agent,), name=called), quick)


def entrants(task: Task) -> tuple[str, ...]:
    """What can be measured in a task. The population of `strangers-v1` has a copy of the deducer, so no such net enters there."""
    if task.name.startswith("selfplay-"):
        return tuple(RECIPES)
    return (*AGENTS, *CLONES) if task.name.startswith("strength-") else AGENTS


def is_there(task: Task, entry: str, quick: bool) -> bool:
    """Whether there is a result of an entry; then it is said."""
    found = any((result.task, result.entry, result.quick) == (task.name, entry, quick) for result in read_results(RESULTS)[0])
    if found:
        print(f"the result of {entry} is there")
    return found


def measured(task: Task, folder: Path, trainer: str, name: str, quick: bool, plays_as: str = "neural") -> None:
    """Measure the net of a run, unless its result is there; `name` has {} where the decisions are to stand."""
    decisions = made(folder)
    called = name.format(f"{decisions / 1e6:.3g} M")
    if is_there(task, called, quick):
        return
    agent = f"{plays_as}:{folder},greedy=no"
    with tempfile.TemporaryDirectory() as curve:
        Curve(whole_curve(folder)).save(Path(curve))
        measure(task, Entry(agents=(agent,), name=called, trainer=trainer, decisions=decisions, curve=Path(curve) / CURVE), quick)


def measure(task: Task, entry: Entry, quick: bool) -> None:
    """Measure an entry in a folder of its own, from where that was stopped."""
    folder = RUNS / "measured" / stem_of(task.name, entry.called(), "quick" if quick else "whole")
    begun = any(folder.glob("*.json")) or (folder / CHECKPOINT).exists()
    run(task, entry, quick=quick, settings=RunSettings(folder=folder, resume=begun))


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", choices=[*RECIPES, *AGENTS, *CLONES], help="one of them; all that fit when left out")
    parser.add_argument("--seeds", default="1,2,3,4,5", help="of what is trained")
    parser.add_argument("--decisions", type=int, default=1_000_000)
    parser.add_argument("--task", default="selfplay-base6-v1")
    parser.add_argument("--net", type=Path, help="measure the net of this folder instead, with the curves of all runs that it began with")
    parser.add_argument("--trainer", default="self-play", help="what made it: entries with the same words are one learning curve")
    parser.add_argument("--name", default="self-play, {}", help="what the net is called, with {} for its decisions")
    parser.add_argument("--quick", action="store_true", help="measure on the first deals only")
    parser.add_argument("--train-only", action="store_true")
    parser.add_argument("--list", action="store_true")
    given = parser.parse_args(argv)
    if given.list:
        print("\n".join(f"{name:22} {recipe.what}" for name, recipe in RECIPES.items()))
        print("in the other tasks:", "; ".join((*AGENTS, *CLONES)))
        return
    task = read_task(given.task)
    if given.net:
        measured(task, given.net, given.trainer, given.name, given.quick)
        return
    names, seeds = given.only or entrants(task), list(map(int, given.seeds.split(",")))
    if wrong := [name for name in names if name not in entrants(task)]:
        parser.error(f"{wrong[0]} is not measured in {task.name}: there are {'; '.join(entrants(task))}")
    for seed in seeds:
        for name in names:
            if name in AGENTS or name in CLONES:
                enter(task, name, seed, given.quick)
                continue
            folder = trained(name, task, given.decisions, seed)
            if not given.train_only:
                measured(task, folder, name, f"{name}, {{}}, seed {seed}", given.quick, RECIPES[name].agent)


if __name__ == "__main__":
    main()
