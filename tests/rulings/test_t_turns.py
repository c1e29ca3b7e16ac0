"""Rulings T: turns. `test_t5_...` asks what ruling T-5 answers."""

import pytest

from tests.table import act, kinds, life, pass_until, scene


def test_t1_a_round_goes_from_own_turn_to_own_turn():
    """T-1: danmaku and Spell Card counters are kept over others' turns and reset at the start of one's own."""
    start = scene(turns=2).seat(0, role="heroine", danmaku_played=1, spell_used=True, hand="grimoire").deck(["power"] * 4)
    game = start.seat(1, role="stage_boss", danmaku_played=1, spell_used=True).incident("spring_snow").build()
    game.act("pass")
    assert (game.turn, game.seat(0).danmaku_played, game.seat(0).spell_used) == (1, 1, True)
    assert (game.seat(1).danmaku_played, game.seat(1).spell_used) == (0, False)


def test_t1_a_skipped_turn_begins_a_round_too():
    """T-1, T-3: counters are reset although the turn is skipped."""
    start = scene(turns=3).seat(0, role="heroine", hand="grimoire").seat(2, hand="grimoire").incident("spring_snow")
    game = start.seat(1, role="stage_boss", danmaku_played=1, spell_used=True, skip_next=True).build()
    game.act("pass")
    assert game.turn == 2
    assert (game.seat(1).danmaku_played, game.seat(1).spell_used) == (0, False)


def test_t2_once_per_turn_comes_back_on_every_turn():
    """T-2: Aya cancels once on each turn of the game, not once per round."""
    start = scene(turns=2).seat(0, role="heroine", hand="shoot melee grimoire").incident("overdrive").deck(["power"] * 3)
    game = start.seat(1, hand="shoot").seat(2, "shameimaru_aya", hand="shoot shoot shoot").build()
    act(game, "play shoot", "choose seat:1", "pass")
    assert (game.asking, game.question) == (2, "cancel")
    act(game, "ability shameimaru_aya", "play melee", "choose seat:1")
    assert game.seat(1).life == 3  # the second danmaku card of this turn cannot be cancelled
    while game.turn == 0:
        game.act("pass")
    act(game, "play shoot", "choose seat:0")
    assert (game.asking, game.question) == (2, "cancel")


def test_t3_texts_for_the_start_of_a_turn_happen_though_it_is_skipped():
    """T-3: the True Phantom Boss may resolve the incident at the start of the very turn she skips; nothing else of it takes place."""
    start = scene(turns=3).seat(0, role="true_phantom_boss", hand="focus", skip_next=True).turn(0, step="start").incident("overdrive")
    game = start.build()
    assert (game.asking, game.question, game.step) == (0, "may", "start")
    game.act("choose yes")
    game.act("choose incident:lily_white")
    assert game.turn == 1
    assert len(game.seat(0).hand) == 1


def test_t3_lasting_effects_end_before_anything_else_of_the_turn():
    """T-3: when the True Phantom Boss is asked at the start of her turn, the number she named as Suika is gone already."""
    start = scene(turns=9).seat(0, "ibuki_suika", role="true_phantom_boss", hand="spiritual_attack").incident("overdrive")
    game = start.build()
    act(game, "play spiritual_attack", "choose number:3")
    pass_until(game, "main", 3)
    assert game.distance(2, 3) == 3
    pass_until(game, "may", 0)
    assert (game.step, game.distance(2, 3)) == ("start", 1)


def test_t4_meiling_decides_to_skip_before_anything_else():
    """T-4: the decision comes before the incident step, and the 4 cards with it."""
    start = scene(turns=3).seat(0, role="heroine", hand="grimoire").seat(2, hand="grimoire").incident("saigyou_ayakashi_blooming")
    game = start.seat(1, "hong_meiling", role="stage_boss", hand=["graze"] * 3).build()
    game.act("pass")
    assert (game.asking, game.question, game.step) == (1, "may", "start")
    act(game, "choose yes", "choose yes")
    assert len(game.seat(1).hand) == 7  # more than her 4, but there is no discard step (T-12)
    assert game.seat(1).life == 4
    assert game.turn == 2


