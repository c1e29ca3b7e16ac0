"""What stays in force: modifiers of a card or character, effects that last until a turn, laws of an incident.

None of them is carried out; queries of the engine read them whenever a rule depends on them. What is carried out once is an operation
(`operations.py`).
"""

# ---------------------------------------------------------------- stats: static modifiers, summed by a query

RANGE, DISTANCE, DANMAKU_LIMIT, DRAWS, HAND_BASE, HAND_BASE_AWAY, HAND_BONUS, MAX_LIFE = range(8)
NUM_ITEM_STATS = 4  # the first ones are what items add to; their sums are kept up to date in the record
KEEPS_POWERUPS, LONG_WAY_ROUND, DODGE_SURCHARGE, ON_BEHALF = range(8, 12)
NUM_STATS = 16
STATS = (
    "range", "distance", "danmaku cards per round", "cards in the draw step", "base max hand size",
    "base max hand size on others' turns", "max hand size", "max life", "keeps powerups when losing life",
    "neighbours at distance 1 are out of range, distances count the long way round too",
    "dodge cards against your attacks cost a card more", "plays reaction, item and healing cards on behalf of others",
)  # fmt: skip

# lasting effects: rows that expire at the start of their owner's next turn. The first two add to the stat of that number.
LASTING_RANGE, LASTING_DISTANCE = RANGE, DISTANCE
SET_DISTANCE, ALL_IN_RANGE, ITEMS_OFF, BAN_TYPE = 2, 3, 4, 5
TABLE_WIDE = (SET_DISTANCE, BAN_TYPE)
"""Lasting effects that concern everybody."""
LASTING = (
    "range bonus", "distance bonus", "all distances are this number", "everybody is in range", "items have no effect",
    "nobody plays cards of this type",
)  # fmt: skip

# incident laws, in force while the incident is in play
ALL_REACH, FREE_DANMAKU, NO_SPELLS, NO_HEALING, DRAW_FROM_DISCARD, OVERDRIVE, NO_ITEMS = 1, 2, 4, 8, 16, 32, 64
LAWS = (
    "everybody is in range of everybody", "danmaku cards are unlimited", "no Spell Cards", "no life gained, nobody brought back",
    "the first card drawn each turn comes from the discard pile", "1 life may be paid to activate one's own Spell Card",
    "items are discarded instead of played",
)  # fmt: skip
