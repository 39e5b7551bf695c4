"""Where two ways cost the same, and how many questions a budget pays for, read from the axes."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from planner.figures import break_even, queries
from planner.figures.curves import CEILINGS, FLOORS
from planner.figures.gallery import cost_of_questions


def test_a_bar_changes_its_colour_at_the_break_even() -> None:
    axes = Figure().add_subplot()
    rows = [break_even.Row("Smokers", 0.2, 0.2), break_even.Row("Education", 1e-4, 1e-3)]
    sides = {"cheaper without": CEILINGS, "cheaper with": FLOORS}
    break_even.draw(axes, rows, sides, "When it pays", "exposed")
    assert sorted(line.get_xdata()[0] for line in axes.lines) == [1e-4, 1e-3, 0.2]
    parts = [part.get_paths()[0].vertices[:, 0] for part in axes.collections]
    ends = [(part.min(), part.max()) for part in parts]
    assert ends[1] == (0.2, 0.2)
    assert ends[3][1] == ends[4][0] == 1e-4
    assert ends[4][1] == ends[5][0] == 1e-3
    assert ends[2][1] == ends[5][1] == 1
    said = [note.get_text() for note in axes.texts]
    assert said == ["Smokers", "20 %", "Education", "0.01 to 0.1 %", *sides]


def test_the_budget_pays_for_the_questions_that_are_marked() -> None:
    figure = Figure(figsize=(7, 4.4))
    cost_of_questions(figure)
    (axes,) = figure.axes
    marked = [line.get_xydata()[0] for line in axes.lines if line.get_marker() == "o"]
    curves = [line for line in axes.lines if len(line.get_xdata()) > 2]
    assert len(curves) == 3
    for (most, budget), curve in zip(marked, (curves[0], curves[2]), strict=True):
        k, cost = curve.get_xdata(), curve.get_ydata()
        assert cost[k <= most].max() <= budget < cost[k > most].min()
        near = np.exp(np.interp(np.log(budget), np.log(cost), np.log(k)))
        assert most == pytest.approx(near, rel=0.05)
    title = axes.get_title(loc="left").replace("\n", " ")
    assert f"{marked[0][0]:.0f} questions" in title
    assert f"for {marked[1][0]:.0f} if" in title


def test_no_mark_where_the_budget_pays_for_no_question() -> None:
    axes = Figure().add_subplot()
    k = np.array([1, 10, 100])
    ways = [queries.Cost("one", 1e3 * k, 3), queries.Cost("two", 1e6 * k, 0)]
    queries.draw(axes, k, ways, 3000.0, "USD", 10, "Questions")
    assert [line.get_marker() for line in axes.lines].count("o") == 1
