"""The belief models by name."""

from __future__ import annotations

from danmaku_env.beliefs.action_likelihood import ActionLikelihoodBelief
from danmaku_env.beliefs.inverse_planning import InversePlanningBelief
from danmaku_env.beliefs.log_cache import CachedBelief

BELIEFS: dict[str, type[CachedBelief]] = {"likelihood": ActionLikelihoodBelief, "inverse_planning": InversePlanningBelief}
"""By what is done to whom, or by why it is done."""

_FORMER_NAMES = {"deeds": "likelihood", "motives": "inverse_planning"}


def belief_name(name: str) -> str:
    """The name in BELIEFS of a belief that a spec or a file of an earlier version may call otherwise."""
    return _FORMER_NAMES.get(name, name)
