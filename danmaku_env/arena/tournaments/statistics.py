"""What the games of a duplicate tournament say: estimates from the paired design.

The deal is the independent unit. On each deal an agent has played every seat once; what counts is its mean reward over those
seats, and two agents are compared by the difference of these means on the same deal. Deals of several table sizes are strata:
each size has the weight of its deals.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr, stdtrit

from danmaku_env.arena.matches.match import Result
from danmaku_env.arena.roles import GROUPS, dealt_groups
from danmaku_env.arena.tournaments.plan import Plan
from danmaku_env.console.errors import UserError

Array = npt.NDArray[Any]
ROUNDING = 1e-9
"""Standard errors of this size and below are those of rounding."""
_FARTHEST = 2.0
"""No observation is further from 0: rewards are from -1 to 1, and of two the difference counts."""


def check_confidence(confidence: float) -> None:
    """Raise UserError unless an interval can have it."""
    if not 0 < confidence < 1:
        raise UserError(f"the confidence is a number between 0 and 1, such as 0.99, not {confidence}")


@dataclass(frozen=True)
class Estimate:
    """A mean with its confidence interval, and how likely a mean as far from 0 would be by chance."""

    deals: int
    """Independent observations."""
    mean: float
    low: float
    high: float
    p: float
    """Two-sided p-value of the t-test against 0."""

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


@dataclass(frozen=True)
class Table:
    """The complete deals of one table size."""

    players: int
    rewards: Array
    """[D, k, n] the reward of each agent in each seat of each deal; of teams, its mean over whom it played against."""
    groups: Array
    """[D, n] the group bit of the role dealt to each seat."""
    occupied: Array
    """[D, k, n] the game (rotation) in which the agent sat there; of teams, the last."""
    wins: Array | None = None
    """[D, k, n] the share of its games that the agent won in each seat; None: as the rewards say."""

    def scores(self, group: str | None = None) -> Array:
        """[D', k] the mean reward of each agent over the seats of a group (None: all), for the deals that have the group."""
        seats = np.ones_like(self.groups, np.bool_) if group is None else self.groups == GROUPS[group]
        there = seats.any(1)
        chosen = seats[there][:, None, :]
        scores: Array = (self.rewards[there] * chosen).sum(2) / chosen.sum(2)
        return scores

    def won(self, group: str | None = None) -> Array:
        """[D', k] the share of these seats that won; otherwise as `scores`."""
        wins = (self.rewards > 0).astype(np.float64) if self.wins is None else self.wins
        return Table(self.players, wins, self.groups, self.occupied).scores(group)


def tables(plan: Plan, results: Iterable[Result]) -> list[Table]:
    """The results as arrays, by table size; deals of which a game is missing are left out."""
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
            for rotation, sitting in enumerate(plan.sitting(players, deal, roles[place])):
                paid = np.array(by_key[players, deal, rotation].rewards)
                rewards[place, sitting, seats] += share * paid
                wins[place, sitting, seats] += share * (paid > 0)
                occupied[place, sitting, seats] = rotation
        found.append(Table(players, rewards, dealt_groups(roles), occupied, wins))
    return found


def estimate(strata: Sequence[Array], confidence: float) -> Estimate:
    """The mean of observations [D], from -2 to 2, in strata that are weighted by their sizes, with the t interval and test.

    It has D - (strata) degrees of freedom. Strata of a single observation count as one together, see `_collapsed`.
    """
    strata = _collapsed(strata)
    total = sum(len(stratum) for stratum in strata)
    if total < 2:
        mean = float(strata[0].mean()) if strata else math.nan
        return Estimate(total, mean, -math.inf, math.inf, 1.0)
    mean = sum(float(stratum.sum()) for stratum in strata) / total
    error = math.sqrt(_squares(strata)) / total
    if error <= ROUNDING:
        return _all_alike(strata, mean, confidence)
    freedom = total - len(strata)
    half = float(stdtrit(freedom, (1 + confidence) / 2)) * error
    return Estimate(total, mean, mean - half, mean + half, float(2 * stdtr(freedom, -abs(mean) / error)))


def _all_alike(strata: Sequence[Array], mean: float, confidence: float) -> Estimate:
    """Where the observations of a stratum do not differ: other ones are rare, but may be as far away as any can be.

    None came in so many, which bounds how rare (Clopper and Pearson 1934); the p-value is that at which the interval ends at 0, never less
    than that of the sign test. Where all observations are 0 there is nothing to be in doubt about: the same agent under two names.
    """
    total = sum(len(stratum) for stratum in strata)
    farthest = max(float(np.abs(stratum).max()) for stratum in strata)
    if farthest <= ROUNDING:
        return Estimate(total, mean, mean, mean, 1.0)
    reach = _FARTHEST + farthest
    half = (1 - ((1 - confidence) / 2) ** (1 / total)) * reach
    return Estimate(total, mean, mean - half, mean + half, min(1.0, 2 * (1 - abs(mean) / reach) ** total))


def _collapsed(strata: Sequence[Array]) -> list[Array]:
    """The strata that have observations; one alone says nothing of its spread and joins the next smallest stratum.

    That widens the interval rather than narrowing it (collapsed strata: Cochran, Sampling Techniques, section 5A.12).
    """
    found = [stratum for stratum in strata if len(stratum)]
    while len(found) > 1 and min(map(len, found)) == 1:
        alone, smallest, *others = sorted(found, key=len)
        found = [np.concatenate([alone, smallest]), *others]
    return found


def _squares(strata: Sequence[Array]) -> float:
    """The variance of the sum of all observations, of strata as `_collapsed` gives them."""
    return sum(len(stratum) * float(stratum.var(ddof=1)) for stratum in strata if len(stratum) > 1)


def holm(ps: Sequence[float]) -> list[float]:
    """p-values as they count when so many comparisons were made: each at least as large, in the same order (Holm 1979)."""
    order = sorted(range(len(ps)), key=lambda place: ps[place])
    adjusted, highest = [0.0] * len(ps), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(ps) - rank) * ps[place]))
        adjusted[place] = highest
    return adjusted


# ---------------------------------------------------------------- what pairing gains


def unpaired_variance(strata: Sequence[Table], first: int, second: int) -> float:
    """Variance of the difference of two agents' mean rewards if every one of the same number of games had had a deal of its own.

    Line-ups are drawn at random and so is which of them comes first, so each game by itself is a fair draw of "a fresh deal, seats
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


def _contributions(table: Table, agent: int) -> Array:
    """[D, k] for each game: how far it moves the agent's mean reward, times the number of games."""
    deals, agents, _ = table.rewards.shape
    rewards, seats = np.zeros((deals, agents)), np.zeros((deals, agents))
    place = np.arange(deals)[:, None]
    np.add.at(rewards, (place, table.occupied[:, agent]), table.rewards[:, agent])
    np.add.at(seats, (place, table.occupied[:, agent]), 1.0)
    contributions: Array = (rewards - rewards.sum() / seats.sum() * seats) / seats.mean()
    return contributions


def paired_variance(strata: Sequence[Table], first: int, second: int) -> float:
    """Variance of the mean paired difference of two agents, as `estimate` uses it."""
    differences = [scores[:, first] - scores[:, second] for scores in (table.scores() for table in strata)]
    return _squares(_collapsed(differences)) / sum(len(difference) for difference in differences) ** 2
