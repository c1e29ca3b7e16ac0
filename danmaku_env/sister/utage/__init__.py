"""Gensou no Utage (幻想ノ宴), a trading-card game for two seats, volume 1, on the machine of Danmaku!!. See docs/utage/."""

from typing import Any

from danmaku_env.arguments import ConfigError
from danmaku_env.decoding import decode as _decode
from danmaku_env.game import Replay
from danmaku_env.sister.utage.cards.features import FEATURES, card_features
from danmaku_env.sister.utage.config import Deck, UtageConfig
from danmaku_env.sister.utage.engine.actions import ACTION_IDS
from danmaku_env.sister.utage.game import Game, resample, resample_many
from danmaku_env.sister.utage.scenario import Scenario, ScenarioError
from danmaku_env.sister.utage.spec import UTAGE_SPEC

__all__ = [
    "ACTION_IDS", "FEATURES", "UTAGE_SPEC", "ConfigError", "Deck", "Game", "Replay", "Scenario", "ScenarioError", "UtageConfig",
    "card_features", "decode", "resample", "resample_many",
]  # fmt: skip


def decode(rows: Any, *, words: bool = False, seat: int = 0) -> dict[str, Any]:
    """An observation of Gensou no Utage taken apart, as `danmaku_env.decode` does."""
    return _decode(rows, words=words, seat=seat, spec=UTAGE_SPEC) if words else _decode(rows, spec=UTAGE_SPEC)
