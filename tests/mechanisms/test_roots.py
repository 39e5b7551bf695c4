"""Bracketed roots over arrays."""

import numpy as np
import pytest
from scipy.optimize import brentq

from planner.mechanisms.roots import root


def test_roots_are_those_of_brent_to_the_last_digits() -> None:
    rng = np.random.default_rng(1)
    power, scale = rng.integers(1, 9, 500), 10.0 ** rng.uniform(-9, 9, 500)

    def excess(x):
        return np.log1p((x / scale) ** power) - 0.3

    found = root(excess, np.zeros(500), 1e3 * scale)
    one = [
        brentq(lambda x, p=p, s=s: np.log1p((x / s) ** p) - 0.3, 0, 1e3 * s, xtol=1e-300)
        for p, s in zip(power, scale, strict=True)
    ]
    assert found == pytest.approx(one, rel=1e-14)


def test_an_end_may_be_the_root_and_a_function_may_jump() -> None:
    low, high = np.array([0.0, -1.0, 1.0]), np.array([1.0, 0.0, 4.0])
    jump = np.array([0.0, 0.0, 3.0])
    found = root(lambda x: np.where(jump > 0, np.where(x < jump, -1.0, 2.0), x), low, high)
    assert list(found[:2]) == [0.0, 0.0]
    assert found[2] == pytest.approx(3.0, rel=1e-15)


@pytest.mark.parametrize("shift", [2.0, np.nan])
def test_ends_must_bracket_a_root(shift: float) -> None:
    with pytest.raises(ArithmeticError, match="do not bracket"):
        root(lambda x: x + shift, np.array([-1.0]), np.array([1.0]))
