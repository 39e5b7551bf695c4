"""The conditions of a study besides its accuracy (Hsu14 §4.3, §7, §8.1)."""

import math
from typing import ClassVar, Self

from pydantic import model_validator

from planner import numbers
from planner.checked import dataclass
from planner.checks import (
    DeltaValue,
    Epsilon,
    Money,
    Participants,
    Probability,
    Share,
    UniverseSize,
)
from planner.model.condition import Choice, Condition, Sides
from planner.model.costs import Costs
from planner.model.individual import Individual
from planner.model.payment import Payment
from planner.numbers import Number, NumberSystem, decimal
from planner.wording import plain


@dataclass
class Budget(Condition):
    """N·(compensation + per_person) + overhead ≤ B (Hsu14 eq. 4, §8.2; footnotes 13, 14)."""

    key: ClassVar = "budget"
    kind: ClassVar = "budget"
    symbols: ClassVar = {"money": "B"}
    money: Money

    @property
    def label(self) -> str:
        return f"the budget of {plain(self.money)}"

    def epsilon_ceiling(
        self, participants: Number, delta: Number, person: Payment, costs: Costs
    ) -> Number:
        system = numbers.of(participants, delta)
        if not person.paid_for_epsilon:  # then the budget bounds N alone
            return system.infinity
        left = costs.left_per_person(system.number(self.money), participants)
        return person.epsilon_ceiling(left, delta)

    def n_epsilon_ceiling(self, delta: Number, person: Payment, costs: Costs) -> Number:
        number = numbers.of(delta).number
        return person.n_epsilon_ceiling(number(self.money) - number(costs.overhead))

    def participants_ceiling(self, delta: float, person: Payment, costs: Costs) -> float:
        money, owed = decimal(self.money), person.least_compensation(decimal(delta))
        left, each = money - decimal(costs.overhead), costs.least_entry(owed)
        # where ε costs more than the incentive, some money must be left for it
        more = person.paid_for_epsilon and owed >= decimal(costs.incentive)
        if left < 0:
            return 0
        if not each:
            return math.inf if left > 0 or not more else 0
        on_average = math.ceil(left / each) - 1 if more else math.floor(left / each)
        on_average_alone = costs.response_rate == 1 or not costs.per_invitation
        if on_average_alone or on_average > numbers.WHOLE_LIMIT:
            return on_average

        def over(n: int) -> bool:
            total = costs.least_total(n, owed)
            return total >= money if more else total > money

        return numbers.first(over, 1, on_average + 2) - 1

    def sides(self, choice: Choice, person: Individual | Payment, costs: Costs) -> Sides:
        owed = person.compensation(choice.epsilon, choice.delta)
        return costs.total(choice.participants, owed), numbers.of(*choice).number(self.money)


@dataclass
class MaxHarm(Condition):
    """Compensation, which bounds the harm of taking part, ≤ B₀ (Hsu14 §7.3)."""

    key: ClassVar = "max_harm"
    kind: ClassVar = "harm per person"
    symbols: ClassVar = {"money": "B_0"}
    money: Money

    @property
    def label(self) -> str:
        return f"a harm of at most {plain(self.money)} per person"

    def epsilon_ceiling(
        self, participants: Number, delta: Number, person: Payment, costs: Costs
    ) -> Number:
        system = numbers.of(participants, delta)
        if not person.paid_for_epsilon:  # then the harm is the same at every ε
            return system.infinity
        return person.epsilon_ceiling(system.number(self.money), delta)

    def participants_ceiling(self, delta: float, person: Payment, costs: Costs) -> float:
        left = decimal(self.money) - person.least_compensation(decimal(delta))
        return 0 if left < 0 or (left == 0 and person.paid_for_epsilon) else math.inf

    def sides(self, choice: Choice, person: Individual | Payment, costs: Costs) -> Sides:
        owed = person.compensation(choice.epsilon, choice.delta)
        return owed, numbers.of(*choice).number(self.money)


@dataclass
class MaxParticipants(Condition):
    """N ≤ n: no more people are available (Hsu14 §7.3)."""

    key: ClassVar = "max_participants"
    symbols: ClassVar = {"n": "n"}
    n: Participants

    @property
    def label(self) -> str:
        return f"at most {plain(self.n)} participants"

    def participants_ceiling(self, delta: float, person: Payment, costs: Costs) -> float:
        return self.n

    def sides(self, choice: Choice, person: Individual | Payment, costs: Costs) -> Sides:
        return choice.participants, self.n


@dataclass
class Available(Condition):
    """N ≤ r·M: of M people, a population or all that can be invited, a proportion r respond."""

    key: ClassVar = "population"
    kind: ClassVar = "population"
    symbols: ClassVar = {"people": "r·M"}
    people: Participants

    @property
    def label(self) -> str:
        if self.people == 1:
            return "the one person who can take part"
        return f"the {plain(self.people)} people who can take part"

    def participants_ceiling(self, delta: float, person: Payment, costs: Costs) -> float:
        return self.people

    def sides(self, choice: Choice, person: Individual | Payment, costs: Costs) -> Sides:
        return choice.participants, self.people


@dataclass
class MinParticipants(Condition):
    """N ≥ n: no fewer people take part."""

    key: ClassVar = "min_participants"
    symbols: ClassVar = {"n": "n_0"}
    n: Participants

    @property
    def label(self) -> str:
        return f"at least {plain(self.n)} participants"

    def epsilon_floor(self, participants: Number, delta: Number) -> Number:
        system = numbers.of(participants, delta)
        return system.maximum(system.number(0.0), -system.all_or_nothing(participants - self.n))

    def sides(self, choice: Choice, person: Individual | Payment, costs: Costs) -> Sides:
        return self.n, choice.participants


