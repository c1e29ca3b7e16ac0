"""The tables of a study of deduction, in the terminal, on its page and as files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from rich.console import Group, RenderableType
from rich.text import Text

from danmaku_env.arena.deduction.games import LEVELS
from danmaku_env.arena.deduction.report import DeductionReport
from danmaku_env.arena.reports.tables import AgentLabel, Column, Table
from danmaku_env.estimates import Estimate, finite, percent, plain, signed

_SHOWN = 12
"""Types of events in the terminal."""
_NOTHING = 1e-9
"""Bits that are rounding."""
_TITLES = {
    "round": "By round: bits of log loss for a hidden seat, by faction",
    "observer": "By the faction of the observer",
    "judged": "By the faction of the seat that is judged",
}
_FIRST = Column("", number=False)


def tables(report: DeductionReport) -> dict[str, Table]:
    """All tables, by name."""
    found = [_overall(report), *(_slices(report, by) for by in _TITLES), *(_events(report, part) for part in ("each", "whole"))]
    return {table.name: table for table in found}


def finding(report: DeductionReport) -> str:
    """The main result in a sentence."""
    qualities = report.section().qualities[LEVELS[0]]
    first = qualities[0].log_loss.mean
    words = [f"Counting role cards leaves {first:.2f} bits of doubt about the faction of a hidden seat"]
    for label, quality in zip(report.labels[1:], qualities[1:], strict=True):
        saved = quality.saved
        if saved.low > 0 or saved.high < 0:
            words.append(f"{label} {'saves' if saved.low > 0 else 'costs'} {plain(replace(saved, mean=abs(saved.mean)), 2)}")
        else:
            words.append(f"whether {label} saves any of it is not shown: {signed(saved, 2)} bits")
    return "; ".join(words) + "."


def _overall(report: DeductionReport) -> Table:
    two = partial(plain, digits=2)
    columns = (
        Column("belief model", number=False), Column("log loss, bits", two), Column("saved", two),
        Column("Brier", lambda value: f"{value.mean:.3f}"), Column("top-1", lambda value: f"{value.mean:.1%}"),
        Column("calibration error", lambda value: f"{value.mean:.3f}"),
    )  # fmt: skip
    sections = []
    for level in LEVELS:
        rows = []
        for number, (label, quality) in enumerate(zip(report.labels, report.section().qualities[level], strict=True)):
            saved, error = quality.saved if number else None, report.reliability[level][number].error
            rows.append((AgentLabel(label), quality.log_loss, saved, quality.brier, quality.top1, error))
        sections.append((f"by {level}", rows))
    about = f"{report.section().statements:,} statements about hidden seats in {report.study.games:,} games"
    return Table("overall", f"{about}, {percent(report.study.confidence)} intervals", columns, tuple(sections))


def _slices(report: DeductionReport, by: str) -> Table:
    columns = [
        _FIRST,
        *(Column(AgentLabel(label), partial(plain, digits=2)) for label in report.labels),
        Column("statements", "{:,}".format),
    ]
    rows = [
        (section.name, *(quality.log_loss for quality in section.qualities[LEVELS[0]]), section.statements) for section in report.by(by)
    ]
    return Table.of(f"by_{by}", _TITLES[by], columns, rows)


def _events(report: DeductionReport, part: str) -> Table:
    """Bits for one event (`each`), or in a game (`whole`)."""
    level = LEVELS[0]
    columns = [Column("event", number=False), Column("in a game", lambda number: f"{number:.1f}")]
    columns += [Column(AgentLabel(label), _gain) for label in report.labels]
    rows = [(event.name, event.per_game, *getattr(event, part)[level]) for event in report.events]
    every = [("all events of a game", None, *report.gained[level])]
    about = "an event tells" if part == "each" else "the events of a type tell in a game"
    title = f"Bits {about} a spectator, about all hidden factions together"
    return Table(f"events_{part}", title, tuple(columns), (("", rows), ("", every)))


def _gain(value: Estimate) -> str:
    return "–" if max(abs(value.mean), finite(value.half)) < _NOTHING else signed(value, 2)


# ---------------------------------------------------------------- in the terminal


def terminal_report(report: DeductionReport) -> RenderableType:
    """Everything a person at the terminal wants to know."""
    return Group(*_parts(report))


def _parts(report: DeductionReport) -> Iterator[RenderableType]:
    found = tables(report)
    del found["events_whole"]
    events = found.pop("events_each")
    yield from (table.terminal() for table in found.values())
    yield events.terminal(_SHOWN)
    yield Text(finding(report), style="bold")
    if report.left_out:
        yield Text(f"{report.left_out} positions were left out, because no deal of the roles fits what is known there.", style="red")
