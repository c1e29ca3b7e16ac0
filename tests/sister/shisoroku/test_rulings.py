"""Rulings and statements of the rules (s1 to s53) that no single card shows; the docstrings cite both."""

import re
from collections import Counter
from pathlib import Path

import pytest

from danmaku_env.sister.shisoroku import Game, ShisorokuConfig, decode, resample
from danmaku_env.sister.shisoroku.cards import box
from danmaku_env.sister.shisoroku.engine import state as st
from tests.sister.shisoroku.table import COIN, MINUS, ONE, RICE, SAKE, SIX, THREE, act, buy, end_turn, play, table

HERE = Path(__file__).parent


# ---------------------------------------------------------------- S: set-up


@pytest.mark.parametrize(("players", "coin", "victory", "minus"), [(2, 46, 8, 10), (3, 39, 12, 20), (4, 32, 12, 30)])
def test_piles(players, coin, victory, minus):
    """S-1, S-2, S-3, S-4 (s1, s3, s5, s6): ten kingdom cards; piles by number of players; optional cards both or not at all."""
    game = Game.new(players, 1, optional_cards=True, kingdom=[*box.FIRST_KINGDOM[:8], "eosd-10", "mof-15"])
    expected = {COIN: coin, RICE: 40, SAKE: 30, "ofuda": 12, "gensoukyou": victory, MINUS: minus, "eosd-10": victory, "mof-15": victory}
    assert {name: game.supply[name] for name in expected} == expected
    assert [game.supply[name] for name in (ONE, THREE, SIX)] == [victory] * 3
    assert (game.supply["eosd-08"], len(game.kingdom)) == (10, 10)
    assert "ofuda" not in Game.new(players, 1).supply


def test_the_pile_of_twenty():
    """S-3 (s4): sa-15 has 20 cards."""
    assert table(seats=[{}], kingdom=["sa-15"]).supply["sa-15"] == 20


@pytest.mark.parametrize(("start", "deck"), [("shrine", {COIN: 7, ONE: 3}), ("chirei", {COIN: 7, "sa-19": 1, "sa-20": 1, "sa-21": 1})])
def test_starting_decks(start, deck):
    """S-5, S-6, S-9 (s2, s7, s8): ten cards, the same kind for all, dealt from elsewhere; five are drawn; the dice say who begins."""
    games = [Game.new(3, seed, start=start) for seed in range(30)]
    for game in games:
        assert [seat.owned for seat in game.seats] == [deck] * 3
        assert [sum(seat.hand.values()) for seat in game.seats] == [5, 5, 5]
        assert not {"sa-19", "sa-20", "sa-21"} & set(game.supply)
    assert {game.turn for game in games} == {0, 1, 2}


def test_random_kingdoms_are_uniform():
    """S-8: of the sets chosen, or of a list of cards, every card as often as any other; `first` is the kingdom of a first game."""
    met = Counter(name for seed in range(800) for name in Game.new(2, seed, kingdom="random", sets=("mof", "sp")).kingdom)
    assert set(met) == {name for name in box.KINGDOM_IDS if name[:3] in ("mof", "sp-")}
    assert all(abs(times - 800 * 10 / 36) < 75 for times in met.values())
    pool = box.KINGDOM_IDS[40:52]
    drawn = Counter(name for seed in range(600) for name in Game.new(2, seed, kingdom=pool[::-1]).kingdom)
    assert set(drawn) == set(pool)
    assert all(abs(times - 500) < 45 for times in drawn.values())
    assert Game.new(2, 7, kingdom="random").kingdom == Game.new(2, 7, kingdom=box.KINGDOM_IDS[:25]).kingdom
    first = {"eosd-22", "eosd-11", "eosd-01", "eosd-16", "eosd-20", "eosd-07", "eosd-17", "eosd-21", "eosd-08", "eosd-09"}
    assert set(Game.new(2, 0).kingdom) == first


# ---------------------------------------------------------------- T: the turn


