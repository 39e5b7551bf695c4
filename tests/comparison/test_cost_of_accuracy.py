"""What accuracy costs: each point is the least cost of a study of its own."""

from dataclasses import replace

import numpy as np
import pytest

import planner
from planner.comparison.cost_of_accuracy import cost_of_accuracy, has_cost_of_accuracy

CLINIC = planner.Study(
    planner.LaplaceMean(analysis="hoeffding"),
    planner.Accuracy(error=0.05, failure=0.05),
    planner.Individual(12.5, 1274.0),
    [planner.Budget(3000.0), planner.MaxParticipants(2000)],
    planner.Costs(per_person=5.0, overhead=2000.0),
)


def test_each_cost_is_that_of_a_study_solved_alone() -> None:
    costs = cost_of_accuracy(CLINIC)
    assert 0.05 in costs.errors
    assert (np.diff(costs.errors) > 0).all()
    rich = replace(CLINIC, conditions=(planner.MaxParticipants(2000),))
    for error, cost in zip(costs.errors, costs.private, strict=True):
        alone = planner.solve(replace(rich, target=planner.Accuracy(float(error), 0.05)))
        if np.isnan(cost):
            assert alone.verdict == "infeasible"
        else:
            assert cost == pytest.approx(alone.cost, rel=1e-9)
    assert np.isnan(costs.private[0])  # 2.5 points take more than 2,000 people


@pytest.mark.slow
def test_the_curves_begin_where_studies_do() -> None:
    """Under a cap on participants errors only a little smaller have no study."""
    few = replace(
        CLINIC, mechanism=planner.LaplaceMean(), conditions=[planner.MaxParticipants(350)]
    )
    costs = cost_of_accuracy(few)
    first = float(costs.errors[np.isfinite(costs.private)][0])
    for error, verdict in ((first, "feasible"), (first * 0.975, "infeasible")):
        assert planner.solve(replace(few, target=planner.Accuracy(error, 0.05))).verdict == verdict
    assert costs.errors[costs.own] == 0.05
    assert costs.not_private is not None
    least = float(costs.errors[np.isfinite(costs.not_private)][0])
    assert least == first  # without privacy 391 people are needed for 5 points


def test_without_privacy_it_is_what_a_comparison_says() -> None:
    costs = cost_of_accuracy(CLINIC)
    at = list(costs.errors).index(0.05)
    assert costs.not_private is not None
    assert costs.not_private[at] == planner.compare(CLINIC).cost.most
    no_worst_cost = replace(CLINIC, individual=planner.Individual(12.5))
    assert cost_of_accuracy(no_worst_cost).not_private is None


def test_a_large_error_ends_at_the_whole_range() -> None:
    wide = replace(CLINIC, target=planner.Accuracy(error=0.4, failure=0.05))
    assert cost_of_accuracy(wide).errors[-1] <= 1


SURVEY = planner.Study(
    planner.AddedNoise("laplace", "hoeffding"),
    planner.Survey([planner.Share("smokes", error=0.05), planner.Share("drinks", error=0.1)], 0.05),
    planner.Individual(12.5, 1274.0),
    [planner.Budget(3000.0), planner.MaxParticipants(2500)],
    planner.Costs(per_person=5.0),
)


@pytest.mark.slow
def test_all_errors_of_a_survey_change_together() -> None:
    costs = cost_of_accuracy(SURVEY)
    assert costs.errors[costs.own] == 1
    for at in (0, 2, 6):
        asked = SURVEY.survey.with_errors_times(float(costs.errors[at]))
        rich = replace(SURVEY, target=asked, conditions=(SURVEY.conditions[1],))
        alone = planner.solve(rich, prove=False)
        if at:
            assert costs.private[at] == pytest.approx(alone.least_cost, rel=0.01)
        else:  # half the errors take more than 2,500 people
            assert np.isnan(costs.private[at])
            assert alone.verdict == "infeasible"
    assert costs.not_private[costs.own] == planner.compare(SURVEY).cost.most


@pytest.mark.slow
def test_the_cost_of_an_exact_survey_is_close_to_that_of_its_plans() -> None:
    exact = replace(SURVEY.by(planner.AddedNoise("laplace")), conditions=())
    costs = cost_of_accuracy(exact)
    for at in (0, 3, 6):
        asked = exact.survey.with_errors_times(float(costs.errors[at]))
        alone = planner.solve(replace(exact, target=asked), prove=False)
        assert costs.private[at] == pytest.approx(alone.least_cost, rel=0.01)


def test_a_study_of_several_errors_whose_costs_take_long_has_none() -> None:
    survey = SURVEY.by(planner.AddedNoise("gaussian"))
    assert not has_cost_of_accuracy(survey)
    with pytest.raises(ValueError, match="several errors or none"):
        cost_of_accuracy(survey)


@pytest.mark.slow
@pytest.mark.parametrize("values", [None, (0.0, 200.0)])
def test_the_cost_of_a_difference_is_close_to_that_of_its_plans(values: tuple | None) -> None:
    """Of shares and of means, the second group counted the other way round."""
    target = planner.Difference(error=0.2, failure=0.05)
    if values is not None:
        target = planner.Difference.of_values(40.0, *values, failure=0.05)
    study = replace(CLINIC, target=target, conditions=()).by(planner.LaplaceMean())
    costs = cost_of_accuracy(study)
    assert costs.errors[costs.own] == 0.2
    for at in (2, 4):
        asked = replace(target, error=float(costs.errors[at]))
        alone = planner.solve(replace(study, target=asked), prove=False)
        assert costs.private[at] == pytest.approx(alone.least_cost, rel=0.01)


def test_a_test_has_no_cost_of_accuracy() -> None:
    """It has a power in the place of an error."""
    groups = planner.Difference(baseline=0.3, change=0.2)
    for target in (groups, planner.Power(0.3, 0.5)):
        study = planner.Study(planner.NoisyCounts(), target, CLINIC.individual)
        assert not has_cost_of_accuracy(study)
