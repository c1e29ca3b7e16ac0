"""Rulings H: characters. `test_h9_...` asks what ruling H-9 answers."""

import pytest

from tests.table import act, box_without, kinds, life, lunatic_scene, pass_until, scene


def test_h1_alices_search_ends_when_no_card_is_left():
    """H-1: with every item in a hand all cards are revealed and discarded, and nothing enters play."""
    items = ("focus", "mini_hakkero", "power", "sorcerers_sutra_scroll", "stopwatch", "supernatural_border")
    held = [card for card in box_without() if card.split("/")[0] in items]
    game = scene().seat(0, "alice_margatroid", hand="spiritual_attack").seat(2, hand=held).build()
    act(game, "play spiritual_attack", "pass")
    assert (game.seat(0).items, game.deck) == ([], [])
    assert len(game.discard) == 80 - len(held)


def test_h2_perfect_freeze_freezes_whom_it_misses():
    """H-2: the attack is avoided and the next turn skipped all the same; cancelled, it freezes nobody."""
    game = scene(turns=3).seat(0, "cirno", hand="spiritual_attack").seat(1, hand="graze").deck(["power"] * 6).incident("overdrive").build()
    act(game, "play spiritual_attack", "choose seat:1", "play graze")
    assert game.seat(1).life == 4
    pass_until(game, "main", 2)
    assert game.seat(1).skipped_last
    game = scene().seat(0, "cirno", hand="spiritual_attack").seat(1, hand="bomb").build()
    act(game, "play spiritual_attack", "choose seat:1", "play bomb")
    assert not game.seat(1).skip_next


def test_h3_byakuren_is_asked_once_for_every_attack_as_soon_as_it_is_declared():
    """H-3: also for one that a Border avoids; not for her own; her attack resolves first."""
    start = scene().seat(0, hand="shoot").seat(1, items="supernatural_border").seat(3, "hijiri_byakuren", hand="shoot melee")
    game = start.deck("focus/summer power/spring").build()  # one for the life lost to her, one for the Border
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question) == (3, "discard")
    game.act("choose card:shoot")
    assert life(game) == [3, 4, 4, 5]
    game = scene().seat(0, "hijiri_byakuren", hand="laser_shot shoot").build()
    act(game, "play laser_shot", "choose seat:1")
    assert game.question == "none"


def test_h4_meiling_lets_the_attack_stand_and_sakuya_avoids_it():
    """H-4: both answer with an attack on the attacker."""
    for character, left in (("hong_meiling", 3), ("izayoi_sakuya", 4)):
        game = scene().seat(0, hand="shoot").seat(1, character, hand="spiritual_attack").build()
        act(game, "play shoot", "choose seat:1", "play spiritual_attack")
        assert (game.seat(0).life, game.seat(1).life) == (3, left)


def test_h5_keine_puts_a_card_back_in_her_own_draw_step_only():
    """H-5: she must; another's draw step, or a Grimoire, asks nothing of her."""
    game = scene(turns=2).seat(0, "kamishirasawa_keine", hand="grimoire focus").turn(0, step="draw").build()
    pass_until(game, "card", 0)
    assert "pass" not in game.legal()
    act(game, "choose card:focus", "choose bottom", "play grimoire")
    assert game.question != "card"
    asked = set()
    while not game.over:
        asked.add(game.question)
        game.act("pass")
    assert "card" not in asked


def test_h6_marisa_takes_her_item_at_once_and_its_limits_apply():
    """H-6: a second artifact makes one of the two go before she draws."""
    start = scene().seat(0, "kirisame_marisa", items="stopwatch").turn(0, step="draw").seat(1, items="mini_hakkero")
    game = start.build()
    act(game, "choose seat:1")
    assert (game.question, game.seat(0).hand) == ("limit", [])
    game.act("choose card:mini_hakkero")
    assert (kinds(game.seat(0).items), len(game.seat(0).hand)) == (["stopwatch"], 1)


