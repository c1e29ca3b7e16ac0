"""Kingdom cards of the set in, and the prizes, in box order, one test each: the first line says what the card does."""

import pytest

from tests.sister.shisoroku.table import COIN, MINUS, ONE, RICE, SAKE, SIX, THREE, act, buy, end_turn, play, table


def test_in_01():
    """An action; all may show a 6-VP card: whoever plays this and does discards it for a prize or a 3-VP card on the deck."""
    game = act(play("in-01", [SIX], others=[{"hand": [COIN]}]), f"reveal {SIX}")
    assert game.legal() == [f"choose {THREE}", "choose in-26", "choose in-27", "choose in-28", "choose in-29", "choose in-30"]
    act(game, "choose in-29")
    assert (game.seat(0).discard, game.prizes) == ({SIX: 1}, ["in-26", "in-27", "in-28", "in-30"])
    assert (game.coins, game.seat(0).hand) == (1, {"in-29": 1})  # nobody else showed one: a card and a coin


def test_in_01_shown_by_another():
    """C-5: if another player shows a 6-VP card there is no card and no coin; hers stays in her hand."""
    game = act(play("in-01", [COIN], deck=[COIN], others=[{"hand": [SIX]}]), f"reveal {SIX}")
    assert (game.coins, game.seat(0).hand, game.seat(1).hand) == (0, {COIN: 1}, {SIX: 1})


def test_in_02():
    """A card, an action, a coin; at clean-up it may go on the deck if no victory card was bought."""
    game = play("in-02", [COIN, COIN], deck=[COIN] * 6)
    act(game, "play resources", "buy hakurei")
    assert game.seat(0).owned["in-02"] == game.seat(0).discard["in-02"] == 1
    kept = act(play("in-02", deck=[COIN] * 6), "pass", "pass", "choose option 1")
    assert kept.seat(0).hand.get("in-02") == 1  # drawn from the top at once


def test_in_03():
    """A card and an action; name a card: if the top of the deck is that, take it to hand."""
    game = act(play("in-03", deck=[COIN, SAKE, RICE]), f"choose {SAKE}")
    assert game.seat(0).hand == {COIN: 1, SAKE: 1}
    assert act(play("in-03", deck=[COIN, SAKE]), f"choose {RICE}").seat(0).deck_top == [SAKE]


def test_in_04():
    """A purchase and 3 coins, discard 2; set aside against an attack it comes back next turn with a card."""
    game = act(play("in-04", [ONE, ONE, SAKE]), f"choose {ONE}", f"choose {ONE}")
    assert (game.buys, game.coins, game.seat(0).hand) == (2, 3, {SAKE: 1})
    other = play("eosd-07", others=[{"hand": ["in-04", COIN, COIN, COIN], "deck": [RICE, RICE]}])
    act(other, "reveal in-04")
    assert (other.seat(1).aside, sum(other.seat(1).hand.values())) == ({"in-04": 1}, 3)  # so nothing is discarded
    end_turn(other)
    assert (other.turn, other.seat(1).hand) == (1, {"in-04": 1, COIN: 3, RICE: 1})


def test_in_04_waits_for_its_owners_turn():
    """A-8, R-2: it comes back at the start of its owner's next turn, not in an extra turn of the one who attacked."""
    game = table(
        seats=[{"hand": ["pcb-02", "eosd-07"], "deck": [RICE] * 12}, {"hand": ["in-04", COIN], "deck": [SAKE]}], turn={"actions": 2}
    )
    end_turn(act(game, "play pcb-02", "play eosd-07", "reveal in-04"))
    assert (game.turn, game.seat(1).aside, game.seat(1).hand) == (0, {"in-04": 1}, {COIN: 1})  # the extra turn
    end_turn(game)
    assert (game.turn, game.seat(1).aside, game.seat(1).hand) == (1, {}, {"in-04": 1, COIN: 1, SAKE: 1})


def test_in_05():
    """Gain a card costing 3 to 6 of the trash onto the deck, or trash an action for one costing at most 3 more."""
    game = act(play("in-05", trash=[COIN, SAKE]), "choose option 1")
    assert (game.trash, game.seat(0).deck_top) == ({COIN: 1}, [SAKE])
    other = act(play("in-05", ["eosd-11"], kingdom=["eosd-08"]), "choose option 2", "choose eosd-08")
    assert (other.trash, other.seat(0).discard) == ({"eosd-11": 1}, {"eosd-08": 1})


def test_in_06():
    """2 cards, or 2 coins, or trash 2."""
    assert act(play("in-06", deck=[COIN] * 3), "choose option 1").seat(0).hand == {COIN: 2}
    assert act(play("in-06"), "choose option 2").coins == 2
    assert act(play("in-06", [ONE, ONE]), "choose option 3").trash == {ONE: 2}


def test_in_07():
    """Trash a card and gain one costing at most 5, whatever was trashed."""
    game = act(play("in-07", [COIN], kingdom=["eosd-08"]), "choose eosd-08")
    assert (game.trash, game.seat(0).discard) == ({COIN: 1}, {"eosd-08": 1})


