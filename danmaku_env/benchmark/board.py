"""docs/benchmark.md: how to enter, what each task is, and the board, drawn from the files of results; nothing in it is by hand."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from pathlib import Path

from matplotlib.axes import Axes

from danmaku_env.arena.reports.estimates import Estimate, chance, holm, plain, signed
from danmaku_env.arena.reports.plots import Line, draw_lines, mark_zero, plot, svg
from danmaku_env.arena.reports.style import COLORS
from danmaku_env.arena.reports.tables import Column, Table
from danmaku_env.benchmark.page import GENERATED, HOW_TO_ENTER, INTRODUCTION
from danmaku_env.benchmark.result import Result, Sums, read_result
from danmaku_env.benchmark.task import Task, names, read_task
from danmaku_env.console.errors import UserError
from danmaku_env.game import write_atomically

PICTURES = "benchmark"
"""Folder of the pictures, beside the page."""
_GROUPS = ("Stage Boss", "Partner", "Extra Boss")
"""Role groups whose choices of the Heroine are told."""


def read_results(folder: Path) -> tuple[list[Result], list[str]]:
    """The results of a folder that fit their tasks, and a sentence for each of the others."""
    found, refused = [], []
    for path in sorted(folder.glob("*.json")):
        try:
            found.append(read_result(path))
        except UserError as error:
            refused.append(str(error))
    return found, refused


def write_board(folder: Path, path: Path) -> list[str]:
    """Write the page and its pictures; a sentence for each result that has no row. Raises UserError where the folder does not take them."""
    results, refused = read_results(folder)
    try:
        (path.parent / PICTURES).mkdir(parents=True, exist_ok=True)
        for name, picture in pictures(results).items():
            write_atomically(path.parent / PICTURES / f"{name}.svg", picture)
        write_atomically(path, page(results).encode())
    except OSError as error:
        raise UserError(f"the board cannot be written to {path.parent}: {error.strerror}") from None
    return refused


# ---------------------------------------------------------------- the page


def page(results: Sequence[Result]) -> str:
    """The page as Markdown."""
    lines = [GENERATED, "", INTRODUCTION, "## The tasks", "", _list_of_tasks(), HOW_TO_ENTER, "## The board", ""]
    for name in names():
        lines += _section(read_task(name), [result for result in results if result.task == name])
    return "\n".join(lines).rstrip() + "\n"


def _list_of_tasks() -> str:
    columns = [Column("task", number=False), Column("table", number=False), Column("deals"), Column("quick"), Column("what", number=False)]
    rows = [(f"[`{task.name}`](#{task.name})", task.table, f"{task.deals:,}", task.quick, task.title) for task in map(read_task, names())]
    return Table.of("tasks", "", columns, rows).markdown()


def _section(task: Task, results: Sequence[Result]) -> Iterator[str]:
    yield from (f"### {task.name}", "", f"{task.title}. {task.protocol}", "", f"*Budget:* {task.budget}", "")
    if task.population:
        yield from (f"*Population:* {', '.join(f'`{spec}` ({wanted})' for spec, wanted in task.population.items())}.", "")
    yield from (f"SHA-256 of the task: `{task.digest[:16]}…`; `task.seed('games')` is {task.seed('games')}.", "")
    if not results:
        yield from ("No result yet.", "")
        return
    yield from (board_of(task, results).markdown(), _note(task, results), "")
    if task.name in {result.task for result in results if _points(result)}:
        yield from (f"![Learning curves of {task.name}]({PICTURES}/{task.name}.svg)", "")


def _note(task: Task, results: Sequence[Result]) -> str:
    first = ranked(task, results)[0].entry
    return (
        f"99 % intervals over deals. The last columns compare with {first} on the same deals: the paired difference in "
        f"{task.headline}, and its p-value after Holm's correction."
    )


def ranked(task: Task, results: Sequence[Result]) -> list[Result]:
    """The best first."""
    sign = 1 if task.lower_is_better else -1
    return sorted(results, key=lambda result: (sign * result.headline().mean, result.entry))


def differences(task: Task, results: Sequence[Result]) -> list[tuple[Estimate, float] | None]:
    """Of ranked results: by how much each differs from the first on the deals that both have, and the p-value as Holm counts it."""
    best, *others = results
    found = [other.metrics[task.headline].minus(best.metrics[task.headline]) for other in others]
    return [None, *zip(found, holm([one.p for one in found]), strict=True)]


def board_of(task: Task, results: Sequence[Result]) -> Table:
    """The board of a task as a table."""
    order = ranked(task, results)
    shown = [name for name in (task.headline, *task.columns) if any(name in result.metrics for result in order)]
    columns = [Column("entry", number=False), Column("deals")]
    columns += [Column(name, functools.partial(plain, digits=3)) for name in shown]
    columns += [Column("worst", signed)] if task.kind == "strangers" else []
    columns += [Column("ms a decision", lambda value: f"{value:.3g}")] if task.kind == "panel" else []
    columns += [Column(f"{group} to the Heroine (chance)") for group in _GROUPS] if task.kind == "panel" else []
    columns += [Column("difference", signed), Column("p (Holm)", chance)]
    rows = []
    for result, difference in zip(order, differences(task, order), strict=True):
        row = [_called(result), f"{result.deals:,}{' (quick)' if result.quick else ''}"]
        cells: list[object] = [result.metrics[name].estimate() if name in result.metrics else None for name in shown]
        cells += [worst(result).estimate()] if task.kind == "strangers" else []
        cells += [result.more.get("milliseconds a decision"), *(_separation(result, group) for group in _GROUPS)] * (task.kind == "panel")
        rows.append([*row, *cells, *(difference or (None, None))])
    return Table.of(task.name, task.title, columns, rows)


def _called(result: Result) -> str:
    trained = f", {result.decisions / 1e6:g} M decisions" if result.decisions else ""
    return f"{result.entry}{trained}"


def worst(result: Result) -> Sums:
    """Of a `strangers` result: the gain with the population that it fares worst with."""
    return min((metric for name, metric in result.metrics.items() if name.startswith("gain with ")), key=lambda metric: metric.estimate().mean)


def _separation(result: Result, group: str) -> str | None:
    share = result.more.get("role separation", {}).get("heroine", {}).get(group)
    return f"{100 * share['named']:.0f} % ({100 * share['chance']:.0f})" if share and share["named"] is not None else None


# ---------------------------------------------------------------- pictures


def _points(result: Result) -> bool:
    return bool(result.curve or (result.trainer and result.decisions))


def pictures(results: Sequence[Result]) -> dict[str, bytes]:
    """Task -> learning curves as SVG, of the tasks that have results with points."""
    found = {}
    for name in names():
        mine = [result for result in results if result.task == name and _points(result)]
        if mine:
            found[name] = _picture(read_task(name), mine)
    return found


def _picture(task: Task, results: Sequence[Result]) -> bytes:
    """Reward against the panel at the budgets of a task, and along training against the heuristic with role separation."""
    trainers = list(dict.fromkeys(result.trainer or result.entry for result in results))
    with plot(11, 4) as figure:
        reward, separation = figure.subplots(1, 2)
        lines = []
        for number, trainer in enumerate(trainers):
            mine = sorted((result for result in results if (result.trainer or result.entry) == trainer), key=lambda result: result.decisions)
            told = [result for result in mine if result.decisions]
            colour = COLORS[number % len(COLORS)]
            lines.append(Line(trainer, [result.decisions / 1e6 for result in told], [result.headline() for result in told], colour))
            for result in mine:
                _draw_curve(separation, result, colour)
        draw_lines(reward, [line for line in lines if line.x], bands=False)
        mark_zero(reward, across=True)
        reward.set(title=f"{task.name}: {task.headline}", xlabel="decisions of training (millions)", xscale="log")
        reward.legend()
        separation.set(title="Stage Bosses' choices that name the Heroine", xlabel="decisions of training (millions)", ylabel="%")
        return svg(figure)


def _draw_curve(axes: Axes, result: Result, colour: str) -> None:
    """How often Stage Bosses name the Heroine along training, and by chance."""
    named = [point for point in result.curve if "Stage Boss to the Heroine" in point]
    x = [point["decisions"] / 1e6 for point in named]
    axes.plot(x, [100 * point["Stage Boss to the Heroine"] for point in named], color=colour)
    axes.plot(x, [100 * point["Stage Boss to the Heroine by chance"] for point in named], color="#999999", linestyle="--")
