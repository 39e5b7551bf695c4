"""The least rates: no window of allowed ones is missed, whatever its width."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

import planner
from planner.mechanisms.exact.failure import SHARES, Asked
from planner.mechanisms.exact.least_rate import frontier
from planner.mechanisms.exact.rates import CERTAIN, QUICK, Care, Rates

LAPLACE = SHARES["laplace"]


def found(parts, lowest: float, largest: float, care: Care) -> float:
    search = Rates(
        lambda rate, rows: parts(rate)[:, None, :],
        np.array([lowest]),
        np.array([largest]),
        0.05,
        0.0,
        care,
        np.array([False]),
    )
    return float(search.least()[0])


@pytest.mark.parametrize("centre", [0.013, 0.4, 3.7])
@pytest.mark.parametrize("width", [1e-1, 1e-2, 1e-3])
def test_narrow_windows_are_found(centre: float, width: float) -> None:
    # a falling part and a growing one that together pass α only within the window
    def parts(rate):
        x = np.clip(np.log(rate / centre) / width, -300, 300)
        falls, grows = 0.05 * np.exp(-x) / 2, 0.05 * np.exp(x) / 2
        return np.stack([grows, falls]) * 0.999

    edge = centre * math.exp(-width * math.acosh(1 / 0.999))
    for care in (QUICK, CERTAIN):
        assert found(parts, 1e-3, 1e4, care) == pytest.approx(edge, rel=max(1e-9, 1e-3 * width))


def test_where_nothing_is_allowed_nothing_is_found() -> None:
    def parts(rate):
        x = np.clip(np.log(rate / 0.4) / 1e-3, -300, 300)
        return np.stack([0.05 * np.exp(x) / 2, 0.05 * np.exp(-x) / 2]) * 1.001

    assert found(parts, 1e-3, 1e4, CERTAIN) == math.inf


def laplace(epsilon: float, n: int, error: float, mean: float) -> float:
    """The failure probability count by count."""
    k = np.arange(n + 1)

    def beyond(t):
        t = np.asarray(t, dtype=float)
        return np.where(t >= 0, np.exp(-epsilon * np.abs(t)) / 2, 1 - np.exp(-epsilon * abs(t)) / 2)

    high, low = n * (mean + error) - k, k - n * (mean - error)
    return float(np.sum(binom.pmf(k, n, mean) * (beyond(high) + beyond(low))))


@pytest.mark.parametrize(
    ("n", "error", "failure", "floor"),
    [
        (98, 0.6, 0.001, 0.1205022),  # a window between two points of a coarse grid
        (11, 0.5, 0.0744, 0.5460541),  # the worst mean moves with ε
        (2, 1.0, 0.001, 8.242554),
        (1, 1.0, 0.01, 18.394036),
        (2, 0.7, 0.05, 5.887479),
    ],
)
def test_laplace_floors(n: int, error: float, failure: float, floor: float) -> None:
    mechanism = planner.LaplaceMean()
    least = mechanism.epsilon_floor(n, error, failure)
    assert least == pytest.approx(floor, rel=1e-5)
    means = np.linspace(0, 1, 4001)
    assert max(laplace(least, n, error, m) for m in means) <= failure
    assert max(laplace(least * 0.999, n, error, m) for m in means) > failure


def geometric(epsilon: float, n: int, error: Fraction, mean: Fraction) -> float:
    """The failure probability count by count, edges in fractions."""
    decay = math.exp(-epsilon)
    high, low = math.ceil(n * (mean + error)), math.floor(n * (mean - error))

    def at_least(z: int) -> float:
        return decay**z / (1 + decay) if z > 0 else 1 - decay ** (1 - z) / (1 + decay)

    counts = binom.pmf(np.arange(n + 1), n, float(mean))
    return sum(p * (at_least(high - k) + at_least(k - low)) for k, p in enumerate(counts))


@pytest.mark.parametrize(
    ("n", "error", "failure"),
    [
        (25, "0.4", 0.01), (35, "0.2", 0.05), (75, "0.2", 0.05), (55, "0.4", 0.05),
        (5, "0.6", 0.05), (30, "0.35", 0.001), (1, "1.0", 1e-9),
    ],
)  # fmt: skip
def test_geometric_floors_where_an_edge_is_hit_on_both_sides(
    n: int, error: str, failure: float
) -> None:
    least = planner.GeometricMean().epsilon_floor(n, float(error), failure)
    t = Fraction(error)
    tips = [(Fraction(h) - n * t) / n for h in range(n + 1)]
    means = [m for m in tips if 0 <= m <= 1] + [Fraction(k, 200) for k in range(201)]
    assert max(geometric(least, n, t, m) for m in means) <= failure
    assert max(geometric(least * 0.999, n, t, m) for m in means) > failure


@pytest.mark.parametrize(
    ("mean_range", "error", "failure", "n"),
    [((1.0, 1.0), 0.1, 0.05, 1), ((0.2, 0.2), 0.3, 0.1, 5)],
)
def test_geometric_noise_at_one_mean_is_not_clipped_off_its_edges(
    mean_range: tuple[float, float], error: float, failure: float, n: int
) -> None:
    mechanism = planner.GeometricMean(mean_range=mean_range)
    study = planner.Study(
        mechanism,
        planner.Accuracy(error, failure),
        planner.Individual(2.6),
        [planner.MaxParticipants(10)],
    )
    assert planner.solve(study, "participants", prove=False).participants == n
    t, mean = Fraction(repr(error)), Fraction(repr(mean_range[0]))
    costs = {}
    for size in range(1, 11):
        grid = np.geomspace(0.05, 20, 1000)
        passing = [e for e in grid if geometric(e, size, t, mean) <= failure]
        if passing:
            costs[size] = size * 2.6 * math.expm1(passing[0])
    cheapest = planner.solve(study)
    assert cheapest.participants == min(costs, key=costs.__getitem__)
    assert cheapest.cost == pytest.approx(min(costs.values()), rel=2e-2)


def test_a_bracket_that_stays_wide_costs_some_rate_and_no_error() -> None:
    # off by 1 of 1 person: 2e^(−ε)/(1 + e^(−ε)) at a mean of 0, which a cell only comes near to
    least = planner.GeometricMean().epsilon_floor(1, 1.0, 1e-12)
    assert math.log(2e12) <= least < math.log(2e12) * 1.01


def test_gaussian_failures_never_pass_the_bound_for_all_means() -> None:
    mechanism = planner.GaussianMean()
    # sample and noise together are sub-Gaussian, of variance N/4 and σ² at most
    assert mechanism.failure_probability(20.0, 1500, 0.39, 1e-6) < 1.6e-198
    # near the bound and far from it, the value of a full sum over counts
    close = mechanism.failure_probability(0.3, 500, 0.14, 1e-6)
    assert 4.3973505e-5 < close < 4.39746e-5
    # where the noise is strong the worst mean is still found closely, by a full sum over counts
    strong = mechanism.failure_probability(21.77506927182673, 17, 0.6, 0.01)
    assert 2.24861e-7 < strong < 2.24866e-7


def test_rates_that_were_kept_are_those_found_anew() -> None:
    first = frontier(LAPLACE, Asked(0.21, 0.05, (0.0, 1.0))).floors(np.array([31, 40, 35]))
    again = frontier(LAPLACE, Asked(0.21, 0.05, (0.0, 1.0))).floors(np.array([[40, 99], [31, 35]]))
    assert again.shape == (2, 2)
    assert [again[0, 0], again[1, 0], again[1, 1]] == [first[1], first[0], first[2]]
    anew = frontier(LAPLACE, Asked(0.21, 0.0500001, (0.0, 1.0))).floors(np.array([99]))
    assert again[0, 1] == pytest.approx(anew[0], rel=1e-5)
