"""Proofs that every rate fails: what review found that they must not claim."""

from flint import arb

from planner import numbers
from planner.mechanisms.exact.failure import SHARES, Asked

NOISES = [SHARES[kind] for kind in ("laplace", "geometric", "gaussian")]


def ball(x: float):
    return numbers.balls().number(x)


def test_endless_rates_are_settled_where_counts_lie_on_their_edges() -> None:
    asked = Asked(ball(0.5), ball(0.2), (0.5, 0.5))  # of one person both counts are on an edge
    for noise in NOISES:
        assert noise.certify_over(ball(1.0), arb.pos_inf(), 1, asked)


def test_a_range_is_its_own_mirror_image_by_its_decimals() -> None:
    # 1e-20 and 1 add up to 1 as doubles; the mean 1 is the mirror image of 0, which is not asked
    asked = Asked(ball(1.0), ball(0.1869), (1e-20, 1.0))
    assert not SHARES["geometric"].certify_at_most(ball(2.0), ball(1), asked)


def test_a_mean_that_ends_the_range_is_its_decimal() -> None:
    end = 0.5666666666666667  # 3(μ + 0.1) is just over 2, as a double just under
    asked = Asked(ball(0.1), ball(0.791278), (end, end))
    assert not SHARES["laplace"].certify_over(ball(1e20), ball(1e20), 3, asked)


def test_an_unknown_rate_settles_nothing() -> None:
    asked = Asked(ball(0.1), ball(0.99), (0.2, 0.7))
    for noise in NOISES:
        for least in (arb("nan"), arb(0, 1)):
            assert not noise.certify_over(least, ball(1.0), 20, asked)
