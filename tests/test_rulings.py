"""Rulings as table questions: `test_k7_...` asks what ruling K-7 answers. Those about one card stand with that card in tests/cards."""

from copy import deepcopy
from dataclasses import replace

import pytest

from danmaku_env import Game, GameConfig
from danmaku_env.cards.box import INCIDENT_IDS, NUM_BASE_INCIDENTS
from tests.table import act, box_without, kinds, life, pass_until, scene

# ---------------------------------------------------------------- U: set-up


def test_u1_roles_are_secret_but_the_heroines():
    """U-1, R-15, X-5: nobody learns another's role at the deal, but the Heroine's."""
    game = Game.new(GameConfig(num_players=8, characters="none"), seed=1)
    assert [seat.role for seat in game.seats if seat.role_revealed] == ["heroine"]


def test_u2_characters_are_chosen_in_secret():
    """U-2: two private candidates each; nobody sees a choice, nor the Heroine, before all have chosen."""
    game = Game.new(GameConfig(num_players=4), seed=2)
    assert (game.asking, game.question) == (0, "character")
    assert [len(seat.candidates) for seat in game.seats] == [2, 2, 2, 2]
    assert not any(seat.role_revealed for seat in game.seats)
    other = game.clone()
    first, second = game.legal()
    game.act(first)
    other.act(second)
    assert (game.observe(1) == other.observe(1)).all()
    while game.question == "character":
        game.act(game.legal()[0])
    assert game.seat(0).character == first.removeprefix("choose character:")
    assert sum(seat.role_revealed for seat in game.seats) == 1


def test_u3_max_hand_is_the_largest_base_plus_bonuses():
    """U-3: 7 is a base value, the role's bonus is added."""
    start = scene().seat(0, "patchouli_knowledge", role="heroine", items="sorcerers_sutra_scroll", hand="grimoire")
    start.seat(1, role="ex_boss_revealed").seat(2, "hong_meiling").seat(3, role="stage_boss", defeated=True)
    assert [seat.max_hand for seat in start.build().seats][:3] == [8, 5, 7]


def test_u4_meiling_starts_with_a_plain_hand():
    """U-4: her 7 counts on others' turns only; before the first turn nobody has a turn."""
    for seed in range(6):
        characters = ["hong_meiling", "cirno", "hakurei_reimu", "patchouli_knowledge"]
        game = Game.new(GameConfig(num_players=4, characters=characters), seed=seed)
        meiling = next(line for line in game.log if line.startswith("seat 0 (Meiling) draws"))
        patchouli = next(line for line in game.log if line.startswith("seat 3 (Patchouli) draws"))
        assert meiling == f"seat 0 (Meiling) draws {5 if game.seat(0).role == 'heroine' else 4} cards"
        assert patchouli == f"seat 3 (Patchouli) draws {8 if game.seat(3).role == 'heroine' else 7} cards"


def test_u5_hands_are_dealt_from_the_heroine_on():
    """U-5: everybody begins with full life and draws up to max hand size, the Heroine first, then clockwise."""
    for seed in range(4):
        game = Game.new(GameConfig(num_players=6, characters="none", ask_forced=True), seed=seed)
        heroine = next(index for index, seat in enumerate(game.seats) if seat.role == "heroine")
        order = [(heroine + step) % 6 for step in range(6)]
        draws = [line for line in game.log if " draws " in line]
        assert draws[:6] == [f"seat {seat} draws {5 if seat == heroine else 4} cards" for seat in order]
        assert [seat.life for seat in game.seats if seat.index != heroine] == [4] * 5
        assert game.turn == heroine


def test_u7_the_first_incident_comes_with_the_heroines_first_turn():
    """U-7: it enters in her first incident step; later ones only when none is in play."""
    start = scene(turns=2).seat(0, role="heroine").turn(0, step="incident").deck(["power"] * 6)
    game = start.incident_deck(top="spring_snow voyage_to_makai").build()
    assert game.incidents == ["spring_snow"]
    game.act("pass")
    assert game.turn == 1
    assert game.incidents == ["spring_snow"]


# ---------------------------------------------------------------- T: turn structure


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


def test_t9_nothing_has_to_be_played():
    """T-9: the main step ends when the current player says so."""
    game = scene(turns=2).seat(0, role="heroine", hand="shoot focus").deck(["power"] * 2).incident("spring_snow").build()
    game.act("pass")
    assert game.turn == 1
    assert kinds(game.seat(0).hand) == ["focus", "shoot"]


def test_t12_a_skipped_turn_draws_nothing_and_trims_nobody():
    """T-12: no draw, no incident, no incident action, no discard step."""
    start = scene(turns=3).seat(0, role="heroine", hand="grimoire").seat(2, role="stage_boss", hand="grimoire")
    start.seat(1, role="stage_boss", items="sorcerers_sutra_scroll", skip_next=True, hand=["graze"] * 9)
    game = start.seat(3, hand=["graze"] * 4).incident("great_fairy_wars").deck("focus power power").build()
    act(game, "pass")
    assert life(game) == [5, 4, 3, 4]
    assert len(game.seat(1).hand) == 7  # trimmed in the discard step of seat 0, not drawn up since
    assert game.turn == 2


# ---------------------------------------------------------------- K: stack, windows, cancelling


def test_k2_the_cancel_window_comes_before_the_response_window():
    """K-2: first only cancelling, then dodging; after that the card cannot be cancelled any more."""
    game = scene().seat(0, role="heroine", hand="shoot").seat(1, hand="bomb graze").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.question, game.legal()) == ("cancel", ["pass", "play bomb"])
    game.act("pass")
    assert (game.question, game.legal()) == ("attacked", ["pass", "play graze"])


def test_k3_priority_goes_clockwise_from_the_current_player():
    """K-3: and starts anew after every action."""
    start = scene().seat(2, role="ex_boss", hand="shoot").turn(2).seat(0, role="heroine", hand="graze melee")
    game = start.seat(1, "hong_meiling", hand="graze spiritual_attack").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question) == (0, "attacked")
    game.act("pass")
    assert game.asking == 1
    act(game, "play spiritual_attack")
    assert game.asking == 0  # may protect seat 2 from the counterattack
    game.act("pass")
    assert game.seat(2).life == 3
    assert (game.asking, game.question) == (0, "attacked")  # she passed before, and is asked again
    game.act("pass")
    assert (game.asking, game.question) == (1, "attacked")


