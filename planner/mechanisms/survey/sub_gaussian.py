"""Gaussian noise on the mean of numbers in [0, 1], by Hoeffding's bound.

Sample and noise together are sub-Gaussian with variance N/4 + σ² in counts (Hoeffding 1963, proof
of Theorem 2), so the failure probability is at most

    2·exp(−(NT)²/(N/2 + 2σ²)).

The noise is measured by its rate 1/σ.
"""

from planner import numbers
from planner.libraries import np
from planner.numbers import Number


def failure_probability(rate: Number, participants: Number, error: Number) -> Number:
    """The bound, at most 1; numbers, arrays or balls."""
    system = numbers.of(rate, participants, error)
    square = (participants * error * rate) ** 2
    bound = 2 * system.exp(-square / (participants * rate**2 / 2 + 2))
    return system.minimum(bound, system.number(1.0))


def least_rate(participants: Number, error: Number, failure: Number) -> Number:
    """The rate at which the bound is α; ∞ where the sample alone is too far off."""
    system = numbers.of(participants, error, failure)
    logarithm = system.log(2 / failure)
    variance = ((participants * error) ** 2 / logarithm - participants / 2) / 2
    if system is numbers.arrays():
        with np.errstate(divide="ignore"):
            return 1 / np.sqrt(np.maximum(variance, 0.0))
    if variance > 0:
        return 1 / system.sqrt(variance)
    if variance <= 0:
        return system.infinity
    return system.number(0).union(system.infinity)  # too close to call
