"""The log: what it says publicly, what it tells the seats involved, and how it reaches programs: history rows and tallies."""

import numpy as np
import pytest

from danmaku_env import Game, GameConfig, resample
from danmaku_env.cards.box import INCIDENT_IDS, KIND_IDS
from danmaku_env.docs import EVENT_DOC
from danmaku_env.engine import events, invariants
from danmaku_env.engine import state as st
from danmaku_env.engine.observation import HISTORY_COLUMNS, OBSERVATION_SIZE, OFFSETS, highest
from danmaku_env.game import histories, public_log
from danmaku_env.jit.kernels import JIT
from danmaku_env.wording import Event
from tests.random_play import batch_midway, play_randomly
from tests.table import act, end_turn, pass_until, scene


def news(game, *answers):
    """The public lines that the answers bring."""
    before = len(game.log)
    act(game, *answers)
    return game.log[before:]


def told(game, observer):
    """The lines that say more to a seat than to everybody."""
    return [line for line, public in zip(game.log.of(observer), game.log, strict=True) if line != public]


# ---------------------------------------------------------------- sentences: what all hear, and what the seats involved hear


def test_an_attack_in_the_log():
    game = scene().seat(0, hand="shoot/spring power").seat(1, hand="graze/winter").deck("bomb/spring").build()
    assert news(game, "play shoot", "choose seat:1", "pass") == [
        "seat 0 plays Shoot on seat 1",
        "seat 0 attacks seat 1",
        "seat 1 loses 1 life, 3 left",
        "seat 1 draws 1 card",
        "the attack of seat 0 hits seat 1",
    ]
    assert told(game, 1) == ["seat 1 draws 1 card: Bomb (spring)"]
    assert told(game, 0) == told(game, 2) == []
    game = scene().seat(0, hand="shoot/spring power").seat(1, hand="graze/winter").build()
    assert news(game, "play shoot", "choose seat:1", "play graze") == [
        "seat 0 plays Shoot on seat 1",
        "seat 0 attacks seat 1",
        "seat 1 plays Graze",
        "seat 1 avoids the attack of seat 0",
    ]


def test_a_look_in_the_log():
    game = scene().seat(0, "komeiji_satori", hand="power focus").seat(1, hand="bomb/spring graze/winter").build()
    assert news(game, "ability komeiji_satori", "choose seat:1") == [
        "seat 0 (Satori) uses Komeiji Satori on seat 1",
        "seat 0 (Satori) looks at the hand of seat 1",
    ]
    line = "seat 0 (Satori) looks at the hand of seat 1: Bomb (spring), Graze (winter)"
    assert told(game, 0) == told(game, 1) == [line]
    assert told(game, 2) == told(game, 3) == []
    assert game.log.above()[-1] == line


def test_a_gift_in_the_log():
    game = scene().seat(0, "toyosatomimi_no_miko", hand="bomb/spring power focus").build()
    assert news(game, "ability toyosatomimi_no_miko", "choose seat:2", "choose card:bomb", "choose card:power", "pass") == [
        "seat 0 (Miko) uses Toyosatomimi no Miko on seat 2",
        "seat 2 gets 1 card of seat 0 (Miko)",
        "seat 2 gets 1 card of seat 0 (Miko)",
    ]
    assert told(game, 0) == told(game, 2)
    assert told(game, 2)[0] == "seat 2 gets 1 card of seat 0 (Miko): Bomb (spring)"
    assert told(game, 1) == told(game, 3) == []


def test_a_card_put_on_a_deck_in_the_log():
    game = scene().seat(0, hand="voile/autumn bomb/spring").deck("power/winter focus/summer stopwatch/winter").build()
    assert news(game, "play voile", "choose card:bomb") == [
        "seat 0 plays Voile",
        "seat 0 draws 3 cards",
        "seat 0 puts a card on top of the Main deck",
    ]
    assert told(game, 0) == [
        "seat 0 draws 3 cards: Power (winter), Focus (summer), Stopwatch (winter)",
        "seat 0 puts Bomb (spring) on top of the Main deck",
    ]
    assert told(game, 1) == []


