"""K-14: what one event triggers is decided by all before any of it happens; A-13, A-14: an avoidance stands where its text says."""

import pytest

from danmaku_env import Game
from danmaku_env.engine import invariants
from tests.table import act, kinds, life, scene

OTHERS = (
    ("shameimaru_aya", "cirno"), ("reiuji_utsuho", "ibuki_suika"), ("kumoi_ichirin", "hakurei_reimu"), ("patchouli_knowledge", "junko"),
)  # fmt: skip
"""Pairs of characters that have nothing to say to what happens here."""


def pair(first, second, turns=2, target=None, **plan):
    """A table of Double Threat at which seat 0 plays two characters."""
    start = scene(turns=turns, characters="double_threat", expansion="lunatic_extra")
    for seat, others in enumerate(OTHERS):
        start.seat(seat, others)
    if target:
        start.seat(1, **{"character": OTHERS[1], **target})
    return start.seat(0, (first, second), **plan)


def lunatic(players=4, turns=2):
    return scene(players, turns, expansion="lunatic_extra")


def asks(game, seat, question):
    """The seat is asked this, and the record is one that can be kept and taken up again."""
    assert (game.asking, game.question) == (seat, question)
    assert invariants.problem(game.record) is None
    return Game.from_bytes(game.to_bytes())


def order(game, *parts):
    """The parts turn up in the log, in this order."""
    places = [next(place for place, line in enumerate(game.log) if part in line) for part in parts]
    assert places == sorted(places), game.log


# ---------------------------------------------------------------- several seats


def reisen_and_remilia():
    start = scene(5).seat(0, "reisen_udongein_inaba", hand="shoot grimoire").seat(1, "remilia_scarlet", hand="graze")
    game = start.build()
    act(game, "play shoot", "choose seat:1", "play graze")
    return game


def test_k14_the_current_player_decides_first_with_her_target_and_what_was_added_last_happens_first():
    """K-14: Reisen names her target before Remilia is asked; Remilia then draws first."""
    game = asks(reisen_and_remilia(), 0, "target")
    game.act("choose seat:4")
    game = asks(game, 1, "may")
    assert (life(game), game.seat(1).hand) == ([4, 4, 4, 5, 4], [])
    assert "Reisen Udongein Inaba of seat 0 (Reisen) on seat 4" in game.explain()
    game.act("choose yes")
    assert (life(game), len(game.seat(1).hand)) == ([4, 4, 4, 5, 3], 1)
    order(game, "seat 1 (Remilia) draws", "seat 0 (Reisen) attacks seat 4")


@pytest.mark.parametrize(("reisen", "remilia", "lives", "cards"), [("pass", "choose yes", 4, 1), ("choose seat:4", "pass", 3, 0)])
def test_k14_whoever_declines_leaves_the_others_theirs(reisen, remilia, lives, cards):
    """K-14: either may say no, and the other's happens."""
    game = reisen_and_remilia()
    act(game, reisen, remilia)
    assert (game.question, game.seat(4).life, len(game.seat(1).hand)) == ("main", lives, cards)


def test_k14_a_target_named_before_need_not_be_in_range_any_more():
    """K-14, K-12, K-13: both name Hecatia; hit by Reisen she has 1 life left and is too far for Yukari, whose attack is not made."""
    start = (
        lunatic().seat(0, "reisen_udongein_inaba", hand="shoot grimoire", items="stopwatch power").seat(1, "yakumo_yukari", hand="graze")
    )
    game = start.seat(2, "hecatia_lapislazuli", life=2).build()
    act(game, "play shoot", "choose seat:1", "play graze")
    act(asks(game, 0, "target"), "choose seat:2")
    game.act("choose seat:2")
    game = asks(game, 1, "target")
    game.act("choose seat:2")
    assert (game.question, life(game)) == ("main", [4, 4, 1, 5])
    assert not any("(Yukari) attacks" in line for line in game.log)


