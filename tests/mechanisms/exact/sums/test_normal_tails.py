"""Sums of normal tails over blocks of counts, beside the same tail by tail."""

import random

import pytest
from flint import arb

from planner import numbers
from planner.mechanisms.exact.sums.normal_tails import block_of, tails
from planner.privacy.gaussian import upper_tail

ball = numbers.balls().number


@pytest.mark.parametrize("seed", range(100))
def test_blocks_hold_the_sum_of_their_tails(seed: int) -> None:
    rng = random.Random(seed)
    rate, left = ball(10 ** rng.uniform(-4, 1)), ball(rng.uniform(-200, 200))
    chances = [ball(rng.random()) for _ in range(min(rng.choice([1, 3, 16, 64]), block_of(rate)))]
    total = tails(chances, left, rate)
    exact = sum((c * upper_tail((left - j) * rate) for j, c in enumerate(chances)), arb(0))
    assert total.overlaps(exact)
    assert total.rad() < 1e-14 * len(chances)


def test_rates_and_edges_may_be_balls() -> None:
    rates, lefts = (arb(0.02, 1e-6), arb(7, 1e-3))
    chances = [ball(1.0)] * 40
    total = tails(chances, lefts, rates)
    for rate in (0.0199995, 0.0200005):
        exact = sum((c * upper_tail((arb(7) - j) * rate) for j, c in enumerate(chances)), arb(0))
        assert total.contains(exact)
