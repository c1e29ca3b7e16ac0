"""What the base rulebook answers itself: its examples, page by page, then its questions and answers, card by card."""

import pytest

from tests.table import act, end_turn, kinds, life, pass_until, scene

# ---------------------------------------------------------------- turns


def test_no_new_incident_enters_in_the_step_in_which_one_is_resolved():
    start = (
        scene(turns=2).seat(0, hand="focus").turn(0, step="incident").incident("lily_white").deck("power/summer power power power power")
    )
    game = start.incident_deck(top="spring_snow").build()
    pass_until(game, "main", 0)
    assert game.incident is None
    pass_until(game, "main", 1)
    assert game.incident == "spring_snow"


def test_two_cards_are_drawn_and_any_number_played():
    start = scene().seat(0, hand="grimoire borrow shoot").seat(1, items="focus").turn(0, step="draw")
    game = start.deck("kourindou power voile stopwatch").build()
    pass_until(game, "main")
    assert len(game.seat(0).hand) == 5
    act(game, "play kourindou", "choose card:shoot", "pass", "play power", "play borrow", "play grimoire")
    assert kinds(game.seat(0).items) == ["focus", "power"]


def test_danmaku_and_spell_card_limits_do_not_touch_each_other():
    game = scene().seat(0, "patchouli_knowledge", hand="shoot spiritual_attack shoot bomb").seat(1, "cirno", hand="seal_away").build()
    act(game, "play shoot", "choose seat:1", "pass", "play spiritual_attack", "pass")
    assert (game.seat(0).danmaku_played, game.seat(0).spell_used) == (1, True)
    assert not {"play shoot", "play bomb"} & set(game.legal())


def test_limits_last_until_ones_own_next_turn():
    """So a Bomb still cancels on another's turn, though the Spell Card of the round is used."""
    start = scene(turns=9).seat(0, "patchouli_knowledge", hand="spiritual_attack bomb", danmaku_played=1).seat(1, hand="shoot")
    game = start.incident("overdrive").deck("power power power power").build()
    act(game, "play spiritual_attack", "pass")
    end_turn(game)
    assert (game.turn, game.seat(0).spell_used, game.seat(0).danmaku_played) == (1, True, 1)
    act(game, "play shoot", "choose seat:0")
    pass_until(game, "cancel", 0)
    assert "play bomb" in game.legal()


def test_hands_are_trimmed_in_everybodys_discard_step_and_not_before():
    start = scene(turns=2).seat(0, hand=["graze"] * 5).seat(1, role="stage_boss", hand=["graze"] * 5).seat(3, role="heroine")
    game = start.deck("power power").incident("overdrive").build()
    assert [len(seat.hand) for seat in game.seats][:2] == [5, 5]
    end_turn(game)
    assert [len(seat.hand) for seat in game.seats][:2] == [4, 4 + 2]  # seat 1 has drawn for her own turn


# ---------------------------------------------------------------- life, attacks, distance


def test_the_last_life_can_be_paid_but_nothing_at_zero():
    game = scene().seat(0, "patchouli_knowledge", life=1, hand="grimoire").incident("overdrive").deck("power focus stopwatch").build()
    act(game, "spell overdrive", "pass")
    assert game.seat(0).defeated


def test_a_card_is_drawn_for_every_life_lost_and_life_stops_at_zero():
    """Three attacks on a player with two lives: two cards."""
    game = scene().seat(0, "reiuji_utsuho", hand="spiritual_attack").seat(1, life=2).seat(2, hand="one_up").deck(["power"] * 4).build()
    act(game, "play spiritual_attack", "choose seat:1")
    pass_until(game, "rescue", 2)
    assert (game.seat(1).life, len(game.seat(1).hand)) == (0, 2)


def test_losing_life_without_an_attack_cannot_be_avoided():
    start = scene().seat(0, "hinanawi_tenshi", hand="spiritual_attack").seat(1, hand="graze", items="power supernatural_border")
    game = start.deck("bomb/spring").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert game.seat(1).life == 3
    assert kinds(game.seat(1).items) == ["power", "supernatural_border"]  # nor is a powerup lost


