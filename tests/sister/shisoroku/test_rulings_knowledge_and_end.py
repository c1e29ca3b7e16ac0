"""What happens at once, what a seat may know, and the end, ruling by ruling: situations at a table."""

from collections import Counter

import pytest

from danmaku_env.sister.shisoroku import Game, ShisorokuConfig, decode, resample
from danmaku_env.sister.shisoroku.cards import words
from danmaku_env.sister.shisoroku.engine import state as st
from tests.sister.shisoroku.table import COIN, MINUS, ONE, RICE, SAKE, SIX, THREE, act, buy, end_turn, play, table


def view(game, seat):
    """What a seat sees, in words; seats are counted from its own."""
    return decode(game.observe(seat), words=True)


def hand_in_worlds(game, viewer, seat, worlds=60):
    """Hands that a seat has in worlds dealt anew for a viewer."""
    return [resample(game, viewer, seed).seat(seat).hand for seed in range(worlds)]


# ---------------------------------------------------------------- N: several things at once


def test_n_1_the_buyer_orders_what_happens_on_buying():
    """Mandatory and optional texts alike; the Sake of sp-09 first, or the Minus of a token."""
    game = table(seats=[{"in_play": ["sp-09", "sp-09"], "hand": ["sa-19"]}], kingdom=["sa-10"], turn={"coins": 5, "phase": "purchases"})
    buy(game, THREE)
    assert (game.question, game.legal()) == ("order", ["choose sp-09", "choose sa-19"])
    act(game, "choose sa-19", "choose option 1")
    assert (game.trash["sa-19"], game.seat(0).owned) == (2, {"sp-09": 2, SAKE: 2, THREE: 1})


def test_n_1_equal_texts_are_not_asked_for():
    """Two sp-09 do the same; two cards without a text, trashed at once beside sa-06, are alike."""
    game = buy(table(seats=[{"in_play": ["sp-09"] * 2}], turn={"coins": 5, "buys": 2, "phase": "purchases"}), THREE)
    assert (game.question, game.seat(0).owned) == ("buy", {"sp-09": 2, SAKE: 2, THREE: 1})
    alike = act(play("pcb-21", [ONE, COIN, "sa-06"]), f"choose {COIN}", f"choose {ONE}", "pass")
    assert alike.question == "may"


def test_n_1_cards_trashed_at_once_speak_in_the_order_of_their_owner():
    """X-1: sa-18 before sa-15: the card gained is drawn, for the deck is empty; the other way round it is not."""
    game = act(play("pcb-21", ["sa-18", "sa-15"]), "choose sa-15", "choose sa-18")
    assert (game.question, game.legal()) == ("order", ["choose sa-15", "choose sa-18"])
    first, last = act(game.clone(), "choose sa-18", f"choose {RICE}"), act(game.clone(), "choose sa-15", f"choose {RICE}")
    assert (first.seat(0).hand, first.seat(0).discard) == ({RICE: 1}, {})
    assert (last.seat(0).hand, last.seat(0).discard) == ({}, {RICE: 1})


@pytest.mark.parametrize("trashed", ["sa-20", "sa-15"])
def test_x_1_a_reaction_drawn_by_the_text_of_a_trashed_card_answers_it(trashed):
    game = play("eosd-21", [trashed], deck=["sa-06"])
    assert (game.question, game.cause, game.seat(0).hand) == ("may", "sa-06", {"sa-06": 1})
    assert act(game, "choose option 1").seat(0).discard[SAKE] == 1


def test_x_1_it_also_answers_what_was_trashed_with_it_and_comes_later():
    """In the order of their owner: the card without a text first, before there is a reaction, or last."""
    for first, answered in ((COIN, 1), ("sa-15", 2)):
        game = act(play("pcb-21", ["sa-15", COIN, "eosd-08", "eosd-20"], deck=["sa-06", "sa-06"]), "choose sa-15", f"choose {COIN}", "pass")
        act(game, f"choose {first}")
        asked = 0
        while game.question == "may":
            assert game.cause == "sa-06"
            act(game, "pass")
            asked += 1
        assert asked == answered


