"""The picture of published answers holds their numbers, and its words fit."""

from dataclasses import replace

import pytest
from matplotlib.figure import Figure

from planner.figures import answers
from planner.figures.save import STYLE
from planner.publication.published import Published, together
from planner.publication.results import Publication
from tests.figures.overlaps import faults

GROUPS = (
    "18-24",
    "25-34",
    "a group with a name that is longer than a narrow picture is wide, by far",
)
HISTOGRAM = Published(
    "age", "histogram", [0.21, 0.55, -0.01], 0.05, 0.05, "laplace", 1.0, [0.21, 0.55, 0.0], GROUPS,
    [[0.17, 0.26], [0.49, 0.6], [0.0, 0.03]], low=0.0, high=1.0,
)  # fmt: skip
ONE = Published(
    "cigarettes",
    "mean",
    12.4,
    2.0,
    0.05,
    "laplace",
    1.0,
    12.4,
    (),
    [10.4, 14.4],
    low=0.0,
    high=60.0,
)
DONE = Publication(
    "Town", "2026-11-25T08:00:00+00:00", 900, 0.5, 0.0, 0.05, (HISTOGRAM, ONE), "", ""
)


def drawn(answer: Published, panel: bool = False, width: float = 8.0):
    import matplotlib as mpl

    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(width, answers.height(answer, panel)), layout="constrained")
        axes = figure.add_subplot()
        answers.draw(axes, DONE, answer, panel)
        figure.canvas.draw()
    return axes


def words(axes) -> list[str]:
    return [one.get_text() for one in axes.texts]


def test_each_number_has_its_dot_interval_and_promise() -> None:
    axes = drawn(HISTOGRAM)
    dots = [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"]
    assert dots == HISTOGRAM.answer
    lines = [list(line.get_xdata()) for line in axes.lines if line.get_marker() == "|"]
    assert lines == HISTOGRAM.interval
    bars = [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in axes.patches]
    assert bars == [
        pytest.approx((0.16, 0.26)),
        pytest.approx((0.5, 0.6)),
        pytest.approx((0, 0.04)),
    ]
    assert "0.210 (0.170 to 0.260)" in words(axes)
    assert axes.get_title(loc="left") == "Town: age"


def test_a_number_alone_has_the_range_of_its_question() -> None:
    axes = drawn(ONE)
    assert "12.4 (10.4 to 14.4)" in words(axes)
    assert axes.get_xlabel().startswith("mean; dot: published answer")
    assert max(axes.get_xticks()) <= 60


def test_without_intervals_none_are_named() -> None:
    axes = drawn(replace(ONE, interval=None))
    assert "interval" not in axes.get_xlabel()
    assert "12.4" in words(axes)


def test_shares_have_no_marks_over_one() -> None:
    axes = drawn(replace(HISTOGRAM, answer=[0.0, 1.0, 0.9]))
    assert max(axes.get_xticks()) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("width", [4.2, 8.0])
@pytest.mark.parametrize("answer", [HISTOGRAM, ONE], ids=lambda one: one.kind)
def test_no_words_lie_over_one_another(answer: Published, width: float) -> None:
    panel = width < 5

    def draw(figure: Figure) -> None:
        answers.draw(figure.add_subplot(), DONE, answer, panel)

    assert faults(draw, width, answers.height(answer, panel)) == []


def test_many_groups_stand_side_by_side() -> None:
    numbers = [0.001 * k for k in range(300)]
    ends = [[max(0.0, x - 0.01), x + 0.01] for x in numbers]
    axes = drawn(replace(HISTOGRAM, answer=numbers, nearest=numbers, interval=ends, groups=()))
    (dots,) = [line for line in axes.lines if line.get_marker() == "o"]
    assert list(dots.get_ydata()) == numbers


def test_a_mean_of_those_who_answer_is_promised_in_its_own_unit() -> None:
    answered = replace(
        ONE, answer=[0.3, 0.6], nearest=[0.3, 0.6], interval=[[0.2, 0.4], [0.5, 0.7]], high=1.0,
        answer_rate=0.9, answered=[20.0, 4.0, 17.0, 23.0], values=[18.0, 90.0],
    )  # fmt: skip
    (bar,) = drawn(answered).patches
    assert (bar.get_x(), bar.get_x() + bar.get_width()) == pytest.approx((18.0, 24.0))


def test_a_difference_under_zero_is_whole_beside_its_groups() -> None:
    one = replace(ONE, kind="share", high=1.0, error=0.05, answer=0.1, interval=[0.05, 0.15])
    less = replace(
        one, name="difference", kind="difference", answer=-0.06, interval=[-0.1, -0.02], low=-1.0
    )
    axes = drawn(together("", [one, one, less]))
    assert axes.get_xlim()[0] < -0.11
    assert [bar.get_x() for bar in axes.patches][-1] == pytest.approx(-0.11)
    assert "the difference" in axes.get_xlabel()
