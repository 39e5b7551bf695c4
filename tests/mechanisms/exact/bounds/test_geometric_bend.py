"""The bound over many tips against the failure probability at tips, in floats and in balls."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from planner import numbers
from planner.mechanisms.exact.bounds.geometric_curvature import excesses, most_at_tips, over_tips
from planner.mechanisms.exact.geometric_noise import certify_at_most
from planner.mechanisms.exact.noise import Asked
from planner.mechanisms.exact.sums.geometric_sums import failure_at_means
from planner.mechanisms.exact.sums.noisy_count import upper_side
from planner.numbers import decimal

ball = numbers.balls().number


@given(
    n=st.integers(12, 3_000),
    excess=st.floats(4.0, 60.0),
    noise=st.floats(0.5, 40.0),
    start=st.one_of(st.floats(0.01, 0.98), st.floats(0.4, 0.5)),
    width=st.floats(1e-3, 0.2),
)
def test_no_mean_between_passes_the_bound(n, excess, noise, start, width) -> None:
    error, epsilon, end = decimal(round(excess / n, 6)), noise / excess, min(start + width, 1.0)
    assume(error < 0.6 and epsilon < 8)
    bound = float(over_tips(epsilon, n, error, np.array([start]), np.array([end]))[0])
    first, last = (int(n * (end + error)) for end in (start, end))
    below, above = (int(n * (end - error)) for end in (start, end))
    means = [Fraction(k, n) - error for k in range(first, last + 2)]
    means += [Fraction(k, n) + error for k in range(below, above + 2)]
    means += [decimal(mean) for mean in np.linspace(start, end, 9).tolist()]
    inside = [mean for mean in means if start <= mean <= end]
    values = failure_at_means(np.array([epsilon]), n, float(error), inside)
    assert values.max() <= bound * (1 + 1e-9)


def test_at_a_tip_the_noise_is_rounded_laplace_noise_or_none() -> None:
    n, error, epsilon = 400, Fraction(53, 1000), 0.4
    near, far = excesses(n, error)
    tip = Fraction(230, n) - error
    mean = float(tip)
    rounded = 1 / np.cosh(epsilon / 2)
    by_laplace, samples = (
        sum(
            float(upper_side(float(n), np.array(share), float(off), rate, None))
            for share, off in ((mean, near), (1 - mean, far))
        )
        for rate in (epsilon, 1e6)
    )
    value = failure_at_means(np.array([epsilon]), n, float(error), [tip])[0, 0]
    assert value == pytest.approx(rounded * by_laplace + (1 - rounded) * samples, rel=1e-12)


@pytest.mark.slow
def test_large_studies_are_proved_in_few_cells(monkeypatch) -> None:
    asked = Asked(ball(0.003795), ball(0.05), (0.0, 1.0))
    monkeypatch.setattr("planner.mechanisms.exact.bounds.cells._MOST_CELLS", 800)
    assert certify_at_most(ball(0.012939), ball(100_000), asked)
    assert not certify_at_most(ball(0.012937), ball(100_000), asked)


def test_floats_and_balls_agree() -> None:
    given = (0.04, 0.45, 0.4503, 0.03, 20_000, 0.0085)
    enclosed = most_at_tips(*map(ball, given))
    assert float(enclosed.mid()) == pytest.approx(most_at_tips(*given), rel=1e-12)


def test_small_studies_have_no_bound() -> None:
    assert np.isinf(over_tips(1.0, 10, Fraction(1, 4), np.array([0.4]), np.array([0.5]))).all()


def test_hardly_any_noise_has_no_bound() -> None:
    left = np.array([0.4])
    assert np.isinf(over_tips(5_000.0, 1_000, Fraction(1, 4), left, left + 1e-3)).all()