def test_k3_windows_ask_who_can_answer_in_seat_order():
    """K-3: everybody with an answer is asked, clockwise from the current player."""
    start = scene().seat(2, role="ex_boss", hand="shoot").turn(2)
    game = start.seat(0, role="heroine", hand="bomb").seat(1, hand="bomb").seat(3, hand="bomb").build()
    act(game, "play shoot", "choose seat:1")
    asked = []
    while game.question == "cancel":
        asked.append(game.asking)
        game.act("pass")
    assert asked == [3, 0, 1]


def test_k3_an_action_starts_the_round_of_priority_anew():
    """K-3: who passed may act again once somebody has acted, and the current player is the first to be asked again."""
    start = scene().seat(2, hand="shoot graze shoot").turn(2).seat(0, hand="graze shoot")
    game = start.seat(1, "komeiji_satori", hand="graze").deck("power/spring").build()
    act(game, "play shoot", "choose seat:1", "pass")  # no danmaku card thrown in
    asked = []
    for answer in ("pass", "pass", "ability komeiji_satori", "pass", "pass", "play graze"):
        assert game.question == "attacked"
        asked.append(game.asking)
        game.act(answer)
    assert asked == [2, 0, 1, 2, 0, 1]  # Satori's flip, which shows spring, avoids nothing
    assert life(game) == [4, 4, 4, 5]


def test_k3_priority_is_given_again_when_an_avoided_attack_has_left_the_stack():
    """K-3, H-11: Miko, whose last card was the Graze, may act there; played cards still wait for everybody to pass (K-7)."""
    start = scene().seat(0, "toyosatomimi_no_miko", hand="graze").seat(1, hand="shoot grimoire").turn(1)
    game = start.deck("focus voile tempest").build()
    act(game, "play shoot", "choose seat:0", "play graze")
    assert (game.asking, game.question) == (0, "step")
    assert (game.legal(), game.discard) == (["pass", "spell toyosatomimi_no_miko"], [])
    other = game.clone()
    act(game, "spell toyosatomimi_no_miko", "choose seat:0", "choose seat:1")
    assert (kinds(game.seat(0).hand), game.seat(1).life) == (["focus", "tempest", "voile"], 3)
    assert (game.asking, game.question, kinds(game.discard)) == (1, "main", ["graze", "shoot"])
    other.act("pass")
    assert (other.asking, other.question, kinds(other.discard)) == (1, "main", ["graze", "shoot"])


def test_k3_priority_is_given_again_after_a_hit():
    """K-3: to whoever can use it, once: an Extra Boss who may reveal, on a turn and in an attack of others."""
    start = scene().roles("heroine stage_boss stage_boss ex_boss").seat(2, defeated=True)
    game = start.seat(0, hand="laser_shot grimoire").seat(3, life=2).build()
    act(game, "play laser_shot", "choose seat:1")
    asked = []
    while game.question != "main":
        asked.append((game.asking, game.question, game.seat(1).life))
        game.act("pass")
    assert asked == [(3, "cancel", 4), (3, "attacked", 4), (3, "step", 3)]


def test_k3_priority_comes_before_what_lies_below_the_attack():
    """K-3: Youmu's extra attack is avoided with Miko's last card; before the Shoot below happens, she takes Youmu's range away."""
    start = scene(5).seat(0, "konpaku_youmu", hand="shoot grimoire", items="power").deck("focus voile tempest party")
    game = start.seat(1, "toyosatomimi_no_miko", hand="graze").build()
    act(game, "play shoot", "choose seat:2", "choose seat:1", "play graze")
    assert (game.asking, game.question) == (1, "respond")
    act(game, "spell toyosatomimi_no_miko", "choose seat:1", "choose seat:0")
    assert game.seat(0).items == []
    assert (game.asking, game.question, game.seat(2).life) == (0, "main", 4)


def test_k3_the_next_attack_of_an_effect_gives_priority_of_its_own():
    """K-3: so nobody is asked twice between two of them."""
    start = scene().seat(0, "reiuji_utsuho", hand="spiritual_attack grimoire").seat(1, "toyosatomimi_no_miko", hand="graze")
    game = start.build()
    act(game, "play spiritual_attack", "choose seat:1", "play graze")
    assert (game.asking, game.question) == (1, "attacked")
    assert game.legal() == ["pass", "spell toyosatomimi_no_miko"]
    game.act("pass")
    assert (game.asking, game.question, game.seat(1).life) == (0, "main", 2)


def test_k3_who_falls_after_an_attack_can_still_be_rescued():
    """K-3, A-7: what somebody does with the priority after an attack is settled like anything else."""
    start = scene().seat(0, "toyosatomimi_no_miko", hand="graze").seat(1, hand="shoot one_up", life=1).turn(1)
    game = start.build()
    act(game, "play shoot", "choose seat:0", "play graze", "spell toyosatomimi_no_miko", "choose seat:0", "choose seat:1")
    assert (game.asking, game.question, game.seat(1).life) == (1, "step", 0)
    assert game.legal() == ["pass", "play one_up"]
    game.act("pass")
    assert (game.asking, game.question) == (1, "rescue")
    act(game, "play one_up")
    assert (game.asking, game.question, game.seat(1).life) == (1, "main", 1)


def test_k4_only_reactions_fit_into_a_window():
    """K-4: action cards and items wait for one's own main step."""
    hand = ["graze", "bomb", "shoot", "grimoire", "focus", "one_up", "spiritual_attack"]
    game = scene().seat(0, role="heroine", hand="laser_shot shoot").seat(1, "hong_meiling", hand=hand, life=2).build()
    act(game, "play shoot", "choose seat:1", "pass", "pass")
    assert (game.asking, game.question) == (1, "attacked")
    assert game.legal() == ["pass", "play bomb", "play graze", "play spiritual_attack"]  # Meiling's Spell Card is a reaction


def test_k5_nothing_cancels_a_reaction_card():
    """K-5: Graze, 1UP and the cancelling half of Bomb open no cancel window."""
    start = scene().seat(0, role="heroine", hand="shoot bomb").seat(1, hand="graze")
    game = start.seat(2, "shameimaru_aya", hand="shoot").build()
    act(game, "play shoot", "choose seat:1", "pass", "play graze")
    assert game.over
    assert kinds(game.seat(0).hand) == ["bomb"]
    assert game.seat(1).life == 4


