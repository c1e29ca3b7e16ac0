"""What a text remembers while it runs: players chosen, the amount, the picked card, the cards laid aside.

Every operation and every word among its operands says which of these it reads and sets (`operations.py`, `operands.py`), so that
`cards/lint/` can refuse a text that reads what nothing set, or what something else set. The engine decides where they are kept.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Register(Enum):
    """A place of a text's memory."""

    CHOSEN = "the chosen player"
    SECOND = "the second player"
    THIRD = "the third player, or the player of a loop"
    AMOUNT = "the amount"
    FLIP = "the season flipped"
    DECK = "the deck named"
    END = "the end of a deck named"
    PICK = "the picked card"
    ASIDE = "the cards aside"
    SEEN = "the hand that was looked at or shown"


class Content(Enum):
    """What a register may hold."""

    NOTHING = "nothing"
    # players
    ANYBODY = "a player, perhaps oneself"
    ANOTHER = "another player"
    SPELL_OWNER = "a player whose Spell Card can be activated"
    # amounts, and other things named or turned up
    NUMBER = "a number"
    TYPE = "a card type"
    OPTIONS = "options"
    SEASONS = "seasons"
    CHARACTER = "a character"
    FLIPS = "seasons flipped"
    SEARCHED = "decks searched"
    SEASON = "a season"
    DECK = "a deck"
    END = "an end of a deck"
    # cards picked
    OWN_CARD = "a card of one's hand"
    ANOTHERS_CARD = "a card of another's hand"
    IN_PLAY = "an item in play"
    ASIDE_CARD = "a card aside"
    ASIDE_ITEM = "an item aside"
    ASIDE_INCIDENT = "an incident aside"
    DISCARDED = "a card of the discard pile"
    COLLECTED = "a card collected by an incident"
    # cards aside
    OPEN_CARDS = "cards that all see"
    HIDDEN_CARDS = "cards that one sees alone"
    INCIDENTS = "incidents"
    # hands seen, by whom of the players remembered they belong to
    LOOKED_CHOSEN = "the chosen player's, looked at"
    SHOWN_CHOSEN = "the chosen player's, shown"
    OTHER_HAND = "somebody else's"


A_PLAYER = (Content.ANYBODY, Content.ANOTHER, Content.SPELL_OWNER)
CARDS_ASIDE = (Content.OPEN_CARDS, Content.HIDDEN_CARDS)
PICKS = (
    Content.OWN_CARD, Content.ANOTHERS_CARD, Content.IN_PLAY, Content.ASIDE_CARD, Content.ASIDE_ITEM, Content.ASIDE_INCIDENT,
    Content.DISCARDED, Content.COLLECTED,
)  # fmt: skip


class Read(NamedTuple):
    """What an operation wants to find in a register."""

    register: Register
    accepts: tuple[Content, ...]
    sure: bool = False
    """Whether it must be certain to find one of them; else it may find nothing as well, and then does nothing."""


class Write(NamedTuple):
    """What an operation leaves in a register: one of these."""

    register: Register
    leaves: tuple[Content, ...]