def test_t5_no_two_skips_in_a_row():
    """T-5: a skip right after a skipped turn is lost, not delayed."""
    start = scene(turns=4).seat(0, role="heroine", hand="grimoire").incident("overdrive").deck(["power"] * 6)
    game = start.seat(1, role="stage_boss", skip_next=True, skipped_last=True).seat(2, role="stage_boss", skip_next=True).build()
    game.act("pass")
    assert game.turn == 1
    assert not game.seat(1).skip_next
    while game.turn == 1:
        game.act("pass")
    assert game.turn == 3
    assert game.seat(2).skipped_last


def test_t5_meiling_cannot_skip_twice():
    """T-5: two skips in a row are not allowed by choice either."""
    start = scene(turns=2).seat(0, role="heroine", hand="grimoire").incident("spring_snow").deck(["power"] * 6)
    game = start.seat(1, "hong_meiling", role="stage_boss", skipped_last=True).build()
    game.act("pass")
    assert (game.asking, game.question) == (1, "main")


def test_t6_draw_step_replacements_are_decided_before_drawing():
    """T-6: Marisa's item comes first, one card less after it, and limits apply at once."""
    start = scene().seat(0, "kirisame_marisa", role="heroine", hand="grimoire", items="stopwatch").turn(0, step="draw")
    game = start.seat(2, items="mini_hakkero").build()
    assert (game.question, game.legal(), len(game.seat(0).hand)) == ("target", ["pass", "choose seat:2"], 1)
    game.act("choose seat:2")
    assert game.question == "limit"
    game.act("choose card:stopwatch")
    assert len(game.seat(0).hand) == 2


def test_t7_everybody_trims_the_current_player_first():
    """T-7: sequential public discards in turn order from the current player, down to one's own max hand size."""
    start = scene().seat(1, role="stage_boss", hand=["graze"] * 5 + ["focus"]).turn(1, step="discard")
    start.seat(0, role="heroine", hand=["bomb"] * 3 + ["graze"] * 3).seat(3, hand=["shoot"] * 4)
    start.seat(2, "hong_meiling", role="stage_boss", hand=["shoot"] * 8)
    game = start.build()
    assert (game.asking, game.question) == (1, "discard")
    act(game, "choose card:graze", "choose card:focus")
    assert game.asking == 0  # Meiling, with but one kind of card, had no choice
    game.act("choose card:bomb")
    assert [len(seat.hand) for seat in game.seats] == [5, 4, 7, 4]
    assert [card.split("/")[0] for card in game.discard] == ["graze", "focus", "shoot", "bomb"]


def test_t8_a_fallen_current_player_drops_the_rest_of_her_turn():
    """T-8: nobody trims a hand, and the next player's turn begins."""
    start = scene(turns=2).roles("heroine stage_boss stage_boss ex_boss").turn(1).incident("overdrive")
    start.seat(1, "reiuji_utsuho", life=1, hand="spiritual_attack").seat(0, hand=["graze/spring"] * 4 + ["graze/winter"] * 4)
    game = start.deck("power power power power").build()
    act(game, "play spiritual_attack", "choose seat:2")
    assert game.seat(1).defeated
    assert game.turn == 2
    assert len(game.seat(0).hand) == 8


def test_t9_nothing_has_to_be_played():
    """T-9: the main step ends when the current player says so."""
    game = scene(turns=2).seat(0, role="heroine", hand="shoot focus").deck(["power"] * 2).incident("spring_snow").build()
    game.act("pass")
    assert game.turn == 1
    assert kinds(game.seat(0).hand) == ["focus", "shoot"]


def with_kaguya(turns=3, **plan):
    """Kaguya in her main step, about to activate her Spell Card, with nobody in the way."""
    table = scene(turns=turns, expansion="lunatic_extra").roles("heroine stage_boss stage_boss ex_boss").incident("voyage_to_makai")
    table.seat(0, "houraisan_kaguya", **{"hand": "spiritual_attack/winter shoot", "life": 5, **plan})
    return table.seat(1, hand="shoot").seat(2, hand="shoot").seat(3, hand="shoot")


def dawn(game):
    """Her Spell Card without an attack, and the whole hand for an extra turn."""
    act(game, "play spiritual_attack", "pass", "choose yes")


