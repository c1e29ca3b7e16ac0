"""Several texts at once: who comes first, and what one does to another. Each ruling alone is asked in tests/rulings."""

from itertools import permutations

import pytest

from danmaku_env.engine import invariants
from tests.table import act, kinds, life, pass_until, scene

# ---------------------------------------------------------------- an attack that triggers texts of several players


def handed_on(attacker, target, byakuren):
    """On the turn of seat 0 Melee is handed on by `attacker` to `target`, who has a Border; Byakuren has let the first attack pass."""
    start = scene(5).deck("power/winter power/winter")
    hands = {0: "melee grimoire", attacker: "seal_away grimoire", byakuren: "shoot" if byakuren else "melee grimoire shoot"}
    for seat in {0, attacker, target, byakuren}:
        character = "hijiri_byakuren" if seat == byakuren else ""
        start.seat(seat, character, hand=hands.get(seat, ""), items="supernatural_border" if seat == target else "")
    game = start.build()
    act(game, "play melee", f"choose seat:{attacker}")
    if byakuren:
        game.act("pass")
    act(game, "choose card:seal_away", f"choose seat:{target}")
    return game


@pytest.mark.parametrize(("attacker", "target", "byakuren"), list(permutations((1, 2, 4))))
def test_on_a_third_players_turn_border_and_byakuren_go_by_their_distance_from_it(attacker, target, byakuren):
    """K-14, H-3: placed from the current player on, so the farther one, clockwise, is first; Byakuren says beforehand what she does."""
    game = handed_on(attacker, target, byakuren)
    assert_order_of_border_and_byakuren(game, byakuren, flip_first=target > byakuren)


def assert_order_of_border_and_byakuren(game, byakuren, *, flip_first):
    """Byakuren is asked before the Border is flipped, and attacks before or after that."""
    assert (game.asking, game.question) == (byakuren, "discard")
    assert not any("flips" in line for line in game.log)
    game.act("choose card:shoot")
    flip = next(place for place, line in enumerate(game.log) if "flips" in line)
    attack = max(place for place, line in enumerate(game.log) if line.startswith(f"seat {byakuren} (Byakuren) attacks"))
    assert (flip < attack) is flip_first


@pytest.mark.parametrize(("target", "byakuren"), [(0, 2), (2, 0)])
def test_on_the_turn_of_the_attacked_or_of_byakuren_the_other_is_first(target, byakuren):
    """K-14: the current player's text is placed first, so it resolves last."""
    game = handed_on(3, target, byakuren)
    assert_order_of_border_and_byakuren(game, byakuren, flip_first=byakuren == 0)


def test_byakuren_strikes_whoever_hands_melee_on_but_not_herself():
    """H-3, A-16: each attack of the chain is another player's attack, until she hands it on herself."""
    start = scene().seat(0, hand="melee grimoire").seat(1, hand="seal_away").seat(2, "hijiri_byakuren", hand="shoot shoot laser_shot")
    game = start.build()
    act(game, "play melee", "choose seat:1", "choose card:shoot")  # against the first
    assert life(game) == [3, 3, 4, 5]
    act(game, "choose card:seal_away", "choose seat:2", "choose card:shoot")  # against the second
    assert life(game) == [3, 2, 3, 5]
    assert (game.asking, game.question) == (2, "discard")  # now it is hers to hand on
    act(game, "choose card:laser_shot", "choose seat:3")
    assert (game.question, life(game)) == ("main", [3, 2, 3, 4])


def test_byakuren_answers_what_nobody_can_avoid_and_a_counterattack():
    """H-3: "whenever another player attacks" asks for nothing else."""
    game = scene().seat(0, hand="laser_shot grimoire").seat(2, "hijiri_byakuren", hand="shoot").build()
    act(game, "play laser_shot", "choose seat:1", "choose card:shoot")
    assert life(game) == [3, 3, 4, 5]
    start = scene().seat(0, hand="shoot grimoire").seat(1, "hong_meiling", hand="spiritual_attack")
    game = start.seat(2, "hijiri_byakuren", hand="melee").build()
    act(game, "play shoot", "choose seat:1", "pass", "play spiritual_attack")
    assert (game.asking, game.question) == (2, "discard")
    game.act("choose card:melee")
    assert life(game) == [3, 2, 4, 5]


