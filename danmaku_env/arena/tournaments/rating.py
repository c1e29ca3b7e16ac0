"""Ratings of the agents, by the Plackett-Luce model of openskill (Weng and Lin 2011).

A deal is one match: the agents are ranked by their mean reward over the seats of the deal, equal ones share a rank. Unlike a single
game, whose winners are mostly those who were dealt the better role, this compares agents that had the same cards. Ratings are
updated deal by deal in the order of the plan; 25 is where everybody starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from openskill.models import PlackettLuce

from danmaku_env.arena.tournaments.statistics import DealResults


class Rating(NamedTuple):
    """An agent's rating: mean and standard deviation of the belief about its skill."""

    mu: float
    sigma: float


def rate(strata: Sequence[DealResults], agents: int) -> list[Rating]:
    """A rating for each agent."""
    model = PlackettLuce(tau=0.0)  # nobody learns during a tournament
    ratings = [model.rating() for _ in range(agents)]
    for table in strata:
        for scores in table.scores():
            rated = model.rate([[rating] for rating in ratings], ranks=[float(-score) for score in scores])
            ratings = [team[0] for team in rated]
    return [Rating(float(rating.mu), float(rating.sigma)) for rating in ratings]
