"""When something may be done, by whom and how often: situations in which two rules meet."""

import pytest

from tests.table import act, kinds, life, pass_until
from tests.table import lunatic_scene as table
from tests.table import scene as base_scene


def lines_of(game, *words):
    """Where in the log each of these first stands."""
    lines = list(game.log)
    return [next(place for place, line in enumerate(lines) if word in line) for word in words]


def test_h11_the_last_card_activates_the_spell_card_once():
    """H-11: Miko's hand is empty once her Spiritual Attack lies on the table, and its Spell Card is that of the round already."""
    game = table().seat(0, "toyosatomimi_no_miko", hand="spiritual_attack").seat(2, "moriya_suwako").build()
    game.act("play spiritual_attack")
    assert "spell toyosatomimi_no_miko" not in game.legal()


def test_h11_paying_life_under_overdrive_leaves_no_room_for_another_activation():
    """H-11: Yuugi could answer the life she pays with her Spell Card, which is the one being paid for."""
    game = table().seat(0, hand="shoot power").seat(1, "hoshiguma_yuugi", life=3).incident("overdrive").build()
    act(game, "play shoot", "choose seat:1", "spell overdrive")
    assert "spell overdrive" not in game.legal()


def test_h11_waives_the_timing_of_actions_only():
    """H-11: Miko's ability does not make Keine's cancelling Spell Card an answer to an attack."""
    start = table(characters="double_threat").seat(0, ["cirno", "junko"], hand="shoot power")
    start = start.seat(1, ["toyosatomimi_no_miko", "kamishirasawa_keine"]).seat(2, ["hakurei_reimu", "flandre_scarlet"])
    game = start.seat(3, ["konpaku_youmu", "nagae_iku"]).build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked")
    game.act("spell toyosatomimi_no_miko")
    assert (game.asking, game.question) == (1, "target"), "it is her own Spell Card, without a choice"


@pytest.mark.parametrize(("mine", "hers"), [("kazami_yuuka", "hinanawi_tenshi"), ("hinanawi_tenshi", "kazami_yuuka")])
def test_a19_tenshis_further_card_comes_before_yuuka_draws(mine, hers):
    """A-19, K-14: life lost and damage done are two conditions: Tenshi before Yuuka, by attack or duel, whose turn it may be."""
    yuukas = mine == "kazami_yuuka"
    start = base_scene().seat(0, mine, hand="capture_spell_card power" if yuukas else "shoot power").seat(2, "hong_meiling")
    game = start.seat(1, hers, hand="" if yuukas else "capture_spell_card").build()
    act(game, "play capture_spell_card" if yuukas else "play shoot", "choose seat:1")
    if game.question == "attacked":
        game.act("play capture_spell_card")
    for character in ("hinanawi_tenshi", "kazami_yuuka"):
        assert (game.question, game.seat(game.asking).character) == ("may", character)
        game.act("choose yes")


def with_an_instant_and_ichirin(answers):
    """Seat 0 has a Shoot, seat 1 this answer, seat 2 an instant that draws, and Ichirin attacks whoever has drawn."""
    start = table(5, turns=3).roles("heroine stage_boss partner stage_boss ex_boss").seat(0, hand="shoot power").seat(1, hand=answers)
    return start.seat(2, hand="gift_of_yatagarasu power").seat(3, "kumoi_ichirin", hand="spiritual_attack power").build()


@pytest.mark.parametrize(("answers", "question", "target"), [("graze", "attacked", 1), ("bomb", "cancel", 4)])
def test_k3_the_round_begins_anew_below_what_an_instant_has_brought_about(answers, question, target):
    """K-3: seat 1 has passed; then Ichirin answers the cards that an instant drew, which is no instant: seat 1 may answer now."""
    game = with_an_instant_and_ichirin(answers)
    act(game, "play shoot", f"choose seat:{target}")
    pass_until(game, question, 1)
    act(game, "pass", "play gift_of_yatagarasu", "choose bottom", "play spiritual_attack")
    while not (game.question == question and game.asking == 1 and "the attack of seat 3 (Ichirin) hits seat 2" in game.log):
        game.act("pass" if "pass" in game.legal() else game.legal()[0])
    act(game, f"play {answers}")
    pass_until(game, "main", 0)
    assert life(game)[target] == game.seat(target).max_life


def test_l32_an_instant_alone_gives_nobody_another_chance():
    """L-32: seat 1 has passed, seat 2 has drawn by an instant, and nobody does anything about that: seat 1 is hit."""
    game = with_an_instant_and_ichirin("graze")
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 1)
    act(game, "pass", "play gift_of_yatagarasu", "choose bottom", "pass")
    pass_until(game, "main", 0)
    assert life(game)[1] == game.seat(1).max_life - 1
    assert kinds(game.seat(1).hand).count("graze") == 1


