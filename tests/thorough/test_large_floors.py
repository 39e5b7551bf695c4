"""Worst means, floors and their proofs at hundreds and thousands of people."""

import pytest
from hypothesis import given, settings, strategies as st

from planner import numbers
from planner.mechanisms.exact.failure import SHARES, Asked
from planner.mechanisms.exact.least_rate import least_rate
from tests.mechanisms.exact import test_gaussian_noise as gaussian, test_laplace_noise as laplace
from tests.thorough import test_geometric_mean as geometric

LAPLACE = SHARES["laplace"]

ALL = (0.0, 1.0)
ball = numbers.balls().number


@settings(max_examples=40)
@given(
    n=st.integers(1, 2000),
    rate=st.floats(-2.5, 0.3).map(lambda x: 10**x),
    error=st.floats(0.02, 0.4),
    mean_range=st.sampled_from([ALL, (0.0, 0.1), (0.2, 0.7)]),
)
def test_no_mean_passes_the_bracket_of_gaussian_noise(**case: object) -> None:
    gaussian.test_no_mean_passes_the_bracket.hypothesis.inner_test(**case)


@settings(max_examples=60)
@given(
    n=st.integers(1, 600),
    epsilon=st.floats(1e-2, 6.0),
    error=st.integers(1, 60).map(lambda k: k / 100),
)
def test_no_mean_passes_the_bracket_of_geometric_noise(**case: object) -> None:
    geometric.test_no_mean_passes_the_bracket.hypothesis.inner_test(**case)


@pytest.mark.parametrize("n", [391, 541, 1000, 20_001])
def test_geometric_floors_are_proved_and_less_is_not(n: int) -> None:
    geometric.floor_is_proved_and_less_is_not(n, 0.05)


@pytest.mark.parametrize("n", [405, 1000, 20_001])
def test_gaussian_floors_are_proved_and_less_is_not(n: int) -> None:
    gaussian.floor_is_proved_and_less_is_not(n, 0.05)


def test_laplace_floors_are_proved_and_less_is_not() -> None:
    laplace.test_floors_are_proved_and_less_is_not(387, 0.05)
    target = Asked(ball(0.05), ball(0.05), ALL)
    floor = least_rate(LAPLACE, 534, Asked(0.05, 0.05, ALL))
    assert LAPLACE.certify_over(ball(0.11), ball(floor * 0.999), 534, target)
    assert not LAPLACE.certify_over(ball(0.11), ball(floor * 1.001), 534, target)
    assert LAPLACE.certify_over(ball(0.1), numbers.balls().infinity, 386, target)
    assert not LAPLACE.certify_over(ball(0.1), numbers.balls().infinity, 387, target)
