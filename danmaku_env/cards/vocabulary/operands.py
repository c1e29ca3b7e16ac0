"""What an operation can be about: one seat, a group of seats, a number, a condition, flags.

These are the words that stand in the brackets of a program's words, as in `attack(CHOSEN, damage=1 + MY_POWERUPS)`. Each sort of word is a
type of its own, so that none can stand in the place of another, and each word says what it reads of a text's memory (`registers.py`) and
in which events it means anything. Which operation takes which of them stands in `operations.py`; card types are in `kinds.py`, lasting
effects in `modifiers.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from danmaku_env.cards.vocabulary.registers import A_PLAYER, CARDS_ASIDE, PICKS, Content, Read, Register
from danmaku_env.cards.vocabulary.timing import (
    ATTACK_DECLARED,
    ATTACKED,
    AVOIDED,
    AVOIDING,
    CANCEL,
    DAMAGED,
    DRAW_STEP,
    DREW,
    HIT,
    LIFE_GONE,
    PLAYED,
    RESPONSE,
    STRUCK,
    TimingEvent,
)


class Word(NamedTuple):
    """What the vocabulary says about a seat, a group, a count or a condition."""

    english: str
    reads: tuple[Read, ...] = ()
    events: tuple[TimingEvent, ...] = ()
    """Events in whose texts it means something; none given: in all."""
    of_incident: bool = False
    """Whether only an incident's own texts can ask it."""


# ---------------------------------------------------------------- one seat, read from the running frame


class SeatOperand(int):
    """A word for one seat."""


ME, CHOSEN, SECOND, EACH, ATTACKER, CURRENT, LEFT, RIGHT, ATTACKED_ONE, ITS_OWNER, ITS_PLAYER = (
    SeatOperand(number) for number in range(11)
)
THIRD = EACH  # one register: no text needs a third target and a loop over seats
SEAT_WORDS = (
    Word("you"),
    Word("the chosen player", (Read(Register.CHOSEN, A_PLAYER),)),
    Word("the second player", (Read(Register.SECOND, A_PLAYER),)),
    Word("that player", (Read(Register.THIRD, A_PLAYER),)),
    Word("the attacker", events=(ATTACKED, ATTACK_DECLARED, AVOIDED, AVOIDING, DAMAGED, HIT, STRUCK)),
    Word("the current player"),
    Word("the left neighbour"),
    Word("the right neighbour"),
    Word("the attacked player", events=(ATTACKED, ATTACK_DECLARED, AVOIDED, AVOIDING, DAMAGED, HIT, STRUCK)),
    Word("who it happened to", events=(LIFE_GONE, DREW)),
    Word("who played it", events=(CANCEL, RESPONSE)),
)
WHO = tuple(word.english for word in SEAT_WORDS)

# ---------------------------------------------------------------- groups: sets of seats


class Group(int):
    """A word for a set of seats."""


class GroupWord(NamedTuple):
    """What the vocabulary says about a group."""

    english: str
    reads: tuple[Read, ...] = ()
    events: tuple[TimingEvent, ...] = ()
    with_me: bool = False
    """Whether oneself may be in it."""
    never_empty: bool = False
    in_loops: bool = True
    """Whether a loop can go over it."""
    announced_only: bool = False
    """Whether it means something only on announcement."""
    in_range: bool = False
    """Whether it is those in range, or some of them."""


