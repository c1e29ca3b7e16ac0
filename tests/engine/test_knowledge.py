"""What a seat knows of hidden cards, from which sources, and when it is lost (X-5 to X-9): as the observation tells it."""

from collections import Counter

from danmaku_env.cards.box import INCIDENT_IDS, KIND_IDS, NUM_BASE_INCIDENTS, NUM_INCIDENTS, NUM_KINDS
from danmaku_env.cards.vocabulary import SEASONS
from danmaku_env.engine.observation import KNOWN_ENDS, OFFSETS
from tests.table import act, box_without, end_turn, pass_until, scene


def hand(game, observer, other):
    """The cards of another hand that a seat knows, by kind, in alphabetical order."""
    start = OFFSETS["known_hands"] + NUM_KINDS * ((other - observer) % game.config.num_players)
    counts = game.observe(observer)[start : start + NUM_KINDS]
    return sorted(Counter({KIND_IDS[kind]: int(count) for kind, count in enumerate(counts)}).elements())


def end_of_deck(game, observer, piece):
    start = OFFSETS[piece]
    pairs = game.observe(observer)[start : start + 2 * KNOWN_ENDS].reshape(-1, 2).tolist()
    return [f"{KIND_IDS[kind - 1]}/{SEASONS[season - 1]}" if kind else None for kind, season in pairs]


def top(game, observer):
    """The three top cards of the Main deck, None where a seat does not know them."""
    return end_of_deck(game, observer, "known_top")


def bottom(game, observer):
    """The three bottom cards, the lowest first."""
    return end_of_deck(game, observer, "known_bottom")


def incidents(game, observer):
    """{incident: depth in its deck, 1 = top} as far as a seat knows."""
    depths = game.observe(observer)[OFFSETS["known_incidents"] :][:NUM_INCIDENTS]
    return {INCIDENT_IDS[number]: int(depth) for number, depth in enumerate(depths) if depth}


NOTHING = [None, None, None]
BASE_INCIDENTS = INCIDENT_IDS[:NUM_BASE_INCIDENTS]


def hands(game, other):
    """What every seat but the holder knows of a hand."""
    return [hand(game, observer, other) for observer in range(game.config.num_players) if observer != other]


# ---------------------------------------------------------------- looking at a hand: Satori


def satori(theirs, *, mine="seal_away seal_away", start=None):
    """Seat 0 is Satori and has looked at the hand of seat 1."""
    game = (start or scene(turns=9)).seat(0, "komeiji_satori", hand=mine).seat(1, hand=theirs).build()
    act(game, "ability komeiji_satori", "choose seat:1")
    return game


def test_satori_alone_knows_the_hand_she_looked_at():
    game = satori("bomb graze power")
    assert hands(game, 1) == [["bomb", "graze", "power"], [], []]


def test_what_is_drawn_after_the_look_is_not_known():
    game = satori("focus power", mine="laser_shot grimoire", start=scene().deck("voile"))
    act(game, "play laser_shot", "choose seat:1")
    assert "voile/autumn" in game.seat(1).hand
    assert hand(game, 0, 1) == ["focus", "power"]


def test_a_known_card_that_is_played_is_gone_and_the_rest_stays_known():
    game = satori("focus grimoire stopwatch")
    end_turn(game)
    game.act("play grimoire")
    assert hand(game, 0, 1) == ["focus", "stopwatch"]


def two_copies(season, *answers):
    """Seat 1 plays one of two cards Shoot, of which Satori knows the one of spring."""
    game = satori("shoot/spring focus", start=scene(turns=9).deck(f"shoot/{season} power"))
    end_turn(game)
    assert hand(game, 0, 1) == ["focus", "shoot"]
    act(game, "play shoot", *answers, "choose seat:2")
    return game


def test_of_two_cards_that_look_the_same_nobody_can_tell_which_is_left():
    """One Shoot of spring was known and one is played: what is left may be the other one, which she has not seen."""
    game = two_copies("spring")
    assert "shoot/spring" in game.seat(1).hand
    assert hand(game, 0, 1) == ["focus"]


