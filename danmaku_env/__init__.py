"""Danmaku!!, a hidden-role card game for 4 to 8 players, as a reinforcement-learning environment."""

import danmaku_env.starting  # isort: skip - first, for what follows takes long to load
import danmaku_env.danmaku  # noqa: F401 # isort: skip - the game that is meant where none is named
from danmaku_env import danmaku_v0
from danmaku_env.cards.box import CHARACTER_IDS, ROLE_IDS
from danmaku_env.config import ConfigError, GameConfig
from danmaku_env.decoding import decode
from danmaku_env.engine.actions import ACTION_IDS, NUM_ACTIONS
from danmaku_env.envs.vector import VectorEnv, make_vec
from danmaku_env.game import Game, IllegalAction, Replay, ReplayError, Scenario, ScenarioError, resample, role_assignments
from danmaku_env.registration import register as _register

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

_register()
