"""Kingdom cards of the set eosd in box order, one test each: the first line says what the card does."""

from tests.sister.shisoroku.table import COIN, RICE, act, play


def test_eosd_01():
    """1 purchase and 2 coins more."""
    game = play("eosd-01", [COIN])
    assert (game.buys, game.coins) == (2, 2)


def test_eosd_05():
    """Each other player reveals 2 cards; you trash a resource of them and may gain it; the others are discarded."""
    game = play("eosd-05", others=[{"deck": [RICE, COIN, RICE]}])
    act(game, f"choose {RICE}", f"choose {RICE}")
    assert game.seat(0).discard == {RICE: 1}
    assert (game.trash, game.seat(1).discard) == ({}, {COIN: 1})
