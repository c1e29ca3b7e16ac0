"""Rulings R: goals, teams, reveals and takeovers. `test_r5_...` asks what ruling R-5 answers."""

import pytest

from danmaku_env import Game, GameConfig
from tests.table import act, kinds, pass_until, scene

EIGHT = "heroine rival partner one_true_partner stage_boss final_boss challenger ex_boss"


def fall(start, victim, *, by, defeated=()):
    """The players of `defeated` are out already; now one player defeats another with a Laser Shot, and nobody comes to the rescue."""
    for seat in defeated:
        start.seat(seat, defeated=True)
    game = start.seat(victim, life=1).seat(by, hand="laser_shot grimoire").turn(by).build()
    game.act("play laser_shot")
    if game.question == "target":
        game.act(f"choose seat:{victim}")
    while not game.seat(victim).defeated:
        game.act("pass")
    return game


def test_r1_goals_are_states_and_not_sequences():
    """R-1: the Challenger wins though the Heroine fell before the Extra Boss."""
    start = scene(5).roles("heroine partner stage_boss challenger ex_boss")
    game = fall(start, 4, by=3, defeated=(0, 2))
    assert game.winners == [2, 3]  # and the Stage Boss with her


def test_r2_an_active_player_must_have_won():
    """R-2: a defeated Stage Boss has her goal met when the Heroine falls, but with no active Stage Boss left the game goes on."""
    start = scene().roles("heroine stage_boss stage_boss ex_boss").seat(0, role="heroine", life=1)
    game = fall(scene(5).roles("heroine partner stage_boss challenger ex_boss"), 0, by=4, defeated=(2,))
    assert not game.over
    game = fall(start, 0, by=3, defeated=(1,))
    assert game.winners == [1, 2]  # with an active one all whose goal is met win


def test_r3_a_defeated_player_wins_with_an_active_one_of_the_team():
    """R-3: the defeated Heroine with her Partner; a defeated Stage Boss not with the Extra Boss."""
    start = scene(7).roles("heroine partner partner stage_boss stage_boss stage_boss ex_boss").turn(1).seat(1, hand="last_word")
    for seat in (3, 4, 5):
        start.seat(seat, defeated=True)
    game = start.seat(0, life=1).seat(6, life=1).build()
    game.act("play last_word")
    pass_until(game, "none")
    assert game.winners == [0, 1, 2]
    game = fall(scene().roles("heroine stage_boss stage_boss ex_boss"), 0, by=3, defeated=(1, 2))
    assert game.winners == [3]


def test_r4_the_game_goes_on_without_a_heroine():
    """R-4: Challenger and Extra Boss are left, and neither has won yet."""
    start = scene(5).roles("heroine partner stage_boss challenger ex_boss")
    game = fall(start, 0, by=4, defeated=(1, 2))
    assert not game.over
    assert [seat.index for seat in game.seats if not seat.defeated] == [3, 4]


def test_r5_an_active_rival_takes_over():
    """R-5: with the bonuses of the Heroine and 1 life more; the former Heroine has no role and cannot win."""
    game = fall(scene(8).roles(EIGHT).seat(1, life=2), 0, by=4)
    new = game.seat(1)
    assert (new.role, new.role_revealed, new.life, new.max_life, new.max_hand) == ("heroine", True, 3, 5, 5)
    assert game.seat(0).role == ""
    assert not game.over


def test_r5_a_rival_who_falls_with_the_heroine_does_not():
    """R-5: then the Heroine is defeated for good, and the Stage Bosses have won."""
    start = scene(8).roles(EIGHT).seat(0, life=1).seat(1, life=1).seat(4, hand="last_word")
    game = start.turn(4).build()
    game.act("play last_word")
    while not game.over:
        game.act("pass")
    assert game.seat(0).role == "heroine"
    assert 4 in game.winners


def test_r6_the_heroine_is_defeated_only_without_an_active_rival():
    """R-6: with the Rival out before, her fall decides at once."""
    game = fall(scene(8).roles(EIGHT), 0, by=4, defeated=(1,))
    assert game.winners == [4]


def test_r7_the_ex_midboss_is_an_extra_boss_for_the_goals_of_others():
    """R-7: the Heroine has not won while the EX Midboss lives; the Challenger needs both defeated."""
    roles = scene(5).roles("heroine ex_midboss stage_boss challenger ex_boss")
    assert not fall(roles, 4, by=0, defeated=(2, 3)).over
    game = fall(scene(5).roles("heroine ex_midboss stage_boss challenger ex_boss"), 0, by=3, defeated=(4,))
    assert game.winners == [2]  # the Stage Boss alone: the EX Midboss is alive


def test_r8_the_ex_midboss_is_a_partner_too():
    """R-8: the Final Boss needs the Heroine and a Partner, and she is one, though nobody has seen it."""
    start = scene(5).roles("heroine ex_midboss stage_boss final_boss ex_boss")
    game = fall(start, 0, by=3, defeated=(1,))
    assert 3 in game.winners