def test_phases():
    """T-1, T-2 (s9, s10, s13, s14): one action, one purchase; no way back to actions; what is played lies in play until clean-up."""
    game = table(seats=[{"hand": ["eosd-17", "eosd-17", COIN], "deck": [COIN] * 9}])
    assert (game.actions, game.buys, game.coins, game.phase) == (1, 1, 0, "actions")
    act(game, "play eosd-17")
    assert (game.phase, game.seat(0).in_play) == ("resources", {"eosd-17": 1})
    assert "play eosd-17" not in game.legal()
    assert end_turn(game).turn == 1


def test_resources_come_before_purchases():
    """T-3, T-5 (s15, s16, s17, s19, s20): resources one by one, none after the first purchase; coins are split freely, some may be left."""
    game = table(seats=[{"hand": [RICE, RICE, COIN]}], turn={"buys": 3})
    act(game, f"play {RICE}", f"play {RICE}", "buy hakurei")
    assert (game.coins, game.phase) == (2, "purchases")
    assert f"play {COIN}" not in game.legal()
    act(game, "buy hakurei", f"buy {COIN}")
    assert (game.turn, game.seat(0).owned[ONE], game.seat(0).owned[COIN]) == (1, 2, 2)


def test_play_resources_leaves_those_that_ask():
    """T-4: plain resources at once; those that ask, or whose order matters, are left to be played singly."""
    game = act(table(seats=[{"hand": [COIN, SAKE, "in-15", "mof-20", "mof-17", "pcb-17"]}]), "play resources")
    assert (game.coins, game.seat(0).hand) == (6, {"in-15": 1, "mof-17": 1, "mof-20": 1})


def test_clean_up():
    """T-6, T-7 (s18, s21, s22): the hand at once, then what is in play, whose last card lies on top; then five are drawn."""
    game = end_turn(act(table(seats=[{"hand": [COIN, SAKE, ONE], "deck": [RICE] * 6}]), f"play {COIN}"))
    assert (game.seat(0).discard, game.seat(0).discard_top, game.seat(0).hand) == ({COIN: 1, SAKE: 1, ONE: 1}, COIN, {RICE: 5})
    bare_hand = end_turn(table(seats=[{"hand": [SAKE, ONE], "deck": [RICE] * 6}]))
    assert bare_hand.seat(0).discard_top == SAKE


def test_the_top_card_is_asked_with_ask_order():
    """T-7: with `ask_order` the player says which card lies on top."""
    game = table(seats=[{"hand": [SAKE, ONE], "deck": [RICE] * 6}], ask_order=True)
    while game.question != "top":
        act(game, "pass")
    assert act(game, f"choose {ONE}").seat(0).discard_top == ONE


def test_two_extra_turns_are_one_and_are_whole_turns():
    """T-8, R-2: two pcb-02 in a turn give one more turn, in which texts due at the start happen."""
    game = table(seats=[{"hand": ["pcb-02", "pcb-02", "sp-08"], "deck": [COIN] * 9}, {"hand": [COIN]}], turn={"actions": 2})
    act(game, "play sp-08", "play pcb-02", "play pcb-02")
    end_turn(game)
    assert (game.turn, game.coins, game.actions, sum(game.seat(0).hand.values())) == (0, 1, 2, 3)
    assert end_turn(game).turn == 1


def test_an_option_that_does_nothing_may_be_chosen():
    """P-3: with one card in hand "discard 2" discards it, with none nothing."""
    game = play("in-12", others=[{"hand": [ONE]}, {}])
    act(game, "choose option 1", "choose option 1")
    assert [seat.owned.get(MINUS, 0) for seat in game.seats] == [0, 0, 0]


def test_revealing_until_ends_with_the_cards():
    """D-2: where neither deck nor discard pile has what is looked for, all that was revealed is discarded."""
    game = play("mof-19", deck=[ONE, ONE], discard=[THREE])
    assert (game.seat(0).hand, game.seat(0).discard) == ({}, {ONE: 2, THREE: 1})


# ---------------------------------------------------------------- P, D: playing, drawing, discarding


def test_lines_are_carried_out_as_far_as_possible():
    """P-1, P-2 (s11, s12): a card may be played though nothing can be done, and is done with before the next."""
    assert play("eosd-21").trash == {}
    assert play("eosd-21", ["eosd-20"], turn={"actions": 2}).question == "gain"
    assert play("eosd-07", others=[{}]).coins == 2


