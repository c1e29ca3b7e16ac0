"""Which agents a task is played with: a fingerprint of what they weigh and of what they answer, so that source alone moves nothing."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping

import numpy as np

from danmaku_env import GameConfig, make_vec
from danmaku_env.agents.base import Agent, answers_of, reset
from danmaku_env.agents.registry import make
from danmaku_env.benchmark.task import Task
from danmaku_env.console.errors import UserError
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.random_answers import random_legal
from danmaku_env.machine.records import SEED_BITS, Array

POSITIONS = 1000
"""Fixed positions of a table that every member answers."""
_GAMES = 8
_SEEDS = [place * 0x3C6EF372FE94F82B % (1 << SEED_BITS) for place in range(_GAMES)]
"""Of the games of the fixed positions. They never change: tasks name what the members of their populations answer there."""
_DIGITS = 12


def fingerprint(spec: str, config: GameConfig) -> str:
    """Twelve hexadecimal digits that change with the agent's weights and with its answers at the fixed positions. Raises AgentError."""
    agent, digest = make(spec, 0), hashlib.sha256()
    reset(agent, 0)
    observations, masks, info_states = _positions(config)
    for name, weights in _weights(agent, info_states).items():
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(weights).tobytes())
    digest.update(answers_of(agent, observations.copy(), masks.copy(), info_states).astype("<i2").tobytes())
    return digest.hexdigest()[:_DIGITS]


def _weights(agent: Agent, info_states: InfoStates) -> Mapping[str, Array]:
    """What the agent's network weighs, by name; nothing of an agent without one."""
    if not hasattr(agent, "net_for"):
        return {}
    return {name: tensor.cpu().numpy() for name, tensor in sorted(agent.net_for(info_states).state_dict().items())}


@functools.lru_cache(maxsize=8)
def _positions(config: GameConfig) -> tuple[Array, Array, InfoStates]:
    """Observations, masks and information states of the fixed positions: random play, in eight games side by side."""
    vec = make_vec(_GAMES, config)
    vec.start(range(_GAMES), _SEEDS)
    rng, found = np.random.default_rng(0), list[tuple[Array, ...]]()
    while len(found) * _GAMES < POSITIONS:
        rows = np.arange(_GAMES)
        found.append((vec.observations.copy(), vec.action_masks.copy(), vec.records(rows), vec.seats.copy()))
        vec.step(random_legal(vec.action_masks, rng))
    observations, masks, records, seats = (np.concatenate(parts)[:POSITIONS] for parts in zip(*found, strict=True))
    vec.close()
    return observations, masks, InfoStates(records, seats, config)


def check_population(task: Task) -> None:
    """Raise UserError where a member of the task's population is not the one that the task means."""
    for (spec, wanted), member in zip(task.population.items(), task.members, strict=True):
        if (found := fingerprint(member, task.config)) != wanted:
            words = f"its fingerprint is {found}, and {wanted} in the task"
            raise UserError(f"{task.name} is played with another {spec} than there is here ({words}): install the version that has it")
