"""The words that programs are written in, one function each, by family of operations; those that ask stand in `choices.py`.

A program is a sequence of steps (`steps.py`); `compile.py` flattens it into rows. A text (`texts.py`) says when a
program runs and what it is called.
"""

from __future__ import annotations

from collections.abc import Sequence

from danmaku_env.cards.vocabulary import operations as code
from danmaku_env.cards.vocabulary.choices import choose_aside, choose_end
from danmaku_env.cards.vocabulary.kinds import Season, Types
from danmaku_env.cards.vocabulary.modifiers import Lasting
from danmaku_env.cards.vocabulary.operands import (
    ANY_RANGE,
    ASIDE_LEFT,
    BOOSTED,
    BY_SECOND,
    CHOSEN,
    EACH,
    FLIP_1,
    FLIP_2,
    FLIP_3,
    FLIPPED,
    ME,
    OPTIONAL,
    TRUE,
    UNAVOIDABLE,
    Condition,
    Gives,
    Group,
    Number,
    SeatOperand,
)
from danmaku_env.cards.vocabulary.steps import Each, If, Op, Program, Repeat, While

# ---- move


def draw(cards: Number, who: SeatOperand = ME) -> Op:
    """`who` draws from the Main deck."""
    return Op(code.DRAW, who, cards)


def draw_lunatic(cards: Number, who: SeatOperand = ME) -> Op:
    """`who` draws from the Lunatic deck, unless that is forbidden (L-21)."""
    return Op(code.DRAW_LUNATIC, who, cards)


def discard_hand(who: SeatOperand = ME) -> Op:
    """`who` discards the whole hand; the AMOUNT is how many cards."""
    return Op(code.DISCARD_HAND, who)


def discard_lunatic(who: SeatOperand = ME) -> Op:
    """`who` discards all Lunatic cards of the hand; the AMOUNT is how many."""
    return Op(code.DISCARD_LUNATIC, who)


def flip() -> Op:
    """The top of the Main deck is revealed and discarded; its season can be asked with `if_flipped`."""
    return Op(code.FLIP)


def reveal(cards: Number) -> Op:
    """The top cards of the Main deck are laid aside for all to see."""
    return Op(code.REVEAL, cards)


def look(cards: Number, *, chosen_deck: bool = False) -> Op:
    """You look at the top cards of the Main deck (or of the deck named before), laid aside for your eyes only."""
    return Op(code.LOOK, cards, int(chosen_deck))


def reveal_until(types: Types) -> Op:
    """Cards of the Main deck are revealed until one has the type; that one is the pick, all lie aside."""
    return Op(code.REVEAL_UNTIL, types)


def take() -> Op:
    """The picked card goes into your hand."""
    return Op(code.TAKE)


def take_all(types: Types) -> Op:
    """Every card aside with the type goes into your hand."""
    return Op(code.TAKE_ALL, types)


def discard_aside() -> Op:
    """The cards aside are discarded in the order revealed (K-8)."""
    return Op(code.DISCARD_ASIDE)


def collect_aside() -> Op:
    """The cards aside are collected by this incident."""
    return Op(code.COLLECT_ASIDE)


def hand_to_deck() -> Op:
    """The picked hand card goes to its deck, on the end named before (top unless asked)."""
    return Op(code.HAND_TO_DECK)


def aside_to_deck() -> Op:
    """The picked card aside goes back to its deck, on the end named before (top unless asked)."""
    return Op(code.ASIDE_TO_DECK)


def arrange() -> While:
    """You put the cards aside back, one by one, each on the top or the bottom of their deck (X-9)."""
    return While(ASIDE_LEFT, [choose_aside(to_deck=True), choose_end(), aside_to_deck()])


def discard_item(who: SeatOperand) -> Op:
    """The picked item is discarded, if `who` still has it (K-13)."""
    return Op(code.DISCARD_ITEM, who)


def discard_items(who: SeatOperand) -> Op:
    """`who` discards all items in play."""
    return Op(code.DISCARD_ITEMS, who)


def take_control(who: SeatOperand = ME, *, settle: bool = False) -> Op:
    """The picked item moves under the control of `who`; with `settle` you choose which one goes when it is one too many (L-8)."""
    return Op(code.TAKE_CONTROL, who, int(settle))


def take_this(who: SeatOperand, *, later: bool = False) -> Op:
    """This item moves under the control of `who`, at once or when the stack is empty (L-5)."""
    return Op(code.TAKE_THIS, who, int(later))


def hand_on_card(who: SeatOperand = CHOSEN) -> Op:
    """This card, which is being played, goes into the hand of `who` instead of the discard pile."""
    return Op(code.HAND_ON_CARD, who)


