"""The HTTP protocol of the server, which ends connections that ask for nothing.

A connection without a request takes nobody's place: it is answered and closed after a second, and
earlier where so many are open that new ones would soon be refused.
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

_IDLE_SECONDS = 1.0
"""The time for a request to begin [s]: a browser that opened one too early opens another."""
_SENT_SECONDS = 0.1
"""The time in which the request of whoever opens a connection to ask arrives here [s]."""
_HEADER_SECONDS = 10.0
"""The time for the head of a request, which may hold a long address, to arrive [s]."""
_MOST_CONNECTIONS = 200
"""Below the 256 files that a process may open on macOS; a browser opens six connections."""
_LATE = (
    b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Type: text/plain\r\n"
    b"Content-Length: 24\r\n\r\nNo request came in time."
)


class Protocol(H11Protocol):
    """Closes a connection if the head of a request does not arrive in time."""

    _late: asyncio.TimerHandle | None = None
    _begun = _heard = False
    _opened = 0.0

    def connection_made(self, transport: Any) -> None:
        """Start the timer when a connection is opened, and make room for the next one."""
        super().connection_made(transport)
        self._opened = self.loop.time()
        self._wait(_IDLE_SECONDS)
        # a timer runs after all that has arrived is read, however long the server was busy
        self.loop.call_later(_SENT_SECONDS, self._has_heard)
        if len(self.connections) > _MOST_CONNECTIONS:
            self._make_room()

    def data_received(self, data: bytes) -> None:
        """Stop the timer when the head of a request has arrived."""
        super().data_received(data)
        if not self.idle:
            self._stop_waiting()
        elif not self._begun and self.conn.trailing_data[0]:
            self._begun = True
            self._wait(_HEADER_SECONDS)

    def on_response_complete(self) -> None:
        """Wait for the next request, as long as connections are kept."""
        super().on_response_complete()
        self._begun = False

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer when the connection is closed."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _has_heard(self) -> None:
        """Note that what was sent at once has been read."""
        self._heard = True

    def _make_room(self) -> None:
        """Close the idle connections that are too many, the longest open first."""
        kept = [one for one in self.connections if isinstance(one, Protocol)]
        kept = [one for one in kept if not one.transport.is_closing()]
        idle = [one for one in kept if one.idle and one._heard]
        for one in sorted(idle, key=lambda one: one._opened)[: len(kept) - _MOST_CONNECTIONS]:
            one.close_late()

    @property
    def idle(self) -> bool:
        """Whether no request has arrived that is not answered."""
        return self.conn.their_state is h11.IDLE

    def close_late(self) -> None:
        """Close, with an answer where no request came before."""
        if self.cycle is None and not self.transport.is_closing():
            self.transport.write(_LATE)
        self.transport.close()

    def _wait(self, seconds: float) -> None:
        """Start the timer that closes the connection."""
        self._stop_waiting()
        self._late = self.loop.call_later(seconds, self.close_late)

    def _stop_waiting(self) -> None:
        """Stop the timer."""
        if self._late is not None:
            self._late.cancel()
            self._late = None
