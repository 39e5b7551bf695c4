"""Samples as they are: drawn from a finite population, or less informative than independent people.

The mean asked for is that of M people of whom N are drawn without replacement. The sample is then
off by t with a probability of at most 2·exp(−2Nt²/f), f the smaller of 1 − (N − 1)/M (Serfling
1974) and (1 − N/M)(1 + 1/N) (Bardenet and Maillard 2015, Theorem 2.4), which is 0 for a census. In
clusters of m people drawn whole the means of N/m clusters are independent, so N counts as N/m
(Hoeffding). A design effect D counts N as N/D as well, but as a convention and no theorem.

So Hoeffding's bound on a noisy mean holds with n′ = N/(mDf) in the sample's term, while the noise's
depends on N·ε alone: it is the bound for n′ people at ε′ = N·ε/n′. n′ grows with N, so N·ε falls,
but with a finite population it is not convex in N (it has a kink near M/2).
"""

from typing import NamedTuple

from planner import numbers
from planner.numbers import Number

_CENSUS = 1e-30
"""An f that stands for 0: no people count as more than 1e30 times as many."""


class Sample(NamedTuple):
    """How the people of a study are drawn.

    Attributes:
        population: M, of whom they are drawn without replacement; None where that is not bounded.
        design_effect: D [≥ 1].
        clusters_of: m, how many are drawn together [≥ 1].
        deviation: s, the most that their values deviate by, as a fraction of their range; None
            where nothing is known of it [(0, 1/2]].
    """

    population: int | None = None
    design_effect: float = 1.0
    clusters_of: int = 1
    deviation: float | None = None

    @property
    def simple(self) -> bool:
        """Whether people are drawn independently from a population without end."""
        return self == Sample()

    def refuse_deviation(self) -> None:
        """Refuse an assumed deviation."""
        if self.deviation is not None:
            raise ValueError(
                "deviation_at_most is for the exact analysis of means with Laplace or Gaussian "
                'noise; give analysis = "exact", or leave it out'
            )

    def left_out(self, participants: Number) -> Number:
        """The f of a finite population, above 0; 1 where it is not bounded."""
        system = numbers.of(participants)
        n, one = participants, participants * 0 + 1
        if self.population is None:
            return one
        people = self.population * one
        serfling = 1 - (n - 1) / people
        bardenet = (1 - n / people) * (1 + 1 / n)
        return system.maximum(system.minimum(serfling, bardenet), system.number(_CENSUS) * one)

    def design(self, system: numbers.NumberSystem) -> Number:
        """By what part the people count: mD."""
        return self.clusters_of * system.number(self.design_effect)

    def people(self, participants: Number) -> Number:
        design = self.design(numbers.of(participants))
        return participants / (design * self.left_out(participants))


SIMPLE = Sample()
"""People drawn independently from a population without end."""
