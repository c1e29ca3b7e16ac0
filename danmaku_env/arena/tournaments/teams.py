"""Teams against teams: each pair of agents plays the same deals, one as Heroine and Partners, the other as everybody else.

The deal is again the unit. Every pair plays every deal, so two agents on one side are compared by the difference of their scores against
the same opponent on the same deal, which cancels the luck of the deal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from danmaku_env.arena.matches.match import Result
from danmaku_env.arena.tournaments.plan import Plan
from danmaku_env.beliefs.factions import on_her_side
from danmaku_env.estimates import Estimate, estimate, holm
from danmaku_env.machine.records import Array

SIDES = ("heroine side", "boss side")


@dataclass(frozen=True)
class TeamRow:
    """One agent as the Heroine's side, one against her: the same one, or another."""

    heroine: int
    boss: int
    won: float
    """Share of deals that the Heroine's side won."""
    hers: Estimate
    """Mean reward of the seats of the Heroine's side."""
    theirs: Estimate
    """Mean reward of the others."""
    against_all: Estimate
    """Reward of the Heroine's side minus its mean over all pairs on the same deal."""

    def to_dict(self, labels: Sequence[str]) -> dict[str, Any]:
        """Plain data for JSON."""
        data: dict[str, Any] = {
            "heroine side": labels[self.heroine],
            "boss side": labels[self.boss],
            "deals": self.hers.deals,
            "won": self.won,
        }
        named = (("", self.hers), ("boss ", self.theirs), ("paired ", self.against_all))
        for name, there in named:
            data |= {f"{name}estimate": there.mean, f"{name}interval": [there.low, there.high]}
        return data


@dataclass(frozen=True)
class TeamDifference:
    """Two agents on one side, against the same agent on the other; the first has the higher mean reward there."""

    side: int
    """Index of SIDES."""
    first: int
    second: int
    against: int
    difference: Estimate
    """Paired difference of the mean rewards of that side on a deal."""
    holm: float
    """The p-value as it counts when all are compared that are compared here."""

    def to_dict(self, labels: Sequence[str]) -> dict[str, Any]:
        """Plain data for JSON."""
        words = {"side": SIDES[self.side], "better": labels[self.first], "than": labels[self.second], "against": labels[self.against]}
        there = self.difference
        return {**words, "estimate": there.mean, "interval": [there.low, there.high], "p": there.p, "holm": self.holm, "deals": there.deals}


@dataclass(frozen=True)
class Teams:
    """All pairs, and all comparisons of two agents on one side."""

    rows: tuple[TeamRow, ...]
    differences: tuple[TeamDifference, ...]


def scores(plan: Plan, results: Sequence[Result]) -> list[Array]:
    """For each table size, [D, 3, k, k]: rewards of the Heroine's side and of the others, and whether hers won, by who played which side.

    Deals with a missing game are left out.
    """
    by_key, agents, found = {result.key: result for result in results}, len(plan.agents), []
    for players in plan.players:
        deals = []
        for deal in range(plan.deals):
            games = [by_key.get((players, deal, rotation)) for rotation in range(plan.rotations)]
            there = [game for game in games if game is not None]
            if len(there) < len(games):
                continue
            hers = on_her_side(np.array(there[0].roles))
            rewards: Array = np.array([game.rewards for game in there], np.float64)
            sides = rewards[:, hers].mean(1), rewards[:, ~hers].mean(1), (rewards[:, hers] > 0).any(1)
            deals.append(np.stack(sides).reshape(3, agents, agents))
        found.append(np.stack(deals) if deals else np.zeros((0, 3, agents, agents)))
    return found


def make_teams(plan: Plan, results: Sequence[Result], confidence: float) -> Teams:
    """What a tournament of teams has shown. `confidence` is that of the intervals."""
    strata = scores(plan, results)
    agents = range(len(plan.agents))
    won = np.concatenate(strata)[:, 2].mean(0)
    rows = []
    for one in agents:
        for other in agents:
            hers, theirs = ([there[:, side, one, other] for there in strata] for side in range(2))
            paired = [there[:, 0, one, other] - there[:, 0].mean((1, 2)) for there in strata]
            estimates = (estimate(observed, confidence) for observed in (hers, theirs, paired))
            rows.append(TeamRow(one, other, float(won[one, other]), *estimates))
    compared = list(_compared(strata, len(plan.agents), confidence))
    adjusted = holm([there.p for *_, there in compared])
    return Teams(tuple(rows), tuple(TeamDifference(*there, p) for there, p in zip(compared, adjusted, strict=True)))


def _compared(strata: Sequence[Array], agents: int, confidence: float) -> Iterator[tuple[int, int, int, int, Estimate]]:
    """(side, better, other, against, paired difference) of any two agents on a side against the same one."""
    for side in range(len(SIDES)):
        by_agent = [there[:, side] if side == 0 else there[:, side].swapaxes(1, 2) for there in strata]
        for one, other in combinations(range(agents), 2):
            for against in range(agents):
                there = estimate([rewards[:, one, against] - rewards[:, other, against] for rewards in by_agent], confidence)
                if there.mean >= 0:
                    yield side, one, other, against, there
                else:
                    yield side, other, one, against, -there
