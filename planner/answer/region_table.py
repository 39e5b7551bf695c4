"""A study's feasible region over an array of N."""

from dataclasses import dataclass
from typing import Any

from planner.answer.answers import Answer, Given, Plan
from planner.answer.problem.curves import Curve, ceiling_curves, floor_curves, highest, lowest
from planner.answer.problem.problem import problem_of
from planner.answer.search.find import best_aim
from planner.answer.solve import answer_to
from planner.libraries import np
from planner.model import Budget, MinParticipants
from planner.numbers import WHOLE_LIMIT, Array
from planner.show import Shown
from planner.wording import plain


def delta_of(answer: Answer) -> float:
    """The plan's δ; without a plan the δ that would be cheapest without a budget."""
    if isinstance(answer, Plan):
        return answer.delta
    problem = problem_of(answer.study)
    budgets = [c for c in problem.conditions if isinstance(c, Budget)]
    aim = best_aim(problem.without(*budgets), "cost", 0.01)
    return aim.region.delta_low if aim else max(problem.delta_bounds[0], 0.0)


@dataclass(frozen=True, repr=False)
class FeasibleRegion(Shown):
    """Floors and ceilings on ε of a study over some numbers of participants.

    Attributes:
        answer: the answer of `planner.solve`.
        delta: δ at which the floors and ceilings are read.
        participants: N, an array.
        floors: each condition's floor, an array of ε with the shape of `participants`.
        ceilings: each condition's ceiling, as the floors.
        inside: whether each N is within its bounds.
    """

    answer: Answer
    delta: float
    participants: Array
    floors: tuple[Curve, ...]
    ceilings: tuple[Curve, ...]
    inside: Array

    @property
    def feasible(self) -> Array:
        """Whether some ε is allowed at each N, in floats."""
        floor, ceiling = highest(list(self.floors)), lowest(list(self.ceilings), self.participants)
        return np.asarray(self.inside & np.isfinite(floor) & (floor <= ceiling))

    def to_dict(self) -> dict[str, Any]:
        floors, ceilings = list(self.floors), list(self.ceilings)
        columns = {
            "participants": self.participants,
            "floor": highest(floors),
            "ceiling": lowest(ceilings, self.participants),
            "feasible": self.feasible,
            **{f"at least: {curve.label}": curve.epsilon for curve in floors},
            **{f"at most: {curve.label}": curve.epsilon for curve in ceilings},
        }
        return {name: values.tolist() for name, values in columns.items()}

    def shown_title(self) -> str:
        return f"Region of {self.answer.study.title or 'a study'}: {self.answer.verdict}"

    def shown_rows(self) -> list[tuple[str, str]]:
        allowed = self.participants[self.feasible]
        conditions = [("condition", curve.label) for curve in (*self.floors, *self.ceilings)]
        if not allowed.size:
            return [("participants", "none of the sizes examined"), *conditions]
        ends = f"{plain(int(allowed[0]))} to {plain(int(allowed[-1]))}, of the sizes examined"
        return [("participants", ends), *conditions]

    def draw(self, axes: Any) -> None:
        self.answer.draw(axes)


def region(study: Given, participants: Any = None) -> FeasibleRegion:
    """The region of studies that meet every condition.

    Args:
        study: the study, or its answer; of several mechanisms, its cheapest plan's.
        participants: N, an array [whole, ≥ 1]; by default 400 about the plan.
    """
    answer = answer_to(study, prove=False)
    delta = delta_of(answer)
    regions = problem_of(answer.study).regions(delta)
    centre = answer.participants if isinstance(answer, Plan) else 10_000
    if participants is None:
        ends = max(1.0, centre / 100), min(100.0 * centre, float(WHOLE_LIMIT))
        participants = np.unique(np.rint(np.geomspace(*ends, 400)))
    n = np.asarray(participants, float)
    least = answer.study.find(MinParticipants)
    most = max(one.participants_ceiling for one in regions)
    return FeasibleRegion(
        answer,
        delta,
        n,
        tuple(floor_curves(regions, n)),
        tuple(ceiling_curves(regions, n)),
        (n >= (least.n if least else 1)) & (n <= most),
    )
