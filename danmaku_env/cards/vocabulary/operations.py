"""Every operation a program may contain: its code, its operands and its description.

Everything else uses the description: `describe.py` puts it into English, `cards/lint/` refuses rows that do not fit it, the engine
resolves numbers where it says that one may be counted, and agents read worths off it. The code of an operation is in
`engine/operations/`. A card author writes none of these but the words of `words.py`, each of which makes one or a few of them.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from danmaku_env.cards.vocabulary.kinds import ANY_TYPE, ARTIFACT, DANMAKU, DEFENSE, ITEM, NAMED_TYPES, POWERUP, SEASONS, Types
from danmaku_env.cards.vocabulary.operands import (
    ANY_RANGE,
    AS_SECOND,
    AS_THIRD,
    ATTACKER,
    BOOSTED,
    BY_SECOND,
    CHOSEN,
    DISTINCT,
    IF_ANY,
    ITS_ABILITY,
    ITS_ALL,
    ITS_SPELL,
    LARGEST_NAMED,
    LEFT,
    ME,
    MOST,
    OPTIONAL,
    RIGHT,
    SEAT_WORDS,
    UNAVOIDABLE,
    SeatOperand,
)
from danmaku_env.cards.vocabulary.registers import A_PLAYER, CARDS_ASIDE, Content, Read, Register, Write
from danmaku_env.cards.vocabulary.timing import (
    ATTACK_DECLARED,
    ATTACKED,
    AVOIDING,
    CANCEL,
    CARD_DONE,
    DRAW_STEP,
    DRAWING,
    HIT,
    INCIDENT_START,
    LOSS_DRAW,
    PLAYED,
    RESPONSE,
    SKIP_CHECK,
    TURN_START,
    TimingEvent,
)

# ---------------------------------------------------------------- codes, in families

NUM_SEASONS = len(SEASONS)
FAMILY = 64
"""Codes of a family."""
ASK, MOVE, LIFE, STACK, FLOW, NATIVE, EXTRAS = (FAMILY * family for family in range(7))

CHOOSE_PLAYER, CHOOSE_ITEM, CHOOSE_CARD, PAY, PAY_ANY, BOOST, PAY_ITEM, PAY_LIFE = range(ASK, ASK + 8)
DODGE_COST, MAY, CHOOSE_NUMBER, CHOOSE_TYPE, CHOOSE_DECK, CHOOSE_ASIDE, CHOOSE_END = range(ASK + 8, ASK + 15)
DISCARD_OR, SEARCH_INCIDENT, CHOOSE_CONTROLLER, CHOOSE_FROM_HAND, AIM = range(ASK + 15, ASK + 20)
CHOOSE_OPTIONS, CHOOSE_SEASONS, PAY_SEASON, TAKE_WORTH, SHOW_CARD, NAME_INCIDENT_DECK = range(ASK + 20, ASK + 26)
PAY_POINTS, CHOOSE_DISCARD, CHOOSE_COLLECTED, SEARCH_ITEM, DISCARD_ONE, HOLD_CARD, CHOOSE_SEARCH = range(ASK + 26, ASK + 33)

DRAW, DISCARD_HAND, FLIP, REVEAL, LOOK, REVEAL_UNTIL, TAKE, TAKE_ALL = range(MOVE, MOVE + 8)
DISCARD_ASIDE, COLLECT_ASIDE, HAND_TO_DECK, ASIDE_TO_DECK, DISCARD_ITEM, DISCARD_ITEMS = range(MOVE + 8, MOVE + 14)
TAKE_CONTROL, PUT_IN_PLAY, SWAP_HANDS, DISCARD_RANDOM, COLLECT_TOP, GIVE = range(MOVE + 14, MOVE + 20)
LOOK_AT_HAND, SHOW_HAND, DRAW_ASIDE, GIVE_ASIDE, DRAW_LUNATIC = range(MOVE + 20, MOVE + 25)
HAND_ON_CARD, TAKE_THIS, KEEP_CARD, GATHER_SEASONS, SPEND_ITEM, DISCARD_LUNATIC = range(MOVE + 25, MOVE + 31)

ATTACK, LOSE_LIFE, GAIN_LIFE, REVIVE = range(LIFE, LIFE + 4)

(CANCEL_IT, AVOID_IT, ACTIVATE, COPY_IT, LAST, SKIP_NEXT_TURN, SKIP_THIS_TURN, BAN_ACTIONS, RESOLVE_INCIDENT, ADD_DRAWS,
 SKIP_INCIDENT_STEP) = range(STACK, STACK + 11)  # fmt: skip
SPARE_LIFE, PREVENT_IT, EXTRA_TURN, REVEAL_MY_ROLE, SHUFFLE_INCIDENTS, BRING_INCIDENT = range(STACK + 11, STACK + 17)
GIVE_UP_IT, COUNT_ROUNDS, DRAW_AGAIN, REMEMBER_FLIP, DRAW_MORE = range(STACK + 17, STACK + 22)

END, JUMP, IF, START_EACH, NEXT_EACH, SET_COUNT, COUNT_DOWN, DECLINE = range(FLOW, FLOW + 8)

SWAP_WITH_HEROINE, HAND_ON_ATTACK, FLIP_AND_PLAY = range(NATIVE, NATIVE + 3)

(RECRUIT, CHOOSE_EXTRA, DISMISS, DISMISS_OWN, REPLACE_EXTRA, NAME_ABILITY, ACTIVATE_PRINTED,
 CHOOSE_ABILITY) = range(EXTRAS, EXTRAS + 8)  # fmt: skip

# ---------------------------------------------------------------- operands


class Kind(Enum):
    """What stands in a place of a row."""

    NONE = "nothing"
    SEAT = "a seat"
    GROUP = "a group"
    NUMBER = "a number"
    TYPES = "card types"
    SEASONS = "seasons"
    YES_NO = "yes or no"
    FLAGS = "flags"
    CONDITION = "a condition"
    LASTING = "a lasting effect"
    GIVES = "what an Extra Character gives"
    VALUE = "the number or type that the lasting effect comes with"
    ROW = "a row of the same program"


class Operand(NamedTuple):
    """One of the three places of a row. Only what its kind asks for is set."""

    kind: Kind = Kind.NONE
    name: str = ""
    """What messages and the English template call it."""
    counts: bool = False
    """Whether a number may be a count, read while the program runs."""
    low: int = 0
    high: int = 0
    """Bounds of a constant number."""
    only: tuple[int, ...] = ()
    """If any, the values it may have."""
    flags: int = 0
    """Bits that mean something."""


def _seat(name: str = "who") -> Operand:
    return Operand(Kind.SEAT, name)


def _number(name: str, low: int = 1, high: int = MOST, *, counts: bool = True) -> Operand:
    return Operand(Kind.NUMBER, name, counts, low, high)


def _types(*only: Types) -> Operand:
    return Operand(Kind.TYPES, "types", only=only)


def _flags(bits: int) -> Operand:
    return Operand(Kind.FLAGS, "how", flags=bits)


_NONE = Operand()
_WHO = _seat()
_SOMEBODY_ELSE = Operand(Kind.SEAT, "who", only=tuple(SeatOperand(seat) for seat in range(len(SEAT_WORDS)) if seat != ME))
_MAYBE = _flags(OPTIONAL)
_ROW = Operand(Kind.ROW, "row")

# ---------------------------------------------------------------- operations


class Place(Enum):
    """Where a card can be, for the cards an operation moves."""

    DECK = "the Main deck"
    LUNATIC = "the Lunatic deck"
    HAND = "a hand"
    ASIDE = "aside"
    DISCARD = "the discard pile"
    IN_PLAY = "in play"
    PLAYED = "the cards being played"
    INCIDENT = "the collection of an incident"


class When(Enum):
    """In which of a text's two programs an operation can stand."""

    EITHER = auto()
    ANNOUNCED = auto()
    RESOLVED = auto()
    OF_INCIDENT = auto()
    """In what an incident does on entering and in its step."""
    OF_ITEM = auto()
    """In what an item does in play: its triggers and its use."""
    OF_CARD = auto()
    """In what a card does that is played from hand."""
    TRIGGERED = auto()
    """In what is decided as soon as a text is triggered."""


