import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from planner.mechanisms.top_k import noise_scale
from planner.selection.exponential import chances
from planner.selection.ranking import draws, gap, noisy_scores, useful
from planner.simulation.simulate import interval

WAYS = {"draws": draws, "noisy-scores": noisy_scores}


def noisy_order(scores: np.ndarray, order: tuple[int, ...], scale: float) -> float:
    """The probability that Laplace noise lists just these, in this order, by integration."""
    # Pr[top of what is left is under x and in order], from the last listed up
    x = np.linspace(-80, 90, 40_001)
    below = np.prod(
        [stats.laplace(scores[i], scale).cdf(x) for i in range(len(scores)) if i not in order],
        axis=0,
    )
    for i in reversed(order):
        rate = stats.laplace(scores[i], scale).pdf(x) * below
        below = np.concatenate([[0], np.cumsum((rate[1:] + rate[:-1]) / 2 * (x[1] - x[0]))])
    return float(below[-1])


def drawn_order(scores: np.ndarray, order: tuple[int, ...], epsilon: float) -> float:
    """The probability that draws list just these, in this order."""
    left, found = list(range(len(scores))), 1.0
    for i in order:
        found *= chances(scores[left], epsilon / len(order))[left.index(i)]
        left.remove(i)
    return found


NEIGHBOURS = [
    (np.array([3.0, 3.0, 3.0, 3.0, 3.0]), np.array([4.0, 4.0, 2.0, 2.0, 2.0])),
    (np.array([5.0, 1.0, 2.0, 4.0, 4.0]), np.array([4.0, 2.0, 3.0, 3.0, 5.0])),
]


@pytest.mark.parametrize(("before", "after"), NEIGHBOURS)
@pytest.mark.parametrize("k", [1, 2])
def test_lists_are_private(before: np.ndarray, after: np.ndarray, k: int) -> None:
    epsilon = 0.8
    scale = noise_scale(5, k, None) / epsilon
    for order in permutations(range(5), k):
        noisy = noisy_order(before, order, scale) / noisy_order(after, order, scale)
        assert abs(math.log(noisy)) <= epsilon + 1e-6
        drawn = drawn_order(before, order, epsilon) / drawn_order(after, order, epsilon)
        assert abs(math.log(drawn)) <= epsilon + 1e-12


def test_half_the_noise_would_not_do() -> None:
    scores, moved, k = np.array([9.0, 9, 0, 0, 0]), np.array([8.0, 8, 1, 1, 1]), 2
    for factor, private in ((1.0, True), (0.5, False)):
        scale = factor * noise_scale(5, k, None) / 0.8
        ratio = noisy_order(scores, (2, 3), scale) / noisy_order(moved, (2, 3), scale)
        assert (abs(math.log(ratio)) <= 0.8) is private


def test_all_noisy_scores_are_private_where_a_person_counts_for_one() -> None:
    # she leaves one and joins one: the density of all m noisy scores changes by e^(2/b) at most
    assert noise_scale(100, 10, 1) == 2
    assert noise_scale(100, 10, None) == 20
    assert noise_scale(12, 10, None) == 12
    assert noise_scale(12, 10, 7) == 12


@pytest.mark.parametrize("method", WAYS)
def test_samples_follow_the_law(method: str) -> None:
    scores, epsilon, runs = np.array([4.0, 2.0, 1.0, 0.0]), 1.5, 8000
    rng = np.random.default_rng(0)
    lists = [tuple(int(i) for i in WAYS[method](scores, 2, epsilon, rng)) for _ in range(runs)]
    orders = list(permutations(range(4), 2))
    if method == "draws":
        expected = [drawn_order(scores, order, epsilon) for order in orders]
    else:
        expected = [noisy_order(scores, order, 4 / epsilon) for order in orders]
    assert sum(expected) == pytest.approx(1, abs=1e-6)
    law = np.array(expected) / sum(expected)
    assert stats.chisquare([lists.count(o) for o in orders], runs * law).pvalue > 0.01