@dataclass
class EpsilonAtMost(Condition):
    """ε ≤ x (Hsu14 §7.1)."""

    key: ClassVar = "epsilon_at_most"
    kind: ClassVar = "maximum ε"
    symbols: ClassVar = {"x": "epsilon_max"}
    x: Epsilon

    @property
    def label(self) -> str:
        return f"ε of at most {plain(self.x)}"

    def epsilon_ceiling(
        self, participants: Number, delta: Number, person: Payment, costs: Costs
    ) -> Number:
        return numbers.of(participants, delta).number(self.x)

    def sides(self, choice: Choice, person: Individual | Payment, costs: Costs) -> Sides:
        return choice.epsilon, numbers.of(*choice).number(self.x)


@dataclass
class EpsilonAtLeastOneOverN(Condition):
    """ε ≥ 1/N: below it the answer hardly depends on the data (Hsu14 §7.2)."""

    key: ClassVar = "epsilon_at_least_one_over_n"
    kind: ClassVar = "1/N"

    @property
    def label(self) -> str:
        return "ε of at least 1/N"

    def epsilon_floor(self, participants: Number, delta: Number) -> Number:
        return 1 / participants

    def n_epsilon_floor(self, delta: Number) -> Number:
        return 1

    def sides(self, choice: Choice, person: Individual | Payment, costs: Costs) -> Sides:
        return 1 / choice.participants, choice.epsilon


@dataclass
class TargetedPublication(Condition):
    """ε stays below the point where a mechanism may single out one person's record.

    A mechanism that publishes a targeted record with probability p* > 1/|X| is ε-private where
    ε ≥ ln(p*|X|) (eq. 11) and ε ≥ ln((|X| − 1)/(|X|(1 − p*))) (eq. 12). They must not both hold, so
    ε lies strictly below the larger (Hsu14 §7.3 prints ≤).
    """

    key: ClassVar = "target_probability"
    kind: ClassVar = "targeted publication"
    symbols: ClassVar = {"probability": "p∗", "universe_size": "|X|"}
    relation = "<"
    probability: Probability
    universe_size: UniverseSize

    @model_validator(mode="after")
    def _targeted(self) -> Self:
        if not decimal(self.probability) * self.universe_size > 1:
            raise ValueError(
                f"probability = {self.probability!r} is not above 1/universe_size = "
                f"1/{self.universe_size}, that of a random record; give a larger one"
            )
        return self

    @property
    def label(self) -> str:
        return (
            f"no targeted publication with probability {plain(self.probability)} "
            f"among {plain(self.universe_size)} records"
        )

    def epsilon_ceiling(
        self, participants: Number, delta: Number, person: Payment, costs: Costs
    ) -> Number:
        return self._bound(numbers.of(participants, delta))

    def _bound(self, system: NumberSystem) -> Number:
        p, size = system.number(self.probability), system.number(self.universe_size)
        record = system.log(p * size)  # eq. 11
        others = system.log((size - 1) / (size * (1 - p)))  # eq. 12
        return system.maximum(record, others)

    def sides(self, choice: Choice, person: Individual | Payment, costs: Costs) -> Sides:
        return choice.epsilon, self._bound(numbers.of(*choice))


@dataclass
class Delta(Condition):
    """δ is this value (Hsu14 §8)."""

    key: ClassVar = "delta"
    relation = "="
    symbols: ClassVar = {"value": "delta_0"}
    value: DeltaValue

    @property
    def label(self) -> str:
        return f"δ of {plain(self.value)}"

    def delta_bounds(self) -> tuple[float, float]:
        return self.value, self.value

    def sides(self, choice: Choice, person: Individual | Payment, costs: Costs) -> Sides:
        return choice.delta, numbers.of(*choice).number(self.value)


@dataclass
class DeltaAtMost(Condition):
    """δ ≤ x (Hsu14 §8.1)."""

    key: ClassVar = "delta_at_most"
    symbols: ClassVar = {"x": "delta_max"}
    x: DeltaValue

    @property
    def label(self) -> str:
        return f"δ of at most {plain(self.x)}"

    def delta_bounds(self) -> tuple[float, float]:
        return 0.0, self.x

    def sides(self, choice: Choice, person: Individual | Payment, costs: Costs) -> Sides:
        return choice.delta, numbers.of(*choice).number(self.x)


@dataclass
class DeltaTimesNAtMost(Condition):
    """δ·N ≤ x: a mechanism may not publish x records of N with their names (Hsu14 §8.1)."""

    key: ClassVar = "delta_times_n_at_most"
    symbols: ClassVar = {"x": "k"}
    x: Share

    @property
    def label(self) -> str:
        return f"δ·N of at most {plain(self.x)}"

    def delta_bounds(self) -> tuple[float, float]:
        return 0.0, min(self.x, super().delta_bounds()[1])

    def participants_ceiling(self, delta: float, person: Payment, costs: Costs) -> float:
        return math.floor(decimal(self.x) / decimal(delta)) if delta else math.inf

    def sides(self, choice: Choice, person: Individual | Payment, costs: Costs) -> Sides:
        return choice.delta * choice.participants, numbers.of(*choice).number(self.x)
