"""Protection of the explorer: which requests are refused, and the headers of every answer."""

from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """Refuses requests from pages of other sites, and adds `HEADERS` to all answers."""

    def __init__(self, app: ASGIApp) -> None:
        """Protect an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        app: Any = self._app
        if _foreign(scope):
            words = "This request came from another site; open the explorer itself.\n"
            app = PlainTextResponse(words, status_code=403)
        await app(scope, receive, with_headers)


def _foreign(scope: Scope) -> bool:
    """Whether a request comes from another site; links to the explorer may come from anywhere."""
    headers = Headers(scope=scope)
    origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
    if origin is not None and urlsplit(origin).netloc != headers.get("host"):
        return True
    followed = scope["path"] == "/" and headers.get("sec-fetch-mode") == "navigate"
    return site not in ("none", "same-origin") and not followed
