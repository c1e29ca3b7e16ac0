"""The addresses of the server: the lobby, a page for each secret, and what may be posted there. Refusals are sentences."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator
from http import HTTPStatus
from pathlib import Path
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from danmaku_env.jit.interpreter import interpreter
from danmaku_env.play.browser import pages
from danmaku_env.play.browser.access import AccessControl
from danmaku_env.play.browser.http_errors import Refused, malformed, not_now, unknown
from danmaku_env.play.browser.lobby import Lobby
from danmaku_env.play.browser.room import Blocks, Room, tell_terminal
from danmaku_env.play.browser.table import PASSES, SeatedPerson
from danmaku_env.render.html import script, style

_HERE = Path(__file__).parent
_FILES = {"serve.css": "text/css", **dict.fromkeys(("live.js", "stage.js", "choose.js", "place.js"), "text/javascript")}
"""Files of this folder that pages load."""
_MOST_FIELDS = 20
_MOST_DIGITS = 9
_POLICY_VIOLATED, _FAILED = 1008, 1011
"""Why a connection is closed, in the numbers of websockets."""
MOST_PAGES = 12
"""Pages of one link that may be open at once."""
MOST_OUTSIDE = 60
"""The same for the spectators' link."""
_REPLAY_PAGE_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; frame-ancestors 'self'"
"""A replay page has its script inside, and reaches nothing."""


def make_app(
    lobby: Lobby, names: Collection[str], lobby_path: str = "/", public: Collection[str] = (), proxies: Collection[str] = ()
) -> ASGIApp:
    """The server's application: the lobby is at `lobby_path`, and tables are laid below it.

    `names` are what the server is called, `public` in front of a proxy, which has one of the addresses `proxies`.
    """
    return AccessControl(_Site(lobby, lobby_path).app(), names, public, proxies)


