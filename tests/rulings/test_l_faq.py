"""What the second rulebook answers itself: its set-up, its examples, and its answers card by card, each at a table.

`ENTRIES` lists all of it in the book's order, in our words; the test of an entry is named after it, and none is without.
"""

import inspect
import sys

import pytest

from danmaku_env import Game, GameConfig, ScenarioError
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import BASE_GAME
from tests.table import LUNATIC, act, kinds, life, offered, pass_until
from tests.table import lunatic_scene as table

ENTRIES = {
    # set-up
    "replaced_cards": "Phantom Boss, True Phantom Boss, Party and Aya are those of the expansion.",
    "discovered_forms_are_not_dealt": "Secret Boss Discovered and Tag Team come by revealing alone.",
    "starting_hands": "5, 4, 4, 5, 5, 6, 6, 7 cards from the Heroine on; Patchouli 3 more, Meiling none.",
    "start_of_the_game_in_turn_order": "Start effects of characters, in turn order, after the starting hands.",
    "turn_zero_items_do_at_once_what_they_do": "An item put into play in turn zero does at once what it does.",
    "turn_zero_is_trimmed": "At the end of turn zero hands are trimmed; for Meiling it is her own turn.",
    # game modes
    "double_threat_has_two_primaries": "Both characters are primary, and neither is an Extra Character.",
    # extra characters
    "only_the_source_that_is_lost_takes_its_character": "Losing an item loses the Extra Character it gave, and no other.",
    "others_choose_primary_characters_only": "Capture Spell Card takes no Spell Card of an Extra Character.",
    # lunatic cards
    "ten_points_are_not_two_cards": "Cards of 4, 3 and 3 points are no two exchanges.",
    "exchanges_start_with_the_current_player": "Who exchanges at the same time does so in turn order.",
    "lunatic_cards_are_collected": "Incidents collect Lunatic cards too; resolved, they give them to their own discard pile.",
    # instants
    "instants_are_not_answered": "An instant resolves as it is played and cannot be cancelled.",
    # several incidents
    "incidents_act_in_order": "Of several incidents the older acts first; one that is resolved meanwhile does not act.",
    "a_card_is_collected_once": "By the incident that entered first.",
    "released_cards_are_not_collected": "What a resolved incident had collected is discarded, and collected by nobody.",
    # strict rules
    "targets_are_legal_when_the_card_is_played": "A player in range must be in range before the card is played.",
    "reactions_answer_reactions": "The last response resolves first.",
    "youmu_targets_after_the_cancel_window": "Her second target is chosen when the Shoot was not cancelled; cancelled, it brings nothing.",
    "the_current_player_has_priority_first": "Also to answer her own action.",
    "the_discard_pile_is_in_the_order_played": "The first card played lies lowest, responses on top.",
    "hands_are_trimmed_in_order": "The current player's discards lie lowest.",
    "an_effect_no_longer_legal_does_not_happen": "A target that has left the range meanwhile is not attacked.",
    # cards
    "extra_stage": "The last card comes from the Main deck.",
    "nimble_cloth": "Its limit is new on each player's turn.",
    "one_up": "Both halves are healing cards, of the base game's copies too.",
    "interrupt": "It cancels Spell Cards of the action and the reaction kind.",
    "point_of_collection": "Of several effects the one played last says where the card goes.",
    "tanuki_leaf": "Who Borrows it recruits a different Extra Character.",
    "mallet_with_power": "One danmaku card a round, Power or not.",
    "mallet_and_revenge_shot": "Cards that do not count against the limit are played no more either.",
    "mallet_on_every_turn": "A danmaku card played on another's turn was the one until one's own next turn.",
    "mallet_and_cancelled_cards": "A card that was cancelled was the one.",
    "mallet_and_distance": "Nobody further away than 1 is attacked, by attacks that disregard range neither.",
    "mallet_of_cirno": "Cirno attacks at distance 1 only, and only with what disregards range.",
    # characters
    "flandre_may_leave_the_items": "She need not force a discard, even of a powerup.",
    "laevateinn_attacks_three": "The chosen player and both neighbours, if able.",
    "mokou_draws_for_life_lost": "A hit that costs no life brings no card.",
    "kokoro_gives_way": "Point of Collection and Suwako's Spell Card go before her ability.",
    "hecatia_fallen_before_the_attack": "At 1 life before she attacks, the attack fails.",
    "hecatia_fallen_after_the_attack": "In range when she attacks, it does not fail any more.",
    "nue_without_her_ability": "She keeps her Extra Characters when she loses her ability for a while.",
    "danmaku_chimera": "She dismisses only those that her ability or Spell Card recruited.",
    "kaguya_on_an_extra_turn": "Her Spell Card can be used there, for no other extra turn.",
    "rin_and_what_cannot_be_cancelled": "If the Spell Card she picks cannot be cancelled, nor can hers.",
    "seija_searches_another_deck": "If one has no artifact; each deck that is searched is shuffled.",
    "ichirin_in_the_draw_step": "Her Spell Card answers the cards of a draw step too.",
    "suwako_and_the_starting_hand": "It is not drawn anew.",
    "suwako_and_the_draw_step": "The cards of her draw step may be.",
    "suwako_draws_from_the_same_decks": "As many again from each deck, as under Lunar Wars.",
    "suwako_and_point_of_collection": "What was played last says where the card goes.",
    "eiki_still_reveals_by_her_role": "Having revealed her role, she can still do what role cards say to reveal for.",
    "eiki_as_ex_boss": "Before a defeat she only shows the card; after one she gets the other, 1 life, and two cards more a turn.",
    "kogasa_for_whatever_reason": "A spring card discarded by a resolved incident, or down to hand size, counts too.",
    "kogasa_when_all_is_done": "She is asked when everything in play has been carried out.",
    "kogasa_plays_out_of_turn": "The action card she flips is played on anybody's turn; of a split card the half that is an action.",
    "kogasa_answers_cards_only": "Her Spell Card answers action cards, not Spell Cards of the action kind.",
    "shou_chooses_the_item_on_activation": "If the Spell Card is cancelled, the item is not lost.",
    "sumireko_and_the_starting_hand": "No season is named for it.",
    "ran_banquet_comes_with_her_own_extra_only": "Only by the Extra Character of her ability.",
    "ran_banquet_regardless_of_limit": "On activating that Spell Card, besides the one of the round.",
    "ran_cancelled_extra_spell": "If that Spell Card is cancelled, the Banquet does not come.",
    "ran_banquet_can_be_cancelled_alone": "The Spell Card that brought it goes on.",
    "ran_banquet_by_itself": "Her own Spell Card can be activated without the other.",
    "ran_banquet_resolves_first": "Before the Spell Card that brought it.",
    "ran_without_her_ability": "She keeps her Extra Character, and cannot activate its Spell Card meanwhile.",
    "kanako_like_an_instant": "Whenever an instant could be played, and nobody answers it.",
    # roles
    "tag_team_and_crisis_of_faith": "The former Heroine recruits another Extra Character than the one in play.",
}
"""Every answer and example of the second rulebook -> what it says."""