def test_g_2_a_reaction_drawn_while_texts_answer_a_purchase_is_asked_too():
    seats = [{"hand": ["sa-20", COIN], "deck": ["sa-19"]}]
    game = buy(table(seats=seats, kingdom=["sa-13", "eosd-01"], turn={"coins": 9}), "sa-13")
    act(game, "choose sa-20", "choose eosd-01")
    assert (game.cause, game.seat(0).hand.get("sa-19")) == ("sa-19", 1)


def test_n_2_several_seats_answer_in_turn_order():
    """In the turn of seat 2 of 4: its left neighbour first, seat 1 last."""
    hands = [{"hand": [ONE]}, {"hand": [ONE]}, {"hand": ["sa-14"]}, {"hand": [ONE]}]
    game, asked = act(table(seats=hands, turn={"seat": 2}), "play sa-14", "choose option 3"), []
    while game.question == "trash":
        asked.append(game.asking)
        act(game, "pass")
    assert asked == [3, 0, 1]


def test_n_3_an_empty_hand_passes_nothing_and_receives():
    """Three seats, the second without a card."""
    game = act(play("eosd-03", [SAKE, COIN], others=[{}, {"hand": [ONE, RICE]}]), f"choose {SAKE}", f"choose {RICE}")
    assert [seat.hand for seat in game.seats] == [{COIN: 1, RICE: 1}, {SAKE: 1}, {ONE: 1}]
    assert "pass" in game.legal()  # now one may be trashed


def test_n_4_only_may_is_asked():
    """mof-13 discards without asking where the hand leaves no choice; sa-19 asks though nothing else is to be done."""
    assert play("mof-13", deck=[ONE] * 5).seat(0).discard == {ONE: 3}
    assert play("mof-13", deck=[ONE] * 5, ask_forced=True).question == "discard"
    game = buy(table(seats=[{"hand": ["sa-19"]}], turn={"coins": 5, "phase": "purchases"}), THREE)
    assert game.legal() == ["pass", "choose option 1"]


# ---------------------------------------------------------------- H: knowledge


def test_h_1_open_to_all():
    """s47, s49: supply, trash, play, cards aside, hand sizes, tops, tokens, and what the one whose turn it is has left."""
    seats = [{"hand": ["sa-10"], "discard": [ONE, RICE], "aside": [SIX], "turns": 3}, {"hand": [COIN] * 4, "lasting": ["sp-11"]}]
    game = act(table(seats=seats, trash=[SAKE], turn={"actions": 2, "buys": 3, "coins": 4, "number": 6}), "play sa-10", f"choose {SIX}")
    seen = view(game, 1)
    assert (seen["tokens"], seen["trash"], seen["aside"]) == ({SIX: 1}, {SAKE: 1, "sa-10": 1}, {1: {SIX: 1}})
    assert (seen["buys"], seen["coins"], seen["turns"], seen["discard_top"]) == (3, 6, {1: 3}, {1: RICE})
    assert (seen["supply"][SAKE], seen["lasting"]) == (29, {0: {"sp-11": 1}})
    assert view(game, 0)["sizes"][1]["hand"] == 4


def test_h_2_nobody_may_look_into_a_deck_or_under_the_top():
    """s46, s48: where a card lies in one's own deck or discard pile no row says, only what is in both together."""
    one = table(seats=[{"deck": [SAKE, ONE], "discard": [RICE, COIN]}, {}])
    other = table(seats=[{"deck": [ONE, RICE], "discard": [SAKE, COIN]}, {}])
    for seat in (0, 1):
        assert (one.observe(seat) == other.observe(seat)).all()
    assert view(one, 0)["owned"][0] == {SAKE: 1, ONE: 1, RICE: 1, COIN: 1}


def test_h_3_sizes_follow_from_open_events():
    """Drawn two of three, one discarded: others know it."""
    game = act(play("pcb-22", [SAKE], deck=[ONE, ONE, ONE]), f"choose {SAKE}", "pass")
    assert view(game, 1)["sizes"][1] == {"hand": 1, "deck": 2, "discard": 1}


def test_h_4_a_passed_card_is_told_when_it_is_seen():
    """Seat 2 plays what seat 1 has passed: from then on all know that it is seat 2's."""
    game = play("eosd-03", [SAKE], others=[{"hand": [RICE, COIN]}, {"hand": [ONE, ONE], "deck": [COIN] * 5}])
    act(game, f"choose {RICE}", "pass")
    assert view(game, 0)["owned"][1] == {SAKE: 1, COIN: 1, RICE: 1}  # as far as seat 0 can tell
    while game.turn != 2:
        end_turn(game)
    act(game, f"play {RICE}")
    seen = view(game, 0)
    assert (seen["owned"][1], seen["owned"][2][RICE], seen["passed"]) == ({SAKE: 1, COIN: 1}, 1, {})


