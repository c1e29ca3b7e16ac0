"""Every operation a program may contain: its code, and what it says in English.

A card author does not write operations but the words of `words.py`, each of which makes one or a few of them.
"""

from __future__ import annotations

from typing import NamedTuple

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