def test_in_08():
    """Trash a resource and gain one costing at most 3 more to the hand."""
    game = act(play("in-08", [COIN, ONE]), f"choose {RICE}")
    assert (game.trash, game.seat(0).hand) == ({COIN: 1}, {ONE: 1, RICE: 1})


def test_in_09():
    """A purchase; discard for cards, then discard for coins."""
    game = act(play("in-09", [ONE, ONE], deck=[COIN, RICE]), f"choose {ONE}", f"choose {ONE}")
    act(game, f"choose {COIN}", "pass")
    assert (game.buys, game.coins, game.seat(0).hand) == (2, 1, {RICE: 1})


def test_in_10():
    """2 coins; each player looks at the top of the own deck and keeps or discards it."""
    game = act(play("in-10", deck=[ONE], others=[{"deck": [SAKE]}]), "choose option 1", "choose option 2")
    assert (game.coins, game.seat(0).discard, game.seat(1).deck_top) == (2, {ONE: 1}, [SAKE])
    assert "seat 1 looks at a card" in list(game.log.of(0))


def test_in_10_comes_with_a_3_vp_card():
    """C-7: whoever gains a 3-VP card may gain this too, as long as there is one."""
    game = act(buy(table(seats=[{}], kingdom=["in-10"], turn={"coins": 5}), THREE), "choose option 1")
    assert game.seat(0).owned == {THREE: 1, "in-10": 1}
    assert buy(table(seats=[{}], kingdom=["in-10"], supply={"in-10": 0}, turn={"coins": 5}), THREE).seat(0).owned == {THREE: 1}


def test_in_11():
    """Discard 2, put one on the deck or gain a Coin; then 3 coins, trash the hand, or gain a 3-VP card."""
    game = act(play("in-11", [ONE, COIN, SAKE]), "choose option 1", f"choose {ONE}", f"choose {COIN}", "choose option 1")
    assert (game.coins, game.seat(0).hand) == (3, {SAKE: 1})
    assert act(play("in-11", [ONE]), "choose option 2", "choose option 2").seat(0).deck_top == [ONE]
    assert act(play("in-11", [ONE, ONE]), "choose option 3", "choose option 2").trash == {ONE: 2}
    assert act(play("in-11"), "choose option 1", "choose option 3").seat(0).owned == {"in-11": 1, THREE: 1}  # P-3


def test_in_12():
    """3 cards; each other player discards 2 or gains a Minus to the hand."""
    game = act(play("in-12", deck=[COIN] * 3, others=[{"hand": [ONE, COIN]}, {"hand": [SAKE]}]), "choose option 1", "choose option 2")
    assert (game.seat(1).discard, game.seat(2).hand) == ({ONE: 1, COIN: 1}, {SAKE: 1, MINUS: 1})


def test_in_13():
    """A duration: 2 cards and a purchase, now and next turn."""
    assert (play("in-13", deck=[COIN] * 2).buys, play("in-13", deck=[COIN] * 2).seat(0).hand) == (2, {COIN: 2})


def test_in_14():
    """2 coins; gain a card costing 3 to 6 of the trash, or if there is none each other player trashes such a card of 2."""
    game = play("in-14", trash=[SAKE, COIN], others=[{"deck": [RICE]}])
    assert (game.coins, game.seat(0).discard, game.seat(1).deck_top) == (2, {SAKE: 1}, [RICE])
    empty = play("in-14", others=[{"deck": [RICE, ONE]}])
    assert (empty.trash, empty.seat(1).discard) == ({RICE: 1}, {ONE: 1})


def test_in_15():
    """A resource of 1 coin with which a Coin may be gained to the hand; gained, it gives each other player a Minus."""
    game = act(table(seats=[{"hand": ["in-15"]}]), "play in-15", "choose option 1")
    assert (game.coins, game.seat(0).hand) == (1, {COIN: 1})
    assert buy(table(seats=[{}, {}, {}], kingdom=["in-15"], turn={"coins": 5}), "in-15").seat(2).owned == {MINUS: 1}


def test_in_16():
    """A card and 2 actions; trashed, it comes back to its owner's hand (X-3)."""
    assert play("in-16", deck=[COIN]).seat(0).hand == {COIN: 1}
    game = play("eosd-02", ["in-16"])
    assert (game.coins, game.trash, game.seat(0).hand) == (4, {}, {"in-16": 1})


def test_in_17():
    """A resource of 1 coin; in play, actions cost 2 less (G-9)."""
    game = act(table(seats=[{"hand": ["in-17"]}], kingdom=["eosd-17"]), "play in-17")
    assert (game.coins, game.cost("eosd-17"), game.cost(SAKE)) == (1, 2, 6)


def test_in_18():
    """Gain a Rice, look at the top card, draw to 5, trash a card that is no resource."""
    game = act(play("in-18", [ONE], deck=[SAKE, COIN, COIN, COIN, COIN, COIN]), "choose option 2", f"choose {ONE}")
    assert (game.seat(0).hand, game.trash, game.seat(0).discard) == ({SAKE: 1, COIN: 3}, {ONE: 1}, {RICE: 1})


