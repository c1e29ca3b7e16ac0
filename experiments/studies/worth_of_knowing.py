"""What is it worth to know the roles?

    python experiments/studies/worth_of_knowing.py [--deals 300] [--players 6] [--seed 41]

Deducers play every deal once as it is, and then once for each seat and dose with that seat told true roles before its first answer: of one
other seat, of two, of all. What it gains is its reward minus that in the same seat of the same deal untold. The bits of a dose are minus
log2 of the probability of what is told, by the seat's exact prior. At last every deal that has a Partner is played with the Partner's role
told to the Heroine alone.
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
from danmaku_env.agents.registry import make
from danmaku_env.arena import rollout
from danmaku_env.arena.reports.plots import Dots, draw_dots, mark_zero, plot, svg
from danmaku_env.arena.reports.style import COLORS
from danmaku_env.beliefs.factions import FACTIONS, dealt_factions
from danmaku_env.estimates import Estimate, plain, ratio, signed
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array
from experiments.studies.telling import CONFIDENCE, claims, keep

DOSES = ("one role", "two roles", "all roles")
ROWS = 256
PREDICTIONS = (
    "A seat that is told all roles gains, and less than 0.2.",
    "All roles are worth more than one.",
    "The first role is worth more by the bit than all of them.",
    "The Heroine, whose enemies and friends are hidden alike, gains more from all roles than the other seats do.",
    "A Partner is paid more where the Heroine alone is told who it is.",
)


class Telling(NamedTuple):
    """A game of a deal: to which seat which seats' roles are told, and what it counts for."""

    deal: int
    dose: str
    seat: int
    told: tuple[int, ...]


def plan(config: GameConfig, seeds: Sequence[int], rng: np.random.Generator) -> list[Telling]:
    """The games of all deals; which roles a dose tells is drawn."""
    found = []
    vec = make_vec(len(seeds), config)
    vec.reset(0)
    vec.start(np.arange(len(seeds)), seeds)
    records = vec.records()
    for deal, record in enumerate(records):
        found.append(Telling(deal, "", 0, ()))
        for seat in range(config.num_players):
            hidden = [other for other in range(config.num_players) if not record["role_seen"][other] >> seat & 1]
            order = rng.permutation(hidden).tolist()
            found += [Telling(deal, dose, seat, tuple(order[:count])) for dose, count in zip(DOSES, (1, 2, len(order)), strict=True)]
        factions = dealt_factions(record["role"][: config.num_players].astype(np.int64))
        (heroine,), partners = np.flatnonzero(factions == FACTIONS["Heroine"]), np.flatnonzero(factions == FACTIONS["Partner"])
        if len(partners):
            found.append(Telling(deal, "partner", int(heroine), (int(partners[0]),)))
    vec.close()
    return found


def bits_of(record: Array, one: Telling, config: GameConfig) -> float:
    """What a dose tells, by what the seat knows without it."""
    deals = InfoStates(record, np.array([one.seat]), config).role_assignments(0)
    players = config.num_players
    fits = np.ones(len(deals.weights), np.bool_)
    for other in one.told:
        fits &= deals.roles[:, (other - one.seat) % players] == record["role"][0, other]
    return float(-np.log2(deals.weights[fits].sum() / deals.weights.sum()))