class _Site:
    """The pages of one lobby."""

    def __init__(self, lobby: Lobby, lobby_path: str) -> None:
        self.lobby = lobby
        self.lobby_path = lobby_path
        self.tables = f"{lobby_path.rstrip('/')}/tables"
        self._making_page = asyncio.Semaphore(1)
        self._open = Counter[str]()
        self._statics = {
            "table.css": (style(), "text/css"), "table.js": (script(), "text/javascript"),
            **{name: ((_HERE / name).read_text("utf-8"), kind) for name, kind in _FILES.items()},
        }  # fmt: skip

    def app(self) -> Starlette:
        routes = [
            Route(self.lobby_path, self.front),
            Route(self.tables, self.lay, methods=["POST"]),
            Route("/static/{name}", self.static),
            Route("/h/{secret}", self.with_slash),
            Route("/h/{secret}/", self.host),
            Route("/h/{secret}/give/{seat}", self.give_as_host, methods=["POST"]),
            Route("/h/{secret}/replay.html", self.replay_page_for_host),
            Route("/h/{secret}/replay.json", self.replay_for_host),
            WebSocketRoute("/h/{secret}/live", _or_denied(self.live_host)),
            Route("/j/{secret}/", self.join),
            Route("/j/{secret}/draw", self.draw, methods=["POST"]),
            Route("/w/{secret}", self.with_slash),
            Route("/w/{secret}/", self.outside),
            Route("/w/{secret}/log", self.log_outside),
            Route("/w/{secret}/replay.html", self.replay_page_outside),
            Route("/w/{secret}/replay.json", self.replay_outside),
            WebSocketRoute("/w/{secret}/live", _or_denied(self.live_outside)),
            Route("/s/{secret}", self.with_slash),
            Route("/s/{secret}/", self.seat),
            Route("/s/{secret}/log", self.log),
            Route("/s/{secret}/replay.html", self.replay_page),
            Route("/s/{secret}/replay.json", self.replay),
            Route("/s/{secret}/give/{seat}", self.give, methods=["POST"]),
            Route("/s/{secret}/{command}", self.command, methods=["POST"]),
            WebSocketRoute("/s/{secret}/live", _or_denied(self.live_seat)),
        ]
        app = Starlette(routes=routes, exception_handlers={Refused: _say, HTTPException: _say_http})
        app.router.redirect_slashes = False  # it would send a browser that came by https to http, with the secret
        return app

    # ---- the lobby

    async def front(self, request: Request) -> Response:
        return HTMLResponse(pages.lobby_page(self.lobby.agents, self.tables))

    async def lay(self, request: Request) -> Response:
        room = self.lobby.lay(await _fields(request))
        room.start()
        return RedirectResponse(f"/h/{room.table.host}/", HTTPStatus.SEE_OTHER)

    async def with_slash(self, request: Request) -> Response:
        return RedirectResponse(f"./{request.path_params['secret']}/", HTTPStatus.PERMANENT_REDIRECT)  # of this host, whatever it says

    async def static(self, request: Request) -> Response:
        if request.path_params["name"] not in self._statics:
            raise unknown("There is no such file.")
        text, kind = self._statics[request.path_params["name"]]
        return Response(text, media_type=kind)

    # ---- the host of a table

    async def host(self, request: Request) -> Response:
        room = self._room(request)
        return HTMLResponse(pages.host_page(room.table, await room.host_blocks()))

    async def give_as_host(self, request: Request) -> Response:
        room = self._room(request)
        try:
            answer = await self._give(room, request)
        except Refused as error:
            room.notice_host(error.sentence)
            raise
        room.notice_host("")
        return answer

    async def live_host(self, socket: WebSocket) -> None:
        room = self.lobby.room(socket.path_params["secret"])
        with self._one_more_page(socket):
            await socket.accept()
            await _keep_telling(socket, room, room.host_blocks)

    async def join(self, request: Request) -> Response:
        self.lobby.joined(request.path_params["secret"])
        return HTMLResponse(pages.join_page(request.path_params["secret"]))

    async def draw(self, request: Request) -> Response:
        """Somebody comes to the table: they get a seat, and a secret that nobody else has."""
        secret = self.lobby.draw(request.path_params["secret"])
        return RedirectResponse(f"/s/{secret}/", HTTPStatus.SEE_OTHER)

    # ---- spectators

    async def outside(self, request: Request) -> Response:
        room = self._watched(request)
        return HTMLResponse(pages.outside_page(room.table, await room.outside_blocks()))

    async def log_outside(self, request: Request) -> Response:
        return HTMLResponse(pages.log_page(list(self._watched(request).table.shown.log)))

    async def live_outside(self, socket: WebSocket) -> None:
        room = self.lobby.watched(socket.path_params["secret"])
        with self._one_more_page(socket, MOST_OUTSIDE):
            await socket.accept()
            await _keep_telling(socket, room, room.outside_blocks)

    async def replay_page_outside(self, request: Request) -> Response:
        return await self._replay_page(self._watched(request))

    async def replay_outside(self, request: Request) -> Response:
        return FileResponse(_finished(self._watched(request)), filename="danmaku.json")

    # ---- people

    async def seat(self, request: Request) -> Response:
        room, person = self._person(request)
        return HTMLResponse(pages.seat_page(room.table, person, await room.seat_blocks(person)))

    async def log(self, request: Request) -> Response:
        room, person = self._person(request)
        return HTMLResponse(pages.log_page(list(room.table.shown.log.of(person.seat))))

    async def live_seat(self, socket: WebSocket) -> None:
        self.lobby.person(socket.path_params["secret"])
        with self._one_more_page(socket):
            await socket.accept()
            try:
                room, person = self.lobby.person(socket.path_params["secret"])
            except Refused as error:  # somebody has drawn the seat meanwhile
                await socket.close(_POLICY_VIOLATED, error.sentence)
                return

            async def look() -> Blocks:
                return await room.seat_blocks(person)

            room.enter(person)
            try:
                await _keep_telling(socket, room, look)
            finally:
                room.leave(person)

    @contextlib.contextmanager
    def _one_more_page(self, socket: WebSocket, most: int = MOST_PAGES) -> Iterator[None]:
        """Count the open pages of a link. Refused where there are too many."""
        secret = socket.path_params["secret"]
        if self._open[secret] >= most:
            raise Refused(HTTPStatus.TOO_MANY_REQUESTS, f"{most} pages of this link are open: close one first.")
        self._open[secret] += 1
        try:
            yield
        finally:
            self._open[secret] -= 1
            if not self._open[secret]:
                del self._open[secret]

    async def command(self, request: Request) -> Response:
        """What a person does: answer, take back, ask for beliefs, come back."""
        room, person = self._person(request)
        try:
            await self._do(room, person, request.path_params["command"], await _fields(request))
        except Refused as error:
            room.notice(person, error.sentence)
            raise
        return Response(status_code=HTTPStatus.NO_CONTENT)

    async def _do(self, room: Room, person: SeatedPerson, command: str, fields: dict[str, str]) -> None:
        if command == "answer":
            question, action = _number(fields, "question"), _number(fields, "answer")
            await room.do(room.table.answer, person, question, action)
        elif command == "undo":
            await room.do(room.table.take_back, person)
        elif command == "back":
            await room.do(room.table.come_back, person)
        elif command == "belief":
            room.believe(person)
        elif command == "again":
            await room.say(self.lobby.again, room)
        elif command == "name":
            await room.say(room.table.rename, person, fields.get("name", ""))
        elif command.startswith("say-"):
            await room.say(room.table.say, person, _number({"phrase": command.removeprefix("say-")}, "phrase"))
        elif command == "pass-stop" or command.removeprefix("pass-") in PASSES:
            await room.do(room.table.pass_for_a_while, person, command.removeprefix("pass-").replace("stop", ""))
        else:
            raise unknown(
                "A person can answer, pass, undo, ask for beliefs, speak, come back, give away a seat, and play again; nothing else."
            )

    async def give(self, request: Request) -> Response:
        room, person = self._person(request)
        try:
            return await self._give(room, request)
        except Refused as error:
            room.notice(person, error.sentence)
            raise

    async def _give(self, room: Room, request: Request) -> Response:
        await room.do(room.table.give_to_agent, _number(request.path_params, "seat"))
        return Response(status_code=HTTPStatus.NO_CONTENT)

    # ---- after the game

    async def replay_page(self, request: Request) -> Response:
        return await self._replay_page(self._person(request)[0])

    async def replay_page_for_host(self, request: Request) -> Response:
        return await self._replay_page(self._room(request))

    async def replay(self, request: Request) -> Response:
        return FileResponse(_finished(self._person(request)[0]), filename="danmaku.json")

    async def replay_for_host(self, request: Request) -> Response:
        return FileResponse(_finished(self._room(request)), filename="danmaku.json")

    async def _replay_page(self, room: Room) -> Response:
        """The replay page of a finished game, made once, in a process of its own: it takes seconds, and other tables go on."""
        replay = _finished(room)
        file = replay.with_suffix(".html")
        async with self._making_page:
            if not file.exists():
                await _make_replay_page(replay, file)
        return FileResponse(file, headers={"content-security-policy": _REPLAY_PAGE_POLICY})

    # ---- who it is

    def _room(self, request: Request) -> Room:
        return self.lobby.room(request.path_params["secret"])

    def _watched(self, request: Request) -> Room:
        return self.lobby.watched(request.path_params["secret"])

    def _person(self, request: Request) -> tuple[Room, SeatedPerson]:
        return self.lobby.person(request.path_params["secret"])


