"""Tails by continued fraction: against exact fractions, and against sums of polynomials."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from planner import numbers
from planner.mechanisms.exact import noise_balls, with_replacement
from planner.mechanisms.exact.sums.binomial_tails import upper_sum
from planner.mechanisms.exact.with_replacement import BINOMIAL
from planner.numbers import rational

ball = numbers.balls().number


@given(st.integers(1, 60), st.data())
def test_sums_are_those_of_fractions(n, data) -> None:
    start = data.draw(st.integers(0, n))
    share = Fraction(data.draw(st.integers(1, 999)), 1000)
    tilt = Fraction(data.draw(st.integers(1, 50)), 50)
    exact = sum(
        math.comb(n, k) * share**k * (1 - share) ** (n - k) * tilt ** (k - start)
        for k in range(start, n + 1)
    )
    enclosed = upper_sum(n, start, rational(share / (1 - share)), rational(tilt))
    assert enclosed.overlaps(rational(exact))
    assert enclosed.rad() < 1e-14 * enclosed.mid()


def test_where_every_tilt_is_gone_one_count_is_left() -> None:
    chance = math.comb(10, 7) / 2**10
    assert upper_sum(10, 7, ball(1), ball(0)).overlaps(ball(chance))
    assert upper_sum(10, 0, ball(1), ball(0)).overlaps(ball(2**-10))


def test_a_ball_of_odds_on_both_sides_of_the_count_is_not_decided() -> None:
    enclosed = upper_sum(1000, 510, ball(1).union(ball(1.2)), ball(1))
    assert not enclosed <= 1
    assert not enclosed > 0


@pytest.mark.parametrize("whole", [False, True])
@given(
    st.integers(20, 5000),
    st.integers(0, 500),
    st.floats(1e-3, 4.0),
    st.floats(0, 1),
    st.integers(0, 200),
)
def test_all_counts_have_what_the_counts_within_reach_have(
    whole, n, per_mille, rate, off, excess
) -> None:
    mean = Fraction(per_mille, 1000)
    edge = Fraction(math.ceil(n * mean) + excess) + (0 if whole else Fraction(off))
    of = noise_balls.geometric if whole else noise_balls.laplace
    noise = of(ball(rate), ball(rate * off))
    if mean:
        summed = BINOMIAL.over_edge(noise, n, mean, edge, 1e-9)
        assert noise.of_many(n, rational(mean / (1 - mean)), edge).overlaps(summed)


@pytest.mark.parametrize("of", [noise_balls.laplace, noise_balls.Normal])
def test_a_large_study_fails_as_its_lists_say(of, monkeypatch) -> None:
    n, noise, mean = 200_000, of(ball(0.02), ball(0.02)), Fraction(2, 5)
    excess = n * Fraction(3, 1000)
    quick = BINOMIAL.failure_ball(noise, n, mean, excess, excess, 0.05)
    monkeypatch.setattr(with_replacement, "MANY", n)
    summed = BINOMIAL.failure_ball(noise, n, mean, excess, excess, 0.05)
    assert quick.overlaps(summed)
    assert abs(quick / summed - 1) < 1e-7
