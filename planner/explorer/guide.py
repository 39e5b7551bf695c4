"""The guide in the explorer: a page of its chapters, and one page for each."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from planner.guide import FOLDER, chapters
from planner.guide.html import html


def routes(render: Callable[..., str]) -> list[Route]:
    """The addresses of the guide.

    Args:
        render: makes a page of the guide's template from what it shows.
    """

    async def contents(request: Request) -> Response:
        return HTMLResponse(render(title="Guide", chapters=chapters(), html=""))

    async def page(request: Request) -> Response:

        named = {one.name: one for one in chapters()}
        one = named.get(request.path_params["name"])
        if one is None:
            return PlainTextResponse("There is no such chapter; see /guide.\n", status_code=404)
        after = chapters()[one.number : one.number + 1]
        return HTMLResponse(render(title=one.title, chapters=after, html=html(one)))

    async def picture(request: Request) -> Response:
        return FileResponse(FOLDER / "region.svg")

    return [
        Route("/guide", contents),
        Route("/guide/region.svg", picture),
        Route("/guide/{name}", page),
    ]
