"""A report as one HTML page that needs nothing else: pictures are inside, and whatever comes from outside is escaped."""

from __future__ import annotations

import math
from collections.abc import Sequence

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from danmaku_env.arena.reports.drawing import STYLE, colors_of, picture, templates
from danmaku_env.arena.reports.estimates import Estimate, chance, finite, percent, signed
from danmaku_env.arena.tournaments.films import Film
from danmaku_env.arena.tournaments.report import Report, Section
from danmaku_env.arena.tournaments.show import separated_groups
from danmaku_env.arena.tournaments.teams import SIDES

_TEMPLATE = "tournaments/page.html.jinja"
_STYLE = {**STYLE, "axes.spines.left": False}


def page(report: Report, films: Sequence[Film] = ()) -> str:
    """The page's text; it links these films."""
    environment = templates()
    environment.globals.update(signed=signed, chance=chance, percent=percent, heat=_heat, ink=_ink, math=math)
    section = report.section()
    return environment.get_template(_TEMPLATE).render(
        report=report,
        films=films,
        plan=report.plan,
        labels=report.plan.labels,
        colors=colors_of(report.plan.labels),
        overall=section,
        order=[standing.agent for standing in section.standings],
        differences=_differences(section),
        groups=[section for section in report.sections if section.players is None and section.group],
        separated=separated_groups(report),
        sides=SIDES,
        sizes=[report.section(players) for players in report.plan.players] if len(report.plan.players) > 1 else [],
        ranking_picture=_ranking_picture(report),
        group_picture=_group_picture(report),
        size_picture=_size_picture(report) if len(report.plan.players) > 1 else None,
    )


# ---------------------------------------------------------------- the pairwise table


def _differences(section: Section) -> dict[tuple[int, int], tuple[Estimate, float]]:
    """(row, column) -> the row's difference to the column, and the p-value among all comparisons."""
    cells = {}
    for pair in section.pairs:
        there = pair.difference
        cells[pair.first, pair.second] = (there, pair.holm)
        cells[pair.second, pair.first] = (Estimate(there.deals, -there.mean, -there.high, -there.low, there.p), pair.holm)
    return cells


def _strength(mean: float) -> float:
    """How strongly a difference is coloured: from -1 to 1, the square root so that small ones still show."""
    return math.copysign(min(1.0, math.sqrt(abs(mean))), mean)


def _heat(mean: float) -> str:
    """The background of a difference: blue above 0, red below."""
    strength = _strength(mean)
    far = (38, 97, 180) if strength > 0 else (196, 69, 54)
    red, green, blue = (round(255 + (channel - 255) * abs(strength)) for channel in far)
    return f"rgb({red} {green} {blue})"


def _ink(mean: float) -> str:
    """The text colour that can be read on it."""
    return "#ffffff" if abs(_strength(mean)) > 0.7 else "#1c1e26"


# ---------------------------------------------------------------- pictures


def _ranking_picture(report: Report) -> str:
    section = report.section()
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(5.2, 0.9 + 0.45 * len(section.standings)), layout="constrained")
        axes = figure.subplots()
        _dots(axes, report, section)
        axes.set_xlabel("mean reward against the field, on the same deals")
        return picture(figure)


def _group_picture(report: Report) -> str:
    """A panel for each role group, on one scale."""
    sections = [section for section in report.sections if section.players is None and section.group]
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(11, 1.1 + 0.42 * len(report.plan.agents)), layout="constrained")
        panels = figure.subplots(1, len(sections), sharex=True, squeeze=False)[0]
        order = [standing.agent for standing in report.section().standings]
        for place, (axes, section) in enumerate(zip(panels, sections, strict=True)):
            _dots(axes, report, section, order=order, names=place == 0)
            axes.set_title(section.group or "")
        figure.supxlabel("mean reward against the field, on the same deals", fontsize=10)
        return picture(figure)


def _size_picture(report: Report) -> str:
    """The advantage over the field against the number of players."""
    players = sorted(report.plan.players)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(5.6, 3.2), layout="constrained")
        axes = figure.subplots()
        for standing in report.section().standings:
            agent = standing.agent
            found = [next(there for there in report.section(size).standings if there.agent == agent).advantage for size in players]
            shift = 0.05 * (agent - (len(report.plan.agents) - 1) / 2)
            axes.errorbar(
                [size + shift for size in players],
                [there.mean for there in found],
                yerr=[finite(there.half) for there in found],
                color=colors_of(report.plan.labels)[agent], marker="o", capsize=3, label=report.plan.labels[agent],
            )  # fmt: skip
        axes.axhline(0, color="#888888", linewidth=0.8)
        axes.set(xticks=players, xlabel="players", ylabel="reward against the field")
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
        return picture(figure)


def _dots(axes: Axes, report: Report, section: Section, *, order: Sequence[int] | None = None, names: bool = True) -> None:
    """A line for each agent, the best on top: its advantage over the field with its interval."""
    by_agent = {standing.agent: standing for standing in section.standings}
    order = list(by_agent) if order is None else order
    for place, agent in enumerate(reversed(order)):
        there = by_agent[agent].advantage
        axes.errorbar(
            [there.mean],
            [place],
            xerr=[finite(there.half)],
            color=colors_of(report.plan.labels)[agent],
            marker="o",
            markersize=7,
            capsize=4,
            lw=2,
        )
    axes.axvline(0, color="#888888", linewidth=0.8)
    axes.set_ylim(-0.6, len(order) - 0.4)
    labels = [report.plan.labels[agent] for agent in reversed(order)] if names else [""] * len(order)
    axes.set_yticks(range(len(order)), [label if len(label) <= 28 else f"{label[:26]} …" for label in labels])
    axes.tick_params(left=False)