class Operation(NamedTuple):
    """What the vocabulary says about one operation code."""

    name: str
    english: str
    """A sentence; `{who.s}` and the like are filled in by `describe.py` from the operands of these names."""
    a: Operand = _NONE
    b: Operand = _NONE
    c: Operand = _NONE
    when: When = When.RESOLVED
    events: tuple[TimingEvent, ...] = ()
    """Events in whose texts it means something; none given: in all."""
    asks: str = ""
    """The question it puts to somebody, as `actions.QUESTIONS` calls it."""
    reads: tuple[Read, ...] = ()
    sets: tuple[Write, ...] = ()
    amount: str = ""
    """What the AMOUNT is from here on, in words, for operations that set it."""
    moves: tuple[tuple[Place, Place], ...] = ()
    """From where to where cards go."""
    jumps: bool = False
    """Operand c is a row of the same program."""
    spends_pick: bool = False
    """Takes the picked card away from where it was picked: a loop that does so ends, because cards are finite."""
    pushes: bool = False
    """Puts something on the stack that is carried out before the program goes on."""
    word: str = ""
    """What a card author calls it, where that is not its name."""

    @property
    def operands(self) -> tuple[Operand, Operand, Operand]:
        """The three places of a row."""
        return self.a, self.b, self.c

    @property
    def written(self) -> str:
        """What a card author calls it."""
        return self.word or self.name


