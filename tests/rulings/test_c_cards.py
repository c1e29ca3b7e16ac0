"""Rulings C: cards of the Main deck. `test_c5_...` asks what ruling C-5 answers."""

from copy import deepcopy
from dataclasses import replace

import pytest

from tests.table import act, box_without, kinds, life, pass_until, scene


def test_c1_costs_come_from_the_hand():
    """C-1: items in play pay for nothing, unless named."""
    start = scene().seat(0, "reiuji_utsuho", role="heroine", items="power focus stopwatch", hand="grimoire")
    assert start.build().legal() == ["pass", "play grimoire"]
    start.seat(0, "reiuji_utsuho", role="heroine", hand="grimoire graze")
    assert "spell reiuji_utsuho" in start.build().legal()


def test_c2_nobody_is_asked_whether_to_be_protected():
    """C-2: a third player's Graze and danmaku card save the attacked one, who keeps the own Graze."""
    game = scene().seat(2, hand="shoot").turn(2).seat(0, hand="graze shoot").seat(1, hand="graze").build()
    act(game, "play shoot", "choose seat:1", "play graze")
    assert (life(game), kinds(game.seat(1).hand), game.seat(0).hand) == ([4, 4, 4, 5], ["graze"], [])


def test_c3_reimu_makes_dodge_cards_dearer():
    """C-3: one card more, and another danmaku card for protecting somebody else (C-2)."""
    start = scene().seat(0, "hakurei_reimu", role="heroine", hand="shoot").seat(1, hand="graze focus")
    game = start.build()
    act(game, "play shoot", "choose seat:1", "play graze")
    assert game.seat(1).hand == []
    game = start.seat(1, hand="graze").build()
    act(game, "play shoot", "choose seat:1")
    assert game.seat(1).life == 3
    game = start.seat(1).seat(2, hand="graze shoot focus").build()
    act(game, "play shoot", "choose seat:1", "play graze")
    assert game.seat(2).hand == []
    assert game.seat(1).life == 4


def test_c4_fantasy_seal_binds_everybody():
    """C-4: Reimu too; the half being played counts, and costs may be paid with such cards."""
    start = scene().seat(0, "hakurei_reimu", role="heroine", hand="spiritual_attack shoot grimoire")
    game = start.build()
    act(game, "play spiritual_attack", "choose type:danmaku", "pass")
    assert game.legal() == ["pass", "play grimoire"]
    game = start.seat(1, hand="graze focus focus").build()
    act(game, "play spiritual_attack", "choose type:dodge", "choose seat:1")
    assert game.seat(1).life == 3


def test_c5_a_cancelled_melee_is_not_handed_on():
    """C-5: the offer comes after the attack, so without attack there is none."""
    game = scene().seat(0, role="heroine", hand="melee").seat(1, hand="shoot").seat(2, hand="bomb").build()
    act(game, "play melee", "choose seat:1", "play bomb")
    assert game.over
    assert kinds(game.seat(1).hand) == ["shoot"]


def test_c5_a_player_at_zero_may_hand_melee_on():
    """C-5: even the attacked player who has nothing left."""
    start = scene().seat(0, role="heroine", hand="melee").seat(1, life=1, hand="shoot one_up").deck("focus")
    game = start.build()
    act(game, "play melee", "choose seat:1")
    assert (game.asking, game.question, game.seat(1).life) == (1, "discard", 0)
    act(game, "choose card:shoot", "choose seat:2")
    pass_until(game, "rescue")
    assert game.seat(2).life == 3


def test_c6_seal_away_is_not_for_oneself():
    """C-6: attacking cards choose other players."""
    game = scene().seat(0, role="heroine", items="focus", hand="seal_away").build()
    game.act("play seal_away")
    assert game.legal() == ["choose seat:1", "choose seat:2", "choose seat:3"]


def test_c7_seal_away_may_do_nothing():
    """C-7: legal on an item-less player out of range."""
    game = scene().seat(0, role="heroine", hand="seal_away").build()
    act(game, "play seal_away", "choose seat:2")
    assert life(game) == [5, 4, 4, 4]
    assert game.seat(0).danmaku_played == 1


@pytest.mark.parametrize(("first", "second"), [("focus", "supernatural_border"), ("mini_hakkero", "stopwatch")])
def test_c8_of_two_defense_cards_or_artifacts_one_goes_at_once(first, second):
    """C-8: a second one may be played; its controller says which of the two is discarded."""
    for gone, kept in ((first, second), (second, first)):
        game = scene().seat(0, hand=second, items=first).build()
        game.act(f"play {second}")
        assert (game.question, sorted(game.legal())) == ("limit", sorted([f"choose card:{first}", f"choose card:{second}"]))
        game.act(f"choose card:{gone}")
        assert (kinds(game.seat(0).items), kinds(game.discard)) == ([kept], [gone])