@pytest.mark.parametrize("character", ["kochiya_sanae", "konpaku_youmu"])
def test_h7_sanae_and_youmu_answer_danmaku_cards_they_play(character):
    """H-7: a Shoot of theirs, not an attack by a Spell Card, and not one that was cancelled."""
    game = scene().seat(0, character, hand="laser_shot").build()
    act(game, "play laser_shot", "choose seat:1")
    assert (game.asking, game.question, game.seat(1).life) == (0, "may" if character == "kochiya_sanae" else "target", 4)
    game = scene().seat(0, character, hand="spiritual_attack").build()
    act(game, "play spiritual_attack", "choose seat:1", *(["pass"] if character == "konpaku_youmu" else []))
    assert (game.question, game.seat(1).life) == ("none", 3)
    game = scene().seat(0, character, hand="laser_shot").seat(1, hand="bomb").build()
    act(game, "play laser_shot", "choose seat:1", "play bomb")
    assert game.question == "none"


def test_h7_after_last_word_nobody_is_left_for_youmu():
    """H-7: it attacks everybody already."""
    game = scene().seat(0, "konpaku_youmu", hand="last_word").build()
    game.act("play last_word")
    assert life(game) == [4, 3, 3, 4]


def test_h8_youmus_attack_is_an_ordinary_one_and_comes_first():
    """H-8: it can be avoided though the Laser Shot cannot, takes 1 life, and resolves before the card's own."""
    game = scene().seat(0, "konpaku_youmu", hand="laser_shot").seat(3, role="heroine", hand="graze").build()
    act(game, "play laser_shot", "choose seat:1", "choose seat:3")
    assert (game.asking, game.question, game.seat(1).life) == (3, "attacked", 4)
    game.act("play graze")
    assert life(game) == [4, 3, 4, 5]


def test_h9_satori_looks_on_her_own_turn_only():
    """H-9: on another's turn she is not offered it."""
    start = scene().seat(0, "komeiji_satori", hand="graze").seat(1, hand="shoot")
    assert "ability komeiji_satori" in start.build().legal()
    game = start.turn(1).build()
    act(game, "play shoot", "choose seat:2")
    assert game.seat(2).life == 3
    assert game.question == "none"


def test_h10_several_ways_to_avoid_one_attack():
    """H-10: Satori flips in vain, once, and plays a Graze then; a Border would have flipped before."""
    start = scene().seat(0, hand="shoot").seat(1, "komeiji_satori", hand="graze", items="supernatural_border")
    game = start.deck("power/autumn power/summer").build()
    act(game, "play shoot", "choose seat:1")
    assert game.discard[0] == "power/autumn"
    game.act("ability komeiji_satori")
    assert game.discard[-1] == "power/summer"
    assert game.legal() == ["pass", "play graze"]
    game.act("play graze")
    assert game.seat(1).life == 4


def test_h10_futo_gives_up_one_item_for_one_attack():
    """H-10: Komachi undoes what Futo's first item avoided; the attack is still there, and no second item can be given up for it."""
    start = lunatic_scene().seat(0, hand="shoot grimoire").seat(1, "mononobe_no_futo", items="power power")
    game = start.seat(3, "onozuka_komachi", hand="spiritual_attack").build()
    act(game, "play shoot", "choose seat:1", "ability mononobe_no_futo", "play spiritual_attack")
    assert (game.asking, game.legal()) == (1, ["pass", "ability mononobe_no_futo"]), "against Komachi's attack"
    game.act("pass")
    while game.question != "main":
        assert "ability mononobe_no_futo" not in game.legal()
        game.act("pass")
    assert (game.seat(1).life, game.seat(1).items) == (2, ["power/autumn"])


def test_h11_miko_needs_an_empty_hand_and_no_turn_of_her_own():
    """H-11: whenever she has priority, once a round; holding a card she cannot."""
    start = scene().seat(0, hand="laser_shot").seat(1, "toyosatomimi_no_miko")
    game = start.build()
    act(game, "play laser_shot", "choose seat:2")
    assert (game.asking, game.question, game.legal()) == (1, "cancel", ["pass", "spell toyosatomimi_no_miko"])
    for plan in ({"hand": "focus"}, {"spell_used": True}):
        game = start.seat(1, "toyosatomimi_no_miko", **plan).build()
        act(game, "play laser_shot", "choose seat:2")
        assert game.seat(2).life == 3