EVERYONE = Group(0)
OTHERS = Group(1)
IN_RANGE = Group(2)  # other active players in range (+ a bonus)
REACHABLE = Group(3)  # in range once danmaku cards of the hand are thrown in (Shoot)
HURT = Group(4)  # below max life, and able to gain life
OTHERS_HURT = Group(5)
AT_ZERO = Group(6)
WITH_ITEMS = Group(7)  # others who control an item
SPELL_OWNERS = Group(8)  # others, also defeated, whose Spell Card you could activate now
AT_NUMBER = Group(9)  # in range if all distances were the chosen number (Suika)
UNTARGETED = Group(10)  # in range and not attacked by the card just played (Youmu)
NOT_AVOIDER = Group(11)  # in range and not the one who just avoided (Reisen)
THE_CHOSEN = Group(12)  # the player chosen before
THE_PAIR = Group(13)  # the one or two players chosen before
CHOSEN_AND_NEXT = Group(14)  # the player chosen before, and whoever sits next to that one
IN_RANGE_BUT_HERS = Group(15)  # in range, but not the player who has the character this text is printed on
ITEM_OWNERS = Group(16)  # anybody who controls an item
FALLEN_OWNERS = Group(17)  # the defeated whose Spell Card you could activate now
SPELL_GROUPS = (SPELL_OWNERS, FALLEN_OWNERS)
GROUP_WORDS = (
    GroupWord("active player", with_me=True, never_empty=True),
    GroupWord("other player", never_empty=True),
    GroupWord("player in range", in_range=True),
    GroupWord("player in range once danmaku cards are thrown in", in_loops=False, in_range=True),
    GroupWord("player below max life", with_me=True),
    GroupWord("other player below max life"),
    GroupWord("player at 0 life", with_me=True),
    GroupWord("other player with items"),
    GroupWord("other player, defeated or not, whose Spell Card you could activate now", in_loops=False, announced_only=True),
    GroupWord("player in range if that number were every distance", (Read(Register.AMOUNT, (Content.NUMBER,), sure=True),), in_range=True),
    GroupWord("player in range whom the card does not attack", events=(PLAYED,), in_range=True),
    GroupWord("player in range other than the one who avoided it", events=(AVOIDED,), in_range=True),
    GroupWord("chosen player", (Read(Register.CHOSEN, A_PLAYER),)),
    GroupWord("player chosen first or second", (Read(Register.CHOSEN, A_PLAYER), Read(Register.SECOND, A_PLAYER))),
    GroupWord("chosen or adjacent player", (Read(Register.CHOSEN, A_PLAYER),)),
    GroupWord("player in range who does not have this Spell Card", in_range=True),
    GroupWord("player with items", with_me=True),
    GroupWord("defeated player whose Spell Card you could activate now", in_loops=False, announced_only=True),
)
GROUPS = tuple(word.english for word in GROUP_WORDS)

# ---------------------------------------------------------------- numbers: a constant, or a count and a constant added to it


@dataclass(frozen=True)
class Count:
    """A number read while the program runs, and what is added to it: `AMOUNT + 1`. The sum is never below 0."""

    words: tuple[int, ...]
    """One count word; a number made of several is refused when cards are compiled."""
    plus: int = 0

    def __add__(self, other: int | Count) -> Count:
        if isinstance(other, Count):
            return Count(self.words + other.words, self.plus + other.plus)
        return Count(self.words, self.plus + other)

    __radd__ = __add__

    def __sub__(self, other: int) -> Count:
        return self + -other


Number: TypeAlias = int | Count

AMOUNT_WORD, POWERUPS_WORD, ACTIVE_WORD, SHORTFALL_WORD, DANMAKU_SHOWN_WORD, ITEM_POINTS_WORD, POINTS_SHOWN_WORD = range(7)
COUNT_WORDS = (
    Word("the amount", (Read(Register.AMOUNT, (Content.NUMBER,)),)),
    Word("the number of your powerups in play"),
    Word("the number of active players"),
    Word("what is missing to max hand size"),
    Word(
        "the number of danmaku cards in the hand shown (at least 1)",
        (Read(Register.CHOSEN, A_PLAYER), Read(Register.SEEN, (Content.SHOWN_CHOSEN,))),
    ),
    Word("the most points of an item of the chosen player (at least 1)", (Read(Register.CHOSEN, A_PLAYER),)),
    Word(
        "1 (2 with a card of 3 points or more in the hand shown and 3 with one of 5)",
        (Read(Register.CHOSEN, A_PLAYER), Read(Register.SEEN, (Content.SHOWN_CHOSEN,))),
    ),
)
COUNTS = tuple(word.english for word in COUNT_WORDS)
AMOUNT, MY_POWERUPS, ACTIVE_PLAYERS, SHORTFALL, DANMAKU_SHOWN, ITEM_POINTS, BY_POINTS_SHOWN = (Count((word,)) for word in range(7))
MOST = 99
"""The largest constant a number may be."""
LARGEST_NAMED = 5
"""The largest number a player can be asked to name."""

