"""What the accuracy of each question of a survey costs: by its floor, at the cheapest plan's N.

At the best N the cost does not change with N to first order, and at the best split not with the
split, so a price is the change of the cost at that N where one error, or α, is 1 % larger and
smaller. Of a count it is the exact difference that one more makes.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from planner.answer.problem.problem import TOLERANCE, problem_of
from planner.answer.problem.region import Region
from planner.answer.problem.vary import Varied, questions_varied, value_of, with_value
from planner.answer.search.delta import best_aim
from planner.model import Study
from planner.quantities import QUANTITIES

if TYPE_CHECKING:
    from planner.answer.search.convex import Aim

STEP = 0.01
"""Prices without a formula are differences at values this much lower and higher, as a fraction."""


def of_questions(study: Study, aim: "Aim") -> dict[Varied, float | None]:
    """The price of each question's error and size, and of α [money]."""

    def cost(region: Region) -> float:
        return float(region.cost_at_floor(aim.participants))

    return _differences(study, aim, cost)


def in_the_limit(study: Study, aim: "Aim") -> dict[Varied, float | None]:
    """The same where ever larger studies are the cheapest, by the least signal."""

    def cost(region: Region) -> float:
        return float(region.person.n_epsilon_cost(float(region.n_epsilon_floor())))

    return _differences(study, aim, cost)


def _differences(
    study: Study, aim: "Aim", cost: Callable[[Region], float]
) -> dict[Varied, float | None]:
    pieces = study.individual.pieces_over(aim.region.delta_high)
    piece = pieces.index(aim.region.person)

    def at(quantity: Varied, value: float) -> float:
        changed = problem_of(with_value(study, quantity, value))
        return cost(changed.regions(aim.region.delta_low)[piece])

    worth: dict[Varied, float | None] = {}
    asked = [name for name in questions_varied(study) if QUANTITIES[name].priced]
    shared = () if value_of(study, "failure") is None else ("failure",)
    for quantity in (*shared, *asked):
        value = value_of(study, quantity)
        assert value is not None  # these quantities are the survey's own
        try:
            if QUANTITIES[quantity].whole:
                one_more = problem_of(with_value(study, quantity, value + 1))
                best = best_aim(one_more, "cost", TOLERANCE)
                worth[quantity] = None if best is None else best.value - aim.value
            else:
                step = STEP * value
                change = at(quantity, value + step) - at(quantity, value - step)
                worth[quantity] = change / (2 * step)
        except ValueError:  # 1 % more is outside the range of the quantity
            worth[quantity] = None
    return worth
