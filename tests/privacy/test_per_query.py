"""The share of each query: inverse of the total to the last bit."""

import math

import pytest
from hypothesis import given, settings, strategies as st

from planner.privacy.composition import compose, delta, equal
from planner.privacy.per_query import per_query

RULES = st.sampled_from(["basic", "advanced", "closed", "optimal"])


@settings(max_examples=120)
@given(
    power=st.floats(-6, 1.5),
    times=st.integers(1, 3000),
    slack=st.sampled_from([0.0, 1e-12, 1e-6, 0.01, 0.6]),
    rule=RULES,
)
def test_the_last_that_is_allowed(power: float, times: int, slack: float, rule: str) -> None:
    total = 10**power
    found = per_query(total, times, slack, rule)
    assert compose([found] * times, slack, rule) <= total
    assert equal(math.nextafter(found, math.inf), times, slack, rule) > total
    assert equal(found * (1 + 1e-11), times, slack, rule) > total


@given(epsilon=st.floats(1e-3, 2), times=st.integers(1, 500), rule=RULES)
def test_round_trip(epsilon: float, times: int, rule: str) -> None:
    total = equal(epsilon, times, 1e-6, rule)
    assert epsilon * (1 - 1e-15) <= per_query(total, times, 1e-6, rule) <= epsilon * (1 + 1e-10)


def test_shares_without_slack() -> None:
    assert per_query(1.0, 20) == 0.05
    assert per_query(0.3, 3) == 0.1
    assert per_query(5e-324, 2) == 0


def test_ends_of_the_doubles() -> None:
    assert per_query(1e308, 1) == 1e308
    assert per_query(1.7976931348623157e308, 1) == 1.7976931348623157e308


def test_a_total_of_nearly_nothing() -> None:
    """All but the slack is used up: three queries of a total variation of the slack."""
    share = per_query(1e-200, 3, 1e-6)
    assert compose([share] * 3, 1e-6) <= 1e-200
    assert delta([share] * 3, 0.0) == pytest.approx(1e-6, rel=1e-12)


def test_slack_gives_more_to_each() -> None:
    """The reference value 20 × 0.05 at slack 10⁻³, backwards."""
    assert per_query(0.49798640812493488, 20, 1e-3) == pytest.approx(0.05, rel=1e-12)
    assert per_query(1e-9, 4, 0.5) > 0.1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: per_query(0.0, 3), r"total = 0\.0 is not allowed; give a finite number above 0"),
        (lambda: per_query(math.nan, 3), "total = nan is not allowed"),
        (lambda: per_query(1.0, 0), "times = 0 is not allowed; give a whole number of at least 1"),
        (lambda: per_query(1.0, 2.5), r"times = 2\.5 is not allowed"),
        (lambda: per_query(1.0, 3, 2.0), r"slack = 2\.0 is not allowed"),
        (lambda: per_query(1.0, 3, 0.1, "all"), "rule = 'all' is unknown"),
    ],
)
def test_refusals(call, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()
