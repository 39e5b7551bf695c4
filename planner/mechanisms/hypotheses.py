"""What a test of one share is asked, exactly."""

from fractions import Fraction
from typing import NamedTuple

from planner.numbers import decimal


class Hypotheses(NamedTuple):
    """A test of a share over the null value: under it, that of the people without the property.

    Attributes:
        null: the share under the null hypothesis.
        alternative: the larger share that is to be found.
        significance: the probability to reject at the null value, on this side.
        power: the least probability to reject at the alternative.
    """

    null: Fraction
    alternative: Fraction
    significance: Fraction
    power: Fraction

    @classmethod
    def of(
        cls, null: float, alternative: float, power: float, significance: float, sides: int
    ) -> "Hypotheses":
        """From decimals; a test on two sides is one on each at half the significance."""
        shares = decimal(null), decimal(alternative)
        if alternative < null:
            shares = 1 - shares[0], 1 - shares[1]
        return cls(*shares, decimal(significance) / sides, decimal(power))