def test_h14_who_copies_dawn_has_the_extra_turn():
    """H-14: Reisen cancels Kaguya's Dawn and carries out a copy: the turn after this one is hers, then the seats go on in order."""
    start = table(turns=4).seat(0, "houraisan_kaguya", hand="spiritual_attack grimoire").seat(1, hand="power").seat(3, hand="power")
    game = start.seat(2, "reisen_udongein_inaba", hand="spiritual_attack shoot voile").build()
    act(game, "play spiritual_attack", "pass", "play spiritual_attack", "choose yes", "pass", "choose yes")
    turns = [game.turn]
    while not game.over:
        game.act("pass" if "pass" in game.legal() else game.legal()[0])
        if game.turn != turns[-1]:
            turns.append(game.turn)
    assert turns == [0, 2, 1, 2]


def test_a2_a_hit_costs_its_powerup_before_anybody_answers_the_draw():
    """A-2: Ichirin answers the card that the hit brings; the Border is gone by then and avoids nothing."""
    start = table().seat(0, hand="laser_shot power").seat(1, items="supernatural_border").seat(2, "kumoi_ichirin", hand="spiritual_attack")
    game = start.deck("power/winter shoot/summer shoot/summer shoot/spring").build()
    act(game, "play laser_shot", "choose seat:1", "play spiritual_attack")
    discarded, answered = lines_of(game, "discards Supernatural Border", "plays Spiritual Attack")
    assert discarded < answered
    pass_until(game, "main")
    assert life(game)[1] == 1


def test_a19_tenshis_further_card_comes_before_the_powerup_and_with_the_others():
    """A-19, A-2: she is asked before a card is drawn; two cards come at once, and only then the Power goes."""
    game = base_scene(4, 1).seat(0, hand="shoot voile").seat(1, "hinanawi_tenshi", items="power/winter").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question, game.seat(1).hand, kinds(game.seat(1).items)) == (1, "may", [], ["power"])
    game.act("choose yes")
    assert (len(game.seat(1).hand), game.seat(1).items) == (2, [])
    drew, lost = lines_of(game, "draws 2 cards", "discards Power")
    assert drew < lost


def test_k16_nobody_answers_in_the_middle_of_an_effect():
    """K-16: Tempest draws for everybody; only then has Ichirin her say about the cards drawn."""
    start = table().seat(0, hand="tempest shoot").seat(1, hand="power power").seat(2, "kumoi_ichirin", hand="shoot").seat(3, hand="power")
    game = start.deck("shoot shoot shoot shoot shoot shoot spiritual_attack graze graze graze graze graze").build()
    game.act("play tempest")
    assert (game.asking, game.question) == (2, "respond")
    assert sum("draws" in line for line in game.log) == 4


@pytest.mark.parametrize("third", ["hinanawi_tenshi", "junko"])
def test_k16_what_triggers_within_an_effect_makes_no_room_for_answers(third):
    """K-16, I-10: everybody loses life to Eternal Sleep before Yuugi answers hers, whoever may draw a card for it: the Heroine falls."""
    start = table(5).roles("stage_boss stage_boss ex_boss heroine partner").seat(0, "saigyouji_yuyuko", hand="spiritual_attack power")
    start = start.seat(1, "hoshiguma_yuugi", hand="spiritual_attack", life=3, items="power").seat(2, third, life=3)
    game = start.seat(3, life=2).seat(4, life=3).build()
    game.act("play spiritual_attack")
    if third == "hinanawi_tenshi":
        assert (game.asking, game.question) == (2, "may")
        game.act("pass")
    assert (game.asking, game.question, life(game)[3]) == (1, "respond", 1)
    act(game, "play spiritual_attack", "choose seat:3")
    while not game.over:
        game.act("pass")
    assert game.winners == [0, 1]


def test_k16_great_fairy_wars_is_one_effect():
    """K-16, I-10: Ichirin does not answer the card that Tenshi's lost life brings before everybody has chosen."""
    start = table(5).seat(0, hand="shoot power").seat(1, "hinanawi_tenshi", hand="power", life=2).seat(3, hand="shoot power")
    start = start.seat(2, "kumoi_ichirin", hand="spiritual_attack shoot").seat(4, hand="shoot")
    game = start.incident_deck(top="great_fairy_wars").turn(0, step="incident").build()
    act(game, "pass", "choose yes")
    assert (game.asking, game.question) == (2, "discard")


def test_k16_an_item_that_leaves_in_the_middle_is_answered_with_the_attack():
    """K-16: Seal Away takes a Seven Star Sword, and attacks before anybody has a say about the cards this brings."""
    start = table().seat(0, hand="seal_away power").seat(1, items="seven_star_sword", hand="power")
    game = start.seat(2, "kumoi_ichirin", hand="spiritual_attack").seat(3, hand="power").build()
    act(game, "play seal_away", "choose seat:1", "choose card:seven_star_sword")
    assert (game.asking, game.question) == (2, "respond")
    assert any("attacks" in line for line in game.log)


@pytest.mark.parametrize("other", ["kumoi_ichirin", "junko"])
def test_a8_nobody_answers_between_the_steps_of_a_defeat(other):
    """A-8, A-9: the Heroine's Sword brings her a card as Shared Fate takes it; she discards at once, and plays nothing before."""
    start = table(5).roles("heroine partner stage_boss stage_boss ex_boss").seat(1, life=1).seat(2, other, hand="power")
    start = start.seat(0, hand="shoot graze power voile spell_assist", items="seven_star_sword").seat(3, hand="laser_shot").seat(4)
    game = start.turn(3).lunatic_deck(top="spirit_camera").build()
    act(game, "play laser_shot", "choose seat:1")
    while not game.seat(1).defeated:
        game.act("pass")
    assert (game.asking, game.question) == (0, "discard")