def test_k6_costs_of_cancelled_cards_stay_paid():
    """K-6: discards for Mini-Hakkero and paid life are gone, the activation is used."""
    start = scene().seat(0, "patchouli_knowledge", role="heroine", items="mini_hakkero", hand="focus focus")
    game = start.seat(2, hand="bomb").build()
    act(game, "use mini_hakkero", "pass", "play bomb")
    assert game.seat(0).hand == []
    assert game.seat(0).spell_used
    start = scene().seat(0, "patchouli_knowledge", role="heroine").incident("overdrive").deck("focus")
    game = start.seat(2, hand="bomb").build()
    act(game, "spell overdrive", "pass", "play bomb")
    assert game.seat(0).life == 4
    assert kinds(game.seat(0).hand) == ["focus"]
    assert game.seat(0).spell_used


def test_k7_played_cards_wait_for_the_empty_stack_costs_do_not():
    """K-7: what is discarded as a cost lies on the pile at once; played cards follow, in the order played."""
    start = scene().seat(0, role="heroine", hand="shoot melee").seat(1, hand="graze bomb")
    game = start.deck("power").build()
    act(game, "play shoot", "choose seat:1", "choose card:melee")
    assert (game.question, kinds(game.discard)) == ("cancel", ["melee"])
    act(game, "pass")
    assert (game.question, kinds(game.discard)) == ("attacked", ["melee"])
    game.act("play graze")
    assert [card.split("/")[0] for card in game.discard] == ["melee", "shoot", "graze"]


def test_k8_revealed_cards_lie_aside_until_the_effect_is_over():
    """K-8: then they are discarded in the order revealed."""
    start = scene().seat(0, "alice_margatroid", role="heroine", hand="spiritual_attack")
    game = start.deck("graze shoot bomb focus").build()
    act(game, "play spiritual_attack", "pass")
    assert [card.split("/")[0] for card in game.discard] == ["graze", "shoot", "bomb", "spiritual_attack"]
    assert kinds(game.seat(0).items) == ["focus"]


def test_k9_several_attacks_come_one_by_one_from_the_left():
    """K-9: each with its own window, damage and draws, clockwise from the attacker's left."""
    start = scene().seat(2, role="ex_boss", hand="last_word").turn(2).seat(1, hand="graze").deck(["power"] * 3)
    game = start.seat(0, role="heroine").seat(3, hand="graze").build()
    game.act("play last_word")
    assert (game.asking, game.question, life(game)) == (3, "attacked", [5, 4, 4, 4])
    game.act("play graze")
    assert (game.asking, game.question, life(game)) == (1, "attacked", [4, 4, 4, 4])
    game.act("pass")
    assert life(game) == [4, 3, 4, 4]
    assert [line for line in game.log if " attacks " in line] == [f"seat 2 attacks seat {seat}" for seat in (3, 0, 1)]


def test_k9_the_attacks_of_one_effect_are_on_the_stack_together():
    """K-9: all hear of all of them before the first is answered; the later ones wait below it."""
    start = scene(5).seat(2, hand="last_word grimoire").turn(2).seat(3, hand="graze")
    game = start.build()
    game.act("play last_word")
    assert (game.asking, game.question) == (3, "attacked")
    assert [line for line in game.log if " attacks " in line] == [f"seat 2 attacks seat {seat}" for seat in (3, 4, 0, 1)]
    assert "attack of seat 2 on seat 3 (Last Word), then on seat 0, seat 1, seat 4" in game.explain()
    game.act("pass")
    assert life(game) == [3, 3, 4, 4, 3]  # the Heroine, seat 3, had 5
    start = scene().seat(0, "reiuji_utsuho", hand="spiritual_attack grimoire").seat(1, hand="graze")
    game = start.build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert "attack of seat 0 (Utsuho) on seat 1 (Nuclear Excursion), and 2 more" in game.explain()
    assert sum(" attacks " in line for line in game.log) == 3


def test_k9_an_attack_of_several_is_answered_on_its_own():
    """K-9: what was used against the first, or avoided it, is used anew against the second; nobody answers one that waits below."""
    start = scene().seat(0, "reiuji_utsuho", hand="spiritual_attack grimoire").deck("power/winter power/spring shoot/winter focus/summer")
    game = start.seat(1, "komeiji_satori").build()
    act(game, "play spiritual_attack", "choose seat:1", "ability komeiji_satori")  # winter: the first is avoided
    assert (game.asking, game.question, game.legal()) == (1, "attacked", ["pass", "ability komeiji_satori"])
    game.act("ability komeiji_satori")  # spring: the second hits
    assert game.seat(1).life == 3
    assert (game.asking, game.question, game.legal()) == (1, "attacked", ["pass", "ability komeiji_satori"])


def test_k9_attacks_go_clockwise_from_their_attacker():
    """K-9: from her left, whoever's turn it is: Reisen's copy of Last Word."""
    start = scene(5).seat(0, hand="last_word grimoire").seat(3, "reisen_udongein_inaba", hand="spiritual_attack")
    game = start.build()
    act(game, "play last_word", "play spiritual_attack", "choose yes")
    assert [line for line in game.log if " attacks " in line] == [f"seat 3 (Reisen) attacks seat {seat}" for seat in (4, 0, 1, 2)]
    assert [line[:6] for line in game.log if "loses" in line] == ["seat 4", "seat 0", "seat 1", "seat 2"]


def test_k9_any_number_of_attacks_fits():
    """K-9: Last Word at a full table, and Miracle Fruit on a hand of twelve danmaku cards, each with a window of its own."""
    game = scene(8).seat(0, hand="last_word grimoire").seat(7, hand="graze").build()
    game.act("play last_word")
    assert (game.asking, life(game)) == (7, [4, 3, 3, 4, 3, 3, 3, 4])
    game.act("play graze")
    assert game.seat(7).life == 4
    start = scene().seat(0, "kochiya_sanae", hand="spiritual_attack grimoire")
    game = start.seat(1, hand=["shoot"] * 12 + ["graze", "one_up"]).build()
    act(game, "play spiritual_attack", "choose seat:1")
    asked = 0
    while game.question == "attacked":
        asked += 1
        game.act("pass")
    assert (asked, game.question, game.seat(1).life) == (12, "rescue", 0)