def test_c9_tempest_discards_all_hands_before_anybody_draws():
    """C-9: so discarded cards may be drawn again, Tempest itself not."""
    start = scene().seat(0, role="heroine", hand="tempest/summer")
    start.deck("focus/summer").discard(box_without("tempest/summer", "focus/summer", *["graze/winter"] * 4))
    start.seat(1, hand=["graze/winter"] * 4)
    game = start.build()
    game.act("play tempest")
    assert [len(seat.hand) for seat in game.seats] == [3, 3, 3, 3]
    assert kinds(game.discard) == ["tempest"]
    assert len(game.deck) == 80 - 1 - 12


def test_c10_party_with_few_cards_goes_round_until_they_run_out():
    """C-10: in turn order, as far as they reach."""
    rest = box_without("party/spring", "focus/summer", "power/winter")
    start = scene().seat(0, role="heroine", hand="party/spring").deck("focus/summer power/winter")
    game = start.seat(3, hand=rest).build()
    act(game, "play party", "choose card:power")
    assert game.seat(0).hand == ["power/winter"]
    assert game.seat(1).hand == ["focus/summer"]
    assert game.seat(2).hand == []


def test_c11_voile_puts_back_a_card_if_there_is_one():
    """C-11: nothing happens to an empty hand when no card exists to draw."""
    start = scene().seat(0, role="heroine", hand="voile/autumn").seat(3, hand=box_without("voile/autumn"))
    game = start.build()
    game.act("play voile")
    assert game.deck == []
    assert game.seat(0).hand == []


def test_c12_kourindou_may_take_the_whole_hand():
    """C-12: three cards discarded, four drawn."""
    game = scene().seat(0, hand="kourindou graze focus bomb").deck("power power power power").build()
    act(game, "play kourindou", "choose card:graze", "choose card:focus", "choose card:bomb")
    assert kinds(game.seat(0).hand) == ["power"] * 4
    assert kinds(game.discard) == ["bomb", "focus", "graze", "kourindou"]


def test_c13_borrow_does_not_take_ones_own_item():
    """C-13: only items of others are offered, and without one the card cannot be played."""
    game = scene().seat(0, hand="borrow", items="focus power").seat(2, items="stopwatch").build()
    game.act("play borrow")
    assert kinds(game.seat(0).items) == ["focus", "power", "stopwatch"]
    game = scene().seat(0, hand="borrow", items="focus power").build()
    assert game.legal() == ["pass"]


def test_c14_the_world_bans_action_cards_only():
    """C-14: items and invocation cards can still be played this turn."""
    hand = ["shoot", "grimoire", "one_up", "focus", "spiritual_attack"]
    start = scene(turns=2).seat(0, "patchouli_knowledge", role="heroine", life=4, hand=hand)
    start.deck("grimoire kourindou power").incident("crossing_to_higan")
    game = start.seat(1, "izayoi_sakuya", role="stage_boss", hand="spiritual_attack").build()
    act(game, "play shoot", "choose seat:1", "play spiritual_attack")
    pass_until(game, "main", 0)
    assert game.legal() == ["pass", "play focus", "play spiritual_attack"]
    while game.turn == 0:
        game.act("pass")
    assert game.legal() == ["pass", "play kourindou", "play power"]  # the ban ended with the turn


def test_c15_a_laser_shot_can_be_cancelled_but_not_avoided():
    """C-15: a Bomb answers it, a Graze does not."""
    start = scene().seat(0, hand="laser_shot").seat(1, hand="bomb graze")
    game = start.build()
    act(game, "play laser_shot", "choose seat:1")
    assert (game.question, game.legal()) == ("cancel", ["pass", "play bomb"])
    other = game.clone()
    game.act("play bomb")
    assert game.seat(1).life == 4
    other.act("pass")
    assert other.seat(1).life == 3


def test_c16_satoris_spell_card_cannot_be_captured():
    """C-16: only Spell Cards with a timing of their own."""
    start = scene().seat(0, "cirno", role="heroine", hand="capture_spell_card grimoire")
    game = start.seat(1, "komeiji_satori").build()
    assert game.legal() == ["pass", "play grimoire"]
    game = start.seat(2, "patchouli_knowledge").build()
    assert "play capture_spell_card" in game.legal()


@pytest.mark.parametrize(("focus", "playable"), [(["focus"], False), ([], True)])
def test_c17_a_spell_card_needs_its_target(focus, playable):
    """C-17: Master Spark cannot be activated with nobody in range."""
    start = scene().seat(0, "kirisame_marisa", role="heroine", hand="spiritual_attack grimoire")
    game = start.seat(1, items=focus).seat(3, items=focus).build()
    assert ("play spiritual_attack" in game.legal()) is playable


