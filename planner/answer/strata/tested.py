"""A test of two groups of any sizes: how many people of each, and which noise on the difference.

The proportion of the second group is taken from that of the first, and one Laplace noise of scale b
is added: a person of group g moves the difference by 1/n_g, and loses 1/(n_g·b). The test rejects
where this is t or more; towards a smaller first proportion, where it is −t or less; on both sides,
at half the significance each, in either case. Counting the people without the property in place of
those with it turns one side into the other. For sizes and noise t is where the alternative is found
with the power. The noise is the most with which the test keeps its significance, computed exactly
and proved at all common proportions (see `mechanisms.exact.error_of_difference`).
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple, Self

from planner.answer.answers import TotalPlan
from planner.answer.strata.two_sizes import SPARE, TwoSizes
from planner.libraries import scipy
from planner.mechanisms.exact.error_of_difference import ErrorOfDifference
from planner.mechanisms.exact.noise_balls import rational
from planner.mechanisms.exact.unequal_groups import NoisyDifference
from planner.model import Study
from planner.model.difference import DifferenceTest
from planner.numbers import decimal, not_above, round_down, round_up

_POWER = 1 + 1e-9
"""By what part more power is asked for, as the edge is rounded."""
_DIGITS = 7
"""Of the edge, which people read; what rounding takes is part of the proof."""


class Asked(NamedTuple):
    """What a test is to find, with its groups counted so that the first has more.

    Attributes:
        first: the proportion of the first group at the alternative.
        second: that of the second.
        within: the least and the largest common proportion that the groups may have; of a test on
            two sides also those of the people who are not counted.
        significance: of one side.
        power: the least.
    """

    first: Fraction
    second: Fraction
    within: tuple[tuple[Fraction, Fraction], ...]
    significance: Fraction
    power: Fraction

    @classmethod
    def of(cls, study: Study) -> Self:
        """What a study asks."""
        target = study.target
        assert isinstance(target, DifferenceTest)  # no other is planned for groups of any sizes
        low, high = (decimal(share) for share in target.baseline_range)
        second = decimal(target.baseline)
        first = second + decimal(target.change)
        if not target.upwards:
            first, second, low, high = 1 - first, 1 - second, 1 - high, 1 - low
        within = [(low, high), (1 - high, 1 - low)][: target.sides]
        each = decimal(target.significance) / target.sides
        return cls(first, second, tuple(within), each, decimal(target.power))

    @property
    def shares(self) -> tuple[float, float]:
        """The proportions at the alternative."""
        return float(self.first), float(self.second)

    @property
    def middle(self) -> float:
        """The common proportion nearest to 1/2."""
        return float(nearest_to_half(*self.within[0]))

    def worst(self, noisy: NoisyDifference, edge: float) -> tuple[float, float]:
        """How often an edge is reached at the worst common proportion, and which that is; about."""
        return max(noisy.worst(edge, (float(low), float(high))) for low, high in self.within)

    def about(self, first: float, ratio: float) -> float:
        """The scale that the noise can have for sizes, about; 0 where they are too small."""
        each = 1 / first + 1 / (ratio * first)
        under = self.middle * (1 - self.middle) * each
        one, other = self.shares
        at = one * (1 - one) / first + other * (1 - other) / (ratio * first)
        rare, often = (
            float(scipy.special.ndtri(1 - float(x))) for x in (self.significance, 1 - self.power)
        )

        def left(square: float) -> float:
            spread = rare * math.sqrt(under + square) + often * math.sqrt(at + square)
            return one - other - spread

        if left(0.0) <= 0:
            return 0.0
        return math.sqrt(scipy.optimize.brentq(left, 0.0, ((one - other) / rare) ** 2) / 2)


def plan_test(study: Study, prove: bool = True) -> TotalPlan | None:
    """The cheapest test that is found; None where none is.

    Args:
        study: the test.
        prove: whether noise is reduced until the significance is proved.
    """
    asked = Asked.of(study)
    groups = TwoSizes.of(study, asked.about)

    def made(sizes: tuple[int, int], about: float) -> TotalPlan | None:
        for spare in SPARE if prove else SPARE[:1]:
            scale = _most_noise(asked, sizes, about, spare)
            plan = _plan(groups, asked, sizes, scale) if scale else None
            if plan is not None and (not prove or _keeps(plan, asked)):
                return plan
        return None

    return groups.plan(made)


def _keeps(plan: TotalPlan, asked: Asked) -> bool:
    """Whether a test is proved to keep its significance."""
    first, second = (one.participants for one in plan.strata)
    scale, edge = plan.scale or 0.0, plan.edge or 0.0
    if edge <= 0:  # half of all tests reject
        return False
    return all(
        ErrorOfDifference(
            first, second, scale, edge, 1, float(nearest_to_half(low, high))
        ).seldom_alike(not_above(asked.significance), (float(low), float(high)))
        for low, high in asked.within
    )


def _most_noise(asked: Asked, sizes: tuple[int, int], about: float, spare: float) -> float:
    """The scale of the most noise with which a test has its significance; 0 where none has it.

    Args:
        asked: what is to be found.
        sizes: of the groups.
        about: a scale to start with.
        spare: which part of the significance is left.
    """
    allowed, places = float(asked.significance) * (1 - spare), [asked.middle]

    def over(log: float) -> float:
        noisy = NoisyDifference(*sizes, math.exp(log))
        edge = noisy.edge(*asked.shares, float(asked.power) * _POWER)
        return max(noisy.over(share, share, edge) for share in places) - allowed

    while True:
        low, high = math.log(about or 1.0 / sizes[0]) - 1, math.log(about or 1.0 / sizes[0]) + 1
        while over(low) > 0:
            low, high = low - 2, low
            if low < -math.log(sizes[0]) - 20:
                return 0.0
        while over(high) <= 0:
            low, high = high, high + 1
        log = scipy.optimize.brentq(over, low, high, xtol=1e-9)
        noisy = NoisyDifference(*sizes, math.exp(log))
        edge = noisy.edge(*asked.shares, float(asked.power) * _POWER)
        most, place = asked.worst(noisy, edge)
        if place in places or most <= allowed * (1 + spare / 10):
            return math.exp(log)
        places.append(place)


def _plan(groups: TwoSizes, asked: Asked, sizes: tuple[int, int], scale: float) -> TotalPlan:
    """The plan of sizes and noise."""
    plan = groups.with_noise(sizes, scale, float(1 - asked.power))
    noisy = NoisyDifference(*sizes, plan.scale or 0.0)
    edge = round_down(noisy.edge(*asked.shares, float(asked.power) * _POWER), _DIGITS)
    missed = float((1 - noisy.over_ball(asked.first, asked.second, decimal(edge))).upper())
    failure = min(round_up(missed, 6), plan.failure) if missed <= plan.failure else missed
    return replace(plan, failure=failure, edge=edge)


def nearest_to_half(low: Fraction, high: Fraction) -> Fraction:
    """The proportion of a range that is nearest to 1/2, where a count varies most."""
    return min(max(Fraction(1, 2), low), high)


def worst_over(study: Study, sizes: tuple[int, int], scale: float, value: float) -> float:
    """How often the noisy difference is a value or more where both proportions are equal, at most.

    Args:
        study: the test; its groups are counted so that the first has more.
        sizes: of the groups.
        scale: b.
        value: of the noisy difference.
    """
    return Asked.of(study).worst(NoisyDifference(*sizes, scale), value)[0] * (1 + SPARE[0])


def power_between(study: Study, sizes: tuple[int, int], scale: float) -> float:
    """The power of the test with groups of other sizes and another noise, in floats."""
    asked = Asked.of(study)
    noisy, allowed = NoisyDifference(*sizes, scale), float(asked.significance)

    def excess(edge: float) -> float:
        return worst_over(study, sizes, scale, edge) - allowed

    edge = scipy.optimize.brentq(excess, 0.0, 2 + 40 * scale, xtol=1e-9)
    return noisy.over(*asked.shares, float(edge))


def wrong_of_test(plan: TotalPlan) -> Iterator[str]:
    """What a test of two groups states that does not hold, in sentences."""
    asked, (first, second) = Asked.of(plan.study), (one.participants for one in plan.strata)
    if plan.scale is None or plan.edge is None:
        yield "The noise on the difference, or the edge, is missing."
        return
    noisy, edge = NoisyDifference(first, second, plan.scale), decimal(plan.edge)
    if not 1 - noisy.over_ball(asked.first, asked.second, edge) <= rational(decimal(plan.failure)):
        yield "The test misses the alternative more often than stated."
    if decimal(plan.failure) > 1 - asked.power:
        yield "The power is less than is asked for."
    if not _keeps(plan, asked):
        yield "That the test keeps its significance at all common proportions is not proved."
