"""What every mechanism is: data, with its accuracy and the inverse of that in ε."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from planner import numbers
from planner.libraries import np
from planner.mechanisms import hoeffding
from planner.mechanisms.floor import CONVEX, FALLING, QuestionFloor, Regularity
from planner.mechanisms.sample import SIMPLE, Sample
from planner.numbers import Number


class Mechanism(ABC):
    """A private mechanism as the analyst sees it: an accuracy A(ε, N) (Hsu14 Definitions 3, 12).

    It is data, its parameters. What folders ask about a kind is in `kinds`; words, formulas, runs
    and OpenDP's calls stand in tables of those who need them.
    """

    kind: ClassVar[str]
    """The mechanism's name in study files."""
    uses_delta: ClassVar[bool] = False
    """Whether it is (ε, δ)-private and needs δ > 0, rather than ε-private."""

    @abstractmethod
    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        """A bound on the probability that the answer is off by `error` or more.

        Args:
            epsilon: ε [> 0].
            participants: N [≥ 1].
            error: T [fraction of 1, (0, 1]].
            delta: δ [[0, 1)].

        All are numbers or arrays and broadcast; the result has their common shape.

        Raises:
            ValueError: a quantity is outside its range.
        """

    @abstractmethod
    def epsilon_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        """The least ε at which the failure probability is at most `failure`; ∞ where none is.

        Args:
            participants: N [≥ 1].
            error: T [fraction of 1, (0, 1]].
            failure: α [(0, 1)].
            delta: δ [[0, 1)].

        All are numbers or arrays and broadcast; the result has their common shape.

        Raises:
            ValueError: a quantity is outside its range.
        """

    @abstractmethod
    def n_epsilon_floor(
        self, error: Number, failure: Number, delta: Number = 0.0, participants: int = 1
    ) -> Number:
        """A lower bound on N·ε in studies of so many people or more.

        Args:
            error: T [fraction of 1, (0, 1]].
            failure: α [(0, 1)].
            delta: δ [[0, 1)].
            participants: the least N [≥ 1].
        """

    def floor(self, error: Number, failure: Number, sample: Sample = SIMPLE) -> QuestionFloor:
        """What an error and a failure probability ask of ε at each N, of a sample as it is.

        Raises:
            ValueError: the mechanism or its analysis is not for such a sample.
        """
        if sample.simple:
            return MechanismFloor(self, error, failure)
        sample.refuse_deviation()
        raise ValueError(
            f"the analysis of {self.kind} is for independent people; for a population give kind = "
            '"laplace-mean"'
        )


@dataclass(frozen=True)
class MechanismFloor(QuestionFloor):
    """What an error and a failure probability ask of a mechanism, by its own formulas.

    Attributes:
        mechanism: what answers.
        error: T [fraction of 1, (0, 1]], number or array.
        failure: α [(0, 1)], number or array.
    """

    mechanism: Mechanism
    error: Number
    failure: Number

    convex_up_to: ClassVar[float] = 1.0
    """The largest α at which N times it is proven convex in N."""

    @property
    def regularity(self) -> Regularity:
        return CONVEX if np.max(self.failure) <= self.convex_up_to else FALLING

    @property
    def uses_delta(self) -> bool:
        return self.mechanism.uses_delta

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        error, _ = self.target(epsilon, participants, delta)
        return self.mechanism.failure_probability(epsilon, participants, error, delta)

    def epsilon(self, participants: Number, delta: Number) -> Number:
        target = self.target(participants, delta)
        return self.mechanism.epsilon_floor(participants, *target, delta)

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        return self.mechanism.n_epsilon_floor(*self.target(delta), delta, participants)

    def target(self, *values: Number) -> tuple[Number, Number]:
        """T and α in the number system of some values."""
        number = numbers.of(*values).number
        return number(self.error), number(self.failure)


class BoundFloor(MechanismFloor):
    """The same by Hoeffding's bound on how far the sample may be off."""

    convex_up_to = hoeffding.CONVEX_UP_TO
