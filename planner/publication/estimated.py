"""The proportion that is published beside a test: the same noisy count, and how accurate it is."""

from dataclasses import replace

from planner.answer.answers import Plan
from planner.answer.problem.problem import problem_of
from planner.mechanisms import GeometricMean
from planner.model import Accuracy, Records, Study
from planner.numbers import round_up

_DIGITS = 3
"""Of the error."""
_TRIES = 4


def of_share(study: Study, failure: float, error: float = 0.5) -> Study:
    """The study that publishes a proportion by a noisy count."""
    written = replace(study.records, first=Records().first, second=Records().second)
    target = Accuracy(error, failure)
    return replace(study, mechanism=GeometricMean(), target=target, records=written)


def estimated(study: Study, error: float = 0.5) -> Study:
    """The study that publishes the proportion of a test; a study without a test is itself."""
    return study if study.power is None else of_share(study, study.power.significance, error)


def error_beside_test(plan: Plan) -> float:
    """The error of the proportion beside a test, except with the significance."""
    assert plan.study.power is not None  # it is a test
    failure = plan.study.power.significance
    return error_of_share(plan.study, failure, plan.epsilon, plan.participants)


def error_of_share(study: Study, failure: float, epsilon: float, participants: int) -> float:
    """The least error of three digits that a proportion has, except with a probability.

    Raises:
        ValueError: no error up to 1 is.
    """

    def excess(error: float) -> float:
        floor = problem_of(of_share(study, failure, error)).goals[0].floor
        return float(floor.achieved(epsilon, participants, 0.0)) - float(floor.allowed)

    low, high = 1 / participants, 1.0
    if excess(low) <= 0:
        high = low
    while high - low > 1e-4 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    found = high
    for _ in range(_TRIES):
        found = min(round_up(found, _DIGITS), 1.0)
        if excess(found) <= 0:
            return found
        found *= 1.001
    raise ValueError(
        f"with {participants} people no error of the answer beside the test is certain, so it is "
        "not published"
    )
