"""What is wrong with something printed, in words that name card, text and word."""

from __future__ import annotations

from typing import NamedTuple


class CardError(ValueError):
    """Something printed breaks a rule of the vocabulary; the message names the card, the text and the word."""


class Where(NamedTuple):
    """A place in what is printed, for messages: `Voile, first half, effect`."""

    owner: str
    text: str = ""
    program: str = ""

    def __str__(self) -> str:
        return ", ".join(part for part in self if part)

    def error(self, what: str, word: str = "") -> CardError:
        """The error to raise: what is wrong with a word here, or with all of it."""
        return CardError(f"{self}: {word}: {what}" if word else f"{self}: {what}")
