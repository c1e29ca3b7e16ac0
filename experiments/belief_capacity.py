"""What limits the belief of a self-play net: its shape, what it reads, or how much it learns of roles.

    python experiments/belief_capacity.py [--player neural:experiments/runs/selfplay_seed_2_longer,greedy=no] [--windows 70] [--seed 3]

Games of the player with itself (6 players, advanced roles). Nets of several shapes learn nothing but the true roles, side by side from the
same decisions in one pass, and are judged on later games at the first question of each turn: log loss in bits on the role and on the
faction of each seat whose role is hidden. Beside them stands what the player itself believes, if it says so. This is supervised learning
for its own sake. The result is experiments/belief_capacity.json.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import math
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
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
from danmaku_env.beliefs.factions import dealt_factions
from danmaku_env.console.terminal import Terminal, training_bar
from danmaku_env.game import write_atomically
from danmaku_env.machine.records import Array
from danmaku_env.nets.input_spec import current_layout
from danmaku_env.nets.network import NamedNet, one_torch_thread
from danmaku_env.nets.selfplay_nets import SeatsNet
from danmaku_env.training.learner import Learner
from danmaku_env.training.parallel import Threads
from danmaku_env.training.role_labels import NO_ROLE, belief_loss, true_roles

EVENTS = 64
CONFIG = GameConfig(num_players=6, history=EVENTS)
GAMES, WINDOW, BATCH, RATE, LAST_SHARE = 512, 64, 512, 1e-3, 0.05
SETTLED = 8
"""Windows before any is learned from: all games begin at once, and are at all their stages by then."""
JUDGED = 0.2
"""Share of the windows that is judged on, the last."""
SHAPES: dict[str, Callable[[], NamedNet]] = {
    "as in self-play": SeatsNet,
    "two exchanges of messages": functools.partial(SeatsNet, exchanges=2),
    "width 128": functools.partial(SeatsNet, width=128),
    f"and the last {EVENTS} events": functools.partial(SeatsNet, history=EVENTS),
}


@dataclass
class Losses:
    """Log losses in bits, one for each hidden seat that was asked about."""

    role: list[Tensor] = field(default_factory=list)
    faction: list[Tensor] = field(default_factory=list)

    def add(self, net: NamedNet, said: Tensor, roles: Tensor, hidden: Tensor) -> None:
        """Judge [B, 8, roles] log-probabilities on the true roles [B, 8], where they are `hidden` [B, 8]."""
        place = torch.where(roles == NO_ROLE, 0, roles).long()
        factions = torch.from_numpy(dealt_factions(net.roles))
        alike = factions[None, None] == factions[place][:, :, None]
        of_faction = said.masked_fill(~alike, -math.inf).logsumexp(2)
        self.role.append(-said.gather(2, place[:, :, None]).squeeze(2)[hidden] / math.log(2))
        self.faction.append(-of_faction[hidden] / math.log(2))

    def means(self) -> dict[str, float]:
        """The mean of each."""
        return {"by role": float(torch.cat(self.role).mean()), "by faction": float(torch.cat(self.faction).mean())}


def windows(player: AgentOpponent, count: int, seed: int) -> Iterator[dict[str, Any]]:
    """One window of decisions after the other: GAMES rows in each of WINDOW steps.

    `observations`, `masks` and `seats` are of the questions, `games` the roles of the records, `hidden` [k, 8] whose role the seat does
    not know, `begun` whether a turn has begun since the last question.
    """
    vec = make_vec(GAMES, CONFIG)
    vec.reset(seed)
    player.reset(seed)
    columns = current_layout().columns
    roles = [name.removeprefix("role/0/") for name in columns if name.startswith("role/0/")]
    of_roles = np.array([[columns[f"role/{seat}/{name}"] for name in roles] for seat in range(8)])
    turns: Array = np.zeros(GAMES, np.int64)
    asked: list[list[Array]] = []

    def answer(_: Array) -> Array:
        now = vec.games["turn_number"].astype(np.int64)
        hidden = (np.arange(8) < CONFIG.num_players) & ~vec.observations[:, of_roles].any(2)
        parts = (vec.observations, vec.action_masks, vec.seats, vec.games[["role", "num_players"]], hidden, now != turns)
        asked.append([part.copy() for part in parts])
        turns[:] = now
        return player.answer(vec.games, vec.seats, vec.observations, vec.action_masks)

    names = ("observations", "masks", "seats", "games", "hidden", "begun")
    steps = rollout.play(vec, rollout.Episodes(vec, rollout.WITHOUT_END), answer)
    for number in range(SETTLED + count):
        asked.clear()
        for _ in itertools.islice(steps, WINDOW):
            pass
        if number >= SETTLED:
            yield {name: np.concatenate(some) for name, some in zip(names, zip(*asked, strict=True), strict=True)}


def read(net: NamedNet, rows: dict[str, Any], some: Array) -> tuple[Tensor, Tensor, Tensor]:
    """What a net reads of some rows, their masks, and the true roles."""
    seen = rows["observations"][some]
    roles = true_roles(net, rows["games"], rows["seats"], some)
    return torch.from_numpy(net.inputs(seen)), torch.from_numpy(rows["masks"][some]), torch.from_numpy(roles)


class Student:
    """A net that learns roles, or one whose beliefs are only judged."""

    def __init__(self, net: NamedNet) -> None:
        self.net, self.losses, self.seconds = net, Losses(), 0.0
        self.learner = Learner(net, "", RATE, Threads(1, "beliefs"), max_grad_norm=0.5, eps=1e-5)

    def learn(self, rows: dict[str, Any], pace: float) -> None:
        """Pass over a window once."""
        started = time.perf_counter()
        self.learner.scale_rate(max(LAST_SHARE, pace))
        inputs, masks, roles = read(self.net, rows, np.arange(len(rows["seats"])))

        def gradients(places: Tensor, weight: float) -> tuple[tuple[Tensor, ...], Tensor]:
            loss = belief_loss(self.net(inputs[places], masks[places])[2], roles[places])
            return self.learner.gradients(loss * weight), loss.detach() * weight

        for batch in torch.split(torch.randperm(len(roles)), BATCH):
            self.learner.step(batch, gradients)
        self.seconds += time.perf_counter() - started

    @torch.inference_mode()
    def judge(self, rows: dict[str, Any]) -> None:
        """Add what it says at the first questions of turns."""
        some = np.flatnonzero(rows["begun"])
        inputs, masks, roles = read(self.net, rows, some)
        hidden = torch.from_numpy(rows["hidden"][some])
        for at in torch.split(torch.arange(len(some)), BATCH):
            self.losses.add(self.net, self.net(inputs[at], masks[at])[2], roles[at], hidden[at])


@one_torch_thread()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--player", default="neural:experiments/runs/selfplay_seed_2_longer,greedy=no")
    parser.add_argument("--windows", type=int, default=70)
    parser.add_argument("--seed", type=int, default=3)
    given = parser.parse_args()
    agent = registry.make(given.player, given.seed)
    students: dict[str, Student] = {}
    for name, shape in SHAPES.items():
        torch.manual_seed(given.seed)
        students[name] = Student(shape())
    if isinstance(agent, NeuralAgent) and isinstance(agent.net, NamedNet) and not agent.net.has_prior_policy:
        students["the player's own belief"] = Student(agent.net)
    learned = round(given.windows * (1 - JUDGED))
    with training_bar(Terminal(stderr=True)) as bar:
        task = bar.add_task("", total=1.0, note="")
        for number, rows in enumerate(windows(AgentOpponent(agent, CONFIG), given.windows, given.seed)):
            for name, student in students.items():
                if number >= learned:
                    student.judge(rows)
                elif name in SHAPES:
                    student.learn(rows, 1 - number / learned)
            bar.update(task, completed=(number + 1) / given.windows)
    found = {name: {**student.losses.means(), "seconds": student.seconds} for name, student in students.items()}
    for name, means in found.items():
        print(name, ", ".join(f"{what} {value:.3f}" for what, value in means.items()), flush=True)
    command = f"python experiments/belief_capacity.py --player {given.player} --windows {given.windows} --seed {given.seed}"
    judged = len(torch.cat(students[next(iter(SHAPES))].losses.role))
    result = {"command": command, "decisions": learned * WINDOW * GAMES, "judged": judged, "bits": found}
    write_atomically(Path(__file__).with_suffix(".json"), json.dumps(result, indent=1).encode() + b"\n")


if __name__ == "__main__":
    main()
