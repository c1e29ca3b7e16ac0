"""L-31 and L-32: two of one item, and the smaller questions of Lunatic Extra, a sentence a test."""

import pytest

from tests.table import act, kinds, life, pass_until
from tests.table import lunatic_scene as table


def flips(game):
    """How many cards have been flipped so far."""
    return sum("flips" in line for line in game.log)


def use_cloth(game):
    """Whoever is asked avoids an attack with a Nimble Cloth, paying with the first card."""
    game.act("use nimble_cloth")
    if game.question == "pay":
        game.act(game.legal()[0])


# ---------------------------------------------------------------- L-31: two copies of one item


@pytest.mark.parametrize(
    ("top", "avoided"),
    [("graze/autumn graze/winter", False), ("graze/autumn shoot/spring", True), ("shoot/spring graze/autumn", True)],
)
def test_l31_two_borders_flip_twice_for_an_attack(top, avoided):
    """L-31: each Border flips once for an attack, also when the first flip has avoided it; one spring or summer card is enough."""
    game = table().seat(0, hand="shoot voile").seat(1, "kijin_seija", items=["supernatural_border"] * 2).deck(top).build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "main")
    assert (flips(game), game.seat(1).life) == (2, 4 if avoided else 3)


def test_l31_every_attack_of_several_is_flipped_for_by_both_borders():
    """L-31, K-9: Utsuho attacks three times, so two Borders flip six times; an attack that hits costs one of them its place."""
    start = table().seat(0, "reiuji_utsuho", hand="spiritual_attack voile").seat(1, "kijin_seija", items=["supernatural_border"] * 2)
    game = start.deck("shoot/spring shoot/spring shoot/spring shoot/spring shoot/summer shoot/summer").build()
    act(game, "play spiritual_attack", "choose seat:1")
    pass_until(game, "main")
    assert (flips(game), game.seat(1).life) == (6, 4)
    game = start.deck("graze/autumn graze/autumn graze/winter graze/winter graze/winter graze/autumn").build()
    act(game, "play spiritual_attack", "choose seat:1")
    while game.question != "main":
        game.act("pass" if "pass" in game.legal() else game.legal()[0])
    assert (flips(game), game.seat(1).items) == (2 + 1 + 0, [])


def test_l31_a_border_of_either_deck_is_one_of_two():
    """L-31: the Lunatic copy is the same item; and under an attack that cannot be avoided both flip for nothing (K-15)."""
    items = ["supernatural_border", "lunatic_supernatural_border"]
    game = table().seat(0, hand="laser_shot voile").seat(1, "kijin_seija", items=items).deck("shoot/spring shoot/spring").build()
    act(game, "play laser_shot", "choose seat:1")
    while game.question != "main":
        game.act("pass" if "pass" in game.legal() else game.legal()[0])
    assert (flips(game), game.seat(1).life) == (2, 3)


def test_l31_each_nimble_cloth_has_a_use_of_its_own_each_turn():
    """L-31: two Cloths avoid twice in a turn and not a third time; in the next turn of the game both can be used anew."""
    start = table().seat(0, "reiuji_utsuho", hand="spiritual_attack voile", items="mini_hakkero")
    game = start.seat(1, "kijin_seija", hand="power power power power", items="nimble_cloth nimble_cloth").build()
    act(game, "play spiritual_attack", "choose seat:1")
    for _ in range(2):
        pass_until(game, "attacked", 1)
        use_cloth(game)
    pass_until(game, "main", 0)
    assert (game.seat(1).life, kinds(game.seat(1).items)) == (3, ["nimble_cloth", "nimble_cloth"])
    assert sum("uses" in line for line in game.log) == 2


