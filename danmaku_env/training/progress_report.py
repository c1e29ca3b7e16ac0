"""Progress of a training run: reward against random play and the heuristic, and role separation, as a line, a table and a plot.

Reward against random play alone misleads: a network that ignores roles can reach +0.4. So the three figures are always reported together.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from rich.console import Console

from danmaku_env import GameConfig
from danmaku_env.agents import registry
from danmaku_env.agents.base import Agent
from danmaku_env.agents.role_separation import TOLD_OF_HER, Separation, SeparationSums, unlisted
from danmaku_env.arena.matches import match
from danmaku_env.arena.reports import plots
from danmaku_env.arena.reports.style import COLORS, colors_of
from danmaku_env.estimates import estimate
from danmaku_env.game import write_atomically
from danmaku_env.nets.network import one_torch_thread
from danmaku_env.training.seeds import evaluation_seed

LOG = "log.txt"
"""The file of a run with its lines."""
CURVE = "curve.csv"
"""The file of a run with its points."""
PICTURE = "learning.png"
"""The file of a run with both as a picture."""
_CONFIDENCE = 0.95
_MOST_ROWS = 512
"""Games side by side."""
_HERS, _ENEMIES, _CHANCE = "to the Heroine", "enemies", " by chance"


@dataclass(frozen=True)
class CurveKind:
    """What the points of a curve say, in words."""

    against: Mapping[str, str]
    """Whom the agent is measured against, each the name of a number of every point -> what a picture calls that number."""
    before_names: str
    """What stands before the names in a line of the log."""
    title: str
    """Of a picture."""
    axis: str
    """The label of its axis, with the confidence of the intervals."""


HALVES = CurveKind(
    {"random": "above random play", "heuristic": "above the heuristic"}, "reward above",
    "Mean reward, half of the seats each", f"difference ({_CONFIDENCE:.0%} intervals)".replace("%", " %"),
)  # fmt: skip
"""What `measure` finds; whom the agent names is counted in the games with the last."""


@one_torch_thread()
def halves(agent: Agent, other: str, config: GameConfig, deals: int, seed: int) -> tuple[float, float, Separation]:
    """By how much an agent's mean reward exceeds another's, each in half of the seats; half of its 95 % interval; and whom the agent names.

    Every deal is played twice, the second time with the seats exchanged; the deal is the unit. Raises AgentError.
    """
    order, sums = np.random.default_rng(seed), SeparationSums()
    agents: list[Agent] = [agent, registry.make(other, seed)]
    jobs = []
    for deal in range(deals):
        first = order.permutation(config.num_players) % 2
        jobs += [match.Job((deal, turn), seed + deal, tuple((first ^ turn).tolist())) for turn in range(2)]
    lead: np.ndarray = np.zeros(deals)
    seats = {job.key: np.array(job.seats) for job in jobs}
    for result in match.play(jobs, agents, config, seed=seed, rows=min(_MOST_ROWS, len(jobs))):
        rewards, mine = np.array(result.rewards, np.float64), seats[result.key] == 0
        lead[result.key[0]] += (rewards[mine].mean() - rewards[~mine].mean()) / 2
        sums.take(unlisted(result.named)[np.flatnonzero(mine)].sum(0, keepdims=True))
    found = estimate([lead], _CONFIDENCE)
    return found.mean, (found.high - found.low) / 2, sums.separation(config)


def measure(agent: Agent, configs: Sequence[GameConfig], seed: int, deals: int) -> dict[str, float]:
    """The agent against each opponent of `HALVES`, on deals that were not trained on: the mean over the numbers of players.

    Role separation is that of its seats in the games against the last of them.
    """
    point: dict[str, float] = {}
    each = max(2, deals // len(configs))
    for other in HALVES.against:
        found = [halves(agent, other, config, each, evaluation_seed(seed)) for config in configs]
        point[other] = sum(lead for lead, _, _ in found) / len(found)
        point[f"{other} ±"] = math.sqrt(sum(half**2 for _, half, _ in found)) / len(found)
        named = separated(separation for _, _, separation in found)
    return point | named


def separated(found: Iterable[Separation]) -> dict[str, float]:
    """Role separation as numbers of a point: whom each faction names, and what chance gives; the mean over the choices."""
    counted: dict[str, tuple[float, float, float]] = {}
    for separation in found:
        for what, shares in ((_HERS, separation.heroine), (_ENEMIES, separation.harm)):
            for faction, share in shares.items():
                if share.choices:
                    sums = counted.get(f"{faction} {what}", (0.0, 0.0, 0.0))
                    more = (share.choices, share.choices * share.named, share.choices * share.chance)
                    counted[f"{faction} {what}"] = tuple(a + b for a, b in zip(sums, more, strict=True))  # type: ignore[assignment]
    point = {}
    for name, (choices, named, chance) in counted.items():
        point[name], point[name + _CHANCE] = named / choices, chance / choices
    return point


class Curve:
    """The points of a learning curve: name -> number, among them `decisions` and `seconds`."""

    def __init__(self, points: Sequence[Mapping[str, float]] = (), kind: CurveKind = HALVES) -> None:
        self.points, self.kind = [dict(point) for point in points], kind

    @classmethod
    def read(cls, data: Any, kind: CurveKind = HALVES) -> Self:
        """From the plain data of a checkpoint. Raises ValueError."""
        numbers = isinstance(data, list) and all(
            isinstance(point, dict) and all(type(value) in (int, float) and math.isfinite(value) for value in point.values())
            for point in data
        )
        if not numbers or not all({"decisions", "seconds", *kind.against} <= point.keys() for point in data):
            raise ValueError("the learning curve is no list of points")
        return cls(data, kind)

    def add(self, point: Mapping[str, float]) -> None:
        """Another point, in the place of those that are not before it; numbers that are not finite are left out."""
        self.points = [earlier for earlier in self.points if earlier["decisions"] < point["decisions"]]
        self.points.append({name: float(value) for name, value in point.items() if math.isfinite(value)})

    def line(self, number: int = -1) -> str:
        """A point, the last one where no other is asked for, in a line for a log."""
        point = self.points[number]
        words = [f"{point['decisions'] / 1e6:.2f} M decisions in {point['seconds']:.0f} s"]
        if "processor_seconds" in point:
            words[0] += f", {point['processor_seconds']:.0f} of processors"
        against = [f"{other} {point[other]:+.2f} ± {point.get(f'{other} ±', math.nan):.2f}" for other in self.kind.against]
        words.append(f"{self.kind.before_names} {', '.join(against)}")
        hers = [(faction, point[f"{faction} {_HERS}"]) for faction in TOLD_OF_HER if f"{faction} {_HERS}" in point]
        if hers:
            chance = point[f"{hers[0][0]} {_HERS}{_CHANCE}"]
            words.append(", ".join(f"{faction} {share:.0%}" for faction, share in hers) + f" to the Heroine (chance {chance:.0%})")
        return "; ".join(words).replace("%", " %")

    def save(self, folder: Path) -> None:
        """Write the points as a table, and as lines. Raises OSError."""
        names = list(dict.fromkeys(name for point in self.points for name in point))
        text = io.StringIO()
        writer = csv.DictWriter(text, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: f"{value:.6g}" for name, value in point.items()} for point in self.points)
        write_atomically(folder / CURVE, text.getvalue().encode())
        write_atomically(folder / LOG, "".join(f"{self.line(number)}\n" for number in range(len(self.points))).encode())

    def tell(self, folder: Path, console: Console, point: Mapping[str, float]) -> None:
        """Add a point, write all of them, and print a line. Raises OSError."""
        self.add(point)
        self.save(folder)
        console.print(self.line(), soft_wrap=True, highlight=False)

    def picture(self, folder: Path) -> None:
        """Draw reward, and role separation where there is any, over the decisions. Raises OSError."""
        if not self.points:
            return
        tells_roles = f"Stage Boss {_HERS}" in self.points[-1]
        with plots.plot(11 if tells_roles else 6, 4.2) as figure:
            left, *right = figure.subplots(1, 1 + tells_roles, squeeze=False)[0]
            colors = colors_of(self.kind.against)
            plots.draw_lines(left, [self._line(label, other, colors[other]) for other, label in self.kind.against.items()])
            plots.mark_zero(left, across=True)
            left.set(title=self.kind.title, xlabel="decisions (millions)", ylabel=self.kind.axis)
            if tells_roles:
                self._draw_roles(right[0])
            for axes in (left, *right):
                axes.legend()
            write_atomically(folder / PICTURE, plots.png(figure, 120))

    def _draw_roles(self, axes: Any) -> None:
        factions = zip(("Stage Boss", "Extra Boss", "Partner"), COLORS, strict=False)
        lines = [self._line(faction, f"{faction} {_HERS}", color, scale=100) for faction, color in factions]
        lines.append(self._line("chance", f"Stage Boss {_HERS}{_CHANCE}", COLORS[-1], scale=100, dashed=True))
        plots.draw_lines(axes, lines)
        title = "Role separation: choices of a seat that name the Heroine"
        axes.set(title=title, xlabel="decisions (millions)", ylabel="%", ylim=(0, 100))

    def _line(self, label: str, name: str, color: str, *, scale: float = 1, dashed: bool = False) -> plots.Line:
        """A number of the points, with its interval where there is one, over millions of decisions."""
        drawn = [point for point in self.points if name in point]
        halves = [point.get(f"{name} ±", 0.0) for point in drawn]
        spans = [plots.Span(*(scale * (point[name] + way * half) for way in (0, -1, 1))) for point, half in zip(drawn, halves, strict=True)]
        return plots.Line(label, [point["decisions"] / 1e6 for point in drawn], spans, color, dashed)
