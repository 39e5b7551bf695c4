"""Histograms of two groups, against sums over both counts at any proportions."""

import math

import numpy as np
import pytest

from planner.mechanisms.several.histogram_of_groups import CountsOfGroups
from planner.numbers import balls
from tests.mechanisms.several.two_counts import most_of_histogram, off

NUMBER = balls().number
CASES = [
    (4, 0.05, 784, 0.16),
    (8, 0.05, 400, 1.5),
    (20, 0.05, 762, 0.19),
    (3, 0.1, 150, 0.5),
    (5, 0.3, 24, 0.4),
    (3, 0.02, 3000, 0.07),
]
"""Groups, half the error, people and the rate of noise on each count."""


@pytest.mark.parametrize(("groups", "half", "people", "rate"), CASES)
def test_the_line_is_the_least_of_pairs_of_proportions(groups, half, people, rate):
    """A linear program over pairs on a grid finds as much, and no pair is over the line."""
    line, value = CountsOfGroups(groups, half, "laplace").line(rate, people)
    shares = np.unique([*np.linspace(0, 1, 25), 1 / groups, *np.linspace(0.25, 0.5, 60)])
    pairs = [(p, p) for p in shares]
    rng = np.random.default_rng(people)
    pairs += [tuple(pair) for pair in rng.uniform(0, 1, (60, 2))]
    pairs += [tuple(pair) for pair in rng.uniform(0, 2 / groups, (60, 2))]
    found = np.array([off(people // 2, p, q, rate, 2 * half) for p, q in pairs])
    assert np.all(found <= line.a + line.b * np.mean(pairs, axis=1) + 1e-5 * value)
    most = most_of_histogram(groups, people // 2, rate, 2 * half, pairs)
    assert most <= value * (1 + 1e-6)
    assert value <= most * (1.001 if rate < 1 else 1.02)


@pytest.mark.parametrize(("groups", "half", "people", "rate"), CASES)
def test_a_little_more_is_proved_and_less_is_not(groups, half, people, rate):
    counts = CountsOfGroups(groups, half, "laplace")
    value = counts.line(rate, people)[1]
    proved = [
        counts.certify_at_most(NUMBER(rate), NUMBER(people), NUMBER(value * factor))
        for factor in (1 + 1e-3, 1 - 1e-5)
    ]
    assert proved == [True, False]


def test_the_quick_reading_is_near():
    """As of one group of people with the same spread."""
    for groups, half, people, rate in CASES:
        if people > 100 and rate < 1:
            counts = CountsOfGroups(groups, half, "laplace")
            quick = counts.failure(np.array([rate]), np.array([float(people)]))[0]
            assert quick == pytest.approx(counts.line(rate, people)[1], rel=3e-3)


def test_a_line_is_refused_where_it_is_under_at_few_proportions():
    """With more rise and a lower start it is not above rare answers, nor the other way round."""
    counts = CountsOfGroups(4, 0.05, "laplace")
    line, law = counts.line(0.16, 784)[0], counts._law(0.16, 784)
    assert law.seldom(line.a * 1.01, line.b * 1.01)
    assert not law.seldom(line.a * 0.99, line.b * 1.05)
    assert not law.seldom(line.a * 1.01, line.b * 0.98)
    assert math.isclose(line.a, math.exp(-0.16 * 392 * 0.1), rel_tol=1e-6)


@pytest.mark.slow
def test_no_cell_is_below_a_point_in_it():
    """Of any size and place, less a line or not, by the sum over frequencies or a moment."""
    rng = np.random.default_rng(8)
    for groups, half, people, rate in CASES:
        law = CountsOfGroups(groups, half, "laplace")._law(rate, people)
        wide = np.exp(rng.uniform(math.log(1e-4), 0.0, (40, 2)))
        wide[::4, 1] = 0.0
        low = rng.uniform(0, 1, (40, 2)) ** rng.choice([1, 3], (40, 1)) * (1 - wide)
        low[::5] = 0.0
        rise = float(rng.choice([0.0, 0.05]))
        over = law._over(low, low + wide, False, rise)[1]
        for (p, q), sides, most in zip(low, wide, over, strict=True):
            points = [(p, q), (p + sides[0], q + sides[1])]
            points += [(p + a * sides[0], q + b * sides[1]) for a, b in rng.uniform(0, 1, (3, 2))]
            for one, other in points:
                true = off(people // 2, one, other, rate, 2 * half) - rise * (one + other) / 2
                assert true <= most + 1e-9 * abs(true)