def test_c18_master_sparks_damage_is_fixed_when_the_attack_is_on_the_stack():
    """C-18: Meiling's answer costs Marisa a powerup, but the attack on the stack keeps its 3 damage."""
    start = scene().seat(0, "kirisame_marisa", role="heroine", items="power power", hand="spiritual_attack")
    game = start.seat(1, "hong_meiling", hand="spiritual_attack").build()
    act(game, "play spiritual_attack", "choose seat:1", "play spiritual_attack")
    assert kinds(game.seat(0).items) == ["power"]
    assert life(game) == [4, 1, 4, 4]


TWO_SHOOTS = "shoot/summer shoot/winter"


CHOICES_OF_A_COPY = {
    "play": (scene().seat(0, hand=TWO_SHOOTS), ["play shoot"]),
    "pay": (scene().seat(0, "reiuji_utsuho", hand="grimoire " + TWO_SHOOTS), ["spell reiuji_utsuho", "choose card:shoot"]),
    "boost": (scene().seat(0, hand="laser_shot kourindou " + TWO_SHOOTS), ["play kourindou", "choose card:shoot"]),
    "discard": (scene().seat(0, hand="graze graze graze " + TWO_SHOOTS).turn(0, step="discard"), ["choose card:shoot"]),
    "give": (
        scene().seat(0, "toyosatomimi_no_miko", hand=TWO_SHOOTS),
        ["ability toyosatomimi_no_miko", "choose seat:1", "choose card:shoot"],
    ),
    "keep": (scene().seat(0, hand="party grimoire").deck(TWO_SHOOTS), ["play party", "choose card:shoot"]),
    "lose": (
        scene().seat(0, hand="laser_shot grimoire").seat(1, items="power/winter power/summer"),
        ["play laser_shot", "choose seat:1", "choose card:power"],
    ),
    "take": (
        scene().seat(0, hand="borrow grimoire").seat(1, items="power/winter power/summer"),
        ["play borrow", "choose seat:1", "choose card:power"],
    ),
}


@pytest.mark.parametrize("way", CHOICES_OF_A_COPY)
@pytest.mark.parametrize(("incident", "ask_seasons", "asked"), [(None, False, False), ("voyage_to_makai", False, True), (None, True, True)])
def test_c19_whoever_picks_a_card_picks_its_season(way, incident, ask_seasons, asked):
    """C-19: played, paid, discarded, given, kept, lost or taken; asked while an incident collects by season, or always by configuration."""
    start, answers = CHOICES_OF_A_COPY[way]
    start = deepcopy(start).incident(incident)
    start.config = replace(start.config, ask_seasons=ask_seasons)
    game = start.build()
    for answer in answers:
        if answer in game.legal():  # of one kind only there is no question for the kind
            game.act(answer)
    assert (game.question == "season") is asked
    if asked:
        seat, copies = game.asking, game.legal()
        assert len(copies) == 2
        one, other = game.clone(), game.clone()
        one.act(copies[0])
        other.act(copies[1])
        assert [one.seat(index).hand + one.seat(index).items for index in range(4)] != [
            other.seat(index).hand + other.seat(index).items for index in range(4)
        ], f"seat {seat} chose between {copies} in vain"


@pytest.mark.parametrize("elsewhere", ["graze", "shoot/winter", "shoot/summer", "shoot/winter shoot/winter shoot/summer"])
def test_c19_which_copy_goes_unasked_follows_from_what_is_printed_on_the_copies(elsewhere):
    """C-19: winter stands before summer in the list of Shoot; which of several equal cards somebody else holds tells nobody anything."""
    start = (
        scene().seat(0, role="stage_boss", hand=elsewhere).seat(1, role="heroine", hand="shoot/summer shoot/winter").seat(3, role="ex_boss")
    )
    game = start.turn(1).build()
    game.act("play shoot")
    assert game.seat(1).hand == ["shoot/summer"]


@pytest.mark.parametrize("defeated", [False, True])
@pytest.mark.parametrize("owner", ["komeiji_satori", "kaenbyou_rin", "houjuu_nue"])
@pytest.mark.parametrize("card", ["capture_spell_card", "spiritual_attack"])
def test_c16_spell_cards_without_a_timing_of_their_own_are_nobody_elses(card, owner, defeated):
    """C-16: neither with Capture Spell Card nor by Satori's or Rin's Spell Card, be their owner active or defeated."""
    me = "cirno" if card == "capture_spell_card" else "komeiji_satori" if owner != "komeiji_satori" else "kaenbyou_rin"
    start = scene(turns=9, expansion="lunatic_extra").seat(0, me, role="heroine", hand=f"{card} grimoire").seat(1, role="stage_boss")
    start = start.seat(2, owner, role="stage_boss", defeated=defeated).seat(3, role="ex_boss")
    assert f"play {card}" not in start.build().legal()
    game = start.seat(2, "patchouli_knowledge", role="stage_boss", defeated=defeated).build()
    assert (f"play {card}" in game.legal()) == (defeated or me != "kaenbyou_rin")


