"""Fewer people for a little more money, where nothing but compensation is paid.

There the least cost is approached by ever more people with a smaller ε and reached by none, so the
number of people is a choice.
"""

from dataclasses import dataclass
from typing import Any

from planner.answer.answers import Plan
from planner.answer.problem.problem import problem_of
from planner.answer.search.convex import Objective
from planner.answer.search.delta import best_aim
from planner.model import Budget
from planner.show import Several, Shown

OVER = (0.2, 0.05, 0.01)  # each size is several times the one before, as N grows like 1/over


@dataclass(frozen=True, repr=False)
class Trade(Shown):
    """The smallest study that costs at most so much more than the infimum.

    Attributes:
        over: by what part its cost may lie over the infimum; None for the fewest people of all.
        participants: N.
        epsilon: ε, at the floor.
        cost: what it costs [money].
    """

    over: float | None
    participants: int
    epsilon: float
    cost: float

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return dict(self.__dict__)

    def shown_title(self) -> str:
        """What it is."""
        return "A study of fewer people for more money"


@dataclass(frozen=True, repr=False, eq=False)
class Trades(Several[Trade]):
    """Sizes between the fewest people and the least cost.

    Attributes:
        plan: the plan whose least cost is not reached.
        members: the sizes, fewest people first.
    """

    plan: Plan
    members: tuple[Trade, ...] = ()

    def shown_title(self) -> str:
        """What they are."""
        return "Fewer people for more money"


def trades(plan: Plan) -> Trades:
    """The sizes among which to choose where only compensation is paid; else none.

    Costs are computed, not proved; solve the study with max_participants for a proof.
    """
    study = plan.study
    if plan.attained or study.costs.smallest_coin:
        return Trades(plan)
    problem = problem_of(study)
    budget = study.find(Budget)
    found: list[Trade] = []
    for over in (None, *OVER):
        objective: Objective = "cost" if over else "participants"
        aim = best_aim(problem, objective, over or 1.0)
        if aim is None or (over and aim.attained):
            continue
        epsilon = float(aim.region.floor(aim.participants))
        cost = float(aim.region.cost_at_floor(aim.participants))
        new = not found or aim.participants > found[-1].participants
        if new and (budget is None or cost <= budget.money):
            found.append(Trade(over, aim.participants, epsilon, cost))
    return Trades(plan, tuple(found) if found[1:] else ())