def test_h12_what_eirin_plays_for_another_is_the_others():
    """H-12: the one she protects avoids the attack, so Remilia draws; Eirin pays, with no danmaku card on top."""
    start = scene().seat(0, hand="shoot").seat(1, "remilia_scarlet").seat(2, "yagokoro_eirin", hand="graze focus").deck("power")
    game = start.build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question) == (2, "attacked")
    game.act("play graze")
    if game.question == "may" and game.asking == 2:
        game.act("choose yes")
    assert (game.asking, game.question) == (1, "may")
    game.act("choose yes")
    assert (kinds(game.seat(1).hand), kinds(game.seat(2).hand)) == (["power"], ["focus"])


def test_h13_reisens_extra_attack_is_on_another_and_comes_once_a_card():
    """H-13: two of Last Word's attacks are avoided, and she attacks once more, not the one who avoided."""
    start = scene().seat(0, "reisen_udongein_inaba", hand="last_word").seat(1, hand="graze").seat(2, hand="graze")
    game = start.build()
    act(game, "play last_word", "play graze")
    assert (game.asking, game.question, game.legal()) == (0, "target", ["pass", "choose seat:3"])
    game.act("choose seat:3")
    game.act("play graze")
    assert game.question == "none"
    assert life(game) == [4, 4, 4, 3]


def test_h14_a_copy_is_not_played_and_cannot_be_cancelled():
    """H-14: Reisen's copy of a Shoot counts toward no limit, and nobody is asked to cancel it."""
    start = scene().seat(0, hand="shoot bomb").seat(1, "reisen_udongein_inaba", hand="spiritual_attack").seat(2, hand="bomb")
    game = start.build()
    act(game, "play shoot", "choose seat:1", "play spiritual_attack")
    for asked in (0, 2):
        assert (game.asking, game.question) == (asked, "cancel")  # her Spell Card may be cancelled
        game.act("pass")
    act(game, "choose yes", "choose seat:2")
    assert (game.seat(2).life, game.seat(1).danmaku_played) == (3, 0)


def test_h14_what_cannot_be_cancelled_cannot_be_copied():
    """H-14: against Remilia's Spear the Gungnir she is not asked."""
    start = scene().seat(0, "remilia_scarlet", hand="spiritual_attack").seat(1, "reisen_udongein_inaba", hand="spiritual_attack")
    game = start.build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert game.seat(1).life == 3


def test_h15_utsuho_loses_her_life_after_the_attacks():
    """H-15: while the last of the three is being answered she still has it."""
    start = scene().seat(0, "reiuji_utsuho", hand="spiritual_attack").seat(1, hand="graze graze graze")
    game = start.build()
    act(game, "play spiritual_attack", "choose seat:1", "play graze", "play graze")
    assert (game.question, game.seat(0).life) == ("attacked", 4)
    game.act("play graze")
    assert (game.seat(0).life, game.seat(1).life) == (3, 4)


def test_h16_flooded_items_count_and_can_be_discarded():
    """H-16: Futo's flooded Border flips no more, but pays for avoiding an attack."""
    start = scene().seat(0, "kawashiro_nitori", hand="spiritual_attack shoot").seat(1, "mononobe_no_futo", items="supernatural_border")
    game = start.build()
    act(game, "play spiritual_attack", "choose seat:1", "pass", "play shoot", "choose seat:1")
    assert (game.asking, game.legal()) == (1, ["pass", "ability mononobe_no_futo"])
    assert not [line for line in game.log if "flips" in line]
    game.act("ability mononobe_no_futo")
    assert (game.seat(1).life, game.seat(1).items) == (4, [])


def test_h17_in_the_duel_one_may_decline():
    """H-17: the other, with two danmaku cards in hand, loses a life rather than one of them."""
    game = scene().seat(0, "hinanawi_tenshi", hand="spiritual_attack").seat(1, hand="shoot melee").deck("power").build()
    act(game, "play spiritual_attack", "choose seat:1", "pass")
    assert game.seat(1).life == 3
    assert kinds(game.seat(1).hand) == ["melee", "power", "shoot"]


