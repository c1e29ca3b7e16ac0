"""Seasons, card types and decks: what is printed in a card's corners.

Which physical cards there are stands with the cards (`main_deck.py`), not here. Types are bits, because a card may have several.
"""

SPRING, SUMMER, AUTUMN, WINTER = range(4)
SEASONS = ("spring", "summer", "autumn", "winter")

ACTION, REACTION, ITEM, INVOCATION, DANMAKU, DODGE = 1, 2, 4, 8, 16, 32
HEALING, POWERUP, DEFENSE, ARTIFACT, INSTANT, SPELL = 64, 128, 256, 512, 1024, 2048
ANY_TYPE = 0
TYPES = (
    "action", "reaction", "item", "invocation", "danmaku", "dodge",
    "healing", "powerup", "defense", "artifact", "instant", "spell card",
)  # fmt: skip

MAIN_DECK, INCIDENT_DECK, LUNATIC_DECK = range(3)
DECKS = ("main", "incident", "lunatic")
