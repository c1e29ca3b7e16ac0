"""The belief models of a study: agents that state beliefs about the roles, and the prior from counting role cards."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import numpy as np

from danmaku_env.agents import registry
from danmaku_env.agents.base import BeliefModel
from danmaku_env.agents.registry import make
from danmaku_env.console.errors import UserError
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array
from danmaku_env.spec import spec_of

BASELINE = "frequencies"
"""Believes what the deal of the role cards allows, and nothing that anybody does."""


class Frequencies:
    """The exact odds of the roles, given the player count, the roles that lie open and that nobody has won yet."""

    name = BASELINE

    def posterior(self, observations: Array, info_states: InfoStates) -> Array:
        """[B, 8, NUM_ROLES], see `danmaku_env.agents.base.BeliefModel`."""
        spec = spec_of(info_states.config)
        beliefs: Array = np.zeros((len(info_states), spec.most_seats, spec.num_labels))
        for row in range(len(info_states)):
            beliefs[row, : info_states.config.num_players] = info_states.role_assignments(row).marginals()
        return beliefs


def default_belief_models() -> tuple[str, ...]:
    """The quick belief models that are installed."""
    return tuple(name for name in ("heuristic", "deducer") if name in registry.names())


def believing_names() -> list[str]:
    """Short names of the agents that say what they believe and need nothing to be made."""
    found = []
    for name in registry.names():
        with contextlib.suppress(registry.AgentError):
            if isinstance(registry.make(name, 0), BeliefModel):
                found.append(name)
    return found


def make_belief_models(specs: Sequence[str], seed: int) -> list[BeliefModel]:
    """The baseline, then the belief model of each spec. Raises UserError for an agent that says nothing about the roles."""
    found: list[BeliefModel] = [Frequencies()]
    for spec in specs:
        agent = make(spec, seed)
        if not isinstance(agent, BeliefModel):
            raise UserError(
                f"the agent {spec!r} does not say what it believes about the roles; those that do are {', '.join(believing_names())}, "
                "or your own with a method `posterior` (agents/base.py)"
            )
        found.append(agent)
    return found
