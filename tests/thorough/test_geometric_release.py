import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from planner.consumers import geometric
from planner.consumers.geometric import chances, matrix, noise, noise_chances, sample
from planner.numbers import decimal

HALF = Fraction(1, 2)
FRACTIONS = st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=60)


def fits(seen: list[int], expected: dict[int, float]) -> bool:
    """Pearson's test at 1 in 10^4, everything that is not named in one cell."""
    counted = Counter(seen)
    named = [counted[z] for z in expected]
    chance = [*expected.values(), 1 - sum(expected.values())]
    cells = [*named, len(seen) - sum(named)]
    if chance[-1] < 1e-12:
        assert cells.pop() == 0
        chance = list(np.array(chance[:-1]) / sum(chance[:-1]))
    return stats.chisquare(cells, np.array(chance) * len(seen)).pvalue > 1e-4


def test_definition_4_by_hand() -> None:
    """Gupte10 Definition 4 at α = 1/2: 2/3 = 1/(1 + α) at the ends, 1/3 inside."""
    assert matrix(3, HALF).tolist() == [
        [Fraction(2, 3), Fraction(1, 6), Fraction(1, 12), Fraction(1, 12)],
        [Fraction(1, 3), Fraction(1, 3), Fraction(1, 6), Fraction(1, 6)],
        [Fraction(1, 6), Fraction(1, 6), Fraction(1, 3), Fraction(1, 3)],
        [Fraction(1, 12), Fraction(1, 12), Fraction(1, 6), Fraction(2, 3)],
    ]


def test_table_1_b() -> None:
    """Gupte10 Table 1(b) prints 5/3 of G(3, 1/4), though it is headed α = 1/2."""
    scaled = Fraction(5, 3) * matrix(3, Fraction(1, 4))
    assert [str(x) for x in scaled[0]] == ["4/3", "1/4", "1/16", "1/48"]
    assert [str(x) for x in scaled[1]] == ["1/3", "1", "1/4", "1/12"]


def test_figure_1() -> None:
    """Gupte10 Figure 1: α = 0.2 at the query result 5; the peak is 0.8/1.2."""
    drawn = noise_chances(np.arange(-20, 31) - 5, 0.2)
    assert drawn.argmax() - 20 == 5
    assert drawn.max() == pytest.approx(2 / 3, rel=1e-15)
    assert drawn.sum() == pytest.approx(1, abs=1e-10)


@given(n=st.integers(1, 12), alpha=FRACTIONS)
def test_rows_are_the_noise_put_back_into_the_range(n: int, alpha: Fraction) -> None:
    found = matrix(n, alpha)
    assert (found.sum(axis=1) == 1).all()
    for k in range(n + 1):
        assert (chances(k, n, alpha) == found[k]).all()
        inside = sum(noise_chances(np.arange(1 - k, k), alpha)) if k else -noise_chances(0, alpha)
        assert found[k, 0] == found[n - k, n] == (1 - inside) / 2  # Pr[Z ≤ −k], by its symmetry
    away = np.arange(n + 1)[:, None] - np.arange(1, n)
    assert (found[:, 1:-1] == noise_chances(away, alpha)).all()


@given(n=st.integers(1, 40), epsilon=st.floats(1e-3, 20))
def test_floats_agree_with_fractions(n: int, epsilon: float) -> None:
    alpha = math.exp(-epsilon)
    exact = matrix(n, Fraction(alpha)).astype(float)
    assert matrix(n, alpha) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 2.7])
def test_noise_follows_its_law(epsilon: float) -> None:
    rng = np.random.default_rng(1)
    seen = [noise(epsilon, rng) for _ in range(12_000)]
    width = int(3 / epsilon) + 1
    expected = {z: float(noise_chances(z, math.exp(-epsilon))) for z in range(-width, width + 1)}
    assert fits(seen, {z: chance for z, chance in expected.items() if chance > 5e-4})
    wrong = {z: float(noise_chances(z, math.exp(-1.1 * epsilon))) for z in expected}
    assert not fits(seen, {z: chance for z, chance in wrong.items() if chance > 5e-4})


@pytest.mark.parametrize("count", [0, 2, 5])
def test_answers_follow_their_law(count: int) -> None:
    rng = np.random.default_rng(2)
    seen = [sample(count, 5, 0.7, rng) for _ in range(8000)]
    assert fits(seen, dict(enumerate(chances(count, 5, math.exp(-0.7)))))
    assert not fits(seen, dict(enumerate(chances(count, 5, math.exp(-0.8)))))


def test_small_epsilon_costs_no_more() -> None:
    rng = np.random.default_rng(3)
    sizes = np.abs([noise(1e-12, rng) for _ in range(2000)]) * 1e-12
    assert stats.kstest(sizes, "expon").pvalue > 1e-3


@pytest.mark.parametrize("gamma", ["0", "1/3", "1", "2", "7/2"])
def test_events_of_exponential_chance(gamma: str) -> None:
    rng = np.random.default_rng(4)
    hits = sum(geometric.happens(Fraction(gamma), rng) for _ in range(6000))
    chance = math.exp(-Fraction(gamma))
    assert stats.binomtest(hits, 6000, chance).pvalue > 1e-4


@pytest.mark.parametrize("k", [1, 2, 6, 2**64, 3 * 2**63, 10**40])
def test_uniform_numbers_of_any_size(k: int) -> None:
    rng = np.random.default_rng(5)
    seen = [geometric.below(k, rng) for _ in range(4000)]
    assert min(seen) >= 0
    assert max(seen) < k
    if 1 < k <= 6:
        assert fits(seen, dict.fromkeys(range(k), 1 / k))
    if k > 6:
        assert stats.kstest(np.array(seen, float) / k, "uniform").pvalue > 1e-3
        if k % 2 == 0:  # the lowest word too
            assert stats.binomtest(sum(z % 2 for z in seen), 4000, 0.5).pvalue > 1e-4


class OnlyIntegers:
    """A source of random numbers that has whole ones only."""

    def __init__(self, seed: int) -> None:
        self.integers = np.random.default_rng(seed).integers


def test_no_float_is_drawn() -> None:
    assert isinstance(sample(3, 9, 0.1, OnlyIntegers(0)), int)


def test_epsilon_is_its_shortest_decimal(monkeypatch) -> None:
    asked = []
    monkeypatch.setattr(geometric, "one_sided", lambda e, rng: asked.append(e) or 1)
    for epsilon in (0.1, Fraction(1, 10), np.float64(0.1)):
        noise(epsilon, np.random.default_rng(0))
    assert asked == [decimal(0.1)] * 3 == [Fraction(1, 10)] * 3


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: matrix(0, 0.5), "n = 0 is not allowed; give a whole number of at least 1"),
        (lambda: matrix(2.0, 0.5), r"n = 2\.0"),
        (lambda: matrix(True, 0.5), "n = True"),
        (lambda: matrix(2, 1.0), r"alpha = 1\.0 is not allowed; give e\^\(−epsilon\)"),
        (lambda: noise_chances(1, 0), "alpha = 0"),
        (lambda: chances(3, 2, 0.5), "count = 3 is not allowed; give a whole number from 0 to 2"),
        (lambda: sample(-1, 2, 0.5, None), "count = -1"),
        (lambda: noise(0, None), "epsilon = 0 is not allowed; give a finite number above 0"),
        (lambda: noise(math.inf, None), "epsilon = inf"),
        (lambda: noise(math.nan, None), "epsilon = nan"),
        (lambda: noise("1", None), "epsilon = '1'"),
    ],
)
def test_refusals(call, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()
