"""Danmaku!!, a hidden-role card game for 4 to 8 players, as a reinforcement-learning environment."""

from danmaku_env.config import ConfigError, GameConfig
from danmaku_env.envs.vector import VectorEnv, make_vec
from danmaku_env.game import Game, IllegalAction, Replay, ReplayError, Scenario, ScenarioError

__version__ = "0.1.0"

__all__ = [
    "ConfigError",
    "Game",
    "GameConfig",
    "IllegalAction",
    "Replay",
    "ReplayError",
    "Scenario",
    "ScenarioError",
    "VectorEnv",
    "make_vec",
]
