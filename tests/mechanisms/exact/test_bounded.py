"""The bound for any values: by a linear program, over random laws, and its proofs."""

import math

import numpy as np
import pytest
import scipy.optimize
import scipy.stats
from flint import arb

import planner
from planner.mechanisms.exact import Asked, NoisyShare, noisy
from planner.mechanisms.exact.bounded import Bounded
from planner.mechanisms.exact.exponential_noise import LAPLACE
from planner.mechanisms.exact.gaussian_noise import GAUSSIAN
from planner.mechanisms.exact.least_rate import least_rate
from planner.mechanisms.exact.majorant import over
from planner.mechanisms.exact.noise import NO_NOISE

WHOLE = (0.0, 1.0)
LAWS = {"laplace": LAPLACE, "gaussian": GAUSSIAN, "none": NO_NOISE}


def tail(kind: str, x: np.ndarray, rate: float) -> np.ndarray:
    """Pr[Z ≥ x]."""
    if kind == "none":
        return np.where(x <= 0, 1.0, 0.0)
    law = (
        scipy.stats.laplace(scale=1 / rate) if kind == "laplace" else scipy.stats.norm(0, 1 / rate)
    )
    return np.asarray(law.sf(x))


def bound(kind: str, rate: float, n: int, mean: float, error: float) -> float:
    rates, sizes, means = (np.array([float(x)]) for x in (rate, n, mean))
    return float(Bounded().parts(LAWS[kind], rates, sizes, means, n * error, n * error).sum())


def by_program(kind: str, rate: float, n: int, mean: float, error: float) -> float:
    """The least E φ(K) over convex φ on a fine grid that are over q there."""
    fine = 24
    points = np.arange(n * fine + 1) / fine
    chance = np.zeros(len(points))
    chance[::fine] = scipy.stats.binom.pmf(np.arange(n + 1), n, mean)
    bends = np.zeros((len(points) - 2, len(points)))
    rows = np.arange(len(points) - 2)
    bends[rows, rows], bends[rows, rows + 1], bends[rows, rows + 2] = -1, 2, -1
    lower = tail(kind, n * (mean + error) - points, rate)
    found = scipy.optimize.linprog(
        chance, A_ub=bends, b_ub=np.zeros(len(rows)), bounds=[(q, None) for q in lower]
    )
    assert found.status == 0
    return float(found.fun)


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
@pytest.mark.parametrize(("n", "error", "rate"), [(9, 0.3, 0.7), (12, 0.2, 1.5), (6, 0.4, 0.3)])
def test_no_convex_function_is_better(kind: str, n: int, error: float, rate: float) -> None:
    """Up to the grid, and to the tangent, which is not chosen to the last digit."""
    best = 2 * by_program(kind, rate, n, 0.5, error)
    assert best * (1 - 2e-3) <= bound(kind, rate, n, 0.5, error) <= best * (1 + 2e-2)


@pytest.mark.parametrize(("n", "error"), [(9, 0.3), (12, 0.2), (25, 0.2)])
def test_without_noise_the_worst_mean_is_about_as_bad_as_it_must_be(n: int, error: float) -> None:
    """There the best line changes from count to count, and one is chosen for all means."""
    means = [0.5 - part / (8 * n) for part in range(9)]
    sides = [
        by_program("none", 1.0, n, mean, error) + by_program("none", 1.0, n, 1 - mean, error)
        for mean in means
    ]
    ours = [bound("none", 1.0, n, mean, error) for mean in means]
    assert all(one >= best * (1 - 1e-6) for one, best in zip(ours, sides, strict=True))
    assert max(ours) <= 1.05 * max(sides)


def of_law(
    values: np.ndarray, chances: np.ndarray, n: int, kind: str, rate: float, t: float
) -> float:
    """How often the mean of n such values is off by t, exactly; values are multiples of 1/60."""
    one = np.zeros(61)
    np.add.at(one, np.rint(values * 60).astype(int), chances)
    total = np.array([1.0])
    for _ in range(n):
        total = np.convolve(total, one)
    sums, mean = np.arange(len(total)) / 60, float(values @ chances)
    up = tail(kind, n * (mean + t) - sums + (1e-9 if kind == "none" else 0), rate)
    down = tail(kind, sums - n * (mean - t) + (1e-9 if kind == "none" else 0), rate)
    return float(total @ (up + down))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["laplace", "gaussian", "none"])