def played(config: GameConfig, seeds: Sequence[int], games: Sequence[Telling], seed: int) -> tuple[Array, Array, Array]:
    """[G, players] rewards, [G] bits that were told, [G, players] factions as dealt."""
    vec, agent = make_vec(min(ROWS, len(games)), config), make("deducer", seed)
    rewards, bits = np.zeros((len(games), config.num_players)), np.zeros(len(games))
    factions: Array = np.zeros((len(games), config.num_players), np.int64)

    def start(rows: Array, numbers: Array) -> None:
        vec.start(rows, [int(seeds[games[number].deal]) for number in numbers])
        records = vec.records(rows)
        for place, number in enumerate(numbers):
            bits[number] = bits_of(records[place : place + 1], games[number], config) if games[number].told else 0.0
            factions[number] = dealt_factions(records["role"][place, : config.num_players].astype(np.int64))
            records["role_seen"][place, list(games[number].told)] |= 1 << games[number].seat
        vec.restore(records, rows)

    vec.reset(0)
    episodes = rollout.Episodes(vec, len(games), start)
    nobody: Array = np.zeros(vec.num_envs, np.int64)
    for step in rollout.play(vec, episodes, lambda rows: rollout.ask(vec, [agent], nobody, rows)):
        rewards[step.over] = step.rewards[:, : config.num_players]
    vec.close()
    return rewards, bits, factions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--players", type=int, default=6)
    parser.add_argument("--seed", type=int, default=41)
    given = parser.parse_args()
    config = GameConfig(num_players=given.players, characters="random")
    seeds = [int(word >> np.uint64(2)) for word in np.random.SeedSequence(given.seed).generate_state(given.deals, np.uint64)]
    games = plan(config, seeds, np.random.default_rng(given.seed))
    rewards, bits, dealt = played(config, seeds, games, given.seed)
    deal, seat = np.array([one.deal for one in games]), np.array([one.seat for one in games])
    dose = np.array([one.dose for one in games])
    untold = np.zeros((given.deals, config.num_players))
    untold[deal[dose == ""]] = rewards[dose == ""]
    gain = rewards[np.arange(len(games)), seat] - untold[deal, seat]
    faction = dealt[np.arange(len(games)), seat]

    def over_deals(values: Array, chosen: Array) -> Estimate:
        counts = np.bincount(deal[chosen], minlength=given.deals).astype(np.float64)
        return ratio(np.bincount(deal[chosen], values[chosen], given.deals), counts, CONFIDENCE)

    factions = {name: bit for name, bit in FACTIONS.items() if ((faction == bit) & (dose == DOSES[-1])).any()}
    found = {one: over_deals(gain, dose == one) for one in DOSES}
    told = {one: over_deals(bits, dose == one) for one in DOSES}
    by_faction = {name: {one: over_deals(gain, (dose == one) & (faction == bit)) for one in DOSES} for name, bit in factions.items()}
    sums = {one: np.bincount(deal[dose == one], gain[dose == one], given.deals) / config.num_players for one in DOSES}
    every = np.ones(given.deals)
    more = ratio(sums["all roles"] - sums["one role"], every, CONFIDENCE)
    by_bit = {one: found[one].mean / told[one].mean for one in DOSES}
    heroine, others = by_faction["Heroine"]["all roles"], over_deals(gain, (dose == "all roles") & (faction != FACTIONS["Heroine"]))
    asked = np.flatnonzero(dose == "partner")
    partner_gain = np.zeros(len(games))
    for number in asked:
        (partner,) = games[number].told
        partner_gain[number] = rewards[number, partner] - untold[deal[number], partner]
    known = over_deals(partner_gain, dose == "partner")
    knowing = over_deals(gain, dose == "partner")
    came = [
        (
            f"{signed(found['all roles'])} for {plain(told['all roles'], 2)} bits",
            found["all roles"].low > 0 and found["all roles"].high < 0.2,
        ),
        (f"{signed(more)} more than one role, which is worth {signed(found['one role'])}", more.low > 0),
        (", ".join(f"{one}: {by_bit[one]:+.3f} a bit" for one in DOSES), by_bit["one role"] > by_bit["all roles"]),
        (f"the Heroine {signed(heroine)}, others {signed(others)}", heroine.low > others.high),
        (f"the Partner {signed(known)}, the Heroine {signed(knowing)}, {len(asked)} deals", known.low > 0),
    ]
    with plot(9, 3.4) as figure:
        left, right = figure.subplots(1, 2, gridspec_kw={"wspace": 0.35})
        left.errorbar(
            [0, *(told[one].mean for one in DOSES)], [0, *(found[one].mean for one in DOSES)],
            yerr=[0, *(found[one].half for one in DOSES)], color=COLORS[0], marker="o", capsize=3,
        )  # fmt: skip
        mark_zero(left, across=True)
        left.set(title="One seat is told true roles", xlabel="bits told", ylabel="reward gained")
        draw_dots(
            right, list(by_faction), [Dots(one, [way[one] for way in by_faction.values()], [COLORS[k]]) for k, one in enumerate(DOSES)]
        )
        mark_zero(right)
        right.set(title="By the role of the seat", xlabel="reward gained")
        right.legend(loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=3)
        picture = svg(figure)
    command = f"python experiments/studies/worth_of_knowing.py --deals {given.deals} --players {given.players} --seed {given.seed}"
    numbers = {
        "gain": found,
        "bits": told,
        "by faction": by_faction,
        "the Heroine is told who the Partner is": {"Partner": known, "Heroine": knowing},
    }
    keep(__file__, command, claims(PREDICTIONS, came), numbers, picture)


if __name__ == "__main__":
    main()
