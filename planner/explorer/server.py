"""The explorer's server: every page and file is a function of its address.

Nothing is kept about anyone, so nobody can see another's study, and a page can be loaded again at
any time. Answers are found in processes beside this one, each once, however many ask for it.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from functools import cache
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from planner.explorer import answers
from planner.explorer.fields import GROUPS, MECHANISMS
from planner.explorer.state import State, StateError, from_toml, state_of

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_KEPT = 256
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class Answers:
    """Answers by state, found in other processes, remembered while they are recent."""

    def __init__(
        self, find: Callable[[State], Any], processes: int, start: Callable[[], None]
    ) -> None:
        """With the function that finds an answer, how many processes may, and how they start."""
        self._find = find
        self._turns = asyncio.Semaphore(processes)
        self._pool = ProcessPoolExecutor(processes, get_context("spawn"), start)
        self._found: OrderedDict[State, asyncio.Task[Any]] = OrderedDict()

    async def of(self, state: State, gone: Callable[[], Any] | None = None) -> Any:
        """The answer of a state; None where whoever asked has gone before its turn came."""
        while True:
            task = self._found.get(state)
            if task is None or _unanswered(task):
                task = asyncio.create_task(self._in_turn(state, gone))
                self._found[state] = task
            self._found.move_to_end(state)
            while len(self._found) > _KEPT:
                self._found.popitem(last=False)
            found = await asyncio.shield(task)
            # another, who asked first, may have gone
            if found is not None or (gone and await gone()):
                return found

    async def _in_turn(self, state: State, gone: Callable[[], Any] | None) -> Any:
        async with self._turns:
            if gone and await gone():
                return None
            return await asyncio.get_running_loop().run_in_executor(self._pool, self._find, state)

    def close(self) -> None:
        """Stop the processes, whatever they are at."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in active_children():
            process.terminate()


def _unanswered(task: "asyncio.Task[Any]") -> bool:
    return task.done() and (task.cancelled() or bool(task.exception()) or task.result() is None)


def build(processes: int = 2, hosts: tuple[str, ...] = LOOPBACK) -> Starlette:
    """The application.

    Args:
        processes: how many answers are looked for at once.
        hosts: the names under which it may be called; ("*",) for any.
    """
    quick = Answers(answers.answered, processes, answers.warm)
    slow = Answers(answers.more, 1, answers.give_way)
    slowest = Answers(answers.changes, 1, answers.give_way)

    async def page(request: Request) -> Response:
        query = request.url.query
        with_more = "more=1" in query.split("&")
        query = "&".join(part for part in query.split("&") if part != "more=1")
        try:
            state, shown = state_of(query), None
        except StateError as error:
            state, shown = state_of(""), {"error": f"{error}. A new study is shown.", "key": ""}
        found = await quick.of(state)
        if shown is None and found.get("error"):
            shown, found = found, {"html": ""}
        html = found.get("html", "")
        if with_more:
            for found in (await slow.of(state), await slowest.of(state)):
                html += found.get("html", "")
        content = _page(state, {**(shown or {}), "html": html})
        return HTMLResponse(content, headers=_HEADERS)

    async def answer(request: Request) -> Response:
        return await _json(request, quick)

    async def more(request: Request) -> Response:
        return await _json(request, slow)

    async def changes(request: Request) -> Response:
        return await _json(request, slowest)

    async def opened(request: Request) -> Response:
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > 1_000_000:
                return JSONResponse({"error": "this file is too large; choose a study file"})
        try:
            state = from_toml(body.decode("utf-8"))
        except UnicodeDecodeError:
            return JSONResponse({"error": "this file is not text in UTF-8; choose a study file"})
        except StateError as error:
            return JSONResponse({"error": str(error)})
        return JSONResponse({"query": state.query})

    async def glossary(request: Request) -> Response:
        return HTMLResponse(_glossary(), headers=_HEADERS)

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        yield
        for found in (quick, slow, slowest):
            found.close()

    routes = [
        Route("/", page),
        Route("/answer", answer),
        Route("/more", more),
        Route("/changes", changes),
        Route("/open", opened, methods=["POST"]),
        Route("/glossary", glossary),
        _file("/study.toml", answers.study_file, "application/toml"),
        _file("/plan.json", answers.plan_json, "application/json"),
        _file("/region.svg", answers.region_svg, "image/svg+xml"),
        _file("/report.html", answers.report_page, "text/html"),
        Mount("/static", StaticFiles(directory=Path(__file__).parent / "static")),
    ]
    middleware = [Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))]
    return Starlette(
        routes=routes,
        middleware=middleware,
        lifespan=running,
        exception_handlers={Exception: _failed},
    )


async def _failed(request: Request, error: Exception) -> Response:
    words = f"The planner failed at this study ({type(error).__name__}: {error}); please report it."
    return JSONResponse({"error": words}, status_code=500, headers=_HEADERS)


async def _json(request: Request, found: Answers) -> Response:
    try:
        state = state_of(request.url.query)
    except StateError as error:
        return JSONResponse({"error": str(error), "key": error.key}, headers=_HEADERS)
    shown = await found.of(state, request.is_disconnected)
    return JSONResponse(shown or {}, headers=_HEADERS)


def _file(path: str, make: Callable[[State], str], kind: str) -> Route:
    """A file to download, made from the address."""

    async def download(request: Request) -> Response:
        try:
            text = await asyncio.to_thread(make, state_of(request.url.query))
        except StateError as error:
            return PlainTextResponse(f"{error}\n", status_code=400, headers=_HEADERS)
        name = path.strip("/")
        headers = {**_HEADERS, "Content-Disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type=kind, headers=headers)

    return Route(path, download)


@cache
def _templates() -> Environment:
    return Environment(loader=PackageLoader("planner.explorer"), autoescape=True)


def _page(state: State, shown: dict[str, Any]) -> str:
    import scenarios

    return (
        _templates()
        .get_template("page.html.jinja")
        .render(
            texts=state.texts,
            locks=state.locks,
            query=state.query,
            shown=shown,
            groups=GROUPS,
            mechanisms=MECHANISMS,
            scenarios=scenarios.read_all(),
        )
    )


@cache
def _glossary() -> str:
    from planner.glossary import TERMS, words

    return _templates().get_template("glossary.html.jinja").render(terms=TERMS, words=words)
