"""How much is there to deduce, and who gets it?

    python experiments/studies/bits_by_round.py [--games 96] [--players 6] [--seed 39] [--folder runs/studies/bits_by_round]

Games of the heuristic and the deducer, advanced roles. At the first question of every turn each active seat states the role of every seat
that is hidden from it. The figure has the log loss of the faction by round: of the role cards, of three belief models, and of
Bayes by the players' own policies with all hands open, which nobody at the table can reach.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from danmaku_env import GameConfig
from danmaku_env.arena.deduction.games import Findings
from danmaku_env.arena.deduction.parts import labels_of
from danmaku_env.arena.reports.plots import Line, draw_lines, plot, svg
from danmaku_env.arena.reports.style import COLORS
from danmaku_env.benchmark.beliefs import TaskStudy
from danmaku_env.estimates import Estimate, plain
from experiments.studies.telling import claims, findings, keep, over_games

NETS = "neural:version=1"
BELIEF_MODELS = ("deducer", "deducer:belief=inverse_planning", NETS)
CALLED = {
    "frequencies": "role cards alone",
    BELIEF_MODELS[1]: "inverse planning",
    NETS: "nets (neural, version 1)",
    "reference": "exact, open hands",
}
LAST = 5
"""The last round that is told; few games are longer."""
PREDICTIONS = (
    "Over whole games the order is: role cards, deducer, inverse planning, exact, each step shown at 99 % by paired differences.",
    "The nets get no more than inverse planning, by which they are corrected: no difference of more than 0.03 bits.",
    "The nets get at least half of what can be got (role cards minus exact) by round 3, and less than half in round 1.",
    "By round 3 the exact posterior leaves less than a tenth of a bit.",
)


def losses(found: Findings, labels: tuple[str, ...], rounds: np.ndarray, games: int) -> dict[str, dict[str, Estimate]]:
    """Who -> round, or `all` -> bits of log loss of the faction."""
    told = {}
    for place, label in enumerate(labels):
        bits = found.scores.log_loss[:, place, 0]
        told[label] = {"all": over_games(bits, found.game, games)}
        told[label] |= {str(one): over_games(bits, found.game, games, rounds == one) for one in range(1, LAST + 1)}
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=96)
    parser.add_argument("--players", type=int, default=6)
    parser.add_argument("--seed", type=int, default=39)
    parser.add_argument("--folder", type=Path, default=Path("runs/studies/bits_by_round"))
    given = parser.parse_args()
    table = GameConfig(num_players=given.players, characters="random")
    study = TaskStudy(
        belief_models=BELIEF_MODELS, agents=("heuristic", "deducer"), table=table, games=given.games, seed=given.seed, reference=True
    )  # fmt: skip
    found, labels = findings(study, given.folder), labels_of(study)
    rounds = (found.turn - 1) // given.players + 1
    told = losses(found, labels, rounds, given.games)
    bits = {label: found.scores.log_loss[:, place, 0] for place, label in enumerate(labels)}

    def less(one: str, other: str) -> Estimate:
        return over_games(bits[one] - bits[other], found.game, given.games)

    def share(when: str) -> float:
        return (told[labels[0]][when].mean - told[NETS][when].mean) / (told[labels[0]][when].mean - told["reference"][when].mean)

    order = (labels[0], "deducer", BELIEF_MODELS[1], "reference")
    steps = [less(one, other) for one, other in itertools.pairwise(order)]
    nets, last = less(NETS, BELIEF_MODELS[1]), told["reference"]["3"]
    came = [
        (f"steps of {', '.join(plain(step) for step in steps)} bits", all(step.low > 0 for step in steps)),
        (f"nets minus inverse planning: {plain(nets)} bits", nets.low > -0.03 and nets.high < 0.03),
        (f"{share('1'):.0%} in round 1, {share('2'):.0%} in round 2, {share('3'):.0%} in round 3", share("3") >= 0.5 > share("1")),
        (f"{plain(last)} bits in round 3", last.high < 0.1),
    ]
    with plot(8, 3.8) as figure:
        axes = figure.subplots()
        lines = [
            Line(CALLED.get(label, label), range(1, LAST + 1), [told[label][str(one)] for one in range(1, LAST + 1)], COLORS[place])
            for place, label in enumerate(labels)
        ]
        draw_lines(axes, lines)
        axes.set(
            title="What is left to know of a hidden seat", xlabel="round", ylabel="log loss of the faction, bits", xticks=range(1, LAST + 1)
        )
        axes.legend()
        picture = svg(figure)
    command = f"python experiments/studies/bits_by_round.py --games {given.games} --players {given.players} --seed {given.seed}"
    keep(__file__, command, claims(PREDICTIONS, came), {"log loss of the faction": told, "statements": len(found.game)}, picture)


if __name__ == "__main__":
    main()
