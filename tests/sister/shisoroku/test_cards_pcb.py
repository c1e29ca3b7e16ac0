"""Kingdom cards of the set pcb in box order, one test each: the first line says what the card does."""

import pytest

from tests.sister.shisoroku.table import COIN, MINUS, ONE, RICE, SAKE, SIX, THREE, act, buy, end_turn, play, table


def test_pcb_01():
    """2 coins; each other player discards a card: for a victory card a Minus, else you say which of you two gains a copy."""
    game = play("pcb-01", others=[{"deck": [ONE]}, {"deck": [SAKE]}])
    assert (game.coins, game.seat(1).owned) == (2, {ONE: 1, MINUS: 1})
    assert act(game, "choose option 2").seat(0).owned.get(SAKE) == 1
    theirs = act(play("pcb-01", others=[{"deck": [COIN]}]), "choose option 1")
    assert theirs.seat(1).owned == {COIN: 2}


def test_pcb_02():
    """Draw only 3 cards at the end of this turn and take another; never three turns in a row (T-8)."""
    game = play("pcb-02", deck=["pcb-02", COIN, COIN, *[RICE] * 8], others=[{"hand": [COIN]}])
    end_turn(game)
    assert (game.turn, sum(game.seat(0).hand.values()), game.seat(0).lasting) == (0, 3, {"pcb-02": 1})
    end_turn(act(game, "play pcb-02"))
    assert (game.turn, game.seat(0).turns, game.seat(0).in_play) == (1, 1, {})


def test_pcb_03():
    """An action; the hand is shown: 3 cards if no two are of one kind, else 1."""
    assert sum(play("pcb-03", [COIN, RICE], deck=[ONE] * 4).seat(0).hand.values()) == 5
    assert sum(play("pcb-03", [COIN, COIN], deck=[ONE] * 4).seat(0).hand.values()) == 3


@pytest.mark.parametrize(
    ("card", "now", "later"),
    [
        ("pcb-04", (1, 1, 1, 0), (1, 1, 1, 0)), ("in-13", (2, 0, 2, 0), (2, 1, 2, 0)), ("mof-16", (0, 0, 1, 2), (0, 1, 1, 2)),
        ("sp-08", (0, 2, 1, 1), (0, 2, 1, 1)), ("sp-11", (0, 1, 1, 1), (0, 1, 1, 1)),
    ],
)  # fmt: skip
def test_pcb_04_and_other_durations(card, now, later):
    """Something now, something at the start of the next turn; it stays in play until the end of that one (R-1)."""

    def stands(game, before):
        return sum(game.seat(0).hand.values()) - before, game.actions, game.buys, game.coins

    game = play(card, ["eosd-20"], deck=[COIN] * 5 + ["eosd-20"] * 8, others=[{"hand": [COIN]}])
    assert stands(game, 1) == now
    end_turn(end_turn(game))
    assert (game.turn, game.seat(0).lasting) == (0, {card: 1})
    assert stands(game, 5) == later
    assert end_turn(game).seat(0).in_play == {}


def test_pcb_05():
    """2 coins; each other player discards a Coin or shows a hand without one."""
    game = play("pcb-05", others=[{"hand": [COIN, RICE]}, {"hand": [RICE]}])
    assert (game.coins, game.seat(1).discard, game.seat(2).hand) == (2, {COIN: 1}, {RICE: 1})
    assert "seat 2 reveals the hand" in list(game.log)


def test_pcb_06():
    """Each other player discards the top of the deck and gains a Minus onto it."""
    game = play("pcb-06", others=[{"deck": [SAKE, COIN]}])
    assert (game.seat(1).discard, game.seat(1).deck_top) == ({SAKE: 1}, [MINUS, COIN])


def test_pcb_07():
    """A card and an action; a card is set aside face down and comes back at the start of the next turn."""
    game = play("pcb-07", [SAKE], deck=[COIN] * 6, others=[{}])
    act(game, f"choose {SAKE}")
    assert game.seat(0).aside == {SAKE: 1}
    assert "seat 0 sets a card aside" in list(game.log.of(1))
    end_turn(end_turn(game))
    assert game.seat(0).hand[SAKE] == 1
    assert end_turn(play("pcb-07")).seat(0).in_play == {}  # with nothing set aside it goes at once


def test_pcb_08():
    """Draw to 6 cards; shown when a card is gained, that is trashed or put on the deck."""
    assert sum(play("pcb-08", [COIN], deck=[COIN] * 9).seat(0).hand.values()) == 6
    game = play("eosd-06", others=[{"hand": ["pcb-08"]}])
    assert act(game, "choose option 1").trash == {MINUS: 1}
    top = buy(table(seats=[{"hand": ["pcb-08"]}], turn={"coins": 6}), SAKE)
    assert act(top, "choose option 2").seat(0).hand.get(SAKE, 0) + len(top.seat(0).deck_top) == 1


def test_pcb_09():
    """1 point for each 3-VP card."""
    assert table(seats=[{"hand": ["pcb-09", THREE, THREE]}]).points[0] == 2 + 6


def test_pcb_10():
    """2 cards; each other player with 4 or more puts cards of the hand on the deck until 3 are left."""
    game = play("pcb-10", others=[{"hand": [ONE, ONE, COIN, RICE, SAKE]}, {"hand": [COIN] * 3}])
    act(game, f"choose {ONE}", f"choose {COIN}")
    assert (game.seat(1).deck_top, sum(game.seat(1).hand.values())) == ([COIN, ONE], 3)


def test_pcb_11():
    """A purchase and a coin; all cards cost 1 less this turn, never below 0, and it adds up (P-6)."""
    game = play("pcb-11", ["pcb-11"], turn={"actions": 2})
    act(game, "play pcb-11")
    assert (game.buys, game.coins, game.cost(SIX), game.cost(COIN)) == (3, 2, 6, 0)
    assert end_turn(game).cost(SIX) == 8


