"""Who may speak to the server at all: the right host and origin, small messages, not too many at once.

A browser names the page a message comes from; one that comes from elsewhere is a trick (a page that posts to this server behind a
person's back), and a name of this server that is not its own is the other half of such a trick. Both are refused with a sentence,
before anything is read.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import OrderedDict
from collections.abc import Collection
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from danmaku_env.serve.refusal import Refused

LARGEST = 4096
"""Bytes of a message."""
A_SECOND, AT_ONCE = 20.0, 60.0
"""Messages for one link: in the long run, and in a burst."""
A_SECOND_FROM_ONE, AT_ONCE_FROM_ONE = 400.0, 800.0
"""Messages from one address, whatever for; many people may share one."""
_WAIT = 1.0
"""Seconds that who sends too many waits for the refusal."""
_REMEMBERED = 4096
_HEADERS = (
    (b"content-security-policy",
     b"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; "
     b"form-action 'self'; frame-src 'self'; base-uri 'self'; frame-ancestors 'self'"),
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
)  # fmt: skip
_OPEN_PATHS = ("s", "h")
"""First parts of paths whose second is a secret."""


class Gate:
    """Stands before the app."""

    def __init__(self, app: ASGIApp, names: Collection[str], public: Collection[str] = ()) -> None:
        """`names` are what this server is called; an address in numbers is always right.

        `public` are what browsers call it where a proxy stands before it: pages of that name are its own, by whatever name the proxy asks.
        """
        self._app = app
        self._public = frozenset(name.lower() for name in public)
        self._names = frozenset(name.lower() for name in names) | self._public
        self._links = Rates(A_SECOND, AT_ONCE)
        self._addresses = Rates(A_SECOND_FROM_ONE, AT_ONCE_FROM_ONE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a connection through, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        try:
            self._check(scope)
        except Refused as error:
            if error.status == HTTPStatus.TOO_MANY_REQUESTS:
                await asyncio.sleep(_WAIT)
            await PlainTextResponse(error.sentence, error.status)(scope, receive, send)
            return
        await self._app(scope, _Counted(receive), _with_headers(send))

    def _check(self, scope: Scope) -> None:
        """Raises Refused."""
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get(b"host", "")
        if not self._is_ours(host):
            raise Refused(HTTPStatus.MISDIRECTED_REQUEST, f"This server is not called {host[:80]!r}.")
        if scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD"):
            origin = headers.get(b"origin", "")
            if origin not in (f"http://{host}", f"https://{host}") and not self._is_public(origin):
                raise Refused(HTTPStatus.FORBIDDEN, f"Only this server's own pages may do that, not {origin[:80] or 'an unnamed one'}.")
        length = headers.get(b"content-length", "0")
        if not length.isdecimal() or int(length) > LARGEST:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"A message has at most {LARGEST} bytes.")
        if not self._addresses.allows(str((scope.get("client") or ("",))[0])):
            raise Refused(HTTPStatus.TOO_MANY_REQUESTS, f"Too many messages from one address: at most {A_SECOND_FROM_ONE:.0f} a second.")
        if (link := _link(scope)) and not self._links.allows(link):
            raise Refused(HTTPStatus.TOO_MANY_REQUESTS, f"Too many messages: at most {A_SECOND:.0f} a second.")

    def _is_public(self, origin: str) -> bool:
        try:
            return urlsplit(origin).hostname in self._public
        except ValueError:  # no address at all
            return False

    def _is_ours(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
            return name in self._names or bool(ipaddress.ip_address(name))
        except ValueError:  # neither a name of ours nor an address
            return False


def _link(scope: Scope) -> str:
    """The secret a message is for, "" without one."""
    parts = scope["path"].split("/")
    return str(parts[2])[:64] if len(parts) > 2 and parts[1] in _OPEN_PATHS else ""


class Rates:
    """A bucket of messages for each sender, which fills again with time; the senders heard of longest ago are forgotten."""

    def __init__(self, a_second: float, at_once: float) -> None:
        self._a_second = a_second
        self._at_once = at_once
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, sender: str) -> bool:
        """Whether one more message is let through."""
        now = time.monotonic()
        left, before = self._left.pop(sender, (self._at_once, now))
        left = min(self._at_once, left + self._a_second * (now - before))
        self._left[sender] = (max(0.0, left - 1), now)
        if len(self._left) > _REMEMBERED:
            self._left.popitem(last=False)
        return left >= 1


class _Counted:
    """The body of a message, refused once it is larger than it may be, whatever its head says."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._bytes = 0

    async def __call__(self) -> Message:
        message = await self._receive()
        self._bytes += len(message.get("body", b""))
        if self._bytes > LARGEST:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"A message has at most {LARGEST} bytes.")
        return message


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            there = {name.lower() for name, _ in message["headers"]}
            message = {**message, "headers": [*message["headers"], *(header for header in _HEADERS if header[0] not in there)]}
        await send(message)

    return sending
