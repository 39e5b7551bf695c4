"""The oracle where what is true is known in closed form."""

import math

import pytest

from tests.thorough import oracle_exact, oracle_floor


def test_the_rate_where_a_vanishing_count_is_off() -> None:
    """At T = 1 and N = 2 both are off with about μ²e^(−2rμ)/2, the most at μ = 1/r: 1/(2e²r²)."""
    rate = math.exp(-1) / math.sqrt(2e-9)
    worst = oracle_exact.worst("laplace", rate, 2, 1.0, (0.0, 1.0))
    assert worst.value == pytest.approx(1e-9, rel=1e-3)
    least = oracle_floor.least_rate("laplace", 2, 1.0, 1e-9, (0.0, 1.0))
    assert least == pytest.approx(rate, rel=1e-3)
