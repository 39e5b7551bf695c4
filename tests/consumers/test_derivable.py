import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from planner.consumers.bayesian import BayesianConsumer
from planner.consumers.derivability import derivable
from planner.consumers.geometric import matrix

HALF = Fraction(1, 2)
APPENDIX_B = [
    [Fraction(x, 18) for x in row]
    for row in ([2, 4, 8, 4], [4, 2, 4, 8], [8, 4, 2, 4], [13, 2, 1, 2])
]
"""Gupte10 Appendix B, in eighteenths."""


def rows(size: int):
    weights = st.lists(st.integers(0, 9), min_size=size, max_size=size).filter(any)
    return weights.map(lambda w: [Fraction(x, sum(w)) for x in w])


def squares(low: int = 2, high: int = 5):
    return st.integers(low, high).flatmap(lambda k: st.lists(rows(k), min_size=k, max_size=k))


ALPHAS = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20)


def test_appendix_b_is_private_and_not_derivable() -> None:
    """Gupte10 Appendix B: (1 + α²)·M(1,1) − α·(M(0,1) + M(2,1)) = −0.75/9 at α = 1/2."""
    found = derivable(APPENDIX_B, HALF)
    assert not found
    assert (found.row, found.column) == (1, 1)
    assert found.value * (1 - HALF) ** 2 == Fraction(-3, 4) / 9
    assert found.why == (
        "A reader would have to remap 1 to 1 with probability -1/3: "
        "(1 + α²)·M(1,1) = 5/36 is under α·(M(0,1) + M(2,1)) = 2/9."
    )


def test_appendix_b_in_floats() -> None:
    floats = np.array(APPENDIX_B, dtype=float)
    found = derivable(floats, 0.5)
    assert (bool(found), found.row, found.column) == (False, 1, 1)
    assert found.value == pytest.approx(-1 / 3, rel=1e-12)
    assert isinstance(found.value, float)


def test_the_three_entries_alone_do_not_decide() -> None:
    """Theorem 2 asks for a private mechanism: with two counts there are no three entries at all."""
    for k in (2, 3):
        truth = np.eye(k)
        assert not derivable(truth, 0.5)
    found = derivable(np.eye(2), 0.5)
    assert (found.row, found.column, found.value) == (0, 1, -1.0)
    assert "M(0,1) = 0 is under α·M(1,1) = 0.5" in found.why


@given(t=squares(), alpha=ALPHAS)
def test_whatever_a_reader_does_is_derivable(t, alpha: Fraction) -> None:
    m = matrix(len(t) - 1, alpha).dot(np.array(t))
    assert derivable(m, alpha)
    in_floats = m.astype(float)
    assert derivable(in_floats, float(alpha))


@given(m=squares(3, 4), alpha=ALPHAS)
def test_a_private_mechanism_fails_in_the_middle_only(m, alpha: Fraction) -> None:
    """Gupte10 Theorem 2: with privacy the middle rows decide."""
    lazy = Fraction(9, 10) * matrix(len(m) - 1, alpha) + Fraction(1, 10) * np.array(m)
    for mechanism in (np.array(m), lazy):
        by_ratios = all(
            alpha * x <= y and alpha * y <= x
            for above, below in pairwise(mechanism)
            for x, y in zip(above, below, strict=True)
        )
        if by_ratios:
            found = derivable(mechanism, alpha)
            assert found or 0 < found.row < len(m) - 1
        else:
            assert not derivable(mechanism, alpha)


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2, 10, 200])
def test_rounding_is_forgiven_and_no_more(n: int) -> None:
    for epsilon in (0.01, 0.5, 3.0):
        alpha = math.exp(-epsilon)
        m = matrix(n, alpha)
        assert derivable(m, alpha)
        tighter = math.exp(-epsilon * (1 - 1e-6))
        assert not derivable(m, tighter)


@pytest.mark.parametrize("loss", ["absolute", "squared", "zero-one"])
def test_the_best_releases_are_derivable(loss: str) -> None:
    prior = np.random.default_rng(0).dirichlet(np.ones(12))
    found = BayesianConsumer(prior, loss).optimum(0.7)
    assert derivable(found.mechanism(), math.exp(-0.7))


def test_refusals() -> None:
    for m, alpha, words in [
        ([[1.0]], 0.5, r"matrix has shape \(1, 1\); give as many answers as counts, at least two"),
        ([[0.5, 0.5]], 0.5, r"matrix has shape \(1, 2\)"),
        ([[0.5, 0.5], [0.5, 0.4]], 0.5, r"row 1 of matrix sums to 0\.9; give rows that sum to 1"),
        (
            [[0.5, 0.5], [1.5, -0.5]],
            0.5,
            r"matrix\[1\]\[1\] = -0\.5 is not a probability from 0 to 1",
        ),
        ([[0.5, 0.5], [math.nan, 0.5]], 0.5, r"matrix\[1\]\[0\] = nan"),
        ([[HALF, HALF], [HALF, HALF + Fraction(1, 10**20)]], HALF, "row 1 of matrix sums to"),
        ([[0.5, 0.5], [0.5, 0.5]], 1.0, r"alpha = 1\.0 is not allowed"),
        ([[0.5, 0.5], [0.5, 0.5]], 0, "alpha = 0 is not allowed"),
    ]:
        with pytest.raises(ValueError, match=words):
            derivable(m, alpha)
