"""The mean with Gaussian noise: plans at fixed and free δ, refusals."""

import math

import numpy as np
import pytest

import planner
from planner.checked import Refused
from planner.privacy import gaussian

TARGET = planner.Accuracy(error=0.21, failure=0.05)  # small studies, which are quick to plan


def study(*conditions, base_cost=12.5, worst_cost=12_500.0, **rest) -> planner.Study:
    return planner.Study(
        mechanism=planner.GaussianMean(),
        target=TARGET,
        individual=planner.Individual(base_cost, worst_cost),
        conditions=[planner.Budget(30_000), *conditions],
        **rest,
    )


def test_failure_and_floor_agree() -> None:
    mechanism = planner.GaussianMean()
    floor = mechanism.epsilon_floor(1000, 0.05, 0.05, 1e-6)
    assert mechanism.failure_probability(floor, 1000, 0.05, 1e-6) == pytest.approx(0.05, rel=1e-4)
    noise_alone = mechanism.floor(0.05, 0.05).noise_alone(1000, 1e-6)
    assert 0.7 * floor < noise_alone < floor
    quick = mechanism.floor(0.05, 0.05).approximate(np.array([1000, 2000]), 1e-6)
    assert quick[0] == pytest.approx(floor, rel=1e-3)
    assert mechanism.failure_probability(1.0, 1000, 0.05) == 1.0
    assert mechanism.epsilon_floor(1000, 0.05, 0.05) == math.inf
    assert mechanism.n_epsilon_floor(0.05, 0.05) == math.inf


@pytest.mark.slow
def test_a_plan_at_a_fixed_delta() -> None:
    answer = planner.solve(study(planner.Delta(1e-6), planner.MaxParticipants(57)))
    assert (answer.verdict, answer.proof.checked, answer.participants) == ("feasible", True, 57)
    # the noise that the plan adds, and what it does to a million simulated studies
    scale = gaussian.scale(answer.epsilon, answer.delta)
    rng = np.random.default_rng(0)
    off = rng.binomial(57, 0.5, 10**6) - 28.5 + rng.normal(scale=scale, size=10**6)
    assert np.mean(np.abs(off) >= 57 * 0.21) == pytest.approx(answer.failure, abs=7e-4)
    assert answer.cost == pytest.approx(57 * (math.expm1(answer.epsilon) * 12.5 + 0.0125))


@pytest.mark.slow
def test_the_fewest_people() -> None:
    answer = planner.solve(study(planner.Delta(1e-6)), minimise="participants", prove=False)
    assert answer.participants == 26
    fewer = np.arange(15, 26)
    floors = answer.study.mechanism.floor(0.21, 0.05).approximate(fewer, 1e-6)
    assert (floors > np.log1p((30_000 / fewer - 0.0125) / 12.5)).all()


@pytest.mark.slow
def test_no_study_at_a_fixed_delta() -> None:
    none = planner.solve(study(planner.Delta(1e-6), planner.MaxParticipants(20), base_cost=50.0))
    assert (none.verdict, none.proof.checked) == ("infeasible", True)
    beyond = planner.solve(study(planner.Delta(0.0)))
    assert beyond.verdict == "infeasible"


def test_the_best_delta_is_where_harm_by_epsilon_and_by_delta_balance() -> None:
    found = planner.solve(
        study(planner.MaxParticipants(57), planner.DeltaTimesNAtMost(1.0), worst_cost=5e5)
    )
    assert found.proof.checked
    scale = gaussian.scale(found.epsilon, found.delta)
    # dδ/dε = −e^ε·Q(b) at fixed σ, so the cost is least where Q(b) = E/W
    b = found.epsilon * scale + 1 / (2 * scale)
    assert 0.5 * math.erfc(b / math.sqrt(2)) == pytest.approx(12.5 / 5e5, rel=0.3)
    for factor in (0.5, 2.0):
        other = planner.solve(
            study(planner.MaxParticipants(57), planner.Delta(found.delta * factor), worst_cost=5e5),
            prove=False,
        )
        assert other.cost > found.cost


def test_refusals() -> None:
    with pytest.raises(Refused, match="give the lower end first"):
        planner.GaussianMean(mean_range=(0.5, 0.1))
    with pytest.raises(ValueError, match="participants must be whole"):
        planner.GaussianMean().failure_probability(1.0, 10.5, 0.1, 1e-6)
    with pytest.raises(Refused, match="give the individual a worst_cost"):
        study(planner.Delta(1e-6), worst_cost=None)


def test_failures_below_what_sums_resolve_are_refused_with_the_range() -> None:
    mechanism = planner.GaussianMean(mean_range=(0.0, 0.0))
    with pytest.raises(ValueError, match="at least 1e-12"):
        mechanism.epsilon_floor(1, 0.4, 1e-13, 1e-6)
    assert mechanism.epsilon_floor(1, 0.4, 1e-12, 1e-6) < 1e4


def test_one_mean_is_a_number_for_numbers_and_an_array_for_arrays() -> None:
    one = planner.GaussianMean(mean_range=(0.3, 0.3)).failure_probability
    value = one(0.5, 2, 0.2, 0.01)
    assert isinstance(value, float)
    assert one(np.array([0.5, 0.5]), 2, 0.2, 0.01).tolist() == [value, value]
