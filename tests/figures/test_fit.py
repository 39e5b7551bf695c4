"""Pictures on axes that are given: words stay with their own picture, and curves reach the ends."""

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

import planner
from planner.figures import fit
from tests.figures.overlaps import on_frames, seen

CLINIC = planner.Study(
    planner.LaplaceMean("hoeffding"),
    planner.Accuracy(0.05, 0.05),
    planner.Individual(12.5, 1274.0),
    [planner.Budget(30_000.0), planner.MaxParticipants(4000)],
    planner.Costs(5.0),
    title="Clinic",
    currency="EUR",
)


@cache
def regions() -> list[planner.answer.Answer]:
    poor = replace(CLINIC, conditions=[planner.Budget(300.0)])
    studies = [CLINIC, poor, planner.scenario("education"), planner.scenario("smoking")]
    return [planner.solve(study) for study in studies]


@cache
def others() -> list[object]:
    inputs = {
        "base_cost": planner.model.LogNormal(12.5, 2.0),
        "budget": planner.model.Uniform(1e4, 4e4),
    }
    return [
        planner.compare(CLINIC),
        planner.plan_sequence([CLINIC, CLINIC]),
        planner.UncertainStudy(CLINIC, inputs),
        planner.sweep(CLINIC, budget=[1e4, 2e4, 3e4], error=[0.05, 0.1]).planner,
    ]


def drawn(results, size, layout, **shared) -> tuple[Figure, object]:
    figure = Figure(figsize=size, layout=layout)
    canvas = FigureCanvasAgg(figure)
    for axes, result in zip(figure.subplots(2, 2, **shared).flat, results, strict=True):
        planner.plot(result, axes)
    if layout is None:
        figure.tight_layout()  # as whoever draws several pictures would
    canvas.draw()
    return figure, canvas.get_renderer()


@pytest.mark.slow
@pytest.mark.parametrize("layout", [None, "constrained", "tight"])
@pytest.mark.parametrize("size", [(6.4, 4.8), (8.6, 6.0), (12.0, 9.0)])
@pytest.mark.parametrize("results", [regions, others])
def test_words_neither_leave_the_figure_nor_enter_another_picture(results, size, layout) -> None:
    figure, renderer = drawn(results(), size, layout)
    boxes = [(text, Text.get_window_extent(text, renderer)) for text in seen(figure)]
    cut = [t.get_text() for t, box in boxes if not (box.x0 > -1 and box.x1 < figure.bbox.x1 + 1)]
    cut += [t.get_text() for t, box in boxes if not (box.y0 > -1 and box.y1 < figure.bbox.y1 + 1)]
    assert cut == []
    for axes in figure.axes:
        frame = axes.get_window_extent(renderer)
        entered = [t.get_text() for t, box in boxes if t.axes is not axes and frame.overlaps(box)]
        assert entered == []
    apart = [
        (one.get_text(), other.get_text())
        for at, (one, box) in enumerate(boxes)
        for other, another in boxes[at + 1 :]
        if one.axes is not other.axes and box.overlaps(another)
    ]
    assert apart == []


@pytest.mark.slow
@pytest.mark.parametrize("layout", [None, "constrained"])
def test_in_pictures_of_usual_size_no_words_touch_the_frame(layout) -> None:
    figure, renderer = drawn(regions(), (10.0, 8.0), layout)
    assert on_frames(figure, renderer) == []
    for axes in figure.axes:
        boxes = [Text.get_window_extent(words, renderer) for words in axes.texts]
        assert not any(
            one.overlaps(other) for at, one in enumerate(boxes) for other in boxes[at + 1 :]
        )


def ends(axes) -> list[tuple[float, float]]:
    return [(line.get_xdata()[0], line.get_xdata()[-1]) for line in axes.lines[:2]]


def test_what_is_drawn_reaches_the_ends_of_axes_that_were_asked_for() -> None:
    axes = Figure().add_subplot()
    axes.set(xscale="log", yscale="log", xlim=(300, 3e6), ylim=(1e-4, 7.0))
    regions()[2].plot(axes)
    assert (axes.get_xlim(), axes.get_ylim()) == ((300, 3e6), (1e-4, 7.0))
    assert all(first <= 300 and last >= 3e6 for first, last in ends(axes))
    (region,) = axes.collections
    assert region.get_datalim(axes.transData).x1 >= 3e6


def test_axes_that_are_moved_later_show_no_end() -> None:
    axes = Figure().add_subplot()
    regions()[2].plot(axes)
    first, last = axes.get_xlim()
    axes.set_xlim(first / 5, last * 100)
    assert all(low <= first / 5 and high >= last * 100 for low, high in ends(axes))
    assert axes.collections[0].get_datalim(axes.transData).x1 >= last * 100


@pytest.mark.slow
def test_shared_axes_show_all_that_is_drawn_on_each() -> None:
    figure, _ = drawn(regions(), (10.0, 8.0), None, sharex=True, sharey=True)
    (first, last), (bottom, top) = figure.axes[0].get_xlim(), figure.axes[0].get_ylim()
    for axes, answer in zip(figure.axes, regions(), strict=True):
        assert all(low <= first and high >= last for low, high in ends(axes))
        if answer.verdict == "feasible":
            assert first < answer.participants < last
            assert bottom < answer.epsilon < top


@pytest.mark.slow
def test_axes_that_are_given_keep_their_size() -> None:
    for size, answer in product([(4.0, 3.0), (6.4, 4.8), (10.0, 6.0)], range(4)):
        figure, axes = pyplot.subplots(figsize=size)
        before = axes.get_position().bounds
        planner.plot(regions()[answer], ax=axes)
        figure.canvas.draw()
        assert axes.get_position().bounds == before
        frame = axes.get_window_extent(figure.canvas.get_renderer())
        for words in axes.texts:  # they stand inside
            box = Text.get_window_extent(words, figure.canvas.get_renderer())
            assert frame.x0 - 1 <= box.x0 <= box.x1 <= frame.x1 + 1
        pyplot.close(figure)


def test_a_picture_of_its_own_is_whole() -> None:
    _, axes = pyplot.subplots()
    planner.plot(CLINIC, axes)
    axes.figure.canvas.draw()
    renderer = axes.figure.canvas.get_renderer()
    boxes = [Text.get_window_extent(text, renderer) for text in seen(axes.figure)]
    assert max(box.x1 for box in boxes) <= axes.figure.bbox.x1
    pyplot.close(axes.figure)


def test_words_are_broken_where_they_are_too_long() -> None:
    words = "privacy parameter ε (more privacy below)"
    room = fit.width(words, 10.0)
    assert fit.broken(words, room + 1, 10.0) == fit.balanced(words, room + 1, 10.0) == words
    assert fit.broken(words, room - 1, 10.0) == "privacy parameter ε (more privacy\nbelow)"
    assert fit.balanced(words, room - 1, 10.0) == "privacy parameter ε\n(more privacy below)"
    assert fit.broken("a long-word b", 1.0, 10.0) == "a\nlong-word\nb"
    assert fit.broken("one\ntwo", 99.0, 10.0) == "one\ntwo"
    assert fit.width("", 10.0) == 0.0
    assert np.isclose(fit.width(words, 20.0), 2 * room, rtol=0.02)