def test_range_grows_with_every_power():
    assert [scene().seat(0, items=["power"] * number).build().seat(0).range for number in range(4)] == [1, 2, 3, 4]


def test_distance_counts_seats_either_way_and_the_items_of_the_one_who_is_counted_to():
    """A table like that of the diagram: two players with one more distance, one seat and two seats away."""
    game = scene(6).seat(0, items="focus").seat(1, "kawashiro_nitori").seat(4, items="stopwatch").build()
    assert [game.distance(0, other) for other in range(1, 6)] == [2, 2, 3, 3, 1]


def test_the_defeated_are_not_counted():
    game = scene(6).roles("heroine partner stage_boss stage_boss challenger ex_boss").seat(1, defeated=True).seat(2, defeated=True).build()
    assert game.distance(0, 3) == 1


def test_at_zero_life_one_still_answers():
    """The player who has fallen to 0 protects another with a Graze before all is over."""
    start = scene().seat(0, hand="last_word").seat(1, life=1, hand="graze shoot").seat(2, hand="one_up").deck("power")
    game = start.build()
    game.act("play last_word")
    pass_until(game, "attacked", 1)
    game.act("pass")
    assert (game.asking, game.seat(1).life) == (1, 0)
    game.act("play graze")  # for seat 2
    assert game.seat(2).life == 4


def test_a_cancelled_seal_away_takes_no_item_and_attacks_nobody():
    game = scene().seat(0, hand="seal_away").seat(1, hand="bomb", items="focus").build()
    act(game, "play seal_away", "choose seat:1", "choose card:focus", "play bomb")
    assert (game.seat(1).life, kinds(game.seat(1).items), game.seat(0).danmaku_played) == (4, ["focus"], 1)


def test_a_limit_that_an_item_gave_goes_with_the_item():
    start = scene().seat(0, hand="shoot shoot grimoire", items="power", danmaku_played=1).seat(1, "hong_meiling", hand="spiritual_attack")
    game = start.deck("voile").build()
    assert "play shoot" in game.legal()
    act(game, "play shoot", "choose seat:1", "pass", "play spiritual_attack")
    assert (game.seat(0).items, game.seat(0).danmaku_limit) == ([], 1)
    assert "play shoot" not in game.legal()


# ---------------------------------------------------------------- questions and answers: cards


def test_faq_a_bomb_does_not_cancel_a_bomb():
    game = scene().seat(0, hand="shoot bomb").seat(1, hand="bomb").build()
    act(game, "play shoot", "choose seat:1", "play bomb")
    assert (game.seat(1).life, kinds(game.seat(0).hand)) == (4, ["bomb"])


def test_faq_a_bomb_cancels_a_spell_card_that_cancels():
    game = scene().seat(0, hand="grimoire bomb").seat(1, "kamishirasawa_keine", hand="spiritual_attack").build()
    act(game, "play grimoire", "play spiritual_attack", "pass", "play bomb")
    assert len(game.seat(0).hand) == 2


def test_faq_capture_keeps_to_the_timing_and_reaches_the_defeated():
    start = scene().roles("stage_boss stage_boss ex_boss heroine").seat(0, hand="capture_spell_card grimoire")
    game = start.seat(1, "hong_meiling").build()
    assert "play capture_spell_card" not in game.legal()  # no attack to react to
    game = start.seat(1, "patchouli_knowledge", defeated=True).build()
    game.act("play capture_spell_card")
    pass_until(game, "main", 0)
    assert len(game.seat(0).hand) == 3


def test_faq_cards_thrown_into_a_shoot_are_for_that_attack_and_gone():
    start = scene(6).seat(0, hand="shoot melee shoot seal_away", items="power").seat(3, hand="graze")
    game = start.build()
    act(game, "play shoot", "choose seat:3", "choose card:melee", "pass", "play graze")
    assert (game.seat(0).range, game.seat(0).danmaku_played) == (2, 1)
    assert kinds(game.discard) == ["graze", "melee", "shoot"]