def test_a_card_of_another_season_is_told_apart():
    assert hand(two_copies("autumn", "choose season:autumn"), 0, 1) == ["focus", "shoot"]
    assert hand(two_copies("autumn", "choose season:spring"), 0, 1) == ["focus"]


# ---------------------------------------------------------------- cards that are given and taken: Miko, Yukari, Sanae, Party


def test_a_given_card_is_known_to_giver_and_receiver():
    game = scene().seat(0, "toyosatomimi_no_miko", hand="bomb graze power").build()
    act(game, "ability toyosatomimi_no_miko", "choose seat:2", "choose card:graze", "pass")
    assert hands(game, 2) == [["graze"], [], []]
    assert hands(game, 0) == [[], [], []]


def satori_has_seen_mikos_hand():
    """Seat 0 knows the hand of seat 1, whose turn it is."""
    game = (
        scene(turns=9)
        .seat(0, "komeiji_satori", hand="seal_away seal_away")
        .seat(1, "toyosatomimi_no_miko", hand="bomb focus")
        .deck("power power power power")
        .build()
    )
    act(game, "ability komeiji_satori", "choose seat:1")
    end_turn(game)
    pass_until(game, "main", 1)
    return game


def test_who_knew_the_hand_loses_it_when_a_card_leaves_unseen():
    """Seat 3 was given two cards of which it does not see which one is handed on; the new holder's hand is a secret of the two."""
    game = satori_has_seen_mikos_hand()
    assert hand(game, 0, 1) == ["bomb", "focus"]
    act(game, "ability toyosatomimi_no_miko", "choose seat:2", "choose card:bomb", "pass")
    assert hand(game, 0, 1) == []
    assert hand(game, 0, 2) == []
    assert hand(game, 1, 2) == ["bomb"]


def test_who_gets_the_card_still_knows_the_rest():
    """Satori has seen Miko's hand and is handed one card of it: what is left she can name."""
    game = satori_has_seen_mikos_hand()
    act(game, "ability toyosatomimi_no_miko", "choose seat:0", "choose card:bomb", "pass")
    assert hand(game, 0, 1) == ["focus"]
    assert hand(game, 1, 0) == ["bomb"]


def spiriting_away(*answers):
    game = scene().seat(0, "yakumo_yukari", hand="spiritual_attack power").seat(1, hand="kourindou graze focus").build()
    act(game, "play spiritual_attack", "choose seat:1", "pass", *answers)
    return game


def test_spiriting_away_with_a_look_knows_what_is_left():
    game = spiriting_away("choose yes", "choose card:graze")
    assert hand(game, 0, 1) == ["focus", "kourindou"]
    assert hand(game, 1, 0) == ["graze"]
    assert [hand(game, observer, other) for observer in (2, 3) for other in (0, 1)] == [[], [], [], []]


def test_spiriting_away_blindly_tells_only_the_card_taken():
    game = spiriting_away("pass")
    taken = [card.split("/")[0] for card in game.seat(0).hand if card.split("/")[0] != "power"]
    assert hand(game, 0, 1) == []
    assert hand(game, 1, 0) == taken
    assert hand(game, 2, 0) == []


def test_sanae_knows_the_card_she_looked_at_and_gave():
    game = scene().seat(0, "kochiya_sanae", hand="shoot grimoire").seat(1, hand="graze").deck("bomb power").build()
    act(game, "play shoot", "choose seat:1", "choose yes", "pass", "choose seat:2")
    assert hands(game, 2) == [["bomb"], [], []]


def test_party_tells_its_player_what_everybody_got():
    game = scene().seat(0, hand="party power").deck("bomb graze focus stopwatch power").build()
    act(game, "play party")
    while game.question == "aside":
        game.act(game.legal()[0])
    given = {other: [card.split("/")[0] for card in game.seat(other).hand] for other in (1, 2, 3)}
    assert [hand(game, 0, other) for other in (1, 2, 3)] == list(given.values())
    assert [hand(game, 2, other) for other in (0, 1, 3)] == [[], [], []]


