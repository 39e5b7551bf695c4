"""The HTTP protocol of the server, which closes connections that do not finish a request."""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

_HEADER_SECONDS = 10.0


class Protocol(H11Protocol):
    """Closes a connection if the head of a request does not arrive in time."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Start the timer when a connection is opened."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Stop the timer when the head of a request has arrived."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._late is None and self.conn.trailing_data[0]:
            self._wait()  # the next request has begun

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer when the connection is closed."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        """Start the timer that closes the connection."""
        self._late = self.loop.call_later(_HEADER_SECONDS, self.transport.close)

    def _stop_waiting(self) -> None:
        """Stop the timer."""
        if self._late is not None:
            self._late.cancel()
            self._late = None
