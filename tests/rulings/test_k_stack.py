"""Rulings K: stack, windows, cancelling."""

from tests.table import act, kinds, life, scene


def test_k1_effects_resolve_last_in_first_out():
    """K-1: a counterattack to a counterattack hits first, the attack that all began with last."""
    start = scene().seat(0, "hong_meiling", hand="shoot spiritual_attack").seat(2, "hijiri_byakuren", hand="shoot")
    game = start.deck("power power power power power").build()
    act(game, "play shoot", "choose seat:1", "choose card:shoot", "play spiritual_attack")
    hits = [line.split(" hits ")[1] for line in game.log if " hits " in line]
    assert hits == ["seat 2 (Byakuren)", "seat 0 (Meiling)", "seat 1"]


def test_k13_a_step_that_has_become_impossible_does_nothing_and_the_later_ones_happen():
    """K-13: Utsuho's three attacks find their target out of range; she loses her life all the same."""
    start = scene(6).seat(0, "reiuji_utsuho", hand="spiritual_attack", items="power").seat(1, "toyosatomimi_no_miko")
    game = start.deck("graze graze graze").build()
    act(game, "play spiritual_attack", "choose seat:2", "spell toyosatomimi_no_miko", "choose seat:3", "choose seat:0")
    assert game.seat(0).range == 1
    assert (game.seat(0).life, game.seat(2).life) == (2, 4)  # one for Miko's attack, one for the Spell Card


def test_k18_handing_on_is_not_playing():
    """K-18: Sanae and Youmu answer the card they play, not the Melee they hand on, nor the danmaku card that costs."""
    game = scene().seat(0, hand="melee").seat(1, "kochiya_sanae", hand="shoot").seat(2, hand="graze").build()
    act(game, "play melee", "choose seat:1", "choose card:shoot", "choose seat:2")
    assert (game.asking, game.question) == (2, "attacked")
    assert game.seat(1).danmaku_played == 0


def test_k18_an_item_put_into_play_was_not_played():
    """K-18: Alice's Sutra Scroll draws nothing."""
    game = scene().seat(0, "alice_margatroid", hand="spiritual_attack").deck("sorcerers_sutra_scroll").build()
    act(game, "play spiritual_attack", "pass")
    assert kinds(game.seat(0).items) == ["sorcerers_sutra_scroll"]
    assert game.seat(0).hand == []
    assert life(game) == [4, 4, 4, 5]
