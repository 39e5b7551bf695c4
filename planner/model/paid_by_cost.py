"""Payment rules: by the privacy loss, or the cap in full (Hsu14 Definition 13, §9.2)."""

from dataclasses import dataclass

from planner import numbers
from planner.model import family
from planner.model.payment import Payment, is_zero
from planner.numbers import Number, decimal


@dataclass(frozen=True)
class PaidByCost(Payment):
    """Paid (e^ε − 1)E + δW, without end (Hsu14 Definition 13); family and breach as `Individual`.

    The payment is convex in ε: (e^(gε) − 1)/(e^ε − 1) is 1 + e^ε + … + e^((g − 1)ε).
    """

    base_cost: float
    worst_cost: float | None
    family: int = 1
    breach: float = 0.0

    @property
    def paid_for_epsilon(self) -> bool:
        return self.base_cost > 0

    @property
    def paid_for_delta(self) -> bool:
        """Whether a larger δ costs more."""
        return bool(self.worst_cost)

    def least_compensation(self, delta: Number) -> Number:
        """The infimum over ε > 0 of the compensation: (gδ + min(1, g·breach))W [money]."""
        if not self.paid_for_delta:
            return 0 * delta
        published = self.family * delta * numbers.of(delta).number(self.worst_cost)
        return published + self._for_a_breach(delta)

    def _for_a_breach(self, delta: Number) -> Number:
        """What is paid for the records that a curator may lose: min(1, g·breach)W [money]."""
        if not self.breach:
            return 0 * delta
        number = numbers.of(delta).number
        lost = self.family * decimal(self.breach)
        share = number(self.breach) * self.family if lost < 1 else 1
        return share * number(self.worst_cost) + 0 * delta

    def compensation(self, epsilon: Number, delta: Number) -> Number:
        system = numbers.of(epsilon, delta)
        owed = self.least_compensation(delta)
        if not self.paid_for_epsilon:  # then it is decided in fractions
            return owed
        risen = system.expm1(self.family * epsilon)
        if self.family == 1 or not self.paid_for_delta or is_zero(epsilon):
            return risen * system.number(self.base_cost) + owed
        # e^(gε) is a separate factor, as it may overflow where δ is 0
        shared = delta * system.number(self.worst_cost) / system.expm1(epsilon)
        owed = self._for_a_breach(delta)
        return risen * (system.number(self.base_cost) + shared) + owed

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

    def n_epsilon_cost(self, n_epsilon: Number) -> Number:
        """The cost of a signal N·ε in the limit of many people: N·gε·E [money]."""
        return self.family * n_epsilon * numbers.of(n_epsilon).number(self.base_cost)

    def n_epsilon_ceiling(self, money: Number) -> Number:
        """An upper bound on N·ε where N people divide `money`: money/(gE), since e^ε − 1 ≥ ε."""
        system = numbers.of(money)
        if not self.paid_for_epsilon:
            return system.infinity
        return money / (self.family * system.number(self.base_cost))
