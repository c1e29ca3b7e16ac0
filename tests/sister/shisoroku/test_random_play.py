"""Random play as a test: cards are conserved, every text is reached, nobody's row tells what is hidden, and all ways to play are one."""

import random

import numpy as np
import pytest

from danmaku_env.machine.records import RNG, as_bytes
from danmaku_env.sister.shisoroku import SHISOROKU_SPEC, Game, Replay, ShisorokuConfig, decode, resample
from danmaku_env.sister.shisoroku.cards import box, words
from danmaku_env.sister.shisoroku.cards.tables import tables
from danmaku_env.sister.shisoroku.engine import batch, policy
from danmaku_env.sister.shisoroku.engine import state as st
from tests.sister.both import altered_records_refused, check_batch_against_single_games, plays_the_same_without_the_compiler

FAILED_ONCE = (25, 369)
"""Seeds that found something."""


def config(seed, **options):
    """Another table for every seed."""
    named = {"sets": box.SETS, "start": ("shrine", "chirei")[seed % 4 == 0], "optional_cards": seed % 5 == 0}
    asks = {"ask_order": seed % 7 == 0, "ask_forced": seed % 11 == 0, "ask_everyone": seed % 6 == 0}
    usual = {"num_players": 2 + seed % 3, "kingdom": "random", "max_turns": 60}
    return ShisorokuConfig(**{**usual, **named, **asks, **options})


def answer(game, rng):
    """A random answer that plays and buys more than most, so that cards are met."""
    weights = {"play": 6.0, "pass": 0.7}
    legal = game.legal()
    return rng.choices(legal, [0.2 + game.cost(name[4:]) if name[:4] == "buy " else weights.get(name.split()[0], 1.0) for name in legal])[0]


def positions(seed, **options):
    """A random game, position by position."""
    game, rng = Game.new(config(seed, **options), seed), random.Random(seed)
    while not game.over:
        yield game
        game.act(answer(game, rng))
    yield game


def started(cfg, games, seed):
    records = SHISOROKU_SPEC.room_for(games)
    SHISOROKU_SPEC.entries.compile_once()
    batch.drive(tables(), cfg.settings(), records, as_bytes(records), np.arange(seed, seed + games), np.zeros(games, np.int8), batch.START)
    return records


def menus(records, rng):
    """[B, 4, 16] plans: some seats answer at random, the others buy five kinds of kingdom cards."""
    plans = np.zeros((len(records), st.SEATS, 2 * policy.PLAN_ROOM), np.int64)
    for game, row in zip(records, plans, strict=True):
        for plan in row:
            kinds = rng.permutation(game["kinds"][words.KINGDOM : words.CHIREI])[:5]
            plan[:10] = np.stack([kinds, rng.integers(1, 6, 5)], 1).ravel()
            if rng.random() < 0.3:
                plan[0] = policy.AT_RANDOM
    return plans


def test_every_text_and_question_is_reached_and_no_card_is_lost():
    rng, engine_rng = np.random.default_rng(1), np.zeros(1, RNG)
    engine_rng["rng"] = 1, 2, 3, 4
    table, asked, events = tables(), set(), set()
    table["reached"] = 0
    for seed in range(24):
        records = started(config(seed, max_turns=200, ask_forced=False), 192, 1000 * seed)
        plans = menus(records, rng)
        for _ in range(250):
            policy.play_out(table, records, plans, 3, engine_rng)
            batch.rollout(table, records, 1, engine_rng)
            asked |= set(records["question"].tolist())
            events |= set(records["log"][:, :, 0].ravel().tolist()) if seed % 8 == 7 else set()
        assert not records["status"].any()
        assert records["top_size"].max() < st.TOP_ROOM  # M-1
        for game in records[::31]:
            assert SHISOROKU_SPEC.problem(game) is None
    unreached = [row for row in np.flatnonzero(table["reached"][0] == 0).tolist() if row]
    replaced = int(table["text"][0, box.NUMBERS["in-23"], words.ON_WOULD_GAIN])  # has no rows: the gain itself carries it out
    assert unreached == [replaced]
    assert asked >= set(range(len(words.QUESTIONS))) - {words.QUESTIONS.index("pass left")} | {0} - {words.QUESTIONS.index("top")}
    assert events >= set(range(1, len(st.EVENT_WORDS)))


@pytest.mark.parametrize("seed", [*FAILED_ONCE, *range(1000, 1012)])
def test_a_dealt_anew_world_looks_the_same_and_could_be(seed):
    for number, game in enumerate(positions(seed)):
        if number % 13 and not game.over:
            continue
        assert SHISOROKU_SPEC.problem(game.record) is None
        for seat in range(game.config.num_players):
            world = resample(game, seat, number)
            assert (world.observe(seat) == game.observe(seat)).all()
            assert list(world.log.of(seat))[-500:] == list(game.log.of(seat))[-500:]
            if seat == game.asking:
                assert world.legal() == game.legal()
                assert SHISOROKU_SPEC.problem(world.record) is None


