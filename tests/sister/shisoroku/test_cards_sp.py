"""Kingdom cards of the set sp in box order, one test each: the first line says what the card does."""

from tests.sister.shisoroku.table import COIN, MINUS, ONE, RICE, SAKE, SIX, THREE, act, buy, end_turn, play, table


def test_sp_01():
    """2 coins; in play, each purchase gives a card costing less that is no victory card (G-2)."""
    game = buy(play("sp-01", turn={"coins": 6}, kingdom=["eosd-08"]), SIX)
    assert f"choose {THREE}" not in game.legal()
    assert act(game, "choose eosd-08").seat(0).owned == {"sp-01": 1, SIX: 1, "eosd-08": 1}


def test_sp_01_twice_in_play():
    """P-6: each copy gives a card that costs less than what was bought, not than what the other gave; two types are a victory card too."""
    game = table(seats=[{"in_play": ["sp-01"] * 2}], kingdom=["in-07", "mof-12"], turn={"coins": 8, "buys": 2, "phase": "purchases"})
    act(buy(game, SIX), f"choose {RICE}")
    assert ("choose in-07" in game.legal(), "choose mof-12" in game.legal()) == (True, False)
    assert act(game, "choose in-07").seat(0).owned == {"sp-01": 2, SIX: 1, RICE: 1, "in-07": 1}


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
    instead = act(play("sp-04", ["in-23", "eosd-20"], kingdom=["eosd-17"]), "choose eosd-17", "reveal in-23")
    assert (instead.actions, instead.coins) == (0, 1)  # a Rice was gained


def test_sp_05():
    """2 coins; each other player reveals until a victory card or Minus, which goes on the deck; the others are discarded."""
    game = play("sp-05", others=[{"deck": [COIN, RICE, MINUS, ONE]}])
    assert (game.coins, game.seat(1).deck_top, game.seat(1).discard) == (2, [MINUS, ONE], {COIN: 1, RICE: 1})
    assert play("sp-05", others=[{"deck": [COIN, RICE]}]).seat(1).discard == {COIN: 1, RICE: 1}  # none found


def test_sp_06():
    """A coin; of 2 cards of each other player you trash and gain a Rice or Sake; who shows no resource gains a Coin. Bought: the same."""
    others = [{"deck": [SAKE, RICE]}, {"deck": [ONE, ONE]}]
    game = act(play("sp-06", others=others), f"choose {SAKE}")
    assert (game.coins, game.seat(0).discard, game.seat(2).owned) == (1, {SAKE: 1}, {ONE: 2, COIN: 1})
    assert (game.seat(1).discard, game.seat(2).discard_top) == ({RICE: 1}, COIN)  # gained after the others are discarded
    bought = buy(table(seats=[{}, {"hand": ["eosd-11"], "deck": [SAKE, COIN]}], kingdom=["sp-06"], turn={"coins": 4}), "sp-06")
    assert bought.seat(0).owned == {"sp-06": 1, SAKE: 1}  # no reaction


def test_sp_07():
    """3 cards; each other player reveals 3, discards actions and resources and puts the rest back in any order."""
    game = act(play("sp-07", deck=[COIN] * 3, others=[{"deck": [ONE, RICE, THREE]}]), f"choose {ONE}")
    assert (game.seat(1).deck_top, game.seat(1).discard) == ([THREE, ONE], {RICE: 1})


def test_sp_08():
    """A duration: a coin and 2 actions, then a coin and an action."""
    game = play("sp-08", ["eosd-20"], others=[{}])
    assert (game.coins, game.actions) == (1, 2)
    end_turn(end_turn(game))
    assert (game.turn, game.coins, game.actions, game.seat(0).lasting) == (0, 1, 2, {"sp-08": 1})


def test_sp_09():
    """A resource of 2 coins; in play, each victory card bought gives a Sake."""
    game = act(table(seats=[{"hand": ["sp-09"]}], turn={"coins": 3, "buys": 2}), "play resources")
    assert buy(game, THREE).seat(0).owned == {"sp-09": 1, THREE: 1, SAKE: 1}
    two = act(table(seats=[{"hand": ["sp-09"] * 2}], kingdom=["mof-15"]), "play resources")
    assert buy(two, "mof-15").seat(0).owned == {"sp-09": 2, "mof-15": 1, SAKE: 2}  # P-6; two types