def test_t10_an_extra_turn_is_a_whole_turn_and_then_the_order_goes_on():
    """T-10: the flip at its start, the incident's action, two cards, danmaku and Spell Card anew; then the next seat."""
    table = with_kaguya(danmaku_played=1).incident("saigyou_ayakashi_blooming").deck("bomb/spring shoot melee party")
    game = table.build()
    dawn(game)
    pass_until(game, "main")
    assert (game.turn, game.turn_number, game.seat(0).spell_used, game.seat(0).danmaku_played) == (0, 2, False, 0)
    assert (game.seat(0).life, "bomb/spring" in game.discard) == (4, True)
    assert kinds(game.seat(0).hand) == ["melee", "party", "shoot"]  # one for the life that Saigyou Ayakashi took
    game.act("pass")
    pass_until(game, "main")
    assert (game.turn, game.turn_number) == (1, 3)


def test_t10_a_skip_takes_the_extra_turn():
    """T-10, T-5: whoever must skip the next turn skips that one, and it is gone."""
    game = with_kaguya(skip_next=True).build()
    dawn(game)
    pass_until(game, "main", 1)
    assert (game.turn_number, game.seat(0).skipped_last, game.seat(0).hand) == (3, True, [])


def test_t10_none_for_the_defeated():
    """T-10: Kaguya, defeated in the turn that was to bring another, has none; the next seat goes on."""
    table = with_kaguya(hand="spiritual_attack/winter", life=1).roles("stage_boss heroine stage_boss ex_boss")
    game = table.seat(3, "hoshiguma_yuugi", hand="graze").build()
    act(game, "play spiritual_attack", "choose seat:3", "play graze", "ability hoshiguma_yuugi", "choose yes")
    assert (game.seat(0).life, game.asking, game.question) == (0, 0, "may")  # the Spell Card goes on to its end all the same
    game.act("choose yes")
    pass_until(game, "main")
    assert (game.seat(0).defeated, game.turn, game.turn_number) == (True, 1, 2)


def test_t10_one_does_not_follow_on_another():
    """T-10: her Spell Card may be activated in the extra turn, and brings none."""
    game = with_kaguya(turns=4).deck("bomb/winter spiritual_attack/autumn").build()
    dawn(game)
    pass_until(game, "main", 0)
    dawn(game)
    pass_until(game, "main")
    assert (game.turn, game.turn_number) == (1, 3)


def test_t11_the_turn_cap_ends_the_game():
    """T-11, R-12: nobody wins, and it is no draw."""
    game = scene(turns=2).seat(0, hand="focus").build()
    while not game.over:
        game.act("pass")
    assert (game.outcome, game.winners, game.rewards()) == ("truncated", [], [0, 0, 0, 0])


def test_t12_a_skipped_turn_draws_nothing_and_trims_nobody():
    """T-12: no draw, no incident, no incident action, no discard step."""
    start = scene(turns=3).seat(0, role="heroine", hand="grimoire").seat(2, role="stage_boss", hand="grimoire")
    start.seat(1, role="stage_boss", items="sorcerers_sutra_scroll", skip_next=True, hand=["graze"] * 9)
    game = start.seat(3, hand=["graze"] * 4).incident("great_fairy_wars").deck("focus power power").build()
    act(game, "pass")
    assert life(game) == [5, 4, 3, 4]
    assert len(game.seat(1).hand) == 7  # trimmed in the discard step of seat 0, not drawn up since
    assert game.turn == 2


def with_sword(own="moriya_suwako", items="seven_star_sword", **plan):
    """A draw step with the Seven Star Sword in play."""
    start = scene(expansion="lunatic_extra").seat(0, own, hand="grimoire", items=items, **plan).turn(0, step="draw")
    return start.deck("bomb/winter shoot/summer graze/winter melee/winter").lunatic_deck("interrupt/winter full_power")


def test_t6_the_swords_card_is_drawn_with_the_others():
    """T-6: Suwako discards all three cards of her draw step, the Lunatic one too, and draws three again from the same decks."""
    game = with_sword().build()
    pass_until(game, "may", 0)
    assert (len(game.seat(0).hand), game.record["aside_size"]) == (1, 3)
    game.act("choose yes")
    pass_until(game, "main", 0)
    assert kinds(game.seat(0).hand) == ["full_power", "graze", "grimoire", "melee"]
    assert (kinds(game.lunatic_discard), kinds(game.discard)) == (["interrupt"], ["bomb", "shoot"])


