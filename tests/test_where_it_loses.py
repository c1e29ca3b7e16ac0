"""Where a player loses: what the intervals of experiments/where_it_loses.py count."""

import numpy as np
import pytest

from experiments.where_it_loses import summed


def test_differences_of_one_game_count_as_one():
    """Each of them twice says no more than once: sum and interval are twice as large. A game without any is one of 0."""
    lost, games = np.random.default_rng(1).choice([-2.0, 0.0, 2.0], 400), np.arange(400)
    once = summed(lost, games, ["main"] * 400, 400, 400)["main"]
    twice = summed(np.repeat(lost, 2), np.repeat(games, 2), ["main"] * 800, 400, 400)["main"]
    assert once == {"won in a game": lost.mean(), "95 %": pytest.approx(1.96 * lost.std() / 20, rel=1e-4), "in a game": 1}
    assert twice == {name: pytest.approx(2 * value) for name, value in once.items()}
    padded = np.concatenate([lost, np.zeros(100)])
    assert summed(lost, games, ["main"] * 400, 500, 500)["main"]["95 %"] == pytest.approx(1.96 * padded.std() / 500**0.5, rel=1e-4)
