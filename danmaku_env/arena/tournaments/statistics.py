"""Statistics of a duplicate tournament: estimates from the paired design.

The deal is the independent unit. On each deal an agent has played every seat once; what counts is its mean reward over those
seats, and two agents are compared by the difference of these means on the same deal. Deals of several table sizes are strata:
each size has the weight of its deals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from danmaku_env.arena.matches.match import Result
from danmaku_env.arena.tournaments.plan import Plan
from danmaku_env.beliefs.factions import FACTIONS, dealt_factions
from danmaku_env.estimates import collapsed, squares
from danmaku_env.machine.records import Array


@dataclass(frozen=True)
class DealResults:
    """The complete deals of one table size."""

    players: int
    rewards: Array
    """[D, k, n] the reward of each agent in each seat of each deal; of teams, its mean over their opponents."""
    factions: Array
    """[D, n] the faction bit of the role dealt to each seat."""
    occupied: Array
    """[D, k, n] the game (rotation) in which the agent sat there; of teams, the last."""
    wins: Array
    """[D, k, n] the share of its games that the agent won in each seat."""

    def scores(self, faction: str | None = None) -> Array:
        """[D', k] the mean reward of each agent over the seats of a faction (None: all), for the deals that have the faction."""
        return self._means(self.rewards, faction)

    def won(self, faction: str | None = None) -> Array:
        """[D', k] the share of these seats that won; otherwise as `scores`."""
        return self._means(self.wins, faction)

    def _means(self, values: Array, faction: str | None) -> Array:
        """[D', k] the means of values [D, k, n]; see `scores`."""
        seats = np.ones_like(self.factions, np.bool_) if faction is None else self.factions == FACTIONS[faction]
        there = seats.any(1)
        chosen = seats[there][:, None, :]
        means: Array = (values[there] * chosen).sum(2) / chosen.sum(2)
        return means


def tables(plan: Plan, results: Iterable[Result]) -> list[DealResults]:
    """The results as arrays, by table size; deals with a missing game are left out."""
    by_key = {result.key: result for result in results}
    agents, found = len(plan.agents), []
    for players in plan.players:
        whole = [deal for deal in range(plan.deals) if all((players, deal, rotation) in by_key for rotation in range(plan.rotations))]
        rewards: Array = np.zeros((len(whole), agents, players))
        wins = np.zeros_like(rewards)
        occupied: Array = np.zeros((len(whole), agents, players), np.int64)
        roles: Array = np.zeros((len(whole), players), np.int64)
        seats, share = np.arange(players), agents / plan.rotations
        for place, deal in enumerate(whole):
            roles[place] = by_key[players, deal, 0].roles
            for rotation, seating in enumerate(plan.seating(players, deal, roles[place])):
                of_game = np.array(by_key[players, deal, rotation].rewards)
                rewards[place, seating, seats] += share * of_game
                wins[place, seating, seats] += share * (of_game > 0)
                occupied[place, seating, seats] = rotation
        found.append(DealResults(players, rewards, dealt_factions(roles), occupied, wins))
    return found


# ---------------------------------------------------------------- what pairing gains


def unpaired_variance(strata: Sequence[DealResults], first: int, second: int) -> float:
    """Variance of the difference of two agents' mean rewards if every one of the same number of games had had a deal of its own.

    Line-ups and their order are drawn at random, so each game by itself is a fair draw of "a fresh deal, seats
    at random"; only the games of one deal are not independent of each other. Unpaired play is therefore what these games would say
    if they were independent: the variance between games of each game's contribution to the difference of the two means (a ratio
    of rewards to seats, linearised), over their number.
    """
    total = sum(len(table.rewards) for table in strata)
    variance = 0.0
    for table in strata:
        contributions = _contributions(table, first) - _contributions(table, second)
        variance += (len(table.rewards) / total) ** 2 * float(np.mean(contributions**2)) / contributions.size
    return variance


def _contributions(table: DealResults, agent: int) -> Array:
    """[D, k] for each game: how far it moves the agent's mean reward, times the number of games."""
    deals, agents, _ = table.rewards.shape
    rewards, seats = np.zeros((deals, agents)), np.zeros((deals, agents))
    place = np.arange(deals)[:, None]
    np.add.at(rewards, (place, table.occupied[:, agent]), table.rewards[:, agent])
    np.add.at(seats, (place, table.occupied[:, agent]), 1.0)
    contributions: Array = (rewards - rewards.sum() / seats.sum() * seats) / seats.mean()
    return contributions


def paired_variance(strata: Sequence[DealResults], first: int, second: int) -> float:
    """Variance of the mean paired difference of two agents, as `estimate` uses it."""
    differences = [scores[:, first] - scores[:, second] for scores in (table.scores() for table in strata)]
    return squares(collapsed(differences)) / sum(len(difference) for difference in differences) ** 2
