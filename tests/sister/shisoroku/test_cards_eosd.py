"""Kingdom cards of the set eosd in box order, one test each: the first line says what the card does."""

import pytest

from tests.sister.shisoroku.table import COIN, MINUS, ONE, RICE, SAKE, SIX, act, end_turn, play, table


def test_eosd_01():
    """1 purchase and 2 coins more."""
    game = play("eosd-01", [COIN])
    assert (game.buys, game.coins) == (2, 2)


def test_eosd_02():
    """1 purchase; a card of the hand is trashed, for as many coins as it costs now."""
    game = act(play("eosd-02", [SAKE, COIN]), f"choose {SAKE}")
    assert (game.buys, game.coins, game.trash) == (2, 6, {SAKE: 1})
    assert play("eosd-02").coins == 0  # nothing to trash


def test_eosd_03():
    """2 cards; everybody passes one to the left at once; then one may be trashed."""
    game = play("eosd-03", [SAKE], deck=[COIN, COIN], others=[{"hand": [ONE]}, {"hand": [RICE, COIN]}])
    act(game, f"choose {SAKE}", f"choose {RICE}")
    assert [seat.hand for seat in game.seats] == [{COIN: 2, RICE: 1}, {SAKE: 1}, {COIN: 1, ONE: 1}]
    assert act(game, f"choose {COIN}").trash == {COIN: 1}


def test_eosd_03_with_an_empty_hand():
    """N-3: who has nothing passes nothing and still receives; two players exchange."""
    game = act(play("eosd-03", [RICE, COIN], others=[{}]), f"choose {RICE}", "pass")
    assert [seat.hand for seat in game.seats] == [{COIN: 1}, {RICE: 1}]


def test_eosd_04():
    """2 coins; as the third action of a turn or later also a card and an action."""
    assert (play("eosd-04", deck=[COIN]).coins, play("eosd-04", deck=[COIN]).actions) == (2, 0)
    third = play("eosd-04", deck=[COIN], in_play=["eosd-20", "eosd-20"], kingdom=["eosd-20"])
    assert (third.coins, third.actions, third.seat(0).hand) == (2, 1, {COIN: 1})


def test_eosd_05():
    """Each other player reveals 2 cards; you trash a resource of them and may gain it; the others are discarded."""
    game = act(play("eosd-05", others=[{"deck": [RICE, COIN, RICE]}]), f"choose {RICE}", f"choose {RICE}")
    assert (game.seat(0).discard, game.trash, game.seat(1).discard) == ({RICE: 1}, {}, {COIN: 1})
    kept = act(play("eosd-05", others=[{"deck": [SAKE, ONE]}]), "pass")
    assert (kept.trash, kept.seat(0).discard, kept.seat(1).discard) == ({SAKE: 1}, {}, {ONE: 1})


def test_eosd_06():
    """2 cards; each other player gains a Minus, in turn order as long as there are any."""
    game = play("eosd-06", deck=[COIN, COIN], others=[{}, {}], supply={MINUS: 1})
    assert [seat.owned.get(MINUS, 0) for seat in game.seats] == [0, 1, 0]
    assert game.seat(0).hand == {COIN: 2}


def test_eosd_07():
    """2 coins; each other player discards down to 3 cards; whoever has no more does nothing (D-7)."""
    game = play("eosd-07", others=[{"hand": [COIN, COIN, ONE, RICE, RICE]}, {"hand": [COIN] * 3}])
    assert (game.coins, game.asking, game.question) == (2, 1, "discard")
    act(game, f"choose {ONE}", f"choose {COIN}")
    assert (game.seat(1).hand, sum(game.seat(2).hand.values())) == ({COIN: 1, RICE: 2}, 3)


@pytest.mark.parametrize(
    ("card", "cards", "actions", "buys", "coins"),
    [("eosd-08", 2, 1, 1, 0), ("eosd-09", 1, 1, 2, 1), ("eosd-17", 3, 0, 1, 0), ("eosd-19", 0, 2, 2, 2), ("eosd-20", 1, 2, 1, 0)],
)
def test_eosd_08_09_17_19_20(card, cards, actions, buys, coins):
    """Cards, actions, purchases and coins, and nothing else."""
    game = play(card, ["eosd-20"], deck=[ONE] * 5)
    assert (game.seat(0).hand.get(ONE, 0), game.actions, game.buys, game.coins) == (cards, actions, buys, coins)


def test_eosd_10():
    """At the end 1 point for every 10 cards, rounded down."""
    assert table(seats=[{"hand": ["eosd-10", "eosd-10"], "discard": [COIN] * 17}]).points[0] == 2
    assert table(seats=[{"hand": ["eosd-10", "eosd-10"], "discard": [COIN] * 18}]).points[0] == 4


def test_eosd_11():
    """2 cards; shown from the hand it makes an attack of another do nothing to its owner."""
    assert play("eosd-11", deck=[COIN, COIN]).seat(0).hand == {COIN: 2}
    game = play("eosd-06", deck=[COIN, COIN], others=[{"hand": ["eosd-11"]}])
    assert game.legal() == ["pass", "reveal eosd-11"]
    assert act(game, "reveal eosd-11").seat(1).owned == {"eosd-11": 1}


