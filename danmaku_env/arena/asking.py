"""Asking an agent where there is no referee: an answer, or a sentence on why there is none."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from danmaku_env.agents import base
from danmaku_env.arena.errors import ArenaError

Array = npt.NDArray[Any]


def answers_of(agent: base.Agent, observations: Array, masks: Array, handles: base.Handles) -> Array:
    """[k] legal answers. Raises ArenaError."""
    try:
        return base.answers_of(agent, observations, masks, handles)
    except base.AnswerError as error:
        raise ArenaError(str(error)) from error
