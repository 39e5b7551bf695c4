"""The exact failure probability, against values computed elsewhere and by another method."""

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import planner
from planner.mechanisms.exact.sums.binomial import log_chance, lower_tail, upper_tail
from planner.mechanisms.exact.sums.noisy_count import upper_parts

REFERENCE = Path(__file__).parents[3] / "reference"
CASES = json.loads((REFERENCE / "exact_failure.json").read_text("utf-8"))["cases"]
# made by reference/make_noisy_count.py
BY_BALLS = json.loads((REFERENCE / "noisy_count.json").read_text("utf-8"))


def failure(case: dict) -> float:
    """Both sides, from exact fractions."""
    n, epsilon = case["participants"], np.float64(case["epsilon"])
    mean, error = Fraction(case["exact"]["mean"]), Fraction(case["exact"]["error"])
    total = 0.0
    for m in (mean, 1 - mean):
        level = n * m + n * error
        rise = np.float64(math.ceil(level) - level) if case["noise"] == "geometric" else None
        sides = upper_parts(np.float64(n), np.float64(m), np.float64(n * error), epsilon, rise)
        total += float(sum(sides))
    return total


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['noise']}-{c['participants']}")
def test_reference(case: dict) -> None:
    assert failure(case) == pytest.approx(case["failure"], rel=1e-9)


def test_reference_through_the_mechanism() -> None:
    for case in CASES:
        if case["noise"] == "laplace" and len(case["exact"]["error"]) < 6:
            mechanism = planner.LaplaceMean(mean_range=(case["mean"], case["mean"]))
            found = mechanism.failure_probability(
                case["epsilon"], case["participants"], case["error"]
            )
            assert found == pytest.approx(case["failure"], rel=1e-9)


@pytest.mark.parametrize("within", [1e-9, 1e-7])
def test_random_points_by_balls(within: float) -> None:
    points = [case for case in BY_BALLS if case["within"] == within]
    assert len(points) == {1e-9: 200, 1e-7: 20}[within]
    for case in points:
        assert failure(case) == pytest.approx(case["failure"], rel=within, abs=0), case


def test_a_deviation_rounded_below_no_one_is_no_one() -> None:
    # at N beyond 10^15, N − Nμ is rounded by more than the people that are missing
    n, k, half = np.float64(10), np.float64(9), np.float64(0.5)
    assert float(log_chance(n, k, half, half, np.float64(5 + 1e-9))) < math.log(0.5**10)


@pytest.mark.parametrize("mean", [0.0, 1.0])
def test_without_sampling_error_the_noise_is_left(mean: float) -> None:
    mechanism = planner.LaplaceMean(mean_range=(mean, mean))
    assert mechanism.failure_probability(0.3, 100, 0.05) == pytest.approx(math.exp(-0.3 * 5))


def test_huge_epsilon_leaves_the_sample() -> None:
    from scipy.stats import binom

    mechanism = planner.LaplaceMean(mean_range=(0.5, 0.5))
    left = binom.cdf(44, 100, 0.5) * 2  # off by 5.5 people or more
    assert mechanism.failure_probability(700.0, 100, 0.055) == pytest.approx(left)


def test_arrays_broadcast() -> None:
    mechanism = planner.LaplaceMean(mean_range=(0.3, 0.3))
    epsilon = np.array([0.01, 0.1, 5.0])[:, None]
    n = np.array([10, 1000, 10**6])
    found = mechanism.failure_probability(epsilon, n, 0.05)
    assert found.shape == (3, 3)
    for i, e in enumerate(epsilon[:, 0]):
        for j, size in enumerate(n):
            one = mechanism.failure_probability(float(e), int(size), 0.05)
            assert found[i, j] == pytest.approx(one, rel=1e-12)


@pytest.mark.parametrize("mechanism", [planner.LaplaceMean(), planner.GeometricMean()])
def test_parts_of_people_are_refused(mechanism: planner.LaplaceMean) -> None:
    with pytest.raises(ValueError, match="participants must be whole"):
        mechanism.failure_probability(0.1, 10.5, 0.05)
    with pytest.raises(ValueError, match="participants must be whole"):
        mechanism.epsilon_floor(np.array([10.0, 10.5]), 0.05, 0.05)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "mean", "deviations"),
    [
        (1e13, 0.5, -3.0),
        (1e13, 0.3, -0.01),
        (1e13, 0.875, 0.0),
        (8e15, 0.3, 0.5),
        (8e15, 0.5, 4.0),
        (8e15, 0.875, 30.0),
    ],
)
def test_tails_of_huge_counts_are_those_of_balls(n: float, mean: float, deviations: float) -> None:
    from flint import arb, ctx

    k = math.ceil(n * mean + deviations * math.sqrt(n * mean * (1 - mean)))
    before, ctx.prec = ctx.prec, 400
    try:
        p, other = arb(mean), arb(1 - mean)
        over = float(p.beta_lower(arb(k), arb(int(n) - k + 1), regularized=True))
        under = float(other.beta_lower(arb(int(n) - k), arb(k + 1), regularized=True))
    finally:
        ctx.prec = before
    count = np.array([float(k)])
    found = upper_tail(np.array([n]), count, np.array([mean]))
    assert found[0] == pytest.approx(over, rel=1e-8, abs=0)
    below = lower_tail(np.array([n]), count, np.array([1 - mean]))
    assert below[0] == pytest.approx(under, rel=1e-8, abs=0)