# ---------------------------------------------------------------- conditions


class Condition(int):
    """A word for something that holds or does not."""


(FLIPPED, HAS_CHOSEN, HAS_PICK, ASIDE_LEFT, INCIDENT_IN_PLAY, CAN_COPY, HAS_ITEMS, HAND_LEFT, HAS_HAND, TWO_OTHERS, COLLECTED_ALL,
 TRUE, WITH_EXPANSION, AT_MAX_LIFE, ABOVE_ONE_LIFE, EACH_ABOVE_ONE, OPTION_1, OPTION_2, OPTION_3, OPTION_4, OPTION_5,
 IN_ROLE_SEASON, EXTRA_MISSING, HURT_THIS_TURN, ATTACKER_IN_RANGE, FLIP_1, FLIP_2, FLIP_3, DRAWS_LEFT) = (
    Condition(number) for number in range(29)
)  # fmt: skip
CONDITION_WORDS = (
    Word("the flip shows", (Read(Register.FLIP, (Content.SEASON,)),)),
    Word("a player was chosen", (Read(Register.CHOSEN, A_PLAYER),)),
    Word("a card was picked", (Read(Register.PICK, PICKS),)),
    Word("cards are left aside", (Read(Register.ASIDE, (*CARDS_ASIDE, Content.INCIDENTS)),)),
    Word("an incident is in play"),
    Word("it can be copied", events=(CANCEL, RESPONSE, PLAYED)),
    Word("the chosen player has items", (Read(Register.CHOSEN, A_PLAYER),)),
    Word("you have cards in hand"),
    Word("the chosen player has cards in hand", (Read(Register.CHOSEN, A_PLAYER),)),
    Word("two other players or more are active"),
    Word("this incident has collected all it needs", of_incident=True),
    Word(""),
    Word("the expansion is in play"),
    Word("you are at max life"),
    Word("you are above 1 life"),
    Word("that player is above 1 life", (Read(Register.THIRD, A_PLAYER),)),
    *(Word(f"option {option} was named", (Read(Register.AMOUNT, (Content.OPTIONS,), sure=True),)) for option in range(1, 6)),
    Word(
        "the picked card has the season of the chosen player's role",
        (Read(Register.PICK, (Content.OWN_CARD,)), Read(Register.CHOSEN, A_PLAYER)),
    ),
    Word("you have no Extra Character from this"),
    Word("an attack has taken life of you in this turn"),
    Word("the attacker is in range", events=(ATTACKED, AVOIDING)),
    *(Word(f"flip {place} shows", (Read(Register.AMOUNT, (Content.FLIPS,), sure=True),)) for place in range(1, 4)),
    Word("this draw step gives a card at least", events=(DRAW_STEP,)),
)
CONDITIONS = tuple(word.english for word in CONDITION_WORDS)
SURE_THAT = {HAS_CHOSEN: Register.CHOSEN, HAS_PICK: Register.PICK, ASIDE_LEFT: Register.ASIDE}
"""What is certainly there where the condition holds."""

# ---------------------------------------------------------------- what an Extra Character gives


class Gives(int):
    """What an Extra Character gives to whoever recruited it, a bit each."""


ITS_ABILITY, ITS_SPELL, ITS_ALL = Gives(1), Gives(2), Gives(3)
EXTRA_GIVES = ("", "ability", "Spell Card", "ability and Spell Card")

# ---------------------------------------------------------------- flags

OPTIONAL, AS_SECOND, DISTINCT, AS_THIRD = 1, 2, 4, 8
IF_ANY = 32  # of a choice of a player: without anybody to choose the text can be announced all the same (C-17)
TO_STRIKE = 16  # of a choice of a player, set when texts are compiled: the text attacks that player
ANY_RANGE, UNAVOIDABLE, BY_SECOND, BOOSTED = 1, 2, 4, 8