def _finished(room: Room) -> Path:
    if not room.table.shown.over:
        raise not_now("The game is not over: its replay would tell everything.")
    if room.table.replay is None:
        raise not_now("The game could not be saved, so there is no replay.")
    if not room.table.replay.is_file():
        raise not_now("The replay is no longer where it was saved.")
    return room.table.replay


async def _make_replay_page(replay: Path, file: Path) -> None:
    with tempfile.TemporaryFile() as said:
        command = interpreter("danmaku_env.commands.main", "watch", str(replay), "--html", str(file))
        making = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.DEVNULL, stdout=said, stderr=said)
        try:
            status = await making.wait()
        finally:
            if making.returncode is None:  # the server ends, and nobody will look at it
                making.kill()
                await making.wait()
        if status != 0:
            said.seek(0)
            last = said.read().decode("utf-8", "replace").strip().splitlines()[-1:]
            tell_terminal(f"{replay}: {' '.join(last)}")
            raise Refused(HTTPStatus.INTERNAL_SERVER_ERROR, "The replay page could not be made; the terminal of the server says why.")


def _or_denied(live: Callable[[WebSocket], Awaitable[None]]) -> Callable[[WebSocket], Awaitable[None]]:
    """A connection that is refused before it is accepted gets the sentence as an answer."""

    async def denying(socket: WebSocket) -> None:
        try:
            await live(socket)
        except Refused as error:
            await socket.send_denial_response(PlainTextResponse(error.sentence, error.status))

    return denying


