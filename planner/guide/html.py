"""The guide as HTML."""

import re
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML

from planner.guide import Chapter


class _Renderer(RendererHTML):
    """Blocks of code can be scrolled by the keyboard, and carry the names of their files."""

    def fence(self, tokens: Any, at: int, options: Any, env: Any) -> str:
        """One block of code."""
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
