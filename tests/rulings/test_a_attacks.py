"""Rulings A: attacks, life, defeat. `test_a5_...` asks what ruling A-5 answers."""

import pytest

from tests.table import act, kinds, life, pass_until, scene


def test_a1_an_attack_is_declared_and_then_avoided_or_hits():
    """A-1: one that is avoided does not hit."""
    start = scene().seat(0, hand="shoot melee").seat(1, hand="graze")
    game = start.build()
    act(game, "play shoot", "choose seat:1", "pass", "play graze")
    assert [line for line in game.log if "attack" in line] == ["seat 0 attacks seat 1", "seat 1 avoids the attack of seat 0"]
    act(game, "play melee", "choose seat:1")
    assert "the attack of seat 0 hits seat 1" in game.log


def test_a2_a_hit_takes_life_then_cards_are_drawn_then_a_powerup_goes_then_texts_happen():
    """A-2: asked which powerup to lose, the player has drawn already; Yuuka, who may draw for the damage, comes last."""
    start = scene().seat(0, "kazami_yuuka", hand="laser_shot").seat(1, items="power supernatural_border").deck("bomb/spring focus")
    game = start.build()
    act(game, "play laser_shot", "choose seat:1")
    assert (game.asking, game.question) == (1, "powerup")
    assert game.seat(1).life == 3
    assert "bomb/spring" not in game.deck
    assert len(game.seat(1).hand) == 1
    game.act("choose card:power")
    assert (game.asking, game.question, kinds(game.seat(1).items)) == (0, "may", ["supernatural_border"])


def utsuho(**victim):
    """Utsuho is about to attack seat 1 three times."""
    start = scene().seat(0, "reiuji_utsuho", role="heroine", hand="spiritual_attack")
    return start.deck("focus voile party tempest").seat(1, role="stage_boss", **victim)


def test_a3_a_powerup_is_lost_only_with_life():
    """A-3, A-5: hits at 0 life take no powerup and give no card; one powerup for each hit before."""
    game = utsuho(life=2, items="power power power", hand="one_up").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert (game.asking, game.question, game.seat(1).life) == (1, "attacked", 0)
    assert kinds(game.seat(1).items) == ["power"]
    pass_until(game, "rescue", 1)
    assert kinds(game.seat(1).items) == ["power"]
    assert len(game.seat(1).hand) == 3


def test_a4_cards_drawn_equal_the_life_really_lost():
    """A-4, A-18: Master Spark with two powerups on 2 life gives 2 cards, and costs one powerup."""
    start = scene().seat(0, "kirisame_marisa", role="heroine", items="power power", hand="spiritual_attack")
    game = start.seat(1, life=2, items=["power"] * 3, hand="one_up").deck("graze voile").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert (game.asking, game.question, game.seat(1).life) == (1, "rescue", 0)
    assert kinds(game.seat(1).hand) == ["graze", "one_up", "voile"]
    assert kinds(game.seat(1).items) == ["power", "power"]


def test_a5_a_player_at_zero_still_plays():
    """A-5: may react and be attacked, and still sits at the table; cannot pay life."""
    game = utsuho(life=1, hand="graze bomb").incident("overdrive").build()
    act(game, "play spiritual_attack", "choose seat:1", "pass", "pass")
    assert (game.seat(1).life, game.asking, game.question) == (0, 1, "attacked")
    assert game.legal() == ["pass", "play graze"]
    assert game.distance(0, 2) == 2
    game.act("play graze")
    assert sum(line.startswith("seat 1 avoids") for line in game.log) == 1


def test_a5_no_life_can_be_paid_at_zero():
    """A-5: Overdrive is out of reach at 0 life, an invocation card is not."""
    start = scene().seat(0, "reiuji_utsuho", role="heroine", hand="spiritual_attack").deck("focus voile")
    game = start.seat(1, "hong_meiling", life=1, hand="spiritual_attack").incident("overdrive").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert game.legal() == ["pass", "spell overdrive", "play spiritual_attack"]
    game.act("pass")
    assert (game.seat(1).life, game.question) == (0, "attacked")
    assert game.legal() == ["pass", "play spiritual_attack"]


def test_a6_each_fall_needs_its_own_rescue():
    """A-6: a rescued player falls again to an attack still pending."""
    game = utsuho(life=1, hand="one_up one_up").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert (game.question, game.seat(1).life) == ("attacked", 0)  # the second attack
    game.act("play one_up")
    assert (game.question, game.seat(1).life) == ("attacked", 0)  # back at 1 and hit again; the third attack
    pass_until(game, "rescue", 1)
    game.act("play one_up")
    assert game.seat(1).life == 1
    assert len(game.seat(1).hand) == 2


