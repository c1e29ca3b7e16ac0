"""Ratings of the agents, by the Plackett-Luce model of openskill (Weng and Lin 2011).

A deal is one match: the agents are ranked by their mean reward over the seats of the deal, equal ones share a rank. Unlike a single
game, whose winners are mostly those who were dealt the better role, this compares agents that had the same cards. Ratings are
updated deal by deal in the order of the plan; 25 is where everybody starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from openskill.models import PlackettLuce

from danmaku_env.arena.tournaments.statistics import DealResults

_DIGITS = 9
"""Scores that differ only behind these are equal."""


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
            ranks = np.unique(np.round(-scores, _DIGITS), return_inverse=True)[1]  # openskill takes whole numbers, and cuts others off
            rated = model.rate([[rating] for rating in ratings], ranks=ranks.astype(float).tolist())
            ratings = [team[0] for team in rated]
    return [Rating(float(rating.mu), float(rating.sigma)) for rating in ratings]
