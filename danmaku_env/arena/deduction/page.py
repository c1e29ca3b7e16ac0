"""A report on deduction as one HTML page that needs nothing else: pictures are inside, and whatever comes from outside is escaped."""

from __future__ import annotations

import math
from collections.abc import Sequence

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from danmaku_env.arena.deduction.games import LEVELS
from danmaku_env.arena.deduction.report import DeductionReport, EventType, Section
from danmaku_env.arena.deduction.scores import FLOOR
from danmaku_env.arena.deduction.show import finding
from danmaku_env.arena.reports.drawing import STYLE, colors_of, picture, templates
from danmaku_env.arena.reports.estimates import Estimate, finite, percent, plain

_TEMPLATE = "deduction/page.html.jinja"
_RARE = 0.002
"""Bins with a smaller share of the statements are not drawn."""
_MOST_EVENTS = 16
_LEAST = 0.02
"""Types of events that told nobody as many bits in a game are not drawn."""
_LINEAR = 0.05
"""Bits for one event up to which the axis is linear, and logarithmic from there on."""
_TICKS = (-3, -1, -0.3, -0.1, 0, 0.1, 0.3, 1, 3)


def page(report: DeductionReport) -> str:
    """The page's text."""
    environment = templates()
    environment.globals.update(plain=plain, percent=percent, math=math)
    return environment.get_template(_TEMPLATE).render(
        report=report,
        study=report.study,
        labels=report.labels,
        colors=colors_of(report.labels),
        levels=LEVELS,
        finding=finding(report),
        command=report.study.command(),
        floor=FLOOR,
        round_picture=_round_picture(report),
        group_picture=_group_picture(report),
        reliability_picture=_reliability_picture(report),
        event_picture=_event_picture(report),
    )


def _bounds(estimates: Sequence[Estimate]) -> tuple[list[float], list[float], list[float]]:
    """Means, and the ends of their intervals; where there is no interval, the mean."""
    halves = [finite(one.half) for one in estimates]
    means = [one.mean for one in estimates]
    return (
        means,
        [mean - half for mean, half in zip(means, halves, strict=True)],
        [mean + half for mean, half in zip(means, halves, strict=True)],
    )


def _round_picture(report: DeductionReport) -> str:
    """Log loss, and how often the likeliest camp is the true one, against the round; with bands."""
    rounds = report.by("round")
    places = list(range(len(rounds)))
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(10.6, 3.7), layout="constrained")
        panels = figure.subplots(1, 2)
        for axes, part, title in zip(
            panels, ("log_loss", "top1"), ("Log loss, bits for a hidden seat", "Likeliest camp is true"), strict=True
        ):
            for number, label in enumerate(report.labels):
                means, low, high = _bounds([getattr(section.qualities[LEVELS[0]][number], part) for section in rounds])
                axes.plot(places, means, color=colors_of(report.labels)[number], marker="o", markersize=4, label=label)
                axes.fill_between(places, low, high, color=colors_of(report.labels)[number], alpha=0.18, linewidth=0)
            axes.set(xticks=places, xticklabels=[section.name for section in rounds], xlabel="round", title=title)
            axes.grid(axis="y", color="#eaecf0", linewidth=0.8)
            axes.set_axisbelow(True)
        highest = max(quality.log_loss.mean for section in rounds for quality in section.qualities[LEVELS[0]])
        panels[0].set_ylim(0, 1.25 * highest)  # late rounds are few, and their bands wide
        panels[1].set_ylim(top=1)
        panels[1].yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
        panels[0].legend(loc="lower left")
        return picture(figure)


def _group_picture(report: DeductionReport) -> str:
    """Log loss by the role group of the observer and of the seat judged."""
    with mpl.rc_context({**STYLE, "axes.spines.left": False}):
        sides = (("observer", "Who deduces"), ("judged", "Whose role is deduced"))
        figure = Figure(figsize=(10.6, 0.9 + 0.55 * max(len(report.by(by)) for by, _ in sides)), layout="constrained")
        panels = figure.subplots(1, 2, sharex=True)
        for axes, (by, title) in zip(panels, sides, strict=True):
            _dots(axes, report, report.by(by))
            axes.set_title(title)
        panels[0].set_xlim(left=0)
        panels[1].legend(handles=[_dot(report, number) for number in range(len(report.labels))], loc="lower left")
        figure.supxlabel("log loss, bits for a hidden seat", fontsize=10)
        return picture(figure)


