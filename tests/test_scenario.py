"""Positions set up by hand: what was asked for stands there, and what cannot be is refused with the reason."""

import numpy as np
import pytest

from danmaku_env import Game, GameConfig, Replay, Scenario, ScenarioError, resample, role_assignments
from danmaku_env.cards.box import CHARACTER_IDS, NUM_BASE_CHARACTERS, ROLE_IDS
from danmaku_env.cards.main_deck import MAIN_CARDS
from danmaku_env.cards.vocabulary import LASTING
from danmaku_env.engine import invariants

ASK = GameConfig(num_players=4, characters="none", ask_forced=True)
"""Nothing is passed by itself."""


def test_the_example_of_the_documentation():
    s = Scenario(num_players=4)
    s.seat(0, role="heroine", character="hakurei_reimu", life=3, hand=["shoot/spring", "graze"], items=["power/winter"])
    s.incident("crossing_to_higan", collected=[])
    s.deck(top=["graze/summer", "shoot"])
    s.turn(0, step="main")
    game = s.build(seed=1)

    assert (game.asking, game.question, game.turn, game.step, game.over) == (0, "main", 0, "main", False)
    reimu = game.seat(0)
    assert (reimu.life, reimu.max_life, reimu.role, reimu.character, reimu.role_revealed) == (3, 5, "heroine", "hakurei_reimu", True)
    assert sorted(card.split("/")[0] for card in reimu.hand) == ["graze", "shoot"]
    assert "shoot/spring" in reimu.hand
    assert reimu.items == ["power/winter"]
    assert game.deck[0] == "graze/summer"
    assert game.deck[1].startswith("shoot/")
    assert (game.incident, game.collected) == ("crossing_to_higan", [])
    assert all(game.in_range(0, other) for other in (1, 2, 3))
    assert "play shoot" in game.legal()
    game.act("play shoot")
    game.act("choose seat:2")
    assert "seat 0 (Reimu) attacks seat 2" in game.log


def test_every_card_is_somewhere_once():
    game = Scenario(num_players=5).seat(2, hand=["bomb"] * 4).discard(top=["voile", "party"]).build(seed=9)
    cards = [*game.deck, *game.discard, *game.collected]
    for seat in game.seats:
        cards += [*seat.hand, *seat.items]
    assert len(cards) == 80
    assert [card.split("/")[0] for card in game.discard] == ["party", "voile"]
    assert sorted(game.seat(2).hand) == ["bomb/autumn", "bomb/spring", "bomb/summer", "bomb/winter"]


def test_the_seed_decides_the_rest_and_nothing_else():
    def deck(seed):
        return Scenario(config=ASK).seat(0, role="heroine").deck(top=["party"]).build(seed).deck

    assert deck(1) == deck(1)
    assert deck(1) != deck(2)
    assert deck(1)[0] == deck(2)[0] == "party/spring"


def test_a_plain_name_never_takes_the_last_copy_of_a_season():
    game = Scenario().seat(0, hand=["grimoire", "grimoire/summer"]).build()
    assert sorted(game.seat(0).hand) == ["grimoire/autumn", "grimoire/summer"]


def test_roles_not_named_come_from_what_is_left():
    for seed in range(10):
        game = Scenario(num_players=8).seat(3, role="rival").seat(4, role="heroine").build(seed)
        roles = [seat.role for seat in game.seats]
        assert (roles[3], roles[4]) == ("rival", "heroine")
        assert roles.count("rival") == roles.count("heroine") == 1


def test_the_heroine_and_revealed_and_defeated_roles_are_public():
    s = Scenario(num_players=4).seat(0, role="heroine").seat(1, role="ex_boss", revealed=True)
    game = s.seat(2, role="stage_boss", defeated=True).seat(3, role="stage_boss").build()
    assert [seat.role_revealed for seat in game.seats] == [True, True, True, False]
    assert [seat.defeated for seat in game.seats] == [False, False, True, False]
    assert game.seat(2).life == 0