def test_no_entry_is_without_a_test():
    here = inspect.getmembers(sys.modules[__name__], inspect.isfunction)
    tests = {name.removeprefix("test_") for name, _ in here if name.startswith("test_")} - {"no_entry_is_without_a_test"}
    assert tests == set(ENTRIES)


# ---------------------------------------------------------------- set-up


def test_replaced_cards():
    with pytest.raises(ScenarioError, match="'phantom_boss' is replaced in Lunatic Extra"):
        table().roles("heroine stage_boss stage_boss phantom_boss").build()
    game = table().seat(0, hand="party").deck("voile tempest mini_hakkero kourindou").build()
    game.act("play party")
    known = [int((game.record["seen_by"] >> seat & 1).sum()) for seat in range(4)]
    assert known[0] == known[1] + 4, "who plays it looks at the cards, the others do not"
    game = table().seat(0, hand="shoot shoot voile").seat(1, "shameimaru_aya", hand="erase_shot erase_shot/winter").build()
    act(game, "play shoot", "choose seat:2", "ability shameimaru_aya")
    assert life(game)[2] == 4
    assert "ability shameimaru_aya" not in game.legal()


def test_discovered_forms_are_not_dealt():
    dealt = {seat.role for seed in range(60) for seat in Game.new(GameConfig(num_players=4, characters="none", **LUNATIC), seed).seats}
    assert {"secret_boss", "lone_wolf", "phantasm_boss"} <= dealt
    assert not {"secret_boss_discovered", "tag_team", "true_phantasm_boss"} & dealt


def test_starting_hands():
    names = ["patchouli_knowledge", "hong_meiling", "cirno", "hakurei_reimu", "izayoi_sakuya", "kazami_yuuka", "ibuki_suika", "junko"]
    game = Game.new(GameConfig(num_players=8, characters=names, **LUNATIC), 5)
    heroine = next(seat.index for seat in game.seats if seat.role == "heroine")
    cards = [len(game.seat((heroine + place) % 8).hand) for place in range(8)]
    patchouli = (0 - heroine) % 8
    assert [count - 3 * (place == patchouli) for place, count in enumerate(cards)] == [5, 4, 4, 5, 5, 6, 6, 7]
    assert game.seat(0).max_hand == 7 + (heroine == 0)


def test_start_of_the_game_in_turn_order():
    start = table().roles("stage_boss heroine stage_boss ex_boss").seat(0, "futatsuiwa_mamizou", hand="shoot").seat(2, "yakumo_ran")
    game = start.turn(1, step="game start").build()
    assert (game.asking, game.question) == (2, "character")
    game.act(game.legal()[0])
    assert (game.asking, game.question) == (0, "discard")


def test_turn_zero_items_do_at_once_what_they_do():
    start = table().roles("heroine stage_boss stage_boss ex_boss").seat(0, hand="tanuki_leaf").turn(0, step="turn zero")
    game = start.recruits(["cirno", "ibuki_suika"]).build()
    act(game, "play tanuki_leaf", "choose character:cirno")
    assert (game.seat(0).extras, game.seat(0).range, kinds(game.seat(0).items)) == (["cirno"], 3, ["tanuki_leaf"])


def test_turn_zero_is_trimmed():
    hand = "shoot shoot graze graze graze"
    start = table(turns=3).roles("heroine stage_boss stage_boss ex_boss").seat(0, hand=hand).seat(1, "hong_meiling", hand=hand)
    game = start.turn(0, step="turn zero").build()
    pass_until(game, "discard")
    assert (game.asking, game.turn_number) == (1, 0), "the Heroine holds five, Meiling four"
    game.act("choose card:graze")
    assert len(game.seat(1).hand) == 4