def test_a7_defeat_waits_for_the_empty_stack():
    """A-7: and comes for all at 0 together."""
    start = scene().seat(0, role="heroine", hand="last_word grimoire").seat(1, role="stage_boss", life=1)
    game = start.seat(2, role="stage_boss", hand="graze").seat(3, role="ex_boss", life=1).deck("focus voile").build()
    act(game, "play last_word")
    assert (game.asking, game.question) == (2, "attacked")
    assert (game.seat(1).life, game.seat(1).defeated) == (0, False)
    game.act("pass")
    assert [seat.defeated for seat in game.seats] == [False, True, False, True]


def test_a8_the_hands_of_the_defeated_go_in_turn_order():
    """A-8: from the current player on, and incidents collect."""
    start = scene().seat(2, role="ex_boss", hand="last_word grimoire").turn(2).incident("great_barrier_weakening")
    start.seat(0, role="heroine").seat(1, role="stage_boss", life=1, hand="bomb focus", items="stopwatch")
    game = start.seat(3, role="stage_boss", life=1, hand="spiritual_attack graze").deck("party voile tempest").build()
    act(game, "play last_word")
    pass_until(game, "main")
    assert kinds(game.collected) == ["bomb", "spiritual_attack"]
    assert [card.split("/")[0] for card in game.discard] == ["last_word", "graze", "party", "focus", "tempest", "stopwatch"]


def test_a9_a_heroine_who_falls_together_with_a_partner_has_nothing_to_lose():
    """A-9: the Rival who takes over keeps her items and hand."""
    start = scene(8).roles("heroine rival partner partner stage_boss stage_boss challenger ex_boss").turn(6)
    start.seat(6, hand="last_word").seat(0, life=1, items="power").seat(2, life=1)
    game = start.seat(1, items="focus", hand="graze graze graze").build()
    act(game, "play last_word")
    while not game.seat(0).defeated:
        game.act("pass")
    assert game.seat(1).role == "heroine"
    assert kinds(game.seat(1).items) == ["focus"]
    assert len(game.seat(1).hand) == 4  # one drawn for the life that Last Word took


def test_a10_the_last_life_may_be_paid():
    """A-10: Eirin pays her last life and heals herself with the Spell Card."""
    start = scene().seat(0, "yagokoro_eirin", role="heroine", life=1).incident("overdrive").deck("focus")
    game = start.build()
    act(game, "spell overdrive", "pass")
    assert game.seat(0).life == 1
    assert not game.seat(0).defeated


def test_a11_life_drops_with_max_life():
    """A-11: the former Heroine of Crisis of Faith goes from 5 to 4 and draws nothing."""
    start = scene().seat(0, role="heroine", hand="graze").seat(1, role="stage_boss").turn(1, step="incident")
    game = start.incident_deck(top="crisis_of_faith").deck("power/autumn").build()
    assert game.seat(1).role == "heroine"
    assert (game.seat(0).life, game.seat(0).max_life, kinds(game.seat(0).hand)) == (4, 4, ["graze"])


def test_a12_nothing_is_paid_for_avoiding_what_cannot_be_avoided():
    """A-12: against a Laser Shot neither a Graze nor Futo's ability nor Satori's flip is offered."""
    start = scene().seat(0, hand="laser_shot").seat(1, "mononobe_no_futo", hand="graze", items="power").seat(2, "komeiji_satori")
    for target in (1, 2):
        game = start.build()
        act(game, "play laser_shot", f"choose seat:{target}")
        assert game.seat(target).life == 3
    assert kinds(game.seat(1).items) == ["power"]


def test_a13_what_replaces_an_avoidance_leaves_the_attack_to_be_answered():
    """A-13: Komachi stops a Graze; the Graze is spent, nothing was avoided, and another Graze may still be played against the attack."""
    start = scene(expansion="lunatic_extra").seat(0, hand="shoot").seat(1, "remilia_scarlet", hand="graze/spring graze/winter")
    game = start.seat(3, "onozuka_komachi", hand="spiritual_attack").build()
    act(game, "play shoot", "choose seat:1", "play graze")
    if game.question == "season":
        game.act("choose season:spring")
    act(game, "play spiritual_attack")
    assert (game.asking, game.question, game.legal()) == (1, "attacked", ["pass", "play graze"])  # first that of Komachi
    game.act("pass")
    assert (game.asking, game.question, game.seat(1).life) == (1, "attacked", 3)
    game.act("play graze")
    assert (game.asking, game.question, game.seat(1).life) == (1, "may", 3)  # avoided at last: Remilia may draw