def test_h_5_a_known_card_of_a_deck_is_followed_into_the_hand():
    """The Rice that eosd-24 puts on the deck is drawn: all know that it is in the hand; a shuffle ends it."""
    game = act(play("eosd-24", ["eosd-20"], deck=[COIN], turn={"actions": 2}), "play eosd-20")
    assert (view(game, 1)["known_hand"], view(game, 1)["known_top"]) == ({1: {RICE: 1}}, {})
    assert all(hand.get(RICE) == 1 for hand in hand_in_worlds(game, 1, 0, 10))
    turned = act(play("eosd-24", ["eosd-12"], turn={"actions": 2}, deck=[COIN] * 3), "play eosd-12", "choose option 1")
    assert view(turned, 1)["known_top"] == {}


def test_h_5_what_was_looked_at_is_known_to_one():
    """mof-07 looks at 5 and puts them back: their owner knows the order, nobody else a card of it."""
    game = act(play("mof-07", deck=[RICE, SAKE, ONE]), "choose option 2", f"choose {ONE}", f"choose {RICE}")
    assert view(game, 0)["known_top"] == {0: [SAKE, RICE, ONE]}
    assert view(game, 1)["known_top"] == {}
    tops = {tuple(resample(game, 1, seed).seat(0).deck_top) for seed in range(40)}
    assert len(tops) == 6
    assert {tuple(resample(game, 0, seed).seat(0).deck_top) for seed in range(10)} == {(SAKE, RICE, ONE)}


def test_h_6_one_unseen_card_less_is_one_known_card_less():
    """Two Rice known in a hand; one card goes unseen on the deck: one Rice is still known; played openly none is in doubt."""
    game = play("pcb-24", ["pcb-24", "pcb-13", COIN], turn={"actions": 3}, deck=[SAKE] * 3)
    act(game, "play pcb-24")
    assert view(game, 1)["known_hand"] == {1: {RICE: 2}}
    act(game, "play pcb-13", f"choose {COIN}")
    assert view(game, 1)["known_hand"] == {1: {RICE: 1}}
    assert all(hand.get(RICE, 0) >= 1 for hand in hand_in_worlds(game, 1, 0, 20))
    act(game, f"play {RICE}")
    assert view(game, 1)["known_hand"] == {}


def test_h_7_a_world_keeps_what_is_known_and_deals_the_rest():
    """Owned cards, open zones and sizes stay; of a hand of 2 out of 4 unseen cards every pair comes up, as often as it should."""
    seats = [{}, {"hand": [SAKE, ONE], "deck": [RICE, COIN], "discard": [THREE], "in_play": [], "aside": [SIX]}]
    game = table(seats=seats)
    hands = hand_in_worlds(game, 0, 1, 600)
    counted = {}
    for hand in hands:
        counted[tuple(sorted(hand))] = counted.get(tuple(sorted(hand)), 0) + 1
    assert len(counted) == 6
    assert all(60 < times < 145 for times in counted.values())
    world = resample(game, 0, 1)
    assert (world.seat(1).owned, world.seat(1).discard, world.seat(1).aside) == (game.seat(1).owned, {THREE: 1}, {SIX: 1})
    assert (world.observe(0) == game.observe(0)).all()


@pytest.mark.parametrize(("hand", "answers"), [(["sa-11"], ["play sa-11"]), (["in-25", "eosd-15"], ["play in-25", "play eosd-15"])])
def test_h_7_a_hand_that_all_have_seen_is_seen_in_the_discard_pile(hand, answers):
    """Two 6-VP cards shown in the hand go there with it, at clean-up or by eosd-15: no world has them in the next hand."""
    game = table(seats=[{"hand": [COIN]}, {"hand": [*hand, SIX, SIX], "deck": [COIN] * 10}], turn={"seat": 1, "actions": 2})
    act(game, *answers)
    end_turn(game) if game.question != "option" else act(game, "choose option 2")
    assert game.record["open_discard"].sum() == 2 + (game.turn == 0)
    assert not any(hand.get(SIX) for hand in hand_in_worlds(game, 0, 1))


