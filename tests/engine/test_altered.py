"""Nothing that is loaded can hurt: a part of the study of altered records (tests/altered.py), and every entry point for records."""

from dataclasses import replace

import numpy as np
import pytest

from danmaku_env import Game, GameConfig, resample
from danmaku_env.cards.box import KIND_IDS
from danmaku_env.engine import actions, invariants
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.game import validation
from danmaku_env.jit.kernels import JIT
from tests import altered
from tests.random_play import batch_midway, play_randomly
from tests.table import act, scene


def test_altered_records_are_refused_or_play_on_to_the_end():
    records = 800 if JIT else 20
    found = altered.study(records, seed=7)
    assert sum(found.values()) == records
    assert {what for what in found if what[0] not in ("refused", "unchanged")} == {("let through", "over")}
    assert sum(times for what, times in found.items() if what[0] == "refused") > records // 2


@pytest.mark.parametrize("config", altered.CONFIGS, ids=lambda config: f"{config.num_players} players, {config.characters}")
def test_what_play_reaches_is_let_through(config):
    """Also worlds dealt for the seat that is asked."""
    for place, record in enumerate(altered.positions(config, 11, 600 if JIT else 16)):
        assert invariants.problem(record) is None, place
        game = Game.from_record(record.reshape(1).copy(), config)
        assert invariants.problem(resample(game, game.asking, place).record) is None, place


@pytest.mark.parametrize("max_turns", [9, 400])
def test_a_game_that_is_over_is_let_through(max_turns):
    for seed in range(12 if JIT else 2):
        game = Game.new(GameConfig(num_players=4, max_turns=max_turns), seed)
        for _ in play_randomly(game, seed):
            pass
        assert game.outcome == ("truncated" if max_turns == 9 else "won")
        assert Game.from_bytes(game.to_bytes()) == game


@pytest.fixture
def vec():
    return batch_midway(4, GameConfig(num_players=5), seed=3, steps=90)


ALTERED = {
    "legal answers": lambda games: games["legal"].__setitem__((1, 0), -1),
    "another question": lambda games: games["question"].__setitem__(1, 2),
    "a hand of nothing": lambda games: games["hand_size"].__setitem__((1, 2), 9),
    "a frame of nobody": lambda games: games["stack"].__setitem__((1, 0, 2), 100),
}


@pytest.mark.parametrize("what", ALTERED)
def test_a_clone_that_was_altered_is_not_restored(vec, what):
    games = vec.clone()
    ALTERED[what](games)
    before = vec.games.tobytes()
    with pytest.raises(ValueError, match=r"no such game is possible \(record 1\): "):
        vec.restore(games)
    assert vec.games.tobytes() == before


@pytest.mark.parametrize("what", ALTERED)
def test_a_game_is_not_made_of_an_altered_record(vec, what):
    games = vec.games.copy()
    ALTERED[what](games)
    with pytest.raises(ValueError, match="no such game is possible: "):
        Game.from_record(games[1:2], vec.config)
    assert Game.from_record(games[2:3], vec.config).record == vec.games[2]


def lay_top_card_aside(record, seat):
    """The top card of the Main deck lies aside, seen by that seat alone."""
    record["deck_size"] -= 1
    record["aside_size"] += 1
    card = int(record["deck"][record["deck_size"]])
    record["aside"][record["aside_size"] - 1], record["deck"][record["deck_size"]] = card, 0
    record["zone"][card - 1], record["holder"][card - 1], record["seen_by"][card - 1] = st.ASIDE_PRIVATE, seat, 1 << seat


def problem_of(game, alter):
    """What the gate says of a record that was let through before it was altered."""
    record = game.record.copy()
    assert invariants.problem(record) is None
    alter(record)
    return invariants.problem(record)


INCIDENTS = "lily_white overdrive spring_snow endless_party"


def test_a_card_among_the_incidents_of_a_master_plan_would_never_be_put_back():
    game = scene().seat(0, hand="master_plan").incident_deck(top=INCIDENTS).build()
    act(game, "play master_plan", "choose deck:incident")
    assert "not of the deck they were taken from" in problem_of(game, lambda record: lay_top_card_aside(record, 0))
    act(game, "choose incident:spring_snow")
    assert "not of the deck they were taken from" in problem_of(game, lambda record: lay_top_card_aside(record, 0))


def test_a_card_that_nothing_laid_aside_would_end_up_among_those_of_the_next_effect():
    game = scene().seat(0, hand="master_plan power").build()
    assert problem_of(game, lambda record: lay_top_card_aside(record, 0)) == "cards lie aside that nothing has laid there"


def test_incidents_aside_would_be_taken_for_cards_by_an_effect_in_between():
    """An attack and its window above a Master Plan that looks at incidents: the Graze played there would discard all that lies aside."""
    game = scene().seat(0, hand="master_plan").incident_deck(top=INCIDENTS).build()
    act(game, "play master_plan", "choose deck:incident")
    attack = scene().seat(0, hand="shoot").seat(1, hand="graze").build()
    act(attack, "play shoot", "choose seat:1")

    def put_on_top(record):
        above = attack.record["stack"][2 : attack.record["depth"]]
        record["stack"][record["depth"] : record["depth"] + len(above)] = above
        record["depth"] += len(above)

    assert problem_of(game, put_on_top) == "cards lie aside while something else happens"


