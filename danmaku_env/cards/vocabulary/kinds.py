"""Seasons, card types and decks: what is printed in a card's corners.

Which physical cards there are stands with the cards (`main_deck.py`), not here. Types are bits, because a card may have several.
"""

from __future__ import annotations


class Season(int):
    """A season, from 0."""


class Types(int):
    """Card types, a bit each: `DANMAKU | DODGE` is either or both. Where types are asked for, ANY_TYPE asks for none in particular."""

    def __or__(self, other: int) -> Types:
        return Types(int(self) | int(other))

    __ror__ = __or__


SPRING, SUMMER, AUTUMN, WINTER = (Season(number) for number in range(4))
ANY_SEASON = -1
SEASONS = ("spring", "summer", "autumn", "winter")

ACTION, REACTION, ITEM, INVOCATION, DANMAKU, DODGE = (Types(1 << bit) for bit in range(6))
HEALING, POWERUP, DEFENSE, ARTIFACT, INSTANT, SPELL = (Types(1 << bit) for bit in range(6, 12))
ANY_TYPE = Types(0)
TYPES = (
    "action", "reaction", "item", "invocation", "danmaku", "dodge",
    "healing", "powerup", "defense", "artifact", "instant", "spell card",
)  # fmt: skip
CARD_TYPES = Types(SPELL - 1)
"""The types a card of the Main deck can have; Spell Cards are in no hand and no pile."""
NAMED_TYPES = (DANMAKU, DODGE, INVOCATION, ITEM)
"""The types a player can be asked to name."""

MAIN_DECK, INCIDENT_DECK, LUNATIC_DECK = range(3)
DECKS = ("main", "incident", "lunatic")