# ---------------------------------------------------------------- whole hands: Futo, Scarlet Weather, Miracle Fruit


def test_exchanged_hands_are_known_to_who_passed_them_on():
    game = scene().seat(0, "mononobe_no_futo", hand="spiritual_attack").seat(1, hand="graze power").seat(2, hand="focus").build()
    act(game, "play spiritual_attack", "choose seat:1", "choose seat:2", "pass")
    assert (hand(game, 1, 2), hand(game, 2, 1)) == (["graze", "power"], ["focus"])
    assert [hand(game, observer, other) for observer in (0, 3) for other in (1, 2)] == [[], [], [], []]


def test_who_knew_a_hand_knows_it_where_it_goes():
    """Scarlet Weather Rhapsody moves hands whole: what was known stays known, in the other hand."""
    start = scene(turns=9).seat(2, hand="focus").incident("scarlet_weather_rhapsody").deck("voile/autumn")
    game = satori("bomb graze", start=start)
    end_turn(game)
    assert "seat 1 and seat 2 exchange hands" in game.log
    assert (hand(game, 0, 1), hand(game, 0, 2)) == ([], ["bomb", "graze"])
    assert hand(game, 3, 2) == []


def test_a_hand_shown_by_miracle_fruit_is_known_to_all():
    game = scene().seat(0, "kochiya_sanae", hand="spiritual_attack grimoire").seat(1, hand="power focus").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert hands(game, 1) == [["focus", "power"]] * 3


# ---------------------------------------------------------------- cards in sight: reveals and drawn discards


def test_revealed_cards_taken_into_hand_are_known_to_all():
    game = scene().seat(0, "shameimaru_aya", hand="spiritual_attack").deck("shoot/spring seal_away/spring power focus graze").build()
    act(game, "play spiritual_attack", "pass")
    assert hands(game, 0) == [["seal_away", "shoot"]] * 3


def test_a_card_drawn_from_the_discard_pile_is_known_to_all():
    """Great Barrier Weakening: the first card of a turn is the top discard, the second is the deck's secret (I-9)."""
    game = (
        scene()
        .seat(0, hand="bomb grimoire")
        .deck("shoot/autumn")
        .discard("graze/spring focus")
        .incident("great_barrier_weakening")
        .turn(0, step="draw")
        .build()
    )
    assert "graze/spring" in game.seat(0).hand
    assert hands(game, 0) == [["graze"]] * 3


def party(*handed):
    """Five seats; seat 0 hands out what Party draws, to itself first. Seat 2 knew that the top card is Focus."""
    start = scene(5, 9, history=64).seat(0, hand="party").deck("focus graze stopwatch grimoire power tempest")
    game = start.knows(2, deck=[0]).build()
    act(game, "play party", *(f"choose card:{kind}" for kind in handed))
    return game


def test_who_knew_a_card_that_party_draws_does_not_learn_who_is_handed_it():
    """Five backs go round the table, and one of them is Focus: seat 2 sees the same whoever gets it."""
    games = [party("focus", "graze", "stopwatch", "grimoire"), party("graze", "focus", "stopwatch", "grimoire")]
    assert [[hand(game, 2, other) for other in (0, 1, 3, 4)] for game in games] == [[[]] * 4] * 2
    assert (games[0].observe(2) == games[1].observe(2)).all()
    assert [hand(games[1], 0, 1), hand(games[1], 1, 0)] == [["focus"], []], "giver and receiver know"


def test_the_card_that_party_leaves_for_the_last_seat_is_no_better_known():
    assert hand(party("graze", "stopwatch", "grimoire", "power"), 2, 4) == []


