"""Simulation of noisy counts: people are drawn and noise is added to counts; see each class."""

import math
from dataclasses import dataclass
from typing import Any

from planner.answer.answers import Plan
from planner.libraries import np
from planner.mechanisms.noisy_counts import PowerOfGroups, PowerOfOne, critical_of, sizes_of
from planner.model.difference import DifferenceWithin
from planner.model.power import AnyPower
from planner.simulation.runs import SingleRuns
from planner.wording import plain


@dataclass(frozen=True)
class PowerRuns(SingleRuns):
    """Runs of a test of the alternative, which fail where it does not reject.

    Attributes:
        epsilon: ε of the noise [> 0].
        participants: N [≥ 1].
        power: the target.
        test: what it asks of people drawn as they are.
    """

    epsilon: float
    participants: int
    power: AnyPower
    test: PowerOfGroups | PowerOfOne

    @classmethod
    def of(cls, plan: Plan) -> "PowerRuns":
        """The runs of a plan, at the alternative."""
        power, test = plan.study.power, plan.study.test
        assert power is not None  # a test has both
        assert test is not None
        return cls(plan.epsilon, plan.participants, power, test)

    @property
    def words(self) -> str:
        records, of = plain(self.participants), "their count"
        if isinstance(self.test, PowerOfGroups):
            test = self.test.test(self.epsilon, self.participants)
            sizes = (test.second, test.first)[:: 1 if self.power.upwards else -1]
            records, of = " and ".join(map(plain, sizes)), "the count of each of two groups"
        if self.test.population is not None:
            records += f" of {plain(self.test.population)}"
        return (
            f"Each run draws {records} records, 1 with probability {self.power.at}, adds "
            f"geometric noise to {of} and tests it; it fails where the test does not reject."
        )

    def rejects(self, rng: "np.random.Generator", shares: tuple[float, ...], runs: int) -> Any:
        """Whether the test rejects in each of some runs, towards the alternative.

        Args:
            rng: the source of chance.
            shares: of one proportion the share of those counted; of two groups that of the group
                which is to be over, and of the other.
            runs: how many.
        """
        floor, people = self.test, self.test.population
        if isinstance(floor, PowerOfOne):
            counts = _noisy(rng, self.epsilon, self.participants, shares[0], runs, people)
            return counts >= floor.threshold(self.epsilon, self.participants)
        assert isinstance(floor, PowerOfGroups)  # no other test is planned
        test = floor.test(self.epsilon, self.participants)
        first, second = (
            _noisy(rng, self.epsilon, size, share, runs, people)
            for size, share in zip((test.first, test.second), shares, strict=True)
        )
        critical = critical_of(test)
        found = test.statistic(first, second) >= critical
        if test.equivalence:
            found &= test.statistic(test.first - first, test.second - second) >= critical
        return found

    def fails(self, rng: "np.random.Generator", runs: int) -> Any:
        floor = self.test
        if isinstance(floor, PowerOfOne):
            return ~self.rejects(rng, (floor.counted[1],), runs)
        assert isinstance(floor, PowerOfGroups)
        return ~self.rejects(rng, floor.alternative, runs)


@dataclass(frozen=True)
class DifferenceRuns(SingleRuns):
    """Runs of the difference of two groups' proportions, of a half each.

    Attributes:
        epsilon: ε of the noise [> 0].
        sizes: of both groups [≥ 1].
        error: T [fraction of 1, (0, 1]].
        population: M, of whom each group is drawn without replacement; None without end.
    """

    epsilon: float
    sizes: tuple[int, int]
    error: float
    population: int | None = None

    @property
    def words(self) -> str:
        first, second = map(plain, self.sizes)
        if self.population is not None:
            second += f" of {plain(self.population)}"
        return (
            f"Each run draws {first} and {second} records, each 1 with probability 0.5, adds "
            "geometric noise to the count of each group, and fails where the difference of the "
            f"proportions is off by {plain(self.error)} or more."
        )

    def fails(self, rng: "np.random.Generator", runs: int) -> Any:
        drawn = (_noisy(rng, self.epsilon, n, 0.5, runs, self.population) for n in self.sizes)
        first, second = (count / n for count, n in zip(drawn, self.sizes, strict=True))
        return np.abs(first - second) >= self.error * (1 - 1e-12)


def runs_of(plan: Plan) -> PowerRuns | DifferenceRuns:
    """The runs of a plan by noisy counts."""
    if plan.study.power is not None:
        return PowerRuns.of(plan)
    target = plan.study.target
    assert isinstance(target, DifferenceWithin)  # no other is planned by counts
    sizes = sizes_of(plan.participants, target.ratio)
    return DifferenceRuns(plan.epsilon, sizes, target.error, plan.study.sampling.sample.population)


def _noisy(
    rng: "np.random.Generator",
    epsilon: float,
    size: int,
    share: float,
    runs: int,
    population: int | None,
) -> Any:
    ends = -math.expm1(-epsilon)  # the difference of two of these is the noise
    noise = rng.geometric(ends, runs) - rng.geometric(ends, runs)
    if population is None:
        return rng.binomial(size, share, runs) + noise
    yes = round(share * population)
    return rng.hypergeometric(yes, population - yes, size, runs) + noise
