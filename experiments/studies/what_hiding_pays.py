"""What does hiding pay?

    python experiments/studies/what_hiding_pays.py [--deals 200] [--players 6] [--seed 43]

Deducers play every deal; then one seat after the other, whose role is hidden, hides: every answer is worth less to it by LAMBDA lives for
each bit that it tells of the role; what misleads costs nothing and is not rewarded. The bits of an answer are log2 of how likely a deducer
with its role gives it, over how likely one with any role that it may have does, by the role cards; a slip of 5 % is allowed for, so an
answer tells at most four or five bits. What hiding pays is the reward minus that in the same seat of the same deal without it; LAMBDA 0 is
the control: it differs from nothing only by chance.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from danmaku_env import GameConfig, make_vec
from danmaku_env.agents.base import answers_of
from danmaku_env.agents.registry import make
from danmaku_env.arena import rollout
from danmaku_env.arena.reports.plots import Line, draw_lines, mark_zero, plot, svg
from danmaku_env.arena.reports.style import COLORS
from danmaku_env.beliefs.factions import FACTIONS, dealt_factions
from danmaku_env.cards.compile import compile_cards
from danmaku_env.engine import batch
from danmaku_env.engine import state as st
from danmaku_env.envs.vector import VectorEnv
from danmaku_env.estimates import Estimate, ratio, signed
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array
from experiments.studies.telling import CONFIDENCE, claims, keep

LAMBDAS = (0.0, 0.05, 0.2, 0.5)
"""Lives that a bit costs."""
ROWS, SLIP = 128, 0.05
PREDICTIONS = (
    "The control, LAMBDA 0, differs from a deducer by nothing that is shown.",
    "With LAMBDA 0.2 a seat tells less than half of the bits that it tells without.",
    "Partners lose by hiding much (LAMBDA 0.5): they need to be known.",
    "Extra Bosses gain by hiding a little (LAMBDA 0.05).",
    "Over all seats hiding never pays: no LAMBDA above 0 has a gain that is shown.",
)


class Hiding(NamedTuple):
    """A game of a deal: who hides, and how much; nobody where `cost` is below 0."""

    deal: int
    seat: int
    cost: float


class Hider:
    """Answers of a deducer that hides."""

    def __init__(self, config: GameConfig, seed: int) -> None:
        self.deducer, self.config, self.rng = make("deducer", seed), config, np.random.default_rng(seed)

    def answers(self, vec: VectorEnv, rows: Array, costs: Array) -> tuple[Array, Array]:
        """[k] answers of the seats that are asked in these rows, and [k] the bits that they tell."""
        records, seats, masks = vec.records(rows), vec.seats[rows].astype(np.int64), vec.action_masks[rows]
        states = InfoStates(records, seats, self.config)
        judged = self.deducer.evaluate_actions(vec.observations[rows], masks, states)  # type: ignore[attr-defined]
        worths = np.where(masks != 0, judged.values, -np.inf)
        bits = self._bits(records, seats, masks)
        fine = 1e-6 * self.rng.random(masks.shape)  # ties are broken at random
        with np.errstate(invalid="ignore"):
            chosen = np.where(masks != 0, worths - costs[:, np.newaxis] * np.maximum(bits, 0) + fine, -np.inf).argmax(1)
        return chosen, bits[np.arange(len(rows)), chosen]

    def _bits(self, records: Array, seats: Array, masks: Array) -> Array:
        """[k, N] what each answer tells of the role of the seat that gives it."""
        bits: Array = np.zeros(masks.shape)
        hidden = records["role_seen"][np.arange(len(seats)), seats] != st.EVERYBODY
        open_to_all = st.as_bytes(records).copy().view(st.STATE).reshape(-1)
        open_to_all["role_seen"] = np.where(records["role_seen"] == st.EVERYBODY, st.EVERYBODY, 0)
        spectators = InfoStates(open_to_all, np.zeros(len(seats), np.int64), self.config)
        row, role, chance = list[int](), list[int](), list[float]()
        for place in np.flatnonzero(hidden & (masks.sum(1) > 1)).tolist():
            priors = spectators.role_assignments(place).marginals()[seats[place]]
            for one in np.flatnonzero(priors):
                row.append(int(place))
                role.append(int(one))
                chance.append(float(priors[one]))
        if not row:
            return bits
        worlds = st.as_bytes(records)[row].view(st.STATE).reshape(-1)
        asked, legal = seats[row], masks[row]
        true = worlds["role"][np.arange(len(row)), asked] == role
        worlds["role"][np.arange(len(row)), asked] = role
        observations: Array = np.zeros((len(row), self.config.observation_size), np.uint8)
        batch.observe_rows(compile_cards().tables, worlds, asked, observations)
        said = self.deducer.probabilities(observations, legal, InfoStates(worlds, asked, self.config))  # type: ignore[attr-defined]
        said = ((1 - SLIP) * said + SLIP / legal.sum(1, keepdims=True)) * (legal != 0)
        mean = np.zeros(masks.shape)
        np.add.at(mean, row, np.array(chance)[:, np.newaxis] * said)
        own = np.array(row)[true]
        there = (masks[own] != 0) & (mean[own] > 0)
        bits[own] = np.where(there, np.log2(np.where(there, said[true], 1.0)) - np.log2(np.where(there, mean[own], 1.0)), 0.0)
        return bits


def played(config: GameConfig, seeds: Sequence[int], games: Sequence[Hiding], seed: int) -> tuple[Array, Array]:
    """[G, players] rewards, and [G] the bits that the seat which hides has told."""
    vec, hider = make_vec(min(ROWS, len(games)), config), Hider(config, seed)
    rewards, told = np.zeros((len(games), config.num_players)), np.zeros(len(games))
    who, cost = np.array([one.seat for one in games]), np.array([one.cost for one in games])
    vec.reset(0)
    episodes = rollout.Episodes(vec, len(games), lambda rows, numbers: vec.start(rows, [seeds[games[n].deal] for n in numbers]))

    def answer(rows: Array) -> Array:
        answers, games_of = vec.sample(), episodes.game[rows]
        hides = (cost[games_of] >= 0) & (vec.seats[rows] == who[games_of])
        for mine, by_hider in ((rows[hides], True), (rows[~hides], False)):
            if by_hider and len(mine):
                answers[mine], bits = hider.answers(vec, mine, cost[episodes.game[mine]])
                told[episodes.game[mine]] += bits
            elif len(mine):
                answers[mine] = answers_of(hider.deducer, vec.observations[mine], vec.action_masks[mine], InfoStates.of(vec, mine))
        return answers

    for step in rollout.play(vec, episodes, answer):
        rewards[step.over] = step.rewards[:, : config.num_players]
    vec.close()
    return rewards, told


def plan(config: GameConfig, seeds: Sequence[int]) -> tuple[list[Hiding], Array]:
    """The games of all deals, and [deals, players] the factions as dealt."""
    vec = make_vec(len(seeds), config)
    vec.reset(0)
    vec.start(np.arange(len(seeds)), seeds)
    records, found = vec.records(), []
    vec.close()
    for deal, record in enumerate(records):
        found.append(Hiding(deal, 0, -1.0))
        hidden = [seat for seat in range(config.num_players) if record["role_seen"][seat] != st.EVERYBODY]
        found += [Hiding(deal, seat, cost) for seat in hidden for cost in LAMBDAS]
    return found, dealt_factions(records["role"][:, : config.num_players].astype(np.int64))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--players", type=int, default=6)
    parser.add_argument("--seed", type=int, default=43)
    given = parser.parse_args()
    config = GameConfig(num_players=given.players, characters="random")
    seeds = [int(word >> np.uint64(2)) for word in np.random.SeedSequence(given.seed).generate_state(given.deals, np.uint64)]
    games, factions = plan(config, seeds)
    rewards, told = played(config, seeds, games, given.seed)
    deal, seat, cost = (np.array([getattr(one, name) for one in games]) for name in ("deal", "seat", "cost"))
    usual = np.zeros((given.deals, config.num_players))
    usual[deal[cost < 0]] = rewards[cost < 0]
    gain, faction = rewards[np.arange(len(games)), seat] - usual[deal, seat], factions[deal, seat]

    def over_deals(values: Array, chosen: Array) -> Estimate:
        counts = np.bincount(deal[chosen], minlength=given.deals).astype(np.float64)
        return ratio(np.bincount(deal[chosen], values[chosen], given.deals), counts, CONFIDENCE)

    names = [name for name, bit in FACTIONS.items() if ((faction == bit) & (cost >= 0)).any()]
    found = {str(one): over_deals(gain, cost == one) for one in LAMBDAS}
    bits = {str(one): over_deals(told, cost == one) for one in LAMBDAS}
    ways = {name: {str(one): over_deals(gain, (cost == one) & (faction == FACTIONS[name])) for one in LAMBDAS} for name in names}
    hidden = {name: {str(one): over_deals(told, (cost == one) & (faction == FACTIONS[name])) for one in LAMBDAS} for name in names}
    control, partner, extra = found["0.0"], ways["Partner"]["0.5"], ways["Extra Boss"]["0.05"]
    came = [
        (f"{signed(control)}", control.low <= 0 <= control.high),
        (f"{bits['0.2'].mean:.2f} bits instead of {bits['0.0'].mean:.2f}", bits["0.2"].mean < bits["0.0"].mean / 2),
        (f"{signed(partner)}", partner.high < 0),
        (f"{signed(extra)}", extra.low > 0),
        (", ".join(f"{one}: {signed(found[str(one)])}" for one in LAMBDAS[1:]), all(found[str(one)].low <= 0 for one in LAMBDAS[1:])),
    ]
    with plot(9, 3.4) as figure:
        left, right = figure.subplots(1, 2)
        x = range(len(LAMBDAS))
        draw_lines(left, [Line(name, x, list(ways[name].values()), COLORS[k]) for k, name in enumerate(names)], bands=False, spread=0.1)
        mark_zero(left, across=True)
        draw_lines(right, [Line(name, x, list(hidden[name].values()), COLORS[k]) for k, name in enumerate(names)], bands=False, spread=0.1)
        for axes in (left, right):
            axes.set_xticks(x, [f"{one:g}" for one in LAMBDAS])
            axes.set_xlabel("lives that a bit costs")
        left.set(title="What hiding pays", ylabel="reward gained")
        right.set(title="Bits that a seat tells in a game", ylabel="bits")
        left.legend()
        picture = svg(figure)
    command = f"python experiments/studies/what_hiding_pays.py --deals {given.deals} --players {given.players} --seed {given.seed}"
    numbers = {"gain": found, "bits told": bits, "gain by role": ways, "bits told by role": hidden}
    keep(__file__, command, claims(PREDICTIONS, came), numbers, picture)


if __name__ == "__main__":
    main()
