"""Rulings D: distance and range. `test_d1_...` asks what ruling D-1 answers."""

from tests.table import act, kinds, scene


def test_d1_distance_is_the_shorter_way_plus_modifiers():
    """D-1: among active players, at least 1."""
    start = scene(8).seat(0, role="heroine", items="stopwatch", hand="grimoire")
    game = start.seat(7, role="ex_boss", defeated=True).build()
    assert [game.distance(0, seat) for seat in range(1, 7)] == [1, 2, 3, 3, 2, 1]
    assert game.distance(6, 0) == 2
    assert game.seat(0).range == 1


def test_d2_cirno_reaches_neighbours_the_long_way_round():
    """D-2: at distance 1 nobody is in range, unless another way round is in range."""
    game = scene(6).seat(0, "cirno", role="heroine", hand="grimoire").build()
    assert [game.in_range(0, seat) for seat in range(1, 6)] == [False, True, True, True, False]
    game = scene(4).seat(0, "cirno", role="heroine", hand="grimoire").build()
    assert [game.in_range(0, seat) for seat in range(1, 4)] == [True, True, True]  # three seats the other way
    start = scene(4).seat(0, "cirno", role="heroine", hand="grimoire").seat(1, role="stage_boss", defeated=True)
    game = start.seat(2, role="stage_boss", defeated=True).build()
    assert game.in_range(0, 3)  # with two players left she attacks as everybody


def test_d3_higan_beats_cirnos_restriction():
    """D-3: everyone-in-range effects win; but distance 1 for all leaves Cirno nobody."""
    game = scene(6).seat(0, "cirno", role="heroine", hand="grimoire").incident("crossing_to_higan").build()
    assert all(game.in_range(0, seat) for seat in range(1, 6))
    start = scene(6).seat(0, "ibuki_suika", role="heroine", hand="spiritual_attack grimoire").seat(2, "cirno")
    game = start.build()
    act(game, "play spiritual_attack", "choose number:1", "pass")
    assert not any(game.in_range(2, seat) for seat in (0, 1, 3, 4, 5))
    assert game.in_range(0, 3)


def test_d5_the_latest_distance_wins():
    """D-5: two numbers for all distances, by Suika and by her captured Spell Card."""
    start = scene(turns=3).seat(0, "ibuki_suika", role="heroine", hand="spiritual_attack grimoire")
    start.seat(1, "cirno", role="stage_boss", hand="capture_spell_card").incident("endless_party").deck(["power"] * 6)
    game = start.seat(2, hand="focus").build()
    act(game, "play spiritual_attack", "choose number:2", "pass")
    assert game.distance(0, 1) == 2
    while game.turn == 0:
        game.act("pass")
    act(game, "play capture_spell_card", "choose number:4", "pass")
    assert game.distance(0, 1) == 4


def test_d6_neighbours_are_active_neighbours():
    """D-6: with a defeated player between them two players sit side by side."""
    start = scene(5).roles("heroine stage_boss stage_boss partner ex_boss").seat(1, defeated=True).turn(0, step="incident")
    start.seat(0, hand="focus").seat(2, hand="bomb bomb").incident("scarlet_weather_rhapsody").deck("shoot/autumn")
    game = start.build()
    assert game.distance(0, 2) == 1
    assert kinds(game.seat(2).hand) == ["focus"]
