"""Gaussian noise on a count: full sums, worst means, proofs."""

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.special import ndtr
from scipy.stats import binom

import planner
from planner.mechanisms.exact import curvature
from planner.mechanisms.exact.failure import SHARES, Asked
from planner.mechanisms.exact.least_rate import frontier, least_rate
from tests.mechanisms.exact.gaussian_failure import failure_at
from tests.mechanisms.exact.shares import ALL, asked_in_balls, ball, enclosed, worst_mean

GAUSSIAN = SHARES["gaussian"]


def summed(rate: float, n: int, error: float, mean: float) -> float:
    """The failure probability, count by count."""
    off = np.arange(n + 1) - n * mean
    carried = ndtr((off - n * error) * rate) + ndtr((-off - n * error) * rate)
    return float(np.sum(binom.pmf(np.arange(n + 1), n, mean) * carried))


@pytest.mark.slow
@settings(max_examples=150)
@given(
    n=st.floats(0, 5).map(lambda x: int(10**x)),
    log_rate=st.floats(-4, 1),
    log_error=st.floats(-2.5, 0),
    mean=st.one_of(st.just(0.5), st.floats(0, 1), st.floats(-5, -1).map(lambda x: 10**x)),
)
def test_at_one_mean(n: int, log_rate: float, log_error: float, mean: float) -> None:
    rate, error = 10**log_rate, 10**log_error
    found = float(failure_at(rate, n, error, mean))
    assert found == pytest.approx(summed(rate, n, error, mean), rel=1e-10, abs=1e-60)


@pytest.mark.parametrize(
    ("rate", "n", "error", "mean"),
    [(0.07, 1000, 0.05, 0.5), (2.0, 400, 0.05, 0.31), (0.003, 10_000, 0.05, 0.01)],
)
def test_in_balls(rate: float, n: int, error: float, mean: float) -> None:
    held = enclosed("gaussian", (rate, rate), n, error, mean)
    assert float(held.mid()) == pytest.approx(summed(rate, n, error, mean), rel=1e-10)
    assert float(held.rad()) < 1e-12


@pytest.mark.slow
@settings(max_examples=200)
@given(
    n=st.integers(1, 300),
    rates=st.lists(st.floats(-3, 3).map(lambda x: 10**x), min_size=2, max_size=2).map(sorted),
    error=st.floats(0.005, 0.9),
    mean=st.one_of(st.just(0.5), st.floats(0.001, 0.999)),
    failure=st.floats(-60, 0).map(lambda x: 10**x),
)
def test_balls_of_a_range_of_rates(
    n: int, rates: list[float], error: float, mean: float, failure: float
) -> None:
    # counts that are off fail with what the lower rate leaves there, others as by the higher one
    outside, inside = rates
    found = enclosed("gaussian", (inside, outside), n, error, mean, failure)
    off = np.arange(n + 1) - n * mean
    expected = 0.0
    for beyond in (off - n * error, -off - n * error):
        carried = ndtr(beyond * np.where(beyond < 0, inside, outside))
        expected += float(np.sum(binom.pmf(np.arange(n + 1), n, mean) * carried))
    room = 1e-10 * expected + failure * 1e-15
    if not np.any(np.abs(np.abs(off) - n * error) < 1e-9 * n):  # an edge may be a whole number
        assert float(found.lower()) - room <= expected <= float(found.upper()) + room
        if failure > 1e-12:  # blocks of counts far out are known to a part of e^(−x²/4)
            assert float(found.rad()) <= 1e-9 * expected + failure * 1e-15


@settings(max_examples=8)
@given(
    n=st.integers(1, 150),
    rate=st.floats(-2.5, 0.3).map(lambda x: 10**x),
    error=st.floats(0.02, 0.4),
    mean_range=st.sampled_from([ALL, (0.0, 0.1), (0.2, 0.7)]),
)
def test_no_mean_passes_the_bracket(
    n: int, rate: float, error: float, mean_range: tuple[float, float]
) -> None:
    found = worst_mean("gaussian", rate, n, error, mean_range, 1e-3, sufficient=1e-6)
    means = np.random.default_rng(n).uniform(*mean_range, 300)
    seen = float(np.max(failure_at(rate, n, error, means)))
    assert seen <= found.most * (1 + 1e-9)
    if found.least:  # else a bound for all means does
        at_worst = failure_at(rate, n, error, float(found.mean))
        assert at_worst == pytest.approx(found.least, rel=1e-9, abs=1e-60)


@pytest.mark.parametrize(("rate", "n"), [(1 / 14, 1000), (0.5, 400)])
def test_the_bracket_is_narrow(rate: float, n: int) -> None:
    found = worst_mean("gaussian", rate, n, 0.05)
    assert found.least <= found.most <= found.least * 1.00002
    means = np.linspace(0, 1, 501)
    assert np.max(failure_at(rate, n, 0.05, means)) <= found.most


