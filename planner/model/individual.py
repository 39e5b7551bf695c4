"""The individual: the compensation for taking part (Hsu14 Definitions 4 and 13)."""

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Self

from pydantic import BeforeValidator, InstanceOf, model_validator

from planner import numbers
from planner.checked import dataclass
from planner.checks import Cost, DeltaValue, Family
from planner.model import family as families
from planner.model.bad_event import BadEvent
from planner.model.paid_by_cost import PaidByCost
from planner.model.payment import PaidInFull, Payment
from planner.model.people import People
from planner.numbers import Number, decimal


@dataclass
class Individual:
    """A person who takes part only if paid for the largest increase of their expected cost.

    They are paid (e^ε − 1)E + δW, at most W if capped; in a family of g,
    (e^(gε) − 1)(E + δW/(e^ε − 1)): group privacy (Hsu14 Definitions 4, 13; §9.2). Where a curator
    holds the records, they are paid breach·W more, in a family min(1, g·breach)W.

    Attributes:
        base_cost: E, expected cost of those who stay out [money, ≥ 0].
        worst_cost: W, cost of a record published with its name [money, ≥ base_cost];
            needed only where δ > 0, the compensation is capped or a breach is possible.
        capped: whether compensation stops at `worst_cost` (Hsu14 §9.2, "Large ε").
        family: g, the number of people who decide together; each then bears the harm from all g
            records, so ε and δ count as gε and δ(e^(gε) − 1)/(e^ε − 1) [≥ 1].
        people: where people differ, their base costs, of which `base_cost` is the one paid for;
            see `of_people`.
        event: what this person fears, to explain what taking part means; it changes no plan.
        breach: the probability that the raw records held by a curator become known [[0, 1)].
        curator: whether a curator holds the records; a study sets it by its mechanism.
        events: what they fear, in place of `event` where it is several; see `of_events`.
    """

    base_cost: Cost
    worst_cost: Cost | None = None
    capped: bool = False
    event: InstanceOf[BadEvent] | None = None
    family: Family = 1
    people: InstanceOf[People] | None = None
    breach: DeltaValue = 0.0
    curator: bool = True
    events: Annotated[tuple[InstanceOf[BadEvent], ...], BeforeValidator(tuple)] = ()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.worst_cost is not None and self.worst_cost < self.base_cost:
            raise ValueError(
                f"worst_cost = {self.worst_cost!r} is below base_cost = {self.base_cost!r}; "
                "give a worst_cost of at least the base_cost"
            )
        if self.family > 1 and not self.base_cost and self.worst_cost:
            raise ValueError(
                f"base_cost = {self.base_cost!r} is too small for a family of {self.family}, in "
                "which everyone bears the risk of every record; give a base_cost above 0"
            )
        if self.capped and self.worst_cost is None:
            raise ValueError("capped = true needs a worst_cost, the amount at which it stops")
        if self.breach and self.worst_cost is None:
            raise ValueError(
                f"breach = {self.breach!r} may make a record known, so worst_cost is needed; give "
                "a worst_cost"
            )
        return self

    @classmethod
    def of_events(cls, events: Sequence[BadEvent]) -> Self:
        """The person who fears some events: E is Σ probability × cost, W the sum of all costs."""
        base = sum((decimal(one.probability) * decimal(one.cost) for one in events), Fraction(0))
        worst = sum((decimal(one.cost) for one in events), Fraction(0))
        if len(events) == 1:
            return cls(float(base), float(worst), event=events[0])
        return cls(float(base), float(worst), events=tuple(events))

    @property
    def fears(self) -> tuple[BadEvent, ...]:
        return self.events if self.event is None else (self.event,)

    def compensation(self, epsilon: Number, delta: Number = 0.0) -> Number:
        """Money owed to each participant, by the cheaper of their rules of payment.

        Args:
            epsilon: ε [> 0], number or array.
            delta: δ [[0, 1)], number or array.
        """
        owed = [rule.compensation(epsilon, delta) for rule in self.pieces]
        return owed[0] if len(owed) == 1 else numbers.of(epsilon, delta).minimum(*owed)

    def counts_as(self, epsilon: Number, delta: Number) -> tuple[Number, Number]:
        """The ε and δ that a family's members bear together; see `family.counts_as`."""
        return families.counts_as(self.family, epsilon, delta)

    def largest_risk(self, event: BadEvent, epsilon: Number, delta: Number = 0.0) -> Number:
        """The most that an event's chance can be, as ε and δ promise to the whole family."""
        epsilon, delta = self.counts_as(epsilon, delta)
        return event.risk(epsilon, min(delta, 1.0))

    def compensation_exposed(self, exposure: Number) -> Number:
        """The compensation where a study that is not private exposes a proportion of the people.

        That proportion counts as a δ at ε = 0, as with privacy: φW, in a family of g min(1, gφ)W,
        as any of their records may be exposed. A breach exposes a record as well.

        Args:
            exposure: φ, the probability for each record [[0, 1]], number or array.

        Raises:
            ValueError: the individual has no worst cost.
        """
        exposed = self.family * (exposure + self.breach)
        return numbers.of(exposure).minimum(exposed, 1.0) * self._worst

    def exposure_owing(self, money: float) -> float:
        """The exposure at which that is `money`, the inverse; above 1 where it never is.

        Args:
            money: for each person [money, ≥ 0].

        Raises:
            ValueError: the individual has no worst cost, or one of 0.
        """
        share = money / self._worst
        return max(0.0, share / self.family - self.breach) if share <= 1 else share

    def with_curator(self, curator: bool) -> Self:
        """The same person in a study with a curator, or without one."""
        return self if self.curator == curator else replace(self, curator=curator)

    def with_breach(self, breach: float) -> Self | None:
        """The same person with another breach; None without a worst cost to be paid for it."""
        return replace(self, breach=breach) if self.worst_cost else None

    @property
    def largest_base_cost(self) -> float:
        """The largest base cost allowed with everything else unchanged [money].

        Who has nothing to lose as yet may have any.
        """
        return self.worst_cost or math.inf

    def with_base_cost(self, base_cost: float) -> Self:
        """The same person with another base cost [money]; those of people scale together."""
        people = None if self.people is None else self.people.paid_for(base_cost)
        worst = self.worst_cost or None if base_cost else self.worst_cost
        capped = self.capped and worst is not None
        return replace(self, base_cost=base_cost, worst_cost=worst, capped=capped, people=people)

    @classmethod
    def of_people(
        cls,
        people: People,
        worst_cost: float | None = None,
        capped: bool = False,
        family: int = 1,
        breach: float = 0.0,
    ) -> Self:
        """The person whose base cost is the quantile of people that must accept.

        Args:
            people: their base costs, and the proportion that must accept.
            worst_cost: W, the same for all [money]; at least the base cost paid for.
            capped: see `Individual`.
            family: see `Individual`.
            breach: see `Individual`.
        """
        return cls(
            people.base_cost, worst_cost, capped, family=family, people=people, breach=breach
        )

    def accepted_by(self, share: float) -> Self:
        """The person whose base cost is that of another proportion who must accept.

        Args:
            share: of the people [(0, 1]].

        Raises:
            ValueError: the people do not differ, or so many would never accept.
        """
        if self.people is None:
            raise ValueError(
                "everyone has the same base_cost in this study; give base_costs, such as "
                "{ groups = [[0.7, 5.0], [0.3, 40.0]] }"
            )
        people = People(self.people.base_costs, share)
        return self.of_people(people, self.worst_cost, self.capped, self.family, self.breach)

    @cached_property
    def pieces(self) -> tuple[Payment, ...]:
        """By expected cost, and in full where that is capped: the cap is not convex, each is."""
        breach = self.breach if self.curator else 0.0
        by_cost = PaidByCost(self.base_cost, self.worst_cost, self.family, breach)
        if not self.capped or self.worst_cost is None:
            return (by_cost,)
        return (by_cost, PaidInFull(self.worst_cost))

    @property
    def _worst(self) -> float:
        """The worst cost, which must be known [money]."""
        if self.worst_cost is None:
            raise ValueError(
                "what a study that is not private pays for published records is not known; give "
                "worst_cost in [individual] to compare with it"
            )
        return self.worst_cost
