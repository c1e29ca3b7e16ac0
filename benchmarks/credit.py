"""Where credit may come from, at equal hours: each way of training from the same beginning, then all of them on the same deals.

python benchmarks/credit.py [--minutes 10] [--deals 1000] [--folder runs/credit] [--only NAME,NAME]

Every net is advised and begins as the deducer, so what it is above the deducer was learned here. Each way has one core for the same time,
two of them beside each other; then a duplicate tournament against the deducer, with the margin of `neural` and without it. The share of
what a game pays that the deal and the seat explain comes from the same tournaments, for every deal is played twice with the seats
exchanged: it is what replaying deals could take away of the noise. A run that was interrupted goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.machine import at_least, print_machine, span
from danmaku_env.agents.checkpoints import CHECKPOINT
from danmaku_env.arena.tournaments.record import PLAN, Record, read_plan
from danmaku_env.arena.tournaments.tournament import REPORT

Array = npt.NDArray[Any]
SELF_PLAY = (
    "ppo_selfplay --adviser deeds --width 128 --history 64 --learning-rate 1e-4 --threads 1"
    " --evaluate-every 0 --tournament-deals 0 --final-games 1"
)
SEARCH = "imitate --games 10 --watched 50 --last 1 --rounds 1000 --processes 1 --threads 1"


class Way(NamedTuple):
    """How a net is trained."""

    name: str
    about: str
    command: str


WAYS = (
    Way("central", "PPO, a critic that sees all hands, roles and the deck", SELF_PLAY),
    Way("own", "PPO, the net's own value for a critic", f"{SELF_PLAY} --critic own"),
    Way("short", "PPO, short horizon: the central critic is trusted after few decisions", f"{SELF_PLAY} --gae-lambda 0.7"),
    Way("large", "PPO, 16 times as many decisions in a step", f"{SELF_PLAY} --games 1024 --window 64 --batch 16384 --learning-rate 4e-4"),
    Way("league", "PPO, heuristics and deducers in half of the seats", f"{SELF_PLAY} --opponents self,heuristic,deducer"),
    Way("search", "what a search finds, in the same worlds with the same dice", SEARCH),
)
DEDUCER = "deducer"
SIDE_BY_SIDE = 2
MARGINS = (0, 1)


def run(module: str, *words: str) -> None:
    """Run a module of the project as a program; whoever stops it here hears what it said. Raises SystemExit."""
    done = subprocess.run([sys.executable, "-m", module, *words], check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr or done.returncode)


def arena(folder: Path, way: Way, margin: int) -> Path:
    """The folder of a tournament."""
    return folder / f"{way.name}-margin-{margin}"


def train(way: Way, folder: Path, minutes: float) -> None:
    """Train in a folder for each way, or go on where it was; not any more once its tournaments have begun. Raises SystemExit."""
    if (arena(folder, way, MARGINS[0]) / PLAN).exists():
        return
    folder /= way.name
    script, *options = shlex.split(way.command)
    goes_on = ["--resume"] if (folder / CHECKPOINT).exists() else []
    run(f"danmaku_env.training.{script}", *options, *goes_on, "--folder", str(folder), "--seconds", str(60 * minutes))


def duel(agent: str, deals: int, folder: Path) -> Path:
    """A tournament of the agent with the deducer, or what is missing of it. Raises SystemExit."""
    goes_on = ["--resume"] if (folder / PLAN).exists() else []
    run("danmaku_env", "tournament", DEDUCER, agent, "--deals", str(deals), "--out", str(folder), *goes_on)
    return folder


def payoffs(folder: Path) -> Array:
    """[deals, 2, players] what each seat was paid, in both games of a deal."""
    with Record(folder, *read_plan(folder)) as record:
        results = [record.results[key] for key in sorted(record.results)]
    return np.array([result.rewards for result in results]).reshape(-1, 2, len(results[0].rewards))


def explained(paid: Array) -> float:
    """Share of the variance that deal and seat explain."""
    return float(1 - paid.var(1, ddof=1).mean() / paid.var())


def difference(folder: Path) -> str:
    """By how much the net is above the deducer, with its 99 % interval."""
    pair = json.loads((folder / REPORT).read_text())["sections"][0]["pairs"][0]
    above = pair["difference"]
    sign = -1 if pair["first"] == DEDUCER else 1
    return f"{sign * above['mean']:+.3f} ± {(above['high'] - above['low']) / 2:.3f}"


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=span, default=10.0, help="of one core, for each way")
    parser.add_argument("--deals", type=at_least(2), default=1000, help="of each tournament")
    parser.add_argument("--folder", type=Path, default=Path("runs/credit"))
    parser.add_argument("--only", default=",".join(way.name for way in WAYS), help="names of ways, with commas between")
    args = parser.parse_args()
    chosen = args.only.split(",")
    if unknown := set(chosen) - {way.name for way in WAYS}:
        parser.error(f"{', '.join(sorted(unknown))} is no way: they are {', '.join(way.name for way in WAYS)}")
    ways = [way for way in WAYS if way.name in chosen]
    print_machine("torch")
    console = Console(stderr=True)
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        work = pool.map(lambda way: train(way, args.folder, args.minutes), ways)
        list(track(work, f"training, {args.minutes:g} minutes each", total=len(ways), console=console))
    table = Table("", *(f"above the deducer, margin {margin}" for margin in MARGINS), title=f"{args.deals} deals, 99 % intervals")
    shares = []
    for way in track(ways, "tournaments", console=console):
        played = [duel(f"neural:{args.folder / way.name},margin={m}", args.deals, arena(args.folder, way, m)) for m in MARGINS]
        table.add_row(f"{way.name}: {way.about}", *map(difference, played))
        shares += [explained(payoffs(folder)) for folder in played]
    Console(width=130).print(table)
    print(f"deal and seat explain {min(shares):.1%} to {max(shares):.1%} of what a game pays")


if __name__ == "__main__":
    main()
