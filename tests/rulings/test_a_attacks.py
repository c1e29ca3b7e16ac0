"""Rulings A and D: attacks, life, defeat, distance."""

from tests.table import act, kinds, life, scene


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


def test_d6_neighbours_are_active_neighbours():
    """D-6: with a defeated player between them two players sit side by side."""
    start = scene(5).roles("heroine stage_boss stage_boss partner ex_boss").seat(1, defeated=True).turn(0, step="incident")
    start.seat(0, hand="focus").seat(2, hand="bomb bomb").incident("scarlet_weather_rhapsody").deck("shoot/autumn")
    game = start.build()
    assert game.distance(0, 2) == 1
    assert kinds(game.seat(2).hand) == ["focus"]
