"""Bounds from below for all sizes of a range, against the exact failure probability."""

from fractions import Fraction

import pytest
from flint import arb

from planner.mechanisms.exact.balls import exact_edges, failure_ball, rational
from planner.mechanisms.exact.least_failure import laplace
from planner.mechanisms.exact.noise_balls import Exponential
from planner.numbers import decimal


def exactly(signal: float, error: float, n: int) -> arb:
    """The failure probability at mean 1/2."""
    half, rate = Fraction(1, 2), arb(signal) / n
    edges = exact_edges(n, decimal(error), half)
    return failure_ball(Exponential(rate, rate), n, edges, rational(half))


@pytest.mark.parametrize("error", [0.01, 0.03, 0.1, 0.4])
@pytest.mark.parametrize("n", [3, 30, 201, 1313, 4000])
def test_never_over_the_exact_one(error: float, n: int) -> None:
    for signal in (0.5, 3, 10, 50, 100, 300, 1000):
        bound, exact = laplace(arb(signal), error, n, n), exactly(signal, error, n)
        assert float(bound.lower()) <= float(exact.upper())
        assert float(bound.rad()) < 1e-15


def test_holds_for_every_size_of_the_range() -> None:
    for signal in (20, 80, 150):
        bound = laplace(arb(signal), 0.03, 1000, 1100)
        assert bound > 0
        assert all(bound <= exactly(signal, 0.03, n) for n in range(1000, 1101, 7))


def test_falls_with_the_signal() -> None:
    values = [float(laplace(arb(signal), 0.03, 2000, 2100).mid()) for signal in range(1, 600, 3)]
    assert values == sorted(values, reverse=True)
    assert values[-1] > 0


def test_close_in_large_studies() -> None:
    assert float(laplace(arb(100), 0.03, 4000, 4000) / exactly(100, 0.03, 4000)) > 0.99
