"""The 20 cards that Lunatic Extra adds to the Main deck, in box order."""

from danmaku_env.cards.vocabulary import *

ERASE_SHOT = Card(
    id="erase_shot", name="Erase Shot", points=1, seasons="summer autumn winter spring summer autumn winter spring",
    modes=(
        danmaku([choose_player(IN_RANGE)], [attack()], text="Attack a player in range."),
        reaction(
            (ATTACKED,), MINE_AVOIDABLE, [dodge_surcharge()], [avoid_it()], types=DODGE,
            text="Avoid an attack on you."),
    ),
)  # fmt: skip

EXTRA_STAGE = Card(
    id="extra_stage", name="Extra Stage", points=3, seasons="autumn",
    modes=(
        action(
            [], [Each(EVERYONE, [draw_lunatic(1, EACH)]), draw(1)],
            text="Everybody draws a Lunatic card, then you draw 1 from the Main deck."),
    ),
)  # fmt: skip

NIMBLE_CLOTH = Card(
    id="nimble_cloth", name="Nimble Cloth", points=2, seasons="winter autumn",
    modes=(item(DEFENSE, text="+1 distance; once per turn you may discard a card to avoid an attack on you."),),
    in_play={DISTANCE: 1},
    use=use(
        (ATTACKED,), MINE_AVOIDABLE, pay(), [avoid_it()], once=ONCE_PER_TURN,
        text="Once per turn, discard a card to avoid an attack on you."),
)  # fmt: skip

OCCULT_BALL = Card(
    id="occult_ball", name="Occult Ball", points=3, seasons="winter summer",
    modes=(action([], [draw_lunatic(1)], text="Draw a Lunatic card."),),
)  # fmt: skip

PURIFICATION = Card(
    id="purification", name="Purification", points=3, seasons="spring", lunatic="spring",
    modes=(
        danmaku([choose_player(IN_RANGE)], [attack()], cancelable=False, text="Attack a player in range; this card cannot be cancelled."),
        action(
            [choose_player(OTHERS), choose_item(CHOSEN, optional=True)], [discard_item(CHOSEN)],
            text="You may make a player discard an item of your choice."),
    ),
)  # fmt: skip

REVENGE_SHOT = Card(
    id="revenge_shot", name="Revenge Shot", points=2, seasons="summer autumn winter spring",
    modes=(
        reaction(
            (ATTACKED,), MINE, [aim(ATTACKER)], [attack(any_range=True)], types=DANMAKU, cancelable=True,
            text="When you are attacked, attack the attacker at any range, not counted as danmaku."),
    ),
)  # fmt: skip

SPELL_ASSIST = Card(
    id="spell_assist", name="Spell Assist", points=4, seasons="summer spring", lunatic="spring summer",
    modes=(
        invocation([], [activate()], text="Activate your Spell Card."),
        instant([choose_player(OTHERS)], [hand_on_card()], text="Show this card and put it into the hand of another player."),
    ),
)  # fmt: skip

MORE_MAIN_CARDS: tuple[Card, ...] = (ERASE_SHOT, EXTRA_STAGE, NIMBLE_CLOTH, OCCULT_BALL, PURIFICATION, REVENGE_SHOT, SPELL_ASSIST)
