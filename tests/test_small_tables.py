"""Smaller games by options: fewer cards, no incidents, less life; and tables so small that every deal can be listed."""

import json
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from danmaku_env import ConfigError, GameConfig, danmaku_v0, make_vec
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.game import Game, Replay, Scenario, ScenarioError, every_deal, resample
from danmaku_env.wording import card_name

SMALL = {"num_players": 4, "roles": "basic", "characters": "none", "deck": {"shoot": 12, "graze": 8}, "incidents": ()}
TINY = {**SMALL, "deck": {"shoot/autumn": 4, "graze/autumn": 2}, "life": 1, "hand": 1, "max_turns": 1}
NO_SUCH_KIND = "'shot' is not a kind of card; the kinds are one_up, bomb"


def cards_of(game):
    """How many of each kind there are, wherever they lie."""
    held = [name for seat in game.seats for name in [*seat.hand, *seat.items]]
    s = game.record
    lying = [*s["deck"][: s["deck_size"]], *s["discard"][: s["discard_size"]], *s["played"][: s["played_size"]]]
    return Counter(name.partition("/")[0] for name in [*held, *(card_name(int(card) - 1) for card in lying)])


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"deck": {"shot": 3}}, NO_SUCH_KIND),
        ({"deck": {"shoot": 99}}, "deck: the box has 24 of shoot; 0 to 24 can be played, not 99"),
        ({"deck": {"shoot": True}}, "0 to 24 can be played, not True"),
        ({"deck": {"shoot/mud": 1}}, "the seasons are spring, summer, autumn, winter"),
        ({"deck": {"one_up/spring": 1}}, "no one_up is of spring"),
        ({"deck": {"zero": 1}}, "not a kind of card"),
        ({"deck": {"shoot": 23, "shoot/spring": 2}}, "23 of shoot are more than the 22 that the rest of the deck leaves"),
        ({"deck": [("shoot", 1), ("shoot", 2)]}, "deck names shoot twice"),
        ({"deck": {}}, "deck is empty"),
        ({"deck": "shoot"}, "how many copies of each kind"),
        ({"deck": [("shoot",)]}, "how many copies of each kind"),
        ({"incidents": ["sakura"]}, "'sakura' is not an incident; the incidents are"),
        ({"incidents": ["lily_white", "lily_white"]}, "names one twice"),
        ({"incidents": "lily_white"}, "must be a list of incidents"),
        ({"life": 0}, "life must be a whole number from 1 to 5, not 0"),
        ({"hand": 8}, "hand must be a whole number from 1 to 7, not 8"),
    ],
)
def test_what_no_box_can_give_is_refused(options, reason):
    with pytest.raises(ConfigError, match=reason):
        GameConfig(**options)


def test_a_small_table_is_plain_data_and_all_of_the_box_is_no_option():
    config = GameConfig(**SMALL, life=2, hand=3)
    assert GameConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config
    assert hash(config) == hash(GameConfig(**{**SMALL, "deck": [("graze", 8), ("shoot", 12), ("bomb", 0)]}, life=2, hand=3))
    box = Counter(card_name(card).partition("/")[0] for card in GameConfig().cards)
    assert GameConfig(deck=dict(box), incidents=list(GameConfig().incident_ids)) == GameConfig()


def test_only_the_cards_named_are_in_the_game():
    game = Game.new(GameConfig(**SMALL), 5)
    assert cards_of(game) == {"shoot": 12, "graze": 8}
    assert game.record["incident_deck_size"] == 0
    game = Game.new(
        GameConfig(**{**SMALL, "deck": {"shoot/spring": 3, "shoot": 2, "graze": 8}, "incidents": ["lily_white", "spring_snow"]}), 5
    )
    assert cards_of(game) == {"shoot": 5, "graze": 8}
    assert {int(number) for number in game.record["incident_deck"]} | {int(game.record["incidents"][0])} != {0}


def test_everybody_has_the_life_and_the_hand_that_are_given():
    """Whatever the role: the Heroine too, who has one more of each as printed."""
    game = Game.new(GameConfig(**SMALL, life=2, hand=3), 1)
    assert [seat.life for seat in game.seats] == [seat.max_life for seat in game.seats] == [2] * 4
    assert [seat.max_hand for seat in game.seats] == [3] * 4
    assert sorted(len(seat.hand) for seat in game.seats) == [3, 3, 3, 5], "the Heroine has drawn for her first turn"


