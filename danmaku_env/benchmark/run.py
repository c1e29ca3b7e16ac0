"""`danmaku bench run`: an entry is measured in a task, and the result is a file."""

from __future__ import annotations

import csv
import importlib.util
import io
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from danmaku_env.agents.base import BeliefModel
from danmaku_env.agents.registry import make
from danmaku_env.agents.role_separation import SeparationSums, unlisted
from danmaku_env.arena.deduction.belief_models import make_belief_models
from danmaku_env.arena.deduction.parts import FINDINGS, all_findings, judging
from danmaku_env.arena.fingerprints import versions
from danmaku_env.arena.jobs.folder import all_kept
from danmaku_env.arena.jobs.parts import PartedSpec, Parts, begun_parts
from danmaku_env.arena.jobs.ray_tasks import Workers
from danmaku_env.arena.jobs.workers import Work
from danmaku_env.arena.matches import match
from danmaku_env.arguments import make_plain
from danmaku_env.benchmark import beliefs
from danmaku_env.benchmark.duplicates import RESULTS, TIMES, TaskGames, played, playing
from danmaku_env.benchmark.lineups import sums
from danmaku_env.benchmark.offline import check_predictions, in_prose, stated_in
from danmaku_env.benchmark.population import check_population
from danmaku_env.benchmark.result import BEGINS, CONFIDENCE, FOLDER, PROSE_ITEMS, Sums, TaskResult, check_told
from danmaku_env.benchmark.task import BELIEF_KINDS, Task
from danmaku_env.console.errors import UserError, needed
from danmaku_env.console.machine import processor
from danmaku_env.console.terminal import Terminal
from danmaku_env.estimates import signed
from danmaku_env.files import check_folder, check_new_file, open_file
from danmaku_env.jit.precompile import cores
from danmaku_env.spec import spec_of

