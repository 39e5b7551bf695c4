"""A thousand pilots: how often the interval of the median holds it."""

from planner.pilot import fit
from tests.pilot.pilots import MEDIAN, yes_or_no

PILOTS = 1_000


def test_the_interval_holds_the_median_in_95_percent() -> None:
    fitted = [fit(yes_or_no(seed)) for seed in range(PILOTS)]
    held = sum(one.low <= MEDIAN <= one.high for one in fitted)
    assert 0.93 * PILOTS <= held <= 0.97 * PILOTS
