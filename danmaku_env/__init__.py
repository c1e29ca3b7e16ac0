"""Danmaku!!, a hidden-role card game for 4 to 8 players, as a reinforcement-learning environment.

Names are loaded when they are first used, so a command can set up its streams and Ctrl-C before anything slow is loaded.
"""

import contextlib
import importlib
from typing import TYPE_CHECKING, Any

from danmaku_env.registration import register as _register

if TYPE_CHECKING:
    from danmaku_env import danmaku_v0
    from danmaku_env.cards.box import CHARACTER_IDS, ROLE_IDS
    from danmaku_env.config import ConfigError, GameConfig
    from danmaku_env.decoding import decode
    from danmaku_env.engine.actions import ACTION_IDS, NUM_ACTIONS
    from danmaku_env.envs.vector import VectorEnv, make_vec
    from danmaku_env.game import Game, IllegalAction, Replay, ReplayError, Scenario, ScenarioError, resample, role_assignments

__version__ = "0.1.0"

__all__ = [
    "ACTION_IDS",
    "CHARACTER_IDS",
    "NUM_ACTIONS",
    "ROLE_IDS",
    "ConfigError",
    "Game",
    "GameConfig",
    "IllegalAction",
    "Replay",
    "ReplayError",
    "Scenario",
    "ScenarioError",
    "VectorEnv",
    "danmaku_v0",
    "decode",
    "make_vec",
    "resample",
    "role_assignments",
]
_ELSEWHERE = {
    "ACTION_IDS": "engine.actions", "CHARACTER_IDS": "cards.box", "ConfigError": "config", "GameConfig": "config",
    "NUM_ACTIONS": "engine.actions", "ROLE_IDS": "cards.box", "VectorEnv": "envs.vector", "decode": "decoding", "make_vec": "envs.vector",
}  # fmt: skip
"""Where the names are that are not in `game`."""


def __getattr__(name: str) -> Any:
    if name in __all__ and name != "danmaku_v0":
        value = globals()[name] = getattr(importlib.import_module(f"{__name__}.{_ELSEWHERE.get(name, 'game')}"), name)
        return value
    if not name.startswith("_"):
        with contextlib.suppress(ModuleNotFoundError):
            return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


_register()
