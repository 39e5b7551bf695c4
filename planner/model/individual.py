"""The individual's side: what taking part may cost a person (Hsu14 Definitions 4 and 13)."""

import math
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple, Self

from pydantic import ConfigDict, InstanceOf, model_validator
from pydantic.dataclasses import dataclass

from planner import numbers
from planner.mechanisms import Mechanism
from planner.model import family
from planner.model.bad_event import BadEvent
from planner.model.paid_by_events import PaidByEvents
from planner.model.people import People
from planner.numbers import Number
from planner.quantities import Cost, Family


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Individual:
    """A person who takes part only if paid for the worst rise of their expected cost.

    Attributes:
        base_cost: E, expected cost of those who stay out [money, ≥ 0].
        worst_cost: W, cost of a record published in the clear [money, ≥ base_cost];
            needed only where δ > 0 or the compensation is capped.
        capped: whether compensation stops at `worst_cost` (Hsu14 §9.2, "Large ε").
        family: g, how many decide together; each then bears what comes of all g records, so ε and
            δ count as gε and δ(e^(gε) − 1)/(e^ε − 1) [≥ 1].
        people: the people who differ, where `base_cost` is the one that is paid for; see
            `of_people`.
        event: what this person fears, to tell what taking part means; changes no plan.
    """

    base_cost: Cost
    worst_cost: Cost | None = None
    capped: bool = False
    event: InstanceOf[BadEvent] | None = None
    family: Family = 1
    people: InstanceOf[People] | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.worst_cost is not None and self.worst_cost < self.base_cost:
            raise ValueError(
                f"worst_cost = {self.worst_cost!r} is below base_cost = {self.base_cost!r}; "
                "give a worst_cost of at least the base_cost"
            )
        if self.family > 1 and not self.base_cost and self.worst_cost:
            raise ValueError(
                f"base_cost = {self.base_cost!r} is too little for a family of {self.family}, who "
                "share what is published; give a base_cost over 0"
            )
        if self.capped and self.worst_cost is None:
            raise ValueError("capped = true needs a worst_cost, the amount at which it stops")
        return self

    def compensation(self, epsilon: Number, delta: Number = 0.0) -> Number:
        """Money owed to each participant: (e^ε − 1)E + δW, at most W if capped.

        In a family of g, (e^(gε) − 1)(E + δW/(e^ε − 1)): group privacy.

        Args:
            epsilon: ε [> 0], number or array.
            delta: δ [[0, 1)], number or array.

        Source: Hsu14 Definitions 4, 13; §9.2.
        """
        owed = [person.compensation(epsilon, delta) for person in self.pieces]
        return owed[0] if len(owed) == 1 else numbers.of(epsilon, delta).minimum(*owed)

    def counts_as(self, epsilon: Number, delta: Number) -> tuple[Number, Number]:
        """The ε and δ that a family's members bear together: gε and δ(e^(gε) − 1)/(e^ε − 1).

        Source: group privacy; Hsu14 Definition 10 applied to g records one after another.
        """
        if self.family == 1:
            return epsilon, delta
        if _is_zero(epsilon):  # the limit, where the quotient below has no value
            return epsilon, self.family * delta
        expm1 = numbers.of(epsilon, delta).expm1
        return self.family * epsilon, delta * (expm1(self.family * epsilon) / expm1(epsilon))

    def compensation_exposed(self, exposure: Number) -> Number:
        """What each person is owed where a study without privacy exposes a share of the people.

        That share counts as a δ at ε = 0, as with privacy: φW, in a family of g min(1, gφ)W, as any
        of their records may be found out.

        Args:
            exposure: φ, the chance of each record [[0, 1]], number or array.

        Raises:
            ValueError: the individual has no worst cost.
        """
        return numbers.of(exposure).minimum(self.family * exposure, 1.0) * self._worst

    def exposure_owing(self, money: float) -> float:
        """The exposure at which that is `money`, the inverse; over 1 where it never is.

        Args:
            money: for each person [money, ≥ 0].

        Raises:
            ValueError: the individual has no worst cost, or one of 0.
        """
        share = money / self._worst
        return share / self.family if share <= 1 else share

    @property
    def _worst(self) -> float:
        if self.worst_cost is None:
            raise ValueError(
                "a study without privacy pays for published records, so worst_cost is needed; "
                "give the individual a worst_cost"
            )
        return self.worst_cost

    @property
    def depends_on_worst_cost(self) -> bool:
        """Whether the worst cost counts even where δ = 0."""
        return self.capped

    @property
    def largest_base_cost(self) -> float:
        """How far the base cost can be raised with all else kept [money]."""
        return math.inf if self.worst_cost is None else self.worst_cost

    def with_base_cost(self, base_cost: float) -> Self:
        """The same person with another base cost [money]."""
        return replace(self, base_cost=base_cost, people=None)

    @classmethod
    def of_people(
        cls,
        people: People,
        worst_cost: float | None = None,
        capped: bool = False,
        family: int = 1,
    ) -> Self:
        """The person for whom people who differ are paid: at the quantile that is to accept.

        Args:
            people: their base costs, and the share to pay enough.
            worst_cost: W, the same for all [money]; at least the base cost that is paid for.
            capped: see `Individual`.
            family: see `Individual`.
        """
        return cls(people.base_cost, worst_cost, capped, family=family, people=people)

    def by(self, mechanism: Mechanism) -> Self:
        """The same person in a study with another mechanism."""
        return self

    def pieces_over(self, delta: float) -> tuple["PaidByRisk | PaidInFull | PaidByEvents", ...]:
        """People whose cheaper one this is at every δ up to `delta`."""
        return self.pieces

    @cached_property
    def pieces(self) -> tuple["PaidByRisk | PaidInFull | PaidByEvents", ...]:
        """The people whose cheaper one this is; each gives a convex problem, the cap does not."""
        by_risk = PaidByRisk(self.base_cost, self.worst_cost, self.family)
        if not self.capped or self.worst_cost is None:
            return (by_risk,)
        return (by_risk, PaidInFull(self.worst_cost))