_LIBRARIES = ("numpy", "numba", "scipy", "torch", "python")
_MOST_PROCESSES = 2
_SECOND_JOB = "beliefs"
"""What a task asks of beliefs beside its own measure is a job of its own, in this folder within the folder of the games."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """Who is measured, and what is said of it. Raises UserError where that does not fit the task."""

    agents: tuple[str, ...] = ()
    """Specs: several seeds of one trainer in a `cross` task, none where predictions are handed in, else one."""
    name: str = ""
    """What it is called; its spec where nothing is said."""
    predictions: Path | None = None
    prose: bool = False
    """Whether these are predictions of the items in prose alone (offline.py)."""
    trainer: str = ""
    decisions: int = 0
    curve: Path | None = None
    """A `curve.csv` of a run of training."""

    def __post_init__(self) -> None:
        make_plain(self)

    def called(self) -> str:
        """What it is called on the board."""
        return self.name or ", ".join(self.agents) or str(self.predictions)

    def check(self, task: Task) -> None:
        """Raise UserError where it does not fit the task."""
        if self.predictions is not None:
            if task.kind not in BELIEF_KINDS:
                raise UserError(f"{task.name} is played: it takes an agent, and no predictions")
            if self.agents:
                raise UserError("an agent and predictions are two entries: hand in one of them")
        elif task.kind == "cross" and len(self.agents) < 2:
            raise UserError(f"{task.name} compares several seeds of one trainer: name each with --agent")
        elif task.kind != "cross" and len(self.agents) != 1:
            raise UserError(f"{task.name} takes one agent (--agent), not {len(self.agents)}")
        if self.prose and (self.predictions is None or task.kind != "partner"):
            raise UserError("only a partner task, such as partner-v1, has items in prose, and predictions of them come with --predictions")
        check_told(entry=self.called(), trainer=self.trainer, decisions=self.decisions)


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """Where the work is done, and by whom."""

    folder: Path | None = None
    """What is kept meanwhile; the next free one in runs/bench when left out."""
    resume: bool = False
    processes: int | None = None
    """One for each core, at most two, when left out; with Ray one for each core."""
    ray: bool = False
    """Whether tasks of Ray play."""
    address: str = ""
    """Of a running cluster; otherwise Ray is started here."""

    def workers(self) -> Workers:
        """Who plays. Raises UserError."""
        return Workers(self.processes or (None if self.ray else min(_MOST_PROCESSES, cores())), self.ray, self.address)


Measured = tuple[Mapping[str, Sums], Mapping[str, Any]]
"""The metrics, and what more is told."""


def run(
    task: Task,
    entry: Entry,
    *,
    quick: bool = False,
    out: Path | None = None,
    settings: RunSettings | None = None,
    console: Console | None = None,
) -> tuple[TaskResult, Path]:
    """Measure an entry, write the result and say it. Raises UserError for anything the person can put right; then there is no file."""
    console, settings, begun_at = console or Terminal(), settings or RunSettings(), time.monotonic()
    entry.check(task)
    settings.workers()  # what makes no sense is said before anything is played
    if settings.ray and task.kind == "exploit":
        raise UserError(f"{task.name} trains its exploiter in this process, so that it is the same everywhere: leave --ray out")
    if entry.prose and quick:
        raise UserError("the items in prose are some of the whole task: leave --quick or --prose out")
    spec_of(task.config).entries.compile_once()
    for spec in entry.agents:  # a wrong one is said before anything is played
        make(spec, 0)
    check_population(task)
    points = _curve(entry.curve)
    try:
        if out:
            check_new_file(out, BEGINS, "result of the benchmark")
        else:
            check_folder(FOLDER)
    except OSError as error:
        raise UserError(str(error)) from None
    if entry.predictions is not None:
        check_predictions(entry.predictions, task)
    deals = task.quick if quick else task.deals
    measured, more = measure(task, entry, deals, quick, settings, console)
    more = {**more, "processor": processor()}
    result = TaskResult.of(
        task, entry=entry.called(), agents=entry.agents, deals=deals, quick=quick, metrics=measured, more=more,
        versions=_versions(entry), trainer=entry.trainer, decisions=entry.decisions, curve=points,
        seconds=round(time.monotonic() - begun_at, 1), command=_command(task, entry, quick),
    )  # fmt: skip
    path = out or FOLDER / result.file_name()
    with all_kept("the same command with --resume, and --folder with the folder of this run"):
        result.save(path)
    _say(task, result, path, console)
    return result, path


def measure(task: Task, entry: Entry, deals: int, quick: bool, settings: RunSettings, console: Console) -> Measured:
    """Measure an entry on the first deals of a task. Raises UserError."""
    if task.kind in BELIEF_KINDS:
        return _judge(task, entry, deals, settings, console)
    if task.kind == "exploit":
        return _exploit(task, entry, deals, quick, settings, console)
    return _play(task, entry, deals, settings, console)


def _do(
    spec: PartedSpec, work: Work, kinds: Mapping[str, str], specs: Sequence[str], settings: RunSettings, console: Console, doing: str,
    within: Path | None = None,
) -> Parts:  # fmt: skip
    """Have all parts of a job done in its folder; a second job of the same command lies `within` the folder of the first."""
    folder, resume = settings.folder, settings.resume
    if within is not None:
        folder = within / _SECOND_JOB
        resume = resume and (folder / spec.FILE).exists()
    with begun_parts(folder, spec, kinds, specs, resume=resume) as parts:
        console.print(Text(f"{spec.games:,} games, in {parts.folder}"))
        parts.do(work, settings.workers(), console, f"the same command with --folder {within or parts.folder} --resume", doing)
        return parts


# ---------------------------------------------------------------- reward


def _play(task: Task, entry: Entry, deals: int, settings: RunSettings, console: Console) -> Measured:
    spec = TaskGames.of(task, entry.agents, deals)
    parts = _do(spec, playing(spec), {RESULTS: "jsonl", TIMES: "json"}, spec.specs, settings, console, "plays")
    by_deal, milliseconds = played(parts)
    each = [sums(task, len(entry.agents), results) for results in by_deal]
    found = {
        name: Sums(tuple(one.get(name, (0.0, 0.0))[0] for one in each), tuple(one.get(name, (0.0, 0.0))[1] for one in each))
        for name in dict.fromkeys(name for one in each for name in one)
    }
    if task.beliefs and isinstance(make(entry.agents[0], 0), BeliefModel):
        said, _ = _statements(task, entry, deals, settings, console, reference=False, within=parts.folder)
        found["bits saved"] = beliefs.metrics(task, said, deals)[0]["bits saved"]
    return found, {"milliseconds a decision": milliseconds, "role separation": _separation(task, spec, by_deal)}


def _separation(task: Task, spec: TaskGames, by_deal: Sequence[Sequence[match.Result]]) -> dict[str, Any]:
    """Whom the entries named in all games (agents/role_separation.py)."""
    sums = SeparationSums()
    for part in range(spec.parts):
        for job in spec.jobs(part):
            mine = [seat for seat, agent in enumerate(job.seats) if agent < len(spec.entries)]
            if mine:
                result = by_deal[job.key[0]][job.key[1]]
                sums.take(unlisted(result.named)[mine].sum(0, keepdims=True))
    return sums.separation(task.config, CONFIDENCE).to_dict()


# ---------------------------------------------------------------- beliefs


def _judge(task: Task, entry: Entry, games: int, settings: RunSettings, console: Console) -> Measured:
    said, folder = _statements(task, entry, games, settings, console, reference=not entry.prose)
    if entry.prose:
        said = in_prose(task, said)
    if entry.predictions is not None:
        try:
            said = said._replace(stated=stated_in(entry.predictions, task, said))
        except UserError as error:
            raise UserError(f"{error}. Put that right, and go on with the games that are played: --folder {folder} --resume") from None
    found, more = beliefs.metrics(task, said, games)
    if entry.prose:
        del found[beliefs.ABOVE_REFERENCE]  # nobody has worked it out
        more[PROSE_ITEMS] = int(sum(found[task.headline].counts))
    return found, more


def _statements(
    task: Task, entry: Entry, games: int, settings: RunSettings, console: Console, *, reference: bool = True, within: Path | None = None
) -> tuple[beliefs.StatedBeliefs, Path]:
    """What the entry states in the first games of the task, or what is to be predicted; and the folder of the games."""
    make_belief_models(entry.agents, 0)
    study = beliefs.study_of(task, entry.agents, games, reference=reference)
    specs = [*entry.agents, *study.agents]
    parts = _do(study, judging(study), {FINDINGS: "npz"}, specs, settings, console, "asks the belief models", within)
    return beliefs.StatedBeliefs.of(all_findings(parts), 1 if entry.agents else 0).of_first(games), parts.folder


# ---------------------------------------------------------------- best responses


def _exploit(task: Task, entry: Entry, deals: int, quick: bool, settings: RunSettings, console: Console) -> Measured:
    """Train the exploiter of the task against the entry, and measure it on deals of the task."""
    best_response = needed("danmaku_env.benchmark.best_response", f"{task.name} trains an exploiter and", "train")
    measured: Measured = best_response.measure(
        task, entry.agents[0], deals, quick=quick, folder=settings.folder, resume=settings.resume, console=console
    )
    return measured


# ---------------------------------------------------------------- the result


def _versions(entry: Entry) -> dict[str, str]:
    return versions(entry.agents, [name for name in _LIBRARIES if name == "python" or importlib.util.find_spec(name)])


def _curve(path: Path | None) -> list[dict[str, float]]:
    """The points of a `curve.csv`. Raises UserError."""
    if path is None:
        return []
    try:
        with open_file(path) as file:
            rows = csv.DictReader(io.TextIOWrapper(file, "utf-8-sig", newline=""))  # some editors write a mark at the beginning
            points = [{name: float(value) for name, value in row.items() if value} for row in rows]
    except OSError as error:
        raise UserError(f"the learning curve {path} cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, csv.Error) as error:
        raise UserError(f"{path} is no learning curve (docs/training.md): {error}") from None
    if not points or not all("decisions" in point for point in points):
        raise UserError(f"{path} is no learning curve (docs/training.md): its points have no decisions")
    try:
        check_told(curve=points)
    except UserError as error:
        raise UserError(f"{path} is no learning curve (docs/training.md): {error}") from None
    return points


def _command(task: Task, entry: Entry, quick: bool) -> str:
    words = ["danmaku", "bench", "run", task.name]
    for spec in entry.agents:
        words += ["--agent", spec]
    words += ["--predictions", str(entry.predictions)] if entry.predictions else []
    said = {"--name": entry.name, "--trainer": entry.trainer, "--decisions": entry.decisions}  # the curve is in the result
    words += [str(word) for option, value in said.items() if value for word in (option, value)]
    return shlex.join([*words, *["--prose"] * entry.prose, *["--quick"] * quick])


def _say(task: Task, result: TaskResult, path: Path, console: Console) -> None:
    for name, metric in result.metrics.items():
        console.print(Text(f"{name}: {signed(metric.estimate())}", style="bold" if name == task.headline else ""))
    unit = "games" if task.kind in BELIEF_KINDS else "deals"
    console.print(Text(f"{result.entry}, {result.deals:,} {unit}, 99 % intervals: {path}"), soft_wrap=True)
