"""Money that is not compensation: recruiting and running the study (Hsu14 footnotes 13, 14)."""

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from planner import numbers
from planner.checks import Cost
from planner.numbers import Number


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Costs:
    """The costs of the study besides compensation, counted against the budget.

    Attributes:
        per_person: money for each participant (recruiting, time) [money, ≥ 0].
        overhead: money for the study as a whole [money, ≥ 0].
    """

    per_person: Cost = 0.0
    overhead: Cost = 0.0

    def total(self, participants: Number, compensation: Number) -> Number:
        """The cost of the whole study: N·(compensation + per_person) + overhead [money]."""
        number = numbers.of(participants, compensation).number
        return participants * (compensation + number(self.per_person)) + number(self.overhead)

    def left_per_person(self, money: Number, participants: Number) -> Number:
        """The compensation of N people that `money` pays for; the inverse of `total` [money]."""
        number = numbers.of(money, participants).number
        return (money - number(self.overhead)) / participants - number(self.per_person)