def test_l31_both_cloths_may_be_used_for_the_same_attack_when_the_first_is_given_up():
    """L-31, A-13: Komachi takes the first avoidance away, and the other Cloth avoids the attack after all."""
    start = table().seat(0, "onozuka_komachi", hand="shoot spiritual_attack voile", items="mini_hakkero")
    game = start.seat(1, "kijin_seija", hand="power power power", items="nimble_cloth nimble_cloth").build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 1)
    use_cloth(game)
    pass_until(game, "respond", 0)
    game.act("play spiritual_attack")
    uses = 0
    while game.question != "main":
        if game.asking == 1 and "use nimble_cloth" in game.legal():
            uses += 1
            use_cloth(game)
        else:
            game.act("pass" if "pass" in game.legal() else game.legal()[0])
    assert uses == 1, "of her counterattack and the attack itself the other Cloth avoids one"


def test_l31_a_cloth_that_comes_into_play_has_its_use_still():
    """L-31: the use belongs to the Cloth: of one used and one that is new the new one can be used, but not the used one by its thief."""
    start = table().seat(0, "kijin_seija", hand="shoot shoot borrow voile", items="full_power nimble_cloth")
    start = start.seat(1, hand="power power revenge_shot revenge_shot/spring", items="nimble_cloth")
    game = start.build()
    act(game, "play shoot", "choose seat:1")
    while (game.asking, game.question) != (1, "attacked"):
        game.act("pass")
    use_cloth(game)
    pass_until(game, "main", 0)
    game.act("play borrow")
    assert kinds(game.seat(0).items) == ["full_power", "nimble_cloth", "nimble_cloth"]
    act(game, "play shoot", "choose seat:1")
    uses = 0
    while game.question != "main":
        if game.asking == 0 and "use nimble_cloth" in game.legal():
            uses += 1
            use_cloth(game)
        else:
            revenge = game.asking == 1 and "play revenge_shot" in game.legal()
            game.act("play revenge_shot" if revenge else "pass" if "pass" in game.legal() else game.legal()[0])
    assert uses == 1, "against two Revenge Shots: her own Cloth, and not the one that seat 1 has used in this turn"


@pytest.mark.parametrize("item", ["focus", "supernatural_border"])
def test_l31_one_of_two_lost_leaves_the_other_at_work(item):
    """L-31: of two Focuses or Borders one is discarded: the other still adds its distance, or flips."""
    start = table().seat(0, hand="seal_away shoot voile", items="power full_power").seat(1, "kijin_seija", items=[item] * 2)
    game = start.deck("shoot/spring shoot/spring").build()
    before = game.distance(0, 1)
    act(game, "play seal_away", "choose seat:1", f"choose card:{item}")
    pass_until(game, "main")
    assert kinds(game.seat(1).items) == [item]
    if item == "focus":
        assert (before, game.distance(0, 1)) == (5, 3)
    else:
        assert (flips(game), game.seat(1).life) == (1, 4)


# ---------------------------------------------------------------- L-32, sentence by sentence


def test_l32_an_empty_hand_thrown_away_earns_the_extra_turn():
    """L-32: Dawn was Kaguya's last card; she throws away nothing, and the next turn is hers."""
    game = table(turns=2).seat(0, "houraisan_kaguya", hand="spiritual_attack").seat(1, hand="voile").build()
    act(game, "play spiritual_attack", "pass")
    pass_until(game, "may", 0)
    assert game.seat(0).hand == []
    game.act("choose yes")
    number = game.turn_number
    while game.turn_number == number:
        game.act("pass" if "pass" in game.legal() else game.legal()[0])
    assert game.turn == 0


def test_l32_hecatia_may_pick_what_does_nothing_but_no_attack_without_a_target():
    """L-32: with an empty hand, at max life, no incident and nobody in range she names three of the other four options."""
    start = table(turns=2).seat(0, "hecatia_lapislazuli", hand="spiritual_attack").seat(1, items="focus").seat(3, items="focus")
    game = start.build()
    game.act("play spiritual_attack")
    assert game.legal() == ["choose number:1", "choose number:2", "choose number:3", "choose number:4"]
    act(game, "choose number:3", "choose number:4", "choose number:2", "choose seat:1")
    assert (life(game), game.turn, len(game.seat(1).hand)) == ([4, 4, 4, 5], 1, 1 + 2), "one card hers, two of her draw step"


