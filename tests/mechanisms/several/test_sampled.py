"""Surveys of samples as they are: a population, clusters, a design effect; by Hoeffding's bound."""

import numpy as np
import pytest
from scipy.stats import hypergeom

import planner
from planner.answer.problem.survey import asked

QUESTIONS = (
    planner.Share("smokes", error=0.05),
    planner.Histogram("age group", groups=8, error=0.05),
    planner.Mean("cigarettes", low=0, high=60, error=3.0),
)


def study(
    budget: float = 300_000.0,
    questions: tuple[object, ...] = QUESTIONS,
    mechanism: object = None,
    conditions: tuple[object, ...] = (),
    **sampling: object,
) -> planner.Study:
    return planner.Study(
        mechanism or planner.AddedNoise(noise="laplace", analysis="hoeffding"),
        planner.Survey(questions, failure=0.05),
        planner.Individual(12.5, 1274.0),
        [planner.Budget(budget), *conditions],
        planner.Costs(5.0),
        sampling=planner.Sampling(**sampling),
    )


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
@pytest.mark.parametrize("sampling", [{"design_effect": 2.0}, {"clusters_of": 2}])
def test_people_count_as_half_and_the_noise_as_ever(noise, sampling) -> None:
    mechanism = planner.AddedNoise(noise=noise, analysis="hoeffding")
    delta = (planner.Delta(1e-6),) if noise == "gaussian" else ()
    halved = asked(study(mechanism=mechanism, conditions=delta, **sampling)).floor
    simple = asked(study(mechanism=mechanism, conditions=delta)).floor
    for a, b in zip(halved.parts, simple.parts, strict=True):
        for n in (3000.0, np.array([3000.0, 9000.0])):
            half = b.at(0.01).epsilon(n / 2, 0.0)
            assert a.at(0.01).epsilon(n, 0.0) == pytest.approx(half / 2, rel=1e-9)
            assert a.at(0.01).achieved(0.02, 3000.0, 0.0) == pytest.approx(
                b.at(0.01).achieved(0.04, 1500.0, 0.0), rel=1e-9
            )


@pytest.mark.parametrize("people", [3000, 5000])
def test_no_share_of_a_population_fails_more_often_than_planned(people) -> None:
    plan = planner.solve(study(population=people), prove=True)
    assert plan.verdict == "feasible"
    assert not plan.proof.checked  # no rule of the checker is about such a survey
    n, k = plan.participants, np.arange(plan.participants + 1)
    share, histogram = plan.questions[0], plan.questions[1]
    for having in (people // 4, people // 2):
        off = k / n - having / people
        for question, times in ((share, 1), (histogram, 8)):
            reach = (0.05 - off) / question.scale, (0.05 + off) / question.scale
            tails = (
                np.where(t > 0, np.exp(-np.abs(t)) / 2, 1 - np.exp(-np.abs(t)) / 2) for t in reach
            )
            failing = hypergeom.pmf(k, people, having, n) @ sum(tails)
            assert times * failing <= question.failure


def test_fewer_people_than_the_population_are_enough_for_less_money() -> None:
    costs = [planner.solve(study(**s)).cost for s in ({"population": 5000}, {}, {"clusters_of": 3})]
    assert costs == sorted(costs)
    census = planner.solve(study(population=600))
    assert census.participants <= 600
    assert planner.simulate(census, seed=1, runs=2000).rate <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("sampling", [{"population": 5000}, {"design_effect": 1.5}])
def test_for_less_money_none_is_found_and_that_is_not_proved(sampling) -> None:
    cost = planner.solve(study(**sampling)).cost
    none = planner.solve(study(0.9 * cost, **sampling), prove=True)
    assert none.verdict == "undecided"
    assert "does not prove that none exists" in none.proof.statement


@pytest.mark.slow
def test_a_large_population_is_planned_as_one_without_end() -> None:
    exact = planner.AddedNoise()
    large = planner.solve(study(mechanism=exact, population=200_000))
    endless = planner.solve(study(mechanism=exact))
    assert (large.participants, large.epsilon) == (endless.participants, endless.epsilon)
    assert "without end, which is safe" in " ".join(large.notes)
