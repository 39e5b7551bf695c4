import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from planner.selection.exponential import chances, choose

SCORES = st.lists(st.floats(-5, 5), min_size=1, max_size=8)
EPSILONS = st.floats(0.01, 10)


@pytest.mark.slow
def test_samples_follow_the_chances() -> None:
    rng = np.random.default_rng(0)
    scores = [0.0, 2.0, 5.0, 6.0]
    seen = np.bincount([choose(scores, 0.9, rng, 2.0) for _ in range(20_000)])
    weights = [math.exp(0.9 * w / 4) for w in scores]
    expected = [20_000 * w / sum(weights) for w in weights]
    assert stats.chisquare(seen, expected).pvalue > 0.01
    assert chances(scores, 0.9, 2.0) == pytest.approx(np.array(expected) / 20_000)


@given(SCORES, EPSILONS, st.floats(0.2, 5), st.data())
def test_it_is_private(scores: list[float], epsilon: float, sensitivity: float, data) -> None:
    moved = [w + sensitivity * data.draw(st.sampled_from([-1.0, -0.4, 0.0, 1.0])) for w in scores]
    ratios = chances(moved, epsilon, sensitivity) / chances(scores, epsilon, sensitivity)
    assert np.all(np.abs(np.log(ratios)) <= epsilon * (1 + 1e-9) + 1e-12)


def test_the_half_may_be_dropped_only_where_all_scores_move_the_same_way() -> None:
    # Naor's lunch weighs by e^(ε·score): ε-private when someone joins, not when she is replaced
    before, joined, replaced = ([0.0] + [3.0] * 9, [1.0] + [3.0] * 9, [1.0] + [2.0] * 9)
    doubled = chances(before, 2 * 0.5)
    assert 0.4 < np.abs(np.log(chances(joined, 2 * 0.5) / doubled)).max() <= 0.5
    assert np.abs(np.log(chances(replaced, 2 * 0.5) / doubled)).max() > 0.9


@pytest.mark.parametrize(("factor", "scale"), [(1, 2 / 0.7), (2, 1 / 0.7)])
def test_laplace_noise_is_an_instance(factor: float, scale: float) -> None:
    # a fine grid of answers r, with score −|q − r|
    q, step = 3.0, 0.01
    grid = np.arange(-60, 66, step)
    density = chances(-np.abs(q - grid), factor * 0.7) / step
    assert density == pytest.approx(stats.laplace(q, scale).pdf(grid), rel=1e-3, abs=1e-9)


@pytest.mark.parametrize(
    ("scores", "epsilon", "sensitivity", "words"),
    [
        ([], 1.0, 1.0, "scores must be a list of one or more finite numbers"),
        ([1.0, math.nan], 1.0, 1.0, "scores must be"),
        (["a"], 1.0, 1.0, "scores must be"),
        ([1.0], -1.0, 1.0, r"epsilon = -1.0 is not allowed; give a finite number above 0"),
        ([1.0], True, 1.0, "epsilon = True"),
        ([1.0], 1.0, 0.0, "sensitivity = 0.0"),
    ],
)
def test_refusals(scores, epsilon, sensitivity, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        choose(scores, epsilon, np.random.default_rng(0), sensitivity)


@pytest.mark.parametrize(
    ("scores", "epsilon", "sensitivity", "best"),
    [
        ([1e308, -1e308], 1e10, 1.0, 1.0),
        ([1.0, 0.0], 1.0, 1e-320, 1.0),
        ([0.0, 0.0], 1.0, 1e-320, 0.5),
        ([1e-320, 0.0], 1.0, 1e-320, 1 / (1 + math.exp(-0.5))),
        ([1e308, -1e308], 1e-308, 1.0, 1 / (1 + math.exp(-1.0))),
    ],
)
def test_scores_as_far_apart_as_floats_are(scores, epsilon, sensitivity, best) -> None:
    assert chances(scores, epsilon, sensitivity)[0] == pytest.approx(best, rel=1e-12)
    choose(scores, epsilon, np.random.default_rng(1), sensitivity)
