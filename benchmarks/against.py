"""This checkout against another commit in the same run: whether games and shipped nets are the same, and speed as ratios.

    python benchmarks/against.py COMMIT [--games 200] [--questions 10000] [--rounds 8] [--starts 20] [--cold 3]

The other commit is checked out into a folder of its own. Everything is measured in fresh processes of the two, which alternate; a ratio is
this checkout's figure by the other's, the median over the rounds with its 95 % interval (rank statistic), above 1 where this one is better.
Games are the same where their final records are, byte by byte: random play of seeded games at 4 to 8 seats with either box, answers
drawn outside the engine. Nets are the same where they answer alike.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.machine import at_least, print_machine
from benchmarks.startup import FIRST_STEP

ROOT = Path(__file__).resolve().parent.parent
# programs for either checkout: they use names alone that have been public for long
GAMES = """
import hashlib, json, random, sys
from danmaku_env import Game, GameConfig
told = {}
for box in ("none", "lunatic_extra"):
    for players in range(4, 9):
        digest = hashlib.sha256()
        for seed in range(int(sys.argv[1])):
            game, draw = Game.new(GameConfig(num_players=players, expansion=box), seed), random.Random(seed)
            while game.asking is not None:
                game.act(draw.choice(game.legal_actions()))
            digest.update(game.record.tobytes())
        told[f"{players} players, {box}"] = digest.hexdigest()
print(json.dumps(told))
"""
ANSWERS = """
import hashlib, json, random, sys
from danmaku_env import Game, GameConfig
from danmaku_env.agents import base, registry
told = {}
for box in ("none", "lunatic_extra"):
    digest, asked = hashlib.sha256(), 0
    agent = registry.make("neural", 0)
    while asked < int(sys.argv[1]) // 2:
        draw = random.Random(asked)
        game = Game.new(GameConfig(num_players=4 + asked % 5, expansion=box), asked)
        while game.asking is not None:
            if draw.random() < 0.2:
                digest.update(b"%d " % base.answer(agent, game))
                asked += 1
            game.act(draw.choice(game.legal_actions()))
    told[f"neural, {box}"] = digest.hexdigest()
print(json.dumps(told))
"""
SPEED = """
import sys, time
import gymnasium
import danmaku_env
from danmaku_env import GameConfig, make_vec
from danmaku_env.agents.heuristic import HeuristicAgent

vec, heuristics, agent = make_vec(1024, GameConfig(num_players=6)), make_vec(1024, GameConfig(num_players=6)), HeuristicAgent()
envs = gymnasium.make_vec("danmaku/Danmaku-v0", num_envs=1024, learner="any")
vec.reset(0), heuristics.reset(0), envs.reset(seed=1)
steps = [
    lambda: vec.step(vec.sample()),
    lambda: envs.step(envs.unwrapped.sample()),
    lambda: heuristics.step(agent.act(heuristics.observations, heuristics.action_masks)),
]
for step in steps:
    for _ in range(300):
        step()
print("ready", flush=True)
for asked in sys.stdin:
    which, seconds = asked.split()
    count, start = 0, time.process_time()
    while (spent := time.process_time() - start) < float(seconds):
        steps[int(which)]()
        count += 1
    print(count / spent, flush=True)