def test_a_plan_in_the_log():
    """Nobody else hears which card went to which end."""
    game = scene().seat(0, hand="master_plan power").deck("focus/summer graze/winter bomb/spring").build()
    answers = ["choose card:bomb", "choose bottom", "choose card:focus", "choose top", "choose top"]
    assert news(game, "play master_plan", "choose deck:main", *answers) == [
        "seat 0 plays Master Plan",
        "seat 0 looks at 3 cards of a deck",
        *["seat 0 puts a card on one end of the Main deck"] * 3,
    ]
    assert told(game, 0) == [
        "seat 0 looks at 3 cards of a deck: Focus (summer), Graze (winter), Bomb (spring)",
        "seat 0 puts Bomb (spring) on one end of the Main deck",
        "seat 0 puts Focus (summer) on one end of the Main deck",
        "seat 0 puts Graze (winter) on one end of the Main deck",
    ]


def test_hands_exchanged_in_the_log():
    game = (
        scene()
        .seat(0, "mononobe_no_futo", hand="spiritual_attack stopwatch")
        .seat(1, hand="graze/winter power/winter")
        .seat(2, hand="focus/summer")
        .build()
    )
    assert news(game, "play spiritual_attack", "choose seat:1", "choose seat:2", "pass")[-3:] == [
        "seat 1 and seat 2 exchange hands",
        "seat 2 gets 2 cards of seat 1",
        "seat 1 gets 1 card of seat 2",
    ]
    assert told(game, 1) == told(game, 2)
    assert told(game, 1) == [
        "seat 2 gets 2 cards of seat 1: Graze (winter), Power (winter)",
        "seat 1 gets 1 card of seat 2: Focus (summer)",
    ]
    assert told(game, 0) == told(game, 3) == []


def test_what_sanae_discards_is_public():
    game = scene().seat(0, "kochiya_sanae", hand="shoot focus").deck("bomb/spring power").build()
    lines = news(game, "play shoot", "choose seat:1", "choose yes", "choose yes")
    assert lines[1:3] == ["seat 0 (Sanae) looks at 1 card of a deck", "seat 0 (Sanae) discards Bomb (spring)"]
    assert told(game, 0) == ["seat 0 (Sanae) looks at 1 card of a deck: Bomb (spring)"]


def test_an_item_that_worldly_desires_discards_is_public():
    game = scene().seat(0, hand="stopwatch power/winter").incident("worldly_desires").build()
    assert news(game, "play power") == ["seat 0 discards Power (winter)", "Worldly Desires collects Power (winter)"]


def test_an_incident_fetched_in_the_log():
    start = scene(turns=3).seat(0, role="heroine", hand="focus").seat(3, role="true_phantom_boss", hand="focus")
    game = start.incident("spring_snow").turn(3, step="start").build()
    assert news(game, "choose yes", "choose incident:lily_white") == [
        "incident over: Spring Snow",
        "seat 3 looks for an incident and puts it on top of its deck",
    ]
    assert told(game, 3) == ["seat 3 looks for an incident and puts it on top of its deck: Lily White"]
    assert told(game, 0) == []


def test_a_crisis_in_the_log():
    start = scene(6).seat(0, role="heroine").seat(1, role="final_boss").turn(0, step="incident").incident_deck(top="crisis_of_faith")
    game = start.deck("power/winter bomb/autumn").build()
    assert game.log[:5] == [
        "incident: Crisis of Faith",
        "seat 1 flips Power (winter)",
        "seat 2 flips Bomb (autumn)",
        "seat 0 and seat 2 exchange roles; seat 2 is the Heroine now, and the life of seat 0 falls to 4",
        "seat 2 regains 1 life, now 5",
    ]


def test_a_defeat_and_its_tail_in_the_log():
    start = scene(5).seat(0, role="heroine", hand="shoot/spring power").seat(1, role="partner", life=1, hand="focus/summer")
    game = start.deck("power/winter").build()
    assert news(game, "play shoot", "choose seat:1")[5:8] == [
        "seat 1 is defeated: Partner",
        "seat 1 discards Focus (summer)",
        "seat 1 discards Power (winter)",
    ]


