"""The pictures of the board: what trainers reach against each member of the panel and along training, and reward by time."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import NullFormatter

from danmaku_env.arena.reports.plots import Line, draw_lines, mark_zero, plot, svg
from danmaku_env.arena.reports.style import COLORS
from danmaku_env.benchmark.result import Sums, TaskResult
from danmaku_env.benchmark.task import Task

_ALONG = {
    "random": "above random play",
    "heuristic": "above the heuristic",
    "Stage Boss to the Heroine": "Stage Bosses: the Heroine, %",
    "Partner to the Heroine": "Partners: the Heroine, %",
}
"""Columns of a learning curve -> what they are; a share has its chance beside it."""
_NAMED = "to the Heroine"
_BY_CHANCE = "#999999"
_MILLION = 1e6

Pictures = dict[str, tuple[str, Callable[[], bytes]]]
"""Name of a file -> what is to be seen in it, and what draws it as SVG."""


def pictures_of(task: Task, results: Sequence[TaskResult]) -> Pictures:
    """The pictures of a task that is played against a panel: learning curves of trained entries, reward by time of the others."""
    if task.kind != "panel":
        return {}
    results = [result for result in results if result.size == "whole"] or results
    trained = [result for result in results if result.trainer and result.decisions]
    others = [result for result in results if not result.decisions and result.more.get("milliseconds a decision")]
    found: Pictures = {}
    if trained:
        found[f"{task.name}.svg"] = f"Learning curves of {task.name}", functools.partial(_curves, task, trained)
    if len(others) > 1:
        found[f"{task.name}-time.svg"] = f"Reward by time, {task.name}", functools.partial(_by_time, task, others)
    return found


def _curves(task: Task, results: Sequence[TaskResult]) -> bytes:
    """Above: reward over each member of the panel, a dot for each seed and a line through their means. Below: along training."""
    trainers = list(dict.fromkeys(result.trainer for result in results))
    along = [column for column in _ALONG if any(_points(result, column) for result in results)]
    columns = max(len(task.population), len(along))
    with plot(3.2 * columns, 6.2 if along else 3.4) as figure:
        above, *below = figure.subplots(2 if along else 1, columns, squeeze=False)
        rewards = dict(zip((f"reward above {member}" for member in task.population), above, strict=False))
        curves = dict(zip(along, *below, strict=False))
        for number, trainer in enumerate(trainers):
            mine, colour = [result for result in results if result.trainer == trainer], COLORS[number % len(COLORS)]
            for metric, axes in rewards.items():
                _draw_budgets(axes, metric, mine, trainer, colour)
            for column, axes in curves.items():
                for result in mine:
                    _draw_along(axes, column, result, colour)
        for name, axes in (rewards | curves).items():
            axes.set(title=_ALONG.get(name, name))
            _in_millions(axes)
            if not name.endswith(_NAMED):
                mark_zero(axes, across=True)
        for axes in (*above[len(task.population) :], *(one for row in below for one in row[len(along) :])):
            axes.set_axis_off()
        figure.legend(*above[0].get_legend_handles_labels(), loc="outside lower center", ncols=max(1, min(4, len(trainers))))
        return svg(figure)


def _points(result: TaskResult, column: str) -> list[Mapping[str, float]]:
    """The points of the learning curve of an entry that tell something."""
    return [point for point in result.curve if column in point and point["decisions"] > 0]


def _in_millions(axes: Axes) -> None:
    """Decisions on a logarithmic axis, in plain numbers; a tenfold of them at least, so that equal budgets lie together."""
    axes.set(xscale="log", xlabel="decisions of training (millions)")
    low, high = axes.get_xlim()
    if high < 10 * low:
        axes.set_xlim((low * high / 10) ** 0.5, (10 * low * high) ** 0.5)
    _plain_numbers(axes)


def _plain_numbers(axes: Axes) -> None:
    axes.xaxis.set_major_formatter(lambda number, _: f"{number:g}")
    axes.xaxis.set_minor_formatter(NullFormatter())


def _budgets(results: Sequence[TaskResult]) -> Iterator[list[TaskResult]]:
    """Results of one trainer that were trained equally long (alike in the first digit) and measured on the same number of deals."""
    groups: dict[tuple[str, int], list[TaskResult]] = defaultdict(list)
    for result in sorted(results, key=lambda result: result.decisions):
        groups[f"{result.decisions:.0e}", result.deals].append(result)
    yield from groups.values()


def mean_over_seeds(results: Sequence[TaskResult], metric: str) -> Sums:
    """A metric of several seeds on the same deals as one: the mean in every deal."""
    sums = np.mean([result.metrics[metric].sums for result in results], axis=0)
    return Sums(tuple(map(float, sums)), results[0].metrics[metric].counts)


def _draw_budgets(axes: Axes, metric: str, results: Sequence[TaskResult], trainer: str, colour: str) -> None:
    told = [result for result in results if metric in result.metrics]
    groups = list(_budgets(told))
    x = [float(np.mean([result.decisions for result in group])) / _MILLION for group in groups]
    draw_lines(axes, [Line(_as_itself(trainer), x, [mean_over_seeds(group, metric).estimate() for group in groups], colour)], bands=False)
    seeds = [result for group in groups if len(group) > 1 for result in group]
    axes.scatter(
        [result.decisions / _MILLION for result in seeds], [result.metrics[metric].estimate().mean for result in seeds],
        s=9, color=colour, alpha=0.5, linewidths=0,
    )  # fmt: skip


def _draw_along(axes: Axes, column: str, result: TaskResult, colour: str) -> None:
    """A column of the learning curve of an entry; of a share also what chance gives."""
    points, factor = _points(result, column), 100 if column.endswith(_NAMED) else 1
    x = [point["decisions"] / _MILLION for point in points]
    axes.plot(x, [factor * point[column] for point in points], color=colour, linewidth=1)
    if chance := [point[f"{column} by chance"] for point in points if f"{column} by chance" in point]:
        axes.plot(x[-len(chance) :], [factor * share for share in chance], color=_BY_CHANCE, linestyle="--", linewidth=0.8)


def _as_itself(words: str) -> str:
    """The words as Matplotlib shows them letter by letter: between dollars it would read formulas."""
    return words.replace("$", r"\$")


def _by_time(task: Task, results: Sequence[TaskResult]) -> bytes:
    """Every entry by the milliseconds that it takes for a decision, with its interval."""
    with plot(7, 4) as figure:
        axes = figure.subplots()
        for number, result in enumerate(results):
            estimate, time = result.headline(), float(result.more["milliseconds a decision"])
            colour = COLORS[number % len(COLORS)]
            draw_lines(axes, [Line(_as_itself(result.entry), [time], [estimate], colour)], bands=False)
            axes.annotate(_as_itself(result.entry), (time, estimate.mean), xytext=(6, 4), textcoords="offset points", color=colour)
        mark_zero(axes, across=True)
        axes.set(xscale="log", xlabel="milliseconds a decision", ylabel=task.headline, title=task.name)
        axes.margins(x=0.2)
        _plain_numbers(axes)
        return svg(figure)
