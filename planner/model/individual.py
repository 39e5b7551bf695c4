"""The individual's side: what taking part may cost a person (Hsu14 Definitions 4 and 13)."""

from functools import cached_property
from typing import NamedTuple, Self

from pydantic import ConfigDict, InstanceOf, model_validator
from pydantic.dataclasses import dataclass

from planner import numbers
from planner.model.bad_event import BadEvent
from planner.numbers import Number
from planner.quantities import Cost


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Individual:
    """A person who takes part only if paid for the worst rise of their expected cost.

    Attributes:
        base_cost: E, expected cost of those who stay out [money, ≥ 0].
        worst_cost: W, cost of a record published in the clear [money, ≥ base_cost];
            needed only where δ > 0 or the compensation is capped.
        capped: whether compensation stops at `worst_cost` (Hsu14 §9.2, "Large ε").
        event: what this person fears, to tell what taking part means; changes no plan.
    """

    base_cost: Cost
    worst_cost: Cost | None = None
    capped: bool = False
    event: InstanceOf[BadEvent] | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.worst_cost is not None and self.worst_cost < self.base_cost:
            raise ValueError(
                f"worst_cost = {self.worst_cost!r} is below base_cost = {self.base_cost!r}; "
                "give a worst_cost of at least the base_cost"
            )
        if self.capped and self.worst_cost is None:
            raise ValueError("capped = true needs a worst_cost, the amount at which it stops")
        return self

    def compensation(self, epsilon: Number, delta: Number = 0.0) -> Number:
        """Money owed to each participant: (e^ε − 1)E + δW, at most W if capped.

        Args:
            epsilon: ε [> 0], number or array.
            delta: δ [[0, 1)], number or array.

        Source: Hsu14 Definitions 4, 13; §9.2.
        """
        owed = [person.compensation(epsilon, delta) for person in self.pieces]
        return owed[0] if len(owed) == 1 else numbers.of(epsilon, delta).minimum(*owed)

    @cached_property
    def pieces(self) -> tuple["PaidByRisk | PaidInFull", ...]:
        """The people whose cheaper one this is; each gives a convex problem, the cap does not."""
        by_risk = PaidByRisk(self.base_cost, self.worst_cost)
        if not self.capped or self.worst_cost is None:
            return (by_risk,)
        return (by_risk, PaidInFull(self.worst_cost))


class PaidByRisk(NamedTuple):
    """A person paid (e^ε − 1)E + δW, without end (Hsu14 Definition 13)."""

    base_cost: float
    worst_cost: float | None

    @property
    def paid_for_epsilon(self) -> bool:
        """Whether more ε costs more."""
        return self.base_cost > 0

    @property
    def paid_for_delta(self) -> bool:
        """Whether more δ costs more."""
        return bool(self.worst_cost)

    def least_compensation(self, delta: Number) -> Number:
        """The infimum over ε > 0 of the compensation: δW [money]."""
        if not self.paid_for_delta:
            return 0 * delta
        return delta * numbers.of(delta).number(self.worst_cost)

    def compensation(self, epsilon: Number, delta: Number) -> Number:
        """(e^ε − 1)E + δW [money]."""
        system = numbers.of(epsilon, delta)
        owed = self.least_compensation(delta)
        if self.paid_for_epsilon:
            owed = system.expm1(epsilon) * system.number(self.base_cost) + owed
        return owed

    def epsilon_ceiling(self, money: Number, delta: Number) -> Number:
        """The largest ε whose compensation is at most `money`: ln(1 + (money − δW)/E).

        Not positive where `money` buys no privacy loss at all; ∞ where E = 0 and `money` ≥ δW.
        """
        system = numbers.of(money, delta)
        left = money - self.least_compensation(delta)
        if self.paid_for_epsilon:
            return system.log1p(left / system.number(self.base_cost))
        return system.all_or_nothing(left)

    def signal_cost(self, signal: Number) -> Number:
        """What a signal N·ε costs in the limit of many people: N·ε·E [money]."""
        return signal * numbers.of(signal).number(self.base_cost)

    def signal_ceiling(self, money: Number) -> Number:
        """An upper bound on N·ε where N people share `money`: money/E, since e^ε − 1 ≥ ε."""
        system = numbers.of(money)
        return money / system.number(self.base_cost) if self.paid_for_epsilon else system.infinity


class PaidInFull(NamedTuple):
    """A person paid W whatever ε and δ are: the cap of Hsu14 §9.2, once it is reached."""

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

    def signal_cost(self, signal: Number) -> Number:
        """∞: a large study pays everyone W."""
        return numbers.of(signal).infinity

    def signal_ceiling(self, money: Number) -> Number:
        """∞: a person paid in full does not ask what ε is."""
        return numbers.of(money).infinity
