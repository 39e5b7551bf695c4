"""The chord's bound against the failure probability itself, in floats and in balls."""

import numpy as np
from hypothesis import assume, given, strategies as st

from planner import numbers
from planner.mechanisms.exact.bounds.gaussian_bend import most_between
from planner.mechanisms.exact.sums.gaussian_sums import failure_at

ball = numbers.balls().number


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
    most = most_between(seen, start, end, rate, float(n), goal)
    assert values.max() <= most * (1 + 1e-9) + 1e-60
    given = [ball(x) for x in (seen, start, end, rate)]
    enclosed = most_between(*given, ball(n), goal)
    assert enclosed.contains(most) or abs(float(enclosed.mid()) - most) <= 1e-9 * most


def test_chords_of_weak_noise_are_close() -> None:
    n, rate, width = 4909.0, 0.036, 1e-2
    seen = failure_at(np.array(rate), n, 0.03, np.array(0.5)).item()
    most = most_between(seen, 0.5 - width, 0.5, rate, n, seen)
    assert most / seen - 1 < 600 * width**2 / 8