@pytest.mark.parametrize("leak", ["hand", "deck", "top", "hidden"])
def test_a_planted_leak_would_be_found(leak):
    """A row that told of another seat's hand, deck, order or hidden cards would differ in some world."""

    def told(game, seat):
        record, other = game.record, (seat + 1) % game.config.num_players
        shown = {"hand": record["hand"][other], "deck": record["deck"][other] + record["discard"][other], "top": record["top"][other]}
        return np.concatenate([game.observe(seat), shown.get(leak, record["hidden"][other])])

    cards = ("pcb-07", "pcb-13", "eosd-08", "eosd-17", "eosd-20", "eosd-09", "eosd-19", "eosd-01", "eosd-16", "eosd-22")
    kingdom = {"kingdom": cards, "optional_cards": False, "start": "shrine"}
    found = False
    for game in positions(3, **kingdom):
        found = found or any((told(resample(game, 0, seed), 0) != told(game, 0)).any() for seed in range(3))
    assert found


def test_a_card_seen_on_the_discard_pile_is_not_in_a_hand_drawn_before_the_deck_was_made():
    """H-7: seat 1 draws two old cards, then makes its deck of a pile in which a Sake lay open."""
    from tests.sister.shisoroku.table import COIN, ONE, RICE, SAKE, end_turn, table

    seats = [{"hand": [COIN]}, {"hand": [COIN], "in_play": [SAKE], "deck": [ONE, RICE], "discard": [COIN] * 4}]
    game = end_turn(table(seats=seats, turn={"seat": 1, "phase": "purchases"}))
    assert game.record["old_hand"][1].sum() == 2
    old = [resample(game, 0, seed).record["old_hand"][1] for seed in range(200)]
    sake = SHISOROKU_SPEC.ids["place"].index(SAKE) - 1
    assert all(cards.sum() == 2 and not cards[sake] for cards in old)
    assert any(resample(game, 0, seed).seat(1).hand.get(SAKE) for seed in range(40))


def test_a_lazy_deck_is_drawn_as_a_shuffled_list_is():
    """Chi-square over a million draws: which kind comes at which place of a shuffled starting deck."""
    games = 100_000
    records = started(ShisorokuConfig(), games, 0)
    hands = records["hand"][:, 0].astype(np.int64)
    victory = np.bincount(hands[:, words.ONE_VP], minlength=4)
    deck = np.random.default_rng(0).permuted(np.tile([1] * 3 + [0] * 7, (games, 1)), axis=1)[:, :5].sum(1)
    shuffled = np.bincount(deck, minlength=4)
    chi = (((victory - shuffled) ** 2) / (victory + shuffled)).sum()
    assert chi < 16.3  # three degrees of freedom, one in a thousand
    expected = games * np.array([21, 105, 105, 21]) / 252
    assert (((victory - expected) ** 2) / expected).sum() < 16.3
    assert hands.sum() == 5 * games


def naive_points(owned):
    """Points of owned cards, id -> copies, by the print alone."""
    cards = {card.id: card for card in box.CARDS}
    victory = sum(copies for name, copies in owned.items() if cards[name].types & words.VICTORY)
    extra = {"eosd-10": sum(owned.values()) // 10, "sp-03": victory // 4, "pcb-09": owned.get("kirinomizuumi", 0)}
    return sum(copies * (cards[name].points + extra.get(name, 0)) for name, copies in owned.items())


def test_points_are_those_of_a_second_count():
    for seed in range(30):
        *_, game = positions(seed)
        assert game.points == [naive_points(seat.owned) for seat in game.seats]


def test_a_batch_plays_what_single_games_play():
    check_batch_against_single_games(config(4, max_turns=30))


def test_saves_and_replays_come_back():
    for seed in (2, 3, 4):
        *_, game = positions(seed)
        assert Game.from_bytes(game.to_bytes()) == game
        replay = Replay.from_json(game.replay().to_json())
        assert replay.play() == game
        assert '"play ' in game.replay().to_json()


def test_the_compiler_changes_nothing():
    assert plays_the_same_without_the_compiler("shisoroku", (0, 3, 7), 12)


def test_an_observation_in_words_names_the_cards_of_this_game():
    game = Game.new(config(8), 8)
    said = decode(game.observe(0), words=True)
    assert set(game.kingdom) <= set(said["supply"])
    assert said["owned"][0] == game.seat(0).owned


def test_altered_records_are_refused_or_harmless():
    """Whatever byte is changed: the record is refused, or plays on to an end without a bad status."""
    *_, game = (game for number, game in enumerate(positions(9)) if number < 60)
    assert altered_records_refused(game, st.READ_BYTES) > 200
