"""The PettingZoo module of Gensou no Utage: `utage_v0.env(decks=("reimu4", "marisa4"))`, `utage_v0.raw_env()`. See docs/sister.md."""

from danmaku_env.sister.utage.faces import env, raw_env

__all__ = ["env", "raw_env"]
