"""Kingdom cards of the set sa, and the chirei cards, in box order, one test each: the first line says what the card does."""

from tests.sister.shisoroku.table import COIN, MINUS, ONE, RICE, SAKE, SIX, THREE, act, buy, play, table


def test_sa_01():
    """An action is played twice and trashed, for one that costs exactly 1 more."""
    game = act(play("sa-01", ["eosd-20"], deck=[COIN] * 2, kingdom=["eosd-17", "eosd-07", "eosd-04"]), "choose eosd-20")
    assert (game.trash, game.actions) == ({"eosd-20": 1}, 4)
    assert act(game, "choose eosd-07").seat(0).discard == {"eosd-07": 1}


def test_sa_01_with_a_card_that_is_gone_or_lasts():
    """P-5: what has trashed itself is not trashed again, but still gives one costing 1 more; R-5: a duration does what it promised."""
    gone = act(play("sa-01", ["eosd-23"], kingdom=["eosd-08"]), "choose eosd-23", *["choose eosd-17"] * 2, "choose eosd-08")
    assert (gone.trash, gone.seat(0).discard) == ({"eosd-23": 1}, {"eosd-17": 2, "eosd-08": 1})
    lasts = act(play("sa-01", ["mof-16"]), "choose mof-16")
    assert (lasts.trash, lasts.coins) == ({"mof-16": 1}, 4)
    act(lasts, "pass")
    while lasts.turn_number < 3:
        act(lasts, "pass")
    assert lasts.coins == 4


def test_sa_01_counts_the_cost_after_the_trashing():
    """G-10: sa-12 makes itself cheaper only while it lies in play; P-5: sa-10 is gone after the first time, and is used twice."""
    game = act(play("sa-01", ["sa-12"], deck=[COIN] * 4, kingdom=["in-07", "mof-19", "eosd-08"]), "choose sa-12")
    assert game.legal() == ["choose in-07", "choose mof-19"]
    twice = act(play("sa-01", ["sa-10"], kingdom=["eosd-20"]), "choose sa-10", f"choose {SAKE}", f"choose {SIX}", "choose eosd-20")
    assert (twice.coins, twice.trash, twice.tokens) == (4, {"sa-10": 1}, {SAKE: 1, SIX: 1})


def test_sa_02():
    """Trash a card for one that costs exactly 1 more and one that costs exactly 1 less, onto the deck in any order."""
    game = act(play("sa-02", [RICE], kingdom=["eosd-17", "eosd-22"]), "choose option 1")
    while game.question == "gain":
        act(game, next(name for name in game.legal() if name in ("choose eosd-17", "choose eosd-22")))
    assert game.seat(0).deck_top == ["eosd-22", "eosd-17"]


def test_sa_03():
    """Each player from you on reveals 2: both are discarded or put back, as you say; then 2 cards for you (C-3)."""
    game = play("sa-03", deck=[ONE, ONE, SAKE, SAKE], others=[{"deck": [RICE, COIN]}])
    act(game, "choose option 1", "choose option 2")
    assert (game.asking, game.question) == (1, "top")  # the order is its owner's
    assert act(game, f"choose {RICE}").seat(1).deck_top == [COIN, RICE]
    assert (game.seat(0).hand, game.seat(0).discard) == ({SAKE: 2}, {ONE: 2})


def test_sa_04():
    """Twice: trash a card for one that costs exactly 1 more."""
    game = act(play("sa-04", [ONE, ONE], kingdom=["eosd-16"]), "choose eosd-16", "choose eosd-16")
    assert (game.trash, game.seat(0).discard) == ({ONE: 2}, {"eosd-16": 2})


def test_sa_05():
    """3 coins, a card of the hand on the deck; gained, all resources in play go on the deck in any order."""
    game = play("sa-05", [ONE])
    assert (game.coins, game.seat(0).deck_top) == (3, [ONE])
    other = act(table(seats=[{"hand": [SAKE, RICE]}], kingdom=["sa-05"]), "play resources")
    act(buy(other, "sa-05"), f"choose {SAKE}")
    assert (other.turn, other.seat(0).hand) == (1, {SAKE: 1, RICE: 1, "sa-05": 1})  # drawn at once


def test_sa_06():
    """A card, an action, a purchase; discarded when a card of yours is trashed it gives a Sake."""
    game = play("sa-06", ["eosd-20"], deck=[COIN])
    assert (game.actions, game.buys) == (1, 2)
    other = act(play("pcb-21", [ONE, ONE, "sa-06", "sa-06"]), f"choose {ONE}", "pass", "choose option 1", "choose option 1")
    assert (other.seat(0).discard, other.trash) == ({"sa-06": 2, SAKE: 2}, {ONE: 1})


