"""Batched random-legal play, observation and mask included, against OpenSpiel's hanabi from Python in the same run.

    python benchmarks/vector.py [--seconds 2]

Prints decisions a second per core for several batch sizes and player counts, with Lunatic Extra too, what two threads give, the cost of
copying a game, and the share of machine, observation and mask. The peer needs `pip install open_spiel`; without it that line says so.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from benchmarks.machine import print_machine, span
from danmaku_env import GameConfig, make_vec
from danmaku_env.cards.compile import compile_cards
from danmaku_env.engine import batch
from danmaku_env.engine import state as st

REPEATS = 3


def best_rate(step: Callable[[], int], seconds: float, clock: Callable[[], float] = time.perf_counter) -> float:
    """Highest rate of a few runs of `step`, which returns how much it did."""
    best = 0.0
    for _ in range(REPEATS):
        done, start = 0, clock()
        while clock() - start < seconds / REPEATS:
            done += step()
        best = max(best, done / (clock() - start))
    return best


def play_rate(num_envs: int, players: int, threads: int, seconds: float, **config: Any) -> float:
    """Decisions a second of random-legal play."""
    vec = make_vec(num_envs, GameConfig(num_players=players, **config), threads=threads)
    vec.reset(0)

    def step() -> int:
        for _ in range(max(1, 4096 // num_envs)):
            vec.step(vec.sample())
        return num_envs * max(1, 4096 // num_envs)

    for _ in range(max(400, 100_000 // num_envs)):
        vec.step(vec.sample())
    rate = best_rate(step, seconds)
    vec.check()
    vec.close()
    return rate


def copy_nanoseconds(num_envs: int, size: int, seconds: float) -> float:
    """Nanoseconds to copy this number of bytes of one game of a batch."""
    source, target = st.room_for(num_envs), st.room_for(num_envs)
    one, other = st.as_bytes(source)[:, :size], st.as_bytes(target)[:, :size]

    def step() -> int:
        other[:] = one
        return num_envs

    return 1e9 / best_rate(step, seconds)


def shares(num_envs: int, players: int, seconds: float) -> dict[str, float]:
    """Nanoseconds a decision spends in the machine, in the observation and in the mask."""
    vec = make_vec(num_envs, GameConfig(num_players=players))
    vec.reset(0)
    for _ in range(150):
        vec.step(vec.sample())
    tables = compile_cards().tables
    seats = vec.seats.astype(np.int64)
    games = vec.clone()

    def machine() -> int:
        games[:] = vec.games
        before = int(games["decisions"].sum())
        batch.rollout(tables, games, 100, vec._rng)
        return int(games["decisions"].sum()) - before

    def observe() -> int:
        batch.observe_rows(tables, vec.games, seats, vec.observations)
        return num_envs

    def mask() -> int:
        batch.mask_rows(vec.games, vec.action_masks)
        return num_envs

    return {name: 1e9 / best_rate(part, seconds) for name, part in (("machine", machine), ("observation", observe), ("mask", mask))}


def hanabi_rate(seconds: float) -> float | None:
    """Decisions a second of OpenSpiel's hanabi with 5 players from Python, observation and mask included."""
    try:
        import pyspiel
        from open_spiel.python.observation import make_observation
    except ImportError:
        return None
    game = pyspiel.load_game("hanabi(players=5)")
    observation = make_observation(game)
    rng = random.Random(0)

    def step() -> int:
        decisions, state = 0, game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
                continue
            observation.set_from(state, state.current_player())
            state.legal_actions_mask()
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
        return decisions

    return best_rate(step, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=span, default=2.0, help="time for each figure")
    seconds = parser.parse_args().seconds
    print_machine()
    rates = {}
    print("\ndecisions a second, one core (observation and mask written)")
    for num_envs, players in ((256, 6), (1024, 6), (4096, 6), (8192, 6), (1024, 4), (1024, 8)):
        rates[num_envs, players] = play_rate(num_envs, players, 1, seconds)
        print(f"  {players} players, {num_envs:5d} games: {rates[num_envs, players]:12,.0f}")
    plain = play_rate(1024, 6, 1, seconds, characters="none")
    print(f"  6 players,  1024 games, no characters: {plain:12,.0f}; with all characters {rates[1024, 6] / plain:.2f} of that")
    print(f"  largest batch / smallest: {rates[8192, 6] / rates[256, 6]:.2f}; 8 players / 4 players: {rates[1024, 8] / rates[1024, 4]:.2f}")
    both = play_rate(1024, 6, 1, seconds, expansion="lunatic_extra")
    print(f"  6 players,  1024 games, with Lunatic Extra: {both:12,.0f}; {both / rates[1024, 6]:.2f} of the base game")
    two = play_rate(4096, 6, 2, seconds)
    print(f"  two threads, 4096 games: {two:,.0f}, {two / rates[4096, 6]:.2f} times one")
    parts = shares(1024, 6, seconds)
    print("  nanoseconds a decision: " + ", ".join(f"{name} {value:.0f}" for name, value in parts.items()))
    for size, what in ((st.STATE_BYTES, "a game"), (st.BYTES_BEFORE_LOG, "what search copies of it"), (st.PLAY_BYTES, "what play reads")):
        times = [copy_nanoseconds(games, size, seconds) for games in (1024, 16)]
        print(f"  copying {what}, {size} bytes: {times[0]:.0f} ns in a batch of 1024, {times[1]:.0f} ns in one of 16")
    peer = hanabi_rate(seconds)
    if peer is None:
        print("  peer: OpenSpiel is not installed (pip install open_spiel), no ratio")
    else:
        print(f"  peer: OpenSpiel hanabi, 5 players, from Python: {peer:,.0f}; ratio {rates[1024, 6] / peer:.1f}")


if __name__ == "__main__":
    main()
