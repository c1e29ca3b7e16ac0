"""What stays in force: modifiers of a card or character, effects that last until a turn, laws of an incident.

None of them is run; queries of the engine read them whenever a rule depends on them. Anything that is run once is an operation
(`operations.py`).
"""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

# ---------------------------------------------------------------- stats: static modifiers, summed by a query


class Stat(int):
    """Something about a player that modifiers change."""


class Carrier(Enum):
    """What carries a modifier."""

    ITEM = "an item"
    CHARACTER = "a character"
    ROLE = "a role"


class ModifierKind(Enum):
    """What a modifier does with its number."""

    ADDS = auto()
    SETS = auto()
    HAS = auto()
    """Without a number: one has it or not."""


class StatWord(NamedTuple):
    """What the vocabulary says about a stat."""

    english: str
    carriers: tuple[Carrier, ...]
    """What can change it; a modifier anywhere else would never be read."""
    kind: ModifierKind


RANGE, DISTANCE, DANMAKU_LIMIT, DRAWS, HAND_BASE, HAND_BASE_AWAY, HAND_BONUS, MAX_LIFE = (Stat(number) for number in range(8))
NUM_ITEM_STATS = 4  # the first ones are what items add to; their sums are kept up to date in the record
KEEPS_POWERUPS, LONG_WAY_ROUND, DODGE_SURCHARGE, ON_BEHALF, START_CARDS, CARD_POINTS = (Stat(number) for number in range(8, 14))
SPARES_POWERUPS, PREYS_ON_LAST_LIFE, HITS_DRAW_LESS = (Stat(number) for number in range(14, 17))
NOT_CANCELLED, ATTACKS_NEAR_ONLY, ONE_DANMAKU, SURE_ATTACKS, DAMAGE = (Stat(number) for number in range(17, 22))
LUNATIC_DRAWS, SURE_INVOCATIONS, NO_ITEM_LIMITS, FLIPS_TWICE, CALLS_SEASONS = (Stat(number) for number in range(22, 27))
MORE_LUNATIC = Stat(27)
NUM_STATS = 32

_ANYTHING = (Carrier.ITEM, Carrier.CHARACTER, Carrier.ROLE)
_BASES = (Carrier.ITEM, Carrier.CHARACTER)
_BODIES = (Carrier.CHARACTER, Carrier.ROLE)
STAT_WORDS = (
    StatWord("range", _ANYTHING, ModifierKind.ADDS),
    StatWord("distance", _ANYTHING, ModifierKind.ADDS),
    StatWord("danmaku cards per round", _ANYTHING, ModifierKind.ADDS),
    StatWord("cards in the draw step", _ANYTHING, ModifierKind.ADDS),
    StatWord("base max hand size", _BASES, ModifierKind.SETS),
    StatWord("base max hand size on others' turns", _BASES, ModifierKind.SETS),
    StatWord("max hand size", (Carrier.ROLE,), ModifierKind.ADDS),
    StatWord("max life", (Carrier.ROLE,), ModifierKind.ADDS),
    StatWord("keeps powerups when losing life", _BODIES, ModifierKind.HAS),
    StatWord("neighbours at distance 1 are out of range, distances count the long way round too", _BODIES, ModifierKind.HAS),
    StatWord("dodge cards against your attacks cost a card more", _BODIES, ModifierKind.HAS),
    StatWord("plays reaction, item and healing cards on behalf of others", _BODIES, ModifierKind.HAS),
    StatWord("cards in the starting hand, with Lunatic Extra", (Carrier.CHARACTER,), ModifierKind.ADDS),
    StatWord("points of hand cards", (Carrier.CHARACTER,), ModifierKind.ADDS),
    StatWord("who loses life to your attacks keeps the powerups", (Carrier.CHARACTER,), ModifierKind.HAS),
    StatWord("players at 1 life are in range, and your attacks on them cannot be avoided", (Carrier.CHARACTER,), ModifierKind.HAS),
    StatWord("whom your attacks hit draws a card less for it", (Carrier.CHARACTER,), ModifierKind.HAS),
    StatWord("cards you play and Spell Cards you activate cannot be cancelled", (Carrier.ITEM,), ModifierKind.HAS),
    StatWord("you cannot attack players at a distance above 1", (Carrier.ITEM,), ModifierKind.HAS),
    StatWord("you play one danmaku card a round at most, whatever is counted", (Carrier.ITEM,), ModifierKind.HAS),
    StatWord("your attacks cannot be avoided", (Carrier.ITEM,), ModifierKind.HAS),
    StatWord("damage of your attacks", (Carrier.ITEM,), ModifierKind.ADDS),
    StatWord("cards of your draw step that may come from the Lunatic deck", (Carrier.ROLE,), ModifierKind.ADDS),
    StatWord("Spell Cards you activate with an invocation card cannot be cancelled", (Carrier.CHARACTER,), ModifierKind.HAS),
    StatWord("any number of defense cards and artifacts in play", (Carrier.CHARACTER,), ModifierKind.HAS),
    StatWord("when you flip you may flip two cards, and say which of them counts", (Carrier.CHARACTER,), ModifierKind.HAS),
    StatWord(
        "before you draw a card you may name a season; if it has that season you may show it to draw one more of the Main deck",
        (Carrier.CHARACTER,),
        ModifierKind.HAS,
    ),
    StatWord("Lunatic cards in the draw step, drawn with the others", (Carrier.ITEM,), ModifierKind.ADDS),
)
STATS = tuple(word.english for word in STAT_WORDS)

