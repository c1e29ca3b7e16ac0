"""How much of the exact answer is open hands?

    python experiments/studies/own_knowledge.py [--games 50] [--particles 64] [--seed 44] [--folder runs/studies/own_knowledge]

Bayes by the players' own policies from what the Heroine knows, with all hands but her own hidden, at the first question of round 2:
of 50 games of the heuristic without characters and incidents, with all cards but those that move or show cards in secret. Beside it on the
same statements: role cards, two belief models, and Bayes with open hands. In every fifth game the posterior is computed twice: its error.
The same command counts how far games of the whole box can be followed like that.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from danmaku_env import Game, GameConfig
from danmaku_env.agents.by_faction import FACTION_OF_ROLE, IN_FACTION
from danmaku_env.agents.registry import make
from danmaku_env.arena.deduction.exact_posterior import ExactPosterior
from danmaku_env.arena.deduction.games import play
from danmaku_env.arena.deduction.intermediate_states import heroine_of
from danmaku_env.arena.deduction.own_knowledge import TABLE, DiedOutError, ObservedGame, apart, particles_of, watch
from danmaku_env.arena.deduction.scores import score
from danmaku_env.arena.reports.plots import plot, svg
from danmaku_env.arena.reports.style import COLORS
from danmaku_env.cards.box import NUM_ROLES
from danmaku_env.estimates import Estimate, plain
from danmaku_env.game import write_atomically
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array
from experiments.studies.telling import claims, keep, over_games

BELIEF_MODELS = ("deducer", "deducer:belief=inverse_planning")
READERS = ("role cards alone", "deducer", "inverse planning", "exact, own knowledge", "exact, open hands")
_OWN = READERS.index("exact, own knowledge")
_TWICE = 5
"""In one game of this many the posterior is computed twice."""
_LOST = 15.0
"""Bits that only a faction without a particle left can cost."""
PREDICTIONS = (
    "Own knowledge stands between inverse planning and open hands, both steps shown at 99 %.",
    "It is nearer to open hands: they are worth less than what inverse planning leaves unread.",
    "It is known well: its two computations differ by less than 0.02 bits in the mean.",
    "At the whole table no exact answer of this kind is to be had: a card moves unseen in nine of ten games before round 2 begins.",
)


def until(watched: ObservedGame, turn: int) -> ObservedGame | None:
    """A game up to the first question of a turn; None where it does not come so far."""
    end = next((place for place, state in enumerate(watched.states) if state["turn_number"] >= turn), None)
    if end is None:
        return None
    found = ObservedGame(watched.states[0], watched.config)
    for answer, after in zip(watched.answers[:end], watched.states[1 : end + 1], strict=True):
        found.see(answer, after)
    return found


def stated(watched: ObservedGame, number: int, count: int) -> dict[str, Any] | None:
    """Bits of log loss of the faction of each hidden seat, by reader, and those of both computations; None without a Heroine who plays."""
    agent, record, config = make("heuristic", 0), watched.states[-1], watched.config
    seat, players = heroine_of(record), config.num_players
    if seat < 0 or not record["active"] >> seat & 1:
        return None
    states = InfoStates(record.reshape(1), np.array([seat]), config)
    row = Game.from_trusted_record(record.reshape(1).copy(), config).observe(seat)[np.newaxis]
    turned = (np.arange(players) - seat) % players
    said = [np.asarray(states.role_assignments(0).marginals()).reshape(players, NUM_ROLES)[turned]]
    belief_models: list[Any] = [make(spec, 0) for spec in BELIEF_MODELS]
    said += [belief_model.posterior(row, states)[0][turned] for belief_model in belief_models]
    twice = []
    for chain in range(1 + (number % _TWICE == 0)):
        rng = np.random.default_rng([number, chain])
        others = [other for other in range(players) if other != seat and record["active"] >> other & 1]
        twice.append(apart(watched, [particles_of(watched, other, seat, agent, count, rng) for other in others], seat))
    said += [twice[0], _with_open_hands(watched, agent, states)[turned]]
    hidden = np.flatnonzero(record["role_seen"][:players] >> seat & 1 == 0)
    truth = FACTION_OF_ROLE[record["role"][hidden]]
    bits = [score(beliefs[hidden] @ IN_FACTION, truth).log_loss.tolist() for beliefs in (*said, *twice)]
    return {"game": number, "readers": bits[: len(READERS)], "twice": bits[len(READERS) :]}


def _with_open_hands(watched: ObservedGame, agent: Any, states: InfoStates) -> Array:
    """[8, NUM_ROLES] the reference, seats relative to the observer."""
    exact, only = ExactPosterior([agent], watched.config, 1), np.zeros(1, np.int64)
    exact.begin(only)
    for before, answer, after in zip(watched.states, watched.answers, watched.states[1:], strict=False):
        exact.see(only, before.reshape(1), after.reshape(1), np.array([answer]))
    found: Array = exact.posterior(states, [exact.now(0)])[0]
    return found


def games_of(config: GameConfig, games: int, seed: int) -> list[ObservedGame]:
    """Games of the heuristic, as far as they can be followed."""
    seeds = [int(word >> np.uint64(2)) for word in np.random.SeedSequence(seed).generate_state(games, np.uint64)]
    return watch(play([make("heuristic", seed)], config, seeds, seed), config, games)


def rows_of(given: argparse.Namespace) -> list[dict[str, Any]]:
    """What was stated in each game; what a stopped run has found is kept in the folder."""
    rows, path = [], given.folder / f"{given.games}-{given.particles}-{given.seed}.jsonl"
    done = {row["game"]: row for row in map(json.loads, path.read_text("utf-8").splitlines())} if path.exists() else {}
    given.folder.mkdir(parents=True, exist_ok=True)
    for number, watched in enumerate(games_of(TABLE, given.games, given.seed)):
        if number not in done:
            done[number] = _row(watched, number, given.particles)
            write_atomically(path, "".join(f"{json.dumps(row)}\n" for row in done.values()).encode())
        print(done[number], flush=True)
        rows.append(done[number])
    return rows


def _row(watched: ObservedGame, number: int, count: int) -> dict[str, Any]:
    there = until(watched, TABLE.num_players + 1)
    if there is None:
        return {"game": number, "left out": watched.lost or "over before"}
    try:
        return stated(there, number, count) or {"game": number, "left out": "no Heroine plays"}
    except DiedOutError:
        return {"game": number, "left out": "no particle was left"}


def picture(told: Sequence[Estimate]) -> bytes:
    """The log loss of each reader."""
    with plot(7, 2.8) as figure:
        axes = figure.subplots()
        for place, one in enumerate(told):
            axes.errorbar(one.mean, place, xerr=one.half, fmt="o", color=COLORS[place], capsize=3)
        axes.set_yticks(range(len(READERS)), READERS)
        axes.invert_yaxis()
        axes.set(title="What is left to know of a hidden seat as round 2 begins", xlabel="log loss of the faction, bits")
        return svg(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--particles", type=int, default=64)
    parser.add_argument("--seed", type=int, default=44)
    parser.add_argument("--folder", type=Path, default=Path("runs/studies/own_knowledge"))
    given = parser.parse_args()
    whole = games_of(GameConfig.named("Base6-v0"), given.games, given.seed)
    far = [one for one in whole if int(one.states[-1]["turn_number"]) > TABLE.num_players]
    why = Counter(one.lost for one in whole if one not in far)
    print(len(far), why, flush=True)
    rows = rows_of(given)
    judged = [row for row in rows if "readers" in row]
    game = np.concatenate([np.full(len(row["readers"][0]), row["game"]) for row in judged])
    bits = np.concatenate([np.array(row["readers"]).T for row in judged])
    again = [row for row in judged if len(row["twice"]) > 1]
    twice = np.concatenate([np.array(row["twice"]).T for row in again])
    of_twice = np.concatenate([np.full(len(row["readers"][0]), row["game"]) for row in again])

    def mean(values: Array) -> Estimate:
        return over_games(values, game, given.games)

    told = [mean(column) for column in bits.T]
    read, hands = mean(bits[:, _OWN - 1] - bits[:, _OWN]), mean(bits[:, _OWN] - bits[:, _OWN + 1])
    error = over_games(twice[:, 0] - twice[:, 1], of_twice, given.games)
    nearer = mean(bits[:, _OWN - 1] - 2 * bits[:, _OWN] + bits[:, _OWN + 1])
    differ = np.abs(twice[:, 0] - twice[:, 1])
    lost = twice.max(1) > _LOST
    apart_by = f"{differ.mean():.3f} a statement; {lost.sum()} of {len(differ)} lost the true role, the others {differ[~lost].mean():.3f}"
    came = [
        (f"inverse planning leaves {plain(read)} bits unread, open hands are worth {plain(hands)}", read.low > 0 and hands.low > 0),
        (f"unread minus open hands: {plain(nearer)} bits", nearer.low > 0),
        (f"{plain(error)} bits in the mean, {apart_by}", max(abs(error.low), abs(error.high)) < 0.02),
        (f"{len(far)} of {given.games} games can be followed so far", len(far) <= given.games / 10),
    ]
    numbers = {
        "log loss of the faction": dict(zip(READERS, told, strict=True)),
        "own knowledge, two computations": error,
        "statements computed twice": len(differ),
        "of them without a particle of the true faction in one": int(lost.sum()),
        "games": len(judged),
        "statements": len(game),
        "left out": dict(Counter(row["left out"] for row in rows if "left out" in row)),
        "the whole box, games that are lost before round 2": dict(why),
    }
    command = f"python experiments/studies/own_knowledge.py --games {given.games} --particles {given.particles} --seed {given.seed}"
    keep(__file__, command, claims(PREDICTIONS, came), numbers, picture(told))


if __name__ == "__main__":
    main()
