"""The cheapest sizes of two groups that are compared, where one noise is on their difference.

A person of group g moves the difference by 1/n_g, and loses 1/(n_g·b) to Laplace noise of scale b.
What is asked allows some noise for sizes, about: where the difference is taken to be normal. The
cheapest sizes are sought with it, and the noise is then computed exactly at whole sizes.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple, Self

from planner.answer.answers import TotalPlan
from planner.answer.proof.plan import Proof
from planner.answer.strata.share import StratumShare
from planner.answer.strata.together import failure_of
from planner.libraries import np, scipy
from planner.model import MaxParticipants, MinParticipants, Study
from planner.model.difference import ratio_of
from planner.model.strata import study_of_stratum, weights
from planner.numbers import WHOLE_LIMIT, decimal, round_down

_DIGITS = 7
"""Of the noise, which people read; what rounding takes is part of the proof."""
SPARE = 2e-3, 5e-3, 1e-2, 3e-2, 0.1
"""Parts of a probability that are left for what a proof cannot exclude: the first, or where that is
too little, as in very small groups or with hardly any noise, more."""
_RATIOS = (1e-3, 1e3)
"""The sizes of the groups differ by no more."""
_TRIED, _TOO_DEAR = 25, 1e3
"""Ratios, 1.8 times as large each; and the logarithm of a cost that no study has."""
_MOST_TIMES = 1e4
"""More people than so many times as the sample alone needs are not the cheapest."""
_FEW = 200
"""People, of whom one more or less is half a percent: sizes near are tried, too."""
_ROUNDS, _MORE = 40, 1.01
"""How often, and by what part, sizes grow that are a little too small for the exact law."""


class TwoSizes(NamedTuple):
    """Two groups as a search reads them.

    Attributes:
        study: the comparison.
        studies: of each group by itself.
        most: how many people may take part in all.
        ratio: how many people of the second group there are for each of the first; None where that
            is free.
        about: the scale that the noise can have, about, for a first group of so many people and a
            ratio; 0 where they are too few.
    """

    study: Study
    studies: tuple[Study, Study]
    most: float
    ratio: Fraction | None
    about: Callable[[float, float], float]

    @classmethod
    def of(cls, study: Study, about: Callable[[float, float], float]) -> Self:
        """Those of a study."""
        first, second = (study_of_stratum(study, one, failure_of(study)) for one in study.strata)
        cap, ratio = study.find(MaxParticipants), ratio_of(study.target)
        return cls(study, (first, second), cap.n if cap else math.inf,
                   None if ratio is None else decimal(ratio), about)  # fmt: skip

    def whole(self, first: float, ratio: float) -> tuple[int, int]:
        """Sizes in whole people; see `in_ratio`."""
        size = max(round(first), 1)
        return size, max(math.ceil((self.ratio or Fraction(ratio)) * size), 1)

    def cost(self, sizes: tuple[float, float], scale: float) -> float:
        """What both groups cost, of people not yet whole [money]."""
        total = 0.0
        for one, n in zip(self.studies, sizes, strict=True):
            owed = one.individual.compensation(1 / (n * scale), 0.0)
            total += float(one.costs.total(n, owed))
        return total

    def fewest(self, ratio: float, low: float = 0.0, high: float = math.log(WHOLE_LIMIT)) -> float:
        """The logarithm of the fewest people of the first group between two, without noise."""
        if self.about(math.exp(low), ratio):
            return low
        found = scipy.optimize.brentq(
            lambda log: 1 if self.about(math.exp(log), ratio) else -1, low, high, xtol=1e-6
        )
        return float(found) + 1e-6

    def _limits(self, ratio: float) -> tuple[float, float]:
        """The fewest and the most people of the first group that conditions allow."""
        least, most = 1.0, min(self.most / (1 + ratio), WHOLE_LIMIT / (1 + ratio))
        for one, times in zip(self.studies, (1.0, ratio), strict=True):
            fewest, largest = _ends(one)
            least, most = max(least, fewest / times), min(most, largest / times)
        return least, most

    def ends(self, ratio: float) -> tuple[float, float] | None:
        """The logarithms of the fewest and the most people of the first group; None if none do."""
        least, most = self._limits(ratio)
        high = math.log(most)
        if least > most or not self.about(math.exp(high), ratio):
            return None
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

    def best_ratio(self) -> float:
        """The ratio that is asked for, or about the cheapest; conditions may allow only some."""
        if self.ratio is not None:
            return float(self.ratio)
        grid = np.linspace(math.log(_RATIOS[0]), math.log(_RATIOS[1]), _TRIED)
        costs = [self.cheapest(math.exp(log))[0] for log in grid.tolist()]
        at = int(np.argmin(costs))
        near = grid[max(at - 1, 0)], grid[min(at + 1, _TRIED - 1)]
        found = scipy.optimize.minimize_scalar(
            lambda log: min(self.cheapest(math.exp(log))[0], _TOO_DEAR),
            bounds=near, method="bounded",
        )  # fmt: skip
        return math.exp(float(found.x) if found.fun <= costs[at] else float(grid[at]))

    def plan(self, made: Callable[[tuple[int, int], float], TotalPlan | None]) -> TotalPlan | None:
        """The plan of the cheapest sizes of which one is made, from the fewest people on.

        Args:
            made: the plan of sizes, with a scale of the noise to start with; None if they have
                none.
        """
        ratio = self.best_ratio()
        cost, first = self.cheapest(ratio)
        if not math.isfinite(cost):
            return None

        def at(n: int) -> TotalPlan | None:
            sizes = self.whole(n, ratio)
            return made(sizes, self.about(n, ratio)) if self._allowed(sizes) else None

        least, most = self._whole_limits(ratio)
        n = min(max(round(first), least), most)
        for _ in range(_ROUNDS):
            plan = at(n)
            if plan is not None:
                return plan if plan.participants > _FEW else _near(plan, at)
            if n >= most:
                break
            n = min(max(round(n * _MORE), n + 1), most)
        return None

    def _whole_limits(self, ratio: float) -> tuple[int, int]:
        """The fewest and the most people of the first group in whole people of both."""
        least, most = self._limits(ratio)
        n = math.floor(most)
        while n > least and not self._allowed(self.whole(n, ratio)):  # sizes are rounded up
            n -= 1
        return max(math.ceil(least), 1), n

    def _allowed(self, sizes: tuple[int, int]) -> bool:
        """Whether conditions allow so many people of each group and in all."""
        ends = map(_ends, self.studies)
        inside = (low <= n <= high for (low, high), n in zip(ends, sizes, strict=True))
        return sum(sizes) <= self.most and all(inside)

    def without_privacy(
        self, prices: tuple[float, float], enough: Callable[[tuple[int, int]], bool]
    ) -> tuple[int, float]:
        """How many people it takes without noise, and what they cost [money].

        Args:
            prices: what a person of each group costs.
            enough: whether sizes are.
        """

        def cost(log: float) -> float:
            ratio = math.exp(log)
            return self.fewest(ratio) + math.log(prices[0] + ratio * prices[1])

        ratio = float(self.ratio or 0.0)
        if not ratio:
            ends = tuple(map(math.log, _RATIOS))
            ratio = math.exp(scipy.optimize.minimize_scalar(cost, bounds=ends, method="bounded").x)
        first = math.exp(self.fewest(ratio))
        while not enough(self.whole(first, ratio)):
            first = max(first * _MORE, first + 1)
        sizes = self.whole(first, ratio)
        return sum(sizes), sum(n * price for n, price in zip(sizes, prices, strict=True))

    def with_noise(self, sizes: tuple[int, int], scale: float, failure: float) -> TotalPlan:
        """The plan of sizes and noise, whose scale is rounded down.

        Args:
            sizes: of the groups.
            scale: of the noise.
            failure: with which probability the plan fails at most.
        """
        scale = round_down(scale, _DIGITS)
        strata = tuple(
            StratumShare.of(one, float(weight), n, float(1 / (n * decimal(scale))) * (1 + 1e-14))
            for one, weight, n in zip(self.studies, weights(self.study), sizes, strict=True)
        )
        total = decimal(self.study.costs.overhead)
        total += sum((decimal(one.cost) for one in strata), Fraction(0))
        return TotalPlan(
            self.study, "one-noise", strata, failure, sum(sizes), float(total), scale, None, {},
            Proof("floats", False, ""),
        )  # fmt: skip


def _ends(one: Study) -> tuple[float, float]:
    """The fewest and the most people of a group by itself."""
    fewest, own = one.find(MinParticipants), one.find(MaxParticipants)
    most = one.sampling.most_participants
    return fewest.n if fewest else 1, min(most, own.n) if own else most


def _near(plan: TotalPlan, at: Callable[[int], TotalPlan | None]) -> TotalPlan:
    """The cheapest plan of sizes near, in ever smaller steps.

    Args:
        plan: to start with.
        at: the plan of a first group of so many people; None if there is none.
    """
    step = max(plan.strata[0].participants // 8, 1)
    while step:
        first = plan.strata[0].participants
        near = [at(n) for n in (first - step, first + step) if n > 0]
        best = min((one for one in near if one is not None), key=lambda one: one.cost, default=plan)
        if best.cost < plan.cost:
            plan = best
        else:
            step //= 2
    return plan


def in_ratio(plan: TotalPlan) -> bool:
    """Whether the second group is the multiple of the first that is asked for, rounded up."""
    ratio, (first, second) = ratio_of(plan.study.target), (n.participants for n in plan.strata)
    return ratio is None or second == math.ceil(decimal(ratio) * first)
