"""A box with a mistake in it is refused when it is compiled, in a sentence that names card, text and word."""

import re
from dataclasses import replace

import pytest

from danmaku_env.cards import tables
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import BASE_GAME, ITEM_IDS, NUM_CHARACTERS, NUM_INCIDENTS, NUM_KINDS, USE_IDS
from danmaku_env.cards.compile import compile_box
from danmaku_env.cards.errors import CardError
from danmaku_env.cards.lint.box import check_room
from danmaku_env.cards.tables import CHARS, INCS, KINDS, PILE_ROOM, USES

PLAIN = v.Card(id="trial", name="Trial", points=1, seasons="spring", modes=(v.action([], [v.draw(1)]),))
SOMEBODY = v.Character(
    id="trial_girl", name="Trial Girl", season=v.SPRING, spell_name="Trial Sign", spell=v.spell_action([], [v.draw(1)], text="")
)
RAIN = v.Incident(id="trial_rain", name="Trial Rain", season=v.SPRING, text="", step=[v.draw(1)], resolves_on_defeat=True)


THINNED = BASE_GAME.expansion._replace(
    cards=tuple(replace(card, seasons=" ".join(card.seasons.split()[:1])) for card in BASE_GAME.expansion.cards)
)
"""The expansion with one copy of each of its Main-deck cards, for with all of them the deck has room for no more."""


def box_with(*things):
    """The base game with a few things more; a character or role takes the place of the last, for there is room for no more."""
    box = BASE_GAME._replace(expansion=THINNED)
    for thing in things:
        field = {v.Card: "cards", v.Character: "characters", v.Incident: "incidents", v.Role: "roles"}[type(thing)]
        others = getattr(box, field)[: -1 if type(thing) in (v.Character, v.Role) else None]
        box = box._replace(**{field: (*others, thing)})
    return box


def refusal(*things):
    """The sentence with which a box with these things is refused."""
    with pytest.raises(CardError) as caught:
        compile_box(box_with(*things))
    return str(caught.value)


def acting(resolve, announce=()):
    """A card with a first half that does this."""
    return replace(PLAIN, modes=(v.action(announce, resolve),))


def test_what_is_right_is_not_refused():
    assert compile_box(box_with(PLAIN, SOMEBODY, RAIN)).rows > 400


# ---------------------------------------------------------------- operands

