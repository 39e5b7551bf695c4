"""What a published test decides: p-values and intervals beside sums over both counts."""

import dataclasses
import math

import numpy as np
import pytest

import planner
from planner.mechanisms.noisy_counts import critical_of
from planner.publication.decision import count_of, decide_groups, decide_one
from tests.mechanisms.test_z_test import law, rejects

CHANGED = planner.Difference(baseline=0.3, change=0.2, sides=2)
SIZES, EPSILON = (60, 55), 0.8


@pytest.mark.parametrize(("sides", "count"), [(1, 40), (2, 40), (2, 22), (1, 25)])
def test_one_proportion(sides, count):
    floor = planner.Power(null=0.3, alternative=0.5, sides=sides).floor
    found = decide_one(floor, 0.9, 100, count)
    values, chances = law(100, 0.3, 0.9)
    least = chances[values >= count].sum(), chances[values <= count].sum()
    expected = least[0] if sides == 1 else min(1.0, 2 * min(least))
    assert found.p_value == pytest.approx(expected, abs=1e-12)
    assert found.rejected == (expected <= 0.05)
    edges = floor.edges(0.9, 100)
    over, under = count >= edges["more"], sides == 2 and count <= edges["less"]
    assert found.rejected == (over or under)
    low, high = found.interval
    if sides == 1:
        assert high == 1
    for end, past in ((low, -1e-4), (high, 1e-4)):
        if 0 < end < 1:  # a little farther the end is rejected
            values, chances = law(100, end + past, 0.9)
            tail = values >= count if past < 0 else values <= count
            assert chances[tail].sum() < 0.05 / sides < chances[tail].sum() + 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("counts", [(18, 35), (35, 15), (20, 24)])
def test_two_groups_on_either_side(counts):
    floor = CHANGED.floor
    found = decide_groups(floor, EPSILON, SIZES, counts)
    test = floor.test_of(EPSILON, *SIZES)
    over, under = counts[::-1]
    z = float(test.statistic(np.array(over), np.array(under)))
    assert found.z == pytest.approx(z)
    assert found.rejected == (abs(z) >= critical_of(test))
    shares = np.linspace(0.005, 0.995, 60)
    sizes = [rejects(dataclasses.replace(test), p, p, abs(z)) for p in shares]
    assert found.p_value == pytest.approx(min(1.0, 2 * max(sizes)), rel=0.02)
    low, high = found.interval
    change = counts[1] / SIZES[1] - counts[0] / SIZES[0]
    assert low < change < high
    assert found.rejected == (not low <= 0 <= high)


@pytest.mark.parametrize("change", [0.3, -0.3])
def test_z_has_the_sign_of_the_difference_whatever_is_to_be_found(change):
    floor = dataclasses.replace(CHANGED, baseline=0.5, change=change, sides=1).floor
    for counts in ((18, 35), (35, 15)):
        found, between = (
            decide_groups(floor, EPSILON, SIZES, counts),
            counts[1] / 55 - counts[0] / 60,
        )
        assert (found.z > 0) == (between > 0)
        low, high = found.interval
        far = low == -1 if change < 0 else high == 1  # on one side alone
        assert far
        assert -1 <= low < between < high <= 1
        assert 0.1 < (between - low if change > 0 else high - between) < 0.6
        says = "rejects" if found.rejected else "does not reject"
        assert found.words.startswith(f"{says} that the proportions are equal (z ")
        assert found.words.endswith("are not rejected on one side")


@pytest.mark.slow
def test_a_margin_and_equivalence():
    """Groups that are alike are not worse by the margin, and are equivalent; others are not."""
    worse = planner.Difference(baseline=0.3, change=0.0, margin=0.25).floor
    alike = dataclasses.replace(worse, equivalence=True)
    sizes, counts = (300, 320), (90, 96)
    for floor in (worse, alike):
        found = decide_groups(floor, 0.5, sizes, counts)
        assert found.rejected
        assert found.interval[0] > -0.25
    assert found.interval[1] < 0.25
    assert found.null == 0.25
    assert "differ by 25 percentage points or more" in found.words
    other = decide_groups(alike, 0.5, sizes, (90, 200))
    assert not other.rejected
    assert other.interval[1] > 0.25
    assert decide_groups(worse, 0.5, sizes, (90, 200)).rejected
    assert not decide_groups(worse, 0.5, sizes, (200, 96)).rejected


def test_p_values_are_seldom_small_where_groups_are_alike():
    """Of 300 tables at most as many have a small p-value as it says."""
    floor, rng = CHANGED.floor, np.random.default_rng(5)
    ends = -math.expm1(-EPSILON)
    small = 0
    for _ in range(300):
        counts = [
            int(rng.binomial(n, 0.1) + rng.geometric(ends) - rng.geometric(ends)) for n in SIZES
        ]
        test = floor.test_of(EPSILON, *SIZES)
        z = abs(float(test.statistic(np.array(counts[1]), np.array(counts[0]))))
        small += 2 * test.p_value(z) <= 0.2
    assert small <= 0.2 * 300 + 3 * math.sqrt(300 * 0.2 * 0.8)


@pytest.mark.slow
def test_true_differences_are_seldom_outside_the_interval():
    rng, missed = np.random.default_rng(6), 0
    ends = -math.expm1(-EPSILON)
    for _ in range(100):
        counts = tuple(
            int(rng.binomial(n, p) + rng.geometric(ends) - rng.geometric(ends))
            for n, p in zip(SIZES, (0.3, 0.55), strict=True)
        )
        low, high = decide_groups(CHANGED.floor, EPSILON, SIZES, counts).interval
        missed += not low <= 0.25 <= high
    assert missed <= 0.05 * 100 + 3 * math.sqrt(100 * 0.05)


def test_a_count_is_read_back_from_its_proportion():
    assert [count_of(k / 397, 397) for k in (-3, 0, 133, 401)] == [-3, 0, 133, 401]
