"""Seating: agents by name around a table."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import numpy as np

from danmaku_env.agents.base import Agent, BeliefModel
from danmaku_env.agents.registry import AgentError, make, names

_QUICK = ("deducer", "heuristic", "random")
"""Agents that answer at once, the strongest first."""


def strongest_quick() -> str:
    """The default opponent of a person who names none."""
    return next(name for name in _QUICK if name in names())


def default_belief_model(seed: int) -> Agent | None:
    """A belief model, if one is installed."""
    for name in _QUICK:
        with contextlib.suppress(AgentError):  # its view is a bonus: the game goes on without
            agent = make(name, seed)
            if isinstance(agent, BeliefModel):
                return agent
    return None


def split_specs(against: str) -> list[str]:
    """The agents of a comma list; options keep their agent: `random,search:simulations=200,turns=3` names two.

    Raises AgentError for an empty place.
    """
    specs: list[str] = []
    for word in (word.strip() for word in against.split(",")):
        if not word:
            raise AgentError(f"{against!r} leaves a place empty; name agents like heuristic,random")
        name, sign, _ = word.partition("=")
        if specs and sign and ":" not in name:
            specs[-1] += f",{word}"
        else:
            specs.append(word)
    return specs


def seat_seed(seed: int, seat: int, answers: int = 0) -> int:
    """The seed of whoever plays `seat` after this many answers: its own for every seat and moment."""
    return int(np.random.SeedSequence([seed, seat, answers]).generate_state(1, np.uint64)[0] >> np.uint64(2))


def seat_agents(specs: Sequence[str], players: int, seed: int, *, person: int | None = None) -> dict[int, Agent]:
    """Seat -> agent, the specs handed out in turn: clockwise from the person's left, or from seat 0 where nobody sits.

    Raises AgentError for an agent that cannot be made.
    """
    first = 0 if person is None else person + 1
    free = [(first + place) % players for place in range(players if person is None else players - 1)]
    return {seat: make(specs[place % len(specs)], seat_seed(seed, seat)) for place, seat in enumerate(free)}
