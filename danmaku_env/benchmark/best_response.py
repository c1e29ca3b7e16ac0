"""`exploit` tasks: a trainer and a budget that never change, against the frozen entry.

The gain is a lower bound on the entry's exploitability.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console

from danmaku_env import GameConfig
from danmaku_env.benchmark.result import Sums
from danmaku_env.benchmark.task import Task
from danmaku_env.training.exploit import SCRATCH, ExploitArgs, trained

_QUICK_SECONDS = 40.0
"""Of training, where an estimate is wanted at once."""
_QUICK_TEACH = 500_000
"""Decisions that the critic of such a run learns from first; the usual number would take longer than the training itself."""
_NO_LIMIT = 0.0


def measure(
    task: Task, bot: str, deals: int, *, quick: bool, folder: Path | None, resume: bool, console: Console
) -> tuple[dict[str, Sums], dict[str, Any]]:
    """What the exploiter of the task gains in one seat over the entry in the same seat of the same deal. Raises ValueError or UserError."""
    args = ExploitArgs(
        bot=bot, start=SCRATCH,
        folder=folder or ExploitArgs.folder, resume=resume, seed=task.seed("exploiter") % (1 << 31), table=_chosen(task),
        seconds=_QUICK_SECONDS if quick else _NO_LIMIT, decisions=0 if quick else task.decisions, threads=1, report_every=0.0,
        report_deals=0, deals=deals, teach=_QUICK_TEACH if quick else ExploitArgs.teach,
    )  # fmt: skip
    _, run, gains = trained(args, console)
    metric = Sums(tuple(map(float, gains)), (1.0,) * len(gains))
    return {"gain of the exploiter": metric}, {"decisions of the exploiter": run.decisions, "seconds of training": round(run.seconds, 1)}


def _chosen(task: Task) -> GameConfig:
    """The table of the task, but that seats choose their characters, as they do wherever nets are trained."""
    table = task.config
    return GameConfig(num_players=table.num_players, roles=table.roles, expansion=table.expansion)