@pytest.mark.parametrize("other", ["kumoi_ichirin", "junko"])
def test_h3_byakuren_comes_before_anybody_has_priority(other):
    """H-3, K-15: Patchouli draws two and attacks; Byakuren is asked before that is answered."""
    start = table(5).seat(0, "patchouli_knowledge", hand="spiritual_attack power").seat(1, hand="power").seat(2, other, hand="power")
    game = start.seat(3, "hijiri_byakuren", hand="shoot").seat(4, "toyosatomimi_no_miko").build()
    act(game, "play spiritual_attack", "choose seat:1", "pass")
    assert (game.asking, game.question) == (3, "discard")


def test_k2_a_spell_card_that_was_paid_for_names_its_target_before_the_price_is_answered():
    """K-2, H-11: nobody has priority between the life paid under Overdrive and the announcement."""
    start = table(5).seat(0, "remilia_scarlet", life=3, hand="power").seat(2, "kumoi_ichirin", hand="spiritual_attack")
    game = start.seat(4, "toyosatomimi_no_miko").incident("overdrive").build()
    game.act("spell overdrive")
    assert (game.asking, game.question) == (0, "target")
    game.act("choose seat:1")
    assert (game.asking, game.question) == (2, "respond"), "the cards drawn for the life paid"


@pytest.mark.parametrize(("saviour", "card"), [("yagokoro_eirin", "graze"), ("yagokoro_eirin", "erase_shot"), ("", "graze")])
def test_k23_what_is_played_for_somebody_is_hers(saviour, card):
    """K-23, H-12: Suwako takes no card that she was saved with, by Eirin or by a Graze: it counts as her own."""
    start = table().seat(0, hand="shoot power", items="power").seat(1, "moriya_suwako", hand="spiritual_attack").seat(3)
    game = start.seat(2, saviour, hand=f"{card} seal_away").build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 2)
    game.act(f"play {card}")
    if game.question == "discard":
        game.act("choose card:seal_away")
    assert (game.asking, game.question) == (0, "main")


def test_k4_the_mallet_is_handed_on_in_the_main_step_alone():
    """K-4: in a window only what answers its object is used."""
    start = table().seat(0, hand="grimoire power shoot", items="uchides_mallet").seat(1, hand="interrupt")
    game = start.build()
    assert "use uchides_mallet" in game.legal()
    game.act("play grimoire")
    assert (game.asking, game.question) == (1, "cancel")


def test_l1_nobody_has_priority_in_turn_zero():
    """L-1: an item is played, and neither Miko's Spell Card, nor Eiki's or Kanako's ability, nor an instant answers it."""
    start = table().seat(0, hand="power").seat(1, "toyosatomimi_no_miko").seat(2, "shiki_eiki", hand="ghost_lantern offering")
    game = start.seat(3, "yasaka_kanako").turn(0, step="turn zero").build()
    questions = set()
    while game.turn_number == 0:
        questions.add(game.question)
        game.act("play power" if "play power" in game.legal() else "pass")
    assert questions == {"turn zero"}
    assert kinds(game.seat(0).items) == ["power"]


def test_l1_eirin_plays_items_for_others_in_her_main_step_alone():
    """L-1: in turn zero hers are hers (H-12)."""
    start = table().seat(0, "yagokoro_eirin", hand="power power")
    game = start.turn(0, step="turn zero").build()
    game.act("play power")
    assert kinds(game.seat(0).items) == ["power"]
    game = start.turn(0, step="main").build()
    game.act("play power")
    assert (game.question, len(game.legal())) == ("controller", 4)


@pytest.mark.parametrize("own", ["hoshiguma_yuugi", "hong_meiling", "izayoi_sakuya", "kaenbyou_rin"])
def test_k2_a_spell_card_is_named_before_it_is_paid_for(own):
    """K-2: Alice, an Extra Character, gives up an item for her Spell Card; no reaction goes off instead."""
    game = table().seat(0, own, life=3, hand="kourindou focus", items="tanuki_leaf power", extras=["alice_margatroid"]).build()
    game.act("spell alice_margatroid")
    while game.question != "main":
        game.act("pass" if "pass" in game.legal() else game.legal()[0])
    assert sum("activates" in line for line in game.log) == 1
    assert any("Artful Sacrifice" in line for line in game.log)


def test_i3_trimming_ends_when_what_it_discards_ends_the_incident():
    """I-3: the fifth card under Dream World gives Patchouli her hand size of 7 back, and with six cards she is done."""
    start = table().seat(0, hand="focus").seat(1, "patchouli_knowledge", hand="bomb shoot shoot graze graze graze power")
    game = start.incident("dream_world", collected=["bomb", "bomb", "stopwatch", "voile"]).turn(0, step="discard").build()
    pass_until(game, "discard")
    game.act("choose card:bomb")
    assert (game.incidents, len(game.seat(1).hand), game.question == "discard") == ([], 6, False)