@pytest.mark.parametrize("given", [RICE, SIX])
def test_h_7_a_card_passed_unseen_is_any_card_of_its_giver(given):
    """Each of six cards as often, whichever it was: two 1-VP were in the deck then, so a sixth each, and a third for those."""
    giver = {"hand": ["eosd-03", COIN, RICE, SAKE, SIX], "deck": [ONE] * 2}
    game = act(table(seats=[giver, {"hand": [MINUS]}, {"hand": [THREE]}]), "play eosd-03", f"choose {given}")
    worlds = [resample(game, 2, seed) for seed in range(600)]
    found = Counter(card for world in worlds for card in world.seat(1).hand if card != MINUS)
    assert found.total() == 600
    assert all(abs(found[card] - share) < 60 for card, share in {COIN: 100, RICE: 100, SAKE: 100, SIX: 100, ONE: 200}.items()), found


def test_h_7_a_card_openly_on_a_deck_that_is_turned_over_lies_in_the_discard_pile():
    other = {"hand": ["eosd-11", COIN, COIN, COIN]}
    game = play("eosd-24", ["eosd-12", "eosd-07", COIN, ONE], deck=[COIN] * 3, turn={"actions": 3}, others=[other])
    act(game, "pass", "play eosd-12", "choose option 1", "play eosd-07")
    assert all(resample(game, 1, seed).seat(0).discard.get(RICE) for seed in range(100)), "the gained Rice, which was put on the deck"


def test_h_7_a_card_openly_shuffled_into_a_deck_is_not_in_the_hand():
    seats = [{"hand": [COIN, ONE, ONE, ONE], "deck": [SAKE] * 4, "discard": ["eosd-07"]}, {"hand": ["eosd-11", COIN]}]
    game = buy(table(seats=seats, kingdom=["sa-09"], turn={"coins": 9, "buys": 2}), "sa-09")
    while game.question == "choose":
        game.act(next(answer for answer in game.legal() if answer != "pass"))
    assert game.seat(0).discard == {}
    for seed in range(100):
        hand = resample(game, 1, seed).seat(0).hand
        assert not {"eosd-07", "sa-09"} & set(hand)


def test_h_7_the_unseen_order_of_ones_own_deck_is_dealt_anew():
    """H-2: the cards stay, for their owner knows them; what it has looked at stays where it is."""
    game = act(play("mof-07", [RICE, "eosd-08"], deck=[SAKE, RICE, COIN, ONE, ONE, SIX, THREE]), "choose option 2")
    act(game, *["choose " + card for card in (COIN, RICE, SAKE)])
    worlds = [resample(game, 0, seed) for seed in range(30)]
    decks = {tuple(world.seat(0).deck_top) for world in worlds}
    assert {(deck[:5], tuple(sorted(deck[5:]))) for deck in decks} == {((ONE, ONE, SAKE, RICE, COIN), (THREE, SIX))}
    assert len(decks) == 2
    assert all((world.observe(0) == game.observe(0)).all() and world.seat(0).hand == game.seat(0).hand for world in worlds)


def test_h_7_what_is_picked_stays_and_what_only_looks_like_it_does_not():
    """Two cards that sp-02 looks at are picked, so they lie there in every world; a kind that leaves play may be in the hand or not."""
    looking = play("sp-02", deck=[COIN, COIN, RICE, SAKE, ONE, THREE, SIX, SIX])
    act(looking, f"choose {RICE}", f"choose {SAKE}")
    for seed in range(20):
        assert (resample(looking, 1, seed).record["laid"] >= looking.record["marked"]).all()
    game = table(seats=[{"in_play": ["eosd-08", "eosd-20"], "hand": ["eosd-08", COIN], "deck": [RICE] * 6}], ask_order=True)
    while game.question != "top":
        act(game, "pass")
    assert {hand.get("eosd-08", 0) for hand in hand_in_worlds(game, 1, 0)} == {0, 1}


def test_h_8_what_a_finished_text_has_picked_is_nobodys_picked_card():
    """Seat 0 has shown the in-15 that mof-09 copies; seat 1 is asked for the Minus: its own in-15 is neither picked nor known."""
    other = {"hand": ["pcb-08", "in-15", COIN, RICE], "deck": [COIN, RICE] * 4, "discard": [COIN]}
    game = act(play("mof-09", ["in-15"], deck=[COIN] * 5, others=[other]), "reveal in-15")
    assert (game.asking, view(game, 1)["picked"]) == (1, {})
    assert {hand.get("in-15", 0) for hand in hand_in_worlds(game, 0, 1)} == {0, 1}


