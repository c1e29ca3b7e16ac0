"""Connections that take up room: some that say nothing while others wait, and pages that talk where they have only to listen.

What is said is judged by `gate`; here nothing has been said yet, or nothing that the application hears of (pings, endless messages).
"""

from __future__ import annotations

from asyncio import Transport
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

CROWD = 400
"""Connections from which on those that say nothing have to go."""
GO_AT_ONCE = 100
"""How many of them go then, those that came first."""
MOST_HEARD, HEARD_A_SECOND = 32 * 1024, 256
"""Bytes from a page that has only to listen, its request included: at once, and in the long run."""


class Connection(H11Protocol):
    """One that asks for pages and posts; it goes when it has nothing to say and there is a crowd."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Come in, and have others go where there is a crowd."""
        super().connection_made(transport)
        self.came = self.loop.time()
        if len(self.connections) > CROWD:
            silent = [one for one in self.connections if isinstance(one, Connection) and one is not self and one.is_silent()]
            for one in sorted(silent, key=lambda one: one.came)[:GO_AT_ONCE]:
                self.connections.discard(one)  # now: it is told later that it is lost
                one.transport.abort()

    def is_silent(self) -> bool:
        """Whether it has not asked for anything, or has its answer."""
        return self.cycle is None or self.cycle.response_complete


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
