import math
from fractions import Fraction
from itertools import islice

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given, strategies as st

from planner import numbers

finite = st.floats(min_value=-1e6, max_value=1e6, allow_nan=False)


@given(st.floats(min_value=1e-6, max_value=30))
def test_one_formula_gives_the_same_in_four_systems(x: float) -> None:
    def formula(value: numbers.Number) -> numbers.Number:
        system = numbers.of(value)
        return (
            system.log1p(system.expm1(value)) + system.sqrt(value) - system.log(system.exp(value))
        )

    expected = math.sqrt(x)
    assert formula(x) == pytest.approx(expected, rel=1e-12)
    assert formula(np.array([x, x])) == pytest.approx([expected, expected], rel=1e-12)
    exactly = formula(numbers.decimal(x))
    assert abs(exactly**2 - numbers.decimal(x)) < Fraction(1, 10**80)
    symbol = sympy.Symbol("x", positive=True)
    assert sympy.simplify(formula(symbol) - sympy.sqrt(symbol)) == 0


@pytest.mark.parametrize("number", [0.0, -1.0, np.array([0.0, -1.0]), Fraction(0)])
def test_log_is_minus_infinity_where_its_argument_is_not_positive(number: numbers.Number) -> None:
    found = numbers.of(number).log(number)
    assert np.all(np.asarray(found, dtype=float) == -math.inf)


def test_exponentials_overflow_to_infinity() -> None:
    assert numbers.FLOATS.exp(1e6) == math.inf
    assert numbers.FLOATS.expm1(1e6) == math.inf
    assert numbers.FRACTIONS.exp(Fraction(10**9)) == math.inf
    assert numbers.FRACTIONS.exp(Fraction(-(10**9))) == 0
    assert numbers.arrays().exp(np.array([1e6]))[0] == math.inf


def test_an_input_means_its_shortest_decimal() -> None:
    assert numbers.decimal(0.05) == Fraction(1, 20)


@given(finite, st.integers(1, 12))
def test_rounding_keeps_its_direction_and_its_digits(x: float, digits: int) -> None:
    up, down = numbers.round_up(x, digits), numbers.round_down(x, digits)
    assert down <= x <= up
    assert up - down <= 10 ** (1 - digits) * max(abs(up), abs(down)) * (1 + 1e-9)


def test_rounding_leaves_short_numbers_alone() -> None:
    assert numbers.round_up(0.1, 3) == 0.1
    assert numbers.round_down(250.35, 6) == 250.35


def test_fractions_have_a_hundred_digits_of_what_is_no_fraction() -> None:
    third = Fraction(1, 3)
    system = numbers.of(third)
    with mpmath.workdps(110):
        for found, wanted in (
            (system.exp(third), mpmath.exp(mpmath.mpf(1) / 3)),
            (system.log(third), mpmath.log(mpmath.mpf(1) / 3)),
            (system.sqrt(third), mpmath.sqrt(mpmath.mpf(1) / 3)),
        ):
            apart = mpmath.mpf(found.numerator) / found.denominator - wanted
            assert abs(apart) < mpmath.mpf(10) ** -99


@pytest.mark.parametrize(
    ("least", "low", "high", "digits", "found"),
    [
        (0.0312, 0.001, 1.0, 3, [0.0312, 0.0313]),
        (0.03121, 0.001, 1.0, 3, [0.0313, 0.0314]),
        (0.0999999, 0.05, 1.0, 3, [0.1, 0.101]),
        (0.2, 0.2345, 1.0, 3, [0.235, 0.236]),
        (3e-77, 1e-100, 1.0, 2, [3e-77, 3.1e-77]),
        (0.9991, 0.5, 1.0, 3, [1.0]),
        (7.0, 0.01, 7.5, 1, [7.0]),
        (2.0, 0.01, 1.0, 3, []),
    ],
)
def test_the_least_decimals_at_which_something_holds(least, low, high, digits, found) -> None:
    some = numbers.least_decimals(lambda x: x >= least, low, high, digits)
    assert list(islice(some, 2)) == found
