"""Every word a card may use.

A card is a list of *texts*; a text says when it may happen and carries two short programs: `announce`
(choices and costs, made before anybody can cancel) and `resolve` (what then happens). Programs are rows of
`Op(code, a, b, c)`; the few flow words nest and are flattened by `compile.py`.

Words are plain integers, because compiled kernels read them as constants.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

# ---------------------------------------------------------------- seasons and card types

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

# ---------------------------------------------------------------- events: when a text may happen
# The first six are moments at which a seat is offered something; the others push triggered texts.

MAIN = 0  # own main step, empty stack
CANCEL = 1  # a card or Spell Card has been announced (cancel window)
RESPONSE = 2  # its effects are on the stack (response window)
ATTACKED = 3  # an attack is on top of the stack
RESCUE = 4  # somebody is at 0 life and the stack is empty
STEP = 5  # a boundary between steps of a turn
WINDOWS = (MAIN, CANCEL, RESPONSE, ATTACKED, RESCUE, STEP)
ATTACK_DECLARED = 6  # an attack was put on the stack (automatic answers)
PLAYED = 7  # a card got through its cancel window
AVOIDED = 8  # an attack was avoided
DAMAGED = 9  # an attack took life
LOST_LIFE = 10  # life went down for any reason
SKIP_CHECK = 11  # a turn begins and may be skipped
SKIPPED = 12  # a turn is being skipped
TURN_START = 13
INCIDENT_START = 14  # before a turn's incident step
DRAW_STEP = 15  # before the draw of the draw step
DREW_STEP = 16  # after the draw of the draw step
NUM_EVENTS = 17
EVENTS = (
    "main step", "cancel window", "response window", "attack", "rescue", "step boundary", "attack declared", "card played",
    "attack avoided", "attack hits", "life lost", "skip check", "turn skipped", "turn start", "incident step", "draw step",
    "after draw step",
)  # fmt: skip
ANY_WINDOW = (CANCEL, RESPONSE, ATTACKED, RESCUE, STEP)
ANY_PRIORITY = (MAIN, *ANY_WINDOW)

# relations: how the event must concern the seat that owns the text
ALWAYS = 0
MINE = 1  # the attack is on me, I lost the life, I avoided, it is my turn's step
MINE_AVOIDABLE = 2  # an attack on me that can be avoided
PROTECTABLE = 3  # an avoidable attack on me, or on another while I can pay for protecting them (C-2)
BY_ANOTHER = 4  # another player attacks somebody
BY_ME = 5  # I attacked, I played the card
SOMEONE_AT_ZERO = 6  # an undefeated player is at 0 life and can still be brought back
MY_TURN = 7
EMPTY_HAND = 8  # my hand is empty
OTHERS_CARD = 9  # somebody else announced something that carries one of the text's tags
ANYONES_CARD = 10  # anybody announced something that carries one of the text's tags
OWN_DANMAKU = 11  # I played a danmaku card
RELATIONS = (
    "", "you", "you, avoidably", "you, or somebody you can pay to protect", "another attacks", "yours", "somebody at 0 life",
    "own turn", "empty hand", "somebody else's card", "anybody's card", "your danmaku card",
)  # fmt: skip

# how often a text may be used
UNLIMITED, ONCE_PER_TURN, ONCE_PER_ROUND, ONCE_PER_ATTACK = range(4)

# ---------------------------------------------------------------- who: one seat, read from the running frame

ME, CHOSEN, SECOND, EACH, ATTACKER, VICTIM, CURRENT, LEFT, RIGHT = range(9)
THIRD = EACH  # one register: no text needs a third target and a loop over seats
WHO = (
    "you", "the chosen player", "the second player", "that player", "the attacker", "the attacked player",
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

# ---------------------------------------------------------------- numbers: constants below 1000, counts above

_COUNT = 1000
AMOUNT_WORD, POWERUPS_WORD, ACTIVE_WORD, SHORTFALL_WORD, DANMAKU_SHOWN_WORD = range(5)
COUNTS = (
    "the amount", "the number of your powerups in play", "the number of active players", "what is missing to max hand size",
    "the number of danmaku cards in the hand shown (at least 1)",
)  # fmt: skip


def count(word: int) -> int:
    """The operand of a number read while the program runs. Up to 15 can be added, so `1 + MY_POWERUPS` is written as it reads."""
    return _COUNT + 16 * word


def split_number(operand: int) -> tuple[int, int | None]:
    """A number operand as a constant and the count added to it, or None."""
    if operand < _COUNT:
        return operand, None
    word, constant = divmod(operand - _COUNT, 16)
    return constant, word


AMOUNT = count(AMOUNT_WORD)
MY_POWERUPS = count(POWERUPS_WORD)
ACTIVE_PLAYERS = count(ACTIVE_WORD)
SHORTFALL = count(SHORTFALL_WORD)
DANMAKU_SHOWN = count(DANMAKU_SHOWN_WORD)

# ---------------------------------------------------------------- stats: static modifiers, summed by a query

RANGE, DISTANCE, DANMAKU_LIMIT, DRAWS, HAND_BASE, HAND_BASE_AWAY, HAND_BONUS, MAX_LIFE = range(8)
NUM_ITEM_STATS = 4  # the first ones are what items add to; their sums are kept up to date in the record
KEEPS_POWERUPS, LONG_WAY_ROUND, DODGE_SURCHARGE, ON_BEHALF, START_HAND = range(8, 13)
NUM_STATS = 16
STATS = (
    "range", "distance", "danmaku cards per round", "cards in the draw step", "base max hand size",
    "base max hand size on others' turns", "max hand size", "max life", "keeps powerups when losing life",
    "neighbours at distance 1 are out of range, distances count the long way round too",
    "dodge cards against your attacks cost a card more", "plays reaction, item and healing cards on behalf of others",
    "starting hand",
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

# ---------------------------------------------------------------- operations, in families of 32 codes

ASK, MOVE, LIFE, STACK, FLOW, NATIVE = (32 * family for family in range(6))

CHOOSE_PLAYER, CHOOSE_ITEM, CHOOSE_CARD, PAY, PAY_ANY, BOOST, PAY_ITEM, PAY_LIFE = range(ASK, ASK + 8)
DODGE_COST, MAY, CHOOSE_NUMBER, CHOOSE_TYPE, CHOOSE_DECK, CHOOSE_ASIDE, CHOOSE_END = range(ASK + 8, ASK + 15)
DISCARD_OR, SEARCH_INCIDENT, CHOOSE_CONTROLLER, CHOOSE_FROM_HAND = range(ASK + 15, ASK + 19)

DRAW, DISCARD_HAND, FLIP, REVEAL, LOOK, REVEAL_UNTIL, TAKE, TAKE_ALL = range(MOVE, MOVE + 8)
DISCARD_ASIDE, COLLECT_ASIDE, HAND_TO_DECK, ASIDE_TO_DECK, DISCARD_ITEM, DISCARD_ITEMS = range(MOVE + 8, MOVE + 14)
TAKE_CONTROL, PUT_IN_PLAY, SWAP_HANDS, DISCARD_RANDOM, COLLECT_TOP, GIVE = range(MOVE + 14, MOVE + 20)
LOOK_AT_HAND, SHOW_HAND, DRAW_ASIDE, GIVE_ASIDE = range(MOVE + 20, MOVE + 24)

ATTACK, LOSE_LIFE, GAIN_LIFE, REVIVE = range(LIFE, LIFE + 4)

(CANCEL_IT, AVOID_IT, ACTIVATE, COPY_IT, LAST, SKIP_NEXT_TURN, SKIP_THIS_TURN, BAN_ACTIONS, RESOLVE_INCIDENT, ADD_DRAWS,
 SKIP_INCIDENT_STEP) = range(STACK, STACK + 11)  # fmt: skip

END, JUMP, IF, START_EACH, NEXT_EACH, SET_COUNT, COUNT_DOWN = range(FLOW, FLOW + 7)

SWAP_WITH_HEROINE, HAND_ON_ATTACK = range(NATIVE, NATIVE + 2)

# flags of choices and attacks
OPTIONAL, AS_SECOND, DISTINCT, AS_THIRD = 1, 2, 4, 8
ANY_RANGE, UNAVOIDABLE, BY_SECOND, BOOSTED = 1, 2, 4, 8

# conditions of IF
FLIPPED, HAS_CHOSEN, HAS_SECOND, HAS_PICK, ASIDE_LEFT, INCIDENT_IN_PLAY, CAN_COPY, HAS_ITEMS, HAND_LEFT, HAS_HAND, TRUE = range(11)
CONDITIONS = (
    "the flip shows", "a player was chosen", "a second player was chosen", "a card was picked", "cards are left aside",
    "an incident is in play", "it can be copied", "the chosen player has items", "you have cards in hand",
    "the chosen player has cards in hand", "",
)  # fmt: skip


class Operation(NamedTuple):
    """What the vocabulary says about one operation code."""

    name: str
    english: str
    """A sentence; `{a.who}` and the like are filled in by `describe.py` from the operands."""
    amount: str = ""
    """What the AMOUNT is from here on, in words, for operations that set it."""
    jumps: bool = False
    """Operand c is a row of the same program."""
    moves_card: bool = False
    """Takes a card from a hand or from aside: a loop that contains it ends, because cards are finite."""


OPERATIONS: dict[int, Operation] = {
    CHOOSE_PLAYER: Operation("choose_player", "you {c.may}choose {a.one_of}{b.bonus}{c.place}"),
    CHOOSE_ITEM: Operation("choose_item", "you {c.may}pick an item of {a.whom}"),
    CHOOSE_CARD: Operation("choose_card", "you {c.may}pick {a.card} of your hand"),
    PAY: Operation("pay", "you discard {a.card} from your hand"),
    PAY_ANY: Operation("pay_any", "you discard any number of {a.cards_of} from your hand", amount="the number of cards discarded"),
    BOOST: Operation(
        "boost", "you may discard {a.cards_of} from your hand, each worth +1 range for this attack, and must until that player is in range",
        amount="the number of cards discarded"),
    PAY_ITEM: Operation("pay_item", "you discard an item you have in play"),
    PAY_LIFE: Operation("pay_life", "you pay 1 life, the last one if need be"),
    DODGE_COST: Operation("dodge_cost", "you discard {a.card} from your hand {a.dodging}"),
    MAY: Operation("may", "if {a.who} want{a.s}", jumps=True),
    CHOOSE_NUMBER: Operation("choose_number", "you name a number from {a} to {b}", amount="the number named"),
    CHOOSE_TYPE: Operation("choose_type", "you name one of the types {a.types}", amount="the type named"),
    CHOOSE_DECK: Operation("choose_deck", "you name the Main deck or the incident deck", amount="the deck named"),
    CHOOSE_ASIDE: Operation("choose_aside", "you {c.may}pick {a.card} of those aside"),
    CHOOSE_END: Operation("choose_end", "you name top or bottom", amount="the end named"),
    DISCARD_OR: Operation("discard_or", "unless {a.who} discard{a.s} {b.card} from {a.own} hand", jumps=True, moves_card=True),
    SEARCH_INCIDENT: Operation(
        "search_incident", "you pick any card of the incident deck, which is then shuffled and the card put on top of it"),
    CHOOSE_CONTROLLER: Operation(
        "choose_controller", "you, or the player on whose behalf you may play it, are named as the one to control the item"),
    CHOOSE_FROM_HAND: Operation(
        "choose_from_hand", "a card of the hand of {a.whom} is picked: by you if you have looked at it, else at random"),
    DRAW: Operation("draw", "{a.who} draw{a.s} {b.cards}"),
    DISCARD_HAND: Operation("discard_hand", "{a.who} discard{a.s} {a.own} whole hand", amount="the number of cards discarded"),
    FLIP: Operation("flip", "you flip the top card of the Main deck", amount="the season flipped"),
    REVEAL: Operation("reveal", "{a.cards} from the top of the Main deck are laid aside for all to see"),
    LOOK: Operation("look", "you alone look at {a.cards} from the top of the {b.deck}, laid aside"),
    REVEAL_UNTIL: Operation(
        "reveal_until", "cards of the Main deck are laid aside for all to see until {a.card} turns up, which is picked"),
    TAKE: Operation("take", "the picked card goes into your hand"),
    TAKE_ALL: Operation("take_all", "all {a.cards_of} aside go into your hand"),
    DISCARD_ASIDE: Operation("discard_aside", "the cards aside are discarded in the order they were laid there"),
    COLLECT_ASIDE: Operation("collect_aside", "this incident collects the cards aside"),
    HAND_TO_DECK: Operation("hand_to_deck", "the picked card of your hand goes to {end} of the Main deck"),
    ASIDE_TO_DECK: Operation("aside_to_deck", "the picked card goes back to {end} of its deck", moves_card=True),
    DISCARD_ITEM: Operation("discard_item", "the picked item, if any, is discarded"),
    DISCARD_ITEMS: Operation("discard_items", "{a.who} discard{a.s} all {a.own} items in play"),
    TAKE_CONTROL: Operation("take_control", "{a.who} take{a.s} control of the picked item"),
    PUT_IN_PLAY: Operation("put_in_play", "the picked card enters play under your control, without being played"),
    SWAP_HANDS: Operation("swap_hands", "{a.who} and {b.whom} exchange their whole hands"),
    DISCARD_RANDOM: Operation("discard_random", "{a.who} discard{a.s} a random card of {a.own} hand"),
    COLLECT_TOP: Operation("collect_top", "this incident collects the top card of the Main deck"),
    GIVE: Operation("give", "the picked card of your hand goes into the hand of {a.whom}", moves_card=True),
    LOOK_AT_HAND: Operation("look_at_hand", "you alone look at the hand of {a.whom}"),
    SHOW_HAND: Operation("show_hand", "{a.who} show{a.s} {a.own} hand to all"),
    DRAW_ASIDE: Operation("draw_aside", "you draw {a.cards}, kept apart from your hand"),
    GIVE_ASIDE: Operation("give_aside", "the picked card goes into the hand of {a.whom}, unseen by the others"),
    ATTACK: Operation("attack", "{c.attacker} {a.whom}{b.damage}{c.how}"),
    LOSE_LIFE: Operation("lose_life", "{a.who} lose{a.s} {b} life"),
    GAIN_LIFE: Operation("gain_life", "{a.who} regain{a.s} {b} life"),
    REVIVE: Operation("revive", "the life of {a.whom} becomes 1"),
    CANCEL_IT: Operation("cancel_it", "it is cancelled"),
    AVOID_IT: Operation("avoid_it", "the attack is avoided"),
    ACTIVATE: Operation("activate", "you activate {a.spell}"),
    COPY_IT: Operation("copy_it", "you carry out a copy of it with choices of your own, which cannot be cancelled"),
    LAST: Operation("last", "until the start of your next turn{concerned}: {a.lasting}{c.value}"),
    SKIP_NEXT_TURN: Operation("skip_next_turn", "{a.who} must skip {a.own} next turn"),
    SKIP_THIS_TURN: Operation("skip_this_turn", "you skip the turn that begins"),
    BAN_ACTIONS: Operation("ban_actions", "nobody plays action cards for the rest of the turn"),
    RESOLVE_INCIDENT: Operation("resolve_incident", "{incident} is resolved"),
    ADD_DRAWS: Operation("add_draws", "this draw step gives {a.more}"),
    SKIP_INCIDENT_STEP: Operation("skip_incident_step", "this turn has no incident step"),
    END: Operation("end", "the effect ends here"),
    JUMP: Operation("jump", "", jumps=True),
    IF: Operation("if", "if {a.condition}{b.seasons}", jumps=True),
    START_EACH: Operation("start_each", "for {a.every} in turn, clockwise from you"),
    NEXT_EACH: Operation("next_each", "", jumps=True),
    SET_COUNT: Operation("set_count", "{a.times}"),
    COUNT_DOWN: Operation("count_down", "", jumps=True),
    SWAP_WITH_HEROINE: Operation(
        "swap_with_heroine",
        "everybody but the Heroine flips, clockwise from the current player and round again, until autumn shows; "
        "that player and the Heroine exchange roles, and the new Heroine gains 1 life"),
    HAND_ON_ATTACK: Operation(
        "hand_on_attack", "the chosen player names another player: the former becomes the second player, the latter the chosen player"),
}  # fmt: skip
"""Every operation a program may contain. The lint refuses any other code, and `describe.py` speaks these sentences."""


class Op(NamedTuple):
    """One row of a program: an operation and three small operands."""

    code: int
    a: int = 0
    b: int = 0
    c: int = 0


class If(NamedTuple):
    """Carry out `then` when the condition holds, else `otherwise`."""

    condition: int
    operand: int
    then: Program
    otherwise: Program


class Branch(NamedTuple):
    """A yes-or-no question: `body` on one answer, `otherwise` on the other."""

    op: Op
    body: Program
    otherwise: Program = ()


class Each(NamedTuple):
    """Carry out `body` for each seat of a group, clockwise from the controller; the seat is EACH."""

    group: int
    body: Program


class Repeat(NamedTuple):
    """Carry out `body` a number of times, read once at the start."""

    times: int
    body: Program


class While(NamedTuple):
    """Carry out `body` as long as the condition holds; every body moves a card, so it ends."""

    condition: int
    body: Program


Step: TypeAlias = Op | If | Branch | Each | Repeat | While
Program: TypeAlias = Sequence[Step]

# ---- ask


def choose_player(group: int, *, bonus: int = 0, optional: bool = False) -> Op:
    """You choose one player of the group as CHOSEN (range judged with `bonus`)."""
    return Op(CHOOSE_PLAYER, group, bonus, OPTIONAL * optional)


def choose_second(group: int, *, optional: bool = False, distinct: bool = True) -> Op:
    """You choose one player of the group as SECOND, by default another than CHOSEN."""
    return Op(CHOOSE_PLAYER, group, 0, OPTIONAL * optional | AS_SECOND | DISTINCT * distinct)


def choose_third(group: int, *, optional: bool = False) -> Op:
    """You choose one player of the group as THIRD."""
    return Op(CHOOSE_PLAYER, group, 0, OPTIONAL * optional | AS_THIRD)


def choose_item(who: int = CHOSEN, *, optional: bool = False) -> Op:
    """You pick one item that `who` controls."""
    return Op(CHOOSE_ITEM, who, 0, OPTIONAL * optional)


def choose_card(types: int = ANY_TYPE, *, optional: bool = False, to_deck: bool = False) -> Op:
    """You pick one card of your hand."""
    return Op(CHOOSE_CARD, types, int(to_deck), OPTIONAL * optional)


def pay(types: int = ANY_TYPE, cards: int = 1) -> list[Op]:
    """Cost: discard that many hand cards with one of the types."""
    return [Op(PAY, types)] * cards


def pay_any(types: int = ANY_TYPE) -> Op:
    """Discard any number of hand cards; the AMOUNT is how many."""
    return Op(PAY_ANY, types)


def boost() -> Op:
    """Discard danmaku cards, each worth +1 range for this attack, until CHOSEN is in range or longer if you like."""
    return Op(BOOST, DANMAKU)


def pay_item() -> Op:
    """Cost: discard an item you have in play."""
    return Op(PAY_ITEM)


def pay_life() -> Op:
    """Cost: pay 1 life (the last one may be paid)."""
    return Op(PAY_LIFE)


def dodge_cost() -> list[Op]:
    """Costs of a dodge card: a danmaku card to protect another player (C-2), any card more against Reimu (C-3)."""
    return [Op(DODGE_COST, DANMAKU), Op(DODGE_COST, ANY_TYPE)]


def may(body: Program, otherwise: Program = (), *, who: int = ME) -> Branch:
    """`who` decides whether the body is carried out."""
    return Branch(Op(MAY, who), body, otherwise)


def choose_number(low: int, high: int) -> Op:
    """You name a number; it is the AMOUNT."""
    return Op(CHOOSE_NUMBER, low, high)


def choose_type(types: int) -> Op:
    """You name one of the card types; its bit is the AMOUNT."""
    return Op(CHOOSE_TYPE, types)


def choose_deck() -> Op:
    """You name a deck; it is the AMOUNT."""
    return Op(CHOOSE_DECK)


def choose_aside(types: int = ANY_TYPE, *, optional: bool = False, to_deck: bool = False) -> Op:
    """You pick one of the cards laid aside."""
    return Op(CHOOSE_ASIDE, types, int(to_deck), OPTIONAL * optional)


def choose_end() -> Op:
    """You choose top or bottom."""
    return Op(CHOOSE_END)


def discard_or(who: int, types: int, otherwise: Program) -> Branch:
    """`who` may discard a hand card of the types; if not, `otherwise` happens."""
    return Branch(Op(DISCARD_OR, who, types), otherwise)


def choose_from_hand(who: int = CHOSEN) -> Op:
    """You pick one card of the hand of `who`, which you have looked at."""
    return Op(CHOOSE_FROM_HAND, who)


def forever(body: Program) -> While:
    """Carry out `body` until it stops itself."""
    return While(TRUE, body)


def repeat(times: int, body: Program) -> Repeat:
    """Carry out `body` that many times."""
    return Repeat(times, body)


def search_incident() -> Op:
    """You pick any card of the incident deck; the deck is shuffled and the card put on top."""
    return Op(SEARCH_INCIDENT)


# ---- move


def draw(cards: int, who: int = ME) -> Op:
    """`who` draws from the Main deck."""
    return Op(DRAW, who, cards)


def discard_hand(who: int = ME) -> Op:
    """`who` discards the whole hand; the AMOUNT is how many cards."""
    return Op(DISCARD_HAND, who)


def flip() -> Op:
    """The top of the Main deck is revealed and discarded; its season can be asked with `if_flipped`."""
    return Op(FLIP)


def reveal(cards: int) -> Op:
    """The top cards of the Main deck are laid aside for all to see."""
    return Op(REVEAL, cards)


def look(cards: int, *, chosen_deck: bool = False) -> Op:
    """You look at the top cards of the Main deck (or of the deck named before), laid aside for your eyes only."""
    return Op(LOOK, cards, int(chosen_deck))


def reveal_until(types: int) -> Op:
    """Cards of the Main deck are revealed until one has the type; that one is the pick, all lie aside."""
    return Op(REVEAL_UNTIL, types)


def take() -> Op:
    """The picked card goes into your hand."""
    return Op(TAKE)


def take_all(types: int) -> Op:
    """Every card aside with the type goes into your hand."""
    return Op(TAKE_ALL, types)


def discard_aside() -> Op:
    """The cards aside are discarded in the order revealed (K-8)."""
    return Op(DISCARD_ASIDE)


def collect_aside() -> Op:
    """The cards aside are collected by this incident."""
    return Op(COLLECT_ASIDE)


def hand_to_deck() -> Op:
    """The picked hand card goes to the Main deck, on the end named before (top unless asked)."""
    return Op(HAND_TO_DECK)


def aside_to_deck() -> Op:
    """The picked card aside goes back to its deck, on the end named before (top unless asked)."""
    return Op(ASIDE_TO_DECK)


def arrange() -> While:
    """You put the cards aside back, one by one, each on the top or the bottom of their deck (X-9)."""
    return While(ASIDE_LEFT, [choose_aside(to_deck=True), choose_end(), aside_to_deck()])


def discard_item() -> Op:
    """The picked item is discarded."""
    return Op(DISCARD_ITEM)


def discard_items(who: int) -> Op:
    """`who` discards all items in play."""
    return Op(DISCARD_ITEMS, who)


def take_control(who: int = ME) -> Op:
    """The picked item moves under the control of `who`."""
    return Op(TAKE_CONTROL, who)


def put_in_play() -> Op:
    """The picked card aside enters play under your control without being played."""
    return Op(PUT_IN_PLAY)


def swap_hands(one: int, other: int) -> Op:
    """Two players exchange their whole hands."""
    return Op(SWAP_HANDS, one, other)


def discard_random(who: int = ME) -> Op:
    """`who` discards one hand card at random."""
    return Op(DISCARD_RANDOM, who)


def collect_top() -> Op:
    """The top of the Main deck is collected by this incident."""
    return Op(COLLECT_TOP)


def give(who: int = CHOSEN) -> Op:
    """The picked hand card goes into the hand of `who`."""
    return Op(GIVE, who)


def give_aside(who: int = CHOSEN) -> Op:
    """The picked card aside goes into the hand of `who`, unseen by the others."""
    return Op(GIVE_ASIDE, who)


def look_at_hand(who: int = CHOSEN) -> Op:
    """You alone see the hand of `who`."""
    return Op(LOOK_AT_HAND, who)


def show_hand(who: int = CHOSEN) -> Op:
    """Everybody sees the hand of `who`."""
    return Op(SHOW_HAND, who)


def draw_aside(cards: int) -> Op:
    """You draw cards and keep them apart from your hand."""
    return Op(DRAW_ASIDE, cards)


# ---- life and attack


def attack(
    who: int = CHOSEN,
    *,
    damage: int = 1,
    any_range: bool = False,
    unavoidable: bool = False,
    by_second: bool = False,
    boosted: bool = False,
) -> Op:
    """Attack `who`; without a player, or out of range, nothing happens (K-13). `boosted` adds the AMOUNT to your range."""
    flags = ANY_RANGE * any_range | UNAVOIDABLE * unavoidable | BY_SECOND * by_second | BOOSTED * boosted
    return Op(ATTACK, who, damage, flags)


def attack_each(group: int, *, any_range: bool = False) -> Each:
    """One attack on each player of the group, clockwise from your left (K-9)."""
    return Each(group, [attack(EACH, any_range=any_range)])


def lose_life(who: int, amount: int) -> Op:
    """`who` loses life; this is not an attack."""
    return Op(LOSE_LIFE, who, amount)


def gain_life(who: int, amount: int = 1) -> Op:
    """`who` regains life up to max life."""
    return Op(GAIN_LIFE, who, amount)


def revive(who: int = CHOSEN) -> Op:
    """The life of `who` becomes 1."""
    return Op(REVIVE, who)


# ---- stack


def cancel_it() -> Op:
    """The card or Spell Card answered to is cancelled."""
    return Op(CANCEL_IT)


def avoid_it() -> Op:
    """The attack answered to is avoided by the attacked player."""
    return Op(AVOID_IT)


def activate(who: int = ME) -> Op:
    """Activate the Spell Card of `who` as your own."""
    return Op(ACTIVATE, who)


def copy_it() -> Op:
    """Carry out a copy of the card or Spell Card answered to, with targets of your choice."""
    return Op(COPY_IT)


def lasting(kind: int, who: int = ME, value: int = 0) -> Op:
    """An effect on `who` until the start of your next turn."""
    return Op(LAST, kind, who, value)


def skip_next_turn(who: int = CHOSEN) -> Op:
    """`who` must skip the next turn (T-5)."""
    return Op(SKIP_NEXT_TURN, who)


def skip_this_turn() -> Op:
    """You skip the turn that begins."""
    return Op(SKIP_THIS_TURN)


def ban_actions() -> Op:
    """No further action cards this turn (C-14)."""
    return Op(BAN_ACTIONS)


def resolve_incident() -> Op:
    """The incident in play is resolved."""
    return Op(RESOLVE_INCIDENT)


def add_draws(cards: int) -> Op:
    """This draw step gives that many cards more (or fewer)."""
    return Op(ADD_DRAWS, cards)


def skip_incident_step() -> Op:
    """This turn has no incident step."""
    return Op(SKIP_INCIDENT_STEP)


# ---- natives (bespoke, see engine/natives.py)


def swap_with_heroine() -> Op:
    """Everybody but the Heroine flips in turn until autumn shows; that player and the Heroine exchange roles."""
    return Op(SWAP_WITH_HEROINE)


def hand_on_attack() -> Op:
    """CHOSEN names another target: CHOSEN becomes SECOND (the attacker), the target CHOSEN."""
    return Op(HAND_ON_ATTACK)


# ---- flow


def if_(condition: int, then: Program, otherwise: Program = (), operand: int = 0) -> If:
    """A branch on a condition word."""
    return If(condition, operand, then, otherwise)


def if_flipped(seasons: Sequence[int], then: Program) -> If:
    """A branch on the season of the last flip; a failed flip has none (X-1)."""
    return If(FLIPPED, sum(1 << season for season in seasons), then, ())


def stop() -> Op:
    """The effect ends here."""
    return Op(END)


# ---------------------------------------------------------------- texts, cards, characters, incidents, roles


@dataclass(frozen=True, kw_only=True)
class Text:
    """One thing that can be played, activated or triggered."""

    events: tuple[int, ...]
    relation: int = ALWAYS
    types: int = 0
    tags: int = 0
    """For cancelling texts: which announced things they answer (DANMAKU, ACTION, SPELL)."""
    cancelable: bool = True
    counts: bool = False
    """Counts toward, and is blocked by, the danmaku limit."""
    targets_all: bool = False
    """Attacks every other player, so nobody is left untargeted."""
    once: int = UNLIMITED
    announce: Program = ()
    resolve: Program = ()
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class Card:
    """A Main-deck card type. `seasons` has one entry per physical copy, in scan order."""

    id: str
    name: str
    points: int
    seasons: str
    modes: tuple[Text, ...]
    in_play: dict[int, int] = field(default_factory=dict)
    triggers: tuple[Text, ...] = ()
    use: Text | None = None
    text: str = ""

    @property
    def types(self) -> int:
        """Types of the card in hand and in piles: those of both halves (K-22)."""
        types = 0
        for mode in self.modes:
            types |= mode.types
        return types


@dataclass(frozen=True, kw_only=True)
class Character:
    """A character: passive modifiers, abilities she activates, triggers, ways to her Spell Card, and the Spell Card."""

    id: str
    name: str
    season: int
    text: str = ""
    modifiers: dict[int, int] = field(default_factory=dict)
    abilities: tuple[Text, ...] = ()
    triggers: tuple[Text, ...] = ()
    source: Text | None = None
    spell_name: str = ""
    spell: Text | None = None
    capturable: bool = True
    called: str = ""
    """What people at the table call her: the last word of the name unless given here."""

    @property
    def short_name(self) -> str:
        """One word for logs and tables."""
        return self.called or self.name.split()[-1]


@dataclass(frozen=True, kw_only=True)
class Incident:
    """An incident: laws while in play, programs on entering and in each incident step, and what it collects."""

    id: str
    name: str
    season: int
    text: str
    enter: Program = ()
    step: Program = ()
    laws: int = 0
    collects_types: int = 0
    collects_season: int = -1
    collects_each_season: int = 0
    """Needed cards of every season, or 0."""
    needs: int = 0
    """Cards collected in total that resolve it; 0 = it resolves another way."""
    resolves_on_defeat: bool = False
    resolves_on_reshuffle: bool = False


@dataclass(frozen=True, kw_only=True)
class Role:
    """A role: group, goal and powers. Goals are state predicates (R-1)."""

    id: str
    name: str
    groups: int
    team: int
    goal: int
    text: str
    modifiers: dict[int, int] = field(default_factory=dict)
    becomes: str = ""
    shared_fate: bool = False
    triggers: tuple[Text, ...] = ()


# role groups (bits) and teams
HEROINES, RIVALS, PARTNERS, STAGE_BOSSES, EXTRA_BOSSES = 1, 2, 4, 8, 16
NO_TEAM, HEROINE_TEAM, STAGE_TEAM, EXTRA_TEAM, RIVAL_TEAM = range(5)

# goals (bits): what must be true
STAGE_DEAD, EXTRA_DEAD, HEROINE_DEAD, A_PARTNER_DEAD, ANOTHER_STAGE_DEAD, OTHER_PARTNERS_DEAD, IS_HEROINE = (1 << bit for bit in range(7))
GOALS = (
    "every Stage Boss is defeated", "every Extra Boss is defeated", "the Heroine is defeated", "a Partner is defeated",
    "another Stage Boss is defeated", "every other Partner is defeated", "you hold the Heroine role",
)  # fmt: skip


# ---- shorthand for texts


def action(announce: Program = (), resolve: Program = (), *, types: int = ACTION, text: str = "", **options: object) -> Text:
    """A card half played in one's own main step."""
    return Text(events=(MAIN,), types=types | ACTION, announce=announce, resolve=resolve, text=text, **options)  # type: ignore[arg-type]


