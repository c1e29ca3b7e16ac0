"""The server as its guests meet it: what it refuses, with which sentence, and that a refusal changes nothing."""

import asyncio
import dataclasses
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from urllib.parse import urljoin

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from danmaku_env import Game, GameConfig, Replay, ReplayError
from danmaku_env.commands.main import main
from danmaku_env.play.browser import access, app, message, pages, server
from danmaku_env.play.browser import keeping as keeping_module
from danmaku_env.play.browser.http_errors import Refused
from danmaku_env.play.browser.keeping import Keeping, keeping, kept_text
from danmaku_env.play.browser.keeping import table_of as kept_table
from danmaku_env.play.browser.lobby import Lobby
from danmaku_env.play.browser.table import ServedTable, Setting, new_secret
from tests.command import exit_status
from tests.full_disk import no_space
from tests.play.browser.served import FOUR, PATIENCE, Guests, Person, Server, wait


def bytes_of(there, secret):
    return there.lobby.person(secret)[0].table.game.to_bytes()


# ---------------------------------------------------------------- playing


def test_a_whole_game_is_played_saved_and_offered(there, person):
    assert there.ask("GET", f"/s/{person.secret}/replay.json")[:2] == (409, "The game is not over: its replay would tell everything.")
    assert person.play() > 5
    person.until(lambda me: "replay.html" in me.page["after"])
    status, text, _ = there.ask("GET", f"/s/{person.secret}/replay.json")
    assert status == 200
    replay = Replay.from_json(text)
    assert replay.play().over
    assert replay.agents == ("person", "random", "random", "random")
    status, page, headers = there.ask("GET", f"/s/{person.secret}/replay.html")
    assert status == 200
    assert "Who believed what about whom" in page
    assert "connect-src" not in headers["content-security-policy"]
    assert person.post("answer", question=person.server.lobby.person(person.secret)[1].question, answer=0)[0] == 409


def test_the_same_table_again(there, person):
    """Refused while the game goes on; after its end everybody gets a way to the next game, and the old one can still be looked at."""
    assert person.post("again") == (409, "The game is not over: it is played to its end first.")
    person.play()
    person.until(lambda me: "again with the same table" in me.page["after"])
    assert person.post("again") == (204, "")
    person.until(lambda me: "to the next game" in me.page["after"])
    secret = re.search(r'/s/([^/"]+)/', person.page["after"])[1]
    following = Person(there, secret).until(lambda me: me.question is not None)
    assert "The game is over" not in following.page["head"]
    following.close()
    assert there.ask("GET", f"/s/{person.secret}/replay.json")[0] == 200


def test_two_people_at_one_table_see_their_own(there):
    host, secrets = there.lay(**FOUR | {"seat2": "person"})
    assert sorted(secrets) == ["0", "2"]
    one, other = (Person(there, secrets[seat]).until(lambda me: me.page.get("head")) for seat in ("0", "2"))
    for _ in range(20):
        asked = next(me for me in (one, other) if there.lobby.person(me.secret)[1].seat == there.lobby.person(me.secret)[0].table.pending)
        number = there.lobby.person(asked.secret)[1].question
        asked.until(lambda me, number=number: me.question == number)
        assert asked.post("answer", question=number, answer=asked.answers[-1])[0] == 204
        asked.until(lambda me, number=number: me.over or me.question != number)
        table = there.lobby.room(host).table
        while table.pending is None and not table.game.over:
            time.sleep(0.01)
        if table.game.over:
            break
    hands = {seat: there.lobby.room(host).table.game.seat(seat).hand for seat in (0, 2)}
    for me, seat in ((one, 0), (other, 2)):
        me.until(lambda me, cards=hands[seat]: me.over or me.page["hand"].count('class="card') == len(set(cards)))
        me.close()


def test_a_lost_connection_comes_back_to_the_same_seat(there, person):
    question = person.question
    person.socket.close()
    seated = there.lobby.person(person.secret)[1]
    wait(lambda: seated.pages == 0)
    again = Person(there, person.secret).until(lambda me: me.question is not None)
    assert again.question == question
    assert again.page["hand"] == person.page["hand"]
    again.close()


def table_of(person):
    return person.server.lobby.person(person.secret)[0].table


def test_messages_carry_what_has_changed(person):
    first = dict(person.page)
    assert {"head", "middle", "hand", "seat-0", "seat-3", "question", "people"} <= set(first)
    assert sum(event["n"] for event in person.events[-1:]) == int(table_of(person).shown.record["log_count"])
    assert person.post("belief") == (204, "")
    assert set(person.read()) == {"belief"}
    assert "What the deal allows" in person.page["belief"]
    assert person.post("belief") == (204, "")
    assert person.read() == {"belief": ""}


