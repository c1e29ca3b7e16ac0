"""Rulings I: incidents. `test_i3_...` asks what ruling I-3 answers."""

import pytest

from danmaku_env.cards.box import INCIDENT_IDS, NUM_BASE_INCIDENTS
from tests.table import act, box_without, kinds, life, pass_until, scene


def test_i1_undefined_fantastic_object_counts_its_own_cards():
    """I-1: a powerup, a danmaku card, an invocation card discarded by anybody else is not collected."""
    start = scene().seat(0, hand="shoot seal_away spiritual_attack kourindou").seat(1, items="power").incident("undefined_fantastic_object")
    game = start.build()
    act(game, "play seal_away", "choose seat:1", "choose card:power")
    act(game, "play kourindou", "choose card:spiritual_attack", "pass")
    assert game.collected == []
    assert kinds(game.discard) == ["kourindou", "power", "seal_away", "spiritual_attack"]


def test_i2_eternal_night_counts_its_steps_and_discarded_danmaku_cards_together():
    """I-2: eleven, one of them no danmaku card; the top card of the next incident step is the twelfth."""
    start = scene(turns=2).seat(0, hand="shoot grimoire").deck("power power power power")
    game = start.incident("eternal_night", collected=["focus/summer", *["shoot"] * 9]).build()
    act(game, "play shoot", "choose seat:1")
    assert len(game.collected) == 11
    pass_until(game, "main", 1)
    assert game.incident is None


def test_i3_the_collection_is_shuffled_onto_the_discard_pile():
    """I-3: at the moment the last needed card arrives, in an order nobody chose; others keep their place below."""
    orders = set()
    for seed in range(4):
        start = scene().seat(0, role="heroine", hand="shoot/spring").discard("focus/summer")
        game = start.incident("spring_snow", collected="graze/spring bomb/spring party/spring power/spring borrow/spring")
        game = game.build(seed=seed)
        act(game, "play shoot", "choose seat:1")
        assert game.discard[0] == "focus/summer"
        orders.add(tuple(game.discard))
    assert len(orders) > 1


def test_i4_worldly_desires_may_be_over_as_it_enters():
    """I-4: four items in play are all it needs; everybody still loses all of them (I-3)."""
    start = scene().seat(0, items="power focus").seat(1, items="stopwatch").seat(2, items="power power").turn(0, step="incident")
    game = start.incident_deck(top="worldly_desires").build()
    pass_until(game, "main")
    assert game.incident is None
    assert [seat.items for seat in game.seats] == [[], [], [], []]
    assert len(game.discard) == 5


def test_i4_items_of_a_defeated_player_count():
    """I-4: the fourth item is one that a defeated player leaves."""
    start = (
        scene()
        .seat(0, hand="laser_shot")
        .seat(1, role="ex_boss", life=1, items="focus")
        .incident("worldly_desires", collected=["power"] * 3)
    )
    game = start.build()
    act(game, "play laser_shot", "choose seat:1")
    assert game.seat(1).defeated
    assert game.incident is None


def test_i5_crisis_of_faith_goes_round_from_the_current_player_without_the_heroine():
    """I-5: the current player in seat 2 flips first, then seats 3 and 1: the Heroine in seat 0 does not."""
    start = scene().roles("heroine stage_boss ex_boss stage_boss").turn(2, step="incident")
    game = start.incident_deck(top="crisis_of_faith").deck("power/winter power/spring shoot/autumn").build()
    assert [game.seat(seat).role for seat in range(4)] == ["stage_boss", "heroine", "ex_boss", "stage_boss"]


def test_i5_without_an_autumn_card_nothing_is_swapped():
    """I-5: all autumn cards are in a hand, so the flips come to an end and the incident is over."""
    autumn = [card for card in box_without() if card.endswith("/autumn")]
    start = scene().roles("heroine stage_boss ex_boss stage_boss").seat(3, hand=autumn).turn(1, step="incident")
    game = start.incident_deck(top="crisis_of_faith").build()
    assert game.seat(0).role == "heroine"
    assert game.incident is None


