"""Hsu14's Theorems 6 and 8: where they hold, checked by exact binomials."""

from fractions import Fraction
from math import comb

import pytest
from flint import arb

from planner.comparison import chernoff

QUARTER = Fraction(1, 4)


def deviation(n: int, mean: Fraction, error: Fraction) -> Fraction:
    """Pr[|Y − μ| ≥ T], exactly."""
    return sum(
        (
            comb(n, k) * mean**k * (1 - mean) ** (n - k)
            for k in range(n + 1)
            if abs(Fraction(k, n) - mean) >= error
        ),
        Fraction(0),
    )


def jumps(n: int) -> list[tuple[Fraction, Fraction]]:
    """Every T in [0, 1/4] after which Pr[|Y − 1/4| ≥ T] falls, and its value just after."""
    chance: dict[Fraction, Fraction] = {}
    for k in range(n + 1):
        off = abs(Fraction(k, n) - QUARTER)
        chance[off] = chance.get(off, Fraction(0)) + Fraction(comb(n, k) * 3 ** (n - k), 4**n)
    found, left = [], Fraction(1)
    for off in sorted(chance):
        left -= chance[off]
        if off <= QUARTER:
            found.append((off, left))
    return found


def test_theorem_6_fails_as_printed_and_holds_up_to_the_mean() -> None:
    n, mean, error = 1, Fraction(1, 100), Fraction(1, 2)
    bound = chernoff.upper_bound(Fraction(n), error, mean)
    assert deviation(n, mean, error) > bound
    for n in (1, 5, 40):
        for mean in (Fraction(1, 20), QUARTER, Fraction(1, 2), Fraction(9, 10)):
            for error in (mean / 7, mean / 2, mean):
                bound = chernoff.upper_bound(Fraction(n), error, mean)
                assert deviation(n, mean, error) <= bound


@pytest.mark.parametrize(
    ("n", "error"), [(2, Fraction(3, 10)), (6, Fraction(84, 1000))]  # over μ, and under it
)  # fmt: skip
def test_theorem_8_fails_as_printed(n: int, error: Fraction) -> None:
    bound = chernoff.lower_bound(Fraction(n), error, QUARTER)
    assert deviation(n, QUARTER, error) < bound


@pytest.mark.slow
def test_theorem_8_holds_at_a_quarter_but_for_six_people() -> None:
    for n in range(1, 200):
        for error, chance in jumps(n):
            # just after T the bound is at most its value at T
            left, bound = chance, chernoff.lower_bound(Fraction(n), error, QUARTER)
            if left < bound:
                over_a_mean = n < 7 and error == QUARTER  # then T itself is over μ
                assert over_a_mean or (n == 6 and chance > Fraction(1, 3))
            else:
                assert left > bound


def test_theorem_8_holds_at_a_quarter_for_many_people() -> None:
    """The two inequalities in the docstring of `chernoff`, for z in [0, 1] and at z = 1."""

    def tail(z):
        return (z / arb(2).sqrt()).erfc() / 2

    off = 2 * arb(4748) / 10_000 * arb(14434) / 10_000 / arb(200).sqrt()
    assert (arb(5) / 8) / (arb(3) / 16).sqrt() < arb(14434) / 10_000  # ρ/σ³
    cells = 200
    for cell in range(cells):
        low, high = arb(cell) / cells, arb(cell + 1) / cells
        assert 2 * tail(high) - off > (-3 * low**2 / 2).exp() / 2
    step = 1 / (3 * arb(200) / 16).sqrt()
    assert tail(1 + step) > (arb(-3) / 2).exp() / 2
    assert (1 + step) + 1 / (1 + step) < 3  # and 3z grows faster than the right side


def test_sizes_of_the_worked_example() -> None:
    # Hsu14 §6 prints 115 for the first
    assert chernoff.least_participants(0.05, 0.05) == pytest.approx(115.129, abs=5e-4)
    assert chernoff.sufficient_participants(0.05, 0.05) == pytest.approx(737.78, abs=5e-3)


def test_hoeffding_is_enough() -> None:
    for mean in [Fraction(k, 20) for k in range(1, 20)]:
        error = Fraction(1, 10)
        n = -(-chernoff.sufficient_participants(0.1, 0.1) // 1)
        assert deviation(int(n), mean, error) <= Fraction(1, 10)
