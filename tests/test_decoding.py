"""`decode`: the named fields of a row, and what they say, against the table itself."""

import numpy as np
import pytest

from danmaku_env import ACTION_IDS, NUM_ACTIONS, Game, GameConfig, Scenario, decode, make_vec
from danmaku_env.engine.observation import OBSERVATION_FIELDS, OBSERVATION_SIZE, OFFSETS
from danmaku_env.jit.kernels import JIT
from danmaku_env.wording import action_name
from tests.random_play import play_randomly


def test_the_pieces_are_views_of_the_row_by_name():
    row = Game.new(5, seed=1).observe(2)
    fields = decode(row)
    assert list(fields) == [field.name for field in OBSERVATION_FIELDS]
    for field in OBSERVATION_FIELDS:
        assert fields[field.name].shape == field.shape
        assert fields[field.name].ravel()[0] == row[OFFSETS[field.name]]
    assert np.shares_memory(fields["life"], row)
    assert np.array_equal(np.concatenate([field.ravel() for field in fields.values()]), row)


def test_a_batch_is_decoded_at_once_with_its_history():
    vec = make_vec(3, 4, history=5)
    vec.reset(2)
    for _ in range(30):
        vec.step(vec.sample())
    fields = decode(vec.observations)
    assert (fields["hand"].shape, fields["history"].shape) == ((3, 44, 4), (3, 5, 8))
    assert np.array_equal(fields["life"][1], decode(vec.observations[1])["life"])


def test_a_position_in_words():
    table = Scenario(num_players=5).seat(
        0, role="heroine", character="cirno", life=3, hand=["shoot/spring", "shoot/spring", "graze/winter"]
    )
    table.seat(1, character="ibuki_suika", items=["power", "power"], hand=["bomb"]).seat(3, defeated=True)
    game = table.incident("spring_snow", collected=[]).turn(0, step="main").build(seed=1)
    said = decode(game.observe(0), words=True)
    assert (said["question"], said["step"], said["turn"], said["players"]) == ("main", "main", 0, 5)
    assert said["hand"] == {"graze/winter": 1, "shoot/spring": 2}
    assert said["role"][0] == "heroine"
    assert said["items"] == {1: {"power": 2}}
    assert (said["life"][0], said["life"][3], said["active"]) == (3, 0, [0, 1, 2, 4])
    assert (said["incidents"], said["character"][1]) == (["spring_snow"], "ibuki_suika")
    assert said["known_top"] == [None, None, None]


def test_seats_are_those_of_the_observer_or_of_the_table():
    table = Scenario(num_players=4).seat(1, character="cirno", hand=["shoot"]).seat(2, life=2).turn(1, step="main")
    game = table.build(seed=3)
    row = game.observe(1)
    assert (decode(row, words=True)["turn"], decode(row, words=True)["life"][1]) == (0, 2)
    assert (decode(row, words=True, seat=1)["turn"], decode(row, words=True, seat=1)["life"][2]) == (1, 2)
    assert list(decode(row, words=True, seat=1)["life"]) == [1, 2, 3, 0]


@pytest.mark.parametrize("players", [4, 8])
def test_words_agree_with_the_table_all_game_long(players):
    config = GameConfig(num_players=players, history=12)
    for step, game in enumerate(play_randomly(Game.new(config, 5), 5, limit=1000 if JIT else 60)):
        observer = step % players
        said = decode(game.observe(observer), words=True, seat=observer)
        seat = game.seat(observer)
        assert said["hand"] == {card: seat.hand.count(card) for card in seat.hand}
        assert said["life"] == {other.index: other.life for other in game.seats}
        assert said["role"][observer] == seat.role
        assert said["incidents"] == sorted(game.incidents)
        assert said["deck_size"] == {"main": len(game.deck), "incident": len(game.incident_deck)}
        assert said["question"] == (game.question if game.asking == observer else None)
        assert said["discard_top"] == (game.discard[-1] if game.discard else None)
        assert said["history"] == game.log.of(observer).events[:-13:-1]


def test_a_copy_of_the_lunatic_deck_is_told_from_that_of_the_main_deck():
    """Both decks have a Bomb of every season. Of two in one hand the Lunatic one is discarded, and the row says which it was."""
    config = GameConfig(num_players=4, expansion="lunatic_extra", history=20)
    hand = ["lunatic_bomb/spring", "bomb/spring", *["shoot"] * 4]
    game = Scenario(num_players=4, config=config).seat(0, role="heroine", hand=hand).turn(0, step="main").build(seed=1)
    for answer in ("pass", "pass", "choose card:bomb", "choose deck:lunatic"):
        game.act(answer)
    told = decode(game.observe(2), words=True, seat=2)["history"]
    assert [event.card for event in told if event.word == "discard"] == ["lunatic_bomb/spring"]


@pytest.mark.parametrize("seed", range(2))
def test_words_of_the_history_agree_with_the_log_with_both_decks(seed):
    config = GameConfig(num_players=5, expansion="lunatic_extra", history=40)
    cards, tops = set(), set()
    for step, game in enumerate(play_randomly(Game.new(config, seed), seed, limit=700 if JIT else 40)):
        observer = step % 5
        said = decode(game.observe(observer), words=True, seat=observer)
        assert said["history"] == game.log.of(observer).events[:-41:-1]
        assert said["extras"] == {other.index: other.extras for other in game.seats if other.extras}
        assert said["lunatic_discard_top"] == (game.lunatic_discard[-1] if game.lunatic_discard else None)
        cards |= {event.card for event in said["history"]}
        tops |= {said["lunatic_discard_top"]}
    if JIT:
        assert {card for card in cards if card and card.startswith("lunatic_")}
        assert {card for card in tops if card and card.startswith("lunatic_")} or seed


def test_a_tensor_of_a_network_is_a_row_too():
    row = Game.new(4, seed=1).observe(2)
    assert decode(row.astype(np.float32), words=True) == decode(row, words=True)


def test_tallies_say_who_did_what_to_whom():
    game = Scenario(num_players=4).seat(0, role="heroine", hand=["shoot"]).turn(0).build(seed=1)
    for answer in ("play shoot", "choose seat:1"):
        game.act(answer)
    while game.asking is not None and "pass" in game.legal() and game.turn == 0 and game.question != "main":
        game.act("pass")
    assert decode(game.observe(3), words=True, seat=3)["attacks"] == {"before the first defeat": {0: {1: 1}}}


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (np.zeros(7, np.uint8), f"has {OBSERVATION_SIZE} numbers, and 8 more for each event"),
        (np.zeros(OBSERVATION_SIZE + 1, np.uint8), f"not {OBSERVATION_SIZE + 1}"),
        ("question", "takes rows of observations"),
        (np.full(OBSERVATION_SIZE, "0"), "arrays of numbers"),
    ],
)
def test_what_is_no_row_is_refused(row, words):
    with pytest.raises(ValueError, match=words):
        decode(row)


def test_one_row_is_said_at_a_time_and_for_a_seat_of_its_table():
    row = Game.new(4, seed=1).observe(0)
    with pytest.raises(ValueError, match="one row at a time"):
        decode(row[np.newaxis], words=True)
    with pytest.raises(ValueError, match="seat 4: the seats of this row are 0 to 3"):
        decode(row, words=True, seat=4)


def test_the_action_space_is_public():
    assert len(ACTION_IDS) == NUM_ACTIONS
    game = Game.new(6, seed=1)
    assert game.action_mask().shape == (NUM_ACTIONS,)
    assert [action_name(action, game.asking, 6) for action in game.legal_actions()] == game.legal()