def test_a14_an_avoided_attack_triggers_once():
    """A-14: Remilia draws one card for it."""
    start = scene().seat(0, role="heroine", hand="shoot").seat(1, "remilia_scarlet", hand="graze")
    game = start.deck("power focus").build()
    act(game, "play shoot", "choose seat:1", "play graze", "choose yes")
    assert kinds(game.seat(1).hand) == ["power"]


def test_a15_an_avoided_attack_cannot_be_dodged_again():
    """A-15: nobody is asked after the first Graze."""
    start = scene().seat(0, role="heroine", hand="shoot").seat(1, hand="graze graze")
    game = start.seat(2, hand="graze shoot").build()
    act(game, "play shoot", "choose seat:1", "play graze")
    assert game.over
    assert kinds(game.seat(1).hand) == ["graze"]
    assert kinds(game.seat(2).hand) == ["graze", "shoot"]


def test_a16_nobody_attacks_oneself():
    """A-16: of Last Word's attacks none is on its player, and Melee is never handed on to the one who hands it on."""
    game = scene().seat(0, hand="last_word melee").seat(1, hand="shoot").build()
    game.act("play last_word")
    assert life(game) == [4, 3, 3, 4]
    act(game, "play melee", "choose seat:1", "choose card:shoot")
    assert sorted(game.legal()) == ["choose seat:0", "choose seat:2", "choose seat:3"]


def test_a17_healing_at_the_maximum_is_not_offered():
    """A-17: a 1UP names nobody who is at full life."""
    game = scene().seat(0, hand="one_up").seat(2, life=3).build()
    game.act("play one_up")
    assert life(game) == [4, 4, 4, 5]
    game = scene().seat(0, hand="one_up grimoire").build()
    assert "play one_up" not in game.legal()


def test_a18_damage_of_several_is_one_loss():
    """A-18: Master Spark for 3: three cards, one powerup, one further card for Tenshi."""
    start = scene().seat(0, "kirisame_marisa", hand="spiritual_attack", items="power power").seat(1, "hinanawi_tenshi", items="power power")
    game = start.build()
    act(game, "play spiritual_attack", "choose seat:1", "choose yes")
    assert (game.seat(1).life, len(game.seat(1).hand)) == (1, 4)
    assert kinds(game.seat(1).items) == ["power"]
    assert len([line for line in game.log if line.startswith("seat 1 (Tenshi) loses")]) == 1


def test_a19_tenshi_draws_one_card_more_per_loss():
    """A-19: one extra card per loss event, however large."""
    start = scene().seat(0, "kirisame_marisa", role="heroine", items=["power"] * 2, hand="spiritual_attack")
    game = start.seat(1, "hinanawi_tenshi").deck("focus voile party stopwatch tempest").build()
    act(game, "play spiritual_attack", "choose seat:1", "choose yes")
    assert game.seat(1).life == 1
    assert len(game.seat(1).hand) == 4


def test_a20_yuuka_draws_one_card_per_hit():
    """A-20: one card per hit that takes life, whatever the damage."""
    start = scene().seat(0, "kazami_yuuka", role="heroine", items=["power"] * 2, hand="capture_spell_card")
    game = start.seat(1, "kirisame_marisa").deck("focus voile party stopwatch tempest").build()
    act(game, "play capture_spell_card", "choose seat:1", "choose yes")
    assert game.seat(1).life == 1
    assert kinds(game.seat(0).hand) == ["stopwatch"]


def test_a20_yuuka_draws_nothing_for_a_hit_that_takes_nothing():
    """A-20: of three hits on a player with 1 life the first alone takes life; the others find nothing to take (A-5)."""
    start = scene().seat(0, "kazami_yuuka", hand="capture_spell_card", life=3).seat(1, "reiuji_utsuho", life=1)
    game = start.seat(2, hand="one_up").deck("power power power power").build()
    act(game, "play capture_spell_card", "choose seat:1")
    offers = 0
    while not game.over:
        offers += game.question == "may"
        game.act("choose yes" if game.question == "may" else "pass")
    assert offers == 1
    assert game.seat(1).defeated


def test_a20_yuuka_draws_nothing_for_what_an_incident_takes():
    """A-20: life lost to an incident is nobody's damage, though it be her turn."""
    start = scene().seat(0, "kazami_yuuka").turn(0, step="incident").incident_deck(top="great_fairy_wars")
    game = start.build()
    while game.question != "main":
        assert game.question == "discard"  # a danmaku card or a life, and nothing else is ever asked
        game.act("pass")
    assert life(game) == [3, 3, 3, 4]


