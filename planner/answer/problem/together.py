"""Several goals in one: each is met at its own share of ε, so floors add up."""

from collections.abc import Iterable
from dataclasses import dataclass

from planner.answer.problem.goal import Goal
from planner.model import Choice
from planner.numbers import Number


@dataclass(frozen=True)
class Together(Goal):
    """Every goal at its own share of ε: floors add up."""

    goals: tuple[Goal, ...]

    @property
    def label(self) -> str:
        """All the goals."""
        return "; ".join(goal.label for goal in self.goals)

    @property
    def convex(self) -> bool:
        """A sum of convex floors is convex."""
        return all(goal.convex for goal in self.goals)

    @property
    def saw_toothed(self) -> bool:
        """As soon as one is."""
        return any(goal.saw_toothed for goal in self.goals)

    def epsilon_floor(self, participants: Number, delta: Number) -> Number:
        """The sum of the floors."""
        return _sum(goal.epsilon_floor(participants, delta) for goal in self.goals)

    def signal_floor(self, delta: Number) -> Number:
        """The sum of the least signals."""
        return _sum(goal.signal_floor(delta) for goal in self.goals)

    def signal_floor_from(self, participants: int, delta: Number) -> Number:
        """The sum of the least signals of so many people or more."""
        return _sum(goal.signal_floor_from(participants, delta) for goal in self.goals)

    def noise_floor(self, participants: Number, delta: Number) -> Number:
        """The sum of what the noises ask."""
        return _sum(goal.noise_floor(participants, delta) for goal in self.goals)

    def achieved(self, plan: Choice) -> Number:
        """The floor, which the sum of ε must reach."""
        return self.epsilon_floor(plan.participants, plan.delta)

    def promise(self, achieved: str) -> str:
        """What the sum of ε does."""
        return f"every study is as accurate as required once their ε add up to {achieved}"

    def quick(self) -> Goal:
        """With quick floors."""
        return Together(tuple(goal.quick() for goal in self.goals))

    def noise_alone(self) -> Goal | None:
        """What all ask of perfect samples."""
        alone = tuple(found for goal in self.goals if (found := goal.noise_alone()))
        return Together(alone) if alone else None


def _sum(values: Iterable[Number]) -> Number:
    total: Number = 0
    for value in values:
        total = value + total
    return total
