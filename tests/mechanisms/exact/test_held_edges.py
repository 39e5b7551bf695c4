"""With edges held a failure probability is the largest at an end of a cell, whatever the noise."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import binom, hypergeom, norm

NOISES = {
    "laplace": lambda t: np.where(t >= 0, np.exp(-np.abs(t)) / 2, 1 - np.exp(-np.abs(t)) / 2),
    "gaussian": norm.sf,
    "none": lambda t: np.where(t <= 0, 1.0, 0.0),
}


def geometric(t: np.ndarray, rate: float) -> np.ndarray:
    """Pr[Z ≥ t] at whole t."""
    away = np.where(t > 0, t, 1 - t)
    tail = np.exp(-rate * away) / (1 + np.exp(-rate))
    return np.where(t > 0, tail, 1 - tail)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*NOISES, "geometric"])
@pytest.mark.parametrize("people", [None, 60, 200])
@given(
    n=st.integers(1, 60),
    rate=st.floats(-2, 1.5).map(lambda x: 10**x),
    low=st.integers(-5, 60),
    apart=st.integers(1, 60),
    inside=st.floats(0.0, 0.99),
)
def test_no_mean_between_two_fails_more_often(kind, people, n, rate, low, apart, inside) -> None:
    counts, high = np.arange(n + 1), low + apart
    if kind == "geometric":
        fails = geometric(high - counts, rate) + geometric(counts - low, rate)
    else:
        shift = 0.0 if kind == "none" else inside / 2  # continuous noise has edges between counts
        of = NOISES[kind]
        fails = of(rate * (high + shift - counts)) + of(rate * (counts - low + shift))
    if people is None:
        means = np.linspace(0, 1, 201)[:, None]
        values = binom.pmf(counts, n, means) @ fails
    else:
        having = np.arange(people + 1)[:, None]
        values = hypergeom.pmf(counts, people, having, n) @ fails
    lowest = int(np.argmin(values))
    assert np.all(np.diff(values[: lowest + 1]) <= 1e-10)
    assert np.all(np.diff(values[lowest:]) >= -1e-10)
