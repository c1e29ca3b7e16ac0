"""The process: a socket, the lobby, and a browser that is opened on it."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import re
import signal
import socket
import webbrowser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import uvicorn

from danmaku_env.agents.base import AnswerError, BeliefModel, answer
from danmaku_env.agents.registry import AgentError, make, names
from danmaku_env.agents.seating import default_belief_model, strongest_quick
from danmaku_env.arguments import printable
from danmaku_env.game import Game
from danmaku_env.play.browser.agent_executor import AgentExecutor
from danmaku_env.play.browser.app import make_app
from danmaku_env.play.browser.connections import Connection, Listening
from danmaku_env.play.browser.keeping import Keeping, keeping
from danmaku_env.play.browser.lobby import Lobby
from danmaku_env.play.browser.pace import Pace
from danmaku_env.play.browser.table import new_secret

LOOPBACK = ("127.0.0.1", "localhost", "::1")
_NAME = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
_MOST_CONNECTIONS = 1000
_MESSAGE_BYTES = 1024
_HEAD_BYTES = 16 * 1024
_SECONDS_TO_LEAVE = 1


class ServeError(Exception):
    """Why the server cannot be started; the message is a sentence."""


@dataclass(frozen=True)
class Options:
    """How to serve."""

    host: str = "127.0.0.1"
    port: int = 0
    """0 = a free one."""
    agents: tuple[str, ...] = ()
    """Agents to choose from besides those that are installed."""
    folder: Path = Path("runs/games")
    show: bool = True
    """Whether to open a browser."""
    names: tuple[str, ...] = ()
    """What browsers call it where a proxy stands before it."""
    proxies: tuple[str, ...] = ()
    """Addresses or networks of that proxy, which is trusted to name its clients."""
    pace: Pace = field(default_factory=Pace)
    """How tables hide the time that answers take."""

    @property
    def is_private(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host in LOOPBACK and not self.names


def choices(more: Sequence[str] = ()) -> list[str]:
    """The agents a person may choose, the default one first. Raises AgentError for one of `more` that cannot be made."""
    default = strongest_quick()
    found = [default]
    for name in reversed(names()):
        with contextlib.suppress(AgentError):  # one that needs a file of its own is named on the command line
            make(name, 0)
            found += [name] if name != default else []
    for spec in more:
        make(spec, 0)
    return [*more, *found] if more else found


def serve(options: Options) -> None:
    """Serve until Ctrl-C. Raises ServeError, and AgentError for an agent that cannot be made."""
    if not options.host.strip():  # to the system that is every address
        raise ServeError("an address to listen at is needed, such as 127.0.0.1, or 0.0.0.0 for other machines too")
    for name in options.names:
        if not _NAME.fullmatch(name):
            raise ServeError(f"a name of the server is written as danmaku.example, without https:// and without a port, not {name!r}")
    for proxy in options.proxies:
        _check_proxy(proxy)
    print("Loading the agents ...", flush=True)
    agents = choices(options.agents)
    warm(agents)
    with keeping(options.folder) as kept:
        port, secret = kept.address()
        secret = "" if options.is_private else secret or new_secret()
        with _listen_again(options, port) as listening:
            port = listening.getsockname()[1]
            kept.note_address(port, secret)
            lobby_path = f"/lobby/{secret}" if secret else "/"
            shown = f"[{options.host}]" if ":" in options.host else options.host
            address = f"http://{shown}:{port}{lobby_path}"
            _announce(options, address, lobby_path)
            if options.show:
                webbrowser.open(address)
            asyncio.run(_run(options, agents, listening, lobby_path, kept))


def _check_proxy(proxy: str) -> None:
    try:
        ipaddress.ip_network(proxy)
    except ValueError:
        raise ServeError(f"a proxy is named by its address, such as 127.0.0.1, or by its network, not {proxy!r}") from None


def _listen_again(options: Options, port: int) -> socket.socket:
    """A socket at the address, where none is given at the port of last time: links to games that go on name it. Raises ServeError."""
    if port and not options.port:
        with contextlib.suppress(ServeError):  # somebody else has it
            return listen(replace(options, port=port))
    return listen(options)


def _announce(options: Options, address: str, lobby_path: str) -> None:
    others = "Everybody who can reach this machine and has the address can lay tables."
    reach = "Only this machine can reach it." if options.is_private else others
    proxied = "".join(f", https://{name}{lobby_path}" for name in options.names)
    print(f"Tables are laid at {address}{proxied}")
    print(printable(f"{reach} Games go to {options.folder}; those under way go on when it is started again. Ctrl-C ends it."), flush=True)


def listen(options: Options) -> socket.socket:
    """A socket at the address. Raises ServeError."""
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    there = socket.socket(family, socket.SOCK_STREAM)
    there.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        there.bind((options.host, options.port))
        there.listen()
    except (OSError, OverflowError, TypeError) as error:
        there.close()
        why = "no machine can have this name" if isinstance(error, TypeError) else getattr(error, "strerror", None) or error
        raise ServeError(f"cannot listen at {options.host}, port {options.port}: {why}") from None
    return there


def warm(agents: Sequence[str]) -> None:
    """Compile what the first question would wait for. Raises AgentError for an agent that does not answer it."""
    game = Game.new()
    for name in agents:
        try:
            answer(make(name, 0), game)
        except AnswerError as error:
            raise AgentError(str(error)) from None


@contextlib.contextmanager
def lobby_of(options: Options, agents: Sequence[str], kept: Keeping | None = None) -> Iterator[Lobby]:
    """A lobby with the threads in which its agents think, and the games that were kept.

    An answer not there in the end is not waited for.
    """
    thinker = default_belief_model(0)
    with AgentExecutor() as thinking:
        lobby = Lobby(agents, thinking, thinker if isinstance(thinker, BeliefModel) else None, options.folder, kept, options.pace)
        if going_on := lobby.resume():
            print(f"{going_on} game{'s' * (going_on > 1)} under way go{'es' * (going_on == 1)} on, under the same links.", flush=True)
        yield lobby


def config_of(options: Options, lobby: Lobby, lobby_path: str) -> uvicorn.Config:
    """How uvicorn serves a lobby."""
    app = make_app(lobby, (*LOOPBACK, options.host, socket.gethostname()), lobby_path, options.names, options.proxies)
    return uvicorn.Config(
        app, log_level="critical", access_log=False,
        lifespan="off", ws=Listening, ws_max_size=_MESSAGE_BYTES, limit_concurrency=_MOST_CONNECTIONS, server_header=False,
        proxy_headers=False, h11_max_incomplete_event_size=_HEAD_BYTES, http=Connection, timeout_graceful_shutdown=_SECONDS_TO_LEAVE,
    )  # fmt: skip


class _Server(uvicorn.Server):
    """Keeps the games under way when it ends, before the signal that ends it has its way with the process."""

    def __init__(self, config: uvicorn.Config, lobby: Lobby) -> None:
        super().__init__(config)
        self._lobby = lobby

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End: nobody is listened to any more."""
        await super().shutdown(sockets)
        if going_on := self._lobby.keep():
            with contextlib.suppress(OSError):  # the terminal may be gone
                print(f"\n{going_on} game{'s' * (going_on > 1)} under way kept.", flush=True)

    @contextlib.contextmanager
    def hanging_up(self) -> Iterator[None]:
        """End also when the terminal is closed, unless that is ignored."""
        hangup = getattr(signal, "SIGHUP", None)
        if hangup is None or signal.getsignal(hangup) is not signal.SIG_DFL:
            yield
            return
        signal.signal(hangup, self.handle_exit)
        try:
            yield
        finally:
            signal.signal(hangup, signal.SIG_DFL)
        if hangup in self._captured_signals:
            signal.raise_signal(hangup)


async def _run(options: Options, agents: Sequence[str], listening: socket.socket, lobby_path: str, kept: Keeping) -> None:
    with lobby_of(options, agents, kept) as lobby, contextlib.suppress(KeyboardInterrupt):
        server = _Server(config_of(options, lobby, lobby_path), lobby)
        with server.hanging_up():
            await server.serve(sockets=[listening])
