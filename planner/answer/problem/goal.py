"""What the answer is for, as one more condition of a study: a floor on ε."""

from abc import abstractmethod
from dataclasses import dataclass

from planner import numbers
from planner.mechanisms import Mechanism
from planner.model import Accuracy, Choice, Condition, Costs, Individual
from planner.model.condition import Piece
from planner.numbers import Number


class Goal(Condition):
    """What the target asks of the mechanism."""

    @property
    def approximate(self) -> bool:
        """Whether it depends on δ, so that δ must be searched where it is free."""
        return False

    @property
    def convex(self) -> bool:
        """Whether N times the floor is proven convex in N at any fixed δ."""
        return True

    @property
    def saw_toothed(self) -> bool:
        """Whether the floor saw-tooths in N, so that nothing is found or proved by bisection."""
        return False

    @property
    def stand_in(self) -> float:
        """The ε that stands for any ε at all, where the goal needs none; 0 where that is not."""
        return 0.0

    @abstractmethod
    def achieved(self, plan: Choice) -> Number:
        """What the plan achieves, in the target's unit."""

    @abstractmethod
    def promise(self, achieved: str) -> str:
        """What the plan promises, with the number that it achieves written out."""

    def always_from(self, plan: Choice) -> int:
        """The smallest N from the plan's on at which its ε and δ always suffice."""
        return int(plan.participants)

    def quick(self) -> "Goal":
        """The same with a floor that is quick over arrays of N, to search and draw with."""
        return self

    def enough(self) -> "Goal | None":
        """The same with a quick floor that is enough, if perhaps too high; None where none is."""
        return None

    def noise_alone(self) -> "Goal | None":
        """What it asks of a perfect sample: a convex floor that no study can do without."""
        return None

    def signal_floor_from(self, participants: int, delta: Number) -> Number:
        """The least N·ε of studies of this many people or more, in the number system of δ."""
        return numbers.of(delta).number(0.0)

    def noise_floor(self, participants: Number, delta: Number) -> Number:
        """What it asks of N people whose sample is perfect; falls with N."""
        return numbers.of(participants, delta).number(0.0)

    def surely_missed(self, least: Number, most: Number, participants: int, delta: Number) -> bool:
        """Whether every ε in [least, most] is certain to miss it at N; balls, except for N."""
        return False

    def surely_missed_sizes(self, signal: Number, least: int, most: int) -> bool:
        """Whether every N in [least, most] with N·ε ≤ `signal`, a ball, is certain to miss it."""
        return False


@dataclass(frozen=True)
class Accurate(Goal):
    """The answer is off by the error with at most the probability that the target allows."""

    mechanism: Mechanism
    target: Accuracy

    @property
    def label(self) -> str:
        """The target's phrase."""
        return self.target.label

    @property
    def approximate(self) -> bool:
        """As the mechanism."""
        return self.mechanism.approximate

    @property
    def convex(self) -> bool:
        """As the mechanism."""
        return self.mechanism.convex(self.target.failure)

    @property
    def saw_toothed(self) -> bool:
        """As the mechanism."""
        return self.mechanism.saw_toothed

    def epsilon_floor(self, participants: Number, delta: Number) -> Number:
        """The mechanism's floor at the target."""
        return self.mechanism.epsilon_floor(participants, *self._target(participants, delta), delta)

    def signal_floor(self, delta: Number) -> Number:
        """The mechanism's least signal at the target."""
        return self.mechanism.signal_floor(*self._target(delta), delta)

    def achieved(self, plan: Choice) -> Number:
        """The failure probability."""
        error, _ = self._target(*plan)
        return self.mechanism.failure_probability(
            plan.epsilon, plan.participants, error, plan.delta
        )

    def promise(self, achieved: str) -> str:
        """How often the answer may fail."""
        return f"the answer fails with probability at most {achieved}"

    def kept(self, plan: Choice, person: Individual | Piece, costs: Costs) -> bool:
        """Whether the plan is accurate; in balls the mechanism proves it."""
        system = numbers.of(*plan)
        if system is numbers.FLOATS or system is numbers.FRACTIONS:
            return super().kept(plan, person, costs)
        return self.mechanism.surely_accurate(
            plan.epsilon, plan.participants, *self._target(*plan), plan.delta
        )

    def sides(
        self, plan: Choice, person: Individual | Piece, costs: Costs
    ) -> tuple[Number, Number]:
        """The failure probability, and the target's."""
        return self.achieved(plan), self._target(*plan)[1]

    def always_from(self, plan: Choice) -> int:
        """As the mechanism."""
        return self.mechanism.always_from(
            plan.epsilon, plan.participants, self.target.error, self.target.failure, plan.delta
        )

    def quick(self) -> Goal:
        """With the mechanism's quick floor."""
        return QuicklyAccurate(self.mechanism, self.target)

    def enough(self) -> Goal:
        """With the mechanism's bound."""
        return AccurateByBound(self.mechanism, self.target)

    def noise_alone(self) -> Goal:
        """With the mechanism's noise alone."""
        return NoiseAlone(self.mechanism, self.target)

    def signal_floor_from(self, participants: int, delta: Number) -> Number:
        """As the mechanism."""
        return self.mechanism.signal_floor_from(participants, *self._target(delta), delta)

    def noise_floor(self, participants: Number, delta: Number) -> Number:
        """As the mechanism."""
        return self.mechanism.noise_floor(participants, *self._target(participants, delta), delta)

    def surely_missed(self, least: Number, most: Number, participants: int, delta: Number) -> bool:
        """As the mechanism."""
        target = self._target(delta)
        return self.mechanism.surely_inaccurate(least, most, participants, *target, delta)

    def surely_missed_sizes(self, signal: Number, least: int, most: int) -> bool:
        """As the mechanism."""
        return self.mechanism.surely_inaccurate_sizes(signal, least, most, *self._target(signal))

    def _target(self, *values: Number) -> tuple[Number, Number]:
        """T and α in the number system of some values."""
        number = numbers.of(*values).number
        return number(self.target.error), number(self.target.failure)


@dataclass(frozen=True)
class QuicklyAccurate(Accurate):
    """Accuracy with a floor that is quick over arrays of N, to search and draw with."""

    def epsilon_floor(self, participants: Number, delta: Number) -> Number:
        """The mechanism's quick floor at the target."""
        return self.mechanism.quick_floor(
            participants, self.target.error, self.target.failure, delta
        )


@dataclass(frozen=True)
class AccurateByBound(Accurate):
    """Accuracy with a floor that is quick over arrays of N and enough, to see what is feasible."""

    def epsilon_floor(self, participants: Number, delta: Number) -> Number:
        """What is enough for the mechanism at the target."""
        return self.mechanism.enough(participants, self.target.error, self.target.failure, delta)


@dataclass(frozen=True)
class NoiseAlone(Accurate):
    """What accuracy asks even of a perfect sample: a floor that no study can do without."""

    @property
    def convex(self) -> bool:
        """Proven where noise alone asks for the same signal at every N."""
        return not self.mechanism.approximate

    @property
    def saw_toothed(self) -> bool:
        """Never."""
        return False

    def epsilon_floor(self, participants: Number, delta: Number) -> Number:
        """The mechanism's noise alone."""
        return self.noise_floor(participants, delta)
