"""What history and sampled hidden states cost: resampling, listing roles, and batched play with and without history, in the same run.

    python benchmarks/knowledge.py [--seconds 2]

The peer of resampling is copying the record alone; the peer of history is the same batch without it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from benchmarks.machine import print_machine, span
from benchmarks.vector import best_rate
from danmaku_env import Game, GameConfig, make_vec
from danmaku_env.cards.compile import compile_cards
from danmaku_env.engine import batch
from danmaku_env.engine import state as st
from danmaku_env.engine.scratch import SCRATCH
from danmaku_env.game import role_assignments

BATCH = 256
MIDDLE = 300
"""Decisions before a position in the middle of a game."""


def positions(players: int, decisions: int) -> tuple[np.ndarray, np.ndarray]:
    """A batch of records after this number of decisions, and the seats asked."""
    vec = make_vec(BATCH, GameConfig(num_players=players))
    vec.reset(1)
    for _ in range(decisions):
        vec.step(vec.sample())
    return vec.clone(), vec.seats.astype(np.int64)


def world_rates(players: int, decisions: int, seconds: float) -> tuple[float, float]:
    """Worlds a second, and copies of the record alone."""
    games, seats = positions(players, decisions)
    worlds, scratch = games.copy(), np.zeros(1, SCRATCH)
    scratch["rng"][0] = 1, 2, 3, 4
    roles = np.full((BATCH, st.SEATS), -1, np.int8)
    source, target, tables = st.as_bytes(games), st.as_bytes(worlds), compile_cards().tables

    def resample() -> int:
        target[:] = source
        batch.resample_rows(tables, worlds, seats, roles, scratch)
        return BATCH

    def copy() -> int:
        target[:] = source
        return BATCH

    return best_rate(resample, seconds), best_rate(copy, seconds)


def role_rate(players: int, seconds: float) -> tuple[float, int]:
    """Lists of all deals a second, as a seat that knows the Heroine and itself; and how many deals there are."""
    game = Game.new(GameConfig(num_players=players, characters="random"), 1)
    seat = (game.turn + 1) % players

    def enumerate_once() -> int:
        role_assignments(game, seat)
        return 1

    return best_rate(enumerate_once, seconds), len(role_assignments(game, seat).weights)


def stepper(num_envs: int, history: int) -> Callable[[], int]:
    """Random-legal play of six players, a few steps at a time."""
    vec = make_vec(num_envs, GameConfig(num_players=6, history=history))
    vec.reset(0)
    for _ in range(200):
        vec.step(vec.sample())

    def step() -> int:
        for _ in range(10):
            vec.step(vec.sample())
        return 10 * num_envs

    return step


def history_rates(num_envs: int, events: tuple[int, ...], seconds: float) -> dict[int, float]:
    """Decisions a second by length of history; in turns, so that a busy machine slows all alike."""
    steps = {number: stepper(num_envs, number) for number in events}
    rates = dict.fromkeys(events, 0.0)
    for _ in range(5):
        for number, step in steps.items():
            rates[number] = max(rates[number], best_rate(step, seconds / 5))
    return rates


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=span, default=2.0, help="time for each figure")
    seconds = parser.parse_args().seconds
    print_machine()
    print("\nworlds a second, one core (copying the record included)")
    for players, decisions in ((4, 40), (6, 40), (6, MIDDLE), (8, MIDDLE)):
        worlds, copies = world_rates(players, decisions, seconds)
        print(f"  {players} players, after {decisions:3d} decisions: {worlds:10,.0f}; {worlds / copies:.2f} of copying alone")
    print("\nevery deal of the roles, listed")
    for players in (6, 8):
        rate, deals = role_rate(players, seconds)
        print(f"  {players} players: {deals:6,d} deals in {1e3 / rate:.2f} ms")
    print("\ndecisions a second by events of history, 1,024 games of six")
    rates = history_rates(1024, (0, 16, 64), seconds)
    for number, rate in rates.items():
        print(f"  {number:3d} events: {rate:12,.0f}; {rate / rates[0]:.2f} of none")


if __name__ == "__main__":
    main()
