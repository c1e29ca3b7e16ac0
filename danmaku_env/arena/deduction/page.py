"""A report on deduction as one HTML page that needs nothing else: plots are inside, and whatever comes from outside is escaped."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from danmaku_env.arena.deduction.games import LEVELS
from danmaku_env.arena.deduction.report import DeductionReport, EventType
from danmaku_env.arena.deduction.scores import LEAST_PROBABILITY
from danmaku_env.arena.deduction.tables import finding, tables
from danmaku_env.arena.reports.page import templates
from danmaku_env.arena.reports.plots import Dots, Line, as_image, draw_dots, draw_lines, mark_zero, plot, svg
from danmaku_env.arena.reports.style import colors_of
from danmaku_env.estimates import finite, percent, plain

_TEMPLATE = "deduction/page.html.jinja"
_RARE = 0.002
"""Bins with a smaller share of the statements are not drawn."""
_MOST_EVENTS = 16
_LEAST = 0.02
"""Types of events that told everybody fewer bits than this in a game are not drawn."""
_LINEAR = 0.05
"""Bits for one event up to which the axis is linear, and logarithmic from there on."""
_TICKS = (-3, -1, -0.3, -0.1, 0, 0.1, 0.3, 1, 3)


def html_report(report: DeductionReport, plots: Mapping[str, bytes]) -> str:
    """The page's text, with these plots (those of `plots`)."""
    environment = templates()
    environment.globals.update(plain=plain, percent=percent)
    colors = colors_of(report.labels)
    return environment.get_template(_TEMPLATE).render(
        report=report,
        study=report.study,
        labels=report.labels,
        finding=finding(report),
        least=LEAST_PROBABILITY,
        tables={name: table.html(colors) for name, table in tables(report).items()},
        images={name: as_image(drawn) for name, drawn in plots.items()},
        command=report.study.command(),
        made_by={"seed": report.study.seed, **report.versions},
    )


def plots(report: DeductionReport) -> dict[str, bytes]:
    """All plots as SVG, by name."""
    return {
        "by_round": _round_plot(report),
        "by_role": _role_plot(report),
        "reliability": _reliability_plot(report),
        "events": _event_plot(report),
    }


def _round_plot(report: DeductionReport) -> bytes:
    """Log loss, and how often the likeliest faction is the true one, against the round; with bands."""
    rounds, colors = report.by("round"), colors_of(report.labels)
    places, parts = range(len(rounds)), {"log_loss": "Log loss, bits for a hidden seat", "top1": "Likeliest faction is true"}
    with plot(10.6, 3.7) as figure:
        panels = figure.subplots(1, 2)
        for axes, (part, title) in zip(panels, parts.items(), strict=True):
            lines = []
            for number, label in enumerate(report.labels):
                values = [getattr(section.qualities[LEVELS[0]][number], part) for section in rounds]
                lines.append(Line(label, places, values, colors[label]))
            draw_lines(axes, lines)
            axes.set(xticks=places, xticklabels=[section.name for section in rounds], xlabel="round", title=title)
        highest = max(quality.log_loss.mean for section in rounds for quality in section.qualities[LEVELS[0]])
        panels[0].set_ylim(0, 1.25 * highest)  # late rounds are few, and their bands wide
        panels[1].set_ylim(top=1)
        panels[1].yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
        panels[0].legend(loc="lower left")
        return svg(figure)


def _role_plot(report: DeductionReport) -> bytes:
    """Log loss by the faction of the observer and of the seat judged."""
    sides, colors = {"observer": "Who deduces", "judged": "Whose role is deduced"}, colors_of(report.labels)
    with plot(10.6, 0.9 + 0.55 * max(len(report.by(by)) for by in sides)) as figure:
        panels = figure.subplots(1, 2, sharex=True)
        for axes, (by, title) in zip(panels, sides.items(), strict=True):
            sections, series = report.by(by), []
            for number, label in enumerate(report.labels):
                losses = [section.qualities[LEVELS[0]][number].log_loss for section in sections]
                series.append(Dots(label, losses, [colors[label]]))
            draw_dots(axes, [section.name for section in sections], series, stripes=True)
            axes.set_title(title)
        panels[0].set_xlim(left=0)
        panels[1].legend(loc="lower left")
        figure.supxlabel("log loss, bits for a hidden seat", fontsize=10)
        return svg(figure)


def _reliability_plot(report: DeductionReport) -> bytes:
    """What was stated against how often it was so; the area of a dot grows with how often it was stated."""
    colors = colors_of(report.labels)
    with plot(10.6, 4.6) as figure:
        for axes, level in zip(figure.subplots(1, 2), LEVELS, strict=True):
            axes.plot([0, 1], [0, 1], color="#888888", linewidth=0.8, linestyle="--")
            for number, label in enumerate(report.labels):
                every = report.reliability[level][number].bins
                most = max((count for count, _, _ in every), default=1)
                bins = [bin_ for bin_ in every if bin_[0] >= _RARE * sum(count for count, _, _ in every)]
                stated = [where for _, where, _ in bins]
                means = [true.mean for _, _, true in bins]
                low, high = ([mean + sign * finite(true.half) for mean, (_, _, true) in zip(means, bins, strict=True)] for sign in (-1, 1))
                axes.vlines(stated, np.clip(low, 0, 1), np.clip(high, 0, 1), color=colors[label], linewidth=1, alpha=0.7)
                axes.plot(stated, means, color=colors[label], linewidth=1.2, label=label)
                axes.scatter(
                    stated,
                    means,
                    s=[12 + 90 * count / most for count, _, _ in bins],
                    color=colors[label],
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
        return svg(figure)


def _drawn_events(report: DeductionReport) -> list[EventType]:
    """The types that told somebody something worth drawing, the most first."""

    def strength(event: EventType) -> float:
        return max(abs(one.mean) for one in event.whole[LEVELS[0]])

    strong = [event for event in report.events if strength(event) >= _LEAST]
    return sorted(strong, key=lambda event: -strength(event))[:_MOST_EVENTS]


def _event_plot(report: DeductionReport) -> bytes:
    """Bits in a game, and bits for one event, by type."""
    events = _drawn_events(report)
    level, models, colors = LEVELS[0], len(report.labels), colors_of(report.labels)
    with plot(10.6, 1.3 + (0.1 + 0.11 * models) * max(1, len(events)), **{"axes.spines.left": False}) as figure:
        panels = figure.subplots(1, 2, sharey=True)
        for axes, part, title in zip(panels, ("whole", "each"), ("In a game", "For one event"), strict=True):
            for number, label in enumerate(report.labels):
                found = [getattr(event, part)[level][number] for event in reversed(events)]
                places = [place + 0.8 * ((models - 1) / 2 - number) / models for place in range(len(events))]
                axes.barh(places, [one.mean for one in found], 0.72 / models, color=colors[label], label=label)
                axes.errorbar(
                    [one.mean for one in found], places, xerr=[finite(one.half) for one in found], fmt="none", ecolor="#475467", lw=0.8
                )  # fmt: skip
            mark_zero(axes)
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
        return svg(figure)
