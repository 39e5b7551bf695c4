"""What a test is asked, exactly: of one proportion against a value, or of two groups of equal size.

A test reads one count of N people. Of one proportion it is that of the people who have the
property; of two groups that of the people who have it in the first and do not have it in the
second, which is N/2 more than the difference of their counts. It rejects for large counts: where
the alternative is the smaller proportion, or the smaller difference, those without the property
are counted instead.
"""

from fractions import Fraction
from typing import Any, NamedTuple

from planner.libraries import np
from planner.numbers import decimal

HALF = Fraction(1, 2)

INDEPENDENT = (
    "a test is planned for independent people; leave population, clusters and design effect out "
    "of the sampling"
)
"""What a test of other people refuses."""


class Shares(NamedTuple):
    """With which probability a person is counted.

    Attributes:
        first: of the first half of the people.
        second: of the second half.
    """

    first: Fraction
    second: Fraction

    @property
    def mean(self) -> Fraction:
        return (self.first + self.second) / 2

    @property
    def alike(self) -> "Shares":
        return Shares(self.mean, self.mean)

    @property
    def same(self) -> bool:
        """Whether all people are counted with one probability."""
        return bool(np.all(self.first == self.second))

    @property
    def others(self) -> "Shares":
        """With which probability a person is not."""
        return Shares(1 - self.first, 1 - self.second)

    def reported(self, truth: Any) -> "Shares":
        """With which probability a report is, the true answer with a probability (Warner 1965).

        Args:
            truth: p [[1/2, 1]]; a fraction or an array.
        """
        first = 1 - truth + self.first * (2 * truth - 1)
        if self.same:
            return Shares(first, first)
        return Shares(first, 1 - truth + self.second * (2 * truth - 1))


class Hypotheses(NamedTuple):
    """A test that is to find more people counted than under the null hypothesis.

    Attributes:
        null: under the null hypothesis; of several the one that is rejected most.
        alternative: what is to be found, more on average.
        significance: the probability to reject at the null value, on this side.
        power: the least probability to reject at the alternative.
        groups: how many groups are compared: 1, with a value, or 2.
    """

    null: Shares
    alternative: Shares
    significance: Fraction
    power: Fraction
    groups: int = 1

    @classmethod
    def of(
        cls, null: float, alternative: float, power: float, significance: float, sides: int
    ) -> "Hypotheses":
        """Of one proportion, from decimals; of two sides each has half the significance."""
        under, over = (Shares(share, share) for share in (decimal(null), decimal(alternative)))
        if alternative < null:
            under, over = under.others, over.others
        return cls(under, over, decimal(significance) / sides, decimal(power))

    @classmethod
    def of_groups(
        cls,
        baseline: float,
        change: float,
        power: float,
        significance: float,
        sides: int,
        baseline_range: tuple[float, float] = (0.0, 1.0),
        margin: float = 0.0,
    ) -> "Hypotheses":
        """Of two groups: the proportion of the second, and how much larger that of the first is.

        Where the groups have one proportion p, the difference of their counts is a sum of N/2
        numbers that are 1 and −1 with probability p(1 − p) each. With one number more it is over
        an edge above 0 more often, as it is symmetric and unimodal. So, by its derivative, it is
        with a larger p(1 − p), and likewise with geometric noise added: the null hypothesis is
        rejected most at the common proportion that is nearest to 1/2, where the significance is
        less than 1/2.

        With a margin m the first proportion is less by m under the null hypothesis. The mean of the
        count is then the same whatever the proportions are, and it is rejected most where they add
        up to 1, or to what is nearest to it, for thresholds that `count_test` proves.
        """
        second, moved, less = decimal(baseline), decimal(change), decimal(margin)
        low, high = (decimal(share) for share in baseline_range)
        common = min(max(HALF + less / 2, low + less), high)
        null = Shares(common - less, 1 - common)
        alternative = Shares(second + moved, 1 - second)
        if change < 0 and not margin:
            null, alternative = null.others, alternative.others
        return cls(null, alternative, decimal(significance) / sides, decimal(power), 2)

    @property
    def change(self) -> Fraction:
        """How much more probably a person is counted at the alternative, on average."""
        return self.alternative.mean - self.null.mean

    def counted(self, participants: int) -> int:
        """How many of N people are in the test: all, or as many in either group."""
        return participants // self.groups * self.groups

    def reported(self, truth: Any) -> "Hypotheses":
        """The same of reports, each the true answer with a probability, else the opposite."""
        null, alternative = (shares.reported(truth) for shares in self[:2])
        return self._replace(null=null, alternative=alternative)

    @property
    def margin(self) -> bool:
        """Whether the groups differ under the null hypothesis."""
        return self.groups == 2 and self.null.mean != HALF

    @property
    def at_half(self) -> bool:
        """Whether a half of each group is counted where the null hypothesis is rejected most."""
        return self.null == Shares(HALF, HALF)

    @property
    def other_side(self) -> "Hypotheses":
        """The null hypothesis of the test on the other side, of the people who are not counted."""
        return self._replace(null=self.null.others)
