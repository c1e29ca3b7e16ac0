"""What people do at a table beside answering, and what the server answers for them: only choices are asked, and time tells nothing."""

import asyncio
import re
import time

import pytest

from danmaku_env import GameConfig, Scenario
from danmaku_env.play.browser.app import _Site
from danmaku_env.play.browser.guided import GUIDED_SEATS, LESSONS, guided_game, lesson
from danmaku_env.play.browser.http_errors import Refused
from danmaku_env.play.browser.keeping import kept_text, table_of
from danmaku_env.play.browser.lobby import Lobby
from danmaku_env.play.browser.pace import Pace
from danmaku_env.play.browser.table import GONE_FOR, MISSES, PHRASES, ServedTable, Setting
from danmaku_env.render.answers import keyed
from danmaku_env.render.asking import question
from tests.play.browser.served import FOUR, Person, Server, Watcher, wait
from tests.play.browser.test_table import Time, go_on

PEOPLE = ("person", "person", "random", "random")


def table_of_people(**more):
    config = GameConfig(num_players=4, characters="random", ask_everyone=True, ask_forced=True)
    table = ServedTable(Setting(config, PEOPLE, seed=3, **more), now=Time())
    go_on(table)
    return table


def go_on_for_all(table):
    """Let agents and whoever has no choice answer, until somebody has one."""
    go_on(table)
    while table.forced is not None:
        table.answer_forced()
        go_on(table)


def test_people_are_asked_only_where_they_have_a_choice():
    table, asked, forced = table_of_people(), 0, 0
    while not table.game.over and asked < 150:
        go_on(table)
        if table.forced is not None:
            assert table.game.legal_actions() == [table.forced.answer]
            assert table.pending is None, "nobody is shown as asked"
            table.answer_forced()
            forced += 1
        elif table.pending is not None:
            assert len(table.game.legal_actions()) > 1
            person = table.people[table.pending]
            table.answer(person, person.question, table.game.legal_actions()[-1])
            asked += 1
    assert forced > asked, "most questions of a table of people are no choice"


def windows(table, person, until):
    """Pass until it comes: the questions that the person is put meanwhile."""
    table.pass_for_a_while(person, until)
    found = []
    for _ in range(3000):
        go_on_for_all(table)
        if table.game.over or table.pending is None:
            break
        mine = table.people[table.pending]
        if mine is person:
            found.append((table.game.question, table.game.turn))
            if not person.passes:
                break
        table.answer(mine, mine.question, table.game.legal_actions()[-1])
    return found


def test_a_person_passes_until_their_turn():
    scene = Scenario(config=GameConfig(num_players=4, ask_everyone=True, ask_forced=True)).seat(0, hand=["bomb", "graze"])
    game = scene.seat(1, role="heroine", hand=["grimoire", "power", "party"]).turn(1).build(seed=1)
    table = ServedTable(Setting(game.config, PEOPLE), now=Time(), game=game)
    go_on_for_all(table)
    found = windows(table, table.people[0], "turn")
    assert found
    assert found[-1][1] == 0, "it is their turn"
    assert not table.people[0].passes
    assert all(word not in ("cancel", "respond", "attacked") for word, turn in found if turn != 0)


def test_a_person_who_passes_is_asked_when_they_are_attacked():
    scene = Scenario(config=GameConfig(num_players=4, ask_everyone=True, ask_forced=True)).seat(0, hand=["bomb", "graze"])
    game = scene.seat(1, role="heroine", hand=["shoot"]).turn(1).build(seed=1)
    table = ServedTable(Setting(game.config, PEOPLE), now=Time(), game=game)
    table.pass_for_a_while(table.people[0], "attacked")
    go_on_for_all(table)
    attacker = table.people[1]
    for name in ("play shoot", "choose seat:0"):
        assert table.pending == 1
        table.answer(attacker, attacker.question, table.game.legal_actions()[table.game.legal().index(name)])
        go_on_for_all(table)
    while table.pending != 0:
        table.answer(attacker, attacker.question, 0)
        go_on_for_all(table)
    assert table.game.question == "attacked", "the cancelling window was passed"
    assert not table.people[0].passes


