"""Gensou no Utage as environments: PettingZoo, Gymnasium, and batches of both. What they have in common with any game's is in `envs/`."""

from __future__ import annotations

from typing import Any

from danmaku_env.envs.aec import GameAEC, UsualChecks
from danmaku_env.envs.gymnasium_vector import GameVector
from danmaku_env.envs.one_game import config_of
from danmaku_env.envs.single import GameSingle
from danmaku_env.sister.bots import seated
from danmaku_env.sister.utage import bots
from danmaku_env.sister.utage.spec import UTAGE_SPEC


class UtageAEC(GameAEC):
    """The bare environment of Gensou no Utage (`raw_env`): see `danmaku_env.envs.aec`, with the options of UtageConfig."""

    game_spec = UTAGE_SPEC
    metadata: dict[str, Any] = {**GameAEC.metadata, "name": "utage_v0", "render_modes": ["human", "ansi"]}  # noqa: RUF012


def raw_env(*, render_mode: str | None = None, **options: Any) -> UtageAEC:
    """The environment without wrappers: an illegal action raises IllegalAction and changes nothing."""
    return UtageAEC(render_mode=render_mode, **options)


def env(*, render_mode: str | None = None, **options: Any) -> UsualChecks:
    """The environment with PettingZoo's usual checks: an illegal action loses the game."""
    return UsualChecks(UtageAEC(render_mode=render_mode, **options))


class UtageSingle(GameSingle):
    """One learning seat in games of Gensou no Utage: see `danmaku_env.envs.single`."""

    game_spec = UTAGE_SPEC
    metadata: dict[str, Any] = {**GameSingle.metadata, "render_modes": ["human", "ansi"]}  # noqa: RUF012


class UtageVector(GameVector):
    """One learning seat in each of many games: see `danmaku_env.envs.gymnasium_vector`."""

    game_spec = UTAGE_SPEC
    metadata: dict[str, Any] = {**GameVector.metadata, "render_modes": ["ansi"]}  # noqa: RUF012


def single(*, opponents: Any = None, **options: Any) -> UtageSingle:
    """`gymnasium.make("danmaku/Utage-v0", ...)`. Raises ConfigError."""
    return UtageSingle(opponents=seated(opponents, config_of(UtageSingle, options), bots.NAMES, bots.make), **options)


# Gymnasium looks here for the modes that it can make lists of, such as "ansi_list"
single.metadata = UtageSingle.metadata  # type: ignore[attr-defined]


def vector(*, opponents: Any = None, **options: Any) -> UtageVector:
    """`gymnasium.make_vec("danmaku/Utage-v0", ...)`. Raises ConfigError."""
    return UtageVector(opponents=seated(opponents, config_of(UtageVector, options), bots.NAMES, bots.make), **options)
