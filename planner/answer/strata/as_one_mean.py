"""The answer of a stratified sample as a mean of one sample: how seldom it is off.

Let the error of stratum g be that of n_g independent values from 0 to 1, each of which counts c_g,
v the largest of these, n = Σ n_g and w = nv. Over v the answer errs as the sum of n independent
values from 0 to 1, with noise of scale b/v. So it is off by T no more often than a noisy mean of
any n values of one law, with noise of that scale on their sum, is off by T/w (Hoeffding 1956,
Theorem 3; see `mechanisms.values`). Of a population without end N_g people are so many values,
which count W_g/N_g; in proportion to the weights w is 1, up to whole people. People drawn without
replacement err less than independent ones, and by as much as those who are left out. Where a few
people of a stratum are missing, c_g is large there alone. With v the count of the most people, what
counts beyond v errs by Σ n_g·(c_g − v)₊ at most, as each value is off by 1 at most.

Where the values of strata are known to deviate by s_g at most, the answer varies by V = Σ n_g·c_g²·
s_g² at most, with s_g = 1/2 where nothing is known. The bound for unlike values holds with n values
that count v and vary by V/n each. If all people together deviate by s at most, Σ W_g·s_g² ≤ s², so
V ≤ s²·max n_g·c_g²/W_g too.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple, Self

from planner.answer.proof.certificate import accepted
from planner.libraries import np
from planner.mechanisms.noise import LAPLACE
from planner.mechanisms.sample import Sample
from planner.mechanisms.values import AnyValues, UnlikeValues
from planner.model import Study
from planner.model.strata import deviations, weights
from planner.numbers import decimal

_NO_SAMPLE = 10_000  # values that stand for none, so small that they hardly err
_HALVINGS = 40  # of an error that is sought
_ALIKE = 4  # decimals
_ANY = (Fraction(0), Fraction(1))
_WIDER = (1e-4, 1e-3, 1e-2)
"""By what part an error or a failure is larger than floats find it, so that its proof is short."""


class Drawn(NamedTuple):
    """What the people of a stratum err by.

    Attributes:
        values: n_g, as many independent values.
        counts: c_g, what one of them counts in the answer.
        all_asked: whether the values are those of the people who are asked.
        weight: W_g.
        deviation: s_g; None where nothing is known.
    """

    values: int
    counts: Fraction
    all_asked: bool
    weight: Fraction
    deviation: float | None

    @classmethod
    def of(cls, weight: Fraction, sample: Sample, people: int, deviation: float | None) -> Self:
        """Of so many people, drawn in some way."""
        each = sample.clusters_of * decimal(sample.design_effect)
        left_out = people if sample.population is None else sample.population - people
        if each == 1 and left_out < people:
            return cls(max(left_out, 0), weight / people, False, weight, deviation)
        values = max(math.floor(people / each), 1)
        return cls(values, weight / values, True, weight, deviation)

    @property
    def squares(self) -> float:
        """By how much it varies for each unit of the variance of its values: n_g·c_g²."""
        return float(self.values * self.counts**2)


class AsOne(NamedTuple):
    """The stratified sample as one of values that count alike.

    Attributes:
        values: n.
        counts: v.
        mean_range: the means of the values at which it must be accurate.
        deviation: √(V/n)/v where something is known of how much values deviate; else None.
    """

    values: int
    counts: Fraction
    mean_range: tuple[Fraction, Fraction]
    deviation: float | None = None

    @classmethod
    def of(
        cls,
        strata: Sequence[Drawn],
        error: Fraction,
        mean_range: tuple[float, float],
        deviation: float | None = None,
    ) -> Self:
        """The strata together; enough values, of 0 if need be, that the error is no more than 1.

        Args:
            strata: what the people of each err by.
            error: T, as a part of the range.
            mean_range: the means of all people at which it must be accurate.
            deviation: s, the most that all people together deviate by; None where it is not known.
        """
        err = [one.counts for one in strata if one.values]
        counts = max(err, default=error / _NO_SAMPLE)  # of a census the noise alone is off
        values = max(sum(one.values for one in strata), math.ceil(error / counts))
        known = [deviation, *(one.deviation for one in strata)]
        if any(known):
            variance = sum(one.squares * (one.deviation or 0.5) ** 2 for one in strata)
            most = max(one.squares / float(one.weight) for one in strata)
            variance = min(variance, most * (deviation or math.inf) ** 2)
            each = math.sqrt(variance / float(values * counts**2)) * (1 + 1e-12)
            return cls(values, counts, _ANY, min(each, 0.5))
        if not all(one.all_asked for one in strata):
            return cls(values, counts, _ANY)
        low, high = (decimal(end) / (values * counts) for end in mean_range)
        return cls(values, counts, (low, high))

    @property
    def spread(self) -> Fraction:
        """The w."""
        return self.values * self.counts

    @property
    def law(self) -> tuple[float, ...]:
        """What is known of the values, rounded: those alike are read with one bound."""
        known = (*self.mean_range, self.deviation or 0.0)
        return tuple(round(float(one), _ALIKE) for one in known)


def as_one(study: Study, samples: Sequence[Sample], sizes: Sequence[int]) -> AsOne:
    """The strata of a study with these samples as one."""
    drawn = zip(weights(study), samples, sizes, deviations(study), strict=True)
    error, deviation = decimal(study.accuracy.error), study.target.deviation
    mean_range = getattr(study.mechanism, "mean_range", (0.0, 1.0))
    return AsOne.of([Drawn.of(*one) for one in drawn], error, mean_range, deviation)


def as_one_of_most(
    study: Study, samples: Sequence[Sample], sizes: Sequence[int]
) -> tuple[AsOne, Fraction]:
    """The strata as one sample of values that count as those of the most people do.

    Returns:
        The sample, and by how much at most the answer errs beyond it, as a part of the range.
    """
    parts = zip(weights(study), samples, sizes, deviations(study), strict=True)
    drawn = [Drawn.of(*one) for one in parts]
    most = max(drawn, key=lambda one: one.values).counts
    capped = [one._replace(counts=min(one.counts, most)) for one in drawn]
    beyond = sum(
        (one.values * (one.counts - most) for one in drawn if one.counts > most), Fraction(0)
    )
    error = decimal(study.accuracy.error)
    of = AsOne.of(capped, error, (0.0, 1.0), study.target.deviation)
    return of._replace(mean_range=_ANY), beyond


def noisy_mean(of: Sequence[AsOne]) -> AnyValues:
    """The means of any values that err as samples like these do."""
    deviation = max((one.deviation for one in of if one.deviation is not None), default=None)
    if deviation is not None:
        return UnlikeValues(LAPLACE, deviation=deviation)
    low, high = min(one.mean_range[0] for one in of), max(one.mean_range[1] for one in of)
    return AnyValues(LAPLACE, (float(low), float(high)))


def is_accurate(of: AsOne, noise: Fraction, error: Fraction, failure: float) -> bool:
    """Whether the answer is off with `failure` at most, as the checker of certificates proves it.

    It has no rule for known deviations: with these it is computed.

    Args:
        of: the sample.
        noise: b, as a part of the range.
        error: T, as a part of the range.
        failure: α.
    """
    rate, (low, high) = of.counts / noise, of.mean_range
    each = error / of.spread
    if of.deviation is not None:
        return _failure(of, noise, each) <= failure
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
    low, high = 0.0, 1.0  # over w
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if _failure(of, noise, middle) <= failure else (middle, high)
    for wider in _WIDER:
        error = Fraction(high * (1 + wider)) * of.spread
        if high < 1 and is_accurate(of, noise, error, failure):
            return float(error) * (1 + 1e-15)
    return math.inf


def least_failure(of: AsOne, noise: Fraction, error: Fraction) -> float:
    """About the least probability, proved, that the answer is off by an error or more.

    Args: as of `is_accurate`.
    """
    found = _failure(of, noise, error / of.spread)
    for wider in _WIDER:
        failure = found * (1 + wider)
        if failure < 1 and is_accurate(of, noise, error, failure):
            return failure
    return 1.0


def _failure(of: AsOne, noise: Fraction, error: Fraction | float) -> float:
    """The bound in floats; the error is that of one value."""
    rate, n, each = float(of.counts / noise), float(of.values), float(error)
    return float(noisy_mean([of]).failure(*map(np.array, (rate, n, each))))
