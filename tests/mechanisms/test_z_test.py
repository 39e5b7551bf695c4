"""The z test of two noisy counts, beside sums over both counts and simulated tables."""

import math
from itertools import product

import numpy as np
import pytest
import scipy

from planner.mechanisms.noisy_law import NoisyLaws
from planner.mechanisms.z_test import ZTest, count_at_least, difference_of_noises, threshold


def law(people, share, epsilon):
    """The values of a noisy count and their chances, by convolution."""
    far = int(40 / epsilon) + 1
    noise = np.exp(-epsilon * np.abs(np.arange(-far, far + 1))) * math.tanh(epsilon / 2)
    count = scipy.stats.binom.pmf(np.arange(people + 1), people, share)
    return np.arange(-far, people + far + 1), np.convolve(count, noise)


def statistics(test, first, second):
    """z of all pairs of noisy counts, as the module's text says."""
    n1, n2, m, kept = test.first, test.second, test.margin, math.exp(-test.epsilon)
    pooled = (first + second) / (n1 + n2)
    p, q = pooled - m * n2 / (n1 + n2), pooled + m * n1 / (n1 + n2)
    noise = 2 * kept / (1 - kept) ** 2 * (1 / n1**2 + 1 / n2**2)
    variance = p * (1 - p) / n1 + q * (1 - q) / n2 + noise
    deviation = np.sqrt(np.maximum(variance, test.least_deviation**2))
    return (first / n1 - second / n2 + m) / deviation


def rejects(test, first, second, critical):
    """How often the test rejects, summed over both counts."""
    (x, chances), (y, others) = (
        law(size, share, test.epsilon)
        for size, share in ((test.first, first), (test.second, second))
    )
    critical -= 1e-10  # of values that are equal but for rounding
    found = statistics(test, x[:, None], y) >= critical
    if test.equivalence:
        found &= statistics(test, test.first - x[:, None], test.second - y) >= critical
    return float(chances @ found @ others)


TESTS = [
    (ZTest(30, 30, 1.0, 0.05), 0.5, 0.3),
    (ZTest(30, 50, 1.0, 0.05), 0.02, 0.01),
    (ZTest(25, 61, 0.3, 0.01, 2), 0.4, 0.1),
    (ZTest(40, 20, 3.0, 0.05, margin=0.1), 0.3, 0.3),
    (ZTest(20, 40, 20.0, 0.05, margin=0.1), 0.01, 0.01),
    (ZTest(40, 40, 2.0, 0.05, margin=0.3, equivalence=True), 0.3, 0.35),
    (ZTest(33, 47, 0.9, 0.05, margin=-0.2), 0.7, 0.3),
]


def test_it_rejects_as_often_as_sums_over_both_counts():
    for (test, first, second), critical in product(TESTS, [0.7, 1.7, 2.6]):
        found = test.finds(first, second, critical)
        assert found == pytest.approx(rejects(test, first, second, critical), abs=1e-11)


@pytest.mark.slow
def test_the_critical_value_is_the_least_that_keeps_the_significance():
    """At proportions between those looked at it is kept but for a part that ripples explain."""
    for test, *_ in TESTS:
        critical = test.critical()
        shares = np.linspace(max(0.005, 0.005 - test.margin), min(0.995, 0.995 - test.margin), 40)
        shares = np.concatenate([shares, 1 - shares - test.margin])
        shares = shares[(shares >= 0) & (shares + test.margin <= 1)]
        one = ZTest(
            test.first, test.second, test.epsilon, test.significance, test.sides, test.margin
        )
        sizes = [rejects(one, p, p + test.margin, critical) for p in shares]
        # both groups of each size, as of two sides, where the sizes differ
        assert max(sizes) <= test.alone * 1.02
        less = test.sizes(test._nulls(), critical - 2e-3)
        assert less.max() > test.alone * 0.97


def test_of_other_proportions_under_the_null_hypothesis_it_rejects_less_often():
    test = ZTest(40, 60, 1.2, 0.05, margin=0.1)
    critical = test.critical()
    for second in (0.2, 0.5, 0.9):
        edge = rejects(test, second - 0.1, second, critical)
        assert all(rejects(test, p, second, critical) <= edge for p in (0.0, second / 2 - 0.05))


@pytest.mark.parametrize(
    ("test", "critical"),
    # reference: two counts simulated 2,000,000 times by another generator's seed
    [(ZTest(3900, 3900, 1.0, 0.05, 2), 1.9694), (ZTest(392, 392, 0.5, 0.05, 2), 1.9958)],
)
def test_the_size_of_large_tests_is_that_of_simulated_tables(test, critical):
    rng, runs = np.random.default_rng(7), 400_000
    for share in (0.02, 0.5):
        ends = -math.expm1(-test.epsilon)
        counts = [
            rng.binomial(size, share, runs) + rng.geometric(ends, runs) - rng.geometric(ends, runs)
            for size in (test.first, test.second)
        ]
        found = np.mean(statistics(test, *counts) >= critical)
        exact = float(test.sizes(np.array([share]), critical)[0])
        assert abs(found - exact) < 4 * math.sqrt(exact / runs)


@pytest.mark.parametrize(
    ("people", "share", "epsilon"),
    [(50, 0.0, 0.7), (4000, 0.02, 0.2), (70, 1.0, 3.0), (300, 0.5, 60.0)],
)
def test_the_law_of_a_noisy_count(people, share, epsilon):
    values, chances = law(people, share, epsilon)
    laws = NoisyLaws.of(people, (share, 0.3), epsilon)
    over = chances[::-1].cumsum()[::-1]
    assert laws.at_least(np.stack([values, values]))[0] == pytest.approx(over, abs=1e-12)
    of_blocks, masses = laws.blocks
    assert masses.sum(axis=1) == pytest.approx(1.0)
    assert (of_blocks * masses).sum(axis=1) == pytest.approx(people * np.array([share, 0.3]))


def test_the_law_of_very_many_people_is_near_that_of_all_values():
    """Values in steps are right to a ten-thousandth; a normal count with noise beside them."""
    people, share, epsilon = 4 * 10**8, 0.5, 3e-4
    laws = NoisyLaws.of(people, (share,), epsilon)
    spread = math.sqrt(people / 4)
    for far in (0.5, 2.0, 4.0):
        at = people / 2 + far * spread + 0.5  # counts are whole
        normal = scipy.integrate.quad(
            lambda z, far=far: scipy.stats.laplace.pdf(z, scale=1 / epsilon / spread)
            * scipy.stats.norm.sf(far - z), -12, 12, limit=200, points=[0.0],
        )[0]  # fmt: skip
        assert float(laws.at_least(np.array([[at]]))[0, 0]) == pytest.approx(normal, rel=1e-4)


@pytest.mark.parametrize(("null", "epsilon", "significance"), [(0.3, 0.5, 0.05), (0.0, 1.0, 1e-6)])
def test_the_threshold_of_one_count_is_the_least(null, epsilon, significance):
    at = threshold(120, null, epsilon, significance)
    values, chances = law(120, null, epsilon)
    assert chances[values >= at].sum() <= significance < chances[values >= at - 1].sum()
    assert count_at_least(120, null, epsilon, at) == pytest.approx(chances[values >= at].sum())


@pytest.mark.parametrize("tail", [0.4, 0.05, 1e-4])
def test_the_difference_of_noises(tail):
    x = difference_of_noises(tail)
    assert math.exp(-x) * (1 + x / 2) / 2 == pytest.approx(tail)