def test_t6_suwako_keeps_all_three():
    """T-6: or keeps them: there is one question about the batch, and no second one for the Sword's card."""
    game = with_sword().build()
    pass_until(game, "may", 0)
    game.act("pass")
    assert (game.question, kinds(game.seat(0).hand)) == ("main", ["bomb", "grimoire", "interrupt", "shoot"])


@pytest.mark.parametrize("own", [["kirisame_marisa", "moriya_suwako"], ["moriya_suwako", "kirisame_marisa"]])
def test_t6_a_sword_that_marisa_takes_in_this_draw_step_counts(own):
    """T-6: Marisa takes the Sword instead of a card: the other card and the Sword's are one batch, which Suwako may draw anew."""
    start = scene(5, expansion="lunatic_extra", characters="double_threat").seat(0, own, hand="grimoire").turn(0, step="draw")
    start = start.seat(1, ["cirno", "junko"], items="seven_star_sword").seat(2, ["hakurei_reimu", "kijin_seija"])
    start = start.seat(3, ["ibuki_suika", "houraisan_kaguya"]).seat(4, ["saigyouji_yuyuko", "nagae_iku"])
    game = start.deck("bomb/winter shoot/summer").lunatic_deck("interrupt/winter full_power offering").build()
    pass_until(game, "target", 0)
    game.act("choose seat:1")
    pass_until(game, "may", 0)
    assert (game.seat(1).items, kinds(game.seat(0).items), game.record["aside_size"]) == ([], ["seven_star_sword"], 2)
    assert "interrupt" in kinds(game.seat(1).hand), "who lost it has drawn a Lunatic card for that before"
    game.act("choose yes")
    assert game.question == "main"
    assert kinds(game.seat(0).hand) == ["grimoire", "offering", "shoot"]


def test_t6_without_a_card_of_the_draw_step_the_sword_brings_none():
    """T-6: Marisa and Rin take the place of both cards, each of one: nothing is drawn."""
    start = scene(5, expansion="lunatic_extra", characters="double_threat").seat(0, ["kirisame_marisa", "kaenbyou_rin"], hand="grimoire")
    start = start.seat(1, ["cirno", "junko"], items="power").seat(2, ["hakurei_reimu", "kijin_seija"])
    start = start.seat(3, ["ibuki_suika", "houraisan_kaguya"]).seat(4, ["saigyouji_yuyuko", "nagae_iku"])
    start = start.discard("voile tempest").turn(0, step="draw")
    start.plans[0]["items"] = ["seven_star_sword"]
    game = start.build()
    taken = 0
    while game.question != "main":
        answers = [answer for answer in game.legal() if answer != "pass"]
        taken += game.question in ("target", "card")
        game.act(answers[0])
    assert (taken, len(game.seat(0).hand), int(game.record["lunatic_in_hand"][0])) == (2, 2, 0)


def test_t6_the_sword_comes_on_top_of_what_lunar_wars_swaps():
    """T-6, L-22: of the two cards one is swapped for a Lunatic one, and the Sword's comes besides."""
    game = with_sword("cirno").incident("lunar_wars").build()
    assert game.question == "deck"
    game.act("choose deck:lunatic")
    assert (len(game.seat(0).hand), int(game.record["lunatic_in_hand"][0])) == (1 + 3, 2)


def test_t6_a_skipped_turn_brings_no_card_of_the_sword():
    """T-12, T-6: no extra of the draw step is drawn in a turn that is skipped."""
    start = with_sword("cirno", skip_next=True).turn(0, step="start")
    game = start.seat(1, hand="voile").build()
    assert kinds(game.seat(0).hand) == ["grimoire"]


def test_t6_keine_puts_her_card_back_when_all_are_drawn():
    """T-6, H-5: her three cards and the Sword's are in her hand when she puts one back."""
    game = with_sword("kamishirasawa_keine").build()
    assert (game.question, len(game.seat(0).hand)) == ("card", 1 + 3 + 1)
