"""A secret sample: all of a population agree and are paid, and nobody knows who of them is drawn.

Towards one of the M people a study of the N drawn is then ln(1 + (N/M)(e^ε − 1))-private, with
(N/M)δ, and no less so in the worst case (Balle, Barthe and Gaboardi 2018, Theorems 8 and 10, one
record replaced). Each of the M is owed (e^ε′ − 1)E + δ′W for that, which is N/M of what one of the
N is owed where they are known: all together the same. So secrecy divides the harm to each person by
M/N and leaves the cost of the study as it is.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from planner import numbers
from planner.model.condition import Choice, Condition, Sides
from planner.model.conditions import EpsilonAtMost, MaxHarm
from planner.model.costs import Costs
from planner.model.payment import Payment
from planner.model.person import Person
from planner.numbers import Number, decimal


def epsilon_of_pool(epsilon: Number, participants: Number, population: int) -> Number:
    """The ε towards each of the population: ln(1 + (N/M)(e^ε − 1))."""
    system = numbers.of(epsilon, participants)
    return system.log1p(system.expm1(epsilon) * participants / population)


def towards_each(condition: Condition, population: int) -> Condition:
    """A condition of a person as one of each person of the population."""
    if isinstance(condition, MaxHarm):
        return HarmOfPool(condition, population)
    if isinstance(condition, EpsilonAtMost):
        return EpsilonOfPool(condition, population)
    return condition


@dataclass(frozen=True)
class HarmOfPool(Condition):
    """N/M of the compensation is at most B₀.

    Attributes:
        of_one: the condition that says so of a person.
        population: M.
    """

    key: ClassVar = MaxHarm.key
    kind: ClassVar = MaxHarm.kind
    of_one: MaxHarm
    population: int

    @property
    def label(self) -> str:
        """The same words: a person is one of the population."""
        return self.of_one.label

    def epsilon_ceiling(
        self, participants: Number, delta: Number, person: Payment, costs: Costs
    ) -> Number:
        """The ε whose compensation is B₀·M/N."""
        system = numbers.of(participants, delta)
        if not person.paid_for_epsilon:
            return system.infinity
        each = system.number(self.of_one.money) * self.population / participants
        return person.epsilon_ceiling(each, delta)

    def participants_ceiling(self, delta: float, person: Payment, costs: Costs) -> float:
        """The N whose least compensation is B₀·M."""
        least = person.least_compensation(decimal(delta))
        if not least:
            return math.inf
        people: Fraction = decimal(self.of_one.money) * self.population / least
        return math.ceil(people) - 1 if person.paid_for_epsilon else math.floor(people)

    def sides(self, choice: Choice, person: Person | Payment, costs: Costs) -> Sides:
        """What each of the population is paid, and the cap."""
        owed = person.compensation(choice.epsilon, choice.delta)
        return owed * choice.participants / self.population, numbers.of(*choice).number(
            self.of_one.money
        )


@dataclass(frozen=True)
class EpsilonOfPool(Condition):
    """The population's ε is at most x.

    Attributes:
        of_one: the condition that says so of a person.
        population: M.
    """

    key: ClassVar = EpsilonAtMost.key
    kind: ClassVar = EpsilonAtMost.kind
    of_one: EpsilonAtMost
    population: int

    @property
    def label(self) -> str:
        """The same words: a person is one of the population."""
        return self.of_one.label

    def epsilon_ceiling(
        self, participants: Number, delta: Number, person: Payment, costs: Costs
    ) -> Number:
        """The sample's ε at which the population's is x: ln(1 + (e^x − 1)M/N)."""
        system = numbers.of(participants, delta)
        growth = system.expm1(system.number(self.of_one.x))
        return system.log1p(growth * self.population / participants)

    def sides(self, choice: Choice, person: Person | Payment, costs: Costs) -> Sides:
        """The population's ε, and the cap."""
        epsilon = epsilon_of_pool(choice.epsilon, choice.participants, self.population)
        return epsilon, numbers.of(*choice).number(self.of_one.x)