# ---------------------------------------------------------------- modes, Extra Characters


def test_double_threat_has_two_primaries():
    start = table(characters="double_threat").seat(0, ("cirno", "ibuki_suika"), hand="shoot")
    game = start.seat(1, ("komeiji_koishi", "junko")).build()
    assert (game.seat(0).range, game.seat(0).danmaku_limit, game.seat(0).extras) == (4, 2, [])
    assert set(game.seat(0).spell_cards) == {"cirno", "ibuki_suika"}


def test_only_the_source_that_is_lost_takes_its_character():
    plan = {"items": "tanuki_leaf", "extras": ["cirno/futatsuiwa_mamizou", "hakurei_reimu/tanuki_leaf"]}
    game = table().seat(0, hand="seal_away").seat(1, "futatsuiwa_mamizou", **plan).build()
    act(game, "play seal_away", "choose seat:1", "choose card:tanuki_leaf")
    assert game.seat(1).extras == ["cirno"]


def test_others_choose_primary_characters_only():
    plan = {"items": "tanuki_leaf", "extras": ["kazami_yuuka"]}
    game = table().seat(0, hand="capture_spell_card grimoire").seat(1, **plan).build()
    assert "play capture_spell_card" not in game.legal()
    game = table().seat(0, hand="capture_spell_card").seat(1, "saigyouji_yuyuko", **plan).build()
    game.act("play capture_spell_card")
    assert life(game) == [4, 3, 3, 4]


# ---------------------------------------------------------------- Lunatic cards, instants


def test_ten_points_are_not_two_cards():
    game = table().seat(0, hand="bomb focus grimoire").lunatic_deck("lunatic_voile lunatic_focus").build()
    act(game, "exchange", "choose card:bomb", "choose card:focus", "choose card:grimoire")
    assert game.seat(0).hand == ["lunatic_voile/spring"]


def test_exchanges_start_with_the_current_player():
    start = table().seat(0, hand="voile").seat(1, hand="stopwatch").seat(3, hand="sorcerers_sutra_scroll").turn(1)
    game = start.lunatic_deck("lunatic_voile lunatic_focus interrupt").build()
    asked = []
    while game.step == "main":
        game.act("pass")
    while not game.over:
        asked.append(game.asking)
        game.act("exchange" if "exchange" in game.legal() else game.legal()[0])
    assert asked[:3] == [1, 3, 0]


def test_lunatic_cards_are_collected():
    start = table(turns=9).seat(0, hand="lunatic_laser_shot/winter voile").incident("great_fairy_wars", collected="shoot/spring")
    game = start.build()
    act(game, "play laser_shot", "choose seat:1")
    pass_until(game, "main")
    assert "lunatic_laser_shot/winter" in game.collected
    spring = ["graze/spring", "power/spring", "bomb/spring", "spiritual_attack/spring", "lunatic_bomb/spring"]
    game = table(turns=9).seat(0, hand="party/spring voile").incident("spring_snow", collected=spring).build()
    game.act("play party")
    while game.incident:
        game.act(game.legal()[0])
    assert "lunatic_bomb/spring" not in game.discard
    assert int(game.record["lunatic_discard_size"]) == 1


def test_instants_are_not_answered():
    start = table().seat(0, hand="gift_of_yatagarasu grimoire").seat(1, "kazami_yuuka", hand="bomb interrupt")
    game = start.seat(2, "nagae_iku", hand="graze/spring graze/summer").deck("power focus").build()
    act(game, "play gift_of_yatagarasu", "choose bottom")
    assert (game.asking, game.question, len(game.seat(0).hand)) == (0, "main", 3)


# ---------------------------------------------------------------- several incidents


def outbreak(*names, kept=(), step="main", **heroine):
    heroine.setdefault("hand", "grimoire")
    start = table(turns=9).seat(0, role="heroine", **heroine).turn(0, step=step)
    return start.incidents({"urban_legend_outbreak": kept, **dict.fromkeys(names, ())})


@pytest.mark.parametrize(("first", "left"), [("five_impossible_requests", 3), ("saigyou_ayakashi_blooming", 2)])
def test_incidents_act_in_order(first, left):
    second = "saigyou_ayakashi_blooming" if left == 3 else "five_impossible_requests"
    start = outbreak(first, second, kept=["lily_white"], step="incident", hand="mini_hakkero", life=3).deck("power/spring")
    game = start.incident_deck(top=["overdrive"]).build()
    assert (game.incidents, game.seat(0).life) == ([], left)


def test_a_card_is_collected_once():
    game = outbreak("spring_snow", "great_fairy_wars", hand="tempest shoot/spring shoot/winter grimoire").build()
    game.act("play tempest")
    pass_until(game, "main")
    assert (game.collected_by("spring_snow"), game.collected_by("great_fairy_wars")) == (["shoot/spring"], ["shoot/winter"])


def test_released_cards_are_not_collected():
    spring = ["graze/spring", "power/spring", "bomb/spring", "spiritual_attack/spring", "party/spring"]
    start = table(turns=9).seat(0, role="heroine", hand="tempest shoot/spring grimoire").turn(0)
    game = start.incidents({"spring_snow": spring, "great_fairy_wars": []}).build()
    game.act("play tempest")
    pass_until(game, "main")
    assert (game.incidents, game.collected) == (["great_fairy_wars"], [])