def test_the_only_card_of_a_hand_is_known_where_it_goes():
    """Yukari takes a hand of one: whoever knew the card knows that she has it."""
    start = scene(4, 9).seat(0, "yakumo_yukari", hand="spiritual_attack power").seat(1, hand="graze")
    game = start.knows(2, hands={1: ["graze"]}).build()
    act(game, "play spiritual_attack", "choose seat:1", "pass", "pass")
    assert [hand(game, observer, 0) for observer in (1, 2, 3)] == [["graze"], ["graze"], []]


def test_a_card_that_party_draws_from_the_discard_pile_is_known_to_all_where_it_goes():
    game = (
        scene()
        .seat(0, hand="party power")
        .deck("bomb focus stopwatch power")
        .discard("graze/spring")
        .incident("great_barrier_weakening")
        .build()
    )
    act(game, "play party", "choose card:focus", "choose card:graze")
    assert hands(game, 1) == [["graze"]] * 3


# ---------------------------------------------------------------- the deck: Voile, Keine, Master Plan, Sanae


def voile(turns=9, **config):
    game = scene(turns=turns, **config).seat(0, hand="voile bomb/spring").deck("power grimoire power").build()
    act(game, "play voile", "choose card:bomb")
    return game


def test_voile_is_known_to_its_player_on_top():
    game = voile()
    assert top(game, 0) == ["bomb/spring", None, None]
    assert [top(game, observer) for observer in (1, 2, 3)] == [NOTHING] * 3


def test_a_card_known_on_top_is_known_in_the_hand_that_draws_it():
    game = voile()
    end_turn(game)
    assert hand(game, 0, 1) == ["bomb"]
    assert hand(game, 2, 1) == []
    assert top(game, 0) == NOTHING


def test_known_cards_come_off_the_top_one_by_one():
    game = scene().seat(0, "kochiya_sanae", hand="master_plan shoot focus").deck("focus/summer graze/winter stopwatch/winter").build()
    act(game, "play master_plan", "choose deck:main")
    act(game, "choose card:focus", "choose top", "choose card:graze", "choose top", "choose top")
    assert top(game, 0) == ["stopwatch/winter", "graze/winter", "focus/summer"]
    act(game, "play shoot", "choose seat:1", "choose yes", "pass", "choose seat:1")
    assert hand(game, 0, 1) == ["graze", "stopwatch"]  # the first given to her, the next drawn for the life lost
    assert top(game, 0) == ["focus/summer", None, None]


def keine(end):
    game = scene().seat(0, "kamishirasawa_keine", hand="bomb/summer grimoire").deck("power power power").turn(0, step="draw").build()
    act(game, "choose card:bomb", f"choose {end}")
    return game


def test_keine_alone_knows_which_end_she_chose():
    assert top(keine("top"), 0) == ["bomb/summer", None, None]
    assert bottom(keine("bottom"), 0) == ["bomb/summer", None, None]
    for end in ("top", "bottom"):
        assert [top(keine(end), observer) + bottom(keine(end), observer) for observer in (1, 2, 3)] == [NOTHING + NOTHING] * 3


def test_a_card_on_an_end_that_only_one_knows_takes_the_deck_from_the_others():
    """X-9: after Keine's put-back nobody else can say what lies on top, she knows both."""
    for end, known in (("top", ["grimoire/autumn", None, None]), ("bottom", ["bomb/spring", None, None])):
        game = (
            scene(turns=9)
            .seat(0, hand="voile bomb/spring")
            .seat(1, "kamishirasawa_keine", hand="grimoire/autumn focus")
            .deck("power power power")
            .build()
        )
        act(game, "play voile", "choose card:bomb")
        game.act("pass")
        pass_until(game, "card", 1)
        assert hand(game, 0, 1) == ["bomb"]
        assert top(game, 0) == NOTHING
        act(game, "choose card:grimoire", f"choose {end}")
        assert hand(game, 0, 1) == []  # a card of the hand has gone unseen
        assert top(game, 1) == (known if end == "top" else NOTHING)


