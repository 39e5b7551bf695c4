"""One failure probability shared out: no other split needs less, and some always is found."""

import numpy as np
import pytest

from planner.mechanisms import ExponentialQuantile, LaplaceMean
from planner.mechanisms.count_floor import RateFloor, noisy
from planner.mechanisms.noise import LAPLACE
from planner.mechanisms.sampled import HoeffdingFloor
from planner.mechanisms.several.histogram import Shares
from planner.mechanisms.several.split import Part, Split, multiplier

SHARE = noisy("laplace", False, (0.0, 1.0))
VALUES = noisy("laplace", True, (0.0, 1.0))
MIXED = (
    Part(RateFloor(LaplaceMean(), 0.03, 0.05, SHARE), 3),
    Part(RateFloor(LaplaceMean(), 0.05, 0.05, VALUES), 2),
    Part(RateFloor(LaplaceMean(), 0.06, 0.05, Shares(LAPLACE, 6))),
    Part(HoeffdingFloor(0.06, 0.05)),
)


def needed(parts: tuple[Part, ...], failures: np.ndarray, n: float, power: int) -> float:
    """The sum of the exact rates to a power at these shares."""
    rates = [float(p.at(float(a)).epsilon(n, 0.0)) for p, a in zip(parts, failures, strict=True)]
    return sum(p.times * rate**power for p, rate in zip(parts, rates, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("n", [1800.0, 5000.0])
def test_no_other_split_needs_less(n: float, power: int) -> None:
    """To a ten-thousandth, among splits drawn about the one that is found."""
    failures, _ = Split(MIXED, 0.05, power).shares(np.array([n]))
    times = np.array([part.times for part in MIXED])
    assert times @ failures[:, 0] == pytest.approx(0.05, rel=1e-12)
    found = needed(MIXED, failures[:, 0], n, power)
    rng = np.random.default_rng(5)
    for width in (0.5, 0.2, 0.1) * 8:
        other = failures[:, 0] * np.exp(width * rng.normal(size=len(MIXED)))
        other *= 0.05 / (times @ other)
        assert found <= needed(MIXED, other, n, power) * (1 + 1e-4)


@pytest.mark.parametrize("failure", [0.05, 0.9, 0.999, 1 - 1e-9])
def test_every_question_has_some_rate_and_some_share(failure: float) -> None:
    """Also where any candidate is right often enough, so that one needs hardly any ε."""
    parts = (
        Part(ExponentialQuantile(candidates=2).floor(0.3, 0.05), 2),
        Part(HoeffdingFloor(0.3, 0.05)),
    )
    n = np.geomspace(100, 10**6, 8).round()
    failures, rates = Split(parts, failure, 1).shares(n)
    assert (failures > 0).all()
    assert np.isfinite(rates).all()
    assert (rates > 0).all()
    assert 2 * failures[0] + failures[1] == pytest.approx(np.full(8, failure))


def test_where_samples_fail_too_often_no_split_does() -> None:
    _, rates = Split(MIXED, 0.05, 1).shares(np.array([300.0, 5000.0]))
    assert np.isinf(rates[:, 0]).all()
    assert np.isfinite(rates[:, 1]).all()


def test_the_multiplier_is_the_root() -> None:
    at, pull = np.array([[0.3, -9.0], [-2.0, 4.0]]), np.array([[0.7, 3.0], [2.0, 0.1]])
    level = multiplier(at, pull)
    assert np.sum(np.exp(at - pull * level), axis=0) == pytest.approx([1.0, 1.0])


def test_a_size_is_read_alike_alone_and_beside_others() -> None:
    """Else a plan does not hold when it is checked again, at its own size alone."""
    n = np.array([1811.0, 1900.0, 2100.0, 2600.0, 5000.0, 40000.0])
    for power in (1, 2):
        together = Split(MIXED, 0.05, power).shares(n)
        for k in range(len(n)):
            alone = Split(MIXED, 0.05, power).shares(n[k : k + 1])
            for one, several in zip(alone, together, strict=True):
                assert several[:, k] == pytest.approx(one[:, 0], rel=1e-9)
