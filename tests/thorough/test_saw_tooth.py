"""Plans under the exact analysis: the numbers of two conclusions that tail bounds get wrong."""

import math
from dataclasses import replace

import numpy as np
import pytest

import planner
from planner import scenarios

COARSE = planner.Accuracy(error=0.21, failure=0.05)  # small studies, which are quick to plan


def exact(mean_study, *args, **kwargs) -> planner.Study:
    return mean_study(*args, analysis="exact", **kwargs)


def worked(name: str) -> planner.Study:
    study = planner.read_study(scenarios.WORKED_STUDIES / f"{name}.toml")
    return replace(study, mechanism=planner.LaplaceMean())


def test_smoking_is_feasible() -> None:
    answer = planner.solve(worked("mean-smoking"))
    assert answer.verdict == "feasible"
    assert answer.proof.checked
    # approached as N grows: E·ln(1/α)/T
    assert answer.least_cost == pytest.approx(254.8 * math.log(20) / 0.05)
    assert answer.least_cost < answer.cost <= 1.01 * answer.least_cost


def test_section_7_3_is_feasible() -> None:
    answer = planner.solve(worked("side-conditions"))
    assert answer.verdict == "feasible"
    least = planner.solve(worked("side-conditions"), minimise="epsilon", prove=False)
    assert least.epsilon == pytest.approx(0.0733, abs=5e-5)
    assert least.participants == 1000


def test_the_fewest_smokers(mean_study) -> None:
    study = exact(mean_study, 254.8)
    fewest = planner.solve(study, minimise="participants", prove=False)
    assert fewest.participants == 534
    none = planner.solve(exact(mean_study, 254.8, planner.MaxParticipants(533)))
    assert none.verdict == "infeasible"
    assert none.proof.method == "certificate"
    assert "at most 533 participants" in none.conflict


def test_no_smaller_study_is_allowed(mean_study) -> None:
    study = exact(mean_study, 12.5, target=COARSE, budget=1000.0)
    found = planner.solve(study, minimise="participants")
    person = study.individual
    for n in range(20, found.participants):
        ceiling = math.log1p(1000 / (n * person.base_cost))
        grid = np.geomspace(0.1, ceiling, 12)
        values = study.mechanism.failure_probability(grid, n, 0.21)
        assert (values > 0.05).all()


