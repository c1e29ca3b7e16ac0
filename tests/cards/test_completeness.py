"""Fails when a card, character, incident, role or operation has no test of its own.

A test belongs to what its name begins with: `test_shoot_...`, `test_hakurei_reimu_...`, `test_lily_white_...`.
"""

import ast
import re
from pathlib import Path

import pytest

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import BASE_GAME, CHARACTER_IDS, INCIDENT_IDS, KIND_IDS, ROLE_IDS
from danmaku_env.cards.characters import CHARACTERS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.incidents import INCIDENTS
from danmaku_env.cards.main_deck import MAIN_CARDS
from danmaku_env.cards.roles import ROLES
from danmaku_env.cards.tables import T_ANNOUNCE, T_CHARACTER, T_INCIDENT, T_KIND, T_RESOLVE, T_ROLE

HERE = Path(__file__).parent

OPERATION_TESTS = {
    "choose_player": "test_one_up_heals_any_hurt_player",
    "choose_item": "test_borrow_takes_control_of_an_item",
    "choose_card": "test_voile_draws_three_and_puts_one_back",
    "pay": "test_mini_hakkero_activates_the_spell_card_for_two_cards",
    "pay_any": "test_kourindou_draws_one_more_than_discarded",
    "boost": "test_shoot_reaches_further_with_thrown_danmaku_cards",
    "pay_item": "test_kawashiro_nitori_discards_items_to_draw",
    "pay_life": "test_overdrive_sells_the_spell_card_for_a_life",
    "dodge_cost": "test_graze_for_another_player_costs_a_danmaku_card",
    "may": "test_true_phantom_boss_may_do_neither",
    "choose_number": "test_ibuki_suika_gathering_and_dissipating",
    "choose_type": "test_hakurei_reimu_fantasy_seal_names_four_types",
    "choose_deck": "test_master_plan_may_order_the_incident_deck",
    "name_incident_deck": "test_true_phantasm_boss_resolves_the_incident_and_orders_the_deck",
    "shuffle_incidents": "test_urban_legend_outbreak_brings_two_more_incidents",
    "bring_incident": "test_urban_legend_outbreak_brings_two_more_incidents",
    "choose_aside": "test_undefined_fantastic_object_shows_three_cards",
    "choose_end": "test_master_plan_resolves_the_incident_and_orders_the_deck",
    "discard_or": "test_great_fairy_wars_makes_everybody_pay",
    "search_incident": "test_true_phantom_boss_resolves_and_fetches_an_incident",
    "choose_controller": "test_power_adds_range_and_danmaku_cards",
    "choose_from_hand": "test_yakumo_yukari_spiriting_away_takes_a_chosen_hand_card",
    "aim": "test_revenge_shot_attacks_the_attacker",
    "pay_points": "test_horikawa_raiko_pays_three_points_for_her_spell",
    "choose_discard": "test_onozuka_komachi_skips_and_takes_three_of_seven_discards",
    "search_item": "test_kijin_seija_searches_a_deck_at_the_start_of_the_game",
    "choose_collected": "test_kaenbyou_rin_takes_a_collected_card",
    "discard_one": "test_hata_no_kokoro_four_humors",
    "remember_flip": "test_hata_no_kokoro_four_humors",
    "draw_more": "test_hinanawi_tenshi_draws_one_more_for_lost_life",
    "choose_search": "test_kijin_seija_searches_a_deck_at_the_start_of_the_game",
    "choose_ability": "test_komeiji_koishi_names_an_ability_at_the_start_of_every_turn",
    "decline": "test_hijiri_byakuren_may_let_it_be",
    "hold_card": "test_shiki_eiki_needs_a_card_to_show",
    "draw_again": "test_moriya_suwako_draws_anew_once_per_turn",
    "flip_and_play": "test_tatara_kogasa_flips_after_a_spring_card",
    "give_up_it": "test_hoshiguma_yuugi_gives_up_an_avoidance_to_attack",
    "count_rounds": "test_horikawa_raiko_pristine_beat_grows_from_round_to_round",
    "choose_options": "test_hecatia_lapislazuli_trinitarian_rhapsody_names_three",
    "choose_seasons": "test_nagae_iku_raiment_like_the_sky",
    "pay_season": "test_nagae_iku_cancels_an_action_card_of_the_same_season",
    "take_worth": "test_junko_refinement_of_earthen_impurity_takes_five_points",
    "show_card": "test_shiki_eiki_shows_the_card_to_the_judged_player_alone",
    "gather_seasons": "test_nagae_iku_raiment_like_the_sky",
    "spend_item": "test_toramaru_shou_radiant_treasure_gun_spends_an_item",
    "prevent_it": "test_fujiwara_no_mokou_flips_when_hit",
    "extra_turn": "test_houraisan_kaguya_dawn_gives_an_extra_turn",
    "reveal_my_role": "test_shiki_eiki_reveals_her_role_and_draws_one_more",
    "draw": "test_grimoire_draws_two",
    "draw_lunatic": "test_occult_ball_draws_a_lunatic_card",
    "hand_on_card": "test_spell_assist_is_handed_on",
    "keep_card": "test_point_of_collection_takes_the_card",
    "spare_life": "test_ghost_lantern_keeps_life_for_a_turn",
    "take_this": "test_uchides_mallet_is_handed_on",
    "discard_lunatic": "test_shining_needle_castle_takes_lunatic_cards_from_all_hands",
    "discard_hand": "test_five_impossible_requests_renews_the_hand",
    "flip": "test_supernatural_border_flips_when_attacked",
    "reveal": "test_undefined_fantastic_object_shows_three_cards",
    "look": "test_master_plan_resolves_the_incident_and_orders_the_deck",
    "reveal_until": "test_alice_margatroid_artful_sacrifice",
    "take": "test_undefined_fantastic_object_shows_three_cards",
    "take_all": "test_shameimaru_aya_wind_god_girl",
    "discard_aside": "test_alice_margatroid_artful_sacrifice",
    "collect_aside": "test_undefined_fantastic_object_counts_its_own_cards_only",
    "hand_to_deck": "test_voile_draws_three_and_puts_one_back",
    "aside_to_deck": "test_master_plan_resolves_the_incident_and_orders_the_deck",
    "discard_item": "test_seal_away_removes_an_item_then_attacks",
    "discard_items": "test_worldly_desires_strips_everybody",
    "take_control": "test_borrow_takes_control_of_an_item",
    "put_in_play": "test_alice_margatroid_artful_sacrifice",
    "swap_hands": "test_scarlet_weather_rhapsody_flips",
    "discard_random": "test_scarlet_weather_rhapsody_flips",
    "collect_top": "test_eternal_night_frees_danmaku_and_collects_them",
    "give": "test_toyosatomimi_no_miko_hands_cards_on",
    "look_at_hand": "test_komeiji_satori_looks_at_one_hand_a_round",
    "show_hand": "test_kochiya_sanae_miracle_fruit_shows_the_hand_to_all",
    "draw_aside": "test_party_deals_a_card_to_everybody",
    "give_aside": "test_party_deals_a_card_to_everybody",
    "attack": "test_laser_shot_ignores_range_and_dodging",
    "lose_life": "test_saigyou_ayakashi_blooming_costs_a_life",
    "gain_life": "test_one_up_heals_any_hurt_player",
    "revive": "test_one_up_rescues_another_player_at_zero",
    "cancel_it": "test_bomb_cancels_a_danmaku_card",
    "avoid_it": "test_graze_avoids_an_attack_on_oneself",
    "activate": "test_spiritual_attack_activates_once_per_round",
    "copy_it": "test_reisen_udongein_inaba_lunatic_red_eyes_copies_a_spell",
    "last": "test_konpaku_youmu_200_yojana",
    "skip_next_turn": "test_cirno_perfect_freeze",
    "skip_this_turn": "test_hong_meiling_may_skip_her_turn_and_draw_four",
    "ban_actions": "test_izayoi_sakuya_the_world_bans_action_cards_this_turn_only",
    "resolve_incident": "test_lily_white_flips",
    "add_draws": "test_kirisame_marisa_takes_an_item_in_her_draw_step",
    "skip_incident_step": "test_true_phantom_boss_without_an_incident_has_nothing_to_fetch",
    "end": "test_melee_does_not_count_and_has_any_range",
    "jump": "test_melee_is_handed_on_for_danmaku_cards",
    "if": "test_lily_white_flips",
    "start_each": "test_last_word_attacks_everybody_else",
    "next_each": "test_tempest_renews_all_hands",
    "set_count": "test_reiuji_utsuho_nuclear_excursion_is_three_attacks",
    "count_down": "test_reiuji_utsuho_nuclear_excursion_is_three_attacks",
    "swap_with_heroine": "test_crisis_of_faith_makes_a_new_heroine",
    "hand_on_attack": "test_melee_is_handed_on_for_danmaku_cards",
    "recruit": "test_futatsuiwa_mamizou_recruits_for_a_card_at_the_start_of_her_turn",
    "choose_extra": "test_houjuu_nue_danmaku_chimera_recruits_two_and_dismisses_two",
    "dismiss": "test_houjuu_nue_danmaku_chimera_recruits_two_and_dismisses_two",
    "dismiss_own": "test_futatsuiwa_mamizou_dismisses_to_avoid_an_attack",
    "replace_extra": "test_futatsuiwa_mamizou_scrolls_replace_any_extra_and_attack",
    "name_ability": "test_komeiji_koishi_names_an_ability_at_the_start_of_every_turn",
    "activate_printed": "test_yakumo_ran_may_activate_her_own_besides",
}
"""Operation -> a test of something whose program contains it."""