def test_while_in_play_counts_cards_and_this_turn_counts_plays():
    """P-6: sa-12 played 3 times lies in play once; pcb-11 played 3 times takes 3 off every cost."""
    assert act(play("mof-02", ["sa-12"], deck=[COIN] * 3), "choose sa-12").cost(SIX) == 7
    assert act(play("mof-02", ["pcb-11"]), "choose pcb-11").cost(SIX) == 5


def test_drawing_shuffles_only_when_more_is_wanted():
    """D-1 (s23, s24, s25): exactly enough: no shuffle; short: the discard pile is made a deck; still short: what there is."""
    enough = play("eosd-17", deck=[COIN] * 3, discard=[SAKE])
    assert (enough.seat(0).hand, enough.seat(0).discard) == ({COIN: 3}, {SAKE: 1})
    short = play("eosd-17", deck=[COIN], discard=[SAKE])
    assert (short.seat(0).hand, short.seat(0).discard) == ({COIN: 1, SAKE: 1}, {})


def test_revealed_cards_lie_aside_until_the_text_is_done():
    """D-2, D-3 (s31, s32): a shuffle meanwhile takes the discard pile only; without more words cards go back in their order."""
    game = play("mof-19", deck=[ONE], discard=[COIN, THREE])
    assert (game.seat(0).hand, game.seat(0).discard) == ({COIN: 1}, {ONE: 1, THREE: 1})
    kept = act(play("eosd-14", deck=[COIN, RICE, SAKE]), "choose option 2")
    assert kept.seat(0).deck_top == [RICE, SAKE]


def test_several_discards_show_their_number_and_one_face():
    """D-5, D-6 (s27, s28, s48): others see how many, and the top: that of the lowest slot."""
    game = act(play("pcb-14", [SAKE, RICE, COIN, ONE], others=[{}]), f"choose {RICE}", f"choose {COIN}", f"choose {SAKE}")
    assert game.seat(0).discard_top == COIN
    lines = [line for line in game.log.of(1) if "discards" in line]
    assert lines.count("seat 0 discards a card") == 2
    assert decode(game.observe(1), words=True)["discard_top"] == {1: COIN}


def test_a_card_taken_out_of_a_pile_leaves_a_new_top():
    """D-6: the dice name it among what may lie there."""
    tops = {act(play("in-21", discard=[COIN, RICE, SAKE], seed=seed), "pass", f"choose {SAKE}").seat(0).discard_top for seed in range(12)}
    assert tops == {COIN, RICE}


def test_d_6_of_a_deck_that_is_put_on_a_discard_pile_one_card_lies_on_top():
    """What lay in the pile before lies under it."""
    games = [act(play("eosd-12", deck=[COIN, RICE], discard=[SAKE, SIX], seed=seed), "choose option 1") for seed in range(40)]
    assert {game.seat(0).discard_top for game in games} == {COIN, RICE}


def test_less_than_asked_is_left_alone():
    """D-7: discard down to 3 with three in hand: nothing happens."""
    assert play("eosd-07", others=[{"hand": [COIN] * 3}]).seat(1).hand == {COIN: 3}


def test_set_aside_is_not_in_play():
    """D-8 (s33, s34): face up unless the card says otherwise."""
    game = play("pcb-23", [SIX])
    assert (game.seat(0).in_play, game.seat(0).aside) == ({}, {"pcb-23": 1, SIX: 1})
    assert decode(game.observe(1), words=True)["aside"] == {1: {SIX: 1, "pcb-23": 1}}


# ---------------------------------------------------------------- G, X: gaining, trashing


def test_purchase_then_texts_then_gain_then_texts():
    """G-1, G-2, G-3, G-4 (s29, s42, s43, s44): mof-09 bought trashes resources before it is gained; mof-13's gift comes after its gain."""
    game = act(table(seats=[{"hand": [SAKE, RICE]}, {}], kingdom=["mof-09", "mof-13"]), "play resources")
    lines = list(buy(game, "mof-09").log)
    assert lines.index("seat 0 buys mof-09") < lines.index("seat 0 loses omiki to the trash") < lines.index("seat 0 gains mof-09")
    other = list(buy(table(seats=[{}, {}], kingdom=["mof-13"], turn={"coins": 5}), "mof-13").log)
    assert other.index("seat 0 gains mof-13") < other.index("seat 1 gains hounoumai")


