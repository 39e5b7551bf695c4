"""Studies that cost nothing: plans, pictures, reports and comparisons without a word of money."""

from pathlib import Path

import matplotlib
import pytest
from matplotlib.figure import Figure

import figures.money
import planner
from planner.answer.answers import TotalPlan

matplotlib.use("agg")
CAP = [planner.EpsilonAtMost(1.0)]
STRATA = [planner.Stratum("A", share=0.4, error=0.1), planner.Stratum("B", share=0.6, error=0.12)]
FREE = {
    "proportion": planner.Study(target=planner.Accuracy(0.1, 0.1), conditions=CAP),
    "mean": planner.Study(target=planner.Accuracy.of_values(3.0, 0.0, 20.0, 0.1), conditions=CAP),
    "survey": planner.Study(
        target=planner.Survey(
            [planner.Share("a", 0.1), planner.Mean("b", low=0.0, high=9.0, error=1.5)],
            failure=0.1,
        ),
        conditions=CAP,
    ),
    "test": planner.Study(target=planner.Power(null=0.3, alternative=0.5), conditions=CAP),
    "cards": planner.Study(
        planner.RandomizedResponse(), planner.Accuracy(0.2, 0.1), conditions=CAP
    ),
}


@pytest.mark.parametrize("kind", FREE)
def test_a_study_that_costs_nothing_is_planned_and_drawn_without_money(kind: str) -> None:
    plan = planner.solve(FREE[kind], prove=False)
    assert (plan.verdict, plan.cost, plan.compensation) == ("feasible", 0.0, 0.0)
    assert plan.epsilon <= 1
    figure = Figure()
    figures.money.draw(figure, plan)
    titles = " ".join(axes.get_title() for axes in figure.axes)
    assert "Cost" not in titles


def test_a_report_of_a_study_that_costs_nothing_has_no_picture_of_money(tmp_path: Path) -> None:
    page = str(planner.report(FREE["proportion"]))
    assert "The money" not in page
    assert "feasible" in page


def test_strata_that_cost_nothing_are_planned_with_the_people_of_a_study_by_itself() -> None:
    target = planner.Accuracy(failure=0.1)
    free = planner.solve(planner.Study(target=target, conditions=CAP, strata=STRATA))
    costs = planner.Costs(per_person=1.0)
    paid = planner.solve(planner.Study(target=target, conditions=CAP, strata=STRATA, costs=costs))
    assert (free.verdict, free.cost) == ("feasible", 0.0)
    assert free.proof.checked
    assert paid.participants <= free.participants <= 1.02 * paid.participants


def test_two_studies_that_cost_nothing_cost_the_same() -> None:
    found = planner.compare(FREE["proportion"])
    assert found.verdict == "equal"
    assert "both studies cost the same" in str(found)


def test_one_answer_of_strata_that_costs_nothing_takes_the_fewest_people() -> None:
    strata = [planner.Stratum("A", share=0.4), planner.Stratum("B", share=0.6)]

    def solve(per_person: float) -> TotalPlan:
        costs = planner.Costs(per_person=per_person)
        target = planner.Accuracy(0.1, 0.1)
        study = planner.Study(target=target, conditions=CAP, costs=costs, strata=strata)
        return planner.solve(study)

    free, paid = solve(0.0), solve(1.0)
    assert (free.verdict, free.cost, free.participants) == ("feasible", 0.0, paid.participants)
    assert max(one.epsilon for one in free.strata) <= 1
    assert free.proof.checked
