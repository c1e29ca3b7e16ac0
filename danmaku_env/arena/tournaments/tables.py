"""The tables of a tournament, in the terminal, on its page and as files."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

from rich.console import Group, RenderableType
from rich.text import Text

from danmaku_env.arena.reports.tables import AgentLabel, Column, Table
from danmaku_env.arena.tournaments.report import Report, Section
from danmaku_env.arena.tournaments.teams import SIDES, Teams
from danmaku_env.beliefs.factions import FACTIONS
from danmaku_env.estimates import chance, percent, signed

_FAULTS_SHOWN = 5


def _share(value: float) -> str:
    return f"{value:.1%}"


def _times(gain: float) -> str:
    return f"{gain:.2f} ×" if math.isfinite(gain) else "–"


def _words(name: str) -> Column:
    return Column(name, number=False)


def tables(report: Report) -> dict[str, Table]:
    """All tables that there are, by name."""
    found = [_ranking(report), _pairs(report)]
    if report.teams:
        found += [_teams(report, report.teams), _team_differences(report, report.teams)]
    factions = [(section.faction or "", section) for section in report.sections if section.players is None and section.faction]
    found.append(_matrix(report, "by_role", "By faction dealt: seats won, and reward against the field", factions))
    if any(there.harm for there in report.separations):
        found.append(_separations(report))
    if len(report.plan.players) > 1:
        sizes = [(f"{players} players", report.section(players)) for players in report.plan.players]
        found.append(_matrix(report, "by_players", "By table size: seats won, and reward against the field", sizes))
    if report.faults:
        found.append(_faults(report))
    return {table.name: table for table in found}


def _label(report: Report, agent: int) -> AgentLabel:
    return AgentLabel(report.plan.labels[agent])


def _ranking(report: Report) -> Table:
    games = f"{report.games:,} games on {report.section().standings[0].reward.deals:,} deals"
    columns = (
        _words("agent"), Column("seats won", _share), Column("reward", signed), Column("against the field", signed),
        Column("rating", lambda rating: f"{rating.mu:.1f} ± {rating.sigma:.1f}"),
    )  # fmt: skip
    rows = [
        (_label(report, one.agent), one.won, one.reward, one.advantage, report.ratings[one.agent]) for one in report.section().standings
    ]
    return Table.of("ranking", f"Ranking: {games}, {percent(report.confidence)} intervals", columns, rows)


def _pairs(report: Report) -> Table:
    columns = (
        _words("better"), _words("than"), Column("difference", signed), Column("p", chance), Column("p (Holm)", chance),
        Column("gain by replaying", _times),
    )  # fmt: skip
    gains = {frozenset((precision.first, precision.second)): precision.gain for precision in report.precision}
    rows = [
        (
            _label(report, pair.first), _label(report, pair.second), pair.difference, pair.difference.p, pair.holm,
            gains.get(frozenset((pair.first, pair.second)), math.nan),
        )
        for pair in report.section().pairs
    ]  # fmt: skip
    return Table.of("pairs", "Pairs: difference of the mean rewards on the same deal", columns, rows)


def _matrix(report: Report, name: str, title: str, sections: list[tuple[str, Section]]) -> Table:
    """Sections by agents: seats won, and the advantage over the field."""
    order = [standing.agent for standing in report.section().standings]
    parts = ("won", "against the field")
    columns = [Column(_label(report, agent), (_share, partial(signed, digits=2)), parts=parts) for agent in order]
    rows = []
    for words, section in sections:
        by_agent = {standing.agent: standing for standing in section.standings}
        rows.append((words, *((by_agent[agent].won, by_agent[agent].advantage) for agent in order)))
    return Table.of(name, title, (_words(""), *columns), rows)


def _teams(report: Report, teams: Teams) -> Table:
    columns = [_words(name) for name in SIDES]
    columns += [
        Column("won by her side", _share), Column("her side's reward", signed), Column("the others'", signed),
        Column("hers against all pairs", signed),
    ]  # fmt: skip
    rows = [(_label(report, row.heroine), _label(report, row.boss), row.won, row.hers, row.theirs, row.against_all) for row in teams.rows]
    title = "Teams: Heroine and Partners against everybody else, on the same deals; against all pairs: paired"
    return Table.of("teams", title, columns, rows)


def _team_differences(report: Report, teams: Teams) -> Table:
    columns = [*(_words(name) for name in ("as", "better", "than", "against")), Column("difference", signed), Column("p (Holm)", chance)]
    rows = []
    for row in teams.differences:
        names = (_label(report, agent) for agent in (row.first, row.second, row.against))
        rows.append((SIDES[row.side], *names, row.difference, row.holm))
    title = "Teams: difference of two agents on one side against the same agent, on the same deal"
    return Table.of("team_differences", title, columns, rows)


def _separations(report: Report) -> Table:
    """Agents by own faction: enemies harmed, and the share of the Heroine."""
    order = [standing.agent for standing in report.section().standings]
    says = (lambda share: share.words(),) * 2
    columns = [Column(_label(report, agent), says, parts=("enemies", "Heroine")) for agent in order]
    rows = []
    for faction in (faction for faction in FACTIONS if any(faction in there.harm for there in report.separations)):
        there = (report.separations[agent] for agent in order)
        rows.append((faction, *((one.harm.get(faction), one.heroine.get(faction)) for one in there)))
    title = "Role separation, in %: enemies among those harmed (by chance); the Heroine among those named (by chance)"
    return Table.of("role_separation", title, (_words("as"), *columns), rows)


def _faults(report: Report) -> Table:
    columns = [_words(name) for name in ("agent", "players/deal/game", "seat", "decision", "asked", "fault", "words")]
    rows = [
        (_label(report, fault.agent), "/".join(map(str, key)), fault.seat, fault.decision, fault.question, fault.kind, fault.words)
        for key, fault in report.faults
    ]
    return Table.of("faults", "Games lost by an agent's own fault", columns, rows)


# ---------------------------------------------------------------- in the terminal


def terminal_report(report: Report) -> RenderableType:
    """Everything a person at the terminal wants to know."""
    return Group(*_parts(report))


def _parts(report: Report) -> Iterator[RenderableType]:
    found = tables(report)
    yield found.pop("ranking").terminal()
    yield Text(report.ordering(), style="bold")
    yield Text("")
    yield found.pop("pairs").terminal()
    if report.precision:
        yield Text(report.precision_words())
    yield Text("")
    found.pop("faults", None)
    yield from (table.terminal() for table in found.values())
    yield from _fault_lines(report)


def _fault_lines(report: Report) -> Iterator[Text]:
    for label, counts in report.fault_counts().items():
        if counts:
            kinds = ", ".join(f"{number} {kind}" for kind, number in counts.items())
            yield Text(f"{label} lost {counts.total()} games by its own fault: {kinds}.", style="red")
    for key, fault in report.faults[:_FAULTS_SHOWN]:
        where = f"{key[0]} players, deal {key[1]}, game {key[2]}, decision {fault.decision}"
        yield Text(f"  {where}: {report.plan.labels[fault.agent]} in seat {fault.seat}, {fault.question}: {fault.kind}, {fault.words}")
    if len(report.faults) > _FAULTS_SHOWN:
        yield Text(f"  ... and {len(report.faults) - _FAULTS_SHOWN} more in the report")