def danmaku(announce: Program = (), resolve: Program = (), *, counts: bool = True, text: str = "", **options: object) -> Text:
    """An attacking action card."""
    return action(announce, resolve, types=ACTION | DANMAKU, counts=counts, text=text, **options)


def reaction(
    events: tuple[int, ...], relation: int, announce: Program = (), resolve: Program = (), *, types: int = 0, text: str = "", tags: int = 0
) -> Text:
    """A card half played in a window; nothing in these sets cancels it (K-5)."""
    return Text(
        events=events, relation=relation, types=REACTION | types, announce=announce, resolve=resolve, text=text, tags=tags, cancelable=False
    )


def invocation(announce: Program, resolve: Program, *, text: str) -> Text:
    """A card that activates a Spell Card; the Spell Card is what gets cancelled (K-21)."""
    return Text(events=ANY_PRIORITY, types=INVOCATION, announce=announce, resolve=resolve, cancelable=False, text=text)


def item(types: int, resolve: Program = (), *, text: str) -> Text:
    """A card that stays in play; nothing cancels it (K-21)."""
    return Text(events=(MAIN,), types=ITEM | types, announce=[Op(CHOOSE_CONTROLLER)], resolve=resolve, cancelable=False, text=text)


def trigger(event: int, relation: int, resolve: Program, **options: object) -> Text:
    """Something that happens, or may be used, whenever the event occurs."""
    return Text(events=(event,), relation=relation, resolve=resolve, **options)  # type: ignore[arg-type]


def ability(
    events: tuple[int, ...], relation: int, announce: Program = (), resolve: Program = (), *, once: int = UNLIMITED, tags: int = 0
) -> Text:
    """An activated ability."""
    return Text(events=events, relation=relation, announce=announce, resolve=resolve, once=once, tags=tags)


def spell_action(announce: Program, resolve: Program, *, text: str, cancelable: bool = True) -> Text:
    """A Spell Card of kind action."""
    return Text(events=(MAIN,), types=SPELL | ACTION, announce=announce, resolve=resolve, text=text, cancelable=cancelable)


def spell_reaction(events: tuple[int, ...], relation: int, announce: Program, resolve: Program, *, text: str, tags: int = 0) -> Text:
    """A Spell Card of kind reaction."""
    return Text(events=events, relation=relation, types=SPELL | REACTION, announce=announce, resolve=resolve, text=text, tags=tags)


def spell_source(announce: Program, *, events: tuple[int, ...] = ANY_PRIORITY, relation: int = ALWAYS, text: str = "") -> Text:
    """Another way than an invocation card to activate one's own Spell Card."""
    return Text(events=events, relation=relation, announce=announce, resolve=[activate(ME)], text=text)