def test_counters():
    game = Scenario(config=ASK).seat(0, danmaku_played=1, spell_used=True, skip_next=True, skipped_last=True).turn(0).build()
    seat = game.seat(0)
    assert (seat.danmaku_played, seat.spell_used, seat.skip_next, seat.skipped_last) == (1, True, True, True)


def test_a_table_stays_as_described_until_its_first_question_is_answered():
    """Seat 1 can only pass its main step: it is asked all the same, and only then the game goes on as configured."""
    s = Scenario(num_players=4).seat(0, role="heroine").seat(1, role="stage_boss", life=2, items=["focus/summer", "power/winter"])
    game = s.turn(1).build(seed=4)
    assert (game.asking, game.question, game.turn, game.step, game.turn_number) == (1, "main", 1, "main", 1)
    assert game.legal() == ["pass"]
    assert (game.seat(1).life, game.seat(1).hand, game.seat(1).items) == (2, [], ["focus/summer", "power/winter"])
    assert (game.incident, game.discard) == (None, [])
    assert len(game.log) == 0
    game.act("pass")
    assert (game.turn_number, game.turn) == (2, 2)
    assert len(game.legal()) > 1


def test_a_forced_answer_of_any_step_waits():
    """Five cards of a kind, four to keep: nothing to choose, but it has not happened yet."""
    game = Scenario(num_players=4).seat(1, role="stage_boss", hand=["power"] * 5).turn(1, step="discard").build()
    assert (game.asking, game.question, game.legal()) == (1, "discard", ["choose card:power"])
    assert len(game.seat(1).hand) == 5


@pytest.mark.parametrize("step", ["start", "incident", "draw", "main", "discard"])
@pytest.mark.parametrize("config", [None, ASK, GameConfig(num_players=4, characters="none", ask_everyone=True)])
def test_a_game_that_waits_is_a_game_like_any_other(step, config):
    game = Scenario(num_players=4, config=config).seat(1, hand=["power"] * 5).turn(1, step=step).build(seed=4)
    assert game.asking is not None
    assert game.clone() == Game.from_bytes(game.to_bytes()) == Replay.from_json(game.replay().to_json()).play() == game
    assert game.record["config"] == Game.new(game.config).record["config"]
    clone = game.clone()
    for one in (game, clone):
        for _ in range(30):
            if not one.over:
                one.act(one.legal_actions()[-1])
    assert game == clone == Replay.from_json(game.replay().to_json()).play()


@pytest.mark.parametrize("step", ["start", "incident", "draw", "main", "discard"])
def test_every_step_can_begin(step):
    game = Scenario().seat(1, hand=["shoot"]).turn(1, step=step).build(seed=4)
    assert game.asking is not None or game.over


def test_the_step_of_a_game_is_a_step_of_a_scenario():
    """What `Game.step` says can be given to `turn`: a table like the one somebody looks at."""
    game, seen = Game.new(GameConfig(num_players=4, expansion="lunatic_extra", characters="none"), seed=1), set()
    for _ in range(200):
        if game.step not in seen | {"setup", "draft"}:
            there = Scenario(config=game.config).seat(game.turn, role="heroine", hand=["focus", *["graze"] * 5])
            again = there.turn(game.turn, step=game.step).build()
            assert again.step == game.step or game.step in ("start", "draw"), "there nobody has anything to do"
            seen.add(game.step)
        game.act(game.legal()[-1])
    assert {"zero", "start", "main", "discard"} <= seen


def test_collected_cards_belong_to_the_incident():
    game = Scenario(config=ASK).incident("saigyou_ayakashi_blooming", collected=["shoot/winter", "graze/winter"]).build()
    assert sorted(game.collected) == ["graze/winter", "shoot/winter"]


def test_incidents_on_top_of_their_deck():
    game = Scenario(config=ASK).incident_deck(top=["spring_snow", "overdrive"]).build()
    assert game.incident_deck[:2] == ["spring_snow", "overdrive"]
    assert len(game.incident_deck) == 16


