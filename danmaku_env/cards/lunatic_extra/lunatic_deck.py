"""The 40 cards of the Lunatic deck, in box order: cards of its own, and copies of cards of the base game."""

from __future__ import annotations

from collections.abc import Mapping

from danmaku_env.cards.vocabulary import *

FULL_POWER = Card(
    id="full_power", name="Full Power", points=4, lunatic="spring",
    modes=(item(POWERUP, text="+3 range and three danmaku cards more per round."),),
    in_play={RANGE: 3, DANMAKU_LIMIT: 3},
)  # fmt: skip

GHOST_LANTERN = Card(
    id="ghost_lantern", name="Ghost Lantern", points=4, lunatic="winter",
    modes=(instant([], [spare_life()], text="You cannot lose life for the rest of this turn."),),
)  # fmt: skip

GIFT_OF_YATAGARASU = Card(
    id="gift_of_yatagarasu", name="Gift of Yatagarasu", points=5, lunatic="summer spring",
    modes=(
        instant([choose_player(OTHERS)], [draw(3, CHOSEN)], text="Another player draws 3."),
        instant([], [draw(2)], text="Draw 2."),
    ),
)  # fmt: skip

HOURAI_ELIXIR = Card(
    id="hourai_elixir", name="Hourai Elixir", points=5, lunatic="winter",
    modes=(item(ARTIFACT | HEALING, text="Whoever gains control of it regains 1 life; so do you at the start of your turn."),),
    triggers=(trigger(ITEM_GAINED, MINE, [gain_life(ME)]), trigger(TURN_START, MINE, [gain_life(ME)])),
)  # fmt: skip

INTERRUPT = Card(
    id="interrupt", name="Interrupt", points=3, lunatic="winter autumn",
    modes=(
        reaction(
            (CANCEL,), OTHERS_CARD, [], [cancel_it()], tags=ACTION | SPELL,
            text="Cancel an action card or Spell Card somebody else has just announced."),
    ),
)  # fmt: skip

JEWELED_PAGODA = Card(
    id="jeweled_pagoda", name="Jeweled Pagoda", points=5, lunatic="summer",
    modes=(
        item(
            ARTIFACT,
            text="+1 range; your cards and Spell Cards cannot be cancelled. Whoever hits you takes this item when the stack is empty."),
    ),
    in_play={RANGE: 1, NOT_CANCELLED: 1},
    triggers=(trigger(STRUCK, MINE, [take_this(ATTACKER, later=True)]),),
)  # fmt: skip

OFFERING = Card(
    id="offering", name='"Offering"', points=2, lunatic="winter summer",
    modes=(
        instant(
            [choose_player(ITEM_OWNERS), choose_item(CHOSEN), choose_second(EVERYONE)], [take_control(SECOND, settle=True)],
            events=(MAIN, DISCARD_STEP),
            text="A player takes control of an item in play, both of your choice; if it is one too many, you choose which one goes."),
    ),
)  # fmt: skip

POINT_OF_COLLECTION = Card(
    id="point_of_collection", name="Point of Collection", points=4, lunatic="winter autumn",
    modes=(
        reaction(
            (CANCEL, RESPONSE), ANOTHERS_PLAY, [], [keep_card()], tags=ACTION | REACTION | INVOCATION,
            text="An action, reaction or invocation card another player has just played goes to your hand when it is done."),
    ),
)  # fmt: skip

REFLECT_SHOT = Card(
    id="reflect_shot", name="Reflect Shot", points=2, lunatic="summer autumn winter spring",
    modes=(
        reaction(
            (ATTACKED,), MINE, [aim(ATTACKER), dodge_surcharge()], [avoid_it(), attack(any_range=True)], types=DANMAKU | DODGE,
            cancelable=True, text="Avoid an attack on you, then attack the attacker at any range, not counted as danmaku."),
    ),
)  # fmt: skip

SCORCHED_EARTH = Card(
    id="scorched_earth", name="Scorched Earth", points=3, lunatic="summer spring",
    modes=(
        danmaku(
            [choose_player(OTHERS)], [if_(HAS_ITEMS, [may([discard_items(CHOSEN)])]), attack()],
            text="You may make a player discard all items; then attack that player if in range."),
    ),
)  # fmt: skip

SEVEN_STAR_SWORD = Card(
    id="seven_star_sword", name="Seven Star Sword", points=5, lunatic="summer",
    modes=(item(ARTIFACT, text="A Lunatic card more in your draw step. Whoever loses control of it draws a Lunatic card."),),
    in_play={MORE_LUNATIC: 1},
    triggers=(trigger(ITEM_LOST, MINE, [draw_lunatic(1)]),),
)  # fmt: skip

SPIRIT_CAMERA = Card(
    id="spirit_camera", name="Spirit Camera", points=5, lunatic="spring",
    modes=(
        item(
            ARTIFACT,
            text="You may discard a danmaku card to cancel a danmaku card that targets you. Once per turn you may draw 1 when an attack "
                 "of yours hits."),
    ),
    use=use(
        (CANCEL,), AT_ME, pay(DANMAKU), [cancel_it()], tags=DANMAKU,
        text="Discard a danmaku card to cancel a danmaku card that targets you."),
    triggers=(trigger(STRUCK, BY_ME, [may([draw(1)])], once=ONCE_PER_TURN),),
)  # fmt: skip

TANUKI_LEAF = Card(
    id="tanuki_leaf", name="Tanuki Leaf", points=5, lunatic="autumn",
    modes=(item(ARTIFACT, text="As long as you control it, you have an Extra Character with ability and Spell Card."),),
    triggers=(trigger(ITEM_GAINED, MINE, [recruit(ITS_ALL)], text="Gaining control you recruit it, losing control you dismiss it."),),
)  # fmt: skip

UCHIDES_MALLET = Card(
    id="uchides_mallet", name="Uchide's Mallet", points=5, lunatic="spring",
    modes=(
        item(
            ARTIFACT,
            text="You attack nobody at a distance above 1 and play one danmaku card a round, whatever else is said; your attacks "
                 "cannot be avoided and have +1 damage; in your main step you may discard a card to hand it to another player."),
    ),
    in_play={ATTACKS_NEAR_ONLY: 1, ONE_DANMAKU: 1, SURE_ATTACKS: 1, DAMAGE: 1},
    use=use(
        (MAIN,), MY_TURN, [choose_player(OTHERS), *pay()], [take_this(CHOSEN)],
        text="In your main step, discard a card to hand this item to another player."),
)  # fmt: skip

LUNATIC_CARDS: tuple[Card, ...] = (
    FULL_POWER, GHOST_LANTERN, GIFT_OF_YATAGARASU, HOURAI_ELIXIR, INTERRUPT, JEWELED_PAGODA, OFFERING, POINT_OF_COLLECTION, REFLECT_SHOT,
    SCORCHED_EARTH, SEVEN_STAR_SWORD, SPIRIT_CAMERA, TANUKI_LEAF, UCHIDES_MALLET,
)  # fmt: skip

REPRINTS: Mapping[str, str] = {
    "one_up": "winter autumn",
    "bomb": "summer autumn winter spring",
    "capture_spell_card": "summer winter",
    "focus": "autumn",
    "laser_shot": "winter autumn",
    "master_plan": "autumn",
    "supernatural_border": "spring",
    "voile": "spring autumn",
}
"""Cards of the base game that are in the Lunatic deck too: id -> one season per copy. They count as the card of that name."""