def test_avoided_by_a_border_an_attack_has_all_its_consequences():
    """K-14, A-14: Reisen attacks Remilia, whose Border avoids it: Byakuren is first, then, both having decided, Remilia, then Reisen."""
    start = scene(5).seat(0, "reisen_udongein_inaba", hand="shoot grimoire").seat(1, "remilia_scarlet", items="supernatural_border")
    game = start.seat(3, "hijiri_byakuren", hand="melee").deck("power/winter power/spring").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question) == (3, "discard")
    game.act("choose card:melee")
    assert game.seat(0).life == 3  # and she drew the Power of winter
    assert (game.asking, game.question, game.discard[-1]) == (0, "target", "power/spring")
    game.act("choose seat:4")
    assert (game.asking, game.question) == (1, "may")
    act(game, "choose yes")
    assert (life(game), len(game.seat(1).hand)) == ([3, 4, 4, 5, 3], 1)


def test_a_ring_of_answers_ends_before_the_stack_does():
    """Yukari's Border avoids Byakuren's attack, so Yukari attacks, so Byakuren answers: in a stack too deep neither is asked any more."""
    start = scene().seat(0, "yakumo_yukari", hand="laser_shot grimoire", items="supernatural_border")
    start.seat(1, "hijiri_byakuren", hand=["shoot"] * 14).turn(0)
    bright = [f"shoot/{season}" for season in ("spring", "summer")] * 3 + [f"graze/{season}" for season in ("spring", "summer")] * 3
    game = start.deck(bright).build()
    act(game, "play laser_shot", "choose seat:1")
    rounds = 0
    while game.question != "main":
        assert invariants.problem(game.record) is None
        rounds += game.question == "discard"
        game.act(game.legal()[1])
    assert 4 < rounds < 14


# ---------------------------------------------------------------- several attacks of one effect


def test_last_word_goes_on_when_its_attacker_has_fallen():
    """K-9, A-5, A-7: Byakuren's answers bring the attacker to 0, the attacks on the stack happen all the same, and all fall together."""
    start = scene(5).roles("stage_boss heroine partner stage_boss ex_boss").seat(0, hand="last_word grimoire", life=1)
    game = (
        start.seat(1, "hijiri_byakuren", hand="shoot").seat(2, life=1).seat(4, life=1).deck("power/winter power/spring focus voile").build()
    )
    act(game, "play last_word", "choose card:shoot")
    assert [seat.defeated for seat in game.seats] == [True, False, True, False, True]
    assert life(game) == [0, 4, 0, 3, 0]


def test_the_number_of_attacks_is_what_the_hand_showed():
    """Miracle Fruit counts when the hand is shown: danmaku cards drawn for lost life are not counted (K-9)."""
    start = scene().seat(0, "kochiya_sanae", hand="spiritual_attack grimoire").seat(1, hand="shoot melee focus")
    game = start.deck("shoot shoot shoot").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert (game.question, game.seat(1).life) == ("main", 2)
    assert kinds(game.seat(1).hand).count("shoot") == 3


def test_an_attack_answered_by_avoiding_and_striking_back_leaves_the_others():
    """K-9: Sakuya avoids the second attack of Reflowering with The World; the third comes on the third player as before."""
    start = (
        scene().seat(0, "kazami_yuuka", hand="spiritual_attack grimoire").seat(2, "izayoi_sakuya", hand="spiritual_attack").deck(["focus"])
    )
    game = start.build()
    act(game, "play spiritual_attack", "pass", "pass")  # the attack on seat 1 hits, and Yuuka draws nothing for it
    assert (game.asking, game.question, life(game)) == (2, "attacked", [4, 3, 4, 5])
    game.act("play spiritual_attack")
    assert life(game)[0] == 3
    pass_until(game, "main")
    assert life(game) == [3, 3, 4, 4]


