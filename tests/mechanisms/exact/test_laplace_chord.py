"""The chord's bound against the failure probability itself, in floats and in balls."""

import math

import numpy as np
from hypothesis import assume, given, strategies as st

from planner import numbers
from planner.mechanisms.exact.laplace_chord import most_between
from tests.mechanisms.exact.shares import failure_at

ball = numbers.balls().number


@given(
    n=st.integers(5, 20_000),
    excess=st.floats(3.1, 60.0),
    noise=st.floats(0.5, 40.0),
    start=st.one_of(st.floats(0.0, 1.0), st.floats(0.4, 0.5)),
    width=st.floats(1e-4, 0.3),
)
def test_no_mean_between_passes_the_bound(n, excess, noise, start, width) -> None:
    error, epsilon, end = min(excess / n, 0.6), noise / excess, min(start + width, 1.0)
    assume(start < end and epsilon < 8)
    values = failure_at("laplace", epsilon, float(n), error, np.linspace(start, end, 301))
    seen = float(max(values[0], values[-1]))
    most = most_between(seen, start, end, epsilon, float(n), error)
    assert values.max() <= most * (1 + 1e-9)
    given = [ball(x) for x in (seen, start, end, epsilon)]
    enclosed = most_between(*given, ball(n), ball(error))
    assert enclosed.contains(most) or abs(float(enclosed.mid()) - most) <= 1e-9 * most


@given(
    n=st.floats(1e4, 2e6).map(int),
    deviations=st.floats(0.5, 5.0),
    noise=st.floats(0.2, 30.0),
    start=st.one_of(st.floats(0.0, 1.0), st.floats(0.4, 0.5)),
    width=st.floats(-5.0, -1.0).map(lambda exponent: 10**exponent),
)
def test_chords_span_many_counts_of_large_studies(n, deviations, noise, start, width) -> None:
    error, epsilon, end = deviations / 2 / n**0.5, noise / n**0.5, min(start + width, 1.0)
    assume(start < end)
    values = failure_at("laplace", epsilon, float(n), error, np.linspace(start, end, 101))
    seen = float(max(values[0], values[-1]))
    assert values.max() <= most_between(seen, start, end, epsilon, float(n), error) * (1 + 1e-9)


def test_smoothing_leaves_chords_close() -> None:
    # a kink that is left as it is makes a thousand times as much
    n, error, epsilon, width = 1e6, 0.001, 0.02, 1e-3
    seen = float(failure_at("laplace", epsilon, n, error, np.array(0.5)))
    assert most_between(seen, 0.5 - width, 0.5, epsilon, n, error) / seen - 1 < 3e-4


def test_chords_of_weak_noise_are_close() -> None:
    # f itself bends by about Nε², not by (Nε)²
    n, error, epsilon, width = 4909.0, 0.03, 0.05797, 1e-3
    seen = float(failure_at("laplace", epsilon, n, error, np.array(0.5)))
    most = most_between(seen, 0.5 - width, 0.5, epsilon, n, error)
    assert most / seen - 1 < 200 * width**2 / 8


def test_too_few_counts_have_no_bound() -> None:
    assert math.isinf(most_between(0.1, 0.4, 0.5, 1.0, 10.0, 0.25))
