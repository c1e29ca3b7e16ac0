"""Kingdom cards of the set mof in box order, one test each: the first line says what the card does."""

from tests.sister.shisoroku.table import COIN, MINUS, ONE, RICE, SAKE, THREE, act, buy, play, table


def test_mof_01():
    """5 cards are revealed; the left neighbour has one of them discarded, the others go to hand."""
    game = play("mof-01", deck=[SAKE, COIN, COIN, ONE, RICE], others=[{}, {}])
    assert game.asking == 1
    assert act(game, f"choose {SAKE}").seat(0).hand == {COIN: 2, ONE: 1, RICE: 1}
    assert play("mof-01", deck=[RICE], others=[{}]).seat(0).discard == {RICE: 1}  # C-8


def test_mof_02():
    """An action of the hand is played 3 times; it lies in play once, and each time counts as an action played (P-4)."""
    game = act(play("mof-02", ["eosd-04"], deck=[COIN] * 5), "choose eosd-04")
    assert (game.coins, game.seat(0).in_play, game.seat(0).hand) == (6, {"mof-02": 1, "eosd-04": 1}, {COIN: 2})


def test_mof_03():
    """2 actions; reveal until an action or resource is found, which goes to hand."""
    game = play("mof-03", ["eosd-20"], deck=[ONE, THREE, RICE, SAKE])
    assert (game.seat(0).hand, game.seat(0).discard) == ({"eosd-20": 1, RICE: 1}, {ONE: 1, THREE: 1})


def test_mof_04():
    """An action; of 4 cards the victory cards go to hand, the rest back in any order."""
    game = act(play("mof-04", ["eosd-20"], deck=[ONE, RICE, "pcb-17", COIN]), f"choose {RICE}")
    assert (game.seat(0).hand, game.seat(0).deck_top) == ({"eosd-20": 1, ONE: 1, "pcb-17": 1}, [COIN, RICE])


def test_mof_05():
    """3 cards and a purchase; each other player draws one, then discards down to 3."""
    game = act(play("mof-05", deck=[COIN] * 3, others=[{"hand": [ONE, COIN, COIN], "deck": [SAKE]}]), f"choose {ONE}")
    assert (game.buys, game.seat(1).hand) == (2, {COIN: 2, SAKE: 1})


def test_mof_06():
    """2 coins; each other player discards a Minus, or gains one and a Coin."""
    game = act(play("mof-06", others=[{"hand": [MINUS]}, {}]), f"choose {MINUS}")
    assert (game.coins, game.seat(1).owned, game.seat(2).owned) == (2, {MINUS: 1}, {MINUS: 1, COIN: 1})


def test_mof_07():
    """2 coins; the top 5 cards are discarded, or put back in any order."""
    cards = [ONE, RICE, SAKE, COIN, THREE]
    assert act(play("mof-07", deck=cards), "choose option 1").seat(0).discard == dict.fromkeys(cards, 1)
    game = act(play("mof-07", deck=cards), "choose option 2", *[f"choose {card}" for card in (ONE, THREE, COIN, RICE)])
    assert game.seat(0).deck_top == [SAKE, RICE, COIN, THREE, ONE]


def test_mof_08():
    """A card and 2 actions; with an empty pile a card more, with two also a coin and a purchase."""
    for empty, cards, coins in (({}, 1, 0), ({COIN: 0}, 2, 0), ({COIN: 0, RICE: 0}, 2, 1)):
        game = play("mof-08", ["eosd-20"], deck=[ONE] * 3, supply=empty)
        assert (game.seat(0).hand[ONE], game.coins, game.buys) == (cards, coins, 1 + coins)


def test_mof_09():
    """Show a resource and gain another; bought, it trashes all resources in play."""
    assert act(play("mof-09", [SAKE]), f"reveal {SAKE}").seat(0).discard == {SAKE: 1}
    game = act(table(seats=[{"hand": [SAKE, RICE]}], kingdom=["mof-09"]), "play resources")
    assert (buy(game, "mof-09").trash, game.seat(0).owned) == ({SAKE: 1, RICE: 1}, {"mof-09": 1})