# ---------------------------------------------------------------- secrets kept by the order of events

HANDS = ("focus power stopwatch", "graze seal_away shoot", "grimoire kourindou graze", "one_up laser_shot tempest", "shoot shoot graze")
SECRET_ACTIONS = {
    "Satori looks": ("komeiji_satori", "power", ("ability komeiji_satori", "choose seat:1"), ()),
    "Futo exchanges hands": (
        "mononobe_no_futo",
        "spiritual_attack power",
        ("play spiritual_attack", "choose seat:1", "choose seat:2", "pass"),
        (),
    ),
    "Miko gives": ("toyosatomimi_no_miko", "power", ("ability toyosatomimi_no_miko", "choose seat:1"), ("pass",)),
    "Voile": ("", "voile", ("play voile",), ()),
    "Master Plan": ("", "master_plan power", ("play master_plan", "choose deck:main"), ()),
    "an incident plan": ("", "master_plan power", ("play master_plan", "choose deck:incident"), ()),
}
IN_SECRET = ("aside", "card", "end", "season", "incident")


def heard(game, observer):
    """All that reaches a seat of what has happened."""
    return game.observe(observer).tobytes(), histories(game.records, np.array([observer]), 100).tobytes(), str(game.log.of(observer))


@pytest.mark.parametrize("action", SECRET_ACTIONS)
def test_an_action_in_secret_sounds_the_same_whatever_the_cards(action):
    """A third seat sees and hears the same, whoever holds which cards and whatever is chosen in secret: also by the order of events."""
    character, cards, opening, closing = SECRET_ACTIONS[action]
    reports, full_logs = set(), set()
    for variant in range(12):
        one, other, deck = (HANDS[(variant * step + shift) % 5] for step, shift in ((1, 0), (2, 1), (3, 2)))
        game = (
            scene()
            .seat(0, character, hand=f"{cards} {('bomb/spring', 'melee/winter')[variant % 2]}")
            .seat(1, hand=one)
            .seat(2, hand=other)
            .deck(deck)
            .build()
        )
        act(game, *opening)
        random = np.random.default_rng(variant)
        for _ in range(1 if closing else 20):
            if game.question in IN_SECRET:
                game.act(str(random.choice([answer for answer in game.legal() if answer != "pass"])))
        act(game, *closing)
        assert game.question == "main"
        reports.add(heard(game, 3))
        full_logs.add(str(game.log.above()))
    assert len(full_logs) > 2
    assert len(reports) == 1


def test_who_knows_one_card_of_a_hand_hears_nothing_of_the_others_when_it_is_looked_at():
    """Seat 3 gave seat 1 a Graze; whether what else Satori finds there comes before or after it in the box is no business of seat 3."""
    reports = set()
    for other in ("bomb/spring", "voile/autumn"):
        game = (
            scene(turns=9)
            .seat(0, "komeiji_satori", hand="power")
            .seat(1, hand=other)
            .seat(3, "toyosatomimi_no_miko", hand="graze/spring focus")
            .turn(3)
            .build()
        )
        act(game, "ability toyosatomimi_no_miko", "choose seat:1", "choose card:graze", "pass")
        end_turn(game)
        act(game, "ability komeiji_satori", "choose seat:1")
        reports.add(heard(game, 3))
        assert len(told(game, 0)) == 2  # what she drew, and the hand she saw
    assert len(reports) == 1


# ---------------------------------------------------------------- history rows


def history(game, observer, events):
    """The last events as a seat reads them, as dictionaries of what is not zero."""
    rows = histories(game.records, np.array([observer]), events)[0]
    return [{name: int(value) for name, value in zip(HISTORY_COLUMNS, row, strict=True) if value} for row in rows]


