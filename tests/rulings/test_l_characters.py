"""Rulings L: the characters of Lunatic Extra. What they print is tested in tests/cards/test_lunatic_characters.py."""

from tests.table import act, kinds, life, pass_until
from tests.table import lunatic_scene as table


def test_l10_who_recruits_keeps_one_of_two_and_nobody_who_recruits():
    """L-10: of two drawn at random one is kept; Mamizou, Nue and Ran are shown and drawn anew."""
    start = table().seat(0, hand="tanuki_leaf grimoire").recruits(["futatsuiwa_mamizou", "yakumo_ran", "cirno", "hakurei_reimu"])
    game = start.build()
    game.act("play tanuki_leaf")
    assert (game.question, sorted(game.legal())) == ("character", ["choose character:cirno", "choose character:hakurei_reimu"])
    game.act("choose character:cirno")
    assert game.seat(0).extras == ["cirno"]


def test_l11_extra_characters_share_the_activation_of_the_round():
    """L-11: after her own Spell Card that of her Extra Character waits for the next round."""
    start = table().seat(0, "patchouli_knowledge", hand="spiritual_attack/spring spiritual_attack/winter voile", items="tanuki_leaf")
    start.plans[0]["extras"] = ["saigyouji_yuyuko"]
    game = start.build()
    act(game, "play spiritual_attack")
    while game.question != "main":
        game.act(game.legal()[0])
    assert (game.seat(0).spell_used, "play spiritual_attack" in game.legal()) == (True, False)


def test_l12_koishi_counts_what_she_copies_for_herself():
    """L-12: Koishi looks by Satori's ability, once, and not on her account. What an ability does at the start of the game is past."""
    game = table().seat(0, "komeiji_koishi", named="komeiji_satori", hand="voile").seat(1, "komeiji_satori").seat(2, hand="graze").build()
    act(game, "ability komeiji_satori", "choose seat:2")
    assert "ability komeiji_satori" not in game.legal()
    assert not game.record["used_round"][1]
    seija = table().seat(0, "komeiji_koishi", named="kijin_seija", hand="grimoire").seat(1, "kijin_seija").build()
    assert (seija.question, seija.seat(0).items) == ("main", [])


def test_l13_a_cancelled_spell_card_breaks_the_row():
    """L-13: who has it cancelled begins with one again."""
    start = table(turns=9).seat(0, "horikawa_raiko", hand="voile/autumn grimoire").seat(1, "hakurei_reimu", hand="bomb")
    game = start.build()
    act(game, "spell horikawa_raiko", "choose card:voile", "choose seat:1", "play bomb")
    assert game.record["streak"][0] == 0
    assert game.seat(0).spell_used


def test_l13_who_captures_it_has_a_row_of_their_own():
    """L-13: a first time is a damage of 1, whatever Raiko has done."""
    game = table().seat(0, hand="capture_spell_card grimoire").seat(1, "horikawa_raiko").build()
    act(game, "play capture_spell_card", "choose seat:1")
    assert game.seat(1).life == 3
    assert game.record["streak"].tolist()[:2] == [1, 0]


def test_l14_more_damage_than_life():
    """L-14: a Mini-Hakkero of 5 points against 2 lives: 2 lives are lost and 2 cards are drawn."""
    start = table().seat(0, "toramaru_shou", hand="spiritual_attack", items="mini_hakkero").seat(1, life=2, hand="one_up")
    game = start.build()
    act(game, "play spiritual_attack", "choose seat:1", "choose card:mini_hakkero")
    assert (game.seat(1).life, len(game.seat(1).hand)) == (0, 3)


def test_l15_judged_when_the_attack_is_put_on_the_stack():
    """L-15: an attack put on the stack at 1 life stays unavoidable, whatever becomes of that life."""
    start = table().seat(0, "saigyouji_yuyuko", hand="shoot grimoire").seat(1, "hoshiguma_yuugi", hand="spiritual_attack graze", life=1)
    game = start.build()
    act(game, "play shoot", "choose seat:1", "play spiritual_attack", "pass")
    assert (game.question, game.seat(1).life) == ("main", 1)  # 2 for a moment, and yet the Graze was no way out
    assert "graze" in kinds(game.seat(1).hand)


def test_l16_a_new_heroine_is_judged_by_her_new_role():
    """L-16: the role card held now counts: a Stage Boss is no summer any more than the Heroine is autumn."""
    for seat, card, changes in ((3, "shoot/summer", True), (3, "shoot/autumn", False), (1, "shoot/summer", False)):
        start = table().seat(0, "shiki_eiki", hand=f"spiritual_attack {card}", revealed=True).seat(seat, life=2)
        game = start.build()
        act(game, "play spiritual_attack", f"choose seat:{seat}", "choose number:1")
        assert game.seat(seat).life == 2 - changes


