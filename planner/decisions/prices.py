"""Shadow prices: how the least cost changes with each quantity, by finite differences.

The study is solved again with 1 % more and 1 % less of a quantity; the price of whole people or
queries is the exact difference that one more makes. Exact analyses and surveys are read at the best
number of people alone: there the cost does not change with that number to first order, nor with the
division of α, so a price is the change of the cost at this number of people. Where a ceiling on ε
decides that number, or where noise and counts are whole, the study is solved again too.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from planner.answer.answers import Given, Plan
from planner.answer.problem.problem import TOLERANCE, Problem, problem_of, refuse_strata
from planner.answer.problem.vary import Varied, questions_varied, value_of, with_value
from planner.answer.search.find import best_aim
from planner.answer.solve import answer_to
from planner.mechanisms import kinds
from planner.model import Study
from planner.quantities import QUANTITIES
from planner.show import Several, Shown

if TYPE_CHECKING:
    from planner.answer.search.find import Aim

STEP = 0.01
"""Values this much lower and higher, as a fraction, are compared: so near that a cost is nearly
straight, and so far that whole people hardly matter."""
_OF_DELTA = 1e-6
"""In place of a δ of 0, of which 1 % is nothing."""


@dataclass(frozen=True, repr=False)
class Price(Shown):
    """How the cheapest plan changes with one quantity.

    Attributes:
        quantity: its name.
        value: the study's value of it.
        cost: change of the least cost for one more unit [money]; None where the price is not
            finite.
        participants: change of the best N for one more unit; None where the study is read at its
            best N alone, or where the least cost is not attained.
        epsilon: change of ε for one more unit; None as for `participants`.
    """

    quantity: Varied
    value: float
    cost: float | None
    participants: float | None = None
    epsilon: float | None = None

    def __post_init__(self) -> None:
        """Replace what is not finite, as by overflow, with None."""
        for name in ("cost", "participants", "epsilon"):
            change = getattr(self, name)
            if change is not None and not math.isfinite(change):
                object.__setattr__(self, name, None)

    @property
    def cost_of_a_percent(self) -> float | None:
        """Change of the least cost if the quantity grows by 1 % [money]."""
        return None if self.cost is None else self.cost * self.value / 100

    def to_dict(self) -> dict[str, Any]:
        return {
            "quantity": self.quantity,
            "value": self.value,
            "cost": self.cost,
            "cost_of_a_percent": self.cost_of_a_percent,
            "participants": self.participants,
            "epsilon": self.epsilon,
        }

    def shown_title(self) -> str:
        return f"What changes in the cheapest plan with the {QUANTITIES[self.quantity].words}"


@dataclass(frozen=True, repr=False, eq=False)
class Prices(Several[Price]):
    """What a little more of each quantity of a study is worth.

    Attributes:
        study: whose quantities they are.
        members: the price of each quantity.
    """

    study: Study
    members: tuple[Price, ...] = ()

    def shown_title(self) -> str:
        return f"{self.study.title or 'Study'}: what changes in the cheapest plan"


def prices(answer: Given) -> Prices:
    """What each quantity of a study, or of its answer, is worth; empty unless it is feasible.

    Quantities that do not bind have price 0, such as a budget above the cost of the cheapest plan.

    Raises:
        ValueError: the study has strata, each of which is a study by itself.
    """
    answer = answer_to(answer)
    refuse_strata(answer.study)
    if not isinstance(answer, Plan):
        return Prices(answer.study)
    return Prices(answer.study, _prices(answer.study.unrounded))  # coins make jumps


def _prices(study: Study) -> tuple[Price, ...]:
    problem = problem_of(study)
    aim = best_aim(problem, "cost", TOLERANCE)
    if aim is None:
        return ()
    asked = [*QUANTITIES, *questions_varied(study)]
    given = [(q, value_of(study, q)) for q in asked if QUANTITIES[q].priced]
    one = _at_its_size if _is_read_at_its_size(study, problem, aim) else _solved_again
    return tuple(
        _of_whole(study, quantity, value, aim)
        if QUANTITIES[quantity].whole or (quantity == "base_cost" and not value)
        else one(study, quantity, value, aim)
        for quantity, value in given
        if value is not None
    )


def _is_read_at_its_size(study: Study, problem: Problem, aim: "Aim") -> bool:
    """Whether the cost at the best N alone has the prices, and the search is slow."""
    slow = problem.saw_toothed or study.survey is not None
    whole = (
        kinds.adds(study.mechanism) == "geometric" or study.power is not None or study.groups == 2
    )
    return slow and aim.attained and not (whole or _set_by_ceiling(aim) or study.costs.incentive)


def _set_by_ceiling(aim: "Aim") -> bool:
    """Whether one person fewer would be cheaper, but needs more ε than a ceiling allows."""
    fewer, region = aim.participants - 1, aim.region
    if fewer < 1 or region.cost_at_floor(fewer) >= aim.value:
        return False
    floor = region.floor(fewer)
    return bool(region.ceiling(fewer) < floor < math.inf)


def _around(study: Study, quantity: Varied, value: float, aim: "Aim") -> tuple[float, float]:
    """A value 1 % lower and one 1 % higher; in place of 1 % of nothing, of what a person costs."""
    of_a_person = (aim.value - study.costs.overhead) / aim.participants
    nothing = {"delta": _OF_DELTA, "overhead": aim.value}
    step = STEP * (value or nothing.get(quantity, of_a_person) or 1.0)
    return value - step, value + step


def _solved_again(study: Study, quantity: Varied, value: float, aim: "Aim") -> Price:
    """A price by solving the study with 1 % more and 1 % less, or with one of them."""

    def at(changed: float) -> tuple[float, "Aim"]:
        try:
            best = best_aim(problem_of(with_value(study, quantity, changed)), "cost", TOLERANCE)
        except ValueError:  # outside the range of the quantity
            best = None
        return (value, aim) if best is None else (changed, best)

    (low, less), (high, more) = map(at, _around(study, quantity, value, aim))
    if low == high or less.attained != more.attained:
        return Price(quantity, value, None)
    unit = high - low
    cost = (more.value - less.value) / unit
    if not aim.attained:
        return Price(quantity, value, cost)
    epsilons = [float(one.region.floor(one.participants)) for one in (less, more)]
    people = (more.participants - less.participants) / unit
    return Price(quantity, value, cost, people, (epsilons[1] - epsilons[0]) / unit)


def _at_its_size(study: Study, quantity: Varied, value: float, aim: "Aim") -> Price:
    """A price by the cost of the best N with 1 % more and 1 % less, or with one of them."""
    piece = study.individual.pieces.index(aim.region.person)

    def at(changed: float) -> tuple[float, float]:
        try:
            problem = problem_of(with_value(study, quantity, changed))
        except ValueError:  # outside the range of the quantity
            return at(value)
        delta = changed if quantity == "delta" else aim.region.delta_low
        return changed, float(problem.regions(delta)[piece].cost_at_floor(aim.participants))

    (low, less), (high, more) = map(at, _around(study, quantity, value, aim))
    return Price(quantity, value, (more - less) / (high - low) if low < high else None)


def _of_whole(study: Study, quantity: Varied, value: float, aim: "Aim") -> Price:
    """A price by solving the study with one more; also of a base cost of 0, where ε is free."""
    try:
        more = best_aim(problem_of(with_value(study, quantity, value + 1)), "cost", TOLERANCE)
    except ValueError:  # one more than the population has
        more = None
    return Price(quantity, value, None if more is None else more.value - aim.value)
