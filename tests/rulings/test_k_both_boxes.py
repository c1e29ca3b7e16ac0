"""Rulings K with cards of both boxes mixed: reactions inside reactions, instants between them, and cards that several want."""

from tests.table import act, kinds, life, pass_until
from tests.table import lunatic_scene as table


def test_k3_a_stopped_scythe_leaves_the_graze_alone():
    """K-3, A-13: Shoot, Graze, Komachi's Scythe on that avoidance, a Lunatic Bomb on the Scythe: the Graze holds after all."""
    start = table(6).seat(0, hand="shoot").seat(1, "remilia_scarlet", hand="graze")
    game = start.seat(3, "onozuka_komachi", hand="spiritual_attack").seat(5, hand="lunatic_bomb/spring").build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 1)
    act(game, "play graze")
    assert (game.asking, game.question) == (3, "respond")
    act(game, "play spiritual_attack")
    assert (game.asking, game.question) == (5, "cancel")
    act(game, "play bomb")
    assert (game.asking, game.question, game.seat(1).life) == (1, "may", 4)  # Remilia has avoided it
    game.act("choose yes")
    assert len(game.seat(1).hand) == 1


def test_k3_a_chain_of_five():
    """K-3: Shoot, Graze given up by Yuugi for an attack of hers, a Graze against that, Komachi's Scythe on it: the last resolves first."""
    start = table(6).seat(0, hand="shoot graze grimoire", items="nimble_cloth").seat(3, "onozuka_komachi", hand="spiritual_attack")
    game = start.seat(1, "hoshiguma_yuugi", hand="graze/spring graze/winter").build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 1)
    game.act("play graze")
    if game.question == "season":
        game.act("choose season:spring")
    act(game, "ability hoshiguma_yuugi", "choose yes")
    assert (game.asking, game.question, game.distance(1, 0)) == (0, "attacked", 2)  # out of her range, so it can be dodged
    game.act("play graze")
    assert (game.asking, game.question) == (3, "respond")
    game.act("play spiritual_attack")
    assert (game.asking, game.question) == (0, "attacked")  # Komachi's own attack comes first, to be answered by the Cloth or not at all
    before = life(game)
    game.act("pass")
    assert life(game)[0] == before[0] - 1
    game.act("pass")  # then Yuugi's, whose avoidance was stopped
    assert life(game)[0] == before[0] - 2
    assert (game.asking, game.question) == (1, "attacked")  # and the Shoot at last, which she may answer with her other Graze
    act(game, "play graze")
    pass_until(game, "main")
    assert life(game)[1] == before[1]


def test_k17_instants_between_reactions_resolve_at_once():
    """K-17: the Ghost Lantern is played inside the window of an attack made inside another: no answer to it, and no round begins anew."""
    start = table(6).seat(0, hand="shoot ghost_lantern grimoire", life=1).seat(1, hand="revenge_shot").seat(2, hand="graze shoot")
    game = start.deck("voile").build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 1)
    act(game, "play revenge_shot")
    pass_until(game, "attacked", 0)
    act(game, "play ghost_lantern")
    assert (game.asking, game.question) == (2, "attacked")  # who could protect seat 0 with Graze; seat 0 is not asked again
    game.act("pass")
    assert (game.asking, game.question, life(game)[:2]) == (
        2,
        "attacked",
        [1, 4],
    )  # nothing lost: now the Shoot
    game.act("pass")
    assert (game.question, life(game)[:2]) == ("main", [1, 3])
    assert kinds(game.lunatic_discard) == ["ghost_lantern"]


def test_k16_a_look_inside_three_windows_brings_priority_to_nobody():
    """K-16: Kanako looks between two who could cancel an action card; whoever has passed is not asked again."""
    start = table(6).seat(0, hand="grimoire").seat(1, hand="interrupt").seat(2, "yasaka_kanako").seat(3, hand="interrupt")
    game = start.deck("voile party").build()
    act(game, "play grimoire")
    assert (game.asking, game.question) == (1, "cancel")
    game.act("pass")
    assert (game.asking, game.question) == (2, "cancel")
    act(game, "ability yasaka_kanako", "choose deck:main", "choose top")
    assert (game.asking, game.question) == (3, "cancel")  # not seat 1 again
    game.act("play interrupt")
    assert kinds(game.discard) + kinds(game.lunatic_discard) == ["grimoire", "interrupt"]