def test_d4_the_mallet_holds_for_every_target():
    """D-4: Youmu's two targets, and Koishi's attack that comes with naming somebody."""
    start = table(6).seat(0, "konpaku_youmu", hand="spiritual_attack kourindou", items="uchides_mallet")
    game = start.build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert game.legal() == ["pass", "choose seat:5"]
    start = table(6).seat(0, "komeiji_koishi", hand="spiritual_attack kourindou", items="uchides_mallet full_power")
    game = start.build()
    act(game, "play spiritual_attack", "choose seat:3")
    assert game.legal() == ["pass", "choose seat:1", "choose seat:5"]


def test_d4_suikas_number_makes_everybody_near():
    """D-4: her number is the distance of everybody before she attacks (K-10): with 1 the Mallet forbids nobody, with 2 everybody."""
    for number, targets in ((1, 5), (2, 0)):
        game = table(6).seat(0, "ibuki_suika", hand="spiritual_attack kourindou", items="uchides_mallet power power").build()
        act(game, "play spiritual_attack", f"choose number:{number}")
        assert sum(answer.startswith("choose seat") for answer in game.legal() if game.question == "target") == targets


def test_h14_nothing_is_thrown_in_for_a_copied_shoot():
    """H-14: a copied Shoot has Reisen's own range, whatever she holds."""
    for items, targets in (("focus", None), ("", ["choose seat:4", "choose seat:2"])):
        start = base_scene(6).seat(0, hand="shoot grimoire", items="power power").seat(2, items=items).seat(4, items=items)
        game = start.seat(3, "reisen_udongein_inaba", hand="spiritual_attack shoot/spring shoot/summer").build()
        act(game, "play shoot", "choose seat:3", "play spiritual_attack")
        if targets is None:
            assert game.question != "may"
        else:
            game.act("choose yes")
            assert (game.question, game.legal()) == ("target", targets)
            game.act("choose seat:2")
            assert game.question != "boost"


@pytest.mark.parametrize(("theirs", "hers", "offered"), [("uchides_mallet", "", False), ("", "uchides_mallet", True)])
def test_h12_the_cap_is_that_of_the_player_it_is_played_for(theirs, hers, offered):
    """H-12: Eirin answers for a seat that has had its danmaku card of the round under the Mallet; her own Mallet does not matter."""
    start = table().seat(0, hand="shoot power").seat(1, items=theirs, danmaku_played=1)
    game = start.seat(2, "yagokoro_eirin", hand="revenge_shot", items=hers, danmaku_played=1).build()
    act(game, "play shoot", "choose seat:1")
    assert ("play revenge_shot" in game.legal()) == offered


def test_h12_youmus_extra_attack_is_hers_also_when_eirin_plays_for_her():
    """H-12: the card is Youmu's, and so is what it triggers."""
    game = table(5).seat(0, hand="shoot power").seat(1, "konpaku_youmu").seat(2, "yagokoro_eirin", hand="revenge_shot").build()
    act(game, "play shoot", "choose seat:1", "play revenge_shot")
    assert (game.asking, game.question) == (1, "target")


def test_h12_the_pagoda_of_whom_it_is_played_for_protects_it():
    """H-12: it is that player's card, which nobody can cancel."""
    start = table(5).seat(0, hand="shoot bomb power").seat(1, items="jeweled_pagoda")
    game = start.seat(2, "yagokoro_eirin", hand="revenge_shot").build()
    act(game, "play shoot", "choose seat:1", "play revenge_shot")
    assert "play bomb" not in game.legal()


def kogasa(top, **of_hers):
    """A table at which Kogasa is about to flip: a spring card has gone to the discard pile."""
    start = table(turns=2).seat(0, hand="power kourindou shoot/spring").seat(1, "tatara_kogasa", **of_hers).seat(2, items="focus")
    game = start.deck(f"power/winter power/winter {top}").build()
    act(game, "play kourindou", "choose card:shoot")
    pass_until(game, "may")
    return game


def test_k19_the_mallet_caps_a_flipped_danmaku_card_too():
    """K-19: a flipped card is not stopped by the usual limit, but by the Mallet's."""
    game = kogasa("shoot/summer", items="uchides_mallet", danmaku_played=1)
    game.act("choose yes")
    assert game.question == "main", "the Shoot flipped cannot be played"
    assert kinds(game.discard)[-1] == "shoot"


def test_kogasa_says_which_half_where_both_are_actions():
    game = kogasa("purification/spring")
    game.act("choose yes")
    assert (game.question, game.legal()) == ("half", ["pass", "choose top", "choose bottom"])


def test_suwakos_two_cards_count_in_crisis_of_faith_and_for_kogasa():
    """Whenever she would flip a card she may flip two and say which one counts."""
    start = table(turns=2).seat(0, "cirno", hand="power").seat(1, "moriya_suwako").incident_deck(top="crisis_of_faith")
    game = start.deck("focus/summer power/winter grimoire/autumn").turn(0, step="incident").build()
    act(game, "choose yes", "choose season:autumn")
    assert game.seat(1).role == "heroine"
    game = kogasa("focus/summer grimoire/summer", items="tanuki_leaf", extras=["moriya_suwako"])
    act(game, "choose yes", "choose yes")
    assert (game.question, game.legal()) == ("aside", ["choose card:focus", "choose card:grimoire"])