def test_a_deck_that_is_refused_changes_nothing():
    table = Scenario(4).turn(0).deck(top=["graze"], bottom=["bomb"])
    with pytest.raises(ScenarioError):
        table.deck(top=["shoot"], bottom="graze")
    assert table.build(1) == Scenario(4).turn(0).deck(top=["graze"], bottom=["bomb"]).build(1)


def test_a_configuration_can_be_given():
    config = GameConfig(num_players=4, characters="none", ask_forced=True)
    game = Scenario(num_players=4, config=config).turn(0).build()
    assert game.config is config
    assert game.legal() == ["pass"]


def test_a_built_game_is_a_game_like_any_other():
    game = Scenario().seat(0, hand=["shoot"]).build(seed=3)
    assert Game.from_bytes(game.to_bytes()) == game
    assert game.replay().play() == game


# ---------------------------------------------------------------- what is pending, used up, banned


def table(**config):
    """Four seats with roles, the Heroine in seat 0; seat 0 has the turn."""
    s = Scenario(num_players=4, config=GameConfig(num_players=4, characters="none", **config))
    for seat, role in enumerate(("heroine", "stage_boss", "stage_boss", "ex_boss")):
        s.seat(seat, role=role)
    return s


def test_a_seat_at_no_life_waits_for_its_rescue():
    """Nothing is lost before somebody has answered, also where the seat that is asked first has nothing to save it with."""
    start = table().seat(0, role="heroine", hand=["grimoire"]).seat(1, role="stage_boss", life=0, items=["power/winter"])
    game = start.seat(2, role="stage_boss", hand=["one_up"]).build()
    assert (game.asking, game.question, game.legal()) == (0, "rescue", ["pass"])
    assert (game.seat(1).life, game.seat(1).defeated, game.seat(1).items) == (0, False, ["power/winter"])
    saved = game.clone()
    saved.act("pass")
    assert (saved.asking, saved.question) == (2, "rescue")
    saved.act("play one_up")
    assert (saved.seat(1).life, saved.seat(1).defeated, saved.question) == (1, False, "main")
    game.act("pass")
    game.act("pass")
    assert game.seat(1).defeated
    assert game.seat(1).items == []
    assert (game.asking, game.question) == (0, "main")


def test_who_falls_before_the_first_question_waits_for_the_rescue_too():
    start = Scenario(5).incident("lily_white").deck(top=["graze/spring"]).seat(0, role="heroine", hand=["shoot"], life=2)
    games = [start.turn(0, step="incident").build(seed) for seed in range(4)]
    assert {(game.question, game.over) for game in games} == {("rescue", False)}


def test_what_lies_on_a_pile_has_gone_there_long_ago():
    start = Scenario(config=GameConfig(num_players=4, characters="none", expansion="lunatic_extra")).discard(top=["graze/spring"])
    game = start.seat(0, role="heroine").seat(2, character="tatara_kogasa").turn(0).build(seed=1)
    assert (game.asking, game.question) == (0, "main")


def test_who_may_have_two_artifacts_is_described_with_them():
    start = Scenario(config=GameConfig(num_players=4, characters="none", expansion="lunatic_extra"))
    start.seat(1, character="kijin_seija", items=["stopwatch", "mini_hakkero"])
    assert len(start.build(seed=1).seat(1).items) == 2
    start.seat(1, character="cirno", items=["stopwatch", "mini_hakkero"])
    with pytest.raises(ScenarioError, match="more than one artifact in play whose character does not allow it"):
        start.build(seed=1)


@pytest.mark.parametrize("step", ["start", "incident", "draw", "main", "discard"])
def test_the_rescue_comes_before_every_step(step):
    game = table().seat(2, role="stage_boss", life=0).turn(1, step=step).build()
    assert (game.asking, game.question, game.turn, game.step) == (1, "rescue", 1, step)


def test_everybody_may_be_at_no_life():
    """R-12: all are defeated at once, and nobody wins."""
    s = table()
    for seat, role in enumerate(("heroine", "stage_boss", "stage_boss", "ex_boss")):
        s.seat(seat, role=role, life=0)
    game = s.build()
    assert (game.asking, game.question) == (0, "rescue")
    game.act("pass")
    assert (game.outcome, game.winners) == ("draw", [])


