"""Gensou no Utage on one core: random play, worlds dealt anew and copied records, each beside Danmaku!!'s in the same run.

    python benchmarks/utage.py [--seconds 2]

Rounds alternate, ratios count: random play with row and mask should be at least 0.7 of Danmaku!!'s decisions at six players, worlds at
least half. There is no public engine of this game to run beside ours.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from benchmarks.machine import print_machine
from benchmarks.shisoroku import random_play, rate_of, rounds
from danmaku_env import Game, GameConfig
from danmaku_env.engine import state as danmaku_state
from danmaku_env.game import resample_many
from danmaku_env.machine.records import as_bytes, room_for
from danmaku_env.sister import utage
from danmaku_env.sister.utage import UtageConfig
from danmaku_env.sister.utage.engine import state as st


def worlds(seconds: float) -> tuple[Callable[[], float], Callable[[], float]]:
    """Worlds a second dealt anew for a seat, in a game of each that stands in its middle."""
    dice = np.random.default_rng(0)
    mine, other = utage.Game.new(UtageConfig(), 1), Game.new(6, 1)
    for game in (mine, other):
        for _ in range(60):
            if not game.over:
                game.act(int(dice.choice(game.legal_actions())))

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


def said(what: str, mine: float, theirs: float, least: float) -> None:
    """Print both rates, their ratio, and whether it is what is asked for."""
    met = "" if mine / theirs >= least else f", less than {least}"
    print(f"{what}: {mine:,.0f} a second, Danmaku!!'s {theirs:,.0f}: {mine / theirs:.2f}{met}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement")
    seconds = parser.parse_args().seconds
    print_machine()
    mine, theirs = rounds(random_play(UtageConfig(decks="random"), seconds), random_play(GameConfig(num_players=6), seconds))
    said("decisions of random play, rows and masks included", mine, theirs, 0.7)
    said("worlds dealt anew", *rounds(*worlds(seconds)), 0.5)
    ours, other = copies(st.STATE, st.READ_BYTES, seconds), copies(danmaku_state.STATE, danmaku_state.PLAY_BYTES, seconds)
    said("copies of what play reads", *rounds(ours, other), 1.0)


if __name__ == "__main__":
    main()
