"""Money that is not compensation: recruiting and running the study (Hsu14 footnotes 13, 14)."""

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from planner import numbers
from planner.checks import Cost
from planner.numbers import Number, NumberSystem


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Costs:
    """The costs of the study besides compensation, counted against the budget.

    Attributes:
        per_person: money for each participant (recruiting, time) [money, ≥ 0].
        overhead: money for the study as a whole [money, ≥ 0].
        per_invitation: money for each person invited, whether they take part or not [money, ≥ 0].
        response_rate: the share of those invited who take part; a study sets it by its sampling.
    """

    per_person: Cost = 0.0
    overhead: Cost = 0.0
    per_invitation: Cost = 0.0
    response_rate: float = 1.0

    def total(self, participants: Number, compensation: Number) -> Number:
        """The cost of the whole study: N·(compensation + recruiting) + overhead [money]."""
        system = numbers.of(participants, compensation)
        return participants * (compensation + self.recruiting(system)) + system.number(
            self.overhead
        )

    def recruiting(self, system: NumberSystem) -> Number:
        """What each participant costs besides compensation: per_person, and their invitations."""
        each = system.number(self.per_person)
        if not self.per_invitation:
            return each
        return each + system.number(self.per_invitation) / system.number(self.response_rate)

    def left_per_person(self, money: Number, participants: Number) -> Number:
        """The compensation of N people that `money` pays for; the inverse of `total` [money]."""
        system = numbers.of(money, participants)
        return (money - system.number(self.overhead)) / participants - self.recruiting(system)