def test_what_was_used_since_the_last_turn():
    """Satori looks at a hand once a round; Aya cancels a danmaku card once a turn."""
    looks = "ability komeiji_satori"
    start = table().seat(0, role="heroine", character="komeiji_satori").seat(1, role="stage_boss", hand=["graze"])
    assert looks in start.build().legal()
    start.seat(0, role="heroine", character="komeiji_satori", ability_used=True)
    game = start.build()
    assert game.legal() == ["pass"]
    assert [seat.ability_used for seat in game.seats] == [True, False, False, False]

    cancels = "ability shameimaru_aya"
    start = table().seat(0, role="heroine", hand=["shoot"])
    for used in (False, True):
        start.seat(1, role="stage_boss", character="shameimaru_aya", hand=["shoot"], ability_used=used)
        game = start.build()
        game.act("play shoot")
        game.act("choose seat:1")
        assert (cancels in game.legal()) is not used


def test_a_spell_card_that_was_used():
    start = table()
    for used in (False, True):
        start.seat(0, role="heroine", character="hakurei_reimu", hand=["spiritual_attack"], spell_used=used)
        assert ("play spiritual_attack" in start.build().legal()) is not used


def test_who_has_drawn_in_this_turn():
    """Great Barrier Weakening: the first card each player draws in a turn comes from the discard pile (I-9)."""
    start = table().incident("great_barrier_weakening").discard(top=["focus/summer", "focus/autumn"]).deck(top=["power/winter"])
    start.seat(0, role="heroine", hand=["voile"])
    for drew, first in (((), "focus/summer"), ((0, 2), "power/winter")):
        game = start.turn(0, drew=drew).build()
        assert [seat.has_drawn for seat in game.seats] == [seat in drew for seat in range(4)]
        game.act("play voile")
        assert first in game.seat(0).hand


def test_a_ban_of_action_cards():
    """The World: nobody plays action cards for the rest of the turn (C-14)."""
    start = table().seat(0, role="heroine", hand=["shoot", "grimoire"])
    assert start.turn(0).build().legal() == ["pass", "play grimoire", "play shoot"]
    game = start.turn(0, action_ban=True).build()
    assert game.legal() == ["pass"]
    assert game.lasting == ["until the end of this turn: nobody plays action cards"]


# ---------------------------------------------------------------- effects until somebody's next turn


def test_a_bonus_of_its_own():
    game = table().lasting("range bonus", until=1, value=5).lasting("distance bonus", until=1, value=2).build()
    assert game.seat(1).range == 6
    assert (game.distance(0, 1), game.distance(1, 0)) == (3, 1)
    assert game.lasting == ["until the next turn of seat 1: range bonus (5)", "until the next turn of seat 1: distance bonus (2)"]
    game.act("pass")  # the turn of seat 1 begins
    assert (game.turn, game.seat(1).range, game.lasting) == (1, 1, [])


def test_a_number_for_all_distances():
    game = table().lasting("all distances are this number", until=2, value=3).build()
    assert {game.distance(seat, other) for seat in range(4) for other in range(4) if seat != other} == {3}


def test_everybody_in_range_of_one():
    game = table().lasting("everybody is in range", until=2).build()
    assert [game.in_range(2, other) for other in (0, 1, 3)] == [True] * 3
    assert not game.in_range(0, 2)


def test_items_without_effect():
    game = table().seat(0, role="heroine", items=["power"]).lasting("items have no effect", until=3, on=0).build()
    assert game.seat(0).range == 1
    assert game.lasting == ["until the next turn of seat 3: items have no effect for seat 0"]


def test_a_type_that_nobody_plays():
    start = table().seat(0, role="heroine", hand=["shoot", "grimoire", "focus"])
    game = start.lasting("nobody plays cards of this type", until=1, value="item").build()
    assert game.legal() == ["pass", "play grimoire", "play shoot"]
    assert game.lasting == ["until the next turn of seat 1: nobody plays cards of this type (item)"]


