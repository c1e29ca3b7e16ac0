"""When a text may happen: the events of a game, how an event must concern the text's owner, and how often.

Every event says what is known when it occurs, every relation what it asks about; a relation fits an event that knows it (`fits`), and
`cards/lint/` refuses any other pair. What then happens is a program (`words.py`); `describe.py` says these moments in English.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class TimingEvent(int):
    """Something in the course of a game, at which a seat is offered a text or a triggered text happens."""


class Relation(int):
    """How an event must concern the seat that owns the text."""


# ---------------------------------------------------------------- events


class Known(Enum):
    """What is known of an event, besides the state of the table."""

    CARD = "a card or Spell Card that is answered to"
    PLAYED_CARD = "a card that has been played"
    ATTACK = "an attack that is answered to"
    OWNER = "a seat it happens to"
    DOER = "a seat it comes from"
    FALLEN = "somebody who may be at 0 life"
    SPELL = "a Spell Card that was activated"


class EventSpec(NamedTuple):
    """What the vocabulary says about an event."""

    name: str
    knows: tuple[Known, ...] = ()
    offers: bool = False
    """Whether seats are offered what they may do (a window, the main step); else texts are triggered by it."""


MAIN = TimingEvent(0)  # own main step, empty stack
CANCEL = TimingEvent(1)  # a card or Spell Card has been announced (cancel window)
RESPONSE = TimingEvent(2)  # its effects are on the stack (response window)
ATTACKED = TimingEvent(3)  # an attack is on top of the stack
RESCUE = TimingEvent(4)  # somebody is at 0 life and the stack is empty
STEP = TimingEvent(5)  # a boundary between steps of a turn
ATTACK_DECLARED = TimingEvent(6)  # an attack was put on the stack (automatic answers)
PLAYED = TimingEvent(7)  # a card got through its cancel window
AVOIDED = TimingEvent(8)  # an attack was avoided
DAMAGED = TimingEvent(9)  # an attack, or a card or Spell Card of another player, took life
LOST_LIFE = TimingEvent(10)  # life went down for any reason
SKIP_CHECK = TimingEvent(11)  # a turn begins and may be skipped
SKIPPED = TimingEvent(12)  # a turn is being skipped
TURN_START = TimingEvent(13)
INCIDENT_START = TimingEvent(14)  # before a turn's incident step
DRAW_STEP = TimingEvent(15)  # before the draw of the draw step
DREW_STEP = TimingEvent(16)  # after the draw of the draw step
GAME_START = TimingEvent(17)  # hands are drawn; only with Lunatic Extra
TURN_ZERO = TimingEvent(18)  # before the first turn: items are played and cards exchanged; only with Lunatic Extra
DISCARD_STEP = TimingEvent(19)  # before hands are trimmed; only with Lunatic Extra
HIT = TimingEvent(20)  # an attack that was not avoided is about to take life
GAINED_ITEM = TimingEvent(21)  # an item came under somebody's control
STRUCK = TimingEvent(22)  # an attack was not avoided and has taken life, or would have
ITEM_GAINED = TimingEvent(23)  # an item came under somebody's control: of its own texts only
ITEM_LOST = TimingEvent(24)  # an item left somebody's control: of its own texts only
TURN_END = TimingEvent(25)  # a turn is over, however it went
ROLE_GAINED = TimingEvent(26)  # a role card came to somebody in the course of the game
SPELL_ACTIVATED = TimingEvent(27)  # a Spell Card got through its cancel window
AVOIDING = TimingEvent(28)  # an avoidance is about to take effect; only with Lunatic Extra
LIFE_GONE = TimingEvent(29)  # life went down, and that can be answered; only with Lunatic Extra
DREW = TimingEvent(30)  # cards were drawn, and that can be answered; only with Lunatic Extra
DRAWING = TimingEvent(31)  # cards that were drawn are about to go into the hand
SPRING_GONE = TimingEvent(32)  # a spring card has gone to a discard pile, and the stack is empty; only with Lunatic Extra
DEFEATED = TimingEvent(33)  # somebody else was defeated; only with Lunatic Extra
CARD_DONE = TimingEvent(34)  # a card has been carried out, uncancelled, and is to be put away; only with Lunatic Extra
LOSS_DRAW = TimingEvent(35)  # cards are about to be drawn for life lost

_PENDING = (Known.FALLEN,)  # not in the main step: by then whoever was at 0 life is back or defeated
_HURT = (Known.OWNER, Known.DOER)
_FOUGHT = (Known.OWNER, Known.DOER, Known.ATTACK)
EVENT_SPECS = (
    EventSpec("main step", offers=True),
    EventSpec("cancel window", (Known.CARD, Known.PLAYED_CARD, Known.FALLEN), offers=True),
    EventSpec("response window", (Known.PLAYED_CARD, Known.FALLEN), offers=True),
    EventSpec("attack", (Known.ATTACK, Known.OWNER, Known.DOER, Known.FALLEN), offers=True),
    EventSpec("rescue", _PENDING, offers=True),
    EventSpec("step boundary", _PENDING, offers=True),
    EventSpec("attack declared", _FOUGHT),
    EventSpec("card played", (Known.DOER, Known.CARD)),
    EventSpec("attack avoided", _FOUGHT),
    EventSpec("attack hits", _HURT),
    EventSpec("life lost", (Known.OWNER,)),
    EventSpec("skip check", (Known.OWNER,)),
    EventSpec("turn skipped", (Known.OWNER,)),
    EventSpec("turn start", (Known.OWNER,)),
    EventSpec("incident step", (Known.OWNER,)),
    EventSpec("draw step", (Known.OWNER,)),
    EventSpec("after draw step", (Known.OWNER,)),
    EventSpec("start of the game", (Known.OWNER,)),
    EventSpec("turn zero", offers=True),
    EventSpec("discard step", offers=True),
    EventSpec("hit about to land", _FOUGHT),
    EventSpec("item gained", (Known.OWNER,)),
    EventSpec("attack has hit", _FOUGHT),
    EventSpec("this gained", (Known.OWNER,)),
    EventSpec("this lost", (Known.OWNER,)),
    EventSpec("turn end", (Known.OWNER,)),
    EventSpec("role gained", (Known.OWNER,)),
    EventSpec("Spell Card activated", (Known.DOER, Known.SPELL)),
    EventSpec("avoidance about to take effect", (*_FOUGHT, Known.FALLEN), offers=True),
    EventSpec("life gone", (Known.OWNER, Known.FALLEN), offers=True),
    EventSpec("cards drawn", (Known.OWNER, Known.FALLEN), offers=True),
    EventSpec("cards about to go into the hand", (Known.OWNER,)),
    EventSpec("spring card discarded"),
    EventSpec("defeat"),
    EventSpec("card carried out", (Known.DOER, Known.PLAYED_CARD)),
    EventSpec("cards about to be drawn for life lost", (Known.OWNER,)),
)
"""TimingEvent -> what is said about it."""
EVENTS = tuple(moment.name for moment in EVENT_SPECS)
NUM_EVENTS = len(EVENT_SPECS)
ANY_WINDOW = (CANCEL, RESPONSE, ATTACKED, RESCUE, STEP, AVOIDING, LIFE_GONE, DREW)
OWNED_WINDOWS = (LIFE_GONE, DREW)
"""Windows about something that happened to a seat, which the window itself remembers."""
ANY_PRIORITY = (MAIN, *ANY_WINDOW)
AT_ANY_TIME = (*ANY_PRIORITY, DISCARD_STEP)
"""When instants can be played (K-17)."""

# ---------------------------------------------------------------- relations


class RelationSpec(NamedTuple):
    """What the vocabulary says about a relation. None: it is never asked there."""

    name: str
    offered: tuple[Known, ...] | None = ()
    """What an event must know at which seats are offered something."""
    triggered: tuple[Known, ...] | None = None
    """What an event must know that triggers texts."""


ALWAYS = Relation(0)
MINE = Relation(1)  # the attack is on me, I lost the life, I avoided, it is my turn's step
MINE_AVOIDABLE = Relation(2)  # an attack on me that can be avoided
PROTECTABLE = Relation(3)  # an avoidable attack on me, or on another while I can pay for protecting them (C-2)
BY_ANOTHER = Relation(4)  # another player attacks somebody
BY_ME = Relation(5)  # I attacked, I played the card
SOMEONE_AT_ZERO = Relation(6)  # an undefeated player is at 0 life and can still be brought back
MY_TURN = Relation(7)
EMPTY_HAND = Relation(8)  # my hand is empty
OTHERS_CARD = Relation(9)  # somebody else announced something that carries one of the text's tags
ANYONES_CARD = Relation(10)  # anybody announced something that carries one of the text's tags
OWN_DANMAKU = Relation(11)  # I played a danmaku card
BY_MY_ATTACK = Relation(12)  # an attack of mine did it
OTHERS_PLAYED = Relation(13)  # somebody else plays a card, no Spell Card, that carries one of the text's tags
ROLE_HIDDEN = Relation(14)  # my role does not lie open
ANOTHERS_PLAY = Relation(15)  # another player plays a card, no item and no instant, that has one of the types the text's tags say
AT_ME = Relation(16)  # somebody else announced something that carries one of the text's tags and targets me (L-7)
OWN_EXTRA_SPELL = Relation(17)  # I activated the Spell Card of an Extra Character that this text's owner gave me
SOMEBODY_ELSES = Relation(18)  # it happens to somebody else
OWN_PLAY = Relation(19)  # I played a card with one of the types the text's tags say, and nobody has said where else it goes
OWN_SPELL = Relation(20)  # I activated a Spell Card of my own
RELATION_SPECS = (
    RelationSpec("", triggered=()),
    RelationSpec("you", (Known.OWNER,), (Known.OWNER,)),
    RelationSpec("you, avoidably", (Known.ATTACK,)),
    RelationSpec("you, or somebody you can pay to protect", (Known.ATTACK,)),
    RelationSpec("another attacks", (Known.ATTACK,), (Known.ATTACK, Known.DOER)),
    RelationSpec("yours", None, (Known.DOER,)),
    RelationSpec("somebody at 0 life", (Known.FALLEN,)),
    RelationSpec("own turn"),
    RelationSpec("empty hand"),
    RelationSpec("somebody else's card", (Known.CARD,)),
    RelationSpec("anybody's card", (Known.CARD,)),
    RelationSpec("your danmaku card", None, (Known.DOER, Known.CARD)),
    RelationSpec("your attack", None, (Known.OWNER, Known.DOER)),
    RelationSpec("a card somebody else plays", (Known.CARD,)),
    RelationSpec("your role hidden"),
    RelationSpec("a card another plays", (Known.PLAYED_CARD,)),
    RelationSpec("somebody else's card that targets you", (Known.CARD,)),
    RelationSpec("your Extra Character from this", None, (Known.DOER, Known.SPELL)),
    RelationSpec("somebody else", (Known.OWNER,)),
    RelationSpec("a card you played", None, (Known.DOER, Known.PLAYED_CARD)),
    RelationSpec("your own Spell Card", None, (Known.DOER, Known.SPELL)),
)
"""Relation -> what is said about it."""
RELATIONS = tuple(spec.name for spec in RELATION_SPECS)
TAGGED = (OTHERS_CARD, ANYONES_CARD, OTHERS_PLAYED, ANOTHERS_PLAY, AT_ME, OWN_PLAY)
"""Relations that look at the text's tags."""


def fits(relation: Relation, event: TimingEvent) -> bool:
    """Whether the event knows what the relation asks about, so that a text with the two can ever happen."""
    what, how = EVENT_SPECS[event], RELATION_SPECS[relation]
    asks = how.offered if what.offers else how.triggered
    return asks is not None and set(asks) <= set(what.knows)


# ---------------------------------------------------------------- how often

UNLIMITED, ONCE_PER_TURN, ONCE_PER_ROUND, ONCE_PER_ATTACK, OFFERED_ONCE_PER_TURN = range(5)
"""The last is used up by the offer already, whether it is taken or declined (L-17)."""
