"""The PettingZoo module: `danmaku_v0.env(num_players=6)`, `danmaku_v0.raw_env()`. See `danmaku_env.envs.aec`."""

from danmaku_env.envs.aec import env, raw_env

__all__ = ["env", "raw_env"]