# ---------------------------------------------------------------- strict rules


def test_targets_are_legal_when_the_card_is_played():
    game = table().seat(0, hand="erase_shot voile").seat(1, items="focus").seat(3, items="nimble_cloth").build()
    assert "play erase_shot" not in game.legal()


def test_reactions_answer_reactions():
    start = table().seat(0, hand="shoot graze voile", life=2).seat(1, hand="reflect_shot", life=2)
    game = start.build()
    act(game, "play shoot", "choose seat:1", "play reflect_shot")
    assert (game.asking, game.question) == (0, "attacked")
    game.act("play graze")
    assert life(game)[:2] == [2, 2]
    avoided = [line for line in game.log if "avoid" in line]
    assert len(avoided) == 2


def test_youmu_targets_after_the_cancel_window():
    game = table().seat(0, "konpaku_youmu", hand="shoot grimoire").seat(1, "cirno", hand="bomb").build()
    act(game, "play shoot", "choose seat:1")
    assert game.question == "cancel"
    other = game.clone()
    game.act("pass")
    assert (game.asking, game.legal()) == (0, ["pass", "choose seat:3"])
    other.act("play bomb")
    assert (other.asking, other.question, life(other)) == (0, "main", [4, 4, 4, 5])


def test_the_current_player_has_priority_first():
    """She may pay with a Graze for whom she attacks herself, and is asked before her target."""
    game = table().seat(0, hand="erase_shot graze shoot voile").seat(1, hand="graze").build()
    act(game, "play erase_shot", "choose seat:1")
    assert (game.asking, game.question, "play graze" in game.legal()) == (0, "attacked", True)
    game.act("pass")
    assert (game.asking, game.question) == (1, "attacked")


def test_the_discard_pile_is_in_the_order_played():
    game = table(turns=9).seat(0, hand="shoot voile").seat(1, hand="graze").build()
    act(game, "play shoot", "choose seat:1", "play graze")
    assert [card.split("/")[0] for card in game.discard] == ["shoot", "graze"], "from the bottom to the top"


def test_hands_are_trimmed_in_order():
    start = table(turns=2).seat(0, hand="graze/spring graze/summer graze/autumn graze/winter shoot/spring")
    start.seat(2, hand="shoot/summer shoot/autumn shoot/winter master_plan bomb/spring")
    game = start.deck("power power").build()
    while game.question != "discard":
        game.act("pass")
    assert game.asking == 0
    act(game, "choose card:shoot", "choose card:bomb")
    assert game.discard == ["shoot/spring", "bomb/spring"], "from the bottom to the top"


def test_an_effect_no_longer_legal_does_not_happen():
    """Youmu's first attack is avenged, and takes the powerup without which her Shoot does not reach its target."""
    start = table(6, 9).seat(0, "konpaku_youmu", hand="shoot voile", items="full_power").seat(1, hand="revenge_shot")
    game = start.build()
    act(game, "play shoot", "choose seat:3", "choose seat:1", "play revenge_shot")
    pass_until(game, "main", 0)
    assert (game.seat(0).life, game.seat(0).items, life(game)[3]) == (3, [], 5)


# ---------------------------------------------------------------- cards


def test_extra_stage():
    start = table().seat(1, hand="extra_stage").turn(1).deck("kourindou")
    game = start.lunatic_deck("interrupt full_power reflect_shot scorched_earth ghost_lantern").build()
    game.act("play extra_stage")
    assert kinds(game.seat(1).hand) == ["interrupt", "kourindou"]
    assert [len(seat.hand) for seat in game.seats] == [1, 2, 1, 1]


def test_nimble_cloth():
    start = table(turns=9).seat(0, hand="erase_shot shoot voile", items="full_power")
    start.seat(1, hand="focus grimoire party", items="nimble_cloth").seat(2, hand="erase_shot", items="mini_hakkero")
    game = start.build()
    act(game, "play erase_shot", "choose seat:1", "use nimble_cloth", "choose card:focus", "play shoot")
    while game.question == "boost":
        game.act("pass")
    game.act("choose seat:1")
    assert (game.question, game.seat(1).life) == ("main", 3), "once in this turn"
    while game.turn != 2 or game.question != "main":
        game.act("pass" if "pass" in game.legal() else game.legal()[0])
    act(game, "play erase_shot", "choose seat:1")
    assert "use nimble_cloth" in game.legal()


def test_one_up():
    """The Object gives what is healing, one's own copy of the base game as well as a Lunatic one."""
    card = next(card for card in BASE_GAME.cards if card.id == "one_up")
    assert all(mode.types & v.HEALING for mode in card.modes)
    start = table(turns=9).seat(0, role="heroine", hand="voile").turn(0, step="incident").incident("undefined_fantastic_object")
    game = start.deck("one_up shoot graze").build()
    assert game.legal() == ["pass", "choose card:one_up"]


def test_interrupt():
    game = table().seat(0, "kazami_yuuka", hand="spiritual_attack").seat(1, hand="interrupt").build()
    act(game, "play spiritual_attack", "play interrupt")
    assert life(game) == [4, 4, 4, 5]
    game = table().seat(0, hand="shoot interrupt").seat(1, "izayoi_sakuya", hand="spiritual_attack").build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 1)
    game.act("play spiritual_attack")
    pass_until(game, "cancel", 0)
    game.act("play interrupt")
    assert life(game) == [4, 3, 4, 5]