def test_k14_two_byakurens_pay_one_after_the_other_before_either_attacks():
    """K-14, H-3: the nearer has discarded, or not, before she sees what the farther one's attack does; that attack is first."""
    start = lunatic().seat(0, hand="laser_shot grimoire").seat(1, "hijiri_byakuren", hand="shoot")
    game = start.seat(2, "komeiji_koishi", named="hijiri_byakuren", hand="melee").build()
    act(game, "play laser_shot", "choose seat:3")
    game = asks(game, 1, "discard")
    game.act("choose card:shoot")
    game = asks(game, 2, "discard")
    assert (life(game), kinds(game.discard), kinds(game.seat(0).hand)) == ([4, 4, 4, 5], ["shoot"], ["grimoire"])
    game.act("choose card:melee")
    assert life(game) == [2, 4, 4, 4]
    order(game, "seat 2 (Koishi) attacks", "seat 1 (Byakuren) attacks", "hits seat 3")


def test_k14_of_two_byakurens_one_may_decline():
    """K-14: the farther one attacks alone, and what she does is another attack."""
    start = lunatic().seat(0, hand="laser_shot grimoire").seat(1, "hijiri_byakuren", hand="shoot")
    game = start.seat(2, "komeiji_koishi", named="hijiri_byakuren", hand="melee").build()
    act(game, "play laser_shot", "choose seat:3", "pass", "choose card:melee")
    act(asks(game, 1, "discard"), "pass")  # now it is Koishi's attack
    game.act("pass")
    assert (life(game), kinds(game.seat(1).hand)) == ([3, 4, 4, 4], ["shoot"])


def test_k14_byakuren_decides_before_the_border_is_flipped_and_the_farther_is_first():
    """K-14, K-15: the Border asks nothing; it lies above or below her attack by where the two sit."""
    for byakuren, border, first in ((1, 3, "flips"), (3, 1, "attacks seat 0")):
        start = scene(5).seat(0, hand="laser_shot grimoire").seat(byakuren, "hijiri_byakuren", hand="melee")
        game = start.seat(border, items="supernatural_border").deck("power/autumn").build()
        act(game, "play laser_shot", f"choose seat:{border}")
        game = asks(game, byakuren, "discard")
        assert not any("flips" in line for line in game.log)
        game.act("choose card:melee")
        assert life(game)[0] == 3
        order(game, first, "flips" if first != "flips" else "attacks seat 0")


def fallen(seats, hand="last_word grimoire"):
    start = lunatic(6).roles("heroine stage_boss stage_boss ex_boss partner stage_boss").seat(0, hand=hand)
    start.seat(1, "kaenbyou_rin").seat(2, "komeiji_koishi", named="kaenbyou_rin")
    for seat in (4, 5):
        start.seat(seat, life=1 if seat in seats else 4)
    return start.build()


def test_k14_two_rins_decide_before_either_draws():
    """K-14: the nearer is asked before she has seen what the farther one draws."""
    game = fallen((4,))
    game.act("play last_word")
    game = asks(game, 1, "may")
    before = [len(seat.hand) for seat in game.seats]
    game.act("choose yes")
    game = asks(game, 2, "may")
    assert [len(seat.hand) for seat in game.seats] == before
    game.act("choose yes")
    assert [len(seat.hand) for seat in game.seats][1:3] == [before[1] + 2, before[2] + 2]
    drawn = [line for line in game.log if "draws 2" in line]
    assert ["Koishi" in line for line in drawn] == [True, False]


def test_k14_two_who_fall_together_are_one_condition_and_what_is_alike_is_not_put_in_order():
    """K-14: each Rin decides for both of the fallen in a row, the nearer first, before anybody draws."""
    game = fallen((4, 5))
    game.act("play last_word")
    before = [len(seat.hand) for seat in game.seats][:3]
    for seat, answer in ((1, "choose yes"), (1, "pass"), (2, "choose yes"), (2, "choose yes")):
        game = asks(game, seat, "may")
        assert [len(seat.hand) for seat in game.seats][:3] == before
        game.act(answer)
    assert [len(seat.hand) for seat in game.seats][:3] == [before[0], before[1] + 2, before[2] + 4]


def test_k14_two_kogasas_decide_before_either_flips():
    """K-14, L-17: the nearer says whether she flips before the farther one's card is seen, which is played first."""
    start = lunatic(5).seat(0, hand="shoot/spring grimoire").seat(1, "tatara_kogasa").seat(2, "komeiji_koishi", named="tatara_kogasa")
    game = start.deck("power/spring grimoire/summer focus/autumn").build()
    act(game, "play shoot", "choose seat:1")
    game = asks(game, 1, "may")
    game.act("choose yes")
    game = asks(game, 2, "may")
    assert not any("flips" in line for line in game.log)
    game.act("choose yes")
    game = asks(game, 2, "may")  # whether she plays the Grimoire
    assert [line for line in game.log if "flips" in line] == ["seat 2 (Koishi) flips Grimoire (summer)"]
    game.act("choose yes")
    order(game, "seat 2 (Koishi) flips", "seat 2 (Koishi) plays Grimoire", "seat 1 (Kogasa) flips")


