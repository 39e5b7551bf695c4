"""A question of a survey whose sample is as it is: from a finite population, or in clusters."""

from dataclasses import dataclass, replace
from functools import cached_property

from planner import numbers
from planner.libraries import sympy
from planner.mechanisms.floor import Floor, Shape
from planner.mechanisms.sample import Sample
from planner.numbers import Number


@dataclass(frozen=True)
class SampledQuestion(Floor):
    """The least rate of a question by Hoeffding's bound, where N people count as another number.

    In the bound N stands for the sample, and N times the rate for the noise: so it is that of as
    many independent people as the sample counts, at the same N times the rate (see
    `mechanisms.sample`).

    Attributes:
        question: what it asks of independent people.
        sample: how people are drawn.
        failure: α, a number or an array.
    """

    question: Floor
    sample: Sample
    failure: Number

    @cached_property
    def _of(self) -> Floor:
        return replace(self.question, failure=self.failure)  # type: ignore[type-var]

    @property
    def shape(self) -> Shape:
        """Falling; convex where the bound is and the population has no end."""
        return self._of.shape if self.sample.population is None else "falling"

    @property
    def convex_in_failure(self) -> bool:
        """As of independent people."""
        return self._of.convex_in_failure

    @property
    def error(self) -> Number:
        """T."""
        return self._of.error  # type: ignore[attr-defined]

    @property
    def allowed(self) -> Number:
        """The failure probability α."""
        return self.failure

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """The bound at a rate."""
        people = self.sample.people(participants)
        return self._of.achieved(epsilon * participants / people, people, delta)

    def likely(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """The same over arrays."""
        people = self.sample.people(participants)
        rate = epsilon * participants / people
        return self._of.likely(rate, people, delta)  # type: ignore[attr-defined]

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The least rate, ∞ where the sample alone is too far off; never under that of noise."""
        people = self.sample.people(participants)
        rate = self._of.epsilon(people, delta) * people / participants
        return numbers.of(participants).maximum(rate, self.of_noise(participants, delta))

    def of_noise(self, participants: Number, delta: Number) -> Number:
        """As for any sample."""
        return self._of.of_noise(participants, delta)

    def n_epsilon(self, delta: Number) -> Number:
        """As for any sample."""
        return self._of.n_epsilon(delta)

    def sample_alone(self, participants: Number) -> Number:
        """Hoeffding's bound without noise."""
        return self._of.sample_alone(self.sample.people(participants))

    def certify_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        """Whether the bound is certain to be at most α."""
        failure = numbers.balls().number(self.failure)
        return bool(self.achieved(epsilon, participants, delta) <= failure)

    def formula(self) -> "sympy.Expr":
        """That of independent people."""
        return self._of.formula()
