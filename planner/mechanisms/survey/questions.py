"""What several questions ask together: their floors, alone or at shares of one α."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from planner.mechanisms.floor import QuestionFloor
from planner.mechanisms.survey.part import Part
from planner.mechanisms.survey.shares import certain, splitting
from planner.mechanisms.survey.split import Split
from planner.mechanisms.survey.together import Together
from planner.numbers import Number

Certain = tuple[tuple[Part, float, float], ...]
"""Questions, each with its αᵢ and its least rate."""


@dataclass(frozen=True)
class Questions:
    """Several questions to the same people.

    Attributes:
        parts: the questions; where `failure` is None their own floors' failure probabilities hold.
        failure: α, of all of them together, or None.
        together: how their rates make one ε.
    """

    parts: tuple[Part, ...]
    failure: float | None
    together: Together

    @property
    def times(self) -> Sequence[int]:
        """How many there are of each."""
        return [part.times for part in self.parts]

    @property
    def whole(self) -> list[QuestionFloor]:
        """Each question's floor at all of α, or at its own."""
        if self.failure is None:
            return [part.floor for part in self.parts]
        share = self.failure / self.parts[0].times if len(self.parts) == 1 else self.failure
        return [part.at(share) for part in self.parts]

    @property
    def alone(self) -> list[QuestionFloor] | None:
        """The floors at shares that are the same at every N; None where there are none."""
        fixed = self.failure is None or len(self.parts) == 1
        return self.whole if fixed else None

    @property
    def splits(self) -> list[Split]:
        """The shares of α at each N; the cheapest of several is taken."""
        assert self.failure is not None
        return [splitting(self.parts, self.failure, power) for power in self.together.powers]

    def certain(self, participants: Number, delta: Number) -> Certain:
        """Each question's share of α, rounded down, and its certain floor in rates."""
        powers = self.together.powers[: 1 if self.alone is not None else None]
        ways = [certain(self.parts, self.failure, p, float(participants)) for p in powers]
        if len(ways) == 1:
            return ways[0]
        return min(ways, key=lambda way: self.total([rate for _, _, rate in way], delta))

    def total(self, rates: Sequence[float], delta: Number) -> float:
        """The ε of these rates; ∞ where one of them is."""
        if not max(rates) < math.inf:
            return math.inf
        return float(self.together.epsilon(rates, self.times, delta))
