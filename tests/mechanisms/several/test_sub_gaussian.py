"""Hoeffding's bound with Gaussian noise."""

import math

import pytest

from planner.mechanisms.sampled import HoeffdingFloor


@pytest.mark.parametrize(("n", "error", "failure"), [(100, 0.2, 0.05), (4000, 0.03, 0.01)])
def test_the_least_rate_is_the_inverse_of_the_bound(n: int, error: float, failure: float) -> None:
    floor = HoeffdingFloor(error, failure, gaussian=True)
    rate = float(floor.epsilon(n, 0.0))
    assert floor.achieved(rate, n, 0.0) == pytest.approx(failure, rel=1e-12)
    spread = n / 4 + rate**-2  # of sample and noise together, in counts
    assert 2 * math.exp(-((n * error) ** 2) / (2 * spread)) == pytest.approx(failure, rel=1e-12)


def test_no_rate_suffices_where_the_sample_alone_is_too_far_off() -> None:
    """At N = 100 and T = .1 it fails with 2e^(−2)."""
    edge = 2 * math.exp(-2)
    floors = (HoeffdingFloor(0.1, edge * part, gaussian=True) for part in (0.999, 1.001))
    assert [math.isinf(float(floor.epsilon(100.0, 0.0))) for floor in floors] == [True, False]