def written_tests(pattern):
    """Name -> docstring of the test functions in the files."""
    tests = {}
    for path in HERE.glob(pattern):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                tests[node.name] = ast.get_docstring(node) or ""
    return tests


def belongs_to(name, ids):
    """The id a test's name begins with, the longest that fits, or None."""
    fitting = [owner for owner in ids if re.match(rf"test_{owner}(_|$)", name)]
    return max(fitting, key=len, default=None)


CARDS, PEOPLE = [card.id for card in MAIN_CARDS], [character.id for character in CHARACTERS]
EVENTS, PARTS = [incident.id for incident in INCIDENTS], [role.id for role in ROLES]
SUBJECTS = [
    *(("test_main_deck.py", name) for name in CARDS),
    *(("test_characters*.py", name) for name in PEOPLE),
    *(("test_incidents.py", name) for name in EVENTS),
    *(("test_roles.py", name) for name in PARTS),
    *(("test_lunatic_cards.py", card.id) for card in BASE_GAME.expansion.cards),
    *(("test_*characters*.py", character.id) for character in (*BASE_GAME.expansion.characters, *BASE_GAME.bonus)),
    *(("test_lunatic_incidents.py", incident.id) for incident in BASE_GAME.expansion.incidents),
    *(("test_*roles.py", role.id) for role in BASE_GAME.expansion.roles),
]