async def _keep_telling(socket: WebSocket, room: Room, look: Callable[[], Awaitable[Blocks]]) -> None:
    """Send a page what changes until it is closed. It has nothing to say here: what it does is posted."""

    async def tell() -> None:
        async for message in room.messages(look):
            await socket.send_text(message)

    telling, hearing = asyncio.create_task(tell()), asyncio.create_task(socket.receive())
    try:
        await asyncio.wait((telling, hearing), return_when=asyncio.FIRST_COMPLETED)
        if not hearing.done():
            await _close_failed(socket, telling.exception())
        elif hearing.result()["type"] != "websocket.disconnect":
            await socket.close(_POLICY_VIOLATED, "This connection only tells; answers are posted.")
    finally:
        telling.cancel()
        hearing.cancel()
        await asyncio.gather(telling, hearing, return_exceptions=True)


async def _close_failed(socket: WebSocket, error: BaseException | None) -> None:
    """A page can be told nothing more, as telling it has failed: closed, it opens a connection anew."""
    if not isinstance(error, WebSocketDisconnect):  # else it has been closed, which is no news
        tell_terminal(f"a page could not be told what changed: {error!r}")
        await socket.close(_FAILED, "The page could not be told what changed.")


async def _fields(request: Request) -> dict[str, str]:
    """The fields of a form. Refused when it is malformed, has too many fields, or names one twice."""
    body = await request.body()
    try:
        text = body.decode("ascii")
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text), max_num_fields=_MOST_FIELDS, errors="strict")
    except (UnicodeDecodeError, ValueError):
        raise malformed("That is not a form: fields and values are written name=value, with & between.") from None
    if len(dict(pairs)) != len(pairs):
        raise malformed("A field of a form is given once.")
    return dict(pairs)


def _number(fields: dict[str, str], name: str) -> int:
    text = fields.get(name, "")
    if not (text.isascii() and text.isdecimal()) or len(text) > _MOST_DIGITS:
        raise malformed(f"The {name} is a whole number, not {text[:40]!r}.")
    return int(text)


async def _say(request: Request | WebSocket, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return _sentence(request, error.status, error.sentence)


async def _say_http(request: Request | WebSocket, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = {404: "There is nothing here.", 405: "That cannot be done here."}
    return _sentence(request, HTTPStatus(error.status_code), words.get(error.status_code, str(error.detail)))


def _sentence(request: Request | WebSocket, status: HTTPStatus, sentence: str) -> Response:
    wants_page = "text/html" in request.headers.get("accept", "")
    return HTMLResponse(pages.sentence_page(sentence), status) if wants_page else PlainTextResponse(sentence, status)
