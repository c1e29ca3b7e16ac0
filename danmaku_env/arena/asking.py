"""Agents where there is no referee: what they are made of and what they say, or a sentence on why there is nothing."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from danmaku_env.agents import base, registry
from danmaku_env.console.errors import UserError

_Asked = ParamSpec("_Asked")
_Said = TypeVar("_Said")


def _or_arena_error(ask: Callable[_Asked, _Said]) -> Callable[_Asked, _Said]:
    """The same, whose refusal is an UserError."""

    @functools.wraps(ask)
    def call(*args: _Asked.args, **options: _Asked.kwargs) -> _Said:
        try:
            return ask(*args, **options)
        except (base.AnswerError, registry.AgentError) as error:
            raise UserError(str(error)) from error

    return call


make = _or_arena_error(registry.make)
fingerprint = _or_arena_error(registry.fingerprint)
reset = _or_arena_error(base.reset)
answers_of = _or_arena_error(base.answers_of)
chances_of = _or_arena_error(base.chances_of)
beliefs_of = _or_arena_error(base.beliefs_of)
