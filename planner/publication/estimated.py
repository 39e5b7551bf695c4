"""The proportion that is published beside a test: the same noisy count, and how accurate it is."""

from dataclasses import replace

from planner.answer.answers import Plan
from planner.answer.problem.problem import problem_of
from planner.mechanisms import GeometricMean
from planner.model import Accuracy, Records, Study
from planner.numbers import least_decimals


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

    def kept(error: float) -> bool:
        floor = problem_of(of_share(study, failure, error)).goals[0].floor
        return float(floor.achieved(epsilon, participants, 0.0)) <= float(floor.allowed)

    found = next(filter(kept, least_decimals(kept, 1 / participants, 1.0)), None)
    if found is None:
        raise ValueError(
            f"with {participants} people no error of the answer beside the test is certain, so it "
            "is not published"
        )
    return found