@pytest.mark.slow
def test_the_failure_is_semiconvex_in_its_logarithm() -> None:
    rng = np.random.default_rng(1)
    step, closest = 1e-3, 0.0
    for _ in range(200):
        n, rate = int(10 ** rng.uniform(0.5, 3)), 10 ** rng.uniform(-2, 0.5)
        error, mean = rng.uniform(0.02, 0.4), rng.uniform(0.02, 0.98)
        left, middle, right = (
            enclosed("gaussian", (rate, rate), n, error, mean + step * side) for side in (-1, 0, 1)
        )
        if not min(left, middle, right) > 1e-12:  # what is out of reach blurs less
            continue
        bent = float(2 * middle.log() - left.log() - right.log()) / step**2
        steep = GAUSSIAN.noise.steep(rate)
        most = curvature.of_means(float(n), mean - step, mean + step, steep)
        assert bent <= most
        closest = max(closest, bent / most)
    assert closest > 0.1


def floor_is_proved_and_less_is_not(n: int, error: float) -> None:
    floor = least_rate(GAUSSIAN, n, Asked(error, 0.05, ALL))
    quick = float(frontier(GAUSSIAN, Asked(error, 0.05, ALL)).floors(np.array([n]))[0])
    assert quick == pytest.approx(floor, rel=1e-3)
    target = asked_in_balls(error, 0.05)
    assert GAUSSIAN.certify_at_most(ball(floor * 1.0001), ball(n), target)
    assert not GAUSSIAN.certify_at_most(ball(floor * 0.99), ball(n), target)
    assert GAUSSIAN.certify_over(ball(floor * 0.9), ball(floor * 0.99), n, target)
    assert not GAUSSIAN.certify_over(ball(floor * 0.9), ball(floor * 1.001), n, target)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_a_range_of_sizes_is_proved_to_fail_only_where_it_does(seed: int) -> None:
    rng = np.random.default_rng(seed)
    least = int(10 ** rng.uniform(2.7, 4))
    most = least + int(rng.uniform(0, 0.03) * least)
    highest = rng.uniform(0.9, 1.02) * least_rate(GAUSSIAN, least, Asked(0.05, 0.05, ALL))
    proved = GAUSSIAN.certify_sizes_over(ball(highest), least, most, asked_in_balls(0.05, 0.05))
    sizes = np.arange(least, most + 1)
    rates = highest * np.array([[1], [0.999], [0.97], [0.9], [0.5], [0.1]])
    truth = bool(np.all(failure_at(rates, sizes, 0.05, 0.5) > 0.05))
    assert truth or not proved
    if highest < 0.95 * least_rate(GAUSSIAN, most, Asked(0.05, 0.05, ALL)):
        assert proved


def test_a_range_of_sizes_needs_the_mean_at_which_it_fails() -> None:
    asked = asked_in_balls(0.05, 0.05, (0.1, 0.2))
    assert not GAUSSIAN.certify_sizes_over(ball(1e-3), 400, 410, asked)


# near the first size with a floor, beyond it, and one that the bound of large studies settles
@pytest.mark.parametrize("n", [24, 57, 1135])
def test_floors_are_proved_and_less_is_not(n: int) -> None:
    floor_is_proved_and_less_is_not(n, 0.21)
    assert least_rate(GAUSSIAN, 22, Asked(0.21, 0.05, ALL)) == math.inf


def test_little_noise_is_proved_enough_where_counts_are_near_their_edges() -> None:
    # 17 people are the fewest: the chord alone takes too many cells to prove them
    study = planner.Study(
        planner.GaussianMean(mean_range=(0.1, 0.3)),
        planner.Accuracy(0.5803996372923874, 1e-06),
        planner.Individual(0.22, 8.86),
        [planner.Delta(0.001)],
    )
    answer = planner.solve(study, "participants")
    assert (answer.verdict, answer.participants) == ("feasible", 17)


@pytest.mark.parametrize("failure", [1e-4, 1e-8])
def test_one_person_with_hardly_any_noise(failure: float) -> None:
    # with T = 1 off only where the one counted has the rare property: μQ(μ/σ), largest at μ = 0.75σ
    x = np.linspace(0.7, 0.8, 100_001)
    largest = float(np.max(x * ndtr(-x)))
    rate = least_rate(GAUSSIAN, 1.0, Asked(1.0, failure, (0.0, 1.0)))
    assert rate == pytest.approx(largest / failure, rel=1e-6)


def test_failures_far_under_a_trillionth_are_told_apart() -> None:
    worst = worst_mean("gaussian", 0.3, 4000, 0.062)
    # the sum over counts at mean 1/2, by another library to 40 digits
    assert worst.least == pytest.approx(5.788253075586699e-15, rel=1e-9)
    assert worst.least <= worst.most <= worst.least * (1 + 1e-7)