def test_sa_06_answers_the_attack_of_another():
    """X-2: what is trashed off one's deck is one's own, in anybody's turn; a card that is declined stays."""
    game = play("sa-08", others=[{"hand": ["sa-06"], "deck": [RICE]}])
    assert (game.asking, game.cause) == (1, "sa-06")
    assert act(game, "choose option 1", "pass").seat(1).discard == {"sa-06": 1, SAKE: 1}


def test_sa_07():
    """An action and a purchase; trash a card, then a coin for each kind of resource in the trash (X-4)."""
    game = act(play("sa-07", [RICE, "eosd-20"], trash=[COIN, COIN, SAKE]), f"choose {RICE}")
    assert (game.coins, game.buys) == (3, 2)


def test_sa_08():
    """Each other player reveals until a card costing 3 or more, which is trashed; they may gain one costing at least 2 less."""
    game = play("sa-08", others=[{"deck": [COIN, SAKE, RICE]}])
    assert (game.asking, game.trash) == (1, {SAKE: 1})
    act(game, f"choose {RICE}")
    assert game.seat(1).discard == {COIN: 1, RICE: 1}
    assert play("sa-08", others=[{"deck": [COIN, ONE]}]).seat(1).discard == {COIN: 1, ONE: 1}  # nothing that dear


def test_sa_08_and_what_the_trashed_card_says():
    """The text of the trashed card comes first, while the other revealed cards lie aside (X-1, D-2)."""
    game = play("sa-08", others=[{"deck": [COIN, "sa-15"], "discard": [SAKE]}])
    assert (game.seat(1).hand, game.seat(1).discard) == ({SAKE: 1}, {})  # drawn for sa-15; the Coin waits
    assert act(game, "pass").seat(1).discard == {COIN: 1}


def test_sa_09():
    """2 cards and 2 actions, discard 2; gained, any actions of the discard pile are shuffled into the deck, this among them."""
    game = act(play("sa-09", ["eosd-20"], deck=[ONE, ONE]), f"choose {ONE}", f"choose {ONE}")
    assert (game.actions, game.seat(0).discard) == (2, {ONE: 2})
    other = table(seats=[{"discard": ["eosd-08", ONE], "deck": [COIN]}], kingdom=["sa-09"], turn={"coins": 5, "buys": 2})
    act(buy(other, "sa-09"), "reveal sa-09", "reveal eosd-08")
    assert (other.seat(0).deck, other.seat(0).discard) == ({COIN: 1, "eosd-08": 1, "sa-09": 1}, {ONE: 1})


def test_sa_10():
    """2 coins, trashed for a token on a pile: whoever buys of it gains a Minus for each."""
    game = act(play("sa-10", turn={"actions": 2, "coins": 4}), f"choose {SAKE}")
    assert (game.trash, game.tokens) == ({"sa-10": 1}, {SAKE: 1})
    assert buy(game, SAKE).seat(0).owned == {SAKE: 1, MINUS: 1}
    thrice = act(play("mof-02", ["sa-10"]), "choose sa-10", *[f"choose {RICE}"] * 3)
    assert (thrice.coins, thrice.trash) == (6, {"sa-10": 1})
    act(thrice, "buy hounoumai")
    assert thrice.seat(0).owned == {"mof-02": 1, RICE: 1, MINUS: 3}
    assert play("sa-10", turn={"coins": 2}, others=[{}]).legal()[0] == f"choose {COIN}"  # any pile of the supply


def test_sa_11():
    """4 coins, less 1 for each resource in hand, but not below 0."""
    assert (play("sa-11", [COIN, ONE]).coins, play("sa-11", [COIN] * 6).coins) == (3, 0)


def test_sa_12():
    """A card and an action; in play all cards cost 1 less."""
    game = play("sa-12", ["eosd-20"], deck=[COIN])
    assert (game.actions, game.cost(SIX)) == (1, 7)


def test_sa_13():
    """2 points; bought, it trashes a card for one that costs exactly 2 more (C-11)."""
    game = buy(table(seats=[{"hand": [SAKE]}], kingdom=["sa-13"], turn={"coins": 6, "phase": "purchases"}), "sa-13")
    assert (game.trash, game.points[0]) == ({SAKE: 1}, 8)  # the only card at that cost is the 6-VP
    bare = buy(table(seats=[{}], kingdom=["sa-13"], turn={"coins": 6, "phase": "purchases"}), "sa-13")
    assert bare.seat(0).owned == {"sa-13": 1}  # nothing to trash


