"""A thousand pilots: how often the interval of the median holds it."""

import contextlib

import pytest

from planner.pilot import Pilot, fit, release
from planner.pilot.noisy import noisy_fit
from tests.pilot.pilots import MEDIAN, yes_or_no

PILOTS = 1_000


def test_the_interval_holds_the_median_in_95_percent() -> None:
    fitted = [fit(yes_or_no(seed)) for seed in range(PILOTS)]
    held = sum(one.low <= MEDIAN <= one.high for one in fitted)
    assert 0.93 * PILOTS <= held <= 0.97 * PILOTS


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_with_noise_it_holds_it_as_often(epsilon) -> None:
    """Of 400 pilots each, as the noise has no seed: 0.93 less three standard deviations is 0.89.

    A few say that their noise leaves nothing that bounds the median; they state no interval.
    """
    fitted = []
    for seed in range(400):
        published = release(Pilot(yes_or_no(seed), None, "x"), epsilon)
        with contextlib.suppress(ValueError):
            fitted.append(noisy_fit(published))
    assert len(fitted) >= 0.98 * 400
    held = sum(one.low <= MEDIAN <= one.high for one in fitted)
    assert held >= 0.89 * len(fitted)
