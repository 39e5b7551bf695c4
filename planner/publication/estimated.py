"""The proportion that is published beside a test: the same noisy count, and how accurate it is."""

from collections.abc import Callable
from dataclasses import replace

from planner import numbers
from planner.answer.answers import Plan
from planner.answer.problem.problem import problem_of
from planner.mechanisms import GeometricMean
from planner.model import Accuracy, Study
from planner.model.difference import DifferenceWithin
from planner.numbers import round_up

_DIGITS = 3
"""Of the error."""
_TRIES = 4


def estimated(study: Study, error: float = 0.5) -> Study:
    """The study that publishes the proportion of a test; a study without a test is itself."""
    if study.power is None:
        return study
    failure = study.power.significance
    target: Accuracy | DifferenceWithin = Accuracy(error, failure)
    if study.groups == 2:
        target = DifferenceWithin(error=error, failure=failure)
    return replace(study, mechanism=GeometricMean(), target=target)


def error_beside_test(plan: Plan) -> float:
    """The least error of three digits that the proportion has, except with the significance.

    It is proved, as errors of plans are.

    Raises:
        ValueError: no error up to 1 is.
    """

    def excess(error: float) -> float:
        floor = problem_of(estimated(plan.study, float(error))).goals[0].floor
        return float(floor.achieved(plan.epsilon, plan.participants, 0.0)) - float(floor.allowed)

    low = 1 / plan.participants
    found = low if excess(low) <= 0 else _bisected(excess, low)
    number = numbers.balls().number
    given = number(plan.epsilon), number(plan.participants), number(0.0)
    for _ in range(_TRIES):
        found = min(round_up(found, _DIGITS), 1.0)
        floor = problem_of(estimated(plan.study, found)).goals[0].floor
        if floor.certify_reached(*given):
            return found
        found *= 1.001
    raise ValueError(
        f"with {plan.participants} people no error of the answer beside the test is certain, so it "
        "is not published"
    )


def _bisected(excess: Callable[[float], float], low: float) -> float:
    high = 1.0
    while high - low > 1e-4 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return high
