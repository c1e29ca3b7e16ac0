"""The 40 cards of the Lunatic deck, in box order: cards of its own, and copies of cards of the base game."""

from __future__ import annotations

from collections.abc import Mapping

from danmaku_env.cards.vocabulary import Card

LUNATIC_CARDS: tuple[Card, ...] = ()

REPRINTS: Mapping[str, str] = {
    "one_up": "winter autumn",
    "bomb": "summer autumn winter spring",
    "capture_spell_card": "summer winter",
    "focus": "autumn",
}
"""Cards of the base game that are in the Lunatic deck too: id -> one season per copy. They count as the card of that name."""
