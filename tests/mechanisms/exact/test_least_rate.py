"""Rates that need no search are those that a search finds."""

import numpy as np
import pytest

from planner.mechanisms.exact import rates
from planner.mechanisms.exact.failure import SHARES, Asked
from planner.mechanisms.exact.least_rate import _searched, quick_rates, sample_fails

KINDS = ["laplace", "geometric", "gaussian"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mean_range", [(0.0, 1.0), (0.2, 0.4)])
@pytest.mark.parametrize(
    ("error", "failure", "sizes"),
    [
        (0.05, 0.05, np.arange(300.0, 600.0, 7.0)),
        (0.3, 0.4, np.arange(1.0, 30.0)),
        (0.7, 0.001, np.arange(1.0, 30.0)),
        (0.002, 0.05, np.rint(np.geomspace(2e5, 1e7, 20))),
    ],
)
def test_rates_are_those_of_the_search(
    kind: str, mean_range: tuple[float, float], error: float, failure: float, sizes: np.ndarray
) -> None:
    asked = Asked(error, failure, mean_range)
    with np.errstate(all="ignore"):  # as where floors are read
        quick = quick_rates(SHARES[kind], asked, sizes)
        searched = _searched(SHARES[kind], asked, sizes)
    np.testing.assert_allclose(quick, searched, rtol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_rates_are_the_same_however_many_are_read_at_once(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, sizes = Asked(0.1, 0.2, (0.0, 1.0)), np.arange(1.0, 80.0)
    found = []
    for at_once in (1, 200, 10_000):
        monkeypatch.setattr(rates, "_AT_ONCE", at_once)
        with np.errstate(all="ignore"):
            found.append(_searched(SHARES[kind], asked, sizes))
    assert np.isfinite(found[0]).any()
    assert np.isinf(found[0]).any()
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_a_sample_that_nearly_fails_is_told_from_one_that_does() -> None:
    # 2NT = 4 counts in a row are right: 4, 5, 6 and 7 of 11, or one to either side
    counts = np.array([1, 11, 55, 165, 330, 462, 462, 330, 165, 55, 11, 1]) / 2**11
    off = 1 - counts[4:8].sum()
    for failure, fails in ((off * 0.999, True), (off * 1.001, False)):
        asked = Asked(3.9 / 22, failure, (0.0, 1.0))
        assert sample_fails(np.array([11.0]), asked).tolist() == [fails]
