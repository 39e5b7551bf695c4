"""The bounds that hold for all means at once."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import norm

from planner import numbers
from planner.mechanisms.exact import large_study
from planner.mechanisms.exact.with_replacement import _whole_from
from planner.numbers import decimal
from tests.mechanisms.exact.gaussian_failure import failure_at as failure_of_gauss
from tests.mechanisms.exact.shares import at_fractions, failure_at

ALL = (0.0, 1.0)
ball = numbers.balls().number
sizes = st.floats(0, 5).map(lambda x: int(10**x))


@given(n=sizes, epsilon=st.floats(1e-4, 30.0), error=st.floats(0.003, 0.9))
def test_no_mean_passes_it_with_laplace_noise(n: int, epsilon: float, error: float) -> None:
    for ends in (ALL, (0.0, 0.1)):
        bound = large_study.bound(epsilon, float(n), error, ends)
        means = np.linspace(*ends, 41)
        values = failure_at("laplace", epsilon, float(n), error, means)
        assert values.max() <= bound * (1 + 1e-9)


@given(n=sizes, epsilon=st.floats(1e-4, 30.0), error=st.floats(0.003, 0.9))
def test_no_mean_passes_it_with_geometric_noise(n: int, epsilon: float, error: float) -> None:
    bound = large_study.bound(epsilon, float(n), error, ALL, whole=True)
    hit = [(decimal(k) + math.ceil(n * (decimal(0.5) + decimal(error)))) / n for k in range(-3, 3)]
    tips = [mean for share in hit if 0 <= (mean := share - decimal(error)) <= 1]
    values = at_fractions(epsilon, n, error, [*tips, decimal(0.3)])
    assert values.max() <= bound * (1 + 1e-9)


@given(
    n=sizes,
    rate=st.floats(-4, 1).map(lambda x: 10**x),
    error=st.floats(0.003, 0.9),
    mean=st.floats(0, 1).map(lambda x: x if x > 1e-100 else 0.0),  # scipy's law overflows under it
)
def test_no_mean_passes_it_with_gaussian_noise(n, rate, error, mean) -> None:
    bound = large_study.gaussian_bound(ball(rate), ball(n), ball(error), ALL)
    seen = failure_of_gauss(rate, n, error, np.array([mean, 0.5]))
    assert seen.max() <= float(bound.upper()) * (1 + 1e-9) + 1e-60


@pytest.mark.parametrize(("n", "error"), [(970_000, 1e-3), (960_500 * 10**6, 1e-6)])
def test_it_is_close_where_the_sample_is_wide(n: int, error: float) -> None:
    alone = 2 * norm.sf(2 * math.sqrt(n) * error)
    for epsilon in (0.05, 1.0, 9.0):
        found = large_study.bound(epsilon, float(n), error, ALL)
        enclosed = large_study.bound(ball(epsilon), ball(n), ball(error), ALL)
        assert abs(found - float(enclosed.mid())) <= 1e-9 * found + float(enclosed.rad())
        assert alone * 0.999 <= found <= alone * 1.02
        assert large_study.bound(epsilon, float(n), error, ALL, whole=True) <= alone * 1.04
    with_gauss = large_study.gaussian_bound(ball(1.0), ball(n), ball(error), ALL)
    assert alone * 0.999 <= float(with_gauss.mid()) <= alone * 1.02


def test_it_is_close_where_gaussian_noise_is_wide() -> None:
    for n, rate in ((10**5, 1 / 1500), (10**6, 1 / 12_000)):
        bound = large_study.gaussian_bound(ball(rate), ball(n), ball(0.05), ALL)
        seen = float(failure_of_gauss(rate, n, 0.05, 0.5))
        assert seen <= float(bound.upper()) <= seen * 1.001


@pytest.mark.parametrize("z", [0.01, 1.0, 10.0, 999.0, 1001.0, 1e5])
def test_scaled_tails_of_floats_lie_in_those_of_balls(z: float) -> None:
    enclosed = large_study._scaled_tail(ball(z))
    found = large_study._scaled_tail(z)
    assert abs(found - float(enclosed.mid())) <= float(enclosed.rad()) + 1e-12 * found
    assert float(enclosed.rad()) <= 1e-6 * found


@pytest.mark.parametrize("share", ["0.500001", "1/3", "0.25"])
def test_edges_of_huge_studies_are_decided_in_whole_numbers(share: str) -> None:
    n = np.array([3.0, 10**13 + 1.0, 2.0**52, 10.0**15 + 2])
    exact = [math.ceil(int(size) * Fraction(share)) for size in n]
    assert _whole_from(n, Fraction(share)).tolist() == exact
