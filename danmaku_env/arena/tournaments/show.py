"""A report as tables for the terminal."""

from __future__ import annotations

import math
from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from danmaku_env.arena.reports.estimates import chance, percent, signed
from danmaku_env.arena.tournaments.report import Report, Section
from danmaku_env.arena.tournaments.teams import SIDES, Teams
from danmaku_env.beliefs.factions import GROUPS

_FAULTS_SHOWN = 5


def show(report: Report) -> RenderableType:
    """Everything a person at the terminal wants to know."""
    return Group(*_parts(report))


def _parts(report: Report) -> Iterator[RenderableType]:
    yield _ranking(report)
    yield Text(report.ordering(), style="bold")
    yield Text("")
    yield _pairs(report)
    if report.precision:
        yield Text(report.precision_words())
    yield Text("")
    if report.teams:
        yield _teams(report, report.teams)
        yield _team_differences(report, report.teams)
    yield _groups(report)
    if any(there.harm for there in report.separations):
        yield _separations(report)
    if len(report.plan.players) > 1:
        yield _players(report)
    if report.faults:
        yield _faults(report)


def _ranking(report: Report) -> Table:
    games = f"{report.games:,} games on {report.section().standings[0].reward.deals:,} deals"
    table = Table(title=f"Ranking: {games}, {percent(report.confidence)} intervals", title_justify="left")
    table.add_column("agent", overflow="fold")
    for name in ("seats won", "reward", "against the field", "rating"):
        table.add_column(name, justify="right")
    for standing in report.section().standings:
        rating = report.ratings[standing.agent]
        table.add_row(
            Text(report.plan.labels[standing.agent]),
            f"{standing.won:.1%}",
            signed(standing.reward),
            signed(standing.advantage),
            f"{rating.mu:.1f} ± {rating.sigma:.1f}",
        )
    return table


def _pairs(report: Report) -> Table:
    table = Table(title="Pairs: difference of the mean rewards on the same deal", title_justify="left")
    for name in ("better", "than"):
        table.add_column(name, overflow="fold")
    for name in ("difference", "p", "gain by replaying"):
        table.add_column(name, justify="right")
    gains = {frozenset((precision.first, precision.second)): precision.gain for precision in report.precision}
    for pair in report.section().pairs:
        first, second = report.plan.labels[pair.first], report.plan.labels[pair.second]
        gain = gains.get(frozenset((pair.first, pair.second)), math.nan)
        times = f"{gain:.2f} ×" if math.isfinite(gain) else "–"
        table.add_row(Text(first), Text(second), signed(pair.difference), chance(pair.difference.p), times)
    return table


def _matrix(report: Report, title: str, sections: list[tuple[str, Section]]) -> Table:
    """Sections by agents: seats won, and the advantage over the field."""
    table = Table(title=title, title_justify="left")
    table.add_column("")
    order = [standing.agent for standing in report.section().standings]
    for agent in order:
        table.add_column(Text(report.plan.labels[agent], overflow="fold"), justify="right")
    for name, section in sections:
        by_agent = {standing.agent: standing for standing in section.standings}
        table.add_row(name, *(f"{by_agent[agent].won:.1%}\n{signed(by_agent[agent].advantage, 2)}" for agent in order))
    return table


def _groups(report: Report) -> Table:
    sections = [(section.group, section) for section in report.sections if section.players is None and section.group]
    return _matrix(report, "By role group dealt: seats won, and reward against the field", sections)


def _players(report: Report) -> Table:
    sections = [(f"{players} players", report.section(players)) for players in report.plan.players]
    return _matrix(report, "By table size: seats won, and reward against the field", sections)


def _teams(report: Report, teams: Teams) -> Table:
    title = "Teams: Heroine and Partners against everybody else, on the same deals; against all pairs: paired"
    table = Table(title=title, title_justify="left")
    for name in SIDES:
        table.add_column(name, overflow="fold")
    for name in ("won by her side", "her side's reward", "the others'", "hers against all pairs"):
        table.add_column(name, justify="right")
    for row in teams.rows:
        names = Text(report.plan.labels[row.heroine]), Text(report.plan.labels[row.boss])
        table.add_row(*names, f"{row.won:.1%}", signed(row.hers), signed(row.theirs), signed(row.against_all))
    return table


def _team_differences(report: Report, teams: Teams) -> Table:
    table = Table(title="Teams: difference of two agents on one side against the same agent, on the same deal", title_justify="left")
    for name in ("as", "better", "than", "against"):
        table.add_column(name, overflow="fold")
    for name in ("difference", "p (Holm)"):
        table.add_column(name, justify="right")
    for row in teams.differences:
        names = (Text(report.plan.labels[agent]) for agent in (row.first, row.second, row.against))
        table.add_row(SIDES[row.side], *names, signed(row.difference), chance(row.holm))
    return table


def _separations(report: Report) -> Table:
    """Agents by own role group: enemies harmed, and the share of the Heroine."""
    title = "Role separation, in %: enemies among those harmed (by chance); the Heroine among those named (by chance)"
    table = Table(title=title, title_justify="left")
    table.add_column("as")
    order = [standing.agent for standing in report.section().standings]
    for agent in order:
        table.add_column(Text(report.plan.labels[agent], overflow="fold"), justify="right")
    for group in separated_groups(report):
        shares = [(report.separations[agent].harm.get(group), report.separations[agent].heroine.get(group)) for agent in order]
        table.add_row(group, *("\n".join(share.words() if share else "–" for share in pair) for pair in shares))
    return table


def separated_groups(report: Report) -> list[str]:
    """The role groups of which somebody has named a seat."""
    return [group for group in GROUPS if any(group in there.harm for there in report.separations)]


def _faults(report: Report) -> RenderableType:
    lines = []
    for label, counts in report.fault_counts().items():
        if counts:
            kinds = ", ".join(f"{number} {kind}" for kind, number in counts.items())
            lines.append(Text(f"{label} lost {counts.total()} games by its own fault: {kinds}.", style="red"))
    for key, fault in report.faults[:_FAULTS_SHOWN]:
        where = f"{key[0]} players, deal {key[1]}, game {key[2]}, decision {fault.decision}"
        lines.append(
            Text(f"  {where}: {report.plan.labels[fault.agent]} in seat {fault.seat}, {fault.question}: {fault.kind}, {fault.words}")
        )
    if len(report.faults) > _FAULTS_SHOWN:
        lines.append(Text(f"  ... and {len(report.faults) - _FAULTS_SHOWN} more in the report"))
    return Group(*lines)