def test_h_8_looking_and_choosing_is_nobody_elses():
    """Seat 1 looks and is asked: seat 0 sees no card, no question, no answers; a reaction not shown is not told."""
    game = play("pcb-20", deck=[SAKE, ONE, RICE])
    assert (game.question, view(game, 0)["laid"]) == ("trash", {SAKE: 1, ONE: 1, RICE: 1})
    assert (view(game, 1)["laid"], view(game, 1)["question"], view(game, 1)["picked"]) == ({}, None, {})
    assert [line for line in game.log.of(1) if "looks" in line] == ["seat 0 looks at a card"] * 3
    with_it, without = (play("eosd-06", others=[{"hand": [card]}]) for card in ("eosd-11", COIN))
    act(with_it, "pass")
    assert (list(with_it.log.of(0))) == list(without.log.of(0))


def test_h_8_the_order_of_discards_tells_nothing():
    """s28: with `ask_order` the card that is put on top is told first, so its place says nothing of those under it."""
    game = play("eosd-22", [COIN, RICE, SAKE], ask_order=True, deck=[ONE] * 3)
    act(game, f"choose {COIN}", f"choose {RICE}", f"choose {SAKE}", f"choose {RICE}")
    told = [line for line in game.log.of(1) if "discards" in line]
    assert told == ["seat 0 discards hounoumai", "seat 0 discards a card", "seat 0 discards a card"]


def test_h_9_draws_are_known_to_who_drew():
    """Also those of another seat's card."""
    game = play("eosd-18", deck=[COIN] * 4, others=[{"deck": [SAKE]}, {"deck": [RICE]}])
    assert ["seat 1 draws omiki" in list(game.log.of(seat)) for seat in range(3)] == [False, True, False]
    assert view(game, 2)["hand"] == {RICE: 1}


# ---------------------------------------------------------------- E: the end


def test_e_1_judged_when_the_turn_is_over_also_before_an_extra_one():
    """s50: the last 6-VP is bought, and the turn goes on; the extra turn of pcb-02 is not begun."""
    game = play("pcb-02", turn={"coins": 16, "buys": 2}, supply={SIX: 1})
    buy(game, SIX)
    assert not game.over
    end_turn(game)
    assert (game.over, game.turn_number, game.winners) == (True, 1, [0])


def test_e_2_a_pile_that_was_refilled_counts_as_it_is_then():
    """s51: in-19 returns a card to the third empty pile, and nobody gains it: the game goes on."""
    empty = {RICE: 0, MINUS: 0, "eosd-08": 0}
    game = act(play("in-19", ["eosd-08"], others=[{"hand": ["eosd-11"]}], supply=empty), "reveal eosd-11", "choose eosd-08")
    assert game.supply["eosd-08"] == 1
    assert not end_turn(game).over
    assert end_turn(table(seats=[{}], supply=empty)).over


def test_e_3_cards_set_aside_count_face_up_or_down():
    """s52: also what pcb-07 hides, and in-04 that waits for the next turn."""
    game = act(play("pcb-07", [SIX, COIN], deck=[COIN], others=[{"hand": [ONE]}]), f"choose {SIX}")
    assert (game.points, game.seat(0).hand.get(SIX)) == ([6, 1], None)


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        (["eosd-10"] + [COIN] * 8, 0),
        (["eosd-10"] + [COIN] * 9, 1),
        (["sp-03"] * 3, 0),
        (["sp-03"] * 3 + ["pcb-17"], 3 + 2),
        (["sp-03"] * 3 + [MINUS], -1),
        (["pcb-09"] * 2 + [THREE] * 3, 6 + 9),
    ],
)
def test_e_4_rounded_down_and_two_types(cards, points):
    """s41, s52: 1 per 10 cards, 1 per 4 victory cards (two types count, Minus does not), 1 per 3-VP."""
    assert table(seats=[{"discard": cards}]).points[0] == points


