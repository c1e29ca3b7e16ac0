"""The words that programs are written in, one function each, by family of operations.

A program is a sequence of steps (`steps.py`); `compile.py` flattens it into rows. When a program is carried out, and what it is called,
is said by a text (`texts.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from danmaku_env.cards.vocabulary.kinds import ANY_TYPE, DANMAKU
from danmaku_env.cards.vocabulary.operands import (
    ANY_RANGE,
    AS_SECOND,
    AS_THIRD,
    ASIDE_LEFT,
    BOOSTED,
    BY_SECOND,
    CHOSEN,
    DISTINCT,
    EACH,
    FLIPPED,
    ME,
    OPTIONAL,
    TRUE,
    UNAVOIDABLE,
)
from danmaku_env.cards.vocabulary.operations import (
    ACTIVATE,
    ADD_DRAWS,
    ASIDE_TO_DECK,
    ATTACK,
    AVOID_IT,
    BAN_ACTIONS,
    BOOST,
    CANCEL_IT,
    CHOOSE_ASIDE,
    CHOOSE_CARD,
    CHOOSE_DECK,
    CHOOSE_END,
    CHOOSE_FROM_HAND,
    CHOOSE_ITEM,
    CHOOSE_NUMBER,
    CHOOSE_PLAYER,
    CHOOSE_TYPE,
    COLLECT_ASIDE,
    COLLECT_TOP,
    COPY_IT,
    DISCARD_ASIDE,
    DISCARD_HAND,
    DISCARD_ITEM,
    DISCARD_ITEMS,
    DISCARD_OR,
    DISCARD_RANDOM,
    DODGE_COST,
    DRAW,
    DRAW_ASIDE,
    END,
    FLIP,
    GAIN_LIFE,
    GIVE,
    GIVE_ASIDE,
    HAND_ON_ATTACK,
    HAND_TO_DECK,
    LAST,
    LOOK,
    LOOK_AT_HAND,
    LOSE_LIFE,
    MAY,
    PAY,
    PAY_ANY,
    PAY_ITEM,
    PAY_LIFE,
    PUT_IN_PLAY,
    RESOLVE_INCIDENT,
    REVEAL,
    REVEAL_UNTIL,
    REVIVE,
    SEARCH_INCIDENT,
    SHOW_HAND,
    SKIP_INCIDENT_STEP,
    SKIP_NEXT_TURN,
    SKIP_THIS_TURN,
    SWAP_HANDS,
    SWAP_WITH_HEROINE,
    TAKE,
    TAKE_ALL,
    TAKE_CONTROL,
)
from danmaku_env.cards.vocabulary.steps import Branch, Each, If, Op, Program, Repeat, While

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
