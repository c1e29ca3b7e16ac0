"""A report on deduction as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from danmaku_env.arena.deduction.games import LEVELS
from danmaku_env.arena.deduction.report import DeductionReport
from danmaku_env.arena.reports.estimates import percent, plain, signed

_SHOWN = 12
"""Types of events in the table."""
_WIDTH = 12
"""Characters of a number with its interval."""
_NOTHING = 1e-9
"""Bits that are rounding."""
_TITLES = {
    "round": "By round: bits of log loss for a hidden seat, by camp",
    "observer": "By the role group of the observer",
    "judged": "By the role group of the seat that is judged",
}


def show(report: DeductionReport) -> RenderableType:
    """Everything a person at the terminal wants to know."""
    return Group(*_parts(report))


def _parts(report: DeductionReport) -> Iterator[RenderableType]:
    yield _overall(report)
    for by in _TITLES:
        yield _slices(report, by)
    yield _events(report)
    yield Text(finding(report), style="bold")
    if report.left_out:
        yield Text(f"{report.left_out} positions were left out, because no deal of the roles fits what is known there.", style="red")


def finding(report: DeductionReport) -> str:
    """The main result in a sentence."""
    qualities = report.section().qualities[LEVELS[0]]
    first = qualities[0].log_loss.mean
    words = [f"Counting role cards leaves {first:.2f} bits of doubt about the camp of a hidden seat"]
    for label, quality in zip(report.labels[1:], qualities[1:], strict=True):
        saved = quality.saved
        how = "saves" if saved.low > 0 else "costs" if saved.high < 0 else "changes that by"
        amount = replace(saved, mean=abs(saved.mean)) if how != "changes that by" else saved
        words.append(f"{label} {how} {plain(amount, 2)}")
    return "; ".join(words) + "."


def _overall(report: DeductionReport) -> Table:
    section = report.section()
    about = f"{section.statements:,} statements about hidden seats in {report.study.games:,} games"
    table = Table(title=f"{about}, {percent(report.study.confidence)} intervals", title_justify="left")
    table.add_column("", overflow="fold")
    for name, width in (("log loss, bits", _WIDTH), ("saved", _WIDTH), ("Brier", 5), ("top-1", 6), ("calibration\nerror", 11)):
        table.add_column(name, justify="right", min_width=width)
    for level in LEVELS:
        table.add_row(f"by {level}", style="bold")
        for number, label in enumerate(report.labels):
            quality, error = section.qualities[level][number], report.reliability[level][number].error
            numbers = (f"{quality.brier.mean:.3f}", f"{quality.top1.mean:.1%}", f"{error.mean:.3f}")
            saved = plain(quality.saved, 2) if number else "–"
            table.add_row(Text(label), plain(quality.log_loss, 2), saved, *numbers)
        table.add_section()
    return table


def _slices(report: DeductionReport, by: str) -> Table:
    table = Table(title=_TITLES[by], title_justify="left")
    table.add_column("")
    for label in report.labels:
        table.add_column(Text(label), justify="right", min_width=_WIDTH, overflow="fold")
    for section in report.by(by):
        table.add_row(section.name, *(plain(quality.log_loss, 2) for quality in section.qualities[LEVELS[0]]))
    return table


def _events(report: DeductionReport) -> Table:
    level, shown = LEVELS[0], report.events[:_SHOWN]
    table = Table(title="Bits an event tells a spectator, about all hidden camps together", title_justify="left")
    table.add_column("event", no_wrap=True)
    table.add_column("in a\ngame", justify="right", min_width=4)
    for label in report.labels:
        table.add_column(Text(label), justify="right", min_width=_WIDTH, overflow="fold")
    for event in shown:
        table.add_row(
            event.name,
            f"{event.per_game:.1f}",
            *("–" if max(abs(one.mean), one.half) < _NOTHING else signed(one, 2) for one in event.each[level]),
        )
    table.add_section()
    table.add_row("all events of a game", "", *(signed(one, 2) for one in report.gained[level]))
    if len(report.events) > len(shown):
        table.caption = f"{len(report.events) - len(shown)} more types in the report"
    return table
