"""How results show themselves: in a notebook, on a terminal, as a picture, as plain data.

Code that computes imports nothing that draws or prints. `VIEWS` names the functions that show each
type of result; they are imported on use, the only imports that go up the tree.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import asdict
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar, overload

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from rich.table import Table


_WIDTH = 100
"""Columns of a table that is printed as text."""
_MOST_LINES = 20  # of the 24 of a terminal, the rest for the title and the prompt
VIEWS = {
    "AnyAnswer": {
        "rows": "planner.explanation.results.rows:answer_rows",
        "draw": "planner.figures.region:draw",
        "save": "planner.study_file.answer_file:save",
        "certificate": "planner.answer.proof.certificate:certificate",
        "frame": "planner.explanation.results.rows:lines",
    },
    "Check": {
        "title": "planner.explanation.results.check:title",
        "rows": "planner.explanation.results.check:rows",
    },
    "Plan": {"more": "planner.reports.pictures:of_questions"},
    "StrataComparison": {
        "frame": "planner.explanation.results.comparison_of_strata:lines",
        "title": "planner.explanation.results.comparison_of_strata:title",
        "rows": "planner.explanation.results.comparison_of_strata:rows",
    },
    "StrataPlan": {"draw": "planner.figures.strata:draw"},
    "TotalPlan": {"draw": "planner.figures.strata:draw"},
    "Study": {
        "title": "planner.explanation.results.study:title",
        "rows": "planner.explanation.results.study:rows",
        "tables": "planner.study_file.tables:tables_of",
    },
    "Expected": {
        "title": "planner.explanation.results.publication:expected_title",
        "rows": "planner.explanation.results.publication:expected_rows",
    },
    "Look": {
        "title": "planner.explanation.results.publication:look_title",
        "rows": "planner.explanation.results.publication:look_rows",
    },
    "Publication": {
        "title": "planner.explanation.results.publication:title",
        "rows": "planner.explanation.results.publication:rows",
        "markdown": "planner.explanation.papers.published:markdown",
        "page": "planner.reports.results:page",
        "save": "planner.reports.results:save",
        "frame": "planner.explanation.results.publication:lines",
        "draw_answer": "planner.figures.answers:draw",
        "height": "planner.figures.answers:height",
        "more": "planner.reports.pictures:of_answers",
    },
    "Entry": {
        "title": "planner.explanation.results.publication:entry_title",
        "rows": "planner.explanation.results.publication:entry_rows",
    },
    "Entries": {
        "title": "planner.explanation.results.publication:ledger_title",
        "rows": "planner.explanation.results.publication:ledger_rows",
    },
    "Change": {"rows": "planner.explanation.results.changes:one_change"},
    "Changes": {"rows": "planner.explanation.results.changes:change_rows"},
    "Limit": {
        "title": "planner.explanation.results.changes:limit_title",
        "rows": "planner.explanation.results.changes:limit_rows",
        "certificate": "planner.decisions.limit_certificate:limit_certificate",
    },
    "Drop": {"rows": "planner.explanation.results.changes:drop_rows"},
    "Drops": {"rows": "planner.explanation.results.changes:drops_rows"},
    "Price": {"rows": "planner.explanation.results.changes:price_rows"},
    "Prices": {"rows": "planner.explanation.results.changes:prices_rows"},
    "Comparison": {
        "title": "planner.explanation.results.comparison:title",
        "rows": "planner.explanation.results.comparison:all_rows",
        "frame": "planner.explanation.results.comparison:side_by_side",
        "draw": "planner.figures.exposure:draw",
    },
    "SequencePlan": {
        "title": "planner.explanation.results.sequence:title",
        "rows": "planner.explanation.results.sequence:rows",
        "draw": "planner.figures.sequence:draw",
    },
    "Sureness": {
        "title": "planner.explanation.results.uncertain:title",
        "rows": "planner.explanation.results.uncertain:rows",
        "data": "planner.explanation.results.uncertain:as_data",
    },
    "Tornado": {
        "rows": "planner.explanation.results.uncertain:ranking",
        "draw": "planner.figures.tornado:draw",
    },
    "Estimate": {
        "title": "planner.explanation.results.pilot:title",
        "rows": "planner.explanation.results.pilot:rows",
        "comment": "planner.explanation.results.pilot:comment",
        "draw": "planner.figures.acceptance:draw",
    },
    "PostedPayment": {
        "title": "planner.explanation.results.posted_payment:title",
        "rows": "planner.explanation.results.posted_payment:rows",
        "draw": "planner.figures.offers:draw",
    },
    "Sweep": {"draw": "planner.figures.heat_map:draw"},
    "Shown": {"svg": "planner.reports.pictures:svg"},
}
"""By the name of a type: the functions for its title, rows, data and picture, and more pictures.