def test_c16_player_2_has_no_spell_card_for_others():
    """C-16: what takes the place of Player 2's Spell Card is not to be captured either."""
    start = scene(bonus_character=True, turns=9).seat(0, "cirno", role="heroine", hand="capture_spell_card grimoire")
    game = start.seat(1, "player_2", role="stage_boss", named="patchouli_knowledge").seat(2, "patchouli_knowledge", role="stage_boss")
    game = game.seat(3, role="ex_boss").build()
    game.act("play capture_spell_card")
    assert game.question == "target"
    assert "Philosopher" in str(game.explain())


def test_c16_hypnotism_cannot_be_cancelled_and_what_it_activates_can():
    """C-16: seat 1 is first asked about the Philosopher's Stone that Satori activates, and cancels that."""
    start = scene(turns=9).seat(0, "komeiji_satori", hand="spiritual_attack grimoire").seat(1, hand="bomb")
    game = start.seat(2, "patchouli_knowledge").build()
    game.act("play spiritual_attack")
    assert game.asking == 0, "nobody is asked before Hypnotism has turned into another Spell Card"
    pass_until(game, "cancel", 1)
    assert "Philosopher's Stone" in str(game.explain())
    game.act("play bomb")
    pass_until(game, "main", 0)
    assert kinds(game.seat(0).hand) == ["grimoire"]


def test_c17_mamizou_may_draw_and_replace_with_nobody_in_range():
    """C-17: her attack is the last step and needs no target; she draws, replaces her Extra Character, and attacks nobody."""
    start = scene(expansion="lunatic_extra", turns=9).seat(0, "futatsuiwa_mamizou", hand="spiritual_attack voile", extras=["junko"])
    game = start.seat(1, items="focus").seat(3, items="focus").seat(2, items="nimble_cloth").build()
    assert "play spiritual_attack" in game.legal()
    act(game, "play spiritual_attack", "choose character:futatsuiwa_mamizou", "choose character:junko")
    game.act(game.legal()[0])
    assert (game.question, len(game.seat(0).hand)) == ("main", 2)
    assert game.seat(0).extras != ["junko"]
    assert not [line for line in game.log if "attacks" in line]


def test_c17_with_somebody_in_range_mamizou_attacks():
    """C-17: the attack is not an option: she cannot pass on a target that is there."""
    game = scene(expansion="lunatic_extra").seat(0, "futatsuiwa_mamizou", hand="spiritual_attack voile").build()
    game.act("play spiritual_attack")
    assert game.legal() == ["choose seat:1", "choose seat:3"]


def test_c17_youmu_with_the_mallet_and_nobody_near():
    """C-17, D-4: her attack comes after everybody is in range for her: she may have that alone, where the Mallet forbids the attack."""
    start = scene(expansion="lunatic_extra").seat(0, "konpaku_youmu", hand="spiritual_attack shoot voile", items="uchides_mallet")
    game = start.seat(1, items="focus").seat(3, items="focus").build()
    game.act("play spiritual_attack")
    assert game.question == "main"
    assert [line for line in game.log if "range" in line]
    assert not [line for line in game.log if "attacks" in line]


def test_c17_a_captured_or_copied_scroll_needs_no_target_either():
    """C-17: whoever captures Mamizou's Spell Card draws one, with nobody in range."""
    start = scene(expansion="lunatic_extra", turns=9).seat(0, hand="capture_spell_card voile").seat(1, "futatsuiwa_mamizou", items="focus")
    game = start.seat(3, items="focus").build()
    game.act("play capture_spell_card")
    assert (game.question, len(game.seat(0).hand)) == ("main", 2)


@pytest.mark.parametrize("own", ["cirno", "kirisame_marisa", "kochiya_sanae", "reiuji_utsuho", "toramaru_shou", "usami_sumireko",
                                 "kijin_seija", "fujiwara_no_mokou"])  # fmt: skip
def test_c17_a_first_step_that_needs_a_target_still_does(own):
    """C-17: Perfect Freeze, Miracle Fruit and their like cannot be activated with nobody in range, Shou's after its item neither."""
    start = scene(expansion="lunatic_extra").seat(0, own, hand="spiritual_attack voile", items="power" if own == "toramaru_shou" else "")
    far = "stopwatch focus" if own in ("cirno", "toramaru_shou") else "focus"
    game = (
        start.seat(1, items=far)
        .seat(2, items="nimble_cloth full_power" if own == "cirno" else "nimble_cloth")
        .seat(3, items="focus")
        .build()
    )
    assert ("play spiritual_attack" in game.legal()) == any(game.in_range(0, other) for other in (1, 2, 3))
