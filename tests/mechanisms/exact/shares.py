"""Noisy shares at given means, by the parts that the program adds up."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from planner import numbers
from planner.mechanisms.exact.failure import SHARES, Asked
from planner.mechanisms.exact.with_replacement import BINOMIAL
from planner.numbers import decimal

ALL = (0.0, 1.0)
ball = numbers.balls().number


def failure_at(kind: str, rate, n, error, mean) -> np.ndarray:
    """The failure probability with smooth noise at given means; arrays broadcast."""
    rate, n, mean = np.broadcast_arrays(rate, n, mean)
    return SHARES[kind].noise.parts(rate, n.astype(float), mean, n * error, n * error).sum(axis=0)


def at_fractions(epsilon: float, n: int, error: float, means: Sequence[Fraction]) -> np.ndarray:
    """The failure probability with geometric noise at means that are fractions."""
    return SHARES["geometric"].at(np.array([epsilon]), float(n), error, means)[0]


def enclosed(kind: str, rates, n: int, error: float, mean: float, failure: float = 1.0):
    """The failure probability in balls, with a rate inside and one outside."""
    noise, excess = SHARES[kind].noise.ball(*(ball(rate) for rate in rates)), n * decimal(error)
    return BINOMIAL.failure_ball(noise, n, decimal(mean), excess, excess, failure)


def asked_in_balls(error: float, failure: float, mean_range=ALL) -> Asked:
    """What is asked where something is proved."""
    return Asked(ball(error), ball(failure), mean_range)


def worst_mean(kind: str, rate, n, error, mean_range=ALL, tolerance=None, sufficient=0.0):
    """The bracket of the largest failure probability."""
    asked = Asked(error, sufficient, mean_range)
    return SHARES[kind].worst_mean(rate, float(n), asked, tolerance)
