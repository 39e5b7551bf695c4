"""Payment rules: by the privacy loss, or the cap in full (Hsu14 Definition 13, §9.2)."""

from fractions import Fraction
from typing import NamedTuple, Self

from planner import numbers
from planner.model import family
from planner.numbers import Number


def is_zero(epsilon: Number) -> bool:
    """Whether this is the number 0; False for arrays and symbols."""
    return isinstance(epsilon, int | float | Fraction) and epsilon == 0


class PaidByRisk(NamedTuple):
    """The payment (e^ε − 1)E + δW, without a cap (Hsu14 Definition 13); family as in `Individual`.

    The payment is convex in ε: (e^(gε) − 1)/(e^ε − 1) is 1 + e^ε + … + e^((g − 1)ε).
    """

    base_cost: float
    worst_cost: float | None
    family: int = 1

    @property
    def convex(self) -> bool:
        """Whether the compensation is convex in ε, so that N times a ceiling is concave in N."""
        return True

    @property
    def least_growth(self) -> Fraction:
        """The e^ε from which this rule is used: 1, so from ε = 0 on."""
        return Fraction(1)

    def up_to(self, epsilon: Number) -> Self:
        """The same rule, used up to an ε: that changes no bound here."""
        return self

    @property
    def paid_for_epsilon(self) -> bool:
        """Whether a larger ε costs more."""
        return self.base_cost > 0

    @property
    def paid_for_delta(self) -> bool:
        """Whether a larger δ costs more."""
        return bool(self.worst_cost)

    def least_compensation(self, delta: Number) -> Number:
        """The infimum over ε > 0 of the compensation: gδW [money]."""
        if not self.paid_for_delta:
            return 0 * delta
        return self.family * delta * numbers.of(delta).number(self.worst_cost)

    def compensation(self, epsilon: Number, delta: Number) -> Number:
        """(e^(gε) − 1)(E + δW/(e^ε − 1)) [money]."""
        system = numbers.of(epsilon, delta)
        owed = self.least_compensation(delta)
        if not self.paid_for_epsilon:  # then it is decided in fractions
            return owed
        risen = system.expm1(self.family * epsilon)
        if self.family == 1 or not self.paid_for_delta or is_zero(epsilon):
            return risen * system.number(self.base_cost) + owed
        # e^(gε) is a separate factor, as it may overflow where δ is 0
        shared = delta * system.number(self.worst_cost) / system.expm1(epsilon)
        return risen * (system.number(self.base_cost) + shared)

    def compensation_slope(self, epsilon: Number, delta: Number) -> Number:
        """The derivative of the compensation by ε [money]."""
        system, g = numbers.of(epsilon, delta), self.family
        slope = g * system.number(self.base_cost)
        if g > 1 and self.paid_for_delta:
            shares = sum(j * system.exp((j - g) * epsilon) for j in range(1, g))
            slope += delta * system.number(self.worst_cost) * shares
        return system.exp(g * epsilon) * slope

    def epsilon_ceiling(self, money: Number, delta: Number) -> Number:
        """The largest ε whose compensation is at most `money`: ln(1 + (money − δW)/E).

        Not positive where `money` pays for no ε at all; ∞ where E = 0 and `money` ≥ δW.
        """
        system = numbers.of(money, delta)
        left = money - self.least_compensation(delta)
        if not self.paid_for_epsilon:
            return system.all_or_nothing(left)
        # where e^ε overflows the compensation is ∞, and no amount pays for it
        ceiling = system.log1p(system.minimum(left / system.number(self.base_cost), system.largest))
        if self.family == 1:
            return ceiling
        ceiling = ceiling / self.family
        return family.ceiling(self, money, delta, ceiling) if self.paid_for_delta else ceiling

    def signal_cost(self, signal: Number) -> Number:
        """The cost of a signal N·ε in the limit of many people: N·gε·E [money]."""
        return self.family * signal * numbers.of(signal).number(self.base_cost)

    def signal_ceiling(self, money: Number) -> Number:
        """An upper bound on N·ε where N people share `money`: money/(gE), since e^ε − 1 ≥ ε."""
        system = numbers.of(money)
        if not self.paid_for_epsilon:
            return system.infinity
        return money / (self.family * system.number(self.base_cost))


class PaidInFull(NamedTuple):
    """The payment W at every ε and δ: the cap of Hsu14 §9.2, once it is reached."""

    worst_cost: float

    @property
    def convex(self) -> bool:
        """Yes: the compensation is the same at every ε."""
        return True

    @property
    def least_growth(self) -> Fraction:
        """1: from ε = 0 on."""
        return Fraction(1)

    def up_to(self, epsilon: Number) -> Self:
        """The same rule: ε does not matter."""
        return self

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

    def signal_cost(self, signal: Number) -> Number:
        """∞: a large study pays everyone W."""
        return numbers.of(signal).infinity

    def signal_ceiling(self, money: Number) -> Number:
        """∞: the payment does not depend on ε."""
        return numbers.of(money).infinity