def test_d4_a_melee_is_handed_on_only_to_whom_the_mallet_lets_attack():
    """D-4: whoever hands a Melee on attacks, and so only somebody near."""
    game = table(6).seat(0, hand="melee power").seat(1, hand="shoot", items="uchides_mallet").seat(4, hand="shoot power").build()
    act(game, "play melee", "choose seat:1", "choose card:shoot")
    assert game.legal() == ["choose seat:2", "choose seat:0"]


def test_k2_what_the_banquet_will_be_is_announced():
    """K-2: Ran says which of the three it is before anybody can cancel it."""
    game = table().seat(0, "yakumo_ran", hand="spiritual_attack power grimoire", life=3).seat(1, hand="bomb").build()
    game.act("play spiritual_attack")
    assert (game.asking, game.question) == (0, "number")


def test_i9_the_open_card_of_the_discard_pile_has_no_season_to_name():
    """I-9: under Great Barrier Weakening the first card comes from the discard pile, the next one from the deck."""
    start = table(turns=2).seat(0, "usami_sumireko", hand="power").incident("great_barrier_weakening").discard("voile/autumn")
    game = start.deck("kourindou power").turn(0, step="draw").build()
    assert (game.question, kinds(game.seat(0).hand)) == ("season", ["power", "voile"])


def test_t3_the_current_players_own_text_comes_first():
    """T-3: Mamizou's start of turn comes before Koishi's, who sits elsewhere."""
    start = table(turns=5).seat(0, "futatsuiwa_mamizou", hand="power grimoire").seat(1, "komeiji_koishi").seat(2, "cirno")
    assert start.turn(0, step="start").build().asking == 0


def test_d4_a_melee_ends_where_nobody_near_can_be_attacked():
    """D-4: everybody else is further away than the Mallet lets its owner attack: the card handed on goes to nobody."""
    start = table().seat(0, hand="melee power", items="focus").seat(1, hand="shoot", items="uchides_mallet").seat(2, items="focus")
    game = start.build()
    act(game, "play melee", "choose seat:1")
    if game.question == "discard":
        game.act("choose card:shoot")
    pass_until(game, "main")
    assert (game.turn, sum("attacks" in line for line in game.log)) == (0, 1)


def test_k8_suwako_flips_two_for_ikus_raiment_and_chooses_which_counts():
    """K-8: Iku's Spell Card flips until both seasons have shown; Suwako, who captures it, may flip two each time."""
    start = table().seat(0, "moriya_suwako", hand="capture_spell_card power").seat(1, "nagae_iku")
    game = start.deck("shoot/winter shoot/spring graze/autumn graze/summer power/spring").build()
    act(game, "play capture_spell_card", "choose season:spring", "choose season:summer", "pass")
    act(game, "choose yes", "choose season:spring", "choose yes", "choose season:autumn", "pass")
    assert set(game.seat(0).hand) >= {"shoot/spring"}
    assert "graze/summer" not in game.seat(0).hand, "the autumn card counted, so that the next flip was for summer again"


def test_c17_hecatia_attacks_somebody_in_range_if_there_is_anybody():
    """C-17: of her five options the attack is no "may", and where nobody is in range it is no option."""
    for one, other, is_open in (("", "", True), ("focus", "nimble_cloth", False)):
        start = table().seat(0, "hecatia_lapislazuli", life=1, hand="spiritual_attack power").seat(1, items=one).seat(3, items=other)
        game = start.seat(2, "kawashiro_nitori").build()
        act(game, "play spiritual_attack", "choose number:1", "choose number:4")
        assert ("choose number:5" in game.legal()) == is_open
        if is_open:
            game.act("choose number:5")
            assert (game.question, "pass" in game.legal()) == ("second target", False)


def hecatia(neighbours=("focus", "nimble_cloth"), **options):
    """Hecatia, who has just played an invocation card; both neighbours are a step farther than her range at full life."""
    start = table(5).seat(0, "hecatia_lapislazuli", hand="spiritual_attack grimoire", **options)
    return start.seat(1, items=neighbours[0]).seat(4, items=neighbours[1])


@pytest.mark.parametrize(
    ("start", "named", "left"),
    [
        (hecatia().incident("crossing_to_higan"), (1, 4), "2 3"),  # with it the range of Crossing to Higan is over
        (hecatia().incident("crossing_to_higan"), (5,), "1 2 3"),
        (hecatia(life=1), (5,), "1 2 3 4"),
        (hecatia(life=1), (5, 3), "1 2 4"),
        (hecatia(life=1), (1, 4), "2 3"),  # only with the life regained somebody is in range
        (hecatia(("focus", "lunatic_focus"), life=3), (5,), "1 2 4"),  # at full life the range of the wounded is over
    ],
)
def test_l32_hecatias_attack_is_named_only_with_options_that_leave_a_target(start, named, left):
    """L-32, K-10: option 5 needs a target, as the steps before it leave the table."""
    game = start.build()
    act(game, "play spiritual_attack", *(f"choose number:{option}" for option in named))
    assert game.legal() == [f"choose number:{option}" for option in left.split()]


