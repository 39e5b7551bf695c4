"""Studies that cost nothing: plans, pictures, reports and comparisons without a word of money."""

import re
from dataclasses import replace
from pathlib import Path

import matplotlib
import pytest
from matplotlib.figure import Figure

import figures.money
import planner
from planner.answer.answers import Plan, TotalPlan
from planner.explanation.accepted import accepted
from planner.explanation.papers.consent import consent
from planner.explanation.papers.methods import methods
from planner.explanation.results.rows import headline

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


@pytest.mark.slow
@pytest.mark.parametrize("kind", FREE)
def test_a_study_that_costs_nothing_is_planned_and_drawn_without_money(kind: str) -> None:
    plan = planner.solve(FREE[kind], prove=False)
    assert (plan.verdict, plan.cost, plan.compensation) == ("feasible", 0.0, 0.0)
    assert plan.epsilon <= 1
    figure = Figure()
    figures.money.draw(figure, plan)
    titles = " ".join(axes.get_title() for axes in figure.axes)
    assert "Cost" not in titles


@pytest.mark.slow
def test_a_report_of_a_study_that_costs_nothing_has_no_picture_of_money(tmp_path: Path) -> None:
    page = str(planner.report(FREE["proportion"]))
    assert "The money" not in page
    assert "feasible" in page


@pytest.mark.slow
def test_strata_that_cost_nothing_are_planned_with_the_people_of_a_study_by_itself() -> None:
    target = planner.Accuracy(failure=0.1)
    free = planner.solve(planner.Study(target=target, conditions=CAP, strata=STRATA))
    costs = planner.Costs(per_person=1.0)
    paid = planner.solve(planner.Study(target=target, conditions=CAP, strata=STRATA, costs=costs))
    assert (free.verdict, free.cost) == ("feasible", 0.0)
    assert free.proof.checked
    assert paid.participants <= free.participants <= 1.02 * paid.participants


@pytest.mark.slow
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


@pytest.mark.parametrize("kind", [*FREE, "strata"])
def test_nothing_that_people_read_speaks_of_money_that_is_not_paid(kind: str) -> None:
    """Neither the answer nor the papers for those who take part, sign or write about it."""
    strata = planner.Study(target=planner.Accuracy(failure=0.1), conditions=CAP, strata=STRATA)
    plan = planner.solve({**FREE, "strata": strata}[kind], prove=False)
    said = [str(plan), plan.proof.statement, *accepted(plan), str(consent(plan))]
    text = " ".join([*said, str(methods(plan))])
    for words in (r"0\.00(?!\d)", "each person is paid", "in total", "economic method"):
        assert not re.search(words, text), words
    assert "nobody is paid" in headline(plan)
    assert "We do not pay you" in text


@pytest.mark.parametrize(
    ("costs", "paid"),
    [
        (planner.Costs(per_person=3.0), "nobody is paid, "),
        (planner.Costs(incentive=4.0), "4.00 each"),
        (planner.Costs(overhead=50.0), "nobody is paid, 50.00 in total"),
    ],
)
def test_other_costs_are_told_apart_from_payments(costs: planner.Costs, paid: str) -> None:
    plan = planner.solve(replace(FREE["proportion"], costs=costs), prove=False)
    assert paid in headline(plan)
    assert plan.cost > 0
    assert "total cost" in str(plan)


@pytest.mark.slow
def test_a_comparison_of_studies_that_cost_nothing_counts_people() -> None:
    comparison = planner.compare(FREE["proportion"])
    shown = f"{comparison} {planner.report(FREE['proportion'])}"
    plan, other = comparison.private, comparison.participants
    assert comparison.verdict == "equal"
    assert isinstance(plan, Plan)
    assert other is not None
    assert plan.participants > other.most
    assert f"the private study takes {plan.participants} people" in str(comparison)
    assert not re.search(r"\b0\.00\b|total cost|exposed|Which inputs matter", shown)


def test_a_study_without_a_limit_on_epsilon_says_what_to_give() -> None:
    unlimited = planner.solve(planner.Study(target=planner.Accuracy(0.1, 0.1)))
    assert "epsilon_at_most" in " ".join(unlimited.notes)
    for limited in (FREE["proportion"], planner.Study(
        target=planner.Accuracy(0.1, 0.1), costs=planner.Costs(per_person=1.0)
    )):  # fmt: skip
        assert "nothing limits ε" not in " ".join(planner.solve(limited).notes)


@pytest.mark.slow
def test_what_to_relax_of_a_study_that_costs_nothing_counts_people() -> None:
    survey = FREE["survey"]
    few = replace(survey, conditions=[*CAP, planner.MaxParticipants(30)])
    said = f"{planner.limits(few)} {planner.limits(FREE['proportion'])} {planner.drops(survey)}"
    assert "any value is possible of the margin of error and the cap on ε" in said
    assert not re.search(r"\b0\.00\b|for 0|costs|base cost", said)


OWN = planner.Study(
    target=planner.Accuracy(failure=0.1), conditions=CAP, costs=planner.Costs(2.0), strata=STRATA
)
FOR_ALL = replace(
    OWN,
    target=planner.Accuracy(0.1, failure=0.1),
    strata=[planner.Stratum("A", share=0.4), planner.Stratum("B", share=0.6)],
)


@pytest.mark.slow
@pytest.mark.parametrize("study", [OWN, FOR_ALL])
def test_strata_whose_people_are_paid_nothing_say_so(study: planner.Study) -> None:
    said = str(planner.solve(study))
    assert "nobody is paid" in said
    assert not re.search(r"\b0\.00\b", said)