def test_sp_10():
    """Trash a resource for 2 cards and an action, or for 2 coins and a purchase."""
    game = act(play("sp-10", [COIN, "eosd-20"], deck=[RICE] * 2), f"choose {COIN}", "choose option 1")
    assert (game.actions, game.seat(0).hand) == (1, {"eosd-20": 1, RICE: 2})
    assert act(play("sp-10", [COIN]), f"choose {COIN}", "choose option 2").coins == 2


def test_sp_11():
    """An action and a coin, a coin next turn; in play, attacks of others do nothing to its player, which is no choice (A-4)."""
    game = table(seats=[{"hand": ["eosd-06"]}, {"lasting": ["sp-11"]}, {"in_play": []}])
    assert [seat.owned.get(MINUS, 0) for seat in act(game, "play eosd-06").seats] == [0, 0, 1]
    mine = play("sp-11", ["eosd-20"], others=[{"hand": ["eosd-06"]}])
    assert (mine.actions, mine.coins) == (1, 1)
    act(end_turn(mine), "play eosd-06")
    assert end_turn(mine).coins == 1
    assert mine.seat(0).owned == {"sp-11": 1, "eosd-20": 1}


def test_sp_12():
    """2 cards; discard any number for coins; each other player may discard 2 for a card."""
    game = act(play("sp-12", deck=[ONE, ONE], others=[{"hand": [ONE, ONE, COIN], "deck": [SAKE]}]), f"choose {ONE}", "pass")
    act(game, "choose option 1", f"choose {ONE}", f"choose {ONE}")
    assert (game.coins, game.seat(1).hand) == (1, {COIN: 1, SAKE: 1})
    short = act(play("sp-12", others=[{"hand": [ONE], "deck": [SAKE]}]), "choose option 1")
    assert (short.seat(1).hand, short.seat(1).discard) == ({}, {ONE: 1})  # one is not 2


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


def test_sp_14_as_often_as_it_was_played():
    """P-6: its text of this turn adds up, so played 3 times it saves 3 cards; a duration that stays is none of them."""
    game = play("mof-02", ["sp-14"], in_play=["eosd-19"] * 4, deck=[COIN] * 9, kingdom=["eosd-19"])
    act(game, "choose sp-14")
    while game.question != "put on deck":
        act(game, "pass")
    act(game, "choose eosd-19", "choose eosd-19", "choose eosd-19")
    assert (game.turn, game.seat(0).hand["eosd-19"]) == (1, 3)
    stays = act(play("sp-14", ["sp-08"], deck=[COIN] * 9), "play sp-08")
    while stays.question != "put on deck":
        act(stays, "pass")
    assert stays.legal() == ["pass", "choose sp-14"]


def test_sp_15():
    """2 points; discarded but at clean-up or with a whole deck, it gives a Sake (D-4, s26)."""
    game = act(play("eosd-22", ["sp-15"], deck=[COIN]), "choose sp-15", "choose option 1")
    assert (game.seat(0).discard, game.points[0]) == ({"sp-15": 1, SAKE: 1}, 2)
    assert end_turn(table(seats=[{"hand": ["sp-15"]}])).seat(0).owned == {"sp-15": 1}
    theirs = play("eosd-07", others=[{"hand": ["sp-15", "sp-15", COIN, COIN, COIN]}])
    act(theirs, "choose sp-15", "choose sp-15", "choose option 1", "pass")  # each is asked for
    assert theirs.seat(1).discard == {"sp-15": 2, SAKE: 1}
    aside = act(play("sp-02", deck=[COIN, "sp-15"]), "choose sp-15", "choose option 1")
    assert aside.seat(0).discard == {"sp-15": 1, SAKE: 1}  # off the deck too


def test_sp_16():
    """A card and an action; trash a card for one that costs exactly 1 more."""
    game = act(play("sp-16", [SAKE, ONE], deck=[COIN], kingdom=["eosd-16"]), f"choose {ONE}", "choose eosd-16")
    assert (game.trash, game.seat(0).discard) == ({ONE: 1}, {"eosd-16": 1})
    cheaper = play("sp-16", [COIN], in_play=["sa-12"])
    assert (cheaper.trash, cheaper.seat(0).discard) == ({COIN: 1}, {ONE: 1})  # G-9: a 1-VP costs 1 now