@pytest.mark.parametrize(("character", "losses"), [("reiuji_utsuho", 3), ("kochiya_sanae", 2)])
def test_k12_range_is_not_looked_at_again(character, losses):
    """K-12: who loses her Power, and with it the range, between her attacks still makes them all."""
    start = scene(6).seat(0, character, hand="spiritual_attack grimoire", items="power").turn(0)
    start.seat(2, "hong_meiling", hand="spiritual_attack shoot melee").deck(["focus"] * 2)
    game = start.build()
    act(game, "play spiritual_attack", "choose seat:2")
    pass_until(game, "attacked", 2)
    game.act("play spiritual_attack")  # the counterattack costs the attacker the Power
    assert game.seat(0).items == []
    pass_until(game, "main", 0)
    assert game.seat(2).life == 4 - losses
    assert not game.in_range(0, 2)


def test_k10_range_is_judged_with_the_earlier_steps_of_the_effect():
    """K-10: Byakuren's own +5 range and Suika's number help the attack of the same Spell Card."""
    start = scene(8).seat(0, "hijiri_byakuren", role="heroine", hand="spiritual_attack")
    game = start.build()
    game.act("play spiritual_attack")
    assert "choose seat:4" in game.legal()
    game.act("choose seat:4")
    assert game.seat(4).life == 3
    start = scene(8).seat(0, "ibuki_suika", role="heroine", hand="spiritual_attack")
    game = start.build()
    act(game, "play spiritual_attack", "choose number:2", "choose seat:4")
    assert game.seat(4).life == 3
    assert game.distance(1, 5) == 2


def test_k11_an_optional_attack_is_announced_before_cancelling():
    """K-11: opponents see its target before they decide."""
    start = scene().seat(0, "patchouli_knowledge", role="heroine", hand="spiritual_attack").seat(2, hand="bomb")
    game = start.build()
    act(game, "play spiritual_attack", "choose seat:3")
    assert (game.asking, game.question) == (2, "cancel")
    assert "on seat 3" in game.log[-1]


def test_k12_range_is_checked_again_when_the_attack_begins():
    """K-12, K-13: a target out of range by then is not attacked."""
    start = scene().seat(0, "konpaku_youmu", role="heroine", items="power", hand="shoot")
    game = start.deck("focus focus graze graze").seat(1, "hong_meiling", hand="spiritual_attack").build()
    act(game, "play shoot", "choose seat:2", "choose seat:1")  # Youmu's extra attack on Meiling
    assert (game.asking, game.question) == (1, "attacked")
    game.act("play spiritual_attack")  # her counterattack costs Youmu the Power
    pass_until(game, "none")
    assert game.seat(0).items == []
    assert life(game) == [4, 3, 4, 4]


def avoided_by(avoider, attacker_at, avoider_at):
    """Reisen's attack on somebody who avoids it, on the turn of seat 0: by Melee, handed on by her unless she plays it herself."""
    start = scene(5).seat(0, hand="melee grimoire").seat(avoider_at, avoider, hand="graze")
    game = start.seat(attacker_at, "reisen_udongein_inaba", hand="shoot shoot" if attacker_at else "melee grimoire").build()
    if attacker_at:
        act(game, "play melee", f"choose seat:{attacker_at}", "choose card:shoot", f"choose seat:{avoider_at}", "play graze")
    else:
        act(game, "play melee", f"choose seat:{avoider_at}", "play graze")
    return game


@pytest.mark.parametrize(
    ("reisen", "remilia", "first"), [(0, 1, "remilia"), (0, 4, "remilia"), (1, 2, "remilia"), (2, 1, "reisen"), (4, 2, "reisen")]
)
def test_k14_triggered_texts_resolve_in_reverse_play_order(reisen, remilia, first):
    """K-14: Remilia's draw and Reisen's extra attack are placed from the current player on, so who comes later is first."""
    game = avoided_by("remilia_scarlet", reisen, remilia)
    order = [(remilia, "may"), (reisen, "target")] if first == "remilia" else [(reisen, "target"), (remilia, "may")]
    assert (game.asking, game.question) == order[0]
    game.act("pass")
    assert (game.asking, game.question) == order[1]


@pytest.mark.parametrize(("reisen", "yukari"), [(0, 1), (0, 4), (1, 2), (2, 1), (4, 2)])
def test_k14_reisen_attacks_before_yukari(reisen, yukari):
    """K-14: as ruled, wherever they sit: the only exception. Reisen's attack is over before Yukari chooses."""
    game = avoided_by("yakumo_yukari", reisen, yukari)
    assert (game.asking, game.question) == (reisen, "target")
    assert f"choose seat:{yukari}" not in game.legal()
    target = next(name for name in game.legal() if name != "pass")
    before = sum(life(game))
    game.act(target)
    assert (game.asking, game.question, sum(life(game))) == (yukari, "target", before - 1)


def test_k15_border_flips_even_when_that_cannot_help():
    """K-15: automatic, once per attack, also against an unavoidable one."""
    start = scene().seat(0, role="heroine", hand="laser_shot").seat(1, items="supernatural_border")
    game = start.deck("power/spring power/summer").build()
    act(game, "play laser_shot", "choose seat:1")
    assert game.seat(1).life == 3
    assert game.discard[0] == "power/spring"
    assert game.seat(1).hand == ["power/summer"]


def test_k16_the_extra_boss_may_reveal_whenever_somebody_has_priority():
    """K-16: at every priority point, without any response, but not in the middle of an effect."""
    start = scene().seat(0, role="heroine", hand="shoot borrow").seat(3, role="ex_boss", life=2, items="focus")
    game = start.seat(1, role="stage_boss", defeated=True).build()
    act(game, "play shoot")  # at seat 2, the only one in range
    assert (game.asking, game.question, game.legal()) == (3, "cancel", ["pass", "reveal"])
    game.act("reveal")
    assert game.seat(3).life == 3
    assert game.seat(2).life == 3
    assert game.question == "main"


def test_k19_a_cancelled_danmaku_card_counts():
    """K-19: counting happens on announcement."""
    game = scene().seat(0, role="heroine", hand="shoot shoot grimoire").seat(1, hand="bomb").build()
    act(game, "play shoot", "choose seat:1", "pass", "play bomb")
    assert game.seat(0).danmaku_played == 1
    assert game.legal() == ["pass", "play grimoire"]


