"""The smallest study without privacy, against binomial sums in fractions."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from scipy.stats import hypergeom

import planner
from planner.comparison import fewest as module
from planner.comparison.fewest import fewest
from planner.comparison.sizes import without_privacy
from planner.mechanisms.counts import Share
from planner.mechanisms.noise import NO_NOISE

ALL = (0.0, 1.0)


def worst(n: int, error: float, mean_range: tuple[float, float]) -> float:
    share = Share(NO_NOISE, None, mean_range)
    return float(module._worst(share, np.array([float(n)]), error)[0])


def off(n: int, mean: Fraction, error: Fraction) -> Fraction:
    return sum(
        (
            comb(n, k) * mean**k * (1 - mean) ** (n - k)
            for k in range(n + 1)
            if abs(k - n * mean) >= n * error
        ),
        Fraction(0),
    )


@pytest.mark.slow
@pytest.mark.parametrize(("n", "error"), [(1, "0.4"), (7, "0.3"), (12, "0.25"), (25, "0.15")])
def test_the_worst_mean_in_fractions(n: int, error: str) -> None:
    t = Fraction(error)
    found = worst(n, float(error), ALL)
    tipping = [(h - n * t) / n for h in range(n + 1)] + [(g + n * t) / n for g in range(n + 1)]
    exact = max(off(n, mean, t) for mean in tipping if 0 <= mean <= 1)
    assert found == pytest.approx(float(exact), rel=1e-12)
    # and no mean between passes it
    assert all(off(n, Fraction(k, 997), t) <= exact for k in range(998))


def both(*asked) -> tuple[int, int]:
    found = fewest(*asked)
    return found.participants, found.always_from


def test_the_worked_example() -> None:
    # Hsu14 eq. 10 bounds it by 116; without noise 387 to 390 all fail
    assert both(0.05, 0.05, ALL) == (391, 401)
    assert all(worst(n, 0.05, ALL) > 0.05 for n in range(380, 391))
    assert worst(400, 0.05, ALL) > 0.05
    assert all(worst(n, 0.05, ALL) <= 0.05 for n in (391, 401, 402, 450, 600))


def test_a_tie_counts_as_off() -> None:
    # at T = 1/2 one person at mean 1/2 is off by exactly T, always
    assert worst(1, 0.5, ALL) == pytest.approx(1.0)


def test_a_rare_property_needs_fewer() -> None:
    few = fewest(0.05, 0.05, (0.0, 0.1))
    assert few.participants < 391
    assert worst(few.participants, 0.05, (0.0, 0.1)) <= 0.05


def test_few_people_who_reach_the_failure_probability_exactly_are_enough() -> None:
    # 2 people are off where both have a property of 10^-6 of all: with probability 10^-12
    assert both(0.999999, 1e-12, (0.0, 1.0)) == (2, 2)
    assert both(0.999999, 0.999e-12, (0.0, 1.0)) == (3, 3)
    assert both(1.0, 0.5, (0.25, 0.5)) == (1, 1)  # nobody is off by 1 there
    assert both(0.75, 0.25, (0.25, 0.5)) == (1, 1)  # who has it, at mean 1/4


@pytest.mark.slow
def test_drawn_from_a_population_fewer_are_enough() -> None:
    """By all proportions of a population of 60."""

    def accurate(n: int) -> bool:
        counts = np.arange(n + 1)
        return all(
            hypergeom.pmf(counts[abs(counts - n * k / 60) >= n * 0.1 - 1e-9], 60, k, n).sum() <= 0.1
            for k in range(61)
        )

    sizes = [n for n in range(1, 61) if accurate(n)]
    found = fewest(0.1, 0.1, ALL, 60)
    assert found.participants == sizes[0] < fewest(0.1, 0.1, ALL).participants
    assert set(range(found.always_from, 61)) <= set(sizes)
    assert found.always_from - 1 not in sizes


@pytest.mark.slow
def test_the_size_for_any_values_at_the_ends_of_a_range() -> None:
    """Without a warning, and no more than by Hoeffding's bound."""
    for mean_range, (given, deviation) in product(
        [(0.9, 1.0), (0.0, 0.0), (0.5, 0.5), (0.1, 0.3)],
        [({"population": 19}, None), ({"clusters_of": 3}, None), ({}, 0.4)],
    ):
        target = planner.Accuracy.of_values(0.2, 0.0, 1.0, 1e-4, deviation_at_most=deviation)
        mechanism, sampling = planner.LaplaceMean(mean_range=mean_range), planner.Sampling(**given)
        study = planner.Study(mechanism, target, planner.Individual(1.0), sampling=sampling)
        sizes, _ = without_privacy(study, None)
        by_hoeffding = 124 * sampling.clusters_of
        assert 1 <= sizes.least <= sizes.most <= min(by_hoeffding, sampling.population or 10**9)
