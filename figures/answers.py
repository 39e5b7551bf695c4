"""The published answers to one question: each number, its interval and the promised error.

A group's name stands over its number, so that long names fit narrow pictures too. Many groups stand
side by side, by their numbers alone.
"""

from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from planner.answer.answers import Plan
from planner.answer.problem.vary import value_of
from planner.explanation.amounts import in_unit
from planner.explanation.results.publication import digits, outward
from planner.figures.fit import name, size_of, spread, text, title, width
from planner.libraries import np
from planner.publication.published import Published
from planner.publication.results import Publication

_MOST = 40
"""Groups that stand one below another."""
_LONGEST, _LONGEST_IN_PANEL = 70, 34
"""Letters of a group's name."""
_PROMISE = "#d4d4d4"
_FEWER = 2
"""Digits fewer than in a table: a picture shows tenths of an error."""


def draw(axes: Axes, publication: Publication, answer: Published, panel: bool = False) -> None:
    """Draw the answers to one question on `axes`.

    Args:
        axes: where to draw.
        publication: for its title.
        answer: one of its answers, and no quantile.
        panel: whether the picture is narrow, and stands under a heading.
    """
    if len(answer.numbers) > _MOST:
        _many(axes, answer)
    else:
        _few(axes, answer, panel)
    if not panel:
        words = publication.title
        if len(publication.shown) > 1 or not words:
            words = ": ".join(filter(None, [words, answer.name]))
        rehearsed = " (rehearsed with invented records)" if publication.rehearsed else ""
        title(axes, words + rehearsed)
    axes.spines[["top", "right"]].set_visible(False)


def height(answer: Published, panel: bool = False) -> float:
    """How high the picture should be [inches]."""
    count = len(answer.rows)
    above = 0.9 if panel else 1.2  # the axis and its name, and the title
    if count > _MOST:
        return 3.8
    return above + (0.44 * count if answer.group_names else 0.4)


def _few(axes: Axes, answer: Published, panel: bool) -> None:
    size, across = rcParams["font.size"], size_of(axes)[0]
    left, right, longest = [], [], 0.0
    rows = answer.rows
    for row, (group, x, error, _, end) in enumerate(rows):
        low, high = _promise(x, error, answer)
        axes.barh(row, high - low, 0.36, low, color=_PROMISE)
        words = digits(x, error, _FEWER)
        if end is not None:
            axes.plot(end, [row, row], "|-", color="black", linewidth=1.5, markersize=8)
            words += " ({} to {})".format(*outward(end, error, _FEWER))
            low, high = min(low, end[0]), max(high, end[1])
        words = _shortened(words, _LONGEST_IN_PANEL)
        axes.plot(x, row, "o", color="black", markersize=6)
        left.append(min(low, x))
        right.append(max(high, x))
        axes.annotate(
            words, (right[-1], row), (6, 0), textcoords="offset points", va="center",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )  # fmt: skip
        longest = max(longest, width(words, size))
        if group:
            group = _shortened(group, _LONGEST_IN_PANEL if panel else _LONGEST)
            axes.annotate(
                text(group), (0, row - 0.22), (2, 0), xycoords=("axes fraction", "data"),
                textcoords="offset points", va="bottom",
            )  # fmt: skip
    start, end_of_all = min(left), max(right)
    if answer.kind != "mean":
        start = min(start, 0.0)
    room = 1 - min((longest + 2 * size) / across, 0.6)  # what the words leave
    span = (end_of_all - start) or 1.0
    above = 0.75 if answer.group_names else 0.5
    axes.set(
        xlim=(start - 0.02 * span, start + span / room),
        ylim=(len(rows) - 0.5, -above),
        yticks=[],
    )
    if start < 0:
        axes.axvline(0, color="black", linewidth=0.6)
    axes.spines["left"].set_visible(False)
    spread(axes.xaxis)
    _, most = answer.values or (answer.low, answer.high)
    end_of_range = end_of_all if most is None else max(most, end_of_all)
    axes.set_xticks([x for x in axes.get_xticks() if start <= x <= end_of_range])
    name(axes, f"{_unit(answer)}; {_key(answer)}", "", short_x=_unit(answer))


def _many(axes: Axes, answer: Published) -> None:
    """The numbers side by side, by the number of their group."""
    numbers = np.array([row.number for row in answer.rows])
    groups = np.arange(len(numbers))
    low, high = np.array([_promise(row.number, row.error, answer) for row in answer.rows]).T
    axes.fill_between(groups, low, high, step="mid", color=_PROMISE, linewidth=0)
    if answer.intervals:
        low, high = np.array(answer.intervals).T
        axes.vlines(groups, low, high, color="black", linewidth=0.8)
    axes.plot(groups, numbers, "o", color="black", markersize=2.5, linestyle="none")
    axes.axhline(0, color="black", linewidth=0.6)
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    axes.set_xlim(-1, len(groups))
    name(axes, f"group; {_key(answer)}", _unit(answer), short_x="group")


def _promise(x: float, error: float, answer: Published) -> tuple[float, float]:
    """The promised error around a number, within the possible values."""
    low, high = x - error, x + error
    ends = answer.values or (answer.low, answer.high)
    least, most = -np.inf if ends[0] is None else ends[0], np.inf if ends[1] is None else ends[1]
    return float(np.clip(low, least, most)), float(np.clip(high, least, most))


def _unit(answer: Published) -> str:
    if answer.kind == "count":
        return "people"
    if answer.compared:
        means = (answer.low, answer.high) != (-1.0, 1.0)
        return f"difference of the {'means' if means else 'proportions'}, second less first"
    if any(one.compared for one in getattr(answer, "parts", ())):
        return "proportion of the people, and the difference"
    numbers = answer.low is not None and (answer.low, answer.high) != (0.0, 1.0)
    return "mean" if numbers or answer.kind == "mean" else "proportion of the people"


def _key(answer: Published) -> str:
    line = "line: its interval, " if answer.intervals else ""
    return f"dot: published answer, {line}grey bar: promised error"


def _shortened(words: str, most: int) -> str:
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"


def draw_example(axes: Axes, plan: Plan) -> None:
    """Draw what might be published of a study of one error: an invented answer and its interval."""
    study = plan.study
    low, high = study.target.values or (0.0, 100.0)
    error = in_unit(study, "error", value_of(study, "error") or 0.0)
    of = " %" if study.target.values is None else ""
    middle = float(f"{low + _INVENTED * (high - low):.2g}")
    if study.groups == 2:
        of, middle = of and " points", float(f"{_INVENTED * (high - low):.2g}")
        low, high = low - high, high - low
    axes.errorbar([middle], [0], xerr=[error], fmt="o", color="black", capsize=5, ms=6)
    axes.annotate(
        f"{middle:g}{of.removesuffix(' points')} ± {error:g}{of and ' points'} (invented)",
        (middle, 0), (0, 8),
        textcoords="offset points", ha="center", va="bottom",
    )  # fmt: skip
    axes.set(xlim=(low, high), ylim=(-0.6, 1.2), yticks=[])
    axes.xaxis.set_major_formatter(lambda x, _: f"{x:g}{of}")
    axes.spines[["top", "right", "left"]].set_visible(False)


_INVENTED = 0.23
"""Where in its range the invented answer lies."""