"""
FIGURES = ("random play (vector.py)", "one learning seat (learner.py)", "the heuristic (rule_play.py)")
SLICE = 0.25
"""Seconds for which one checkout plays before the other does: shorter than what else goes on in a machine."""


def environment(checkout: Path, cache: str | None = None) -> dict[str, str]:
    """Variables in which a program finds the package of a checkout, and that of nobody else."""
    return {**os.environ, "PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "", **({"DANMAKU_CACHE_DIR": cache} if cache else {})}


def run(checkout: Path, code: str, *words: object, cache: str | None = None) -> str:
    """What a program prints in a fresh interpreter of a checkout. Ends this one with its last line where it fails."""
    command = [sys.executable, "-c", code, *map(str, words)]
    done = subprocess.run(command, env=environment(checkout, cache), cwd=checkout, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{checkout}: {(done.stderr.strip().splitlines() or ['it ended without a word'])[-1]}")
    return done.stdout


@contextlib.contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """A folder with the files of a commit, for a while. Ends the program with a sentence where there is no such commit."""
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True)
        if archive.returncode:
            sys.exit(f"{commit} is no commit of this repository: {archive.stderr.decode(errors='replace').strip()}")
        subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
        yield Path(folder)


def started(checkout: Path, cache: str | None = None) -> float:
    """Seconds of a fresh interpreter to its first step."""
    start = time.perf_counter()
    run(checkout, FIRST_STEP, cache=cache)
    return time.perf_counter() - start


def cold_start(checkout: Path) -> float:
    """The same with everything to be compiled."""
    with tempfile.TemporaryDirectory() as cache:
        return started(checkout, cache)


def median_with_interval(ratios: list[float]) -> tuple[float, float, float]:
    """The median, and between which order statistics the true one lies with 95 %; the extremes where there are too few."""
    ordered, rounds = sorted(ratios), len(ratios)
    tails = accumulate(math.comb(rounds, below) / 2**rounds for below in range(rounds))
    outside = max(0, sum(tail <= 0.025 for tail in tails) - 1)
    return statistics.median(ordered), ordered[outside], ordered[-1 - outside]


def alternating(here: Path, there: Path, rounds: int, measure: Callable[[Path], float]) -> list[float]:
    """Ratios of this checkout to the other, one for each round; who begins changes from round to round."""
    ratios = []
    for number in range(rounds):
        found = {checkout: measure(checkout) for checkout in ((here, there) if number % 2 else (there, here))}
        ratios.append(found[here] / found[there])
    return ratios


class Player:
    """A process of a checkout that plays whenever it is told to."""

    def __init__(self, checkout: Path) -> None:
        env = environment(checkout)
        self.process = subprocess.Popen(
            [sys.executable, "-c", SPEED], env=env, cwd=checkout, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._heard()

    def rate(self, which: int) -> float:
        """Steps a second of a processor."""
        assert self.process.stdin is not None
        print(which, SLICE, file=self.process.stdin, flush=True)
        return float(self._heard())

    def _heard(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline() or sys.exit("a process that played has ended; what it said stands above")


def speeds(here: Path, there: Path, slices: int) -> list[float]:
    """[figure] ratio of the speeds of two fresh processes, the median over slices of time that alternate."""
    players = {checkout: Player(checkout) for checkout in (here, there)}
    found = [
        statistics.median(alternating(here, there, slices, lambda checkout, which=which: players[checkout].rate(which)))
        for which in range(len(FIGURES))
    ]
    for player in players.values():
        player.process.communicate()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commit", help="what to compare with: a branch, tag or commit")
    parser.add_argument("--games", type=at_least(0), default=200, help="games of each table size and box")
    parser.add_argument("--questions", type=at_least(0), default=10_000, help="questions to the shipped nets")
    parser.add_argument("--rounds", type=at_least(0), default=8, help="rounds of measuring speed, each by two fresh processes")
    parser.add_argument("--slices", type=at_least(1), default=20, help="quarters of a second for each figure and checkout in a round")
    parser.add_argument("--starts", type=at_least(0), default=20, help="starts from the cache")
    parser.add_argument("--cold", type=at_least(0), default=3, help="starts with everything to be compiled")
    given = parser.parse_args()
    print_machine()
    with checked_out(given.commit) as there:
        for checkout in (ROOT, there):
            run(checkout, FIRST_STEP)  # what is compiled once is there for all that follows
        for code, count in ((GAMES, given.games), (ANSWERS, given.questions)):
            if count:
                mine, other = (json.loads(run(checkout, code, count)) for checkout in (ROOT, there))
                for name, digest in mine.items():
                    print(f"{name}: {'the same' if digest == other[name] else 'NOT THE SAME'} ({count})")
        rounds = [speeds(ROOT, there, given.slices) for _ in range(given.rounds)]
        ratios = {name: [found[which] for found in rounds] for which, name in enumerate(FIGURES)}
        ratios["a start from the cache"] = alternating(ROOT, there, given.starts, lambda checkout: 1 / started(checkout))
        ratios["a cold start"] = alternating(ROOT, there, given.cold, lambda checkout: 1 / cold_start(checkout))
    for name, each in ratios.items():
        if each:
            print("{}: {:.3f} times as fast ({:.3f} to {:.3f}; {} rounds)".format(name, *median_with_interval(each), len(each)))


if __name__ == "__main__":
    main()