def test_k14_three_seats_decide_in_play_order_from_the_current_player():
    """K-14: on seat 0's turn an attack of seat 4 is avoided by seat 2's Border; Byakuren decides before the flip, Reisen before Remilia."""
    start = scene(6).seat(0, hand="melee grimoire").seat(1, "remilia_scarlet", items="supernatural_border")
    start.seat(2, "hijiri_byakuren", hand="shoot").seat(4, "reisen_udongein_inaba", hand="shoot")
    game = start.deck("power/winter power/winter power/spring").build()
    act(game, "play melee", "choose seat:4", "pass", "choose card:shoot", "choose seat:1")
    game = asks(game, 2, "discard")
    game.act("choose card:shoot")
    game = asks(game, 1, "may")  # seat 0's turn: seat 1 comes before seat 4
    game.act("choose yes")
    game = asks(game, 4, "target")
    game.act("choose seat:3")
    order(game, "seat 2 (Byakuren) attacks seat 4", "flips", "seat 4 (Reisen) attacks seat 3", "seat 1 (Remilia) draws")


# ---------------------------------------------------------------- one seat with several


@pytest.mark.parametrize(("first", "lines"), [
    ("kochiya_sanae", ("looks at", "attacks seat 3")), ("konpaku_youmu", ("attacks seat 3", "looks at")),
])  # fmt: skip
def test_k14_sanae_and_youmu_of_one_player_are_put_in_order_by_her(first, lines):
    """K-14, H-8: both are decided, with the target; then she says which happens first. The card's own attack comes last."""
    game = pair("kochiya_sanae", "konpaku_youmu", hand="laser_shot grimoire").build()
    act(game, "play laser_shot", "choose seat:1")
    act(asks(game, 0, "may"), "choose yes")
    act(game, "choose yes", "choose seat:3")
    game = asks(game, 0, "ability")
    assert game.legal() == ["choose character:kochiya_sanae", "choose character:konpaku_youmu"]
    game.act(f"choose character:{first}")
    game.act("choose yes")  # Sanae discards what she looked at
    assert life(game) == [4, 3, 4, 4]
    order(game, *lines, "attacks seat 1")


@pytest.mark.parametrize(("sanae", "youmu"), [("pass", "choose seat:3"), ("choose yes", "pass"), ("pass", "pass")])
def test_k14_nothing_is_put_in_order_where_only_one_remains(sanae, youmu):
    """K-14: one of the two is not wanted."""
    game = pair("kochiya_sanae", "konpaku_youmu", hand="laser_shot grimoire").build()
    act(game, "play laser_shot", "choose seat:1", sanae, youmu)
    assert game.question == ("may" if sanae == "choose yes" else "main")


def remilia_and_yukari(attacker=("cirno", "izayoi_sakuya")):
    start = pair(*attacker, target={"character": ("remilia_scarlet", "yakumo_yukari"), "hand": "graze"}, hand="shoot grimoire")
    game = start.build()
    act(game, "play shoot", "choose seat:1", "play graze")
    return game


@pytest.mark.parametrize(("first", "lines"), [
    ("remilia_scarlet", ("draws", "attacks seat 2")), ("yakumo_yukari", ("attacks seat 2", "draws")),
])  # fmt: skip
def test_k14_remilia_and_yukari_of_one_player_are_put_in_order_by_her(first, lines):
    """K-14: the avoider's two, by her own choice."""
    game = remilia_and_yukari()
    asks(game, 1, "may")
    act(game, "choose yes", "choose seat:2")
    asks(game, 1, "ability")
    game.act(f"choose character:{first}")
    order(game, *(f"seat 1 (Remilia and Yukari) {line}" for line in lines))


def test_k14_a_text_without_a_target_is_not_put_in_order():
    """K-14: Yukari attacks nobody, Flandre names no item; Remilia and Yuuka draw at once."""
    game = remilia_and_yukari()
    act(game, "choose yes", "pass")
    assert (game.question, len(game.seat(1).hand)) == ("main", 1)
    game = pair("kazami_yuuka", "flandre_scarlet", target={"items": "focus"}, hand="laser_shot grimoire").build()
    act(game, "play laser_shot", "choose seat:1", "choose yes", "pass")
    assert (game.question, len(game.seat(0).hand), len(game.seat(1).items)) == ("main", 2, 1)