def test_a_replaced_gain():
    """G-5, G-6: texts on buying happen, the card stays, its on-gain does not; the Rice is not replaced again, but pcb-08 may answer it."""
    game = buy(table(seats=[{"hand": ["in-23", "pcb-08"]}, {}], kingdom=["mof-13"], turn={"coins": 5, "phase": "purchases"}), "mof-13")
    act(game, "reveal in-23", "choose option 1")
    assert (game.trash, game.seat(1).owned, game.supply["mof-13"]) == ({RICE: 1}, {}, 10)
    assert buy(table(seats=[{"hand": ["in-23"]}], turn={"coins": 5, "phase": "purchases"}, kingdom=["sa-13"]), THREE).question == "reaction"


def test_pcb_08_finds_no_card_that_has_moved():
    """G-6: sa-09 shuffled into the deck on gaining is not found by pcb-08."""
    game = buy(table(seats=[{"hand": ["pcb-08"], "deck": [COIN]}], kingdom=["sa-09"], turn={"coins": 5, "phase": "purchases"}), "sa-09")
    act(game, "choose sa-09", "reveal sa-09", "choose option 1")
    assert (game.trash, game.seat(0).owned["sa-09"]) == ({}, 1)


def test_gains_from_the_trash():
    """G-7: a gain like any other, and the card leaves the trash; a passed card is no gain."""
    game = act(play("in-14", ["pcb-08"], trash=[SAKE]), "choose option 2")
    assert (game.trash, game.seat(0).deck_top) == ({}, [SAKE])
    passed = act(play("eosd-03", [COIN, COIN], others=[{"hand": ["pcb-08", ONE]}]), f"choose {ONE}")
    assert passed.question != "may"


def test_copies_come_from_a_pile():
    """G-8: a card without a pile gives none."""
    game = act(play("pcb-01", others=[{"deck": ["sa-21"]}]), "choose option 2")
    assert game.seat(0).owned == {"pcb-01": 1}


def test_costs_are_those_of_now():
    """G-9, G-10: "up to" is at most, "exactly" exactly, by the cost now; a trashed card's cost is that of the moment."""
    game = play("eosd-16", in_play=["sa-12", "sa-12"], kingdom=["sa-12", "eosd-08"])
    assert {"choose omiki", "choose eosd-08", f"choose {THREE}"} <= set(game.legal())
    assert play("eosd-02", [SAKE], in_play=["sa-12"], kingdom=["sa-12"]).coins == 5


def test_returned_cards_refill_a_pile():
    """G-11: up to 2 go back, also to an empty pile; then the others gain in turn order."""
    game = play("in-19", [MINUS, MINUS], others=[{}, {}], supply={MINUS: 0})
    act(game, f"choose {MINUS}", f"choose {MINUS}")
    assert [seat.owned.get(MINUS, 0) for seat in game.seats] == [0, 1, 1]


def test_trashing_from_a_hand_is_at_once():
    """X-1, X-2 (s30, s45): all leave together; then each card's text, carried out by its owner; only then what trashed them goes on."""
    game = act(play("in-11", ["sa-20", "sa-18", COIN], deck=[SAKE, RICE]), "choose option 3", "choose option 2", "choose sa-20")
    assert game.question == "gain"  # sa-18 is asked for; the deck was drawn from for sa-20 before or is after
    act(game, f"choose {RICE}")
    assert game.seat(0).owned == {"in-11": 1, SAKE: 1, RICE: 2, COIN: 1}
    theirs = play("sa-08", others=[{"deck": ["sa-18"]}])
    assert theirs.asking == 1


def test_the_trash_is_open():
    """X-4 (s49): everybody sees it, and the piles."""
    game = table(seats=[{}], trash=[SAKE, SAKE])
    assert decode(game.observe(1), words=True)["trash"] == {SAKE: 2}
    assert decode(game.observe(1), words=True)["supply"][SAKE] == 28


