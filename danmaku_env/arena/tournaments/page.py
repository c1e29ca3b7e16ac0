"""A tournament as one HTML page that needs nothing else: plots are inside, and whatever comes from outside is escaped."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from danmaku_env.arena.reports.page import templates
from danmaku_env.arena.reports.plots import Dots, Line, as_image, draw_dots, draw_lines, mark_zero, plot, svg
from danmaku_env.arena.reports.style import colors_of
from danmaku_env.arena.tournaments.replay_pages import ReplayPage
from danmaku_env.arena.tournaments.report import Report, Section
from danmaku_env.arena.tournaments.tables import tables
from danmaku_env.estimates import Estimate, chance, percent

_TEMPLATE = "tournaments/page.html.jinja"
_MEASURE = "mean reward against the field, on the same deals"


def html_report(report: Report, plots: Mapping[str, bytes], pages: Sequence[ReplayPage] = ()) -> str:
    """The page's text, with these plots (those of `plots`) and links to these pages."""
    environment = templates()
    environment.globals.update(chance=chance, percent=percent, heat=_heat, ink=_ink, math=math)
    section = report.section()
    colors = colors_of(report.plan.labels)
    versions = {"seed": report.plan.seed, "time limit": f"{report.plan.time_limit:g} s for a decision", **report.versions}
    return environment.get_template(_TEMPLATE).render(
        report=report,
        pages=pages,
        plan=report.plan,
        labels=report.plan.labels,
        colors=colors,
        order=[standing.agent for standing in section.standings],
        differences=_differences(section),
        tables={name: table.html(colors) for name, table in tables(report).items()},
        images={name: as_image(drawn) for name, drawn in plots.items()},
        command=report.command(),
        made_by=versions,
    )


# ---------------------------------------------------------------- the pairwise table


def _differences(section: Section) -> dict[tuple[int, int], tuple[Estimate, float]]:
    """(row, column) -> the row's difference to the column, and the p-value among all comparisons."""
    cells = {}
    for pair in section.pairs:
        there = pair.difference
        cells[pair.first, pair.second] = (there, pair.holm)
        cells[pair.second, pair.first] = (-there, pair.holm)
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


# ---------------------------------------------------------------- plots


def plots(report: Report) -> dict[str, bytes]:
    """All plots that there are as SVG, by name."""
    found = {"ranking": _ranking_plot(report), "by_role": _role_plot(report)}
    return found | ({"by_players": _players_plot(report)} if len(report.plan.players) > 1 else {})


def _ranking_plot(report: Report) -> bytes:
    with plot(5.2, 0.9 + 0.45 * len(report.plan.agents)) as figure:
        axes = figure.subplots()
        draw_dots(axes, *_advantages(report, report.section()))
        mark_zero(axes)
        axes.set_xlabel(_MEASURE)
        return svg(figure)


def _role_plot(report: Report) -> bytes:
    """A panel for each faction, on one scale."""
    sections = [section for section in report.sections if section.players is None and section.faction]
    with plot(11, 1.1 + 0.42 * len(report.plan.agents)) as figure:
        panels = figure.subplots(1, len(sections), sharex=True, squeeze=False)[0]
        for place, (axes, section) in enumerate(zip(panels, sections, strict=True)):
            names, dots = _advantages(report, section)
            draw_dots(axes, names if place == 0 else [""] * len(names), dots)
            mark_zero(axes)
            axes.set_title(section.faction or "")
        figure.supxlabel(_MEASURE, fontsize=10)
        return svg(figure)


def _players_plot(report: Report) -> bytes:
    """The advantage over the field against the number of players."""
    players, labels = sorted(report.plan.players), report.plan.labels
    lines = []
    for agent in (standing.agent for standing in report.section().standings):
        found = [next(there for there in report.section(size).standings if there.agent == agent).advantage for size in players]
        lines.append(Line(labels[agent], players, found, colors_of(labels)[labels[agent]]))
    with plot(5.6, 3.2) as figure:
        axes = figure.subplots()
        draw_lines(axes, lines, bands=False, spread=0.05)
        mark_zero(axes, across=True)
        axes.set(xticks=players, xlabel="players", ylabel="reward against the field")
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
        return svg(figure)


def _advantages(report: Report, section: Section) -> tuple[list[str], list[Dots]]:
    """The agents, the best of all on top, and their advantage over the field in this section."""
    labels, by_agent = report.plan.labels, {standing.agent: standing.advantage for standing in section.standings}
    order = [standing.agent for standing in report.section().standings]
    names = [labels[agent] for agent in order]
    return names, [Dots("", [by_agent[agent] for agent in order], [colors_of(labels)[name] for name in names])]