def keep_card(who: SeatOperand = ME) -> Op:
    """The card answered to goes into the hand of `who` when the stack is empty; the last such word said counts (L-9)."""
    return Op(code.KEEP_CARD, who)


def put_in_play() -> Op:
    """The picked card aside enters play under your control without being played."""
    return Op(code.PUT_IN_PLAY)


def swap_hands(one: SeatOperand, other: SeatOperand) -> Op:
    """Two players exchange their whole hands."""
    return Op(code.SWAP_HANDS, one, other)


def discard_random(who: SeatOperand = ME) -> Op:
    """`who` discards one hand card at random."""
    return Op(code.DISCARD_RANDOM, who)


def collect_top() -> Op:
    """The top of the Main deck is collected by this incident."""
    return Op(code.COLLECT_TOP)


def give(who: SeatOperand = CHOSEN) -> Op:
    """The picked hand card goes into the hand of `who`."""
    return Op(code.GIVE, who)


def give_aside(who: SeatOperand = CHOSEN) -> Op:
    """The picked card aside goes into the hand of `who`, unseen by the others."""
    return Op(code.GIVE_ASIDE, who)


def look_at_hand(who: SeatOperand = CHOSEN) -> Op:
    """You alone see the hand of `who`."""
    return Op(code.LOOK_AT_HAND, who)


def show_hand(who: SeatOperand = CHOSEN) -> Op:
    """Everybody sees the hand of `who`."""
    return Op(code.SHOW_HAND, who)


def draw_aside(cards: Number) -> Op:
    """You draw cards and keep them apart from your hand."""
    return Op(code.DRAW_ASIDE, cards)


def gather_seasons() -> Op:
    """Cards are revealed until every season named has turned up; the first of each goes into your hand, the others lie aside."""
    return Op(code.GATHER_SEASONS)


def spend_item() -> Op:
    """The picked item is discarded; the AMOUNT is its points, or 1 when there is none."""
    return Op(code.SPEND_ITEM)


# ---- life and attack


def attack(
    who: SeatOperand = CHOSEN,
    *,
    damage: Number = 1,
    any_range: bool = False,
    unavoidable: bool = False,
    by_second: bool = False,
    boosted: bool = False,
) -> Op:
    """Attack `who`; without a player, or out of range, nothing happens (K-13). `boosted` adds the AMOUNT to your range."""
    flags = ANY_RANGE * any_range | UNAVOIDABLE * unavoidable | BY_SECOND * by_second | BOOSTED * boosted
    return Op(code.ATTACK, who, damage, flags)


def attack_each(group: Group, *, any_range: bool = False) -> Each:
    """One attack on each player of the group, clockwise from your left (K-9)."""
    return Each(group, [attack(EACH, any_range=any_range)])


def lose_life(who: SeatOperand, amount: Number) -> Op:
    """`who` loses life; this is not an attack."""
    return Op(code.LOSE_LIFE, who, amount)


def gain_life(who: SeatOperand, amount: Number = 1) -> Op:
    """`who` regains life up to max life."""
    return Op(code.GAIN_LIFE, who, amount)


def revive(who: SeatOperand = CHOSEN) -> Op:
    """The life of `who` becomes 1."""
    return Op(code.REVIVE, who)


# ---- stack


def cancel_it() -> Op:
    """The card or Spell Card answered to is cancelled."""
    return Op(code.CANCEL_IT)


def avoid_it() -> Op:
    """The attack answered to is avoided by the attacked player."""
    return Op(code.AVOID_IT)


def activate(who: SeatOperand = ME) -> Op:
    """Activate the Spell Card of `who` as your own."""
    return Op(code.ACTIVATE, who)


def copy_it() -> Op:
    """Carry out a copy of the card or Spell Card answered to, with targets of your choice."""
    return Op(code.COPY_IT)


def lasting(effect: Lasting, who: SeatOperand = ME, value: Number = 0) -> Op:
    """An effect on `who` until the start of your next turn."""
    return Op(code.LAST, effect, who, value)


def skip_next_turn(who: SeatOperand = CHOSEN) -> Op:
    """`who` must skip the next turn (T-5)."""
    return Op(code.SKIP_NEXT_TURN, who)


def skip_this_turn() -> Op:
    """You skip the turn that begins."""
    return Op(code.SKIP_THIS_TURN)


def ban_actions() -> Op:
    """No further action cards this turn (C-14)."""
    return Op(code.BAN_ACTIONS)


def spare_life(who: SeatOperand = ME) -> Op:
    """`who` cannot lose or pay life for the rest of this turn, whosever it is (L-4)."""
    return Op(code.SPARE_LIFE, who)


def resolve_incident() -> Op:
    """The incident in play is resolved; of several, one that you name."""
    return Op(code.RESOLVE_INCIDENT)


def shuffle_incidents() -> Op:
    """The incident deck is shuffled."""
    return Op(code.SHUFFLE_INCIDENTS)