def test_e_5_an_extra_turn_is_not_counted():
    """s53: equal points, one had an extra turn more: still as many turns, so they tie."""
    game = play("pcb-02", [SIX], others=[{"hand": [SIX], "turns": 1}], turns=1, supply={RICE: 0, SAKE: 0}, turn={"number": 2})
    end_turn(game)
    assert (game.turn, game.turn_number, game.seat(0).turns) == (0, 3, 1)
    ended = table(seats=[{"hand": [SIX], "turns": 4}, {"hand": [SIX], "turns": 4}], supply={SIX: 0}, turn={"number": 9, "extra": True})
    assert end_turn(ended).winners == [0, 1]


def test_e_6_points_are_told_never_paid():
    """A win by one point pays as much as one by ten; cut off by `max_turns` pays nobody."""
    for cards in ([ONE], [SIX, SIX]):
        assert end_turn(table(seats=[{"hand": cards}, {}], supply={SIX: 0})).rewards() == [1.0, -1.0]
    cut = end_turn(table(seats=[{"hand": [SIX]}, {}], turn={"number": 5}, max_turns=5))
    assert (cut.outcome, cut.winners, cut.rewards()) == ("truncated", [], [0.0, 0.0])


# ---------------------------------------------------------------- C: single cards


def test_c_1_texts_that_follow_the_japanese():
    """pcb-11: a purchase, a coin, all cards cheaper; in-04 gives a purchase; eosd-02 pays by the cost of the moment."""
    game = play("pcb-11")
    assert (game.buys, game.coins, game.cost(SIX), game.cost(COIN)) == (2, 1, 7, 0)
    assert play("in-04").buys == 2
    assert play("eosd-02", [SAKE], in_play=["sa-12"], kingdom=["sa-12"]).coins == 5


def test_c_2_drawing_up_to_a_number_stops_there():
    """pcb-08 to 6 without a choice; a hand that is full draws nothing; eosd-13 lays actions aside one by one."""
    assert sum(play("pcb-08", [COIN] * 2, deck=[ONE] * 9).seat(0).hand.values()) == 6
    assert play("pcb-08", [COIN] * 7, deck=[ONE]).seat(0).hand == {COIN: 7}
    game = act(play("eosd-13", [COIN] * 6, deck=["eosd-08", "eosd-08", "eosd-17"]), "choose option 1", "choose option 1", "pass")
    assert (game.seat(0).hand, game.seat(0).discard) == ({COIN: 6, "eosd-17": 1}, {"eosd-08": 2})


def test_c_3_the_one_who_plays_comes_first_and_decides_for_all():
    """eosd-14 at 3 seats: seat 0 is asked for itself, then for 1 and 2."""
    game = play("eosd-14", deck=[COIN, ONE], others=[{"deck": [RICE]}, {"deck": [SAKE]}])
    assert (game.asking, view(game, 2)["laid"]) == (0, {ONE: 1})
    act(game, "choose option 1")
    assert (game.asking, view(game, 2)["laid"]) == (0, {RICE: 1})
    act(game, "choose option 2", "choose option 1")
    assert [seat.discard for seat in game.seats] == [{ONE: 1}, {}, {SAKE: 1}]


def test_c_4_a_hand_without_a_victory_card_is_shown():
    """eosd-24: all of it is known from then on; of two victory cards the owner chooses."""
    game = play("eosd-24", others=[{"hand": [COIN, RICE]}])
    assert view(game, 0)["known_hand"] == {1: {COIN: 1, RICE: 1}}
    assert play("eosd-24", others=[{"hand": [ONE, SIX]}]).asking == 1


def test_c_5_all_reveal_from_the_one_who_plays_on_and_only_its_own_6_vp_goes():
    """in-01: seat 0 first, then 1, then 2; the prize by name, onto the deck; who has shown one keeps it."""
    game = play("in-01", [SIX], others=[{"hand": [SIX]}, {"hand": [SIX]}])
    order = []
    while game.question == "reveal":
        order.append(game.asking)
        act(game, f"reveal {SIX}")
    act(game, "choose in-28")
    assert (order, game.seat(0).deck_top, game.seat(0).discard) == ([0, 1, 2], ["in-28"], {SIX: 1})
    assert (game.seat(1).hand, game.coins) == ({SIX: 1}, 0)