def test_a21_one_rescue_is_enough():
    """A-21: once the player is above 0 nobody else can rescue."""
    start = scene().seat(0, role="heroine", hand="shoot").seat(1, life=1).seat(2, hand="one_up")
    game = start.seat(3, hand="one_up").deck("focus").build()
    act(game, "play shoot", "choose seat:1", "play one_up")
    assert game.over
    assert kinds(game.seat(3).hand) == ["one_up"]


def test_a19_tenshi_is_asked_once_for_a_loss_of_two():
    """A-19: one further card, whatever the size of the loss: Master Spark with two Powers takes three life and brings four cards."""
    start = scene().seat(0, "kirisame_marisa", hand="spiritual_attack voile", items="power power").seat(1, "hinanawi_tenshi")
    game = start.build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert (game.asking, game.question, game.seat(1).life, game.seat(1).hand) == (1, "may", 1, [])
    game.act("choose yes")
    assert (game.question, len(game.seat(1).hand)) == ("main", 4)


@pytest.mark.parametrize("wants", [True, False])
@pytest.mark.parametrize("incident", ["saigyou_ayakashi_blooming", "overdrive"])
def test_a19_life_lost_by_whatever_cause(incident, wants):
    """A-19, A-4: the incident's loss and the life she pays bring the further card as a hit does; or she declines it."""
    start = scene(turns=1).seat(0, "hinanawi_tenshi", hand="grimoire", life=3).seat(1, hand="power").incident(incident)
    game = start.turn(0, step="main" if incident == "overdrive" else "incident").build()
    if incident == "overdrive":
        game.act("spell overdrive")
    before = len(game.seat(0).hand)
    assert (game.asking, game.question, before) == (0, "may", 1)
    game.act("choose yes" if wants else "pass")
    assert sum("draws" in line for line in list(game.log)) >= 1
    assert any(f"draws {2 if wants else 1} card" in line for line in game.log)


def test_a19_what_ichirin_saves_is_no_further_card():
    """A-19, L-18: a hit of Ichirin's brings no card for the life, and Tenshi may still draw her one."""
    start = scene(expansion="lunatic_extra").seat(0, "kumoi_ichirin", hand="shoot voile").seat(1, "hinanawi_tenshi")
    game = start.build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "may", 1)
    game.act("choose yes")
    pass_until(game, "main", 0)
    assert (game.seat(1).life, len(game.seat(1).hand)) == (3, 1)


def test_a19_the_card_that_saves_her_may_be_the_further_one():
    """A-19, A-4: at 0 life she draws two, and the second is the 1UP that brings her back."""
    start = scene(turns=9).seat(0, hand="shoot voile").seat(1, "hinanawi_tenshi", life=1).deck("power/winter one_up/winter")
    game = start.build()
    act(game, "play shoot", "choose seat:1", "choose yes")
    pass_until(game, "rescue", 1)
    game.act("play one_up")
    assert game.seat(1).life == 1


def test_a19_whoever_has_tenshis_ability_draws_a_further_card():
    """A-19: Koishi has named Tenshi, and draws a further card as she does."""
    start = scene(expansion="lunatic_extra").seat(0, hand="shoot voile").seat(1, "komeiji_koishi", named="hinanawi_tenshi")
    game = start.seat(2, "hinanawi_tenshi").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question) == (1, "may")
    game.act("choose yes")
    pass_until(game, "main", 0)
    assert len(game.seat(1).hand) == 2


def test_a19_suwako_redraws_the_further_card_with_the_others():
    """A-19, L-18: the cards for the life and the further one are one batch."""
    start = scene(5, expansion="lunatic_extra", characters="double_threat").seat(0, ["cirno", "junko"], hand="laser_shot voile")
    start = start.seat(1, ["hinanawi_tenshi", "moriya_suwako"]).seat(2, ["hakurei_reimu", "kijin_seija"])
    start = start.seat(3, ["ibuki_suika", "houraisan_kaguya"]).seat(4, ["saigyouji_yuyuko", "nagae_iku"])
    game = start.build()
    act(game, "play laser_shot", "choose seat:1", "choose yes")
    assert (game.asking, game.question, game.record["aside_size"]) == (1, "may", 2)
    game.act("choose yes")
    pass_until(game, "main", 0)
    assert len(game.seat(1).hand) == 2