def test_faq_after_a_border_there_is_still_a_graze():
    game = scene().seat(0, hand="shoot").seat(1, hand="graze", items="supernatural_border").deck("power/winter").build()
    act(game, "play shoot", "choose seat:1", "play graze")
    assert game.seat(1).life == 4


# ---------------------------------------------------------------- questions and answers: characters


def test_faq_cirno_reaches_a_neighbour_behind_a_focus():
    game = scene(6).seat(0, "cirno").seat(1, items="focus").build()
    assert (game.in_range(0, 1), game.in_range(0, 5)) == (True, False)


def test_faq_perfect_freeze_on_somebody_who_skipped():
    game = scene(turns=2).seat(0, "cirno", hand="spiritual_attack").seat(1, hand="focus", skipped_last=True).incident("overdrive").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert game.seat(1).life == 3
    pass_until(game, "main", 1)


@pytest.mark.parametrize("skipped", [False, True])
def test_faq_meiling_does_not_choose_to_skip_twice(skipped):
    start = scene(turns=2).seat(0, "hong_meiling", hand="focus", skipped_last=skipped).turn(0, step="start").incident("overdrive")
    game = start.build()
    assert (game.question == "may") is not skipped


def test_faq_meiling_forced_to_skip_may_draw():
    start = scene(turns=2).seat(0, "hong_meiling", hand="focus", skip_next=True).turn(0, step="start").incident("overdrive")
    game = start.build()
    pass_until(game, "may", 0)
    game.act("choose yes")
    assert len(game.seat(0).hand) == 5


def test_faq_suikas_number_stands_against_every_modifier_until_a_later_number():
    start = scene(6).seat(0, "ibuki_suika", hand="spiritual_attack").seat(1, items="focus")
    game = start.build()
    act(game, "play spiritual_attack", "choose number:2", "pass")
    assert {game.distance(one, other) for one in range(6) for other in range(6) if one != other} == {2}


def test_faq_keine_puts_back_any_card():
    """Not only one that she has just drawn."""
    game = scene().seat(0, "kamishirasawa_keine", hand="bomb/winter").turn(0, step="draw").build()
    pass_until(game, "card")
    assert "choose card:bomb" in game.legal()


def test_faq_keine_cancels_action_spell_cards_and_no_reaction():
    game = scene().seat(0, "patchouli_knowledge", hand="spiritual_attack").seat(1, "kamishirasawa_keine", hand="bomb").build()
    act(game, "play spiritual_attack", "pass")
    assert (game.asking, game.question) == (1, "cancel")
    start = scene().seat(0, hand="laser_shot").seat(1, "hong_meiling", hand="spiritual_attack").seat(2, "kamishirasawa_keine")
    game = start.seat(2, "kamishirasawa_keine", hand="spiritual_attack").build()
    act(game, "play laser_shot", "choose seat:1", "pass", "play spiritual_attack")
    assert (game.seat(0).life, game.seat(1).life) == (3, 3)


def test_faq_a_flooded_item_works_again_for_somebody_else():
    start = scene().seat(0, "kawashiro_nitori", hand="spiritual_attack borrow").seat(1, items="power")
    game = start.build()
    act(game, "play spiritual_attack", "choose seat:1", "pass")
    assert game.seat(1).range == 1
    game.act("play borrow")
    assert game.seat(0).range == 2


def test_faq_an_item_gained_under_the_flood_does_nothing():
    start = scene(turns=2).seat(0, "kawashiro_nitori", hand="spiritual_attack").seat(1, hand="power focus").incident("overdrive")
    game = start.build()
    act(game, "play spiritual_attack", "choose seat:1", "pass")
    pass_until(game, "main", 1)
    game.act("play power")
    assert game.seat(1).range == 1


def test_faq_nobody_refuses_sanaes_card():
    game = scene().seat(0, "kochiya_sanae", hand="laser_shot").deck("bomb/spring").build()
    act(game, "play laser_shot", "choose seat:1", "choose yes", "pass", "choose seat:2")
    assert "bomb/spring" in game.seat(2).hand


