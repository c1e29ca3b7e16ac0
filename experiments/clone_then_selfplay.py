"""A net that copies an agent first and goes on by self-play: how far it comes, and what each half brings.

    python experiments/clone_then_selfplay.py [--teacher deducer] [--answers 6000000] [--seconds 900] [--deals 1000] [--folder runs/clone]

The net of `make demo` learns the answers of the teacher in the teacher's own games (behaviour cloning), one pass over each answer, and the
true roles as its belief. Then the self-play trainer goes on from it (`--start`). So this net is taught: it is not one of self-play from
nothing. Both nets play the heuristic and the deducer in half of the seats, each deal twice with the seats exchanged. Whatever is finished
is kept, and an interrupted self-play is resumed; an interrupted copy begins anew. The result is experiments/clone_then_selfplay.json.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
import torch
from torch import Tensor

from danmaku_env import GameConfig, make_vec
from danmaku_env.agents import registry
from danmaku_env.agents.neural import NeuralAgent
from danmaku_env.agents.opponents import AgentOpponent
from danmaku_env.arena import rollout
from danmaku_env.console.terminal import Terminal, training_bar
from danmaku_env.game import write_atomically
from danmaku_env.machine.records import Array
from danmaku_env.nets.checkpoints import CHECKPOINT, load_checkpoint, save_checkpoint
from danmaku_env.nets.network import NamedNet, one_torch_thread
from danmaku_env.nets.selfplay_nets import SeatsNet
from danmaku_env.training.learner import Learner
from danmaku_env.training.parallel import Threads
from danmaku_env.training.progress_report import halves
from danmaku_env.training.role_labels import belief_loss, true_roles
from danmaku_env.training.seeds import evaluation_seed
from experiments.training_runs import go_on

HERE = Path(__file__).resolve().parent
CONFIG = GameConfig(num_players=6)
GAMES, WINDOW, BATCH, RATE, LAST_SHARE, BELIEF_WEIGHT = 512, 64, 512, 1e-3, 0.05, 0.1
"""As the self-play trainer has them; the step size falls linearly to the last share of it."""
REPORTS = ("--report-every", "200", "--final-deals", "0")
AGAINST = ("heuristic", "deducer")
TAUGHT = 1_000_000
"""Decisions of the copy's games that the critic learns from first."""
Rows = dict[str, Tensor]


def played(net: NamedNet, teacher: str, seed: int) -> Callable[[], Rows]:
    """Windows of the teacher's games: what the net reads, the legal answers, the teacher's answer and the true roles, T B rows each."""
    vec = make_vec(GAMES, CONFIG, threads=2)
    vec.reset(seed)
    agent = AgentOpponent(registry.make(teacher, seed), CONFIG)
    agent.reset(seed)
    rows: list[tuple[Any, ...]] = []

    def answer(_: Array) -> Array:
        actions = agent.answer(vec.games, vec.seats, vec.observations, vec.action_masks)
        rows.append((net.inputs(vec.observations), vec.action_masks.copy(), actions, true_roles(net, vec.games, vec.seats)))
        return actions

    steps = rollout.play(vec, rollout.Episodes(vec, rollout.WITHOUT_END), answer)

    def window() -> Rows:
        rows.clear()
        for _ in itertools.islice(steps, WINDOW):
            pass
        names = ("inputs", "masks", "actions", "roles")
        return {name: torch.from_numpy(np.concatenate(some)) for name, some in zip(names, zip(*rows, strict=True), strict=True)}

    return window


@one_torch_thread()
def clone(teacher: str, answers: int, seed: int, path: Path) -> None:
    """Teach a fresh net the answers of an agent, and write it."""
    torch.manual_seed(seed)
    net, started = SeatsNet(), time.perf_counter()
    threads = Threads(2, "clone")
    learner, window = Learner(net, "", RATE, threads, max_grad_norm=0.5, eps=1e-5), played(net, teacher, seed)

    def gradients(places: Tensor, weight: float) -> tuple[tuple[Tensor, ...], Tensor]:
        logprobs, _, roles = net(rows["inputs"][places], rows["masks"][places])
        loss = -logprobs.gather(1, rows["actions"][places, None].long()).mean()
        belief = belief_loss(roles, rows["roles"][places])
        agreement = (logprobs.argmax(1) == rows["actions"][places]).float().mean()
        return learner.gradients((loss + BELIEF_WEIGHT * belief) * weight), torch.stack((loss, belief, agreement)).detach() * weight

    seen, figures = 0, torch.zeros(3)
    with training_bar(Terminal(stderr=True)) as bar:
        task = bar.add_task("", total=1.0, note="")
        while seen < answers:
            rows = window()
            learner.scale_rate(max(LAST_SHARE, 1 - seen / answers))
            steps = [learner.step(batch, gradients) for batch in torch.split(torch.randperm(len(rows["actions"])), BATCH)]
            seen, figures = seen + len(rows["actions"]), torch.stack(steps).mean(0)
            bar.update(task, completed=min(1.0, seen / answers), note=f"{seen / 1e6:.1f} M answers, {figures[2]:.1%} as the teacher")
    about = {"teacher": teacher, "answers": seen, "agreement": float(figures[2]), "seconds": time.perf_counter() - started}
    save_checkpoint(path, net, {}, about)


def clones(folder: Path, *, teacher: str = "deducer", answers: int = 6_000_000, seconds: float = 900, seed: int = 1) -> tuple[Path, Path]:
    """The files of a net that copied a teacher, and of one that went on from there by self-play; made as far as they are not there."""
    copied, on = folder / "clone.safetensors", folder / "selfplay"
    folder.mkdir(parents=True, exist_ok=True)
    if not copied.exists():
        clone(teacher, answers, seed, copied)
    first = ("--start", str(copied), "--seed", str(seed), "--learning-rate", "5e-4", "--teach", str(TAUGHT), "--teach-by", "net")
    go_on("danmaku_env.training.ppo", on, ("--seconds", str(seconds), *REPORTS), first)
    return copied, on / CHECKPOINT


def measured(path: Path, deals: int) -> dict[str, Any]:
    """What a net wins above the others (95 %), sampled and greedy, and whom it names."""
    found: dict[str, Any] = {}
    for greedy in (False, True):
        for other in AGAINST:
            reward, half, named = halves(NeuralAgent(path, greedy=greedy), other, CONFIG, deals, evaluation_seed(1))
            found[f"above the {other}{', greedy' if greedy else ''}"] = {"reward": reward, "half": half, "deals": deals}
        if not greedy:
            found["to the Heroine"] = {faction: share.to_dict() for faction, share in named.heroine.items()}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--teacher", default="deducer")
    parser.add_argument("--answers", type=int, default=6_000_000)
    parser.add_argument("--seconds", type=float, default=900)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("runs/clone"))
    given = parser.parse_args()
    copied, on = clones(given.folder, teacher=given.teacher, answers=given.answers, seconds=given.seconds, seed=given.seed)
    about, further = load_checkpoint(copied)[2], load_checkpoint(on)[2]
    words = f"--teacher {given.teacher} --answers {given.answers} --seconds {given.seconds:g} --seed {given.seed} --deals {given.deals}"
    result = {
        "command": f"python experiments/clone_then_selfplay.py {words}",
        "clone": {name: about[name] for name in ("teacher", "answers", "agreement", "seconds")} | measured(copied, given.deals),
        "then self-play": {name: further[name] for name in ("decisions", "seconds")} | measured(on, given.deals),
    }  # fmt: skip
    write_atomically(HERE / "clone_then_selfplay.json", json.dumps(result, indent=1).encode() + b"\n")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