# ---------------------------------------------------------------- circumstances: when a character's further modifiers are in force


class Circumstance(int):
    """Something about a player that switches modifiers of a character on and off."""


AT_FULL_LIFE, WOUNDED, AT_LAST_LIFE, ROLE_OPEN = (Circumstance(number) for number in range(4))
CIRCUMSTANCES = ("at max life", "below max life, but above 1 life", "at 1 life or less", "while your role lies open")
NUM_CIRCUMSTANCES = len(CIRCUMSTANCES)

# ---------------------------------------------------------------- lasting effects: rows that expire at their owner's next turn


class Lasting(int):
    """An effect until the start of its owner's next turn."""


class Value(Enum):
    """What a lasting effect comes with."""

    NONE = auto()
    NUMBER = auto()
    TYPE = auto()


class LastingWord(NamedTuple):
    """What the vocabulary says about a lasting effect."""

    english: str
    value: Value = Value.NONE
    table_wide: bool = False
    """Whether it concerns everybody."""


LASTING_RANGE, LASTING_DISTANCE = Lasting(RANGE), Lasting(DISTANCE)  # these two add to the stat of that number
SET_DISTANCE, ALL_IN_RANGE, ITEMS_OFF, BAN_TYPE, ABILITIES_OFF = (Lasting(number) for number in range(2, 7))
LASTING_WORDS = (
    LastingWord("range bonus", Value.NUMBER),
    LastingWord("distance bonus", Value.NUMBER),
    LastingWord("all distances are this number", Value.NUMBER, table_wide=True),
    LastingWord("everybody is in range"),
    LastingWord("items have no effect"),
    LastingWord("nobody plays cards of this type", Value.TYPE, table_wide=True),
    LastingWord("abilities have no effect"),
)
LASTING = tuple(word.english for word in LASTING_WORDS)

# ---------------------------------------------------------------- incident laws, in force while the incident is in play


class Laws(int):
    """Laws of an incident, a bit each."""

    def __or__(self, other: int) -> Laws:
        return Laws(int(self) | int(other))


NO_LAWS = Laws(0)
(ALL_REACH, FREE_DANMAKU, NO_SPELLS, NO_HEALING, DRAW_FROM_DISCARD, SPELL_WAY, NO_ITEMS, NO_LUNATIC, NO_ABILITIES, LUNATIC_DRAW,
 MORE_INCIDENTS) = (Laws(1 << bit) for bit in range(11))  # fmt: skip
LAWS = (
    "everybody is in range of everybody", "danmaku cards are unlimited", "no Spell Cards", "no life gained, nobody brought back",
    "the first card drawn each turn comes from the discard pile", "everybody has another way to their own Spell Card",
    "items are discarded instead of played", "nobody draws from the Lunatic deck", "character abilities have no effect",
    "in the draw step one card may come from the Lunatic deck", "before each incident step another incident enters play",
)  # fmt: skip
