"""What accuracy costs: the least cost of a study over its margin of error, and without privacy.

By a bound they are those of `solve`. Exact ones, and those of surveys, are read from the
approximate floor that searches read first, which is quick, and within about a hundredth: pictures
show no more. Of a survey all margins of error are multiplied by one factor.
"""

from dataclasses import dataclass, replace

from planner.answer.answers import Given, Plan, study_of
from planner.answer.problem.problem import TOLERANCE, each, problem_of
from planner.answer.problem.vary import value_of, with_value
from planner.answer.search.decide import decide
from planner.answer.search.find import reader
from planner.answer.solve import solve, with_all
from planner.comparison.compare import PAPER_EXPOSURE
from planner.comparison.sizes import without_privacy
from planner.libraries import np
from planner.mechanisms import kinds
from planner.model import Budget, Study
from planner.numbers import Array

_FACTORS = tuple(2.0 ** (k / 2) for k in range(-2, 5))
"""The errors reach from half the study's own, which takes four times the people, to four
times it."""
_OWN = _FACTORS.index(1.0)
_ACROSS = 11
"""Numbers of people that are read at once."""
_COARSE, _FINE = 2.0, 1.1
"""They lie between a guess divided and multiplied by this: costs are flat near the least."""


@dataclass(frozen=True)
class CostOfAccuracy:
    """The least cost of a study without its budget, at several errors.

    Attributes:
        study: the study.
        errors: T, ascending, the study's own among them [fractions of 1]; of a survey the factors
            on all its errors, 1 among them.
        private: the least cost at each, of the plan at its own; NaN where there is no study
            [money].
        not_private: the cost of the study that is not private, which exposes 0.2 % of the people;
            None where it is not known what that costs them, NaN at every other error [money].
    """

    study: Study
    errors: Array
    private: Array
    not_private: Array | None

    @property
    def own(self) -> int:
        """Where the study's own error stands among the errors."""
        return _OWN


def has_cost_of_accuracy(study: Study) -> bool:
    """Whether a study has a cost, and one error to draw it over, or several that are quick."""
    if study.strata or study.costs_nothing:
        return False
    if study.survey is None:
        return value_of(study, "error") is not None
    return all(map(_is_quick, each(study)))


def _is_quick(study: Study) -> bool:
    """Whether many sizes are read at once: with a curator, and without a δ to search."""
    return kinds.is_curated(study.mechanism) and not problem_of(study).uses_delta


def cost_of_accuracy(given: Given) -> CostOfAccuracy:
    """The least cost over the margin of error, by the cheapest of its mechanisms at each.

    Raises:
        ValueError: it has no error, or several that take long.
    """
    study = study_of(given) if isinstance(given, Study) else with_all(given)
    if not has_cost_of_accuracy(study):
        raise ValueError(
            "the study costs nothing, or has several errors or none; give one with an error, a "
            "failure and costs"
        )
    kept = tuple(c for c in study.conditions if not isinstance(c, Budget))
    study = replace(study, conditions=kept)
    own, most = (1.0, np.inf) if study.survey else (value_of(study, "error") or 1.0, 1.0)
    errors = own * np.array(_FACTORS)
    errors = errors[errors <= most]
    plans = (given, *given.alternatives) if isinstance(given, Plan) else ()
    known = {plan.study.mechanism: plan for plan in plans if isinstance(plan, Plan)}
    costs = [
        _read(one, errors, known.get(one.mechanism))
        if _is_quick(one) and (one.survey or problem_of(one).on_grids)
        else decide(one, {"error": errors}, "cost", TOLERANCE).cost
        for one in each(study)
    ]
    private = np.fmin.reduce(costs)
    return CostOfAccuracy(study, errors, private, _not_private(each(study)[0], errors))


def _read(study: Study, errors: Array, plan: Plan | None) -> Array:
    """The least cost at each error, read from the size at the one before; near its own plan's."""
    costs = np.full(errors.shape, np.nan)
    start = plan or solve(study, prove=False)
    if not isinstance(start, Plan):
        return costs
    for way in (range(_OWN, -1, -1), range(_OWN + 1, errors.size)):
        people = float(start.participants)
        for at in way:
            costs[at], people = _least(_at(study, float(errors[at])).unrounded, people)
    if start.minimise == "cost":
        costs[_OWN] = start.cost
    return costs


def _least(study: Study, people: float) -> tuple[float, float]:
    """The least cost, and its number of people, near a guess of that; NaN where there is none."""
    regions = problem_of(study).regions(0.0)
    readers = [reader(region) for region in regions]
    most = max(region.participants_ceiling for region in regions)
    for spread in (_COARSE, _COARSE, _FINE):
        n = np.geomspace(max(people / spread, 1), people * spread, _ACROSS).round()
        n = np.unique(np.minimum(n, most))
        costs = np.min([read(n).cost for read in readers], axis=0)
        least = int(costs.argmin())
        if not np.isfinite(costs[least]):
            return np.nan, people
        people = float(n[least])
    return float(costs[least]), people


def _at(study: Study, error: float) -> Study:
    if study.survey is None:
        return with_value(study, "error", error)
    return replace(study, target=study.survey.with_errors_times(error))


def _not_private(study: Study, errors: Array) -> Array | None:
    """The cost without privacy at each error: the larger one where its size is known by bounds."""
    if study.individual.worst_cost is None or not kinds.is_sampled(study.mechanism):
        return None
    owed = study.individual.compensation_exposed(PAPER_EXPOSURE)
    costs = np.full(errors.shape, np.nan)
    for at, error in enumerate(errors):
        if at % 2:  # an exact size takes a while
            continue
        sizes, _ = without_privacy(_at(study, float(error)), None)
        if sizes is not None:
            costs[at] = study.costs.total(sizes.most, owed)
    return costs
