"""The payment rule for the rise of each listed event, by a trade-off function."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Self

from planner import numbers
from planner.libraries import np
from planner.model.bad_event import BadEvent
from planner.model.payment import Payment, is_zero
from planner.numbers import Inexact, Number
from planner.privacy.gaussian import enclosed_root
from planner.privacy.trade_off import TradeOff

_LARGEST = 800.0
"""A strength at which every event is practically certain: e^(−800) is 0 in floats."""
_HALVINGS = 70  # 800 · 2^(−70) < 10^(−18), under the last bit of strengths over 0.005


@dataclass(frozen=True)
class PaidByEvents(Payment):
    """Paid Σ c·(1 − f(p) − p) over the events that cost anything.

    The compensation grows with ε and δ, up to Σ c(1 − p), but is not convex in ε.

    Attributes:
        events: the events with a cost.
        curve: f.
        least_growth: the e^ε under which a cheaper rule is looked at elsewhere.
        most: the largest ε at which this rule is looked at; None where that is not bounded.
    """

    events: tuple[BadEvent, ...]
    curve: TradeOff
    least_growth: Fraction = Fraction(1)
    most: Number | None = None

    @property
    def convex(self) -> bool:
        """No: the compensation saturates."""
        return False

    @property
    def paid_for_epsilon(self) -> bool:
        """Whether a larger ε costs more."""
        return bool(self.events)

    def least_compensation(self, delta: Number) -> Number:
        """The compensation at `least_growth`, or less; exact at a fraction δ [money]."""
        number, owed = numbers.of(delta).number, 0 * delta
        growth = number(self.least_growth.numerator) / number(self.least_growth.denominator)
        for event in self.events:
            p, cost = number(event.probability), number(event.cost)
            # up to least_growth the rise is (e^ε − 1)p + δ
            owed = owed + ((growth - 1) * p + self.curve.least_rise(p, delta)) * cost
        return owed

    def compensation(self, epsilon: Number, delta: Number) -> Number:
        """Σ c·(1 − f(p) − p) [money]."""
        if not self.events:
            return 0 * epsilon
        if numbers.of(epsilon, delta) is numbers.FRACTIONS:
            raise Inexact
        return self._owed(self.curve.strength(epsilon, delta), delta)

    def _owed(self, strength: Number, delta: Number) -> Number:
        """The compensation at a strength of the mechanism [money]."""
        number = numbers.of(strength, delta).number
        return sum(
            number(event.cost) * self.curve.rise(event.probability, strength, delta)
            for event in self.events
        )

    def harm(self, system: numbers.NumberSystem) -> Number:
        """Σ c(1 − p), the harm itself, an upper bound of the compensation [money]."""
        number = system.number
        return sum(number(e.cost) * (1 - number(e.probability)) for e in self.events)

    def epsilon_ceiling(self, money: Number, delta: Number) -> Number:
        """The largest ε whose compensation is at most `money`; ∞ if that pays for the harm itself.

        In closed form for one event; for several by bisection, and enclosed in balls. Not positive
        where `money` pays for no ε at all.
        """
        system = numbers.of(money, delta)
        if not self.events:
            return system.all_or_nothing(money)
        if len(self.events) == 1:
            (event,) = self.events
            rise = money / system.number(event.cost)
            strength = self.curve.strength_at(event.probability, rise, delta)
        elif system is numbers.balls():
            strength = self._enclosed(money, delta)
        else:
            strength = self._bisected(money, delta, system)
        return self.curve.epsilon(strength, delta)

    def _bisected(self, money: Number, delta: Number, system: numbers.NumberSystem) -> Number:
        """A lower bound of the strength that `money` pays for; floats or arrays."""
        numeric = numbers.arrays() if system is not numbers.FLOATS else system
        at_delta = [e.cost * self.curve.least_rise(e.probability, delta) for e in self.events]
        left, shared = money - sum(at_delta), self.harm(system) - sum(at_delta)
        low, high = numeric.infinity, numeric.number(_LARGEST)
        for event, owed in zip(self.events, at_delta, strict=True):
            own = event.cost * (1 - event.probability)
            share = (own - owed) / shared if shared > 0 else 1.0
            part, all_of_it = (owed + left * share) / event.cost, (left + owed) / event.cost
            # enough if every event's share is enough; too much if one event alone needs more
            low = numeric.minimum(low, self.curve.strength_at(event.probability, part, delta))
            most = self.curve.strength_at(event.probability, all_of_it, delta)
            high = numeric.minimum(high, most)
        affordable = numeric.maximum(numeric.number(0.0), numeric.minimum(low, high))
        least, high = affordable, numeric.maximum(affordable, high)
        for _ in range(_HALVINGS):
            middle = least + (high - least) / 2
            sufficient = self._owed(middle, delta) <= money
            if numeric is numbers.FLOATS:
                least, high = (middle, high) if sufficient else (least, middle)
            else:
                least, high = (
                    np.where(sufficient, middle, least),
                    np.where(sufficient, high, middle),
                )
        pays_for_all = numeric.all_or_nothing(money - self.harm(system))
        none = numeric.all_or_nothing(left)  # −∞ where the money does not even pay for δ
        return numeric.minimum(numeric.maximum(least, pays_for_all), none)

    def _enclosed(self, money: Number, delta: Number) -> Number:
        """A ball around the strength that `money` pays for."""
        system = numbers.balls()
        anything = system.number(0).union(system.infinity)
        guess = self._bisected(float(money.mid()), float(delta.mid()), numbers.FLOATS)
        if guess <= 0:
            none = money < self.least_compensation(delta)
            return -system.infinity if none else anything
        if guess >= _LARGEST:
            return system.infinity if money >= self.harm(system) else anything
        return enclosed_root(lambda strength: money - self._owed(strength, delta), guess)

    def n_epsilon_cost(self, n_epsilon: Number) -> Number:
        """The cost of a signal N·ε in the limit of many people, at δ = 0 [money]."""
        return n_epsilon * self.least_slope(None, None, numbers.of(n_epsilon))

    def up_to(self, epsilon: Number) -> Self:
        """The same rule, used up to an ε."""
        return replace(self, most=epsilon)

    def n_epsilon_ceiling(self, money: Number) -> Number:
        """An upper bound on N·ε where N people divide `money`; ∞ unless ε is bounded (`up_to`).

        Each is paid at least ε times the least slope, so N·ε·slope ≤ money.
        """
        system = numbers.of(money)
        if self.most is None or not self.most < system.infinity or not self.events:
            return system.infinity
        slope = self.least_slope(None, self.most, system)
        return money / slope if slope > 0 else system.infinity

    def least_slope(
        self, low: Number | None, high: Number | None, system: numbers.NumberSystem
    ) -> Number:
        """At most compensation/ε at every ε in [low, high] and every δ; None stands for ε → 0.

        For each event it is smallest at one of the ends (`TradeOff.first_slope`).
        """
        number, zero = system.number, system.number(0.0)

        def slope(event: BadEvent, epsilon: Number | None) -> Number:
            if epsilon is None or is_zero(epsilon):
                return self.curve.first_slope(number(event.probability))
            strength = self.curve.strength(epsilon, zero)
            return self.curve.rise(event.probability, strength, zero) / epsilon

        return sum(
            number(event.cost) * system.minimum(slope(event, low), slope(event, high))
            for event in self.events
        )