def test_r9_the_ex_midboss_reveals_when_the_extra_boss_falls():
    """R-9: without being asked, and without a life more."""
    start = scene(5).roles("heroine ex_midboss stage_boss final_boss ex_boss").seat(1, life=2)
    game = fall(start, 4, by=0)
    assert (game.seat(1).role_revealed, game.seat(1).life) == (True, 2)
    assert not game.seat(2).role_revealed


def test_r10_the_one_true_partner_wins_alone_of_the_partners():
    """R-10: with the other Partner alive Heroine and Partner win without her."""
    roles = "heroine partner one_true_partner stage_boss stage_boss stage_boss ex_boss"
    assert fall(scene(7).roles(roles), 6, by=0, defeated=(3, 4, 5)).winners == [0, 1]
    assert fall(scene(7).roles(roles), 6, by=0, defeated=(1, 3, 4, 5)).winners == [0, 1, 2]


def test_r11_what_is_missing_may_come_after_the_heroines_fall():
    """R-11: the Anti-Heroine wins when another Stage Boss falls later."""
    roles = "heroine partner anti_heroine challenger ex_boss"
    game = fall(scene(5).roles(roles), 3, by=2, defeated=(0, 1))
    assert game.winners == [2]


def test_r12_a_draw_is_the_defeat_of_all_at_once():
    """R-12: Utsuho and the last other player fall together."""
    start = scene().roles("ex_boss heroine stage_boss stage_boss").seat(2, defeated=True).seat(3, defeated=True)
    game = start.seat(0, "reiuji_utsuho", life=1, hand="spiritual_attack").seat(1, life=3).build()
    act(game, "play spiritual_attack")
    while not game.over:
        game.act("pass")
    assert (game.outcome, game.winners) == ("draw", [])


def test_r13_the_extra_boss_reveals_once_another_has_fallen_before():
    """R-13: also at 0 life; not when somebody falls in the same moment."""
    start = scene().roles("ex_boss stage_boss stage_boss heroine").seat(0, life=1).seat(3, hand="laser_shot").turn(3)
    game = start.build()
    act(game, "play laser_shot", "choose seat:0")
    assert game.seat(0).defeated
    game = start.seat(1, defeated=True).build()
    act(game, "play laser_shot", "choose seat:0")
    pass_until(game, "rescue", 0)
    game.act("reveal")
    assert (game.seat(0).role, game.seat(0).life) == ("ex_boss_revealed", 1)


@pytest.mark.parametrize(("life", "then"), [(4, 5), (1, 2)])
def test_r14_revealing_gives_a_life(life, then):
    """R-14: from 4 to 5 too, because max life is 5 from then on."""
    game = scene().roles("phantom_boss stage_boss stage_boss heroine").seat(0, life=life).seat(1, defeated=True).build()
    game.act("reveal")
    assert (game.seat(0).life, game.seat(0).max_life) == (then, 5)


def test_r15_roles_of_the_heroine_and_the_defeated_are_open():
    """R-15: a player who is defeated shows the role; the others go on hiding theirs."""
    game = fall(scene(5).roles("heroine partner stage_boss challenger ex_boss"), 2, by=0)
    assert [seat.role_revealed for seat in game.seats] == [True, False, True, False, False]


def test_r17_victory_after_a_swap_of_roles():
    """R-17: the Final Boss, who hands her card to the defeated Heroine, is the Heroine and wins with every boss defeated."""
    start = scene(5).roles("heroine partner stage_boss final_boss ex_boss").turn(3, step="incident")
    for seat in (0, 2, 4):
        start.seat(seat, defeated=True)
    game = start.incident_deck(top="crisis_of_faith").deck("power/autumn").build()
    assert game.over
    assert game.winners == [1, 3]


def test_r18_a_goal_that_is_met_ends_the_game():
    """R-18: nobody is asked whether to declare it."""
    game = fall(scene().roles("heroine stage_boss stage_boss ex_boss"), 3, by=0, defeated=(1, 2))
    assert (game.over, game.asking, game.winners) == (True, None, [0])
    assert kinds(game.seat(0).hand) == ["grimoire"]
    assert not Game.new(GameConfig(num_players=4, characters="none"), seed=1).over


def test_r19_effects_of_a_defeated_player_end_where_the_turn_would_have_come():
    """R-19: Suika's number outlives her until her next turn would have begun, and no longer."""
    start = scene(5, turns=6).roles("heroine stage_boss stage_boss partner ex_boss").turn(1).incident("overdrive")
    start.seat(1, "ibuki_suika", life=1, hand="spiritual_attack").seat(2, hand="laser_shot shoot").seat(3, hand="shoot")
    game = start.build()
    act(game, "play spiritual_attack", "choose number:3")
    pass_until(game, "main", 2)
    act(game, "play laser_shot", "choose seat:1")
    assert game.seat(1).defeated
    distances = {2: game.distance(2, 3)}
    while game.turn_number < 5:
        game.act("pass")
        distances.setdefault(game.turn, game.distance(2, 3))
    assert [turn for turn in distances if distances[turn] == 3] == [2, 3, 4, 0]
    while game.turn != 2 and not game.over:
        game.act("pass")
    assert (game.turn, game.distance(2, 3)) == (2, 1)
