"""Rulings of section L about the cards of Lunatic Extra, each as a question that could come up at a table."""

import pytest

from danmaku_env.cards.box import BASE_GAME
from tests.table import act, kinds, pass_until
from tests.table import lunatic_scene as scene
from tests.table import scene as base_scene


def test_l19_a_lunatic_card_is_not_put_on_the_main_deck():
    """L-19: who has a Main-deck card puts that back, and of a kind in both decks the copy of the Main deck."""
    game = scene().seat(0, hand="voile interrupt lunatic_bomb/spring bomb/winter").deck("graze/spring power/spring tempest").build()
    game.act("play voile")
    assert (game.question, game.legal()) == (
        "card", ["choose card:bomb", "choose card:graze", "choose card:power", "choose card:tempest"])  # fmt: skip
    game.act("choose card:bomb")
    assert game.deck[0] == "bomb/winter"
    assert "lunatic_bomb/spring" in game.seat(0).hand


def test_l19_lunatic_cards_alone_go_onto_the_lunatic_deck():
    """L-19: with no Main-deck card left to draw, and none in hand, one goes on top of the Lunatic deck."""
    rest = [f"{card.id}/{season}" for card in BASE_GAME.all_cards for season in card.seasons.split()]
    rest.remove("voile/autumn")
    game = scene().seat(0, hand="voile/autumn interrupt/winter full_power").seat(1, hand=rest).deck(only="").build()
    game.act("play voile")
    pass_until(game, "card")
    assert (game.question, game.legal()) == ("card", ["choose card:full_power", "choose card:interrupt"])
    game.act("choose card:interrupt")
    assert (game.lunatic_deck[0], game.deck, kinds(game.seat(0).hand)) == ("interrupt/winter", [], ["full_power"])


def test_l29_interrupt_does_not_cancel_a_revenge_shot():
    """L-29: a reaction card is no action card, and Interrupt cancels none."""
    game = scene().seat(0, hand="shoot interrupt").seat(1, hand="revenge_shot").build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 1)
    game.act("play revenge_shot")
    assert (game.question, game.seat(0).life) == ("main", 3)


def test_s6_the_revised_party_looks_at_its_cards():
    """S-6: so Great Barrier Weakening gives its player the closing card from the discard pile, not one of those dealt out."""
    for expansion in ("none", "lunatic_extra"):
        start = base_scene(expansion=expansion).seat(0, hand="party").incident("great_barrier_weakening").discard("stopwatch")
        game = start.deck("voile tempest mini_hakkero kourindou").build()
        game.act("play party")
        assert ("choose card:stopwatch" in game.legal()) == (expansion == "none")
        while game.question == "aside":
            game.act(game.legal()[-1])
        assert len(game.seat(0).hand) == 2
        assert expansion == "none" or "stopwatch/winter" in game.seat(0).hand


def test_k17_instants_at_every_boundary_of_anybodys_turn():
    """K-17: somebody else's instant is offered in every step of a turn in which nothing is played, the discard step among them."""
    start = scene(turns=2).seat(0, hand="grimoire").seat(1, hand="ghost_lantern", life=3).turn(0, step="start")
    game, steps = start.build(), []
    while game.turn == 0 and not game.over:
        if game.asking == 1:
            assert "play ghost_lantern" in game.legal()
            steps.append(game.step)
        game.act("pass")
    assert steps == ["start", "draw", "draw", "discard", "discard"]


def test_k17_nobody_answers_an_instant():
    """K-17: nobody is asked between an instant and its effect, and in its player's main step the turn goes on at once."""
    game = scene().seat(0, hand="gift_of_yatagarasu").seat(1, hand="bomb interrupt point_of_collection ghost_lantern").build()
    act(game, "play gift_of_yatagarasu", "choose bottom")
    assert len(game.seat(0).hand) == 2


def test_k17_an_instant_does_not_restart_the_round():
    """K-17: who has passed already is not asked again because of it."""
    game = scene().seat(0, hand="shoot ghost_lantern grimoire").seat(1, hand="gift_of_yatagarasu").deck("power power").build()
    act(game, "play shoot", "choose seat:1", "pass")
    pass_until(game, "attacked", 0)
    game.act("pass")
    act(game, "play gift_of_yatagarasu", "choose bottom")
    assert game.question == "step"  # the attack has hit