def test_sa_14():
    """An action; all draw, all gain, or all may trash for a card that costs more: you more than they."""
    one = act(play("sa-14", ["eosd-20"], deck=[COIN] * 3, others=[{"deck": [ONE] * 2}]), "choose option 1")
    assert (one.seat(0).hand[COIN], one.seat(1).hand) == (3, {ONE: 1})
    two = act(play("sa-14", others=[{}]), "choose option 2")
    assert (two.seat(0).discard, two.seat(1).discard) == ({SAKE: 1}, {RICE: 1})
    three = act(play("sa-14", [RICE], others=[{"hand": [ONE]}], kingdom=["eosd-08", "eosd-16"]), "choose option 3", f"choose {RICE}")
    act(three, "choose eosd-08", f"choose {ONE}", "choose eosd-16")
    assert (three.seat(0).discard, three.seat(1).discard) == ({"eosd-08": 1}, {"eosd-16": 1})


def test_sa_15():
    """A card, an action, another of these; trash a card of another kind or show a hand of nothing else. Trashed: a card. 20 of them."""
    game = play("sa-15", [ONE], deck=["sa-15"])
    assert (game.seat(0).owned, game.trash, game.supply["sa-15"]) == ({"sa-15": 3}, {ONE: 1}, 17)
    assert play("sa-15", ["sa-15"]).seat(0).owned == {"sa-15": 3}  # C-7
    assert play("eosd-02", ["sa-15"], deck=[RICE]).seat(0).hand == {RICE: 1}


def test_sa_16():
    """A card and an action; a revealed action is played (P-7). Bought: for each coin more, a discarded card on the deck (G-12)."""
    game = play("sa-16", ["eosd-20"], deck=[COIN, "eosd-19"])
    assert (game.actions, game.buys, game.coins, game.seat(0).in_play) == (3, 2, 2, {"sa-16": 1, "eosd-19": 1})
    assert play("sa-16", ["eosd-20"], deck=[COIN, SAKE]).seat(0).deck_top == [SAKE]
    other = buy(table(seats=[{"discard": [SAKE, ONE]}], kingdom=["sa-16"], turn={"coins": 6, "buys": 2}), "sa-16")
    act(other, f"choose {SAKE}", "pass")
    assert (other.coins, other.seat(0).deck_top) == (1, [SAKE])
    attack = play("sa-16", deck=[COIN, "eosd-06"], others=[{"hand": ["eosd-11"]}])
    assert (attack.asking, attack.question) == (1, "reaction")  # played from the deck it is an attack all the same


def test_sa_17():
    """Discard any number for coins; shown against an attack: 2 cards, then 2 on the deck, once for each copy (A-3)."""
    assert act(play("sa-17", [ONE, ONE]), f"choose {ONE}", f"choose {ONE}").coins == 2
    game = play("eosd-06", others=[{"hand": ["sa-17"], "deck": [SAKE, RICE]}])
    act(game, "reveal sa-17", f"choose {SAKE}", f"choose {RICE}")
    assert (game.seat(1).hand, game.seat(1).deck_top[-2:], game.asking) == ({"sa-17": 1}, [RICE, SAKE], 0)


def test_sa_18():
    """Look at 3: take them, or discard them and draw 3. Trashed: a cheaper card."""
    assert act(play("sa-18", deck=[COIN, RICE, SAKE]), "choose option 1").seat(0).hand == {COIN: 1, RICE: 1, SAKE: 1}
    assert act(play("sa-18", deck=[ONE] * 3 + [SAKE] * 3), "choose option 2").seat(0).hand == {SAKE: 3}
    assert act(play("eosd-02", ["sa-18"]), f"choose {RICE}").seat(0).discard == {RICE: 1}


# ---------------------------------------------------------------- chirei cards


def test_sa_19():
    """May be trashed from the hand when its owner buys a victory card."""
    game = buy(table(seats=[{"hand": ["sa-19"]}], turn={"coins": 5, "phase": "purchases"}), THREE)
    assert act(game, "choose option 1").trash["sa-19"] == 2  # the other seat's lies there from the beginning of this table
    plain = buy(table(seats=[{"hand": ["sa-19"]}], turn={"coins": 6, "phase": "purchases"}), SAKE)
    assert plain.seat(0).owned == {"sa-19": 1, SAKE: 1}
    two_types = buy(table(seats=[{"hand": ["sa-19"]}], kingdom=["mof-15"], turn={"coins": 5, "phase": "purchases"}), "mof-15")
    assert two_types.question == "may"  # before the gain
    assert two_types.seat(0).owned == {"sa-19": 1}


def test_sa_20():
    """A victory card of 0 points; trashed, it gives a card."""
    game = play("eosd-02", ["sa-20"], deck=[RICE])
    assert (game.seat(0).hand, game.points[0]) == ({RICE: 1}, 0)


def test_sa_21():
    """2 actions."""
    assert play("sa-21", ["eosd-20"]).actions == 2