@pytest.mark.parametrize(
    ("items", "payable"),
    [("tanuki_leaf power focus", {"tanuki_leaf", "focus"}), ("tanuki_leaf power power", {"tanuki_leaf", "power"})],
)
def test_c17_the_price_of_a_spell_card_leaves_it_a_target(items, payable):
    """C-17: with Alice's way Marisa pays no item without which nobody is in range of Master Spark."""
    start = table(6).seat(0, "kirisame_marisa", hand="grimoire", items=items, extras=["alice_margatroid/tanuki_leaf"])
    game = start.seat(1, items="nimble_cloth").seat(5, items="nimble_cloth").build()
    act(game, "spell alice_margatroid", "choose character:kirisame_marisa")
    assert {answer.removeprefix("choose card:") for answer in game.legal()} == payable
    game.act("choose card:tanuki_leaf")
    assert game.question == "target"


def test_c17_the_life_paid_for_a_spell_card_leaves_it_a_target():
    """C-17: under Overdrive Hecatia at 2 life reaches two seats farther than at the 1 life that Nuclear Excursion would leave her."""
    for lives, ready in ((3, True), (2, False)):
        start = table(5, characters="double_threat").seat(0, ("hecatia_lapislazuli", "reiuji_utsuho"), life=lives)
        game = start.seat(1, items="nimble_cloth").seat(4, items="nimble_cloth").incident("overdrive").build()
        game.act("spell overdrive")
        assert (game.question == "spell" and "choose character:reiuji_utsuho" in game.legal()) == ready


def test_l32_hecatia_with_one_life_is_at_max_life_and_nothing_else():
    """L-32: a table of one life (`GameConfig(life=1)`) has one of her three circumstances."""
    game = table(4, life=1).seat(0, "hecatia_lapislazuli", hand="grimoire").build()
    assert (game.seat(0).danmaku_limit, game.distance(1, 0)) == (3, 1)


def test_a9_what_the_heroines_items_do_on_leaving_comes_before_her_hand_is_trimmed():
    """A-9: a Partner's fate takes the Seven Star Sword, whose card she draws before she keeps two."""
    start = table(5).seat(0, role="heroine", hand="shoot graze bomb", items="seven_star_sword").seat(1, role="partner", life=0)
    game = start.turn(2).build()
    pass_until(game, "discard")
    while game.question == "discard" and game.asking == 0:
        game.act(game.legal()[0])
    assert len(game.seat(0).hand) == 2


def alices_artifacts(players=4, other="", **config):
    """Alice finds Mini-Hakkero; the artifact limit costs her the Seven Star Sword, which draws a Lunatic card on leaving."""
    own = ["alice_margatroid", other] if other else "alice_margatroid"
    start = table(players, **config).seat(0, own, hand="spiritual_attack voile", items="seven_star_sword")
    return start.deck("grimoire mini_hakkero").turn(0)


def test_k16_a_card_drawn_in_the_middle_of_alices_search_is_answered_when_it_is_over():
    """K-16: Ichirin punches whoever drew, also where the cards that Alice revealed still lay aside."""
    game = alices_artifacts().seat(2, "kumoi_ichirin", hand="bomb grimoire").build()
    game.act("play spiritual_attack")
    pass_until(game, "limit")
    game.act("choose card:seven_star_sword")
    assert (game.question, game.asking) == ("respond", 2)


def test_l18_sumireko_calls_a_card_drawn_in_the_middle_of_alices_search():
    """L-18: a season is named before each card, and the cards that Alice revealed do not come into her hand with it."""
    game = alices_artifacts(5, "usami_sumireko", characters="double_threat").build()
    act(game, "play spiritual_attack", "choose character:alice_margatroid")
    pass_until(game, "limit")
    act(game, "choose card:seven_star_sword", "choose season:spring")
    pass_until(game, "main")
    assert "grimoire" not in kinds(game.seat(0).hand)


def test_l10_who_is_recruited_at_the_start_of_the_game_has_her_effect_of_that_moment():
    """L-10: Seija finds the Tanuki Leaf, which recruits Player 2, who names whose ability is hers."""
    start = table(bonus_character=True).seat(0, "kijin_seija", hand="voile").seat(1, "cirno").seat(2, "fujiwara_no_mokou")
    game = start.recruits(["player_2", "hakurei_reimu"]).turn(0, step="game start").build()
    act(game, "choose deck:lunatic", "choose card:tanuki_leaf", "choose character:player_2", "choose character:cirno")
    assert "cirno" in game.seat(0).abilities


def test_a11_the_log_says_that_the_former_heroines_life_falls():
    """A-11: the role card that goes takes a life with it, which nobody has done to her."""
    start = table(4, 3).seat(0, "cirno", role="stage_boss", life=4).seat(3, role="heroine", life=5).deck("voile/autumn")
    game = start.incident_deck(top="crisis_of_faith").turn(0, step="incident").build()
    pass_until(game, "main")
    assert any("exchange roles" in line and line.endswith("falls to 4") for line in game.log)


