"""People who may react are asked at the same time; an answer given ahead waits, and is dropped where somebody reacts before."""

import json
import random
from dataclasses import replace
from functools import cache

import pytest

from danmaku_env import Game, GameConfig, Scenario
from danmaku_env.agents.base import answer
from danmaku_env.agents.random import RandomAgent
from danmaku_env.play.browser.http_errors import Refused
from danmaku_env.play.browser.message import page_blocks
from danmaku_env.play.browser.pace import Pace
from danmaku_env.play.browser.table import ServedTable, Setting
from danmaku_env.play.browser.together import asked_together, later_questions
from danmaku_env.play.browser.waits import Waits
from danmaku_env.render.table_view import table_view
from tests.play.browser.telling import ENOUGH, MOST, told_apart
from tests.play.browser.test_table import Time, go_on

CONFIG = GameConfig(num_players=4, ask_everyone=True, ask_forced=True)
PEOPLE = ("person",) * 4
BOMB = "play bomb"


def settle(table):
    """Let whoever has no choice answer, until somebody has one."""
    go_on(table)
    while table.forced is not None:
        table.answer_forced()
        go_on(table)


@cache
def main_step(seats):
    """Seat 0 has a Shoot, and those seats a Bomb that could cancel it."""
    scene = Scenario(config=CONFIG).turn(0).seat(0, hand=["shoot", "power"])
    for seat in (1, 2, 3):
        scene.seat(seat, hand=["bomb"] if seat in seats else ["shoot"])
    return scene.build(seed=1)


def bombs(seats=(1, 2), time=None, then=settle):
    """Seat 0 has played a Shoot at seat 3, which those seats can cancel with a Bomb; all are people."""
    table = ServedTable(Setting(CONFIG, PEOPLE), now=time or Time(), game=main_step(seats).clone())
    settle(table)
    give(table, 0, "play shoot")
    settle(table)
    give(table, 0, "choose seat:3")
    then(table)
    return table


def give(table, seat, name):
    person = table.people[seat]
    game = table.seen_by(person)
    table.answer(person, person.question, game.legal_actions()[game.legal().index(name)])


def asked(table):
    return [seat for seat, person in table.people.items() if table.is_asked(person)]


def pages(table):
    return {seat: json.dumps(page_blocks(table, person)) for seat, person in table.people.items()}


def test_all_who_may_react_are_asked_at_once_and_answer_in_any_order():
    table = bombs()
    assert asked(table) == [1, 2]
    assert (table.pending, table.game.question) == (1, "cancel")
    before = pages(table)
    give(table, 2, BOMB)
    settle(table)
    after = pages(table)
    assert [seat for seat in before if before[seat] != after[seat]] == [2], "an answer that waits is seen by nobody else"
    assert "Answers are awaited" in page_blocks(table, table.people[2])["question"]
    assert (asked(table), table.people[2].question) == ([1], 1)
    give(table, 1, "pass")
    settle(table)
    assert any("Bomb" in line for line in table.game.log.above()[-3:]), "the answer that waited"
    assert not table.people[2].notice


def test_an_answer_ahead_is_dropped_where_somebody_reacts_before():
    table = bombs()
    give(table, 2, BOMB)
    give(table, 1, BOMB)
    settle(table)
    other = table.people[2]
    assert other.notice == "That is no longer asked: somebody has reacted before you."
    assert any(card.startswith("bomb") for card in table.game.seat(2).hand), "nothing was played"
    assert (asked(table), other.question) == ([0], 1)


def test_a_question_that_is_no_longer_asked_takes_no_answer():
    table = bombs()
    give(table, 1, BOMB)
    go_on(table)
    person = table.people[2]
    with pytest.raises(Refused, match="no longer asked"):
        table.answer(person, person.dropped, 0)


def test_a_person_passes_for_a_while_from_a_question_put_ahead():
    table = bombs()
    table.pass_for_a_while(table.people[2], "turn")
    assert asked(table) == [1]
    give(table, 1, "pass")
    settle(table)
    assert any(card.startswith("bomb") for card in table.game.seat(2).hand)
    assert table.people[2].passes == "turn"


def test_a_seat_given_to_an_agent_has_no_question_ahead():
    time = Time()
    table = bombs(time=time)
    time.now += 100
    table.give_to_agent(2)
    assert asked(table) == [1]