def _dots(axes: Axes, report: DeductionReport, sections: Sequence[Section]) -> None:
    """A line for each section, a dot with its interval for each believer."""
    for place, section in enumerate(reversed(sections)):
        axes.axhline(place, color="#eaecf0", linewidth=0.8, zorder=0)
        for number, quality in enumerate(section.qualities[LEVELS[0]]):
            shift = 0.16 * ((len(report.labels) - 1) / 2 - number)
            loss = quality.log_loss
            axes.errorbar(
                [loss.mean],
                [place + shift],
                xerr=[finite(loss.half)],
                color=colors_of(report.labels)[number],
                marker="o",
                markersize=5,
                capsize=3,
            )
    axes.set_ylim(-0.6, len(sections) - 0.4)
    axes.set_yticks(range(len(sections)), [section.name for section in reversed(sections)])
    axes.tick_params(left=False)


def _dot(report: DeductionReport, believer: int) -> Line2D:
    """Stands for a believer in a legend."""
    return Line2D([], [], color=colors_of(report.labels)[believer], marker="o", markersize=5, linestyle="", label=report.labels[believer])


def _reliability_picture(report: DeductionReport) -> str:
    """What was stated against how often it was so; the area of a dot grows with how often it was stated."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(10.6, 4.6), layout="constrained")
        for axes, level in zip(figure.subplots(1, 2), LEVELS, strict=True):
            axes.plot([0, 1], [0, 1], color="#888888", linewidth=0.8, linestyle="--")
            for number, label in enumerate(report.labels):
                every = report.reliability[level][number].bins
                most = max((count for count, _, _ in every), default=1)
                bins = [bin_ for bin_ in every if bin_[0] >= _RARE * sum(count for count, _, _ in every)]
                stated = [where for _, where, _ in bins]
                means, low, high = _bounds([true for _, _, true in bins])
                axes.vlines(stated, np.clip(low, 0, 1), np.clip(high, 0, 1), color=colors_of(report.labels)[number], linewidth=1, alpha=0.7)
                axes.plot(stated, means, color=colors_of(report.labels)[number], linewidth=1.2, label=label)
                axes.scatter(
                    stated,
                    means,
                    s=[12 + 90 * count / most for count, _, _ in bins],
                    color=colors_of(report.labels)[number],
                    alpha=0.85,
                    linewidths=0,
                )
            axes.set(
                xlim=(-0.03, 1.03),
                ylim=(-0.03, 1.03),
                aspect="equal",
                title=f"By {level}",
                xlabel="stated probability",
                ylabel="share that was so",
            )
            axes.xaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
            axes.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
            axes.legend(loc="upper left")
        return picture(figure)


def _drawn_events(report: DeductionReport) -> list[EventType]:
    """The types that told somebody something worth drawing, the most first."""

    def strength(event: EventType) -> float:
        return max(abs(one.mean) for one in event.whole[LEVELS[0]])

    strong = [event for event in report.events if strength(event) >= _LEAST]
    return sorted(strong, key=lambda event: -strength(event))[:_MOST_EVENTS]


def _event_picture(report: DeductionReport) -> str:
    """Bits in a game, and bits for one event, by type."""
    events = _drawn_events(report)
    level, believers = LEVELS[0], len(report.labels)
    with mpl.rc_context({**STYLE, "axes.spines.left": False}):
        figure = Figure(figsize=(10.6, 1.3 + (0.1 + 0.11 * believers) * max(1, len(events))), layout="constrained")
        panels = figure.subplots(1, 2, sharey=True)
        for axes, part, title in zip(panels, ("whole", "each"), ("In a game", "For one event"), strict=True):
            for number, label in enumerate(report.labels):
                found = [getattr(event, part)[level][number] for event in reversed(events)]
                places = [place + 0.8 * ((believers - 1) / 2 - number) / believers for place in range(len(events))]
                axes.barh(places, [one.mean for one in found], 0.72 / believers, color=colors_of(report.labels)[number], label=label)
                axes.errorbar(
                    [one.mean for one in found], places, xerr=[finite(one.half) for one in found], fmt="none", ecolor="#475467", lw=0.8
                )  # fmt: skip
            axes.axvline(0, color="#888888", linewidth=0.8)
            axes.set(title=title, xlabel="bits gained" if part == "whole" else f"bits gained; logarithmic beyond {_LINEAR:g}")
            axes.grid(axis="x", color="#eaecf0", linewidth=0.8)
            axes.set_axisbelow(True)
            axes.tick_params(left=False)
        panels[1].set_xscale("symlog", linthresh=_LINEAR, linscale=0.5)
        panels[1].set_xticks(_TICKS, [f"{tick:g}" for tick in _TICKS])
        panels[1].minorticks_off()
        panels[0].set_yticks(range(len(events)), [f"{event.name} ({event.per_game:.1f})" for event in reversed(events)])
        panels[0].set_ylim(-0.6, max(1, len(events)) - 0.4)
        panels[0].legend(loc="lower right")
        return picture(figure)
