"""When do roles begin to pay?

    python experiments/studies/when_roles_pay.py [--seeds 21,22,23] [--deals 400] [--folder runs/studies/when_roles_pay]

The self-play trainer learns Tiny-v0 twice for each seed, with roles in its rows and with all roles cut out of them, and stops at four
budgets. There the two nets of a seed play each other: each has half of the seats, and every deal is played twice with the seats exchanged.
How often Stage Bosses name the Heroine is counted in the same games. Intervals are 95 % over deals, and over seeds for the mean.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from danmaku_env import GameConfig
from danmaku_env.agents.neural import NeuralAgent
from danmaku_env.arena.reports.plots import Line, draw_lines, mark_zero, plot, svg
from danmaku_env.arena.reports.style import COLORS
from danmaku_env.estimates import Estimate, estimate, signed
from danmaku_env.game import write_atomically
from danmaku_env.nets.checkpoints import CHECKPOINT, read_tensors
from danmaku_env.training.progress_report import halves
from danmaku_env.training.seeds import evaluation_seed
from experiments.studies.telling import claims, keep
from experiments.tiny_roles import TABLE, trained

BUDGETS = (25_000, 50_000, 100_000, 200_000)
"""Decisions of training."""
_CONFIDENCE = 0.95
PREDICTIONS = (
    "After 25,000 decisions roles do not pay yet: over the seeds the interval of the difference holds 0.",
    "After 200,000 decisions the net with roles is ahead of the one without in every seed, at 95 % over deals.",
    "Roles are listened to before they pay: at the first budget at which Stage Bosses name the Heroine 1.5 times as often as chance in "
    "every seed, roles do not yet pay in every seed.",
)


def net_at(seed: int, blind: bool, decisions: int, folder: Path) -> Path:
    """The net of a run at a budget, kept in a file of its own."""
    run = folder / f"{'blind' if blind else 'roles'}-{seed}"
    kept = run / f"at-{decisions}.safetensors"
    if not kept.exists():
        trained(seed, blind, decisions, run)
        write_atomically(kept, (run / CHECKPOINT).read_bytes())
    return kept


def compared(seed: int, decisions: int, folder: Path, deals: int) -> dict[str, Any]:
    """The net with roles against the one without."""
    mine, other = (net_at(seed, blind, decisions, folder) for blind in (False, True))
    agent = NeuralAgent(mine, seed, greedy=False)
    lead, half, named = halves(agent, f"neural:{other},greedy=no", GameConfig.named(TABLE), deals, evaluation_seed(2))
    share = named.heroine["Stage Boss"]
    made = read_tensors(mine)[1]["decisions"]
    return {"seed": seed, "decisions": decisions, "made": made, "lead": lead, "half": half, "times chance": share.named / share.chance}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", default="21,22,23")
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--folder", type=Path, default=Path("runs/studies/when_roles_pay"))
    given = parser.parse_args()
    seeds = list(map(int, given.seeds.split(",")))
    rows = []
    for seed in seeds:
        for decisions in BUDGETS:
            rows.append(compared(seed, decisions, given.folder, given.deals))
            print(rows[-1], flush=True)
    at = {decisions: [row for row in rows if row["decisions"] == decisions] for decisions in BUDGETS}
    mean = {decisions: estimate([np.array([row["lead"] for row in some])], _CONFIDENCE) for decisions, some in at.items()}
    heard = next((one for one, some in at.items() if min(row["times chance"] for row in some) >= 1.5), None)
    pays = {one: all(row["lead"] > row["half"] for row in some) for one, some in at.items()}
    first, last = mean[BUDGETS[0]], at[BUDGETS[-1]]
    when = next((f"{one:,}" for one in BUDGETS if pays[one]), "none of them")
    came = [
        (f"{signed(first)} over {len(seeds)} seeds", first.low <= 0 <= first.high),
        (", ".join(f"{row['lead']:+.2f} ± {row['half']:.2f}" for row in last), pays[BUDGETS[-1]]),
        (f"listened to at {heard and f'{heard:,}'}, paying in every seed at {when}", heard is not None and not pays[heard]),
    ]
    with plot(9, 3.4) as figure:
        left, right = figure.subplots(1, 2)
        x = [one / 1000 for one in BUDGETS]
        for place, seed in enumerate(seeds):
            mine = [row for row in rows if row["seed"] == seed]
            leads = [Estimate(given.deals, row["lead"], row["lead"] - row["half"], row["lead"] + row["half"], 1.0) for row in mine]
            draw_lines(left, [Line(f"seed {seed}", x, leads, COLORS[place])], bands=False)
            right.plot(x, [row["times chance"] for row in mine], color=COLORS[place], marker="o", markersize=4)
        mark_zero(left, across=True)
        left.set(title="Reward of the net with roles above that without", xlabel="decisions of training (thousands)", xscale="log")
        right.axhline(1, color="#888888", linewidth=0.8)
        right.set(title="Stage Boss names the Heroine, times chance", xlabel="decisions of training (thousands)", xscale="log")
        for axes in (left, right):
            axes.set_xticks(x, [f"{one:g}" for one in x])
            axes.minorticks_off()
        left.legend()
        picture = svg(figure)
    command = f"python experiments/studies/when_roles_pay.py --seeds {given.seeds} --deals {given.deals}"
    keep(
        __file__,
        command,
        claims(PREDICTIONS, came),
        {"mean over seeds": {str(one): value for one, value in mean.items()}, "runs": rows},
        picture,
    )


if __name__ == "__main__":
    main()
