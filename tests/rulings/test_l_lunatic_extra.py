"""Rulings L: what Lunatic Extra adds to a game, before its cards."""

import pytest

from danmaku_env import Game, GameConfig, ScenarioError
from danmaku_env.config import ConfigError
from tests.table import LUNATIC, act, kinds, pass_until, scene
from tests.table import lunatic_scene as table

# ---------------------------------------------------------------- starting hands


@pytest.mark.parametrize("players", [4, 5, 6, 7, 8])
def test_starting_hands_by_place_in_turn_order(players):
    """The Heroine 5, then 4, 4, 5, 5, 6, 6, 7 in turn order; Patchouli three more; hand sizes are not affected."""
    names = [
        "patchouli_knowledge",
        "cirno",
        "hong_meiling",
        "hakurei_reimu",
        "izayoi_sakuya",
        "kazami_yuuka",
        "ibuki_suika",
        "kirisame_marisa",
    ]
    game = Game.new(GameConfig(num_players=players, characters=names[:players], **LUNATIC), seed=3)
    heroine = next(seat.index for seat in game.seats if seat.role == "heroine")
    assert game.step == "zero"
    for place, cards in enumerate((5, 4, 4, 5, 5, 6, 6, 7)[:players]):
        seat = game.seat((heroine + place) % players)
        assert len(seat.hand) == cards + 3 * (seat.character == "patchouli_knowledge")


# ---------------------------------------------------------------- turn zero (L-1)


def test_l1_turn_zero_goes_round_from_the_heroine_and_items_are_put_into_play():
    """L-1: Items are put into play and shown, everybody passes once, and then hands are trimmed before the Heroine's first turn."""
    table_ = table().roles("stage_boss heroine stage_boss ex_boss").seat(1, hand="power shoot graze").seat(2, hand="stopwatch focus")
    game = table_.seat(0, hand="shoot shoot graze graze graze graze").turn(1, step="turn zero").build()
    assert (game.step, game.asking, game.question) == ("zero", 1, "turn zero")
    assert sorted(game.legal()) == ["pass", "play power"]
    act(game, "play power")  # then there is nothing left to do
    assert (game.asking, kinds(game.seat(1).items)) == (2, ["power"])
    act(game, "play stopwatch", "play focus")
    while game.question != "discard":
        game.act("pass")
    assert (game.asking, game.turn_number) == (0, 0)  # six cards, two too many
    act(game, "choose card:shoot", "choose card:graze")
    assert (game.turn_number, game.turn) == (1, 1)


def test_two_defense_cards_in_turn_zero_are_one_too_many():
    game = (
        table().roles("heroine stage_boss stage_boss ex_boss").seat(0, hand="focus supernatural_border").turn(0, step="turn zero").build()
    )
    act(game, "play focus", "play supernatural_border", "choose card:focus")
    assert kinds(game.seat(0).items) == ["supernatural_border"]


def test_l1_nothing_but_items_and_exchanges_in_turn_zero():
    """L-1: Spell Cards, action cards and abilities wait for the first turn."""
    game = (
        table()
        .seat(3, "kawashiro_nitori", hand="spiritual_attack shoot bomb focus grimoire", items="power")
        .turn(3, step="turn zero")
        .build()
    )
    assert sorted(game.legal()) == ["exchange", "pass", "play focus"]


def test_meiling_counts_turn_zero_as_her_own_turn():
    """Her hand of 7 is for others' turns: at the end of turn zero she trims to 4."""
    game = table().seat(0, "hong_meiling", hand="shoot shoot graze graze graze").turn(0, step="turn zero").build()
    pass_until(game, "discard")
    assert game.asking == 0
    game.act("choose card:graze")
    assert len(game.seat(0).hand) == 4


# ---------------------------------------------------------------- players' choice


@pytest.mark.parametrize("number", [2, 3, 4])
def test_players_choose_between_as_many_characters_as_agreed(number):
    game = Game.new(GameConfig(num_players=5, candidates=number), seed=2)
    for seat in range(5):
        assert len(game.legal()) == number
        assert set(game.legal()) == {f"choose character:{name}" for name in game.seat(seat).candidates}
        game.act(game.legal()[0])
    assert game.turn_number == 1


def test_more_candidates_than_characters_are_refused():
    with pytest.raises(ConfigError, match="4 for each of 8 players are more than the 24 characters"):
        GameConfig(num_players=8, candidates=4)


