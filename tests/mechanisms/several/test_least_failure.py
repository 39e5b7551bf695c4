"""Bounds from below for all sizes of a range, against the exact failure probability."""

from fractions import Fraction

import pytest
from flint import arb

from planner.mechanisms.exact.exponential_noise import LAPLACE
from planner.mechanisms.exact.gaussian_noise import GAUSSIAN
from planner.mechanisms.exact.sizes import FAILS_WITH
from planner.mechanisms.exact.with_replacement import BINOMIAL
from planner.numbers import decimal

NOISES = {"laplace": LAPLACE, "gaussian": GAUSSIAN}


def exactly(kind: str, signal: float, error: float, n: int) -> arb:
    """The failure probability at mean 1/2."""
    rate, excess = arb(signal) / n, n * decimal(error)
    noise = NOISES[kind].ball(rate, rate)
    return BINOMIAL.failure_ball(noise, n, Fraction(1, 2), excess, excess)


@pytest.mark.parametrize("kind", NOISES)
@pytest.mark.parametrize("error", [0.01, 0.03, 0.1, 0.4])
@pytest.mark.parametrize("n", [3, 30, 201, 1313, 4000])
def test_never_over_the_exact_one(kind: str, error: float, n: int) -> None:
    for signal in (0.5, 3, 10, 50, 100, 300, 1000):
        bound = FAILS_WITH[kind](arb(signal), error, n, n)
        assert float(bound.lower()) <= float(exactly(kind, signal, error, n).upper())
        assert float(bound.rad()) < 1e-14


@pytest.mark.parametrize("kind", NOISES)
def test_holds_for_every_size_of_the_range(kind: str) -> None:
    for signal in (20, 80, 150):
        bound = FAILS_WITH[kind](arb(signal), 0.03, 1000, 1100)
        assert bound > 0
        assert all(bound <= exactly(kind, signal, 0.03, n) for n in range(1000, 1101, 7))


@pytest.mark.parametrize("kind", NOISES)
def test_falls_with_the_signal(kind: str) -> None:
    values = [
        float(FAILS_WITH[kind](arb(signal), 0.03, 2000, 2100).mid()) for signal in range(1, 600, 3)
    ]
    assert values == sorted(values, reverse=True)
    assert values[-1] > 0


@pytest.mark.parametrize(("kind", "close"), [("laplace", 0.99), ("gaussian", 0.94)])
def test_close_in_large_studies(kind: str, close: float) -> None:
    bound = FAILS_WITH[kind](arb(100), 0.03, 4000, 4000)
    assert float(bound / exactly(kind, 100, 0.03, 4000)) > close