def test_history_rows_are_relative_and_private():
    game = scene().seat(0, "komeiji_satori", hand="power focus").seat(1, hand="bomb/spring").build()
    act(game, "ability komeiji_satori", "choose seat:1")
    look = {"event": events.L_LOOK, "number": 1, "extra": 1}
    bomb = {"card": KIND_IDS.index("bomb") + 1, "season": 1}
    assert history(game, 0, 1) == [{**look, "actor": 1, "target": 2, **bomb}]
    assert history(game, 1, 1) == [{**look, "actor": 4, "target": 1, **bomb}]
    assert history(game, 2, 1) == [{**look, "actor": 3, "target": 4}]
    use = history(game, 2, 2)[1]
    assert (use["event"], use["actor"], use["target"]) == (events.L_USE, 3, 4)


def test_history_rows_of_incidents_name_the_incident():
    game = scene().seat(0, hand="master_plan power").build()
    act(game, "play master_plan", "choose deck:incident")
    rows = history(game, 0, 3)
    assert all(row["event"] == events.L_LOOK for row in rows)
    aside = game.observe(0)[OFFSETS["aside_incidents"] :][: len(INCIDENT_IDS)]
    assert sorted(row["card"] - 1 for row in rows) == np.flatnonzero(aside).tolist()
    assert all("card" not in row for row in history(game, 1, 3))


def test_the_history_piece_ends_the_observation():
    config = GameConfig(num_players=5, characters="random", history=7)
    game = Game.new(config, 3)
    for position in play_randomly(game, 3, limit=150):
        row = position.observe(2)
        assert row.shape == (config.observation_size,)
        assert (row[OBSERVATION_SIZE:].reshape(7, -1) == histories(position.records, np.array([2]), 7)[0]).all()
        assert (row <= highest(7)).all()


def test_before_anything_has_happened_history_is_empty():
    game = Game.new(GameConfig(num_players=4, history=5), 3)
    assert not game.observe(0)[OBSERVATION_SIZE:].any()
    assert list(game.log) == []


def test_a_batch_ends_its_observations_with_the_same_history():
    vec = batch_midway(6, GameConfig(num_players=6, history=12), seed=4, steps=120)
    rows = histories(vec.games, vec.seats.astype(np.int64), 12)
    assert (vec.observations[:, OBSERVATION_SIZE:].reshape(rows.shape) == rows).all()


# ---------------------------------------------------------------- tallies


def tally(game, observer, piece, phase):
    """{(from, to): count} in absolute seats, of the first (0) or second (1) phase."""
    players = game.config.num_players
    counts = game.observe(observer)[OFFSETS[piece] :][: 2 * st.SEATS**2].reshape(2, st.SEATS, st.SEATS)[phase]
    return {
        ((one + observer) % players, (other + observer) % players): int(counts[one, other])
        for one, other in zip(*np.nonzero(counts), strict=True)
    }


@pytest.mark.parametrize("observer", [0, 2])
def test_attacks_and_hits_are_counted_before_and_after_the_first_defeat(observer):
    """The attack that brings the first defeat still counts before it."""
    start = scene(5).seat(0, role="heroine", hand="shoot laser_shot shoot power", items="stopwatch")
    game = start.seat(1, role="partner", hand="graze").seat(4, role="stage_boss", life=1).build()
    act(game, "play shoot", "choose seat:1", "pass", "play graze")
    assert (tally(game, observer, "attacks", 0), tally(game, observer, "hits", 0)) == ({(0, 1): 1}, {})
    act(game, "play laser_shot", "choose seat:4")
    assert game.seat(4).defeated
    assert (tally(game, observer, "attacks", 0), tally(game, observer, "hits", 0)) == ({(0, 1): 1, (0, 4): 1}, {(0, 4): 1})
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "main", 0)
    assert tally(game, observer, "attacks", 0) == {(0, 1): 1, (0, 4): 1}
    assert (tally(game, observer, "attacks", 1), tally(game, observer, "hits", 1)) == ({(0, 1): 1}, {(0, 1): 1})


