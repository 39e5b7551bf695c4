"""Bounds from below for all sizes of a range, against the exact failure probability."""

from fractions import Fraction

import pytest
from flint import arb

from planner.mechanisms.exact.exponential_noise import LAPLACE
from planner.mechanisms.exact.sizes import laplace_fails_with
from planner.mechanisms.exact.with_replacement import BINOMIAL
from planner.numbers import decimal


def exactly(n_epsilon: float, error: float, n: int) -> arb:
    """The failure probability at mean 1/2."""
    rate, excess = arb(n_epsilon) / n, n * decimal(error)
    return BINOMIAL.failure_ball(LAPLACE.ball(rate, rate), n, Fraction(1, 2), excess, excess)


@pytest.mark.parametrize("error", [0.01, 0.03, 0.1, 0.4])
@pytest.mark.parametrize("n", [3, 30, 201, 1313, 4000])
def test_never_over_the_exact_one(error: float, n: int) -> None:
    for n_epsilon in (0.5, 3, 10, 50, 100, 300, 1000):
        bound, exact = laplace_fails_with(arb(n_epsilon), error, n, n), exactly(n_epsilon, error, n)
        assert float(bound.lower()) <= float(exact.upper())
        assert float(bound.rad()) < 1e-15


def test_holds_for_every_size_of_the_range() -> None:
    for n_epsilon in (20, 80, 150):
        bound = laplace_fails_with(arb(n_epsilon), 0.03, 1000, 1100)
        assert bound > 0
        assert all(bound <= exactly(n_epsilon, 0.03, n) for n in range(1000, 1101, 7))


def test_falls_with_the_n_epsilon() -> None:
    values = [
        float(laplace_fails_with(arb(n_epsilon), 0.03, 2000, 2100).mid())
        for n_epsilon in range(1, 600, 3)
    ]
    assert values == sorted(values, reverse=True)
    assert values[-1] > 0


def test_close_in_large_studies() -> None:
    assert float(laplace_fails_with(arb(100), 0.03, 4000, 4000) / exactly(100, 0.03, 4000)) > 0.99