def test_the_season_of_another_card_than_the_one_that_is_played():
    """The Focus that is announced would turn out to be a Shoot, and lie in play."""
    game = scene().seat(0, hand="focus/autumn focus/summer shoot/autumn shoot/summer").incident("spring_snow").build()
    act(game, "play focus")
    assert game.question == "season"

    def turn_into_shoot(record):
        record["stack"][1, fr.PLAY_ACTION] = actions.PLAY_BASE + KIND_IDS.index("shoot")

    assert problem_of(game, turn_into_shoot) == "a text that is not of what was offered"


def of_both_boxes():
    """A table of both boxes, with the Lunatic cards of a hand open to nobody else."""
    return scene(expansion="lunatic_extra").seat(0, hand="master_plan interrupt power")


def test_what_a_field_cannot_hold_is_refused_with_a_sentence_and_no_traceback():
    """Lunatic cards of a hand below none, incidents that are none beside some that were collected, a row that no program has."""
    game = of_both_boxes().build()
    assert problem_of(game, lambda record: record["lunatic_in_hand"].__setitem__(2, -113)).startswith("lunatic_in_hand")

    def collected(record):
        record["incidents_kept"], record["incident_size"] = 1, 1
        record["incidents"][0] = 100

    assert problem_of(game, collected) == "an incident is missing or doubled"

    def drawn(record):
        record["drawn_characters"] = record["unused_characters"] & -record["unused_characters"]
        record["unused_characters"] ^= record["drawn_characters"]
        record["stack"][0, fr.PLAY_PC] = 30_000
        record["stack"][0, fr.PROCEDURE] = fr.PLAY_FRAME

    assert problem_of(game, drawn) == "characters drawn that nobody chooses from"


def test_incidents_do_not_lie_among_the_cards_of_a_draw():
    """An incident aside has no holder among the cards: a draw on top of a Master Plan's look would be asked for one."""
    game = of_both_boxes().incident_deck(top=INCIDENTS).build()
    act(game, "play master_plan", "choose deck:incident")

    def draw_on_top(record):
        frame = record["stack"][record["depth"]]
        frame[fr.PROCEDURE], frame[fr.AT], frame[fr.DRAWING_KEPT] = fr.DRAWING_FRAME, fr.AT_CALL, 1
        record["depth"] += 1

    assert problem_of(game, draw_on_top) == "incidents lie aside that nobody looks at"


def every_number(record, rng):
    """The record with one element of a field altered, field by field: a few of its elements, and for each the ends of its type."""
    for field in st.STATE.names:
        size, kind = record[field].size, np.iinfo(record[field].dtype)
        for place in rng.choice(size, min(size, 3), replace=False):
            for value in (kind.min, kind.max, -113, 127):
                altered_one = record.copy()
                flat = altered_one[field].reshape(-1)
                flat[place] = min(max(value, kind.min), kind.max)
                yield f"{field}[{place}] = {value}", altered_one


@pytest.mark.parametrize("players", [4, 6] if JIT else [])
def test_every_field_altered_is_refused_or_plays_on(players):
    """Of the base game and of both boxes, at a few moments each: no alteration of a single number ends in a traceback."""
    expansion = "lunatic_extra" if players == 6 else "none"
    records = altered.positions(GameConfig(num_players=players, expansion=expansion), 5, 48)
    for moment in (0, 47):
        rng, engine_rng = np.random.default_rng(moment), np.zeros(1, st.STATE)
        engine_rng["rng"][0] = 1, 2, 3, 4
        for what, record in every_number(records[moment : moment + 1], rng):
            problem = invariants.problem(record[0])
            if problem is None:
                assert altered.play_on(record, engine_rng, 80, 40) in ("over", "still running"), what
            else:
                assert isinstance(problem, str), what


def test_clones_are_known_again_and_others_looked_at(vec, monkeypatch):
    looked = []
    monkeypatch.setattr(vec, "spec", replace(vec.spec, problem=lambda game: looked.append(int(game["seed"]))))
    games = vec.clone()
    vec.restore(games[[2, 0]], [0, 1])
    assert looked == []
    games["life"][2, 0] -= 1
    vec.restore(games)
    assert looked == [int(games["seed"][2])]


def test_the_gate_remembers_many_clones_but_not_all(vec, monkeypatch):
    monkeypatch.setattr(validation, "_REMEMBERED", 8)
    monkeypatch.setattr(validation, "_issued", validation._Issued())
    first = vec.clone()
    for _ in range(6):
        vec.step(vec.sample())
        vec.clone()
    assert not any(digest in validation._issued for digest in validation._digests(first))
    vec.restore(first)
    assert vec.games.tobytes() == first.tobytes()


def test_what_cannot_be_a_record_is_refused_with_a_sentence(vec):
    for wrong in (None, [1], vec.games["life"], vec.games.reshape(2, 2)):
        with pytest.raises(ValueError, match="as clone"):
            vec.restore(wrong)
        with pytest.raises(ValueError, match="takes one record"):
            Game.from_record(wrong, vec.config)
    with pytest.raises(ValueError, match="a game of 5 players does not fit a configuration of 4"):
        Game.from_record(vec.clone([0]), GameConfig(num_players=4))


def test_a_record_that_never_ran_is_no_game():
    assert invariants.problem(np.zeros(1, st.STATE)[0]) == "0 players"
    random = np.random.default_rng(1).integers(0, 256, (200, st.STATE_BYTES), np.uint8).view(st.STATE).reshape(-1)
    assert all(invariants.problem(game) for game in random)
    random["num_players"] = 6
    assert all(invariants.problem(game) for game in random)
