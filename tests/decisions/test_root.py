"""A root of a margin is found from any start, and from few values."""

import math
from functools import cache

import pytest
from hypothesis import given, strategies as st

from planner.decisions.root import around, closest_by_margin, nearest

LEAST, MOST = 1e-60, 1e280


@given(
    root=st.floats(-50, 250).map(lambda x: 10**x),
    start=st.floats(-60, 280).map(lambda x: 10**x),
    power=st.sampled_from([0.3, 1.0, 2.5]),
    curved=st.floats(0.0, 0.5),
    nothing=st.floats(0.5, 20.0),
    harder=st.sampled_from([1, -1]),
)
def test_two_values_on_either_side_and_then_the_root(
    root, start, power, curved, nothing, harder
) -> None:
    asked = []

    def margin(value: float) -> float:
        asked.append(value)
        x = harder * math.log(root / value)
        if x < -nothing:  # far beyond the root nothing is allowed, far before it all is
            return -math.inf
        return math.inf if x > 100 else power * x + curved * math.copysign(abs(x) ** 0.8, x)

    ends = (LEAST, MOST) if harder > 0 else (MOST, LEAST)
    good, bad = around(margin, start, *ends)
    assert good is not None
    assert bad is not None
    assert margin(good) >= 0 > margin(bad)
    good, bad = closest_by_margin(margin, good, bad, 1e-9)
    assert abs(good / root - 1) < 2e-9
    assert margin(good) >= 0 > margin(bad)
    assert len(asked) < 90


@given(
    root=st.floats(-50, 250).map(lambda x: 10**x),
    power=st.sampled_from([0.3, 1.0, 2.5]),
    shift=st.floats(-0.05, 0.05),
    factor=st.floats(0.7, 1.4),
    harder=st.sampled_from([1, -1]),
)
def test_a_guess_leads_to_the_root_in_few_values(root, power, shift, factor, harder) -> None:
    """Though its root is off by 5 % and its slope by 40 %, and the ends are never passed."""
    ends = (LEAST, MOST) if harder > 0 else (MOST, LEAST)
    asked = []

    def margin(value: float) -> float:
        asked.append(value)
        x = harder * math.log(root / value)
        return power * x + 0.1 * math.copysign(x * x, x) if abs(x) < 5 else power * x

    def guess(value: float) -> float:
        return factor * power * (harder * math.log(root / value) + shift)

    good, bad = nearest(margin, guess, 1.0, *ends, 1e-9)
    assert good is not None
    assert bad is not None
    assert margin(good) >= 0 > margin(bad)
    assert abs(good / bad - 1) < 3e-9
    assert abs(good / root - 1) < 3e-9
    assert all(LEAST <= value <= MOST for value in asked)
    assert len(asked) < 16


@pytest.mark.parametrize(("guessed", "true"), [(1.0, -math.inf), (-math.inf, 1.0), (1.0, 1.0)])
def test_a_guess_that_finds_no_root_is_not_believed(guessed: float, true: float) -> None:
    good, bad = nearest(lambda _: true, lambda _: guessed, 3.0, 1e280, 1e-60, 1e-9)
    assert (good, bad) == ((1e-60, None) if true > 0 else (None, 1e280))


@pytest.mark.parametrize("always", [True, False])
def test_where_there_is_no_root_an_end_says_so(always: bool) -> None:
    good, bad = around(lambda _: 1.0 if always else -math.inf, 3.0, 1e280, 1e-60)
    assert (good, bad) == ((1e-60, None) if always else (None, 1e280))


def test_no_step_is_shorter_than_a_limit_is_known() -> None:
    """A margin in steps says nothing of the values beside one that is just infeasible."""

    @cache
    def margin(value: float) -> float:
        return math.floor((math.log(value) - 1.0) * 1e4) / 1e4 + 9.99e-5

    def guess(value: float) -> float:
        return math.log(value) - 0.999

    good, bad = nearest(margin, guess, 3.0, 1e3, 1e-3, 1e-3)
    assert good is not None
    assert bad is not None
    assert margin(good) >= 0 > margin(bad)
    assert abs(math.log(good / bad)) < 1.001e-3
    assert margin.cache_info().misses < 5


def test_no_value_is_beyond_the_ends() -> None:
    asked = []

    def margin(value: float) -> float:
        asked.append(value)
        return 83.0 - 1e-12 - value

    closest_by_margin(margin, 80.32455136333543, 83.0, 1e-9)
    assert max(asked) <= 83.0


@pytest.mark.parametrize("stops", [1e30, math.inf])
def test_a_margin_that_nothing_changes_is_looked_at_where_it_may_end(stops: float) -> None:
    asked = []

    def margin(value: float) -> float:
        asked.append(value)
        return 0.7 if value < stops else -math.inf

    good, bad = around(cache(margin), 3.0, 0.5, MOST)
    assert good >= 3.0
    if stops < math.inf:
        assert good < stops <= bad
    else:
        assert (good, bad) == (MOST, None)
        assert len(asked) < 5