def test_k20_a_shrinking_limit_stops_further_danmaku():
    """K-20: cards already played stay counted."""
    start = scene().seat(0, role="heroine", items="power", hand="shoot melee shoot focus").seat(1, hand="shoot")
    game = start.deck(["grimoire"] * 2 + ["voile"] * 1).build()
    act(game, "play shoot", "choose seat:2", "pass")
    assert "play shoot" in game.legal()
    act(game, "play melee", "choose seat:1", "choose card:shoot", "choose seat:0", "pass")  # hits back, the Power is lost
    assert game.seat(0).items == []
    assert game.seat(0).danmaku_limit == 1
    assert [name for name in game.legal() if name.startswith("play")] == ["play focus", "play voile"]


def test_k21_items_and_invocation_cards_are_not_cancelled():
    """K-21: nothing cancels an item; an invocation card is discarded whatever happens to the Spell Card."""
    start = scene().seat(0, role="heroine", hand="focus").seat(1, hand="bomb")
    game = start.seat(2, "kamishirasawa_keine", hand="spiritual_attack").build()
    game.act("play focus")
    assert kinds(game.seat(0).items) == ["focus"]


def test_k22_split_cards_have_the_types_of_both_halves():
    """K-22, S-10: in hand and among revealed cards; Bomb is an invocation and 1UP a healing card."""
    start = scene().seat(0, role="heroine").turn(0, step="incident").incident("undefined_fantastic_object")
    game = start.deck("one_up bomb shoot").build()
    assert game.legal() == ["pass", "choose card:one_up", "choose card:bomb"]


def test_k23_a_spell_card_out_of_turn_can_be_cancelled():
    """K-23: "another player plays" includes plays on somebody else's turn."""
    start = scene().seat(0, role="heroine", hand="shoot").seat(1, "hong_meiling", hand="spiritual_attack")
    game = start.seat(2, hand="bomb").build()
    act(game, "play shoot", "choose seat:1", "pass", "play spiritual_attack")
    assert (game.asking, game.question) == (2, "cancel")
    game.act("play bomb")
    assert life(game) == [5, 3, 4, 4]


def test_k24_counterattacks_chain():
    """K-24: Meiling answers Sakuya's answer; each attack has its own window."""
    start = scene().seat(0, "hong_meiling", role="heroine", hand="shoot spiritual_attack").deck(["power"] * 5)
    game = start.seat(1, "izayoi_sakuya", hand="spiritual_attack").build()
    act(game, "play shoot", "choose seat:1", "play spiritual_attack")
    assert (game.asking, game.question) == (0, "attacked")
    game.act("play spiritual_attack")
    assert life(game) == [4, 3, 4, 4]  # the Shoot is avoided, both counterattacks hit
    assert game.seat(0).spell_used
    assert game.seat(1).spell_used


# ---------------------------------------------------------------- A: attacks, damage, life, defeat


def utsuho(**victim):
    """Utsuho is about to attack seat 1 three times."""
    start = scene().seat(0, "reiuji_utsuho", role="heroine", hand="spiritual_attack")
    return start.deck("focus voile party tempest").seat(1, role="stage_boss", **victim)


def test_a3_a_powerup_is_lost_only_with_life():
    """A-3, A-5: hits at 0 life take no powerup and give no card; one powerup for each hit before."""
    game = utsuho(life=2, items="power power power", hand="one_up").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert (game.asking, game.question, game.seat(1).life) == (1, "attacked", 0)
    assert kinds(game.seat(1).items) == ["power"]
    pass_until(game, "rescue", 1)
    assert kinds(game.seat(1).items) == ["power"]
    assert len(game.seat(1).hand) == 3


def test_a4_cards_drawn_equal_the_life_really_lost():
    """A-4, A-18: Master Spark with two powerups on 2 life gives 2 cards, and costs one powerup."""
    start = scene().seat(0, "kirisame_marisa", role="heroine", items="power power", hand="spiritual_attack")
    game = start.seat(1, life=2, items=["power"] * 3, hand="one_up").deck("graze voile").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert (game.asking, game.question, game.seat(1).life) == (1, "rescue", 0)
    assert kinds(game.seat(1).hand) == ["graze", "one_up", "voile"]
    assert kinds(game.seat(1).items) == ["power", "power"]


def test_a5_a_player_at_zero_still_plays():
    """A-5: may react and be attacked, and still sits at the table; cannot pay life."""
    game = utsuho(life=1, hand="graze bomb").incident("overdrive").build()
    act(game, "play spiritual_attack", "choose seat:1", "pass", "pass")
    assert (game.seat(1).life, game.asking, game.question) == (0, 1, "attacked")
    assert game.legal() == ["pass", "play graze"]
    assert game.distance(0, 2) == 2
    game.act("play graze")
    assert sum(line.startswith("seat 1 avoids") for line in game.log) == 1


def test_a5_no_life_can_be_paid_at_zero():
    """A-5: Overdrive is out of reach at 0 life, an invocation card is not."""
    start = scene().seat(0, "reiuji_utsuho", role="heroine", hand="spiritual_attack").deck("focus voile")
    game = start.seat(1, "hong_meiling", life=1, hand="spiritual_attack").incident("overdrive").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert game.legal() == ["pass", "spell overdrive", "play spiritual_attack"]
    game.act("pass")
    assert (game.seat(1).life, game.question) == (0, "attacked")
    assert game.legal() == ["pass", "play spiritual_attack"]


def test_a6_each_fall_needs_its_own_rescue():
    """A-6: a rescued player falls again to an attack still pending."""
    game = utsuho(life=1, hand="one_up one_up").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert (game.question, game.seat(1).life) == ("attacked", 0)  # the second attack
    game.act("play one_up")
    assert (game.question, game.seat(1).life) == ("attacked", 0)  # back at 1 and hit again; the third attack
    pass_until(game, "rescue", 1)
    game.act("play one_up")
    assert game.seat(1).life == 1
    assert len(game.seat(1).hand) == 2


def test_a7_defeat_waits_for_the_empty_stack():
    """A-7: and comes for all at 0 together."""
    start = scene().seat(0, role="heroine", hand="last_word grimoire").seat(1, role="stage_boss", life=1)
    game = start.seat(2, role="stage_boss", hand="graze").seat(3, role="ex_boss", life=1).deck("focus voile").build()
    act(game, "play last_word")
    assert (game.asking, game.question) == (2, "attacked")
    assert (game.seat(1).life, game.seat(1).defeated) == (0, False)
    game.act("pass")
    assert [seat.defeated for seat in game.seats] == [False, True, False, True]


