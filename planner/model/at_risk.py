"""A person who lists the bad events they fear, and is paid for the possible rise of each."""

import math
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, Self

from annotated_types import Len
from pydantic import BeforeValidator, InstanceOf

from planner import numbers
from planner.checked import dataclass
from planner.mechanisms import Mechanism
from planner.model.bad_event import BadEvent
from planner.model.individual import Individual
from planner.model.paid_by_cost import PaidByCost
from planner.model.paid_by_events import PaidByEvents
from planner.model.payment import Payment
from planner.model.person import Person
from planner.numbers import Number, decimal
from planner.privacy.trade_off import TradeOff

_INSIDE = 1 - Fraction(1, 10**9)
"""A factor that keeps e^ε below the point where the two rules differ, despite rounding."""


def _listed(given: Any) -> Any:
    """Events as a tuple."""
    return tuple(given) if isinstance(given, list | tuple) else (given,)


@dataclass
class AtRisk(Person):
    """A person paid Σ c·(risk(p) − p): each event's cost times the largest rise of its probability.

    That is (e^ε − 1)E + δW of the paper where ε is small and the events are rare, never more, and
    at most the harm itself, Σ c(1 − p) (Hsu14 footnote 21; §9.2, "Large ε"). `base_cost` is
    E = Σ p·c and `worst_cost` is W = Σ c.

    Attributes:
        events: the events that this person fears, at least one; their costs add up.
        mechanism: with the study's own mechanism, risks follow from its trade-off function;
            without, from (ε, δ)-privacy alone.
    """

    events: Annotated[tuple[InstanceOf[BadEvent], ...], BeforeValidator(_listed), Len(1)]
    mechanism: InstanceOf[Mechanism] | None = None

    @cached_property
    def base_cost(self) -> float:
        """E = Σ p·c [money]."""
        return float(sum(decimal(e.probability) * decimal(e.cost) for e in self.events))

    @cached_property
    def worst_cost(self) -> float:
        """W = Σ c [money]."""
        return float(sum(decimal(e.cost) for e in self.events))

    @property
    def event(self) -> BadEvent | None:
        """The one event that they list, if it is one."""
        return self.events[0] if len(self.events) == 1 else None

    @property
    def listed_events(self) -> tuple[BadEvent, ...]:
        """All that they list."""
        return self.events

    @property
    def trade_off(self) -> TradeOff:
        """The trade-off function that bounds the probability of an event."""
        return TradeOff() if self.mechanism is None else self.mechanism.trade_off

    @property
    def depends_on_worst_cost(self) -> bool:
        """Always: the harm itself bounds the compensation."""
        return True

    def with_base_cost(self, base_cost: float) -> Self:
        """The same person with all costs scaled together, so that E = Σ p·c is this [money].

        Raises:
            ValueError: the costs are all 0, and cannot be scaled.
        """
        if not self.base_cost:
            raise ValueError(
                "the events cost nothing, so scaling their costs cannot give a base_cost"
            )
        scale = base_cost / self.base_cost
        return replace(self, events=tuple(replace(e, cost=scale * e.cost) for e in self.events))

    def by(self, mechanism: Mechanism) -> Self:
        """The same person in a study with another mechanism."""
        return self if self.mechanism is None else replace(self, mechanism=mechanism)

    def refuse(self, mechanism: Mechanism) -> None:
        """Refuse a study's mechanism of another trade-off function."""
        if self.mechanism in (None, mechanism):
            return
        if mechanism.alternatives or self.trade_off is not mechanism.trade_off:
            raise ValueError(
                f"the individual is paid by the trade-off of {self.mechanism.words}, the study's "
                f"mechanism is {mechanism.words}; give the same to both, or none to the individual"
            )

    def largest_risk(self, event: BadEvent, epsilon: Number, delta: Number = 0.0) -> Number:
        """The largest probability of the event for this person if they take part."""
        strength = self.trade_off.strength(epsilon, delta)
        return event.probability + self.trade_off.rise(event.probability, strength, delta)

    def compensation_exposed(self, exposure: Number) -> Number:
        """Σ c·min(φ, 1 − p): each event's probability rises by the exposure, to at most 1."""
        least = numbers.of(exposure).minimum
        return sum(e.cost * least(exposure, 1 - e.probability) for e in self.events)

    def exposure_owing(self, money: float) -> float:
        """The exposure at which that is `money`; above 1 where it never is."""
        rises = sorted((1 - e.probability, e.cost) for e in self.events if e.cost)
        owed, before, steep = 0.0, 0.0, sum(cost for _, cost in rises)
        for rise, cost in rises:
            if owed + (rise - before) * steep >= money:
                return before + (money - owed) / steep
            owed, before, steep = owed + (rise - before) * steep, rise, steep - cost
        return math.nextafter(max(1.0, money / self._worst), math.inf)

    @cached_property
    def pieces(self) -> tuple[Payment, ...]:
        """One rule: by the events that cost anything."""
        return (self._by_events,)

    def pieces_over(self, delta: float) -> tuple[Payment, ...]:
        """Two rules, of which the cheaper one is this person's at every δ up to `delta`.

        The paper's, which is the same up to some ε and never cheaper, has convex problems; so the
        one by events is looked at from there on only.
        """
        growths = [
            self.trade_off.first_growth(decimal(event.probability), decimal(delta))
            for event in self._by_events.events
        ]
        growth = min(growths, default=Fraction(1)) * _INSIDE
        if not growth > 1:
            return self.pieces
        papers = PaidByCost(self.base_cost, self.worst_cost)
        return papers, replace(self._by_events, least_growth=growth)

    @cached_property
    def _by_events(self) -> PaidByEvents:
        """The rule by events."""
        return PaidByEvents(tuple(e for e in self.events if e.cost), self.trade_off)


# an Individual can be asked for wherever people are: this one answers all that it answers
Individual.register(AtRisk)
