"""What a network reads of its prior policy: bytes beside the observation (`agents/prior_policy.py` writes them)."""

from __future__ import annotations

from typing import Literal, get_args

from danmaku_env.danmaku import DANMAKU_SPEC

PriorPolicy = Literal["none", "likelihood", "inverse_planning"]
"""The belief of the deducer that is the prior policy (`beliefs.models.BELIEFS`), or "none" without a prior policy."""
PRIOR_POLICIES, NO_PRIOR_POLICY = get_args(PriorPolicy), "none"
ILLEGAL = 255
"""In the place of an action that is not legal; others say by how much they are worth less than the best one (`FINE`)."""
FINE = 96.0
"""A byte b of an action is (b / FINE)² lives less than the best, one of a role the probability (b / 255)²."""
PREFERENCE_STEP = 80.0
"""A byte b of a seat is a preference of b / PREFERENCE_STEP - 1."""


def check_prior_policy(name: str) -> None:
    """Raises ValueError unless it is one of PRIOR_POLICIES."""
    if name not in PRIOR_POLICIES:
        raise ValueError(f"prior_policy must be {', '.join(PRIOR_POLICIES[:-1])} or {PRIOR_POLICIES[-1]}, not {name!r}")


def prior_size(num_actions: int, num_roles: int, seats: int = DANMAKU_SPEC.most_seats) -> int:
    """Bytes of what a prior policy says, with this many actions, roles and seats."""
    return num_actions + seats * (num_roles + 1)
