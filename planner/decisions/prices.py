"""Shadow prices: how the least cost changes with each quantity.

The cheapest plan of N people has ε at the highest floor, so its cost is N((e^ε − 1)E + δW + c) + F
with ε = floor(N; T, α, δ). Where the accuracy is that floor, f(ε, N, T, δ) = α moves ε by dε = (dα
− f_T·dT − f_δ·dδ)/f_ε. At the best N the derivative of the cost by N is 0 (or a condition fixes N,
or N is whole and does not change for small changes), so each price is the derivative at that N,
without finite differences. The price of whole people or queries is the exact difference that one
more makes. Where a cap on ε or on the harm determines N, every quantity changes N by whole people,
and an incentive bends the cost: there the study is solved again with 1 % more and 1 % less of each.
Where the least cost is not attained, it is E·y + F with y the signal N·ε that the accuracy requires
as N → ∞, and its prices are the derivatives of that.

The accuracy of each question of a survey has a price by its floor, at the cheapest plan's N. At
the best N the cost does not change with N to first order, and at the best split not with the
split, so a price is the change of the cost at that N where one error, or α, is 1 % larger and
smaller. Of a count it is the exact difference that one more makes.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from planner.answer.answers import Given, Plan
from planner.answer.problem.problem import TOLERANCE, Problem, problem_of, refuse_strata
from planner.answer.problem.region import Region
from planner.answer.problem.vary import Varied, questions_varied, value_of, with_value
from planner.answer.search.delta import best_aim
from planner.answer.search.sizes import approximately
from planner.answer.solve import answer_to
from planner.decisions.sensitivities import accuracy_binds, chosen, sensitivities
from planner.decisions.slopes import slopes, slopes_of_sample
from planner.libraries import np, sympy
from planner.mechanisms.floor import QuestionFloor
from planner.model import Delta, Study
from planner.quantities import QUANTITIES
from planner.show import Several, Shown

if TYPE_CHECKING:
    from planner.answer.search.convex import Aim

STEP = 0.01
"""Prices without a formula are differences at values this much lower and higher, as a fraction:
so short that a cost is nearly straight, and so long that whole people hardly matter."""


@dataclass(frozen=True, repr=False)
class Price(Shown):
    """How the cheapest plan changes with one quantity.

    Attributes:
        quantity: its name.
        value: the study's value of it.
        cost: change of the least cost for one more unit [money]; None where the price is not
            finite.
        participants: change of the best N for one more unit, N taken as a real number; None where
            the analysis is exact and N jumps, or where the least cost is not attained.
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
        """As `planner prices --json` prints it."""
        return {
            "quantity": self.quantity,
            "value": self.value,
            "cost": self.cost,
            "cost_of_a_percent": self.cost_of_a_percent,
            "participants": self.participants,
            "epsilon": self.epsilon,
        }

    def shown_title(self) -> str:
        """Whose price it is."""
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
        """The study."""
        return f"{self.study.title or 'Study'}: what changes in the cheapest plan"


def prices(answer: Given) -> Prices:
    """What each quantity of a study, or of its answer, is worth; empty unless it is feasible.

    Quantities that do not bind have price 0, such as a budget above the cost of the cheapest plan.

    Raises:
        ValueError: the target is an expected loss, or people are paid by events: neither has a
            formula to differentiate.
    """
    answer = answer_to(answer)
    refuse_strata(answer.study)
    if not isinstance(answer, Plan):
        return Prices(answer.study)
    return Prices(answer.study, _prices(answer.study))


def _prices(study: Study) -> tuple[Price, ...]:
    """The price of each quantity of a feasible study."""
    if study.expected_loss:
        raise ValueError("shadow prices are for targets of error and failure, not expected losses")
    if study.individual.listed_events:
        raise ValueError(
            "shadow prices are for people paid by base_cost and worst_cost, not by events; "
            "compare `planner limit` for each quantity"
        )
    problem = problem_of(study)
    aim = best_aim(problem, "cost", TOLERANCE)
    if aim is None:
        return ()
    given = [
        (q, value)
        for q, row in QUANTITIES.items()
        if row.priced and (value := value_of(study, q)) is not None
    ]
    given += [
        (q, value_of(study, q) or 0.0) for q in questions_varied(study) if QUANTITIES[q].priced
    ]
    if study.power is not None or study.groups == 2:
        whole = _of_whole_numbers(study, aim)
        return tuple(
            Price(quantity, value, whole[quantity])
            if quantity in whole
            else _solved_again(study, quantity, value, aim)
            for quantity, value in given
        )
    if not aim.attained:
        worth = _in_the_limit(study, problem, aim)
        return tuple(Price(quantity, value, worth.get(quantity, 0.0)) for quantity, value in given)
    if _set_by_ceiling(aim) or study.costs.incentive:
        worth = _of_whole_numbers(study, aim)  # and the costs that change neither N nor ε
        worth |= {"per_person": float(aim.participants), "overhead": 1.0}
        return tuple(
            Price(quantity, value, worth[quantity])
            if quantity in worth
            else _solved_again(study, quantity, value, aim)
            for quantity, value in given
        )
    worth = _at_plan(study, problem, aim)
    moved = sensitivities(study, problem, aim)
    unmoved = (None, None)
    return tuple(
        Price(quantity, value, worth.get(quantity, 0.0), *moved.get(quantity, unmoved))
        for quantity, value in given
    )