def test_pcb_12():
    """Discard the hand; if there was any: 5 cards, a purchase and an action at the start of the next turn."""
    game = play("pcb-12", [COIN, COIN], deck=[RICE] * 10, others=[{}])
    end_turn(end_turn(game))
    assert (sum(game.seat(0).hand.values()), game.actions, game.buys) == (10, 2, 2)
    assert end_turn(play("pcb-12", deck=[RICE] * 5)).seat(0).in_play == {}


def test_pcb_13():
    """3 cards; then a card of the hand goes on the deck, and its owner alone knows which."""
    game = act(play("pcb-13", [ONE], deck=[COIN, RICE, SAKE]), f"choose {ONE}")
    assert (game.seat(0).deck_top, game.seat(0).hand) == ([ONE], {COIN: 1, RICE: 1, SAKE: 1})
    assert "seat 0 puts a card on the deck" in list(game.log.of(1))


def test_pcb_14():
    """3 cards and an action; discard 3."""
    game = act(play("pcb-14", [ONE], deck=[ONE, ONE, SAKE]), *[f"choose {ONE}"] * 3)
    assert (game.seat(0).hand, game.seat(0).discard) == ({SAKE: 1}, {ONE: 3})


def test_pcb_15():
    """A card, 2 actions and a coin."""
    game = play("pcb-15", ["eosd-20"], deck=[COIN])
    assert (game.actions, game.coins, game.seat(0).hand[COIN]) == (2, 1, 1)


def test_pcb_16():
    """Gain a card costing at most 6 that the right neighbour gained in its last turn (C-9)."""
    game = table(seats=[{"hand": ["pcb-16"], "deck": [COIN] * 5}, {"hand": [SAKE] * 3, "deck": [COIN] * 5}], turn={"seat": 1})
    act(game, "play resources", "buy omiki", "play pcb-16")
    assert game.seat(0).discard == {SAKE: 1}  # the only card there is to choose


def test_pcb_17():
    """A resource of 2 coins, and 2 points."""
    game = table(seats=[{"hand": ["pcb-17"]}])
    assert (game.points[0], act(game, "play pcb-17").coins) == (2, 2)


def test_pcb_18():
    """A card and 2 actions; it may be trashed at once for 2 coins, once (P-5)."""
    game = act(play("pcb-18", deck=[COIN]), "choose option 1")
    assert (game.coins, game.trash) == (2, {"pcb-18": 1})
    again = act(play("mof-02", ["pcb-18"], deck=[COIN] * 3), "choose pcb-18", "choose option 1")
    assert (again.coins, again.trash) == (2, {"pcb-18": 1})


def test_pcb_19():
    """The left neighbour discards 2: for each kind actions 2 actions, resources 2 coins, victories 2 cards; of two types both (C-8)."""
    game = play("pcb-19", ["eosd-20"], deck=[COIN] * 2, others=[{"deck": ["pcb-17", "eosd-20"]}])
    assert (game.coins, game.seat(0).hand, game.actions) == (2, {"eosd-20": 1, COIN: 2}, 2)
    same = play("pcb-19", deck=[COIN] * 4, others=[{"deck": [ONE, ONE]}])
    assert same.seat(0).hand == {COIN: 2}


def test_pcb_20():
    """An action; of the top 3 cards one is trashed, one discarded, one put back."""
    game = act(play("pcb-20", ["eosd-20"], deck=[ONE, COIN, SAKE]), f"choose {ONE}", f"choose {COIN}")
    assert (game.trash, game.seat(0).discard, game.seat(0).deck_top) == ({ONE: 1}, {COIN: 1}, [SAKE])
    assert play("pcb-20", ["eosd-20"], deck=[ONE]).trash == {ONE: 1}


def test_pcb_21():
    """Trash up to 4 cards of the hand."""
    game = act(play("pcb-21", [COIN] * 3 + [ONE] * 2), f"choose {COIN}", f"choose {ONE}", f"choose {ONE}", f"choose {COIN}")
    assert (game.trash, game.seat(0).hand) == ({COIN: 2, ONE: 2}, {COIN: 1})


def test_pcb_22():
    """A card and an action; a card may be discarded for an action, and one for a purchase."""
    game = act(play("pcb-22", [ONE, "eosd-20"], deck=[COIN]), f"choose {ONE}", f"choose {COIN}")
    assert (game.actions, game.buys) == (2, 2)
    assert act(play("pcb-22", [ONE, "eosd-20"], deck=[COIN]), "pass", "pass").actions == 1


def test_pcb_23():
    """This and a card of the hand are set aside until the end, for 2 points and what the other is worth (E-3)."""
    game = act(play("pcb-23", [SIX, COIN]), f"choose {SIX}")
    assert (game.seat(0).aside, game.points[0], game.seat(0).in_play) == ({"pcb-23": 1, SIX: 1}, 8, {})
    assert play("pcb-23").seat(0).aside == {"pcb-23": 1}  # C-10


def test_pcb_24():
    """Show a 6-VP card and gain a Sake to the hand, or else a Rice."""
    game = act(play("pcb-24", [SIX]), f"reveal {SIX}")
    assert game.seat(0).hand == {SIX: 1, SAKE: 1}
    assert play("pcb-24").seat(0).hand == {RICE: 1}


def test_pcb_25():
    """Take any number of Coins from the discard pile to the hand."""
    game = act(play("pcb-25", discard=[COIN, COIN, RICE, COIN]), f"choose {COIN}", f"choose {COIN}", "pass")
    assert (game.seat(0).hand, game.seat(0).discard) == ({COIN: 2}, {RICE: 1, COIN: 1})