OTHERS = [v.choose_player(v.OTHERS)]
LOOK = [v.choose_deck(), v.look(1, chosen_deck=True)]
OPERANDS = {
    "a group for a seat": ([v.draw(1, v.OTHERS)], (), "effect: draw: who must be a seat, not the group word 1"),
    "a seat for a group": ([], [v.choose_player(v.CHOSEN)], "announced: choose_player: group must be a group, not the seat word 1"),
    "a seat for a number": ([v.lose_life(v.ME, v.CHOSEN)], (), "effect: lose_life: amount must be a number, not the seat word 1"),
    "a number for a seat": ([v.draw(1, 3)], (), "effect: draw: who must be a seat, not 3"),
    "an unknown seat": ([v.draw(1, v.SeatOperand(99))], (), "effect: draw: who must be a seat, not the seat word 99"),
    "nobody attacks oneself": ([v.attack(v.ME)], (), "effect: attack: who cannot be 'you'"),
    "no cards": ([v.draw(0)], (), "effect: draw: cards must be from 1 to 99, not 0"),
    "fewer than no life": ([v.lose_life(v.ME, -1)], (), "effect: lose_life: amount must be from 1 to 99, not -1"),
    "true for a number": ([v.reveal(True)], (), "effect: reveal: cards must be a number, not True"),
    "two counts": (
        [v.draw(v.ACTIVE_PLAYERS + v.MY_POWERUPS)], (),
        "effect: draw: cards adds several counts (the number of active players and the number of your powerups in play); "
        "a number has one, and a constant"),
    "a count where none is": (
        OTHERS, [v.choose_number(1, v.MY_POWERUPS)],
        "announced: choose_number: high must be a constant number, not a number read from the game (the number of your powerups in play)"),
    "too much added": ([v.draw(v.ACTIVE_PLAYERS + 100)], (), "effect: draw: cards adds 100 to a count; at most 99 can be added"),
    "a number that cannot be named": ([], [v.choose_number(1, 6)], "announced: choose_number: high must be from 1 to 5, not 6"),
    "no number at all": ([], [v.choose_number(4, 2)], "announced: choose_number: there is no number from 4 to 2"),
    "a spell card in hand": ([v.take_all(v.SPELL)], (), "effect: take_all: types must be among action, reaction, item"),
    "a type that is not named": (
        [], [v.choose_type(v.HEALING)], "announced: choose_type: types must be among item, invocation, danmaku, dodge, not healing"),
    "a number for types": ([], v.pay(16), "announced: pay: types must be card types, not 16"),
    "an unknown flag": ([v.Op(v.ATTACK, v.CHOSEN, 1, 16)], OTHERS, "effect: attack: how has flags that mean nothing here (16)"),
    "an unknown operation": ([v.Op(63)], (), "effect: unknown operation 63"),
    "an operand where there is none": ([v.Op(v.FLIP, 1)], (), "effect: flip: it takes nothing there, not 1"),
    "no word at all": (["draw"], (), "effect: 'draw' is not a word of the vocabulary"),
    "a range that is not asked": (
        [], [v.choose_player(v.OTHERS, bonus=2)], "announced: choose_player: a bonus on range means something only for players in range"),
    "second and third": (
        [], [v.Op(v.CHOOSE_PLAYER, v.OTHERS, 0, v.AS_SECOND | v.AS_THIRD)],
        "announced: choose_player: a player is chosen as the second or as the third, not both"),
    "distinct from itself": (
        [], [v.Op(v.CHOOSE_PLAYER, v.OTHERS, 0, v.DISTINCT)],
        "announced: choose_player: only a second or third player can be other than the chosen one"),
    "an exchange with oneself": ([v.swap_hands(v.ME, v.ME)], (), "effect: swap_hands: two different players exchange hands"),
    "a loop over spell owners": (
        [v.Each(v.REACHABLE, [v.draw(1)])], (),
        "effect: Each: no loop goes over every player in range once danmaku cards are thrown in"),
    "a flip without seasons": (
        [v.flip(), v.if_(v.FLIPPED, [v.stop()])], (),
        "effect: if_: asks for no season; write if_flipped([...], ...)"),
    "an unknown season": ([v.flip(), v.if_flipped([7], [v.stop()])], (), "effect: if_: seasons names an unknown season (128)"),
    "a law of one player": (
        [v.lasting(v.SET_DISTANCE, v.CHOSEN, 2)], OTHERS,
        "effect: lasting: 'all distances are this number' concerns everybody, not the chosen player"),
    "a value too many": ([v.lasting(v.ITEMS_OFF, v.ME, 1)], (), "effect: lasting: 'items have no effect' comes with no value"),
    "a value too few": ([v.lasting(v.LASTING_RANGE)], (), "effect: lasting: value must be from 1 to 99, not 0"),
    "a ban of no type": ([v.lasting(v.BAN_TYPE, v.ME, 3)], (), "effect: lasting: value must be one of item, invocation, danmaku, dodge"),
    "a ban of a number": (
        [v.lasting(v.BAN_TYPE, v.ME, v.ACTIVE_PLAYERS)], (), "effect: lasting: value must be a type, or the AMOUNT after a type was named"),
    "range that is added to any range": (
        [v.attack(any_range=True, boosted=True)], [v.choose_player(v.REACHABLE), v.boost()],
        "effect: attack: range is added, but any range will do"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", OPERANDS)
def test_operands_that_do_not_fit(mistake):
    resolve, announce, sentence = OPERANDS[mistake]
    assert refusal(acting(resolve, announce)).startswith(f"Trial, {sentence}")


def test_counts_add_up_without_becoming_one_another():
    """`draw(AMOUNT + 16)` used to read "your powerups"."""
    assert v.AMOUNT + 16 == 16 + v.AMOUNT != v.MY_POWERUPS
    assert v.AMOUNT + 16 - 16 == v.AMOUNT
    compile_box(box_with(acting([v.draw(v.AMOUNT + 16)], [v.pay_any()])))


# ---------------------------------------------------------------- what a text remembers

PICK_ASIDE = [v.reveal(2), v.choose_aside()]
MEMORY = {
    "nobody chosen": ([v.attack()], (), "effect: attack: reads the chosen player, which nothing before it sets"),
    "no second player": ([v.attack(v.SECOND)], OTHERS, "effect: attack: reads the second player, which nothing before it sets"),
    "no loop": ([v.draw(1, v.EACH)], (), "effect: draw: reads the third player, or the player of a loop, which nothing before it sets"),
    "after the loop": (
        [v.Each(v.EVERYONE, [v.draw(1, v.EACH)]), v.draw(1, v.EACH)], (),
        "effect: draw: reads the third player, or the player of a loop, which nothing before it sets"),
    "no amount": ([v.draw(v.AMOUNT)], (), "effect: draw: reads the amount, which nothing before it sets"),
    "a type for an amount": (
        [v.draw(v.AMOUNT)], [v.choose_type(v.DODGE | v.ITEM)], "effect: draw: reads the amount, but finds a card type there, not a number"),
    "an amount for a type": (
        [v.lasting(v.BAN_TYPE, v.ME, v.AMOUNT)], [v.choose_number(1, 5)],
        "effect: lasting: reads the amount, but finds a number there, not a card type"),
    "an amount counted twice": (
        [v.draw(v.AMOUNT)], [v.choose_number(1, 5), v.pay_any()],
        "announced: pay_any: reads the amount, but finds a number there, not nothing"),
    "no flip": ([v.if_flipped([v.SPRING], [v.draw(1)])], (), "effect: if_: reads the season flipped, which nothing before it sets"),
    "no deck named": ([v.look(1, chosen_deck=True), v.arrange()], (), "effect: look: reads the deck named, which nothing before it sets"),
    "no pick": ([v.take()], (), "effect: take: reads the picked card, which nothing before it sets"),
    "an item for a card": (
        [v.give()], [*OTHERS, v.choose_item(v.ME)],
        "effect: give: reads the picked card, but finds an item in play there, not a card of one's hand"),
    "a pick that is gone": (
        [*PICK_ASIDE, v.discard_aside(), v.take()], (),
        "effect: take: reads the picked card, which nothing before it sets"),
    "a pick used twice": ([*PICK_ASIDE, v.take(), v.take()], (), "effect: take: reads the picked card, which nothing before it sets"),
    "a card that may be no item": (
        [*PICK_ASIDE, v.put_in_play()], (),
        "effect: put_in_play: reads the picked card, but finds a card aside there, not an item aside"),
    "an incident in hand": (
        [v.look(2, chosen_deck=True), v.choose_aside(), v.take()], [v.choose_deck()],
        "effect: take: reads the picked card, but finds an incident aside there"),
    "nothing aside": ([v.take_all(v.DANMAKU)], (), "effect: take_all: reads the cards aside, which nothing before it sets"),
    "open and hidden cards aside": (
        [v.reveal(2), v.look(2), v.discard_aside()],
        (),
        "effect: look: reads the cards aside, but finds cards that all see there, not nothing or cards that one sees alone or incidents",
    ),
    "incidents left aside": ([v.look(2, chosen_deck=True)], [v.choose_deck()], "effect: look: leaves incidents aside"),
    "a stop on the way": (
        [v.reveal(2), v.attack(any_range=True), v.discard_aside()], OTHERS,
        "effect: attack: interrupts the text while cards are aside; deal with those first"),
    "a hand of somebody else": (
        [v.look_at_hand(v.CHOSEN), v.choose_from_hand(v.SECOND), v.take()], [*OTHERS, v.choose_second(v.OTHERS)],
        "effect: choose_from_hand: reads the hand that was looked at or shown, but finds the chosen player's, looked at there"),
    "no hand shown": (
        [v.repeat(v.DANMAKU_SHOWN, [v.attack()])], OTHERS,
        "effect: repeat: reads the hand that was looked at or shown, which nothing before it sets"),
    "perhaps nobody hands on": (
        [v.hand_on_attack(), v.attack(any_range=True)], [v.choose_player(v.OTHERS, optional=True)],
        "effect: hand_on_attack: needs a player, perhaps oneself or another player or a player whose Spell Card can be activated "
        "as the chosen player, which may be missing here"),
    "never reached": ([v.stop(), v.draw(1)], (), "effect: draw: is never carried out"),
    "never ends": ([v.forever([v.draw(1)])], (), "effect: if_: the loop it belongs to may go round for ever"),
    "ends if one likes": (
        [v.While(v.HAND_LEFT, [v.choose_card(optional=True), v.give()])], OTHERS,
        "effect: if_: the loop it belongs to may go round for ever: nothing in it certainly runs out"),
    "ends unless types are missing": (
        [v.reveal(3), v.While(v.ASIDE_LEFT, [v.choose_aside(v.DANMAKU), v.aside_to_deck()])], (),
        "effect: if_: the loop it belongs to may go round for ever: nothing in it certainly runs out"),
    "gives to oneself": (
        [v.While(v.HAND_LEFT, [v.choose_card(), v.give()])], [v.choose_player(v.EVERYONE)],
        "effect: if_: the loop it belongs to may go round for ever: nothing in it certainly runs out"),
    "draws what it gives": (
        [v.While(v.HAND_LEFT, [v.choose_card(), v.give(), v.draw(1)])], OTHERS,
        "effect: draw: brings cards to where the loop it stands in takes them from, so that it may never end"),
    "loops in loops": (
        [v.Each(v.OTHERS, [v.repeat(2, [v.attack(v.EACH)])])], (),
        "effect: repeat: loops over players and counted loops cannot stand inside one another"),
    "a third player in a loop": (
        [v.Each(v.OTHERS, [v.choose_third(v.OTHERS)])], (),
        "effect: choose_third: inside a loop over players the third player is the player of the loop"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MEMORY)
def test_what_nothing_set(mistake):
    resolve, announce, sentence = MEMORY[mistake]
    assert refusal(acting(resolve, announce)).startswith(f"Trial, {sentence}")


# ---------------------------------------------------------------- words in the wrong place

DODGES = {"events": (v.ATTACKED,), "relation": v.MINE_AVOIDABLE}
PLACES = {
    "an effect on announcement": (
        [], [v.draw(1)],
        "announced: draw: is part of an effect; on announcement there are only choices and costs"),
    "an attack on announcement": ([], [*OTHERS, v.attack()], "announced: attack: is part of an effect"),
    "an offer on announcement": ([], [v.may([v.choose_player(v.OTHERS)])], "announced: may: is part of an effect"),
    "a boost in the effect": ([v.boost()], OTHERS, "effect: boost: is chosen or paid on announcement, not in the effect"),
    "a cost under a condition": (
        [], [v.choose_player(v.OTHERS, optional=True), v.if_(v.HAS_CHOSEN, [v.pay_item()])],
        "announced: pay_item: a cost cannot depend on a condition"),
    "a choice under a condition": (
        [], [v.choose_player(v.OTHERS, optional=True), v.if_(v.HAS_CHOSEN, [v.choose_player(v.IN_RANGE)])],
        "announced: choose_player: a first choice that depends on a condition is optional, or among players there always are"),
    "two sorts of costs": (
        [], [*v.pay(v.DANMAKU), *v.pay(v.DODGE)], "announced: pay: the cards of an announcement's costs are of one sort, or any"),
    "any card before a certain one": (
        [], [*v.pay(), *v.pay(v.DANMAKU)], "announced: pay: costs of a certain sort come before those that any card pays"),
    "a cost after any number": ([], [v.pay_any(), *v.pay()], "announced: pay: costs come before what any number of cards is discarded for"),
    "an end of the announcement": (
        [], [v.choose_player(v.OTHERS, optional=True), v.if_(v.HAS_CHOSEN, [v.stop()])], "announced: stop: is part of an effect"),
    "what an incident does": ([v.collect_top()], (), "effect: collect_top: is for what an incident does"),
    "what an incident has": (
        [v.if_(v.COLLECTED_ALL, [v.draw(1)])], (), "effect: if_: is for what an incident does"),
    "a Spell Card without an invocation": ([v.activate()], (), "effect: activate: is for invocation cards, ways to one's Spell Card"),
    "a Spell Card of nobody": (
        [v.draw(1)], [v.choose_player(v.SPELL_OWNERS)], "announced: choose_player: is for invocation cards, ways to one's Spell Card"),
    "no attack to avoid": (
        [v.avoid_it()], (), "effect: avoid_it: it means nothing at 'main step'; it is about: attack or attack declared"),
    "no card to cancel": ([v.cancel_it()], (), "effect: cancel_it: it means nothing at 'main step'; it is about: cancel window"),
    "no attacker": ([v.attack(v.ATTACKER)], (), "effect: attack: 'the attacker' means nothing at 'main step'"),
    "nobody avoided": (
        [v.choose_player(v.NOT_AVOIDER), v.attack()], (),
        "effect: choose_player: 'player in range other than the one who avoided it' means nothing at 'main step'"),
    "nothing to copy": (
        [v.if_(v.CAN_COPY, [v.draw(1)])], (), "effect: if_: 'it can be copied' means nothing at 'main step'; it is about: cancel window"),
    "no turn to skip": ([v.skip_this_turn()], (), "effect: skip_this_turn: it means nothing at 'main step'; it is about: skip check"),
    "no draw step": ([v.add_draws(1)], (), "effect: add_draws: it means nothing at 'main step'; it is about: draw step"),
    "no dodging": ([v.draw(1)], v.dodge_cost(), "announced: dodge_cost: it means nothing at 'main step'; it is about: attack"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", PLACES)
def test_words_in_the_wrong_place(mistake):
    resolve, announce, sentence = PLACES[mistake]
    assert refusal(acting(resolve, announce)).startswith(f"Trial, {sentence}")


# ---------------------------------------------------------------- texts


def half(**changes):
    return replace(PLAIN, modes=(replace(PLAIN.modes[0], **changes),))


def girl(**changes):
    return replace(SOMEBODY, **changes)


DRAW = [v.draw(1)]
TEXTS = {
    "a turn start that is mine": (
        girl(triggers=(v.trigger(v.TURN_START, v.MY_TURN, DRAW),)),
        "Trial Girl, trigger on turn start: at 'turn start' nothing is known of 'own turn'; it would never happen"),
    "a trigger for want of cards": (
        girl(triggers=(v.trigger(v.LOST_LIFE, v.EMPTY_HAND, DRAW),)),
        "Trial Girl, trigger on life lost: at 'life lost' nothing is known of 'empty hand'; it would never happen"),
    "a card that recruits": (
        acting([v.recruit(v.ITS_ALL)]),
        "Trial, effect: recruit: is for abilities, Spell Cards, and what items in play and roles bring about"),
    "a life lost through me": (
        girl(triggers=(v.trigger(v.LOST_LIFE, v.BY_ME, DRAW),)),
        "Trial Girl, trigger on life lost: at 'life lost' nothing is known of 'yours'; it would never happen"),
    "an attack in the main step": (
        half(relation=v.MINE), "Trial: at 'main step' nothing is known of 'you'; it would never happen"),
    "an ability for a trigger": (
        girl(abilities=(v.ability((v.TURN_START,), v.MINE, [], DRAW),)),
        "Trial Girl, ability 1: an ability is never offered at 'turn start'"),
    "a trigger for an ability": (
        girl(triggers=(v.trigger(v.ATTACKED, v.MINE, DRAW),)), "Trial Girl, trigger on attack: a trigger is never triggered at 'attack'"),
    "no event": (half(events=()), "Trial: has no event at which it may happen"),
    "a relation for an event": (half(events=(v.MINE,)), "Trial: 1 is no event"),
    "an event for a relation": (half(relation=v.CANCEL), "Trial: 1 is no relation"),
    "tags for nothing": (half(tags=v.DANMAKU), "Trial: tags say which announced cards it answers: needed where it answers cards"),
    "no tags": (
        replace(PLAIN, modes=(v.reaction((v.CANCEL,), v.OTHERS_CARD, [], [v.cancel_it()]),)),
        "Trial: tags say which announced cards it answers: needed where it answers cards, and nowhere else"),
    "tags that nobody reads": (
        replace(PLAIN, modes=(v.reaction((v.CANCEL,), v.OTHERS_CARD, [], [v.cancel_it()], tags=v.DODGE),)),
        "Trial: tags can only be DANMAKU, ACTION and SPELL"),
    "a trigger once per turn": (
        girl(triggers=(v.trigger(v.LOST_LIFE, v.MINE, DRAW, once=v.ONCE_PER_TURN),)),
        "Trial Girl, trigger on life lost: how often a trigger happens cannot be limited"),
    "a trigger once per round": (
        girl(triggers=(v.trigger(v.LOST_LIFE, v.MINE, DRAW, once=v.ONCE_PER_ROUND),)),
        "Trial Girl, trigger on life lost: how often a trigger happens cannot be limited"),
    "a Spell Card once per round": (
        girl(spell=replace(SOMEBODY.spell, once=v.ONCE_PER_ROUND)), "Trial Girl, Spell Card Trial Sign: how often a Spell Card happens"),
    "once per attack without one": (half(once=v.ONCE_PER_ATTACK), "Trial: once per attack means something only at an attack"),
    "an unknown limit": (half(once=5), "Trial: 5 is no limit on how often"),
    "a trigger that is decided too late": (
        girl(triggers=(v.trigger(v.LOST_LIFE, v.MINE, [v.discard_or(v.ME, v.DANMAKU, [v.stop()]), *DRAW]),)),
        "Trial Girl, trigger on life lost, effect: discard_or: is decided as soon as it is triggered"),
    "a trigger whose offer has another side": (
        girl(triggers=(v.trigger(v.LOST_LIFE, v.MINE, [v.may(DRAW, [v.gain_life(v.ME)])]),)),
        "Trial Girl, trigger on life lost, effect: may: is decided as soon as it is triggered"),
    "an effect on a trigger's announcement": (
        girl(triggers=(v.trigger(v.LOST_LIFE, v.MINE, DRAW, announce=DRAW),)),
        "Trial Girl, trigger on life lost, announced: draw: is part of an effect"),
    "a half that is declined": (half(resolve=[v.decline()]), "Trial, effect: decline: is chosen or paid on announcement"),
    "a half that is declined when announced": (half(announce=[v.decline()]), "Trial, announced: decline: is part of an effect"),
    "a half that is a Spell Card": (half(types=v.SPELL), "Trial: a half of a card has one of the types of cards, and is no Spell Card"),
    "a Spell Card that is none": (
        girl(spell=replace(SOMEBODY.spell, types=v.ACTION)), "Trial Girl, Spell Card Trial Sign: a Spell Card has the type SPELL"),
    "an ability with a type": (
        girl(abilities=(v.Text(events=(v.MAIN,), types=v.ACTION, resolve=DRAW),)), "Trial Girl, ability 1: an ability has no types"),
    "an ability that counts": (
        girl(abilities=(v.Text(events=(v.MAIN,), counts=True, resolve=DRAW),)),
        "Trial Girl, ability 1: only a half of a card counts toward the danmaku limit"),
    "a half that comes last": (half(resolves_last=True), "Trial: only of triggers can one say that they come last"),
    "an invocation with a cost": (
        replace(PLAIN, modes=(v.invocation(v.pay(), [v.activate()], text=""),)),
        "Trial: an invocation card activates one's own Spell Card, or that of a player chosen for it, and does nothing else"),
    "an invocation that is an action": (
        replace(PLAIN, modes=(replace(v.invocation([], [v.activate()], text=""), types=v.INVOCATION | v.ACTION),)),
        "Trial: an invocation card is an invocation alone, whenever one has priority"),
    "an invocation as the second half": (
        replace(PLAIN, modes=(PLAIN.modes[0], v.invocation([], [v.activate()], text=""))),
        "Trial: an invocation is the first half of a card"),
    "a Spell Card that picks and is picked": (
        girl(spell=v.Text(
            events=v.ANY_PRIORITY, types=v.SPELL, announce=[v.choose_player(v.SPELL_OWNERS)], resolve=[v.activate(v.CHOSEN)])),
        "Trial Girl: her Spell Card picks another's, so it cannot be one that others pick (capturable=False)"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", TEXTS)
def test_texts_that_never_happen(mistake):
    thing, sentence = TEXTS[mistake]
    assert refusal(thing).startswith(sentence)


def test_an_item_that_activates_a_spell_card_does_nothing_else():
    cards = tuple(replace(card, use=replace(card.use, resolve=(*DRAW, v.activate(v.ME)))) if card.use else card for card in BASE_GAME.cards)
    with pytest.raises(CardError, match=r"^Mini-Hakkero, in play, use: the use of an item activates one's own Spell Card; anything else"):
        compile_box(BASE_GAME._replace(cards=cards))


# ---------------------------------------------------------------- things as a whole

LOSES = v.trigger(v.LOST_LIFE, v.MINE, DRAW)
ROLE = replace(BASE_GAME.roles[-1], name="Trial Role", triggers=())
THINGS = {
    "an unknown season": (
        replace(PLAIN, seasons="spring monsoon"),
        "Trial: 'monsoon' is no season; seasons are spring, summer, autumn, winter"),
    "no copies": (replace(PLAIN, seasons=""), "Trial: there is no copy of it"),
    "a third half": (replace(PLAIN, modes=PLAIN.modes * 3), "Trial: 3 halves; a card has one or 2"),
    "no half": (replace(PLAIN, modes=()), "Trial: 0 halves; a card has one or 2"),
    "a trigger on what is no item": (replace(PLAIN, triggers=(LOSES,)), "Trial: has no item half, so it never is in play"),
    "a use of what is no item": (replace(PLAIN, use=v.spell_source(v.pay())), "Trial: has no item half, so it never is in play"),
    "a modifier of what is no item": (replace(PLAIN, in_play={v.RANGE: 1}), "Trial: has no item half, so it never is in play"),
    "too many points": (replace(PLAIN, points=200), "Trial: 200 points; there is room for 127"),
    "a modifier that items do not have": (
        replace(PLAIN, modes=(v.item(v.ARTIFACT, text=""),), in_play={v.MAX_LIFE: 1}),
        "Trial: the modifier 'max life' is never read of an item"),
    "an unknown stat": (girl(modifiers={12: 1}), "Trial Girl: 12 is no stat"),
    "a modifier of nothing": (girl(modifiers={v.RANGE: 0}), "Trial Girl: the modifier 'range' is 0"),
    "a season that is none": (girl(season=v.RANGE + 7), "Trial Girl: 7 is no season"),
    "a third ability": (girl(abilities=(v.ability((v.MAIN,), v.ALWAYS, [], DRAW),) * 3), "Trial Girl: 3 abilities; there is room for 2"),
    "two triggers for one event": (girl(triggers=(LOSES, LOSES)), "Trial Girl: 2 triggers for 'life lost'; there is room for one"),
    "a trigger for two events": (
        girl(triggers=(replace(LOSES, events=(v.LOST_LIFE, v.AVOIDED)),)), "Trial Girl: a trigger has one event, not 2"),
    "no Spell Card": (girl(spell=None), "Trial Girl: has no Spell Card"),
    "an incident that collects twice": (
        replace(RAIN, collects_types=v.DANMAKU, collects_season=v.SPRING, needs=3),
        "Trial Rain: collects by types, by one season, by every season, by points, from the Lunatic deck or resolved incidents, not by"),
    "an incident that needs nothing": (replace(RAIN, collects_types=v.DANMAKU), "Trial Rain: `needs` says how many cards end it"),
    "an incident that needs what it does not collect": (replace(RAIN, needs=3), "Trial Rain: `needs` says how many cards end it"),
    "an unknown law": (replace(RAIN, laws=v.Laws(1 << 14)), "Trial Rain: 16384 are no laws"),
    "a law of a way that there is not": (
        replace(RAIN, laws=v.SPELL_WAY), "Trial Rain: the law that everybody has another way to their own Spell Card comes with that way"),
    "a way without its law": (replace(RAIN, source=v.spell_source([v.pay_life()])), "Trial Rain: the law that everybody has another way"),
    "a second incident with a way": (
        replace(RAIN, laws=v.SPELL_WAY, source=v.spell_source([v.pay_life()])),
        "Trial Rain: a way to the Spell Card has another incident too; there is room for one"),
    "a role that becomes nothing": (replace(ROLE, becomes="nobody"), "Trial Role: becomes 'nobody', which is no role"),
    "an id with a space": (replace(PLAIN, id="tri al"), "Trial: 'tri al' is no id; write lower-case letters, digits and underscores"),
    "the id of another card": (replace(PLAIN, id="graze"), "Trial: 'graze' is the id of Graze too"),
    "the id of a card of the expansion": (replace(PLAIN, id="occult_ball"), "Occult Ball: 'occult_ball' is the id of Trial too"),
    "the id of a character": (replace(PLAIN, id="cirno"), "Cirno: 'cirno' is the id of Trial too"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", THINGS)
def test_things_that_cannot_be(mistake):
    thing, sentence = THINGS[mistake]
    assert refusal(thing).startswith(sentence)


@pytest.mark.parametrize(
    ("card", "reprints", "sentence"),
    [
        (PLAIN, {"trail": "spring"}, "'trail' has copies in the Lunatic deck (reprints), but there is no such card"),
        (replace(PLAIN, lunatic="winter"), {"trial": "spring"}, "Trial: its copies in the Lunatic deck are named twice"),
        (PLAIN, {"trial": "monsoon"}, "Trial: 'monsoon' is no season"),
    ],
)
def test_copies_in_the_lunatic_deck_that_cannot_be(card, reprints, sentence):
    box = box_with(card)
    with pytest.raises(CardError, match=re.escape(sentence)):
        compile_box(box._replace(expansion=box.expansion._replace(reprints=reprints)))


def test_a_composition_of_unknown_or_too_few_roles():
    def with_pool(**changes):
        return BASE_GAME._replace(basic={**BASE_GAME.basic, 5: BASE_GAME.basic[5]._replace(**changes)})

    for changes, sentence in (
        ({"extra_pool": ("secret",)}, "basic roles for 5 players: 'secret' is no role"),
        ({"partner_pool": ()}, "basic roles for 5 players: deals 1 of 0 cards"),
        ({"stage_pool": ("stage_boss",) * 9}, "basic roles for 5 players: a pool of 9 cards; there is room for 8"),
    ):
        with pytest.raises(CardError, match=re.escape(sentence)):
            compile_box(with_pool(**changes))
    advanced = {**BASE_GAME.advanced, 5: BASE_GAME.advanced[5]._replace(stage_bosses=1)}
    with pytest.raises(CardError, match="advanced roles for 5 players: deals other numbers of roles than the basic ones"):
        compile_box(BASE_GAME._replace(advanced=advanced))
    with pytest.raises(CardError, match="basic roles for 9 players: the game is for 4 to 8 players"):
        compile_box(BASE_GAME._replace(basic={9: BASE_GAME.basic[8]}))


# ---------------------------------------------------------------- full tables


def many(thing, times):
    return tuple(replace(thing, id=f"{thing.id}_{number}", name=f"{thing.name} {number}") for number in range(times))


ITEM = replace(PLAIN, modes=(v.item(v.ARTIFACT, text=""),))
FULL = {
    "kinds of cards": ("cards", many(PLAIN, KINDS - NUM_KINDS + 1), f"{KINDS + 1} kinds of cards; there is room for {KINDS}"),
    "physical cards": (
        "cards", (replace(PLAIN, seasons="spring " * (PILE_ROOM + 1 - sum(len(card.seasons.split()) for card in BASE_GAME.all_cards))),),
        f"{PILE_ROOM + 1} cards of the Main deck; there is room for {PILE_ROOM}"),
    "items": ("cards", many(ITEM, 16 - len(ITEM_IDS)), "16 items; there is room for 15"),
    "uses": ("cards", many(replace(ITEM, use=v.spell_source(v.pay())), USES - len(USE_IDS) + 1),
        f"{USES + 1} items with a use; there is room for {USES}"),
    "characters": ("characters", many(SOMEBODY, CHARS - NUM_CHARACTERS + 1), f"{CHARS + 1} characters; there is room for {CHARS}"),
    "incidents": ("incidents", many(RAIN, INCS - NUM_INCIDENTS + 1), f"{INCS + 1} incidents; there is room for {INCS}"),
    "roles": ("roles", (replace(ROLE, id="trial_role"),), "21 roles; there is room for 20"),
}  # fmt: skip


@pytest.mark.parametrize("things", FULL)
def test_a_full_table(things):
    field, more, sentence = FULL[things]
    with pytest.raises(CardError, match=re.escape(sentence)):
        compile_box(BASE_GAME._replace(**{field: getattr(BASE_GAME, field) + more}))


def test_too_many_ways_to_a_spell_card():
    assert refusal(girl(source=v.spell_source(v.pay()))).startswith("6 ways to one's Spell Card; there is room for 5")


def test_full_text_and_program_tables():
    once = {v.ONCE_PER_TURN: 0, v.ONCE_PER_ROUND: 0, v.ONCE_PER_ATTACK: 0}
    check_room(256, tables.ROWS, {v.ONCE_PER_TURN: 31, v.ONCE_PER_ROUND: 31, v.ONCE_PER_ATTACK: 2})
    for texts, rows, limited, sentence in (
        (257, 0, once, "257 texts"),
        (0, tables.ROWS + 1, once, f"{tables.ROWS + 1} program rows"),
        (0, 0, {**once, v.ONCE_PER_TURN: 32}, "32 once-per-turn texts"),
        (0, 0, {**once, v.ONCE_PER_ROUND: 32}, "32 once-per-round texts"),
        (0, 0, {**once, v.ONCE_PER_ATTACK: 3}, "3 once-per-attack texts"),
    ):
        with pytest.raises(CardError, match=sentence):
            check_room(texts, rows, limited)


def test_a_third_once_per_attack_text():
    dodge = v.Text(events=(v.ATTACKED,), relation=v.MINE_AVOIDABLE, resolve=[v.avoid_it()], once=v.ONCE_PER_ATTACK)
    card = replace(PLAIN, modes=(replace(dodge, types=v.REACTION),))
    assert refusal(card).startswith("3 once-per-attack texts; there is room for 2")