def test_texts_on_buying_belong_to_the_purchase():
    """G-2 (s43): they happen though the gain is replaced, and not with another kind of gain."""
    game = buy(table(seats=[{"hand": ["in-23", SAKE]}], kingdom=["sa-13"], turn={"coins": 6, "phase": "purchases"}), "sa-13")
    assert game.question == "trash"  # sa-13's own text, before in-23 is asked
    act(game, f"choose {SAKE}", "pass", "reveal in-23")
    assert game.seat(0).owned == {"in-23": 1, SIX: 1, RICE: 1}
    gained = act(play("eosd-23", kingdom=["mof-09"], in_play=[SAKE]), "choose mof-09")
    assert (gained.trash, gained.seat(0).in_play) == ({"eosd-23": 1}, {SAKE: 1})


def test_exactly_is_by_the_cost_of_now():
    """G-9: with sa-12 in play a 1-VP card costs 1, and exactly 1 more is what costs 2 now."""
    game = play("sa-04", [ONE], in_play=["sa-12"], kingdom=["sa-12", "eosd-16", "eosd-22"])
    assert {f"choose {RICE}", "choose eosd-16"} <= set(game.legal())
    assert {"choose eosd-22", f"choose {COIN}", f"choose {THREE}"} & set(game.legal()) == set()


# ---------------------------------------------------------------- A, R: attacks, durations


def test_all_reactions_of_a_seat_come_before_the_next_seat():
    """A-1, A-2, A-5 (s35, s36, s40): from the left on, any number in any order; one that a reaction has drawn may be shown too."""
    others = [{"hand": ["sa-17", COIN], "deck": ["eosd-11", COIN]}, {"hand": ["eosd-11"]}]
    game = play("eosd-06", others=others)
    act(game, "reveal sa-17", f"choose {COIN}", f"choose {COIN}")
    assert (game.asking, game.legal()) == (1, ["pass", "reveal eosd-11"])
    act(game, "reveal eosd-11")
    assert game.asking == 2
    assert [seat.owned.get(MINUS, 0) for seat in act(game, "pass").seats] == [0, 0, 1]


def test_two_copies_are_shown_twice():
    """A-3: sa-17 once for each copy in hand, and no more."""
    game = play("eosd-06", others=[{"hand": ["sa-17", "sa-17"], "deck": [COIN] * 4}])
    act(game, "reveal sa-17", f"choose {COIN}", f"choose {COIN}", "reveal sa-17", f"choose {COIN}", f"choose {COIN}")
    assert (game.asking, game.seat(1).owned[MINUS]) == (0, 1)


def test_unaffected_means_no_good_either():
    """A-4: eosd-11 shown against mof-05: neither the card drawn nor the discards."""
    game = act(play("mof-05", others=[{"hand": ["eosd-11"], "deck": [SAKE]}]), "reveal eosd-11")
    assert (game.seat(1).hand, game.seat(1).deck_top) == ({"eosd-11": 1}, [SAKE])


def test_each_time_an_attack_is_played_it_can_be_answered():
    """P-4, A-4: played 3 times it opens 3 windows; unaffected is that one play."""
    game = act(play("mof-02", ["eosd-06"], others=[{"hand": ["eosd-11"]}]), "choose eosd-06", "reveal eosd-11", "pass", "pass")
    assert game.seat(1).owned == {"eosd-11": 1, MINUS: 2}


def test_a_card_played_again_knows_nothing_of_the_time_before():
    """P-4, C-5: in-01 played 3 times by mof-02; one 6-VP card was shown, so there is one prize."""
    game = act(play("mof-02", ["in-01", SIX], deck=[COIN] * 10, others=[{"hand": [COIN] * 5}]), "choose in-01", f"reveal {SIX}")
    act(game, f"choose {THREE}")
    assert (game.question, game.coins, game.seat(0).owned[THREE]) == ("resources", 3, 1)


def test_the_longest_chain_of_texts_is_carried_out():
    """X-1: 10 mof-02 and 10 sa-01 play each other and at last pcb-21; each of 10 sa-06 answers the Sake that pcb-08 trashes."""
    game = play("mof-02", [*["mof-02"] * 9, *["sa-01"] * 10, "pcb-21", "pcb-08", *["sa-06"] * 10, COIN])
    act(game, *["choose mof-02"] * 9, *["choose sa-01"] * 10, "choose pcb-21", f"choose {COIN}", "pass")
    while game.question == "may":
        act(game, "choose option 1")
    assert (game.trash, game.seat(0).discard) == ({COIN: 1, SAKE: 10}, {"sa-06": 10})