def test_a_seat_whose_person_misses_twice_goes_to_an_agent():
    table = ServedTable(Setting(GameConfig(num_players=4), ("person", *["random"] * 3), clock=5.0, seed=3), now=Time())
    for missed in range(MISSES):
        go_on(table)
        assert not table.is_played_by_agent(0), missed
        table.time_is_up(0, table.people[0].question)
    assert table.is_played_by_agent(0)
    table.come_back(table.people[0])
    assert not table.is_played_by_agent(0)


def test_the_clock_runs_once_everything_has_been_shown():
    table = ServedTable(Setting(GameConfig(num_players=4, characters="random"), ("person", *["random"] * 3), clock=5.0, seed=3), now=Time())
    go_on(table)
    shown = int(table.game.record["log_count"])
    assert table.asked_for(table.people[0]) == pytest.approx(-min(30.0, shown * table.pace.event))


def test_names_and_phrases():
    table = table_of_people()
    one, other = table.people[0], table.people[1]
    one.notice = "Somebody at this table is called Ann already."
    table.rename(one, "  Ann  B ")
    assert (table.called(0), one.notice) == ("Ann B", "")
    for name in ("", "x" * 21, "a\nb\x00", "ann b", "random"):
        with pytest.raises(Refused):
            table.rename(other, name)
    table.say(other, 1)
    with pytest.raises(Refused):
        table.say(other, len(PHRASES))
    assert table.talk == [(1, 1)]
    assert table.game.agents == PEOPLE, "a replay names nobody"


def test_whoever_comes_by_the_joining_link_has_a_secret_that_nobody_else_has():
    table = table_of_people()
    before = {person.secret for person in table.people.values()}
    drawn = [table.draw_seat() for _ in range(2)]
    assert {old for _, old in drawn} == before
    assert not before & {person.secret for person in table.people.values()}
    with pytest.raises(Refused, match="All seats"):
        table.draw_seat()


def test_the_seat_of_who_came_by_a_link_of_its_own_is_drawn_by_nobody_while_their_page_is_away():
    table = table_of_people()
    table.enter(table.people[0])
    table.leave(table.people[0])
    again = table_of(kept_text(table), {"random": "random"})
    table._now.now += 10 * GONE_FOR
    for one in (table, again):
        assert one.draw_seat()[0].seat == 1
        with pytest.raises(Refused, match="All seats"):
            one.draw_seat()


def test_a_seat_that_was_drawn_by_a_double_click_can_be_drawn_again():
    table = table_of_people()
    (first, _), (second, _) = table.draw_seat(), table.draw_seat()
    table.enter(second)
    unused = first.secret
    with pytest.raises(Refused, match="All seats"):
        table.draw_seat()
    table._now.now += GONE_FOR
    assert table.draw_seat() == (first, unused)
    assert first.secret != unused
    with pytest.raises(Refused, match="All seats"):
        table.draw_seat()


def test_a_link_whose_seat_is_drawn_while_its_page_connects_opens_nothing(tmp_path):
    lobby = Lobby(["random"], None, None, tmp_path)
    room = lobby.lay(FOUR)
    person, closed = room.table.people[0], []

    class Socket:
        def __init__(self):
            self.path_params = {"secret": person.secret}

        async def accept(self):
            lobby.draw(room.table.joining)

        async def close(self, code, reason):
            closed.append((code, reason))

    asyncio.run(_Site(lobby, "/").live_seat(Socket()))
    assert [code for code, _ in closed] == [1008]
    assert not person.came


def test_a_key_belongs_to_a_card_for_the_turn():
    game = Scenario(num_players=4).seat(0, hand=["party", "grimoire", "shoot", "power"]).turn(0).build(seed=1)
    held = {}
    first = {answer.name: key for answer, key in keyed(question(game).answers, held)}
    assert first["pass"] == "e"
    game.act("play power")
    while game.question != "main":
        game.act(game.legal()[0])
    second = {answer.name: key for answer, key in keyed(question(game).answers, held)}
    assert {name: second[name] for name in first if name in second} == {name: key for name, key in first.items() if name in second}
    game.act("play shoot")
    assert {name: key for answer, key in keyed(question(game).answers, held) for name in (answer.name,)} == {
        name: name[-1] for name in game.legal()
    }


