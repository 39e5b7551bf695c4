"""`planner.plot` draws a study, its answer, or any result that has a picture."""

import pytest
from matplotlib.figure import Figure

import planner

STUDY = planner.Study(
    mechanism=planner.LaplaceMean("hoeffding"),
    target=planner.Accuracy(0.05, 0.05),
    individual=planner.Individual(12.5, 1274.0),
    conditions=[planner.Budget(30_000.0)],
    title="Clinic",
)


def lines(given) -> list[list[float]]:
    axes = Figure().add_subplot()
    assert planner.plot(given, axes) is axes
    return [list(line.get_ydata()) for line in axes.lines]


@pytest.mark.slow
def test_a_study_is_drawn_as_its_answer() -> None:
    answer = planner.solve(STUDY)
    axes = Figure().add_subplot()
    answer.plot(axes)
    drawn = [list(line.get_ydata()) for line in axes.lines]
    assert lines(STUDY) == lines(answer) == drawn != []
    assert axes.get_title(loc="left") == "Clinic: feasible"


@pytest.mark.slow
def test_other_results_have_their_own_picture() -> None:
    uncertain = planner.UncertainStudy(STUDY, {"base_cost": planner.model.LogNormal(12.5, 2.0)})
    assert lines(planner.decisions.tornado(uncertain)) == lines(uncertain) != []
    assert lines(planner.compare(STUDY)) != []


def test_new_axes_are_made_where_none_are_given() -> None:
    from matplotlib import pyplot

    axes = planner.plot(STUDY)
    assert axes.get_xlabel() == "participants N"
    pyplot.close(axes.figure)


@pytest.mark.parametrize("given", ["study.toml", 3])
def test_what_is_no_study_is_refused(given) -> None:
    with pytest.raises(ValueError, match=r"is not a Study; planner\.read_study reads a file"):
        planner.plot(given)
