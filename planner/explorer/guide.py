"""The guide in the explorer: a page of its chapters, and one page for each."""

import re
from collections.abc import Callable
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from planner.guide import FOLDER, Chapter, chapters, parts


def routes(render: Callable[..., str]) -> list[Route]:
    """The addresses of the guide."""

    async def contents(request: Request) -> Response:
        return HTMLResponse(render(title="Guide", parts=parts(), one=None))

    async def page(request: Request) -> Response:
        named = {one.name: one for one in chapters()}
        one = named.get(request.path_params["name"])
        if one is None:
            return PlainTextResponse("There is no such chapter; see /guide.\n", status_code=404)
        pages = (None, *chapters(), None)
        beside = {"before": pages[one.number - 1], "after": pages[one.number + 1]}
        return HTMLResponse(
            render(title=one.title, one=one, html=html(one), sections=sections(one), **beside)
        )

    async def picture(request: Request) -> Response:
        return FileResponse(FOLDER / "region.svg")

    return [
        Route("/guide", contents),
        Route("/guide/region.svg", picture),
        Route("/guide/{name}", page),
    ]


class _Renderer(RendererHTML):
    """Code and tables can be scrolled by the keyboard; code carries the names of its files."""

    def heading_open(self, tokens: Any, at: int, options: Any, env: Any) -> str:
        tokens[at].attrSet("id", _place(tokens[at + 1].content))
        return str(self.renderToken(tokens, at, options, env))

    def table_open(self, tokens: Any, at: int, options: Any, env: Any) -> str:
        return '<div class="wide" tabindex="0" role="region" aria-label="table">\n<table>\n'

    def table_close(self, tokens: Any, at: int, options: Any, env: Any) -> str:
        return "</table>\n</div>\n"

    def fence(self, tokens: Any, at: int, options: Any, env: Any) -> str:
        name = re.search(r" (\S+\.\w+)", tokens[at].info)
        code: str = super().fence(tokens, at, options, env)
        title = f'<p class="file-name">{name[1]}</p>\n' if name else ""
        return title + code.replace("<pre>", '<pre tabindex="0">', 1)


def sections(chapter: Chapter) -> list[tuple[str, str]]:
    """The sections of a chapter: their places on its page, and their titles."""
    titles = re.findall(r"^## (.+)$", chapter.text, flags=re.MULTILINE)
    return [(_place(title), title) for title in titles]


def _place(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def html(chapter: Chapter) -> str:
    """A chapter without its heading."""
    text = chapter.text.partition("\n")[2]
    text = re.sub(r"\]\((\d\d-[\w-]+)\.md\)", r"](/guide/\1)", text)
    text = text.replace("](region.svg)", "](/guide/region.svg)")
    markdown = MarkdownIt("commonmark", renderer_cls=_Renderer).enable("table")
    return str(markdown.render(text))
