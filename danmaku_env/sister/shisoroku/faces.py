"""Shisouroku as environments: PettingZoo, Gymnasium, and batches of both. What they have in common with any game's is in `envs/`."""

from __future__ import annotations

from typing import Any

import numpy as np

from danmaku_env.envs.aec import GameAEC, Last, UsualChecks
from danmaku_env.envs.gymnasium_vector import GameVector
from danmaku_env.envs.one_game import Observation, config_of
from danmaku_env.envs.single import GameSingle
from danmaku_env.machine.records import Array
from danmaku_env.sister.bots import seated
from danmaku_env.sister.shisoroku import bots
from danmaku_env.sister.shisoroku.game import points_of
from danmaku_env.sister.shisoroku.spec import SHISOROKU_SPEC


class ShisorokuAEC(GameAEC):
    """The bare environment of Shisouroku (`raw_env`): see `danmaku_env.envs.aec`, with the options of ShisorokuConfig.

    The info of `last` has `points` too, [players] int64: of every seat, as far as the agent can tell.
    """

    game_spec = SHISOROKU_SPEC
    metadata: dict[str, Any] = {**GameAEC.metadata, "name": "shisoroku_v0", "render_modes": ["human", "ansi"]}  # noqa: RUF012

    def last(self, observe: bool = True) -> Last:
        """As `GameAEC.last`, with points."""
        found = super().last(observe)
        found[4]["points"] = _points(self._game.records, self._seats[self.agent_selection], self.config.num_players)
        return found


def _points(games: Array, seat: int, players: int) -> Array:
    points: Array = points_of(games, np.full(len(games), seat))[0, :players]
    return points


def raw_env(*, render_mode: str | None = None, **options: Any) -> ShisorokuAEC:
    """The environment without wrappers: an illegal action raises IllegalAction and changes nothing."""
    return ShisorokuAEC(render_mode=render_mode, **options)


def env(*, render_mode: str | None = None, **options: Any) -> UsualChecks:
    """The environment with PettingZoo's usual checks: an illegal action loses the game."""
    return UsualChecks(ShisorokuAEC(render_mode=render_mode, **options))


class ShisorokuSingle(GameSingle):
    """One learning seat in games of Shisouroku: see `danmaku_env.envs.single`; infos have `points` too, [players] int64."""

    game_spec = SHISOROKU_SPEC
    metadata: dict[str, Any] = {**GameSingle.metadata, "render_modes": ["human", "ansi"]}  # noqa: RUF012

    def _look(self) -> tuple[Observation, dict[str, Any]]:
        observation, info = super()._look()
        return observation, {**info, "points": _points(self._game.records, self.seat, self.config.num_players)}


class ShisorokuVector(GameVector):
    """One learning seat in each of many games: see `danmaku_env.envs.gymnasium_vector`; infos have `points` too, [B, players] int64."""

    game_spec = SHISOROKU_SPEC
    metadata: dict[str, Any] = {**GameVector.metadata, "render_modes": ["ansi"]}  # noqa: RUF012

    def _infos(self, rows: Array, masks: Array, *, copied: bool) -> dict[str, Any]:
        infos = super()._infos(rows, masks, copied=copied)
        points = points_of(self._games, self.seats.astype(np.int64))[:, : self.config.num_players]
        points[np.isin(self._rows, rows, invert=True)] = 0
        return {**infos, **self._marked({"points": points}, rows)}


def single(*, opponents: Any = None, **options: Any) -> ShisorokuSingle:
    """`gymnasium.make("danmaku/Shisoroku-v0", ...)`. Raises ConfigError."""
    return ShisorokuSingle(opponents=seated(opponents, config_of(ShisorokuSingle, options), bots.NAMES, bots.make), **options)


# Gymnasium looks here for the modes that it can make lists of, such as "ansi_list"
single.metadata = ShisorokuSingle.metadata  # type: ignore[attr-defined]


def vector(*, opponents: Any = None, **options: Any) -> ShisorokuVector:
    """`gymnasium.make_vec("danmaku/Shisoroku-v0", ...)`. Raises ConfigError."""
    return ShisorokuVector(opponents=seated(opponents, config_of(ShisorokuVector, options), bots.NAMES, bots.make), **options)
