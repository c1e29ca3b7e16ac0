"""The 40 cards of the Lunatic deck, in box order: cards of its own, and copies of cards of the base game."""

from __future__ import annotations

from collections.abc import Mapping

from danmaku_env.cards.vocabulary import (
    ACTION,
    ARTIFACT,
    ATTACKED,
    ATTACKER,
    CANCEL,
    CHOSEN,
    DANMAKU,
    DANMAKU_LIMIT,
    DODGE,
    GAINED_ITEM,
    HAS_ITEMS,
    ITS_ALL,
    MINE,
    OTHERS,
    OTHERS_CARD,
    POWERUP,
    RANGE,
    SPELL,
    Card,
    aim,
    attack,
    avoid_it,
    cancel_it,
    choose_player,
    danmaku,
    discard_items,
    dodge_surcharge,
    if_,
    item,
    may,
    reaction,
    recruit,
    trigger,
)

FULL_POWER = Card(
    id="full_power", name="Full Power", points=4, lunatic="spring",
    modes=(item(POWERUP, text="+3 range and three danmaku cards more per round."),),
    in_play={RANGE: 3, DANMAKU_LIMIT: 3},
)  # fmt: skip

INTERRUPT = Card(
    id="interrupt", name="Interrupt", points=3, lunatic="winter autumn",
    modes=(
        reaction(
            (CANCEL,), OTHERS_CARD, [], [cancel_it()], tags=ACTION | SPELL,
            text="Cancel an action card or Spell Card somebody else has just announced."),
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

TANUKI_LEAF = Card(
    id="tanuki_leaf", name="Tanuki Leaf", points=5, lunatic="autumn",
    modes=(item(ARTIFACT, text="As long as you control it, you have an Extra Character with ability and Spell Card."),),
    triggers=(trigger(GAINED_ITEM, MINE, [recruit(ITS_ALL)], text="Gaining control you recruit it, losing control you dismiss it."),),
)  # fmt: skip

LUNATIC_CARDS: tuple[Card, ...] = (FULL_POWER, INTERRUPT, REFLECT_SHOT, SCORCHED_EARTH, TANUKI_LEAF)

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