def test_the_attacker_chooses_for_each_seat_in_turn():
    """A-7: which card is trashed; after all seats, which of them to gain."""
    game = play("eosd-05", others=[{"deck": [SAKE, RICE]}, {"deck": [COIN, RICE]}])
    act(game, f"choose {SAKE}", f"choose {RICE}")
    assert game.legal() == ["pass", f"choose {RICE}", f"choose {SAKE}"]
    act(game, f"choose {SAKE}", "pass")
    assert (game.trash, game.seat(0).discard) == ({RICE: 1}, {SAKE: 1})


def test_in_04_comes_back_at_the_next_start():
    """A-8, R-2 (s38): with a card drawn, an extra turn counting too."""
    game = play("eosd-06", others=[{"hand": ["in-04"], "deck": [COIN, RICE]}])
    assert end_turn(act(game, "reveal in-04")).seat(1).hand == {"in-04": 1, COIN: 1}


def test_durations_of_this_turn_and_of_the_last_lie_apart():
    """R-1, R-3, R-4 (s37, s39): played 3 times it works 3 times next turn, and what played it stays with it."""
    game = act(play("mof-02", ["mof-16"], deck=[COIN] * 5, others=[{}]), "choose mof-16")
    assert game.coins == 6
    end_turn(end_turn(game))
    assert (game.coins, game.seat(0).lasting) == (6, {"mof-02": 1, "mof-16": 1})
    assert end_turn(game).seat(0).in_play == {}


def test_texts_of_clean_up_are_ordered_by_their_owner():
    """R-5, R-6, N-1: in-02 and sp-14 in play: which is asked first is said by the one who played them."""
    game = table(seats=[{"in_play": ["in-02", "sp-14"], "deck": [COIN] * 5}], turn={"phase": "purchases", "coins": 0})
    act(game, "pass")
    assert (game.question, game.legal()) == ("order", ["choose in-02", "choose sp-14"])


# ---------------------------------------------------------------- N: several things at once


def test_texts_of_several_seats_come_in_turn_order():
    """N-2, N-4: in-15 gives Minus from the left on; what is not "may" is done without a question."""
    game = buy(table(seats=[{}, {}, {}], kingdom=["in-15"], supply={MINUS: 1}, turn={"coins": 5}), "in-15")
    assert [seat.owned.get(MINUS, 0) for seat in game.seats] == [0, 1, 0]


def test_nobody_is_told_before_all_have_chosen():
    """N-3: the second to pass a card sees nothing of the first's."""
    game = play("eosd-03", [SAKE, COIN], others=[{"hand": [ONE, COIN]}])
    before = game.observe(1).copy()
    one, two = act(game.clone(), f"choose {SAKE}"), act(game.clone(), f"choose {COIN}")
    assert (one.observe(1) == two.observe(1)).all()
    assert (before != one.observe(1)).any()


def test_forced_answers_are_taken_unless_asked_for():
    """N-4: with `ask_forced` a single answer is asked."""
    assert play("eosd-02", [COIN]).trash == {COIN: 1}
    assert play("eosd-02", [COIN], ask_forced=True).legal() == [f"choose {COIN}"]


# ---------------------------------------------------------------- H: knowledge


def test_what_is_open_and_what_is_not():
    """H-1, H-2, H-3 (s46, s47): hand sizes and tops are open; own deck and discard are known together; sizes follow from play."""
    seats = [{"hand": [COIN], "deck": [SAKE, ONE], "discard": [RICE, COIN]}, {"hand": [SAKE, SIX]}]
    mine, theirs = (decode(table(seats=seats).observe(seat), words=True) for seat in (0, 1))
    assert mine["owned"][0] == {COIN: 2, SAKE: 1, ONE: 1, RICE: 1}
    assert mine["hand"] == {COIN: 1}
    assert theirs["sizes"][1] == {"hand": 1, "deck": 2, "discard": 2}
    assert (theirs["discard_top"], theirs["known_hand"]) == ({1: COIN}, {})


