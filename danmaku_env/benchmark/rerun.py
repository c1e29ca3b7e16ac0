"""`danmaku bench rerun`: the first deals of a committed result are played once more, and compared deal by deal."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from danmaku_env.agents.registry import make
from danmaku_env.benchmark.beliefs import TaskStudy
from danmaku_env.benchmark.duplicates import TaskGames
from danmaku_env.benchmark.population import check_population
from danmaku_env.benchmark.result import Sums, TaskResult, read_result
from danmaku_env.benchmark.run import Entry, RunSettings, measure
from danmaku_env.benchmark.task import BELIEF_KINDS, Task, read_task
from danmaku_env.console.errors import UserError
from danmaku_env.spec import spec_of

SHARE = 20
"""One deal in this many is played again, and at least one part of the games."""
_SAME = 0.9
"""Share of the deals that have to come out the same: what nets say differs in the last digits between processors, now and then a game."""
_ROUNDING = 1e-6
_WHY = "the agents are not here, or it is one of predictions, or of a task that trains"


def chosen(paths: Sequence[Path], seed: int | None) -> Path:
    """One of the results that can be played again here, at random, by a seed or another each time. Raises UserError where none can."""
    if not paths:
        raise UserError("there are no results to play again")
    able = [path for path in sorted(paths) if can_be_rerun(read_result(path))]
    if not able:
        raise UserError(f"none of the results can be played again here: {_WHY}")
    return random.Random(seed).choice(able)


def can_be_rerun(result: TaskResult) -> bool:
    """Whether its agents are here, and it is neither of predictions nor of a task that trains."""
    if not result.agents or read_task(result.task).kind == "exploit":
        return False
    try:
        for spec in result.agents:
            make(spec, 0)
    except UserError:
        return False
    return True


def rerun(path: Path, settings: RunSettings, console: Console) -> tuple[int, int]:
    """How many of the first deals of a result come out as it says, of how many; none where it cannot be played again here.

    Raises UserError where too few do.
    """
    result = read_result(path)
    if not can_be_rerun(result):
        console.print(Text(f"{path.name} cannot be played again here: {_WHY}"), soft_wrap=True)
        return 0, 0
    task, entry = read_task(result.task), Entry(agents=result.agents)
    entry.check(task)
    spec_of(task.config).entries.compile_once()
    check_population(task)
    deals = deals_again(task, result)
    console.print(Text(f"{path.name}: the first {deals} of {result.deals:,} once more"), soft_wrap=True)
    found, _ = measure(task, entry, deals, result.quick, settings, console)
    same = sum(all(_alike(result.metrics[name], again, deal) for name, again in found.items()) for deal in range(deals))
    console.print(f"{same} of {deals} came out the same")
    if same < _SAME * deals:
        raise UserError(f"{path} cannot be repeated here: only {same} of its first {deals} deals came out the same")
    return same, deals


def deals_again(task: Task, result: TaskResult) -> int:
    """How many deals are played again: whole parts, whose games are the same in every run."""
    part = TaskStudy.PART_SIZE if task.kind in BELIEF_KINDS else TaskGames.of(task, result.agents, result.deals).deals_of_a_part
    return min(result.deals, -(-max(1, result.deals // SHARE) // part) * part)


def _alike(told: Sums, again: Sums, deal: int) -> bool:
    """Whether a deal has the same sum and count."""
    pairs = (told.sums[deal], again.sums[deal]), (told.counts[deal], again.counts[deal])
    return all(abs(one - other) <= _ROUNDING * max(1.0, abs(one)) for one, other in pairs)