def _sets(register: Register, *leaves: Content) -> Write:
    return Write(register, leaves)


_NO_AMOUNT_YET = Read(Register.AMOUNT, (Content.NOTHING,))
_NUMBERED = _sets(Register.AMOUNT, Content.NUMBER)
_NO_PICK = _sets(Register.PICK, Content.NOTHING)
_END_OR_TOP = Read(Register.END, (Content.NOTHING, Content.END))
_OWN_PICK = Read(Register.PICK, (Content.OWN_CARD,))
_ASIDE_PICK = Read(Register.PICK, (Content.ASIDE_CARD, Content.ASIDE_ITEM))
_EXTRA_NAMED = Read(Register.AMOUNT, (Content.CHARACTER,))
_ITEM_PICK = Read(Register.PICK, (Content.IN_PLAY,))
_CARDS_ASIDE = Read(Register.ASIDE, CARDS_ASIDE)
_LAYS_OPEN, _LAYS_HIDDEN = _sets(Register.ASIDE, Content.OPEN_CARDS), _sets(Register.ASIDE, Content.HIDDEN_CARDS)
_ALL_OPEN = Read(Register.ASIDE, (Content.NOTHING, Content.OPEN_CARDS))  # cards aside are picked from one place, open or hidden
_ALL_HIDDEN = Read(Register.ASIDE, (Content.NOTHING, Content.HIDDEN_CARDS, Content.INCIDENTS))
_PICKS_ASIDE = _sets(Register.PICK, Content.NOTHING, Content.ASIDE_CARD)
_DRAWS = ((Place.DECK, Place.HAND),)
_DISCARDS = ((Place.HAND, Place.DISCARD),)
_LAYS = ((Place.DECK, Place.ASIDE),)
_DROPS = ((Place.IN_PLAY, Place.DISCARD),)

ENDING = (END, DECLINE, ACTIVATE, ACTIVATE_PRINTED)
"""Behind these a program does not go on: an activated Spell Card takes the place of the text."""