@pytest.mark.parametrize(("first", "lines"), [
    ("remilia_scarlet", ("draws", "seat 0 (Reisen and Sakuya) attacks seat 3", "attacks seat 2")),
    ("yakumo_yukari", ("seat 0 (Reisen and Sakuya) attacks seat 3", "attacks seat 2", "Yukari) draws")),
])  # fmt: skip
def test_k14_reisen_goes_before_yukari_whatever_comes_with_her(first, lines):
    """K-14: three texts of one condition. Reisen decides first; Remilia's draw stands where its player puts it."""
    game = remilia_and_yukari(("reisen_udongein_inaba", "izayoi_sakuya"))
    asks(game, 0, "target")
    act(game, "choose seat:3", "choose yes", "choose seat:2", f"choose character:{first}")
    order(game, *lines)


def test_k14_yuuka_and_flandre_name_the_item_before_either_happens():
    """K-14: with one condition, her attack having taken life."""
    game = pair("kazami_yuuka", "flandre_scarlet", target={"items": "focus stopwatch"}, hand="laser_shot grimoire").build()
    act(game, "play laser_shot", "choose seat:1", "choose yes", "choose card:focus")
    asks(game, 0, "ability")
    assert (len(game.seat(1).items), len(game.seat(0).hand)) == (2, 1)
    game.act("choose character:flandre_scarlet")
    assert (kinds(game.seat(1).items), len(game.seat(0).hand)) == (["stopwatch"], 2)
    order(game, "discards Focus", "seat 0 (Yuuka and Flandre) draws")


@pytest.mark.parametrize("first", ["kirisame_marisa", "kaenbyou_rin"])
def test_k14_marisa_and_rin_name_item_and_card_before_the_draw_step(first):
    """K-14, T-6: both draw one card less."""
    start = pair("kirisame_marisa", "kaenbyou_rin", target={"items": "focus"}, hand="shoot").discard("grimoire voile party")
    game = start.turn(0, step="start").build()
    asks(game, 0, "target")
    act(game, "choose seat:1", "choose card:grimoire")
    asks(game, 0, "ability")
    assert (game.seat(0).items, kinds(game.seat(0).hand)) == ([], ["shoot"])
    game.act(f"choose character:{first}")
    assert (kinds(game.seat(0).items), kinds(game.seat(0).hand), game.question) == (["focus"], ["grimoire", "shoot"], "main")


def test_k14_two_skips_are_alike_and_what_a_skipped_turn_brings_is_put_in_order():
    """K-14: Meiling and Komachi of one player."""
    start = pair("hong_meiling", "onozuka_komachi", hand="shoot").discard("grimoire voile party").turn(0, step="start")
    game = start.build()
    act(game, "choose yes", "choose yes")  # both would skip: that is the same
    act(game, "choose yes", "choose yes")  # four cards, and three of the discard pile
    asks(game, 0, "ability")
    game.act("choose character:onozuka_komachi")
    assert game.question == "card"
    assert len(game.seat(0).hand) == 1


def test_k14_at_the_start_of_a_turn_three_texts_of_one_player_are_put_in_order():
    """K-14, T-3: Koishi names first, of whom she will have the ability; that, Kaguya's flip and the Elixir happen as she likes."""
    game = pair("houraisan_kaguya", "komeiji_koishi", items="hourai_elixir", life=2).turn(0, step="start").build()
    asks(game, 0, "ability")
    game.act("choose character:cirno" if "choose character:cirno" in game.legal() else "choose character:junko")
    game = asks(game, 0, "ability")
    assert game.legal() == ["choose card:hourai_elixir", "choose character:houraisan_kaguya", "choose character:komeiji_koishi"]
    game.act("choose character:houraisan_kaguya")
    asks(game, 0, "ability")
    assert game.seat(0).life == 2
    game.act("choose character:komeiji_koishi")
    order(game, "flips", "has the ability of")
    assert game.seat(0).life >= 3


