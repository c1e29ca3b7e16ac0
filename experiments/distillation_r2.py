"""How much networks have learned from a search, alone and as an ensemble, at questions that none of them chose.

    python experiments/distillation_r2.py NET [NET ...] [--questions 6000] [--judge search:simulations=48] [--player neural] [--players 6]
        [--seed 1]

At questions in games of a player the judge tries the deducer's candidates and estimates the reward of each. The report has the share of the
variance of these differences that each network explains (much of the variance is noise of the judge's samples), the gain by the judge where
its answer differs from the deducer's, and the same for the mean of all networks. The agent `Mean` plays by that mean:

danmaku tournament neural "experiments.distillation_r2:Mean:nets=shipped+runs/imitate" --deals 3000
"""

from __future__ import annotations

import argparse
import itertools
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from rich.console import Console
from rich.progress import track

from benchmarks.machine import at_least, print_machine, table_size
from danmaku_env import GameConfig, make_vec
from danmaku_env.agents.neural import NeuralAgent
from danmaku_env.agents.search import REWARD_OF_LOGIT
from danmaku_env.arena.reports.tables import Column, Table
from danmaku_env.estimates import half_width
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array
from experiments.search_accuracy import BLOCK, Tried, made, questions, searching

JUDGE = "search:simulations=48"


class Mean:
    """Plays by the mean of several nets' answers, with the margin of `neural`: nets=PATH+PATH, or `shipped`."""

    name = "mean"

    def __init__(self, *, nets: str = "shipped") -> None:
        self._nets = [NeuralAgent("" if path == "shipped" else path) for path in nets.split("+")]

    def reset(self, seed: int) -> None:
        """It draws nothing at random."""

    def act(self, observations: Array, masks: Array, info_states: InfoStates | None = None) -> Array:
        """[B] the answers that are likeliest to all of them together."""
        assert info_states is not None, "the nets read the log"
        said = [net.policy_and_beliefs(observations, masks, info_states)[0].astype(np.float64) for net in self._nets]
        best: Array = np.sum(said, axis=0).argmax(1)
        return best


def reward_gains(net: NeuralAgent, block: list[Tried], config: GameConfig) -> list[Array]:
    """By how much reward each tried answer does better than the first, to a net."""
    vec = make_vec(len(block), config)
    vec.reset(0)
    vec.restore(np.concatenate([question.game for question in block]), np.arange(len(block)))
    logprobs, _ = net.policy_and_beliefs(vec.observations, vec.action_masks, InfoStates.of(vec, np.arange(len(block))))
    return [REWARD_OF_LOGIT * (row[question.answers] - row[question.answers[0]]) for row, question in zip(logprobs, block, strict=True)]


def line(name: str, found: list[Tried], said: list[Array]) -> tuple[str, ...]:
    """What a net explains of what the judge found, and what the answers that it takes brought."""
    judged, claimed = (np.concatenate([row - row.mean() for row in rows]) for rows in ([one.said for one in found], said))
    gains = np.array([one.said[row.argmax()] for one, row in zip(found, said, strict=True)])
    explained = 1 - np.square(claimed - judged).sum() / np.square(judged).sum()
    half = half_width(gains.std() / np.sqrt(len(gains)), 0.99)
    slope = claimed @ judged / (claimed @ claimed)
    return name, f"{100 * explained:.1f} %", f"{slope:.2f}", f"{gains.mean():+.4f} ± {half:.4f}"


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("nets", nargs="+", help="checkpoints or folders of runs; shipped is the net that is shipped")
    parser.add_argument("--questions", type=at_least(2), default=6_000)
    parser.add_argument("--judge", default=JUDGE, help="an agent by name that tries its answers")
    parser.add_argument("--player", default="neural", help="an agent by name, whose games are looked at")
    parser.add_argument("--players", type=table_size, default=6)
    parser.add_argument("--roles", choices=("basic", "advanced"), default="advanced")
    parser.add_argument("--seed", type=at_least(0), default=1)
    args = parser.parse_args()
    try:
        nets = [NeuralAgent("" if name == "shipped" else name, margin=0.0) for name in args.nets]
        judge, player = searching(args.judge, args.seed), made(args.player, args.seed)
    except ValueError as error:
        parser.error(str(error))
    config = GameConfig(num_players=args.players, roles=args.roles)
    print_machine("torch")
    stream = itertools.islice(questions(judge, player, config, args.seed), args.questions)
    found = list(track(stream, "looking", total=args.questions, console=Console(stderr=True)))
    blocks = [found[first : first + BLOCK] for first in range(0, len(found), BLOCK)]
    said = [[row for block in blocks for row in reward_gains(net, block, config)] for net in nets]
    rows = [line(name, found, each) for name, each in zip(args.nets, said, strict=True)]
    if len(nets) > 1:
        rows.append(line("their mean", found, [np.mean(each, axis=0) for each in zip(*said, strict=True)]))
    columns = (Column("net", number=False), *map(Column, ("explains", "paid of what it claims", "gains")))
    Console(width=110).print(Table.of("", f"{len(found):,} questions, in reward, 99 % intervals", columns, rows).terminal())


if __name__ == "__main__":
    main()
