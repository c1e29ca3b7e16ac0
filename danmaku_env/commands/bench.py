"""`danmaku bench`: the named tasks of the benchmark, entries that are measured in them, and the board that is drawn from the results."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from danmaku_env.arguments import printable
from danmaku_env.commands.app import say
from danmaku_env.console import options
from danmaku_env.console.cli_errors import CliGroup
from danmaku_env.console.errors import UserError, needed
from danmaku_env.console.options import AddressOption, RayOption
from danmaku_env.console.terminal import Terminal

bench = typer.Typer(
    cls=CliGroup, rich_markup_mode=None, add_completion=False, help="Named tasks: list, run, rerun, items, board (docs/benchmark.md)."
)
_RESULTS = Path("results")
_PAGE = Path("docs/benchmark.md")
TaskArgument = Annotated[str, typer.Argument(help="A task by its name, as `danmaku bench list` has them.")]
TwoProcessesOption = Annotated[
    int | None,
    typer.Option("--processes", min=1, max=1024, help="Processes; one for each core, at most two, when left out (with --ray all)."),
]
QuickOption = Annotated[bool, typer.Option("--quick", help="The first deals only: an estimate with its interval within two minutes.")]


@bench.command("list")
def list_() -> None:
    """The tasks: name, table, how many deals, and what is measured."""
    tasks = needed("danmaku_env.benchmark.task", "the benchmark", "arena")
    for name in tasks.names():
        task = tasks.read_task(name)
        say(f"{name:22} {task.table:12} {task.deals:6,} deals  {task.title}")


@bench.command()
def run(
    task: TaskArgument,
    agent: Annotated[list[str] | None, typer.Option("--agent", help="Who is measured, by name; several in cross-v1.")] = None,
    quick: QuickOption = False,
    name: Annotated[str, typer.Option(help="What the entry is called on the board; its agent when left out.")] = "",
    predictions: Annotated[Path | None, typer.Option(parser=options.file, help="Parquet of predictions, instead of an agent.")] = None,
    prose: Annotated[bool, typer.Option("--prose", help="They are predictions of the items in prose alone (partner-v1).")] = False,
    trainer: Annotated[str, typer.Option(help="What trained it; entries with the same words are one learning curve.")] = "",
    decisions: Annotated[int, typer.Option(min=0, help="Decisions of environment it was trained with.")] = 0,
    curve: Annotated[Path | None, typer.Option(parser=options.file, help="The curve.csv of its training.")] = None,
    out: Annotated[Path | None, typer.Option(parser=options.path, help="File of the result; one in results/ when left out.")] = None,
    folder: Annotated[Path | None, typer.Option(parser=options.path, help="Folder for games meanwhile; a new one in runs/bench.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where it was stopped.")] = False,
    population: Annotated[Path | None, typer.Option(parser=options.path, help="Folder of the population; that of the checkout.")] = None,
    processes: TwoProcessesOption = None,
    ray: RayOption = False,
    address: AddressOption = "",
) -> None:
    """Measure an entry in a task, and write the result as one JSON file."""
    runs = needed("danmaku_env.benchmark.run", "the benchmark", "arena,data", "scipy.special")
    if population is not None:
        os.environ["DANMAKU_POPULATION"] = str(population.resolve())  # agents/population.py reads it, in every process that plays
    entry = runs.Entry(
        agents=tuple(agent or ()), name=name, predictions=predictions, prose=prose, trainer=trainer, decisions=decisions, curve=curve
    )  # fmt: skip
    settings = runs.RunSettings(folder=folder, resume=resume, processes=processes, ray=ray, address=address)
    runs.run(needed("danmaku_env.benchmark.task", "the benchmark", "arena").read_task(task), entry, quick=quick, out=out, settings=settings)


@bench.command()
def rerun(
    result: Annotated[Path | None, typer.Argument(parser=options.file, help="A result; one of the folder at random when left out.")] = None,
    results: Annotated[Path, typer.Option(parser=options.file, help="Folder with the results.")] = _RESULTS,
    seed: Annotated[int | None, typer.Option(min=0, help="Which one is drawn; another each time when left out.")] = None,
    folder: Annotated[Path | None, typer.Option(parser=options.path, help="Folder for games meanwhile; a new one in runs/bench.")] = None,
    processes: TwoProcessesOption = None,
    ray: RayOption = False,
    address: AddressOption = "",
) -> None:
    """Play a twentieth of a result once more and compare it deal by deal; fewer than nine in ten alike is an error."""
    again = needed("danmaku_env.benchmark.rerun", "the benchmark", "arena,data")
    runs = needed("danmaku_env.benchmark.run", "the benchmark", "arena,data", "scipy.special")
    found = needed("danmaku_env.benchmark.result", "the benchmark", "arena,data")
    settings = runs.RunSettings(folder=folder, processes=processes, ray=ray, address=address)
    if result is None:
        found.check_results_folder(results)
    again.rerun(result or again.chosen(list(results.glob("*.json")), seed), settings, Terminal())


@bench.command()
def items(
    task: TaskArgument,
    quick: Annotated[bool, typer.Option("--quick", help="The positions of the first games only, those of a quick run.")] = False,
    out: Annotated[Path, typer.Option(parser=options.path, help="Folder for the items and their truth.")] = Path("runs/items"),
) -> None:
    """Write the positions of a task of beliefs as data, to be predicted without this program."""
    offline = needed("danmaku_env.benchmark.offline", "items", "arena,data")
    tasks = needed("danmaku_env.benchmark.task", "items", "arena")
    told = tasks.read_task(task)
    written = offline.write_items(told, told.quick if quick else told.deals, out)
    say(f"{written:,} items in {out}")


@bench.command()
def board(
    results: Annotated[Path, typer.Option(parser=options.file, help="Folder with the results.")] = _RESULTS,
    out: Annotated[Path, typer.Option(parser=options.path, help="The page; pictures come into a folder beside it.")] = _PAGE,
) -> None:
    """Check the results and draw the page from them; one that does not fit is a sentence and no row."""
    boards = needed("danmaku_env.benchmark.board", "the board", "arena", "scipy.special")
    refused = boards.write_board(results, out)
    for words in refused:
        typer.echo(printable(words), err=True)
    say(f"The page: {out}")
    if refused:
        raise UserError(f"{len(refused)} of the results in {results} {'has' if len(refused) == 1 else 'have'} no row")