def test_k14_what_has_nothing_to_do_with_each_other_is_not_put_in_order():
    """K-14: Kaguya's flip and the Elixir's life, Shou's draw and that life: the order cannot matter."""
    game = lunatic().seat(0, "houraisan_kaguya", items="hourai_elixir", life=2).deck("power/winter").turn(0, step="start").build()
    assert (game.question, game.seat(0).life) == ("main", 4)
    game = lunatic().seat(0, "toramaru_shou", hand="hourai_elixir grimoire", life=2).build()
    act(game, "play hourai_elixir", "choose yes")
    assert (game.question, game.seat(0).life, len(game.seat(0).hand)) == ("main", 3, 2)


def test_k14_the_role_of_a_player_is_put_in_order_with_her_other_texts():
    """K-14: it is named by the role."""
    start = lunatic(5).roles("true_phantasm_boss heroine stage_boss stage_boss partner").incident("endless_party")
    game = start.seat(0, "tatara_kogasa", items="hourai_elixir", life=2, revealed=True).turn(0, step="start").build()
    act(asks(game, 0, "may"), "choose yes")
    game.act("choose yes")
    asks(game, 0, "ability")
    assert game.legal() == ["choose card:hourai_elixir", "choose role:true_phantasm_boss"]
    game.act("choose role:true_phantasm_boss")
    assert (game.question, game.seat(0).life) == ("incident", 2)


def test_t3_at_the_start_of_a_turn_all_decide_in_play_order_and_the_current_player_goes_first():
    """T-3, K-14: Mamizou, whose turn it is, pays before Koishi names; she recruits before Koishi has what she named."""
    start = lunatic(5).seat(0, "cirno").seat(1, "futatsuiwa_mamizou", hand="grimoire").seat(2, "komeiji_koishi")
    game = start.turn(1, step="start").build()
    asks(game, 1, "discard")
    game.act("choose card:grimoire")
    game = asks(game, 2, "ability")
    assert game.seat(1).extras == []
    game.act("choose character:cirno")
    asks(game, 1, "character")
    assert "cirno" not in game.seat(2).abilities
    game.act(game.legal()[0])
    assert "cirno" in game.seat(2).abilities


def test_k14_a_text_found_among_cards_aside_is_decided_while_they_lie_there():
    """K-14, H-1: Alice's search finds an item, and Shou of the same player may draw for it."""
    game = pair("alice_margatroid", "toramaru_shou", hand="spiritual_attack grimoire").deck("grimoire voile focus/summer power").build()
    act(game, "play spiritual_attack", "choose character:alice_margatroid", "pass")
    asks(game, 0, "may")
    game.act("choose yes")
    assert (kinds(game.seat(0).items), kinds(game.seat(0).hand)) == (["focus"], ["grimoire", "power"])


# ---------------------------------------------------------------- avoidance


def reflected(by="remilia_scarlet", **seats):
    start = lunatic().seat(0, hand="shoot/spring grimoire graze").seat(1, by, hand="reflect_shot")
    for seat, plan in seats.items():
        start.seat(int(seat[1:]), **plan)
    game = start.build()
    act(game, "play shoot", "choose seat:1", "play reflect_shot")
    return game


def test_a14_what_an_avoidance_triggers_is_decided_then_and_lies_below_the_counterattack():
    """A-14: Remilia says yes when she has avoided; the counterattack of the same Reflect Shot is over before she draws."""
    game = reflected()
    game = asks(game, 1, "may")
    assert any("avoids" in line for line in game.log)
    game.act("choose yes")
    game = asks(game, 0, "attacked")
    assert game.seat(1).hand == []
    game.act("pass")
    assert (life(game), len(game.seat(1).hand)) == ([3, 4, 4, 5], 1)
    order(game, "seat 1 (Remilia) avoids", "hits seat 0", "seat 1 (Remilia) draws")


def test_a13_komachi_decides_before_the_counterattack_of_the_same_card():
    """A-13: her Scythe replaces the avoidance where it stands in Reflect Shot; the counterattack comes all the same."""
    game = reflected(s2={"character": "onozuka_komachi", "hand": "spiritual_attack"})
    game = asks(game, 2, "respond")
    assert not any("seat 1 (Remilia) attacks" in line or "avoids" in line for line in game.log)
    game.act("play spiritual_attack")
    asks(game, 0, "attacked")  # by the counterattack
    assert life(game) == [4, 3, 4, 5]  # Komachi's attack
    game.act("pass")
    assert life(game) == [3, 2, 4, 5]
    order(game, "seat 2 (Komachi) attacks seat 1", "seat 1 (Remilia) attacks seat 0")


