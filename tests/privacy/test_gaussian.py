"""The analytic Gaussian condition: printed values, mpmath, inverses, a certain end."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, strategies as st

from planner.numbers import decimal
from planner.privacy import gaussian as gaussian


def delta(epsilon: float, scale: float | str) -> mpmath.mpf:
    with mpmath.workdps(60):
        e, s = mpmath.mpf(repr(epsilon)), mpmath.mpf(scale)

        def tail(x: mpmath.mpf) -> mpmath.mpf:
            return mpmath.erfc(x / mpmath.sqrt(2)) / 2

        return tail(e * s - 1 / (2 * s)) - mpmath.exp(e) * tail(e * s + 1 / (2 * s))


def test_printed_values() -> None:
    assert gaussian.scale(1.0, 1e-5) == pytest.approx(3.73063163481594, rel=1e-14)
    # some libraries print 4.22467894
    assert gaussian.scale(1.0, 1e-6) == pytest.approx(4.2246788893, rel=1e-11)


@given(log_epsilon=st.floats(-8, 1.7), log_delta=st.floats(-30, -0.001))
def test_the_condition_holds_with_equality(log_epsilon: float, log_delta: float) -> None:
    epsilon, wanted = 10**log_epsilon, 10**log_delta
    scale = gaussian.scale(epsilon, wanted)
    # at a scale less or more by 1e-13 the condition is broken or slack
    assert delta(epsilon, scale * (1 + 1e-13)) < wanted < delta(epsilon, scale * (1 - 1e-13))
    assert gaussian.log_delta(epsilon, scale) == pytest.approx(math.log(wanted), abs=1e-10)


@given(log_epsilon=st.floats(-4, 1.7), log_delta=st.floats(-30, -2))
def test_the_inverse_in_epsilon(log_epsilon: float, log_delta: float) -> None:
    epsilon, wanted = 10**log_epsilon, 10**log_delta
    scale = gaussian.scale(epsilon, wanted)
    assert gaussian.epsilon_at(scale, wanted) == pytest.approx(epsilon, rel=1e-7)


def test_delta_alone_can_be_enough() -> None:
    assert gaussian.epsilon_at(1e6, 1e-3) == gaussian.LEAST_EPSILON
    assert delta(gaussian.LEAST_EPSILON, 1e6) < 1e-3


def test_without_delta_there_is_no_scale() -> None:
    assert gaussian.scale(1.0, 0.0) == math.inf
    assert gaussian.epsilon_at(1.0, 0.0) == math.inf
    assert gaussian.epsilon_at(0.0, 0.5) == math.inf
    assert gaussian.certain_scale(Fraction(1), Fraction(0)) == math.inf


def test_arrays_broadcast() -> None:
    epsilons, deltas = np.array([[0.1], [1.0]]), np.array([1e-6, 1e-5, 0.0])
    found = gaussian.scale(epsilons, deltas)
    assert found.shape == (2, 3)
    assert found[1, 1] == gaussian.scale(1.0, 1e-5)
    assert gaussian.epsilon_at(found, deltas)[0, 0] == pytest.approx(0.1)


@pytest.mark.parametrize(("epsilon", "wanted"), [(1.0, 1e-6), (0.01, 1e-9), (8.0, 0.1)])
def test_a_certain_scale_is_enough_and_hardly_more(epsilon: float, wanted: float) -> None:
    scale = gaussian.certain_scale(decimal(epsilon), decimal(wanted))
    with mpmath.workdps(60):
        most = mpmath.mpf(scale.numerator) / scale.denominator
        allowed = mpmath.mpf(repr(wanted))
        assert delta(epsilon, str(most)) <= allowed
        assert delta(epsilon, str(most * (1 - mpmath.mpf(10) ** -18))) > allowed


def test_a_certain_scale_is_there_for_more_epsilon_than_the_checker_reads() -> None:
    scale = gaussian.certain_scale(Fraction(20_000), decimal(1e-6))
    with mpmath.workdps(60):
        most = mpmath.mpf(scale.numerator) / scale.denominator
        assert delta(20_000.0, str(most)) <= mpmath.mpf("1e-6")
    assert float(scale) == pytest.approx(gaussian.scale(20_000.0, 1e-6), rel=1e-11)
