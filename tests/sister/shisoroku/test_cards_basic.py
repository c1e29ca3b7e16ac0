"""Basic cards, one test each: the first line says what the card does."""

import pytest

from tests.sister.shisoroku.table import COIN, MINUS, ONE, RICE, SAKE, SIX, THREE, act, table


@pytest.mark.parametrize(("card", "coins"), [(COIN, 1), (RICE, 2), (SAKE, 3)])
def test_coin_rice_sake(card, coins):
    """Played as a resource: 1, 2 or 3 coins."""
    game = act(table(seats=[{"hand": [card]}]), f"play {card}")
    assert (game.coins, game.question) == (coins, "buy")


@pytest.mark.parametrize(("card", "points"), [(ONE, 1), (THREE, 3), (SIX, 6), (MINUS, -1)])
def test_victory_cards_and_minus(card, points):
    """1, 3 or 6 points at the end, or one less."""
    assert table(seats=[{"hand": [card, card]}]).points == [2 * points, 0]


def test_talisman_and_ten_vp():
    """Optional: 5 coins for 9; 10 points for 11."""
    game = table(seats=[{"hand": ["ofuda", "gensoukyou"]}], optional_cards=True)
    assert (game.cost("ofuda"), game.cost("gensoukyou"), game.points[0]) == (9, 11, 10)
    assert act(game, "play ofuda").coins == 5