def test_a13_komachi_may_let_it_be():
    """A-13: then Remilia has avoided it."""
    game = reflected(s2={"character": "onozuka_komachi", "hand": "spiritual_attack"})
    act(game, "pass", "choose yes", "pass")
    assert (life(game), len(game.seat(1).hand)) == ([3, 4, 4, 5], 1)


@pytest.mark.parametrize("struck", [True, False])
def test_a13_yuugi_gives_her_avoidance_up_before_the_counterattack_of_her_reflect_shot(struck):
    """A-13: her own attack comes first, then Reflect Shot's; the attack on her is not avoided."""
    game = reflected("hoshiguma_yuugi")
    game = asks(game, 1, "respond")
    assert not any("seat 1 (Yuugi) attacks" in line for line in game.log)
    act(game, "ability hoshiguma_yuugi", "choose yes" if struck else "pass")
    asks(game, 0, "attacked")  # that of Reflect Shot: her own cannot be avoided
    assert life(game)[0] == (3 if struck else 4)
    game.act("play graze")
    assert life(game) == [3 if struck else 4, 3, 4, 5]


def test_a13_what_is_not_avoided_after_all_may_be_answered_again():
    """A-13: a Reflect Shot, given up for Komachi's Scythe, and then a Graze for the attack that is still there."""
    start = lunatic().seat(0, hand="shoot/spring grimoire").seat(1, hand="reflect_shot graze graze")
    game = start.seat(2, "onozuka_komachi", hand="spiritual_attack").build()
    act(game, "play shoot", "choose seat:1", "play reflect_shot", "play spiritual_attack")
    act(game, "play graze")  # against the Scythe's attack
    game = asks(game, 1, "attacked")
    game.act("play graze")
    assert life(game) == [3, 4, 4, 5]


def test_a13_after_the_world_too_the_rest_of_the_text_comes_when_that_is_settled():
    """A-13, A-14: Sakuya's attack comes after Reisen and Remilia have decided, and is over before their effects happen."""
    target = {"character": ("remilia_scarlet", "izayoi_sakuya"), "hand": "spiritual_attack"}
    game = pair("reisen_udongein_inaba", "cirno", target=target, hand="shoot grimoire").seat(2, ("shameimaru_aya", "hakurei_reimu")).build()
    act(game, "play shoot", "choose seat:1", "play spiritual_attack")
    while game.question in ("spell", "cancel"):
        game.act("choose character:izayoi_sakuya" if game.question == "spell" else "pass")
    game = asks(game, 0, "target")
    assert life(game) == [4, 4, 4, 5]
    act(game, "choose seat:3")
    game = asks(game, 1, "may")
    game.act("choose yes")
    assert life(game) == [3, 4, 4, 4]
    order(game, "attacks seat 0", "seat 1 (Remilia and Sakuya) draws", "attacks seat 3")


def test_a14_what_a_border_avoids_triggers_above_what_still_waits_for_the_attack():
    """A-14, H-3: the farther Border flips before Byakuren's attack, so Remilia's draw and Reisen's attack come before that too."""
    start = scene(5).seat(0, "reisen_udongein_inaba", hand="laser_shot shoot shoot grimoire").seat(1, "hijiri_byakuren", hand="melee")
    game = start.seat(3, "remilia_scarlet", items="supernatural_border").deck("power/spring").build()
    act(game, "play shoot", "choose seat:3", "choose card:shoot", "pass")
    act(asks(game, 1, "discard"), "choose card:melee")
    game.act("choose card:melee")
    game = asks(game, 0, "target")
    game.act("choose seat:4")
    game = asks(game, 3, "may")
    game.act("choose yes")
    order(game, "flips", "avoids", "(Remilia) draws", "(Reisen) attacks seat 4", "(Byakuren) attacks seat 0")


def test_a14_each_avoided_attack_triggers_once():
    """A-14: of the attacks of a Last Word each that is avoided brings its own."""
    start = scene().seat(0, hand="last_word grimoire").seat(1, "remilia_scarlet", hand="graze").seat(2, hand="graze")
    game = start.build()
    act(game, "play last_word", "play graze")
    asks(game, 1, "may")
    act(game, "choose yes", "play graze")
    assert (game.question, len(game.seat(1).hand), life(game)) == ("main", 1, [4, 4, 4, 4])
