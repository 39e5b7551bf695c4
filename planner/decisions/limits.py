"""The limit of a quantity beyond which a study is infeasible; where δ is free, at the best one.

The study at several proportions of people who must accept.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

from planner.answer.accepting import Acceptance, acceptance
from planner.answer.answers import Answer, Given, Plan, study_of
from planner.answer.problem.problem import (
    FREE_DELTA_SHARE,
    TOLERANCE,
    Problem,
    each,
    needs_delta_cap,
    problem_at_edge,
    problem_of,
)
from planner.answer.problem.vary import (
    Varied,
    moves_population,
    own_of_questions,
    questions_varied,
    value_of,
    with_condition,
    with_value,
)
from planner.answer.search.find import best_aim, feasible, free_delta, margin
from planner.answer.solve import fewest, has_plan, solve
from planner.decisions.limit_search import endless, exact_counts, furthest, reached, settled
from planner.decisions.limits_of_strata import limit_of_strata
from planner.decisions.root import closest, closest_by_margin
from planner.libraries import scipy
from planner.mechanisms import kinds
from planner.mechanisms.count_floor import LEAST_FAILURE
from planner.model import (
    Budget,
    Condition,
    Delta,
    DeltaAtMost,
    DeltaTimesNAtMost,
    EpsilonAtMost,
    MaxParticipants,
    Study,
)
from planner.numbers import WHOLE_LIMIT, first, round_up
from planner.quantities import LIMITED, QUANTITIES, hint, limited, of_question
from planner.show import Shown, view

_DIGITS, _OF_SURVEYS = 6, 5  # of a limit of ε that leaves room for a proof
_CLOSE = 1e-9  # of a limit of ε, as a part: as closely as others on grids are known
_SMALLEST = {"failure": 1e-12, "delta": 1e-30}
"""Probabilities under which no limit is searched: nobody can tell such ones from never."""
_NEVER = 1e-290  # as good as 0
_NO_DELTA = 1e-200  # as good as 0: for 2^53 people and W = 10^100 it still costs nothing
_GRID, _FEW = 24, 4  # values of δ; fewer where each takes seconds
_ROUNDS, _SETTLED = 4, 1e-4  # δ and the limit in turn; when it has settled
_FAR_DELTA = 1e-24
"""The smallest δ searched, relative to its cap; smaller δ hardly helps."""


@dataclass(frozen=True, repr=False, eq=False)
class Limit(Shown, float):
    """The furthest value of a quantity at which `solve` still calls the study feasible.

    It is a number too, and its repr is that number.

    Attributes:
        value: the limit as a plain float.
        quantity: which quantity.
        attained: whether the true supremum or infimum is itself feasible; where it is not, the
            value is the last number on the feasible side that has a plan: a proved one of closed
            formulas and of few people; others are computed, and `certificate` proves one.
        study: the study that has this limit.
        exact: the limit with exact payments, where the study's are rounded up to coins and the
            value covers that; else None.
        bound: whether the limit is even further: of probabilities that nobody asks for, which are
            not searched.
    """

    value: float
    quantity: str
    attained: bool
    study: Study | None = None
    exact: float | None = None
    bound: bool = False

    def __new__(cls, value: float, *_: Any, **__: Any) -> "Limit":
        """A float with the name of what it bounds."""
        return super().__new__(cls, value)

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.value, self.quantity, self.attained, self.study, self.exact, self.bound

    __repr__ = float.__repr__

    def __format__(self, spec: str) -> str:
        return format(self.value, spec)

    def certificate(self) -> str:
        """The text of its certificate: a plan at the limit, and none a little beyond it.

        Raises:
            ValueError: there is no such limit, or the rules of the checker do not reach it.
        """
        return str(view(type(self), "certificate")(self))

    def to_dict(self) -> dict[str, Any]:
        unlimited = not math.isfinite(self.value)
        return {
            "quantity": self.quantity,
            "value": self.value,
            "attained": self.attained,
            "unlimited": unlimited,
            **({"bound": True} if self.bound else {}),
            **({} if self.exact is None else {"exact": self.exact}),
        }


def limit(study: Given, quantity: Varied) -> Limit | None:
    """The largest base cost, worst cost or number of queries, or the smallest other quantity.

    Args:
        study: the study, or its answer; its own value of `quantity` is ignored, all else kept.
        quantity: "base_cost" (of a person who lists events, all their costs together, so that
            E = Σ p·c), "worst_cost", "budget", "harm" (per person), "error" and "failure"
            (as the study's target has them), "times_error" (of all questions or strata),
            "participants", "epsilon", "delta" or "queries"; or its key in study files.

    Returns:
        The limit, 0 or ∞ where there is none, or None where no value of this quantity makes
        the study feasible. With a smallest coin the limit of the budget is the least cost found,
        and the cap on participants that of the fewest people; other limits are those of a study
        that costs a coin more for each person, so that rounded payments are certainly covered, and
        `exact` is the limit with exact payments.

    Raises:
        ValueError: `quantity` is unknown, or belongs to another kind of target or mechanism.
    """
    study, quantity = study_of(study), limited(quantity)
    end = rounded_limit(study, quantity)
    rounded = study.costs.smallest_coin and not study.strata
    if end is not None and rounded and quantity not in ("budget", "participants"):
        exact = _limit(study.unrounded, quantity)
        if exact is not None and exact != end:
            return replace(end, exact=exact.value)
    return end


def rounded_limit(study: Study, quantity: Varied) -> Limit | None:
    """The limit at which payments that are rounded up to the study's coins are covered."""
    if study.strata:
        furthest_of_strata = limit_of_strata(study, quantity)
        return furthest_of_strata and Limit(
            furthest_of_strata[0], quantity, furthest_of_strata[1], study
        )
    of_survey = study.survey is not None and problem_of(each(study)[0]).on_grids
    if quantity == "budget" and (study.costs.smallest_coin or of_survey):  # the least cost
        answer = solve(_without(study, Budget), prove=False)
        return Limit(answer.cost, quantity, True, study) if isinstance(answer, Plan) else None
    if study.costs.smallest_coin and quantity != "participants":
        end = _limit(study.paid_a_coin_more, quantity)
    else:
        end = _limit(study, quantity)
    return end and replace(end, study=study)


def _limit(study: Study, quantity: Varied) -> Limit | None:
    """The limit, without its study."""
    if not QUANTITIES[quantity].limited if of_question(quantity) else quantity not in LIMITED:
        names = (*LIMITED, *questions_limited(study))
        raise ValueError(f"quantity = {quantity!r} has no limit; {hint(quantity, names, names)}")
    if quantity == "error" and study.survey is not None:
        raise ValueError(own_of_questions(study.survey, "error"))
    if quantity == "times_error" and value_of(study, quantity) is None:
        raise ValueError("times_error is for the errors of questions or strata; give error")
    if quantity == "response_rate" and moves_population(study):
        raise ValueError(
            'with about = "respondents" a lower response rate also means fewer people whom the '
            "answer is about, so it has no limit; compare several with planner sweep"
        )
    if len(kinds.choices(study.mechanism)) > 1:
        return _furthest_of(each(study), quantity)
    match quantity:
        case "participants":
            return _fewest(study)
        case "queries":
            return _most_queries(study)
        case "epsilon":
            return _least_epsilon(_without(study, EpsilonAtMost))
        case "delta":
            return _least_delta(_without(study, Delta, DeltaAtMost), value_of(study, quantity))
        case "failure" if _further(study, quantity, value_of(study, quantity)):
            least = LEAST_FAILURE if exact_counts(study) else _SMALLEST[quantity]
            return Limit(least, quantity, False, bound=True)
    problem = problem_of(study)
    low, high = problem.delta_bounds
    if problem.uses_delta and low < high:
        if endless(study, quantity):
            return Limit(0.0, quantity, False)
        delta = best_delta(study, quantity, low, high)
        if delta is None:
            return None
        study = at_delta(study, delta)
    end = furthest(study, quantity)
    return end and Limit(end[0], quantity, end[1])


def _further(study: Study, quantity: Varied, own: float | None) -> bool:
    """Whether a probability can be so small that its limit is not searched, but there is one."""
    if quantity == "failure" and exact_counts(study):
        return has_plan(with_value(study, quantity, LEAST_FAILURE))
    smallest = _SMALLEST[quantity]
    if own is not None and own <= smallest:
        return False
    small, none = (with_value(study, quantity, x) for x in (smallest, _NEVER))
    return has_plan(small) and not feasible(problem_at_edge(none))


def _furthest_of(studies: list[Study], quantity: Varied) -> Limit | None:
    further = max if QUANTITIES[quantity].more_is_harder else min
    best: Limit | None = None
    for study in studies:
        if best is None or not _falls_short(study, quantity, best):
            limits = [one for one in (best, _limit(study, quantity)) if one is not None]
            best = further(limits, default=None)
    return best


def _falls_short(study: Study, quantity: Varied, best: Limit) -> bool:
    """Whether a survey does not reach a limit that another one has: its own is not searched."""
    if study.survey is None:
        return False
    if best in (0.0, math.inf):
        return True
    return not feasible(problem_at_edge(with_value(study, quantity, float(best))))


def questions_limited(study: Study) -> tuple[Varied, ...]:
    """The quantities of a survey's questions whose limit is searched."""
    return tuple(name for name in questions_varied(study) if QUANTITIES[name].limited)


def _without(study: Study, *kinds: type[Condition]) -> Study:
    """The study without some kinds of conditions."""
    kept = tuple(c for c in study.conditions if not isinstance(c, kinds))
    return replace(study, conditions=kept)


def _fewest(study: Study) -> Limit | None:
    """The smallest number of participants."""
    least = fewest(_any_size(study))
    return None if least is None else Limit(least, "participants", True)


def _any_size(study: Study) -> Study:
    """The study without a cap on N."""
    return _without(study, MaxParticipants)


def _most_queries(study: Study) -> Limit | None:
    """The largest number of queries."""
    if value_of(study, "queries") is None:
        said = kinds.words(study.mechanism)
        raise ValueError(f"{said} answers one question; give times to ask several")

    def fails(queries: int) -> bool:
        return not feasible(problem_at_edge(with_value(study, "queries", queries)))

    if fails(1):
        return None
    end = 2
    while end < WHOLE_LIMIT and not fails(end):
        end *= 2
    if not fails(end):
        return Limit(math.inf, "queries", False)
    most = first(fails, end // 2, min(end, WHOLE_LIMIT)) - 1
    for fewer in (0, *(2**k for k in range(most.bit_length()))):
        proved = most - fewer
        if proved and has_plan(with_value(study, "queries", proved)):
            return Limit(proved, "queries", True)
    return None


def _least_epsilon(study: Study) -> Limit | None:
    """The smallest ε."""
    aim = best_aim(problem_at_edge(study), "epsilon", TOLERANCE)
    if aim is None or not aim.attained:
        return aim and Limit(aim.value, "epsilon", False)
    on_grids = problem_of(study).on_grids  # computed, with some room for a proof
    most = _OF_SURVEYS if study.survey else _DIGITS if on_grids else 15
    for digits in range(most, 2, -1):  # rounded up to where a plan is
        value = round_up(aim.value, digits)
        if has_plan(with_condition(study, EpsilonAtMost(value)), prove=not on_grids):
            return Limit(value, "epsilon", True)
    least = settled(study, "epsilon", aim.value, 0.0, _CLOSE)
    return None if least is None else Limit(least, "epsilon", True)


def _least_delta(study: Study, own: float | None) -> Limit | None:
    """The smallest feasible δ, whatever its own: the first of a coarse grid, then bisection."""
    if not study.mechanism.uses_delta:
        return Limit(0.0, "delta", True) if feasible(problem_at_edge(study)) else None

    def fixed(delta: float) -> Problem:
        return problem_at_edge(with_condition(study, Delta(delta)))

    def works(delta: float) -> bool:
        return feasible(fixed(delta))

    slow = problem_of(study).saw_toothed
    if works(_NO_DELTA):
        return Limit(0.0, "delta", False)
    if _further(study, "delta", own):
        return Limit(_SMALLEST["delta"], "delta", False, bound=True)
    bad = _NO_DELTA
    for k in range(-96, 0, 8 if slow else 1):
        good = 10 ** (k / 4)
        if works(good):
            width = 1e-6 if slow else 1e-12
            if problem_of(study).on_grids:
                good, bad = closest_by_margin(lambda x: margin(fixed(x)), good, bad, width)
            else:
                good, bad = closest(works, good, bad, width)
            least = settled(study, "delta", good, bad, width)
            if least is None:
                return None
            good = least
            aim = best_aim(fixed(good), "participants", TOLERANCE)
            finite = aim is not None and math.isfinite(aim.region.participants_ceiling)
            return Limit(good, "delta", finite)
        bad = good
    return None


def at_delta(study: Study, delta: float) -> Study:
    """The study at one δ, with its caps on δ."""
    caps = (DeltaTimesNAtMost(FREE_DELTA_SHARE),) if needs_delta_cap(study) else ()
    return replace(study, conditions=(*study.conditions, *caps, Delta(delta)))


def _followed_delta(study: Study, quantity: Varied) -> float | None:
    """The δ with the most room at the limit that it leads to; None where it does not settle."""
    at, before = study, math.nan
    for _ in range(_ROUNDS):
        best, _ = free_delta(problem_at_edge(at), "room")
        end = reached(at_delta(study, best), quantity) if best else None
        if end is None or not 0 < end < math.inf:
            return None
        if abs(end - before) <= _SETTLED * end:
            return best
        at, before = with_value(study, quantity, end), end
    return None


def best_delta(study: Study, quantity: Varied, low: float, high: float) -> float | None:
    """The δ at which the limit is furthest: the best of a coarse grid, then refined."""
    of_floor = quantity != "worst_cost"  # whose best δ falls without end
    if of_floor and problem_of(study).saw_toothed:
        followed = _followed_delta(study, quantity)
        if followed is not None:
            return followed
    sign = -1 if QUANTITIES[quantity].more_is_harder else 1
    slow = problem_of(study).saw_toothed

    def value(log_delta: float) -> float:
        end = reached(at_delta(study, min(math.exp(log_delta), high)), quantity)
        return math.inf if end is None else sign * end

    # each value takes seconds where the accuracy saw-tooths, so few values of larger δ are tried
    points, reach = (_FEW, _FAR_DELTA**0.5) if slow else (_GRID, _FAR_DELTA)
    top, bottom = math.log(high), math.log(max(low, high * reach))
    grid = [top + (bottom - top) * k / points for k in range(points + 1)]
    values = [value(x) for x in grid]
    best = min(range(len(grid)), key=values.__getitem__)
    if math.isinf(values[best]):
        return math.exp(grid[best]) if values[best] < 0 else None
    near = (grid[min(best + 1, points)], grid[max(best - 1, 0)])
    refined = scipy.optimize.minimize_scalar(
        lambda x: min(value(x), 1e6 * abs(values[best]) + 1),
        bounds=near,
        method="bounded",
        options={"xatol": 0.2 if slow else 1e-5},
    )
    return min(math.exp(refined.x if refined.fun < values[best] else grid[best]), high)


SHARES = (0.5, 0.75, 0.8, 0.9, 0.95, 0.99, 1.0)  # closest where the last people cost most


def acceptances(
    study: Given, shares: tuple[float, ...] = SHARES
) -> list[tuple[Answer, Acceptance]]:
    """The answer for each proportion of people who must accept.

    Raises:
        ValueError: the people of the study do not differ.
    """
    study = study_of(study)
    person = study.individual
    answers = []
    for share in shares:
        people = person.people
        if people is not None and people.base_costs.quantile(share) == math.inf:
            continue  # so many never accept
        answer = solve(replace(study, individual=person.accepted_by(share)))
        accepted = acceptance(answer.study, getattr(answer, "participants", None))
        if accepted is not None:
            answers.append((answer, accepted))
    return answers
