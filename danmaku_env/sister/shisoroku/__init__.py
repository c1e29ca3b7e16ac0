"""Shisouroku (東方祀爭録), a deck-builder for 2 to 4 seats, on the machine of Danmaku!!. See docs/shisoroku/."""

from typing import Any

from danmaku_env.arguments import ConfigError
from danmaku_env.decoding import decode as _decode
from danmaku_env.game import Replay
from danmaku_env.sister.shisoroku.cards import box
from danmaku_env.sister.shisoroku.cards.features import FEATURES, card_features
from danmaku_env.sister.shisoroku.config import ShisorokuConfig
from danmaku_env.sister.shisoroku.engine.actions import ACTION_IDS, PLACE_IDS
from danmaku_env.sister.shisoroku.game import Game, resample, resample_many
from danmaku_env.sister.shisoroku.names import Event
from danmaku_env.sister.shisoroku.scenario import Scenario, ScenarioError
from danmaku_env.sister.shisoroku.spec import SHISOROKU_SPEC

__all__ = [
    "ACTION_IDS", "FEATURES", "SHISOROKU_SPEC", "ConfigError", "Game", "Replay", "Scenario", "ScenarioError", "ShisorokuConfig",
    "card_features", "decode", "resample", "resample_many",
]  # fmt: skip


def decode(rows: Any, *, words: bool = False, seat: int = 0) -> dict[str, Any]:
    """An observation of Shisouroku taken apart, as `danmaku_env.decode` does; with `words` places have the names of this game's cards."""
    if not words:
        return _decode(rows, spec=SHISOROKU_SPEC)
    said = _decode(rows, words=True, seat=seat, spec=SHISOROKU_SPEC)
    cards = _decode(rows, spec=SHISOROKU_SPEC)["cards"].tolist()
    called = {place: box.CARDS[card - 1].id for place, card in zip(PLACE_IDS, cards, strict=True) if card}
    return {name: _renamed(what, called) for name, what in said.items()}


def _renamed(said: Any, called: dict[str, str]) -> Any:
    """Decoded words with places called by their cards."""
    if isinstance(said, dict):
        return {called.get(name, name): _renamed(what, called) for name, what in said.items()}
    if isinstance(said, list):
        return [_renamed(what, called) for what in said]
    if isinstance(said, Event):
        return said._replace(card=called.get(said.card or "", said.card))
    return called.get(said, said) if isinstance(said, str) else said
