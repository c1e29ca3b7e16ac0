"""Training that is killed: resumed to its end it is the run that nobody killed, bit for bit, with the same log."""

import functools
import json
import logging
import random
from typing import NamedTuple

import safetensors.torch
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from danmaku_env.nets.checkpoints import CHECKPOINT, load_checkpoint
from danmaku_env.training.exploit import REPORT
from tests.kill.victims import finish, kill_at_work, so_far, start, survivors, worked_in_all

BEGIN = """
import sys
from pathlib import Path
from rich.console import Console
from danmaku_env.nets.checkpoints import CHECKPOINT
from danmaku_env.training.{module} import {options}, {action}
folder = Path(sys.argv[1])
{action}({options}(folder=folder, resume=(folder / CHECKPOINT).exists(), {given}), Console(quiet=True))
"""
COMPILE = """
from danmaku_env.jit.precompile import compile_once
compile_once("danmaku_env.agents.warm")
"""
"""What the copy of the source that is run has to do once: it is no part of the work during which a run is killed."""


class Trainer(NamedTuple):
    """A script of training, and a run of it that takes some seconds."""

    module: str
    options: str
    counts: str
    """What a checkpoint counts of the run."""
    length: int
    given: str
    action: str = "train"
    """What begins the run, or goes on with it."""

    def words(self, folder):
        """The command line that does so in a folder."""
        return ["-c", BEGIN.format(module=self.module, options=self.options, given=self.given, action=self.action), str(folder)]


PPO = Trainer("ppo", "PPOArgs", "windows", 48, f"""seconds=0, decisions={48 * 32 * 48}, games=32, window=48, width=32, batch=256,
    threads=1, device="cpu", checkpoint_every=2, teach=20_000, report_every=0, final_deals=2, opponents="self,past,heuristic",
    remember_every=5""")  # fmt: skip
IMITATION = Trainer("imitation.imitate", "ImitationArgs", "rounds", 6, """rounds=6, games=1, watched=1, rows=1, width=16, history=8,
    threads=1, processes=2, keep=3, report_deals=0, teacher="search:simulations=4,net=student\"""")  # fmt: skip
EXPLOIT = Trainer("exploit", "ExploitArgs", "windows", 48, f"""bot="heuristic", start="scratch", seconds=0,
    decisions={48 * 32 * 48}, games=32, window=48, width=32, batch=256, threads=1, device="cpu", checkpoint_every=2, teach=0,
    report_deals=0, deals=4""", "exploit")  # fmt: skip
logging.getLogger("tensorboard").setLevel(logging.ERROR)  # that a run was resumed is no news here


def experiment(trainer, folder, times, seed, *, kills_each=5):
    """Figures and findings."""
    finish(start(["-c", COMPILE], folder))
    whole = start(trainer.words(folder / "whole"), folder)
    length = worked_in_all(whole)
    if (ended := finish(whole))[0]:
        return "training does not even run", [ended[2]]
    rng, findings = random.Random(seed), []
    kills = runs = in_a_save = 0
    resumed = set()
    while kills < times:
        run, runs, mine = folder / f"run{runs}", runs + 1, 0
        while mine < min(kills_each, times - kills):
            if not kill_at_work(trainer.words(run), folder, rng.uniform(0.0, length)):
                break  # it had ended
            mine += 1
            in_a_save += bool(list(run.glob(".*.tmp")))
            resumed.add(load_checkpoint(run / CHECKPOINT)[2][trainer.counts] if (run / CHECKPOINT).exists() else None)
        kills += mine
        ended = finish(start(trainer.words(run), folder))
        if ended is None or ended[0]:
            findings.append(f"run {runs - 1} could not be resumed: {ended}")
        else:
            findings += [f"run {runs - 1}: {difference}" for difference in differences(folder / "whole", run)]
        so_far(kills, findings)
    if left := survivors(folder):
        findings.append(f"processes survive: {left}")
    figures = f"{trainer.module}: {kills} kills in {runs} runs of {trainer.length} {trainer.counts}, after 0 to {length:.1f} s of work, "
    figures += f"{in_a_save} within a save; resumed from {len(resumed - {None})} different {trainer.counts}"
    return f"{figures}; {len(findings)} differences from the run nobody killed", findings


def differences(whole, run):
    """How a run differs from the whole one."""
    first, second = (safetensors.torch.load_file(folder / CHECKPOINT) for folder in (whole, run))
    if first.keys() != second.keys():
        yield f"other tensors: {first.keys() ^ second.keys()}"
    yield from (f"another {name}" for name in first if name in second and first[name].numpy().tobytes() != second[name].numpy().tobytes())
    about, after = (plain(folder) for folder in (whole, run))
    yield from (f"another {name}: {about[name]} and {after.get(name)}" for name in about if about[name] != after.get(name))
    if figures_of(whole) != figures_of(run):
        yield "another log"
    if card(whole) != card(run):
        yield f"another card: {card(whole)} and {card(run)}"
    if left := [path.name for path in run.iterdir() if path.name.startswith(".")]:
        yield f"left: {left}"


def plain(folder):
    """What a checkpoint says of its run, without the time it took and what follows from that."""
    about = load_checkpoint(folder / CHECKPOINT)[2]
    for point in about.get("curve", []):
        del point["seconds"]
    return {name: value for name, value in about.items() if name not in ("seconds", "checksum", "args")}


def card(folder):
    """What an exploiter gains, without the time it took; nothing of other runs."""
    return {**json.loads((folder / REPORT).read_text("utf-8")), "seconds": 0} if (folder / REPORT).exists() else {}


def figures_of(folder):
    """What TensorBoard shows: (figure, step) -> value, without those of time."""
    found = EventAccumulator(str(folder), size_guidance={"scalars": 0}).Reload()
    names = [name for name in found.Tags()["scalars"] if not name.startswith("speed/")]
    return {(name, event.step): event.value for name in names for event in found.Scalars(name)}


of_ppo, of_imitation, of_exploit = (functools.partial(experiment, trainer) for trainer in (PPO, IMITATION, EXPLOIT))
