"""Connections that take up room: some say nothing while others wait, and some pages talk where they should only listen.

`access.py` judges messages. This module is for connections that have sent none yet, or none that the application hears of (pings, endless
messages).
"""

from __future__ import annotations

import asyncio
from asyncio import Transport
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

CROWD = 400
"""Connections from which on those that say nothing have to go."""
GO_AT_ONCE = 100
"""How many of them go then, those that came first."""
SECONDS_FOR_A_HEAD = 10.0
"""From the first byte of a request, or from the beginning of a connection, to the end of the head of the request."""
MOST_HEARD, HEARD_A_SECOND = 32 * 1024, 256
"""Bytes from a page that has only to listen, its request included: at once, and in the long run."""


class Connection(H11Protocol):
    """One that asks for pages and posts; it goes when it has nothing to say and there is a crowd, or takes too long to say it."""

    _ending: asyncio.TimerHandle | None = None
    """Ends it unless a request has begun by then."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Come in, and have others go where there is a crowd."""
        super().connection_made(transport)
        self.came = self.loop.time()
        self._wait_for_head()
        if len(self.connections) > CROWD:
            silent = [one for one in self.connections if isinstance(one, Connection) and one is not self and one.is_silent()]
            for one in sorted(silent, key=lambda one: one.came)[:GO_AT_ONCE]:
                self.connections.discard(one)  # now: it is told later that it is lost
                one.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Hear it. The head of a request has to be there some time after its first byte, be it the first of the connection or not."""
        before = self.cycle
        self._wait_for_head()
        super().data_received(data)
        has_begun = self.cycle is not before or (self.cycle is not None and not self.cycle.response_complete)
        if has_begun or self not in self.connections:  # it has become the connection of a page
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Be gone."""
        self._stop_waiting()
        super().connection_lost(exc)

    def is_silent(self) -> bool:
        """Whether it has not asked for anything, or has its answer, or is still at what it asks for."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def _wait_for_head(self) -> None:
        if self._ending is None:
            self._ending = self.loop.call_later(SECONDS_FOR_A_HEAD, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None


class Listening(WebSocketsSansIOProtocol):
    """The connection of a page. One that talks too much is cut off."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._left = float(MOST_HEARD)
        self._heard_at = self.loop.time()

    def data_received(self, data: bytes) -> None:
        """Hear it, unless it is too much."""
        now = self.loop.time()
        self._left = min(MOST_HEARD, self._left + HEARD_A_SECOND * (now - self._heard_at)) - len(data)
        self._heard_at = now
        if self._left < 0:
            self.transport.abort()
            return
        super().data_received(data)
