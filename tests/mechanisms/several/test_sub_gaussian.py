import math

import pytest
from flint import arb

from planner.mechanisms.several import gaussian_floor as sub_gaussian
from planner.numbers import balls

NUMBER = balls().number


@pytest.mark.parametrize(("n", "error", "failure"), [(100, 0.2, 0.05), (4000, 0.03, 0.01)])
def test_the_least_rate_is_the_inverse_of_the_bound(n: int, error: float, failure: float) -> None:
    rate = sub_gaussian.least_rate(n, error, failure)
    assert sub_gaussian.failure_probability(rate, n, error) == pytest.approx(failure, rel=1e-12)
    assert sub_gaussian.least_rate(NUMBER(n), NUMBER(error), NUMBER(failure)).overlaps(
        arb(rate, 1e-12)
    )


def test_no_rate_suffices_only_where_that_is_certain() -> None:
    """At N = 100 and T = .1 the sample alone fails with 2e^(−2)."""
    edge = 2 * math.exp(-2)
    sure, close = (
        sub_gaussian.least_rate(NUMBER(100), NUMBER(0.1), arb(failure, 1e-9))
        for failure in (edge * 0.999, edge)
    )
    infinity = balls().infinity
    assert [sure == infinity, close == infinity] == [True, False]
