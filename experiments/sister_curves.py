"""Curves of self-play in the sister games as one picture.

    python -m experiments.sister_curves runs/*/curve.csv      # keep the curves of runs in results/sister/selfplay.json, and draw them
    python -m experiments.sister_curves                       # draw what is kept

A run's folder is named after its game and seed: `utage-1`.
"""

from __future__ import annotations

import argparse
import csv
import json
from pathlib import Path

from danmaku_env.arena.reports import plots
from danmaku_env.arena.reports.style import COLORS
from danmaku_env.files import write_atomically

ROOT = Path(__file__).resolve().parent.parent
KEPT, PICTURE = ROOT / "results/sister/selfplay.json", ROOT / "docs/sister_learning.png"
MARKS = {"shisoroku": ("Shisouroku, first kingdom", "money"), "utage": ("Gensou no Utage, nine pairings", "greedy")}
"""Game -> its title, and the bot that it is measured against."""


def keep(curves: list[Path]) -> None:
    """Add the curves of runs to those that are kept. Raises OSError, and ValueError for a folder that names no game and seed."""
    kept = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    for path in curves:
        game, _, seed = path.parent.name.partition("-")
        if game not in MARKS or not seed.isdecimal():
            raise ValueError(f"{path.parent} is not named after a game and a seed, like utage-1")
        with path.open(encoding="utf-8", newline="") as file:
            points = list(csv.DictReader(file))
        kept.setdefault(game, {})[seed] = [{name: round(float(value), 4) for name, value in point.items()} for point in points]
    write_atomically(KEPT, (json.dumps(kept, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode())


def draw() -> None:
    """Draw payoff against the mark over processor seconds. Raises OSError."""
    kept = json.loads(KEPT.read_text("utf-8"))
    with plots.plot(9, 3.6) as figure:
        for axes, (game, (title, mark)) in zip(figure.subplots(1, len(MARKS)), MARKS.items(), strict=True):
            lines = []
            for color, (seed, points) in zip(COLORS, sorted(kept[game].items()), strict=False):
                values = [plots.Span(at[mark], at[mark] - at[f"{mark} ±"], at[mark] + at[f"{mark} ±"]) for at in points]
                lines.append(plots.Line(f"seed {seed}", [at["processor_seconds"] / 60 for at in points], values, color))
            plots.draw_lines(axes, lines)
            plots.mark_zero(axes, across=True)
            axes.set(title=title, xlabel="minutes of one core", ylabel=f"payoff against {mark} (99 %)", ylim=(-1.05, 1.05))
            axes.legend()
        write_atomically(PICTURE, plots.png(figure, 120))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("curves", nargs="*", type=Path, metavar="CURVE", help="the curve.csv of a run")
    given = parser.parse_args()
    if given.curves:
        keep(given.curves)
    draw()