def _set_by_ceiling(aim: "Aim") -> bool:
    """Whether one person fewer would be cheaper, but needs more ε than a ceiling allows."""
    fewer, region = aim.participants - 1, aim.region
    if fewer < 1 or region.cost_at_floor(fewer) >= aim.value:
        return False
    floor = region.floor(fewer)
    return bool(region.ceiling(fewer) < floor < math.inf)


def _solved_again(study: Study, quantity: Varied, value: float, aim: "Aim") -> Price:
    """A price by solving the study with 1 % more and 1 % less, or with one of them."""
    step = STEP * (value or (1e-6 if quantity == "delta" else 1.0))

    def at(change: float) -> tuple[float, "Aim"] | None:
        changed = value + change
        try:
            best = best_aim(problem_of(with_value(study, quantity, changed)), "cost", TOLERANCE)
        except ValueError:  # outside the range of the quantity
            return None
        return best and (changed, best)

    here = (value, aim)
    (low, less), (high, more) = at(-step) or here, at(step) or here
    if low == high or not (less.attained and more.attained):
        return Price(quantity, value, None)
    unit = high - low
    return Price(
        quantity,
        value,
        (more.value - less.value) / unit,
        (more.participants - less.participants) / unit,
        (chosen(more).epsilon - chosen(less).epsilon) / unit,
    )


def _at_plan(study: Study, problem: Problem, aim: "Aim") -> dict[Varied, float | None]:
    """The prices at the plan, in closed form."""
    choice, paid = chosen(aim), aim.region.person
    n = choice.participants
    by = paid.slopes(choice.epsilon, choice.delta)
    by_epsilon, by_delta = n * by.epsilon, n * by.delta
    worth: dict[Varied, float | None] = {
        "per_person": float(n),
        "overhead": 1.0,
        "base_cost": n * by.base_cost,
        "worst_cost": n * by.worst_cost,
    }
    if study.find(Delta):
        worth["delta"] = by_delta
    if study.survey is not None:
        return worth | of_questions(study, aim) | _of_whole_numbers(study, aim)
    floor = problem.goals[0].floor
    if study.sampling.sample.simple or not isinstance(floor, QuestionFloor):
        slope = slopes(study.mechanism, choice, study.accuracy.error)
    else:
        slope = slopes_of_sample(floor, choice, study.mechanism)
    if not accuracy_binds(problem, choice):
        worth |= {"error": 0.0, "failure": 0.0}
    elif slope is None:
        worth |= {"error": None, "failure": None}
        if study.mechanism.uses_delta:
            worth["delta"] = None
    else:
        worth["failure"] = by_epsilon / slope.epsilon
        worth["error"] = slope.error and -by_epsilon * slope.error / slope.epsilon
        if slope.delta is not None:
            worth["delta"] = by_delta - by_epsilon * slope.delta / slope.epsilon
    return worth | _of_whole_numbers(study, aim)


def _of_whole_numbers(study: Study, aim: "Aim") -> dict[Varied, float | None]:
    """The exact change of the cost by one more person or query."""
    worth: dict[Varied, float | None] = {}
    for quantity in ("participants", "min_participants", "queries"):
        value = value_of(study, quantity)
        if value is None:
            continue
        try:
            more = best_aim(problem_of(with_value(study, quantity, value + 1)), "cost", TOLERANCE)
        except ValueError:  # one more than the population has
            more = None
        worth[quantity] = None if more is None else more.value - aim.value
    return worth


def _in_the_limit(study: Study, problem: Problem, aim: "Aim") -> dict[Varied, float | None]:
    """Prices of E·y(T, α) + F, the cost as N → ∞."""
    if study.survey is not None:
        n_epsilon = float(aim.region.n_epsilon_floor())
        of_money = {"base_cost": study.individual.family * n_epsilon, "overhead": 1.0}
        return of_money | {"per_person": None} | in_the_limit(study, aim)

    person, delta = aim.region.person, aim.region.delta_low
    n_epsilon = float(aim.region.n_epsilon_floor())
    base = float(person.n_epsilon_cost(1.0))
    error, failure = sympy.symbols("T alpha", positive=True)
    asked = study.mechanism.n_epsilon_floor(error, failure, delta)
    at = {error: study.accuracy.error, failure: study.accuracy.failure}
    if float(problem.goals[0].n_epsilon_floor(delta)) < n_epsilon:
        asked = sympy.Integer(0)  # another floor binds
    return {
        "base_cost": study.individual.family * n_epsilon,
        "overhead": 1.0,
        "per_person": None,  # any cost per person is unbounded as N grows
        "error": base * float(asked.diff(error).subs(at)),
        "failure": base * float(asked.diff(failure).subs(at)),
        "queries": _of_whole_numbers(study, aim).get("queries"),
    }


def of_questions(study: Study, aim: "Aim") -> dict[Varied, float | None]:
    """The price of each question's error and size, and of α [money]."""
    size = np.array([float(aim.participants)])

    def cost(region: Region) -> float:
        return float(approximately(region).cost_at_floor(size)[0])

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
