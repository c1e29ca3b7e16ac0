"""K-2 and K-23: the card that somebody takes for later, and whose play it is that is made for somebody else."""

import pytest

from tests.table import act, kinds, life, pass_until
from tests.table import lunatic_scene as table


def until_asked(game, answer, seat):
    """Everybody passes until the seat can give the answer."""
    for _ in range(100):
        if game.asking == seat and answer in game.legal():
            return
        game.act("pass")
    raise AssertionError(f"seat {seat} never can {answer}")


# ---------------------------------------------------------------- K-2: the second window


@pytest.mark.parametrize("items", ["", "jeweled_pagoda"])
def test_k2_a_spell_card_that_no_card_activates_is_answered_like_any_other(items):
    """K-2: Yuyuko's Spell Card by Overdrive, cancelable or (Jeweled Pagoda) not: seat 1 can light a Ghost Lantern before lives are lost."""
    start = table().seat(0, "saigyouji_yuyuko", hand="power", items=items, life=3).incident("overdrive")
    game = start.seat(1, hand="ghost_lantern").seat(2, hand="bomb").build()
    game.act("spell overdrive")
    while game.question == "cancel":
        game.act("pass")
    assert (game.asking, game.question, game.legal()) == (1, "respond", ["pass", "play ghost_lantern"])
    before = life(game)
    game.act("play ghost_lantern")
    pass_until(game, "main", 0)
    assert [left - now for left, now in zip(before, life(game), strict=True)] == [0, 0, 1, 1]


def test_k2_the_copy_of_a_spell_card_is_answered_too():
    """K-2, K-18: Reisen cancels Yuyuko's Spell Card and carries out a copy; before that everybody can still answer."""
    start = table().seat(0, "saigyouji_yuyuko", hand="spiritual_attack power", life=3).seat(1, hand="ghost_lantern")
    game = start.seat(2, "reisen_udongein_inaba", hand="spiritual_attack").build()
    game.act("play spiritual_attack")
    until_asked(game, "play spiritual_attack", 2)
    game.act("play spiritual_attack")
    pass_until(game, "may", 2)
    game.act("choose yes")
    assert (game.asking, game.question) == (1, "respond")
    assert life(game)[1] == 4


@pytest.mark.parametrize("held", ["ghost_lantern", "power"])
def test_k3_where_everybody_is_asked_the_second_window_tells_nothing_of_hands(held):
    """K-3: whether seat 1 holds a Ghost Lantern or not, the same seats are asked after a Grimoire."""
    start = table(ask_everyone=True, ask_forced=True).seat(0, hand="grimoire").seat(1, hand=held)
    game = start.deck("power power").build()
    game.act("play grimoire")
    asked = []
    while game.question != "main":
        asked.append((game.asking, game.question))
        game.act("pass")
    assert [seat for seat, question in asked if question == "respond"] == [0, 1, 2, 3]


# ---------------------------------------------------------------- K-2: Point of Collection and cancelling


def test_k2_point_of_collection_takes_a_card_that_is_cancelled_after_it():
    """K-2: seat 1 takes the Shoot in its cancel window, then seat 2 cancels it: no attack, and the card is seat 1's all the same."""
    start = table().seat(0, hand="shoot voile").seat(1, hand="point_of_collection").seat(2, hand="bomb")
    game = start.build()
    act(game, "play shoot", "choose seat:1")
    until_asked(game, "play point_of_collection", 1)
    game.act("play point_of_collection")
    until_asked(game, "play bomb", 2)
    game.act("play bomb")
    pass_until(game, "main", 0)
    assert (kinds(game.seat(1).hand), game.seat(1).life) == (["shoot"], 4)


def test_k2_point_of_collection_takes_a_card_that_has_been_cancelled():
    """K-2, K-3: after the Bomb priority starts anew, and the cancelled Shoot can still be taken."""
    start = table().seat(0, hand="shoot voile").seat(2, hand="bomb").seat(3, role="heroine", hand="point_of_collection")
    start = start.seat(0, role="stage_boss", hand="shoot voile").seat(1, role="stage_boss").seat(2, role="ex_boss", hand="bomb")
    game = start.build()
    act(game, "play shoot", "choose seat:1")
    until_asked(game, "play bomb", 2)
    game.act("play bomb")
    until_asked(game, "play point_of_collection", 3)
    bomb_waits = any("resolve" in line for line in game.log)
    assert not bomb_waits
    while (game.asking, game.question) != (0, "main"):
        shoot = game.question == "cancel"
        game.act("play point_of_collection" if shoot and "play point_of_collection" in game.legal() else "pass")
    assert kinds(game.seat(3).hand) == ["shoot"]
    assert kinds(game.discard) == ["bomb"]