@pytest.mark.parametrize(("life", "hand"), [(life, hand) for life in (None, *range(1, 6)) for hand in (None, *range(1, 8))])
def test_every_life_and_hand_can_be_given(life, hand):
    """With the whole box: the one leaves the other as it is, and the deck too."""
    config = GameConfig(num_players=5, characters="none", life=life, hand=hand)
    game = Game.new(config, 1)
    printed = Game.new(GameConfig(num_players=5, characters="none"), 1)
    assert [seat.max_life for seat in game.seats] == [life or seat.max_life for seat in printed.seats]
    assert [seat.life for seat in game.seats] == [seat.max_life for seat in game.seats]
    assert [seat.max_hand for seat in game.seats] == [hand or seat.max_hand for seat in printed.seats]
    assert cards_of(game) == cards_of(printed)
    vec = make_vec(8, config)
    vec.reset(1)
    for _ in range(400):
        vec.step(vec.sample())
        assert (vec.observations <= DANMAKU_SPEC.highest(0)).all()
    vec.check()


NOTHING_TO_DO = GameConfig(**{**SMALL, "deck": {"graze": 8}})
"""Nobody can play a card, or hold too many, in turns without end: no game of this table asks anything."""
SELDOM = GameConfig(**{**SMALL, "deck": {"shoot": 4, "graze": 12}}, max_turns=1, hand=2)
"""Some games end before anybody can do anything."""


def test_a_table_that_asks_nothing_is_told_in_a_sentence():
    assert Game.new(NOTHING_TO_DO, 1).outcome == "truncated"
    for threads in (1, 2):
        vec = make_vec(4, NOTHING_TO_DO, threads=threads)
        for begin in (vec.reset, lambda vec=vec: vec.start([2], [7])):
            with pytest.raises(RuntimeError, match="100 games in a row ended before anybody was asked anything, in row"):
                begin()


def test_a_game_that_ends_before_its_first_question_is_over_in_an_environment_and_replaced_in_a_batch():
    ended = next(seed for seed in range(100) if Game.new(SELDOM, seed).over)
    env = danmaku_v0.raw_env(**SELDOM.to_dict())
    env.reset(seed=ended)
    seats = []
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        assert (reward, terminated, truncated) == (0.0, False, True)
        env.step(None)
        seats.append(agent)
    assert sorted(seats) == env.possible_agents
    vec = make_vec(3, SELDOM)
    vec.reset(ended)
    assert not vec.dones.any(), "nobody has seen that game"
    vec.start([1], [ended])
    assert not vec.dones.any()
    begun = ended
    while Game.new(SELDOM, begun).over:
        begun = DANMAKU_SPEC.entries.next_seed(begun)
    assert Game.new(SELDOM, begun) == vec.game(0) == vec.game(1)


def test_a_shoot_ends_a_seat_that_has_one_life():
    """And the Heroine dies of the first hit, which is what the Stage Bosses want."""
    table = Scenario(config=GameConfig(**SMALL, life=1))
    table.seat(0, role="heroine", hand=[])
    table.seat(1, role="stage_boss", hand=["shoot"])
    table.turn(1, step="main")
    game = table.build(seed=3)
    game.act("play shoot")
    game.act("choose seat:0")
    while not game.over:
        game.act("pass")
    assert 1 in game.winners


def test_a_scenario_has_only_the_cards_of_its_game():
    table = Scenario(config=GameConfig(**SMALL))
    table.seat(0, hand=["bomb"])
    with pytest.raises(ScenarioError, match="no 'bomb' is left"):
        table.build(seed=3)
    table = Scenario(config=GameConfig(**SMALL))
    table.incident("lily_white")
    with pytest.raises(ScenarioError, match="none of the incidents of this game"):
        table.build(seed=3)


@pytest.mark.parametrize(
    "options", [{}, {"life": 1, "hand": 1}, {"incidents": ["lily_white"], "deck": {"shoot": 6, "bomb": 2, "graze": 5}}]
)
def test_random_play_keeps_every_card(options):
    """However little there is to draw: 64 games side by side, whole games, every record possible, worlds alike for whoever looks."""
    config = GameConfig(**{**SMALL, "max_turns": 60, **options})
    there = Counter(card_name(card).partition("/")[0] for card in config.cards)
    vec = make_vec(64, config)
    vec.reset(7)
    for step in range(300):
        vec.step(vec.sample())
        if step % 20 == 0:
            vec.check()
            game = Game.from_record(vec.games[:1].copy(), config)
            assert cards_of(game) + collected(game) == there
            seat = int(vec.seats[0])
            assert (resample(game, seat, step).observe(seat) == game.observe(seat)).all()