def test_a8_the_hands_of_the_defeated_go_in_turn_order():
    """A-8: from the current player on, and incidents collect."""
    start = scene().seat(2, role="ex_boss", hand="last_word grimoire").turn(2).incident("great_barrier_weakening")
    start.seat(0, role="heroine").seat(1, role="stage_boss", life=1, hand="bomb focus", items="stopwatch")
    game = start.seat(3, role="stage_boss", life=1, hand="spiritual_attack graze").deck("party voile tempest").build()
    act(game, "play last_word")
    pass_until(game, "main")
    assert kinds(game.collected) == ["bomb", "spiritual_attack"]
    assert [card.split("/")[0] for card in game.discard] == ["last_word", "graze", "party", "focus", "tempest", "stopwatch"]


def test_a10_the_last_life_may_be_paid():
    """A-10: Eirin pays her last life and heals herself with the Spell Card."""
    start = scene().seat(0, "yagokoro_eirin", role="heroine", life=1).incident("overdrive").deck("focus")
    game = start.build()
    act(game, "spell overdrive", "pass")
    assert game.seat(0).life == 1
    assert not game.seat(0).defeated


def test_a14_an_avoided_attack_triggers_once():
    """A-14: Remilia draws one card for it."""
    start = scene().seat(0, role="heroine", hand="shoot").seat(1, "remilia_scarlet", hand="graze")
    game = start.deck("power focus").build()
    act(game, "play shoot", "choose seat:1", "play graze", "choose yes")
    assert kinds(game.seat(1).hand) == ["power"]


def test_a15_an_avoided_attack_cannot_be_dodged_again():
    """A-15: nobody is asked after the first Graze."""
    start = scene().seat(0, role="heroine", hand="shoot").seat(1, hand="graze graze")
    game = start.seat(2, hand="graze shoot").build()
    act(game, "play shoot", "choose seat:1", "play graze")
    assert game.over
    assert kinds(game.seat(1).hand) == ["graze"]
    assert kinds(game.seat(2).hand) == ["graze", "shoot"]


def test_a19_tenshi_draws_one_card_more_per_loss():
    """A-19: one extra card per loss event, however large."""
    start = scene().seat(0, "kirisame_marisa", role="heroine", items=["power"] * 2, hand="spiritual_attack")
    game = start.seat(1, "hinanawi_tenshi").deck("focus voile party stopwatch tempest").build()
    act(game, "play spiritual_attack", "choose seat:1", "choose yes")
    assert game.seat(1).life == 1
    assert len(game.seat(1).hand) == 4


def test_a20_yuuka_draws_one_card_per_hit():
    """A-20: one card per hit that takes life, whatever the damage."""
    start = scene().seat(0, "kazami_yuuka", role="heroine", items=["power"] * 2, hand="capture_spell_card")
    game = start.seat(1, "kirisame_marisa").deck("focus voile party stopwatch tempest").build()
    act(game, "play capture_spell_card", "choose seat:1", "choose yes")
    assert game.seat(1).life == 1
    assert kinds(game.seat(0).hand) == ["stopwatch"]


def test_a20_yuuka_draws_nothing_for_a_hit_that_takes_nothing():
    """A-20: of three hits on a player with 1 life the first alone takes life; the others find nothing to take (A-5)."""
    start = scene().seat(0, "kazami_yuuka", hand="capture_spell_card", life=3).seat(1, "reiuji_utsuho", life=1)
    game = start.seat(2, hand="one_up").deck("power power power power").build()
    act(game, "play capture_spell_card", "choose seat:1")
    offers = 0
    while not game.over:
        offers += game.question == "may"
        game.act("choose yes" if game.question == "may" else "pass")
    assert offers == 1
    assert game.seat(1).defeated


def test_a20_yuuka_draws_nothing_for_what_an_incident_takes():
    """A-20: life lost to an incident is nobody's damage, though it be her turn."""
    start = scene().seat(0, "kazami_yuuka").turn(0, step="incident").incident_deck(top="great_fairy_wars")
    game = start.build()
    while game.question != "main":
        assert game.question == "discard"  # a danmaku card or a life, and nothing else is ever asked
        game.act("pass")
    assert life(game) == [3, 3, 3, 4]


def test_a21_one_rescue_is_enough():
    """A-21: once the player is above 0 nobody else can rescue."""
    start = scene().seat(0, role="heroine", hand="shoot").seat(1, life=1).seat(2, hand="one_up")
    game = start.seat(3, hand="one_up").deck("focus").build()
    act(game, "play shoot", "choose seat:1", "play one_up")
    assert game.over
    assert kinds(game.seat(3).hand) == ["one_up"]


# ---------------------------------------------------------------- D: distance and range


def test_d1_distance_is_the_shorter_way_plus_modifiers():
    """D-1: among active players, at least 1."""
    start = scene(8).seat(0, role="heroine", items="stopwatch", hand="grimoire")
    game = start.seat(7, role="ex_boss", defeated=True).build()
    assert [game.distance(0, seat) for seat in range(1, 7)] == [1, 2, 3, 3, 2, 1]
    assert game.distance(6, 0) == 2
    assert game.seat(0).range == 1


def test_d2_cirno_reaches_neighbours_the_long_way_round():
    """D-2: at distance 1 nobody is in range, unless another way round is in range."""
    game = scene(6).seat(0, "cirno", role="heroine", hand="grimoire").build()
    assert [game.in_range(0, seat) for seat in range(1, 6)] == [False, True, True, True, False]
    game = scene(4).seat(0, "cirno", role="heroine", hand="grimoire").build()
    assert [game.in_range(0, seat) for seat in range(1, 4)] == [True, True, True]  # three seats the other way
    start = scene(4).seat(0, "cirno", role="heroine", hand="grimoire").seat(1, role="stage_boss", defeated=True)
    game = start.seat(2, role="stage_boss", defeated=True).build()
    assert game.in_range(0, 3)  # with two players left she attacks as everybody


