"""The limit of a quantity of a study with strata: where its least cost is the budget.

Each value is a study that is planned anew, in floats: limits are computed, not proved.
"""

import math
from dataclasses import replace
from functools import cache, partial

from planner.answer.answers import StrataPlan, TotalPlan
from planner.answer.problem.vary import Varied, value_of, with_value
from planner.answer.search.find import as_margin
from planner.answer.solve import fewest_of_strata, least_cost_of_strata, solve
from planner.answer.strata.solve import room_in_failure
from planner.answer.strata.total import least_epsilon_of_all
from planner.decisions.root import nearest
from planner.model import Budget, Condition, EpsilonAtMost, MaxParticipants, Study
from planner.model.strata import for_all_alone
from planner.numbers import first
from planner.quantities import QUANTITIES
from planner.wording import several

_LIMITED = [
    name
    for name, row in QUANTITIES.items()
    if name in ("budget", "epsilon") or (row.limited and row.section in ("target", "individual"))
]
"""And the error of each stratum, such as North.error."""
_KINDS: dict[Varied, type[Condition]] = {"budget": Budget, "participants": MaxParticipants}
_WIDTH = 3e-4
"""How closely a limit is known, as a part of it."""
_LEFT = 1e-6
"""Of the money, at a limit: doubles do not add up to the cent."""
_STEPS = 10
"""Values further and further inside that are tried, four times as far each."""
_LARGEST = 1e280
"""No amount of money is larger."""
_MOST_EPSILON = 50.0
"""With a larger ε there is no privacy."""
_LEAST_FAILURE, _MOST_FAILURE, _LEAST_ERROR = 1e-9, 1 - 1e-9, 1e-9
"""Smaller and larger ones are not looked at."""


def limited_of_strata(study: Study) -> tuple[Varied, ...]:
    """The quantities of a study with strata whose limit is searched, where it has a value."""
    own = [f"{stratum.name}.error" for stratum in study.strata if stratum.error is not None]
    people = [] if for_all_alone(study) and not study.costs_nothing else ["participants"]
    return tuple(q for q in (*_LIMITED, *people, *own) if value_of(study, q) is not None)


def limit_of_strata(study: Study, quantity: Varied) -> tuple[float, bool] | None:
    """The furthest value that is feasible, and whether it is the true limit.

    Returns:
        None where no value makes the study feasible. The true limit is feasible where each person
        costs something, so that N is bounded, as every condition allows its own bound.

    Raises:
        ValueError: the limit of this quantity is not searched.
    """
    if quantity == "participants" and not for_all_alone(study):
        return _fewest(study)
    one_answer = for_all_alone(study) and study.costs_nothing
    fewest = quantity == "participants" and one_answer
    if quantity not in _LIMITED and not fewest and not _of_stratum(study, quantity):
        known = several([*dict.fromkeys(("budget", *limited_of_strata(study)))], "or")
        raise ValueError(
            f"the limit of {quantity} is not searched for a study with strata; give {known}"
        )
    if quantity in ("budget", "participants"):  # of one answer that costs nothing the fewest
        # of few people a proof may need one more
        answer = solve(_without(study, _KINDS[quantity]), prove=fewest)
        if not isinstance(answer, StrataPlan | TotalPlan):
            return None
        return float(answer.cost if quantity == "budget" else answer.participants), True
    if QUANTITIES[quantity].accuracy and not study.conditions:
        return 0.0, False  # ever more people with ever less noise
    planned = cache(partial(_margin, study, quantity))
    margin, about = planned, cache(partial(_margin, study, quantity, about=True))
    limited = study.find(Budget) or study.find(MaxParticipants)
    if study.survey is None and not limited:
        margin = about = cache(partial(_margin_in_failure, study, quantity))
    row, own = QUANTITIES[quantity], value_of(study, quantity)
    easiest, hardest = _ends(study, quantity)
    good: float | None
    bad: float | None
    if quantity == "epsilon" and one_answer:
        good = bad = least_epsilon_of_all(_without(study, EpsilonAtMost))
    else:
        good, bad = nearest(margin, about, own or easiest, easiest, hardest, _WIDTH)
    if good is None or not good < math.inf:
        return None
    if quantity == "epsilon" and (bad is None or good <= _LEAST_ERROR):
        return 0.0, False  # ever more people
    if bad is None:
        unlimited = row.more_is_harder and hardest == _LARGEST
        return (math.inf, False) if unlimited else (hardest, True)
    for step in (0.0, *(_WIDTH * 4.0**k for k in range(_STEPS))):
        value = good * (1 - step if row.more_is_harder else 1 + step)
        value = max(value, easiest) if row.more_is_harder else min(value, easiest)
        if planned(value) >= 0:
            if own is not None and (own > value) == row.more_is_harder and planned(own) >= 0:
                value = own  # what a study has is no further than its limit
            bounded = study.find(MaxParticipants) is not None
            bounded |= all(one.people or one.max_participants for one in study.strata)
            bounded |= quantity == "epsilon" and one_answer  # of as many as there are
            return value, bounded or study.costs.total(1, 0.0) > study.costs.overhead
    return None


