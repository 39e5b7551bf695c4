"""What a person is paid for: by expected cost, by events, or in full.

Each kind is one rule of payment, and gives problems of one shape; a person may be paid by the
cheaper of two.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction

from planner import numbers
from planner.numbers import Number


def is_zero(epsilon: Number) -> bool:
    """Whether this is the one number 0; arrays and symbols are not asked."""
    return isinstance(epsilon, int | float | Fraction) and epsilon == 0


@dataclass(frozen=True)
class Payment(ABC):
    """A rule by which a person is paid; it reads numbers, arrays, fractions and symbols."""

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


@dataclass(frozen=True)
class PaidInFull(Payment):
    """Paid W whatever ε and δ are: the cap of Hsu14 §9.2, once it is reached."""

    worst_cost: float

    @property
    def paid_for_epsilon(self) -> bool:
        return False

    def least_compensation(self, delta: Number) -> Number:
        return numbers.of(delta).number(self.worst_cost) + 0 * delta

    def compensation(self, epsilon: Number, delta: Number) -> Number:
        return self.least_compensation(delta) + 0 * epsilon

    def epsilon_ceiling(self, money: Number, delta: Number) -> Number:
        system = numbers.of(money, delta)
        return system.all_or_nothing(money - self.least_compensation(delta))

    def n_epsilon_cost(self, n_epsilon: Number) -> Number:
        return numbers.of(n_epsilon).infinity

    def n_epsilon_ceiling(self, money: Number) -> Number:
        return numbers.of(money).infinity