def test_i6_who_swaps_learns_the_role_and_nobody_else():
    """I-6: the old Heroine holds a role that only the two know, and not the one that lay open."""
    start = scene().roles("heroine stage_boss ex_boss stage_boss").turn(1, step="incident")
    game = start.incident_deck(top="crisis_of_faith").deck("power/autumn").build()
    assert (game.seat(0).role, game.seat(0).role_revealed) == ("stage_boss", False)
    assert (game.seat(1).role, game.seat(1).role_revealed) == ("heroine", True)


def test_i6_an_open_role_moves_openly():
    """I-6: the revealed Extra Boss's card goes over with its bonuses, for all to see."""
    start = scene().roles("heroine stage_boss ex_boss_revealed stage_boss").turn(2, step="incident")
    game = start.incident_deck(top="crisis_of_faith").deck("power/autumn").build()
    assert (game.seat(0).role, game.seat(0).role_revealed) == ("ex_boss_revealed", True)
    assert (game.seat(0).max_life, game.seat(0).max_hand) == (5, 5)


def test_i7_crisis_of_faith_swaps_with_a_defeated_heroine():
    """I-7: who flips autumn is an active Heroine from now on; the role given for it is that of a defeated player."""
    start = scene(5).roles("heroine partner stage_boss challenger ex_boss").seat(0, defeated=True).seat(1, defeated=True)
    game = start.seat(2, defeated=True).turn(3, step="incident").incident_deck(top="crisis_of_faith").deck("power/autumn").build()
    assert (game.seat(3).role, game.seat(3).defeated) == ("heroine", False)
    assert (game.seat(0).role, game.seat(0).defeated) == ("challenger", True)
    assert not game.over  # the Extra Boss is left


def test_i8_crisis_after_a_takeover_swaps_with_the_new_heroine():
    """I-8: the Heroine card lies with the former Rival."""
    start = scene(8).seat(0, role="", defeated=True).seat(1, role="heroine").seat(2, role="partner").seat(3, role="partner")
    start.seat(4, role="stage_boss").seat(5, role="final_boss").seat(6, role="challenger").seat(7, role="ex_boss").turn(4, step="incident")
    game = start.incident_deck(top="crisis_of_faith").deck("power/autumn").build()
    assert game.seat(4).role == "heroine"
    assert game.seat(1).role == "stage_boss"


def test_i9_each_players_first_card_of_a_turn_comes_from_the_discard_pile():
    """I-9: whoever draws, and whatever for; the second from the deck."""
    start = scene().seat(0, hand="grimoire shoot").discard("focus/summer bomb/winter").deck("power/spring voile/autumn")
    game = start.incident("great_barrier_weakening").build()
    game.act("play grimoire")
    assert {"focus/summer", "power/spring"} < set(game.seat(0).hand)
    act(game, "play shoot", "choose seat:1")
    assert game.seat(1).hand[0].startswith("grimoire/")  # it lay on top when seat 1 drew for the lost life


def test_i9_a_draw_for_which_there_is_no_card_is_not_the_first():
    """I-9: a Grimoire that finds both piles empty draws nothing (X-1); the next one's first card is the open one."""
    hand, graze = ["grimoire/summer", "grimoire/autumn", "shoot/spring", "power/spring"], ["graze/summer"]
    start = scene().seat(0, hand=hand).seat(1, hand=graze).seat(2, hand=box_without(*hand, *graze))
    game = start.incident("great_barrier_weakening").build()
    act(game, "play grimoire", "play shoot", "choose seat:1")
    while game.question != "main":
        game.act("play graze" if game.asking == 1 else "pass")
    game.act("play grimoire")
    drawn = next(place for place, line in enumerate(game.log) if "draws" in line)
    assert game.log[drawn].endswith("Graze (summer)")
    assert "is shuffled into a new deck" in game.log[drawn + 1]