def _ends(study: Study, quantity: Varied) -> tuple[float, float]:
    person, strata = study.individual, study.strata
    if quantity == "base_cost":
        worst = [one.worst_cost for one in strata if one.worst_cost is not None]
        return 0.0, min([*worst, person.largest_base_cost, _LARGEST])
    if quantity == "worst_cost":
        return max([one.base_cost or 0.0 for one in strata] + [person.base_cost]), _LARGEST
    if quantity == "epsilon":
        return _MOST_EPSILON, _LEAST_ERROR
    if quantity == "failure":
        return _MOST_FAILURE, _LEAST_FAILURE
    if _of_stratum(study, quantity):
        low, high = study.accuracy.values or (0.0, 1.0)
        return high - low, _LEAST_ERROR * (high - low)
    if quantity == "times_error" and study.survey is not None:
        return max(q.largest_error / q.error for q in study.survey.questions), _LEAST_ERROR
    if quantity == "times_error":
        low, high = study.accuracy.values or (0.0, 1.0)
        return (high - low) / max(one.error or 0.0 for one in strata), _LEAST_ERROR
    if study.power is not None and quantity in study.power.VARIED:
        return study.power.easiest(quantity), study.power.hardest(quantity)
    return 1.0, _LEAST_ERROR


def _of_stratum(study: Study, quantity: Varied) -> bool:
    return any(quantity == f"{one.name}.error" for one in study.strata if one.error is not None)


def _without(study: Study, kind: type[Condition]) -> Study:
    return replace(study, conditions=tuple(c for c in study.conditions if not isinstance(c, kind)))


def _margin(study: Study, quantity: Varied, value: float, about: bool = False) -> float:
    """The least room that a budget and a cap on all participants leave, in logarithms.

    It is −∞ where there is no plan, and 1 where there is one and nothing limits it.
    """
    budget, cap = study.find(Budget), study.find(MaxParticipants)
    changed = with_value(_without(study, Budget), quantity, value)
    rooms = [1.0]
    if cap and not for_all_alone(study):
        rooms.append(as_margin(cap.n / fewest_of_strata(changed, about)))
    if rooms[-1] < 0 or (cap and not budget and not for_all_alone(study)):
        return rooms[-1]
    cost = least_cost_of_strata(changed, about)
    if cost == math.inf:
        return -math.inf
    return min(*rooms, math.log(budget.money / cost) - _LEFT if budget and cost else 1.0)


def _margin_in_failure(study: Study, quantity: Varied, value: float) -> float:
    """The margin where nothing limits money and people of all strata together."""
    return as_margin(room_in_failure(with_value(study, quantity, value)))


def _fewest(study: Study) -> tuple[float, bool] | None:
    """The fewest people of all strata together whose study is within the budget."""
    uncapped, budget = _without(study, MaxParticipants), study.find(Budget)
    cheapest = solve(uncapped, prove=False)
    if not isinstance(cheapest, StrataPlan | TotalPlan):
        return None
    fewest = math.ceil(fewest_of_strata(uncapped))
    if not budget:
        return fewest, True

    def affordable(people: int) -> bool:
        capped = replace(uncapped, conditions=(*uncapped.conditions, MaxParticipants(people)))
        return least_cost_of_strata(_without(capped, Budget)) <= budget.money

    return first(affordable, fewest, cheapest.participants), True