def test_point_of_collection():
    start = table().seat(0, hand="shoot/spring voile").seat(1, hand="point_of_collection").seat(2, hand="point_of_collection")
    game = start.build()
    act(game, "play shoot", "choose seat:3", "play point_of_collection")
    assert (game.asking, game.question) == (2, "respond"), "the other Point of Collection could be taken"
    game.act("pass")
    assert (game.asking, game.question) == (2, "cancel")
    game.act("play point_of_collection")
    pass_until(game, "main", 0)
    assert ("shoot/spring" in game.seat(2).hand, "shoot/spring" in game.seat(1).hand) == (True, False)


def test_tanuki_leaf():
    start = table().seat(0, hand="borrow").seat(1, items="tanuki_leaf", extras=["cirno"])
    game = start.recruits(["hakurei_reimu", "kazami_yuuka"]).build()
    game.act("play borrow")
    assert (game.seat(1).extras, offered(game)) == ([], {"hakurei_reimu", "kazami_yuuka"})
    game.act("choose character:kazami_yuuka")
    assert game.seat(0).extras == ["kazami_yuuka"]


def test_mallet_with_power():
    game = table().seat(0, hand="erase_shot shoot voile", items="uchides_mallet power power").build()
    act(game, "play erase_shot", "choose seat:1")
    pass_until(game, "main")
    assert (game.seat(0).danmaku_limit, "play shoot" in game.legal()) == (1, False)


def test_mallet_and_revenge_shot():
    start = table().seat(0, hand="erase_shot shoot voile", items="stopwatch")
    game = start.seat(1, hand="revenge_shot revenge_shot", items="uchides_mallet").build()
    act(game, "play erase_shot", "choose seat:1", "play revenge_shot")
    pass_until(game, "main", 0)
    act(game, "play shoot", "choose seat:1")
    assert game.question == "main"
    assert kinds(game.seat(1).hand).count("revenge_shot") == 1


def test_mallet_on_every_turn():
    start = table(turns=9).seat(0, hand="shoot voile").seat(1, hand="revenge_shot erase_shot", items="uchides_mallet").seat(3, hand="shoot")
    game = start.turn(0).build()
    act(game, "play shoot", "choose seat:1", "play revenge_shot")
    pass_until(game, "main", 0)
    assert game.seat(0).life == 2
    pass_until(game, "main", 1)
    assert "play erase_shot" in game.legal(), "her own turn begins another round"


def test_mallet_and_cancelled_cards():
    game = table().seat(0, hand="erase_shot shoot voile", items="uchides_mallet power").seat(1, "cirno", hand="bomb").build()
    act(game, "play erase_shot", "choose seat:1", "play bomb")
    pass_until(game, "main")
    assert (game.question, game.seat(1).life, "play shoot" in game.legal()) == ("main", 4, False)


def test_mallet_and_distance():
    game = table(6, 9).seat(0, hand="last_word voile", items="uchides_mallet full_power").incident("crossing_to_higan").build()
    game.act("play last_word")
    pass_until(game, "main")
    assert life(game) == [4, 2, 4, 5, 4, 2]


def test_mallet_of_cirno():
    game = table(6, 9).seat(0, "cirno", hand="erase_shot last_word voile", items="uchides_mallet").build()
    assert not any(game.in_range(0, other) for other in (1, 5))
    assert "play erase_shot" not in game.legal()
    game.act("play last_word")
    pass_until(game, "main")
    assert life(game) == [4, 2, 4, 5, 4, 2]


# ---------------------------------------------------------------- characters


def test_flandre_may_leave_the_items():
    game = table().seat(0, "flandre_scarlet", hand="shoot grimoire").seat(1, items="power").build()
    act(game, "play shoot", "choose seat:1", "pass")
    assert (game.seat(1).life, kinds(game.seat(1).items)) == (3, ["power"])


def test_laevateinn_attacks_three():
    game = table(6).seat(0, "flandre_scarlet", hand="spiritual_attack").build()
    act(game, "play spiritual_attack", "choose seat:3")
    assert life(game) == [4, 4, 3, 4, 3, 4]
    game = table().seat(0, "flandre_scarlet", hand="spiritual_attack").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert life(game) == [4, 3, 3, 5], "of the neighbours of her left one is herself"


def test_mokou_draws_for_life_lost():
    start = table().seat(0, hand="shoot grimoire").seat(1, "fujiwara_no_mokou", items="power")
    game = start.deck("bomb/spring").build()
    act(game, "play shoot", "choose seat:1", "choose yes")
    assert (game.seat(1).life, game.seat(1).hand, kinds(game.seat(1).items)) == (4, [], ["power"])


def test_hecatia_fallen_before_the_attack():
    """The attack that Youmu's ability adds comes before that of the card; it is avenged, and her range is gone."""
    start = table(6, 9, characters="double_threat").seat(0, ("hecatia_lapislazuli", "konpaku_youmu"), life=2, hand="shoot voile")
    game = start.seat(1, hand="revenge_shot").build()
    assert game.in_range(0, 3)
    act(game, "play shoot", "choose seat:3", "choose seat:1", "play revenge_shot")
    pass_until(game, "main", 0)
    assert (game.seat(0).life, game.seat(3).life) == (1, 5)