def test_characters_are_chosen_at_the_same_time():
    """U-2: nobody hears what the others take."""
    table = ServedTable(Setting(CONFIG, PEOPLE, seed=3), now=Time())
    settle(table)
    assert asked(table) == [0, 1, 2, 3]
    before = pages(table)
    for seat in (3, 1, 2):
        give(table, seat, table.seen_by(table.people[seat]).legal()[-1])
        settle(table)
    assert pages(table)[0] == before[0]
    wanted = table.seen_by(table.people[0]).legal()[0]
    give(table, 0, wanted)
    settle(table)
    assert table.game.turn_number or table.game.question != "character"
    assert table.game.seat(0).character == wanted.removeprefix("choose character:")
    drafted = ServedTable(Setting(replace(CONFIG, characters="draft"), PEOPLE, seed=3), now=Time())
    settle(drafted)
    assert len(asked(drafted)) == 1, "there the order matters"


@pytest.mark.parametrize("players", [4, 8])
def test_where_a_question_is_put_ahead_the_table_looks_the_same(players):
    """But for the question itself; and it is the one that is asked in the end, if nobody reacts."""
    game, agents, ahead, met = Game.new(replace(CONFIG, num_players=players), 5), [RandomAgent(seat) for seat in range(players)], {}, 0
    for _ in range(700):
        if game.over:
            break
        if asked_together(game) is not None and game.asking in ahead and ahead[game.asking][0] == asked_together(game):
            assert ahead[game.asking][1].legal() == game.legal()
            met += 1
        ahead = {}
        for seat, there in later_questions(game):
            assert there.asking == seat
            assert table_view(there, seat, asked=False) == table_view(game, seat, asked=False)
            ahead[seat] = (asked_together(game), there)
        game.act(answer(agents[game.asking], game))
    assert met > 100


# ---------------------------------------------------------------- time


def test_those_without_a_choice_seem_to_think_at_the_same_time_from_when_all_is_shown():
    time = Time()
    waits = Waits(Pace(), time, 0)
    waits.happens(5)
    waits.opens((1,))
    assert waits.shown_at() == pytest.approx(time.now + 5 * Pace().event)
    low, high = Pace().forced
    shown = 5 * Pace().event
    first = {seat: waits.for_seat(seat) for seat in range(8)}
    assert shown + low <= min(first.values()) < max(first.values()) <= shown + high
    time.now += 100
    assert {waits.for_seat(seat) for seat in range(8)} == {0.0}, "the time of each is the same, however often it is looked at"
    for _ in range(12):
        waits.took(3.0)
    waits.opens((2,))
    assert min(waits.for_seat(seat) for seat in range(8)) >= 2.4 - 1e-9, "as long as people have taken lately"
    waits.happens(1000)
    assert waits.shown_at() == time.now + 30.0


def span(reacts, rng, seed):
    """Seconds from a card until it is cancelled by nobody, of a table of people of which two could cancel it, or none."""
    time = Time()
    random.seed(seed)
    table = bombs((1, 2) if reacts else (), time, go_on)
    for _ in range(12):
        table._waits.took(rng.lognormvariate(0.3, 0.4))
    while table.game.question != "cancel":
        table.answer_forced()
        go_on(table)
    begun, thinks = time.now, {}
    while table.game.question == "cancel":
        for seat in asked(table):
            thinks.setdefault(seat, table.people[seat].asked_at + rng.lognormvariate(0.3, 0.4))
        events = [(at, seat) for seat, at in thinks.items() if seat in asked(table)]
        if table.forced is not None:
            events.append((time.now + table.wait_for_forced(), -1))
        at, seat = min(events)
        time.now = max(time.now, at)
        if seat < 0:
            table.answer_forced()
        else:
            give(table, seat, "pass")
        go_on(table)
    return time.now - begun


def test_how_long_a_round_takes_does_not_tell_who_could_react():
    rng = random.Random(1)
    without, having = ([span(reacts, rng, seed) for seed in range(ENOUGH)] for reacts in (False, True))
    assert told_apart(without, having) < MOST
    assert told_apart([0.85 * one for one in without], having) > MOST, "somewhat sooner would be told"
