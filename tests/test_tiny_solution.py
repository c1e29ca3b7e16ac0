"""The solution of a game smaller than Tiny-v0 (experiments/tiny_solution.py): no chance is left out, and its numbers are right."""

import json

import numpy as np
import pytest

from danmaku_env import GameConfig
from danmaku_env.game import Game, every_deal
from danmaku_env.game.deals import Deals
from experiments import tiny_solution
from experiments.tiny_solution import Solver, grow, table

PUBLISHED = json.loads(tiny_solution.RESULT.read_text())


@pytest.fixture(scope="module")
def smallest():
    """The game that is cut off after two turns."""
    return Solver(grow(table(2)))


def test_what_is_published_is_of_this_table():
    assert PUBLISHED["table"] == table(tiny_solution.TURNS[0]).to_dict()
    assert table(2).deck == (("shoot/autumn", 6),)
    assert tiny_solution.PAGE.read_text() == tiny_solution.page(PUBLISHED)


def test_the_deals_are_all_there_is_of_chance(smallest):
    """The same deals from other seeds, whose shuffles are others: not one line of play, nor what anybody knows in it, is another."""
    config, deals = table(2), every_deal(table(2))
    roles = {tuple(seat.role for seat in Game.new(config, int(seed)).seats): place for place, seed in enumerate(deals.seeds)}
    others = deals.seeds.copy()
    for seed in range(10_000, 10_200):
        others[roles[tuple(seat.role for seat in Game.new(config, seed).seats)]] = seed
    assert not np.isin(others, deals.seeds).any()
    again, tree = grow(config, Deals(others, deals.chances, deals.alike)), smallest.tree
    for name in ("parent", "slot", "infoset", "payoff", "owner", "actions", "first_slot"):
        assert np.array_equal(getattr(again, name), getattr(tree, name)), name
    assert tree.chance[: tree.levels[0].stop].sum() == pytest.approx(1)
    with pytest.raises(ValueError, match="cards were shuffled or drawn at random after the deal"):
        grow(config, deals._replace(alike=False))  # they are shuffled, and it would be chance if they differed


def test_the_numbers_are_right(smallest):
    """Exact best responses, worked out anew: to uniform play, and to the profile that is published."""
    told, tree = PUBLISHED["tables"][0], smallest.tree
    assert {name: told[name] for name in tree.sizes} == tree.sizes
    assert smallest.gains(tree.uniform()).sum() == pytest.approx(told["NashConv of uniform play"], abs=1e-12)
    assert PUBLISHED["openspiel"] == pytest.approx(told["NashConv of uniform play"], abs=1e-12)
    profile = np.array(PUBLISHED["profile"])
    assert np.allclose(tree.of_infosets(profile), 1)
    assert smallest.gains(profile) == pytest.approx(told["gains"], abs=1e-12)
    assert smallest.gains(profile).sum() == pytest.approx(told["NashConv"], abs=1e-12)
    assert 0 <= told["NashConv"] < 1e-4 < told["NashConv of uniform play"]


def test_nobody_can_gain_where_nobody_can_be_hurt():
    """Cut off after the first turn nobody has won, whatever the Heroine does; after three a Stage Boss can, and learns it quickly."""
    solver = Solver(grow(table(1)))
    assert solver.gains(solver.tree.uniform()) == pytest.approx([0.0] * 4)


def test_a_best_response_is_one_of_the_player_s_own_profiles(smallest):
    """It answers alike in all positions of an information set, and no profile of the player's own brings more: of 40 none does."""
    tree, uniform, rng = smallest.tree, smallest.tree.uniform(), np.random.default_rng(1)
    for seat in range(4):
        mine = tree.of_slots(tree.owner == seat)
        for _ in range(10):
            weights = rng.random(len(tree.actions)) ** 8
            own = np.where(mine, weights / tree.of_slots(tree.of_infosets(weights)), uniform)
            assert smallest.payoffs(own)[seat] <= smallest.best_response(uniform, seat) + 1e-12


def test_a_table_with_different_cards_must_not_shuffle():
    config = GameConfig(**{**PUBLISHED["table"], "deck": {"shoot/autumn": 4, "graze/autumn": 2}, "incidents": ()})
    with pytest.raises(ValueError, match="have more cards or fewer turns"):
        grow(config)
