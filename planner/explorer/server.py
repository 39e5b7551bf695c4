"""The explorer's server: every page and file is a function of its address.

The server stores nothing about its users, so nobody can see another's study, and every page can be
reloaded at any time. Answers are computed in other processes, each once, however many clients ask
for it.

Protection of the explorer: which requests are refused, and the headers of every answer.
"""

import asyncio
import secrets
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from planner import scenarios
from planner.explanation.vocabulary import TERMS, words
from planner.explorer import content, downloads, guide, questions, strata
from planner.explorer.content import SHARES, Asked
from planner.explorer.fields import GROUPS, MECHANISMS
from planner.explorer.state import State, StateError, edited, state_of
from planner.explorer.workers import GivenUp, Limits, Workers
from planner.study_file.text import LARGEST

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_KEPT = 256  # answers of some 30 kB: 8 MB
_NOT_SHOWN = ("solved", "posted")
"""Parts of answers that are for other processes."""
_BODY_SECONDS = 10.0  # for 64,000 bytes: even 51 kbit/s is enough


class Answers:
    """Answers computed in other processes, with a cache of recent ones."""

    def __init__(self, find: Callable[[Any], Any], workers: Workers) -> None:
        """Use a function that computes an answer, and the processes that run it."""
        self._find, self._workers = find, workers
        self._kept: OrderedDict[Any, asyncio.Task[Any]] = OrderedDict()
        self._waiters: Counter[Any] = Counter()

    async def of(
        self,
        asked: Any,
        client: str = "",
        gone: Callable[[], Awaitable[Any]] | None = None,
        own: bool = False,
    ) -> Any:
        """The answer; None if the client disconnected before.

        Args:
            asked: the argument; hashable and picklable.
            client: the client: clients take turns.
            gone: waits until the client has disconnected; if all have, the computation stops.
            own: whether the explorer's own page asks.

        Raises:
            GivenUp: there is no answer within the limits.
        """
        task = self._kept.get(asked)
        if task is None or _unanswered(task):
            task = asyncio.create_task(self._workers.run(self._find, asked, client, own))
            self._kept[asked] = task
        self._kept.move_to_end(asked)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        self._waiters[asked] += 1
        leaving = asyncio.ensure_future(gone()) if gone and not task.done() else None
        try:
            first = {task, leaving} if leaving else {task}
            await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
            return task.result() if task.done() else None
        finally:
            if leaving:
                leaving.cancel()
            self._waiters[asked] -= 1
            if not self._waiters[asked]:
                del self._waiters[asked]
                task.cancel()
                if not task.done() and self._kept.get(asked) is task:
                    del self._kept[asked]  # who asks again must not get what is being stopped

    def known(self, asked: Any) -> Any:
        """The answer where it is known, else None."""
        task = self._kept.get(asked)
        return task.result() if task and task.done() and not _unanswered(task) else None


def _unanswered(task: "asyncio.Task[Any]") -> bool:
    """Whether a task has ended without an answer."""
    return task.done() and (task.cancelled() or bool(task.exception()))


def build(processes: int = 3, limits: Limits | None = None) -> Starlette:
    """The application."""
    first = Workers(processes, limits or Limits(), content.warm)
    later = Workers(3, limits or Limits(), content.load, niceness=19)
    token = secrets.token_urlsafe()
    quick, text = Answers(content.answered, first), Answers(content.opened, first)
    slow, slowest = Answers(content.more, later), Answers(content.changes, later)
    whole = Answers(content.joined, later)
    offers, their_costs = Answers(content.offer, later), Answers(content.offer_costs, later)

    def later_asked(state: State, share: int = 0) -> Asked:
        views = (Asked(state._replace(narrow=narrow)) for narrow in (False, True))
        found = [known for view in views if (known := quick.known(view))]
        return Asked(state, share, found[0].get("solved") if found else None)

    async def all_changes(state: State, request: Request) -> Any:
        shares = await asyncio.gather(*(
            _answer(slowest, later_asked(state, share), request) for share in range(SHARES)
        ))  # fmt: skip
        for share in shares:
            if "changes" not in (share or {}):
                return share
        return await _answer(whole, (state, tuple(share["changes"] for share in shares)), request)

    async def page(request: Request) -> Response:
        query = request.url.query
        with_more = "more=1" in query.split("&")
        query = "&".join(part for part in query.split("&") if part != "more=1")
        try:
            if edit := edited(query):
                return RedirectResponse(f"/?{edit[0].query}#{edit[1]}", 303)
            state, shown = state_of(query), None
        except StateError as error:
            state, shown = state_of(""), {"error": f"{error}. A new study is shown.", "key": ""}
        answer = await _answer(quick, Asked(state), request) or {}
        if shown is None and answer.get("error"):
            shown, answer = answer, {"html": ""}
        html = answer.get("html", "")
        if with_more:
            parts = (
                *(
                    (_answer(offers, later_asked(state), request), costs_of_offers(state, request))
                    if state.differ
                    else ()
                ),
                _answer(slow, later_asked(state), request),
                all_changes(state, request),
            )
            html += "".join([(part or {}).get("html", "") for part in await asyncio.gather(*parts)])
        return HTMLResponse(_page(state, {**(shown or {}), "html": html}, token))

    async def answer(request: Request) -> Response:
        return await _json(request, lambda state: _answer(quick, Asked(state), request))

    async def more(request: Request) -> Response:
        return await _json(request, lambda state: _answer(slow, later_asked(state), request))

    async def offer(request: Request) -> Response:
        return await _json(request, lambda state: _answer(offers, later_asked(state), request))

    async def costs_of_offers(state: State, request: Request) -> Any:
        offered = await _answer(offers, later_asked(state), request) or {}
        if "posted" not in offered:
            return offered
        return await _answer(their_costs, (state, offered["posted"]), request)

    async def offer_costs(request: Request) -> Response:
        return await _json(request, lambda state: costs_of_offers(state, request))

    async def changes(request: Request) -> Response:
        return await _json(request, lambda state: all_changes(state, request))

    async def opened(request: Request) -> Response:
        body = b""
        try:
            async with asyncio.timeout(_BODY_SECONDS):
                async for part in request.stream():
                    body += part
                    if len(body) > LARGEST.get():
                        break
        except TimeoutError:
            words = {"error": "the file did not arrive; choose it again"}
            return JSONResponse(words, status_code=408)
        address = await _answer(text, body, request) or {}
        return JSONResponse(address, status_code=_status(address))

    async def glossary(request: Request) -> Response:
        return HTMLResponse(_glossary())

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        first.start()
        yield
        for workers in (first, later):
            workers.close()

    routes = [
        Route("/", page),
        Route("/answer", answer),
        Route("/more", more),
        Route("/changes", changes),
        Route("/offer", offer),
        Route("/offer_costs", offer_costs),
        Route("/open", opened, methods=["POST"]),
        Route("/glossary", glossary),
        *guide.routes(_templates().get_template("guide.html.jinja").render),
        _file("/study.toml", Answers(downloads.study_file, first), "application/toml"),
        _file("/plan.json", Answers(downloads.plan_json, first), "application/json"),
        _file("/region.svg", Answers(downloads.region_svg, first), "image/svg+xml"),
        _file("/report.html", Answers(downloads.report_page, later), "text/html"),
        _file("/annex.html", Answers(downloads.annex_page, later), "text/html"),
        _file("/consent.html", Answers(downloads.consent_page, first), "text/html"),
        _file("/methods.html", Answers(downloads.methods_page, first), "text/html"),
        Mount("/static", StaticFiles(directory=Path(__file__).parent / "static")),
    ]
    middleware = [
        Middleware(Guard), Middleware(TrustedHostMiddleware, allowed_hosts=list(LOOPBACK)),
    ]  # fmt: skip
    application = Starlette(
        routes=routes,
        middleware=middleware,
        lifespan=running,
        exception_handlers={Exception: _failed},
    )
    application.state.token = token
    return application


