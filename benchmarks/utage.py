"""Gensou no Utage on one core: random play, worlds, records and learner steps, each beside a peer in the same run.

    python benchmarks/utage.py [--seconds 2] [--peer PYTHON]

Rounds alternate, ratios count, and each is printed with its mark. Peers are Danmaku!! at six players and, for learner steps, gym-locm's
battle environment (rules 1.5): another trading-card game for agents, since no public engine of this game can be run beside ours. gym-locm
wants Python 3.12 and a newer numpy, so it has a virtual environment of its own, and `--peer` names its Python. The package on PyPI lacks a
file of data (`cardWeights.json`), so it is installed from its repository:

    git clone https://github.com/ronaldosvieira/gym-locm && python3.12 -m venv locm && locm/bin/pip install -e gym-locm
    python benchmarks/utage.py --peer locm/bin/python

Without it everything else is measured.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import gymnasium
import numpy as np

from benchmarks.machine import print_machine, span
from benchmarks.shisoroku import ROUNDS, random_play, rate_of, rounds
from danmaku_env import Game, GameConfig
from danmaku_env.engine import state as danmaku_state
from danmaku_env.game import resample_many
from danmaku_env.machine.records import as_bytes, room_for
from danmaku_env.sister import utage
from danmaku_env.sister.utage import UtageConfig
from danmaku_env.sister.utage.engine import state as st


def worlds(seconds: float) -> tuple[Callable[[], float], Callable[[], float]]:
    """Worlds a second dealt anew for a seat, in a game of each that stands in its middle."""
    rng = np.random.default_rng(0)
    mine, other = utage.Game.new(UtageConfig(), 1), Game.new(6, 1)
    for game in (mine, other):
        for _ in range(60):
            if not game.over:
                game.act(int(rng.choice(game.legal_actions())))

    def ours() -> int:
        return len(utage.resample_many(mine, 0, 256, 1))

    def theirs() -> int:
        return len(resample_many(other, 0, 256, 1))

    return (lambda: rate_of(ours, seconds)), (lambda: rate_of(theirs, seconds))


def copies(dtype: np.dtype, read: int, seconds: float) -> Callable[[], float]:
    """Copies a second of what play reads of a record."""
    raw = as_bytes(room_for(dtype, 256))
    raw[:] = 1  # zeros that nobody has written share one page
    into = np.empty((256, read), np.uint8)

    def copy() -> int:
        into[:] = raw[:, :read]
        return 256

    return lambda: rate_of(copy, seconds)


def learner(seconds: float) -> Callable[[], float]:
    """Steps of a learner a second of a processor: it and its opponents at random, rows and masks copied as Gymnasium wants them."""
    envs = gymnasium.make_vec("danmaku/Utage-v0", num_envs=1024, learner=0, opponents="random", decks="random")
    envs.reset(seed=1)
    for _ in range(60):
        envs.step(envs.unwrapped.sample())

    def rate() -> float:
        steps, start = 0, time.process_time()
        while (spent := time.process_time() - start) < seconds / ROUNDS:
            envs.step(envs.unwrapped.sample())
            steps += envs.num_envs
        return steps / spent

    return rate


def locm(python: str, seconds: float) -> float:
    """The same of gym-locm, in a Python of its own. Raises RuntimeError with its last words where it does not run."""
    program = [python, str(Path(__file__).with_name("locm_peer.py")), str(seconds / ROUNDS)]
    try:
        done = subprocess.run(program, capture_output=True, text=True, check=False)
    except OSError as error:
        raise RuntimeError(str(error)) from None
    if done.returncode:
        raise RuntimeError(done.stderr.strip().rpartition("\n")[2])
    steps, spent, _ = map(float, done.stdout.split())
    return steps / spent


def said(what: str, mine: float, theirs: float, least: float, whose: str = "Danmaku!!'s") -> None:
    """Print both rates, their ratio, and whether it is what is asked for."""
    ratio = mine / theirs
    print(f"{what}: {mine:,.0f} a second, {whose} {theirs:,.0f}: {ratio:.2f} times ({_mark(ratio >= least)}: at least {least})")


def _mark(met: bool) -> str:
    return "met" if met else "MISSED"


def sizes() -> None:
    """Print what a record and a row take."""
    danmaku = danmaku_state.PLAY_BYTES
    for what, size, most in (
        ("a record, what play reads", st.READ_BYTES, 3584), ("a record, the log", st.STATE.itemsize - st.READ_BYTES, 4096),
        ("an observation row", utage.UTAGE_SPEC.row_size, 1229),
    ):  # fmt: skip
        print(f"{what}: {size:,} bytes ({_mark(size <= most)}: at most {most:,})")
    print(f"Danmaku!!'s play reads {danmaku:,} bytes: {st.READ_BYTES / danmaku:.2f} times")


def beside_locm(python: str | None, seconds: float) -> None:
    """Print learner steps beside gym-locm's, or alone with what is missing."""
    what, mine = "learner steps, by processor time", learner(seconds)
    if python is None:
        print(f"{what}: {rounds(mine)[0]:,.0f} a second; no peer: the head of benchmarks/utage.py says how gym-locm is installed")
        return
    try:
        said(what, *rounds(mine, lambda: locm(python, seconds)), 100, "gym-locm's")
    except RuntimeError as error:
        print(f"{what}: {rounds(mine)[0]:,.0f} a second; gym-locm does not run: {error}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=span, default=2.0, help="of each measurement")
    here = sys.executable if importlib.util.find_spec("gym_locm") else None
    parser.add_argument("--peer", default=here, help="the Python that has gym-locm")
    args = parser.parse_args()
    seconds = args.seconds
    print_machine()
    sizes()
    mine, theirs = rounds(random_play(UtageConfig(decks="random"), seconds), random_play(GameConfig(num_players=6), seconds))
    said("decisions of random play, rows and masks included", mine, theirs, 0.7)
    said("worlds dealt anew", *rounds(*worlds(seconds / ROUNDS)), 0.5)
    beside_locm(args.peer, seconds)
    ours, other = (
        copies(dtype, read, seconds / ROUNDS)
        for dtype, read in ((st.STATE, st.READ_BYTES), (danmaku_state.STATE, danmaku_state.PLAY_BYTES))
    )
    said("copies of what play reads", *rounds(ours, other), 1.0)


if __name__ == "__main__":
    main()