def test_practice_takes_back(there):
    _, secrets = there.lay(**FOUR, practice="on", seed="7")
    me = Person(there, secrets["0"]).until(lambda me: me.question is not None)
    hand, number = me.page["hand"], me.question
    assert me.post("answer", question=number, answer=me.answers[-1])[0] == 204
    me.until(lambda me: (me.question or 0) > number)
    assert me.post("undo") == (204, "")
    me.until(lambda me: (me.question or 0) > number + 1)
    assert me.page["hand"] == hand
    assert "Taken back." in me.page["notice"]
    me.close()


def test_after_taking_back_the_end_the_game_played_instead_is_offered(there):
    _, secrets = there.lay(**FOUR, practice="on", seed="7")
    me = Person(there, secrets["0"])
    offered = []
    for _ in range(2):
        me.until(lambda me: me.question is not None)
        me.play()
        me.until(lambda me: "replay.html" in me.page["after"])
        status, text, _ = there.ask("GET", f"/s/{me.secret}/replay.json")
        table = there.lobby.person(me.secret)[0].table
        assert (status, Replay.from_json(text)) == (200, table.game.replay())
        offered.append(table.replay)
        assert me.post("undo") == (204, "")
        me.until(lambda me: not me.page["after"])
        assert there.ask("GET", f"/s/{me.secret}/replay.json")[0] == 409
    assert len(set(offered)) == 2, "each ending is a file of its own"
    me.close()


def test_the_clock_answers(there, monkeypatch):
    monkeypatch.setattr("danmaku_env.play.browser.lobby.CLOCKS", (0, 10))
    _, secrets = there.lay(**FOUR, clock="1")
    me = Person(there, secrets["0"]).until(lambda me: me.question is not None)
    assert "--seconds:1s" in me.page["clock"]
    me.until(lambda me: me.question is not None and me.question > 1)
    assert "The time was up" in me.page["notice"]
    me.close()


def test_a_seat_is_given_away_and_taken_back(there, monkeypatch):
    monkeypatch.setattr("danmaku_env.play.browser.table.GONE_FOR", 0.2)
    host, secrets = there.lay(**FOUR | {"seat2": "person"})
    one, other = (Person(there, secrets[seat]).until(lambda me: me.page.get("head")) for seat in ("0", "2"))
    assert one.post("give/2")[0] == 409
    other.close()
    seated = there.lobby.person(other.secret)[1]
    wait(lambda: there.lobby.room(host).table.is_gone(seated))
    assert one.post("give/2") == (204, "")
    one.until(lambda me: "an agent, for now" in me.page["people"])
    one.play(most=5)
    again = Person(there, secrets["2"]).until(lambda me: "An agent plays your seat." in me.page.get("question", ""))
    assert there.lobby.room(host).table.game.agents[2] != "person"
    assert again.post("back") == (204, "")
    again.until(lambda me: "An agent plays your seat." not in me.page["question"])
    assert there.lobby.room(host).table.game.agents[2] == "person"
    one.close()
    again.close()


# ---------------------------------------------------------------- refusals


def test_no_secret_no_seat(there):
    for path in ("/s/wrong/", "/s/wrong/log", "/h/wrong/", "/s//", f"/s/{'x' * 3000}/"):
        status, text, _ = there.ask("GET", path)
        assert status == 404, path
        assert text.endswith(".")
    with pytest.raises(InvalidStatus) as error:
        there.dial("/s/wrong/live")
    assert error.value.response.status_code == 404
    assert b"opens no seat" in error.value.response.body


