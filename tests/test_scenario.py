"""Positions set up by hand: what was asked for stands there, and what cannot be is refused with the reason."""

import pytest

from danmaku_env import Game, GameConfig, Replay, Scenario, ScenarioError

ASK = GameConfig(num_players=4, characters="none", ask_forced=True)
"""Nothing is passed by itself."""


def test_the_example_of_the_documentation():
    s = Scenario(num_players=4)
    s.seat(0, role="heroine", character="hakurei_reimu", life=3, hand=["shoot/spring", "graze"], items=["power/winter"])
    s.incident("crossing_to_higan", collected=[])
    s.deck(top=["graze/summer", "shoot"])
    s.turn(0, step="main")
    game = s.build(seed=1)

    assert (game.asking, game.question, game.turn, game.step, game.over) == (0, "main", 0, "main", False)
    reimu = game.seat(0)
    assert (reimu.life, reimu.max_life, reimu.role, reimu.character, reimu.role_revealed) == (3, 5, "heroine", "hakurei_reimu", True)
    assert sorted(card.split("/")[0] for card in reimu.hand) == ["graze", "shoot"]
    assert "shoot/spring" in reimu.hand
    assert reimu.items == ["power/winter"]
    assert game.deck[0] == "graze/summer"
    assert game.deck[1].startswith("shoot/")
    assert (game.incident, game.collected) == ("crossing_to_higan", [])
    assert all(game.in_range(0, other) for other in (1, 2, 3))
    assert "play shoot" in game.legal()
    game.act("play shoot")
    game.act("choose seat:2")
    assert "seat 0 (Reimu) attacks seat 2" in game.log


def test_every_card_is_somewhere_once():
    game = Scenario(num_players=5).seat(2, hand=["bomb"] * 4).discard(top=["voile", "party"]).build(seed=9)
    cards = [*game.deck, *game.discard, *game.collected]
    for seat in game.seats:
        cards += [*seat.hand, *seat.items]
    assert len(cards) == 80
    assert [card.split("/")[0] for card in game.discard] == ["party", "voile"]
    assert sorted(game.seat(2).hand) == ["bomb/autumn", "bomb/spring", "bomb/summer", "bomb/winter"]


def test_the_seed_decides_the_rest_and_nothing_else():
    def deck(seed):
        return Scenario(config=ASK).seat(0, role="heroine").deck(top=["party"]).build(seed).deck

    assert deck(1) == deck(1)
    assert deck(1) != deck(2)
    assert deck(1)[0] == deck(2)[0] == "party/spring"


def test_a_plain_name_never_takes_the_last_copy_of_a_season():
    game = Scenario().seat(0, hand=["grimoire", "grimoire/summer"]).build()
    assert sorted(game.seat(0).hand) == ["grimoire/autumn", "grimoire/summer"]


def test_roles_not_named_come_from_what_is_left():
    for seed in range(10):
        game = Scenario(num_players=8).seat(3, role="rival").seat(4, role="heroine").build(seed)
        roles = [seat.role for seat in game.seats]
        assert (roles[3], roles[4]) == ("rival", "heroine")
        assert roles.count("rival") == roles.count("heroine") == 1


def test_the_heroine_and_revealed_and_defeated_roles_are_public():
    s = Scenario(num_players=4).seat(0, role="heroine").seat(1, role="ex_boss", revealed=True)
    game = s.seat(2, role="stage_boss", defeated=True).seat(3, role="stage_boss").build()
    assert [seat.role_revealed for seat in game.seats] == [True, True, True, False]
    assert [seat.defeated for seat in game.seats] == [False, False, True, False]
    assert game.seat(2).life == 0


def test_counters():
    game = Scenario(config=ASK).seat(0, danmaku_played=1, spell_used=True, skip_next=True, skipped_last=True).turn(0).build()
    seat = game.seat(0)
    assert (seat.danmaku_played, seat.spell_used, seat.skip_next, seat.skipped_last) == (1, True, True, True)


