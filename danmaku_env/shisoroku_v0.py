"""The PettingZoo module of Shisouroku: `shisoroku_v0.env(num_players=3, kingdom="first")`, `shisoroku_v0.raw_env()`. See docs/sister.md."""

from danmaku_env.sister.shisoroku.faces import env, raw_env

__all__ = ["env", "raw_env"]