def test_l17_several_spring_cards_are_one_flip():
    """L-17: three spring cards discarded in one effect bring one flip, when all is over; a second effect in the turn brings none."""
    start = table().seat(0, hand="tempest party/spring grimoire/summer").seat(1, "tatara_kogasa", hand="shoot/spring bomb/spring")
    game = start.deck("power/summer power/autumn power/winter graze/winter graze/winter").build()
    game.act("play tempest")
    while game.question != "may":
        assert not game.over
        game.act(game.legal()[0])
    assert (game.asking, game.record["played_size"]) == (1, 0)  # the Tempest itself has been put away
    flips = sum("flips" in line for line in game.log)
    game.act("choose yes")
    assert sum("flips" in line for line in game.log) == flips + 1
    pass_until(game, "main", 0)
    assert not game.record["spring_due"]


def test_l18_ichirin_never_below_none():
    """L-18: for a single life lost the victim draws none at all; two hits cost two cards."""
    game = table().seat(0, "kumoi_ichirin", hand="capture_spell_card").seat(1, "reiuji_utsuho").build()
    act(game, "play capture_spell_card", "choose seat:1")
    assert (game.seat(1).life, game.seat(1).hand) == (1, [])


def test_l18_sumireko_names_a_season_for_each_card():
    """L-18: two cards of a Grimoire are two questions."""
    game = table().seat(0, "usami_sumireko", hand="grimoire voile").deck("bomb/spring shoot/summer").build()
    act(game, "play grimoire", "choose season:winter")
    assert game.question == "season"
    game.act("choose season:winter")
    assert (game.question, kinds(game.seat(0).hand)) == ("main", ["bomb", "shoot", "voile"])


def test_l23_dream_world_leaves_the_spell_cards_of_extra_characters():
    """L-23: the Extra Character of a Tanuki Leaf has no ability while Dream World is in play, but its Spell Card is there."""
    start = table().seat(0, hand="spiritual_attack", items="tanuki_leaf").incident("dream_world")
    start.plans[0]["extras"] = ["cirno"]
    game = start.build()
    assert (game.seat(0).abilities, game.seat(0).spell_cards, game.seat(0).range) == ([], ["cirno"], 1)
    assert "play spiritual_attack" in game.legal()


def test_l24_an_avoidance_given_up_is_none():
    """L-24: when Yuugi has given up her avoidance, there is nothing left for Komachi."""
    start = table().seat(0, hand="shoot grimoire").seat(1, "hoshiguma_yuugi", hand="graze")
    game = start.seat(3, "onozuka_komachi", hand="spiritual_attack").build()
    act(game, "play shoot", "choose seat:1", "play graze", "ability hoshiguma_yuugi", "pass")
    assert (game.question, game.seat(1).life) == ("main", 3)


def test_l25_rans_own_spell_card_comes_on_top():
    """L-25: her Extra Character's Spell Card was the one of the round, and her own comes all the same; a Captured one brings nothing."""
    game = table().seat(0, "yakumo_ran", hand="spiritual_attack shoot", extras=["saigyouji_yuyuko"]).build()
    act(game, "play spiritual_attack", "choose character:saigyouji_yuyuko", "choose yes", "choose number:1", "choose seat:1")
    assert life(game) == [4, 2, 3, 4]  # one for the Banquet's attack, one each for Yuyuko; the Heroine, seat 3, had 5
    game = table().seat(0, "yakumo_ran", hand="capture_spell_card shoot", extras=["cirno"]).seat(1, "saigyouji_yuyuko").build()
    act(game, "play capture_spell_card")
    assert game.question == "main"


def test_l26_tag_team_that_moves_recruits_anew():
    """L-26: Crisis of Faith takes Tag Team from its owner: the Extra Character leaves, and the former Heroine recruits another."""
    start = (
        table(turns=3).roles("tag_team heroine stage_boss stage_boss").seat(0, hand="grimoire", extras=["cirno"]).turn(0, step="incident")
    )
    start = start.recruits(["hakurei_reimu", "ibuki_suika"])
    game = start.incident_deck(top="crisis_of_faith").deck("bomb/autumn").build()
    assert (game.asking, game.question, game.seat(0).role, game.seat(0).extras) == (1, "character", "heroine", [])
    game.act("choose character:ibuki_suika")
    assert game.seat(1).extras == ["ibuki_suika"]