def test_mof_10():
    """Trash a card and gain one costing at most 3 more."""
    assert act(play("mof-10", [THREE]), "choose koumakan").trash == {THREE: 1}


def test_mof_11():
    """A purchase and a coin; at clean-up a resource in play may go on the deck."""
    game = play("mof-11", [SAKE], deck=[COIN] * 4)
    act(game, "play resources", "pass", f"choose {SAKE}")
    assert (game.seat(0).hand, game.seat(0).discard) == ({SAKE: 1, COIN: 4}, {"mof-11": 1})


def test_mof_11_beside_another_text_of_clean_up():
    """R-6, N-1: its owner says which text of clean-up comes first; what goes on the deck last lies on top."""
    game = play("mof-11", ["in-02", SAKE], deck=[COIN] * 8, turn={"actions": 2})
    act(game, "play in-02", "play resources", "pass")
    assert (game.question, game.legal()) == ("order", ["choose in-02", "choose mof-11"])
    act(game, "choose mof-11", f"choose {SAKE}", "choose option 1")
    assert (game.turn, game.seat(0).hand) == (1, {SAKE: 1, "in-02": 1, COIN: 3})


def test_mof_12():
    """3 cards or 2 actions, and 2 points."""
    assert act(play("mof-12", deck=[COIN] * 3), "choose option 1").seat(0).hand == {COIN: 3}
    assert act(play("mof-12", ["eosd-20"]), "choose option 2").actions == 2
    assert table(seats=[{"hand": ["mof-12"]}]).points[0] == 2


def test_mof_13():
    """5 cards, discard 3; gained, it gives each other player a Rice."""
    game = act(play("mof-13", deck=[ONE] * 3 + [COIN] * 2), *[f"choose {ONE}"] * 3)
    assert game.seat(0).hand == {COIN: 2}
    assert buy(table(seats=[{}, {}], kingdom=["mof-13"], turn={"coins": 5}), "mof-13").seat(1).owned == {RICE: 1}


def test_mof_14():
    """Trash a Coin of the hand for 3 coins."""
    assert (play("mof-14", [COIN, RICE]).coins, play("mof-14", [RICE]).coins) == (3, 0)


def test_mof_15():
    """A card and an action, and 1 point."""
    game = play("mof-15", ["eosd-20"], deck=[COIN])
    assert (game.actions, game.seat(0).hand, game.points[0]) == (1, {"eosd-20": 1, COIN: 1}, 1)


def test_mof_16():
    """A duration: 2 coins, now and next turn."""
    assert play("mof-16").coins == 2


def test_mof_17():
    """A resource of 3 coins and a purchase; the left neighbour names a card that cannot be bought this turn (G-13)."""
    game = act(table(seats=[{"hand": ["mof-17", "mof-17"]}]), "play mof-17", "choose koumakan", "play mof-17")
    assert "choose koumakan" in game.legal()  # any card of the game, also the one that is named already (C-6)
    act(game, f"choose {SAKE}")
    assert (game.coins, game.buys) == (6, 3)
    assert {"buy koumakan", f"buy {SAKE}"} & set(game.legal()) == set()


def test_mof_18():
    """A card, an action, a coin; discard one."""
    game = act(play("mof-18", ["eosd-20"], deck=[ONE]), f"choose {ONE}")
    assert (game.coins, game.actions, game.seat(0).discard) == (1, 1, {ONE: 1})


def test_mof_19():
    """Reveal until 2 resources are found, which go to hand."""
    game = play("mof-19", deck=[ONE, RICE, THREE, SAKE, COIN])
    assert (game.seat(0).hand, game.seat(0).discard) == ({RICE: 1, SAKE: 1}, {ONE: 1, THREE: 1})


def test_mof_20():
    """A resource worth a coin for each resource in play, itself among them."""
    game = act(table(seats=[{"hand": [COIN, RICE, "mof-20"]}]), "play resources", "play mof-20")
    assert game.coins == 3 + 3
