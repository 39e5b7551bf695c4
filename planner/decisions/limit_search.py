"""The limit of a quantity at a fixed δ: a root of the margin, then a value that has a plan."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from typing import NamedTuple

from planner.answer.problem.problem import TOLERANCE, Problem, problem_at_edge, problem_of
from planner.answer.problem.vary import Varied, value_of, with_value
from planner.answer.search.find import as_margin, best_aim, feasible, margin, roomiest
from planner.answer.solve import has_plan, has_room
from planner.decisions.root import closest, nearest
from planner.mechanisms import kinds
from planner.mechanisms.count_floor import LEAST_FAILURE, CountFloor
from planner.model import Study
from planner.quantities import QUANTITIES, of_question

_LARGEST_COST = 1e280  # no amount of money is larger, and times 2^53 people it is a double
_JUST_OVER = 1 + 1e-9  # times the rate at which one person comes
_ON_GRIDS, _NEARLY, _OF_TARGET, _ABOUT = 1e-9, 1e-6, 4e-8, 1e-6
"""How closely limits are known, as fractions: where accuracy saw-tooths; of a survey's accuracy,
of which each value is a split of its own, and of least costs; of errors and failure probabilities,
of which floors keep as much back; and to choose δ by."""
_BY_COUNTS = 1e-3
"""How closely limits are told of noisy counts, which ripple so much."""
_NO_CHANGE = 1e-9
"""So small a change of a proportion needs over 2^53 people: N times its square is what counts."""
# from the last digit to any value; steps of four, then faster; halvings back
_MOST_STEPS, _STEPS_OF_FOUR, _MOST_HALVINGS = 25, 15, 5
_FAR, _HALVINGS_FROM_AFAR = 1e-3, 20
"""Where the first value with a plan is so far off, as a fraction, nearer ones are looked for."""
_ANY = 0.5
"""A value that every kept quantity may have; see `furthest`."""
_FEWEST_COSTS = ("base_cost", "worst_cost")


def reached(study: Study, quantity: Varied) -> float | None:
    """The limit of the quantity at a fixed δ, to about a relative 1e-6: to choose δ by."""
    return _root(study, quantity, _ABOUT).good


def _works(study: Study, quantity: Varied) -> Callable[[float], bool]:
    return lambda value: feasible(problem_at_edge(with_value(study, quantity, value)))


def exact_counts(study: Study) -> bool:
    """Whether the study asks one question whose counts are summed."""
    return any(isinstance(goal.floor, CountFloor) for goal in problem_of(study).goals)


class _Root(NamedTuple):
    """Where a quantity stops being feasible.

    Attributes:
        good: a feasible value.
        bad: an infeasible one; None in place of a value that does not exist.
        near: about the best size there, where it was searched on grids.
    """

    good: float | None
    bad: float | None
    near: int = 0


def _root(study: Study, quantity: Varied, width: float) -> _Root:
    """A feasible and an infeasible value that are `width` apart, as a fraction, or less."""
    easiest, hardest = _ends(study, quantity)
    if quantity == "budget" and exact_counts(study):  # the least cost itself
        aim = best_aim(problem_at_edge(with_value(study, quantity, easiest)), "cost", TOLERANCE)
        if aim is not None and aim.attained and aim.value > 0:
            return _Root(aim.value, aim.value * (1 - width))
        if aim is not None and aim.value == 0:  # nothing is paid, so any budget is enough
            return _Root(easiest, None)
    if problem_of(study).on_grids:
        near = 0  # as values come closer, so do their best sizes

        def at(value: float, about: bool = False) -> float:
            nonlocal near
            problem = problem_at_edge(with_value(study, quantity, value))
            if about:
                return margin(problem, about)
            room, near = roomiest(problem, near=near)
            return as_margin(room)

        start, about = value_of(study, quantity) or 1.0, cache(partial(at, about=True))
        return _Root(*nearest(cache(at), about, start, easiest, hardest, width), near)
    works = _works(study, quantity)
    if not works(easiest):
        return _Root(None, hardest)
    if works(hardest):
        return _Root(hardest, None)
    return _Root(*closest(works, easiest, hardest, width))


@dataclass(frozen=True)
class _Asked:
    """What a limit is asked of.

    Attributes:
        study: the study.
        quantity: whose limit.
        others: the study with an easy value in place of its own: studies of the same others have
            the same limit.
    """

    study: Study = field(compare=False)
    quantity: Varied
    others: Study


def furthest(study: Study, quantity: Varied) -> tuple[float, bool] | None:
    """The furthest feasible value, and whether the true limit is itself feasible.

    0 or ∞ where there is no limit, None where no value is feasible.
    """
    others, row = study, QUANTITIES[quantity]
    kept = row.section == "target" or (row.condition and row.money)
    if kept and study.survey is None and study.power is None:
        others = with_value(study, quantity, _ANY)
    return _furthest(_Asked(study, quantity, others))


@lru_cache(maxsize=256)
def _furthest(asked: _Asked) -> tuple[float, bool] | None:
    """The same; kept, as a quantity that changes has the same limit all along."""
    study, quantity = asked.study, asked.quantity
    if endless(study, quantity):
        return 0.0, False
    width = _ON_GRIDS if problem_of(study).on_grids else 0.0
    if _in_a_survey(study, quantity) or (width and quantity == "budget"):
        width = _NEARLY
    elif width and kinds.is_by_counts(study.mechanism):
        width = _BY_COUNTS
    elif width and QUANTITIES[quantity].section == "target":
        width = _OF_TARGET
    good, bad, near = _root(study, quantity, width)
    if good is None:
        return None
    if bad is None:  # every value is feasible
        end = _beyond(study, quantity) if quantity in _FEWEST_COSTS else 0.0
        return end, end > 0 and math.isfinite(end)
    attained = _attained(
        quantity,
        problem_at_edge(with_value(study, quantity, good)),
        problem_at_edge(with_value(study, quantity, bad)),
    )
    value = settled(study, quantity, good, bad, width, near)
    return value if value is None else (value, attained)


def endless(study: Study, quantity: Varied) -> bool:
    """Whether large studies reach any value of an accuracy, as nothing limits N or N·ε.

    Where δ is free it may be as small as a cap on δ·N asks.
    """
    row = QUANTITIES[quantity]
    if row.more_is_harder or not row.accuracy:
        return False
    problem = problem_of(study)
    low, high = problem.delta_bounds
    regions = problem.without(*problem.goals).regions(low)
    private = high > 0 or not problem.uses_delta
    return private and any(
        region.participants_ceiling == math.inf and region.n_epsilon_room() == math.inf
        for region in regions
    )


def _in_a_survey(study: Study, quantity: Varied) -> bool:
    """Whether each value of the quantity makes a survey, searched on grids, with its own splits."""
    of_survey = study.survey is not None and QUANTITIES[quantity].accuracy
    return of_survey and problem_of(study).on_grids


def settled(
    study: Study, quantity: Varied, good: float, bad: float, width: float = 0.0, near: int = 0
) -> float | None:
    """The value nearest to the limit that has a plan: `good`, or one further from `bad`.

    Plans of closed formulas are proved, to the last digit, and those of few people. Others are
    computed, as each proof takes up to seconds.
    """
    inside = _easiest(study, quantity)

    def at(step: float) -> float:
        value = good + math.copysign(step, good - bad)
        return max(value, inside) if good < bad else min(value, inside)

    def passes(step: float) -> bool:
        changed = with_value(study, quantity, at(step))
        return has_room(changed, near) if on_grids else has_plan(changed)

    on_grids = problem_of(study).on_grids
    unit = max(math.ulp(good), width * good)
    faster = 16.0 if good > bad else 1.0  # a value that falls would soon be gone
    # splits and noisy counts are only nearly the best, and a proof of a least cost needs room
    nearly = width >= _NEARLY or study.survey is not None
    short, step = 0.0, unit if nearly else 0.0
    for k in range(_MOST_STEPS):
        if passes(step):
            break
        short = step
        step = unit * 4.0**k * faster ** max(k - _STEPS_OF_FOUR, 0)
    else:
        return None
    for _ in range(_MOST_HALVINGS if step <= _FAR * good else _HALVINGS_FROM_AFAR):
        if step - short <= unit:
            break
        middle = (short + step) / 2 if step <= 4 * short else math.sqrt(short * step)
        short, step = (short, middle) if passes(middle) else (middle, step)
    return at(step)


def _easiest(study: Study, quantity: Varied) -> float:
    person = study.individual
    if of_question(quantity) and quantity.endswith(".error"):
        return study.asked(quantity.rpartition(".")[0]).largest_error
    if study.power is not None and QUANTITIES[quantity].section == "target":
        return study.power.easiest(quantity)
    if quantity == "times_error":
        assert study.survey is not None  # others have no such limit
        return max(question.largest_error / question.error for question in study.survey.questions)
    if quantity == "base_cost" and person.family > 1:
        return 1e-290
    return (
        person.base_cost if quantity == "worst_cost" else float(QUANTITIES[quantity].easiest or 0.0)
    )


def _ends(study: Study, quantity: Varied) -> tuple[float, float]:
    far = dict.fromkeys(_FEWEST_COSTS, min(_beyond(study, quantity), _LARGEST_COST))
    far |= {"share_at_least": 1e-6}  # the least that is allowed
    far |= {"error": 1e-60, "times_error": 1.001e-60, "design_effect": _LARGEST_COST}
    if problem_of(study).on_grids:
        far |= {"failure": LEAST_FAILURE}
    far |= {"power": 1 - 2**-53, "change": _NO_CHANGE}
    # so few respond that one person comes if the whole population is invited: 1 − (1 − r)^M
    people, nobody = study.sampling.population or _LARGEST_COST, 1 - study.sampling.arrive
    far |= {"response_rate": -math.expm1(math.log(nobody) / people) * _JUST_OVER}
    good = _easiest(study, quantity)
    bad = far.get(quantity.rpartition(".")[-1], 1e-290)
    of_questions = of_question(quantity) or quantity == "times_error"
    return good, bad * good if of_questions else bad


def _beyond(study: Study, quantity: Varied) -> float:
    return math.inf if quantity == "worst_cost" else study.individual.largest_base_cost


def _attained(quantity: Varied, last: Problem, beyond: Problem) -> bool:
    """Whether the limit itself is feasible; not if it needs N → ∞ or an open bound."""
    for condition in beyond.conditions:
        if condition.relation == "<" and feasible(beyond.without(condition)):
            return False
    if _certify_attained(last):
        return True
    regions = last.regions(last.delta_bounds[0])
    if len(regions) > 1 or not regions[0].convex:
        aim = best_aim(last, "participants", TOLERANCE)
        if aim is None:
            return False
        regions = [aim.region]
    (region,) = regions
    if region.n_epsilon_grows:
        cheapest = best_aim(last, "cost", TOLERANCE)
        return cheapest is not None and cheapest.attained
    free = quantity == "budget" and not region.person.paid_for_epsilon
    return free or math.isfinite(region.participants_ceiling)


def _certify_attained(last: Problem) -> bool:
    low, high = last.delta_bounds
    regions = [] if last.uses_delta and low < high else last.regions(low)
    return bool(regions) and all(math.isfinite(one.participants_ceiling) for one in regions)