def test_eosd_12():
    """2 coins; the whole deck may be put into the discard pile, which is no discarding."""
    game = act(play("eosd-12", deck=[COIN, "sp-15"]), "choose option 1")
    assert (game.coins, game.seat(0).discard, game.seat(0).deck) == (2, {COIN: 1, "sp-15": 1}, {})
    assert game.question != "may"  # D-4: sp-15 answers no whole deck
    tops = {act(play("eosd-12", deck=[COIN, RICE], seed=seed), "choose option 1").seat(0).discard_top for seed in range(12)}
    assert tops == {COIN, RICE}  # D-6


def test_eosd_13():
    """Draw to 7 cards; each action drawn may be laid aside, and is discarded at the end."""
    game = play("eosd-13", [COIN] * 5, deck=["eosd-08", "eosd-17", RICE, SAKE])
    act(game, "choose option 1")  # the first is laid aside
    act(game, "pass")  # the second is kept
    assert game.seat(0).hand == {COIN: 5, "eosd-17": 1, RICE: 1}
    assert game.seat(0).discard == {"eosd-08": 1}


def test_eosd_14():
    """A card and an action; each player from you on reveals a card, and you say whether it is discarded or put back."""
    game = play("eosd-14", deck=[RICE, ONE], others=[{"deck": [SAKE]}])
    act(game, "choose option 1", "choose option 1")
    assert (game.seat(0).hand, game.seat(0).discard, game.seat(1).discard) == ({RICE: 1}, {ONE: 1}, {SAKE: 1})
    back = act(play("eosd-14", deck=[RICE, ONE], others=[{"deck": [SAKE]}]), "choose option 2", "choose option 2")
    assert (back.seat(0).deck, back.seat(1).deck_top) == ({ONE: 1}, [SAKE])


def test_eosd_15():
    """An action; 2 coins, or a new hand of 4 for you and for all others with 5 cards or more."""
    assert act(play("eosd-15"), "choose option 1").coins == 2
    others = [{"hand": [COIN] * 5, "deck": [ONE] * 4}, {"hand": [COIN] * 4, "deck": [ONE] * 4}]
    game = act(play("eosd-15", [SAKE], deck=[RICE] * 5, others=others), "choose option 2")
    assert [seat.hand for seat in game.seats] == [{RICE: 4}, {ONE: 4}, {COIN: 4}]


def test_eosd_16():
    """Gain a card that costs at most 4."""
    game = play("eosd-16")
    assert "choose kirinomizuumi" not in game.legal()
    assert act(game, "choose eosd-17").seat(0).discard_top == "eosd-17"


def test_eosd_18():
    """4 cards and a purchase; each other player draws one: no attack, so nothing answers it."""
    game = play("eosd-18", deck=[COIN] * 4, others=[{"hand": ["eosd-11"], "deck": [RICE]}])
    assert (game.seat(0).hand, game.buys, game.seat(1).hand) == ({COIN: 4}, 2, {"eosd-11": 1, RICE: 1})


def test_eosd_21():
    """Trash a card and gain one that costs at most 2 more; nothing trashed, nothing gained."""
    game = act(play("eosd-21", [RICE]), "choose kirinomizuumi")
    assert (game.trash, game.seat(0).discard) == ({RICE: 1}, {"kirinomizuumi": 1})
    assert play("eosd-21").seat(0).discard == {}


def test_eosd_22():
    """An action; discard any number of cards and draw as many."""
    game = act(play("eosd-22", [ONE, ONE, SIX], deck=[COIN, RICE, SAKE]), f"choose {ONE}", f"choose {ONE}", "pass")
    assert (game.seat(0).hand, game.seat(0).discard) == ({SIX: 1, COIN: 1, RICE: 1}, {ONE: 2})


def test_eosd_23():
    """Trash this and gain a card that costs at most 5; played again it is not found, and the gain happens all the same (P-5)."""
    game = act(play("eosd-23"), "choose eosd-08")
    assert (game.trash, game.seat(0).discard, game.seat(0).in_play) == ({"eosd-23": 1}, {"eosd-08": 1}, {})
    again = act(play("mof-02", ["eosd-23"], kingdom=["eosd-08"]), "choose eosd-23", *["choose eosd-08"] * 3)
    assert (again.trash, again.seat(0).discard) == ({"eosd-23": 1}, {"eosd-08": 3})


def test_eosd_24():
    """Gain a Rice onto the deck; each other player puts a victory card of the hand on the deck, or shows a hand without one."""
    game = play("eosd-24", others=[{"hand": [ONE, SIX, COIN]}, {"hand": [COIN, RICE]}])
    assert game.seat(0).deck_top == [RICE]
    assert act(game, f"reveal {ONE}").seat(1).deck_top == [ONE]
    assert "seat 2 reveals the hand" in list(game.log)


def test_eosd_25():
    """Choose 2 different: a card, an action, a purchase, a coin."""
    game = play("eosd-25", ["eosd-20"], deck=[COIN])
    act(game, "choose option 2")
    assert game.legal() == ["choose option 1", "choose option 3", "choose option 4"]
    act(game, "choose option 3")
    assert (game.actions, game.buys, game.coins) == (1, 2, 0)
    assert end_turn(game).turn == 1
