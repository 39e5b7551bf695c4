"""Shares of a total over arrays, against the same one by one, to the last bit."""

import numpy as np
import pytest

from planner.privacy.shares import about_each, about_together, each, together

TIMES = [1, 2, 3, 12, 57]


@pytest.mark.parametrize("delta", [1e-12, 1e-6, 0.3])
@pytest.mark.parametrize("times", TIMES)
def test_totals_over_arrays_are_those_of_each_and_never_more(times, delta) -> None:
    one = np.geomspace(1e-4, 300.0, 20)
    exact = together(one, times, delta, "optimal")
    quick = about_together(one, times, delta, "optimal")
    assert (quick <= exact).all()
    assert quick == pytest.approx(exact, rel=1e-9, abs=1e-14)


@pytest.mark.parametrize("delta", [1e-12, 1e-6, 0.3])
@pytest.mark.parametrize("times", TIMES)
def test_shares_over_arrays_are_those_of_each(times, delta) -> None:
    total = np.geomspace(1e-4, 300.0, 6)
    quick = about_each(total, times, delta, "optimal")
    assert quick == pytest.approx(each(total, times, delta, "optimal"), rel=1e-10)


def test_the_totals_of_no_ε_and_of_every_ε() -> None:
    ends = about_together(np.array([0.0, np.inf]), 3, 1e-6, "optimal")
    assert ends.tolist() == [0.0, np.inf]


def test_several_δ_are_read_one_by_one() -> None:
    one, deltas = np.array([0.1, 0.2]), np.array([1e-6, 1e-4])
    totals = [float(together(e, 3, d, "optimal")) for e, d in zip(one, deltas, strict=True)]
    assert about_together(one, 3, deltas, "optimal").tolist() == totals
