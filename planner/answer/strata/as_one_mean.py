"""The answer of a stratified sample as a mean of one sample: how seldom it is off.

Let the mean of stratum g be of n_g independent values from 0 to 1, which count W_g/n_g each, v the
largest of these, n = Σ n_g and w = nv ≥ 1. Over v the answer is the sum of n independent values
from 0 to 1, with noise of scale b/v. So it is off by T no more often than a noisy mean of any n
values of one law, with noise of that scale on their sum, is off by T/w (Hoeffding 1956, Theorem 3;
see `mechanisms.values`); its mean is the answer's over w. People of a finite stratum, who are drawn
without replacement, err less. In proportion to the weights w is 1, up to whole people.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from planner.answer.proof.certificate import accepted
from planner.libraries import np
from planner.mechanisms.noise import LAPLACE
from planner.mechanisms.sample import Sample
from planner.mechanisms.values import AnyValues
from planner.numbers import decimal

_HALVINGS = 40  # of an error that is sought
_WIDER = (1e-4, 1e-3, 1e-2)
"""By what part an error or a failure is larger than floats find it, so that its proof is short."""


def counted(sample: Sample, people: int) -> int:
    """As how many independent values so many people count."""
    each = sample.clusters_of * decimal(sample.design_effect)
    return max(math.floor(people / each), 1)


def joined(weights: Sequence[Fraction], values: Sequence[int]) -> tuple[int, Fraction]:
    """n, how many values there are in all, and v, the most that one of them counts."""
    parts = zip(weights, values, strict=True)
    return sum(values), max(weight / n for weight, n in parts)


def noisy_mean(mean_range: tuple[float, float], spread: Fraction) -> AnyValues:
    """The mean of any values that has the answer's noise; its mean is theirs over w or less."""
    low, high = mean_range
    return AnyValues(LAPLACE, (low / float(spread), high))


def is_accurate(
    weights: Sequence[Fraction],
    values: Sequence[int],
    noise: Fraction,
    error: Fraction,
    failure: float,
    mean_range: tuple[float, float],
) -> bool:
    """Whether the checker of certificates proves that the answer is off with `failure` at most.

    Args:
        weights: W_g.
        values: n_g.
        noise: b, as a part of the range.
        error: T, as a part of the range.
        failure: α.
        mean_range: the means of all people at which it must be accurate.
    """
    n, v = joined(weights, values)
    w, rate = n * v, v / noise
    noisy = noisy_mean(mean_range, w)
    _, touch = noisy.witness(float(rate), n, float(error / w))
    low, high = (decimal(end) / w for end in mean_range)
    lines = [
        f"target.error = {error / w}",
        f"target.failure = {failure!r}",
        "mechanism.kind = laplace-mean",
        "mechanism.values = any",
        f"mechanism.mean_range = {low},{high}",
        f"claim feasible participants = {n}, epsilon = {rate}, delta = 0",
        f"touch {touch!r}",
    ]
    return accepted("\n".join([f"certificate of {len(lines) + 1} lines", *lines, ""]))


def least_error(
    weights: Sequence[Fraction],
    values: Sequence[int],
    noise: Fraction,
    failure: float,
    mean_range: tuple[float, float],
) -> float:
    """About the least error, proved, that the answer misses with α at most; ∞ where none is.

    Args: as of `is_accurate`.
    """
    n, v = joined(weights, values)
    noisy, rate, count = noisy_mean(mean_range, n * v), np.array(float(v / noise)), np.array(n)
    low, high = 0.0, 1.0  # over w
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        off = float(noisy.failure(rate, count, np.array(middle)))
        low, high = (low, middle) if off <= failure else (middle, high)
    for wider in _WIDER:
        error = Fraction(high * (1 + wider)) * n * v
        if is_accurate(weights, values, noise, error, failure, mean_range):
            return float(error)
    return math.inf


def least_failure(
    weights: Sequence[Fraction],
    values: Sequence[int],
    noise: Fraction,
    error: Fraction,
    mean_range: tuple[float, float],
) -> float:
    """About the least probability, proved, that the answer is off by an error or more.

    Args: as of `is_accurate`.
    """
    n, v = joined(weights, values)
    noisy, rate, each = noisy_mean(mean_range, n * v), float(v / noise), float(error / (n * v))
    found = float(noisy.failure(np.array(rate), np.array(n), np.array(each)))
    for wider in _WIDER:
        failure = found * (1 + wider)
        if failure < 1 and is_accurate(weights, values, noise, error, failure, mean_range):
            return failure
    return 1.0