OPERATIONS: dict[int, Operation] = {
    CHOOSE_PLAYER: Operation(
        "choose_player", "you {how.may}choose {group.one_of}{bonus.bonus}{how.place}",
        Operand(Kind.GROUP, "group"), _number("bonus", 0, counts=False), _flags(OPTIONAL | AS_SECOND | DISTINCT | AS_THIRD | IF_ANY),
        when=When.EITHER, asks="target"),
    CHOOSE_ITEM: Operation(
        "choose_item", "you {how.may}pick an item of {who.of}", _WHO, _NONE, _MAYBE,
        when=When.EITHER, asks="item", sets=(_sets(Register.PICK, Content.NOTHING, Content.IN_PLAY),)),
    CHOOSE_CARD: Operation(
        "choose_card", "you {how.may}pick {types.card} of your hand{to_deck.own_copy}", _types(), Operand(Kind.YES_NO, "to_deck"), _MAYBE,
        when=When.EITHER, asks="card", sets=(_sets(Register.PICK, Content.NOTHING, Content.OWN_CARD),)),
    PAY: Operation(
        "pay", "you discard {types.card} from your hand", _types(), when=When.EITHER, asks="pay", sets=(_NO_PICK,), moves=_DISCARDS),
    PAY_ANY: Operation(
        "pay_any", "you discard any number of {types.cards} from your hand", _types(),
        when=When.EITHER, asks="boost", reads=(_NO_AMOUNT_YET,), sets=(_NUMBERED, _NO_PICK), amount="the number of cards discarded",
        moves=_DISCARDS),
    BOOST: Operation(
        "boost",
        "you may discard {types.cards} from your hand, each worth +1 range for this attack, and must until that player is in range",
        _types(DANMAKU), when=When.ANNOUNCED, asks="boost", reads=(_NO_AMOUNT_YET, Read(Register.CHOSEN, A_PLAYER)),
        sets=(_NUMBERED, _NO_PICK), amount="the number of cards discarded", moves=_DISCARDS),
    PAY_ITEM: Operation(
        "pay_item", "you discard an item you have in play", when=When.EITHER, asks="item", sets=(_NO_PICK,), moves=_DROPS),
    PAY_LIFE: Operation("pay_life", "you pay 1 life, the last one if need be", when=When.EITHER, moves=_DRAWS, pushes=True),
    DODGE_COST: Operation(
        "dodge_cost", "you discard {types.card} from your hand {types.dodging}", _types(DANMAKU, ANY_TYPE),
        when=When.ANNOUNCED, events=(ATTACKED,), asks="pay", sets=(_NO_PICK,), moves=_DISCARDS),
    MAY: Operation("may", "if {who} want{who.s}", _WHO, _NONE, _ROW, asks="may", jumps=True),
    CHOOSE_NUMBER: Operation(
        "choose_number", "you name a number from {low} to {high}",
        _number("low", 1, LARGEST_NAMED, counts=False), _number("high", 1, LARGEST_NAMED, counts=False),
        when=When.EITHER, asks="number", sets=(_NUMBERED,), amount="the number named"),
    CHOOSE_TYPE: Operation(
        "choose_type", "you name one of the types {types.types}", Operand(Kind.TYPES, "types", flags=sum(NAMED_TYPES), low=1),
        when=When.EITHER, asks="type", sets=(_sets(Register.AMOUNT, Content.TYPE),), amount="the type named"),
    CHOOSE_DECK: Operation(
        "choose_deck", "you name the Main deck, the incident deck or the Lunatic deck",
        when=When.EITHER, asks="deck", sets=(_sets(Register.DECK, Content.DECK),)),
    NAME_INCIDENT_DECK: Operation(
        "name_incident_deck", "the incident deck is the deck named", when=When.EITHER, sets=(_sets(Register.DECK, Content.DECK),)),
    CHOOSE_ASIDE: Operation(
        "choose_aside", "you {how.may}pick {types.card} of those aside{to_deck.copy}", _types(), Operand(Kind.YES_NO, "to_deck"), _MAYBE,
        asks="aside", reads=(Read(Register.ASIDE, (*CARDS_ASIDE, Content.INCIDENTS)),)),
    CHOOSE_END: Operation(
        "choose_end", "you name top or bottom",
        when=When.EITHER, asks="end", sets=(_sets(Register.END, Content.END),)),
    DISCARD_OR: Operation(
        "discard_or", "unless {who} discard{who.s} {types.card} from {who.own} hand", _WHO, _types(), _ROW,
        asks="discard", sets=(_NO_PICK,), moves=_DISCARDS, jumps=True),
    SEARCH_INCIDENT: Operation(
        "search_incident", "you pick any card of the incident deck, which is then shuffled and the card put on top of it",
        asks="incident"),
    CHOOSE_CONTROLLER: Operation(
        "choose_controller", "you, or the player on whose behalf you may play it, are named as the one to control the item",
        when=When.ANNOUNCED, asks="controller", word="item"),
    CHOOSE_FROM_HAND: Operation(
        "choose_from_hand", "a card of {who.hand} is picked: by you, and which copy of it, if you have looked at it, else at random",
        _SOMEBODY_ELSE,
        asks="card", sets=(_sets(Register.PICK, Content.NOTHING, Content.ANOTHERS_CARD),)),
    AIM: Operation(
        "aim", "{who} is the chosen player", Operand(Kind.SEAT, "who", only=(ATTACKER, LEFT, RIGHT)),
        when=When.EITHER, sets=(_sets(Register.CHOSEN, Content.NOTHING, Content.ANYBODY),)),
    CHOOSE_OPTIONS: Operation(
        "choose_options", "you name {count} of the options 1 to {of}",
        _number("count", 1, LARGEST_NAMED, counts=False), _number("of", 1, LARGEST_NAMED, counts=False),
        when=When.EITHER, asks="number", reads=(_NO_AMOUNT_YET,), sets=(_sets(Register.AMOUNT, Content.OPTIONS),),
        amount="the options named"),
    CHOOSE_SEASONS: Operation(
        "choose_seasons", "you name {count} of the seasons, each another", _number("count", 1, NUM_SEASONS, counts=False),
        when=When.EITHER, asks="season", reads=(_NO_AMOUNT_YET,), sets=(_sets(Register.AMOUNT, Content.SEASONS),),
        amount="the seasons named"),
    PAY_SEASON: Operation(
        "pay_season", "you discard a card from your hand that has the season of the card answered",
        when=When.ANNOUNCED, events=(CANCEL,), asks="pay", sets=(_NO_PICK,), moves=_DISCARDS),
    TAKE_WORTH: Operation(
        "take_worth", "you may take cards of those aside into your hand, one by one, together worth at most {points} points",
        _number("points", counts=False), asks="aside", reads=(_CARDS_ASIDE, _NO_AMOUNT_YET), sets=(_NUMBERED, _NO_PICK),
        amount="the points of the cards taken", moves=((Place.ASIDE, Place.HAND),)),
    SHOW_CARD: Operation(
        "show_card", "you pick a card of your hand, and which copy of it, and show it to {who} alone", _SOMEBODY_ELSE,
        asks="card", sets=(_sets(Register.PICK, Content.NOTHING, Content.OWN_CARD),)),
    PAY_POINTS: Operation(
        "pay_points", "you discard cards from your hand, one by one, until they are worth {points} points",
        _number("points", counts=False), when=When.ANNOUNCED, asks="pay", reads=(_NO_AMOUNT_YET,), sets=(_NUMBERED, _NO_PICK),
        amount="the points of the cards discarded", moves=_DISCARDS),
    CHOOSE_DISCARD: Operation(
        "choose_discard", "you {how.may}pick one of the top {cards.cards} of the discard pile, and which copy of it",
        _number("cards", counts=False), _NONE, _MAYBE,
        asks="card", sets=(_sets(Register.PICK, Content.NOTHING, Content.DISCARDED),)),
    CHOOSE_COLLECTED: Operation(
        "choose_collected", "you {how.may}pick one of the cards collected by incidents, and which copy of it", _NONE, _NONE, _MAYBE,
        asks="card", sets=(_sets(Register.PICK, Content.NOTHING, Content.COLLECTED),)),
    DISCARD_ONE: Operation(
        "discard_one", "{who} discard{who.s} a card of {who.own} choice", _WHO, asks="discard", sets=(_NO_PICK,), moves=_DISCARDS),
    CHOOSE_SEARCH: Operation(
        "choose_search", "if you name the Main deck or the Lunatic deck to be searched", _NONE, _NONE, _ROW,
        when=When.TRIGGERED, asks="deck", reads=(_NO_AMOUNT_YET,),
        sets=(_sets(Register.AMOUNT, Content.NOTHING, Content.SEARCHED), _sets(Register.DECK, Content.NOTHING, Content.DECK)),
        amount="the decks searched", jumps=True),
    SEARCH_ITEM: Operation(
        "search_item",
        "you may search the Main deck or the Lunatic deck for {types.card}, which enters play under your control, and the other deck too "
        "if there is none in it, and what you search is shuffled",
        _types(ITEM, POWERUP, DEFENSE, ARTIFACT), asks="deck", pushes=True,
        reads=(Read(Register.AMOUNT, (Content.NOTHING, Content.SEARCHED)),), sets=(_sets(Register.AMOUNT, Content.NOTHING),),
        moves=((Place.DECK, Place.IN_PLAY), (Place.LUNATIC, Place.IN_PLAY), *_DROPS)),
    HOLD_CARD: Operation("hold_card", "you must have a card left in your hand", when=When.ANNOUNCED),
    DRAW: Operation("draw", "{who} draw{who.s} {cards.cards}", _WHO, _number("cards"), moves=_DRAWS),
    DISCARD_HAND: Operation(
        "discard_hand", "{who} discard{who.s} {who.own} whole hand", _WHO,
        sets=(_NUMBERED,), amount="the number of cards discarded", moves=_DISCARDS),
    DISCARD_LUNATIC: Operation(
        "discard_lunatic", "{who} discard{who.s} all Lunatic cards of {who.own} hand", _WHO,
        sets=(_NUMBERED,), amount="the number of Lunatic cards discarded", moves=_DISCARDS),
    FLIP: Operation(
        "flip", "you flip the top card of the Main deck", reads=(Read(Register.ASIDE, (Content.NOTHING,)),),
        sets=(_sets(Register.FLIP, Content.SEASON),), moves=((Place.DECK, Place.DISCARD),)),
    REVEAL: Operation(
        "reveal", "{cards.cards} from the top of the Main deck are laid aside for all to see", _number("cards"),
        reads=(_ALL_OPEN,), sets=(_LAYS_OPEN, _PICKS_ASIDE), moves=_LAYS),
    LOOK: Operation(
        "look", "you alone look at {cards.cards} from the top of the {chosen_deck.deck}, laid aside",
        _number("cards"), Operand(Kind.YES_NO, "chosen_deck"), reads=(_ALL_HIDDEN,), sets=(_LAYS_HIDDEN, _PICKS_ASIDE), moves=_LAYS),
    REVEAL_UNTIL: Operation(
        "reveal_until", "cards of the Main deck are laid aside for all to see until {types.card} turns up, which is picked", _types(),
        reads=(_ALL_OPEN,), sets=(_LAYS_OPEN,), moves=_LAYS),
    TAKE: Operation(
        "take", "the picked card goes into your hand",
        reads=(Read(Register.PICK, (
            Content.ASIDE_CARD, Content.ASIDE_ITEM, Content.ANOTHERS_CARD, Content.DISCARDED, Content.COLLECTED)),),
        sets=(_NO_PICK,), spends_pick=True, moves=(
            (Place.ASIDE, Place.HAND), (Place.HAND, Place.HAND), (Place.DISCARD, Place.HAND), (Place.INCIDENT, Place.HAND))),
    TAKE_ALL: Operation(
        "take_all", "all {types.cards} aside go into your hand", _types(),
        reads=(_CARDS_ASIDE,), sets=(_NO_PICK,), moves=((Place.ASIDE, Place.HAND),)),
    DISCARD_ASIDE: Operation(
        "discard_aside", "the cards aside are discarded in the order they were laid there",
        reads=(_CARDS_ASIDE,), sets=(_sets(Register.ASIDE, Content.NOTHING),), moves=((Place.ASIDE, Place.DISCARD),)),
    COLLECT_ASIDE: Operation(
        "collect_aside", "this incident collects the cards aside", when=When.OF_INCIDENT,
        reads=(_CARDS_ASIDE,), sets=(_sets(Register.ASIDE, Content.NOTHING),), moves=((Place.ASIDE, Place.INCIDENT),)),
    HAND_TO_DECK: Operation(
        "hand_to_deck", "the picked card of your hand goes to {end} of its deck",
        reads=(_OWN_PICK, _END_OR_TOP), sets=(_NO_PICK,), moves=((Place.HAND, Place.DECK),), spends_pick=True),
    ASIDE_TO_DECK: Operation(
        "aside_to_deck", "the picked card goes back to {end} of its deck",
        reads=(Read(Register.PICK, (Content.ASIDE_CARD, Content.ASIDE_ITEM, Content.ASIDE_INCIDENT)), _END_OR_TOP), sets=(_NO_PICK,),
        moves=((Place.ASIDE, Place.DECK),), spends_pick=True),
    DISCARD_ITEM: Operation(
        "discard_item", "the picked item, if {who} still control{who.s} it, is discarded", _WHO,
        reads=(_ITEM_PICK,), sets=(_NO_PICK,), moves=_DROPS),
    DISCARD_ITEMS: Operation("discard_items", "{who} discard{who.s} all {who.own} items in play", _WHO, moves=_DROPS),
    TAKE_CONTROL: Operation(
        "take_control", "{who} take{who.s} control of the picked item{settle.settling}", _WHO, Operand(Kind.YES_NO, "settle"),
        reads=(_ITEM_PICK,), sets=(_NO_PICK,), moves=((Place.IN_PLAY, Place.IN_PLAY), *_DROPS)),
    PUT_IN_PLAY: Operation(
        "put_in_play", "the picked card enters play under your control, without being played",
        reads=(Read(Register.PICK, (Content.ASIDE_ITEM,)),), sets=(_NO_PICK,), moves=((Place.ASIDE, Place.IN_PLAY), *_DROPS)),
    SWAP_HANDS: Operation(
        "swap_hands", "{one} and {other} exchange their whole hands", _seat("one"), _seat("other"), moves=((Place.HAND, Place.HAND),)),
    DISCARD_RANDOM: Operation(
        "discard_random", "{who} discard{who.s} a random card of {who.own} hand", _WHO, moves=_DISCARDS),
    COLLECT_TOP: Operation(
        "collect_top", "this incident collects the top card of the Main deck",
        when=When.OF_INCIDENT, moves=((Place.DECK, Place.INCIDENT),)),
    GIVE: Operation(
        "give", "the picked card of your hand goes into {who.hand}", _SOMEBODY_ELSE,
        reads=(_OWN_PICK,), sets=(_NO_PICK,), moves=((Place.HAND, Place.HAND),), spends_pick=True),
    LOOK_AT_HAND: Operation("look_at_hand", "you alone look at {who.hand}", _WHO),
    SHOW_HAND: Operation("show_hand", "{who} show{who.s} {who.own} hand to all", _WHO),
    DRAW_ASIDE: Operation(
        "draw_aside", "you draw {cards.cards}, kept apart from your hand", _number("cards"),
        reads=(_ALL_HIDDEN,), sets=(_LAYS_HIDDEN,), moves=_LAYS),
    GIVE_ASIDE: Operation(
        "give_aside", "the picked card goes into {who.hand}, unseen by the others", _WHO,
        reads=(_ASIDE_PICK,), sets=(_NO_PICK,), moves=((Place.ASIDE, Place.HAND),), spends_pick=True),
    DRAW_LUNATIC: Operation(
        "draw_lunatic", "{who} draw{who.s} {cards.cards} from the Lunatic deck", _WHO, _number("cards"),
        moves=((Place.LUNATIC, Place.HAND),)),
    GATHER_SEASONS: Operation(
        "gather_seasons",
        "cards are flipped, and lie aside for all to see, until every season named has turned up, and the first of each goes into "
        "your hand",
        reads=(Read(Register.AMOUNT, (Content.SEASONS,), sure=True), _ALL_OPEN), sets=(_LAYS_OPEN, _NO_PICK),
        moves=(*_LAYS, (Place.ASIDE, Place.HAND))),
    SPEND_ITEM: Operation(
        "spend_item", "the picked item, if any, is discarded for its points",
        reads=(_ITEM_PICK,), sets=(_NO_PICK, _NUMBERED), amount="the points of the item discarded (1 without one)", moves=_DROPS),
    HAND_ON_CARD: Operation(
        "hand_on_card", "this card goes into {who.hand}, for all to see", _SOMEBODY_ELSE, when=When.OF_CARD,
        moves=((Place.PLAYED, Place.HAND),)),
    TAKE_THIS: Operation(
        "take_this", "{who} take{who.s} control of this item{later.later}", _SOMEBODY_ELSE, Operand(Kind.YES_NO, "later"),
        when=When.OF_ITEM, moves=((Place.IN_PLAY, Place.IN_PLAY), *_DROPS)),
    KEEP_CARD: Operation(
        "keep_card", "when the stack is empty, the card answered goes into {who.hand}", _WHO, events=(CANCEL, RESPONSE, CARD_DONE),
        moves=((Place.PLAYED, Place.HAND),)),
    ATTACK: Operation(
        "attack", "{how.attacker} {who}{damage.damage}{how.reach}", _SOMEBODY_ELSE, _number("damage"),
        _flags(ANY_RANGE | UNAVOIDABLE | BY_SECOND | BOOSTED), pushes=True),
    LOSE_LIFE: Operation(
        "lose_life", "{who} lose{who.s} {amount.life}", _WHO, _number("amount"), moves=_DRAWS, pushes=True),
    GAIN_LIFE: Operation("gain_life", "{who} regain{who.s} {amount.life}", _WHO, _number("amount")),
    REVIVE: Operation("revive", "the life of {who} becomes 1", _WHO),
    CANCEL_IT: Operation("cancel_it", "it is cancelled", events=(CANCEL,)),
    AVOID_IT: Operation("avoid_it", "the attack is avoided", events=(ATTACKED, ATTACK_DECLARED)),
    ACTIVATE: Operation("activate", "you activate {who.spell}", Operand(Kind.SEAT, "who", only=(ME, CHOSEN)), asks="spell"),
    COPY_IT: Operation(
        "copy_it", "you carry out a copy of it with choices of your own, which cannot be cancelled",
        events=(CANCEL, RESPONSE, PLAYED), pushes=True),
    LAST: Operation(
        "last", "until the start of your next turn{concerned}: {effect.lasting}{value.value}",
        Operand(Kind.LASTING, "effect"), _WHO, Operand(Kind.VALUE, "value", counts=True, low=1, high=MOST), word="lasting"),
    SKIP_NEXT_TURN: Operation("skip_next_turn", "{who} must skip {who.own} next turn", _WHO),
    SKIP_THIS_TURN: Operation("skip_this_turn", "you skip the turn that begins", events=(SKIP_CHECK,)),
    BAN_ACTIONS: Operation("ban_actions", "nobody plays action cards for the rest of the turn"),
    RESOLVE_INCIDENT: Operation(
        "resolve_incident", "{incident} is resolved", asks="incident", moves=((Place.INCIDENT, Place.DISCARD),)),
    SHUFFLE_INCIDENTS: Operation("shuffle_incidents", "the incident deck is shuffled", when=When.OF_INCIDENT),
    BRING_INCIDENT: Operation("bring_incident", "another incident enters play", when=When.OF_INCIDENT, pushes=True),
    ADD_DRAWS: Operation(
        "add_draws", "this draw step gives {cards.more}", _number("cards", -MOST, MOST), events=(DRAW_STEP,)),
    SKIP_INCIDENT_STEP: Operation(
        "skip_incident_step", "this turn has no incident step", events=(TURN_START, INCIDENT_START)),
    PREVENT_IT: Operation("prevent_it", "the hit costs no life", events=(HIT,)),
    EXTRA_TURN: Operation("extra_turn", "you take another turn after this one, unless this is such a turn itself"),
    REVEAL_MY_ROLE: Operation("reveal_my_role", "you lay your role open"),
    GIVE_UP_IT: Operation("give_up_it", "the attack is not avoided after all", events=(AVOIDING,)),
    COUNT_ROUNDS: Operation(
        "count_rounds", "your rounds in a row in which this happened are counted, this one too",
        sets=(_NUMBERED,), amount="the number of those rounds"),
    REMEMBER_FLIP: Operation(
        "remember_flip", "that was flip {place}", _number("place", 1, 3, counts=False),
        reads=(Read(Register.FLIP, (Content.SEASON,)), Read(Register.AMOUNT, (Content.NOTHING, Content.FLIPS))),
        sets=(_sets(Register.AMOUNT, Content.FLIPS),), amount="the seasons flipped"),
    DRAW_AGAIN: Operation(
        "draw_again", "you discard exactly those cards and draw as many again from the same decks", events=(DRAWING,),
        moves=((Place.DECK, Place.DISCARD),)),
    DRAW_MORE: Operation(
        "draw_more", "besides those cards you draw {cards.cards}", _number("cards"), events=(LOSS_DRAW,)),
    SPARE_LIFE: Operation("spare_life", "{who} cannot lose life for the rest of the turn", _WHO),
    END: Operation("end", "the effect ends here", word="stop"),
    DECLINE: Operation("decline", "nothing happens", when=When.TRIGGERED),
    JUMP: Operation("jump", "", _NONE, _NONE, _ROW, when=When.EITHER, jumps=True),
    IF: Operation(
        "if", "if {condition}{seasons}", Operand(Kind.CONDITION, "condition"), Operand(Kind.SEASONS, "seasons"), _ROW,
        when=When.EITHER, jumps=True, word="if_"),
    START_EACH: Operation(
        "start_each", "for {group.every} in turn order", Operand(Kind.GROUP, "group"), word="Each"),
    NEXT_EACH: Operation("next_each", "", _NONE, _NONE, _ROW, jumps=True, word="Each"),
    SET_COUNT: Operation("set_count", "{times.times}", _number("times"), word="repeat"),
    COUNT_DOWN: Operation("count_down", "", _NONE, _NONE, _ROW, jumps=True, word="repeat"),
    SWAP_WITH_HEROINE: Operation(
        "swap_with_heroine",
        "everybody but the Heroine flips, clockwise from the current player and round again, until autumn shows, and "
        "who flipped it and the Heroine exchange roles, the new Heroine gaining 1 life",
        when=When.OF_INCIDENT, moves=((Place.DECK, Place.DISCARD),)),
    FLIP_AND_PLAY: Operation(
        "flip_and_play",
        "you flip the top card of the Main deck, and if a half of it is an action that you could play, you may play it at once, uncounted",
        asks="may", reads=(Read(Register.ASIDE, (Content.NOTHING,)),), sets=(_NO_PICK,), moves=((Place.DECK, Place.DISCARD),), pushes=True),
    RECRUIT: Operation(
        "recruit", "you recruit an Extra Character and have its {gives.gives}",
        Operand(Kind.GIVES, "gives", only=(ITS_ABILITY, ITS_SPELL, ITS_ALL)), asks="character", pushes=True),
    CHOOSE_EXTRA: Operation(
        "choose_extra", "you {how.may}name an Extra Character of yours{own.own}", Operand(Kind.YES_NO, "own"), _NONE, _MAYBE,
        asks="extra", sets=(_sets(Register.AMOUNT, Content.NOTHING, Content.CHARACTER),), amount="the Extra Character named"),
    DISMISS: Operation("dismiss", "the Extra Character named, if any, is dismissed", reads=(_EXTRA_NAMED,)),
    DISMISS_OWN: Operation("dismiss_own", "you dismiss the Extra Characters you have from this", when=When.EITHER),
    REPLACE_EXTRA: Operation(
        "replace_extra", "the Extra Character named, if any, is replaced by one you recruit, from the same source and with the same gains",
        asks="character", reads=(_EXTRA_NAMED,)),
    CHOOSE_ABILITY: Operation(
        "choose_ability", "if you name the character of another player{for_good.whose}", Operand(Kind.YES_NO, "for_good"), _NONE, _ROW,
        when=When.TRIGGERED, asks="ability", sets=(_sets(Register.AMOUNT, Content.NOTHING, Content.CHARACTER),),
        amount="the character named", jumps=True),
    NAME_ABILITY: Operation(
        "name_ability", "{for_good.naming}", Operand(Kind.YES_NO, "for_good"), reads=(_EXTRA_NAMED,), pushes=True),
    ACTIVATE_PRINTED: Operation(
        "activate_printed", "you activate the Spell Card printed with this, whatever its timing, and be it your second of the round"),
    HAND_ON_ATTACK: Operation(
        "hand_on_attack", "the chosen player names another player: the former becomes the second player, the latter the chosen player",
        asks="target", reads=(Read(Register.CHOSEN, A_PLAYER, sure=True),),
        sets=(_sets(Register.SECOND, Content.ANYBODY), _sets(Register.CHOSEN, Content.ANYBODY))),
}  # fmt: skip
"""Every operation a program may contain. What a row reads and sets besides, depending on its operands, is in `rows.py`."""
