"""Duplicate tournaments from plan to report: `danmaku tournament`."""

from __future__ import annotations

import contextlib
import itertools
import shlex
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from danmaku_env.agents import registry
from danmaku_env.agents.registry import make
from danmaku_env.arena.fingerprints import versions
from danmaku_env.arena.jobs.folder import all_kept, choose_folder, stoppable
from danmaku_env.arena.jobs.ray_tasks import Workers
from danmaku_env.arena.jobs.workers import WorkerPool
from danmaku_env.arena.reports.files import write_report
from danmaku_env.arena.tournaments.page import html_report, plots
from danmaku_env.arena.tournaments.plan import Plan
from danmaku_env.arena.tournaments.record import Record
from danmaku_env.arena.tournaments.replay_pages import ReplayPage, replay_pages, write_replay_pages
from danmaku_env.arena.tournaments.report import CONFIDENCE, REPLAYS, Report, make_report, reporting
from danmaku_env.arena.tournaments.scheduler import Scheduler, player
from danmaku_env.arena.tournaments.tables import tables, terminal_report
from danmaku_env.console.errors import UserError
from danmaku_env.console.terminal import Terminal, games_bar
from danmaku_env.estimates import check_confidence
from danmaku_env.spec import spec_of

REPORT = "report.json"
PAGE = "report.html"
DEFAULT_AGENTS = ("random", "heuristic", "deducer")
"""Agents that play when none are named, as far as they are there."""


def default_agents() -> tuple[str, ...]:
    """The quick agents that are installed."""
    there = registry.names()
    return tuple(name for name in DEFAULT_AGENTS if name in there)


def run(
    plan: Plan,
    *,
    out: Path | None = None,
    resume: bool = False,
    processes: int | None = None,
    ray: bool = False,
    address: str = "",
    confidence: float = CONFIDENCE,
    replays: int = REPLAYS,
    console: Console | None = None,
) -> Report:
    """Play what the plan has left to play, write the report and pages of `replays` games of each table size, show the report and return it.

    Games are played by processes of this machine, or by tasks of Ray: of the cluster at the address, or of a Ray of this machine alone.
    Raises UserError for anything the person can put right; Ctrl-C becomes Stopped, after a sentence on how to go on.
    """
    console = console or Terminal()
    workers = Workers(processes, ray, address)
    check_confidence(confidence)
    for spec in dict.fromkeys(plan.agents):  # a wrong one is said before anything is played
        make(spec, 0)
    needed = versions(plan.agents)
    folder = choose_folder(out, plan, needed, resume=resume)
    with Record(folder, plan, needed, [*workers.words(), *reporting(confidence, replays)]) as record:
        folder = record.folder
        console.print(Text(f"{plan.games:,} games in {folder}"))
        for remark in record.remarks:
            console.print(Text(remark, style="yellow"), soft_wrap=True)
        with workers.pool(player(plan.agents), needed, plan.agents) as pool:
            _play(record, pool, console)
        report = make_report(plan, record.results.values(), needed, confidence=confidence, replays=replays)
        pages = replay_pages(plan, record.results.values(), replays)
    with all_kept(record.again):
        write(report, folder, pages)
    console.print(terminal_report(report))
    console.print(Text(f"The page: {folder / PAGE}"))
    watching = ["danmaku", "watch", str(folder), "--game", f"{plan.players[0]}/{plan.deals - 1}/0"]
    console.print(Text(f"Any game (players/deal/game): {shlex.join(watching)}"), soft_wrap=True)
    return report


def _play(record: Record, pool: WorkerPool, console: Console) -> None:
    """Play the missing games, with a progress bar."""
    plan, chunks = record.plan, record.missing()
    first = next(chunks, None)
    if first is None:
        return
    spec_of(plan.table).entries.compile_once()  # once, before many processes would
    scheduler = Scheduler(pool, time_limit=plan.time_limit, before=record.results.values())
    bar, results = games_bar(console), scheduler.play(itertools.chain([first], chunks))
    with stoppable(console, lambda: (len(record.results), plan.games), record.again), bar, contextlib.closing(results):
        task = bar.add_task("", total=plan.games, completed=len(record.results))
        for result in results:
            record.add(result)
            bar.update(task, completed=len(record.results))


def write(report: Report, folder: Path, pages: Sequence[ReplayPage] = ()) -> None:
    """Write the pages of games, and the report that links them. Raises UserError when the folder does not take them."""
    try:
        write_replay_pages(pages, folder)
    except OSError as error:
        raise UserError(f"the report cannot be written to {folder}: {error.strerror}") from None
    drawn = plots(report)
    page, data = (PAGE, html_report(report, drawn, pages)), (REPORT, report.to_dict())
    write_report(folder, page, data, [*tables(report).values()], drawn)
