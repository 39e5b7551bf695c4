"""What accuracy costs: the least cost of a study over its margin of error, and without privacy."""

from dataclasses import dataclass, replace

from planner.answer.answers import Given, study_of
from planner.answer.problem.problem import TOLERANCE, each
from planner.answer.search.decide import decide
from planner.comparison.compare import PAPER_EXPOSURE
from planner.comparison.sizes import without_privacy
from planner.libraries import np
from planner.model import Budget, Study
from planner.numbers import Array

_FACTORS = tuple(2.0 ** (k / 2) for k in range(-2, 5))
"""The errors reach from half the study's own, which takes four times the people, to four
times it."""


@dataclass(frozen=True)
class CostOfAccuracy:
    """The least cost of a study without its budget, at several errors.

    Attributes:
        study: the study.
        errors: T, ascending, the study's own among them [fractions of 1].
        private: the least cost at each with exact payments; NaN where there is no study [money].
        not_private: the cost of the study that is not private, which exposes 0.2 % of the people;
            None where it is not known what that costs them [money].
    """

    study: Study
    errors: Array
    private: Array
    not_private: Array | None


def has_cost_of_accuracy(study: Study) -> bool:
    """Whether a study has one error, which its cost can be drawn over."""
    return study.target.kind == "accuracy" and not study.strata


def cost_of_accuracy(given: Given) -> CostOfAccuracy:
    """The least cost over the margin of error, computed in floats.

    Args:
        given: the study, or its answer; its budget is ignored.

    Raises:
        ValueError: it has no error, or several.
    """
    study = study_of(given)
    if not has_cost_of_accuracy(study):
        raise ValueError("the study has several errors or none; give one with error and failure")
    kept = tuple(c for c in study.conditions if not isinstance(c, Budget))
    study = replace(each(study)[0], conditions=kept)
    own = study.accuracy.error
    errors = own * np.array(_FACTORS)
    errors = errors[errors <= 1]
    private = decide(study, {"error": errors}, "cost", TOLERANCE).cost
    return CostOfAccuracy(study, errors, private, _not_private(study, errors))


def _not_private(study: Study, errors: Array) -> Array | None:
    """The cost without privacy at each error: the larger one where its size is known by bounds."""
    if study.individual.worst_cost is None or not study.mechanism.sampled:
        return None
    owed = study.individual.compensation_exposed(PAPER_EXPOSURE)
    costs = np.full(errors.shape, np.nan)
    for at, error in enumerate(errors):
        asked = replace(study, target=replace(study.accuracy, error=float(error)))
        sizes, _ = without_privacy(asked, None)
        if sizes is not None:
            costs[at] = study.costs.total(sizes.most, owed)
    return costs
