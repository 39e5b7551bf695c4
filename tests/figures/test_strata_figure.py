"""What the picture of a plan with strata shows, read back from the axes."""

from dataclasses import replace
from functools import cache

import pytest
from matplotlib.figure import Figure

import planner
from planner.cli import run
from planner.figures import strata as figure
from planner.model.strata import Stratum
from planner.numbers import decimal
from tests.figures.overlaps import faults

ERRORS = (
    Stratum("North", people=4_000, error=0.2),
    Stratum("South of the river, with all villages", people=1_000, error=0.3),
    Stratum("East", people=90_000, error=0.1),
)


def plan(error: float | None = None, strata=ERRORS, target=None):
    whole = [replace(one, error=None) for one in strata] if error or target else strata
    survey = target is not None
    return planner.solve(
        planner.Study(
            planner.AddedNoise("laplace") if survey else planner.LaplaceMean("hoeffding"),
            target or planner.Accuracy(**({"error": error} if error else {}), failure=0.1),
            planner.Individual(12.5),
            (),
            planner.Costs(5.0),
            title="Districts",
            currency="$",
            strata=whole,
        )
    )


SURVEY = planner.Survey([planner.Share("smokes", error=0.2)], failure=0.2)
PLANS = {"errors": {}, "total": {"error": 0.1}, "survey": {"target": SURVEY}}


@cache
def planned(name: str):
    return plan(**PLANS[name])


@pytest.fixture(scope="module", params=PLANS)
def answer(request):
    return planned(request.param)


@pytest.mark.slow
@pytest.mark.parametrize(("width", "panel"), [(8.6, False), (4.2, True)])
def test_no_words_touch(answer, width: float, panel: bool) -> None:
    def draw(canvas: Figure) -> None:
        figure.draw(canvas.add_subplot(), answer, panel)

    assert faults(draw, width, figure.height(answer)) == []


@pytest.mark.slow
def test_each_stratum_has_a_mark_with_its_people(answer) -> None:
    axes = Figure(layout="constrained").add_subplot()
    figure.draw(axes, answer)
    said = " | ".join(text.get_text() for text in axes.texts)
    for stratum, one in zip(ERRORS, answer.strata, strict=True):
        assert stratum.name in said
        assert f"{one.participants:,} people; ε = " in said


def test_intervals_are_as_long_as_the_errors() -> None:
    answer = planned("errors")
    axes = Figure(layout="constrained").add_subplot()
    figure.draw(axes, answer)
    ends = [line.get_xdata() for line in axes.lines if len(line.get_xdata()) == 2]
    points = [20, 30, 10, float(100 * decimal(answer.total_error))]
    assert [end[1] for end in ends] == points
    assert "[percentage points]" in axes.get_xlabel()
    assert all(end[0] == -end[1] for end in ends)


@pytest.mark.slow
def test_strata_that_are_not_drawn_are_counted() -> None:
    many = [Stratum(f"S{k}", people=1_000, error=0.3 + k / 1000) for k in range(45)]
    axes = Figure(layout="constrained").add_subplot()
    figure.draw(axes, plan(strata=many))
    assert "5 more are not drawn" in axes.get_xlabel()


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANS)
def test_a_plan_with_strata_is_drawn_on_the_terminal(name, tmp_path) -> None:
    planned(name).save(tmp_path / "plan.json")
    picture = tmp_path / "plan.svg"
    assert run(["plot", str(tmp_path / "plan.json"), "-o", str(picture)]) == 0
    assert "South of the river" in picture.read_text("utf-8")


@pytest.mark.slow
def test_a_report_shows_each_stratum_and_all_together(tmp_path) -> None:
    planned("errors").save(tmp_path / "plan.json")
    page = tmp_path / "report.html"
    assert run(["report", str(tmp_path / "plan.json"), "--quick", "-o", str(page)]) == 0
    text = page.read_text("utf-8")
    assert text.count("all strata together") == 1
    for stratum in ERRORS:
        assert f"Districts: {stratum.name}" in text


@pytest.mark.slow
def test_where_a_budget_is_too_small_the_study_without_it_is_drawn(tmp_path) -> None:
    cheapest = plan()
    none = planner.solve(
        replace(cheapest.study, conditions=[planner.Budget(0.4 * cheapest.cost)]), prove=False
    )
    assert none.verdict == "infeasible"
    axes = none.plot()
    assert axes.get_title(loc="left").startswith("Districts: infeasible; without its limits")
    assert any("± 20" in text.get_text() for text in axes.texts)
    assert faults(lambda at: none.plot(ax=at.subplots()), 8.0, 4.8) == []
    none.save(tmp_path / "none.json")
    assert run(["report", str(tmp_path / "none.json"), "-o", str(tmp_path / "none.html")]) in (0, 1)
    page = (tmp_path / "none.html").read_text("utf-8")
    assert "is enough" in page
