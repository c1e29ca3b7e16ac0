"""Kingdom cards of the set sp in box order, one test each: the first line says what the card does."""

from tests.sister.shisoroku.table import COIN, MINUS, ONE, RICE, SAKE, SIX, THREE, act, buy, end_turn, play, table


def test_sp_01():
    """2 coins; in play, each purchase gives a card costing less that is no victory card (G-2)."""
    game = buy(play("sp-01", turn={"coins": 6}, kingdom=["eosd-08"]), SIX)
    assert f"choose {THREE}" not in game.legal()
    assert act(game, "choose eosd-08").seat(0).owned == {"sp-01": 1, SIX: 1, "eosd-08": 1}


def test_sp_02():
    """A card and an action; of the top 4 any are discarded, the rest put back in any order."""
    game = act(play("sp-02", ["eosd-20"], deck=[COIN, ONE, SAKE, ONE, RICE]), f"choose {ONE}", f"choose {ONE}", "pass", f"choose {RICE}")
    assert (game.seat(0).discard, game.seat(0).deck_top) == ({ONE: 2}, [SAKE, RICE])


def test_sp_03():
    """At the end 1 point for every 4 victory cards, those of two types too (E-4)."""
    assert table(seats=[{"hand": ["sp-03", ONE, "mof-12", "mof-15"]}]).points[0] == 1 + 1 + 2 + 1


def test_sp_04():
    """Gain a card costing at most 4: an action gives an action, a resource a coin, a victory card a card, two types both."""
    game = act(play("sp-04", ["eosd-20"], deck=[COIN], kingdom=["mof-15"]), "choose mof-15")
    assert (game.actions, game.coins, game.seat(0).hand) == (1, 0, {"eosd-20": 1, COIN: 1})
    assert act(play("sp-04"), f"choose {RICE}").coins == 1


def test_sp_05():
    """2 coins; each other player reveals until a victory card or Minus, which goes on the deck; the others are discarded."""
    game = play("sp-05", others=[{"deck": [COIN, RICE, MINUS, ONE]}])
    assert (game.coins, game.seat(1).deck_top, game.seat(1).discard) == (2, [MINUS, ONE], {COIN: 1, RICE: 1})


def test_sp_06():
    """A coin; of 2 cards of each other player you trash and gain a Rice or Sake; who shows no resource gains a Coin. Bought: the same."""
    others = [{"deck": [SAKE, RICE]}, {"deck": [ONE, ONE]}]
    game = act(play("sp-06", others=others), f"choose {SAKE}")
    assert (game.coins, game.seat(0).discard, game.seat(2).owned) == (1, {SAKE: 1}, {ONE: 2, COIN: 1})
    assert game.seat(1).discard == {RICE: 1}
    bought = buy(table(seats=[{}, {"hand": ["eosd-11"], "deck": [SAKE, COIN]}], kingdom=["sp-06"], turn={"coins": 4}), "sp-06")
    assert bought.seat(0).owned == {"sp-06": 1, SAKE: 1}  # no reaction


def test_sp_07():
    """3 cards; each other player reveals 3, discards actions and resources and puts the rest back in any order."""
    game = act(play("sp-07", deck=[COIN] * 3, others=[{"deck": [ONE, RICE, THREE]}]), f"choose {ONE}")
    assert (game.seat(1).deck_top, game.seat(1).discard) == ([THREE, ONE], {RICE: 1})


def test_sp_08():
    """A duration: a coin and 2 actions, then a coin and an action."""
    game = play("sp-08", ["eosd-20"])
    assert (game.coins, game.actions) == (1, 2)


def test_sp_09():
    """A resource of 2 coins; in play, each victory card bought gives a Sake."""
    game = act(table(seats=[{"hand": ["sp-09"]}], turn={"coins": 3, "buys": 2}), "play resources")
    assert buy(game, THREE).seat(0).owned == {"sp-09": 1, THREE: 1, SAKE: 1}


def test_sp_10():
    """Trash a resource for 2 cards and an action, or for 2 coins and a purchase."""
    game = act(play("sp-10", [COIN, "eosd-20"], deck=[RICE] * 2), f"choose {COIN}", "choose option 1")
    assert (game.actions, game.seat(0).hand) == (1, {"eosd-20": 1, RICE: 2})
    assert act(play("sp-10", [COIN]), f"choose {COIN}", "choose option 2").coins == 2


def test_sp_11():
    """An action and a coin, a coin next turn; in play, attacks of others do nothing to its player, which is no choice (A-4)."""
    game = table(seats=[{"hand": ["eosd-06"]}, {"lasting": ["sp-11"]}, {"in_play": []}])
    assert [seat.owned.get(MINUS, 0) for seat in act(game, "play eosd-06").seats] == [0, 0, 1]


def test_sp_12():
    """2 cards; discard any number for coins; each other player may discard 2 for a card."""
    game = act(play("sp-12", deck=[ONE, ONE], others=[{"hand": [ONE, ONE, COIN], "deck": [SAKE]}]), f"choose {ONE}", "pass")
    act(game, "choose option 1", f"choose {ONE}", f"choose {ONE}")
    assert (game.coins, game.seat(1).hand) == (1, {COIN: 1, SAKE: 1})


def test_sp_13():
    """A purchase; discard a 1-VP card for 4 coins, or gain one."""
    game = act(play("sp-13", [ONE]), f"choose {ONE}")
    assert (game.buys, game.coins) == (2, 4)
    assert act(play("sp-13", [ONE]), "pass").seat(0).discard == {ONE: 1}
    assert play("sp-13").seat(0).discard == {ONE: 1}  # C-11


def test_sp_14():
    """A card and an action; at clean-up an action in play may go on the deck instead of being discarded."""
    game = act(play("sp-14", ["eosd-19"], deck=[COIN] * 5), "play eosd-19")
    while game.question != "put on deck":
        act(game, "pass")
    act(game, "choose eosd-19")
    assert game.seat(0).hand.get("eosd-19") == 1


def test_sp_15():
    """2 points; discarded but at clean-up or with a whole deck, it gives a Sake (D-4, s26)."""
    game = act(play("eosd-22", ["sp-15"], deck=[COIN]), "choose sp-15", "choose option 1")
    assert (game.seat(0).discard, game.points[0]) == ({"sp-15": 1, SAKE: 1}, 2)
    assert end_turn(table(seats=[{"hand": ["sp-15"]}])).seat(0).owned == {"sp-15": 1}


def test_sp_16():
    """A card and an action; trash a card for one that costs exactly 1 more."""
    game = act(play("sp-16", [SAKE, ONE], deck=[COIN], kingdom=["eosd-16"]), f"choose {ONE}", "choose eosd-16")
    assert (game.trash, game.seat(0).discard) == ({ONE: 1}, {"eosd-16": 1})