@pytest.mark.parametrize(
    ("method", "per_person", "k"),
    [("draws", None, 3), ("noisy-scores", None, 3), ("noisy-scores", 1, 3), ("draws", None, 1)],
)
def test_lists_are_right_as_often_as_promised(method: str, per_person: int | None, k: int) -> None:
    m, epsilon, failure, runs = 30, 0.5, 0.1, 12_000 if k == 1 else 3000
    within = gap(method, m, k, epsilon, failure, per_person=per_person)
    limit = {} if per_person is None else {"per_person": per_person}
    rng = np.random.default_rng(2)

    def failures(share: float) -> int:
        # the hardest: all others tie at just γ under the k best
        scores = np.concatenate([np.full(k, within), np.zeros(m - k)])
        lists = (WAYS[method](scores, k, share * epsilon, rng, **limit) for _ in range(runs))
        return sum(not all(useful(scores, listed, within)) for listed in lists)

    # one draw fails with β/(1 + β) here, so little is left between it and its bound
    assert interval(failures(1.0), runs)[1] <= failure
    assert interval(failures(0.4), runs)[0] > failure


@given(
    scores=st.lists(st.integers(0, 30), min_size=3, max_size=8),
    method=st.sampled_from(sorted(WAYS)),
    seed=st.integers(0, 10**6),
)
def test_lists_are_of_different_candidates(scores: list[int], method: str, seed: int) -> None:
    listed = WAYS[method](scores, 2, 0.7, np.random.default_rng(seed))
    assert len(set(listed.tolist())) == 2
    strong = WAYS[method](scores, 2, 1e4, np.random.default_rng(seed))
    assert sorted(np.array(scores)[strong]) == sorted(scores)[-2:]
    assert useful(scores, strong, 1e-9) == (True, True)


@given(
    scores=st.lists(st.integers(0, 9), min_size=2, max_size=7),
    within=st.floats(0.5, 5),
    data=st.data(),
)
def test_a_wrong_list_has_a_wrong_pair(scores: list[int], within: float, data) -> None:
    """What both bounds rest on, for every list."""
    m = len(scores)
    k = data.draw(st.integers(1, m - 1))
    listed = data.draw(st.permutations(range(m)))[:k]
    best = sorted(range(m), key=lambda i: -scores[i])[:k]
    pairs = [
        (o, i)
        for o in set(listed) - set(best)
        for i in set(best) - set(listed)
        if scores[i] - scores[o] >= within
    ]
    assert pairs or all(useful(scores, listed, within))


def test_useful_is_naors_definition() -> None:
    scores = [10.0, 8.0, 6.0, 4.0]
    assert useful(scores, [0, 1], 2.0) == (True, True)
    assert useful(scores, [0, 2], 2.0) == (False, True)  # 6 ≤ 8 − 2
    assert useful(scores, [1, 2], 2.0) == (False, False)  # 10 ≥ 8 + 2 is missing
    assert useful(scores, [1, 2], 2.5) == (True, True)


@pytest.mark.parametrize("way", WAYS.values())
@pytest.mark.parametrize(
    ("k", "epsilon", "words"),
    [
        (0, 1.0, "chosen = 0 is not allowed; give a whole number from 1 to 3"),
        (4, 1.0, "chosen = 4 is not allowed; give a whole number from 1 to 3"),
        (1.5, 1.0, "chosen = 1.5"),
        (1, -2.0, "epsilon = -2.0 is not allowed; give a finite number above 0"),
    ],
)
def test_refusals(way, k, epsilon: float, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        way([1.0, 2.0, 3.0], k, epsilon, np.random.default_rng(0))


def test_refusals_of_gaps() -> None:
    with pytest.raises(ValueError, match="per_person = 9 is not allowed; give a whole number from"):
        gap("noisy-scores", 5, 2, 1.0, 0.1, per_person=9)
    with pytest.raises(ValueError, match=r"failure = 1\.0 is not allowed"):
        gap("draws", 5, 2, 1.0, 1.0)
    with pytest.raises(ValueError, match="the length of listed = 3"):
        useful([1.0, 2.0], [0, 1, 1], 1.0)