def test_h18_yukari_need_not_look_but_must_take():
    """H-18: she is asked for the item or a card, and "neither" is no answer."""
    game = scene().seat(0, "yakumo_yukari", hand="spiritual_attack").seat(1, hand="graze", items="power focus").build()
    act(game, "play spiritual_attack", "choose seat:1", "pass")
    assert (game.question, game.legal()) == ("may", ["pass", "choose yes"])  # look at the hand?
    act(game, "pass", "choose yes")
    assert game.legal() == ["choose card:focus", "choose card:power"]
    game.act("choose card:power")
    assert kinds(game.seat(0).items) == ["power"]


def test_h19_aya_may_cancel_her_own_danmaku_card():
    """H-19: anybody's, for another danmaku card."""
    game = scene().seat(0, "shameimaru_aya", hand="laser_shot shoot").build()
    act(game, "play laser_shot", "choose seat:1")
    assert (game.asking, game.question) == (0, "cancel")
    game.act("ability shameimaru_aya")
    assert (game.seat(1).life, game.seat(0).hand) == (4, [])


def test_h20_patchouli_trims_under_dream_world():
    """H-20: her hand of seven is one of four in the next discard step."""
    hand = "shoot shoot shoot graze graze graze"
    table = scene(turns=2, expansion="lunatic_extra").seat(0, "patchouli_knowledge", hand=hand).incident("dream_world")
    game = table.build()
    assert game.seat(0).max_hand == 4
    pass_until(game, "discard", 0)
    act(game, "choose card:graze", "choose card:graze")
    assert (len(game.seat(0).hand), game.question == "discard") == (4, False)


def test_h21_attacks_without_range_reach_cirnos_neighbours():
    """H-21: her neighbours are out of range, but not for a Laser Shot."""
    game = scene(6).seat(0, "cirno", hand="laser_shot").build()
    assert not game.in_range(0, 1)
    act(game, "play laser_shot", "choose seat:1")
    assert game.seat(1).life == 3


def test_h22_sanae_moves_the_top_card_only_after_a_look():
    """H-22: who does not look is asked nothing further."""
    game = scene().seat(0, "kochiya_sanae", hand="laser_shot").deck("bomb/spring").build()
    act(game, "play laser_shot", "choose seat:1", "pass")
    assert game.question == "none"
    assert "bomb/spring" in game.seat(1).hand  # drawn for the lost life


def test_h22_miko_hands_cards_over_with_nothing_pending():
    """H-22: in a window of her own turn she may not."""
    start = scene().seat(0, "toyosatomimi_no_miko", hand="laser_shot graze").seat(1, "hong_meiling", hand="spiritual_attack")
    game = start.build()
    assert "ability toyosatomimi_no_miko" in game.legal()
    act(game, "play laser_shot", "choose seat:1", "play spiritual_attack")
    assert (game.asking, game.question, game.legal()) == (0, "attacked", ["pass", "play graze"])


def test_h22_yukari_is_not_asked_to_look_at_an_empty_hand():
    """H-22: nor anything else where there is but one thing to take."""
    game = scene().seat(0, "yakumo_yukari", hand="spiritual_attack").seat(1, items="power").build()
    act(game, "play spiritual_attack", "choose seat:1", "pass")
    assert game.question == "none"
    assert kinds(game.seat(0).items) == ["power"]


def test_h22_futo_exchanges_hands_of_two_others_or_of_nobody():
    """H-22: with one other player left she is asked only whom to attack."""
    start = scene().roles("stage_boss stage_boss ex_boss heroine").seat(1, defeated=True).seat(2, defeated=True)
    game = start.seat(0, "mononobe_no_futo", hand="spiritual_attack").build()
    game.act("play spiritual_attack")
    assert game.legal() == ["pass", "choose seat:3"]
    game.act("choose seat:3")
    assert game.seat(3).life == 4


def flooded(*, hand, **plan):
    """Seat 1 under Nitori's flood, in its own main step."""
    start = scene(turns=9, expansion="lunatic_extra").seat(0, "kawashiro_nitori", hand="spiritual_attack voile").seat(1, hand=hand, **plan)
    game = start.seat(2, hand="borrow").build()
    act(game, "play spiritual_attack", "choose seat:1")
    pass_until(game, "main", 0)
    game.act("pass")
    pass_until(game, "main", 1)
    return game


