"""Words for what a program asks: players, cards and numbers to be named, and costs. What is done with them is said by `words.py`."""

from __future__ import annotations

from danmaku_env.cards.vocabulary import operations as code
from danmaku_env.cards.vocabulary.kinds import ANY_TYPE, DANMAKU, Types
from danmaku_env.cards.vocabulary.operands import (
    AS_SECOND,
    AS_THIRD,
    CHOSEN,
    DISTINCT,
    IF_ANY,
    ME,
    OPTIONAL,
    Group,
    SeatOperand,
)
from danmaku_env.cards.vocabulary.steps import Branch, Op, Program


def choose_player(group: Group, *, bonus: int = 0, optional: bool = False, if_any: bool = False) -> Op:
    """You choose one player of the group as CHOSEN (range judged with `bonus`); `if_any`: it may be announced without one too (C-17)."""
    return Op(code.CHOOSE_PLAYER, group, bonus, OPTIONAL * optional | IF_ANY * if_any)


def choose_second(group: Group, *, optional: bool = False, distinct: bool = True) -> Op:
    """You choose one player of the group as SECOND, by default another than CHOSEN."""
    return Op(code.CHOOSE_PLAYER, group, 0, OPTIONAL * optional | AS_SECOND | DISTINCT * distinct)


def choose_third(group: Group, *, optional: bool = False) -> Op:
    """You choose one player of the group as THIRD."""
    return Op(code.CHOOSE_PLAYER, group, 0, OPTIONAL * optional | AS_THIRD)


def choose_item(who: SeatOperand = CHOSEN, *, optional: bool = False) -> Op:
    """You pick one item that `who` controls."""
    return Op(code.CHOOSE_ITEM, who, 0, OPTIONAL * optional)


def choose_card(types: Types = ANY_TYPE, *, optional: bool = False, to_deck: bool = False) -> Op:
    """You pick one card of your hand; to put on the Main deck, no Lunatic card while there is another (L-19)."""
    return Op(code.CHOOSE_CARD, types, int(to_deck), OPTIONAL * optional)


def pay(types: Types = ANY_TYPE, cards: int = 1) -> list[Op]:
    """Cost: discard that many hand cards with one of the types."""
    return [Op(code.PAY, types)] * cards


def pay_any(types: Types = ANY_TYPE) -> Op:
    """Discard any number of hand cards; the AMOUNT is how many."""
    return Op(code.PAY_ANY, types)


def boost() -> Op:
    """Discard danmaku cards, each worth +1 range for this attack, until CHOSEN is in range or longer if you like."""
    return Op(code.BOOST, DANMAKU)


def pay_item() -> Op:
    """Cost: discard an item you have in play."""
    return Op(code.PAY_ITEM)


def pay_life() -> Op:
    """Cost: pay 1 life (the last one may be paid)."""
    return Op(code.PAY_LIFE)


def dodge_cost() -> list[Op]:
    """Costs of a dodge card: a danmaku card to protect another player (C-2), any card more against Reimu (C-3)."""
    return [Op(code.DODGE_COST, DANMAKU), Op(code.DODGE_COST, ANY_TYPE)]


def dodge_surcharge() -> Op:
    """Cost of a dodge card that protects oneself alone: any card against Reimu (C-3)."""
    return Op(code.DODGE_COST, ANY_TYPE)


def aim(who: SeatOperand) -> Op:
    """`who` is CHOSEN without being asked for: the target of a counterattack."""
    return Op(code.AIM, who)


def may(body: Program, otherwise: Program = (), *, who: SeatOperand = ME) -> Branch:
    """`who` decides whether the body is carried out."""
    return Branch(Op(code.MAY, who), body, otherwise)


def choose_number(low: int, high: int) -> Op:
    """You name a number; it is the AMOUNT."""
    return Op(code.CHOOSE_NUMBER, low, high)


def choose_type(types: Types) -> Op:
    """You name one of the card types; its bit is the AMOUNT."""
    return Op(code.CHOOSE_TYPE, types)


def choose_deck() -> Op:
    """You name a deck; it is the AMOUNT."""
    return Op(code.CHOOSE_DECK)


def name_incident_deck() -> Op:
    """The incident deck is the deck named, without a choice."""
    return Op(code.NAME_INCIDENT_DECK)


def choose_aside(types: Types = ANY_TYPE, *, optional: bool = False, to_deck: bool = False) -> Op:
    """You pick one of the cards laid aside."""
    return Op(code.CHOOSE_ASIDE, types, int(to_deck), OPTIONAL * optional)


def choose_end() -> Op:
    """You choose top or bottom."""
    return Op(code.CHOOSE_END)


def discard_or(who: SeatOperand, types: Types, otherwise: Program) -> Branch:
    """`who` may discard a hand card of the types; if not, `otherwise` happens."""
    return Branch(Op(code.DISCARD_OR, who, types), otherwise)


def choose_from_hand(who: SeatOperand = CHOSEN) -> Op:
    """You pick one card of the hand of `who`, which you have looked at."""
    return Op(code.CHOOSE_FROM_HAND, who)


def search_incident() -> Op:
    """You pick any card of the incident deck; the deck is shuffled and the card put on top."""
    return Op(code.SEARCH_INCIDENT)


def choose_options(count: int, of: int) -> Op:
    """You name this many of a text's options; OPTION_1 and the like ask for them."""
    return Op(code.CHOOSE_OPTIONS, count, of)


def choose_seasons(count: int) -> Op:
    """You name this many different seasons."""
    return Op(code.CHOOSE_SEASONS, count)


def pay_season() -> Op:
    """Cost: discard a hand card with the season of the card answered to."""
    return Op(code.PAY_SEASON)


def take_worth(points: int) -> Op:
    """You take as many cards aside as you like, worth no more than that together; the AMOUNT is what they are worth."""
    return Op(code.TAKE_WORTH, points)


def show_card(who: SeatOperand = CHOSEN) -> Op:
    """You pick a hand card and show it to `who` alone."""
    return Op(code.SHOW_CARD, who)


def hold_card() -> Op:
    """Condition: a card is left in your hand once all is paid for, to be shown (L-32)."""
    return Op(code.HOLD_CARD)


def pay_points(points: int) -> Op:
    """Cost: discard hand cards until they are worth this many points."""
    return Op(code.PAY_POINTS, points)


def choose_discard(cards: int, *, optional: bool = False) -> Op:
    """You pick one of the top cards of the Main discard pile."""
    return Op(code.CHOOSE_DISCARD, cards, 0, OPTIONAL * optional)


def choose_collected(*, optional: bool = False) -> Op:
    """You pick one of the cards that the incidents in play have collected."""
    return Op(code.CHOOSE_COLLECTED, 0, 0, OPTIONAL * optional)


def discard_one(who: SeatOperand) -> Op:
    """`who` discards a hand card of their own choice."""
    return Op(code.DISCARD_ONE, who)


def search_item(types: Types) -> Op:
    """You search a deck for an item with one of the types and put it into play; the other deck if there is none."""
    return Op(code.SEARCH_ITEM, types)


def choose_search() -> Branch:
    """You may name a deck to be searched, for `search_item`; a triggered text is declined without."""
    return Branch(Op(code.CHOOSE_SEARCH), (), [Op(code.DECLINE)])


def choose_ability(*, for_good: bool = False) -> Branch:
    """You may name another player's character, or must `for_good`, for `name_ability`; a triggered text is declined without."""
    return Branch(Op(code.CHOOSE_ABILITY, int(for_good)), (), [Op(code.DECLINE)])