# ---------------------------------------------------------------- the guided game


SO_IT_IS = {
    "with Power all of them": lambda game: all(game.in_range(0, seat) for seat in (1, 2, 3)),
    "no danmaku card left": lambda game: not {"shoot", "melee", "laser_shot"} & {card.partition("/")[0] for card in game.seat(0).hand},
    "A hit": lambda game: game.seat(1).life == 3,
    "You hold a Graze": lambda game: "play graze" in game.legal(),
}
"""Words of the coach, and whether they are true of the game as it stands."""


def test_the_coach_is_followed_to_the_end_of_the_lessons():
    table = ServedTable(Setting(guided_game().config, GUIDED_SEATS, practice=True, guided=True), game=guided_game())
    person, said = table.people[0], {}
    for given, step in enumerate(LESSONS):
        go_on(table)
        assert lesson(table.shown, len(table.in_play.past)) == step.words, given
        said.update({words: true(table.game) for words, true in SO_IT_IS.items() if words in step.words})
        table.answer(person, person.question, table.game.legal_actions()[table.game.legal().index(step.answer)])
    go_on(table)
    assert said == dict.fromkeys(SO_IT_IS, True)
    assert [len(table.game.seat(seat).hand) > 0 for seat in range(4)] == [True] * 4
    assert (table.game.seat(1).life, table.game.seat(0).items) == (3, []), "the neighbour was hit; an incident took the item"


def test_another_answer_silences_the_coach():
    game = guided_game()
    game.act("play shoot")
    assert lesson(game, 1) == ""


# ---------------------------------------------------------------- over the network


def test_a_guided_game_and_the_joining_link(tmp_path):
    there = Server(tmp_path)
    try:
        _, secrets = there.lay(guided="on")
        me = Person(there, secrets["0"]).until(lambda me: me.question is not None)
        assert "You are the Heroine" in me.page["coach"]
        assert me.post("name", name="Ann")[0] == 204
        me.until(lambda me: "Ann" in me.page["seat-0"])
        assert me.post("say-1")[0] == 204
        me.until(lambda me: PHRASES[1] in me.page["talk"])
        me.close()
        host, secrets = there.lay(**FOUR | {"seat1": "person"})
        joining = there.lobby.room(host).table.joining
        assert there.ask("GET", f"/j/{joining}/")[0] == 200
        places = [there.ask("POST", f"/j/{joining}/draw", {})[2]["location"] for _ in range(2)]
        assert len(set(places)) == 2
        assert there.ask("POST", f"/j/{joining}/draw", {})[0] == 409
        assert there.ask("GET", f"/s/{secrets['0']}/")[0] == 404, "who laid the table has no link to it any more"
        assert there.ask("GET", places[0])[0] == 200
    finally:
        there.stop()


def test_drawn_seats_and_names_are_kept_before_anybody_answers(tmp_path):
    there = Server(tmp_path)
    host, secrets = there.lay(**FOUR | {"seat1": "person"})
    room = there.lobby.room(host)
    kept = there.lobby._kept.file(room.table)
    looking = Person(there, secrets["1"])  # that seat is somebody's
    wait(lambda: room.table.pending is not None and kept.exists() and not room._is_writing)
    place = there.ask("POST", f"/j/{room.table.joining}/draw", {})[2]["location"].split("/")[2]
    wait(lambda: place in kept.read_text("utf-8"))
    assert there.ask("POST", f"/s/{place}/name", {"name": "Ann"})[0] == 204
    wait(lambda: '"Ann"' in kept.read_text("utf-8"))
    looking.close()
    there.stop()
    again = Server(tmp_path)
    try:
        assert again.ask("GET", f"/s/{place}/")[0] == 200
        people = again.lobby.room(host).table.people
        assert [(person.name, person.drawn, person.came) for person in people.values()] == [("Ann", True, False), ("", False, True)]
    finally:
        again.stop()