`frame` are the rows of a pandas table, where that
is not the plain data in one row.
"""


One = TypeVar("One", bound="Shown", covariant=True)


def view(kind: type, what: str) -> Callable[..., Any]:
    """The function that shows a type of result, by the type or the nearest of its bases."""
    for base in kind.__mro__:
        place = VIEWS.get(base.__name__, {}).get(what)
        if place is not None:
            module, _, name = place.partition(":")
            function: Callable[..., Any] = getattr(import_module(module), name)
            return function
    raise KeyError(f"no {what} of {kind.__name__} is known")


def has_view(kind: type, what: str) -> bool:
    """Whether a type of result, or one of its bases, has such a function."""
    return any(what in VIEWS.get(base.__name__, ()) for base in kind.__mro__)


def new_axes(height: float = 4.8) -> "Axes":
    """Axes of a new figure of a height [inches]."""
    from matplotlib import pyplot

    _, axes = pyplot.subplots(figsize=(8.6, height), layout="constrained")
    return axes


class Drawn:
    """Something that draws itself."""

    @property
    def drawn(self) -> bool:
        return type(self).draw is not Drawn.draw or has_view(type(self), "draw")

    def draw(self, axes: Any) -> None:
        view(type(self), "draw")(axes, self)

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw it on `ax`, or on new axes, and return them.

        Axes that are given keep their size, unless their figure has a layout engine.

        Raises:
            ValueError: it has no picture.
        """
        if not self.drawn:
            name = type(self).__name__
            raise ValueError(f"a {name} has no picture; planner.plot draws a study or its answer")
        ax = new_axes() if ax is None else ax
        self.draw(ax)
        return ax


class Shown(Drawn, ABC):
    """Something that can be shown: each kind has a title, rows of words and plain data."""

    def shown_title(self) -> str:
        return str(view(type(self), "title")(self))

    def shown_rows(self) -> list[tuple[str, str]]:
        """Its content as rows of a name and words."""
        rows: list[tuple[str, str]] = view(type(self), "rows")(self)
        return rows

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The result as plain data."""

    def __repr__(self) -> str:
        """One line: its type and title; `print` shows its rows, and `to_json` everything."""
        return f"<{type(self).__name__}: {self.shown_title()}>"

    def __str__(self) -> str:
        from rich.console import Console

        console = Console(width=_WIDTH, color_system=None)
        with console.capture() as written:
            console.print(self)
        lines = "\n".join(line.rstrip() for line in written.get().splitlines()).strip("\n")
        first, *more = lines.split("\n")
        if len(more) >= _MOST_LINES:
            left_out = len(more) - _MOST_LINES + 2
            more = [*more[: _MOST_LINES - 2], f" … {left_out} more lines; to_json() holds all"]
        return "\n".join([first, *more])

    def to_json(self, indent: int | None = 2) -> str:
        """The result as JSON, with null for infinities and NaN."""
        return as_json(self.to_dict(), indent)

    def to_frame(self) -> "pandas.DataFrame":
        """The result as a pandas table.

        Raises:
            ImportError: pandas is not installed.
        """
        if has_view(type(self), "frame"):
            return frame_of({"rows": view(type(self), "frame")(self)}, "rows")
        return frame_of(self.to_dict())

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th scope="row" style="text-align:left">{escape(name)}</th>'
            f'<td style="text-align:left">{escape(words)}</td></tr>'
            for name, words in self.shown_rows()
        )
        title = escape(self.shown_title())
        caption = f'<caption style="text-align:left"><b>{title}</b></caption>'
        pictures = self.picture() if self.drawn else ""
        if has_view(type(self), "more"):
            pictures += _in_notebook(view(type(self), "more")(self, f"{self._picture_name()}q"))
        return f"<table>{caption}{rows}</table>{pictures}"

    def picture(self) -> str:
        name, title = self._picture_name(), self.shown_title()
        return _in_notebook(
            view(type(self), "svg")(
                lambda figure: self.draw(figure.add_subplot()), 8.6, 4.8, name, title
            )
        )

    def _picture_name(self) -> str:
        """A name for the parts of its picture, since several pictures may share a page."""
        from hashlib import sha256

        return "p" + sha256(repr(self.to_dict()).encode()).hexdigest()[:12]

    def __rich__(self) -> "Table":
        return terminal_table(self.shown_title(), self.shown_rows())


def _in_notebook(picture: object) -> str:
    return str(picture).replace("<svg ", '<svg style="max-width: 62em" ', 1)


def terminal_table(title: str, rows: list[tuple[str, str]]) -> "Table":
    """Rows of a name and words, for the terminal."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE, show_header=False, pad_edge=False, title_justify="left")
    table.title = Text(title, style="bold")
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, words in rows:
        table.add_row(name, Text(words))
    return table