def test_reflowering_strikes_whoever_is_left():
    """K-9, D-6: defeated players are no targets, and the order goes round those who are left."""
    start = scene(6).roles("heroine stage_boss stage_boss ex_boss partner stage_boss").turn(4).seat(5, defeated=True).seat(2, defeated=True)
    game = start.seat(4, "kazami_yuuka", hand="spiritual_attack grimoire").build()
    act(game, "play spiritual_attack")
    pass_until(game, "main")
    assert [line[:6] for line in game.log if "loses" in line] == ["seat 0", "seat 1", "seat 3"]


def test_borders_flip_for_each_attack_while_they_are_there():
    """K-9, K-15: one flip for the first attack of three; the Border is lost to it, so the others meet none."""
    start = scene().seat(0, "reiuji_utsuho", hand="spiritual_attack grimoire").seat(1, items="supernatural_border")
    game = start.deck("power/winter focus voile tempest party").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert game.seat(1).items == []
    assert sum("flips" in line for line in game.log) == 1
    assert game.seat(1).life == 1
    start.seat(1, items="supernatural_border power")
    game = start.deck("power/spring shoot/winter focus shoot/spring").build()
    act(game, "play spiritual_attack", "choose seat:1", "choose card:power")  # avoided, hit, avoided
    assert (sum("flips" in line for line in game.log), game.seat(1).life) == (3, 3)


# ---------------------------------------------------------------- priority after an attack


def test_priority_after_a_counterattack_is_that_of_the_first_attack():
    """K-3: Miko avoids Byakuren's answer with her last card; her own attack is on top again, so she may act in its window."""
    start = scene().seat(0, "toyosatomimi_no_miko", hand="shoot graze").seat(2, "hijiri_byakuren", hand="melee")
    game = start.build()
    act(game, "play shoot", "choose seat:1", "choose card:melee", "play graze")
    assert (game.asking, game.question, game.legal()) == (0, "attacked", ["pass", "spell toyosatomimi_no_miko"])
    game.act("pass")
    assert (game.seat(1).life, game.asking, game.question) == (3, 0, "step")
    game.act("pass")
    assert (game.asking, game.question) == (0, "main")


def test_everybody_is_asked_after_an_attack_where_everybody_is_asked():
    """K-3: so that nobody can tell who could have done something."""
    game = scene(ask_everyone=True, ask_forced=True).seat(0, hand="laser_shot grimoire").build()
    act(game, "play laser_shot", "choose seat:1")
    pass_until(game, "step")
    asked = []
    while game.question == "step":
        asked.append(game.asking)
        game.act("pass")
    assert (asked, game.question) == ([0, 1, 2, 3], "main")


def test_priority_is_given_once_for_all_the_attacks_of_one_card():
    """K-3: when the last one has left; between them the next one's window is there."""
    start = scene().roles("heroine stage_boss stage_boss ex_boss").seat(2, defeated=True).seat(3, life=2)
    game = start.seat(0, hand="last_word grimoire").build()
    game.act("play last_word")
    asked = []
    while game.question != "main":
        asked.append((game.asking, game.question, life(game)))
        game.act("pass")
    assert asked == [
        (3, "cancel", [5, 4, 0, 2]), (3, "attacked", [5, 4, 0, 2]), (3, "attacked", [5, 3, 0, 2]), (3, "step", [5, 3, 0, 1]),
    ]  # fmt: skip


def test_utsuhos_loss_comes_before_priority_after_her_attacks():
    """H-15, K-3: it belongs to the same effect."""
    start = scene().seat(0, "reiuji_utsuho", hand="spiritual_attack grimoire").seat(1, "toyosatomimi_no_miko", hand="graze graze graze")
    game = start.build()
    act(game, "play spiritual_attack", "choose seat:1", "play graze", "play graze", "play graze")
    assert (game.asking, game.question, game.seat(0).life) == (1, "step", 3)