def test_k19_what_is_not_counted_is_stopped_by_the_mallet_alone():
    """K-19: after a Shoot a Revenge Shot can still be played in the same round, but not by the player with Uchide's Mallet."""
    for items in ("", "uchides_mallet"):
        start = scene(turns=3).seat(0, hand="shoot grimoire voile", items=items).seat(1, hand="revenge_shot grimoire")
        game = start.seat(0, hand="shoot reflect_shot grimoire", items=items).build()
        act(game, "play shoot", "choose seat:1")
        pass_until(game, "attacked", 1)
        game.act("play revenge_shot")
        offered = False
        while game.question != "main":
            offered |= "play reflect_shot" in game.legal()
            game.act("pass")
        assert offered == (items == "")


def test_d4_the_mallet_beats_every_permission():
    """D-4: under Crossing to Higan, and for a Laser Shot, only players at distance 1 are attacked; Cirno has nobody in range at all."""
    start = scene(6).seat(0, hand="laser_shot shoot", items="uchides_mallet").incident("crossing_to_higan")
    game = start.build()
    for card in ("laser_shot", "shoot"):
        game = start.build()
        game.act(f"play {card}")
        assert game.legal() == ["choose seat:1", "choose seat:5"]
    game = scene(8).seat(0, "cirno", hand="laser_shot shoot", items="uchides_mallet").build()
    assert "play shoot" not in game.legal()
    game.act("play laser_shot")
    assert game.legal() == ["choose seat:1", "choose seat:7"]


@pytest.mark.parametrize("seats", [4, 5])
def test_d4_cirno_with_the_mallet_does_not_go_the_long_way_round(seats):
    """D-4: the long way round to a neighbour would be in range; it is longer than the Mallet allows."""
    game = scene(seats, 9).seat(0, "cirno", hand="shoot erase_shot last_word", items="uchides_mallet power").build()
    assert not any(game.in_range(0, other) for other in (1, seats - 1))
    assert {"play shoot", "play erase_shot"}.isdisjoint(game.legal())
    assert "play last_word" in game.legal()


def test_l4_ghost_lantern_forbids_paying_life():
    """L-4: under Overdrive no life can be paid either."""
    start = scene().seat(0, "kazami_yuuka", hand="ghost_lantern grimoire").incident("overdrive")
    game = start.build()
    assert "spell overdrive" in game.legal()
    game.act("play ghost_lantern")
    assert "spell overdrive" not in game.legal()


def test_l4_a_hit_that_takes_no_life_is_a_hit():
    """L-4: the Jeweled Pagoda goes to the attacker, but no powerup is lost."""
    game = scene().seat(0, hand="shoot grimoire").seat(1, hand="ghost_lantern", items="jeweled_pagoda power").build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 1)
    game.act("play ghost_lantern")
    pass_until(game, "main")
    assert (game.seat(1).life, kinds(game.seat(1).items), kinds(game.seat(0).items)) == (4, ["power"], ["jeweled_pagoda"])


def test_l5_the_last_of_several_hits_takes_the_pagoda():
    """L-5: attacked with a Shoot, its owner's Revenge Shot is answered by another's; whoever hits last in the stack gets it."""
    start = scene().seat(0, hand="shoot", items="jeweled_pagoda").seat(1, hand="revenge_shot").seat(3, hand="reflect_shot grimoire")
    game = start.build()
    act(game, "play shoot", "choose seat:3")
    pass_until(game, "attacked", 3)
    game.act("play reflect_shot")
    assert [kinds(seat.items) for seat in game.seats] == [[], [], [], ["jeweled_pagoda"]]


def test_l5_the_defeated_discard_the_pagoda():
    """L-5: a hit that takes the last life brings the attacker nothing."""
    game = scene().seat(0, hand="shoot grimoire").seat(1, items="jeweled_pagoda", life=1).build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "main")
    assert (game.seat(0).items, kinds(game.lunatic_discard)) == ([], ["jeweled_pagoda"])


def test_l5_who_has_it_no_longer_hands_nothing_over():
    """L-5: a card that makes its owner discard it, and then hits, takes it from nobody."""
    game = scene().seat(0, hand="seal_away grimoire").seat(1, items="jeweled_pagoda").build()
    act(game, "play seal_away", "choose seat:1", "choose card:jeweled_pagoda")
    assert (game.seat(0).items, game.seat(1).items, game.seat(1).life) == ([], [], 3)