def test_hecatia_fallen_after_the_attack():
    start = table(6).seat(0, "hecatia_lapislazuli", life=2, hand="shoot grimoire").seat(3, hand="revenge_shot")
    game = start.build()
    act(game, "play shoot", "choose seat:3", "play revenge_shot")
    pass_until(game, "main", 0)
    assert (game.seat(0).life, game.in_range(0, 3), game.seat(3).life) == (1, False, 4)


def test_nue_without_her_ability():
    start = table().seat(0, "komeiji_koishi", hand="spiritual_attack grimoire").seat(1, "houjuu_nue", extras=["cirno", "hakurei_reimu"])
    game = start.build()
    act(game, "play spiritual_attack", "choose seat:1", "pass")
    assert (game.seat(1).extras, game.seat(1).abilities) == (["cirno", "hakurei_reimu"], [])


def test_danmaku_chimera():
    plan = {"items": "tanuki_leaf", "extras": ["cirno/tanuki_leaf", "hakurei_reimu/houjuu_nue", "kazami_yuuka/houjuu_nue"]}
    game = table().seat(0, "houjuu_nue", hand="spiritual_attack", **plan).recruits(["ibuki_suika", "kochiya_sanae", "junko"]).build()
    game.act("play spiritual_attack")
    if game.question == "spell":
        game.act("choose character:houjuu_nue")
    game.act("pass")
    while game.question == "character":
        game.act(game.legal()[0])
    assert game.question == "extra"
    assert "cirno" not in offered(game)
    assert {"hakurei_reimu", "kazami_yuuka"} < offered(game)


def test_kaguya_on_an_extra_turn():
    start = table(turns=4).seat(0, "houraisan_kaguya", hand="spiritual_attack").seat(1, hand="grimoire")
    game = start.deck("bomb/spring spiritual_attack grimoire").build()
    act(game, "play spiritual_attack", "pass", "choose yes")
    pass_until(game, "main", 0)
    assert (game.turn_number, game.turn) == (2, 0)
    act(game, "play spiritual_attack", "pass", "choose yes")
    while game.turn_number == 2:
        game.act("pass")
    assert game.turn == 1


def test_kokoro_gives_way():
    for card, seat in (("point_of_collection", ""), ("spiritual_attack", "moriya_suwako")):
        start = table(turns=9).seat(0, "hata_no_kokoro", hand="shoot/spring voile").seat(1, seat, hand=card)
        game = start.build()
        game.act("play shoot")
        if game.question == "target":
            game.act("choose seat:3")
        while f"play {card}" not in game.legal():
            game.act("pass")
        game.act(f"play {card}")
        while not (game.question == "main" and game.asking == 0):
            assert not (game.asking == 0 and game.question == "target"), "there is nothing left for her to say"
            game.act("pass")
        assert "shoot/spring" in game.seat(1).hand


def test_rin_and_what_cannot_be_cancelled():
    start = table().seat(0, "kaenbyou_rin", hand="spiritual_attack voile").seat(2, "remilia_scarlet", defeated=True)
    game = start.seat(3, hand="bomb").build()
    act(game, "play spiritual_attack", "choose seat:1")
    while game.question != "main":
        assert game.question != "cancel"
        game.act(game.legal()[0])
    start = table().seat(0, "kaenbyou_rin", hand="spiritual_attack voile").seat(2, "patchouli_knowledge", defeated=True)
    game = start.seat(3, hand="bomb").build()
    act(game, "play spiritual_attack", "pass")
    assert (game.asking, game.question) == (3, "cancel")


def test_seija_searches_another_deck():
    held = "stopwatch mini_hakkero sorcerers_sutra_scroll"
    start = table().seat(0, "kijin_seija", hand="grimoire").seat(2, hand=held).turn(3, step="game start")
    game = start.lunatic_deck("lunatic_bomb/spring").build()
    before = game.deck
    game.act("choose deck:main")
    assert (game.asking, game.legal()) == (0, ["pass", "choose deck:lunatic"])
    assert (sorted(game.deck), game.deck == before) == (sorted(before), False)
    lunatic = game.record["lunatic_deck"].tolist()
    act(game, "choose deck:lunatic", "choose card:hourai_elixir")
    assert kinds(game.seat(0).items) == ["hourai_elixir"]
    after = [card for card in game.record["lunatic_deck"].tolist() if card]
    assert after != [card for card in lunatic if card in after]


def test_ichirin_in_the_draw_step():
    game = table(6).seat(0, hand="grimoire").seat(3, "kumoi_ichirin", hand="spiritual_attack").turn(0, step="draw").build()
    pass_until(game, "respond", 3)
    game.act("play spiritual_attack")
    assert game.seat(0).life == 2


def started(name):
    """A game in which somebody is this character, at its first question."""
    names = [name, "cirno", "hakurei_reimu", "ibuki_suika"]
    return Game.new(GameConfig(num_players=4, characters=names, ask_forced=True, ask_everyone=True, **LUNATIC), 3)


def test_suwako_and_the_starting_hand():
    game = started("moriya_suwako")
    assert (game.step, game.question) == ("zero", "turn zero")
    assert not game.seat(0).ability_used


def test_suwako_and_the_draw_step():
    start = table().seat(0, "moriya_suwako", hand="grimoire").deck("bomb/spring shoot/summer graze/winter melee").turn(0, step="draw")
    game = start.build()
    pass_until(game, "may", 0)
    game.act("choose yes")
    pass_until(game, "main", 0)
    assert kinds(game.seat(0).hand) == ["graze", "grimoire", "melee"]


