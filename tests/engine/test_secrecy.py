"""Observation and mask hold what a seat may know and nothing more: deal again all it has not seen, and no byte changes."""

import numpy as np
import pytest

from danmaku_env import Game, GameConfig, resample
from danmaku_env.cards.compile import KIND_IDS, compile_cards
from danmaku_env.engine import batch, checks
from tests.play import play_randomly


@pytest.mark.parametrize("players", [4, 5, 6, 7, 8])
@pytest.mark.parametrize("roles", ["advanced", "basic"])
def test_redealing_the_unseen_changes_no_byte_of_any_observation(players, roles):
    for seed in range(3):
        game = Game.new(GameConfig(num_players=players, roles=roles), seed)
        for decision, position in enumerate(play_randomly(game, seed)):
            if decision % 7 and position.turn_number:
                continue
            seat = (decision + seed) % players
            world = resample(position, seat, decision)
            assert checks.problem(world.record) is None
            np.testing.assert_array_equal(world.observe(seat), position.observe(seat))
            if position.asking == seat:
                np.testing.assert_array_equal(world.action_mask(), position.action_mask())


def test_redealing_does_change_what_others_hold_and_are():
    game = Game.new(GameConfig(num_players=6, characters="random"), 3)
    seat = game.turn
    worlds = [resample(game, seat, seed) for seed in range(20)]
    assert len({tuple(world.seat((seat + 1) % 6).hand) for world in worlds}) > 10
    assert len({tuple(other.role for other in world.seats) for world in worlds}) > 5
    assert all(world.seat(seat).role == "heroine" and world.seat(seat).hand == game.seat(seat).hand for world in worlds)


def test_a_resampled_world_plays_on():
    game = Game.new(GameConfig(num_players=5), 11)
    for decision, position in enumerate(play_randomly(game, 11)):
        if decision == 60:
            world = resample(position, position.asking, 1)
            for _ in play_randomly(world, 5):
                assert checks.problem(world.record) is None
            assert world.over
            return


LEAKS = {
    "a hidden role": lambda s, seat: s["role"][(seat + 1) % 6],
    "the sum of hidden roles": lambda s, seat: s["role"][:6].sum(),
    "a hidden hand": lambda s, seat: s["hand_counts"][(seat + 2) % 6],
    "whether a hand can dodge": lambda s, seat: int(s["hand_kinds"][(seat + 3) % 6]) >> KIND_IDS.index("graze") & 1,
    "the top of the deck": lambda s, seat: s["deck"][int(s["deck_size"]) - 1],
    "the bottom of the deck": lambda s, seat: s["deck"][0],
    "the next incident": lambda s, seat: s["incident_deck"][int(s["incident_deck_size"]) - 1],
    "where a card lies": lambda s, seat: s["zone"][40],
    "who holds a card": lambda s, seat: s["holder"][40],
    "the season of a deck card": lambda s, seat: compile_cards().tables[0]["card_season"][int(s["deck"][5]) - 1],
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_caught(leak):
    """The comparison above, with one hidden thing added to what the seat sees, fails."""
    game = Game.new(GameConfig(num_players=6, characters="random"), 5)
    seat = game.turn
    caught = False
    for seed in range(10):
        world = resample(game, seat, seed)
        caught |= not np.array_equal(LEAKS[leak](world.record, seat), LEAKS[leak](game.record, seat))
    assert caught


def test_who_is_asked_shows_in_nobody_elses_observation():
    """Being asked, or skipped for lack of an answer, is nobody else's business."""
    for seed in range(4):
        game = Game.new(GameConfig(num_players=6, ask_everyone=True, ask_forced=True, characters="random"), seed)
        for position in play_randomly(game, seed, limit=300):
            if position.question in ("attacked", "cancel", "rescue"):
                asked = position.asking
                others = [seat for seat in range(6) if seat != asked]
                before = [position.observe(seat) for seat in others]
                games = position.clone()
                games._games["asking"] = others[0]
                games._games["question"] = 0
                after = [games.observe(seat) for seat in others[1:]]
                for one, two in zip(before[1:], after, strict=True):
                    np.testing.assert_array_equal(one, two)


def test_nobody_is_asked_means_zero_mask():
    game = Game.new(GameConfig(num_players=4), 2)
    for _ in play_randomly(game, 2):
        pass
    assert not game.action_mask().any()
    masks = np.ones((1, len(game.action_mask())), np.uint8)
    batch.mask_rows(game._games, masks)
    assert not masks.any()
