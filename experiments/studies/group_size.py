"""What changes with the size of the group?

    python experiments/studies/group_size.py [--games 64] [--deals 600] [--seed 40] [--folder runs/studies/group_size]

Games of deducers at tables of 4 to 8, advanced roles. How many bits of the faction the role cards leave open of a hidden seat, what the
deducer and the exact posterior (all hands open) leave of them, and how often the Heroine wins.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from danmaku_env import GameConfig
from danmaku_env.agents.registry import make
from danmaku_env.arena.deduction.parts import labels_of
from danmaku_env.arena.matches.match import Job, play
from danmaku_env.arena.reports.plots import Line, draw_lines, plot, svg
from danmaku_env.arena.reports.style import COLORS
from danmaku_env.benchmark.beliefs import TaskStudy
from danmaku_env.cards.box import ROLE_IDS
from danmaku_env.estimates import Estimate, estimate, plain
from experiments.studies.telling import CONFIDENCE, claims, findings, keep, over_games

SIZES = range(4, 9)
PREDICTIONS = (
    "The larger the table, the more is open: the bits that the role cards leave of a hidden seat grow from each size to the next.",
    "The deducer gets a smaller share of what can be got (role cards minus exact) at 8 seats than at 4.",
    "The exact posterior takes away at least half of the bits at every size.",
    "The Heroine wins more often at 8 seats than at 4.",
)


def heroine_wins(players: int, deals: int, seed: int) -> Estimate:
    """How often the Heroine who is dealt wins, where deducers play."""
    heroine = ROLE_IDS.index("heroine")
    jobs = [Job((deal, 0), seed + deal, (0,) * players) for deal in range(deals)]
    won = []
    for result in play(jobs, [make("deducer", seed)], GameConfig(num_players=players, characters="random"), seed=seed):
        won.append(float(result.rewards[list(result.roles).index(heroine)] > 0))
    return estimate([np.array(won)], CONFIDENCE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--deals", type=int, default=600)
    parser.add_argument("--seed", type=int, default=40)
    parser.add_argument("--folder", type=Path, default=Path("runs/studies/group_size"))
    given = parser.parse_args()
    told: dict[str, dict[str, Estimate]] = {"frequencies": {}, "deducer": {}, "reference": {}, "heroine wins": {}}
    for players in SIZES:
        table = GameConfig(num_players=players, characters="random")
        study = TaskStudy(belief_models=("deducer",), agents=("deducer",), table=table, games=given.games, seed=given.seed, reference=True)
        found = findings(study, given.folder / str(players))
        for place, label in enumerate(labels_of(study)):
            told[label][str(players)] = over_games(found.scores.log_loss[:, place, 0], found.game, given.games)
        told["heroine wins"][str(players)] = heroine_wins(players, given.deals, given.seed)
        print(players, {name: plain(one[str(players)]) for name, one in told.items()}, flush=True)

    def got(size: int, who: str) -> float:
        return told["frequencies"][str(size)].mean - told[who][str(size)].mean

    left = [told["frequencies"][str(size)] for size in SIZES]
    shares = [got(size, "deducer") / got(size, "reference") for size in SIZES]
    taken = [got(size, "reference") / one.mean for size, one in zip(SIZES, left, strict=True)]
    few, many = told["heroine wins"]["4"], told["heroine wins"]["8"]
    came = [
        (", ".join(plain(one, 2) for one in left), all(a.high < b.low for a, b in itertools.pairwise(left))),
        (f"{shares[0]:.0%} at 4, {shares[-1]:.0%} at 8 ({', '.join(f'{one:.0%}' for one in shares)})", shares[-1] < shares[0]),
        (", ".join(f"{one:.0%}" for one in taken), min(taken) >= 0.5),
        (f"{plain(few, 2)} at 4, {plain(many, 2)} at 8", many.low > few.high),
    ]
    with plot(10, 3.6) as figure:
        bits, wins = figure.subplots(1, 2)
        names = {"frequencies": "role cards alone", "deducer": "deducer", "reference": "exact, open hands"}
        draw_lines(bits, [Line(name, SIZES, list(told[one].values()), COLORS[k]) for k, (one, name) in enumerate(names.items())])
        bits.set(title="What is left to know of a hidden seat", xlabel="seats", ylabel="log loss of the faction, bits", xticks=SIZES)
        bits.legend()
        draw_lines(wins, [Line("Heroine", SIZES, list(told["heroine wins"].values()), COLORS[3])])
        wins.set(title="The Heroine who is dealt wins", xlabel="seats", ylabel="share of the games", xticks=SIZES)
        picture = svg(figure)
    command = f"python experiments/studies/group_size.py --games {given.games} --deals {given.deals} --seed {given.seed}"
    keep(__file__, command, claims(PREDICTIONS, came), told, picture)


if __name__ == "__main__":
    main()
