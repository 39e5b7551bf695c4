"""What accuracy costs: the least cost of a study over its margin of error, and without privacy.

They are those of `solve`, not proved, and without coins. Of a survey all margins of error are
multiplied by one factor.
"""

import math
from dataclasses import dataclass, replace

from planner.answer.answers import Given, study_of
from planner.answer.problem.problem import TOLERANCE, each, problem_of
from planner.answer.problem.vary import value_of, with_value
from planner.answer.search.decide import decide
from planner.answer.search.find import best_aim
from planner.answer.solve import with_all
from planner.comparison.compare import PAPER_EXPOSURE
from planner.comparison.sizes import enough_people, without_privacy
from planner.libraries import np
from planner.mechanisms import kinds
from planner.model import Budget, MaxParticipants, MinParticipants, Study
from planner.numbers import Array

_FACTORS = tuple(2.0 ** (k / 2) for k in range(-2, 5))
"""The errors reach from half the study's own, which takes four times the people, to four
times it."""
_OWN = _FACTORS.index(1.0)
_BETWEEN = 15
"""Errors that are tried between the largest without a study and the least with one."""


@dataclass(frozen=True)
class CostOfAccuracy:
    """The least cost of a study without its budget, at several errors.

    Attributes:
        study: the study.
        errors: T, ascending, the study's own among them [fractions of 1]; of a survey the factors
            on all its errors, 1 among them.
        private: the least cost at each; NaN where there is no study [money].
        not_private: the cost of the study that is not private, which exposes 0.2 % of the people;
            None where it is not known what that costs them, NaN where it is not computed [money].
    """

    study: Study
    errors: Array
    private: Array
    not_private: Array | None

    @property
    def own(self) -> int:
        """Where the study's own error stands among the errors."""
        return int(np.searchsorted(self.errors, _own(self.study) * (1 - 1e-12)))


def _own(study: Study) -> float:
    return 1.0 if study.survey else value_of(study, "error") or 1.0


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
    errors = _own(study) * np.array(_FACTORS)
    if not study.survey:
        errors = errors[errors <= 1.0]
    private = _private(study, errors)
    if study.survey is None and np.isfinite(private).any() and np.isnan(private[0]):
        first = int(np.argmax(np.isfinite(private)))
        between = np.geomspace(errors[first - 1], errors[first], _BETWEEN + 2)[1:-1]
        costs = _private(study, between)
        seen = np.isfinite(costs)
        errors = np.insert(errors, first, between[seen])
        private = np.insert(private, first, costs[seen])
    return CostOfAccuracy(study, errors, private, _not_private(each(study)[0], errors, private))


def _private(study: Study, errors: Array) -> Array:
    return np.fmin.reduce([_least_costs(one.unrounded, errors) for one in each(study)])


def _least_costs(study: Study, errors: Array) -> Array:
    """The least cost at each error; of a single question all at once."""
    if study.survey is None:
        return decide(study, {"error": errors}, "cost", TOLERANCE).cost
    aims = [best_aim(problem_of(_at(study, float(x))), "cost", TOLERANCE) for x in errors]
    return np.array([aim.value if aim else np.nan for aim in aims])


def _at(study: Study, error: float) -> Study:
    if study.survey is None:
        return with_value(study, "error", error)
    return replace(study, target=study.survey.with_errors_times(error))


def _not_private(study: Study, errors: Array, private: Array) -> Array | None:
    """The cost without privacy: the larger one where its size is known by bounds.

    It is known at every other of the factors, as it takes a while, and where private costs begin.
    """
    if study.individual.worst_cost is None or not kinds.is_sampled(study.mechanism):
        return None
    owed = study.individual.compensation_exposed(PAPER_EXPOSURE)
    costs = np.full(errors.shape, np.nan)
    if study.survey is not None:
        people = _sizes_of_survey(study, errors[::2]) or []
        for at, n in enumerate(people):
            costs[2 * at] = study.costs.total(n, owed)
        return costs
    cap = min((c.n for c in study.conditions if isinstance(c, MaxParticipants)), default=math.inf)
    asked = np.isin(errors, _own(study) * np.array(_FACTORS[::2]))
    asked[np.argmax(np.isfinite(private))] = True
    for at in np.flatnonzero(asked).tolist():
        sizes, _ = without_privacy(_at(study, float(errors[at])), None)
        if sizes is not None and sizes.most <= cap:
            costs[at] = study.costs.total(sizes.most, owed)
    return costs


def _sizes_of_survey(study: Study, errors: Array) -> list[int] | None:
    """The people of a survey without privacy at every other error.

    At its own errors they are by its analysis, which takes long; at others they are as many times
    those of the smooth guess there.
    """
    exact = enough_people(study, None)
    about = [enough_people(_at(study, float(error)), None, "smooth") for error in errors]
    known = [n for n in about if n is not None]
    if exact is None or len(known) < len(about):
        return None
    own = known[_OWN // 2]
    fewest = study.find(MinParticipants)
    return [max(math.ceil(n * exact / own), fewest.n if fewest else 1) for n in known]
