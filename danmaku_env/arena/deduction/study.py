"""How well belief models deduce the roles, from games to report: `danmaku deduce`."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.text import Text

from danmaku_env.arena.deduction.belief_models import default_belief_models, make_belief_models
from danmaku_env.arena.deduction.page import html_report, plots
from danmaku_env.arena.deduction.parts import FINDINGS, all_findings, judging, labels_of
from danmaku_env.arena.deduction.report import DeductionReport, Study, make_report
from danmaku_env.arena.deduction.tables import tables, terminal_report
from danmaku_env.arena.jobs.folder import all_kept, how_to_go_on
from danmaku_env.arena.jobs.parts import begun_parts
from danmaku_env.arena.jobs.ray_tasks import Workers
from danmaku_env.arena.reports.files import write_report
from danmaku_env.console.errors import UserError, needed
from danmaku_env.console.terminal import Terminal
from danmaku_env.game import write_atomically
from danmaku_env.spec import spec_of

__all__ = ["Study", "default_belief_models", "run"]
REPORT = "deduction.json"
PAGE = "deduction.html"
STATEMENTS = "statements.parquet"


def run(
    study: Study,
    *,
    out: str | Path | None = None,
    resume: bool = False,
    processes: int | None = None,
    ray: bool = False,
    address: str = "",
    console: Console | None = None,
) -> DeductionReport:
    """Play what is left to play, ask the belief models, write the report into the folder, show it and return it.

    Parts are judged by this process, by this many processes, or as tasks of Ray. Raises UserError for anything the
    person can put right; Ctrl-C becomes Stopped, after a sentence on how to go on.
    """
    console, workers = console or Terminal(), Workers(processes, ray, address)
    keeper = needed("danmaku_env.arena.deduction.statements", "keeping statements", "data") if study.statements else None
    make_belief_models(study.belief_models, study.seed)  # a wrong one is said before anything is played
    specs, labels = [*study.belief_models, *study.agents], labels_of(study)
    with begun_parts(None if out is None else Path(out), study, {FINDINGS: "npz"}, specs, resume=resume) as parts:
        folder = parts.folder
        players = f"{study.table.num_players} players, played by {', '.join(study.agents)}"
        console.print(Text(f"{study.games:,} games of {players}, in {folder}"))
        spec_of(study.table).entries.compile_once()
        again = how_to_go_on(" ".join([study.command(), *workers.words()]), folder)
        parts.do(judging(study), workers, console, again, "asks the belief models")
        findings = all_findings(parts)
        report = make_report(study, labels, findings, parts.needed)
        with all_kept(again):
            write(report, folder, keeper.as_file(labels, findings) if keeper else None)
    console.print(terminal_report(report))
    console.print(Text(f"The page: {folder / PAGE}"), soft_wrap=True)
    return report


def write(report: DeductionReport, folder: Path, statements: bytes | None = None) -> None:
    """Write the statements where they are kept, and the report, at last deduction.json, which says that all is there.

    Raises UserError when the folder does not take them.
    """
    try:
        if statements is None:
            (folder / STATEMENTS).unlink(missing_ok=True)  # of a study that was interrupted
        else:
            write_atomically(folder / STATEMENTS, statements)
    except OSError as error:
        raise UserError(f"the report cannot be written to {folder}: {error.strerror}") from None
    drawn = plots(report)
    page, data = (PAGE, html_report(report, drawn)), (REPORT, {**report.to_dict(), "command": report.study.command()})
    write_report(folder, page, data, [*tables(report).values()], drawn)