async def _failed(request: Request, error: Exception) -> Response:
    """The answer to a request that raised an unexpected error."""
    words = f"The planner failed at this study ({error}); please report it."
    return JSONResponse({"error": words}, status_code=500, headers=HEADERS)


async def _json(request: Request, found: Callable[[State], Awaitable[Any]]) -> Response:
    """An answer about the state in the address, as JSON."""
    try:
        state = state_of(request.url.query)
    except StateError as error:
        return JSONResponse({"error": str(error), "key": error.key})
    made = await found(state) or {}
    return JSONResponse({name: part for name, part in made.items() if name not in _NOT_SHOWN})


async def _answer(answers: Answers, asked: Any, request: Request) -> Any:
    """The answer, or the message that replaces it."""
    try:
        return await answers.of(asked, _client(request), lambda: _gone(request), _own(request))
    except GivenUp as reason:
        return {"error": str(reason), "given_up": True}


async def _gone(request: Request) -> None:
    """Wait until the client has disconnected."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _own(request: Request) -> bool:
    given = request.headers.get("x-token", "").encode()
    return secrets.compare_digest(given, request.app.state.token.encode())


def _status(answer: dict[str, Any]) -> int:
    if "error" not in answer:
        return 200
    return 503 if "given_up" in answer else 400


def _client(request: Request) -> str:
    """The client: as the page names itself, else its connection."""
    named = request.headers.get("x-client", "")[:40]
    at = request.client
    return named or (f"{at.host} {at.port}" if at else "")


def _file(path: str, answers: Answers, kind: str) -> Route:

    async def download(request: Request) -> Response:
        try:
            made = await _answer(answers, state_of(request.url.query), request) or {}
        except StateError as error:
            made = {"error": str(error)}
        if "error" in made:
            return PlainTextResponse(f"{made['error']}\n", status_code=_status(made))
        headers = {"Content-Disposition": f'attachment; filename="{path.strip("/")}"'}
        return Response(made["file"], media_type=kind, headers=headers)

    return Route(path, download)


@cache
def _templates() -> Environment:
    return Environment(loader=PackageLoader("planner.explorer"), autoescape=True)


def _page(state: State, shown: dict[str, Any], token: str) -> str:
    """The HTML page of a state and its answer, with the token that its requests hold."""
    return (
        _templates()
        .get_template("page.html.jinja")
        .render(
            texts=state.texts,
            locks=state.locks,
            query=state.query,
            shown=shown,
            token=token,
            groups=GROUPS,
            opened=lambda fields: any(
                one.key in {*state.texts, shown.get("key")} for one in fields
            ),
            mechanisms=MECHANISMS,
            surveys=[questions.SURVEY],
            asked=[(q, questions.kind_of(q)) for q in questions.QUESTIONS.asked(state.texts)],
            kinds=questions.KINDS,
            boxes=questions.BOXES,
            most=questions.QUESTIONS.most,
            divided=strata.STRATA.asked(state.texts),
            strata=strata,
            mechanisms_of=lambda box: [
                kind
                for kind in dict.fromkeys(name.partition(" ")[0] for name in MECHANISMS)
                if strata.shown(box, kind)
            ],
            scenarios=scenarios.read_all(),
        )
    )


@cache
def _glossary() -> str:
    return _templates().get_template("glossary.html.jinja").render(terms=TERMS, words=words)


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