def test_i10_great_fairy_wars_asks_round_from_the_left():
    """I-10: everybody may prefer to lose life; the current player pays last, in her own incident step."""
    hand = "shoot power"
    start = scene().seat(0, hand=hand).seat(1, hand=hand).seat(2, hand=hand).seat(3, role="heroine", hand=hand).turn(2, step="incident")
    game = start.incident_deck(top="great_fairy_wars").build()
    asked = []
    while game.question == "discard":
        asked.append(game.asking)
        game.act("pass" if game.asking == 0 else "choose card:shoot")
    assert asked == [3, 0, 1, 2]
    assert life(game) == [3, 4, 4, 5]


def test_i10_great_fairy_wars_checks_defeats_together():
    """I-10: two players with one life fall in the same moment, and neither's end is seen before the other's."""
    start = scene(6).roles("heroine partner stage_boss stage_boss challenger ex_boss").turn(0, step="incident")
    game = start.seat(2, life=1).seat(3, life=1).incident_deck(top="great_fairy_wars").deck(["power"] * 6).build()
    pass_until(game, "main") if game.question != "main" else None
    assert game.seat(2).defeated
    assert game.seat(3).defeated


def test_i11_draws_for_all_go_round_from_the_current_player():
    """I-11: Endless Party deals the top card to the current player, the next to the one on the left."""
    start = scene().seat(2).turn(2, step="incident").incident("endless_party")
    game = start.deck("bomb/spring focus/summer graze/spring voile/autumn").build()
    assert [game.seat(seat).hand for seat in (3, 0, 1)] == [["focus/summer"], ["graze/spring"], ["voile/autumn"]]
    assert "bomb/spring" in game.seat(2).hand


def test_i12_endless_party_ends_when_a_card_is_needed_and_not_before():
    """I-12: an empty deck alone ends nothing."""
    start = scene().seat(0, hand="grimoire/summer grimoire/autumn").incident("endless_party").deck("power/spring power/winter")
    game = start.discard(box_without("grimoire/summer", "grimoire/autumn", "power/spring", "power/winter")).build()
    game.act("play grimoire")
    assert (game.deck, game.incident) == ([], "endless_party")
    game.act("play grimoire")
    assert game.incident is None


def test_i13_overdrive_keeps_to_the_timing_of_the_spell_card():
    """I-13: a reaction on another's turn, an action in one's own main step, and no other player's Spell Card."""
    start = scene().seat(0, "patchouli_knowledge", hand="shoot").seat(1, "hong_meiling").incident("overdrive")
    game = start.build()
    assert "spell overdrive" in game.legal()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.legal()) == (1, ["pass", "spell overdrive"])
    game = start.seat(1, "kazami_yuuka").build()
    act(game, "play shoot", "choose seat:1")
    assert game.seat(1).life == 3


def test_i14_spring_snow_stops_every_way_to_a_spell_card():
    """I-14: Utsuho's and Alice's abilities, Miko's empty hand, Mini-Hakkero, reactions."""
    start = scene(6).seat(0, "reiuji_utsuho", role="heroine", items="mini_hakkero", hand="graze graze shoot focus")
    start.seat(1, "toyosatomimi_no_miko").seat(2, "hong_meiling", hand="spiritual_attack")
    game = start.incident("spring_snow").build()
    assert game.legal() == ["pass", "play focus", "play shoot"]
    act(game, "play shoot", "choose seat:1")
    assert game.question == "main"  # nobody had an answer
    game = start.incident(None).build()
    assert "spell reiuji_utsuho" in game.legal()
    assert "use mini_hakkero" in game.legal()
    act(game, "play shoot", "choose seat:1")
    assert game.asking == 1  # Miko, whose hand is empty


def test_i15_no_life_for_a_rival_under_makai():
    """I-15: the takeover happens without the gain."""
    roles = ["heroine", "rival", "partner", "partner", "stage_boss", "final_boss", "challenger", "ex_boss"]
    start = scene(8).turn(4).incident("voyage_to_makai").deck(["power"] * 2)
    for seat, role in enumerate(roles):
        start.seat(seat, role=role, life=1 if seat == 0 else None, hand="laser_shot grimoire" if seat == 4 else [])
    game = start.build()
    act(game, "play laser_shot", "choose seat:0")
    assert game.seat(1).role == "heroine"
    assert (game.seat(1).life, game.seat(1).max_life) == (4, 5)


