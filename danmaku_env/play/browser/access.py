"""Who may speak to the server at all: the right host and origin, small messages, not too many at once.

A browser names the page a message comes from. A message from elsewhere is a trick: a page that posts to this server behind a person's back.
A wrong name of this server is the other half of such a trick. Both are refused with a sentence, before anything is read.
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

from danmaku_env.play.browser.http_errors import Refused

LARGEST = 4096
"""Bytes of a message."""
SECONDS_FOR_A_BODY = 10.0
"""From the head of a message to its end."""
A_SECOND, AT_ONCE = 20.0, 60.0
"""Messages for one link: in the long run, and in a burst."""
A_SECOND_FROM_ONE, AT_ONCE_FROM_ONE = 400.0, 800.0
"""Messages from one address, whatever for; many people may share one."""
_WAIT = 1.0
"""Seconds that a client that sends too many waits for the refusal."""
_REMEMBERED = 4096
_HEADERS = (
    (b"content-security-policy",
     b"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; "
     b"form-action 'self'; frame-src 'self'; base-uri 'self'; frame-ancestors 'self'"),
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
)  # fmt: skip
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_OPEN_PATHS = ("s", "h", "j", "w", "lobby")
"""First parts of paths whose second is a secret."""


class AccessControl:
    """Stands before the app."""

    def __init__(self, app: ASGIApp, names: Collection[str], public: Collection[str] = (), proxies: Collection[str] = ()) -> None:
        """`names` are what this server is called; an address in numbers is always right.

        `public` are what browsers call it where a proxy stands before it: pages of that name are its own, by whatever name the proxy asks.
        `proxies` are addresses or networks that are trusted to name their clients. Raises ValueError for an invalid address.
        """
        self._app = app
        self._public = frozenset(name.lower() for name in public)
        self._names = frozenset(name.lower() for name in names) | self._public
        self._proxies = [_network(proxy) for proxy in proxies]
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
            await PlainTextResponse(error.sentence, error.status)(scope, receive, _with_headers(send))
            return
        await self._app(scope, _Counted(receive) if scope["type"] == "http" else receive, _with_headers(send))

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
        if not self._addresses.allows(self._address(scope)):
            raise Refused(HTTPStatus.TOO_MANY_REQUESTS, f"Too many messages from one address: at most {A_SECOND_FROM_ONE:.0f} a second.")
        if (link := _link(scope)) and not self._links.allows(link):
            raise Refused(HTTPStatus.TOO_MANY_REQUESTS, f"Too many messages: at most {A_SECOND:.0f} a second.")

    def _address(self, scope: Scope) -> str:
        """The client's address: the peer, or, where the peer is one of our proxies, the last named address that is not one."""
        peer = str((scope.get("client") or ("",))[0])
        address = _address_in(peer)
        named = [value.decode("latin-1") for name, value in scope["headers"] if name.lower() == b"x-forwarded-for"]
        for word in reversed(",".join(named).split(",")):
            if not self._is_proxy(address) or (before := _address_in(word.strip())) is None:
                break
            address = before
        return peer if address is None else str(address)

    def _is_proxy(self, address: _Address | None) -> bool:
        return address is not None and any(address in network for network in self._proxies)

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


def _address_in(word: str) -> _Address | None:
    """The address that a word is; one of IPv4 is the same in the clothes of IPv6, in which a server at `::` meets it."""
    try:
        address = ipaddress.ip_address(word)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _network(word: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    """The network, or the single address, that a word is, as `_address_in` has it. Raises ValueError."""
    network = ipaddress.ip_network(word)
    mapped = getattr(network.network_address, "ipv4_mapped", None)
    return network if mapped is None or network.prefixlen < 96 else ipaddress.ip_network((mapped, network.prefixlen - 96))


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
    """The body of a message, refused once it is larger than it may be, whatever its head says, or takes too long to come."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._bytes = 0
        self._until = time.monotonic() + SECONDS_FOR_A_BODY
        self._ended = False

    async def __call__(self) -> Message:
        message = await self._next()
        self._ended |= message["type"] != "http.request" or not message.get("more_body", False)
        self._bytes += len(message.get("body", b""))
        if self._bytes > LARGEST:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"A message has at most {LARGEST} bytes.")
        return message

    async def _next(self) -> Message:
        if self._ended:  # what comes then is that somebody has left
            return await self._receive()
        try:
            async with asyncio.timeout(max(0.0, self._until - time.monotonic())):
                return await self._receive()
        except TimeoutError:
            raise Refused(HTTPStatus.REQUEST_TIMEOUT, f"A message has to be there within {SECONDS_FOR_A_BODY:g} seconds.") from None


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            there = {name.lower() for name, _ in message["headers"]}
            message = {**message, "headers": [*message["headers"], *(header for header in _HEADERS if header[0] not in there)]}
        await send(message)

    return sending
