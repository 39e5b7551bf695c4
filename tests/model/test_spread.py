"""Spreads: quantiles and shares against SciPy's distributions, and refusals."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from planner.model.spread import (
    Interval,
    LogNormal,
    LogUniform,
    Triangular,
    Uniform,
    spread_of,
)

SPREADS = {
    "uniform": (Uniform(2.0, 7.0), stats.uniform(2, 5)),
    "interval": (Interval(-1.0, 7.0), stats.uniform(-1, 8)),
    "log_uniform": (LogUniform(0.5, 300.0), stats.loguniform(0.5, 300)),
    "triangular": (Triangular(1.0, 2.0, 9.0), stats.triang(1 / 8, 1, 8)),
    "triangular, at an end": (Triangular(1.0, 1.0, 9.0), stats.triang(0, 1, 8)),
    "log_normal": (LogNormal(12.5, 2.0), stats.lognorm(math.log(2), scale=12.5)),
}


@pytest.mark.parametrize("name", SPREADS)
def test_as_scipy_tells_it(name) -> None:
    spread, law = SPREADS[name]
    shares = np.linspace(0.001, 0.999, 57)
    assert spread.quantile(shares) == pytest.approx(law.ppf(shares), rel=1e-12)
    assert spread.median == pytest.approx(law.median(), rel=1e-12)
    for value in law.ppf(shares[::7]):
        assert spread.share_up_to(float(value)) == pytest.approx(law.cdf(value), rel=1e-9)
    assert spread.share_up_to(-5.0) == 0
    assert spread.share_up_to(1e9) == pytest.approx(1)


@pytest.mark.parametrize("name", SPREADS)
@given(share=st.floats(1e-6, 1 - 1e-6))
def test_shares_undo_quantiles(name, share) -> None:
    spread, _ = SPREADS[name]
    value = float(spread.quantile(share))
    assert spread.low <= value <= spread.high
    assert spread.share_up_to(value) == pytest.approx(share, rel=1e-6, abs=1e-9)


def test_as_study_files_write_them() -> None:
    assert spread_of({"uniform": [1, 20]}) == Uniform(1, 20)
    assert spread_of({"triangular": [1, 2.5, 20]}) == Triangular(1, 2.5, 20)
    assert spread_of({"log_normal": [12.5, 2]}) == LogNormal(12.5, 2)
    assert Interval(1, 20) != Uniform(1, 20)


def test_what_is_no_spread() -> None:
    for table, words in [
        ({"normal": [1, 2]}, "a table of normal is not a number; give one of interval"),
        ({}, "a table of nothing"),
        ({"uniform": [1]}, "give low and high"),
        ({"triangular": [1, 2]}, "low, mode and high"),
        ({"uniform": [3, 2]}, "not below high"),
        ({"log_uniform": [0, 2]}, "not above 0"),
        ({"triangular": [1, 5, 2]}, "not between"),
        ({"log_normal": [1, 0.5]}, "not above 1"),
        ({"uniform": ["a", 2]}, "give a number"),
    ]:
        with pytest.raises(ValueError, match=words):
            spread_of(table)