def test_c_6_a_name_may_be_one_that_nobody_has():
    """in-24 with a card of the supply nobody owns: the first victory card of the deck is another."""
    game = act(play("in-24", deck=[COIN, THREE, SAKE], kingdom=["eosd-10"]), "choose eosd-10")
    assert game.trash == {THREE: 1}
    assert "choose sa-21" in play("in-24", deck=["sa-20"]).legal()


def test_c_7_a_copy_of_in_10_for_each_3_vp_by_anybody():
    """Gained by seat 1 in the turn of seat 0, it is seat 1 that is asked; with the pile of in-10 empty nobody is."""
    game = act(play("sa-14", others=[{"hand": ["eosd-17"]}], kingdom=["in-10"]), "choose option 3", "choose eosd-17", f"choose {THREE}")
    assert (game.asking, game.question, game.cause) == (1, "may", "in-10")
    assert act(game, "choose option 1").seat(1).discard == {THREE: 1, "in-10": 1}
    none_left = buy(table(seats=[{}], kingdom=["in-10"], supply={"in-10": 0}, turn={"coins": 5, "buys": 2, "phase": "purchases"}), THREE)
    assert none_left.question == "buy"


def test_c_8_names_count_once_and_two_types_twice():
    """pcb-19: two Coins are 2 coins; a resource that is a victory card gives both; mof-01 with one card: the neighbour takes that."""
    assert play("pcb-19", others=[{"deck": [COIN, COIN]}]).coins == 2
    both = play("pcb-19", deck=[ONE] * 2, others=[{"deck": ["pcb-17", COIN]}])
    assert (both.coins, both.seat(0).hand) == (4, {ONE: 2})
    assert play("mof-01", deck=[SAKE]).seat(0).discard == {SAKE: 1}


def test_c_9_an_extra_turn_is_the_last_one():
    """pcb-16 gains what the right neighbour gained in its last turn, if it costs at most 6 and its pile has one."""
    game = table(seats=[{"hand": [], "deck": [COIN] * 9}, {"hand": ["pcb-16"]}], kingdom=["pcb-02"], turn={"coins": 14, "buys": 2})
    buy(buy(game, SAKE), SIX)
    assert game.turn == 1
    act(game, "play pcb-16")
    assert game.seat(1).discard == {SAKE: 1}  # the 6-VP is too dear
    extra = play("pcb-02", deck=[COIN] * 9, others=[{"hand": ["pcb-16"]}], turn={"coins": 6})
    buy(extra, SAKE)
    assert (extra.turn, extra.turn_number) == (0, 2)
    assert act(end_turn(extra), "play pcb-16").seat(1).discard == {}


def test_c_10_alone_or_with_any_number():
    """pcb-23 goes aside alone with an empty hand; sa-09 may leave all actions in the discard pile."""
    assert play("pcb-23").seat(0).aside == {"pcb-23": 1}
    game = buy(table(seats=[{"discard": ["eosd-08"]}], kingdom=["sa-09"], turn={"coins": 5, "buys": 2}), "sa-09")
    assert act(game, "pass").seat(0).discard == {"eosd-08": 1, "sa-09": 1}


@pytest.mark.parametrize("card", ["sa-02", "sa-04", "sp-16"])
def test_c_11_nothing_trashed_nothing_gained_and_nothing_at_that_cost(card):
    """With an empty hand nothing comes; a Sake has nothing at exactly 7 in this kingdom, and is gone all the same."""
    assert play(card).seat(0).owned == {card: 1}
    game = play(card, [SAKE])
    while game.question == "option":
        act(game, "choose option 1")
    assert game.trash == {SAKE: 1}


# ---------------------------------------------------------------- M: the machine


def test_m_1_the_room_for_known_places():
    """64 places are kept; the Scenario says so too."""
    assert st.TOP_ROOM == 64
    assert len(table(seats=[{"deck": [COIN] * 46 + [RICE] * 18}]).seat(0).deck_top) == 64


def test_m_2_all_that_a_game_can_have():
    """4 seats, in-01 with its prizes, chirei start, optional cards: 27 kinds, each with an action of its own."""
    game = Game.new(
        ShisorokuConfig(num_players=4, kingdom=("in-01", *ShisorokuConfig().kingdom_ids[:9]), start="chirei", optional_cards=True), 1
    )
    assert (game.record["kinds"] > 0).sum() == words.PLACES == 27
    assert len(game.supply) == 19
    assert len(game.prizes) == 5
