"""`planner guide`: the guide, chapter by chapter."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.markdown import Markdown


def guide(
    chapter: Annotated[
        str, typer.Argument(metavar="[CHAPTER]", help="A chapter's number or title.")
    ] = "",
) -> int:
    """Show the guide: its chapters, or one of them by number or by the beginning of its title."""
    from planner.cli.terminal import console
    from planner.guide import chapter as chapter_of

    terminal = console()
    if not chapter:
        _contents()
        return 0
    text = _markdown(chapter_of(chapter).for_terminal)
    if not terminal.is_terminal:
        terminal.print(text)
        return 0
    os.environ.setdefault("LESS", "-FRX")  # show colours, and leave short texts on the screen
    with terminal.pager(styles=True):
        terminal.print(text)
    return 0


def _markdown(text: str) -> "Markdown":
    """Markdown for the terminal, whose blocks of code use all of its width."""
    from rich.markdown import CodeBlock, Markdown
    from rich.text import Text

    class Code(CodeBlock):
        def __rich_console__(self, console: Any, options: Any) -> Iterator[Text]:
            yield Text(str(self.text).rstrip(), style="cyan")

    class Chapter(Markdown):
        elements = {**Markdown.elements, "fence": Code}  # noqa: RUF012

    return Chapter(text, hyperlinks=False)


def _contents() -> None:
    """Print the chapters, a line or two for each."""
    from rich.table import Table

    from planner.cli.terminal import console
    from planner.guide import chapters

    table = Table(box=None, pad_edge=False, show_header=False)
    for one in chapters():
        table.add_row(str(one.number), one.title, one.summary)
    terminal = console()
    terminal.print(table)
    terminal.print("\nplanner guide 1 shows the first chapter; so does planner guide ten.")
