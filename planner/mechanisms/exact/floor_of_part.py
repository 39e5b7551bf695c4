"""The floors of surveys and of two groups, whose parts are still proved in ball arithmetic."""

from planner.mechanisms import exact
from planner.mechanisms.floor import QuestionFloor
from planner.mechanisms.mechanism import Mechanism
from planner.mechanisms.sample import Sample


def floor_of_part(
    mechanism: Mechanism, error: float, failure: float, sample: Sample
) -> QuestionFloor:
    """What an error and a failure probability ask of a part of a study."""
    if not (mechanism.adds and mechanism.saw_toothed):
        return mechanism.floor_of_sample(error, failure, sample)
    mean_range: tuple[float, float] = mechanism.mean_range  # type: ignore[attr-defined]
    share = exact.noisy(mechanism.adds, mechanism.any_values, mean_range, sample)
    return exact.ExactFloor(mechanism, error, failure, share, mean_range)
