"""Tournaments that are killed: no process stays behind, and resumed to the end their games and their report are those of one go."""

import random
import time
from collections import Counter

from danmaku_env.arena.tournaments.record import RESULTS
from danmaku_env.arena.tournaments.tournament import REPORT
from tests.kill.victims import finish, kill_at, so_far, start, survivors

_NO_LIMIT = "10000"
"""Seconds for a decision: the referee's clock must not strike because the machine is busy, for that changes the results."""


def words(folder, deals, *more):
    plan = ["--players", "4", "--deals", str(deals), "--seed", "3", "--processes", "2", "--time-limit", _NO_LIMIT, "--out", str(folder)]
    return ["-m", "danmaku_env", "tournament", "random", "heuristic", *plan, *more]


def experiment(folder, times, seed, *, kills_each=4, deals=1500):
    """Figures and findings."""
    begun = time.monotonic()
    if (ended := finish(start(words(folder / "whole", deals), folder)))[0]:
        return "a tournament cannot even be played", [ended[2]]
    length = time.monotonic() - begun
    rng, findings = random.Random(seed), []
    kills = runs = torn = 0
    kept = set()
    while kills < times:
        run, runs, mine = folder / f"run{runs}", runs + 1, 0
        while mine < min(kills_each, times - kills):
            if not kill_at(words(run, deals, *resume(run)), folder, rng.uniform(0.0, length)):
                break
            mine += 1
            if left := survivors(folder):
                findings.append(f"run {runs - 1}: processes survive their parent: {left}")
            data = (run / RESULTS).read_bytes() if (run / RESULTS).exists() else b""
            torn += not data.endswith(b"\n") and data != b""
            kept.add(data.count(b"\n"))
        kills += mine
        so_far(kills, findings)
        if (run / REPORT).exists():
            continue
        ended = finish(start(words(run, deals, *resume(run)), folder))
        if ended is None or ended[0]:
            findings.append(f"run {runs - 1} could not be resumed: {ended}")
        else:
            for name in (RESULTS, REPORT):
                there, whole = Counter(lines(run / name)), Counter(lines(folder / "whole" / name))
                if other := sorted(((there - whole) + (whole - there)).elements()):
                    findings.append(f"run {runs - 1}: another {name}, in {len(other)} lines: {other[:6]}")
            findings += [f"run {runs - 1}: left: {path.name}" for path in run.iterdir() if path.name.startswith(".")]
    figures = f"tournament: {kills} kills in {runs} tournaments of {2 * deals} games, from 0 to {length:.1f} s after the start, with "
    return figures + f"{len(kept)} different numbers of finished games, {torn} within a line; {len(findings)} findings", findings


def resume(folder):
    return ["--resume"] if (folder / "plan.json").exists() else []


def lines(path):
    """The lines of a file in order: games end in another order when they are resumed."""
    return sorted(path.read_text("utf-8").splitlines())
