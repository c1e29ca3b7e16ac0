"""How well believers deduce the roles, from games to report: `danmaku deduce`."""

from __future__ import annotations

import importlib
import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from rich.console import Console
from rich.text import Text

from danmaku_env.agents.base import BeliefModel
from danmaku_env.arena.deduction.believers import BASELINE, make_believers, usual_believers
from danmaku_env.arena.deduction.games import Findings, together
from danmaku_env.arena.deduction.page import page
from danmaku_env.arena.deduction.reference import NAME as REFERENCE
from danmaku_env.arena.deduction.report import DeductionReport, Study, make_report
from danmaku_env.arena.deduction.shares import judged, others
from danmaku_env.arena.deduction.show import show
from danmaku_env.arena.fingerprints import versions
from danmaku_env.arena.jobs.workers import Processes, Team
from danmaku_env.console.errors import UserError
from danmaku_env.console.folders import alone_in
from danmaku_env.console.terminal import Terminal, games_bar
from danmaku_env.engine.warm import compile_engine
from danmaku_env.game import write_atomically

__all__ = ["Study", "UserError", "run", "study_games", "usual_believers"]
REPORT = "deduction.json"
PAGE = "deduction.html"
STATEMENTS = "statements.parquet"
DEFAULT = Path("runs/deduction")


def run(study: Study, *, out: str | Path | None = None, processes: int = 1, console: Console | None = None) -> DeductionReport:
    """Play the games, ask the believers, write the report into the folder, show it and return it.

    Raises UserError for anything the person can put right.
    """
    console = console or Terminal()
    keeper = _keeper() if study.statements else None
    compile_engine()
    believers = make_believers(study.believers, study.seed)
    needed = versions([*study.believers, *study.agents])
    with alone_in(None if out is None else Path(out), DEFAULT) as folder:
        if (folder / REPORT).exists():
            raise UserError(f"{folder} holds a study already; choose another folder with --out")
        console.print(Text(f"{study.games:,} games of {study.table.num_players} players, played by {', '.join(study.agents)}"))
        labels = (BASELINE, *study.believers, *((REFERENCE,) if study.reference else ()))
        findings = study_games(study, labels, believers, console, processes)
        report = make_report(study, labels, findings, needed)
        write(report, folder, keeper.as_parquet(labels, findings) if keeper else None)
    console.print(show(report))
    console.print(Text(f"The page: {folder / PAGE}"), soft_wrap=True)
    return report


def study_games(
    study: Study, labels: Sequence[str], believers: Sequence[BeliefModel], console: Console | None = None, processes: int = 1
) -> Findings:
    """What the believers, the baseline first, make of the games. Raises UserError when anybody fails."""
    bar = games_bar(console or Console(quiet=True))
    shares = min(processes, study.games)
    with Team(Processes(others(study, labels, shares), max(1, shares - 1)), "asks the believers") as team, bar:
        task, elsewhere = bar.add_task("", total=study.games), team.begin(range(1, shares))

        def tick(ended: int) -> None:
            elsewhere.look()
            bar.advance(task, ended)

        mine = judged(study, labels, believers, 0, shares, tick)
        return together([mine, *elsewhere.results()])


def command(study: Study) -> str:
    """The command that makes this study again."""
    words = ["danmaku", "deduce", *study.believers, "--players", str(study.table.num_players), *study.table_words()]
    words += ["--games", str(study.games), "--seed", str(study.seed), "--agents", ",".join(study.agents)]
    words += ["--confidence", repr(study.confidence)]
    words += [f"--{name}" for name in ("reference", "statements") if getattr(study, name)]
    return shlex.join(words)


def _keeper() -> ModuleType:
    """The module that writes statements. Raises UserError where the library for it is missing: before anything is played."""
    try:
        return importlib.import_module("danmaku_env.arena.deduction.statements")
    except ModuleNotFoundError as error:
        raise UserError(f"keeping statements needs the package {error.name}: pip install 'danmaku-env[data]'") from None


def write(report: DeductionReport, folder: Path, statements: bytes | None = None) -> None:
    """Write the page, the statements where they are kept, and deduction.json, which says that all is there.

    Raises UserError when the folder does not take them.
    """
    data = {**report.to_dict(), "command": command(report.study)}
    try:
        if statements is None:
            (folder / STATEMENTS).unlink(missing_ok=True)  # of a study that was interrupted
        else:
            write_atomically(folder / STATEMENTS, statements)
        write_atomically(folder / PAGE, page(report, command(report.study)).encode())
        write_atomically(folder / REPORT, json.dumps(data, indent=1, allow_nan=False).encode() + b"\n")
    except OSError as error:
        raise UserError(f"the report cannot be written to {folder}: {error.strerror}") from None
