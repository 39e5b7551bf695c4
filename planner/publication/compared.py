"""The difference of two groups whose noisy counts are published, and what a test of it decides."""

from collections.abc import Sequence
from dataclasses import replace

from planner.mechanisms.noisy_counts import ErrorOfDifference, PowerOfGroups
from planner.model import Study
from planner.model.difference import DifferenceWithin
from planner.numbers import least_decimals, round_up
from planner.publication.decision import count_of, decide_groups, differences
from planner.publication.published import Published

DIFFERENCE = "difference"
"""The name of the difference, beside those of the groups."""
_DIGITS = 3
"""Of its error."""


def comparison(study: Study, epsilon: float, shares: Sequence[Published]) -> list[Published]:
    """The difference of the published proportions, second less first; it costs no more privacy.

    Args:
        study: the study of both groups.
        epsilon: ε.
        shares: what is published of the first group and of the second.
    """
    first, second = shares
    sizes = first.participants or 0, second.participants or 0
    x, y = (float(one.answer) for one in shares)  # type: ignore[arg-type]
    answer, test = y - x, None
    if isinstance(study.target, DifferenceWithin):
        failure = study.target.failure
        error = error_of(study, epsilon, sizes)
        interval = [max(answer - error, -1.0), min(answer + error, 1.0)]
    else:
        floor = study.test
        assert isinstance(floor, PowerOfGroups)  # no other has two groups
        counts = count_of(x, sizes[0]), count_of(y, sizes[1])
        test = decide_groups(floor, epsilon, sizes, counts)
        # on both sides, whatever the test
        failure, two_sided = floor.significance, replace(floor, sides=2)
        interval = differences(two_sided, epsilon, sizes, counts)
        error = round_up(max(answer - interval[0], interval[1] - answer), _DIGITS)
    return [
        Published(
            DIFFERENCE, "difference", answer, error, failure, "geometric", None,
            nearest=min(max(answer, -1.0), 1.0), interval=interval, low=-1.0, high=1.0, test=test,
            by_itself=True,
        )
    ]  # fmt: skip


def error_of(study: Study, epsilon: float, sizes: tuple[int, int]) -> float:
    """The error of a difference with the people of each group who came."""
    target, people = study.target, study.sampling.sample.population
    assert isinstance(target, DifferenceWithin)  # no other has an error

    def kept(error: float) -> bool:
        floor = ErrorOfDifference(error, target.failure, population=people)
        return floor.failing_of(epsilon, *sizes) <= target.failure

    if kept(target.error):
        return target.error
    return next(least_decimals(kept, target.error, 1.0), 1.0)