def test_suwako_draws_from_the_same_decks():
    start = table().seat(0, "moriya_suwako", role="heroine", hand="grimoire").incident("lunar_wars").turn(0, step="draw")
    game = start.deck("bomb/spring graze/winter").lunatic_deck("lunatic_focus lunatic_bomb/winter").build()
    game.act("choose deck:lunatic")
    pass_until(game, "may", 0)
    game.act("choose yes")
    pass_until(game, "main", 0)
    assert {"graze/winter", "lunatic_bomb/winter"} < set(game.seat(0).hand)
    assert not {"bomb/spring", "lunatic_focus/autumn"} & set(game.seat(0).hand)


def collected_and_eaten(*, snake_first):
    """A Grimoire is answered by Suwako in seat 1 and with a Point of Collection by seat 2."""
    start = table(turns=9).seat(0, hand="grimoire/summer voile").seat(1, "moriya_suwako", hand="spiritual_attack")
    game = start.seat(2, hand="point_of_collection").build()
    game.act("play grimoire")
    if snake_first:
        act(game, "pass", "play spiritual_attack", "pass")
        pass_until(game, "respond", 2)
        game.act("play point_of_collection")
    else:
        game.act("play point_of_collection")
        assert (game.asking, game.question) == (1, "respond"), "Point of Collection could be taken"
        game.act("pass")
        pass_until(game, "respond", 1)
        game.act("play spiritual_attack")
    return game


@pytest.mark.parametrize(("snake_first", "seat"), [(True, 2), (False, 1)])
def test_suwako_and_point_of_collection(snake_first, seat):
    game = collected_and_eaten(snake_first=snake_first)
    pass_until(game, "main", 0)
    assert "grimoire/summer" in game.seat(seat).hand


def test_eiki_still_reveals_by_her_role():
    """The Extra Boss in the role of Eiki: her role lies open, and the reveal of the role card is still hers."""
    start = table(turns=9).seat(0, role="heroine").seat(1, role="stage_boss", defeated=True)
    start.seat(2, "shiki_eiki", role="secret_boss", revealed=True, life=2, hand="grimoire").seat(3, role="stage_boss")
    game = start.turn(2).build()
    assert "reveal" in game.legal()
    game.act("reveal")
    assert (game.seat(2).role, game.seat(2).life) == ("secret_boss_discovered", 3)


def test_eiki_as_ex_boss():
    start = table(turns=9).roles("heroine stage_boss ex_boss stage_boss").seat(2, "shiki_eiki", life=2, hand="grimoire").turn(2)
    game = start.build()
    game.act("ability shiki_eiki")
    assert (game.seat(2).role, game.seat(2).role_revealed, "reveal" in game.legal()) == ("ex_boss", True, False)
    start = table(turns=9).seat(0, role="heroine").seat(1, role="stage_boss", defeated=True).seat(3, role="stage_boss")
    start.seat(2, "shiki_eiki", role="ex_boss", revealed=True, life=2, hand="grimoire")
    game = start.turn(2, step="start").build()
    pass_until(game, "step") if "reveal" not in game.legal() else None
    game.act("reveal")
    assert (game.seat(2).role, game.seat(2).life, game.seat(2).max_life) == ("ex_boss_revealed", 3, 5)
    pass_until(game, "main", 2)
    assert len(game.seat(2).hand) == 1 + 4, "two cards and two more: one by her ability, one by the role"


def test_kogasa_for_whatever_reason():
    spring = ["graze/spring", "power/spring", "bomb/spring", "spiritual_attack/spring", "shoot/spring"]
    start = table(turns=9).seat(0, role="heroine", hand="shoot/spring voile").seat(1, "tatara_kogasa").turn(0)
    game = start.incident("spring_snow", collected=spring).build()
    act(game, "play shoot", "choose seat:3")
    pass_until(game, "may", 1)
    assert game.incident is None
    start = table(turns=2, ask_seasons=True).seat(0, hand="graze/spring graze/summer graze/autumn graze/winter shoot/summer")
    game = start.seat(1, "tatara_kogasa").build()
    pass_until(game, "discard", 0)
    act(game, "choose card:graze", "choose season:spring")
    assert "graze/spring" in game.discard
    assert (game.asking, game.question, game.step) == (1, "may", "discard")


def test_kogasa_when_all_is_done():
    start = table(turns=9).seat(0, hand="shoot/spring voile").seat(1, "tatara_kogasa", hand="graze/spring").seat(2, hand="graze/winter")
    game = start.build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question) == (1, "attacked")
    game.act("play graze")
    assert (game.asking, game.question, kinds(game.discard)) == (1, "may", ["graze", "shoot"])


def test_kogasa_plays_out_of_turn():
    start = table(turns=9).seat(0, hand="party/spring voile").seat(1, "tatara_kogasa")
    game = start.deck("power power power power power bomb/summer").build()
    act(game, "play party")
    pass_until(game, "may", 1) if game.question != "may" else None
    game.act("choose yes")
    assert (game.asking, game.question) == (0, "main"), "Bomb has no half that is an action card"
    start = table(turns=9).seat(0, hand="party/spring voile").seat(1, "tatara_kogasa")
    game = start.deck("power power power power power erase_shot/summer").build()
    act(game, "play party", "choose yes", "choose yes")
    assert (game.asking, game.question) == (1, "target"), "the half that attacks"
    game.act("choose seat:2")
    assert (game.turn, game.seat(2).life) == (0, 3)