def test_a_table_stays_as_described_until_its_first_question_is_answered():
    """Seat 1 can only pass its main step: it is asked all the same, and only then the game goes on as configured."""
    s = Scenario(num_players=4).seat(0, role="heroine").seat(1, role="stage_boss", life=2, items=["focus/summer", "power/winter"])
    game = s.turn(1).build(seed=4)
    assert (game.asking, game.question, game.turn, game.step, game.turn_number) == (1, "main", 1, "main", 1)
    assert game.legal() == ["pass"]
    assert (game.seat(1).life, game.seat(1).hand, game.seat(1).items) == (2, [], ["focus/summer", "power/winter"])
    assert (game.incident, game.discard) == (None, [])
    assert len(game.log) == 0
    game.act("pass")
    assert (game.turn_number, game.turn) == (2, 2)
    assert len(game.legal()) > 1


def test_a_forced_answer_of_any_step_waits():
    """Five cards of a kind, four to keep: nothing to choose, but it has not happened yet."""
    game = Scenario(num_players=4).seat(1, role="stage_boss", hand=["power"] * 5).turn(1, step="discard").build()
    assert (game.asking, game.question, game.legal()) == (1, "discard", ["choose card:power"])
    assert len(game.seat(1).hand) == 5


@pytest.mark.parametrize("step", ["start", "incident", "draw", "main", "discard"])
@pytest.mark.parametrize("config", [None, ASK, GameConfig(num_players=4, characters="none", ask_everyone=True)])
def test_a_game_that_waits_is_a_game_like_any_other(step, config):
    game = Scenario(num_players=4, config=config).seat(1, hand=["power"] * 5).turn(1, step=step).build(seed=4)
    assert game.asking is not None
    assert game.clone() == Game.from_bytes(game.to_bytes()) == Replay.from_json(game.replay().to_json()).play() == game
    assert game.record["config"] == Game.new(game.config).record["config"]
    twin = game.clone()
    for one in (game, twin):
        for _ in range(30):
            if not one.over:
                one.act(one.legal_actions()[-1])
    assert game == twin == Replay.from_json(game.replay().to_json()).play()


@pytest.mark.parametrize("step", ["start", "incident", "draw", "main", "discard"])
def test_every_step_can_begin(step):
    game = Scenario().seat(1, hand=["shoot"]).turn(1, step=step).build(seed=4)
    assert game.asking is not None or game.over


def test_collected_cards_belong_to_the_incident():
    game = Scenario(config=ASK).incident("saigyou_ayakashi_blooming", collected=["shoot/winter", "graze/winter"]).build()
    assert sorted(game.collected) == ["graze/winter", "shoot/winter"]


def test_incidents_on_top_of_their_deck():
    game = Scenario(config=ASK).incident_deck(top=["spring_snow", "overdrive"]).build()
    assert game.incident_deck[:2] == ["spring_snow", "overdrive"]
    assert len(game.incident_deck) == 16


def test_a_configuration_can_be_given():
    config = GameConfig(num_players=4, characters="none", ask_forced=True)
    game = Scenario(num_players=4, config=config).turn(0).build()
    assert game.config is config
    assert game.legal() == ["pass"]


def test_a_built_game_is_a_game_like_any_other():
    game = Scenario().seat(0, hand=["shoot"]).build(seed=3)
    assert Game.from_bytes(game.to_bytes()) == game
    assert game.replay().play() == game


# ---------------------------------------------------------------- refused, with the reason


def refused(scenario, reason):
    with pytest.raises(ScenarioError, match=reason):
        scenario.build()


def test_seats_and_steps_that_do_not_exist():
    with pytest.raises(ScenarioError, match="seat 4: the seats are 0 to 3"):
        Scenario(num_players=4).seat(4)
    with pytest.raises(ScenarioError, match="turn of seat 9: the seats are 0 to 3"):
        Scenario(num_players=4).turn(9)
    with pytest.raises(ScenarioError, match="'end' is not a step; the steps are start, incident, draw, main, discard"):
        Scenario(num_players=4).turn(0, step="end")