@pytest.mark.parametrize(
    ("plan", "playable"),
    [
        ({"hand": "spiritual_attack"}, False),
        ({"hand": "spiritual_attack spiritual_attack"}, True),
        ({"hand": "spiritual_attack power"}, True),
    ],
)
def test_l32_eiki_needs_a_card_to_show(plan, playable):
    """L-32: her Spell Card cannot be activated with the invocation card as the last of the hand."""
    game = table().seat(0, "shiki_eiki", **plan).build()
    assert ("play spiritual_attack" in game.legal()) is playable


@pytest.mark.parametrize(("hand", "usable"), [("voile kourindou", False), ("voile kourindou grimoire", True)])
def test_l32_eiki_keeps_a_card_when_she_pays_with_cards(hand, usable):
    """L-32: the two cards that Mini-Hakkero costs do not count as one to show."""
    game = table().seat(0, "shiki_eiki", hand=hand, items="mini_hakkero").build()
    assert ("use mini_hakkero" in game.legal()) is usable


def test_l32_whoever_captures_eikis_spell_card_needs_a_card_too():
    """L-32: nobody else's Spell Card could be captured, and hers only with a further card in hand."""
    start = table().seat(0, hand="capture_spell_card").seat(1, "shiki_eiki")
    assert "play capture_spell_card" not in start.build().legal()
    game = start.seat(0, hand="capture_spell_card power").build()
    game.act("play capture_spell_card")
    if game.question == "target":
        game.act("choose seat:1")
    assert "Guilty or Not Guilty" in str(game.explain())


def test_l32_the_card_drawn_for_the_life_paid_is_one_to_show():
    """L-32, A-4: under Overdrive the life that pays for it brings a card to show."""
    game = table().seat(0, "shiki_eiki").seat(1, hand="power").incident("overdrive").build()
    game.act("spell overdrive")
    while game.question != "main":
        game.act(game.legal()[0])
    assert any("Guilty or Not Guilty" in line for line in game.log)


def test_l32_reisens_copy_chooses_anew():
    """L-32: Ran attacks with her Banquet; Reisen cancels that, and her copy draws two instead."""
    start = table().seat(0, "yakumo_ran", hand="spiritual_attack voile").seat(1, "reisen_udongein_inaba", hand="spiritual_attack")
    game = start.build()
    act(game, "play spiritual_attack", "choose number:1", "choose seat:2")
    act(game, "play spiritual_attack", "choose yes")
    assert (game.asking, game.legal()) == (1, ["choose number:1", "choose number:2", "choose number:3"])
    game.act("choose number:3")
    pass_until(game, "main")
    assert (len(game.seat(1).hand), life(game)[2]) == (2, 4)


def test_l32_a_copied_chimera_attacks_only():
    """L-32: Reisen has no ability to recruit for: her copy of Danmaku Chimera brings nobody, and may attack."""
    start = table().seat(0, "houjuu_nue", hand="spiritual_attack voile").seat(1, "reisen_udongein_inaba", hand="spiritual_attack")
    game = start.build()
    act(game, "play spiritual_attack", "pass", "play spiritual_attack", "choose yes")
    assert (game.asking, game.question) == (1, "target")
    game.act("choose seat:2")
    pass_until(game, "main")
    assert (game.seat(1).extras, life(game)[2]) == ([], 3)


def leaf(own, extra, items):
    """Somebody with an Extra Character of the Tanuki Leaf, and whatever other items."""
    start = table().seat(0, own, hand="kourindou/winter", items=f"tanuki_leaf {items}", extras=[extra])
    return start.build()


