"""What a person is paid for: by expected cost, by events, or in full.

Each kind is one rule of payment, and gives problems of one shape; a person may be paid by the
cheaper of two.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Self

from planner import numbers
from planner.numbers import Number


def is_zero(epsilon: Number) -> bool:
    """Whether this is the one number 0; arrays and symbols are not asked."""
    return isinstance(epsilon, int | float | Fraction) and epsilon == 0


class PaymentSlopes(NamedTuple):
    """The derivatives of a compensation by ε, δ, E and W."""

    epsilon: float
    delta: float
    base_cost: float
    worst_cost: float


@dataclass(frozen=True)
class Payment(ABC):
    """A rule by which a person is paid; it reads numbers, arrays, fractions, balls and symbols."""

    @property
    def convex(self) -> bool:
        """Whether the compensation is convex in ε, so that N times a ceiling is concave in N."""
        return True

    @property
    def least_growth(self) -> Fraction:
        """The e^ε from which this rule is looked at: 1, so from ε = 0 on."""
        return Fraction(1)

    @property
    @abstractmethod
    def paid_for_epsilon(self) -> bool:
        """Whether more ε costs more."""

    @abstractmethod
    def least_compensation(self, delta: Number) -> Number:
        """The infimum over ε > 0 of the compensation, or less [money]."""

    @abstractmethod
    def compensation(self, epsilon: Number, delta: Number) -> Number:
        """What each participant is owed [money]."""

    @abstractmethod
    def epsilon_ceiling(self, money: Number, delta: Number) -> Number:
        """The largest ε whose compensation is at most `money`; not positive where none is."""

    @abstractmethod
    def n_epsilon_cost(self, n_epsilon: Number) -> Number:
        """What a signal N·ε costs in the limit of many people [money]."""

    @abstractmethod
    def n_epsilon_ceiling(self, money: Number) -> Number:
        """An upper bound on N·ε where N people divide `money`."""

    def up_to(self, epsilon: Number) -> Self:
        """The same rule, looked at up to an ε: that changes no bound, except of events."""
        return self

    def least_slope(
        self, low: Number | None, high: Number | None, system: numbers.NumberSystem
    ) -> Number:
        """At most compensation/ε at every ε in [low, high] and every δ; None stands for ε → 0."""
        return system.number(0.0)

    def slopes(self, epsilon: float, delta: float) -> PaymentSlopes:
        """How the compensation moves with each of what it depends on.

        Raises:
            ValueError: the rule has no formula to derive.
        """
        raise ValueError("a payment for events has no formula to derive")


@dataclass(frozen=True)
class PaidInFull(Payment):
    """Paid W whatever ε and δ are: the cap of Hsu14 §9.2, once it is reached."""

    worst_cost: float

    @property
    def paid_for_epsilon(self) -> bool:
        """No: the payment is the same at every ε."""
        return False

    def least_compensation(self, delta: Number) -> Number:
        """W [money]."""
        return numbers.of(delta).number(self.worst_cost) + 0 * delta

    def compensation(self, epsilon: Number, delta: Number) -> Number:
        """W [money]."""
        return self.least_compensation(delta) + 0 * epsilon

    def epsilon_ceiling(self, money: Number, delta: Number) -> Number:
        """∞ where `money` pays for W, else −∞."""
        system = numbers.of(money, delta)
        return system.all_or_nothing(money - self.least_compensation(delta))

    def n_epsilon_cost(self, n_epsilon: Number) -> Number:
        """∞: a large study pays everyone W."""
        return numbers.of(n_epsilon).infinity

    def n_epsilon_ceiling(self, money: Number) -> Number:
        """∞: a person paid in full does not ask what ε is."""
        return numbers.of(money).infinity

    def slopes(self, epsilon: float, delta: float) -> PaymentSlopes:
        """W alone counts."""
        return PaymentSlopes(epsilon=0.0, delta=0.0, base_cost=0.0, worst_cost=1.0)