# ---------------------------------------------------------------- exchange (L-2, L-3)


def test_l2_an_exchange_gives_five_points_for_one_lunatic_card_and_no_change():
    """L-2: Cards worth 5 points or more go to the Main discard pile; one Lunatic card comes, whatever they were worth."""
    game = table().seat(0, hand="bomb/spring spiritual_attack/summer graze/winter").lunatic_deck("lunatic_focus").turn(0).build()
    act(game, "exchange", "choose card:bomb")
    assert (game.question, sorted(game.legal())) == ("exchange", ["choose card:graze", "choose card:spiritual_attack"])
    act(game, "choose card:spiritual_attack")
    assert game.legal() == ["pass", "choose card:graze"]  # it is enough, but more may be given
    act(game, "pass")
    assert sorted(game.seat(0).hand) == ["graze/winter", "lunatic_focus/autumn"]
    assert game.discard[-2:] == ["bomb/spring", "spiritual_attack/summer"] or game.discard[:2] == ["spiritual_attack/summer", "bomb/spring"]


def test_lunatic_cards_are_never_given_in_an_exchange():
    table_ = table().seat(0, hand="lunatic_bomb/spring bomb/winter graze lunatic_focus").lunatic_deck("lunatic_bomb/winter")
    game = table_.turn(0).build()
    act(game, "exchange")
    assert sorted(game.legal()) == ["choose card:bomb", "choose card:graze"]
    act(game, "choose card:bomb")
    assert sorted(game.seat(0).hand) == ["lunatic_bomb/spring", "lunatic_bomb/winter", "lunatic_focus/autumn"]


def test_no_exchange_below_five_points_or_with_lunatic_points_only():
    game = table().seat(0, hand="bomb/winter lunatic_bomb/spring").turn(0).build()
    assert "exchange" not in game.legal()


def test_l3_everybody_may_exchange_before_hands_are_trimmed():
    """L-3: In anybody's discard step, in turn order from the current player, before discarding down to hand size."""
    table_ = table().seat(0, hand="shoot").seat(2, hand="sorcerers_sutra_scroll shoot shoot graze graze")
    game = table_.lunatic_deck("lunatic_focus").turn(0).build()
    while "exchange" not in game.legal():
        game.act("pass")
    assert (game.step, game.asking) == ("discard", 2)
    act(game, "exchange", "choose card:sorcerers_sutra_scroll", "pass")
    assert "lunatic_focus/autumn" in game.seat(2).hand


def test_cards_given_in_an_exchange_are_collected():
    game = table(turns=2).seat(0, hand="bomb spiritual_attack").incident("great_barrier_weakening").turn(0).build()
    act(game, "exchange", "choose card:bomb")
    assert kinds(game.collected) == ["bomb", "spiritual_attack"]


# ---------------------------------------------------------------- one game, two boxes


def test_lunatic_cards_and_steps_are_refused_in_the_base_game():
    with pytest.raises(ScenarioError, match="expansion='lunatic_extra'"):
        scene().seat(0, hand="lunatic_bomb").build()
    with pytest.raises(ScenarioError, match="there is no turn zero in the base game"):
        scene().turn(0, step="turn zero").build()


def test_x3_discarded_lunatic_cards_have_a_pile_of_their_own():
    """X-3: whatever the reason they are discarded for."""
    game = table().seat(0, hand="tempest lunatic_bomb/spring bomb/winter").turn(0).build()
    act(game, "play tempest")
    while "tempest" not in kinds(game.discard):
        game.act("pass")
    assert "bomb/winter" in game.discard
    assert "lunatic_bomb/spring" not in game.discard


@pytest.mark.parametrize(("everyone", "asked"), [(True, [0, 1, 2, 3]), (False, [0])])
def test_l1_everybody_is_asked_in_turn_zero_where_everybody_is_to_be_asked(everyone, asked):
    """L-1: with `ask_everyone` and `ask_forced` a seat that can do nothing is asked all the same, and nobody learns that."""
    start = table(turns=2, ask_everyone=everyone, ask_forced=everyone)
    start = start.seat(0, role="heroine", hand="power voile").seat(1, role="stage_boss", hand="shoot").seat(2, role="stage_boss")
    game = start.seat(3, role="ex_boss", hand="graze").turn(0, step="turn zero").build()
    seats = []
    while game.question == "turn zero":
        seats.append(game.asking)
        game.act("pass")
    assert seats == asked