def test_in_19():
    """Show a card, return up to 2 of its kind to the pile, then each other player gains one (G-11)."""
    game = act(play("in-19", [MINUS, MINUS, COIN], others=[{}]), f"reveal {MINUS}", f"choose {MINUS}", f"choose {MINUS}")
    assert (game.seat(0).hand, game.seat(1).owned) == ({COIN: 1}, {MINUS: 1})
    own = play("in-19", ["sa-20"], others=[{}])
    assert (own.seat(0).hand, own.seat(1).owned) == ({"sa-20": 1}, {})  # a chirei card has no pile


def test_in_20():
    """A card and an action; the bottom card of the deck may be put on top."""
    game = act(play("in-20", deck=[COIN, RICE, SAKE]), "choose option 1")
    assert game.seat(0).deck_top == [SAKE, RICE]


def test_in_21():
    """2 coins; the deck may be put into the discard pile; a card of it goes on the deck."""
    game = act(play("in-21", deck=[COIN, SAKE], discard=[ONE]), "choose option 1", f"choose {SAKE}")
    assert (game.coins, game.seat(0).deck_top, game.seat(0).discard) == (2, [SAKE], {ONE: 1, COIN: 1})


def test_in_22():
    """A card and 2 actions; of 3 cards revealed the actions go back in any order, the others are discarded."""
    game = play("in-22", ["eosd-20"], deck=[COIN, "eosd-08", RICE, "eosd-17"])
    act(game, "choose eosd-17")
    assert (game.seat(0).deck_top, game.seat(0).discard) == (["eosd-08", "eosd-17"], {RICE: 1})


def test_in_23():
    """Trash a card for as many Rice as it costs; shown when a card would be gained it makes that a Rice (G-5)."""
    assert play("in-23", [THREE]).seat(0).discard == {RICE: 5}
    game = act(play("eosd-06", others=[{"hand": ["in-23"]}]), "reveal in-23")
    assert (game.seat(1).discard, game.supply[MINUS]) == ({RICE: 1}, 10)


def test_in_24():
    """An action; name a card, find the first victory card that is not it, and make of it one costing at most 3 more."""
    game = act(play("in-24", ["eosd-20"], deck=[COIN, ONE, RICE, THREE]), f"choose {ONE}")
    assert game.trash == {THREE: 1}
    act(game, f"choose {SIX}")
    assert game.seat(0).discard == {COIN: 1, ONE: 1, RICE: 1, SIX: 1}


def test_in_25():
    """2 actions; the hand is shown, and without an action in it gives 2 cards."""
    assert play("in-25", [COIN], deck=[COIN, COIN]).seat(0).hand == {COIN: 3}
    assert play("in-25", ["eosd-20"], deck=[COIN, COIN]).seat(0).hand == {"eosd-20": 1}


# ---------------------------------------------------------------- prizes


def test_in_26():
    """Choose 2 different: 2 cards, 2 actions, 2 coins, or 4 Rice and the deck into the discard pile."""
    game = act(play("in-26", ["eosd-20"], deck=[COIN]), "choose option 2", "choose option 4")
    assert (game.actions, game.seat(0).discard) == (2, {RICE: 4, COIN: 1})
    other = act(play("in-26", ["eosd-20"], deck=[COIN, ONE, SAKE]), "choose option 3")
    assert other.legal() == ["choose option 1", "choose option 2", "choose option 4"]
    act(other, "choose option 1")
    assert (other.coins, other.actions, other.seat(0).hand) == (2, 0, {"eosd-20": 1, COIN: 1, ONE: 1})


def test_in_27():
    """An action; a Sake onto the deck."""
    assert play("in-27", ["eosd-20"]).seat(0).deck_top == [SAKE]


def test_in_28():
    """A purchase; in play all cards cost 2 less."""
    game = play("in-28", [COIN])
    assert (game.buys, game.cost(SIX)) == (2, 6)


def test_in_29():
    """A resource of 2 coins, and 1 for each action left."""
    game = table(seats=[{"hand": ["in-29"]}], turn={"actions": 3, "phase": "resources"})
    assert act(game, "play in-29").coins == 5


def test_in_30():
    """2 cards, a 1-VP card; each other player gains a Minus and discards down to 3."""
    game = act(play("in-30", deck=[COIN] * 2, others=[{"hand": [ONE, COIN, COIN, COIN]}]), f"choose {ONE}")
    assert (game.seat(0).owned[ONE], game.seat(1).owned[MINUS], game.seat(1).hand) == (1, 1, {COIN: 3})


@pytest.mark.parametrize("prize", ["in-26", "in-27", "in-28", "in-29", "in-30"])
def test_prizes_are_not_bought(prize):
    """S-7: they cost nothing, and only in-01 gives them."""
    game = table(seats=[{}], kingdom=["in-01"], turn={"phase": "purchases", "coins": 20})
    assert (f"buy {prize}" in game.legal(), prize in game.prizes, prize in game.supply) == (False, True, False)