def test_the_cheapest_study_with_a_cap_and_with_costs(mean_study) -> None:
    capped = planner.solve(exact(mean_study, 254.8, planner.MaxParticipants(1000)), prove=False)
    assert (capped.participants, capped.attained) == (1000, True)
    assert capped.cost / 254.8 == pytest.approx(76.02, abs=0.01)
    costs = planner.Costs(per_person=5.0)
    study = exact(mean_study, 12.5, costs=costs)
    best = planner.solve(study)
    mechanism = study.mechanism
    for n in (best.participants // 2, best.participants - 40, best.participants + 40, 3000):
        epsilon = mechanism.epsilon_floor(n, 0.05, 0.05)
        assert n * (12.5 * math.expm1(epsilon) + 5) >= best.cost * (1 - 1e-5)


def test_beyond_what_the_noise_alone_asks_nothing_helps(mean_study) -> None:
    most = 30_000 * 0.05 / math.log(20)
    assert planner.solve(exact(mean_study, most * 1.00001)).verdict == "infeasible"
    assert planner.solve(exact(mean_study, most * 0.999)).verdict == "feasible"


def test_impossible_sizes_are_proved_one_by_one(mean_study) -> None:
    # no ε does for 22 people, some does for 23
    none = planner.solve(exact(mean_study, 1e-3, planner.MaxParticipants(22), target=COARSE))
    assert (none.verdict, none.proof.checked) == ("infeasible", True)
    some = planner.solve(exact(mean_study, 1e-3, planner.MaxParticipants(23), target=COARSE))
    assert (some.verdict, some.proof.checked) == ("feasible", True)


def test_an_uncertain_mean_costs_more_than_a_known_one(mean_study) -> None:
    study = exact(mean_study, 254.8, planner.MaxParticipants(1000))
    rare = replace(study, mechanism=planner.LaplaceMean(mean_range=(0.0, 0.1)))
    known, uncertain = (planner.solve(one, prove=False) for one in (rare, study))
    assert known.cost < uncertain.cost


def test_the_size_from_which_an_epsilon_always_works(mean_study) -> None:
    mechanism = planner.LaplaceMean()
    assert mechanism.floor(0.2, 0.05).always_from(30.0, 25, 0.0) == 28
    values = mechanism.failure_probability(30.0, np.arange(25, 60), 0.2)
    assert values[0] <= 0.05 < values[2]  # 25 passes, 27 fails
    assert (values[3:] <= 0.05).all()
    # the noise at the least ε of a plan smooths the teeth away
    plan = planner.solve(exact(mean_study, 12.5, target=COARSE), minimise="participants")
    assert plan.always_from == plan.participants


@pytest.mark.parametrize(
    ("mechanism", "error", "failure", "conditions", "base_cost"),
    [
        (planner.LaplaceMean(), 0.6, 0.001, [planner.MaxParticipants(98)], 12.5),
        (planner.GeometricMean(), 0.6, 0.05, [planner.MaxParticipants(5)], 12.5),
        (planner.LaplaceMean(), 1.0, 0.01, [planner.MaxParticipants(1)], 12.5),
        (planner.LaplaceMean(mean_range=(0.5, 0.5)), 0.6, 1e-12, [planner.MaxParticipants(2)], 0.0),
        (
            planner.LaplaceMean(),
            0.5,
            0.0744,
            [planner.MaxParticipants(11), planner.MaxHarm(0.3037)],
            0.39,
        ),
    ],
)
def test_the_verdict_does_not_depend_on_the_objective(
    mechanism, error, failure, conditions, base_cost
) -> None:
    study = planner.Study(
        mechanism, planner.Accuracy(error, failure), planner.Individual(base_cost), conditions
    )
    prove = error < 1  # at 1 the proof takes many cells
    answers = {
        goal: planner.solve(study, goal, prove=prove)
        for goal in ("cost", "participants", "epsilon")
    }
    assert {answer.verdict for answer in answers.values()} == {"feasible"}
    assert answers["participants"].participants == min(a.participants for a in answers.values())
    assert answers["cost"].cost == min(a.cost for a in answers.values())
    assert answers["epsilon"].epsilon == min(a.epsilon for a in answers.values())


@pytest.mark.parametrize(
    ("mechanism", "error", "failure", "people"),
    [
        (planner.LaplaceMean(), 0.2, 0.00025, 12),  # counts lie on the edges at mean 1/2
        (planner.LaplaceMean(), 1.0, 1e-4, 1),
        (planner.GeometricMean(mean_range=(0.3, 0.3)), 1.87e-05, 0.01, 3),
        (planner.GaussianMean(), 1e-6, 0.01, 8),
        (planner.LaplaceMean(mean_range=(0.3, 0.3)), 0.142844479958259, 0.00031, 22),
        # without noise a count lies on both edges, or beside them
        (planner.GaussianMean(), 0.1, 0.375, 5),
        (planner.GaussianMean(mean_range=(0.2, 0.2)), 0.2, 0.012, 6),
        (planner.LaplaceMean(mean_range=(0.4, 0.9)), 0.25, 0.12, 10),
    ],
)
def test_small_studies_that_no_noise_makes_accurate_are_proved_so(
    mechanism, error, failure, people
) -> None:
    delta = [planner.Delta(1e-6)] if mechanism.uses_delta else []
    budget = [planner.Budget(5525.0)] if error == 1 else []
    study = planner.Study(
        mechanism,
        planner.Accuracy(error, failure),
        planner.Individual(35.0, 50.0),
        [planner.MaxParticipants(people), *delta, *budget],
    )
    assert planner.solve(study).verdict == "infeasible"


def test_the_smallest_error_that_can_be_asked_for(mean_study) -> None:
    least = planner.Accuracy(error=1e-60, failure=0.05)
    assert planner.solve(mean_study(12.5, analysis="exact", target=least)).verdict == "infeasible"


def test_a_cap_on_epsilon_at_the_floor_itself_is_decided() -> None:
    # the quick floor was 1e-5 above the certain one here, and nothing was found between them
    study = planner.Study(
        planner.GeometricMean(),
        planner.Accuracy(0.5887805945149965, 0.23118532974186665),
        planner.Individual(0.0),
        [planner.MaxParticipants(11), planner.EpsilonAtMost(0.2579125)],
    )
    assert planner.solve(study).verdict == "feasible"