@pytest.mark.parametrize(("files", "subject"), SUBJECTS)
def test_everything_in_the_box_has_a_test(files, subject):
    """23 card types, 24 characters, 16 incidents, all roles: each has a test that begins with its id."""
    ids = [name for place, name in SUBJECTS if place == files]
    tests = [name for name in written_tests(files) if belongs_to(name, ids) == subject]
    assert tests, f"no test_{subject}_... in tests/cards/{files}"


def test_the_box_is_complete():
    """80 cards of 23 types, 24 characters, 16 incidents, 13 kinds of role cards."""
    assert [len(CARDS), len(PEOPLE), len(EVENTS), len(PARTS)] == [23, 24, 16, 13]
    assert sum(len(card.seasons.split()) for card in MAIN_CARDS) == 80


def operations_in_use():
    """Operation -> ids of the cards, characters, incidents and roles whose programs contain it."""
    compiled = compile_cards()
    tables = compiled.tables[0]
    rows = tables["text"][1 : len(compiled.texts)]
    starts = sorted({int(row[column]) for row in rows for column in (T_ANNOUNCE, T_RESOLVE)} - {0})
    ends = dict(zip(starts, [*starts[1:], compiled.rows], strict=True))
    owners = ((T_KIND, KIND_IDS), (T_CHARACTER, CHARACTER_IDS), (T_INCIDENT, INCIDENT_IDS), (T_ROLE, ROLE_IDS))
    users = {}
    for row in rows:
        owner = next(ids[int(row[column]) - 1] for column, ids in owners if row[column])
        for start in {int(row[T_ANNOUNCE]), int(row[T_RESOLVE])} - {0}:
            for code in tables["program"][start : ends[start], 0]:
                users.setdefault(v.OPERATIONS[int(code)].name, set()).add(owner)
    return users


def test_every_operation_has_a_test():
    """Each operation of the vocabulary is used by some card, and names a test of a card that uses it."""
    users = operations_in_use()
    assert set(users) == {operation.name for operation in v.OPERATIONS.values()}, "operations no program uses, or unknown ones"
    assert set(OPERATION_TESTS) == set(users)
    tests = written_tests("test_*.py")
    ids = [name for _, name in SUBJECTS]
    for operation, test in OPERATION_TESTS.items():
        assert test in tests, f"{operation}: there is no {test}"
        assert belongs_to(test, ids) in users[operation], f"{operation}: {test} is about something that does not use it"


def test_every_test_says_what_is_printed():
    """Tests of cards begin with the printed text in our words."""
    for files in (
        "test_main_deck.py",
        "test_lunatic_cards.py",
        "test_incidents.py",
        "test_lunatic_incidents.py",
        "test_roles.py",
        "test_lunatic_roles.py",
    ):
        for name, docstring in written_tests(files).items():
            assert docstring, f"{name} has no docstring"