def test_a_hit_that_takes_nothing_is_an_attack_and_no_hit():
    """Of Utsuho's three attacks on a player with 1 life only the first takes one (A-5)."""
    start = scene().seat(0, "reiuji_utsuho", hand="spiritual_attack power").seat(1, life=1).seat(2, hand="one_up")
    game = start.deck("power power power").build()
    act(game, "play spiritual_attack", "choose seat:1")
    pass_until(game, "rescue")
    assert (tally(game, 3, "attacks", 0), tally(game, 3, "hits", 0)) == ({(0, 1): 3}, {(0, 1): 1})


def test_healing_is_counted_when_somebody_gives_it():
    game = scene().seat(0, hand="one_up power", life=2).seat(1, life=2).build()
    act(game, "play one_up", "choose seat:1")
    assert tally(game, 3, "heals", 0) == {(0, 1): 1}
    game = scene().seat(0, hand="one_up power", life=2).seat(1, life=2).build()
    act(game, "play one_up", "choose seat:0")
    assert tally(game, 3, "heals", 0) == {}


def test_given_cards_are_counted_and_taken_ones_are_not():
    game = scene().seat(0, "toyosatomimi_no_miko", hand="bomb power focus").build()
    act(game, "ability toyosatomimi_no_miko", "choose seat:2", "choose card:bomb", "choose card:power", "pass")
    assert tally(game, 1, "gives", 0) == {(0, 2): 2}
    game = scene().seat(0, "yakumo_yukari", hand="spiritual_attack power").seat(1, hand="focus power").build()
    act(game, "play spiritual_attack", "choose seat:1", "pass", "pass")
    assert tally(game, 1, "gives", 0) == {}


def test_spell_cards_are_counted_by_their_target():
    game = scene(6).seat(0, "cirno", hand="spiritual_attack power").build()
    act(game, "play spiritual_attack", "choose seat:2")
    assert tally(game, 4, "spells", 0) == {(0, 2): 1}
    assert tally(game, 4, "attacks", 0) == {(0, 2): 1}


def test_tallies_are_the_counts_of_the_log():
    """Through a whole game: attacks and hits, in both phases, as the log tells them."""
    game = Game.new(GameConfig(num_players=6, characters="random"), 12)
    for _ in play_randomly(game, 12):
        pass
    phase, attacks, hits = 0, [{}, {}], [{}, {}]
    for event in game.log.events:
        if event.word == "defeat":
            phase = 1
        elif event.word == "attack":
            attacks[phase][event.actor, event.target] = attacks[phase].get((event.actor, event.target), 0) + 1
        elif event.word == "hit" and event.number:
            hits[phase][event.target, event.actor] = hits[phase].get((event.target, event.actor), 0) + 1
    assert [tally(game, 2, "attacks", phase) for phase in (0, 1)] == attacks
    assert [tally(game, 2, "hits", phase) for phase in (0, 1)] == hits


# ---------------------------------------------------------------- length, and completeness


def long_game():
    """A finished game with more events than the record keeps."""
    for seed in range(50):
        game = Game.new(GameConfig(num_players=8, characters="random"), seed)
        for _ in play_randomly(game, seed):
            pass
        if game.record["log_count"] > st.LOG_ROWS + 100:
            return game
    raise AssertionError("every game is short")


@pytest.mark.skipif(not JIT, reason="needs long games")
def test_more_events_than_the_record_keeps():
    """The record keeps the last ones; a game played from the start still tells all, and so does one played back."""
    game = long_game()
    count = int(game.record["log_count"])
    assert len(game.log.events) == count
    assert [event.word for event in game.log.events[:2]] == ["deal", "deal"]
    assert invariants.problem(game.record) is None
    loaded = Game.from_bytes(game.to_bytes())
    assert len(loaded.log.events) == st.LOG_ROWS
    assert loaded.log.of(3).events == game.log.of(3).events[-st.LOG_ROWS :]
    assert game.replay().play().log.above().events == game.log.above().events
    rows = histories(game.records, np.array([3]), st.LOG_ROWS)[0]
    assert rows[:, 0].all()
    assert rows[:, 0].tolist() == [events.EVENT_WORDS.index(event.word) for event in reversed(game.log.events[-st.LOG_ROWS :])]