def _is_zero(epsilon: Number) -> bool:
    """Whether this is the one number 0; arrays and symbols are not asked."""
    return isinstance(epsilon, int | float | Fraction) and epsilon == 0


class PaidByRisk(NamedTuple):
    """A person paid (e^ε − 1)E + δW, without end (Hsu14 Definition 13); family as `Individual`.

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
        """The e^ε from which this person is looked at: 1, so from ε = 0 on."""
        return Fraction(1)

    def up_to(self, epsilon: Number) -> Self:
        """The same person, looked at up to an ε: that changes no bound here."""
        return self

    @property
    def paid_for_epsilon(self) -> bool:
        """Whether more ε costs more."""
        return self.base_cost > 0

    @property
    def paid_for_delta(self) -> bool:
        """Whether more δ costs more."""
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
        if not self.paid_for_epsilon:  # then fractions decide it
            return owed
        risen = system.expm1(self.family * epsilon)
        if self.family == 1 or not self.paid_for_delta or _is_zero(epsilon):
            return risen * system.number(self.base_cost) + owed
        # e^(gε) stands outside, as it may pass the largest float where δ is 0
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

        Not positive where `money` buys no privacy loss at all; ∞ where E = 0 and `money` ≥ δW.
        """
        system = numbers.of(money, delta)
        left = money - self.least_compensation(delta)
        if not self.paid_for_epsilon:
            return system.all_or_nothing(left)
        # beyond the largest number the compensation is ∞, and no amount pays for it
        ceiling = system.log1p(system.minimum(left / system.number(self.base_cost), system.largest))
        if self.family == 1:
            return ceiling
        ceiling = ceiling / self.family
        return family.ceiling(self, money, delta, ceiling) if self.paid_for_delta else ceiling

    def signal_cost(self, signal: Number) -> Number:
        """What a signal N·ε costs in the limit of many people: N·gε·E [money]."""
        return self.family * signal * numbers.of(signal).number(self.base_cost)

    def signal_ceiling(self, money: Number) -> Number:
        """An upper bound on N·ε where N people share `money`: money/(gE), since e^ε − 1 ≥ ε."""
        system = numbers.of(money)
        if not self.paid_for_epsilon:
            return system.infinity
        return money / (self.family * system.number(self.base_cost))


class PaidInFull(NamedTuple):
    """A person paid W whatever ε and δ are: the cap of Hsu14 §9.2, once it is reached."""

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
        """The same person: no ε matters."""
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
        """∞: a person paid in full does not ask what ε is."""
        return numbers.of(money).infinity
