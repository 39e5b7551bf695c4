"""The answer of a stratified sample as a mean of one sample: how seldom it is off.

Let the error of stratum g be that of n_g independent values from 0 to 1, each of which counts c_g,
v the largest of these, n = Σ n_g and w = nv. Over v the answer errs as the sum of n independent
values from 0 to 1, with noise of scale b/v. So it is off by T no more often than a noisy mean of
any n values of one law, with noise of that scale on their sum, is off by T/w (Hoeffding 1956,
Theorem 3; see `mechanisms.values`). Of a population without end N_g people are so many values,
which count W_g/N_g; in proportion to the weights w is 1, up to whole people. People drawn without
replacement err less than independent ones, and by as much as those who are left out.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple, Self

from planner.answer.proof.certificate import accepted
from planner.libraries import np
from planner.mechanisms.noise import LAPLACE
from planner.mechanisms.sample import Sample
from planner.mechanisms.values import AnyValues
from planner.numbers import decimal

_NO_SAMPLE = 10_000  # values that stand for none, so small that they hardly err
_HALVINGS = 40  # of an error that is sought
_WIDER = (1e-4, 1e-3, 1e-2)
"""By what part an error or a failure is larger than floats find it, so that its proof is short."""


class Drawn(NamedTuple):
    """What the people of a stratum err by.

    Attributes:
        values: n_g, as many independent values.
        counts: c_g, what one of them counts in the answer.
        all_asked: whether the values are those of the people who are asked.
    """

    values: int
    counts: Fraction
    all_asked: bool

    @classmethod
    def of(cls, weight: Fraction, sample: Sample, people: int) -> Self:
        """Of so many people, drawn in some way."""
        each = sample.clusters_of * decimal(sample.design_effect)
        left_out = people if sample.population is None else sample.population - people
        if each == 1 and left_out < people:
            return cls(max(left_out, 0), weight / people, False)
        values = max(math.floor(people / each), 1)
        return cls(values, weight / values, True)


class AsOne(NamedTuple):
    """The stratified sample as one of values that count alike.

    Attributes:
        values: n.
        counts: v.
        mean_range: the means of the values at which it must be accurate.
    """

    values: int
    counts: Fraction
    mean_range: tuple[Fraction, Fraction]

    @classmethod
    def of(cls, strata: Sequence[Drawn], error: Fraction, mean_range: tuple[float, float]) -> Self:
        """The strata together; enough values, of 0 if need be, that the error is no more than 1.

        Args:
            strata: what the people of each err by.
            error: T, as a part of the range.
            mean_range: the means of all people at which it must be accurate.
        """
        err = [one.counts for one in strata if one.values]
        counts = max(err, default=error / _NO_SAMPLE)  # of a census the noise alone is off
        values = max(sum(one.values for one in strata), math.ceil(error / counts))
        if not all(one.all_asked for one in strata):
            return cls(values, counts, (Fraction(0), Fraction(1)))
        low, high = (decimal(end) / (values * counts) for end in mean_range)
        return cls(values, counts, (low, high))

    @property
    def spread(self) -> Fraction:
        """The w."""
        return self.values * self.counts


def noisy_mean(of: Sequence[AsOne]) -> AnyValues:
    """The means of any values that err as samples like these do."""
    low, high = min(one.mean_range[0] for one in of), max(one.mean_range[1] for one in of)
    return AnyValues(LAPLACE, (float(low), float(high)))


def is_accurate(of: AsOne, noise: Fraction, error: Fraction, failure: float) -> bool:
    """Whether the checker of certificates proves that the answer is off with `failure` at most.

    Args:
        of: the sample.
        noise: b, as a part of the range.
        error: T, as a part of the range.
        failure: α.
    """
    rate, (low, high) = of.counts / noise, of.mean_range
    each = error / of.spread
    _, touch = noisy_mean([of]).witness(float(rate), of.values, float(each))
    lines = [
        f"target.error = {each}",
        f"target.failure = {failure!r}",
        "mechanism.kind = laplace-mean",
        "mechanism.values = any",
        f"mechanism.mean_range = {low},{high}",
        f"claim feasible participants = {of.values}, epsilon = {rate}, delta = 0",
        f"touch {touch!r}",
    ]
    return accepted("\n".join([f"certificate of {len(lines) + 1} lines", *lines, ""]))


def least_error(of: AsOne, noise: Fraction, failure: float) -> float:
    """About the least error, proved, that the answer misses with α at most; ∞ where none is.

    Args: as of `is_accurate`.
    """
    noisy, rate, n = noisy_mean([of]), np.array(float(of.counts / noise)), np.array(of.values)
    low, high = 0.0, 1.0  # over w
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        off = float(noisy.failure(rate, n, np.array(middle)))
        low, high = (low, middle) if off <= failure else (middle, high)
    for wider in _WIDER:
        error = Fraction(high * (1 + wider)) * of.spread
        if high < 1 and is_accurate(of, noise, error, failure):
            return float(error) * (1 + 1e-15)
    return math.inf


def least_failure(of: AsOne, noise: Fraction, error: Fraction) -> float:
    """About the least probability, proved, that the answer is off by an error or more.

    Args: as of `is_accurate`.
    """
    rate, each = np.array(float(of.counts / noise)), np.array(float(error / of.spread))
    found = float(noisy_mean([of]).failure(rate, np.array(of.values), each))
    for wider in _WIDER:
        failure = found * (1 + wider)
        if failure < 1 and is_accurate(of, noise, error, failure):
            return failure
    return 1.0
