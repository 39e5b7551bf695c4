"""Cards: p is a decimal whose odds e^ε allows, and the greatest of its digits."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from planner import numbers
from planner.mechanisms.reports import card


@given(st.floats(1e-4, 40.0))
def test_a_card_is_private_and_the_next_one_is_not(epsilon: float) -> None:
    truth = card.truthful(epsilon)
    with localcontext() as context:
        context.prec = 80
        odds = Decimal(repr(epsilon)).exp()
        more = truth + min(1 - truth, truth - Fraction(1, 2)) / 10**5
        assert Decimal(truth.numerator) / (truth.denominator - truth.numerator) <= odds
        assert Decimal(more.numerator) / (more.denominator - more.numerator) > odds


@given(st.fractions(0, 1, max_denominator=10**8).filter(lambda s: 0 < s < 1), st.booleans())
def test_the_least_epsilon_prints_the_least_card(share: Fraction, beyond: bool) -> None:
    epsilon = card.least_printed(share, beyond)
    strength = 2 * card.truthful(epsilon) - 1
    assert strength > share if beyond else strength >= share
    assert 2 * card.truthful(epsilon * (1 - 1e-12)) - 1 < strength
    assert card.truthful_in(numbers.balls().number(epsilon)) == card.truthful(epsilon)
    if beyond:
        assert card.about_printed(np.array([float(share)]))[0] == pytest.approx(epsilon, rel=1e-6)


def test_known_cards() -> None:
    assert card.least_printed(Fraction(1, 2), beyond=False) == pytest.approx(np.log(3), rel=1e-13)
    assert card.truthful(np.log(3) + 1e-12) == Fraction(3, 4)
    assert card.least_printed(Fraction(1), beyond=True) == np.inf
    assert card.truthful_in(numbers.balls().number(0.5).union(numbers.balls().number(0.6))) is None
