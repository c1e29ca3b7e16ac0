"""A table: whose answer counts at which moment, coming and going, the clock, taking back."""

import tracemalloc

import pytest

from danmaku_env import GameConfig
from danmaku_env.agents.registry import names
from danmaku_env.play.browser.http_errors import Refused
from danmaku_env.play.browser.table import GONE_FOR, ServedTable, Setting

RANDOM = ("person", "random", "random", "random")


class Time:
    """A clock that stands still until it is moved."""

    now = 1000.0

    def __call__(self):
        return self.now


def laid(seats=RANDOM, *, seed=3, time=None, **more):
    config = GameConfig(num_players=len(seats), characters="random")
    table = ServedTable(Setting(config, seats, seed=seed, **more), now=time or Time())
    go_on(table)
    return table


def go_on(table):
    while not table.agents_answer(10.0):
        pass
    table.settle()


def state_of(table):
    return table.game.to_bytes(), {seat: person.question for seat, person in table.people.items()}


def refused(table, call, *given):
    """The sentence of a refusal, which changes nothing."""
    before = state_of(table)
    with pytest.raises(Refused) as error:
        call(*given)
    assert state_of(table) == before
    assert error.value.sentence.endswith(".")
    return error.value.sentence


def test_a_person_is_asked_and_answers():
    table = laid()
    person = table.people[0]
    assert (table.pending, table.game.asking, person.question) == (0, 0, 1)
    table.answer(person, 1, table.game.legal_actions()[0])
    go_on(table)
    assert person.question == 2
    assert table.game.agents == ("person", "random", "random", "random")


def test_secrets_are_long_and_differ():
    table = laid(("person", "person", "random", "person"))
    secrets = [table.host, *(person.secret for person in table.people.values())]
    assert len(set(secrets)) == 4
    assert min(map(len, secrets)) >= 32


def test_late_early_and_illegal_answers_change_nothing():
    table = laid()
    person = table.people[0]
    legal = table.game.legal_actions()
    illegal = next(action for action in range(200) if action not in legal)
    assert "is not legal: seat 0 is asked" in refused(table, table.answer, person, 1, illegal)
    assert "is not legal" in refused(table, table.answer, person, 1, 10**6)
    assert refused(table, table.answer, person, 2, legal[0]) == "You have not been asked question 2 yet."
    table.answer(person, 1, legal[0])
    assert "answered already" in refused(table, table.answer, person, 1, legal[0])
    go_on(table)
    assert "answered already" in refused(table, table.answer, person, 1, table.game.legal_actions()[0])


def test_nobody_answers_for_somebody_else():
    table = laid(("person", "person", "random", "random"))
    asked = table.people[table.pending]
    other = table.people[1 - table.pending]
    action = table.game.legal_actions()[0]
    assert "answered already" in refused(table, table.answer, other, other.question, action)
    assert "not been asked" in refused(table, table.answer, other, asked.question, action)


def test_the_numbers_of_questions_tell_nothing_of_others():
    """A person counts their own questions only."""
    table = laid(("person", "person", "random", "random"))
    given, dropped = {0: 0, 1: 0}, {0: set(), 1: set()}
    for _ in range(30):
        if table.game.over:
            break
        person = table.people[table.pending]
        given[person.seat] += 1
        dropped[person.seat] |= {person.dropped} - {-1}
        assert person.question == given[person.seat] + len(dropped[person.seat])
        table.answer(person, person.question, table.game.legal_actions()[-1])
        go_on(table)
    assert min(given.values()) > 2


def test_after_the_game_nobody_is_asked():
    table = laid(seed=5)
    person = table.people[0]
    for _ in range(3000):
        if table.game.over:
            break
        table.answer(person, person.question, table.game.legal_actions()[-1])
        go_on(table)
    assert refused(table, table.answer, person, person.question, 0) == "The game is over: nobody is asked any more."


# ---------------------------------------------------------------- taking back


