"""The floors of surveys and of two groups, whose parts are still proved in ball arithmetic."""

from planner.mechanisms import exact, kinds
from planner.mechanisms.floor import QuestionFloor
from planner.mechanisms.mechanism import Mechanism
from planner.mechanisms.sample import Sample


def floor_of_part(
    mechanism: Mechanism, error: float, failure: float, sample: Sample
) -> QuestionFloor:
    """What an error and a failure probability ask of a part of a study."""
    if not (kinds.adds(mechanism) and kinds.is_exact(mechanism)):
        return mechanism.floor(error, failure, sample)
    mean_range: tuple[float, float] = mechanism.mean_range  # type: ignore[attr-defined]
    share = exact.noisy(
        kinds.adds(mechanism), kinds.is_for_any_values(mechanism), mean_range, sample
    )
    return exact.ExactFloor(mechanism, error, failure, share, mean_range)