def test_l32_the_leaf_does_not_pay_for_the_spell_card_of_its_own_extra_character():
    """L-32: Alice gives up an item for her Spell Card; as the Leaf's Extra Character hers cannot be paid for with the Leaf."""
    assert "spell alice_margatroid" not in leaf("hong_meiling", "alice_margatroid", "").legal()
    game = leaf("hong_meiling", "alice_margatroid", "power")
    game.act("spell alice_margatroid")
    assert game.question != "item" or game.legal() == ["choose card:power"]
    assert kinds(game.seat(0).items) == ["tanuki_leaf"]


def test_l32_the_leaf_pays_for_ones_own_spell_card():
    """L-32: Alice herself gives up the Leaf for her own Spell Card, but not for that of the Leaf's Cirno."""
    game = leaf("alice_margatroid", "cirno", "")
    game.act("spell alice_margatroid")
    assert (game.question, game.seat(0).items, game.seat(0).extras) == ("target", [], [])
    game = leaf("alice_margatroid", "cirno", "power")
    game.act("spell alice_margatroid")
    assert (game.question, game.legal()) == ("spell", ["choose character:alice_margatroid", "choose character:cirno"])
    other = game.clone()
    game.act("choose character:cirno")
    assert kinds(game.seat(0).items) == ["tanuki_leaf"]
    other.act("choose character:alice_margatroid")
    assert (other.question, other.legal()) == ("item", ["choose card:power", "choose card:tanuki_leaf"])


def test_l32_rin_attacks_after_any_spell_card_she_has():
    """L-32: the Leaf has brought her Patchouli; activating that Spell Card is activating one of her own."""
    start = table().seat(0, "kaenbyou_rin", hand="spiritual_attack voile", items="tanuki_leaf", extras=["patchouli_knowledge"])
    game = start.build()
    act(game, "play spiritual_attack", "pass")
    assert (game.asking, game.question, game.legal()) == (0, "target", ["pass", "choose seat:1", "choose seat:3"])
    game.act("choose seat:3")
    pass_until(game, "main")
    assert game.seat(3).life == game.seat(3).max_life - 1


def test_l32_great_barrier_weakening_gives_no_call_for_a_season():
    """L-32: the first card of the turn lies open on the discard pile: Sumireko names a season for the second one alone."""
    start = table().seat(0, "usami_sumireko", hand="grimoire voile").incident("great_barrier_weakening").discard("power/winter")
    game = start.build()
    game.act("play grimoire")
    assert (game.question, kinds(game.seat(0).hand)) == ("season", ["power", "voile"])


def test_l32_a_lunatic_draw_is_not_the_first_card_drawn():
    """L-32, I-9: after a Lunatic card the first Main-deck card of the turn still comes from the discard pile."""
    start = table().seat(0, hand="gift_of_yatagarasu occult_ball voile").incident("great_barrier_weakening")
    game = start.discard("mini_hakkero/summer").build()
    game.act("play occult_ball")
    pass_until(game, "main")
    act(game, "play gift_of_yatagarasu", "choose bottom")
    assert "occult_ball" in kinds(game.seat(0).hand), "it is on top of the discard pile by now"


def test_l32_the_pagoda_changes_hands_after_the_defeat_check():
    """L-32: its owner falls by that hit and leaves it on the discard pile; the attacker has nothing."""
    game = table().seat(0, hand="laser_shot voile").seat(1, items="jeweled_pagoda", life=1).build()
    act(game, "play laser_shot", "choose seat:1")
    pass_until(game, "main")
    assert (game.seat(1).defeated, game.seat(0).items, kinds(game.lunatic_discard)) == (True, [], ["jeweled_pagoda"])
    game = table().seat(0, hand="laser_shot voile").seat(1, items="jeweled_pagoda", life=2).build()
    act(game, "play laser_shot", "choose seat:1")
    pass_until(game, "main")
    assert kinds(game.seat(0).items) == ["jeweled_pagoda"]