@pytest.mark.parametrize(
    ("command", "fields", "status", "sentence"),
    [
        ("answer", {}, 400, "The question is a whole number, not ''."),
        ("answer", {"question": "1"}, 400, "The answer is a whole number, not ''."),
        ("answer", {"question": "1", "answer": "-1"}, 400, "The answer is a whole number, not '-1'."),
        ("answer", {"question": "1", "answer": "9" * 400}, 400, "The answer is a whole number"),
        ("answer", {"question": "1", "answer": "²"}, 400, "The answer is a whole number"),
        ("answer", {"question": "1", "answer": "<b>x</b>"}, 400, "The answer is a whole number"),
        ("answer", {"question": "77", "answer": "0"}, 409, "You have not been asked question 77 yet."),
        ("answer", {"question": "1", "answer": "999999"}, 409, "is not legal"),
        ("answer", {"question": "0", "answer": "0"}, 409, "answered already"),
        ("undo", {}, 409, "only at a practice table"),
        ("back", {}, 409, "The seat is yours"),
        ("give/0", {}, 409, "is here"),
        ("give/2", {}, 409, "Nobody's seat"),
        ("give/all", {}, 400, "The seat is a whole number"),
        ("cheat", {}, 404, "nothing else"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence_and_changes_nothing(there, person, command, fields, status, sentence):
    before = bytes_of(there, person.secret)
    found = person.post(command, **fields)
    assert found[0] == status
    assert sentence in found[1]
    assert found[1].endswith(".")
    assert bytes_of(there, person.secret) == before
    person.until(lambda me: me.page["notice"])
    assert "<b>x" not in person.page["notice"], "what was sent is shown as text"


MANY = b"&".join(b"x%d=1" % number for number in range(50))


@pytest.mark.parametrize("body", [b"\xff\xfe", b"question", b"a=1&a=2", MANY, b"{}", b"question=%FF&answer=1"])
def test_a_body_that_is_no_form(there, person, body):
    before = bytes_of(there, person.secret)
    status, text, _ = there.ask("POST", f"/s/{person.secret}/answer", body=body)
    assert status == 400
    assert text.endswith(".")
    assert bytes_of(there, person.secret) == before


def test_a_message_that_is_too_large(there, person):
    before = bytes_of(there, person.secret)
    status, text, _ = there.ask("POST", f"/s/{person.secret}/answer", body=b"x" * 100_000)
    assert (status, text) == (413, "A message has at most 4096 bytes.")
    chunk = b"1000\r\n" + b"x" * 4096 + b"\r\n"
    head = f"POST /s/{person.secret}/answer HTTP/1.1\r\nHost: 127.0.0.1:{there.port}\r\nOrigin: {there.address}\r\nConnection: close\r\n"
    answer = there.raw(head.encode() + b"Transfer-Encoding: chunked\r\n\r\n" + 3 * chunk + b"0\r\n\r\n")
    assert b" 413 " in answer.splitlines()[0]
    assert b"at most 4096 bytes." in answer
    assert bytes_of(there, person.secret) == before


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "http://127.0.0.1:1", "https://localhost"])
def test_pages_from_elsewhere(there, person, origin):
    before = bytes_of(there, person.secret)
    fields = {"question": str(person.question), "answer": str(person.answers[0])}
    status, text, headers = there.ask("POST", f"/s/{person.secret}/answer", fields, headers={"Origin": origin})
    assert (status, headers["x-content-type-options"]) == (403, "nosniff")
    assert text.startswith("Only this server's own pages may do that")
    assert bytes_of(there, person.secret) == before
    with pytest.raises(InvalidStatus) as error:
        there.dial(f"/s/{person.secret}/live", origin=origin)
    assert error.value.response.status_code == 403
    assert error.value.response.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "[::1", "ö"])
