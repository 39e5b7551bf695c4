import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import expit

from planner.mechanisms import ExponentialQuantile, quantile


def by_splits(epsilon: float, n: int, error: float, candidates: int) -> float:
    """The bound at the best split, by SciPy's minimiser from many starts."""

    def bound(s: float) -> float:
        odds = math.log(candidates - 1) - epsilon * n * (1 - s) * error / 2
        return float(2 * math.exp(-2 * n * (s * error) ** 2) + expit(odds))

    ends = np.linspace(0, 1, 40)
    cells = pairwise(ends)
    return min(
        minimize_scalar(bound, bounds=cell, method="bounded", options={"xatol": 1e-12}).fun
        for cell in cells
    )


def test_the_bound_at_half_the_error() -> None:
    mechanism = ExponentialQuantile(candidates=100)
    assert quantile._bound(mechanism, 0.5, 0.3, 4000, 0.05) == pytest.approx(
        0.0135061774108, rel=1e-11
    )


@pytest.mark.parametrize(
    ("epsilon", "n", "error", "candidates"),
    [
        (0.3, 4000, 0.05, 100),
        (0.05, 4000, 0.05, 100),
        (1.0, 300, 0.1, 2),
        (0.01, 10**6, 0.01, 10**6),
    ],
)
def test_the_bound_at_the_best_split(epsilon: float, n: int, error: float, candidates: int) -> None:
    mechanism = ExponentialQuantile(candidates=candidates)
    by_scipy = min(by_splits(epsilon, n, error, candidates), 1.0)
    assert mechanism.failure_probability(epsilon, n, error) == pytest.approx(by_scipy, rel=1e-9)


@pytest.mark.parametrize("failure", [1e-12, 0.01, 0.2])
def test_the_floor_is_the_inverse(failure: float) -> None:
    mechanism = ExponentialQuantile(candidates=50)
    n = np.array([2000.0, 5000.0, 10**6])
    floors = mechanism.epsilon_floor(n, 0.09, failure)
    assert mechanism.failure_probability(floors, n, 0.09) == pytest.approx(failure, rel=1e-9)
    alone = [mechanism.epsilon_floor(float(size), 0.09, failure) for size in n]
    assert floors == pytest.approx(alone, rel=1e-12)
    assert n[-1] * floors[-1] == pytest.approx(mechanism.n_epsilon_floor(0.09, failure), rel=0.05)


def test_no_epsilon_where_the_sample_alone_is_too_far_off() -> None:
    assert ExponentialQuantile(candidates=50).epsilon_floor(100.0, 0.05, 0.01) == math.inf


def test_the_n_epsilon_never_rises_and_is_convex() -> None:
    n = np.linspace(1100, 30_000, 60)
    floors = ExponentialQuantile(candidates=100).epsilon_floor(n, 0.05, 0.01)
    assert np.all(np.diff(n * floors) < 0)
    assert np.all(np.diff(n * floors, 2) > -1e-9)


def test_no_split_has_a_lower_bound() -> None:
    """Also where the bound has several valleys: of those the floats may find another."""
    rng = np.random.default_rng(4)
    places = np.linspace(0, 1, 4001)
    for _ in range(100):
        candidates = int(rng.choice([2, 10, 10**4, 10**9]))
        n, error = int(np.exp(rng.uniform(4, 12))), float(np.exp(rng.uniform(-4, 0)))
        epsilon = float(np.exp(rng.uniform(-1, 6))) / (n * error)
        odds = math.log(candidates - 1) - epsilon * n * (1 - places) * error / 2
        least = np.min(2 * np.exp(-2 * n * (places * error) ** 2) + expit(odds))
        found = ExponentialQuantile(candidates=candidates).failure_probability(epsilon, n, error)
        assert found >= min(least, 1.0) * (1 - 1e-2)
        assert found <= least * (1 + 1e-9) or least > 0.25


def test_the_error_is_in_rank_whatever_the_values() -> None:
    """Draws as the mechanism does, with ties and gaps, fail no more often than the bound says."""
    rng = np.random.default_rng(1)
    n, k, epsilon, error, at = 400, 12, 0.35, 0.12, 0.5
    population = np.array([0.3, 0.05, 0.0, 0.0, 0.2, 0.0, 0.05, 0.05, 0.1, 0.05, 0.1, 0.1])
    share = np.concatenate([[0.0], np.cumsum(population)])
    distance = np.maximum(0, np.maximum(share[:-1] - at, at - share[1:]))
    runs, failed = 4000, 0
    counts = np.concatenate(
        [np.zeros((runs, 1)), np.cumsum(rng.multinomial(n, population, runs), axis=1)], axis=1
    )
    below, upto = counts[:, :-1], counts[:, 1:]
    utility = -np.maximum(0, np.maximum(below - n * at, n * at - upto))
    drawn = np.argmax(epsilon * utility / 2 + rng.gumbel(size=utility.shape), axis=1)
    failed = int(np.sum(distance[drawn] >= error - 1e-12))
    bound = ExponentialQuantile(candidates=k).failure_probability(epsilon, n, error)
    assert 0 < failed / runs <= bound


@pytest.mark.parametrize("candidates", [1, 0, 2.5, 10**10, True])
def test_refusals(candidates: object) -> None:
    with pytest.raises(ValueError, match="a whole number of candidates from 2"):
        ExponentialQuantile(candidates=candidates)  # type: ignore[arg-type]


@pytest.mark.parametrize("candidates", [2, 3])
def test_where_any_candidate_may_do_any_epsilon_does(candidates: int) -> None:
    mechanism = ExponentialQuantile(candidates=candidates)
    failure = 1 - 0.9 / candidates
    floor = float(mechanism.epsilon_floor(10**4, 0.2, failure))
    assert 0 < floor < 1e-12
    assert mechanism.failure_probability(floor, 10**4, 0.2) <= failure
    assert mechanism.n_epsilon_floor(0.2, failure) == pytest.approx(floor * 10**4)