def test_l28_mokou_spares_herself_all_of_it():
    """L-28: a hit with damage 3 costs no life if she flips spring or summer."""
    start = table().seat(0, "kirisame_marisa", hand="spiritual_attack", items="power power").seat(1, "fujiwara_no_mokou", life=2)
    game = start.deck("bomb/summer").build()
    act(game, "play spiritual_attack", "choose seat:1", "choose yes")
    assert life(game)[1] == 2


def test_l29_iku_never_stops_a_spell_card():
    """L-29: Iku is not even asked when a Spell Card is activated."""
    start = table().seat(0, "patchouli_knowledge", hand="spiritual_attack/spring grimoire").seat(1, "nagae_iku", hand="graze/spring")
    game = start.build()
    act(game, "play spiritual_attack", "pass")
    pass_until(game, "main")
    assert len(game.seat(0).hand) == 3


def umbrella(hand, **plan):
    """Seat 1 is Kogasa; seat 0 has these cards and acts."""
    start = table(turns=9).seat(0, role="heroine", hand=hand).seat(1, "tatara_kogasa", role="stage_boss", **plan)
    return start.seat(2, role="stage_boss").seat(3, role="ex_boss").turn(0)


def test_l17_once_declined_it_is_not_offered_again_in_that_turn():
    """L-17: after the first spring card she declines; the second of the same turn brings no question, one of the next turn does."""
    game = umbrella("party/spring shoot/spring voile").seat(1, "tatara_kogasa", role="stage_boss", hand="shoot/spring").build()
    game.act("play party")
    while game.question != "may":
        game.act(game.legal()[0])
    assert game.asking == 1
    game.act("pass")
    act(game, "play shoot", "choose seat:3")
    pass_until(game, "main", 0)
    assert "shoot/spring" in game.discard
    game.act("pass")
    pass_until(game, "main", 1)
    act(game, "play shoot", "choose seat:2")
    pass_until(game, "may", 1)


def test_l17_accepted_it_is_used_up_as_well():
    """L-17: one flip per turn."""
    game = umbrella("party/spring shoot/spring voile").deck("power power power power power power/winter").build()
    game.act("play party")
    while game.question != "may":
        game.act(game.legal()[0])
    game.act("choose yes")
    pass_until(game, "main", 0)
    act(game, "play shoot", "choose seat:3")
    while (game.asking, game.question) != (0, "main"):
        assert game.question != "may"
        game.act("pass")


def test_l17_a_spring_card_of_the_lunatic_deck_counts():
    """L-17: of both discard piles: a Lunatic card of spring brings the question too, and the two together bring one."""
    game = umbrella("lunatic_bomb/spring voile").seat(2, role="stage_boss", hand="shoot/spring kourindou").turn(2).build()
    act(game, "play shoot", "choose seat:3", "play bomb")
    pass_until(game, "may", 1)
    assert (kinds(game.lunatic_discard), kinds(game.discard)) == (["lunatic_bomb"], ["shoot"])
    game.act("pass")
    assert (game.asking, game.question) == (2, "main")


def test_l17_the_flip_waits_for_the_empty_stack():
    """L-17: a spring card paid in the middle of an attack is asked about when all is over."""
    start = umbrella("shoot/summer voile").seat(2, role="stage_boss", hand="graze/winter shoot/spring")
    game = start.build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 2)
    game.act("play graze")
    assert "shoot/spring" in game.discard
    assert (game.asking, game.question, game.record["depth"]) == (1, "may", 2)


def test_l17_each_who_has_the_ability_is_asked_once():
    """L-17, L-12: Kogasa declines, and Koishi, who has named her, is asked all the same."""
    start = umbrella("party/spring voile").seat(2, "komeiji_koishi", role="stage_boss", named="tatara_kogasa")
    game = start.build()
    game.act("play party")
    asked = []
    while (game.asking, game.question) != (0, "main"):
        if game.question == "may":
            asked.append(game.asking)
        game.act("pass" if game.question == "may" else game.legal()[0])
    assert sorted(asked) == [1, 2]


def test_t2_declining_other_offers_of_the_turn_does_not_use_them_up():
    """T-2: Suwako keeps her first cards of a turn, and may draw the next ones anew."""
    game = table(turns=9).seat(0, "moriya_suwako", hand="grimoire/summer grimoire/autumn voile").build()
    act(game, "play grimoire", "choose season:summer") if "choose season:summer" in game.legal() else game.act("play grimoire")
    pass_until(game, "may", 0)
    game.act("pass")
    game.act("play grimoire")
    assert (game.asking, game.question) == (0, "may")
