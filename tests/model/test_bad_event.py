import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

import planner
from planner.checked import Refused

FRACTION = st.floats(0.001, 0.999)


@given(p=FRACTION, epsilon=st.floats(1e-4, 8.0), delta=st.floats(0.0, 0.9))
def test_the_worst_mechanism_reaches_the_risk(p: float, epsilon: float, delta: float) -> None:
    """No pair of chances that is (ε, δ)-close passes it, and one reaches it (by a fine search)."""
    risk = planner.BadEvent(p, 1.0).risk(epsilon, delta)
    with_me = np.linspace(p, 1, 20_001)
    close = (with_me <= math.exp(epsilon) * p + delta) & (p <= math.exp(epsilon) * with_me + delta)
    close &= (1 - with_me <= math.exp(epsilon) * (1 - p) + delta) & (
        1 - p <= math.exp(epsilon) * (1 - with_me) + delta
    )
    assert with_me[close].max() == pytest.approx(risk, abs=1e-4)


def test_arrays_pass() -> None:
    event = planner.BadEvent(0.2, 1274.0)
    risk = event.risk(np.array([0.05 / 6, 5.0]))
    assert risk[0] == pytest.approx(0.2016736)
    assert risk[1] == event.risk(5.0) < 1


@pytest.mark.parametrize("p", [0.0, 1.0, math.nan, "half"])
def test_a_chance_is_between_0_and_1(p: object) -> None:
    with pytest.raises(Refused, match="above 0 and below 1"):
        planner.BadEvent(p, 1.0)
