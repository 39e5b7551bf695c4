"""The guide in the explorer: a page of its chapters, and one page for each.

The guide as HTML.
"""

import re
from collections.abc import Callable
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from planner.guide import FOLDER, Chapter, chapters


def routes(render: Callable[..., str]) -> list[Route]:
    """The addresses of the guide."""

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


class _Renderer(RendererHTML):
    """Blocks of code can be scrolled by the keyboard, and carry the names of their files."""

    def fence(self, tokens: Any, at: int, options: Any, env: Any) -> str:
        name = re.search(r" (\S+\.\w+)", tokens[at].info)
        code: str = super().fence(tokens, at, options, env)
        title = f'<p class="file-name">{name[1]}</p>\n' if name else ""
        return title + code.replace("<pre>", '<pre tabindex="0">', 1)


def html(chapter: Chapter) -> str:
    """A chapter without its heading."""
    text = chapter.text.partition("\n")[2]
    text = re.sub(r"\]\((\d\d-[\w-]+)\.md\)", r"](/guide/\1)", text)
    text = text.replace("](region.svg)", "](/guide/region.svg)")
    markdown = MarkdownIt("commonmark", renderer_cls=_Renderer).enable("table")
    return str(markdown.render(text))