def collected(game):
    """How many of each kind lie with the incident in play."""
    return Counter(name.partition("/")[0] for name in game.collected)


def test_a_game_of_few_cards_is_saved_and_replayed():
    config = GameConfig(**SMALL, life=2)
    game = Game.new(config, 11)
    rng = np.random.default_rng(1)
    while not game.over:
        game.act(int(rng.choice(game.legal_actions())))
    assert Game.from_bytes(game.to_bytes()) == game
    assert Replay.from_json(game.replay().to_json()).play() == game


def test_deals_are_listed_of_a_configuration():
    with pytest.raises(ConfigError, match="deals are listed of a GameConfig, not of 4"):
        every_deal(4)


# ---------------------------------------------------------------- every deal


def test_every_deal_is_listed_once_with_its_probability():
    """Four basic roles, of which two are alike, and six cards of two faces: 12 times 15, all as likely."""
    config = GameConfig(**TINY)
    deals = every_deal(config)
    assert len(deals.seeds) == 12 * 15
    assert set(deals.chances.tolist()) == {1 / 180}
    seen = Counter()
    for seed in deals.seeds:
        game = Game.new(config, int(seed))
        seen[tuple(seat.role for seat in game.seats), tuple(tuple(seat.hand) for seat in game.seats)] += 1
    many = Counter()
    for seed in range(20_000, 26_000):
        game = Game.new(config, seed)
        many[tuple(seat.role for seat in game.seats), tuple(tuple(sorted(seat.hand)) for seat in game.seats)] += 1
    listed = Counter()
    for (roles, hands), count in seen.items():
        listed[roles, tuple(tuple(sorted(hand)) for hand in hands)] += count
    assert listed.keys() == many.keys()
    for table, count in listed.items():
        assert abs(many[table] / 6000 - count / 180) < 5 * (count / 180 / 6000) ** 0.5


def test_deals_of_roles_that_are_not_alike_have_their_own_probability():
    """Advanced roles: which of the boss cards are dealt is drawn, so a role of which there are two cards is twice as likely."""
    config = GameConfig(**{**TINY, "roles": "advanced", "num_players": 5, "deck": {"shoot/autumn": 2}})
    deals = every_deal(config)
    by_roles = Counter()
    for seed, chance in zip(deals.seeds, deals.chances, strict=True):
        by_roles[frozenset(seat.role for seat in Game.new(config, int(seed)).seats)] += Fraction(chance).limit_denominator(10**6)
    assert sum(by_roles.values()) == pytest.approx(1)
    assert len(set(by_roles.values())) > 1


def test_cards_that_are_all_alike_leave_nothing_to_chance_but_the_roles():
    """And of seasons nobody asks without incidents, but whoever sees a card sees its season."""
    assert every_deal(GameConfig(**{**TINY, "deck": {"shoot/autumn": 6}})).alike
    assert not every_deal(GameConfig(**{**TINY, "deck": {"shoot/autumn": 5, "shoot/spring": 1}})).alike


def test_the_tiny_table_is_shoots_alone():
    """Four seats of basic roles, two lives and two cards each: what is left to find out is who is who."""
    game = Game.new(table="Tiny-v0", seed=4)
    assert cards_of(game) == {"shoot": 16}
    assert sorted(seat.role for seat in game.seats) == ["ex_boss", "heroine", "stage_boss", "stage_boss"]
    assert [(seat.life, seat.max_hand, seat.character) for seat in game.seats] == [(2, 2, "")] * 4


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({}, "a small deck"),
        ({**SMALL}, "deals; at most 100,000 can be listed: have a smaller deck"),
        ({**TINY, "characters": "random"}, "no characters are dealt"),
        ({**TINY, "incidents": ["lily_white", "spring_snow"]}, "no incidents are shuffled"),
        ({**TINY, "expansion": "lunatic_extra"}, "deals can be listed of the base game"),
    ],
)
def test_tables_whose_deals_cannot_be_listed_say_why(options, reason):
    with pytest.raises(ConfigError, match=reason):
        every_deal(GameConfig(**options))
