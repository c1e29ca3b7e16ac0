"""A server in this process, and people who speak with it without a browser."""

import asyncio
import contextlib
import http.client
import json
import re
import socket
import threading
import time
from urllib.parse import urlencode

import uvicorn
from websockets.sync.client import connect

from danmaku_env.agents.seating import strongest_quick
from danmaku_env.play.browser import access, server
from danmaku_env.play.browser.keeping import keeping
from danmaku_env.play.browser.pace import Pace
from danmaku_env.play.browser.table import ServedTable, Setting
from danmaku_env.play.game_in_play import PERSON

AT_ONCE = Pace(tick=0.0, event=0.0, forced=(0.0, 0.0))
"""Tables that wait for nothing: what a test is not about."""
PATIENCE = 120.0
"""Seconds to wait for what comes at once on an idle machine."""


def wait(found):
    """Until it is so."""
    end = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < end
        time.sleep(0.02)


FOUR = {"players": "4", "seat1": "random", "seat2": "random", "seat3": "random", "ask": "able"}
"""A table of one person with three agents, as the lobby takes it."""


class Guests:
    """Speaks with a server on this machine as its own pages would."""

    def __init__(self, port):
        self.port = port
        self.address = f"http://127.0.0.1:{port}"

    def ask(self, method, path, fields=None, *, body=None, headers=None):
        """(status, text, headers) of a request as this server's own pages would make it."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        own = {"Origin": self.address, "Content-Type": "application/x-www-form-urlencoded"}
        with contextlib.closing(connection):
            connection.request(method, path, urlencode(fields) if fields is not None else body, {**own, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.read().decode(), dict(answer.getheaders())

    def lay(self, **fields):
        """Lay a table: its host's secret, and the secrets of its people by seat."""
        status, text, headers = self.ask("POST", "/tables", fields)
        assert status == 303, text
        host = headers["location"].split("/")[2]
        page = self.ask("GET", f"/h/{host}/")[1]
        return host, dict(re.findall(r'<li>(\d) <b>a person</b>[^<]*<a href="/s/([^/"]*)', page))

    def dial(self, path, *, origin="own"):
        """A connection that is told what changes."""
        with contextlib.ExitStack() as leaving:
            own = self.address if origin == "own" else origin or None
            there = leaving.enter_context(connect(f"ws://127.0.0.1:{self.port}{path}", origin=own))
            leaving.pop_all()
            return there

    def raw(self, data):
        """What is answered to raw bytes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as there:
            there.sendall(data)
            there.settimeout(5)
            answer = b""
            with contextlib.suppress(TimeoutError, ConnectionError):
                while chunk := there.recv(65536):
                    answer += chunk
            return answer


class Server(Guests):
    """Serves until it is stopped; a thread of its own."""

    def __init__(self, folder, agents=("heuristic", "random"), names=(), proxies=(), lobby_path="/", pace=AT_ONCE):
        self.folder, self.lobby_path = folder, lobby_path
        self.options = server.Options(folder=folder, show=False, names=names, proxies=proxies, pace=pace)
        server.warm([*agents, strongest_quick()])
        self.listening = server.listen(self.options)
        super().__init__(self.listening.getsockname()[1])
        self.lobby, self.uvicorn = None, None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run(agents)), daemon=True)
        self._thread.start()
        assert self._ready.wait(PATIENCE)

    async def _run(self, agents):
        self._loop = asyncio.get_running_loop()
        with keeping(self.folder) as kept, server.lobby_of(self.options, agents, kept) as self.lobby:
            self.uvicorn = uvicorn.Server(server.config_of(self.options, self.lobby, self.lobby_path))
            self.access = self.uvicorn.config.app
            self._ready.set()
            await self.uvicorn.serve(sockets=[self.listening])

    def stop(self):
        """End as if killed: what is not on the disk yet is lost."""
        self.uvicorn.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    def sit(self, game, people=(0,), agent="random"):
        """A table at which a game goes on, with people in these seats: their secrets by seat."""
        seats = tuple(PERSON if seat in people else agent for seat in range(game.config.num_players))
        room = self.lobby._open(ServedTable(Setting(game.config, seats), game=game, pace=self.options.pace))
        self._loop.call_soon_threadsafe(room.start)
        return {str(seat): person.secret for seat, person in room.table.people.items()}

    def cut(self):
        """Break off every connection."""
        for connection in list(self.uvicorn.server_state.connections):
            self._loop.call_soon_threadsafe(connection.transport.abort)


class Person:
    """Somebody at a seat: what their page shows, kept in step by its messages."""

    where = "s"

    def __init__(self, there, secret):
        self.server, self.secret, self.page, self.events = there, secret, {}, []
        self.socket = there.dial(f"/{self.where}/{secret}/live")

    def read(self, seconds=PATIENCE):
        """The blocks of the next message."""
        message = json.loads(self.socket.recv(timeout=seconds))
        self.page |= message["blocks"]
        self.events += message["events"]
        return message["blocks"]

    def catch_up(self):
        """Read what has come."""
        with contextlib.suppress(TimeoutError):
            while True:
                self.read(0)

    def until(self, found, seconds=PATIENCE):
        """Read until the page is as wanted."""
        while not found(self):
            self.read(seconds)
        return self

    @property
    def question(self):
        """The number of the pending question, or None."""
        found = re.search(r'name="question" value="(\d+)"', self.page.get("question", ""))
        return int(found[1]) if found else None

    @property
    def answers(self):
        return [int(action) for action in re.findall(r'name="answer" value="(\d+)"', self.page.get("question", ""))]

    @property
    def over(self):
        return "The game is over" in self.page.get("head", "")

    def post(self, command, **fields):
        status, text, _ = self.server.ask("POST", f"/s/{self.secret}/{command}", fields)
        return status, text

    def play(self, pick=-1, most=1000):
        """Answer as fast as a link may speak, until the game is over or `most` answers are given; returns how many."""
        for given in range(most):
            before = self.question
            if self.over:
                return given
            time.sleep(1 / access.A_SECOND)
            assert (found := self.post("answer", question=before, answer=self.answers[pick])) == (204, ""), found
            self.until(lambda me, before=before: me.over or (me.question or 0) > before)
        return most

    def close(self):
        self.socket.close()


class Watcher(Person):
    """Somebody who only looks on."""

    where = "w"