def test_who_knew_both_ends_knows_neither_when_a_card_goes_to_one_of_them_unseen():
    """X-9: nobody but Keine can say whether her card lies on top or at the bottom."""
    for end in ("top", "bottom"):
        start = scene(turns=9).seat(0, hand="master_plan").seat(1, "kamishirasawa_keine", hand="grimoire/autumn shoot/winter")
        start.deck("focus/summer graze/winter stopwatch/winter power/spring power/summer power/autumn power/winter")
        game = start.build()
        act(game, "play master_plan", "choose deck:main", "choose card:focus", "choose bottom")
        act(game, "choose card:graze", "choose bottom", "choose bottom")
        assert bottom(game, 0) == ["stopwatch/winter", "graze/winter", "focus/summer"]
        pass_until(game, "card", 1)
        assert bottom(game, 0) == ["stopwatch/winter", "graze/winter", "focus/summer"]
        act(game, "choose card:grimoire", f"choose {end}")
        assert (top(game, 0), bottom(game, 0)) == (NOTHING, NOTHING)
        assert (top(game, 1)[0], bottom(game, 1)[0]) == (("grimoire/autumn", None) if end == "top" else (None, "grimoire/autumn"))


def test_master_plan_is_known_on_both_ends():
    game = scene().seat(0, hand="master_plan power").deck("focus/autumn graze/winter bomb/spring").build()
    act(game, "play master_plan", "choose deck:main", "choose card:bomb", "choose bottom", "choose card:focus", "choose top", "choose top")
    assert top(game, 0) == ["graze/winter", "focus/autumn", None]
    assert bottom(game, 0) == ["bomb/spring", None, None]
    assert [top(game, observer) + bottom(game, observer) for observer in (1, 2, 3)] == [NOTHING + NOTHING] * 3


def test_sanae_knows_the_card_she_left():
    game = scene().seat(0, "kochiya_sanae", hand="shoot grimoire").seat(1, hand="graze").deck("bomb/spring power").build()
    act(game, "play shoot", "choose seat:1", "choose yes", "pass", "pass")
    assert top(game, 0) == ["bomb/spring", None, None]
    assert top(game, 1) == NOTHING


def test_who_knew_the_top_card_sees_where_sanae_gives_it():
    """Seat 3 put three cards there; Sanae draws two, looks at the third and hands it on in front of everybody, its back up."""
    game = (
        scene(turns=9)
        .seat(0, "kochiya_sanae", hand="shoot")
        .seat(3, hand="master_plan focus")
        .deck("focus graze stopwatch")
        .turn(3)
        .build()
    )
    act(game, "play master_plan", "choose deck:main")
    act(game, "choose card:focus", "choose top", "choose card:graze", "choose top", "choose top", "pass")
    assert hand(game, 3, 0) == ["graze", "stopwatch"]
    act(game, "play shoot", "choose seat:1", "choose yes", "pass", "choose seat:1")
    assert hand(game, 3, 1) == hand(game, 0, 1) == ["focus"]
    assert hand(game, 2, 1) == []


def test_a_reshuffle_forgets():
    """Every discard lay in the open; in the deck that is made of them nobody knows where they are, nor in the hand that draws one."""
    scenario = scene().seat(0, role="heroine", hand="voile/autumn bomb/spring").turn(0)
    scenario.discard(box_without("voile/autumn", "bomb/spring", "power/winter", "focus/summer"))
    game = scenario.deck("power/winter focus/summer").build()
    act(game, "play voile", "choose card:bomb")
    assert top(game, 0) == ["bomb/spring", None, None]
    assert [top(game, observer) for observer in (1, 2, 3)] == [NOTHING] * 3
    assert hands(game, 0) == [[], [], []]
    assert "the discard pile is shuffled into a new deck of 76" in game.log


# ---------------------------------------------------------------- the incident deck