def test_d3_higan_beats_cirnos_restriction():
    """D-3: everyone-in-range effects win; but distance 1 for all leaves Cirno nobody."""
    game = scene(6).seat(0, "cirno", role="heroine", hand="grimoire").incident("crossing_to_higan").build()
    assert all(game.in_range(0, seat) for seat in range(1, 6))
    start = scene(6).seat(0, "ibuki_suika", role="heroine", hand="spiritual_attack grimoire").seat(2, "cirno")
    game = start.build()
    act(game, "play spiritual_attack", "choose number:1", "pass")
    assert not any(game.in_range(2, seat) for seat in (0, 1, 3, 4, 5))
    assert game.in_range(0, 3)


def test_d5_the_latest_distance_wins():
    """D-5: two numbers for all distances, by Suika and by her captured Spell Card."""
    start = scene(turns=3).seat(0, "ibuki_suika", role="heroine", hand="spiritual_attack grimoire")
    start.seat(1, "cirno", role="stage_boss", hand="capture_spell_card").incident("endless_party").deck(["power"] * 6)
    game = start.seat(2, hand="focus").build()
    act(game, "play spiritual_attack", "choose number:2", "pass")
    assert game.distance(0, 1) == 2
    while game.turn == 0:
        game.act("pass")
    act(game, "play capture_spell_card", "choose number:4", "pass")
    assert game.distance(0, 1) == 4


# ---------------------------------------------------------------- I: incidents


def test_i8_crisis_after_a_takeover_swaps_with_the_new_heroine():
    """I-8: the Heroine card lies with the former Rival."""
    start = scene(8).seat(0, role="", defeated=True).seat(1, role="heroine").seat(2, role="partner").seat(3, role="partner")
    start.seat(4, role="stage_boss").seat(5, role="final_boss").seat(6, role="challenger").seat(7, role="ex_boss").turn(4, step="incident")
    game = start.incident_deck(top="crisis_of_faith").deck("power/autumn").build()
    assert game.seat(4).role == "heroine"
    assert game.seat(1).role == "stage_boss"


def test_i14_spring_snow_stops_every_way_to_a_spell_card():
    """I-14: Utsuho's and Alice's abilities, Miko's empty hand, Mini-Hakkero, reactions."""
    start = scene(6).seat(0, "reiuji_utsuho", role="heroine", items="mini_hakkero", hand="graze graze shoot focus")
    start.seat(1, "toyosatomimi_no_miko").seat(2, "hong_meiling", hand="spiritual_attack")
    game = start.incident("spring_snow").build()
    assert game.legal() == ["pass", "play focus", "play shoot"]
    act(game, "play shoot", "choose seat:1")
    assert game.question == "main"  # nobody had an answer
    game = start.incident(None).build()
    assert "spell reiuji_utsuho" in game.legal()
    assert "use mini_hakkero" in game.legal()
    act(game, "play shoot", "choose seat:1")
    assert game.asking == 1  # Miko, whose hand is empty


def test_i15_no_life_for_a_rival_under_makai():
    """I-15: the takeover happens without the gain."""
    roles = ["heroine", "rival", "partner", "partner", "stage_boss", "final_boss", "challenger", "ex_boss"]
    start = scene(8).turn(4).incident("voyage_to_makai").deck(["power"] * 2)
    for seat, role in enumerate(roles):
        start.seat(seat, role=role, life=1 if seat == 0 else None, hand="laser_shot grimoire" if seat == 4 else [])
    game = start.build()
    act(game, "play laser_shot", "choose seat:0")
    assert game.seat(1).role == "heroine"
    assert (game.seat(1).life, game.seat(1).max_life) == (4, 5)


def test_i17_the_incident_discard_pile_becomes_the_new_deck():
    """I-17: shuffled when the deck is empty and an incident has to enter, or is looked at."""
    incidents = list(INCIDENT_IDS[:NUM_BASE_INCIDENTS])
    start = scene().seat(0, role="heroine", hand="grimoire").turn(0, step="incident").incident_deck(discard=incidents)
    game = start.build()
    assert game.log[0].startswith("incident: ")
    assert len(game.incident_deck) == 15
    incidents.remove("spring_snow")
    start = scene().seat(0, role="heroine", hand="master_plan").incident("spring_snow").incident_deck(discard=incidents)
    game = start.build()
    assert game.incident_deck == []
    act(game, "play master_plan", "choose deck:incident")
    assert (game.question, len(game.legal()), len(game.incident_deck)) == ("incident", 3, 13)


def test_i18_hand_discards_are_collected_card_by_card():
    """I-18: in the order the discarding player picks; what comes after the last needed card is an ordinary discard."""
    start = scene().seat(0, role="heroine", hand=["shoot/spring", "graze/spring", "party/spring", *["power"] * 4])
    game = start.turn(0, step="discard").incident("spring_snow", collected=["graze/spring"] * 3 + ["shoot/spring"] * 2).build()
    act(game, "choose card:party", "choose card:graze")
    assert game.incident is None
    assert game.discard[-1] == "graze/spring"
    assert "party/spring" in game.discard


def test_i3_the_collection_is_shuffled_onto_the_discard_pile():
    """I-3: at the moment the last needed card arrives, in an order nobody chose; others keep their place below."""
    orders = set()
    for seed in range(4):
        start = scene().seat(0, role="heroine", hand="shoot/spring").discard("focus/summer")
        game = start.incident("spring_snow", collected="graze/spring bomb/spring party/spring power/spring borrow/spring")
        game = game.build(seed=seed)
        act(game, "play shoot", "choose seat:1")
        assert game.discard[0] == "focus/summer"
        orders.add(tuple(game.discard))
    assert len(orders) > 1


def test_i19_flipped_cards_are_collected():
    """I-19: a flip that shows a wanted card feeds the incident."""
    start = scene().seat(0, role="heroine", hand="shoot/autumn").seat(1, items="supernatural_border").incident("spring_snow")
    game = start.deck("power/spring").build()
    act(game, "play shoot", "choose seat:1")
    assert game.collected == ["power/spring"]


# ---------------------------------------------------------------- R: roles and victory