def bring_incident() -> Op:
    """The top incident of its deck enters play."""
    return Op(code.BRING_INCIDENT)


def add_draws(cards: Number) -> Op:
    """This draw step gives that many cards more (or fewer)."""
    return Op(code.ADD_DRAWS, cards)


def skip_incident_step() -> Op:
    """This turn has no incident step."""
    return Op(code.SKIP_INCIDENT_STEP)


def prevent_it() -> Op:
    """The hit that is about to land costs no life."""
    return Op(code.PREVENT_IT)


def extra_turn() -> Op:
    """You have an extra turn after this one; extra turns do not follow on each other (T-10)."""
    return Op(code.EXTRA_TURN)


def reveal_my_role() -> Op:
    """Your role lies open from now on."""
    return Op(code.REVEAL_MY_ROLE)


def give_up_it() -> Op:
    """The avoidance that is about to take effect does not: the attack is still to be answered (A-13)."""
    return Op(code.GIVE_UP_IT)


def count_rounds() -> Op:
    """The AMOUNT is for how many rounds in a row you have done this, this one included (L-13)."""
    return Op(code.COUNT_ROUNDS)


def remember_flip(place: int) -> Op:
    """The season flipped is remembered as the first, second or third of this effect, for `if_flipped(..., place=...)`."""
    return Op(code.REMEMBER_FLIP, place)


def draw_more(cards: Number) -> Op:
    """This number of further cards is drawn for the life that was lost (A-19)."""
    return Op(code.DRAW_MORE, cards)


def draw_again() -> Op:
    """The cards that were just drawn are discarded, and the same number drawn again (L-18)."""
    return Op(code.DRAW_AGAIN)


# ---- natives (bespoke, see engine/natives.py)


def swap_with_heroine() -> Op:
    """Everybody but the Heroine flips in turn until autumn shows; that player and the Heroine exchange roles."""
    return Op(code.SWAP_WITH_HEROINE)


def hand_on_attack() -> Op:
    """CHOSEN names another target: CHOSEN becomes SECOND (the attacker), the target CHOSEN."""
    return Op(code.HAND_ON_ATTACK)


def flip_and_play() -> Op:
    """The top card of the Main deck is flipped; if it has an action half you may play it at once, beside all limits (K-19)."""
    return Op(code.FLIP_AND_PLAY)


# ---- Extra Characters


def recruit(gives: Gives) -> Op:
    """You draw characters of those unused and keep one as an Extra Character, which gives you this (L-10)."""
    return Op(code.RECRUIT, gives)


def choose_extra(*, own: bool = False, optional: bool = False) -> Op:
    """You name one of your Extra Characters, of those from this text's owner if `own`."""
    return Op(code.CHOOSE_EXTRA, int(own), 0, OPTIONAL * optional)


def dismiss() -> Op:
    """The Extra Character named is dismissed."""
    return Op(code.DISMISS)


def dismiss_own() -> Op:
    """You dismiss every Extra Character that you have from this text's owner; as a cost, there must be one."""
    return Op(code.DISMISS_OWN)


def replace_extra() -> Op:
    """You recruit another Extra Character in the place of the one named."""
    return Op(code.REPLACE_EXTRA)


def name_ability(*, for_good: bool = False) -> Op:
    """You have the ability of the character chosen until you name another, or for the rest of the game (L-12)."""
    return Op(code.NAME_ABILITY, int(for_good))


def activate_printed() -> Op:
    """You activate the Spell Card printed with this text, beyond all limits (L-25)."""
    return Op(code.ACTIVATE_PRINTED)


# ---- flow


def forever(body: Program) -> While:
    """Carry out `body` until it stops itself."""
    return While(TRUE, body)


def repeat(times: Number, body: Program) -> Repeat:
    """Carry out `body` that many times."""
    return Repeat(times, body)


def if_(condition: Condition, then: Program, otherwise: Program = ()) -> If:
    """A branch on a condition word; for FLIPPED see `if_flipped`."""
    return If(condition, 0, then, otherwise)


def if_flipped(seasons: Sequence[Season], then: Program, otherwise: Program = (), *, place: int = 0) -> If:
    """A branch on the season of the last flip, or of one that was remembered; a failed flip has none (X-1)."""
    return If((FLIPPED, FLIP_1, FLIP_2, FLIP_3)[place], sum(1 << season for season in seasons), then, otherwise)


def stop() -> Op:
    """The effect ends here."""
    return Op(code.END)


def decline() -> Op:
    """A triggered text is not wanted: it does not happen."""
    return Op(code.DECLINE)


def only_if(condition: Condition) -> If:
    """A triggered text happens only if the condition holds when it is decided."""
    return If(condition, 0, (), [decline()])