def test_cards_that_do_not_exist_or_are_all_placed():
    refused(Scenario().seat(0, hand=["sword"]), "hand of seat 0: 'sword' is not a card")
    refused(Scenario().seat(0, hand=["shoot/monday"]), "'shoot/monday' is not a card")
    refused(Scenario().seat(0, hand=["voile/spring"]), "no 'voile/spring' is left")
    refused(Scenario().seat(0, hand=["voile"]).deck(top=["voile"]), "deck: no 'voile' is left, all copies are placed already")
    refused(Scenario().seat(0, hand=["erase_shot"]), "no 'erase_shot' is left")


def test_only_items_lie_in_play():
    refused(Scenario().seat(1, items=["shoot"]), "seat 1: 'shoot' is not an item")


def test_one_defense_card_and_one_artifact():
    refused(Scenario().seat(1, items=["focus", "focus"]), "defense")
    refused(Scenario().seat(1, items=["stopwatch", "mini_hakkero"]), "artifact")


@pytest.mark.parametrize("life", [0, 5, 6, -1])
def test_life_between_one_and_the_maximum(life):
    refused(Scenario().seat(1, role="stage_boss", life=life), f"seat 1: life {life} is not between 1 and 4")
    assert Scenario(config=ASK).seat(1, role="heroine", life=5).build().seat(1).life == 5


def test_roles_that_are_not_left():
    refused(Scenario().seat(0, role="heroine").seat(1, role="heroine"), "seat 1: no 'heroine' is left to deal with 4 players")
    refused(Scenario().seat(0, role="partner"), "no 'partner' is left to deal with 4 players")
    refused(Scenario().seat(0, role="villain"), "no 'villain' is left")
    refused(Scenario().seat(0, role="ex_boss").seat(1, role="phantom_boss"), "no 'phantom_boss' is left")


def test_characters():
    refused(Scenario().seat(0, character="reimu"), "seat 0: 'reimu' is not a character")
    refused(Scenario().seat(0, character="cirno").seat(2, character="cirno"), "seat 2: cirno is already at the table")


def test_incidents():
    refused(Scenario().incident("bad_weather"), "'bad_weather' is not an incident")
    refused(Scenario().incident("overdrive").incident_deck(top=["overdrive"]), "an incident is named twice")
    refused(Scenario().incident(None, collected=["shoot"]), "cards are collected, but no incident is in play")
    refused(Scenario().incident("five_impossible_requests", collected=["stopwatch"]), "would be over with stopwatch collected")


def test_cards_an_incident_does_not_collect():
    refused(Scenario().incident("spring_snow", collected=["shoot/winter"]), "spring_snow does not collect")
    refused(Scenario().incident("crossing_to_higan", collected=["shoot"]), "crossing_to_higan does not collect")


def test_defeated_seats_have_nothing_and_no_turn():
    refused(Scenario().seat(1, defeated=True, hand=["shoot"]), "seat 1 is defeated, so it has no hand, items or life")
    refused(Scenario().seat(1, defeated=True, life=2), "seat 1 is defeated")
    refused(Scenario().seat(1, defeated=True).turn(1), "seat 1 is defeated and cannot have the turn")


def test_a_position_in_which_the_game_is_over():
    s = Scenario(num_players=4).seat(0, role="heroine", defeated=True)
    refused(s.seat(1, role="stage_boss").seat(2, role="ex_boss").turn(1), "would be over already: seat 1, seat 3 would have won")


def test_counters_that_cannot_be():
    refused(Scenario().seat(0, danmaku_played=-1), "danmaku_played below 0")


def test_a_configuration_for_another_table():
    refused(Scenario(num_players=5, config=GameConfig(num_players=4)), "the configuration is for 4 players, the scenario for 5")


def test_a_table_that_cannot_be():
    with pytest.raises(ValueError, match="num_players"):
        Scenario(num_players=3).build()
    with pytest.raises(ValueError, match="a seed is a whole number"):
        Scenario().build(seed=-1)