def test_k2_nothing_cancels_what_is_cancelled_already():
    """K-2, A-15: with the Shoot cancelled a second Bomb, and Aya's ability, are not offered any more."""
    start = table().seat(0, hand="shoot voile").seat(1, "shameimaru_aya", hand="bomb shoot point_of_collection").seat(2, hand="bomb")
    game = start.build()
    act(game, "play shoot", "choose seat:3")
    until_asked(game, "play bomb", 1)
    game.act("pass")
    until_asked(game, "play bomb", 2)
    game.act("play bomb")
    offered = set()
    while (game.asking, game.question) != (0, "main"):
        offered |= set(game.legal()) if game.asking == 1 and game.question == "cancel" else set()
        game.act("pass")
    assert offered == {"pass", "play point_of_collection"}


def test_k2_point_of_collection_takes_the_invocation_card_of_a_cancelled_spell_card():
    """K-2, L-9: the Spiritual Attack is taken, the Spell Card it activates is cancelled."""
    start = table().seat(0, "patchouli_knowledge", hand="spiritual_attack voile").seat(1, hand="point_of_collection")
    game = start.seat(2, hand="bomb").build()
    game.act("play spiritual_attack")
    until_asked(game, "play point_of_collection", 1)
    game.act("play point_of_collection")
    if game.question == "target":
        game.act("pass")
    until_asked(game, "play bomb", 2)
    game.act("play bomb")
    pass_until(game, "main", 0)
    assert (kinds(game.seat(1).hand), kinds(game.seat(0).hand)) == (["spiritual_attack"], ["voile"])


def test_k2_no_incident_collects_the_card_that_is_taken():
    """K-2: cancelled or not, it goes past the incident that wants it."""
    start = table().seat(0, hand="shoot/summer voile").seat(1, hand="point_of_collection").seat(2, hand="bomb")
    game = start.incident("eternal_night").build()
    act(game, "play shoot", "choose seat:3")
    until_asked(game, "play point_of_collection", 1)
    game.act("play point_of_collection")
    until_asked(game, "play bomb", 2)
    game.act("play bomb")
    pass_until(game, "main", 0)
    assert kinds(game.seat(1).hand) == ["shoot"]
    assert "shoot/summer" not in game.collected


# ---------------------------------------------------------------- K-23: whose play it is


def grazed_for_another(own="", **hands):
    """Seat 0 shoots at seat 1, and seat 2 Grazes for that one."""
    start = table(turns=9).seat(0, hand="shoot voile", items="power").seat(1, own, hand=hands.get("hers", "power"))
    game = start.seat(2, hands.get("helper", ""), hand=hands["helps"]).build()
    act(game, "play shoot", "choose seat:1")
    until_asked(game, "play graze", 2)
    game.act("play graze")
    if game.question == "pay":
        game.act("choose card:shoot")
    return game


def test_k23_whoever_really_held_the_graze_may_collect_it():
    """K-23: played for seat 1 it is seat 1's play: seat 2, who held it, takes it back with Point of Collection."""
    game = grazed_for_another(helps="graze shoot point_of_collection")
    until_asked(game, "play point_of_collection", 2)
    game.act("play point_of_collection")
    pass_until(game, "main", 0)
    assert kinds(game.seat(2).hand) == ["graze"]


def test_k23_what_is_played_for_me_is_no_play_of_another():
    """K-23: seat 1, for whom the Graze is played, can take it neither with Point of Collection nor as Suwako."""
    game = grazed_for_another("moriya_suwako", hers="point_of_collection spiritual_attack", helps="graze shoot")
    while (game.asking, game.question) != (0, "main"):
        if game.asking == 1 and game.question in ("cancel", "respond"):
            above = [line for line in game.explain() if "Graze" in line]
            assert not above or not {"play point_of_collection", "play spiritual_attack"} & set(game.legal())
        game.act("pass")
    assert "graze" in kinds(game.discard)