def test_whoever_laid_the_table_hears_why_a_seat_is_not_given_away(there):
    host, _ = there.lay(**FOUR)
    assert there.ask("POST", f"/h/{host}/give/2", {})[0] == 409
    assert "Nobody&#x27;s seat is to be given away there" in there.ask("GET", f"/h/{host}/")[1]


def test_who_looks_on_sees_no_hand_and_at_the_end_everything(tmp_path):
    there = Server(tmp_path)
    try:
        host, secrets = there.lay(**FOUR)
        table = there.lobby.room(host).table
        watching = table.watching
        assert f'"/w/{watching}/"' in there.ask("GET", f"/h/{host}/")[1]
        status, page, _ = there.ask("GET", f"/w/{watching}/")
        assert status == 200
        assert not any(secret in page for secret in (host, *secrets.values(), table.joining))
        me, other = Person(there, secrets["0"]).until(lambda me: me.question is not None), Watcher(there, watching)
        other.until(lambda other: other.page.get("head"))
        assert table.called(1) in other.page["seat-1"]
        me.play()
        other.until(lambda other: other.over and other.page["after"])
        assert other.page["hand"] == ""
        assert 'class="outcome"' in other.page["question"]
        assert 'class="mine"' not in other.page["question"]
        assert "again" not in other.page["after"]
        log = [line.removeprefix("--- ") for line in table.game.log]
        assert [event["text"] for event in other.events][-20:] == log[-20:]
        assert not any("mine" in event or "banner" in event for event in other.events)
        assert there.ask("GET", f"/w/{watching}/replay.json")[0] == 200
        for path, method in (("answer", "POST"), ("give/0", "POST"), ("say-1", "POST")):
            assert there.ask(method, f"/w/{watching}/{path}", {})[0] == 404
        assert there.ask("GET", f"/w/{secrets['0']}/")[0] == 404
        assert there.ask("GET", f"/s/{watching}/")[0] == 404
        assert me.post("again")[0] == 204
        other.until(lambda other: "to the next game" in other.page["after"])
        assert there.ask("GET", re.search(r'/w/[^/"]+/', other.page["after"])[0])[0] == 200
        me.close()
        other.close()
    finally:
        there.stop()


def test_before_the_end_who_looks_on_gets_no_replay(tmp_path):
    there = Server(tmp_path)
    try:
        host, _ = there.lay(**FOUR)
        watching = there.lobby.room(host).table.watching
        assert there.ask("GET", f"/w/{watching}/replay.json")[0] == 409
        assert there.ask("GET", f"/w/{watching}/log")[0] == 200
    finally:
        there.stop()


TICK = 0.4


class Slow:
    """An agent that takes a while for each answer, as one does that has a reaction in its hand."""

    name = "slow"

    def __init__(self, seconds):
        self.seconds = seconds

    def act(self, observations, masks, info_states):
        time.sleep(self.seconds)
        return [int(mask.nonzero()[0][-1]) for mask in masks]


def test_time_does_not_tell_what_an_agent_thought_about(tmp_path):
    """Between an answer and what is seen of it lies a whole number of ticks, however long agents took within one."""
    there = Server(tmp_path, pace=Pace(tick=TICK, event=0.0, forced=(0.0, 0.0)))
    try:
        ticks = {}
        for seconds in (0.0, 0.02):
            game = Scenario(num_players=4).seat(0, hand=["grimoire", "power", "party"]).turn(0).build(seed=1)
            me = Person(there, there.sit(game)["0"]).until(lambda me: me.question is not None)
            table = there.lobby.person(me.secret)[0].table
            table.in_play.agents = {seat: Slow(seconds) for seat in (1, 2, 3)}
            number, begun = me.question, time.monotonic()
            assert me.post("answer", question=number, answer=table.game.legal_actions()[1])[0] == 204
            me.until(lambda me, number=number: (me.question or 0) > number)
            ticks[seconds] = int((time.monotonic() - begun) / TICK)
            me.close()
        assert len(set(ticks.values())) == 1
    finally:
        there.stop()