def test_l32_an_attacker_who_falls_takes_no_pagoda():
    """L-32: a Revenge Shot fells who has hit: the Pagoda stays where it is."""
    start = table().seat(0, hand="laser_shot power", life=1).seat(1, items="jeweled_pagoda", hand="revenge_shot")
    game = start.build()
    act(game, "play laser_shot", "choose seat:1", "play revenge_shot")
    while not game.over and not game.seat(0).defeated:
        game.act("pass")
    assert kinds(game.seat(1).items) == ["jeweled_pagoda"]


def test_l32_the_sword_of_the_defeated_draws_nothing():
    """L-32: who is defeated loses the Sword and draws no card for it."""
    game = table().seat(0, hand="laser_shot voile").seat(1, items="seven_star_sword", life=1).build()
    act(game, "play laser_shot", "choose seat:1")
    pass_until(game, "main")
    assert (game.seat(1).defeated, game.seat(1).hand, kinds(game.lunatic_discard)) == (True, [], ["seven_star_sword"])


def test_l32_exchange_and_offering_are_free_of_the_worlds_ban():
    """L-32: after The World no action card is played in this turn, but "Offering" is, and cards are exchanged."""
    start = table().seat(0, hand="shoot offering voile grimoire").seat(1, "izayoi_sakuya", hand="spiritual_attack")
    game = start.seat(2, items="power").build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 1)
    game.act("play spiritual_attack")
    pass_until(game, "main", 0)
    assert {"exchange", "play offering"} <= set(game.legal())
    assert not {"play shoot", "play voile", "play grimoire"} & set(game.legal())


@pytest.mark.parametrize("card", ["revenge_shot", "reflect_shot"])
def test_l32_a_counterattack_out_of_reach_may_be_played(card):
    """L-32: whoever has the Mallet attacks nobody further away than 1: the card can be played, and its counterattack does nothing."""
    start = table().seat(0, hand="shoot voile", items="power full_power").seat(2, hand=card, items="uchides_mallet")
    game = start.build()
    act(game, "play shoot", "choose seat:2")
    pass_until(game, "attacked", 2)
    assert f"play {card}" in game.legal()
    game.act(f"play {card}")
    pass_until(game, "main")
    assert (game.seat(0).life, game.seat(2).life) == (4, 4 if card == "reflect_shot" else 3)


def test_l32_the_mallet_is_handed_over_in_ones_own_main_step_with_nothing_pending():
    """L-32: not while a card waits, and not in another's turn."""
    assert "use uchides_mallet" in table().seat(0, hand="shoot voile", items="uchides_mallet").build().legal()
    game = table().seat(0, hand="shoot voile").seat(1, hand="graze ghost_lantern", items="uchides_mallet").build()
    act(game, "play shoot", "choose seat:1")
    while game.question != "main" or game.asking != 0:
        assert "use uchides_mallet" not in game.legal()
        game.act("pass")


def test_l32_an_instant_gives_nobody_who_has_passed_another_chance():
    """L-32: seat 0 has passed; the Lantern that seat 1 then plays does not ask her again."""
    game = table().seat(0, hand="shoot gift_of_yatagarasu/spring").seat(1, hand="ghost_lantern").build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 0)
    game.act("pass")
    assert (game.asking, game.question) == (1, "attacked")
    game.act("play ghost_lantern")
    assert (game.asking, game.question) != (0, "attacked")


@pytest.mark.parametrize("card", ["master_plan", "spiritual_attack"])
def test_l32_of_several_incidents_the_acting_player_chooses(card):
    """L-32: Master Plan and Hecatia resolve the one of the incidents in play that their player names."""
    options = {"endless_party": "", "overdrive": "", "urban_legend_outbreak": ""}
    start = table().seat(0, "hecatia_lapislazuli", hand=f"{card} voile").incidents(options)
    game = start.build()
    game.act(f"play {card}")
    while game.question != "incident":
        game.act("choose number:4" if "choose number:4" in game.legal() else game.legal()[0])
    assert (game.asking, len(game.legal())) == (0, 3)
    game.act("choose incident:overdrive")
    assert "overdrive" not in game.incidents