def test_an_effect_of_a_defeated_seat_ends_where_its_turn_would_come():
    """R-19."""
    start = table().seat(1, role="stage_boss", defeated=True).lasting("all distances are this number", until=1, value=5)
    game = start.build()
    assert game.distance(0, 2) == 5
    while game.turn == 0:
        game.act("pass")
    assert (game.turn, game.distance(0, 2)) == (2, 1)


def test_effects_that_cannot_be():
    s = Scenario()
    for effect, options, reason in (
        ("flying", {}, "'flying' is not an effect that lasts; there are 'range bonus', 'distance bonus'"),
        ("range bonus", {"until": 4, "value": 5}, "'range bonus' until the turn of seat 4: the seats are 0 to 3"),
        ("range bonus", {}, "value is a whole number from 1 to 5, not None"),
        ("range bonus", {"value": 6}, "value is a whole number from 1 to 5, not 6"),
        ("range bonus", {"value": 5, "on": 1}, "is not about one other seat"),
        ("everybody is in range", {"value": 1}, "has no value, so 1 is not given"),
        ("items have no effect", {}, "concerns another seat: on="),
        ("items have no effect", {"on": 0}, "concerns another seat: on="),
        ("items have no effect", {"on": 4}, "on seat 4: the seats are 0 to 3"),
        ("nobody plays cards of this type", {"value": "powerup"}, "one of danmaku, dodge, invocation, item, not 'powerup'"),
        ("nobody plays cards of this type", {"value": 4}, "one of danmaku, dodge, invocation, item, not 4"),
    ):
        with pytest.raises(ScenarioError, match=reason):
            s.lasting(effect, **{"until": 0, **options})
    s.lasting("items have no effect", until=0, on=1).lasting("items have no effect", until=0, on=2)
    with pytest.raises(ScenarioError, match="'items have no effect' until the next turn of seat 0 is described twice"):
        s.lasting("items have no effect", until=0, on=1)
    big = Scenario(8)
    for place in range(20):
        big.lasting("items have no effect", until=place // 7, on=[seat for seat in range(8) if seat != place // 7][place % 7])
    big.build()
    with pytest.raises(ScenarioError, match="no more than 20 effects last at a time"):
        big.lasting("everybody is in range", until=0)


# ---------------------------------------------------------------- piles


def test_a_deck_of_these_cards_only():
    """The rest of the box lies in the discard pile, and comes back when the deck is empty."""
    start = table().seat(0, role="heroine", hand=["voile", "focus"]).deck(only=["graze/summer", "shoot/winter"])
    game = start.discard(top=["bomb/spring"]).build()
    assert game.deck == ["graze/summer", "shoot/winter"]
    assert game.discard[-1] == "bomb/spring"
    assert len(game.discard) == 80 - 2 - 2
    game.act("play voile")
    assert {"graze/summer", "shoot/winter"} <= {*game.seat(0).hand, *game.deck}
    assert len(game.deck) + len(game.discard) > 70


def test_an_empty_deck():
    game = table().deck(only=[]).build()
    assert game.deck == []
    assert len(game.discard) == 80


def test_both_ends_of_the_deck():
    game = table().deck(top=["graze/summer", "shoot"], bottom=["bomb/winter", "voile"]).build()
    assert [card.split("/")[0] for card in game.deck[:2]] == ["graze", "shoot"]
    assert [card.split("/")[0] for card in game.deck[-2:]] == ["bomb", "voile"]
    assert len(game.deck) == 80
    with pytest.raises(ScenarioError, match="a top and a bottom to name, or only these cards, not both"):
        table().deck(top=["shoot"], only=["graze"])


# ---------------------------------------------------------------- what is known


def worlds(game, seat):
    """Other worlds that fit what the seat knows."""
    return [resample(game, seat, seed) for seed in range(40)]


def test_cards_of_a_hand_that_were_seen():
    start = table().seat(1, role="stage_boss", hand=["graze/winter", "bomb/spring", "shoot/autumn"])
    game = start.knows(0, hands={1: ["bomb"]}).knows(2, hands={1: "all"}).build()
    assert all("bomb/spring" in world.seat(1).hand for world in worlds(game, 0))
    assert len({tuple(world.seat(1).hand) for world in worlds(game, 0)}) > 20
    assert {tuple(world.seat(1).hand) for world in worlds(game, 2)} == {tuple(game.seat(1).hand)}
    assert len({tuple(world.seat(1).hand) for world in worlds(game, 3)}) > 20
    assert not all("bomb/spring" in world.seat(1).hand for world in worlds(game, 3))


def test_each_of_two_equal_cards_is_another_one():
    start = table().seat(1, role="stage_boss", hand=["graze/winter", "graze/winter", "bomb"])
    game = start.knows(0, hands={1: ["graze", "graze/winter"]}).build()
    assert all(world.seat(1).hand.count("graze/winter") >= 2 for world in worlds(game, 0))
    refused(start.knows(0, hands={1: ["graze", "graze", "graze"]}), "nobody can know 'graze' in the hand of seat 1: it is not there")


def test_places_of_the_deck_that_were_seen():
    game = table().deck(top=["party", "graze/winter"], bottom=["voile"]).knows([0, 1], deck=[1, -1]).knows(2, deck=range(80)).build()
    assert {(world.deck[1], world.deck[-1]) for world in worlds(game, 1)} == {("graze/winter", game.deck[-1])}
    assert len({world.deck[0] for world in worlds(game, 1)}) > 10
    assert {tuple(world.deck) for world in worlds(game, 2)} == {tuple(game.deck)}
    assert len({world.deck[1] for world in worlds(game, 3)}) > 10


def test_places_of_the_incident_deck_that_were_seen():
    game = table().incident_deck(top=["overdrive", "spring_snow"]).knows(0, incident_deck=[1]).build()
    assert {world.incident_deck[1] for world in worlds(game, 0)} == {"spring_snow"}
    assert len({world.incident_deck[1] for world in worlds(game, 1)}) > 5


def test_roles_that_were_seen():
    game = table().knows(1, roles=[3]).build()
    boss = ROLE_IDS.index("ex_boss")
    assert role_assignments(game, 1).marginals()[3, boss] == 1
    assert role_assignments(game, 2).marginals()[3, boss] < 1
    assert not game.seat(3).role_revealed


def test_what_all_know_is_public():
    game = table().seat(1, role="stage_boss", hand=["bomb"]).knows([0, 1, 2, 3], roles=[3], hands={1: "all"}, deck=[0]).build()
    assert game.seat(3).role_revealed
    shown = game.record["seen_by"][game.record["seen_by"] == 255]
    assert len(shown) == 2


def test_knowledge_that_cannot_be():
    refused(table().knows(0, hands={1: ["graze"]}), "nobody can know 'graze' in the hand of seat 1: it is not there")
    refused(table().knows(0, deck=[80]), "nobody can know the card at place 80 of the deck: it has 80 cards")
    refused(table().deck(only=[]).knows(0, deck=[-1]), "at place -1 of the deck: it has 0 cards")
    refused(table().knows(0, incident_deck=[16]), "at place 16 of the incident deck: it has 16 cards")
    for options in ({"hands": {4: "all"}}, {"roles": [4]}):
        with pytest.raises(ScenarioError, match="seat 4: the seats are 0 to 3"):
            table().knows(0, **options)
    with pytest.raises(ScenarioError, match="knows: seat 4: the seats are 0 to 3"):
        table().knows([0, 4])


# ---------------------------------------------------------------- any table at all


def draw_table(rng):
    """A table of which much is described, at random."""
    players = int(rng.integers(4, 9))
    s = Scenario(players, GameConfig(num_players=players, characters="none", ask_everyone=bool(rng.integers(2))))
    kinds = list(rng.permutation([card.id for card in MAIN_CARDS]))
    characters = list(rng.permutation(CHARACTER_IDS[:NUM_BASE_CHARACTERS]))
    for seat in range(players):
        hand = [str(kinds.pop()) for _ in range(rng.integers(0, 4))] if kinds[3:] else []
        life = None if rng.random() < 0.6 else int(rng.integers(0, 5))
        s.seat(seat, character=str(characters.pop()), life=life, hand=hand, skip_next=bool(rng.random() < 0.2),
               skipped_last=bool(rng.random() < 0.2), spell_used=bool(rng.integers(2)), danmaku_played=int(rng.integers(3)))  # fmt: skip
        if hand:
            s.knows(sorted({int(other) for other in rng.integers(players, size=2)}), hands={seat: hand[:1]}, roles=[seat])
    if rng.random() < 0.3:
        s.deck(only=[str(kind) for kind in kinds[:3]])
    for effect in rng.permutation(LASTING)[: rng.integers(0, 4)]:
        owner = int(rng.integers(players))
        value = {
            "nobody plays cards of this type": "dodge", "everybody is in range": None,
            "items have no effect": None, "abilities have no effect": None,
        }.get(effect, 2)  # fmt: skip
        s.lasting(str(effect), until=owner, value=value, on=(owner + 1) % players if str(effect).endswith("have no effect") else None)
    step = str(rng.choice(["start", "incident", "draw", "main", "discard"]))
    banned, drew = step != "start" and bool(rng.integers(2)), [0, 2] if step != "start" else []
    return s.turn(int(rng.integers(players)), step=step, drew=drew, action_ban=banned).knows(1, deck=[0], incident_deck=[0])


@pytest.mark.parametrize("seed", range(40))
def test_any_table_is_played_saved_and_dealt_anew_like_any_other(seed):
    rng = np.random.default_rng(seed)
    game = draw_table(rng).build(seed)
    for _ in range(60):
        if game.over:
            break
        assert invariants.problem(game.record) is None
        assert Game.from_bytes(game.to_bytes()) == game
        for seat in range(game.config.num_players):
            assert (resample(game, seat, 1).observe(seat) == game.observe(seat)).all()
        game.act(int(rng.choice(game.legal_actions())))
    assert Replay.from_json(game.replay().to_json()).play() == game


# ---------------------------------------------------------------- refused, with the reason


def refused(scenario, reason):
    with pytest.raises(ScenarioError, match=reason):
        scenario.build()


def test_seats_and_steps_that_do_not_exist():
    with pytest.raises(ScenarioError, match="seat 4: the seats are 0 to 3"):
        Scenario(num_players=4).seat(4)
    with pytest.raises(ScenarioError, match="turn of seat 9: the seats are 0 to 3"):
        Scenario(num_players=4).turn(9)
    with pytest.raises(
        ScenarioError, match="'end' is not a step; the steps are game start, turn zero, start, incident, draw, main, discard"
    ):
        Scenario(num_players=4).turn(0, step="end")
    with pytest.raises(ScenarioError, match=r"at draft a game has no position to set up by hand yet: Game\.new begins there"):
        Scenario(num_players=4).turn(0, step="draft")


def test_cards_that_do_not_exist_or_are_all_placed():
    refused(Scenario().seat(0, hand=["sword"]), "hand of seat 0: 'sword' is not a card")
    refused(Scenario().seat(0, hand=["shoot/monday"]), "'shoot/monday' is not a card")
    refused(Scenario().seat(0, hand=["voile/spring"]), "'voile/spring' is a card of Lunatic Extra")
    refused(Scenario().seat(0, hand=["voile"]).deck(top=["voile"]), "deck: no 'voile' is left, all copies are placed already")
    refused(Scenario().seat(0, hand=["erase_shot"]), "'erase_shot' is a card of Lunatic Extra")


def test_only_items_lie_in_play():
    refused(Scenario().seat(1, items=["shoot"]), "seat 1: 'shoot' is not an item")


def test_one_defense_card_and_one_artifact():
    refused(Scenario().seat(1, items=["focus", "focus"]), "defense")
    refused(Scenario().seat(1, items=["stopwatch", "mini_hakkero"]), "artifact")


@pytest.mark.parametrize("life", [5, 6, -1, 1 << 70])
def test_life_between_nothing_and_the_maximum(life):
    refused(Scenario().seat(1, role="stage_boss", life=life), f"seat 1: life {life} is not between 0 and 4")
    assert Scenario(config=ASK).seat(1, role="heroine", life=5).build().seat(1).life == 5


def test_roles_that_are_not_left():
    refused(Scenario().seat(0, role="heroine").seat(1, role="heroine"), "seat 1: no 'heroine' is left to deal with 4 players")
    refused(Scenario().seat(0, role="partner"), "no 'partner' is left to deal with 4 players")
    refused(
        Scenario().seat(0, role="villain"),
        "seat 0: 'villain' is no role; at this table there are heroine, ex_boss, phantom_boss, stage_boss",
    )
    refused(Scenario().seat(0, role="ex_boss").seat(1, role="phantom_boss"), "no 'phantom_boss' is left")


def test_characters():
    refused(Scenario().seat(0, character="reimu"), "seat 0: 'reimu' is not a character")
    refused(Scenario().seat(0, character="cirno").seat(2, character="cirno"), "seat 2: cirno is already at the table")


def test_incidents():
    refused(Scenario().incident("bad_weather"), "'bad_weather' is not an incident")
    refused(Scenario().incident("overdrive").incident_deck(top=["overdrive"]), "an incident is named twice")
    refused(Scenario().incident(None, collected=["shoot"]), "cards are collected, but no incident is in play")
    refused(Scenario().incident("five_impossible_requests", collected=["stopwatch"]), "would be over with stopwatch collected")


def test_cards_an_incident_does_not_collect():
    refused(Scenario().incident("spring_snow", collected=["shoot/winter"]), "spring_snow does not collect")
    refused(Scenario().incident("crossing_to_higan", collected=["shoot"]), "crossing_to_higan does not collect")


def test_defeated_seats_have_nothing_and_no_turn():
    refused(Scenario().seat(1, defeated=True, hand=["shoot"]), "seat 1 is defeated, so it has no hand, items or life")
    refused(Scenario().seat(1, defeated=True, life=2), "seat 1 is defeated")
    refused(Scenario().seat(1, defeated=True).turn(1), "seat 1 is defeated and cannot have the turn")


def test_a_position_in_which_the_game_is_over():
    s = Scenario(num_players=4).seat(0, role="heroine", defeated=True)
    refused(s.seat(1, role="stage_boss").seat(2, role="ex_boss").turn(1), "would be over already: seat 1, seat 3 would have won")


def test_a_fallen_heroine_beside_a_rival_who_has_not_taken_over():
    """R-4, R-5: the Rival takes over in the same defeat, so this cannot be; the last of such a table would never win."""
    s = Scenario(num_players=8).seat(0, role="heroine", defeated=True).turn(1)
    for seat, role in enumerate(("partner", "final_boss", "challenger", "anti_heroine", "ex_boss"), start=3):
        s.seat(seat, role=role)
    refused(s.seat(1, role="rival"), "a defeated Heroine from whom an active Rival has not taken over")
    assert s.seat(1, role="partner").seat(2, role="rival", defeated=True).build().asking == 1  # they fell together, or the Rival before
    assert s.seat(0, role="", defeated=True).seat(1, role="heroine").seat(2, role="partner").build().asking == 1


def test_counters_that_cannot_be():
    refused(Scenario().seat(0, danmaku_played=-1), "seat 0: danmaku_played -1 is not between 0 and 80")
    refused(Scenario().seat(0, danmaku_played=141), "seat 0: danmaku_played 141 is not between 0 and 80")


def test_a_configuration_for_another_table():
    refused(Scenario(num_players=5, config=GameConfig(num_players=4)), "the configuration is for 4 players, the scenario for 5")


def test_a_table_that_cannot_be():
    with pytest.raises(ValueError, match="num_players"):
        Scenario(num_players=3).build()
    with pytest.raises(ValueError, match="a seed is a whole number"):
        Scenario().build(seed=-1)