def test_master_plan_on_the_incident_deck():
    game = scene().seat(0, role="heroine", hand="master_plan power").incident_deck(top="lily_white overdrive spring_snow").build()
    act(game, "play master_plan", "choose deck:incident", "choose incident:spring_snow", "choose top")
    act(game, "choose incident:lily_white", "choose bottom", "choose top")
    assert incidents(game, 0) == {"overdrive": 1, "spring_snow": 2, "lily_white": len(game.incident_deck)}
    assert [incidents(game, observer) for observer in (1, 2, 3)] == [{}, {}, {}]


def test_the_phantom_boss_knows_what_she_fetched_until_it_enters():
    start = scene(turns=3).seat(0, role="heroine", hand="focus").seat(3, role="true_phantom_boss", hand="focus")
    game = start.incident("spring_snow").turn(3, step="start").build()
    act(game, "choose yes", "choose incident:lily_white", "choose yes")
    assert incidents(game, 3) == {"lily_white": 1}
    assert [incidents(game, observer) for observer in (0, 1, 2)] == [{}, {}, {}]
    end_turn(game)
    assert game.incident == "lily_white"
    assert incidents(game, 3) == {}


def test_a_search_shuffles_what_others_knew_of_the_incident_deck():
    start = scene(turns=3).seat(0, role="heroine", hand="master_plan focus").seat(2, role="true_phantom_boss", hand="focus")
    start.seat(1, hand="power").incident_deck(top="overdrive endless_party lily_white")
    game = start.turn(0).build()
    act(game, "play master_plan", "choose deck:incident")
    act(game, "choose incident:lily_white", "choose top", "choose incident:endless_party", "choose top", "choose top")
    assert incidents(game, 0) == {"overdrive": 1, "endless_party": 2, "lily_white": 3}
    end_turn(game)
    assert game.incident == "overdrive"
    assert incidents(game, 0) == {"endless_party": 1, "lily_white": 2}
    pass_until(game, "may", 2)
    act(game, "choose yes", "choose incident:spring_snow")
    assert incidents(game, 0) == {}
    assert incidents(game, 2) == {"spring_snow": 1}


def test_a_search_shuffles_the_incident_deck():
    """Whatever order it had, the card searched for lies on top and the others anyhow."""
    orders = set()
    for seed in range(6):
        start = scene(turns=2).seat(3, role="true_phantom_boss").incident("spring_snow").turn(3, step="start")
        game = start.incident_deck(top=[name for name in BASE_INCIDENTS if name != "spring_snow"]).build(seed=seed)
        act(game, "choose yes", "choose incident:lily_white")
        assert game.incident_deck[0] == "lily_white"
        orders.add(tuple(game.incident_deck[1:]))
        assert sorted(game.incident_deck) == sorted(set(BASE_INCIDENTS) - {"spring_snow"})
        assert "seat 3 looks for an incident and puts it on top of its deck" in game.log
    assert len(orders) == 6
    assert all(len({order[place] for order in orders}) > 1 for place in (0, -1))  # all of it, to its ends
    assert tuple(name for name in BASE_INCIDENTS if name not in ("spring_snow", "lily_white")) not in orders


# ---------------------------------------------------------------- the Lunatic deck


def test_master_plan_orders_the_lunatic_deck_in_secret():
    game = (
        scene(expansion="lunatic_extra").seat(0, hand="master_plan").lunatic_deck("interrupt/winter full_power reflect_shot/spring").build()
    )
    act(game, "play master_plan", "choose deck:lunatic")
    assert game.legal() == ["choose card:full_power", "choose card:interrupt", "choose card:reflect_shot"]
    act(game, "choose card:interrupt", "choose bottom", "choose card:reflect_shot", "choose top", "choose top")
    assert (game.lunatic_deck[:2], game.lunatic_deck[-1]) == (["full_power/spring", "reflect_shot/spring"], "interrupt/winter")
    ends = [[end_of_deck(game, observer, name) for name in ("known_lunatic_top", "known_lunatic_bottom")] for observer in (0, 1)]
    assert [[name for name in end if name] for end in ends[0]] == [["full_power/spring", "reflect_shot/spring"], ["interrupt/winter"]]
    assert [name for end in ends[1] for name in end if name] == []
