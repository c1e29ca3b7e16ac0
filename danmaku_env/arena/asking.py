"""Asking an agent where there is no referee: an answer, or a sentence on why there is none."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from danmaku_env.agents.base import Agent, Handles
from danmaku_env.arena.errors import ArenaError

Array = npt.NDArray[Any]


def answers_of(agent: Agent, observations: Array, masks: Array, handles: Handles) -> Array:
    """[k] legal answers. Raises ArenaError."""
    try:
        answers = np.asarray(agent.act(observations, masks, handles))
        legal = bool(masks[np.arange(len(masks)), answers].all())
    except Exception as error:  # a person's own class may raise anything
        raise ArenaError(f"the agent {agent.name!r} failed while it played: {type(error).__name__}: {error}") from error
    if not legal:
        raise ArenaError(f"the agent {agent.name!r} gave an answer that is not legal")
    return answers