def test_another_name_of_the_server(there, host):
    """A name that somebody else's name server points here would let their pages in."""
    answer = there.raw(f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    assert answer.splitlines()[0].split()[1] in (b"421", b"400")


def shown_out(there, person, words):
    """What ends a connection that says these words."""
    socket = there.dial(f"/s/{person.secret}/live")
    socket.send(words)
    with pytest.raises(ConnectionClosed) as error:
        list(iter(lambda: socket.recv(timeout=10), None))
    return error.value.rcvd


@pytest.mark.parametrize(("words", "code"), [("answer", 1008), (b"\x00\x01", 1008), ("x" * 5000, 1009)])
def test_who_talks_into_a_connection_that_only_tells_is_shown_out(there, person, words, code):
    assert shown_out(there, person, words).code == code
    assert person.post("belief") == (204, ""), "the person's own page goes on"


def test_a_page_that_cannot_be_told_anything_more_is_closed_so_that_it_comes_again(there, person, monkeypatch, capsys):
    async def failing(seated):
        raise ValueError("no")

    monkeypatch.setattr(there.lobby.person(person.secret)[0], "seat_blocks", failing)
    socket = there.dial(f"/s/{person.secret}/live")
    with pytest.raises(ConnectionClosed) as error:
        socket.recv(timeout=10)
    assert error.value.rcvd.code == 1011
    assert "danmaku: a page could not be told what changed: ValueError('no')\n" in capsys.readouterr().err


def test_many_fast_messages_do_not_slow_the_others_down(there, person):
    _, secrets = there.lay(**FOUR)
    stop = threading.Event()
    statuses = []

    def flood():
        while not stop.is_set():
            statuses.append(there.ask("POST", f"/s/{secrets['0']}/answer", {"question": "1", "answer": "999"})[0])

    floods = [threading.Thread(target=flood) for _ in range(8)]
    for thread in floods:
        thread.start()
    try:
        waits = []
        for _ in range(15):
            if person.over:
                break
            before, start = person.question, time.monotonic()
            assert person.post("answer", question=before, answer=person.answers[-1])[0] == 204
            person.until(lambda me, before=before: me.over or (me.question or 0) > before)
            waits.append(time.monotonic() - start)
    finally:
        stop.set()
        for thread in floods:
            thread.join()
    assert statuses.count(429) > 3
    assert sorted(waits)[len(waits) // 2] < 1.0


def test_guessing_links_is_slowed_down_for_who_guesses(there, monkeypatch):
    """Every guess is another link; they are counted for the address they come from."""
    monkeypatch.setattr(access, "_WAIT", 0.0)
    monkeypatch.setattr(there.access, "_addresses", access.Rates(1.0, 20.0))
    statuses = [there.ask("GET", f"/s/guess-{number}/")[0] for number in range(40)]
    assert statuses.count(404) <= 25
    assert statuses.count(429) >= 15


@pytest.mark.parametrize(("proxies", "slowed"), [((), 15), (("127.0.0.0/8",), 0)], ids=["no proxy", "a proxy"])
def test_behind_a_proxy_everybody_has_a_rate_of_their_own(tmp_path, monkeypatch, proxies, slowed):
    """Whom the proxy names counts only where the option names the proxy, and of those it names the one that it heard itself."""
    monkeypatch.setattr(access, "_WAIT", 0.0)
    there = Server(tmp_path, proxies=proxies)
    try:
        there.access._addresses = access.Rates(0.01, 20.0)
        guesses = [{"X-Forwarded-For": f"203.0.113.9, 198.51.100.{number % 2}"} for number in range(36)]
        statuses = [there.ask("GET", f"/s/guess-{number}/", headers=named)[0] for number, named in enumerate(guesses)]
        assert statuses.count(429) == (16 if slowed else 0)
        forged = [there.ask("GET", "/s/guess/", headers={"X-Forwarded-For": f"203.0.113.{number}, 198.51.100.0"})[0] for number in range(9)]
        assert 429 in forged, "what the client itself says is not believed"
    finally:
        there.stop()


@pytest.mark.parametrize("proxy", ["127.0.0.1", "127.0.0.0/8", "::ffff:127.0.0.1", "::ffff:127.0.0.0/104"])
def test_an_address_of_ipv4_is_the_same_at_a_socket_of_ipv6(proxy):
    control = access.AccessControl(None, ("localhost",), proxies=(proxy,))
    for peer, named in (("::ffff:127.0.0.1", "198.51.100.7"), ("127.0.0.1", "::ffff:198.51.100.7"), ("::ffff:198.51.100.7", "1.2.3.4")):
        scope = {"client": (peer, 1), "headers": [(b"x-forwarded-for", named.encode())]}
        assert control._address(scope) == "198.51.100.7"


def test_others_need_the_address_of_the_lobby_to_lay_tables(tmp_path):
    there = Server(tmp_path, lobby_path=f"/lobby/{'x' * 32}")
    try:
        assert there.ask("POST", "/tables", FOUR)[0] == 404
        assert there.ask("POST", "/lobby/wrong/tables", FOUR)[0] == 404
        assert there.ask("GET", "/")[0] == 404
        assert f'action="{there.lobby_path}/tables"' in there.ask("GET", there.lobby_path)[1]
        assert there.ask("POST", f"{there.lobby_path}/tables", FOUR)[0] == 303
        assert len(there.lobby._rooms) == 1
    finally:
        there.stop()


def test_a_game_under_way_goes_on_after_a_crash_under_the_same_links(tmp_path):
    """What the person has answered is there, and nobody but the owner can read the links."""
    there = Server(tmp_path)
    host, secrets = there.lay(**FOUR, practice="on", seed="7", clock="3000")
    me = Person(there, secrets["0"]).until(lambda me: me.question is not None)
    me.play(most=3)
    kept = there.lobby._kept.file(there.lobby.room(host).table)
    given = there.lobby.room(host).table.game.replay().answers
    wait(lambda: kept.exists() and len(Replay.load(kept).answers) >= len(given))
    question, hand = me.question, me.page["hand"]
    me.close()
    there.stop()
    assert oct(kept.stat().st_mode & 0o777) == "0o600"
    assert exit_status(main, "watch", str(kept), "--step", "1") == 0
    again = Server(tmp_path)
    try:
        me = Person(again, secrets["0"]).until(lambda me: me.question is not None)
        assert (me.question, me.page["hand"]) == (question + 1, hand)
        assert again.lobby.room(host).table.setting.clock == 3000
        assert me.post("undo") == (204, "")
        me.until(lambda me: "Taken back." in me.page["notice"])
        me.until(lambda me: me.question is not None)
        me.play()
        me.until(lambda me: "replay.html" in me.page["after"])
        wait(lambda: not kept.exists())
        me.close()
    finally:
        again.stop()


def stopped_table(folder):
    """The link of a table whose server has stopped, and its kept file."""
    there = Server(folder)
    host, _ = there.lay(**FOUR)
    kept = there.lobby._kept.file(there.lobby.room(host).table)
    wait(kept.exists)
    there.stop()
    return host, kept


def test_a_kept_file_that_cannot_be_read_is_said_and_left(tmp_path, capsys):
    _, kept = stopped_table(tmp_path)
    whole = json.loads(kept.read_text("utf-8"))
    tables = [{"host": "x"}, {"chairs": whole["table"]["chairs"] * 2}, {"chairs": []}, {"clock": "soon"}, {"given": [-1]}, {"agents": []}]
    damages = [{**whole, "table": None}, {**whole, "answers": [9999]}]
    damages += [{**whole, "table": {**whole["table"], **damage}} for damage in tables]
    for damage in (*(json.dumps(damage).encode() for damage in damages), b"\xff\xfe", None):
        kept.unlink()
        if damage is None:
            kept.mkdir()
        else:
            kept.write_bytes(damage)
        with keeping(tmp_path) as files:
            assert Lobby(["random"], None, None, tmp_path, files).resume() == 0
        assert str(kept) in capsys.readouterr().err
        assert kept.exists()


def test_a_copy_of_a_kept_file_is_no_second_table(tmp_path, capsys):
    host, kept = stopped_table(tmp_path)
    copied = kept.with_name("0-backup.json")
    copied.write_bytes(kept.read_bytes())
    again = Server(tmp_path)
    again.stop()
    assert list(again.lobby._rooms) == [host]
    assert f"{copied}: it is a copy, or was renamed: the file of its table is {kept.name}" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["\ud800", "x" * 21, "a\nb", 3])
def test_a_kept_name_is_one_that_a_person_can_have(name):
    table = ServedTable(Setting(GameConfig(num_players=4), ("person", "random", "random", "random")))
    kept = json.loads(kept_text(table))
    assert kept_table(json.dumps(kept), {"random": "random"}).people[0].name == ""
    kept["table"]["chairs"][0]["name"] = name
    with pytest.raises(ReplayError, match="the table has a name that cannot be"):
        kept_table(json.dumps(kept), {"random": "random"})


@pytest.mark.parametrize("text", ["{}", "[]", '{"port": 8000}', "[" * 100_000, ""])
def test_where_the_server_was_last_is_forgotten_if_it_cannot_be_read(text, tmp_path):
    there = Keeping(tmp_path)
    there.note_address(8000, "")
    (file,) = tmp_path.iterdir()
    assert there.address() == (8000, "")
    file.write_text(text, "utf-8")
    assert there.address() == (0, "")


def test_a_lobby_has_no_address_that_somebody_else_may_have_chosen(tmp_path):
    there = Keeping(tmp_path)
    there.note_address(8000, secret := new_secret())
    (file,) = tmp_path.iterdir()
    assert there.address() == (8000, secret)
    file.chmod(0o666)
    assert there.address() == (0, "")


def test_a_state_that_found_no_room_is_written_again(tmp_path, monkeypatch):
    """And one that is in its file is not: a disk that is full now loses nothing."""
    there, file = Keeping(tmp_path), tmp_path / "table.json"
    with monkeypatch.context() as patch:
        patch.setattr(keeping_module, "write_atomically", no_space)
        with pytest.raises(OSError, match="No space left"):
            there.write(file, 3, "third")
    there.write(file, 3, "third")
    with monkeypatch.context() as patch:
        patch.setattr(keeping_module, "write_atomically", no_space)
        there.write(file, 3, "third")
        there.write(file, 2, "second")
    assert file.read_text("utf-8") == "third"
    there.write(file, 3, "")
    assert not file.exists()
    file.write_text("of an earlier server", "utf-8")
    Keeping(tmp_path).write(file, 0, "")
    assert not file.exists(), "nothing was written here yet, and there is nothing to keep"


BOT = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if told["message"] == "question":
        print(json.dumps({"answer": list(told["answers"])[-1]}), flush=True)
"""


def test_commands_and_paths_are_shown_to_nobody(tmp_path):
    """Not in the lobby, at the table, to who laid it, nor in the replay; an agent that fails does not tell either."""
    bot = tmp_path / "bot.py"
    bot.write_text(BOT, "utf-8")
    lobby = Lobby(["random", f"exec:{sys.executable} {bot}", f"exec:{sys.executable} {tmp_path}/none.py"], None, None, tmp_path)
    assert lobby.agents == ("random", "exec 1", "exec 2")
    table = lobby.lay(FOUR | {"seat1": "exec 1", "seat2": "exec 2"}).table
    seated, told = table.people[0], [pages.lobby_page(lobby.agents, "/tables")]
    while not table.game.over:
        while not table.agents_answer(10.0):
            pass
        table.settle()
        told += [*map(str, message.page_blocks(table, seated).values()), message.people(table, links=True)]
        if table.pending is not None:
            table.answer(seated, seated.question, table.game.legal_actions()[-1])
    table.in_play.rest()
    told += [table.game.replay().to_json(), pages.host_page(table, {"notice": "", "people": "", "state": ""})]
    assert "The agent of seat 2, exec 2, has failed. Another agent plays seat 2 from now on." in "".join(told)
    assert not [words for words in told if str(tmp_path) in words or sys.executable in words]
    assert str(tmp_path) in table.trouble, "where the server was started, it is said"


def test_a_link_has_so_many_pages_and_no_more(there, person):
    there_are = [there.dial(f"/s/{person.secret}/live") for _ in range(app.MOST_PAGES - 1)]
    with pytest.raises(InvalidStatus) as error:
        there.dial(f"/s/{person.secret}/live")
    assert error.value.response.status_code == 429
    assert error.value.response.body == b"12 pages of this link are open: close one first."
    for page in there_are:
        page.close()
    seated = there.lobby.person(person.secret)[1]
    wait(lambda: seated.pages == 1)
    there.dial(f"/s/{person.secret}/live").close()


def test_files_are_the_four_that_are_there(there):
    for name in ("table.css", "table.js", "serve.css", "live.js"):
        status, _, headers = there.ask("GET", f"/static/{name}")
        assert status == 200
        assert headers["x-content-type-options"] == "nosniff"
    for name in ("../serve/app.py", "..%2fapp.py", "app.py"):
        assert there.ask("GET", f"/static/{name}")[0] == 404
    assert there.ask("PUT", "/")[:2] == (405, "That cannot be done here.")
    assert "default-src 'none'" in there.ask("GET", "/")[2]["content-security-policy"]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"players": "3"}, "The number of players is a whole number from 4 to 8, not '3'."),
        ({"players": "1e9"}, "The number of players is a whole number"),
        ({"roles": "all"}, "roles must be"),
        ({"seat1": "my_bots:Evil"}, "Nobody called 'my_bots:Evil' can sit in seat 1"),
        ({"seat0": "os:system"}, "Nobody called"),
        ({"seat0": "random"}, "let a person sit somewhere"),
        ({"clock": "1"}, "The clock is a whole number from 5 to 3600, not '1'."),
        ({"clock": "soon"}, "The clock is a whole number"),
        ({"practice": "on", "seat1": "person"}, "a practice table has one person"),
        ({"seed": "7"}, "at a practice table only"),
        ({"practice": "on", "seed": "-7"}, "The table cannot be laid: a seed is a whole number"),
        ({"practice": "on", "seed": "7" * 300}, "The table cannot be laid: a seed is a whole number"),
        ({"practice": "on", "seed": "1_0"}, "The table cannot be laid: a seed is a whole number"),
        ({"practice": "perhaps"}, "Practice is on or off, not 'perhaps'."),
        ({"practice": "0", "seed": "7"}, "at a practice table only"),
        ({"candidates": "5"}, "The number of candidates is a whole number from 2 to 4, not '5'."),
        ({"players": "8", "candidates": "4"}, "candidates: 4 for each of 8 players are more than"),
        ({"ask": "nobody"}, "Who is asked is one of"),
        ({"cards": "all"}, "A table has no 'cards'"),
        ({"expansion": "lunatic"}, "expansion must be"),
        ({"characters": "by lot"}, "characters must be"),
        ({"players": "8", "characters": "draft"}, "at most 6 players can play so"),
    ],
)
def test_tables_that_cannot_be_laid(there, fields, sentence):
    tables = len(there.lobby._rooms)
    status, text, _ = there.ask("POST", "/tables", FOUR | fields)
    assert status == 400
    assert sentence in text
    assert len(there.lobby._rooms) == tables


def test_the_lobby_offers_the_expansion_and_its_ways_to_characters(there):
    """A table with Lunatic Extra, two characters each and Player 2 is laid, and the page of a seat shows the questions of set-up."""
    text = there.ask("GET", "/")[1]
    for words in ('<option value="lunatic_extra">', '<option value="double_threat">', 'name="bonus"', 'name="candidates"'):
        assert words in text
    fields = {"expansion": "lunatic_extra", "characters": "double_threat", "bonus": "on"}
    settings = [there.lobby.setting(FOUR | fields) for fields in ({"bonus": "off"}, {"bonus": "1", "candidates": "4"}, {"practice": "no"})]
    assert [setting.config.bonus_character for setting in settings] == [False, True, False]
    assert [setting.config.candidates for setting in settings] == [2, 4, 2]
    assert not settings[2].practice
    assert there.ask("POST", "/tables", FOUR | fields)[0] in (200, 303)
    game = next(reversed(there.lobby._rooms.values())).table.game
    assert (game.config.expansion, game.config.characters, game.config.bonus_character) == ("lunatic_extra", "double_threat", True)


def test_there_is_an_end_to_tables(monkeypatch, tmp_path):
    monkeypatch.setattr("danmaku_env.play.browser.lobby.MOST_TABLES", 3)
    lobby = Lobby(["random"], None, None, tmp_path)
    rooms = [lobby.lay(FOUR) for _ in range(3)]
    with pytest.raises(Refused, match="3 tables are laid"):
        lobby.lay(FOUR)
    rooms[1].used -= 7 * 3600
    lobby.lay(FOUR)
    with pytest.raises(Refused, match="leads to no table"):
        lobby.room(rooms[1].table.host)
    assert lobby.room(rooms[0].table.host) is rooms[0]


def test_a_game_that_could_not_be_kept_is_not_said_to_be(tmp_path, monkeypatch, capsys):
    with keeping(tmp_path) as kept:
        lobby = Lobby(["random"], None, None, tmp_path, kept)
        lobby.lay(FOUR)
        assert lobby.keep() == 1

        def full(file, number, text):
            raise OSError(28, "No space left on device", "there.json")

        monkeypatch.setattr(kept, "write", full)
        assert lobby.keep() == 0
    assert capsys.readouterr().err == "danmaku: a game under way is not kept: there.json: No space left on device\n"


def test_a_table_that_makes_room_leaves_nothing_behind(tmp_path):
    with keeping(tmp_path) as kept:
        lobby = Lobby(["random"], None, None, tmp_path, kept)
        room = lobby.lay(FOUR)
        lobby.keep()
        assert (len(kept._written), len(kept.files())) == (1, 1)
        lobby._clear(room.table.host)
        room.keep()  # as agents do that have thought meanwhile
        assert kept.files() == []
        lobby.lay(FOUR)
        room.clear()
        assert kept._written == {}


def test_rates_are_counted_for_each_link(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(access.time, "monotonic", lambda: now[0])
    rates = access.Rates(access.A_SECOND, access.AT_ONCE)
    assert sum(rates.allows("one") for _ in range(200)) == access.AT_ONCE
    assert rates.allows("other")
    now[0] += 1.0
    assert sum(rates.allows("one") for _ in range(200)) == access.A_SECOND


# ---------------------------------------------------------------- the command


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--port", "70000"], "--port"),
        (["--host", "nowhere.invalid"], "cannot listen at nowhere.invalid"),
        (["--host", "999.1.1.1"], "cannot listen at 999.1.1.1"),
        (["--host", "kü..che"], "cannot listen at kü..che, port 0: no machine can have this name"),
        (["--host", ""], "an address to listen at is needed, such as 127.0.0.1"),
        (["--agent", "nobody"], "there is no agent 'nobody'"),
        (["--games", __file__], f"nothing can be written to {__file__}: Not a directory"),
        (["--games", "/proc/games/here"], "nothing can be written to /proc/games/here: "),
    ],
)
def test_the_command_refuses_in_a_sentence(words, sentence, capsys):
    assert exit_status(main, "serve", "--no-show", *words) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("host", "address", "reach"),
    [
        ("127.0.0.1", r"http://127\.0\.0\.1:\d+/\n", "Only this machine can reach it."),
        ("0.0.0.0", r"http://0\.0\.0\.0:\d+/lobby/[\w-]{32}\n", "Everybody who can reach this machine and has the address can lay tables."),
    ],
)
def test_the_server_says_where_it_is_and_who_can_reach_it(host, address, reach, monkeypatch, capsys, tmp_path):
    opened, ran = [], []
    monkeypatch.setattr(server.webbrowser, "open", opened.append)
    monkeypatch.setattr(server, "_run", lambda options, agents, listening, *_: ran.append(listening.getsockname()))
    monkeypatch.setattr(server.asyncio, "run", lambda _: None)
    server.serve(server.Options(host=host, folder=tmp_path))
    said = capsys.readouterr().out
    assert re.search(address, said)
    assert reach in said
    loading, laid, _ = said.split("\n", 2)
    assert loading == "Loading the agents ..."
    assert opened == [laid.split()[4]]
    assert ran[0][0] == host


def test_what_the_server_says_of_its_folder_is_letters(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(server, "_run", lambda *given: None)
    monkeypatch.setattr(server.asyncio, "run", lambda _: None)
    server.serve(server.Options(show=False, folder=tmp_path / "cleared\x1b[2J\nall"))
    said = capsys.readouterr().out
    assert "Games go to" in said
    assert "cleared\ufffd[2J all; those under way" in said
    assert "\x1b" not in said


def test_a_port_that_is_taken(there, capsys):
    assert exit_status(main, "serve", "--no-show", "--port", str(there.port)) == 2
    assert "Address already in use" in capsys.readouterr().err


SLOW = """
import signal, sys, time
from pathlib import Path
from danmaku_env.agents.random import RandomAgent
from danmaku_env.commands.main import main
from danmaku_env.play.browser import server

class Slow(RandomAgent):
    asked = 0

    def act(self, *given):
        Slow.asked += 1
        if Slow.asked > 1:  # the first question is put to whoever is to be warmed up
            Path("thinking").touch()
            time.sleep(1000)
        return super().act(*given)

if __name__ == "__main__":
    import slow  # the agent is found by the module's name
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored in what it runs in the background
    server.choices = list  # nobody else has to be warmed up
    main(["serve", "--no-show", "--agent", "slow:Slow", "--games", "games"])
"""


def test_a_replay_page_of_a_game_of_other_rules_is_refused_in_a_sentence(tmp_path, capsys):
    """A server that was brought up to date between the game and the replay page."""
    replay = dataclasses.replace(Game.new(4, seed=1).replay(), rules="9b992b469dd8")
    replay.save(tmp_path / "game.json")
    with pytest.raises(Refused, match=r"The replay page could not be made"):
        asyncio.run(app._make_replay_page(tmp_path / "game.json", tmp_path / "game.html"))
    assert re.search(r"the replay .* was made under the rules 9b992b469dd8", capsys.readouterr().err)
    assert not (tmp_path / "game.html").exists()


@pytest.mark.parametrize("ended_by", [signal.SIGINT, signal.SIGHUP])
def test_the_end_waits_for_no_agent_and_keeps_the_games(tmp_path, ended_by):
    """Several tables, at each of which an agent takes minutes for its answer."""
    (tmp_path / "slow.py").write_text(SLOW, "utf-8")
    command = [sys.executable, "slow.py"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            there = Guests(next(int(found[1]) for line in process.stdout if (found := re.search(r":(\d+)/", line))))
            for _ in range(3):
                there.lay(players="4", seat0="slow:Slow", seat1="slow:Slow", seat2="slow:Slow", seat3="person", ask="able")
            wait((tmp_path / "thinking").exists)
            process.send_signal(ended_by)
            assert process.wait(PATIENCE) == (130 if ended_by == signal.SIGINT else -ended_by)
        finally:
            process.kill()
        assert process.stdout.read().endswith("\n3 games under way kept.\ndanmaku: stopped\n" if ended_by == signal.SIGINT else " kept.\n")
        assert len([file for file in tmp_path.rglob("under-way/*.json") if Replay.load(file).agents]) == 3


def test_a_replay_page_is_not_made_on_when_the_server_ends(monkeypatch, tmp_path):
    maker = tmp_path / "maker"
    maker.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/begun.part\nmv {tmp_path}/begun.part {tmp_path}/begun\nexec sleep 1000\n", "utf-8")
    maker.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(maker))

    async def ask_and_leave():
        making = asyncio.create_task(app._make_replay_page(tmp_path / "game.json", tmp_path / "game.html"))
        while not (tmp_path / "begun").exists():
            await asyncio.sleep(0.01)
        making.cancel()
        await asyncio.wait([making])

    asyncio.run(ask_and_leave())
    maker_id = int((tmp_path / "begun").read_text("utf-8"))
    wait(lambda: not is_running(maker_id))


def is_running(process_id):
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return True


def test_without_the_libraries_the_command_says_what_to_install(monkeypatch, capsys):
    def missing(name):
        raise ModuleNotFoundError("No module named 'uvicorn'", name="uvicorn")

    monkeypatch.setattr("danmaku_env.console.errors.importlib.import_module", missing)
    assert exit_status(main, "serve") == 2
    assert capsys.readouterr().err == "danmaku: a table in the browser needs the package uvicorn: pip install 'danmaku-env[serve]'\n"


def test_messages_are_json_objects_of_blocks(person):
    assert isinstance(json.loads(json.dumps(person.page)), dict)
    assert all(isinstance(html, str) for html in person.page.values())


def test_behind_a_proxy_the_pages_of_its_name_are_the_servers_own(tmp_path):
    """A proxy may ask by its own name or by this machine's; what else browsers call the server is refused as without one."""
    there = Server(tmp_path, names=("danmaku.example",))
    try:
        for host in ("danmaku.example", f"127.0.0.1:{there.port}"):
            own = {"Host": host, "Origin": "https://danmaku.example"}
            status, _, headers = there.ask("POST", "/tables", FOUR, headers=own)
            assert (status, headers["location"].split("/")[1]) == (303, "h")
        assert there.ask("POST", "/tables", FOUR, headers={"Origin": "https://evil.example"})[0] == 403
        assert there.ask("GET", "/", headers={"Host": "evil.example"})[0] == 421
    finally:
        there.stop()


@pytest.mark.parametrize("name", ["https://danmaku.example", "danmaku.example:443", "", "a b"])
def test_a_name_with_more_than_a_name_in_it(name, tmp_path):
    with pytest.raises(server.ServeError, match="is written as"):
        server.serve(server.Options(folder=tmp_path, show=False, names=(name,)))


def test_a_link_without_its_last_slash_leads_on_without_naming_the_protocol(there, person):
    """A proxy speaks https with the browser and http with the server, which must not send the secret to the latter."""
    status, _, headers = there.ask("GET", f"/s/{person.secret}")
    assert (status, headers["location"]) == (308, f"./{person.secret}/")
    assert there.ask("GET", "/s/nobody")[0] == 308


@pytest.mark.parametrize("page", ["h", "w", "s"])
def test_a_link_leads_to_no_other_host(there, page):
    """A browser reads `https:elsewhere.example/` as an address of its own, `./https:elsewhere.example/` as one below this page."""
    _, _, headers = there.ask("GET", f"/{page}/https:elsewhere.example")
    assert urljoin(f"https://here.example/{page}/", headers["location"]).startswith("https://here.example/")
    assert headers["location"].startswith("./")