def test_c17_rans_spell_card_needs_nobody_to_attack():
    """C-17: with Uchide's Mallet nobody is near enough for the first of her three options; the other two want no target."""
    start = table(4, 3).seat(0, "yakumo_ran", life=3, hand="spiritual_attack graze", items="uchides_mallet")
    game = start.seat(1, items="focus").seat(3, items="lunatic_focus").build()
    game.act("play spiritual_attack")
    assert game.legal() == ["choose number:2", "choose number:3"]


@pytest.mark.parametrize(("card", "answer"), [("point_of_collection", "play point_of_collection"), ("bomb", "play bomb")])
def test_k23_a_card_played_in_ones_name_is_not_another_players(card, answer):
    """K-23, H-12: Eirin plays Revenge Shot for whoever is attacked, who neither takes it home nor cancels it; anybody else may."""
    start = table(5, 2).roles("heroine stage_boss stage_boss ex_boss partner").seat(0, hand="shoot")
    start = start.seat(1, hand=card).seat(2, "yagokoro_eirin", hand="revenge_shot").seat(4, hand=card)
    game = start.build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 2)
    game.act("play revenge_shot")
    asked = {}
    while game.question in ("cancel", "respond"):
        asked[game.asking] = game.legal()
        game.act("pass")
    assert answer in asked[4]
    assert 1 not in asked or answer not in asked[1]


def test_l18_no_season_is_named_for_a_card_that_cannot_be_drawn():
    """L-18, L-21: under Shining Needle Castle there is no Lunatic card for Sumireko to name a season before."""
    game = table(4, 3).seat(0, "usami_sumireko", hand="occult_ball").incident("shining_needle_castle").build()
    game.act("play occult_ball")
    assert game.question == "main"


def kanako(incidents):
    """Kanako's turn, with range 2; Crossing to Higan makes it 3."""
    return table(6).seat(0, "yasaka_kanako", hand="spiritual_attack").incidents(incidents)


@pytest.mark.parametrize(
    ("start", "answers", "targets"),
    [
        (table(6).seat(0, "hecatia_lapislazuli", life=1, hand="spiritual_attack shoot"), (1, 3, 5), {1, 2, 3, 4, 5}),
        (table(6).seat(0, "hecatia_lapislazuli", life=3, hand="spiritual_attack shoot"), (1, 3, 5), {1, 5}),
        (table(6).seat(0, "hecatia_lapislazuli", life=3, hand="spiritual_attack shoot"), (1, 2, 5), {1, 2, 3, 4, 5}),
        (table(6).seat(0, "hecatia_lapislazuli", hand="spiritual_attack").incident("crossing_to_higan"), (1, 4, 5), {1, 5}),
        (table(6).seat(0, "yasaka_kanako", hand="spiritual_attack").incident("crossing_to_higan"), "choose deck:main", {1, 2, 4, 5}),
        (table(6).seat(0, "yasaka_kanako", hand="spiritual_attack").incident("dream_world"), "choose deck:main", {1, 2, 4, 5}),
        (kanako({"urban_legend_outbreak": "", "crossing_to_higan": ""}), "choose deck:main", {1, 2, 4, 5}),
        (kanako({"crossing_to_higan": "", "urban_legend_outbreak": "lily_white"}), "choose deck:main", {1, 2, 4, 5}),
        (kanako({"crossing_to_higan": "", "urban_legend_outbreak": "", "dream_world": ""}), "choose deck:main", {1, 2, 3, 4, 5}),
        (table(6).seat(0, "komeiji_koishi", hand="spiritual_attack").seat(1, "moriya_suwako"), "choose seat:1", {1, 5}),
        (table(6).seat(0, "komeiji_koishi", hand="spiritual_attack").seat(1, "moriya_suwako"), "choose seat:3", {5}),
    ],
)
def test_k10_range_is_judged_as_if_the_earlier_steps_had_been_carried_out(start, answers, targets):
    """K-10: life regained (Hecatia), the incident resolved and what is over with it (Hecatia, Kanako), abilities taken (Koishi)."""
    game = start.build()
    act(game, "play spiritual_attack", *([answers] if isinstance(answers, str) else [f"choose number:{option}" for option in answers]))
    if answers == (1, 2, 5):
        game.act("choose seat:1")  # who draws
    assert {int(answer.split(":")[1]) for answer in game.legal() if answer != "pass"} == targets
    game.act(f"choose seat:{max(targets)}")
    while not game.over and game.question != "main":
        game.act(game.legal()[0])
    assert any(f"attacks seat {max(targets)}" in line for line in game.log)


def test_i11_everybody_draws_from_the_current_player_on_whoever_plays_the_card():
    """I-11: Kogasa plays Extra Stage in another's turn, whose player draws first."""
    start = table(8, 3).seat(0, hand="voile/autumn spiritual_attack/spring power").seat(5, "tatara_kogasa", hand="party")
    game = start.deck("extra_stage").build()
    act(game, "exchange", "choose card:spiritual_attack", "choose card:voile", "pass", "choose yes", "choose yes")
    pass_until(game, "main")
    flipped = next(place for place, line in enumerate(game.log) if "flips" in line)
    drew = [line.split()[1] for line in game.log[flipped:] if "draws 1 Lunatic" in line]
    assert drew == [str(seat) for seat in range(8)]


