"""Batched self-play of the heuristic against batched random play in the same run, and what deducer and search cost on top of it.

    python benchmarks/rule_play.py [--seconds 3]

Prints decisions a second on one core for several batch sizes and player counts, their ratio to random play, and how long the agent alone
takes for a decision. With `--characters GAMES` it measures instead how often each character wins: what `effects.CHARACTER_EDGE` holds.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from benchmarks.machine import at_least, print_machine, span
from benchmarks.vector import best_rate
from danmaku_env import GameConfig, make_vec
from danmaku_env.agents.heuristic import HeuristicAgent
from danmaku_env.agents.registry import make
from danmaku_env.cards.box import CHARACTER_IDS, NUM_BASE_CHARACTERS
from danmaku_env.info_states import InfoStates

SEARCH = "search:simulations=200"
SIZES = ((256, 6), (1024, 4), (1024, 6), (1024, 8))


def own_rate(step: Callable[[], int], seconds: float) -> float:
    """`best_rate` by the time of this process: others on the machine do not count."""
    return best_rate(step, seconds, time.process_time)


def rates(num_envs: int, players: int, seconds: float) -> tuple[float, float, float]:
    """Decisions a second: the agent with the engine, the agent alone, random play with the engine."""
    agent = HeuristicAgent()
    vec = make_vec(num_envs, GameConfig(num_players=players))
    vec.reset(0)

    def play() -> int:
        vec.step(agent.act(vec.observations, vec.action_masks))
        return num_envs

    def decide() -> int:
        agent.act(vec.observations, vec.action_masks)
        return num_envs

    def play_randomly() -> int:
        vec.step(vec.sample())
        return num_envs

    for _ in range(300):
        play()
    whole, alone = own_rate(play, seconds), own_rate(decide, seconds)
    for _ in range(300):
        play_randomly()
    return whole, alone, own_rate(play_randomly, seconds)


def thinking(spec: str, players: int, num_envs: int, seconds: float) -> float:
    """Seconds of this process that one decision of an agent takes, over positions of its own games."""
    config = GameConfig(num_players=players, characters="random")
    agent, vec = make(spec, 0), make_vec(num_envs, config)
    vec.reset(0)
    heuristic = HeuristicAgent()
    for _ in range(60):
        vec.step(heuristic.act(vec.observations, vec.action_masks))

    def decide() -> int:
        vec.step(agent.act(vec.observations, vec.action_masks, InfoStates(vec.games.copy(), vec.seats.copy(), config)))
        return num_envs

    decide()
    return 1 / own_rate(decide, seconds)


def character_edges(games: int) -> np.ndarray:
    """[characters] share of games won beyond others of the same role, in percent, over 4, 6 and 8 players."""
    agent, edges, seats = HeuristicAgent(), np.zeros(NUM_BASE_CHARACTERS), np.zeros(NUM_BASE_CHARACTERS)
    for players in (4, 6, 8):
        vec = make_vec(1024, GameConfig(num_players=players, characters="random"))
        vec.reset(players)
        dealt, rows = vec.games["role"].copy(), []
        while len(rows) * players < games * players // 3:
            characters = vec.games["character"].copy()
            vec.step(agent.act(vec.observations, vec.action_masks))
            for row in np.flatnonzero(vec.dones):
                rows.append(np.stack([dealt[row], characters[row], vec.rewards[row] > 0], 1)[:players])
                dealt[row] = vec.games["role"][row]
        role, character, won = np.concatenate(rows).astype(int).T
        for each in np.unique(role):
            mine = role == each
            np.add.at(edges, character[mine] - 1, won[mine] - won[mine].mean())
            np.add.at(seats, character[mine] - 1, 1)
    return 100 * edges / seats


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=span, default=3.0, help="measured for each number")
    parser.add_argument("--characters", type=at_least(0), default=0, metavar="GAMES", help="measure characters over GAMES games")
    given = parser.parse_args()
    print_machine()
    if given.characters:
        edges = character_edges(given.characters)
        for character in np.argsort(-edges):
            print(f"{CHARACTER_IDS[character]:>28} {edges[character]:+5.1f}")
        return
    for num_envs, players in SIZES:
        whole, alone, peer = rates(num_envs, players, given.seconds)
        print(
            f"{num_envs:5} games of {players}: heuristic {whole:9,.0f} decisions/s, random {peer:9,.0f}/s, ratio {whole / peer:.2f}; "
            f"the agent alone {1e6 / alone:.2f} us a decision"
        )
    for players in (6, 8):
        deducer, search = thinking("deducer", players, 256, given.seconds), thinking(SEARCH, players, 16, given.seconds)
        print(f"{players} players: deducer {1 / deducer:8,.0f} decisions/s; {SEARCH} {1e3 * search:.1f} ms a decision")


if __name__ == "__main__":
    main()
