"""How much of who wins a critic that sees all can explain, by its shape.

    python experiments/critic_capacity.py [--player heuristic] [--windows 14] [--seed 2]

Games of the player with itself (6 players, advanced roles): full states every 20 decisions with what the game paid every seat in the end.
Each critic of self-play (training/central_critic.py) learns from them in one pass and is judged on later games, over all seats and by the
seat's role. This is supervised learning for its own sake; self-play from nothing uses none of these games. The result is
experiments/critic_capacity.json.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import torch
from torch import Tensor

from danmaku_env import GameConfig, make_vec
from danmaku_env.agents import registry
from danmaku_env.agents.opponents import AgentOpponent
from danmaku_env.cards.box import ROLE_IDS
from danmaku_env.console.terminal import Terminal, training_bar
from danmaku_env.game import write_atomically
from danmaku_env.machine.records import Array
from danmaku_env.nets.network import one_torch_thread
from danmaku_env.training.central_critic import CentralCritic, endings, share_explained

CONFIG = GameConfig(num_players=6)
GAMES, STEPS, STRIDE = 1024, 1600, 20
"""Games side by side; decisions of each in a window, and between two states that are kept."""
JUDGED = 2
"""Windows that are judged on, the last."""
BATCH, RATE, LAST_SHARE = 1024, 2e-3, 0.02
SHAPES = {
    "summed up over seats, width 64": {"width": 64, "by_role": False},
    "summed up over seats, width 128": {"width": 128, "by_role": False},
    "summed up by role, width 64": {"width": 64, "by_role": True},
    "summed up by role, width 128": {"width": 128, "by_role": True},
}


def windows(player: str, count: int, seed: int) -> list[tuple[Tensor, Tensor]]:
    """What a critic reads of states [k, reads], and what their games paid [k, 6], of one window of decisions after the other."""
    reads, vec = CentralCritic(CONFIG), make_vec(GAMES, CONFIG)
    vec.reset(seed)
    agent = AgentOpponent(registry.make(player, seed), CONFIG)
    agent.reset(seed)

    def answer() -> Array:
        return agent.answer(vec.games, vec.seats, vec.observations, vec.action_masks)

    found = []
    with training_bar(Terminal(stderr=True)) as bar:
        task = bar.add_task("", total=1.0, note="games")
        for number in range(count):
            found.append(endings(reads, vec, answer, STEPS, STRIDE))
            bar.update(task, completed=(number + 1) / count)
    return found


def joined(some: Sequence[tuple[Tensor, Tensor]]) -> tuple[Tensor, Tensor]:
    """Several windows as one."""
    states, paid = zip(*some, strict=True)
    return torch.cat(states), torch.cat(paid)


def explained(shape: dict[str, Any], learned: tuple[Tensor, Tensor], judged: tuple[Tensor, Tensor], seed: int) -> dict[str, float]:
    """Share of the variance of the payoffs that a critic of a shape explains, 0 to 1: of all seats, and of those of each role."""
    torch.manual_seed(seed)
    critic, (states, paid) = CentralCritic(CONFIG, **shape), learned
    adam, batches = torch.optim.Adam(critic.parameters()), torch.split(torch.randperm(len(states)), BATCH)
    started = time.perf_counter()
    for number, batch in enumerate(batches):
        for group in adam.param_groups:
            group["lr"] = RATE * max(LAST_SHARE, 1 - number / len(batches))
        adam.zero_grad()
        (critic(states[batch], 6) - paid[batch]).square().mean().backward()
        adam.step()
    seconds, (states, paid) = time.perf_counter() - started, judged
    with torch.inference_mode():
        said = torch.cat([critic(some, 6) for some in torch.split(states, 4096)])
    whole = CentralCritic(CONFIG)
    assert whole.roles
    numbers = states[:, : whole.sizes[0]].view(len(states), whole.most_seats, -1)[:, :6]
    role = numbers[:, :, whole.roles].argmax(2)
    shares = {ROLE_IDS[1 + number]: share_explained(said[role == number], paid[role == number]) for number in torch.unique(role).tolist()}
    return {"seconds": seconds, "all": share_explained(said, paid), **shares}


@one_torch_thread()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--player", default="heuristic")
    parser.add_argument("--windows", type=int, default=14)
    parser.add_argument("--seed", type=int, default=2)
    given = parser.parse_args()
    played = windows(given.player, given.windows, given.seed)
    (learned, judged) = (joined(some) for some in (played[:-JUDGED], played[-JUDGED:]))
    found = {}
    for name, shape in SHAPES.items():
        found[name] = explained(shape, learned, judged, given.seed)
        print(name, ", ".join(f"{what} {value:.3f}" for what, value in found[name].items()), flush=True)
    command = f"python experiments/critic_capacity.py --player {given.player} --windows {given.windows} --seed {given.seed}"
    result = {"command": command, "states": len(learned[0]), "judged": len(judged[0]), "explained": found}
    write_atomically(Path(__file__).with_suffix(".json"), json.dumps(result, indent=1).encode() + b"\n")


if __name__ == "__main__":
    main()
