"""The chord's bound against the failure probability itself, in floats and in balls."""

import math

import numpy as np
import pytest
from flint import arb
from hypothesis import assume, given, strategies as st

from planner import numbers
from planner.mechanisms.exact.gaussian_chord import most_bent, most_between
from tests.mechanisms.exact.gaussian_failure import failure_at

ball = numbers.balls().number


@pytest.mark.slow
@given(
    n=st.integers(2, 5_000),
    error=st.floats(0.001, 0.6),
    deviations=st.floats(0.01, 6.0),
    start=st.one_of(st.floats(0.0, 1.0), st.floats(0.4, 0.5)),
    width=st.floats(1e-4, 0.3),
    aside=st.floats(0.01, 100.0),
)
def test_no_mean_between_passes_the_bound(n, error, deviations, start, width, aside) -> None:
    rate, end = deviations / (n * error), min(start + width, 1.0)
    assume(start < end and rate < 8)
    values = failure_at(np.array(rate), float(n), error, np.linspace(start, end, 201))
    seen = float(max(values[0], values[-1]))
    goal = min(seen * aside, 1.0)
    most = most_between(seen, start, end, rate, float(n), error, goal)
    assert values.max() <= most * (1 + 1e-9) + 1e-60
    given = [ball(x) for x in (seen, start, end, rate)]
    enclosed = most_between(*given, ball(n), ball(error), goal)
    assert enclosed.contains(most) or abs(float(enclosed.mid()) - most) <= 1e-9 * most


def test_chords_of_weak_noise_are_close() -> None:
    n, rate, width = 4909.0, 0.036, 1e-2
    seen = failure_at(np.array(rate), n, 0.03, np.array(0.5)).item()
    most = most_between(seen, 0.5 - width, 0.5, rate, n, 0.03, seen)
    assert most / seen - 1 < 600 * width**2 / 8


@pytest.mark.slow
@given(
    n=st.floats(1e4, 2e6).map(int),
    deviations=st.floats(0.5, 5.0),
    rate=st.floats(0.01, 3.0),
    start=st.one_of(st.floats(0.0, 1.0), st.floats(0.4, 0.5)),
    width=st.floats(-5.0, -1.0).map(lambda exponent: 10**exponent),
)
def test_chords_span_many_counts_of_large_studies(n, deviations, rate, start, width) -> None:
    error, end = deviations / 2 / n**0.5, min(start + width, 1.0)
    assume(start < end)
    values = failure_at(np.array(rate), float(n), error, np.linspace(start, end, 9))
    seen = float(max(values[0], values[-1]))
    most = most_between(seen, start, end, rate, float(n), error, seen)
    assert values.max() <= most * (1 + 1e-9) + 1e-60


def test_few_counts_are_near_an_edge_of_a_large_study() -> None:
    # relative to a tail of the noise alone they would make a thousand times as much
    n, error, rate, width = 1e6, 0.001, 0.05, 1e-3
    seen = failure_at(np.array(rate), n, error, np.array(0.5)).item()
    assert most_between(seen, 0.5 - width, 0.5, rate, n, error, seen) / seen - 1 < 1e-3


@pytest.mark.slow
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
