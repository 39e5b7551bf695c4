"""The bound on how f bends against the failure probability itself, in floats and in balls."""

import math

import numpy as np
from flint import arb
from hypothesis import assume, given, strategies as st

from planner.mechanisms.exact.bounds.edge_curvature import most_bent
from planner.mechanisms.exact.sums.gaussian_sums import failure_at


@given(
    n=st.integers(1, 5_000),
    error=st.floats(0.001, 0.6),
    deviations=st.floats(0.01, 30.0),
    start=st.one_of(st.floats(0.0, 1.0), st.floats(0.4, 0.5)),
    width=st.floats(1e-5, 0.3),
)
def test_no_mean_between_is_further_over_the_chord(n, error, deviations, start, width) -> None:
    rate, end = deviations / (n * error), min(start + width, 1.0)
    assume(start < end and rate < 8)
    means = np.linspace(start, end, 201)
    values = failure_at(np.array(rate), float(n), error, means)
    chord = np.interp(means, [start, end], values[[0, -1]])
    over = most_bent(start, end, rate, float(n), error) * (end - start) ** 2 / 8
    assert np.max(values - chord) <= over * (1 + 1e-9) + 1e-9 * values.max() + 1e-60
    enclosed = most_bent(arb(start), arb(end), arb(rate), arb(n), arb(error))
    given = most_bent(start, end, rate, float(n), error)
    assert math.isclose(float(enclosed.mid()), given, rel_tol=1e-9) or math.isinf(given)


def test_near_the_middle_it_is_not_much_larger_than_what_it_bounds() -> None:
    n, error = 6000.0, 0.015
    for rate, most in ((0.02, 60), (0.05, 80), (0.23, 350)):
        value = failure_at(np.array(rate), n, error, np.array(0.5)).item()
        assert most_bent(0.5, 0.5, rate, n, error) / value < most