def test_kogasa_answers_cards_only():
    start = table(turns=9).seat(0, "patchouli_knowledge", hand="spiritual_attack/winter grimoire/summer")
    game = start.seat(3, "tatara_kogasa", hand="spiritual_attack").build()
    act(game, "play spiritual_attack", "pass")
    assert (game.asking, game.question) == (0, "main")
    game.act("play grimoire")
    pass_until(game, "respond", 3)
    assert "play spiritual_attack" in game.legal()


def test_shou_chooses_the_item_on_activation():
    start = table().seat(0, "toramaru_shou", hand="spiritual_attack grimoire", items="focus").seat(1, "cirno", hand="bomb")
    game = start.build()
    act(game, "play spiritual_attack", "choose seat:1", "choose card:focus")
    assert (game.asking, game.question, kinds(game.seat(0).items)) == (1, "cancel", ["focus"])
    game.act("play bomb")
    assert (game.seat(1).life, kinds(game.seat(0).items)) == (4, ["focus"])


def test_sumireko_and_the_starting_hand():
    game = started("usami_sumireko")
    assert (game.step, game.question) == ("zero", "turn zero")


RAN = "yakumo_ran"


def ran(hand="spiritual_attack shoot", **plan):
    """Ran, who has Yuuka by her ability."""
    return table(turns=2).seat(0, RAN, hand=hand, **{"extras": ["kazami_yuuka"], **plan})


def test_ran_banquet_comes_with_her_own_extra_only():
    start = ran(items="tanuki_leaf", extras=["cirno/yakumo_ran", "saigyouji_yuyuko/tanuki_leaf"])
    game = start.build()
    act(game, "play spiritual_attack", "choose character:saigyouji_yuyuko")
    assert (game.question, life(game)) == ("main", [4, 3, 3, 4])


def test_ran_banquet_regardless_of_limit():
    game = ran().deck("voile party").build()
    act(game, "play spiritual_attack", "choose character:kazami_yuuka", "choose yes", "choose number:1", "choose seat:1")
    assert (game.seat(0).spell_used, life(game)) == (True, [4, 2, 3, 4])


def test_ran_cancelled_extra_spell():
    game = ran().seat(1, "cirno", hand="bomb").build()
    act(game, "play spiritual_attack", "choose character:kazami_yuuka")
    assert (game.asking, game.question) == (1, "cancel")
    game.act("play bomb")
    assert (game.asking, game.question, life(game)) == (0, "main", [4, 4, 4, 5])


def test_ran_banquet_can_be_cancelled_alone():
    game = ran().seat(1, "cirno", hand="bomb").build()
    act(game, "play spiritual_attack", "choose character:kazami_yuuka", "pass", "choose yes", "choose number:1", "choose seat:2")
    assert (game.asking, game.question) == (1, "cancel")
    game.act("play bomb")
    assert life(game) == [4, 3, 3, 4]


def test_ran_banquet_by_itself():
    game = ran().deck("voile party").build()
    act(game, "play spiritual_attack", f"choose character:{RAN}", "choose number:3")
    assert (len(game.seat(0).hand), life(game)) == (3, [4, 4, 4, 5])


def test_ran_banquet_resolves_first():
    game = ran().deck("voile party").build()
    act(game, "play spiritual_attack", "choose character:kazami_yuuka", "choose yes", "choose number:3")
    lines = list(game.log)
    assert lines.index("seat 0 (Ran) draws 2 cards") < lines.index("seat 0 (Ran) attacks seat 1")


def test_ran_without_her_ability():
    game = ran().seat(3, "komeiji_koishi").lasting("abilities have no effect", until=3, on=0).build()
    assert (game.seat(0).extras, game.seat(0).spell_cards) == (["kazami_yuuka"], [RAN])


def test_kanako_like_an_instant():
    start = table(turns=2).seat(0, hand="shoot grimoire").seat(1, "yasaka_kanako").seat(2, "kazami_yuuka", hand="bomb interrupt")
    game = start.deck("voile party").turn(0, step="start").build()
    for where in (("start", "step"), ("main", "cancel"), ("main", "attacked")):
        while (game.step, game.question, game.asking) != (*where, 1):
            game.act("play shoot" if "play shoot" in game.legal() else "choose seat:1" if "choose seat:1" in game.legal() else "pass")
        assert "ability yasaka_kanako" in game.legal()
    before = len(game.log)
    act(game, "ability yasaka_kanako", "choose deck:main", "choose bottom")
    assert (game.asking, game.question) != (2, "cancel")
    assert len(game.log) > before


# ---------------------------------------------------------------- roles


def test_tag_team_and_crisis_of_faith():
    roles = "tag_team heroine stage_boss stage_boss"
    start = table(turns=3).roles(roles).seat(0, hand="grimoire", extras=["cirno"]).turn(0, step="incident")
    game = start.recruits(["hakurei_reimu", "ibuki_suika"]).incident_deck(top="crisis_of_faith").deck("bomb/autumn").build()
    assert (game.asking, game.question, game.seat(0).extras) == (1, "character", [])
    assert offered(game) == {"hakurei_reimu", "ibuki_suika"}
    game.act("choose character:ibuki_suika")
    assert (game.seat(1).role, game.seat(1).extras) == ("tag_team", ["ibuki_suika"])
