"""What an operation can be about: one seat, a group of seats, a number, and the conditions and flags of operations.

These are the words that stand in the brackets of a program's words, as in `attack(CHOSEN, damage=1 + MY_POWERUPS)`. Which operation
takes which of them stands in `operations.py`; card types are in `kinds.py`, lasting effects in `standing.py`.
"""

from __future__ import annotations

# ---------------------------------------------------------------- who: one seat, read from the running frame

ME, CHOSEN, SECOND, EACH, ATTACKER, CURRENT, LEFT, RIGHT = range(8)
THIRD = EACH  # one register: no text needs a third target and a loop over seats
WHO = (
    "you", "the chosen player", "the second player", "that player", "the attacker",
    "the current player", "the left neighbour", "the right neighbour",
)  # fmt: skip

# ---------------------------------------------------------------- groups: sets of seats

EVERYONE = 0
OTHERS = 1
IN_RANGE = 2  # other active players in range (+ a bonus)
REACHABLE = 3  # in range once danmaku cards of the hand are thrown in (Shoot)
HURT = 4  # below max life, and able to gain life
OTHERS_HURT = 5
AT_ZERO = 6
WITH_ITEMS = 7  # others who control an item
SPELL_OWNERS = 8  # others, also defeated, whose Spell Card you could activate now
AT_NUMBER = 9  # in range if all distances were the chosen number (Suika)
UNTARGETED = 10  # in range and not attacked by the card just played (Youmu)
NOT_AVOIDER = 11  # in range and not the one who just avoided (Reisen)
THE_CHOSEN = 12  # the player chosen before
THE_PAIR = 13  # the one or two players chosen before
GROUPS = (
    "active player", "other player", "player in range", "player in range once danmaku cards are thrown in", "player below max life",
    "other player below max life", "player at 0 life", "other player with items",
    "other player, defeated or not, whose Spell Card you could activate now", "player in range if that number were every distance",
    "player in range whom the card does not attack", "player in range other than the one who avoided it", "chosen player",
    "chosen player",
)  # fmt: skip

# ---------------------------------------------------------------- numbers: constants below COUNTS_FROM, counts above

COUNTS_FROM = 1000
COUNT_STEP = 16
AMOUNT_WORD, POWERUPS_WORD, ACTIVE_WORD, SHORTFALL_WORD, DANMAKU_SHOWN_WORD = range(5)
COUNTS = (
    "the amount", "the number of your powerups in play", "the number of active players", "what is missing to max hand size",
    "the number of danmaku cards in the hand shown (at least 1)",
)  # fmt: skip


def count(word: int) -> int:
    """The operand of a number read while the program runs. Up to 15 can be added, so `1 + MY_POWERUPS` is written as it reads."""
    return COUNTS_FROM + COUNT_STEP * word


def split_number(operand: int) -> tuple[int, int | None]:
    """A number operand as a constant and the count added to it, or None."""
    if operand < COUNTS_FROM:
        return operand, None
    word, constant = divmod(operand - COUNTS_FROM, COUNT_STEP)
    return constant, word


AMOUNT = count(AMOUNT_WORD)
MY_POWERUPS = count(POWERUPS_WORD)
ACTIVE_PLAYERS = count(ACTIVE_WORD)
SHORTFALL = count(SHORTFALL_WORD)
DANMAKU_SHOWN = count(DANMAKU_SHOWN_WORD)

# ---------------------------------------------------------------- flags and conditions

# flags of choices and attacks
OPTIONAL, AS_SECOND, DISTINCT, AS_THIRD = 1, 2, 4, 8
ANY_RANGE, UNAVOIDABLE, BY_SECOND, BOOSTED = 1, 2, 4, 8

# conditions of IF
(FLIPPED, HAS_CHOSEN, HAS_PICK, ASIDE_LEFT, INCIDENT_IN_PLAY, CAN_COPY, HAS_ITEMS, HAND_LEFT, HAS_HAND, TWO_OTHERS,
 COLLECTED_ALL, TRUE) = range(12)  # fmt: skip
CONDITIONS = (
    "the flip shows", "a player was chosen", "a card was picked", "cards are left aside",
    "an incident is in play", "it can be copied", "the chosen player has items", "you have cards in hand",
    "the chosen player has cards in hand", "two other players or more are active",
    "this incident has collected all it needs", "",
)  # fmt: skip