class Several(Shown, Sequence[One]):
    """Results of one kind in order, which show themselves as one table."""

    @property
    @abstractmethod
    def members(self) -> tuple[One, ...]:
        """Each of them."""

    def __len__(self) -> int:
        return len(self.members)

    @overload
    def __getitem__(self, at: int) -> One: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[One, ...]: ...
    def __getitem__(self, at: int | slice) -> One | tuple[One, ...]:
        return self.members[at]

    def __eq__(self, other: object) -> bool:
        """Whether the other holds the same, in a sequence of any kind."""
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def to_dict(self) -> dict[str, Any]:
        return {type(self).__name__.lower(): [one.to_dict() for one in self.members]}

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each.

        Raises:
            ImportError: pandas is not installed.
        """
        return frame_of(self.to_dict(), type(self).__name__.lower())


class Parts(tuple[Any, ...]):
    """The parts of an answer, which print as a table with a row each."""

    def lines(self) -> list[dict[str, Any]]:
        """A row of values for each, by the names of columns; plans of strata have few of theirs."""
        return [one.row() if hasattr(one, "row") else asdict(one) for one in self]

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each.

        Raises:
            ImportError: pandas is not installed.
        """
        return frame_of({"rows": self.lines()}, "rows")

    def __repr__(self) -> str:
        lines = self.lines()
        if not lines:
            return "()"
        cells = [[*lines[0]], *([_cell(x) for x in line.values()] for line in lines)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        texts = (
            "  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True))
            for row in cells
        )
        return "\n".join(texts)


def _cell(value: Any) -> str:
    return "-" if value is None else value if isinstance(value, str) else f"{value:.6g}"


def frame_of(data: dict[str, Any], rows: str = "") -> "pandas.DataFrame":
    """Plain data as a table: a column for each list, or a row for each entry of `rows`.

    Raises:
        ImportError: pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError:
        from planner.wording import not_installed

        raise ImportError(not_installed("to_frame needs", "pandas", "sweep")) from None
    if rows:
        return pd.json_normalize(data[rows])
    lists = [values for values in data.values() if isinstance(values, list)]
    columns = len({len(values) for values in lists}) == 1 and not any(map(_is_table, data.values()))
    return pd.DataFrame(data) if columns else pd.json_normalize(data)


def _is_table(value: Any) -> bool:
    """Whether a value is no single one and no list of numbers."""
    one = value[0] if isinstance(value, list) and value else value
    return isinstance(one, dict | list) or (isinstance(value, list) and isinstance(one, str))


def as_json(data: Any, indent: int | None = 2) -> str:
    """Data as JSON, with null for infinities and NaN."""
    return json.dumps(_finite(data), indent=indent, ensure_ascii=False, allow_nan=False)


def digest(data: dict[str, Any]) -> str:
    """SHA-256 of plain data as JSON with sorted keys and no spaces."""
    from hashlib import sha256

    text = json.dumps(_finite(data), sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def _finite(data: Any) -> Any:
    """The data with None in place of infinities and NaN."""
    if isinstance(data, Shown):
        return _finite(data.to_dict())
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    if isinstance(data, float) and (data != data or abs(data) == float("inf")):
        return None
    return data
