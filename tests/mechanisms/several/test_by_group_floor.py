"""The bound on shares in reported groups, against every outcome of small studies added up."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import optimize, stats

from planner.mechanisms.several.by_group import ByGroupFloor, reach

FLOOR = ByGroupFloor(6, 0.05, 0.1, 0.05)
FAR = 60  # scales of noise beyond which nothing is left in doubles


def cells(n: int, part: float, yes: float, scale: float) -> tuple[np.ndarray, np.ndarray, float]:
    """The probability of each pair of noisy counts of yes and no, with geometric noise."""
    far = math.ceil(FAR * scale) if scale else 0
    noise = np.exp(-np.abs(np.arange(-far, far + 1)) / scale) if scale else np.ones(1)
    noise /= noise.sum()
    both = np.zeros((n + 1, n + 1))
    for members in range(n + 1):
        own = np.arange(members + 1)
        both[own, members - own] = stats.binom.pmf(members, n, part) * stats.binom.pmf(
            own, members, yes
        )
    rows = np.apply_along_axis(np.convolve, 0, both, noise)
    chances = np.apply_along_axis(np.convolve, 1, rows, noise)
    counts = np.arange(-far, n + far + 1.0)
    return counts[:, None], counts[None, :], chances


def fails(n: int, part: float, yes: float, scale: float, error: float) -> float:
    """How often the published share of one group is off by the error or more, or missing."""
    a, b, chances = cells(n, part, yes, scale)
    size = a + b
    with np.errstate(all="ignore"):
        share = np.clip(a / size, 0.0, 1.0)
    off = (size <= 0) | (np.abs(share - yes) >= error * (1 - 1e-12))
    return float(chances[off].sum())


@pytest.mark.slow
@pytest.mark.parametrize("error", [0.1, 0.25, 0.4, 0.5])
@pytest.mark.parametrize("least", [0.1, 0.4, 1.0])
@pytest.mark.parametrize("scale", [0.0, 0.6, 2.0])
def test_no_share_of_yes_fails_more_often_than_the_bound(error, least, scale) -> None:
    n = 40
    rate = 2 / scale if scale else 1e6
    floor = ByGroupFloor(2, least, error, 0.05)
    of_all = float(floor.achieved(rate, n, 0.0))
    of_one = of_all * 0.9 / floor.large_groups if of_all < 1 else 1.0
    for yes in (0.0, 0.05, 0.3, 0.5, 0.9, 1.0):
        for part in {least, (1 + least) / 2}:
            assert fails(n, part, yes, scale, error) <= of_one * (1 + 1e-9)


def test_the_bound_is_close_enough_to_be_of_use() -> None:
    """Between a tenth of it and itself the worst of these studies fails."""
    floor = ByGroupFloor(2, 0.4, 0.25, 0.05)
    of_one = float(floor.achieved(1.0, 60, 0.0)) * 0.9 / floor.large_groups
    assert of_one / 10 < fails(60, 0.4, 0.5, 2.0, 0.25) < of_one < 0.9


@pytest.mark.parametrize("gaussian", [False, True])
def test_it_is_the_least_over_lambda(gaussian) -> None:
    """A second search, over a grid and then between its neighbours."""
    rng = np.random.default_rng(3)
    for _ in range(30):
        least, error = rng.uniform(0.02, 1.0), rng.uniform(0.02, 0.5)
        n, rate = float(rng.integers(50, 50_000)), float(10 ** rng.uniform(-2, 0.5))
        floor = ByGroupFloor(4, least, error, 0.05, gaussian)

        def log_u(at, least=least, error=error, n=n, rate=rate):
            people = n * math.log(1 - least + least * math.exp(at**2 / 8 - at * error))
            if gaussian:  # σ² = 2/rate²
                return people + at**2 / rate**2
            return people - math.log(1 - (2 * at / rate) ** 2)

        top = 8.0 if gaussian else min(8.0, rate / 2 * (1 - 1e-9))
        grid = np.linspace(0, top, 4001)[:-1]
        best = int(np.argmin([log_u(x) for x in grid]))
        ends = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
        found = optimize.minimize_scalar(log_u, bounds=ends, method="bounded").fun
        expected = min(2 * floor.large_groups / 0.9 * math.exp(min(found, 0.0)), 1.0)
        value = floor.achieved(rate, n, 0.0)
        assert value == pytest.approx(expected, rel=1e-6)


@given(
    st.integers(2, 40), st.floats(0.01, 1.0), st.floats(0.02, 0.5), st.floats(1e-6, 0.4),
    st.integers(10, 10**6), st.booleans(),
)  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_the_floor_is_the_least_rate(groups, least, error, failure, n, gaussian) -> None:
    floor = ByGroupFloor(groups, least, error, failure, gaussian)
    rate = float(floor.epsilon(float(n), 0.0))
    if math.isinf(rate):
        assert floor.achieved(1e9, float(n), 0.0) >= failure * (1 - 1e-6)
        return
    assert floor.achieved(rate * (1 - 1e-6), float(n), 0.0) > failure * (1 - 1e-9)
    assert rate >= floor.noise_alone(float(n), 0.0)
    assert floor.achieved(rate, float(n), 0.0) == pytest.approx(failure, rel=1e-6)


@pytest.mark.parametrize("gaussian", [False, True])
def test_it_falls_with_people_and_so_does_n_times_it(gaussian) -> None:
    floor = replace(FLOOR, gaussian=gaussian)
    n = np.geomspace(8000, 1e9, 60)
    rates = floor.epsilon(n, 0.0)
    assert np.all(np.diff(rates) < 0)
    assert np.all(np.diff(n * rates) < 0)
    noise = float(floor.n_epsilon(1, 0.0))
    assert n[-1] * rates[-1] == pytest.approx(noise, rel=1e-3)


def test_arrays_and_floats_agree() -> None:
    n = np.array([3000.0, 8000.0, 20_000.0])
    expected = [FLOOR.epsilon(float(x), 0.0) for x in n]
    assert FLOOR.epsilon(n, 0.0).tolist() == pytest.approx(expected, rel=1e-9)
    rates = np.array([0.1, 0.5, 2.0])
    values = [FLOOR.achieved(float(e), float(x), 0.0) for e, x in zip(rates, n, strict=True)]
    assert FLOOR.achieved(rates, n, 0.0).tolist() == pytest.approx(values, rel=1e-9)


def test_groups_that_can_be_large() -> None:
    """At most ⌊1/r⌋, in decimals: of 0.1 there are ten."""
    assert ByGroupFloor(20, 0.1, 0.1, 0.05).large_groups == 10
    assert ByGroupFloor(3, 0.1, 0.1, 0.05).large_groups == 3
    assert ByGroupFloor(3, 1.0, 0.1, 0.05).large_groups == 1


def test_an_error_over_one_half_counts_as_one_half() -> None:
    half, more = (ByGroupFloor(3, 0.2, t, 0.05) for t in (0.5, 0.9))
    assert half.epsilon(100.0, 0.0) == more.epsilon(100.0, 0.0)


@pytest.mark.slow
@pytest.mark.parametrize("part", [0.0, 0.01, 0.1, 0.3, 0.8])
@pytest.mark.parametrize("yes", [0.0, 0.2, 0.5, 1.0])
def test_intervals_hold_whatever_the_size_of_the_group(part, yes) -> None:
    """Every outcome of a small study, added up: each side fails with α/(10·2G) at most."""
    n, scale = 40, 1.5
    floor = ByGroupFloor(2, 0.3, 0.3, 0.4)
    of = reach(floor, 2 / scale, n)
    a, b, chances = cells(n, part, yes, scale)
    size = a + b
    half = np.vectorize(of.of)(np.maximum(size, 0.0))
    with np.errstate(all="ignore"):
        share = np.clip(a / size, 0.0, 1.0)
    off = (size > 0) & (half < 1) & (np.abs(share - yes) > half)
    assert chances[off].sum() <= 0.4 / 10 / 2
    assert np.any((size > 0) & (half < 0.9))  # and they say something


def test_intervals_are_shortest_for_the_least_planned_group() -> None:
    """No other λ gives a shorter one there; larger groups have shorter ones."""
    n, rate = 12_000, float(FLOOR.epsilon(12_000.0, 0.0))
    of = reach(FLOOR, rate, n)
    size, each = 0.05 * n, 0.05 / 10 / 12

    def half(at: float) -> float:
        moments = [1 - (2 * x / rate) ** 2 for x in (at**2 / 8, at * (1 + at / 8))]
        if min(moments) <= 0:
            return 1.0
        return at / 8 + (-sum(map(math.log, moments)) - math.log(each)) / (at * size)

    best = min(half(at) for at in np.linspace(1e-4, rate / 2, 20_000))
    assert best <= of.of(size) <= best * 1.001
    assert of.of(10 * size) < of.of(size) < of.of(size / 3) < of.of(1.0) == 1.0
    assert of.of(0.0) == of.of(-3.0) == 1.0