@pytest.mark.skipif(not JIT, reason="needs many games")
def test_every_event_happens_and_has_a_sentence():
    """In random games each event comes up, no sentence fails for anybody, and each is documented."""
    seen = set()
    for seed in range(60):
        box, characters = (("none", "random"), ("lunatic_extra", "random"), ("lunatic_extra", "draft"))[seed % 3]
        game = Game.new(GameConfig(num_players=4 + seed % 5, characters=characters, expansion=box), seed)
        for _ in play_randomly(game, seed):
            pass
        for log in (game.log, game.log.of(seed % 4), game.log.above()):
            assert all(line and "  " not in line for line in log)
        assert len(game.log) == len(game.log.of(1)) == len(game.log.above())
        seen |= {event.word for event in game.log.events}
        if seed > 20 and seen == set(events.EVENT_WORDS[1:]):
            return
    assert seen == set(events.EVENT_WORDS[1:])
    assert set(EVENT_DOC) == seen


@pytest.mark.parametrize("players", [4, 7])
def test_the_public_log_is_what_all_seats_agree_on(players):
    """The same events as every seat's history, in the order they happened; a card only where all know it, whatever world it is."""
    game = Game.new(GameConfig(num_players=players, characters="random", max_turns=300), players)
    for decision, position in enumerate(play_randomly(game, players, limit=600)):
        if decision % 150 != 149:
            continue
        public = public_log(position.records, 0)
        seen = [histories(position.records, np.array([seat]), st.LOG_ROWS)[0][: len(public)][::-1] for seat in range(players)]
        for seat, rows in enumerate(seen):
            there = (rows[:, 1:3].astype(int) - 1 + seat) % players + 1
            np.testing.assert_array_equal(public[:, 1:3], np.where(rows[:, 1:3] > 0, there, 0))
            np.testing.assert_array_equal(public[:, [0, 3, 4, 5]], rows[:, [0, 3, 4, 5]])
        known = np.all([rows[:, 6] > 0 for rows in seen], axis=0)
        assert not public[~known, 6:].any()
        shown = public[:, 6] > 0
        np.testing.assert_array_equal(public[shown, 6:], seen[0][shown, 6:])
        assert shown.any()
        np.testing.assert_array_equal(public_log(resample(position, 1, 5).records, 0), public)


def test_a_cloned_game_keeps_its_log_to_itself():
    game = Game.new(GameConfig(num_players=4, characters="random"), 5)
    copy = game.clone()
    before = list(game.log)
    for _ in play_randomly(copy, 1, limit=30):
        pass
    assert list(game.log) == before
    assert copy.log[: len(before)] == before
    assert isinstance(game.log.events[0], Event)


def test_a_world_tells_a_seat_the_same_log():
    """Private parts of others are blank in it, whoever asks (`log.of` another seat tells no more than the public log)."""
    game = Game.new(GameConfig(num_players=5, characters="random"), 5)
    for _ in play_randomly(game, 5, limit=200):
        pass
    world = resample(game, 2, 1)
    assert world.log.of(2) == game.log.of(2)
    blank = [event for event in world.log.above().events if event.word == "draw" and event.actor != 2 and event.card is not None]
    assert all(event in game.log.of(2).events for event in blank)


def test_turns_are_counted_as_far_as_a_game_can_go():
    """A byte ends at 255, a game need not."""
    start = scene().incident("overdrive")
    for seat in range(4):
        start.seat(seat, hand="shoot")
    game = start.build()
    late, config = game.records, GameConfig(num_players=4, characters="none", max_turns=32767)
    late["turn_number"], late["max_turns"] = 254, config.max_turns
    game = Game.from_record(late.copy(), config)
    for _ in range(3):
        end_turn(game)
    assert [line for line in game.log if line.startswith("---")] == [f"--- turn {254 + seat}: seat {seat}" for seat in (1, 2, 3)]
    assert [event.number for event in game.log.events if event.word == "turn"] == [255, 256, 257]
    late["turn_number"] = 32766
    game = Game.from_record(late.copy(), config)
    end_turn(game)
    assert next(line for line in game.log if line.startswith("---")) == "--- turn 32767: seat 1"