def test_c8_dream_world_brings_the_limits_of_items_back():
    """C-8: Seija has no ability any more, so of three artifacts she discards two at once, and her defense card stays."""
    start = table(4, 3).turn(0, step="start").seat(1, "kijin_seija", items="mini_hakkero stopwatch sorcerers_sutra_scroll focus")
    game = start.incident_deck(top="dream_world").build()
    pass_until(game, "limit", 1)
    assert "choose card:focus" not in game.legal()
    act(game, "choose card:stopwatch", "choose card:mini_hakkero")
    assert sorted(kinds(game.seat(1).items)) == ["focus", "sorcerers_sutra_scroll"]


def test_c8_who_names_another_ability_keeps_to_the_limits_again():
    """C-8, L-12: Koishi had Seija's ability until she named Cirno's."""
    start = table(4, 3).turn(0, step="start").seat(1, "komeiji_koishi", named="kijin_seija", items="mini_hakkero stopwatch")
    game = start.seat(2, "kijin_seija").seat(3, "cirno").build()
    game.act("choose character:cirno")
    assert (game.question, game.asking) == ("limit", 1)


def test_c8_danmaku_paranoia_brings_the_limits_back_before_the_attack_goes_on():
    """C-8: Seija without abilities discards one of two artifacts before anybody answers the attack that comes with it."""
    start = table(4, 3).seat(0, "komeiji_koishi", hand="spiritual_attack").seat(1, "kijin_seija", items="mini_hakkero stopwatch")
    game = start.seat(3, hand="graze").build()
    act(game, "play spiritual_attack", "choose seat:1", "choose seat:3")
    pass_until(game, "limit", 1)
    game.act("choose card:stopwatch")
    assert kinds(game.seat(1).items) == ["mini_hakkero"]
    pass_until(game, "attacked", 3)


def test_h12_eirin_answers_her_own_attack_for_whom_she_attacks():
    """H-12: her Last Word attacks everybody; in their names she plays Erase Shot for one and Revenge Shot for another, against herself."""
    start = table().seat(0, "yagokoro_eirin", hand="last_word erase_shot revenge_shot")
    game = start.build()
    act(game, "play last_word", "play erase_shot")
    assert "seat 1 avoids the attack of seat 0 (Eirin)" in game.log
    pass_until(game, "attacked", 0)
    game.act("play revenge_shot")
    assert "seat 2 attacks seat 0 (Eirin)" in game.log
    pass_until(game, "main")
    assert life(game) == [3, 4, 3, 4]


def test_k16_special_actions_are_offered_in_the_discard_step_too():
    """K-16: Satori looks and Eiki reveals at every priority point, also when exchanges in the discard step have begun."""
    satori = table().seat(0, "komeiji_satori", hand="voile power").build()
    act(satori, "pass", "pass")
    assert (satori.step, satori.legal()) == ("discard", ["pass", "exchange", "ability komeiji_satori"])
    act(satori, "exchange", "choose card:voile", "pass", "ability komeiji_satori", "choose seat:1")
    assert "ability komeiji_satori" not in satori.legal()
    eiki = table().seat(0, hand="voile power").seat(2, "shiki_eiki", role="stage_boss").build()
    act(eiki, "pass", "pass", "exchange", "choose card:voile", "pass")
    pass_until(eiki, "step", 2)
    eiki.act("ability shiki_eiki")
    assert eiki.seat(2).role_revealed


@pytest.mark.parametrize("victim", ["hong_meiling", "usami_sumireko", "moriya_suwako"])
def test_a4_the_victim_draws_before_yuuka_does(victim):
    """A-4, A-20: the card for the life that a Captured Sword of Swagger takes comes first, also where it is drawn with questions."""
    start = table().seat(0, "kazami_yuuka", hand="capture_spell_card").seat(1, victim).seat(2, "cirno").seat(3, "hinanawi_tenshi")
    game = start.deck("shoot focus").build()
    act(game, "play capture_spell_card", "choose seat:3", "choose seat:1")
    for _ in range(10):
        if (game.asking, game.question) == (0, "may"):
            break
        game.act("pass")
    assert (kinds(game.seat(0).hand), kinds(game.seat(1).hand)) == ([], ["shoot"])
    game.act("choose yes")
    assert kinds(game.seat(0).hand) == ["focus"]


def test_k8_what_alice_has_revealed_stays_aside_while_other_texts_happen():
    """K-8: the card that the Seven Star Sword draws on leaving comes before her search is over, and so does Shou's."""
    game = alices_artifacts(4, "toramaru_shou", characters="double_threat").build()
    act(game, "play spiritual_attack", "choose character:alice_margatroid")
    pass_until(game, "limit")
    game.act("choose card:seven_star_sword")
    assert (game.question, "grimoire" in kinds(game.discard)) == ("may", False)
    pass_until(game, "main")
    assert "grimoire" in kinds(game.discard)