def test_h16_a_sutra_scroll_played_under_the_flood_draws_nothing():
    """H-16: neither on being played nor in the draw step, nor afterwards."""
    game = flooded(hand="sorcerers_sutra_scroll kourindou")
    hand = len(game.seat(1).hand)
    game.act("play sorcerers_sutra_scroll")
    assert (len(game.seat(1).hand), kinds(game.seat(1).items)) == (hand - 1, ["sorcerers_sutra_scroll"])
    while (game.asking, game.question) != (0, "main"):
        game.act("pass" if "pass" in game.legal() else game.legal()[0])
    assert len(game.seat(1).hand) <= 4, "the flood is over, and the Scroll makes nothing up"


def test_h16_eirin_plays_a_scroll_for_somebody_flooded():
    """H-16, H-12: the flood is that of the one who controls the Scroll; for herself Eirin draws."""
    start = scene(turns=9, expansion="lunatic_extra").seat(0, "kawashiro_nitori", hand="spiritual_attack voile")
    game = start.seat(1, "yagokoro_eirin", hand="sorcerers_sutra_scroll kourindou").seat(2, hand="grimoire").build()
    act(game, "play spiritual_attack", "choose seat:2")
    pass_until(game, "main", 0)
    game.act("pass")
    pass_until(game, "main", 1)
    other = game.clone()
    hands = len(game.seat(1).hand), len(game.seat(2).hand)
    act(game, "play sorcerers_sutra_scroll", "choose seat:2")
    assert (len(game.seat(1).hand), len(game.seat(2).hand)) == (hands[0] - 1, hands[1])
    act(other, "play sorcerers_sutra_scroll", "choose seat:1")
    assert len(other.seat(1).hand) == hands[0]


@pytest.mark.parametrize("item", ["hourai_elixir", "tanuki_leaf"])
def test_h16_what_gaining_an_item_brings_is_off(item):
    """H-16: the Elixir heals nobody and the Leaf recruits nobody, also when the flood is over."""
    game = flooded(hand=f"{item} kourindou", life=2)
    game.act(f"play {item}")
    assert (game.seat(1).life, game.seat(1).extras, game.question) == (2, [], "main")
    while (game.asking, game.question) != (0, "main"):
        game.act("pass" if "pass" in game.legal() else game.legal()[0])
    assert (game.seat(1).life, game.seat(1).extras) == (2, [])


def test_h16_what_losing_an_item_brings_is_off():
    """H-16: a flooded Sword that is borrowed draws nothing for whoever loses it, and works for the new owner."""
    start = scene(turns=9, expansion="lunatic_extra").seat(0, "kawashiro_nitori", hand="spiritual_attack borrow voile")
    game = start.seat(1, items="seven_star_sword").build()
    act(game, "play spiritual_attack", "choose seat:1")
    pass_until(game, "main", 0)
    game.act("play borrow")
    assert (game.seat(1).hand, kinds(game.seat(0).items)) == ([], ["seven_star_sword"])


def test_h16_a_flooded_pagoda_shields_nothing_and_changes_no_hands():
    """H-16: every text is off, those for a hit too; the limit of one artifact still counts the card."""
    start = scene(turns=9, expansion="lunatic_extra").seat(0, "kawashiro_nitori", hand="spiritual_attack voile")
    game = start.seat(1, items="jeweled_pagoda", hand="stopwatch kourindou").build()
    act(game, "play spiritual_attack", "choose seat:1", "choose seat:1")
    pass_until(game, "main", 0)
    assert (game.seat(1).life, kinds(game.seat(1).items), game.seat(1).range) == (3, ["jeweled_pagoda"], 1)
    game.act("pass")
    pass_until(game, "main", 1)
    game.act("play stopwatch")
    assert game.question == "limit"


def test_h16_two_flooded_borders_flip_for_nothing():
    """H-16, L-31: neither flips."""
    start = scene(turns=9, expansion="lunatic_extra").seat(0, "kawashiro_nitori", hand="spiritual_attack voile")
    game = start.seat(1, "kijin_seija", items="supernatural_border supernatural_border").build()
    act(game, "play spiritual_attack", "choose seat:1", "choose seat:1")
    assert not [line for line in game.log if "flips" in line]
