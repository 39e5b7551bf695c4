"""The difference of the proportions of two groups of any sizes, within an error.

One Laplace noise is on the difference of the proportions of those asked. Sizes are sought as in
`two_sizes`; the noise is the most with which the error is passed seldom enough, computed from the
exact law and proved for all pairs of proportions (see `mechanisms.exact.error_of_difference`).
"""

import math
from functools import lru_cache

from planner.answer.answers import TotalPlan
from planner.answer.strata.two_sizes import SPARE, TwoSizes
from planner.libraries import scipy
from planner.mechanisms.exact.error_of_difference import ErrorOfDifference
from planner.model import Study

_SMALLEST = 20.0
"""The logarithm of how many times less noise than about what sizes allow is tried."""


def by_law(study: Study) -> bool:
    """Whether a study is a difference of proportions whose exact law is known."""
    alone = study.groups == 2 and study.power is None and study.target.values is None
    return alone and study.mechanism.saw_toothed and not study.mechanism.any_values


def plan_estimate(study: Study, prove: bool = True) -> TotalPlan | None:
    """The cheapest estimate that is found; None where none is.

    Args:
        study: the comparison.
        prove: whether noise is reduced until the error is proved.
    """
    error, failure, groups = *_asked(study), _groups(study)

    def made(sizes: tuple[int, int], about: float) -> TotalPlan | None:
        for spare in SPARE if prove else SPARE[:1]:
            scale = _most_noise(sizes, error, failure * (1 - spare), about)
            plan = groups.with_noise(sizes, scale, failure) if scale else None
            if plan is not None and (not prove or keeps(plan)):
                return plan
        return None

    return groups.plan(made)


def keeps(plan: TotalPlan) -> bool:
    """Whether an estimate is proved to be off by its error at most as often as stated."""
    sizes = plan.strata[0].participants, plan.strata[1].participants
    return plan.scale is not None and seldom(
        sizes, plan.scale, plan.study.accuracy.error, plan.failure
    )


def _asked(study: Study) -> tuple[float, float]:
    """The error and the failure probability."""
    return study.accuracy.error, study.accuracy.failure


def _groups(study: Study) -> TwoSizes:
    """The groups, with the noise that their sizes allow about."""
    asked = _asked(study)
    return TwoSizes.of(study, lambda first, ratio: _about(first, ratio, *asked))


@lru_cache(maxsize=64)  # a plan that is made is checked again
def seldom(sizes: tuple[int, int], scale: float, error: float, failure: float) -> bool:
    """Whether a noisy difference is proved to be off by an error at most so often.

    Args:
        sizes: of the groups.
        scale: of the noise.
        error: T [(0, 1]].
        failure: α.
    """
    return ErrorOfDifference(*sizes, scale, error).seldom(failure)


def error_with(sizes: tuple[int, int], scale: float, failure: float) -> float:
    """By how much or more the noisy difference is off with a probability, proved.

    Args: as of `seldom`.
    """

    def over(log: float, spare: float) -> float:
        return _often(sizes, scale, math.exp(log)) - failure * (1 - spare)

    for spare in SPARE:
        if over(0.0, spare) > 0:
            break
        low = -1.0
        while over(low, spare) <= 0:
            low -= 1.0
        found = scipy.optimize.brentq(over, low, low + 1, args=(spare,), xtol=1e-9)
        error = min(math.exp(float(found)) * (1 + 1e-8), 1.0)
        if seldom(sizes, scale, error, failure):
            return error
    return math.inf


def failure_with(sizes: tuple[int, int], scale: float, error: float) -> float:
    """How often the noisy difference is off by an error at most, proved.

    Args: as of `seldom`.
    """
    about = _often(sizes, scale, error)
    for spare in SPARE:
        if about * (1 + spare) < 1 and seldom(sizes, scale, error, about * (1 + spare)):
            return about * (1 + spare)
    return 1.0


def _often(sizes: tuple[int, int], scale: float, error: float) -> float:
    """How often the noisy difference is off by an error, about."""
    return ErrorOfDifference(*sizes, scale, error).often()


def _most_noise(sizes: tuple[int, int], error: float, failure: float, about: float) -> float:
    """The scale of the most noise with which sizes keep an error; 0 where none does.

    Args:
        sizes: of the groups.
        error: T.
        failure: α.
        about: a scale to start with.
    """

    def over(log: float) -> float:
        return _often(sizes, math.exp(log), error) - failure

    low = high = math.log(about or error / math.sqrt(sum(sizes)))
    least = low - _SMALLEST
    while over(low) > 0:
        low, high = low - 0.5, low
        if low < least:
            return 0.0
    while over(high) <= 0:
        low, high = high, high + 0.5
    return math.exp(scipy.optimize.brentq(over, low, high, xtol=1e-9)) if high > low else 0.0


def _about(first: float, ratio: float, error: float, failure: float) -> float:
    """The scale of the noise where the difference is normal; 0 where the groups are too small."""
    deviation = math.sqrt((1 + 1 / ratio) / (4 * first))
    x = error / deviation
    if 2 * scipy.special.ndtr(-x) >= failure:
        return 0.0

    def over(log: float) -> float:
        y = deviation / math.exp(log)  # the sum of both is normal, and moved by the noise's law
        gone = math.exp(-(x**2) / 2) / 2
        near = (
            math.exp(y * (y / 2 - x)) * scipy.special.ndtr(x - y)
            if x > y
            else gone * scipy.special.erfcx((y - x) / math.sqrt(2))
        )
        far = gone * scipy.special.erfcx((y + x) / math.sqrt(2))
        return float(2 * scipy.special.ndtr(-x) + near - far - failure)

    most = math.log(error / math.log(1 / failure))
    low = most - 1
    while over(low) > 0:
        low -= 1
    if over(most) <= 0:  # hardly any sampling error, so that this is rounding
        return math.exp(most - 1e-9)
    return math.exp(scipy.optimize.brentq(over, low, most, xtol=1e-9))
