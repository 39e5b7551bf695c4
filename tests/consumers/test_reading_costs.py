"""What readings cost: digits that are kept, sums over many counts."""

import math
import time

import numpy as np
import pytest
from hypothesis import given, strategies as st

from planner.consumers.bayesian import BayesianConsumer
from planner.consumers.loss import OffBy, table
from planner.consumers.reading_costs import discounted
from tests.consumers.test_bayesian import bell, costs


@pytest.mark.parametrize("loss", ["absolute", "squared", "zero-one", OffBy(4)], ids=str)
def test_far_from_all_that_the_prior_allows(loss) -> None:
    """At 20,000 of 10^5 people and ε = 1 the chance of the answer is e^(−20,000)."""
    prior = np.zeros(10**5 + 1)
    prior[[100, 90_000]] = 0.9, 0.1
    found = BayesianConsumer(prior, loss).optimum(1.0)
    t = 1 if loss != OffBy(4) else 4
    assert abs(found.remap[20_000] - 100) < t
    assert abs(found.remap[60_000] - 90_000) < t
    assert found.loss == 0  # under every float


def test_small_losses_keep_their_digits() -> None:
    """All loss is due to the 10^−9 at the far end, of which each answer has a share ≥ 0."""
    n, epsilon = 40, 0.01
    prior = np.zeros(n + 1)
    prior[[0, n]] = 1 - 1e-9, 1e-9
    exact = {"absolute": n, "squared": n**2, "zero-one": 1}
    for loss, expected in exact.items():
        found = BayesianConsumer(prior, loss).optimum(epsilon).loss
        assert found == pytest.approx(1e-9 * expected, rel=1e-7)
        assert found == pytest.approx(costs(prior, loss, epsilon).min(axis=1).sum(), rel=1e-12)


@pytest.mark.parametrize("loss", ["absolute", "squared", "zero-one", OffBy(3)], ids=str)
def test_small_epsilon_keeps_its_digits(loss) -> None:
    """Powers of the rounded α = e^(−ε) would miss by 10^−16/ε = 10^−9."""
    n, epsilon = 2000, 1e-7
    p = bell(n, 700.3, 150.0)
    found = BayesianConsumer(p, loss).optimum(epsilon)
    i = np.arange(n + 1)
    posterior = p[:, None] * np.exp(-epsilon * np.abs(i[:, None] - i))
    share = np.full(n + 1, math.tanh(epsilon / 2))
    share[[0, -1]] = 1 / (1 + math.exp(-epsilon))
    expected = np.sum(share * np.sum(posterior * table(loss, n)[:, found.remap], axis=0))
    assert found.loss == pytest.approx(expected, rel=1e-13)


@given(
    values=st.lists(st.floats(0, 1), min_size=1, max_size=60),
    epsilon=st.floats(1e-12, 800),
)
def test_discounted_sums(values, epsilon: float) -> None:
    p = np.array(values)
    k = np.arange(len(p))
    gap = k[:, None] - k
    expected = np.where(gap >= 0, np.exp(-epsilon * np.maximum(gap, 0)), 0) @ p
    assert discounted(p, epsilon) == pytest.approx(expected, rel=1e-12, abs=1e-300)
    both = discounted(np.stack([p, p[::-1]]), epsilon)
    assert np.array_equal(both[0], discounted(p, epsilon))
    assert np.array_equal(both[1], discounted(p[::-1], epsilon))


@pytest.mark.parametrize("epsilon", [1e-8, 1e-6, 1e-3, 0.3, 5.0])
def test_discounts_add_up_over_a_million_counts(epsilon: float) -> None:
    """(1 − α^(r + 1))/(1 − α); a recursion by the rounded α misses by 10^−10 at ε = 10^−6."""
    expected = np.expm1(-epsilon * np.arange(1, 10**6 + 1)) / math.expm1(-epsilon)
    assert np.max(np.abs(discounted(np.ones(10**6), epsilon) / expected - 1)) < 2e-12


@pytest.mark.parametrize("loss", ["absolute", "squared", "zero-one", OffBy(50)], ids=str)
def test_a_hundred_thousand_people(loss) -> None:
    p = bell(10**5, 3e4, 2e3)
    consumer = BayesianConsumer(p, loss)
    start = time.perf_counter()
    found = consumer.optimum(0.01)
    assert time.perf_counter() - start < 5
    # counts far out are all but ruled out, so the middle alone has the same loss
    middle = slice(30_000 - 1000 * 20, 30_000 + 1000 * 20)
    alone = BayesianConsumer(p[middle] / p[middle].sum(), loss).optimum(0.01)
    assert found.loss == pytest.approx(alone.loss, rel=1e-9)