@pytest.mark.parametrize(("hand", "over"), [("stopwatch focus", True), ("power focus", False)])
def test_i16_five_impossible_requests_draws_as_many_and_is_over_after_that(hand, over):
    """I-16: an artifact among the discards ends it once the cards are drawn."""
    start = scene().seat(0, hand=hand).turn(0, step="incident").incident("five_impossible_requests").deck(["power"] * 4)
    game = start.build()
    assert (game.incident is None) is over
    assert kinds(game.seat(0).hand) == ["power"] * 4  # two, and two of the draw step


def test_i17_the_incident_discard_pile_becomes_the_new_deck():
    """I-17: shuffled when the deck is empty and an incident has to enter, or is looked at."""
    incidents = list(INCIDENT_IDS[:NUM_BASE_INCIDENTS])
    start = scene().seat(0, role="heroine", hand="grimoire").turn(0, step="incident").incident_deck(discard=incidents)
    game = start.build()
    assert game.log[0].startswith("incident: ")
    assert len(game.incident_deck) == 15
    incidents.remove("spring_snow")
    start = scene().seat(0, role="heroine", hand="master_plan").incident("spring_snow").incident_deck(discard=incidents)
    game = start.build()
    assert game.incident_deck == []
    act(game, "play master_plan", "choose deck:incident")
    assert (game.question, len(game.legal()), len(game.incident_deck)) == ("incident", 3, 13)


def test_i18_hand_discards_are_collected_card_by_card():
    """I-18: in the order the discarding player picks; what comes after the last needed card is an ordinary discard."""
    start = scene().seat(0, role="heroine", hand=["shoot/spring", "graze/spring", "party/spring", *["power"] * 4])
    game = start.turn(0, step="discard").incident("spring_snow", collected=["graze/spring"] * 3 + ["shoot/spring"] * 2).build()
    act(game, "choose card:party", "choose card:graze")
    assert game.incident is None
    assert game.discard[-1] == "graze/spring"
    assert "party/spring" in game.discard


def test_i19_flipped_cards_are_collected():
    """I-19: a flip that shows a wanted card feeds the incident."""
    start = scene().seat(0, role="heroine", hand="shoot/autumn").seat(1, items="supernatural_border").incident("spring_snow")
    game = start.deck("power/spring").build()
    act(game, "play shoot", "choose seat:1")
    assert game.collected == ["power/spring"]


def test_i20_master_plan_without_an_incident_looks_at_cards_all_the_same():
    """I-20: the first part does nothing, the second works."""
    game = scene().seat(0, hand="master_plan").deck("focus bomb graze").build()
    act(game, "play master_plan", "choose deck:main")
    assert (game.question, game.legal()) == ("aside", ["choose card:bomb", "choose card:focus", "choose card:graze"])


def test_i23_a_skipped_incident_step_draws_no_incident_and_lets_none_act():
    """I-23: the True Phantom Boss skips it with no incident in play, and none enters; with one in play it does not act."""
    start = scene(turns=2).seat(0, role="true_phantom_boss").turn(0, step="incident")
    game = start.build()
    game.act("choose yes")
    assert (game.incident, game.step) == (None, "main")
    game = start.incident("saigyou_ayakashi_blooming").build()
    game.act("choose yes")
    assert (game.step, game.seat(0).life) == ("main", 5)


def test_i23_who_skips_the_incident_step_draws_as_ever():
    """I-23, T-6: the next turn after another's, two cards of the Main deck for the True Phantom Boss who has skipped the incident step."""
    for expansion in ("none", "lunatic_extra"):
        role = "true_phantom_boss" if expansion == "none" else "true_phantasm_boss"
        start = scene(turns=3, expansion=expansion).seat(0, role="heroine", hand="shoot").seat(1, role=role, hand="shoot")
        game = start.incident("spring_snow").deck("voile party").build()
        while not (game.question == "main" and game.turn == 1):
            yes = game.asking == 1 and "choose yes" in game.legal()
            game.act("choose yes" if yes else "pass" if "pass" in game.legal() else game.legal()[0])
        assert kinds(game.seat(1).hand) == ["party", "shoot", "voile"]
