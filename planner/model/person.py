"""A person who may take part: what that may cost them, and what they are paid for it."""

import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Self

from planner import numbers
from planner.mechanisms import Mechanism
from planner.model import family
from planner.model.bad_event import BadEvent
from planner.model.payment import Payment
from planner.model.people import People
from planner.numbers import Number
from planner.privacy.trade_off import TradeOff


class Person(ABC):
    """A person who takes part only if paid for what they may lose; see `Individual`, `AtRisk`.

    Attributes:
        capped: whether compensation stops at `worst_cost`.
        family: g, how many decide together.
        breach: the probability that a curator's records become known.
        people: the people who differ, where `base_cost` is the one that is paid for.
    """

    capped: bool = False
    family: int = 1
    people: People | None = None
    breach: float = 0.0

    if TYPE_CHECKING:  # one kind is given them, the other works them out

        @property
        def event(self) -> BadEvent | None:
            """What they fear, where that is one event."""

        @property
        def base_cost(self) -> float:
            """E, expected cost of those who stay out [money]."""

        @property
        def worst_cost(self) -> float | None:
            """W, cost of a record published with its name [money]; None where it is not known."""

    @property
    @abstractmethod
    def pieces(self) -> tuple[Payment, ...]:
        """The rules by whose cheaper one this person is paid; each gives a convex problem or not.

        Where there are two, neither is the cheaper at every ε.
        """

    def pieces_over(self, delta: float) -> tuple[Payment, ...]:
        """Rules of which the cheaper one is this person's at every δ up to `delta`."""
        return self.pieces

    @property
    def listed_events(self) -> tuple[BadEvent, ...]:
        """The bad events that this person is paid for; empty where paid for an expected cost."""
        return ()

    @property
    def trade_off(self) -> TradeOff:
        """How likely taking part can make an event: what any (ε, δ)-privacy promises."""
        return TradeOff()

    @property
    def depends_on_worst_cost(self) -> bool:
        """Whether the worst cost counts even where δ = 0."""
        return self.capped

    @property
    def largest_base_cost(self) -> float:
        """How far the base cost can be raised with all else kept [money]."""
        return math.inf

    @abstractmethod
    def with_base_cost(self, base_cost: float) -> Self:
        """The same person with another base cost [money]."""

    def accepted_by(self, share: float) -> Self:
        """The person whose base cost is that of another proportion who must accept.

        Args:
            share: of the people [(0, 1]].

        Raises:
            ValueError: the people do not differ, or so many would never accept.
        """
        raise ValueError(
            "everyone has the same base_cost in this study; give base_costs, such as "
            "{ groups = [[0.7, 5.0], [0.3, 40.0]] }"
        )

    def with_curator(self, curator: bool) -> Self:
        """The same person in a study with a curator who holds the records, or without one."""
        return self

    def with_breach(self, breach: float) -> Self | None:
        """The same person where a curator's records become known with a probability [[0, 1)].

        None where the person has no such rule of payment.
        """
        return None

    def by(self, mechanism: Mechanism) -> Self:
        """The same person in a study with another mechanism."""
        return self

    def refuse(self, mechanism: Mechanism) -> None:  # noqa: B027 - most people refuse none
        """Refuse a study's mechanism that this person's risks are not by.

        Raises:
            ValueError: says which they are by.
        """

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
        return family.counts_as(self.family, epsilon, delta)

    @abstractmethod
    def largest_risk(self, event: BadEvent, epsilon: Number, delta: Number = 0.0) -> Number:
        """The most that an event's chance can be for this person if they take part."""

    @abstractmethod
    def compensation_exposed(self, exposure: Number) -> Number:
        """What each person is owed where a study that is not private exposes a proportion.

        Args:
            exposure: φ, the chance of each record [[0, 1]], number or array.

        Raises:
            ValueError: the person has no worst cost.
        """

    @abstractmethod
    def exposure_owing(self, money: float) -> float:
        """The exposure at which that is `money`, the inverse; over 1 where it never is.

        Args:
            money: for each person [money, ≥ 0].

        Raises:
            ValueError: the person has no worst cost, or one of 0.
        """

    @property
    def _worst(self) -> float:
        """The worst cost, which must be known [money]."""
        if self.worst_cost is None:
            raise ValueError(
                "a study that is not private pays for published records, so worst_cost is needed; "
                "give the individual a worst_cost"
            )
        return self.worst_cost
