"""Rulings T: turns."""

from tests.table import act, pass_until, scene


def test_t3_texts_for_the_start_of_a_turn_happen_though_it_is_skipped():
    """T-3: the True Phantom Boss may resolve the incident at the start of the very turn she skips; nothing else of it takes place."""
    start = scene(turns=3).seat(0, role="true_phantom_boss", hand="focus", skip_next=True).turn(0, step="start").incident("overdrive")
    game = start.build()
    assert (game.asking, game.question, game.step) == (0, "may", "start")
    game.act("choose yes")
    game.act("choose incident:lily_white")
    assert game.turn == 1
    assert len(game.seat(0).hand) == 1


def test_t3_lasting_effects_end_before_anything_else_of_the_turn():
    """T-3: when the True Phantom Boss is asked at the start of her turn, the number she named as Suika is gone already."""
    start = scene(turns=9).seat(0, "ibuki_suika", role="true_phantom_boss", hand="spiritual_attack").incident("overdrive")
    game = start.build()
    act(game, "play spiritual_attack", "choose number:3")
    pass_until(game, "main", 3)
    assert game.distance(2, 3) == 3
    pass_until(game, "may", 0)
    assert (game.step, game.distance(2, 3)) == ("start", 1)


def test_t8_a_fallen_current_player_drops_the_rest_of_her_turn():
    """T-8: nobody trims a hand, and the next player's turn begins."""
    start = scene(turns=2).roles("heroine stage_boss stage_boss ex_boss").turn(1).incident("overdrive")
    start.seat(1, "reiuji_utsuho", life=1, hand="spiritual_attack").seat(0, hand=["graze/spring"] * 4 + ["graze/winter"] * 4)
    game = start.deck("power power power power").build()
    act(game, "play spiritual_attack", "choose seat:2")
    assert game.seat(1).defeated
    assert game.turn == 2
    assert len(game.seat(0).hand) == 8


def test_t11_the_turn_cap_ends_the_game():
    """T-11, R-12: nobody wins, and it is no draw."""
    game = scene(turns=2).seat(0, hand="focus").build()
    while not game.over:
        game.act("pass")
    assert (game.outcome, game.winners, game.rewards()) == ("truncated", [], [0, 0, 0, 0])
