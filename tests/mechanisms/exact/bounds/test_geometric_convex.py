"""The failure probability that is proved convex has second differences above 0, in fractions."""

from fractions import Fraction
from itertools import product
from math import comb

import pytest
from flint import arb

from planner.mechanisms.exact.bounds.geometric_convex import certify_convex
from planner.mechanisms.exact.noise_balls import Exponential
from planner.mechanisms.exact.sums.edges import edges_between

STEP = Fraction(1, 10**6)


def held(decay: Fraction, n: int, edges: tuple[int, int], mean: Fraction) -> Fraction:
    """Pr[K + Z ≥ h] + Pr[K + Z ≤ g], with Pr[Z = z] in proportion to decay^|z|."""
    h, g = edges
    total = Fraction(0)
    for k in range(n + 1):
        tail = [decay ** max(d, 1 - d) / (1 + decay) for d in (h - k, k - g)]
        off = [p if d > 0 else 1 - p for p, d in zip(tail, (h - k, k - g), strict=True)]
        total += comb(n, k) * mean**k * (1 - mean) ** (n - k) * sum(off)
    return total


def curvature(decay: Fraction, n: int, edges: tuple[int, int], mean: Fraction) -> Fraction:
    at = [held(decay, n, edges, mean + step) for step in (-STEP, 0, STEP)]
    return at[0] - 2 * at[1] + at[2]


def proved(
    decay: Fraction, n: int, edges: tuple[int, int], cell: tuple[Fraction, Fraction]
) -> bool:
    rate = -(arb(decay.numerator) / decay.denominator).log()
    return certify_convex(Exponential(rate, rate, whole=True), n, edges, cell, 0.05)


def test_between_tips_about_the_middle_it_is_proved_convex() -> None:
    for q, n, t in ((Fraction(4, 5), 40, Fraction(1, 5)), (Fraction(1, 2), 60, Fraction(3, 20))):
        for k in range(n // 4, n // 2):
            cell = Fraction(k, n), Fraction(k + 1, n)
            assert proved(q, n, edges_between(n, t, *cell), cell)


@pytest.mark.parametrize("n", [5, 9, 14])
def test_what_is_proved_convex_does_not_curvature_down(n: int) -> None:
    convex = concave = 0
    for twentieths, high, low, k in product(
        (1, 8, 16), range(1, n + 1, 3), range(0, n, 3), range(3)
    ):
        q, left = Fraction(twentieths, 20), Fraction(1 + k * n // 3, n)
        edges, right = (high, low), left + Fraction(1, 2 * n)
        if low >= high:
            continue
        least = min(curvature(q, n, edges, mean) for mean in (left, (left + right) / 2, right))
        convex += proved(q, n, edges, (left, right))
        concave += least < 0
        assert least > 0 or not proved(q, n, edges, (left, right))
    assert convex > 1
    assert concave > 1