def test_faq_satori_looks_while_cards_wait():
    game = scene().seat(0, "komeiji_satori", hand="shoot").seat(1, hand="graze").build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 0)
    act(game, "ability komeiji_satori", "choose seat:1")
    assert "seat 0 (Satori) looks at the hand of seat 1: Graze" in "\n".join(game.log.of(0))


def test_faq_hypnotism_comes_when_the_chosen_spell_card_could():
    start = scene().seat(0, hand="shoot").seat(1, "komeiji_satori", hand="spiritual_attack").seat(2, "hong_meiling")
    game = start.build()
    act(game, "play shoot", "choose seat:1")
    assert "play spiritual_attack" in game.legal()
    game = start.turn(1).build()
    assert "play spiritual_attack" not in game.legal()


def test_faq_futos_dinner_takes_a_guest_without_cards():
    game = scene().seat(0, "mononobe_no_futo", hand="spiritual_attack").seat(1, hand="graze focus").build()
    act(game, "play spiritual_attack", "choose seat:1", "choose seat:2", "pass")
    assert (game.seat(1).hand, kinds(game.seat(2).hand)) == ([], ["focus", "graze"])


def test_faq_reisens_extra_attack_needs_her_own_range():
    game = scene(6).seat(0, "reisen_udongein_inaba", hand="laser_shot last_word").seat(3, hand="graze").build()
    act(game, "play last_word", "play graze")
    assert game.legal() == ["pass", "choose seat:1", "choose seat:5"]


def test_faq_reisens_attack_comes_before_yukaris():
    game = scene().seat(0, "reisen_udongein_inaba", hand="shoot").seat(1, "yakumo_yukari", hand="graze").build()
    act(game, "play shoot", "choose seat:1", "play graze")
    assert game.asking == 0
    game.act("choose seat:3")
    assert (game.asking, life(game)) == (1, [4, 4, 4, 5])  # she names her target before anything happens
    game.act("choose seat:0")
    attacks = [line for line in game.log if "attacks seat" in line][-2:]
    assert attacks == ["seat 0 (Reisen) attacks seat 3", "seat 1 (Yukari) attacks seat 0 (Reisen)"]


def test_faq_a_copy_reaches_as_far_as_reisen_does():
    start = scene(6).seat(0, hand="shoot", items="mini_hakkero").seat(1, "reisen_udongein_inaba", hand="spiritual_attack")
    game = start.build()
    act(game, "play shoot", "choose seat:1", "play spiritual_attack", "choose yes")
    assert game.legal() == ["choose seat:2", "choose seat:0"]


def test_faq_utsuho_may_fall_by_her_own_spell_card():
    start = scene().roles("stage_boss heroine stage_boss ex_boss").seat(2, defeated=True).seat(3, defeated=True)
    game = start.seat(0, "reiuji_utsuho", life=1, hand="spiritual_attack").seat(1, life=2).build()
    act(game, "play spiritual_attack")
    while not game.over:
        game.act("pass")
    assert (game.outcome, game.winners) == ("draw", [])


def test_faq_remilia_draws_nothing_when_the_attack_is_cancelled():
    game = scene().seat(0, hand="shoot").seat(1, "remilia_scarlet", hand="bomb").build()
    act(game, "play shoot", "choose seat:1", "play bomb")
    assert (game.question, game.seat(1).hand) == ("none", [])


def test_faq_ayas_discards_are_no_danmaku_played():
    game = scene().seat(0, hand="shoot").seat(1, "shameimaru_aya", hand="melee seal_away").build()
    act(game, "play shoot", "choose seat:1", "ability shameimaru_aya", "choose card:melee")
    assert (game.seat(1).danmaku_played, game.seat(1).life) == (0, 4)


def test_faq_yukari_attacks_in_her_own_range():
    """Though the Last Word she has avoided came from far away."""
    game = scene(6).seat(0, "yakumo_yukari", hand="graze").seat(3, hand="last_word").turn(3).build()
    act(game, "play last_word", "play graze")
    assert game.legal() == ["pass", "choose seat:1", "choose seat:5"]
