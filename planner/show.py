"""How answers show themselves: in a notebook, on a terminal, as a picture, as plain data.

The one door from what computes to what draws and prints; all behind it is imported when it is used.
"""

import json
from abc import ABC, abstractmethod
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from rich.table import Table


class Drawn(ABC):
    """Something that draws itself."""

    @abstractmethod
    def draw(self, axes: Any) -> None:
        """Draw it on axes."""

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw it on `ax`, or on new axes, and return them."""
        if ax is None:
            from matplotlib import pyplot

            _, ax = pyplot.subplots(figsize=(8.6, 4.8), layout="constrained")
        self.draw(ax)
        return ax


class Shown(Drawn):
    """Something that can be shown: each kind says its title, rows of words and plain data."""

    @abstractmethod
    def shown_title(self) -> str:
        """A title, as text."""

    @abstractmethod
    def shown_rows(self) -> list[tuple[str, str]]:
        """What it says, row by row: a name and words."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """It as plain data."""

    def to_json(self, indent: int | None = 2) -> str:
        """It as JSON, without NaN, and without infinities but as null."""
        return as_json(self.to_dict(), indent)

    def to_frame(self) -> "pandas.DataFrame":
        """It as a pandas table.

        Raises:
            ImportError: pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError:
            raise ImportError("to_frame needs pandas; run pip install pandas") from None
        data = self.to_dict()
        lists = all(isinstance(values, list) for values in data.values())
        return pd.DataFrame(data) if lists else pd.json_normalize(data)

    def _repr_html_(self) -> str:
        """A table and a picture, for notebooks."""
        rows = "".join(
            f'<tr><th scope="row" style="text-align:left">{escape(name)}</th>'
            f'<td style="text-align:left">{escape(words)}</td></tr>'
            for name, words in self.shown_rows()
        )
        title = escape(self.shown_title())
        caption = f'<caption style="text-align:left"><b>{title}</b></caption>'
        return f"<table>{caption}{rows}</table>{self.picture()}"

    def picture(self) -> str:
        """The picture as SVG."""
        from hashlib import sha256

        from planner.reports.pictures import svg

        # many may stand on one page, so the parts of each have names of their own
        title = self.shown_title()
        name = "p" + sha256(repr(self.to_dict()).encode()).hexdigest()[:12]
        picture = svg(lambda figure: self.draw(figure.add_subplot()), 8.6, 4.8, name, title)
        return str(picture).replace("<svg ", '<svg style="max-width: 62em" ', 1)

    def __rich__(self) -> "Table":
        """A table for the terminal."""
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.SIMPLE, show_header=False, pad_edge=False, title_justify="left")
        table.title = Text(self.shown_title(), style="bold")
        table.add_column(style="bold", no_wrap=True)
        table.add_column(overflow="fold")
        for name, words in self.shown_rows():
            table.add_row(name, Text(words))
        return table


def as_json(data: Any, indent: int | None = 2) -> str:
    """Data as JSON; it holds no NaN, and no infinity but as null."""
    return json.dumps(_finite(data), indent=indent, ensure_ascii=False, allow_nan=False)


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    if isinstance(data, float) and (data != data or abs(data) == float("inf")):
        return None
    return data


def draw_answer(axes: Any, answer: Any) -> None:
    """An answer's region, with its plan or conflict."""
    from figures.region import draw

    draw(axes, answer)


def draw_sequence(axes: Any, plan: Any) -> None:
    """A sequence's payments."""
    from figures.sequence import draw

    draw(axes, plan)


def draw_comparison(axes: Any, comparison: Any) -> None:
    """Both costs over the exposure."""
    from figures.exposure import draw

    draw(axes, comparison)


def comparison_in_words(comparison: Any) -> tuple[str, list[tuple[str, str]]]:
    """A comparison's title and rows."""
    from planner.explanation.comparison import in_words, rows, title

    sides = [
        (name, f"{private} private; {without} without privacy")
        for name, private, without in rows(comparison)
    ]
    return title(comparison), [*sides, *(("note", words) for words in in_words(comparison))]


def answer_in_words(answer: Any) -> list[tuple[str, str]]:
    """An answer's rows."""
    from planner.explanation.rows import answer_rows

    return answer_rows(answer)


def draw_tornado(axes: Any, found: Any) -> None:
    """Ranked inputs."""
    from figures.tornado import draw

    draw(axes, found)


def ranking_in_words(found: Any) -> list[tuple[str, str]]:
    """Ranked inputs' rows."""
    from planner.explanation.uncertain import ranking

    return ranking(found)


def sureness_in_words(sure: Any) -> tuple[str, list[tuple[str, str]], dict[str, Any]]:
    """An uncertain study's title, rows and plain data."""
    from planner.explanation.uncertain import VERDICTS, as_data, rows

    title = sure.uncertain.study.title or "Study"
    return f"{title}: {VERDICTS[sure.verdict]}", rows(sure), as_data(sure)


def draw_sweep(axes: Any, found: Any) -> None:
    """A sweep's heat map."""
    from figures.heat_map import draw

    draw(axes, found)
