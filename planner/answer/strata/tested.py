"""A test of two groups of any sizes: how many people of each, and which noise on the difference.

The proportion of the second group is taken from that of the first, and one Laplace noise of scale b
is added: a person of group g moves the difference by 1/n_g, and loses 1/(n_g·b). The test rejects
where this is t or more; towards a smaller first proportion, where it is −t or less; on both sides,
at half the significance each, in either case. Counting the people without the property in place of
those with it turns one side into the other. For sizes and noise t is where the alternative is found
with the power. The sizes are the cheapest where the difference is taken to be normal; the noise is
then the most with which the test keeps its significance, computed exactly and proved at all common
proportions (see `mechanisms.exact.unequal_groups`).
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple, Self

from planner.answer.answers import TotalPlan
from planner.answer.proof.plan import Proof
from planner.answer.strata.share import StratumShare
from planner.answer.strata.together import failure_of
from planner.libraries import np, scipy
from planner.mechanisms.exact.noise_balls import rational
from planner.mechanisms.exact.unequal_groups import NoisyDifference
from planner.model import MaxParticipants, MinParticipants, Study
from planner.model.difference import DifferenceTest
from planner.model.strata import study_of_stratum, weights
from planner.numbers import WHOLE_LIMIT, decimal, round_down, round_up
from planner.wording import plain

_SPARE = 2e-3
"""The part of the significance that is left for what the proof cannot exclude between proportions:
half of it would make it take longer, and save less than a thousandth of the people."""
_MORE_SPARE = 1, 3, 10, 30
"""How many times as much is left where the proof fails, as in very small groups."""
_POWER = 1 + 1e-9
"""By what part more power is asked for, as the edge is rounded."""
_DIGITS = 7
"""Of the noise and the edge, which people read; what rounding takes is part of the proof."""
_RATIOS = (1e-3, 1e3)
"""The sizes of the groups differ by no more."""
_TRIED, _TOO_DEAR = 25, 1e3
"""Ratios, 1.8 times as large each; and the logarithm of a cost that no study has."""
_MOST_TIMES = 1e4
"""More people than so many times as the sample alone needs are not the cheapest."""
_ROUNDS, _MORE = 40, 1.01
"""How often, and by what part, sizes grow that are a little too small for the exact test."""


class Asked(NamedTuple):
    """What a test is to find, with its groups counted so that the first has more.

    Attributes:
        first: the proportion of the first group at the alternative.
        second: that of the second.
        within: the least and the largest common proportion that the groups may have; of a test on
            two sides also those of the people who are not counted.
        significance: of one side.
        power: the least.
        ratio: how many people of the second group there are for each of the first; None where that
            is free.
    """

    first: Fraction
    second: Fraction
    within: tuple[tuple[Fraction, Fraction], ...]
    significance: Fraction
    power: Fraction
    ratio: Fraction | None

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
        ratio = None if target.ratio is None else decimal(target.ratio)
        each = decimal(target.significance) / target.sides
        return cls(first, second, tuple(within), each, decimal(target.power), ratio)

    @property
    def shares(self) -> tuple[float, float]:
        """The proportions at the alternative."""
        return float(self.first), float(self.second)

    @property
    def middle(self) -> float:
        """The common proportion nearest to 1/2."""
        low, high = self.within[0]
        return float(min(max(Fraction(1, 2), low), high))

    def worst(self, noisy: NoisyDifference, edge: float) -> tuple[float, float]:
        """How often an edge is reached at the worst common proportion, and which that is; about."""
        return max(noisy.worst(edge, (float(low), float(high))) for low, high in self.within)

    def whole(self, first: float, ratio: float) -> tuple[int, int]:
        """Sizes in whole people; see `kept`."""
        size = max(round(first), 1)
        return size, max(math.ceil((self.ratio or Fraction(ratio)) * size), 1)

    def kept(self, sizes: tuple[int, int]) -> bool:
        """Whether the second group is the multiple of the first that is asked for, rounded up."""
        return self.ratio is None or sizes[1] == math.ceil(self.ratio * sizes[0])


class _Groups(NamedTuple):
    """The groups as a search reads them.

    Attributes:
        asked: what is to be found.
        studies: of each group by itself.
        most: how many people may take part in all.
    """

    asked: Asked
    studies: tuple[Study, Study]
    most: float

    @classmethod
    def of(cls, study: Study) -> Self:
        """Those of a study."""
        first, second = (study_of_stratum(study, one, failure_of(study)) for one in study.strata)
        cap = study.find(MaxParticipants)
        return cls(Asked.of(study), (first, second), cap.n if cap else math.inf)

    def cost(self, sizes: tuple[float, float], scale: float) -> float:
        """What both groups cost, of people not yet whole [money]."""
        total = 0.0
        for one, n in zip(self.studies, sizes, strict=True):
            owed = one.individual.compensation(1 / (n * scale), 0.0)
            total += float(one.costs.total(n, owed))
        return total

    def about(self, first: float, ratio: float) -> float:
        """The scale that the noise can have for sizes, about; 0 where they are too small."""
        asked, each = self.asked, 1 / first + 1 / (ratio * first)
        under = asked.middle * (1 - asked.middle) * each
        one, other = asked.shares
        at = one * (1 - one) / first + other * (1 - other) / (ratio * first)
        rare, often = (
            float(scipy.special.ndtri(1 - float(x))) for x in (asked.significance, 1 - asked.power)
        )

        def left(square: float) -> float:
            spread = rare * math.sqrt(under + square) + often * math.sqrt(at + square)
            return one - other - spread

        if left(0.0) <= 0:
            return 0.0
        return math.sqrt(scipy.optimize.brentq(left, 0.0, ((one - other) / rare) ** 2) / 2)

    def fewest(self, ratio: float, low: float = 0.0, high: float = math.log(WHOLE_LIMIT)) -> float:
        """The logarithm of the fewest people of the first group between two, without noise."""
        if self.about(math.exp(low), ratio):
            return low
        found = scipy.optimize.brentq(
            lambda log: 1 if self.about(math.exp(log), ratio) else -1, low, high, xtol=1e-6
        )
        return float(found) + 1e-6

    def ends(self, ratio: float) -> tuple[float, float] | None:
        """The logarithms of the fewest and the most people of the first group; None if none do."""
        least, most = 1.0, min(self.most / (1 + ratio), WHOLE_LIMIT / (1 + ratio))
        for one, times in zip(self.studies, (1.0, ratio), strict=True):
            fewest, own = one.find(MinParticipants), one.find(MaxParticipants)
            least = max(least, (fewest.n if fewest else 1) / times)
            most = min(most, one.sampling.most_participants / times, own.n / times if own else most)
        if least > most or not self.about(most, ratio):
            return None
        high = math.log(most)
        low = self.fewest(ratio, math.log(least), high)
        return low, min(high, low + math.log(_MOST_TIMES))

    def cheapest(self, ratio: float) -> tuple[float, float]:
        """The least cost at a ratio, about, and the size of the first group; ∞ where none does."""
        ends = self.ends(ratio)
        if ends is None:
            return math.inf, 1.0

        def cost(log: float) -> float:
            first = math.exp(log)
            scale = self.about(first, ratio)
            return math.log(self.cost((first, ratio * first), scale)) if scale else 1e6 - log

        found = scipy.optimize.minimize_scalar(cost, bounds=ends, method="bounded")
        return float(found.fun), math.exp(float(found.x))


def without_privacy(study: Study, prices: tuple[float, float]) -> tuple[int, float]:
    """How many people a test without noise takes, and what they cost [money].

    Args:
        study: the test.
        prices: what a person of each group costs.
    """
    groups = _Groups.of(study)
    asked = groups.asked

    def cost(log: float) -> float:
        ratio = math.exp(log)
        return groups.fewest(ratio) + math.log(prices[0] + ratio * prices[1])

    ratio = float(asked.ratio or 0.0)
    if not ratio:
        ends = tuple(map(math.log, _RATIOS))
        ratio = math.exp(scipy.optimize.minimize_scalar(cost, bounds=ends, method="bounded").x)
    first = math.exp(groups.fewest(ratio))
    while not _most_noise(asked, asked.whole(first, ratio), 0.0):
        first = max(first * _MORE, first + 1)
    sizes = asked.whole(first, ratio)
    return sum(sizes), sum(n * price for n, price in zip(sizes, prices, strict=True))


def plan_test(study: Study, prove: bool = True) -> TotalPlan | None:
    """The cheapest test that is found; None where none is.

    Args:
        study: the test.
        prove: whether noise is reduced until the significance is proved.
    """
    groups = _Groups.of(study)
    asked = groups.asked
    ratio = float(asked.ratio) if asked.ratio is not None else _best_ratio(groups)
    cost, first = groups.cheapest(ratio)
    for _ in range(_ROUNDS * math.isfinite(cost)):
        sizes = asked.whole(first, ratio)
        for times in _MORE_SPARE if prove else _MORE_SPARE[:1]:
            scale = _most_noise(asked, sizes, groups.about(first, ratio), times * _SPARE)
            plan = _plan(study, groups, sizes, scale) if scale else None
            if plan is not None and (not prove or _keeps(plan, asked)):
                return plan
        first = max(first * _MORE, first + 1)
    return None


def _keeps(plan: TotalPlan, asked: Asked) -> bool:
    """Whether a test is proved to keep its significance."""
    first, second = (one.participants for one in plan.strata)
    noisy, edge = NoisyDifference(first, second, plan.scale or 0.0), decimal(plan.edge or 0.0)
    return all(noisy.seldom_over(edge, ends, asked.significance) for ends in asked.within)


def _best_ratio(groups: _Groups) -> float:
    """About the cheapest ratio; conditions may allow only some."""
    grid = np.linspace(math.log(_RATIOS[0]), math.log(_RATIOS[1]), _TRIED)
    costs = [groups.cheapest(math.exp(log))[0] for log in grid.tolist()]
    at = int(np.argmin(costs))
    near = grid[max(at - 1, 0)], grid[min(at + 1, _TRIED - 1)]
    found = scipy.optimize.minimize_scalar(
        lambda log: min(groups.cheapest(math.exp(log))[0], _TOO_DEAR), bounds=near, method="bounded"
    )
    return math.exp(float(found.x) if found.fun <= costs[at] else float(grid[at]))


def _most_noise(asked: Asked, sizes: tuple[int, int], about: float, spare: float = _SPARE) -> float:
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


def _plan(study: Study, groups: _Groups, sizes: tuple[int, int], scale: float) -> TotalPlan:
    """The plan of sizes and noise."""
    asked, scale = groups.asked, round_down(scale, _DIGITS)
    noisy = NoisyDifference(*sizes, scale)
    edge = noisy.edge(*asked.shares, float(asked.power) * _POWER)
    edge = round_down(edge, _DIGITS)
    strata = tuple(
        StratumShare.of(one, float(weight), n, float(1 / (n * decimal(scale))) * (1 + 1e-14))
        for one, weight, n in zip(groups.studies, weights(study), sizes, strict=True)
    )
    total = decimal(study.costs.overhead) + sum((decimal(s.cost) for s in strata), Fraction(0))
    missed = float((1 - noisy.over_ball(asked.first, asked.second, decimal(edge))).upper())
    allowed = float(1 - asked.power)
    failure = min(round_up(missed, 6), allowed) if missed <= allowed else missed
    return TotalPlan(
        study, "one-noise", strata, failure,
        sum(sizes), float(total), scale, None, {}, Proof("floats", False, ""), edge=edge,
    )  # fmt: skip


def worst_over(study: Study, sizes: tuple[int, int], scale: float, value: float) -> float:
    """How often the noisy difference is a value or more where both proportions are equal, at most.

    Args:
        study: the test; its groups are counted so that the first has more.
        sizes: of the groups.
        scale: b.
        value: of the noisy difference.
    """
    return Asked.of(study).worst(NoisyDifference(*sizes, scale), value)[0] * (1 + _SPARE)


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
    if not asked.kept((first, second)):
        yield f"{plain(first)} and {plain(second)} people are not in the ratio that is asked for."
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
