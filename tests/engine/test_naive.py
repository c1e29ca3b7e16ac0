"""The engine against slow and obvious versions of the same rules, on the positions of random games."""

import pytest

from danmaku_env import Game, GameConfig
from tests import naive
from tests.random_play import play_randomly


@pytest.mark.parametrize("players", [4, 5, 6, 7, 8])
def test_numbers_and_victory_agree_with_the_obvious_versions(players):
    checked = 0
    for seed in range(4):
        game = Game.new(GameConfig(num_players=players), 77 * players + seed)
        for decision, position in enumerate(play_randomly(game, seed)):
            if position.over:
                assert position.outcome != "won" or position.winners == naive.winners(position)
            elif position.turn_number and decision % 23 == 0:
                assert naive.winners(position) == []
                if not position.record["lasting_size"]:
                    compare(position)
                    checked += 1
    assert checked > 10


def compare(game):
    for seat in game.seats:
        if seat.defeated:
            continue
        assert seat.range == naive.reach(game, seat.index)
        assert seat.max_hand == naive.max_hand(game, seat.index)
        assert seat.danmaku_limit == naive.danmaku_limit(game, seat.index)
        for other in naive.active(game):
            if other != seat.index:
                assert game.distance(seat.index, other) == naive.distance(game, seat.index, other)
                assert game.in_range(seat.index, other) == naive.in_range(game, seat.index, other), (game.explain(), seat, other)
