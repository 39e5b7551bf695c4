import math

import numpy as np
import pytest
import sympy
from hypothesis import given, strategies as st

from planner import Mwem, MwemApproximate
from planner.explanation.mechanisms import formulas

MWEM = Mwem(256, 10_000)
APPROXIMATE = MwemApproximate(2**15, 200_000)
PRINTED = MwemApproximate(2**15, 200_000, constant="printed")

N, T, EPSILON, DELTA, BETA = sympy.symbols("N T epsilon delta beta", positive=True)
SIZE, QUERIES = sympy.symbols("|X| |C|", positive=True)
UNION = sympy.log(32 * QUERIES * sympy.log(SIZE) / (BETA * T**2))


def solved_for_beta(accuracy: sympy.Expr, power: int) -> sympy.Expr:
    """The failure probability at which the accuracy formula gives T, by squaring or cubing it."""
    inside = sympy.Symbol("u", positive=True)
    target = sympy.solve(sympy.Eq(T**power, (accuracy**power).subs(UNION, inside)), inside)
    return 32 * QUERIES * sympy.log(SIZE) / T**2 * sympy.exp(-target[0])


def same(left: sympy.Expr, right: sympy.Expr) -> bool:
    values = {N: 1234, T: 0.2, EPSILON: 1.5, DELTA: 1e-6, SIZE: 300, QUERIES: 40}
    return abs(sympy.N((sympy.log(left) - sympy.log(right)).subs(values), 40)) < 1e-30


def test_mwem_is_the_accuracy_of_section_5_3_solved_for_beta() -> None:
    accuracy = sympy.cbrt(128 * sympy.log(SIZE) * UNION / (EPSILON * N))
    assert same(solved_for_beta(accuracy, 3), formulas(Mwem)[""])


def test_squaring_the_accuracy_of_section_8_2_gives_64_where_8_is_printed() -> None:
    root = (sympy.log(SIZE) * sympy.log(1 / DELTA)) ** sympy.Rational(1, 4)
    accuracy = 8 * root * sympy.sqrt(UNION) / sympy.sqrt(N * EPSILON)
    derived = solved_for_beta(accuracy, 2)
    assert same(derived, formulas(MwemApproximate)["derived"])
    assert not same(derived, formulas(MwemApproximate)["printed"])


def test_hsu14s_movie_point_meets_its_accuracy() -> None:
    # §5.3: N = 8.7·10⁵, ε = 2.3 (both rounded)
    assert MWEM.epsilon_floor(8.7e5, 0.2, 0.05) == pytest.approx(2.1, abs=0.01)
    assert MWEM.failure_probability(2.3, 8.7e5, 0.2) <= 0.05


def test_the_printed_point_of_section_8_2_needs_the_printed_constant() -> None:
    assert PRINTED.failure_probability(0.9, 9.1e5, 0.05, 1e-8) > 0.05  # fails even so, slightly
    assert PRINTED.epsilon_floor(9.1e5, 0.05, 0.05, 1e-8) == pytest.approx(1.314, abs=0.001)
    assert APPROXIMATE.epsilon_floor(9.1e5, 0.05, 0.05, 1e-8) == pytest.approx(10.51, abs=0.01)


def test_the_n_epsilon_of_section_8_2() -> None:
    # the figure: N·ε ≥ 2,228,798·√ln(1/δ)
    least = APPROXIMATE.n_epsilon_floor(0.05, 0.05, 0.44) / math.sqrt(math.log(1 / 0.44))
    assert least == pytest.approx(2_228_798, abs=1)


@given(
    st.integers(1, 10**9),
    st.floats(0.01, 1),
    st.floats(1e-9, 0.99),
    st.floats(1e-12, 0.9),
)
def test_floors_are_inverses(n: int, error: float, failure: float, delta: float) -> None:
    for mechanism in (MWEM, APPROXIMATE, PRINTED):
        floor = mechanism.epsilon_floor(n, error, failure, delta)
        reached = mechanism.failure_probability(floor, n, error, delta)
        assert reached == pytest.approx(failure, rel=1e-9)
        assert mechanism.failure_probability(floor * 1.001, n, error, delta) < failure


def test_no_delta_no_accuracy() -> None:
    assert APPROXIMATE.epsilon_floor(10**6, 0.1, 0.05) == math.inf
    assert APPROXIMATE.failure_probability(1.0, 10**6, 0.1) > 1


def test_more_delta_needs_less_epsilon() -> None:
    floors = APPROXIMATE.epsilon_floor(10**6, 0.1, 0.05, np.array([0.0, 1e-9, 1e-6, 1e-3]))
    assert np.all(np.diff(floors) < 0)


@pytest.mark.parametrize("size", [1, 2.5, -3, True, "256", 2**60])
def test_sizes_out_of_range_are_refused(size: object) -> None:
    with pytest.raises(ValueError, match="whole number of possible records"):
        Mwem(universe_size=size, queries=10)
