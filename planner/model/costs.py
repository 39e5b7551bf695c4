"""Money that is not compensation: recruiting and running the study (Hsu14 footnotes 13, 14)."""

import math
from fractions import Fraction

from planner import numbers
from planner.checked import dataclass
from planner.checks import Cost
from planner.model.invitations import invited
from planner.numbers import FRACTIONS, Number, NumberSystem, decimal


@dataclass
class Costs:
    """The costs of the study besides compensation, counted against the budget.

    Attributes:
        per_person: money for each participant (recruiting, time) [money, ≥ 0].
        overhead: money for the study as a whole [money, ≥ 0].
        per_invitation: money for each person invited, whether they take part or not [money, ≥ 0].
        response_rate: the proportion of those invited who take part; a study sets it by its
            sampling and by the people who accept the payment.
        arrive: the probability with which those invited are enough; a study sets it by its
            sampling.
        incentive: what each participant is paid at least; it counts towards what they are owed
            [money, ≥ 0].
        smallest_coin: payments are rounded up to multiples of it; 0 for no rounding [money, ≥ 0].
    """

    per_person: Cost = 0.0
    overhead: Cost = 0.0
    per_invitation: Cost = 0.0
    response_rate: float = 1.0
    arrive: float = 0.95
    incentive: Cost = 0.0
    smallest_coin: Cost = 0.0

    def total(self, participants: Number, compensation: Number) -> Number:
        """The cost of the whole study: N·payment and what it costs to have N people [money]."""
        system = numbers.of(participants, compensation)
        return participants * self.payment(compensation) + self._running(participants, system)

    def total_of(self, participants: int, compensation: float) -> float:
        """The same for one study; payments in whole coins are added up exactly [money]."""
        paid = float(self.payment(compensation))
        if not self.smallest_coin or math.isinf(paid):
            return float(self.total(participants, compensation))
        return float(self.total(Fraction(participants), decimal(paid)))

    def payment(self, compensation: Number) -> Number:
        """What each is paid: the larger of compensation and incentive, in whole coins [money]."""
        system = numbers.of(compensation)
        if self.incentive:
            compensation = system.maximum(compensation, system.number(self.incentive))
        if self.smallest_coin:
            compensation = system.in_units(compensation, decimal(self.smallest_coin))
        return compensation

    def least_total(self, participants: int, compensation: Fraction) -> Fraction:
        """The cost of the whole study without whole coins, exactly [money]."""
        running: Fraction = self._running(Fraction(participants), FRACTIONS)
        return participants * max(compensation, decimal(self.incentive)) + running

    def least_entry(self, compensation: Fraction) -> Fraction:
        """What one more of many people costs where they are owed this, exactly [money]."""
        recruiting: Fraction = self.recruiting(FRACTIONS)
        return max(compensation, decimal(self.incentive)) + recruiting

    def recruiting(self, system: NumberSystem) -> Number:
        """What one more of many people costs besides compensation [money]."""
        each = system.number(self.per_person)
        if not self.per_invitation:
            return each
        return each + system.number(self.per_invitation) / system.number(self.response_rate)

    def invitations(self, participants: Number) -> Number:
        """How many to invite, so that N take part with the probability `arrive`."""
        return invited(participants, self.response_rate, self.arrive)

    def left_per_person(self, money: Number, participants: Number) -> Number:
        """What N people can each be paid out of `money`; the inverse of `total` [money]."""
        running = self._running(participants, numbers.of(money, participants))
        return (money - running) / participants

    def _running(self, participants: Number, system: NumberSystem) -> Number:
        """What it costs to have N people, besides compensation."""
        cost = system.number(self.overhead) + participants * system.number(self.per_person)
        if not self.per_invitation:
            return cost
        invitations = self.invitations(participants)
        return cost + system.number(self.per_invitation) * invitations