def test_k4_draws_that_are_answered_while_a_card_waits():
    """K-4: a Grimoire waits while Kogasa strikes its player; the card drawn for that life is answered by Ichirin, twice over."""
    start = table(6).seat(0, hand="grimoire graze", life=4).seat(2, "tatara_kogasa", hand="spiritual_attack/summer")
    game = start.seat(4, "kumoi_ichirin", hand="spiritual_attack/winter").deck("shoot/summer voile party").build()
    act(game, "play grimoire")
    pass_until(game, "respond", 2)
    act(game, "play spiritual_attack")  # unavoidable: 1 life, 1 card
    assert (game.asking, game.question, game.seat(0).life, len(game.seat(0).hand)) == (4, "respond", 3, 2)
    act(game, "play spiritual_attack")
    assert (game.asking, game.question) == (0, "attacked")
    act(game, "play graze")  # the first of two; for the second there is none
    pass_until(game, "main")
    assert (game.seat(0).life, kinds(game.seat(0).hand)) == (2, ["party", "shoot", "voile"])  # Ichirin's hit brings no card


def test_k7_the_last_of_two_who_take_a_card_has_it():
    """K-7, L-9: Point of Collection, then Suwako: hers."""
    start = table().seat(0, hand="grimoire/summer").seat(1, "moriya_suwako", hand="spiritual_attack/winter")
    game = start.seat(2, hand="point_of_collection/winter").build()
    act(game, "play grimoire", "play point_of_collection")
    assert (game.asking, game.question) == (1, "respond")
    game.act("pass")  # she could have taken the Point of Collection
    pass_until(game, "respond", 1)
    act(game, "play spiritual_attack", "pass")
    pass_until(game, "main")
    assert ("grimoire" in kinds(game.seat(1).hand), "grimoire" in kinds(game.seat(2).hand)) == (True, False)


def test_k7_a_collector_after_suwako_has_the_card():
    """K-7, L-9: Suwako first, then Point of Collection in the same window: the collector's."""
    start = table().seat(0, hand="grimoire/summer").seat(1, "moriya_suwako", hand="spiritual_attack/winter")
    game = start.seat(2, hand="point_of_collection/winter").build()
    act(game, "play grimoire", "pass")
    pass_until(game, "respond", 1)
    act(game, "play spiritual_attack", "pass")
    pass_until(game, "respond", 2)
    act(game, "play point_of_collection")
    pass_until(game, "main")
    assert ("grimoire" in kinds(game.seat(1).hand), "grimoire" in kinds(game.seat(2).hand)) == (False, True)


def test_k7_kokoro_hands_on_nothing_that_another_takes():
    """K-7, L-9: her danmaku card goes where Point of Collection says, and she is not even asked."""
    start = table().seat(0, "hata_no_kokoro", hand="shoot grimoire").seat(2, hand="point_of_collection/winter")
    game = start.build()
    act(game, "play shoot", "choose seat:1", "play point_of_collection")
    while game.question != "main":
        assert (game.asking, game.question) != (0, "target")
        game.act("pass")
    assert "shoot" in kinds(game.seat(2).hand)


def test_k7_a_collector_of_the_collector():
    """K-7, L-9: a Point of Collection that is itself taken by Suwako still takes its card; both go their way when all is over."""
    start = table().seat(0, hand="grimoire/summer").seat(1, "moriya_suwako", hand="spiritual_attack/winter")
    game = start.seat(2, hand="point_of_collection/winter").build()
    act(game, "play grimoire", "play point_of_collection")
    assert (game.asking, game.question) == (1, "respond")
    assert "Point of Collection" in game.explain().splitlines()[-3]
    act(game, "play spiritual_attack", "pass")
    pass_until(game, "main")
    assert ("point_of_collection" in kinds(game.seat(1).hand), "grimoire" in kinds(game.seat(2).hand)) == (True, True)
    assert game.seat(1).hand[0].startswith("point_of_collection") or "grimoire" not in kinds(game.seat(1).hand)


def test_k5_what_cancels_a_cancel_is_nothing():
    """K-5: a Lunatic Bomb that cancels is a plain reaction: no Interrupt stops it."""
    start = table().seat(0, hand="shoot grimoire").seat(1, hand="lunatic_bomb/spring").seat(2, hand="interrupt")
    game = start.build()
    act(game, "play shoot", "choose seat:1", "play bomb")
    assert game.question == "main"
    assert kinds(game.seat(2).hand) == ["interrupt"]