def test_k23_a_third_may_collect_what_is_played_for_another():
    """K-23: to seat 3 it is the play of another in any case."""
    start = table(turns=9).seat(0, hand="shoot voile").seat(1, hand="power").seat(2, hand="graze shoot/winter")
    game = start.seat(3, hand="point_of_collection").build()
    act(game, "play shoot", "choose seat:1")
    until_asked(game, "play graze", 2)
    game.act("play graze")
    if game.question == "pay":
        game.act(game.legal()[0])
    assert (game.asking, game.question) == (3, "respond")
    game.act("play point_of_collection")
    pass_until(game, "main", 0)
    assert kinds(game.seat(3).hand) == ["graze"]


@pytest.mark.parametrize("collector", [1, 2])
def test_k23_what_eirin_plays_for_somebody(collector):
    """K-23, H-12: a Graze without any price: Eirin may collect it, and whom it saves may not."""
    start = table(turns=9).seat(0, hand="shoot voile").seat(1, hand="point_of_collection power" if collector == 1 else "power")
    game = start.seat(2, "yagokoro_eirin", hand="graze point_of_collection" if collector == 2 else "graze").build()
    act(game, "play shoot", "choose seat:1")
    until_asked(game, "play graze", 2)
    game.act("play graze")
    offered = False
    while (game.asking, game.question) != (0, "main"):
        graze = game.question == "respond" and game.asking == collector
        offered |= graze and "play point_of_collection" in game.legal()
        game.act("play point_of_collection" if graze and "play point_of_collection" in game.legal() else "pass")
    assert offered == (collector == 2)
    assert ("graze" in kinds(game.seat(2).hand)) == (collector == 2)


def test_k23_suwako_takes_back_what_she_has_played_for_another():
    """K-23: she Grazes for seat 1, and her Spell Card answers that as the play of another."""
    game = grazed_for_another(helper="moriya_suwako", helps="graze shoot spiritual_attack")
    until_asked(game, "play spiritual_attack", 2)
    game.act("play spiritual_attack")
    while (game.asking, game.question) != (0, "main"):
        game.act("pass" if "pass" in game.legal() else game.legal()[0])
    assert "graze" in kinds(game.seat(2).hand)


def test_k23_ones_own_graze_stays_ones_own_play():
    """K-23: for oneself nothing has changed: who Grazes the own attack cannot collect that."""
    start = table(turns=9).seat(0, hand="shoot voile").seat(1, hand="graze point_of_collection")
    game = start.build()
    act(game, "play shoot", "choose seat:1")
    until_asked(game, "play graze", 1)
    game.act("play graze")
    assert (game.asking, game.question) == (0, "main")


def test_k23_a_revenge_that_eirin_takes_for_another_is_that_players_danmaku_card():
    """K-23: seat 1 is attacked, Eirin plays Revenge Shot for that one; it is cancelled as a card of seat 1, by Eirin too."""
    start = table(turns=9).seat(0, hand="shoot voile").seat(1, hand="bomb power")
    game = start.seat(2, "yagokoro_eirin", hand="revenge_shot bomb").build()
    act(game, "play shoot", "choose seat:1")
    until_asked(game, "play revenge_shot", 2)
    game.act("play revenge_shot")
    asked = set()
    while game.question == "cancel":
        asked.add(game.asking)
        game.act("pass")
    assert asked == {2}, "seat 1 does not cancel the own card"
    pass_until(game, "main", 0)
    assert game.seat(0).life == 3


def test_k23_eirin_does_not_collect_her_own_card_in_anothers_name():
    """K-23, H-12: what she takes is hers, so Point of Collection answers her own Grimoire for nobody; for another's she has it."""
    start = table(turns=9).seat(0, "yagokoro_eirin", hand="grimoire point_of_collection voile").seat(1, hand="grimoire power")
    game = start.build()
    game.act("play grimoire")
    assert (game.asking, game.question, "grimoire" in kinds(game.discard)) == (0, "main", True)
    game = start.turn(1).build()
    act(game, "play grimoire", "play point_of_collection")
    assert "grimoire" in kinds(game.seat(0).hand)


def test_k23_youmu_answers_what_is_played_for_her():
    """K-23, H-7: Youmu and Sanae answer danmaku cards of their own, those too that Eirin plays for them; not Eirin's."""
    start = table(turns=9).seat(0, hand="shoot voile").seat(1, "konpaku_youmu", hand="power")
    game = start.seat(2, "yagokoro_eirin", hand="revenge_shot").build()
    act(game, "play shoot", "choose seat:1")
    until_asked(game, "play revenge_shot", 2)
    game.act("play revenge_shot")
    pass_until(game, "target", 1)
    assert game.asking == 1