def test_a_passed_card_is_known_to_two():
    """H-4: to the third it is a card of either until it is seen."""
    game = play("eosd-03", [SAKE], others=[{"hand": [ONE, COIN]}, {"hand": [RICE, COIN]}])
    act(game, f"choose {ONE}", f"choose {RICE}")
    seen = decode(game.observe(0), words=True)  # seat 1 has passed a 1-VP card to seat 2, unseen by seat 0
    assert (seen["owned"][1].get(ONE), seen["owned"][2].get(ONE), seen["passed"]) == (1, None, {1: 1})
    assert decode(game.observe(2), words=True)["owned"][0][ONE] == 1
    worlds = [resample(game, 0, seed).seat(2).hand for seed in range(40)]
    assert len({tuple(sorted(hand.items())) for hand in worlds}) > 1


def test_cards_put_on_a_deck_openly_are_known_to_all():
    """H-5: those put there unseen, to who did it."""
    openly = play("eosd-24")
    assert decode(openly.observe(1), words=True)["known_top"] == {1: [RICE]}
    hidden = act(play("pcb-13", [SAKE], deck=[COIN] * 3), f"choose {SAKE}")
    assert decode(hidden.observe(1), words=True)["known_top"] == {}
    assert decode(hidden.observe(0), words=True)["known_top"] == {0: [SAKE]}


def test_a_known_card_stays_known_until_it_may_have_left():
    """H-6: a Rice gained to the hand is known to all; after one unseen card has left it may be gone."""
    game = play("pcb-24", ["pcb-13", COIN], turn={"actions": 2}, deck=[SAKE] * 3)
    assert decode(game.observe(1), words=True)["known_hand"] == {1: {RICE: 1}}
    act(game, "play pcb-13", f"choose {COIN}")
    assert decode(game.observe(1), words=True)["known_hand"] == {}


def test_a_question_is_nobody_elses():
    """H-7, H-8, H-9: what a seat is asked stands in no other row, and draws are known to who drew."""
    game = play("eosd-06", deck=[SAKE, ONE], others=[{"hand": ["eosd-11"]}])
    assert decode(game.observe(1), words=True)["question"] == "reaction"
    assert decode(game.observe(0), words=True)["question"] is None
    assert "seat 0 draws a card" in list(play("eosd-08", deck=[SAKE, ONE]).log.of(1))
    assert "seat 0 draws omiki" in list(play("eosd-08", deck=[SAKE, ONE]).log.of(0))


# ---------------------------------------------------------------- E: the end


@pytest.mark.parametrize(
    ("supply", "optional", "over"),
    [
        ({SIX: 0}, False, True),
        ({RICE: 0, SAKE: 0}, False, False),
        ({RICE: 0, SAKE: 0, MINUS: 0}, False, True),
        ({"gensoukyou": 0}, True, True),
    ],
)
def test_the_end(supply, optional, over):
    """E-1, E-2 (s50, s51): judged after clean-up: no 6-VP, or no 10-VP, or three empty piles of the supply."""
    game = table(seats=[{"hand": [COIN]}], supply=supply, optional_cards=optional)
    assert not game.over
    assert end_turn(game).over == over


def test_prizes_count_for_no_end():
    """E-2 (s51): two empty piles and no prize left: the game goes on."""
    assert not end_turn(table(seats=[{}], supply={RICE: 0, SAKE: 0, **dict.fromkeys(box.PRIZE_IDS, 0)}, kingdom=["in-01"])).over


def test_all_cards_one_owns_count():
    """E-3, E-4 (s41, s52): deck, hand, discard, in play and set aside; a card of two types is each of them."""
    game = table(seats=[{"hand": [ONE], "deck": [THREE], "discard": [SIX], "in_play": ["pcb-17"], "aside": [SIX, MINUS]}])
    assert game.points[0] == 1 + 3 + 6 + 2 + 6 - 1
    two_types = play("pcb-19", deck=[COIN] * 2, others=[{"deck": ["mof-15"]}])
    assert two_types.seat(0).hand == {COIN: 2}