def test_r19_effects_of_a_defeated_player_end_where_the_turn_would_have_come():
    """R-19: Suika's number outlives her until her next turn would have begun, and no longer."""
    start = scene(5, turns=6).roles("heroine stage_boss stage_boss partner ex_boss").turn(1).incident("overdrive")
    start.seat(1, "ibuki_suika", life=1, hand="spiritual_attack").seat(2, hand="laser_shot shoot").seat(3, hand="shoot")
    game = start.build()
    act(game, "play spiritual_attack", "choose number:3")
    pass_until(game, "main", 2)
    act(game, "play laser_shot", "choose seat:1")
    assert game.seat(1).defeated
    distances = {2: game.distance(2, 3)}
    while game.turn_number < 5:
        game.act("pass")
        distances.setdefault(game.turn, game.distance(2, 3))
    assert [turn for turn in distances if distances[turn] == 3] == [2, 3, 4, 0]
    while game.turn != 2 and not game.over:
        game.act("pass")
    assert (game.turn, game.distance(2, 3)) == (2, 1)


# ---------------------------------------------------------------- X: decks, piles, hidden information


def test_x1_draws_fail_when_no_card_is_left():
    """X-1: deck and discard pile empty: draws and flips fail, a failed flip has no season."""
    box = box_without("supernatural_border/spring", "shoot/winter")
    start = scene().seat(0, role="heroine", hand="shoot/winter").seat(1, items="supernatural_border/spring").seat(2, hand=box)
    game = start.build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "discard")
    assert game.seat(1).life == 3
    assert game.seat(1).hand == []


def test_x2_the_deck_is_rebuilt_only_when_a_card_is_needed():
    """X-2: an empty deck stays empty; the card being played is not shuffled in."""
    deck = ["focus/autumn", "focus/summer"]
    rest = box_without(*deck, "grimoire/summer", "grimoire/autumn")
    start = scene().seat(0, role="heroine", hand="grimoire/summer grimoire/autumn").deck(deck).discard(rest)
    game = start.build()
    act(game, "play grimoire")
    assert game.deck == []
    assert len(game.discard) == 77
    act(game, "play grimoire")
    assert len(game.deck) == 75
    assert kinds(game.discard) == ["grimoire"]


def test_x2_looking_at_more_cards_than_are_left():
    """X-2: the rest is taken, the discard pile reshuffled, and looking goes on."""
    deck = ["focus/autumn"]
    start = scene().seat(0, role="heroine", hand="master_plan/autumn").deck(deck)
    game = start.discard(box_without("master_plan/autumn", *deck)).build()
    act(game, "play master_plan", "choose deck:main")
    assert game.question == "aside"
    assert "choose card:focus" in game.legal()
    assert len(game.deck) == 80 - 1 - 3
    assert game.discard == []


def test_x4_the_discard_pile_is_ordered():
    """X-4: in the order of play, the last on top."""
    game = scene().seat(0, role="heroine", hand="grimoire kourindou").deck(["power"] * 3).build()
    act(game, "play grimoire", "play kourindou", "choose card:power", "pass")
    assert [card.split("/")[0] for card in game.discard] == ["grimoire", "power", "kourindou"]


def test_x6_what_voile_puts_back_is_private():
    """X-6: only the player knows the card on top."""
    start = scene().seat(0, role="heroine", hand="voile focus/autumn power/winter").deck("graze graze grimoire")
    game = start.build()
    game.act("play voile")
    other = game.clone()
    game.act("choose card:focus")
    other.act("choose card:power")
    for seat in (1, 2, 3):
        assert (game.observe(seat) == other.observe(seat)).all()
    assert (game.observe(0) != other.observe(0)).any()


def test_x7_exchanged_hands_stay_known_to_who_gave_them():
    """X-7: both players know what they passed on, the others do not."""

    def game(card):
        start = scene().seat(0, role="heroine", hand=[card]).turn(0, step="incident").incident("scarlet_weather_rhapsody")
        return start.seat(1, hand="grimoire/summer").deck("shoot/autumn focus/summer power/winter").build()

    one, other = game("graze/spring"), game("bomb/spring")
    assert one.seat(1).hand == ["graze/spring"]
    assert (one.observe(0) != other.observe(0)).any()
    assert (one.observe(2) == other.observe(2)).all()


def test_x9_each_card_goes_to_either_end():
    """X-9: individually and in any order."""
    start = scene().seat(0, role="heroine", hand="master_plan").deck("focus/summer power/winter graze/spring")
    game = start.build()
    act(game, "play master_plan", "choose deck:main", "choose card:power", "choose bottom", "choose card:graze", "choose bottom")
    act(game, "choose bottom")
    assert game.deck[-3:] == ["power/winter", "graze/spring", "focus/summer"]


def test_x10_with_two_players_left_both_neighbours_are_the_same():
    """X-10: spring and autumn exchange hands with the one other player."""
    for season in ("spring", "autumn"):
        start = scene().seat(0, role="heroine", hand="grimoire").turn(0, step="incident").incident("scarlet_weather_rhapsody")
        start.seat(1, role="stage_boss", defeated=True).seat(2, role="stage_boss", hand="focus focus")
        game = start.seat(3, role="ex_boss", defeated=True).deck([f"shoot/{season}"]).build()
        assert kinds(game.seat(2).hand) == ["grimoire"]


# ---------------------------------------------------------------- C: base cards


def test_c1_costs_come_from_the_hand():
    """C-1: items in play pay for nothing, unless named."""
    start = scene().seat(0, "reiuji_utsuho", role="heroine", items="power focus stopwatch", hand="grimoire")
    assert start.build().legal() == ["pass", "play grimoire"]
    start.seat(0, "reiuji_utsuho", role="heroine", hand="grimoire graze")
    assert "spell reiuji_utsuho" in start.build().legal()


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


def test_c16_satoris_spell_card_cannot_be_captured():
    """C-16: only Spell Cards with a timing of their own."""
    start = scene().seat(0, "cirno", role="heroine", hand="capture_spell_card grimoire")
    game = start.seat(1, "komeiji_satori").build()
    assert game.legal() == ["pass", "play grimoire"]
    game = start.seat(2, "patchouli_knowledge").build()
    assert "play capture_spell_card" in game.legal()


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


@pytest.mark.parametrize(("focus", "playable"), [(["focus"], False), ([], True)])
def test_c17_a_spell_card_needs_its_target(focus, playable):
    """C-17: Master Spark cannot be activated with nobody in range."""
    start = scene().seat(0, "kirisame_marisa", role="heroine", hand="spiritual_attack grimoire")
    game = start.seat(1, items=focus).seat(3, items=focus).build()
    assert ("play spiritual_attack" in game.legal()) is playable
