import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from planner.consumers.derivability import factor
from planner.consumers.geometric import matrix
from planner.consumers.releases import blur, joint, release, transition

LEVELS = [1.5, 0.7, 0.2]
ALPHAS = st.fractions(Fraction(1, 30), Fraction(29, 30), max_denominator=40)


def ratios(chances: np.ndarray) -> tuple[float, float]:
    """The least and the largest ratio of chances at neighbouring counts, over all answers."""
    found = chances[1:] / chances[:-1]
    return float(found.min()), float(found.max())


def marginal(chances: np.ndarray, kept: tuple[int, ...]) -> np.ndarray:
    dropped = tuple(k + 1 for k in range(chances.ndim - 1) if k not in kept)
    return chances.sum(axis=dropped)


@given(n=st.integers(1, 8), pair=st.tuples(ALPHAS, ALPHAS).map(sorted))
def test_lemma_3(n: int, pair) -> None:
    """Gupte10 Lemma 3: G(n, β) = G(n, α)·T, T a matrix of chances, exactly."""
    alpha, beta = pair
    t = transition(n, alpha, beta)
    assert (matrix(n, alpha).dot(t) == matrix(n, beta)).all()
    assert (t.sum(axis=1) == 1).all()
    assert t.min() >= 0
    assert (t == factor(matrix(n, beta), alpha)).all()


@given(n=st.integers(1, 30), epsilon=st.floats(0.01, 5), share=st.floats(0.01, 1))
def test_lemma_3_in_floats(n: int, epsilon: float, share: float) -> None:
    alpha, beta = math.exp(-epsilon), math.exp(-epsilon * share)
    found = matrix(n, alpha) @ transition(n, alpha, beta)
    assert found == pytest.approx(matrix(n, beta), rel=1e-9, abs=1e-15)


def test_transitions_compose() -> None:
    a, b, c = Fraction(1, 5), Fraction(1, 2), Fraction(4, 5)
    assert (transition(6, a, b).dot(transition(6, b, c)) == transition(6, a, c)).all()
    assert (transition(6, b, b) == np.eye(7, dtype=int)).all()


def test_a_row_by_hand() -> None:
    """n = 2, α = 1/3, β = 1/2: T = G⁻¹·G, with (1 + α²)·x1 − α·(x0 + x2) over (1 − α)² = 4/9."""
    found = transition(2, Fraction(1, 3), Fraction(1, 2))
    assert [str(x) for x in found[0]] == ["5/6", "1/12", "1/12"]
    assert [str(x) for x in found[1]] == ["5/24", "7/12", "5/24"]
    assert found[2].tolist() == found[0, ::-1].tolist()


@pytest.mark.parametrize("n", [1, 4])
def test_colluders_learn_what_the_least_private_answer_says(n: int) -> None:
    """Gupte10 Lemma 4 and Theorem 1: a coalition is as private as its largest ε, and no more."""
    law = joint(n, LEVELS)
    assert law.sum(axis=(1, 2, 3)) == pytest.approx(np.ones(n + 1))
    for size in (1, 2, 3):
        for coalition in combinations(range(3), size):
            alpha = math.exp(-LEVELS[coalition[0]])
            least, most = ratios(marginal(law, coalition))
            assert least == pytest.approx(alpha, rel=1e-10)
            assert most == pytest.approx(1 / alpha, rel=1e-10)


def test_answers_made_apart_would_give_more_away() -> None:
    """Gupte10 §1: independent noise is cancelled by colluders."""
    first, second = (matrix(4, math.exp(-e)) for e in (1.5, 0.7))
    apart = first[:, :, None] * second[:, None, :]
    least, _ = ratios(apart)
    assert least == pytest.approx(math.exp(-1.5 - 0.7), rel=1e-10)


def test_each_answer_is_geometric_at_its_level() -> None:
    law = joint(4, LEVELS)
    for k, epsilon in enumerate(LEVELS):
        assert marginal(law, (k,)) == pytest.approx(matrix(4, math.exp(-epsilon)), rel=1e-10)