def test_equal_points_and_turns():
    """E-5, E-6 (s53): fewer turns wins; else those who tie get 0 and others -1."""
    seats = [{"hand": [SIX], "turns": 4}, {"hand": [SIX], "turns": 3}, {"hand": [THREE], "turns": 3}]
    fewer = end_turn(table(seats=seats, players=3, supply={SIX: 0}, turn={"number": 10}))
    assert (fewer.outcome, fewer.winners, fewer.rewards()) == ("won", [1], [-1.0, 1.0, -1.0])
    seats[1]["turns"] = 4
    tied = end_turn(table(seats=seats, players=3, supply={SIX: 0}, turn={"number": 11}))
    assert (tied.outcome, tied.winners, tied.rewards()) == ("draw", [0, 1], [0.0, 0.0, -1.0])
    cut = Game.new(2, 1, max_turns=3)
    for _ in range(3):
        end_turn(cut)
    assert (cut.outcome, cut.rewards()) == ("truncated", [0.0, 0.0])


# ---------------------------------------------------------------- C, M: single cards, the machine


def test_readings_of_single_cards():
    """C-1, C-2, C-4, C-8: eosd-02 pays the cost, not one more; eosd-15 discards one's own hand first; pcb-20 trashes first."""
    assert play("eosd-02", [COIN]).coins == 0
    lines = list(act(play("eosd-15", [COIN], deck=[RICE] * 4, others=[{"hand": [ONE] * 5}]), "choose option 2").log)
    assert lines.index("seat 0 discards osaisen") < lines.index("seat 1 discards hakurei")
    assert play("pcb-20", deck=[COIN, COIN]).trash == {COIN: 1}


def test_a_card_is_named_among_those_of_the_game():
    """C-6, C-10: basic, kingdom, chirei cards and prizes, also one that nobody has."""
    game = play("in-03", kingdom=["in-01"])
    named = {name.removeprefix("choose ") for name in game.legal()}
    assert named == {*game.supply, *box.PRIZE_IDS}


def test_many_fixed_places():
    """M-1, M-2: a deck remembers 64 places, a table 27 kinds; with more, the lowest lose their order and no card is lost."""
    seat = {"deck": [COIN] * 20 + [RICE] * 40, "in_play": [COIN] * 10}
    game = buy(table(seats=[seat], kingdom=["sa-05"], turn={"phase": "purchases", "coins": 5, "buys": 2}), "sa-05")
    assert (sum(game.seat(0).deck.values()), len(game.seat(0).deck_top)) == (70, st.TOP_ROOM)
    assert len(ShisorokuConfig().kingdom_ids) == 10


# ---------------------------------------------------------------- all of them


RULINGS = {"S": 9, "T": 8, "P": 7, "D": 8, "G": 13, "X": 4, "A": 8, "R": 6, "N": 4, "H": 9, "E": 6, "C": 11, "M": 2}


def test_every_ruling_and_every_statement_is_cited():
    """A ruling without a test would go unnoticed, and so would one that the page of rulings lacks."""
    page = (HERE.parents[2] / "docs" / "shisoroku" / "rules.md").read_text("utf-8")
    listed = re.findall(r"^- \*\*([A-Z]-\d+)\*\*", page, re.MULTILINE)
    assert Counter(listed) == {f"{chapter}-{number}": 1 for chapter, most in RULINGS.items() for number in range(1, most + 1)}
    text = "\n".join(path.read_text("utf-8") for path in sorted(HERE.glob("test_*.py")))
    rulings = {f"{chapter}-{number}" for chapter, most in RULINGS.items() for number in range(1, most + 1)}
    assert rulings - set(re.findall(r"\b[A-Z]-\d+\b", text)) == set()
    assert {f"s{number}" for number in range(1, 54)} - set(re.findall(r"\bs\d+\b", text)) == set()


def test_every_card_has_a_test():
    """In box order, one for each kingdom card, chirei card and prize."""
    text = "\n".join(path.read_text("utf-8") for path in sorted(HERE.glob("test_cards_*.py")))
    named = re.findall(r"def test_((?:eosd|pcb|in|mof|sa|sp)(?:_\d+)+)", text)
    found = {f"{name.split('_')[0]}-{number}" for name in named for number in name.split("_")[1:]}
    assert {card.id for card in box.CARDS if card.kind != "basic"} - found == set()