def test_l6_the_pagoda_shields_what_is_announced_while_it_is_there():
    """L-6: Nitori's flood switches it off, and a card announced then can be cancelled."""
    game = scene().seat(0, hand="grimoire grimoire", items="jeweled_pagoda").seat(1, hand="interrupt").build()
    game.act("play grimoire")
    assert (game.asking, game.question) == (0, "main")
    game = scene().seat(0, hand="grimoire", items="power").seat(1, hand="interrupt", items="jeweled_pagoda").build()
    game.act("play grimoire")
    assert (game.asking, game.question) == (1, "cancel")


def test_l7_the_camera_cancels_a_last_word_for_everybody():
    """L-7: it targets everybody else, and cancelled it attacks nobody."""
    game = scene().seat(0, hand="last_word").seat(2, items="spirit_camera", hand="shoot").build()
    game.act("play last_word")
    assert (game.asking, game.legal()) == (2, ["pass", "use spirit_camera"])
    game.act("use spirit_camera")
    assert [seat.max_life - seat.life for seat in game.seats] == [0, 0, 0, 0]


def test_l7_the_camera_answers_revenge():
    """L-7: a Revenge Shot targets the attacker."""
    game = scene().seat(0, hand="erase_shot shoot", items="spirit_camera").seat(1, hand="revenge_shot").build()
    act(game, "play erase_shot", "choose seat:1")
    pass_until(game, "attacked", 1)
    game.act("play revenge_shot")
    assert (game.asking, game.question, game.legal()) == (0, "cancel", ["pass", "use spirit_camera"])


def test_l8_offering_in_anybodys_discard_step():
    """L-8: it works at once, in the discard step of another player too, but at no other time of that player's turn."""
    start = scene(turns=2).seat(0, hand="grimoire", items="power").seat(1, hand="offering")
    game, steps = start.build(), set()
    while game.turn == 0 and not game.over:
        if game.asking == 1 and "play offering" in game.legal():
            steps.add(game.step)
        game.act("pass")
    assert steps == {"discard"}


def test_l9_the_last_point_of_collection_counts():
    """L-9: two players answer the same card; who answers last gets it. A Lunatic card stays one."""
    start = scene().seat(0, hand="lunatic_laser_shot").seat(1, hand="point_of_collection").seat(2, hand="point_of_collection")
    game = start.build()
    act(game, "play laser_shot", "choose seat:3", "play point_of_collection")
    game.act("pass")  # the other Point of Collection could be taken too
    assert (game.asking, game.question) == (2, "cancel")
    game.act("play point_of_collection")
    while not game.over:
        game.act("pass")
    assert "lunatic_laser_shot/winter" in game.seat(2).hand or "lunatic_laser_shot/autumn" in game.seat(2).hand


def test_l27_the_mallet_looks_back():
    """L-27: who has played a danmaku card this round, and then is handed the Mallet, plays no further one."""
    game = scene().seat(0, hand="shoot shoot grimoire offering", items="stopwatch").seat(1, items="uchides_mallet").build()
    act(game, "play shoot", "choose seat:1", "pass")
    assert "play shoot" in game.legal()
    act(game, "play offering", "choose seat:1", "choose seat:0")
    while game.question in ("item", "limit"):
        game.act("choose card:stopwatch" if "choose card:stopwatch" in game.legal() else game.legal()[0])
    assert kinds(game.seat(0).items) == ["uchides_mallet"]
    assert "play shoot" not in game.legal()


def test_l30_no_point_of_collection_for_instants():
    """L-30: an instant half is no reaction card; the invocation half of the same card is an invocation card."""
    game = scene().seat(0, "kazami_yuuka", hand="spell_assist spell_assist grimoire").seat(1, hand="point_of_collection").build()
    act(game, "play spell_assist")
    while game.question == "season":
        game.act(game.legal()[0])
    act(game, "choose bottom", "choose seat:2")
    assert (game.asking, game.question) == (0, "main")
    act(game, "play spell_assist", "choose top")
    assert (game.asking, game.question, game.legal()) == (1, "respond", ["pass", "play point_of_collection"])