def test_later_answers_say_nothing_more_about_the_count() -> None:
    """Given the least private answer the others have one law, whatever the count."""
    law = joint(3, LEVELS)
    given_first = law / law.sum(axis=(2, 3), keepdims=True)
    for count in range(1, 4):
        assert given_first[count] == pytest.approx(given_first[0], rel=1e-9)


def chi_square(seen: np.ndarray, law: np.ndarray) -> float:
    expected = law.ravel() * seen.sum()
    seen, few = seen.ravel(), expected < 5
    if few.any():
        seen = np.append(seen[~few], seen[few].sum())
        expected = np.append(expected[~few], expected[few].sum())
    return stats.chisquare(seen, expected * seen.sum() / expected.sum()).pvalue


@pytest.mark.parametrize(("count", "n"), [(1, 1), (2, 5)])
def test_releases_follow_the_law(count: int, n: int) -> None:
    rng = np.random.default_rng(count + 10 * n)
    seen = np.zeros((n + 1, n + 1, n + 1))
    for _ in range(4000):
        seen[release(count, n, [1.2, 0.6, 0.25], rng)] += 1
    assert chi_square(seen, joint(n, [1.2, 0.6, 0.25])[count]) > 1e-3
    assert chi_square(seen, joint(n, [1.2, 0.5, 0.25])[count]) < 1e-3


@pytest.mark.parametrize("answer", [0, 1, 4])
@pytest.mark.parametrize(("fine", "coarse"), [(2.0, 0.3), (0.55, 0.5)])
def test_a_blur_is_a_row_of_the_transition(answer: int, fine: float, coarse: float) -> None:
    rng = np.random.default_rng(answer)
    seen = np.bincount([blur(answer, 4, fine, coarse, rng) for _ in range(4000)], minlength=5)
    law = transition(4, math.exp(-fine), math.exp(-coarse))
    assert chi_square(seen, law[answer]) > 1e-3
    other = transition(4, math.exp(-1.2 * fine), math.exp(-0.85 * coarse))
    assert chi_square(seen, other[answer]) < 1e-3


def test_one_level_and_the_seed() -> None:
    one, same, other = (
        [release(5, 10, [0.3, 0.1], np.random.default_rng(seed)) for _ in range(1)]
        + [release(5, 10**6, [1e-4, 1e-5], np.random.default_rng(seed))]
        for seed in (1, 1, 2)
    )
    assert one == same != other
    (answer,) = release(10, 10, [40.0], np.random.default_rng(0))
    assert answer == 10


RNG = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: release(1, 3, [0.5, 1.0], RNG),
            r"epsilons = \[0\.5, 1\.0\] are privacy levels out of order; give each once, the larg",
        ),
        (lambda: release(1, 3, [0.5, 0.5], RNG), "out of order"),
        (lambda: release(1, 3, [], RNG), "epsilons is empty; give one privacy level or more"),
        (lambda: release(1, 3, [1.0, 0.0], RNG), r"epsilon = 0\.0 is not allowed"),
        (lambda: release(4, 3, [1.0], RNG), "count = 4 is not allowed; give a whole number from 0"),
        (lambda: release(1, 0, [1.0], RNG), "n = 0 is not allowed"),
        (lambda: blur(5, 4, 1.0, 0.5, RNG), "count = 5 is not allowed"),
        (lambda: blur(2, 4, 0.5, 1.0, RNG), "out of order"),
        (lambda: transition(3, 0.5, 0.4), r"beta = 0\.4 is under alpha = 0\.5; an answer can only"),
        (lambda: transition(3, 0.5, 1.0), r"beta = 1\.0 is not allowed"),
        (lambda: transition(3, 0.0, 0.5), r"alpha = 0\.0 is not allowed"),
        (lambda: joint(1000, [1.0, 0.5]), "n = 1000 with 2 levels needs 1003003001 numbers"),
        (lambda: joint(3, [0.5, 1.0]), "out of order"),
    ],
)
def test_refusals(call, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()