def test_in_practice_answers_are_taken_back_and_lead_to_the_same_game_again():
    table = laid(practice=True)
    person = table.people[0]
    assert "this is your first question" in refused(table, table.take_back, person)
    steps = []
    for _ in range(4):
        steps.append(table.game.to_bytes())
        table.answer(person, person.question, table.game.legal_actions()[-1])
        go_on(table)
    there = table.game.to_bytes()
    table.take_back(person)
    go_on(table)
    assert table.game.to_bytes() == steps[3]
    assert person.question == 6, "the question is a new one: an answer to the old one comes too late"
    assert person.notice == "Taken back."
    table.answer(person, 6, table.game.legal_actions()[-1])
    go_on(table)
    assert table.game.to_bytes() == there


def test_who_has_an_agent_in_their_seat_takes_nothing_back():
    time = Time()
    table = laid(practice=True, time=time)
    person = table.people[0]
    table.answer(person, 1, table.game.legal_actions()[0])
    go_on(table)
    time.now += GONE_FOR
    table.give_to_agent(0)
    assert "take it back first" in refused(table, table.take_back, person)
    table.come_back(person)
    table.take_back(person)


def test_elsewhere_answers_stand():
    table = laid()
    assert "only at a practice table" in refused(table, table.take_back, table.people[0])


# ---------------------------------------------------------------- coming and going


def test_the_seat_of_who_is_gone_can_be_given_away_and_taken_back():
    time = Time()
    table = laid(("person", "person", "random", "random"), time=time)
    asked, person = table.pending, table.people[table.pending]
    table.enter(person)
    assert "is here" in refused(table, table.give_to_agent, asked)
    table.leave(person)
    time.now += GONE_FOR - 1
    assert "is here" in refused(table, table.give_to_agent, asked)
    time.now += 2
    table.give_to_agent(asked, "heuristic")
    go_on(table)
    assert table.pending != asked, "the agent has answered"
    assert table.game.agents[asked] == "heuristic"
    assert "take it back first" in refused(table, table.answer, person, person.question, 0)
    assert "Nobody's seat" in refused(table, table.give_to_agent, asked)
    assert "Nobody's seat" in refused(table, table.give_to_agent, 2)
    assert "Nobody's seat" in refused(table, table.give_to_agent, 7)
    table.come_back(person)
    assert table.game.agents[asked] == "person"
    assert "yours" in refused(table, table.come_back, person)


# ---------------------------------------------------------------- the clock


def test_when_the_time_is_up_an_agent_gives_that_one_answer():
    table = laid(clock=5.0)
    person = table.people[0]
    table.time_is_up(0, 1)
    go_on(table)
    assert person.question == 2
    assert "time was up" in person.notice
    assert table.game.agents[0] == "person"
    before = state_of(table)
    table.time_is_up(0, 1)
    assert state_of(table) == before, "for a question that is answered no time can be up"


def test_an_agent_that_fails_is_replaced_and_the_people_hear_of_it():
    """It raises, leaves the program, or answers what is no answer: the quick agent plays its seat to the end, and the table goes on."""
    for name in ("tests.arena.bots:Raising", "tests.arena.bots:Leaving", "tests.arena.bots:WrongShape"):
        table = laid(("person", name, "random", "random"))
        assert table.pending == 0 or table.game.over
        person = table.people[0]
        while not person.notice and not table.game.over:
            table.answer(person, person.question, table.game.legal_actions()[0])
            go_on(table)
        assert person.notice.endswith("Another agent plays seat 1 from now on.")
        assert table.is_played_by_agent(1)


# ---------------------------------------------------------------- memory


@pytest.mark.parametrize("name", [name for name in names() if name != "exec"])
def test_a_table_holds_room_for_one_game(name):
    """An agent that could remember thousands of games needs room for those that it has met; networks are shared."""
    config = GameConfig(num_players=4, characters="random")

    def played():
        table = ServedTable(Setting(config, ("person", name, name, name), seed=3), now=Time())
        for _ in range(3):
            go_on(table)
            table.answer(table.people[0], table.people[0].question, table.game.legal_actions()[-1])
        return table

    tables = [played()]
    tracemalloc.start()
    try:
        tables += [played() for _ in range(2)]
        assert tracemalloc.get_traced_memory()[0] < 2 * 700_000
    finally:
        tracemalloc.stop()
    assert len(tables) == 3