def test_no_law_of_values_fails_more_often(kind: str) -> None:
    random = np.random.default_rng(20261124)
    for _ in range(60):
        n, t, rate = int(random.integers(1, 14)), random.uniform(0.1, 0.7), random.uniform(0.1, 4)
        values = random.integers(0, 61, size=3) / 60
        if random.random() < 0.4:
            values[:2] = 0.0, 1.0
        chances = random.dirichlet([0.5, 0.5, 0.5])
        mean = float(values @ chances)
        assert of_law(values, chances, n, kind, rate, t) <= bound(kind, rate, n, mean, t) + 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
@pytest.mark.parametrize(
    ("n", "error", "failure"), [(1, 1.0, 0.3), (30, 0.25, 0.05), (300, 0.07, 0.05)]
)
def test_what_is_found_is_proved_on_both_sides(
    kind: str, n: int, error: float, failure: float
) -> None:
    share, asked = NoisyShare(Bounded(), LAWS[kind]), Asked(error, failure, WHOLE)
    rate = least_rate(share, float(n), asked)
    balls = asked._replace(error=arb(error), failure=arb(failure))
    assert share.certify_at_most(arb(rate * (1 + 1e-5)), arb(n), balls)
    assert not share.certify_at_most(arb(rate * (1 - 1e-3)), arb(n), balls)
    assert share.certify_over(arb(rate / 4), arb(rate * (1 - 2e-3)), n, balls)
    assert not share.certify_over(arb(rate / 4), arb(rate * 1.01), n, balls)


@pytest.mark.slow
def test_fewer_people_than_a_range_of_sizes_allows_are_refuted_at_once() -> None:
    share, failure = noisy("laplace", True, WHOLE), 0.05
    rate = least_rate(share, 540.0, Asked(0.05, failure, WHOLE))
    balls = Asked(arb(0.05), arb(failure), WHOLE)
    assert share.certify_sizes_over(arb(0.95 * rate), 530, 540, balls)
    assert not share.certify_sizes_over(arb(1.01 * rate), 530, 540, balls)


def test_a_mean_costs_hardly_more_than_a_share(mean_study) -> None:
    """Issue figures: 4,132.34 for a share, a lower bound, and 11,814.76 by Hoeffding's bound."""
    ages = planner.Accuracy.of_values(3.0, 0.0, 60.0, 0.05)
    study = planner.Study(
        target=ages,
        mechanism=planner.LaplaceMean(),
        individual=planner.Individual(base_cost=12.5, worst_cost=12_500.0),
        costs=planner.Costs(per_person=5.0),
    )
    plan = planner.solve(study)
    assert plan.study.mechanism.values == "any"
    assert 4132.34 <= plan.cost <= 4215
    assert plan.failure <= 0.05


def test_the_bound_at_the_ends_of_its_ranges() -> None:
    for kind in LAWS:
        for n, mean, error in ((1, 0.0, 1.0), (1, 1.0, 0.5), (3, 0.5, 1.0), (2, 0.0, 0.01)):
            for rate in (1e-6, 1.0, 1e4, 1e12):
                value = bound(kind, rate, n, mean, error)
                assert math.isfinite(value)
                assert value >= 0


@pytest.mark.slow
def test_sums_are_those_of_the_counts_themselves() -> None:
    """At all rates, also where tilted odds leave the range of floats, and at certain means."""
    random = np.random.default_rng(7)
    for _ in range(400):
        n, error = int(random.integers(1, 400)), random.uniform(0.02, 1.0)
        mean = float(random.choice([0.0, 1.0, 0.5, random.uniform(0.01, 0.99)]))
        rate = float(np.exp(random.uniform(-6, 9)))
        one = (np.array([float(x)]) for x in (rate, n))
        reach = float(Bounded().reach_of(LAPLACE, *one, 0.5, np.array([n * error]))[0])
        level, slope = 1 - np.exp(-reach) * (1 + reach) / 2, rate * np.exp(-reach) / 2
        counts = np.arange(n + 1)
        left = n * (mean + error) - counts
        highest = np.maximum(
            level - slope * left, np.where(left > 0, tail("laplace", left, rate), 0)
        )
        expected = float(scipy.stats.binom.pmf(counts, n, mean) @ highest)
        study = (np.array([float(x)]) for x in (rate, n, mean, n * error, reach))
        assert over(LAPLACE, *study)[0] == pytest.approx(expected, rel=1e-8, abs=1e-60)
